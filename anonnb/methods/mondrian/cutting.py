"""How regions are cut (LeFevre et al. 2006): strict cuts between two values, or relaxed ones through the median.

A strict cut sends every value to one side; a ranking decides which cut a region takes. A relaxed cut shares the rows at
the median between the sides, so that any region of 2k rows can be halved. Both can apply a privacy check.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from anonnb.methods.mondrian.notes import Line, Reason, by_attribute, by_cut, cut_name
from anonnb.methods.mondrian.regions import Regions

Check = Callable[[np.ndarray, int, np.ndarray], np.ndarray]


class Cuts(NamedTuple):
    """A cut per region: right of it lie the rows whose code on ``axis`` is above ``code``; axis -1 means none."""

    axis: np.ndarray
    code: np.ndarray

    @classmethod
    def none(cls, count: int) -> Cuts:
        return cls(np.full(count, -1), np.zeros(count, dtype=np.int64))

    def right(self, regions: Regions, places: np.ndarray | None = None) -> np.ndarray:
        """For each open row, or those at ``places``, whether it lies right of its region's cut (False without one)."""
        if places is None:
            places = np.arange(len(regions.rows))
        region = regions.region[places]
        axis = self.axis[region]
        return (axis >= 0) & (regions.codes[axis, places] > self.code[region])


class Ranking(Protocol):
    """What regions prefer among the cuts that leave ``k`` rows on both sides."""

    def best(self, regions: Regions, k: int) -> Cuts:
        """The cut that each region prefers."""

    def all(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every cut: region, axis and code, sorted by region and then the best first."""

    def reason(self, region: Regions, k: int, axis: int, code: int) -> Reason:
        """Why a single region prefers this cut; for axis -1, why it has none."""


class AxisRanking:
    """Prefers the axis with the largest key, and on that axis the cut with the largest key.

    Ties go to the first axis and to the smallest value. ``measured`` names the key of an axis.
    """

    measured: ClassVar[str]

    def keys(self, regions: Regions, place: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A key per region for an axis, and a key per value on it for the cut just after that value."""
        raise NotImplementedError

    def best(self, regions: Regions, k: int) -> Cuts:
        cuts = Cuts.none(regions.count)
        record = np.full(regions.count, -np.inf)
        for place, values in enumerate(regions.values):
            allowed = _allowed(regions, place, k)
            axis_key, cut_key = self.keys(regions, place, allowed)
            cut_key = np.where(allowed, cut_key, -np.inf)
            top = np.maximum.reduceat(cut_key, values.first)
            better = np.flatnonzero((top > -np.inf) & (axis_key > record))
            if len(better):
                winners = np.flatnonzero(cut_key == top[values.owner])
                winner = winners[np.searchsorted(values.owner[winners], better)]
                cuts.axis[better], cuts.code[better], record[better] = place, values.code[winner], axis_key[better]
        return cuts

    def all(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parts = []
        for place, values in enumerate(regions.values):
            allowed = _allowed(regions, place, k)
            axis_key, cut_key = self.keys(regions, place, allowed)
            chosen = np.flatnonzero(allowed)
            owner = values.owner[chosen]
            parts.append((owner, np.full(len(chosen), place), values.code[chosen], axis_key[owner], cut_key[chosen]))
        owner, axis, code, axis_key, cut_key = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.lexsort((code, -cut_key, axis, -axis_key, owner))
        return owner[order], axis[order], code[order]

    def reason(self, region: Regions, k: int, axis: int, code: int) -> Reason:
        table, lines, measured = region.space.table, [], []
        for place, values in enumerate(region.values):
            allowed = _allowed(region, place, k)
            axis_key, cut_key = self.keys(region, place, allowed)
            best = int(np.where(allowed, cut_key, -np.inf).argmax())
            left = int(values.left[best])
            line = Line(label(region, place, best), left, len(region.rows) - left, True)
            lines.append(line if allowed.any() else Line())
            measured.append(round(float(axis_key[0]), 9) if allowed.any() else np.nan)
        medians = [median_label(region, place) for place in range(len(lines))]
        frame = by_attribute(table, {self.measured: measured, "width": _widths(region), "median": medians}, lines)
        if axis < 0:
            return Reason(frame, "", f"no cut leaves {k:,} rows on both sides")
        return Reason(frame, table.quasi[axis], self.why(table.quasi[axis], measured[axis]))

    def why(self, name: str, measured: float) -> str:
        """A clause about the axis that was chosen."""
        raise NotImplementedError


def label(region: Regions, place: int, value: int) -> str:
    """How one of the values of a single region reads on an axis."""
    table = region.space.table
    return table.attributes[table.quasi[place]].labels[region.values[place].code[value]]


def _widths(region: Regions) -> list[float]:
    """The width of a single region on every axis."""
    return [float(axis.widths(values)[0]) for axis, values in zip(region.axes, region.values, strict=True)]


def median_label(region: Regions, place: int) -> str:
    """The median of a single region on an axis."""
    return label(region, place, int(np.flatnonzero(2 * region.values[place].left >= len(region.rows))[0]))


def _allowed(regions: Regions, place: int, k: int) -> np.ndarray:
    """Which cuts, one after each value on an axis, leave k rows on both sides."""
    values = regions.values[place]
    return (values.left >= k) & (regions.sizes[values.owner] - values.left >= k)


class MedianCuts(AxisRanking):
    """The widest axis at its median; where the median leaves a side too small, the allowed cut nearest to it."""

    measured: ClassVar[str] = "width"

    def why(self, name: str, measured: float) -> str:
        return f"{name} is the widest attribute that can be cut"

    def keys(self, regions: Regions, place: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values = regions.values[place]
        size = regions.sizes[values.owner]
        is_median = (2 * values.left >= size) & (2 * (values.left - values.count) < size)
        return regions.axes[place].widths(values), np.where(is_median, 1, -np.abs(2 * values.left - size))


@dataclass(frozen=True)
class StrictCutter:
    """Cuts between two values with at least ``k`` rows on both sides, both of which pass the check if there is one."""

    k: int
    ranking: Ranking
    check: Check | None = None

    def cut(self, regions: Regions) -> tuple[np.ndarray, np.ndarray]:
        cuts = self.ranking.best(regions, self.k) if self.check is None else self._first_good(regions)
        return cuts.axis, cuts.right(regions)

    def reason(self, region: Regions, axis: int, code: int) -> Reason:
        if self.check is None:
            return self.ranking.reason(region, self.k, axis, code)
        table = region.space.table
        _, axes, codes = self.ranking.all(region, self.k)
        tried = int(np.flatnonzero((axes == axis) & (codes == code))[0]) + 1 if axis >= 0 else len(axes)
        cuts = list(zip(axes[:tried].tolist(), codes[:tried].tolist(), strict=True))
        widths = _widths(region)
        frame = by_cut(table, region.codes, cuts, width=[widths[place] for place, _ in cuts])
        frame["allowed"] = [axis >= 0 and place == tried - 1 for place in range(tried)]
        if axis < 0:
            return Reason(frame, "", f"none of {tried:,} cuts leaves two sides that meet every requirement")
        why = f"of {len(axes):,} cuts in order of preference number {tried:,} is the first that meets every requirement"
        return Reason(frame, cut_name(table, axis, code), why)

    def _first_good(self, regions: Regions) -> Cuts:
        """The first cut, in each region's order of preference, whose two sides pass the check.

        All undecided regions try their next cut at the same time: one call of the check for all of them.
        """
        owner, axis, code = self.ranking.all(regions, self.k)
        tried = np.searchsorted(owner, np.arange(regions.count))
        end = np.searchsorted(owner, np.arange(regions.count), side="right")
        cuts = Cuts.none(regions.count)
        undecided = np.flatnonzero(tried < end)
        places = np.arange(len(regions.rows))
        while len(undecided):
            places = _of_regions(regions, undecided, places)
            cuts.axis[undecided], cuts.code[undecided] = axis[tried[undecided]], code[tried[undecided]]
            good = _both_pass(self.check, regions, undecided, places, cuts.right(regions, places))
            cuts.axis[undecided[~good]] = -1
            tried[undecided] += 1
            undecided = undecided[~good & (tried[undecided] < end[undecided])]
        return cuts


@dataclass(frozen=True)
class RelaxedCutter:
    """Halves regions: the rows in the order of the widest axis, those at the median shared between both sides.

    Where a side misses the check the next widest axis is tried. ``first`` cuts strictly as long as it can; only what
    it leaves is halved.
    """

    k: int
    check: Check | None = None
    first: StrictCutter | None = None

    def cut(self, regions: Regions) -> tuple[np.ndarray, np.ndarray]:
        chosen, right = np.full(regions.count, -1), np.zeros(len(regions.rows), dtype=bool)
        if self.first is not None:
            chosen, right = self.first.cut(regions)
        widths = np.stack([axis.widths(values) for axis, values in zip(regions.axes, regions.values, strict=True)])
        undecided = np.flatnonzero(chosen < 0)
        for axis in np.argsort(-widths, axis=0, kind="stable"):  # the widest axis of each region, then the next
            undecided = undecided[widths[axis[undecided], undecided] > 0]
            if len(undecided) == 0:
                break
            upper = _upper_halves(regions, axis)
            good = np.ones(len(undecided), dtype=bool)
            if self.check is not None:
                places = _of_regions(regions, undecided, np.arange(len(regions.rows)))
                good = _both_pass(self.check, regions, undecided, places, upper[places])
            halved = np.zeros(regions.count, dtype=bool)
            halved[undecided[good]] = True
            chosen = np.where(halved, axis, chosen)
            right = np.where(halved[regions.region], upper, right)
            undecided = undecided[~good]
        return chosen, right

    def reason(self, region: Regions, axis: int, code: int) -> Reason:
        if self.first is not None and self.first.cut(region)[0][0] >= 0:
            return self.first.reason(region, axis, code)
        table, lines = region.space.table, []
        widths = _widths(region)
        for place, width in enumerate(widths):
            upper = _upper_halves(region, np.array([place]))
            rows = np.arange(len(upper))
            good = self.check is None or _both_pass(self.check, region, np.array([0]), rows, upper)[0]
            last = table.attributes[table.quasi[place]].labels[region.codes[place][~upper].max()]
            line = Line(last, int((~upper).sum()), int(upper.sum()), bool(good))
            lines.append(line if width > 0 else Line())
        medians = [median_label(region, place) for place in range(len(lines))]
        frame = by_attribute(table, {"width": widths, "median": medians}, lines)
        if axis < 0:
            return Reason(
                frame, "", "no halves meet every requirement" if max(widths) > 0 else "its rows are all alike"
            )
        whose = "" if self.check is None else " whose halves meet every requirement"
        return Reason(frame, table.quasi[axis], f"{table.quasi[axis]} is the widest attribute{whose}")


def _upper_halves(regions: Regions, axis: np.ndarray) -> np.ndarray:
    """For each row whether it is in the upper half of its region on that region's axis; ties by position."""
    code = regions.codes[axis[regions.region], np.arange(len(regions.rows))]
    order = np.lexsort((code, regions.region))
    begin = np.cumsum(regions.sizes) - regions.sizes
    region = regions.region[order]
    upper = np.empty(len(order), dtype=bool)
    upper[order] = np.arange(len(order)) - begin[region] >= regions.sizes[region] // 2
    return upper


def _of_regions(regions: Regions, which: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Those of the open rows at ``places`` that lie in the regions ``which``."""
    wanted = np.zeros(regions.count, dtype=bool)
    wanted[which] = True
    return places[wanted[regions.region[places]]]


def _both_pass(check: Check, regions: Regions, which: np.ndarray, places: np.ndarray, right: np.ndarray) -> np.ndarray:
    """For each of the regions ``which``, whose rows are at ``places``, whether both sides of its cut pass."""
    number = np.empty(regions.count, dtype=np.int64)
    number[which] = np.arange(len(which))
    groups = 2 * number[regions.region[places]] + right
    return check(groups, 2 * len(which), regions.rows[places]).reshape(-1, 2).all(axis=1)
