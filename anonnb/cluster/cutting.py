"""The top levels of Mondrian on a cluster: every region of a level is cut at once, from counts of the whole data.

Counts of (region, value) pairs give all cuts that leave k rows on both sides and where the medians are, exactly. So the
cuts are those of Mondrian on one machine, and cutting stops where a region is small enough for one worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple, cast

import dask
import numpy as np

from anonnb.cluster.clients import computed, explained, reduced
from anonnb.cluster.counting import Pairs, added, first_level, next_level, sides_counted
from anonnb.cluster.table import ClusterTable
from anonnb.core.errors import Infeasible
from anonnb.methods.mondrian.axes import Axis, Values
from anonnb.methods.mondrian.cutting import Cuts, MedianCuts
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.privacy import KAnonymity, Model
from anonnb.privacy.base import Judge, SensitiveModel
from anonnb.privacy.counts import Counts, Reference
from anonnb.tables.table import Table

AT_ONCE = 32  # cuts of a region that are tried in one pass over the data, once the first ones have failed

Judges = list[tuple[str, Callable[[Pairs, int], np.ndarray]]]


class Counted(NamedTuple):
    """Regions as a ranking of cuts sees them: their sizes and the values on every axis."""

    axes: list[Axis]
    sizes: np.ndarray
    values: list[Values]


class TopLevels:
    """The regions of a table while they are cut; ``sizes``, ``low`` and ``high`` are per region, in order of space.

    ``level`` holds a task per block of rows: the region of each row, and the counts of the block.
    """

    def __init__(self, method: Mondrian, table: ClusterTable):
        self.method, self.table, self.client = method, table, table.client
        self.axes = [Axis(table.attributes[name]) for name in table.quasi]
        self.widths = {name: axis.size for name, axis in zip(table.quasi, self.axes, strict=True)}
        self.judges = judges(method.require, table)
        self.sizes = np.array([len(table)])
        self.open = self.sizes > table.region_rows
        self.low = np.zeros((len(self.axes), 1), dtype=np.int64)
        self.high = np.array([[axis.size - 1] for axis in self.axes])
        self.level = [dask.delayed(first_level, pure=False)(block) for block in table.blocks]
        self._pairs = [Pairs(np.flatnonzero(count), count[count > 0]) for count in map(table.counts, table.quasi)]

    def levels(self) -> Iterator[int]:
        """Cut level after level until every region is small enough or cannot be cut; yields the number of regions."""
        while self.open.any():
            regions = self._counted()
            cuts = self._best(regions) if not self.judges else self._first_good(regions)
            self._divide(regions, cuts)
            yield len(self.sizes)

    def _counted(self) -> Counted:
        sizes = self.sizes[self.open]
        pairs = zip(self._pairs, self.axes, strict=True)
        return Counted(self.axes, sizes, [Values.of_keys(*counts, axis.size, len(sizes)) for counts, axis in pairs])

    def _best(self, regions: Counted) -> Cuts:
        return MedianCuts().best(regions, self.method.k)

    # ---- requirements -----------------------------------------------------------------------------------------

    def _first_good(self, regions: Counted) -> Cuts:
        """Return the first cut, in each region's order of preference, whose two sides satisfy all models.

        One cut of every undecided region is tried per pass over the data, then two more, then four and so on.
        """
        owner, axis, code = MedianCuts().all(regions, self.method.k)
        tried = np.searchsorted(owner, np.arange(len(regions.sizes)))
        end = np.searchsorted(owner, np.arange(len(regions.sizes)), side="right")
        cuts, at_once = Cuts.none(len(regions.sizes)), 1
        undecided = np.flatnonzero(tried < end)
        while len(undecided):
            proposals = []
            for ahead in range(at_once):
                active = undecided[tried[undecided] + ahead < end[undecided]]
                proposal = Cuts.none(len(regions.sizes))
                proposal.axis[active], proposal.code[active] = axis[tried[active] + ahead], code[tried[active] + ahead]
                proposals.append(proposal)
            for proposal, good in zip(proposals, self._pass(proposals), strict=True):
                taken = good & (proposal.axis >= 0) & (cuts.axis < 0)
                cuts.axis[taken], cuts.code[taken] = proposal.axis[taken], proposal.code[taken]
            tried[undecided] += at_once
            undecided = undecided[(cuts.axis[undecided] < 0) & (tried[undecided] < end[undecided])]
            at_once = min(2 * at_once, AT_ONCE)
        return cuts

    def _pass(self, proposals: Sequence[Cuts]) -> list[np.ndarray]:
        """Tell for each proposal and each open region whether both sides satisfy the required models."""
        wide = [self._of_all(cuts) for cuts in proposals]
        sizes = {name: self.table.attributes[name].size for name, _ in self.judges}
        task = dask.delayed(sides_counted, pure=False)
        pairs = zip(self.table.blocks, self.level, strict=True)
        parts = [task(*pair, self.table.quasi, wide, sizes) for pair in pairs]
        (totals,) = computed(self.client, reduced(added, parts))
        flags = []
        for start in range(0, len(totals), len(sizes)):
            good = np.ones(2 * len(self.sizes), dtype=bool)
            by_name = dict(zip(sizes, totals[start : start + len(sizes)], strict=True))
            for name, judge in self.judges:
                good &= judge(by_name[name], len(good))
            flags.append((good[::2] & good[1::2])[self.open])
        return flags

    # ---- cutting ----------------------------------------------------------------------------------------------

    def _of_all(self, cuts: Cuts) -> Cuts:
        """Return cuts of the open regions as cuts of all regions."""
        wide = Cuts.none(len(self.sizes))
        wide.axis[self.open], wide.code[self.open] = cuts.axis, cuts.code
        return wide

    def _divide(self, regions: Counted, cuts: Cuts) -> None:
        """Make two of every region that has a cut, and count the values in those that are still too large."""
        wide = self._of_all(cuts)
        left, beyond = self._left_of(regions, cuts)
        copies = np.repeat(np.arange(len(self.sizes)), 1 + (wide.axis >= 0))
        is_second = np.diff(copies, prepend=-1) == 0
        is_first = np.append(is_second[1:], False)
        self.open = self.open[copies] & (wide.axis[copies] >= 0)
        sizes, self.low, self.high = self.sizes[copies], self.low[:, copies], self.high[:, copies]
        sizes[is_first], sizes[is_second] = left, sizes[is_second] - left
        axis, was_cut = cuts.axis[cuts.axis >= 0], cuts.axis >= 0
        self.high[axis, np.flatnonzero(is_first)] = cuts.code[was_cut]
        self.low[axis, np.flatnonzero(is_second)] = beyond
        self.open &= sizes > self.table.region_rows
        self.sizes = sizes
        number = np.where(self.open, np.cumsum(self.open) - 1, -1)
        self._next_level(wide, number, self.widths if self.open.any() else {})

    def _next_level(self, cuts: Cuts, number: np.ndarray, widths: dict[str, int]) -> None:
        """Have the workers move the rows, and count values where a number says so."""
        task = dask.delayed(next_level, pure=False)
        pairs = zip(self.table.blocks, self.level, strict=True)
        with explained():
            self.level = self.client.persist([task(*pair, self.table.quasi, cuts, number, widths) for pair in pairs])
        if widths:
            counts = dask.delayed(attrgetter("counts"), pure=False)
            self._pairs = computed(self.client, reduced(added, [counts(level) for level in self.level]))[0]

    def _left_of(self, regions: Counted, cuts: Cuts) -> tuple[np.ndarray, np.ndarray]:
        """Return, for each region that is cut, the rows on the left and the smallest value on the right."""
        cut = np.flatnonzero(cuts.axis >= 0)
        left, beyond = np.empty((2, len(cut)), dtype=np.int64)
        for axis, values in enumerate(regions.values):
            here = np.flatnonzero(cuts.axis[cut] == axis)
            position = values.indices(cut[here], cuts.code[cut[here]])
            left[here], beyond[here] = values.left[position], values.code[position + 1]
        return left, beyond


def judges(require: Sequence[Model], table: ClusterTable) -> Judges:
    """Return, for each required model and column, a judge of groups by their counts; the table must pass them."""
    result: Judges = []
    for model in require:
        if isinstance(model, KAnonymity):
            parts: Judges = [(table.quasi[0], partial(_are_large, table, model.k))]
        elif isinstance(model, SensitiveModel):
            judged = model.judges(cast(Table, table))  # a table on a cluster has the counts that models ask for
            parts = [(name, partial(_are_good, table, name, reference, judge)) for name, reference, judge in judged]
        else:
            raise TypeError(f"{model} cannot be required of a table on a cluster; use models of k and sensitive values")
        for name, judge in parts:
            whole = Pairs(np.flatnonzero(table.counts(name)), table.counts(name)[table.counts(name) > 0])
            if not judge(whole, 1).all():
                raise Infeasible(f"the whole table as one group misses {model}; ask for less", best=0)
        result += parts
    return result


def _sizes(pairs: Pairs, n_groups: int, table: ClusterTable, name: str) -> np.ndarray:
    owner = pairs.keys // table.attributes[name].size
    return np.bincount(owner, pairs.rows, minlength=n_groups).astype(np.int64)


def _are_large(table: ClusterTable, k: int, pairs: Pairs, n_groups: int) -> np.ndarray:
    return _sizes(pairs, n_groups, table, table.quasi[0]) >= k


def _are_good(
    table: ClusterTable, name: str, reference: Reference, judge: Judge, pairs: Pairs, n_groups: int
) -> np.ndarray:
    owner, code = np.divmod(pairs.keys, table.attributes[name].size)
    return judge(Counts.of_pairs(owner, reference.place[code], pairs.rows, _sizes(pairs, n_groups, table, name)))
