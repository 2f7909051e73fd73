"""Answers of notebooks 10 to 12: Samarati, Incognito, local recoding, k-Optimize."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.checks.words import wrong
from anonnb.coursework.practice.answers.tools import codes_of, frame_of, random_frame
from anonnb.coursework.practice.exercise import Answer, exercise, judged
from anonnb.methods.cuts.k_optimize import KOptimize, generalized
from anonnb.methods.lattice.frequencies import Frequencies
from anonnb.methods.lattice.incognito import Incognito
from anonnb.methods.lattice.local_recoding import LocalRecoding
from anonnb.methods.lattice.samarati import Samarati
from anonnb.privacy import measures
from anonnb.tables.datasets import load
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.hierarchies.node_order import node_order
from anonnb.tables.table import Table
from anonnb.utility import discernibility

Node = tuple[int, ...]


def _survey(second: str = "Sex") -> Table:
    return load("survey").with_roles(quasi=["Marital_status", second])


def _lettered(rows: Any) -> Table:
    """A table of two columns x and y with the hierarchies of exercise 10.3."""
    levels = Hierarchy.from_nested({"a": ["a1", "a2"], "b": ["b1", "b2"]})
    table = Table(pd.DataFrame(list(rows), columns=["x", "y"]), quasi=["x", "y"])
    return table.with_hierarchies(x=levels, y=levels)


def _tables(survey: tuple[Table, int, int]) -> Iterator[tuple[str, Table, int, int]]:
    """Tables for searches of the lattice, with k and the number of rows that may go."""
    yield "the survey", *survey
    values, rng = np.array(["a1", "a2", "b1", "b2"]), np.random.default_rng(0)
    for n in range(6):
        yield f"small table {n}", _lettered(values[rng.integers(0, 4, (20, 2))]), 2 + n % 3, n % 4
    yield "500 rows of Adult", load("adult").take(np.arange(500)).with_roles(quasi=["age", "education", "sex"]), 5, 10


@exercise("10.1")
def halved_heights(tops: tuple[int, ...], lowest: int) -> Answer:
    low, high, tried, lines = 0, sum(tops), [], []
    while low < high:
        middle = (low + high) // 2
        tried.append(middle)
        lines.append(f"of {low} to {high}, {middle} {'passes' if middle >= lowest else 'fails'}")
        low, high = (low, middle) if middle >= lowest else (middle + 1, high)
    return Answer(tried, rounds="; ".join(lines), rounded_up=_rounded_up(sum(tops), lowest))


def _rounded_up(high: int, lowest: int) -> list[int]:
    low, tried = 0, []
    while low < high:
        tried.append((low + high + 1) // 2)
        low, high = (low, tried[-1] - 1) if tried[-1] > lowest else (tried[-1], high)
    return tried


@exercise("10.2")
def least_max_sup() -> Answer:
    frequencies = Frequencies(_survey())
    counts = [frequencies.at(node).counts for node in frequencies.lattice.nodes(1)]
    out = [int(sizes[sizes < 20].sum()) for sizes in counts]
    return Answer(min(out), most=max(out))


@judged("10.3")
def minimal_but_higher(answer: Any) -> str:
    k = 2
    frame = frame_of(answer, "xy", '[("a1", "b2"), ("a2", "b2")]')
    if not k <= len(frame) <= 12:
        return f"there are {len(frame)} rows, and {k} to 12 are asked for"
    if strange := [value for value in frame.to_numpy().ravel() if value not in ("a1", "a2", "b1", "b2")]:
        return f"{strange[0]!r} is none of a1, a2, b1, b2"
    nodes = Incognito(k=k, max_suppressed=0, choose="precision").anonymize(_lettered(frame.to_numpy())).info["minimal"]
    heights = {sum(node) for node in nodes}
    return "" if len(heights) > 1 else f"all k-minimal nodes, {', '.join(map(str, nodes))}, have height {min(heights)}"


@judged("10.4")
def build_samarati(answers: Callable[..., Any]) -> str:
    for name, table, k, limit in _tables((_survey(), 4, 1)):
        reference, frequencies = Samarati(k=k, max_suppressed=limit).anonymize(table).info, Frequencies(table)
        looked: list[Node] = []

        def sizes(node: Node) -> list[int]:
            looked.append(node)  # noqa: B023
            return frequencies.at(tuple(node)).counts.tolist()  # noqa: B023

        given = answers(list(frequencies.lattice.heights), sizes, k, limit)
        nodes, expected = (
            sorted(tuple(map(int, node)) for node in given),
            sorted(each["node"] for each in reference["answers"]),
        )
        if nodes != expected:
            return f"for {name}, k = {k} and {limit} rows that may go, you find {nodes[:5]}, and Samarati other nodes"
        if others := {sum(node) for node in looked} - {*reference["heights"], sum(expected[0])}:
            return f"for {name} you count classes at height {min(others)}, which the binary search does not try"
    return ""


def _rows_out(frequencies: Frequencies, columns: Sequence[int], node: Sequence[int], k: int) -> int:
    """The rows in classes below k when only some columns are shown."""
    whole = [height + 1 for height in frequencies.lattice.heights]  # one above the top: the column is left out
    for column, level in zip(columns, node, strict=True):
        whole[column] = int(level)
    sizes = frequencies.at(tuple(whole)).counts
    return int(sizes[sizes < k].sum())


@exercise("11.2")
def candidates_and_counts() -> Answer:
    subsets = Incognito(k=10, max_suppressed=0, choose="precision").anonymize(_survey("Hours")).info["subsets"]
    return Answer([subsets[-1][name] for name in ("candidates", "checked", "passing")])


@exercise("11.3")
def pairs_are_not_enough(k: int) -> Answer:
    def judge(answer: Any) -> str:
        frame = frame_of(answer, "xyz", "[(0, 1, 0), (1, 1, 0)]")
        if not k <= len(frame) <= 4 * k:
            return f"there are {len(frame)} rows, and {k} to {4 * k} are asked for"
        for one, other in combinations("xyz", 2):
            if (smallest := measures.k(Table(frame, quasi=[one, other]))) < k:
                return f"on {one} and {other} the smallest class has {smallest} rows"
        smallest = measures.k(Table(frame, quasi=list("xyz")))
        return f"on all three columns the smallest class has {smallest} rows, too many" if smallest >= k else ""

    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    return Answer(judge=judge, cube=[corner for corner in corners for _ in range(1 if sum(corner) % 2 else k - 1)])


@judged("11.4")
def build_incognito(passing: Callable[..., Any]) -> str:
    for name, table, k, limit in _tables((load("survey"), 12, 0)):
        reference = Incognito(k=k, max_suppressed=limit, choose="precision").anonymize(table).info
        frequencies, calls = Frequencies(table), list[Any]()

        def out(columns: Sequence[int], node: Node) -> int:
            calls.append(node)  # noqa: B023
            return _rows_out(frequencies, columns, node, k)  # noqa: B023

        nodes = {tuple(map(int, node)) for node in passing(list(frequencies.lattice.heights), out, limit)}
        if nodes != set(reference["passing"]):
            return f"for {name}, k = {k} and {limit} rows that may go, you find {len(nodes)} nodes, Incognito others"
        if len(calls) > (needed := sum(subset["checked"] for subset in reference["subsets"])):
            return f"for {name} you count {len(calls)} nodes, and {needed} are enough"
    return ""


@exercise("11b.1")
def rows_by_node(counts: tuple[int, ...], k: int) -> Answer:
    nodes: list[list[Node]] = [
        [(0,), (1,), (2,), (3,)],
        [(0, 1), (2, 3)],
        [(0, 2), (1, 3)],
        [(0, 1, 2, 3)],
    ]  # cells of boxes
    left, rows, stale, lines = np.array(counts), list[int](), list[int](), list[str]()
    for number, node in enumerate(nodes, 1):
        taken = [cell for box in node if left[list(box)].sum() >= k for cell in box]
        rows.append(int(left[taken].sum()))
        stale.append(sum(size for box in node if (size := sum(counts[cell] for cell in box)) >= k))
        lines.append(f"node {number} publishes {rows[-1]} of the {left.sum()} rows left")
        left[taken] = 0
    return Answer(rows, steps="; ".join(lines).capitalize(), left=int(left.sum()), as_if_all_were_left=stale)


@judged("11b.4")
def build_local_recoding(positions: Callable[..., Any]) -> str:
    for name, table, k, _ in _tables((load("survey"), 4, 0)):
        levels, codes = [table.attributes[n].usable for n in table.quasi], [table.codes(n) for n in table.quasi]
        shown = []
        for node in node_order(table):
            labels = [bound.maps[at][own].tolist() for bound, at, own in zip(levels, node, codes, strict=True)]
            shown.append(list(zip(*labels, strict=True)))
        expected = LocalRecoding(k=k).anonymize(table).info["positions"].tolist()
        answer = [int(position) for position in positions(shown, k)]
        if answer != expected:
            row = next((n for n, pair in enumerate(zip(answer, expected, strict=False)) if pair[0] != pair[1]), -1)
            told = (
                f"{answer[row]} for row {row}, and LocalRecoding {expected[row]}"
                if row >= 0
                else "too few or too many rows"
            )
            return f"for {name} and k = {k} you return {told}"
    return ""


CUTS = {2: ("Marital_status", 1), 3: ("Marital_status", 2), 5: ("Sex", 1)}  # the chapter's numbers
Cuts = set[tuple[str, int]]


def _class_sizes(rows: pd.DataFrame, cuts: Cuts) -> np.ndarray:
    """For each row the number of rows in its class, when every column is cut at these values."""
    pieces = rows.apply(
        lambda column: np.searchsorted(sorted(v for name, v in cuts if name == column.name), column, "right")
    )
    return pieces.groupby(list(pieces))[pieces.columns[0]].transform("size").to_numpy()


def _classes(sizes: np.ndarray) -> list[int]:
    """The sizes of classes, each once, from the sizes of all rows' classes."""
    return [
        int(size) for size, rows in zip(*np.unique(sizes, return_counts=True), strict=True) for _ in range(rows // size)
    ]


def _cost(sizes: np.ndarray, k: int) -> int:
    return int(np.where(sizes < k, len(sizes), sizes).sum())


@exercise("12.1")
def price(cuts: tuple[int, ...], k: int) -> Answer:
    table = _survey()
    codes = [np.array(sorted(CUTS[cut][1] for cut in cuts if CUTS[cut][0] == name), dtype=int) for name in table.quasi]
    cost = int(discernibility(table, generalized(table, codes, KOptimize(k=k)), k=k))
    classes = _classes(_class_sizes(codes_of(table), {CUTS[cut] for cut in cuts}))
    paid = " + ".join(f"{size}·{size if size >= k else 66}" for size in classes)
    return Answer(cost, classes=classes, paid=paid, cost=cost, squares=sum(n * n for n in classes))


@exercise("12.2")
def bound_by_hand(head: tuple[int, ...], tail: tuple[int, ...], k: int) -> Answer:
    rows, decided = codes_of(_survey()), {CUTS[cut] for cut in head}
    now, finest = _class_sizes(rows, decided), _class_sizes(rows, decided | {CUTS[cut] for cut in tail})
    lost, bound = int((now < k).sum()), int(np.where(now < k, len(rows), np.maximum(finest, k)).sum())
    pieces = [f"{lost}·66"] * bool(lost) + [f"{size}·{max(size, k)}" for size in _classes(finest[now >= k])]
    surely = f"{lost} rows are in classes below {k} whatever comes and pay 66 each. " if lost else ""
    return Answer(bound, bound=bound, pieces=" + ".join(pieces), surely=surely, finest=_cost(finest, k))


@judged("12.3")
def better_order(answer: Any) -> str:
    counts, k = {"air": 4, "bus": 40, "car": 6, "foot": 30, "train": 5}, 10

    def cost(order: Sequence[str]) -> int:
        """The least discernibility of one column whose values stand in this order: interval by interval."""
        total, sizes, best = sum(counts.values()), [counts[value] for value in order], [0]
        for end in range(1, len(sizes) + 1):
            parts = [sum(sizes[start:end]) for start in range(end)]
            best.append(min(best[start] + size * (size if size >= k else total) for start, size in enumerate(parts)))
        return best[-1]

    best = min(permutations(counts), key=cost)
    if not isinstance(answer, list | tuple) or sorted(map(str, answer)) != sorted(counts):
        wrong(f"the answer is a list of the values {', '.join(counts)}, each once")
    return (
        ""
        if cost(answer) == cost(best)
        else f"the cheapest set of this order costs {cost(answer):,}, which is not the least"
    )


@judged("12.4")
def build_lower_bound(bound: Callable[..., Any]) -> str:
    small = [(f"small table {n}", random_frame(n, 16, "xy", 4), 2 + n % 3) for n in range(6)]
    for name, rows, k in (*small, ("the survey", codes_of(_survey()), 10)):
        every = [(column, int(value)) for column in rows for value in np.unique(rows[column])[1:]]
        for head in (set(), set(every[:1]), set(every[::2])):
            tail = [cut for cut in every if cut not in head]
            now, finest = _class_sizes(rows, head), _class_sizes(rows, head | set(tail))
            our_bound = int(np.where(now < k, len(rows), np.maximum(finest, k)).sum())
            sets = (set(extra) for size in range(len(tail) + 1) for extra in combinations(tail, size))
            lowest_cost = min(_cost(_class_sizes(rows, head | extra), k) for extra in sets)
            answer = bound(rows.copy(), set(head), set(tail), k)
            where = f"on {name}, with k = {k} and {sorted(head) or 'nothing'} in the head, your bound is {answer}"
            if not answer <= lowest_cost:
                return f"{where}, and a set of cuts costs less"
            if answer < our_bound:
                return f"{where}, which is true but lower than it need be"
    return ""
