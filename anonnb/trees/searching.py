"""The best split of any rows of a table: what is counted of them, and which splits are worth scoring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from anonnb.core.arrays import group_table
from anonnb.tables.table import Table
from anonnb.trees.splits import (
    ScoredCuts,
    Scorer,
    Split,
    best_cut,
    best_multiway,
    best_subset,
    is_better,
    n_log_n,
    name_ranks,
)


class SplitSearch:
    """Find the best split of any set of rows.

    Parameters
    ----------
    multiway:
        Give nominal attributes a branch per value instead of the best two subsets.

    Examples
    --------
    >>> import anonnb
    >>> survey = anonnb.load("survey")
    >>> search = SplitSearch(survey, survey.decision, ["Sex", "Hours"], "gini")
    >>> rows = np.arange(len(survey))
    >>> search.node_stats(rows).tolist(), search.statistics(rows, survey.codes("Sex"), 2).tolist()
    ([34, 32], [[9, 2], [25, 30]])
    >>> round(search.impurity(np.array([34, 32])), 2)
    32.97
    >>> [split.labels()[0] for split in search.candidates(rows)], search.best_split(rows).labels()
    (['Sex = F', 'Hours ≤ 45'], ['Sex = F', 'Sex = M'])
    """

    def __init__(
        self, table: Table, target: str, names: Sequence[str], criterion: str, min_leaf: int = 1, multiway: bool = False
    ):
        self.table, self.names, self.criterion = table, list(names), criterion
        self.min_leaf, self.multiway = min_leaf, multiway
        self.target = table.attributes[target]
        self.response = table.codes(target)
        self._ordered = [name for name in self.names if table.attributes[name].kind != "nominal"]
        self._nominal = [name for name in self.names if table.attributes[name].kind == "nominal"]
        self._columns = {
            name: (table.codes(name), table.attributes[name].size) for name in (*self._ordered, *self._nominal)
        }
        self._ranks: dict[str, np.ndarray] = {}
        self._classes, self._rows = self.target.size, len(table)
        if criterion == "variance":
            numbers = self.target.numbers
            if self.target.kind != "numeric" or np.isnan(numbers[self.response]).any():
                raise ValueError(f"column {target!r}: a regression tree needs numbers without missing values")
            # centred on a whole number, which loses nothing and keeps the sums of squares small
            self.numbers = numbers[self.response]
            self.centre = float(np.round(self.numbers.mean()))

    def statistics(self, rows: np.ndarray, cells: np.ndarray | None = None, count: int = 1) -> np.ndarray:
        """Return class counts of some rows in each of several cells; rows, sum and sum of squares for regression.

        Parameters
        ----------
        cells, count:
            The cell of each of these rows, and the number of cells; all rows are in one cell by default.

        Returns
        -------
        numpy.ndarray
            A row of statistics per cell; numbers are centred on their rounded mean.
        """
        if self.criterion != "variance":
            if cells is None:
                return np.bincount(self.response[rows], minlength=self._classes)[None]
            return group_table(self.response[rows], self._classes, cells.astype(np.int64), count)
        cells = np.zeros(len(rows), dtype=np.int64) if cells is None else cells
        y = self.numbers[rows] - self.centre
        sums = [np.bincount(cells, weights=w, minlength=count) for w in (y, y * y)]
        return np.stack([np.bincount(cells, minlength=count).astype(float), *sums], axis=1)

    def node_stats(self, rows: np.ndarray) -> np.ndarray:
        """Return class counts of some rows; rows, sum and sum of squares of the target itself for regression."""
        if self.criterion != "variance":
            return self.statistics(rows)[0]
        y = self.numbers[rows]
        return np.array([len(rows), y.sum(), (y * y).sum()])

    def candidates(self, rows: np.ndarray) -> Iterator[Split]:
        """Yield the best split of each attribute on some rows; attributes that cannot be split are left out."""
        scorer, counted = self._scorer(self.statistics(rows)[0]), self._counted(rows)
        for name in self.names:
            split = self._split_of(name, *counted[name], scorer)
            if split is not None:
                yield split

    def _scorer(self, whole: np.ndarray) -> Scorer:
        return Scorer(self.criterion, whole, self._rows, self.min_leaf, self._logs)

    @cached_property
    def _logs(self) -> np.ndarray | None:
        """n log n of every count that there can be."""
        return None if self.criterion == "variance" else n_log_n(np.arange(self._rows + 1))

    @cached_property
    def counts(self) -> ValueCounts:
        """Counter of the classes of any rows, per value of every attribute."""
        return ValueCounts(self._columns, self.response, self._classes)

    def _counted(self, rows: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return for each attribute the codes that some rows have, and their statistics."""
        if self.criterion != "variance":
            return self.counts.seen(self.counts.of(rows)).apart()
        counted = {}
        for name, (codes, size) in self._columns.items():
            stats = self.statistics(rows, codes[rows], size)
            seen = np.flatnonzero(stats[:, 0])
            counted[name] = seen, stats[seen]
        return counted

    def _split_of(self, name: str, seen: np.ndarray, stats: np.ndarray, scorer: Scorer) -> Split | None:
        attribute = self.table.attributes[name]
        if attribute.kind != "nominal":
            return best_cut(attribute, seen, stats, scorer)
        if self.multiway:
            return best_multiway(attribute, seen, stats, scorer)
        if name not in self._ranks:
            self._ranks[name] = name_ranks(attribute)
        return best_subset(attribute, seen, stats, scorer, self._ranks[name])

    def _best_of_counts(self, whole: np.ndarray, counts: np.ndarray) -> Split | None:
        """Return the best split of rows with some class counts per value.

        All cuts of ordered attributes are scored at once. Nominal attributes are tried from the one whose splits may
        gain the most down, and left out where that is clearly below the best score: the choice is the same.
        """
        scorer, seen = self._scorer(whole), self.counts.seen(counts)
        splits, scores, position = {}, {}, {name: number for number, name in enumerate(seen.names)}
        if self._ordered:
            upto = seen.begins[len(self._ordered)] if self._nominal else len(seen.counts)
            cuts = ScoredCuts(seen.counts[:upto], seen.begins[: len(self._ordered)], scorer)
            scores = dict(zip(self._ordered, cuts.scores.tolist(), strict=True))
        minimum = _clearly_below(max(scores.values(), default=-np.inf))
        for name, bound in self._bounds(seen, scorer):
            if bound < minimum:
                break
            split = splits[name] = self._split_of(name, *seen.part(position[name]), scorer)
            if split is not None:
                scores[name] = split.score
                minimum = max(minimum, _clearly_below(split.score))
        best = None
        for name in self.names:
            if name in scores and (best is None or is_better(scores[name], scores[best])):
                best = name
        if best is None:
            return None
        if best in splits:
            return splits[best]
        return cuts.best(position[best], self.table.attributes[best], seen.part(position[best])[0])

    def _bounds(self, seen: Seen, scorer: Scorer) -> list[tuple[str, float]]:
        """Return nominal attributes with an upper bound on their gain, that of a branch per value; highest first."""
        if not self._nominal:
            return []
        first = len(self._ordered)
        begins = seen.begins[first:]
        left = np.add.reduceat(scorer.impurity(seen.counts[begins[0] :]), begins - begins[0])
        bounds = zip(self._nominal, ((scorer.before - left) / self._rows).tolist(), strict=True)
        return sorted(bounds, key=lambda bound: -bound[1])

    def impurity(self, stats: np.ndarray) -> float:
        """Return the impurity of a node, times its rows."""
        return self._scorer(stats).before

    @property
    def is_bounded(self) -> bool:
        """Whether no split gains more than the impurity that there is."""
        return self.criterion in ("entropy", "gini") and bool(self.names)

    def best_split(self, rows: np.ndarray, min_gain: float = 0.0, counts: np.ndarray | None = None) -> Split | None:
        """Return the best split of some rows, or None if nothing gains more than ``min_gain``.

        Parameters
        ----------
        counts:
            The class counts of these rows per value, where they are known.
        """
        whole = self.statistics(rows)[0] if counts is None else self.counts.whole(counts)
        if self.criterion != "variance" and np.count_nonzero(whole) < 2:
            return None  # one class only: no split gains
        if self.is_bounded:
            best = self._best_of_counts(whole, self.counts.of(rows) if counts is None else counts)
        else:
            best = None
            for split in self.candidates(rows):
                if best is None or is_better(split.score, best.score):
                    best = split
        return best if best is not None and is_better(best.score, max(min_gain, 1e-12)) else None


def _clearly_below(score: float) -> float:
    """Return a little less than a score, by more than scores that count as ties differ."""
    return score * (1 - 1e-8) - 1e-12


# ---- counts per value ------------------------------------------------------------------------------------------------
# Class counts of the nodes of a tree: per value of every attribute, all in one array.
#
# One pass over a node's rows counts all attributes. Where a node is divided, its largest child is what the others
# leave over, so that only the smaller ones are counted.


BLOCK = 1 << 16  # rows that are counted at a time


class ValueCounts:
    """Count the rows of each class that have each value, attribute after attribute.

    Parameters
    ----------
    columns:
        By name: the codes of an attribute, and how many values it has.

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
        kind: Any = np.int32 if self.values * classes < np.iinfo(np.int32).max else np.int64
        # the position of every cell in the counts; classes come first, which lets numpy add them up quickly
        self._positions = np.empty((len(response), len(columns)), dtype=kind)
        by_class = response.astype(kind) * kind(self.values)
        for number, (codes, _) in enumerate(columns.values()):
            np.add(by_class, codes + kind(self.starts[number]), out=self._positions[:, number])

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Return the counts of some rows: values × classes."""
        cells = self.values * self.classes
        counts = np.bincount(self._positions[rows[:BLOCK]].ravel(), minlength=cells)
        for start in range(BLOCK, len(rows), BLOCK):
            counts += np.bincount(self._positions[rows[start : start + BLOCK]].ravel(), minlength=cells)
        return counts.reshape(self.classes, self.values).T

    def of_parts(self, whole: np.ndarray, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the counts of the parts of a node with the counts ``whole``."""
        largest = max(range(len(parts)), key=lambda part: len(parts[part]))
        by_part = [whole if part == largest else self.of(rows) for part, rows in enumerate(parts)]
        for part, counts in enumerate(by_part):
            if part != largest:
                by_part[largest] = by_part[largest] - counts
        return by_part

    def whole(self, counts: np.ndarray) -> np.ndarray:
        """Return the rows of each class: every row has one value of the first attribute."""
        return counts[: self.starts[1] if len(self.starts) > 1 else None].sum(axis=0)

    def seen(self, counts: np.ndarray) -> Seen:
        """Return the values that are counted at all, which are few in a small node, and their counts."""
        positions = np.flatnonzero(counts.any(axis=1))
        return Seen(
            self.names, positions, counts.T[:, positions].T, np.searchsorted(positions, self.starts), self.starts
        )


class Seen(NamedTuple):
    """Values that occur in some rows, attribute after attribute, and their ``counts``.

    ``begins`` are the attributes' first places among them, ``starts`` those among all values.
    """

    names: list[str]
    places: np.ndarray
    counts: np.ndarray
    begins: np.ndarray
    starts: np.ndarray

    def part(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes of one attribute that occur, and their counts."""
        end = self.begins[number + 1] if number + 1 < len(self.begins) else len(self.places)
        span = slice(self.begins[number], end)
        return self.places[span] - self.starts[number], self.counts[span]

    def apart(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return for each attribute the codes that occur, and their counts."""
        return {name: self.part(number) for number, name in enumerate(self.names)}
