"""Exercises of notebook 11, Incognito."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import prod

import numpy as np
import pandas as pd

from anonnb.coursework.practice.bank.methods_1.nb10 import lettered
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.lattice.frequencies import Frequencies
from anonnb.methods.lattice.incognito import Incognito
from anonnb.privacy.measures import k as smallest_class
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Places = tuple[int, ...]
Node = tuple[int, ...]


@exercise("11.1")
def nodes_of_all_subsets(numbers: Numbers) -> Exercise:
    tops = numbers.one_of([(2, 1, 3, 2), (1, 1, 4, 3), (3, 2, 2, 1), (4, 2, 1, 1)])
    return Exercise(
        f"The hierarchies of four columns have their top at level {', '.join(map(str, tops))}. How many nodes do the "
        "lattices of all 15 non-empty subsets of the columns have together?",
        hints=[
            f"the subset of the first two columns has {(tops[0] + 1) * (tops[1] + 1)} nodes; do not add up 15 products",
            "take one column at a time: it is on one of its levels, or it is not in the subset",
        ],
        worked=lambda: (
            "A column is on one of its levels or left out, so it has two choices more than its top level: "
            f"{' · '.join(str(top + 2) for top in tops)} = {all_nodes(tops) + 1:,}. Leaving out all of them does not "
            f"count: {all_nodes(tops):,}."
        ),
        expected=lambda: all_nodes(tops),
    )


def all_nodes(tops: Sequence[int]) -> int:
    """The nodes of the lattices of all non-empty subsets of columns."""
    return prod(top + 2 for top in tops) - 1


@exercise("11.2")
def candidates_and_counts(numbers: Numbers) -> Exercise:
    k = numbers.one_of([10, 12, 15, 20])
    return Exercise(
        f"The survey has {_cells()}. M1 joins married and divorced, M2 all; H1 joins 40 and 50 hours, H2 all. Run "
        f"Incognito with k = {k} on marital status and hours, without suppression. How many nodes ⟨M,H⟩ are "
        "candidates, how many of them are counted, and how many pass? Answer with a list of three numbers.",
        hints=[
            f"first find the levels of each single column on which every class has at least {k} people",
            "candidates are all pairs of such levels; go up from the lowest, and skip what lies above one that passed",
        ],
        worked=lambda: _worked_counts(k),
        expected=lambda: _counts(k),
    )


def _hours_table() -> Table:
    return load("survey").with_roles(quasi=["Marital_status", "Hours"])


def _cells() -> str:
    counts = _hours_table().frame.value_counts(["Marital_status", "Hours"], sort=False)
    return ", ".join(f"{count} {status} with {hours} hours" for (status, hours), count in counts[counts > 0].items())


def _counts(k: int) -> list[int]:
    subsets = Incognito(k=k, choose="precision").anonymize(_hours_table()).info["subsets"]
    return [subsets[-1][name] for name in ("candidates", "checked", "passing")]


def _worked_counts(k: int) -> str:
    frequencies = Frequencies(_hours_table())
    heights, told, levels = frequencies.lattice.heights, [], []
    for place, letter in enumerate("MH"):
        kept = [level for level in range(heights[place] + 1) if rows_out(frequencies, (place,), (level,), k) == 0]
        told.append(", ".join(f"{letter}{level}" for level in kept))
        levels.append(kept)
    verdicts = _verdicts(frequencies, [(m, h) for m in levels[0] for h in levels[1]], k)
    candidates, counted, passing = _counts(k)
    return (
        f"Alone, {told[0]} and {told[1]} pass, which makes {candidates} pairs. From the bottom up: {verdicts}. So "
        f"{counted} are counted, and {passing} pass."
    )


def _verdicts(frequencies: Frequencies, pairs: list[tuple[int, int]], k: int) -> str:
    """What becomes of every pair of levels, lower heights first."""
    passed, told = [], []
    for m, h in sorted(pairs, key=lambda pair: (sum(pair), pair)):
        if any(low[0] <= m and low[1] <= h for low in passed):
            verdict = "lies above one that passes"
        else:
            out = rows_out(frequencies, (0, 1), (m, h), k)
            verdict = f"is counted and {'passes' if out == 0 else f'fails, with {out} rows in small classes'}"
        if not verdict.endswith("small classes"):
            passed.append((m, h))
        told.append(f"⟨M{m},H{h}⟩ {verdict}")
    return "; ".join(told)


def rows_out(frequencies: Frequencies, columns: Places, node: Sequence[int], k: int) -> int:
    """The rows in classes below k when only some columns are shown."""
    whole = [height + 1 for height in frequencies.lattice.heights]  # one above the top: the column is left out
    for place, level in zip(columns, node, strict=True):
        whole[place] = int(level)
    sizes = frequencies.at(tuple(whole)).counts
    return int(sizes[sizes < k].sum())


@exercise("11.3")
def pairs_are_not_enough(numbers: Numbers) -> Exercise:
    k = numbers.one_of([2, 3])
    return Exercise(
        f"Passing on every subset is necessary, not sufficient. Give a table of three columns and at most {4 * k} "
        f"rows, as a list of triples, that is {k}-anonymous on every two of its columns and not on all three.",
        hints=[
            "two values per column are enough: think of the corners of a cube; an edge has two corners",
            f"every edge of the cube must hold at least {k} rows, and some corner fewer",
        ],
        worked=lambda: (
            f"{', '.join(map(str, cube(k)))}. Two columns fix an edge of the cube, which has one corner with an even "
            f"sum and one with an odd sum: {k - 1} + 1 = {k} rows. On all three columns a corner with an odd "
            "sum has one."
        ),
        judge=lambda triples: _not_pairwise(triples, k),
    )


def cube(k: int) -> list[tuple[int, int, int]]:
    """k − 1 rows on the corners of a cube with an even sum, one on the others."""
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    return [corner for corner in corners for _ in range(k - 1 if sum(corner) % 2 == 0 else 1)]


def _not_pairwise(triples: object, k: int) -> str:
    try:
        rows = [(str(x), str(y), str(z)) for x, y, z in triples]
    except (TypeError, ValueError):
        return "the answer is a list of triples such as (0, 1, 0)"
    if not k <= len(rows) <= 4 * k:
        return f"there are {len(rows)} rows, and {k} to {4 * k} are asked for"
    table = Table(pd.DataFrame(rows, columns=list("xyz")), quasi=list("xyz"))
    for pair in combinations("xyz", 2):
        if (found := smallest_class(table.with_roles(quasi=list(pair)))) < k:
            return f"on {pair[0]} and {pair[1]} the smallest class has {found} rows"
    found = smallest_class(table)
    return f"on all three columns the smallest class has {found} rows, too many" if found >= k else ""


STARTER = '''
def passing(heights, rows_out, limit):
    """All passing nodes over all columns, as a set of tuples.

    heights: the top level of each column, such as [2, 1]. rows_out(columns, node): the rows in classes below k when
    only these columns are shown, on these levels, such as rows_out((0, 1), (2, 0)). A node passes when that is at most
    limit. Go from small sets of columns to large ones, and call rows_out only where neither property decides.
    """
    raise NotImplementedError
'''
WORKED = """```python
def passing(heights, rows_out, limit):
    from itertools import combinations

    found = {(): {()}}
    for size in range(1, len(heights) + 1):
        for columns in combinations(range(len(heights)), size):
            found[columns] = set()
            for node in sorted(np.ndindex(*(heights[column] + 1 for column in columns)), key=sum):
                parts = [(columns[:i] + columns[i + 1 :], node[:i] + node[i + 1 :]) for i in range(size)]
                if not all(part in found[fewer] for fewer, part in parts):
                    continue
                below = [node[:i] + (node[i] - 1,) + node[i + 1 :] for i in range(size)]
                if any(lower in found[columns] for lower in below) or rows_out(columns, node) <= limit:
                    found[columns].add(node)
    return found[columns]
```"""


@exercise("11.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `passing`, Incognito's search. The check puts it in the place of ours for the "
        "survey, six small tables and a part of Adult, and compares the number of counts.",
        hints=[
            "keep a set of passing nodes for every set of columns, the empty one included; "
            "itertools.combinations(range(d), size) gives the sets of columns",
            "a node is a candidate when leaving out any one column gives a node that passed; it needs no count when "
            "lowering one column by one level gives a node that passed",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your search finds what Incognito finds for all eight tables, with as many counts.",
        starter=STARTER,
    )


def _differs(passing: object) -> str:
    if not callable(passing):
        return "the answer is the function passing"
    for name, table, k, limit in _tables():
        ours = Incognito(k=k, max_suppressed=limit, choose="precision").anonymize(table).info
        frequencies, calls = Frequencies(table), []
        theirs = passing(list(frequencies.lattice.heights), _counting(frequencies, k, calls), limit)
        nodes, wanted = {tuple(map(int, node)) for node in theirs}, set(ours["passing"])
        if nodes != wanted:
            return f"for {name}, k = {k} and {limit} rows that may go, you find {len(nodes)} nodes, Incognito others"
        if len(calls) > (needed := sum(subset["checked"] for subset in ours["subsets"])):
            return f"for {name} you count {len(calls)} nodes, and {needed} are enough"
    return ""


def _counting(frequencies: Frequencies, k: int, calls: list) -> Callable[[Places, Node], int]:
    """Rows out by columns and node; notes what was asked for."""

    def counted(columns: Places, node: Node) -> int:
        calls.append((tuple(columns), tuple(node)))
        return rows_out(frequencies, tuple(columns), node, k)

    return counted


def _tables() -> list[tuple[str, Table, int, int]]:
    rng = np.random.default_rng(0)
    values = np.array(["a1", "a2", "b1", "b2"])
    small = [(f"small table {n}", lettered(values[rng.integers(0, 4, (24, 2))]), 2 + n % 3, n % 4) for n in range(6)]
    adult = load("adult").take(range(500)).with_roles(quasi=["age", "education", "sex"])
    return [("the survey", load("survey"), 12, 0), *small, ("500 rows of Adult", adult, 5, 10)]
