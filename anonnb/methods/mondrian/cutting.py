"""How regions are cut (LeFevre et al. 2006): strict cuts between two values, or relaxed ones through the median.

A strict cut sends every value to one side; a ranking decides which cut a region takes. A relaxed cut shares the rows at
the median between the sides, so that any region of 2k rows can be halved. Both can apply a privacy check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.parameters.constraints import Choice
from anonnb.core.wording import pluralize
from anonnb.methods.mondrian.axes import Axis, Values
from anonnb.methods.mondrian.regions import NEAR, Reason, Regions, cut_name
from anonnb.tables.table import Table

Check = Callable[[np.ndarray, int, np.ndarray], np.ndarray]


SUMMARY = Choice({"set": "intervals and sets", "region": "what the cuts left", "mean": "mean and mode"})


def check_summarized(table: Table, summary: str) -> None:
    """Raise ValueError before the work starts if a column cannot be summarized so."""
    for name in table.quasi if summary == "mean" else ():
        table.attributes[name].check_averages(remedies.parameter("summary", "set"))


class CountedRegions(Protocol):
    """What a ranking of cuts sees of regions: their sizes and the values on every axis."""

    @property
    def axes(self) -> list[Axis]: ...

    @property
    def sizes(self) -> np.ndarray: ...

    @property
    def values(self) -> list[Values]: ...


class Cuts(NamedTuple):
    """A cut per region: right of it lie the rows whose code on ``axis`` is above ``code``; axis -1 means none."""

    axis: np.ndarray
    code: np.ndarray

    @classmethod
    def none(cls, count: int) -> Cuts:
        return cls(np.full(count, -1), np.zeros(count, dtype=np.int64))


class Ranking(Protocol):
    """What regions prefer among the cuts that leave ``k`` rows on both sides."""

    def best(self, regions: Regions, k: int) -> Cuts:
        """Return the cut that each region prefers."""

    def all(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return every cut: region, axis and code, sorted by region and then the best first."""

    def reason(self, region: Regions, k: int, axis: int, code: int) -> Reason:
        """Explain why a single region prefers this cut; for axis -1, why it has none."""


class MedianCuts:
    """Prefers the widest axis, cut at its median; where the median leaves a side too small, the nearest allowed cut.

    Ties go to the first axis and to the smallest value: widths are compared exactly.
    """

    measured: ClassVar[str] = "width"

    def scores(
        self, regions: CountedRegions, axis: int, allowed: np.ndarray
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return what counts more than the width of each region, and than the median for the cut after each value."""
        return None, None

    def best(self, regions: CountedRegions, k: int) -> Cuts:
        cuts = Cuts.none(len(regions.sizes))
        every = [_allowed(regions, axis, k) for axis in range(len(regions.axes))]
        scored = [self.scores(regions, axis, allowed) for axis, allowed in enumerate(every)]
        order = _preferred(regions, [score for score, _ in scored])
        can_cut = [
            np.logical_or.reduceat(allowed, values.first) for allowed, values in zip(every, regions.values, strict=True)
        ]
        possible = np.take_along_axis(np.stack(can_cut), order, axis=0)
        chosen = np.take_along_axis(order, possible.argmax(axis=0)[None], axis=0)[0]
        chosen[~possible.any(axis=0)] = -1
        for axis, (values, allowed, (_, keys)) in enumerate(zip(regions.values, every, scored, strict=True)):
            mask = chosen == axis
            indices = np.flatnonzero(allowed & mask[values.owner])
            if len(indices):
                key = nearness(regions, axis, indices) if keys is None else keys[indices]
                owner, regions_cut = values.owner[indices], np.flatnonzero(mask)
                start = np.searchsorted(owner, regions_cut)
                top = np.maximum.reduceat(key, start)
                winners = np.flatnonzero(key == np.repeat(top, np.diff(start, append=len(key))))
                winner = indices[winners[np.searchsorted(owner[winners], regions_cut)]]
                cuts.axis[regions_cut], cuts.code[regions_cut] = axis, values.code[winner]
        return cuts

    def all(self, regions: CountedRegions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parts, scores = [], []
        for axis, values in enumerate(regions.values):
            allowed = _allowed(regions, axis, k)
            score, keys = self.scores(regions, axis, allowed)
            scores.append(score)
            indices = np.flatnonzero(allowed)
            key = nearness(regions, axis, indices) if keys is None else keys[indices]
            parts.append((values.owner[indices], np.full(len(indices), axis), values.code[indices], key))
        owner, axes, code, key = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        rank = np.argsort(_preferred(regions, scores), axis=0)[axes, owner]
        order = np.lexsort((code, -key, rank, owner))
        return owner[order], axes[order], code[order]

    def reason(self, region: Regions, k: int, axis: int, code: int) -> Reason:
        table, lines, measured = region.space.table, [], []
        widths = _widths(region)[:, 0].tolist()
        for index, values in enumerate(region.values):
            allowed = _allowed(region, index, k)
            score, keys = self.scores(region, index, allowed)
            key = nearness(region, index, np.arange(len(allowed))) if keys is None else keys
            best = int(np.where(allowed, key, -np.inf).argmax())
            left = int(values.left[best])
            line = Line(_label(region, index, best), left, len(region.rows) - left, True)
            lines.append(line if allowed.any() else Line())
            value = widths[index] if score is None else float(score[0])
            measured.append(round(value, 9) if allowed.any() else np.nan)
        frame = _by_attribute(region, {self.measured: measured, "width": widths}, lines)
        if axis < 0:
            return Reason(frame, "", f"no cut leaves {k:,} rows on both sides")
        return Reason(frame, table.quasi[axis], self.why(table.quasi[axis], measured[axis]))

    def why(self, name: str, measured: float) -> str:
        """Return a clause about the axis that was chosen."""
        return f"{name} is the widest attribute that can be cut"


def nearness(regions: CountedRegions, axis: int, indices: np.ndarray) -> np.ndarray:
    """Return a key for the cuts after some values: 1 for the median, and less the farther from it a cut lies."""
    values = regions.values[axis]
    size, left = regions.sizes[values.owner[indices]], values.left[indices]
    is_median = (2 * left >= size) & (2 * (left - values.count[indices]) < size)
    return np.where(is_median, 1, -np.abs(2 * left - size))


def _widths(regions: CountedRegions) -> np.ndarray:
    """Return the width of every region on every axis, axes × regions."""
    return np.stack([axis.widths(values) for axis, values in zip(regions.axes, regions.values, strict=True)])


def _preferred(regions: CountedRegions, scores: Sequence[np.ndarray | None] = (None,)) -> np.ndarray:
    """Return the axes in the order that each region prefers: by score if there is one, by width, then the first.

    Doubles compare the widths of coarse axes exactly. Widths of others that nearly agree are compared as fractions.
    """
    widths = _widths(regions)
    given = [score for score in scores if score is not None]
    order = np.lexsort((-widths, *([-np.stack(given)] if given else [])), axis=0)
    coarse = np.array([axis.is_coarse for axis in regions.axes])
    if coarse.all():
        return order
    ordered, limit = np.take_along_axis(widths, order, axis=0), NEAR * max(axis.weight for axis in regions.axes)
    near = (np.abs(np.diff(ordered, axis=0)) <= limit) & (ordered[:-1] > 0) & ~(coarse[order[:-1]] & coarse[order[1:]])
    for region in np.flatnonzero(near.any(axis=0)).tolist():
        fractions = [axis.fraction(values, region) for axis, values in zip(regions.axes, regions.values, strict=True)]
        score = [float(each[region]) for each in given] or [0.0] * len(fractions)
        order[:, region] = sorted(range(len(fractions)), key=lambda axis: (-score[axis], -fractions[axis]))
    return order


def _allowed(regions: CountedRegions, axis: int, k: int) -> np.ndarray:
    """Tell which cuts, one after each value on an axis, leave k rows on both sides."""
    values = regions.values[axis]
    return (values.left >= k) & (regions.sizes[values.owner] - values.left >= k)


@dataclass(frozen=True)
class StrictCutter:
    """Cuts between two values with at least ``k`` rows on both sides, both of which pass the check if there is one."""

    k: int
    ranking: Ranking
    check: Check | None = None

    def cut(self, regions: Regions) -> tuple[np.ndarray, np.ndarray]:
        cuts = self.ranking.best(regions, self.k) if self.check is None else self._first_good(regions)
        return cuts.axis, regions.right_of(*cuts)

    def reason(self, region: Regions, axis: int, code: int) -> Reason:
        if self.check is None:
            return self.ranking.reason(region, self.k, axis, code)
        table = region.space.table
        _, axes, codes = self.ranking.all(region, self.k)
        tried = int(np.flatnonzero((axes == axis) & (codes == code))[0]) + 1 if axis >= 0 else len(axes)
        cuts = list(zip(axes[:tried].tolist(), codes[:tried].tolist(), strict=True))
        frame = by_cut(table, region.codes, cuts, width=_widths(region)[axes[:tried], 0].tolist())
        frame["allowed"] = [axis >= 0 and index == tried - 1 for index in range(tried)]
        if axis < 0:
            return Reason(frame, "", "no cut leaves two sides that meet every requirement")
        why = "both sides meet every requirement"
        if tried > 1:
            more = "" if tried == 2 else f" and {pluralize(tried - 2, 'other cut')}"
            refused = (
                f"the cut {cut_name(table, *cuts[0])}{more} {'was' if tried == 2 else 'were'} tried first and refused"
            )
            why = f"{refused}, because one side would miss a requirement"
        return Reason(frame, cut_name(table, axis, code), why)

    def _first_good(self, regions: Regions) -> Cuts:
        """Return the first cut, in each region's order of preference, whose two sides pass the check.

        All undecided regions try their next cut at the same time: one call of the check for all of them.
        """
        owner, axis, code = self.ranking.all(regions, self.k)
        tried = np.searchsorted(owner, np.arange(regions.count))
        end = np.searchsorted(owner, np.arange(regions.count), side="right")
        cuts = Cuts.none(regions.count)
        undecided = np.flatnonzero(tried < end)
        while len(undecided):
            cuts.axis[undecided], cuts.code[undecided] = axis[tried[undecided]], code[tried[undecided]]
            part = regions.some(undecided)
            good = _both_pass(self.check, part, part.right_of(cuts.axis[undecided], cuts.code[undecided]))
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
        widths, undecided = _widths(regions), np.flatnonzero(chosen < 0)
        for axis in _preferred(regions):  # the widest axis of each region, then the next
            undecided = undecided[widths[axis[undecided], undecided] > 0]
            if len(undecided) == 0:
                break
            part = regions.some(undecided)
            upper = _upper_halves(part, axis[undecided])
            good = _both_pass(self.check, part, upper)
            halved = np.zeros(regions.count, dtype=bool)
            halved[undecided[good]] = True
            chosen = np.where(halved, axis, chosen)
            right[halved[regions.region]] = upper[good[part.region]]
            undecided = undecided[~good]
        return chosen, right

    def reason(self, region: Regions, axis: int, code: int) -> Reason:
        if self.first is not None and self.first.cut(region)[0][0] >= 0:
            return self.first.reason(region, axis, code)
        table, lines = region.space.table, []
        widths = _widths(region)[:, 0].tolist()
        for index, width in enumerate(widths):
            upper = _upper_halves(region, np.array([index]))
            good = _both_pass(self.check, region, upper)[0]
            last = table.attributes[table.quasi[index]].labels[region.codes[index][~upper].max()]
            line = Line(last, int((~upper).sum()), int(upper.sum()), bool(good))
            lines.append(line if width > 0 else Line())
        frame = _by_attribute(region, {"width": widths}, lines)
        if axis < 0:
            return Reason(
                frame, "", "no halves meet every requirement" if max(widths) > 0 else "its rows are all alike"
            )
        whose = "" if self.check is None else " whose halves meet every requirement"
        return Reason(frame, table.quasi[axis], f"{table.quasi[axis]} is the widest attribute{whose}")


def _upper_halves(regions: Regions, axis: np.ndarray) -> np.ndarray:
    """Tell for each row whether it is in the upper half of its region on that region's axis; ties by position."""
    code = regions.cells[regions.indices, axis[regions.region]]
    order = np.lexsort((code, regions.region))
    begin = np.cumsum(regions.sizes) - regions.sizes
    upper = np.empty(len(order), dtype=bool)
    upper[order] = np.arange(len(order)) >= (begin + regions.sizes // 2)[regions.region]
    return upper


def _both_pass(check: Check | None, regions: Regions, right: np.ndarray) -> np.ndarray:
    """Tell for each region whether both sides of its cut pass the check, if there is one."""
    if check is None:
        return np.ones(regions.count, dtype=bool)
    good: np.ndarray = check(2 * regions.region + right, 2 * regions.count, regions.rows)
    return good[::2] & good[1::2]


# ---- frames of candidates ---------------------------------------------------------------------------------------


class Line(NamedTuple):
    """The best cut of an attribute: the last value on the left, the rows on both sides, and whether it is allowed."""

    after: str = "–"
    left: int = 0
    right: int = 0
    allowed: bool = False


def _label(region: Regions, axis: int, value: int) -> str:
    """Return the text of one of the values of a single region on an axis."""
    table = region.space.table
    return table.attributes[table.quasi[axis]].labels[region.values[axis].code[value]]


def _by_attribute(region: Regions, scores: dict[str, list[float]], lines: Sequence[Line]) -> pd.DataFrame:
    """Return a line per attribute with its best cut, the allowed ones first, then by the first of the scores."""
    middles = [int(np.flatnonzero(2 * values.left >= len(region.rows))[0]) for values in region.values]
    medians = [_label(region, axis, middle) for axis, middle in enumerate(middles)]
    cuts = pd.DataFrame(lines, columns=["cut after", "left", "right", "allowed"])
    frame = pd.concat([pd.DataFrame({**scores, "median": medians}), cuts], axis=1)
    frame = frame.set_axis(list(region.space.table.quasi))
    return frame.sort_values(["allowed", next(iter(scores))], ascending=False, kind="stable")


def by_cut(table: Table, codes: np.ndarray, cuts: Sequence[tuple[int, int]], **scores: Any) -> pd.DataFrame:
    """Return a line per cut (axis, code) of a region with these ``codes`` (axes × rows): the rows on its sides."""
    left = [int((codes[axis] <= code).sum()) for axis, code in cuts]
    frame = pd.DataFrame({**scores, "left": left, "right": [codes.shape[1] - rows for rows in left]})
    return frame.set_axis([cut_name(table, axis, code) for axis, code in cuts])
