"""Class counts of the nodes of a tree: per value of every attribute, all in one array.

One pass over a node's rows counts all attributes. Where a node is divided, its largest child is what the others leave
over, so that only the smaller ones are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

BLOCK = 1 << 16  # rows that are counted at a time


class ValueCounts:
    """Counts the rows of each class that have each value, attribute after attribute.

    Parameters
    ----------
    columns:
        By name: the codes of an attribute, and how many values it has.
    response, classes:
        The class of each row, and how many classes there are.

    Examples
    --------
    >>> columns = {"sex": (np.array([0, 1, 1]), 2), "job": (np.array([2, 0, 2]), 3)}
    >>> counts = ValueCounts(columns, np.array([0, 0, 1]), 2)
    >>> counts.of(np.array([0, 2])).tolist()
    [[1, 0], [0, 1], [0, 0], [0, 0], [1, 1]]
    >>> [part.tolist() for part in counts.seen(counts.of(np.array([0, 2]))).apart()["job"]]
    [[2], [[1, 1]]]
    """

    def __init__(self, columns: Mapping[str, tuple[np.ndarray, int]], response: np.ndarray, classes: int):
        self.names, self.classes = list(columns), classes
        sizes = np.array([size for _, size in columns.values()], dtype=np.int64)
        self.values, self.starts = int(sizes.sum()), np.cumsum(sizes) - sizes
        kind = np.int32 if self.values * classes < np.iinfo(np.int32).max else np.int64
        # the place of every cell in the counts; classes come first, which lets numpy add them up quickly
        self._places = np.empty((len(response), len(columns)), dtype=kind)
        own = response.astype(kind) * kind(self.values)
        for number, (codes, _) in enumerate(columns.values()):
            np.add(own, codes + kind(self.starts[number]), out=self._places[:, number])

    def of(self, rows: np.ndarray) -> np.ndarray:
        """The counts of some rows: values × classes."""
        cells = self.values * self.classes
        found = np.bincount(self._places[rows[:BLOCK]].ravel(), minlength=cells)
        for start in range(BLOCK, len(rows), BLOCK):
            found += np.bincount(self._places[rows[start : start + BLOCK]].ravel(), minlength=cells)
        return found.reshape(self.classes, self.values).T

    def of_parts(self, whole: np.ndarray, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The counts of the parts of a node with the counts ``whole``."""
        largest = max(range(len(parts)), key=lambda part: len(parts[part]))
        found = [whole if part == largest else self.of(rows) for part, rows in enumerate(parts)]
        for part, counts in enumerate(found):
            if part != largest:
                found[largest] = found[largest] - counts
        return found

    def whole(self, counts: np.ndarray) -> np.ndarray:
        """The rows of each class: every row has one value of the first attribute."""
        return counts[: self.starts[1] if len(self.starts) > 1 else None].sum(axis=0)

    def seen(self, counts: np.ndarray) -> Seen:
        """The values that are counted at all, which are few in a small node, and their counts."""
        places = np.flatnonzero(counts.any(axis=1))
        return Seen(self.names, places, counts.T[:, places].T, np.searchsorted(places, self.starts), self.starts)


class Seen(NamedTuple):
    """What some rows have: the values that occur, attribute after attribute, and their ``counts``.

    ``begins`` are the attributes' first places among them, ``starts`` those among all values.
    """

    names: list[str]
    places: np.ndarray
    counts: np.ndarray
    begins: np.ndarray
    starts: np.ndarray

    def part(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Of one attribute the codes that occur, and their counts."""
        end = self.begins[number + 1] if number + 1 < len(self.begins) else len(self.places)
        own = slice(self.begins[number], end)
        return self.places[own] - self.starts[number], self.counts[own]

    def apart(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """For each attribute the codes that occur, and their counts."""
        return {name: self.part(number) for number, name in enumerate(self.names)}
