"""GreedyCover: the first approximation for cell suppression (Meyerson & Williams 2004; Ciriani et al. 2008, §3).

Sets of k to 2k−1 rows are picked by diameter per row newly covered; rows in two sets then leave one of them, or two
sets of k merge. Equal rows are interchangeable, so sets are counted over distinct rows with their multiplicities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import group_ids
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.constraints import POSITIVE
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import steps, ticks
from anonnb.core.wording import number, pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.cells.cell_method import MAX_LISTED, CellMethod, Cells, part_numbers
from anonnb.methods.naming import row_name, rows_name
from anonnb.steps.recording import listening, note
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class GreedyCover(CellMethod):
    """Suppress cells within O(k log k) of the optimum: at most (2k−1)(2k−2)/k · (1 + 1/2 + … + 1/(2k−1)) times it.

    All sets of k to 2k−1 rows are considered, and their number grows as n to the power 2k−1. Ties go to the smaller
    set, then to the earlier rows.

    Parameters
    ----------
    limit:
        The largest number of sets to consider. Beyond it the table is refused; Forest takes it, and has a better bound
        as well.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Table
    >>> table = Table(pd.DataFrame({"sex": list("MMFF"), "zip": [1, 1, 1, 2]}), quasi=["sex", "zip"])
    >>> GreedyCover(k=2).anonymize(table).info["cost"]
    2.0

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Without further models the cost is at most (2k − 1)(2k − 2)/k · (1 + 1/2 + … + 1/(2k − 1)) times the
        least possible, which is O(k log k) (Meyerson and Williams 2004).
    tested:
        200 random tables of 2 to 10 rows: the cost lies between the optimum of Exact and the bound. 8 random tables of
        8 rows for k = 2 and 3: every set picked has the least price of all sets. 200 random covers become partitions
        with parts of k to 2k − 1 rows.
    heuristic:
        The cover is greedy. Groups that miss a required model are merged where that costs least, and then no bound
        holds. Past limit sets of rows it refuses.
    paper:
        A. Meyerson and R. Williams, On the complexity of optimal k-anonymity, PODS 2004.
    """

    rows_in_minutes: ClassVar[float] = 10_000
    order_matters: ClassVar[bool] = True

    limit: int = parameter(POSITIVE, default=200_000)

    @property
    def bound(self) -> float:
        """The cost is at most this many times the least possible.

        The cover's diameters sum to a harmonic number times the least possible, and k of them are in the optimum for
        each row; in a part of 2k−1 rows at most 2k−2 diameters of columns vary.
        """
        largest = 2 * self.k - 1
        return max(largest * (largest - 1) / self.k * sum(1 / size for size in range(1, largest + 1)), 1.0)

    def _partition(self, cells: Cells, progress: Progress) -> tuple[np.ndarray, dict]:
        if self.k == 1:
            return np.arange(cells.n_rows), {}
        kinds, n_kinds = group_ids(list(cells.codes))
        copies = np.bincount(kinds, minlength=n_kinds)
        sizes = range(self.k, min(2 * self.k - 1, cells.n_rows) + 1)
        self._refuse_if_too_many(_number_of_sets(copies, sizes))
        cover = _greedy_cover(cells, kinds, copies, sizes)
        return part_numbers(disjoint(cover, self.k, cells.table), cells.n_rows), {"cover": cover}

    def _refuse_if_too_many(self, count: int) -> None:
        if count > self.limit:
            raise ValueError(
                Message(
                    f"GreedyCover would look at {count:,} sets of {self.k} to {2 * self.k - 1} rows, more than "
                    f"limit={self.limit:,}",
                    advice("; use ", remedies.method("Forest", k=self.k), tail=", which handles thousands of rows"),
                )
            )


def _number_of_sets(copies: np.ndarray, sizes: range) -> int:
    """Return how many multisets of these sizes there are: a product of polynomials 1 + x + … + x^copies."""
    ways = [1] + [0] * sizes[-1]
    for count in copies.tolist():
        ways = [sum(ways[max(size - count, 0) : size + 1]) for size in range(len(ways))]
    return sum(ways[size] for size in sizes)


def _multisets(copies: list[int], size: int, start: int = 0) -> Iterator[tuple[int, ...]]:
    """Sorted tuples of ``size`` kinds, none more often than it has copies."""
    if size == 0:
        yield ()
        return
    for kind in range(start, len(copies)):
        for times in range(min(copies[kind], size), 0, -1):
            for rest in _multisets(copies, size - times, kind + 1):
                yield (kind,) * times + rest


def _greedy_cover(cells: Cells, kinds: np.ndarray, copies: np.ndarray, sizes: range) -> list[set[int]]:
    """Sets of rows that cover all rows, each the cheapest per newly covered row when it was picked."""
    counts, diameters = _candidates(cells, kinds, copies, sizes)
    rows_of = [np.flatnonzero(kinds == kind).tolist() for kind in range(len(copies))]
    uncovered = copies.copy()
    cover, picks = [], steps("sets")
    while uncovered.any():
        next(picks)
        new = np.minimum(counts, uncovered).sum(axis=1)
        price = np.divide(diameters, new, out=np.full(len(new), np.inf), where=new > 0)
        best = int(np.argmin(price))
        cover.append(_members(counts[best], rows_of, uncovered))
        before, uncovered = uncovered, np.maximum(uncovered - counts[best], 0)
        if listening():
            order = np.argsort(price, kind="stable")[:MAX_LISTED]
            names = [rows_name(cells.table, _members(counts[each], rows_of, before)) for each in order]
            scores = {"diameter": diameters[order], "new rows": new[order], "price": price[order]}
            _record_pick(cells.table, cover, int(uncovered.sum()), pd.DataFrame(scores, index=names), names[0])
    return cover


def _members(pick: np.ndarray, rows_of: list[list[int]], uncovered: np.ndarray) -> set[int]:
    """Return the rows of a set that has so many of each kind: the uncovered ones first, then those covered before."""
    chosen: set[int] = set()
    for kind in np.flatnonzero(pick):
        rows = rows_of[kind]
        indices = (len(rows) - uncovered[kind] + np.arange(pick[kind])) % len(rows)
        chosen.update(rows[index] for index in indices)
    return chosen


def _candidates(cells: Cells, kinds: np.ndarray, copies: np.ndarray, sizes: range) -> tuple[np.ndarray, np.ndarray]:
    """Return for every set its number of rows of each kind, and its diameter."""
    first = np.unique(kinds, return_index=True)[1]
    distance = np.array([cells.distances(row)[first] for row in first], dtype=np.int64)
    counts, diameters = [], []
    for size in ticks(sizes, "sizes"):
        sets = np.array(list(_multisets(copies.tolist(), size)), dtype=np.int64).reshape(-1, size)
        diameter = np.zeros(len(sets), dtype=np.int64)
        for index in range(1, size):
            diameter = np.maximum(diameter, distance[sets[:, :index], sets[:, [index]]].max(axis=1))
        count = np.zeros((len(sets), len(copies)), dtype=np.int32)
        np.add.at(count, (np.arange(len(sets))[:, None], sets), 1)
        counts.append(count)
        diameters.append(diameter)
    return np.concatenate(counts), np.concatenate(diameters)


def disjoint(cover: list[set[int]], k: int, table: Table | None = None) -> list[set[int]]:
    """Make a cover a partition without raising the sum of diameters; with a table it tells how.

    A row in two sets leaves the larger one (the later of two equals) while that keeps k rows; two sets of exactly k
    that share a row become one, of at most 2k−1 rows.

    >>> disjoint([{0, 1, 2}, {2, 3}], k=2)
    [{0, 1}, {2, 3}]
    >>> disjoint([{0, 1}, {1, 2}], k=2)
    [{0, 1, 2}]
    """
    result: list[set[int]] = []
    for new in map(set, cover):
        while True:
            other = next((old for old in result if old & new), None)
            if other is None:
                break
            shared, pair, loser = min(other & new), (set(other), set(new)), -1
            if max(len(other), len(new)) > k:
                loser = int(len(new) >= len(other))
                (other, new)[loser].discard(shared)
            else:
                result.remove(other)
                new |= other
            if table is not None and listening():
                _record_shared(table, [*result, new], shared, pair, loser)
        result.append(new)
    return result


# ---- the steps ------------------------------------------------------------------------------------------------------


def _record_pick(table: Table, cover: Sequence[set[int]], left: int, candidates: pd.DataFrame, label: str) -> None:
    """A set was picked for the cover; ``left`` rows are in none yet."""
    line = candidates.loc[[label]].iloc[0]
    note(
        f"Pick {label}",
        f"Its diameter per new row, {number(line['diameter'])} / {int(line['new rows'])} = {number(line['price'])}, is "
        f"the smallest of any set; {pluralize(left, 'row')} {'is' if left == 1 else 'are'} still uncovered.",
        lambda: _sets_frame(table, cover),
        candidates,
        [label],
    )


def _record_shared(
    table: Table, sets: Sequence[set[int]], row: int, pair: tuple[set[int], set[int]], loser: int
) -> None:
    """A row is in two sets: it left one of them (``loser``), or they became one (-1); ``pair`` as it was before."""
    names = [rows_name(table, each) for each in pair]
    who = row_name(table, row)
    if loser < 0:
        title, what = f"Unite two sets at {who}", "Neither can lose a row, so they become one set"
    else:
        title, what = f"Take {who} from {names[loser]}", "It leaves the larger one, which keeps enough rows without it"
    note(
        title,
        f"Two sets share {who}: {names[0]}, and {names[1]}. {what}.",
        lambda: _sets_frame(table, sets),
        pd.DataFrame({"size": [len(each) for each in pair]}, index=names),
        names if loser < 0 else [names[loser]],
    )


def _sets_frame(table: Table, sets: Sequence[set[int]]) -> pd.DataFrame:
    """Sets that may share rows, one line each."""
    names = [rows_name(table, rows).removeprefix("rows ") for rows in sets]
    frame = pd.DataFrame({"rows": names, "size": [len(rows) for rows in sets]}, index=range(1, len(sets) + 1))
    return frame.rename_axis("set")
