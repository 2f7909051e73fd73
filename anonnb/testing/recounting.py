"""Recounting what was published from its text alone, with plain Python and the csv module.

Nothing of anonnb is used here, on purpose: code that shares nothing with the writer finds what the writer gets wrong.
Rows that read alike are equal tuples of texts; a cell is read as a person would read it.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

DASH = "\u2013"


class PublishedText:
    """A published file as texts: ``header`` and ``rows``, both as written.

    >>> text = PublishedText(["sex", "ill"], [["M", "flu"], ["M", "cold"], ["F", "flu"]])
    >>> text.class_sizes(["sex"]), text.least_different(["sex"], "ill")
    ([2, 1], 1)
    """

    def __init__(self, header: Sequence[str], rows: Sequence[Sequence[str]]):
        self.header, self.rows = list(header), [tuple(row) for row in rows]

    @classmethod
    def of(cls, path: Path) -> PublishedText:
        """Return the text of a CSV file."""
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        return cls(lines[0], lines[1:]) if lines else cls([], [])

    def column(self, name: str) -> list[str]:
        """Return the cells of a column."""
        index = self.header.index(str(name))
        return [row[index] for row in self.rows]

    def classes(self, quasi: Iterable[str]) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the rows of each class: those whose quasi-identifiers read alike."""
        indices = [self.header.index(str(name)) for name in quasi]
        classes = defaultdict(list)
        for row in self.rows:
            classes[tuple(row[index] for index in indices)].append(row)
        return dict(classes)

    def class_sizes(self, quasi: Iterable[str]) -> list[int]:
        """Count the rows of each class."""
        return [len(rows) for rows in self.classes(quasi).values()]

    def secrets(self, quasi: Iterable[str], secret: str) -> list[Counter[str]]:
        """Count how often each secret occurs, for every class."""
        index = self.header.index(str(secret))
        return [Counter(row[index] for row in rows) for rows in self.classes(quasi).values()]

    def people_per_class(self, quasi: Iterable[str], population: Iterable[Sequence[str]], reader: Reader) -> list[int]:
        """Count for every class the people of a population who may be in it."""
        names, people = list(quasi), list(population)
        return [reader.fitting(names, cells, people) for cells in self.classes(names)]

    def least_different(self, quasi: Iterable[str], secret: str) -> int:
        """Return the fewest different secrets in a class."""
        return min((len(counts) for counts in self.secrets(quasi, secret)), default=len(self.rows))

    def largest_share(self, quasi: Iterable[str], secret: str) -> float:
        """Return the largest share that one secret has in a class."""
        shares = [max(counts.values()) / counts.total() for counts in self.secrets(quasi, secret)]
        return max(shares, default=0.0)


class Reader:
    """Reads published cells of tables whose values hold no marks: numbers, plain words, labels that are known.

    ``orders`` gives the values of ordered columns in order, ``labels`` the values behind each label of a hierarchy,
    ``hidden`` the texts of a hidden cell.

    >>> reader = Reader({"size": ["S", "M", "L"]}, {"city": {"south": {"Rome", "Bari"}}})
    >>> reader.may_be("age", "[20–30]", "25"), reader.may_be("age", "[20,25)", "25")
    (True, False)
    >>> reader.may_be("size", "[S–M]", "L"), reader.may_be("city", "south", "Bari"), reader.may_be("sex", "M or F", "F")
    (False, True, True)
    """

    def __init__(
        self,
        orders: Mapping[str, Sequence[str]] = {},
        labels: Mapping[str, Mapping[str, set[str]]] = {},
        hidden: Iterable[str] = "*",
    ):
        self.orders, self.labels, self.hidden = orders, labels, hidden

    def may_be(self, column: str, cell: str, value: str) -> bool:
        """Say whether a person with this value may be behind the cell."""
        if cell in (*self.hidden, value) or _same_number(cell, value):
            return True
        if cell in self.labels.get(column, {}):
            return value in self.labels[column][cell]
        if " or " in cell:
            return any(self.may_be(column, part, value) for part in cell.split(" or "))
        ends = _ends(cell)
        if ends is None:
            return False
        low, high = (self._position(column, end) for end in ends)
        here = self._position(column, value)
        if low is None or high is None or here is None:
            return False
        return low <= here <= high and not (cell.endswith(")") and here == high)

    def fitting(self, columns: Sequence[str], row: Sequence[str], originals: Iterable[Sequence[str]]) -> int:
        """Count the original rows that may be behind a published one."""
        return sum(
            all(self.may_be(name, cell, value) for name, cell, value in zip(columns, row, original, strict=True))
            for original in originals
        )

    def _position(self, column: str, value: str) -> float | None:
        if column in self.orders:
            return self.orders[column].index(value) if value in self.orders[column] else None
        return _number(value)


def _ends(cell: str) -> tuple[str, str] | None:
    """Return the ends of ``[30–39]`` or ``[30,40)``."""
    if not cell.startswith("[") or cell[-1] not in "])":
        return None
    low, separator, high = cell[1:-1].partition(DASH if DASH in cell else ",")
    return (low, high) if separator else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _same_number(one: str, other: str) -> bool:
    return _number(one) is not None and _number(one) == _number(other)


# ---- mined results ----------------------------------------------------------------------------------------------


def small_itemset_counts(text: PublishedText, k: int) -> Iterator[str]:
    """Counts of 1 to k − 1 people that follow from published itemsets: those with all of I and nothing else of J.

    >>> list(small_itemset_counts(PublishedText(["itemsets", "count"], [["", "9"], ["a=1", "8"]]), 3))
    ['1 people follow from the itemsets within {a=1}']
    """
    supports = {frozenset(sets.split()): int(count) for sets, count in text.rows}
    for whole in supports:
        for size in range(len(whole) + 1):
            for inner in map(frozenset, combinations(sorted(whole), size)):
                rest = sorted(whole - inner)
                between = [inner | set(more) for count in range(len(rest) + 1) for more in combinations(rest, count)]
                if not all(each in supports for each in between):
                    continue
                people = sum((-1) ** (len(each) - len(inner)) * supports[each] for each in between)
                if 0 < people < k:
                    yield f"{people} people follow from the itemsets within {{{', '.join(sorted(whole))}}}"


def small_tree_counts(text: PublishedText, k: int) -> Iterator[str]:
    """Counts of 1 to k − 1 people that a published tree shows, or that follow by subtracting a node's children.

    >>> tree = PublishedText(["node", "parent", "rows"], [["0", "-1", "9"], ["1", "0", "8"]])
    >>> list(small_tree_counts(tree, 3))
    ['1 people are left when the children of node 0 are taken off it']
    """
    shown = {
        node: int(float(rows)) for node, rows in zip(text.column("node"), text.column("rows"), strict=True) if rows
    }
    below = defaultdict(list)
    for node, parent in zip(text.column("node"), text.column("parent"), strict=True):
        below[parent].append(node)
    for node, rows in shown.items():
        if 0 < rows < k:
            yield f"node {node} shows {rows} people"
        children = [child for child in below[node] if child in shown]
        left = rows - sum(shown[child] for child in children)
        if children and 0 < left < k:
            yield f"{left} people are left when the children of node {node} are taken off it"
