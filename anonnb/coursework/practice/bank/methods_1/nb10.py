"""Exercises of notebook 10, Samarati."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.lattice.frequencies import Frequencies
from anonnb.methods.lattice.incognito import Incognito
from anonnb.methods.lattice.samarati import Samarati
from anonnb.tables.datasets import load
from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.table import Table

Node = tuple[int, ...]
MOST_ROWS = 12


@exercise("10.1")
def halved_heights(numbers: Numbers) -> Exercise:
    tops, lowest = numbers.one_of([((4, 3, 3, 2), 8), ((5, 4, 3, 1), 6), ((3, 3, 2, 2, 1), 7), ((4, 4, 4, 3), 11)])
    return Exercise(
        f"The hierarchies of {len(tops)} columns have their top at level {', '.join(map(str, tops))}. Height {lowest} "
        "is the lowest with a passing node. Which heights does the binary search try, one after the other? Answer with "
        "a list.",
        hints=[
            "the heights run from 0 to the sum of the top levels; the first one tried is half of that, rounded down",
            "a height that passes stays possible, and everything above it is dropped; one that fails is dropped with "
            "everything below it; stop when one height is left",
        ],
        worked=lambda: _halving(sum(tops), lowest),
        expected=lambda: tried_heights(sum(tops), lowest),
    )


def tried_heights(top: int, lowest: int) -> list[int]:
    """The heights that a binary search tries when those from ``lowest`` upward pass."""
    return [middle for _, middle, _ in _rounds(top, lowest)]


def _rounds(top: int, lowest: int) -> list[tuple[int, int, int]]:
    low, high, found = 0, top, []
    while low < high:
        middle = (low + high) // 2
        found.append((low, middle, high))
        low, high = (low, middle) if middle >= lowest else (middle + 1, high)
    return found


def _halving(top: int, lowest: int) -> str:
    told = [
        f"of {low} to {high}, {middle} {'passes' if middle >= lowest else 'fails'}"
        for low, middle, high in _rounds(top, lowest)
    ]
    return f"The heights run from 0 to {top}: {'; '.join(told)}. Then {lowest} is left."


@exercise("10.2")
def least_max_sup(numbers: Numbers) -> Exercise:
    height, k = numbers.one_of([(1, 20), (1, 27), (2, 30), (1, 25)])
    return Exercise(
        f"The survey has {_cells()}; M1 joins married and divorced, S1 both sexes. What is the smallest MaxSup with "
        f"which Samarati's answer has height {height} or less at k = {k}?",
        hints=[
            f"write down the classes of every node of height {height}, and the people in classes of fewer than {k}",
            "one passing node is enough for a height, and no lower node suppresses fewer people than those above it",
        ],
        worked=lambda: (
            "; ".join(f"⟨M{node[0]},S{node[1]}⟩ leaves {out} out" for node, out in _rows_out(height, k).items())
            + f". The least of these is {min(_rows_out(height, k).values())}, and lower nodes do not leave fewer out."
        ),
        expected=lambda: min(_rows_out(height, k).values()),
    )


def _survey() -> Table:
    return load("survey").with_roles(quasi=["Marital_status", "Sex"])


def _cells() -> str:
    counts = _survey().frame.value_counts(["Marital_status", "Sex"], sort=False)
    return ", ".join(f"{count} {status} {sex}" for (status, sex), count in counts[counts > 0].items())


def _rows_out(height: int, k: int) -> dict[Node, int]:
    """For each node of a height the rows in classes below k."""
    frequencies = Frequencies(_survey())
    sizes = {node: frequencies.at(node).counts for node in frequencies.lattice.nodes(height)}
    return {node: int(counts[counts < k].sum()) for node, counts in sizes.items()}


@exercise("10.3")
def minimal_but_higher(numbers: Numbers) -> Exercise:
    k = numbers.one_of([2, 3])
    return Exercise(
        "Two columns have the values a1, a2, b1 and b2; level 1 keeps the letter (a, b), level 2 nothing (\\*). Give a "
        f'table of at most {MOST_ROWS} rows, as a list of pairs such as ("a1", "b2"), that has k-minimal nodes at two '
        f"different heights for k = {k} without suppression, so that Samarati misses one of them.",
        hints=[
            "let one step of the first column be enough, and no single step of the second one",
            "the second column alone must help with both of its steps only: rows with the same first value then have "
            "second values of different letters",
        ],
        worked=(
            f"{', '.join(f'({x}, {y})' for x, y in crossed(2))}{', each twice' if k == 3 else ''}. Four classes of "
            f"{counted(k - 1, 'row')} are too small. One step of the first column joins a1 with a2, and the classes "
            "are large enough: ⟨1,0⟩ passes. In the second column a1 and b1 have different letters, so ⟨0,1⟩ joins "
            "nothing, and ⟨0,2⟩ is needed. Neither of ⟨1,0⟩ and ⟨0,2⟩ lies below the other: both are k-minimal, at "
            "heights 1 and 2."
        ),
        judge=lambda pairs: _not_two_heights(pairs, k),
    )


def crossed(k: int) -> list[tuple[str, str]]:
    """Rows whose minimal nodes are ⟨1,0⟩ and ⟨0,2⟩."""
    return [("a1", "a1"), ("a2", "a1"), ("a1", "b1"), ("a2", "b1")] * (k - 1)


def _not_two_heights(pairs: object, k: int) -> str:
    known = [f"{letter}{digit}" for letter in "ab" for digit in "12"]
    try:
        rows = [(str(x), str(y)) for x, y in pairs]
    except (TypeError, ValueError):
        return 'the answer is a list of pairs such as ("a1", "b2")'
    if not k <= len(rows) <= MOST_ROWS:
        return f"there are {len(rows)} rows, and {k} to {MOST_ROWS} are asked for"
    if strange := [value for row in rows for value in row if value not in known]:
        return f"{strange[0]!r} is none of {', '.join(known)}"
    found = Incognito(k=k, choose="precision").anonymize(lettered(rows)).info["minimal"]
    heights = sorted({sum(node) for node in found})
    return "" if len(heights) > 1 else f"all k-minimal nodes, {', '.join(map(str, found))}, have height {heights[0]}"


def lettered(rows: Sequence[tuple[str, str]]) -> Table:
    """A table of two columns x and y with the hierarchies of the exercise."""
    levels = Hierarchy.from_nested({"a": ["a1", "a2"], "b": ["b1", "b2"]})
    table = Table(pd.DataFrame(list(rows), columns=["x", "y"]), quasi=["x", "y"])
    return table.with_hierarchies(x=levels, y=levels)


STARTER = '''
def answers(heights, class_sizes, k, limit):
    """The passing nodes of the lowest height that has one, as a list of tuples, in any order.

    heights: the top level of each column, such as [2, 1]. A node is a tuple of levels, such as (1, 0).
    class_sizes(node): the sizes of the classes of a node, as a list. At most limit rows may be in classes below k.
    Halve the heights, and count the classes of no other nodes than those of the heights that are tried.
    """
    raise NotImplementedError
'''
WORKED = """```python
def answers(heights, class_sizes, k, limit):
    def passing(height):
        nodes = [node for node in np.ndindex(*(top + 1 for top in heights)) if sum(node) == height]
        return [node for node in nodes if sum(size for size in class_sizes(node) if size < k) <= limit]

    low, high = 0, sum(heights)
    while low < high:
        middle = (low + high) // 2
        if passing(middle):
            high = middle
        else:
            low = middle + 1
    return passing(low)
```"""


@exercise("10.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `answers`, Samarati's search. The check puts it in the place of ours for the "
        "survey, six small tables and a part of Adult, and looks at the heights whose classes you count.",
        hints=[
            "first write a function that returns the passing nodes of one height: np.ndindex gives all nodes",
            "keep the lowest and the highest height that can still be the answer, and try the middle, rounded down; a "
            "height that passes may be the answer, one that fails may not",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your search finds the answers of Samarati for all eight tables, at the heights that it tries.",
        starter=STARTER,
    )


def _differs(answers: object) -> str:
    if not callable(answers):
        return "the answer is the function answers"
    for name, table, k, limit in _tables():
        ours, frequencies = Samarati(k=k, max_suppressed=limit).anonymize(table).info, Frequencies(table)
        looked: list[Node] = []
        theirs = answers(list(frequencies.lattice.heights), _counting(frequencies, looked), k, limit)
        nodes = sorted(tuple(map(int, node)) for node in theirs)
        wanted = sorted(each["node"] for each in ours["answers"])
        if nodes != wanted:
            return f"for {name}, k = {k} and {limit} rows that may go, you find {nodes[:5]}, and Samarati other nodes"
        if others := {sum(node) for node in looked} - {*ours["heights"], sum(wanted[0])}:
            return f"for {name} you count classes at height {min(others)}, which the binary search does not try"
    return ""


def _counting(frequencies: Frequencies, looked: list[Node]) -> Callable[[Node], list[int]]:
    """Class sizes by node; notes which nodes were asked for."""

    def class_sizes(node: Sequence[int]) -> list[int]:
        looked.append(tuple(map(int, node)))
        return frequencies.at(looked[-1]).counts.tolist()

    return class_sizes


def _tables() -> list[tuple[str, Table, int, int]]:
    rng = np.random.default_rng(0)
    values = np.array(["a1", "a2", "b1", "b2"])
    small = [(f"small table {n}", lettered(values[rng.integers(0, 4, (20, 2))]), 2 + n % 3, n % 4) for n in range(6)]
    adult = load("adult").take(range(500)).with_roles(quasi=["age", "education", "sex"])
    return [("the survey", _survey(), 4, 1), *small, ("500 rows of Adult", adult, 5, 10)]
