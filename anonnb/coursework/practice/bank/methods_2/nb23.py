"""Exercises of notebook 23, microaggregation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.microaggregation.microaggregation import Microaggregation
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

TIMES = 100  # how much worse MDAV must be


def _column(values) -> Table:
    return Table(pd.DataFrame({"x": list(values)}), quasi=["x"])


def _groups(values, k: int, algorithm: str) -> list[list[float]]:
    table = _column(values)
    groups = Microaggregation(k=k, algorithm=algorithm)._groups(table)
    return [table.frame["x"].to_numpy(float)[groups == group].tolist() for group in range(int(groups.max()) + 1)]


def _squares(groups: list[list[float]]) -> float:
    return float(sum(((np.array(group) - np.mean(group)) ** 2).sum() for group in groups))


@exercise("23.1")
def least_squares(numbers: Numbers) -> Exercise:
    values = numbers.one_of([(3, 4, 10, 11, 12, 20), (1, 2, 3, 8, 15, 16), (2, 5, 6, 7, 14, 15), (1, 6, 7, 8, 13, 15)])
    return Exercise(
        f"The values are {', '.join(map(str, values))} and k = 2. What is the least possible sum of squares? Two "
        "decimals are enough.",
        hints=[
            "groups are runs of two or three values: three pairs, or two groups of three; there are no other sizes",
            "the squares of a pair a, b sum to (a − b)²/2; compare both groupings",
        ],
        worked=lambda: _compared(values),
        expected=lambda: round(_squares(_groups(values, 2, "optimal")), 2),
    )


def _compared(values: tuple[int, ...]) -> str:
    ways = {"pairs": [values[:2], values[2:4], values[4:]], "groups of three": [values[:3], values[3:]]}
    costs = {name: [_squares([part]) for part in parts] for name, parts in ways.items()}
    told = [f"The {name} cost {' + '.join(f'{cost:.2f}' for cost in costs[name])}." for name in ways]
    return f"{' '.join(told)} The least is {min(map(sum, costs.values())):.2f}."


@exercise("23.2")
def how_many_groups(numbers: Numbers) -> Exercise:
    rows, k = numbers.one_of([(1080, 7), (100, 6), (250, 9), (1000, 11), (95, 4)])
    return Exercise(
        f"How many groups does MDAV make of {rows:,} rows with k = {k}, and how many rows has the largest? Answer with "
        "a pair (groups, rows).",
        hints=[
            "every group but the last has exactly k rows; the last takes whatever is left",
            "the last group has at least k and fewer than 2k rows; which multiple of k does that leave for the others?",
        ],
        worked=f"The last group has {k} to {2 * k - 1} rows, all others {k}. So there are {rows} // {k} = {rows // k} "
        f"groups, and the last has {rows} − {rows // k - 1} · {k} = {rows - (rows // k - 1) * k} rows.",
        expected=lambda: _counted(rows, k),
    )


def _counted(rows: int, k: int) -> tuple[int, int]:
    groups = _groups(np.arange(rows), k, "mdav")
    return len(groups), max(map(len, groups))


@exercise("23.3")
def without_bound(numbers: Numbers) -> Exercise:
    k, most = numbers.one_of([(2, 12), (3, 15), (2, 10), (3, 13)])
    example = [100 * cluster + place for cluster in range(3) for place in range(k + (cluster != 1))]
    return Exercise(
        f"How bad can MDAV be? Give a list of at most {most} numbers for which, with k = {k}, MDAV's "
        f"sum of squares is more than {TIMES} times the least possible one.",
        hints=[
            f"MDAV gives the outermost rows groups of exactly {k}; what if they come in clusters of another size?",
            "whoever is left over from two far clusters must share a group in the end; make the clusters tight and the "
            "way between them long",
        ],
        worked=lambda: _bad_example(example, k),
        judge=lambda values: _not_bad(values, k, most),
    )


def _bad_example(values: list[int], k: int) -> str:
    ours, best = _groups(values, k, "mdav"), _groups(values, k, "optimal")
    told = "; ".join(", ".join(f"{value:g}" for value in group) for group in ours)
    return (
        f"{values}: three clusters, two of them with {k + 1} values. MDAV's groups are {told}, with a sum of "
        f"squares of {_squares(ours):,.1f}; the clusters themselves cost {_squares(best):.1f}. Clusters further "
        "apart make the ratio as large as you like: MDAV has no bound."
    )


def _not_bad(values: object, k: int, most: int) -> str:
    try:
        given = [float(value) for value in values]
    except (TypeError, ValueError):
        return "the answer is a list of numbers"
    if not k <= len(given) <= most or not np.isfinite(given).all():
        return f"the list must have {k} to {most} finite numbers"
    ours, best = (_squares(_groups(given, k, algorithm)) for algorithm in ("mdav", "optimal"))
    if ours > TIMES * best + 1e-9:
        return ""
    return f"MDAV's sum of squares is {ours:.4g}, and the least possible one {best:.4g}"


STARTER = '''
def mdav(rows, k):
    """The groups of MDAV, in the order in which they are made: a list of lists of row numbers.

    rows: an array, one row per person, already standardized. Distances are Euclidean; ties go to the smaller row
    number. A group of a row r: r and the k - 1 rows nearest to it among those left.
    """
    raise NotImplementedError
'''
WORKED = """```python
def mdav(rows, k):
    left, groups = list(range(len(rows))), []

    def farthest(point):
        return left[np.argmax(((rows[left] - point) ** 2).sum(axis=1))]

    def gather(row):
        order = np.argsort(((rows[left] - rows[row]) ** 2).sum(axis=1), kind="stable")
        groups.append([left[place] for place in order[:k]])
        for member in groups[-1]:
            left.remove(member)

    while len(left) >= 3 * k:
        first = farthest(rows[left].mean(axis=0))
        gather(first)
        gather(farthest(rows[first]))
    if len(left) >= 2 * k:
        gather(farthest(rows[left].mean(axis=0)))
    return [*groups, left]
```"""


@exercise("23.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `mdav`. The check gives it six small tables and the 1,080 rows of Census, and "
        "compares your groups with ours.",
        hints=[
            "two helpers are enough: the row left that is farthest from a point, and a group around a row",
            "`np.argsort(…, kind='stable')` of the squared distances gives the nearest rows; remove them from those "
            "left before you look for the next",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your groups equal ours on all seven tables, so the loss on Census is the printed one.",
        starter=STARTER,
    )


def _differs(mdav: Callable[[np.ndarray, int], list[list[int]]]) -> str:
    if not callable(mdav):
        return "the answer is the function mdav"
    for name, table, k in _tables():
        frame = table.frame[table.quasi].astype(float)
        rows = ((frame - frame.mean()) / frame.std()).to_numpy()
        theirs = sorted(sorted(map(int, group)) for group in mdav(rows.copy(), k))
        groups = Microaggregation(k=k)._groups(table)
        ours = sorted(np.flatnonzero(groups == group).tolist() for group in range(int(groups.max()) + 1))
        if sum(map(len, theirs)) != len(table) or len({row for group in theirs for row in group}) != len(table):
            return f"of {name} not every row is in exactly one group"
        if theirs != ours:
            return f"with k = {k} your groups of {name} are not ours; you have {len(theirs)} and we {len(ours)}"
    return ""


def _tables() -> list[tuple[str, Table, int]]:
    rng, made = np.random.default_rng(0), []
    for number in range(6):
        frame = pd.DataFrame(rng.normal(size=(11 + number, 2)).round(3), columns=["x", "y"])
        made.append((f"small table {number}", Table(frame, quasi=["x", "y"]), 2 + number % 3))
    return [*made, ("Census", load("census"), 10)]
