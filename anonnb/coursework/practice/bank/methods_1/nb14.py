"""Exercises of notebook 14, cell suppression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.cells.exact import Exact
from anonnb.methods.cells.forest import Forest, carve
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

NAMES = ["Sex", "Age", "Smokes"]
SIX = [
    ["F 20 no", "F 20 yes", "F 30 no", "M 20 yes", "M 30 yes", "M 40 yes"],
    ["M 20 no", "F 20 no", "M 20 yes", "M 40 yes", "F 40 yes", "F 30 no"],
    ["F 30 yes", "F 20 no", "M 30 yes", "F 40 yes", "M 20 no", "M 20 yes"],
]


def _rows(lines: Sequence[str]) -> Table:
    return Table(pd.DataFrame([line.split() for line in lines], columns=NAMES), quasi=NAMES)


def _told(lines: Sequence[str]) -> str:
    rows = [f"| {number} | {' | '.join(line.split())} |" for number, line in enumerate(lines)]
    return "\n".join([f"| row | {' | '.join(NAMES)} |", "|---" * (len(NAMES) + 1) + "|", *rows])


@exercise("14.1")
def bound_by_hand(numbers: Numbers) -> Exercise:
    lines, k = numbers.one_of(SIX), 3
    return Exercise(
        f"Six people:\n\n{_told(lines)}\n\nHow many cells must be hidden at least for k = {k}, by the sum of "
        "Proposition 14.4? It needs distances only, no groups.",
        hints=[
            "the distance of two rows is the number of columns in which they differ; write down the 15 distances",
            "a row shares its class with two others at least, so it loses no less than the distance to its second "
            "nearest row; add that up over the rows",
        ],
        worked=lambda: (
            f"The rows 0 to 5 lose at least {', '.join(map(str, nearest_losses(_rows(lines), k)))} cells: "
            f"{sum(nearest_losses(_rows(lines), k))} together."
        ),
        expected=lambda: sum(nearest_losses(_rows(lines), k)),
    )


def nearest_losses(table: Table, k: int) -> list[int]:
    """For each row the distance to its (k − 1)-th nearest row."""
    return np.sort(Cells(table).distance_matrix(), axis=1)[:, k - 1].tolist()


@exercise("14.2")
def fewest_by_hand(numbers: Numbers) -> Exercise:
    lines = numbers.one_of(SIX)
    return Exercise(
        f"Six people again:\n\n{_told(lines)}\n\nWhat is the smallest number of cells that can be hidden at k = 3? Try "
        "all groupings with a pencil: fewer than a dozen matter.",
        hints=[
            "six rows make one group, or two groups of three; row 0 and two others are the first of the two",
            "a group costs its rows times the columns that are not constant in it; that makes ten sums of two products",
        ],
        worked=lambda: _worked_fewest(lines),
        expected=lambda: int(Exact(k=3).anonymize(_rows(lines)).info["cost"]),
    )


def halves_of_six(lines: Sequence[str]) -> dict[tuple[int, ...], int]:
    """The cost of each way to make two groups of three, by the group of row 0."""
    codes = _rows(lines).code_matrix()
    costs = {}
    for others in combinations(range(1, 6), 2):
        first = (0, *others)
        second = [row for row in range(6) if row not in first]
        costs[first] = sum(3 * int((np.ptp(codes[list(group)], axis=0) > 0).sum()) for group in (first, second))
    return costs


def _worked_fewest(lines: Sequence[str]) -> str:
    costs = halves_of_six(lines)
    best = min(costs, key=costs.get)
    return (
        f"The ten ways to make two groups of three cost {', '.join(map(str, sorted(costs.values())))}, and one group "
        f"of six costs 18. The least is {costs[best]}, with rows {', '.join(map(str, best))} in one group."
    )


@exercise("14.3")
def bad_for_forest(numbers: Numbers) -> Exercise:
    most, times = numbers.one_of([(6, 2), (5, 2), (7, 2)])
    return Exercise(
        f"The bound at k = 2 is three times the fewest. Find a table of at most {most} rows on which Forest(k=2) "
        f"hides at least {times} times as many cells as necessary. Answer with a list of rows, each a tuple of values; "
        "you may try tables with Forest and Exact.",
        hints=[
            "an odd row is left over at the root of a tree and joins a group that touches it: let it join a wrong one",
            "take three rows that are alike, so that two of them make a group and one is left, and two rows nearby "
            "that belong together",
        ],
        worked=lambda: (
            f"{', '.join(map(str, SPOILT))}: {_ratio_in_words(SPOILT)} Rows 0 and 2 are a group, and so are 3 and 4. "
            "Row 1 is left at the root. Both groups touch it and have two rows, and the first one is taken: neither of "
            "its columns is constant now. So the bound at k = 2 is reached."
        ),
        judge=lambda rows: _not_bad(rows, most, times),
    )


SPOILT = [(0, 1), (0, 0), (1, 1), (0, 0), (0, 0)]


def forest_and_fewest(rows: Sequence[Sequence[object]]) -> tuple[int, int]:
    """How many cells Forest hides at k = 2, and how many must be hidden."""
    frame = pd.DataFrame([list(map(str, row)) for row in rows]).rename(columns=str)
    table = Table(frame, quasi=list(frame))
    return int(Forest(k=2).anonymize(table).info["cost"]), int(Exact(k=2).anonymize(table).info["cost"])


def _ratio_in_words(rows: Sequence[Sequence[object]]) -> str:
    hidden, fewest = forest_and_fewest(rows)
    return f"Forest hides {counted(hidden, 'cell')}, and {fewest} are enough."


def _not_bad(rows: object, most: int, times: int) -> str:
    try:
        lines = [tuple(row) for row in rows]
    except TypeError:
        return "the answer is a list of rows such as [(0, 1), (0, 0)]"
    if not 2 <= len(lines) <= most:
        return f"there are {counted(len(lines), 'row')}, and 2 to {most} are asked for"
    if len({len(line) for line in lines}) > 1 or not lines[0]:
        return "all rows need the same number of values, one at least"
    hidden, fewest = forest_and_fewest(lines)
    return "" if fewest and hidden >= times * fewest else _ratio_in_words(lines).removesuffix(".")


STARTER = '''
def grow(rows, k):
    """The forest: for each row the row that it points to, -1 for the root of a tree, as a list.

    rows: an array of numbers, one line per row, one column per attribute. Take the rows in their order. As long as the
    tree of a row has fewer than k rows, its root, the row of the tree that points nowhere, gets an edge to the nearest
    row outside the tree: the one that differs in the fewest columns (ties: the earlier row).
    """
    raise NotImplementedError
'''
WORKED = """```python
def grow(rows, k):
    target = np.full(len(rows), -1)
    tree = np.arange(len(rows))
    for row in range(len(rows)):
        while (tree == tree[row]).sum() < k:
            inside = tree == tree[row]
            root = np.flatnonzero(inside & (target < 0))[0]
            distance = (rows != rows[root]).sum(axis=1)
            distance[inside] = rows.shape[1] + 1
            nearest = distance.argmin()
            target[root] = nearest
            tree[inside] = tree[nearest]
    return target.tolist()
```"""


@exercise("14.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `grow`, the first half of Forest. The check cuts your trees as Forest cuts "
        "its own, for the seven people of the notebook, six small tables and a part of Adult.",
        hints=[
            "keep two arrays: where each row points, and the number of its tree; each row is a tree at first",
            "the rows of the tree are out of reach: give them a distance greater than the number of columns, then take "
            "the least; afterwards all rows of the tree get the number of the tree that they joined",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your trees in place of ours, Forest makes the same groups of all eight tables.",
        starter=STARTER,
    )


def _differs(grow: Callable[[np.ndarray, int], list[int]] | object) -> str:
    if not callable(grow):
        return "the answer is the function grow"
    for name, table, k in _tables():
        ours = Forest(k=k).anonymize(table).info
        theirs = np.asarray(grow(table.code_matrix().astype(int), k))
        if theirs.shape != (len(table),) or theirs.dtype.kind not in "iu":
            return f"for {name} the answer is a list of {len(table)} whole numbers"
        if (theirs != ours["points_to"]).any():
            row = int(np.flatnonzero(theirs != ours["points_to"])[0])
            return f"for {name} and k = {k}, row {row} points to {theirs[row]} in your forest, and elsewhere in ours"
        if (carve(Cells(table), theirs, k) != ours["parts"]).any():
            return f"for {name} and k = {k} your trees are cut into other groups than ours"
    return ""


def seven_people() -> Table:
    """The seven people of the notebook."""
    status = ["married", "married", "divorced", "divorced", "single", "single", "single"]
    frame = pd.DataFrame({"Marital_status": status, "Sex": list("MFMMFFM"), "Hours": [40, 40, 40, 35, 35, 35, 50]})
    return Table(frame, quasi=list(frame))


def _tables() -> list[tuple[str, Table, int]]:
    rng = np.random.default_rng(0)
    frames = [pd.DataFrame(rng.integers(0, 3, (14, 4)), columns=list("abcd")) for _ in range(6)]
    small = [(f"small table {n}", Table(frame, quasi=list("abcd")), 2 + n % 3) for n, frame in enumerate(frames)]
    return [("the seven people", seven_people(), 2), *small, ("100 rows of Adult", load("adult").take(range(100)), 5)]
