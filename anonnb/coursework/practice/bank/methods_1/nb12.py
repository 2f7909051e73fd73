"""Exercises of notebook 12, k-Optimize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.cuts.k_optimize import KOptimize, generalized
from anonnb.tables.datasets import load
from anonnb.tables.table import Table
from anonnb.utility import discernibility

Cut = tuple[str, int]
SURVEY_CUTS = {2: ("Marital_status", 1), 3: ("Marital_status", 2), 5: ("Sex", 1)}  # the chapter's numbers


def _survey() -> Table:
    return load("survey").with_roles(quasi=["Marital_status", "Sex"])


def set_cost(numbers: Sequence[int], k: int) -> int:
    """The discernibility of a set of the chapter's cut points on the survey."""
    table = _survey()
    cuts = [
        np.array(sorted(code for column, code in map(SURVEY_CUTS.get, numbers) if column == name), dtype=int)
        for name in table.quasi
    ]
    return int(discernibility(table, generalized(table, cuts, KOptimize(k=k)), k=k))


def _cells() -> str:
    counts = _survey().frame.value_counts(["Marital_status", "Sex"], sort=False)
    return ", ".join(f"{count} {status} {sex}" for (status, sex), count in counts[counts > 0].items())


@exercise("12.1")
def price(numbers: Numbers) -> Exercise:
    cuts, k = numbers.one_of([((2, 5), 12), ((2, 3, 5), 10), ((3, 5), 20), ((2, 5), 20)])
    named = ", ".join(map(str, cuts))
    return Exercise(
        f"The survey has {_cells()}. Its values are numbered married 1, divorced 2, single 3, F 4, M 5. What is the "
        f"discernibility of the set {{{named}}} at k = {k}, with a pencil?",
        hints=[
            "write down which values each cut separates, then add up the people of every class",
            "a class of at least k people costs its size squared; each person of a smaller class costs 66",
        ],
        worked=lambda: _paid_in_words(cuts, k),
        expected=lambda: set_cost(cuts, k),
    )


def _paid_in_words(cuts: Sequence[int], k: int) -> str:
    sizes, times = np.unique(class_sizes(codes_of(_survey()), {SURVEY_CUTS[cut] for cut in cuts}), return_counts=True)
    classes = [size for size, many in zip(sizes, times, strict=True) for _ in range(many // size)]
    paid = " + ".join(f"{size}·{size if size >= k else 66}" for size in classes)
    return f"The classes have {', '.join(map(str, classes))} people. They pay {paid} = {set_cost(cuts, k):,}."


@exercise("12.2")
def bound_by_hand(numbers: Numbers) -> Exercise:
    head, tail, k = numbers.one_of([((3,), (2, 5), 12), ((5,), (2, 3), 12), ((5,), (3,), 15), ((2,), (3, 5), 20)])
    return Exercise(
        f"The same table, k = {k}. The cuts {_named(head)} are decided, {_named(tail)} are open, all others are left "
        "out. What is the least that any set in between can cost, by the bound of the notebook?",
        hints=[
            "first make the classes of the decided cuts alone: rows of those below k cost 66 each, whatever comes",
            f"then make all open cuts as well: every other row costs the size of its piece, but not less than {k}",
        ],
        worked=lambda: _bound_in_words(head, tail, k),
        expected=lambda: survey_bound(head, tail, k),
    )


def _bound_in_words(head: Sequence[int], tail: Sequence[int], k: int) -> str:
    rows, decided, opened = codes_of(_survey()), {SURVEY_CUTS[cut] for cut in head}, {SURVEY_CUTS[cut] for cut in tail}
    now, finest = class_sizes(rows, decided), class_sizes(rows, decided | opened)
    lost = int((now < k).sum())
    sizes, times = np.unique(finest[now >= k], return_counts=True)
    pieces = [f"{size}·{max(size, k)}" for size, many in zip(sizes, times, strict=True) for _ in range(many // size)]
    surely = f"{lost} rows are in classes below {k} whatever comes and pay 66 each. " if lost else ""
    return (
        f"{surely}With all open cuts made, a piece of the other rows pays its size, or {k} if that is more, for each "
        f"row: {' + '.join([f'{lost}·66'] * bool(lost) + pieces)} = {survey_bound(head, tail, k):,}."
    )


def _named(cuts: Sequence[int]) -> str:
    return "{" + ", ".join(map(str, cuts)) + "}"


def survey_bound(head: Sequence[int], tail: Sequence[int], k: int) -> int:
    """The bound of the notebook for sets between two sets of the chapter's cut points."""
    rows, decided = codes_of(_survey()), {SURVEY_CUTS[cut] for cut in head}
    return lower_bound(rows, decided, {SURVEY_CUTS[cut] for cut in tail}, k)


def codes_of(table: Table) -> pd.DataFrame:
    """The quasi-identifiers as numbers: the places of the values in their order."""
    return pd.DataFrame({name: table.codes(name) for name in table.quasi})


def class_sizes(rows: pd.DataFrame, cuts: set[Cut]) -> np.ndarray:
    """For each row the number of rows in its class, when every column is cut at these values."""
    pieces = [
        np.searchsorted(sorted(value for name, value in cuts if name == column), rows[column], side="right")
        for column in rows
    ]
    _, ids, counts = np.unique(np.array(pieces), axis=1, return_inverse=True, return_counts=True)
    return counts[np.ravel(ids)]


def lower_bound(rows: pd.DataFrame, head: set[Cut], tail: set[Cut], k: int) -> int:
    """What no set between head and head plus tail goes below."""
    now, finest = class_sizes(rows, head), class_sizes(rows, head | tail)
    return int(np.where(now < k, len(rows), np.maximum(finest, k)).sum())


@exercise("12.3")
def better_order(numbers: Numbers) -> Exercise:
    counts, k = numbers.one_of(
        [
            ({"air": 4, "bus": 40, "car": 6, "foot": 30, "train": 5}, 10),
            ({"ash": 3, "beech": 25, "elm": 7, "lime": 35, "oak": 6}, 8),
            ({"blue": 7, "green": 50, "grey": 5, "red": 20, "white": 8}, 12),
        ]
    )
    told = ", ".join(f"{value} {count}" for value, count in counts.items())
    return Exercise(
        f"One column, with a value and the number of its rows: {told}. k-Optimize joins neighbours only, so the order "
        f"matters. Give the five values in an order whose cheapest set of cuts, at k = {k}, costs as little as any "
        "order allows. Answer with a list.",
        hints=[
            f"values with fewer than {k} rows must share an interval with others, or be suppressed: find them",
            "rows that join a large value make that class dearer for everybody in it; let the rare values be "
            "neighbours",
        ],
        worked=lambda: (
            f"In alphabetical order the cheapest set costs {order_cost(list(counts), counts, k):,}. The rare values "
            f"side by side can share an interval: {', '.join(_best_order(counts, k))} costs "
            f"{order_cost(_best_order(counts, k), counts, k):,}."
        ),
        judge=lambda order: _not_best(order, counts, k),
    )


def order_cost(order: Sequence[str], counts: dict[str, int], k: int) -> int:
    """The least discernibility of one column whose values stand in this order: interval by interval."""
    total, sizes = sum(counts.values()), [counts[value] for value in order]
    best = [0]
    for end in range(1, len(sizes) + 1):
        parts = [sum(sizes[start:end]) for start in range(end)]
        best.append(min(best[start] + size * (size if size >= k else total) for start, size in enumerate(parts)))
    return best[-1]


def _best_order(counts: dict[str, int], k: int) -> list[str]:
    return list(min(permutations(counts), key=lambda order: order_cost(order, counts, k)))


def _not_best(order: object, counts: dict[str, int], k: int) -> str:
    if not isinstance(order, list | tuple) or sorted(map(str, order)) != sorted(counts):
        return f"the answer is a list of the values {', '.join(counts)}, each once"
    cost, least = order_cost(order, counts, k), order_cost(_best_order(counts, k), counts, k)
    return "" if cost == least else f"the cheapest set of this order costs {cost:,}, and another order allows less"


STARTER = '''
def lower_bound(rows, head, tail, k):
    """What no set of cuts between head and head | tail can go below (discernibility).

    rows: a DataFrame of numbers, one row per person, one column per quasi-identifier. head, tail: sets of cuts
    (column, value); a cut separates the numbers below value from value and those above it. Rows are in one class when
    no cut separates them on any column.
    """
    raise NotImplementedError
'''
WORKED = """```python
def lower_bound(rows, head, tail, k):
    def class_sizes(cuts):
        pieces = rows.copy()
        for column in rows:
            values = sorted(value for name, value in cuts if name == column)
            pieces[column] = np.searchsorted(values, rows[column], side="right")
        ids = pieces.groupby(list(pieces)).ngroup()
        return ids.map(ids.value_counts()).to_numpy()

    now, finest = class_sizes(head), class_sizes(head | tail)
    return int(np.where(now < k, len(rows), np.maximum(finest, k)).sum())
```"""


@exercise("12.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `lower_bound`, on which the search rests. The check searches the sets of cuts "
        "of six small tables and of the survey with it, and compares what is found with k-Optimize.",
        hints=[
            "for a set of cuts, number the intervals of every column and count the rows that agree on all of them",
            "a row whose class with the head alone has fewer than k rows costs as much as there are rows; any other "
            "costs the larger of k and the size of its class with all cuts",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your bound the search finds what k-Optimize finds on all seven tables.",
        starter=STARTER,
    )


def search_with(bound: Callable[[pd.DataFrame, set[Cut], set[Cut], int], int], rows: pd.DataFrame, k: int) -> int:
    """The least cost that a plain branch and bound finds with a bound of the reader's."""
    every = [(column, int(value)) for column in rows for value in np.unique(rows[column])[1:]]
    best, waiting = len(rows) ** 2 + 1, [(set(), every)]
    while waiting:
        head, tail = waiting.pop()
        sizes = class_sizes(rows, head)
        best = min(best, int(np.where(sizes < k, len(rows), sizes).sum()))
        if tail and bound(rows.copy(), set(head), set(tail), k) < best:
            waiting += [(head, tail[1:]), (head | {tail[0]}, tail[1:])]
    return best


def _differs(bound: object) -> str:
    if not callable(bound):
        return "the answer is the function lower_bound"
    for name, rows, k in _tables():
        every = [(column, int(value)) for column in rows for value in np.unique(rows[column])[1:]]
        for head in (set(), set(every[:1]), set(every[::2])):
            tail = set(every) - head
            theirs, ours = bound(rows.copy(), set(head), set(tail), k), lower_bound(rows, head, tail, k)
            if theirs != ours:
                decided = ", ".join(f"({column}, {value})" for column, value in sorted(head)) or "nothing"
                return f"on {name}, with k = {k} and {decided} in the head, your bound is {theirs}, and ours is not"
        found = search_with(bound, rows, k)
        least = KOptimize(k=k).anonymize(Table(rows, quasi=list(rows))).info["cost"]
        if found != least:
            return f"on {name}, with k = {k}, the search with your bound ends at {found}, and {least} can be reached"
    return ""


def _tables() -> list[tuple[str, pd.DataFrame, int]]:
    rng = np.random.default_rng(0)
    small = [
        (f"small table {n}", pd.DataFrame(rng.integers(0, 4, (16, 2)), columns=["x", "y"]), 2 + n % 3) for n in range(6)
    ]
    return [*small, ("the survey", codes_of(_survey()), 10)]
