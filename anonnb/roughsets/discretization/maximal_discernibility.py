"""Maximal discernibility (Nguyen 2001; Nguyen and Skowron 1995): a greedy search for few cuts that keep all decisions.

Idea: repeatedly take the cut, of any column, that separates the most pairs of rows with different classes which no cut
has separated so far. In the end two rows of different classes that could be told apart still can be. Reading chosen:
columns that are not cut separate pairs from the beginning, a missing value differs from every known one; ties go to
the first column and the lowest cut.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb import steps
from anonnb.core.arrays import group_ids
from anonnb.core.progress import steps as rounds
from anonnb.core.wording import pluralize
from anonnb.roughsets.discretization.cuts import CutPoints, NumericColumn
from anonnb.tables.labels import text


def maximal_discernibility(
    columns: Sequence[NumericColumn], others: Sequence[np.ndarray], classes: np.ndarray, share: float = 1.0
) -> dict[str, CutPoints]:
    """Return the cuts of every column.

    ``others`` are the codes of the columns that are not cut; ``share`` is the share of all separable pairs that must be
    separated.

    >>> from anonnb import load
    >>> iris = load("iris")
    >>> columns = [NumericColumn.of(iris, name) for name in iris.conditions]
    >>> found = maximal_discernibility(columns, [], iris.codes("class"))
    >>> {name: cuts.points for name, cuts in found.items() if len(cuts)}
    {'sepal_length': (6.05,), 'sepal_width': (2.25, 3.05), 'petal_length': (2.45, 4.95), 'petal_width': (1.65, 1.75)}
    """
    search = _OpenPairs(columns, others, classes)
    allowed = search.unavoidable + (1 - share) * (search.open_pairs - search.unavoidable)
    passed = rounds("cuts")
    while search.open_pairs > allowed:
        best = search.best_of_columns()
        search.take(*max(best, key=lambda cut: cut[2]))
        search.record_step(best)
        next(passed)
    return {column.name: search.cuts(number) for number, column in enumerate(columns)}


class _OpenPairs:
    """Blocks of rows that the cuts so far leave together, and the pairs of rows in them still to be separated."""

    def __init__(self, columns: Sequence[NumericColumn], others: Sequence[np.ndarray], classes: np.ndarray):
        self.columns = columns
        self.classes, self.n_classes = group_ids([classes])
        sorted_rows = [np.argsort(column.places, kind="stable") for column in columns]
        self.orders = [
            rows[np.count_nonzero(column.places < 0) :] for rows, column in zip(sorted_rows, columns, strict=True)
        ]
        known = [column.places >= 0 for column in columns]
        together = np.zeros(len(classes), dtype=np.int64)
        self.blocks, self.n_blocks = group_ids([together, *others, *known])
        self.open_pairs = self._pairs(self.blocks, self.n_blocks)
        self.unavoidable = self._pairs(*group_ids([self.blocks, *(column.places + 1 for column in columns)]))
        self.taken: list[tuple[int, int, int]] = []

    def _pairs(self, blocks: np.ndarray, n_blocks: int) -> int:
        """Count pairs of rows of one block and of different classes."""
        counts = np.bincount(blocks * self.n_classes + self.classes, minlength=n_blocks * self.n_classes)
        counts = counts.reshape(n_blocks, self.n_classes)
        return int((counts.sum(axis=1) ** 2).sum() - (counts**2).sum()) // 2

    def best_of_columns(self) -> list[tuple[int, int, int]]:
        """Return the best cut of each column: number of the column, position, and the open pairs it separates."""
        from anonnb.roughsets.discretization._pairs import pairs_parted

        best = []
        for number, (column, order) in enumerate(zip(self.columns, self.orders, strict=True)):
            state = (self.blocks, self.n_blocks, self.classes, self.n_classes)
            parted = pairs_parted(order, column.places, len(column.values), *state)
            position = int(parted.argmax()) if len(parted) else 0
            best.append((number, position, int(parted[position]) if len(parted) else 0))
        return best

    def take(self, number: int, position: int, pairs: int) -> None:
        self.taken.append((number, position, pairs))
        self.blocks, self.n_blocks = group_ids([self.blocks, self.columns[number].places >= position])
        self.open_pairs -= pairs

    def cuts(self, number: int) -> CutPoints:
        of_column = [(position, pairs) for column, position, pairs in self.taken if column == number]
        return self.columns[number].cuts([position for position, _ in of_column], [pairs for _, pairs in of_column])

    def record_step(self, best: list[tuple[int, int, int]]) -> None:
        """Record a step: the best cut of every column, and the one that was taken."""
        if not steps.listening():
            return
        useful = [(self.columns[number], position, pairs) for number, position, pairs in best if pairs]
        names = [f"{column.name} at {text(column.point(position))}" for column, position, _ in useful]
        number, position, pairs = self.taken[-1]
        chosen = f"{self.columns[number].name} at {text(self.columns[number].point(position))}"
        steps.note(
            f"Cut {chosen}",
            f"It parts {pluralize(pairs, 'pair')} of rows with different classes, and no other cut parts more; "
            f"{self.open_pairs - self.unavoidable} remain.",
            pd.DataFrame(
                {"cuts": [len(self.cuts(n)) for n in range(len(self.columns))]}, [c.name for c in self.columns]
            ),
            pd.DataFrame({"pairs parted": [pairs for _, _, pairs in useful]}, index=names),
            [chosen],
        )
