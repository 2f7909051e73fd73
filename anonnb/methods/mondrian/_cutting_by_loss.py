"""Cuts by the information loss that remains after them (rows times normalized widths, summed: NCP).

A cut on one attribute narrows the others too, so all are measured on both sides. In regions of a few k the cut that
saves most at once often leaves parts that cannot be cut again; there, what greedy cuts make of the parts decides.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.arrays import first_places, group_ids, group_order
from anonnb.core.wording import counted
from anonnb.methods.mondrian._grid import AXIS, CODE, OFFSET, REGION, Grid, make_grid, make_lists
from anonnb.methods.mondrian._large_regions import LargeRoom, cut_large_regions, make_large_room
from anonnb.methods.mondrian._small_regions import cut_small_regions, make_small_room
from anonnb.methods.mondrian.cutting import Cuts
from anonnb.methods.mondrian.notes import Reason, by_cut, cut_name
from anonnb.methods.mondrian.regions import Regions, Space

LOOKAHEAD = 8  # regions of up to this many times k rows look ahead: beyond it the gain is small and the time is long


class LossCuts:
    """Prefers the cut with the least remaining loss; ties go to the first attribute and the smallest value."""

    def __init__(self, space: Space):
        sizes = np.array([axis.size for axis in space.axes])
        # equal rows are one kind: few kinds lie close together in memory, and large regions weigh each once
        self.kind, count = group_ids(list(space.codes), sizes.tolist())
        self.grid = make_grid(
            space.codes[:, first_places(self.kind, count)],
            np.array([axis.is_nominal for axis in space.axes]),
            [axis.positions for axis in space.axes],
            np.array([axis.weight for axis in space.axes]) / np.maximum(sizes - 1, 1),
        )
        self.large = make_large_room(self.grid.codes, len(self.grid.price))

    def best(self, regions: Regions, k: int) -> Cuts:
        owner, axis, code, _ = self._cuts(regions, k, best=True)
        cuts = Cuts.none(regions.count)
        cuts.axis[owner], cuts.code[owner] = axis, code
        return cuts

    def all(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._scored(regions, k)[:3]

    def reason(self, region: Regions, k: int, axis: int, code: int) -> Reason:
        table = region.space.table
        _, axes, codes, loss = self._scored(region, k)
        cuts = list(zip(axes.tolist(), codes.tolist(), strict=True))
        frame = by_cut(table, region.codes, cuts, **{"loss left": loss})
        if axis < 0:
            return Reason(frame, "", f"no cut leaves {k:,} rows on both sides")
        ahead = " when greedy cuts go on from there" if len(region.rows) <= LOOKAHEAD * k else ""
        why = f"of {counted(len(axes), 'allowed cut')} it leaves the least loss{ahead}"
        return Reason(frame, cut_name(table, axis, code), why)

    def _scored(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Every cut with the loss that remains after it, sorted by region and then the best first."""
        owner, axis, code, loss = self._cuts(regions, k, best=False)
        order = np.lexsort((code, axis, np.round(loss, 9), owner))
        return owner[order], axis[order], code[order], loss[order]

    def _cuts(self, regions: Regions, k: int, best: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        order, starts = group_order(regions.region, regions.count)
        return cuts_of_regions(self.grid, self.large, self.kind[regions.rows[order]], starts, k, LOOKAHEAD * k, best)


def cuts_of_regions(
    grid: Grid, large: LargeRoom, rows: np.ndarray, starts: np.ndarray, k: int, lookahead: int, best: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Cuts that leave k rows on both sides: region, axis, code and remaining loss; those of a region stand together.

    ``rows[starts[r]:starts[r + 1]]`` are the rows of region r. Regions of up to ``lookahead`` rows are judged by the
    loss after further greedy cuts, larger ones by the loss just after the cut. With ``best`` a region gives its best
    cut only: ties, to nine decimals, go to the first attribute and the smallest value.
    """
    sizes, values = np.diff(starts), np.diff(grid.axes[OFFSET], append=len(grid.price))
    at_most = np.minimum.outer(values - 1, sizes - 2 * k + 1).clip(0).sum(axis=0)
    small, lists, most = sizes <= lookahead, make_lists(int(at_most.max())), len(sizes) if best else int(at_most.sum())
    found, left, total = np.empty((REGION + 1, most), dtype=np.int64), np.empty(most), 0
    if small.any():
        room = make_small_room(int(sizes[small].max()), len(grid.price))
        asked = rows, starts, np.flatnonzero(small), k, best, found, left
        total = cut_small_regions(*grid, *room, *lists, *asked)
    if not small.all():
        asked = rows, starts, np.flatnonzero(~small), k, best, found, left, total
        total = cut_large_regions(*grid[1:], *large, *lists, *asked)
    return found[REGION, :total], found[AXIS, :total], found[CODE, :total], left[:total]
