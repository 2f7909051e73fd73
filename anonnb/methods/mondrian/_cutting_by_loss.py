"""Cuts by the information loss that remains after them (rows times normalized widths, summed: NCP), compiled by numba.

A cut on one attribute narrows the others too, so all are measured on both sides. One pass over the rows of a region
notes, for every value of every attribute, the smallest and the largest code that its rows have in each other attribute.
An ordered attribute's width on one side of a cut follows from these ends value by value; a nominal value is on the left
of a cut when the smallest code of its rows is. In regions of a few k the cut that saves most at once often leaves parts
that cannot be cut again; there, what greedy cuts make of the parts decides.

numba takes time for every array, in every loop that it is passed to. So what has one type is one array, whose lines
have names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core._sorting import sort_in_place
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.compiled import compiled, inner
from anonnb.core.wording import pluralize
from anonnb.methods.mondrian.cutting import Cuts, by_cut
from anonnb.methods.mondrian.regions import Reason, Regions, Space, cut_name

LOOKAHEAD = 8  # regions of up to this many times k rows look ahead: beyond it the gain is small and the time is long
TRIED = 32  # cuts per region after which further cuts are tried
FAR = np.iinfo(np.int32).max

NOMINAL, OFFSET, LOW, HIGH, KINDS = range(5)  # lines of Grid.axes; the last three are working space
COUNT, SEEN, CODES = range(3)  # lines of Grid.values
WEIGHT, ROW = range(2)  # lines of Grid.weighed
FRESH, BELOW = range(2)  # lines of Grid.widths
HERE, BEYOND = range(2)  # the two lists of cuts: of a region, and of the parts of it that further cuts make
AXIS, CODE, WAITS = range(3)  # lines of a list of cuts: the last is 1 while further cuts are to be tried after a cut
REGION = WAITS  # in the list of results
TRIAL, OTHER, BEGIN, END = range(4)  # lines of a trial: its rows, rows that wait, and where parts begin and end


class Grid(NamedTuple):
    """What the loops read, and room to work in. Arrays over values hold one attribute after the other, from its offset.

    Equal rows of a table are one row here. The largest codes are negated, so that both ends are minima.
    """

    axes: np.ndarray
    price: np.ndarray  # of every value: its position or, where the attribute is nominal, the cost of one more value
    signed: np.ndarray  # rows × the codes of all attributes, and again negated
    ends: np.ndarray  # values × the smallest codes of their rows in all attributes, and the largest, negated
    # how many rows have each value; the last turn that met it (the last entry numbers the turns); the codes that occur
    values: np.ndarray
    weighed: np.ndarray  # how often each row occurs in the region, zero between two regions; and the rows that occur
    widths: np.ndarray  # what nominal values cost that a sweep meets first at each code; summed widths up to each code

    @classmethod
    def of(cls, space: Space, rows: np.ndarray) -> Grid:
        """Return the grid of some rows."""
        sizes = np.array([axis.size for axis in space.axes])
        is_nominal = np.array([axis.is_nominal for axis in space.axes])
        step = np.array([axis.weight for axis in space.axes]) / np.maximum(sizes - 1, 1)
        axes = np.zeros((KINDS + 1, len(sizes)), dtype=np.int64)
        axes[NOMINAL], axes[OFFSET] = is_nominal, np.cumsum(sizes) - sizes
        positions = np.concatenate([axis.positions for axis in space.axes])
        price = np.where(np.repeat(is_nominal, sizes), np.repeat(step, sizes), positions)
        codes = np.ascontiguousarray(space.codes[:, rows].T)
        return cls(
            axes,
            price,
            np.concatenate([codes, -codes], axis=1).astype(np.int32),
            np.empty((len(price), 2 * len(sizes)), dtype=np.int32),
            np.zeros((CODES + 1, len(price) + 1), dtype=np.int64),
            np.zeros((ROW + 1, len(codes)), dtype=np.int64),
            np.zeros((BELOW + 1, len(price))),
        )


class LossCuts:
    """Prefers the cut with the least remaining loss; ties go to the first attribute and the smallest value."""

    def __init__(self, space: Space):
        # equal rows are one kind: few kinds lie close together in memory, and are weighed once
        self.kind, count = group_ids(list(space.codes), [axis.size for axis in space.axes])
        self.grid = Grid.of(space, first_places(self.kind, count))

    def best(self, regions: Regions, k: int) -> Cuts:
        owner, axis, code, _ = self.cuts(regions, k, LOOKAHEAD * k, best=True)
        cuts = Cuts.none(regions.count)
        cuts.axis[owner], cuts.code[owner] = axis, code
        return cuts

    def all(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.scored(regions, k)[:3]

    def reason(self, region: Regions, k: int, axis: int, code: int) -> Reason:
        table = region.space.table
        _, axes, codes, loss = self.scored(region, k)
        cuts = list(zip(axes.tolist(), codes.tolist(), strict=True))
        frame = by_cut(table, region.codes, cuts, **{"loss left": loss})
        if axis < 0:
            return Reason(frame, "", f"no cut leaves {k:,} rows on both sides")
        ahead = " once greedy cuts have followed" if len(region.rows) <= LOOKAHEAD * k else ""
        allowed = "the only allowed cut" if len(axes) == 1 else f"the one of {pluralize(len(axes), 'allowed cut')}"
        return Reason(frame, cut_name(table, axis, code), f"{allowed} that leaves the least loss{ahead}")

    def scored(self, regions: Regions, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return every cut with the loss that remains after it, sorted by region and then the best first."""
        owner, axis, code, loss = self.cuts(regions, k, LOOKAHEAD * k, best=False)
        order = np.lexsort((code, axis, np.round(loss, 9), owner))
        return owner[order], axis[order], code[order], loss[order]

    def cuts(
        self, regions: Regions, k: int, lookahead: int, best: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the cuts that leave k rows on both sides: region, axis, code and remaining loss.

        Regions of up to ``lookahead`` rows are judged by the loss after further greedy cuts, larger ones by the loss
        just after the cut. With ``best`` a region gives its best cut only: ties, to nine decimals, go to the first
        attribute and the smallest value.
        """
        sizes, values = regions.sizes, np.diff(self.grid.axes[OFFSET], append=len(self.grid.price))
        limits = np.minimum.outer(values - 1, sizes - 2 * k + 1).clip(0).sum(axis=0)
        capacity, limit = int(limits.max()), len(sizes) if best else int(limits.sum())
        lists = np.empty((2, WAITS + 1, capacity), dtype=np.int64), np.empty((2, capacity))
        trial = np.empty((END + 1, int(sizes[sizes <= lookahead].max(initial=0)) + 1), dtype=np.int64)
        kept, left = np.empty((REGION + 1, limit), dtype=np.int64), np.empty(limit)
        starts = np.append(0, np.cumsum(sizes))
        asked = self.kind[regions.rows], starts, k, lookahead, best, kept, left
        total = _cut_regions(*self.grid, *lists, trial, *asked)
        return kept[REGION, :total], kept[AXIS, :total], kept[CODE, :total], left[:total]


@compiled(makes_arrays=False)
def _cut_regions(
    axes, price, signed, ends, values, weighed, widths, cuts, loss, trial, rows, starts, k, lookahead, best, kept, left
):  # fmt: skip
    """Find the cuts of the regions that leave k rows on both sides, or the best one of each; returns their number."""
    total = 0
    for region in range(len(starts) - 1):
        first, last = starts[region], starts[region + 1]
        count = _find(
            axes, price, signed, ends, values, weighed, widths, cuts, loss, rows, first, last, k, HERE
        )  # fmt: skip
        if last - first <= lookahead:
            _look_ahead(
                axes, price, signed, ends, values, weighed, widths, cuts, loss, trial, rows, first, last, k, count
            )  # fmt: skip
        total = _keep(cuts, loss, count, region, best, kept, left, total)
    return total


@inner
def _keep(cuts, loss, count, region, best, kept, left, total):
    """Add the cuts of a region to the results, or only its best one; returns how many there are then.

    The best one leaves the least loss to nine decimals, then has the first attribute, then the smallest value.
    """
    chosen, lowest = 0, np.inf
    for number in range(count if best else 0):
        rounded = np.rint(loss[HERE, number] * 1e9) / 1e9
        same = rounded == lowest and cuts[HERE, AXIS, number] == cuts[HERE, AXIS, chosen]
        if rounded < lowest or (same and cuts[HERE, CODE, number] < cuts[HERE, CODE, chosen]):
            chosen, lowest = number, rounded
    for number in range(count):
        if number == chosen or not best:
            kept[AXIS, total], kept[CODE, total] = cuts[HERE, AXIS, number], cuts[HERE, CODE, number]
            kept[REGION, total], left[total] = region, loss[HERE, number]
            total += 1
    return total


# ---- further cuts -----------------------------------------------------------------------------------------------


@inner
def _look_ahead(axes, price, signed, ends, values, weighed, widths, cuts, loss, trial, rows, first, last, k, count):
    """Make the loss of a region's most promising cuts the one that remains when greedy cuts follow.

    The others keep the loss just after the cut, which is larger than any of these can become.
    """
    n = last - first
    for number in range(count):
        cuts[HERE, WAITS, number] = 1
    for _ in range(count if count < TRIED else TRIED):
        number = _cheapest(cuts, loss, HERE, count)
        cuts[HERE, WAITS, number] = 0
        for index in range(n):
            trial[TRIAL, index] = rows[first + index]
        left = _split(signed, trial, 0, n, cuts[HERE, AXIS, number], cuts[HERE, CODE, number])
        total = 0.0
        for side in range(2):
            total += _greedy(
                axes, price, signed, ends, values, weighed, widths, cuts, loss, trial, side * left,
                left if side == 0 else n, k,
            )  # fmt: skip
        loss[HERE, number] = total


@inner
def _greedy(axes, price, signed, ends, values, weighed, widths, cuts, loss, trial, first, last, k):
    """Return the loss of a part of a trial after cuts that each save the most at once (its rows are reordered)."""
    trial[BEGIN, 0], trial[END, 0] = first, last
    stack_size, total = 1, 0.0
    while stack_size:
        stack_size -= 1
        first, last = trial[BEGIN, stack_size], trial[END, stack_size]
        count = _find(
            axes, price, signed, ends, values, weighed, widths, cuts, loss, trial[TRIAL], first, last, k, BEYOND
        )  # fmt: skip
        if count == 0:
            total += (last - first) * _width(axes, price, signed, values, trial[TRIAL], first, last)
            continue
        best = _cheapest(cuts, loss, BEYOND, count)
        middle = _split(signed, trial, first, last, cuts[BEYOND, AXIS, best], cuts[BEYOND, CODE, best])
        trial[BEGIN, stack_size], trial[END, stack_size] = first, middle
        trial[BEGIN, stack_size + 1], trial[END, stack_size + 1] = middle, last
        stack_size += 2
    return total


@inner
def _cheapest(cuts, loss, which, count):
    """Return the index of the cut that leaves the least loss, among a region's cuts only those that wait."""
    best, lowest = -1, np.inf
    for index in range(count):
        if which == BEYOND or cuts[which, WAITS, index]:
            rounded = np.rint(loss[which, index] * 1e9)
            if best < 0 or rounded < lowest:
                best, lowest = index, rounded
    return best


@inner
def _split(signed, trial, first, last, axis, code):
    """Move the rows of a trial left of a cut to the front, keeping the order of both sides; where the right begins."""
    left, right = first, 0
    for index in range(first, last):
        row = trial[TRIAL, index]
        if signed[row, axis] <= code:
            trial[TRIAL, left] = row
            left += 1
        else:
            trial[OTHER, right] = row
            right += 1
    for index in range(right):
        trial[TRIAL, left + index] = trial[OTHER, index]
    return left


@inner
def _width(axes, price, signed, values, rows, first, last):
    """Return the summed widths of some rows."""
    values[SEEN, values.shape[1] - 1] += 1
    turn, width = values[SEEN, values.shape[1] - 1], 0.0
    for axis in range(axes.shape[1]):
        offset = axes[OFFSET, axis]
        low = high = signed[rows[first], axis]
        kinds = 0
        for index in range(first, last):
            code = signed[rows[index], axis]
            if axes[NOMINAL, axis]:
                if values[SEEN, offset + code] != turn:
                    values[SEEN, offset + code] = turn
                    kinds += 1
            elif code < low:
                low = code
            elif code > high:
                high = code
        if axes[NOMINAL, axis]:
            width += (kinds - 1) * price[offset]
        else:
            width += price[offset + high] - price[offset + low]
    return width


# ---- the cuts of some rows --------------------------------------------------------------------------------------


@inner
def _find(axes, price, signed, ends, values, weighed, widths, cuts, loss, rows, first, last, k, which):
    """List the cuts of some rows, with the loss just after each; returns their number."""
    n, count = last - first, 0
    if n < 2 * k:
        return 0
    _meet_all(axes, signed, ends, values, weighed, rows, first, last)
    for axis in range(axes.shape[1]):
        offset = axes[OFFSET, axis]
        sort_in_place(values[CODES, offset : offset + axes[KINDS, axis]], values[CODES, :0], values[CODES, :0])
    for axis in range(axes.shape[1]):
        if _can_cut(axes, values, axis, n, k):
            _upward(axes, price, ends, values, widths, axis)
            count = _downward(axes, price, ends, values, widths, axis, n, k, cuts, loss, count, which)
    return count


@inner
def _meet_all(axes, signed, ends, values, weighed, rows, first, last):
    """Note in one pass over the rows which values occur, how often, and what ends their rows have."""
    values[SEEN, values.shape[1] - 1] += 1
    for axis in range(axes.shape[1]):
        axes[KINDS, axis] = 0
    different = 0
    for index in range(first, last):
        row = rows[index]
        if weighed[WEIGHT, row] == 0:
            weighed[ROW, different] = row
            different += 1
        weighed[WEIGHT, row] += 1
    for index in range(different):
        row = weighed[ROW, index]
        _meet(axes, signed, ends, values, row, weighed[WEIGHT, row])
        weighed[WEIGHT, row] = 0


@inner
def _meet(axes, signed, ends, values, row, weight):
    """Note one row that occurs ``weight`` times."""
    turn = values[SEEN, values.shape[1] - 1]
    for axis in range(axes.shape[1]):
        code, offset = signed[row, axis], axes[OFFSET, axis]
        value = offset + code
        if values[SEEN, value] == turn:
            values[COUNT, value] += weight
            for index in range(signed.shape[1]):
                end, signed_code = ends[value, index], signed[row, index]
                ends[value, index] = signed_code if signed_code < end else end
        else:
            values[SEEN, value], values[COUNT, value] = turn, weight
            values[CODES, offset + axes[KINDS, axis]] = code
            axes[KINDS, axis] += 1
            for index in range(signed.shape[1]):
                ends[value, index] = signed[row, index]


@inner
def _can_cut(axes, values, axis, n, k):
    """Tell whether some cut between two values leaves k rows on both sides."""
    left, offset = 0, axes[OFFSET, axis]
    for index in range(axes[KINDS, axis] - 1):
        left += values[COUNT, offset + values[CODES, offset + index]]
        if left >= k:
            return n - left >= k
    return False


@inner
def _begin(axes, price, ends, values, widths, axis, side):
    """Begin a sweep along an axis, from below (``side`` 0) or above (1).

    ``FRESH`` gets what nominal values cost where the sweep meets them first; the first one of an attribute is free.
    """
    there, far = axes[OFFSET, axis], axis + side * axes.shape[1]
    for other in range(axes.shape[1]):
        axes[LOW, other] = axes[HIGH, other] = -1
        if axes[NOMINAL, other]:
            nearest, offset = FAR, axes[OFFSET, other]
            for index in range(axes[KINDS, other]):
                end = ends[offset + values[CODES, offset + index], far]
                widths[FRESH, there + abs(end)] += price[offset]
                if end < nearest:
                    nearest = end
            widths[FRESH, there + abs(nearest)] -= price[offset]


@inner
def _widen(axes, price, ends, value):
    """Return how much wider the ordered attributes become with the rows of one more value."""
    grown, axis_count = 0.0, axes.shape[1]
    for other in range(axis_count):
        if not axes[NOMINAL, other]:
            offset, low, high = axes[OFFSET, other], axes[LOW, other], axes[HIGH, other]
            lowest, highest = ends[value, other], -ends[value, axis_count + other]
            if high < 0:
                axes[LOW, other], axes[HIGH, other] = lowest, highest
                grown += price[offset + highest] - price[offset + lowest]
                continue
            if lowest < low:
                grown += price[offset + low] - price[offset + lowest]
                axes[LOW, other] = lowest
            if highest > high:
                grown += price[offset + highest] - price[offset + high]
                axes[HIGH, other] = highest
    return grown


@inner
def _upward(axes, price, ends, values, widths, axis):
    """``BELOW``: the summed widths of the rows up to each value of an axis."""
    offset, width = axes[OFFSET, axis], 0.0
    _begin(axes, price, ends, values, widths, axis, 0)
    for index in range(axes[KINDS, axis]):
        value = offset + values[CODES, offset + index]
        width += widths[FRESH, value] + _widen(axes, price, ends, value)
        widths[BELOW, value], widths[FRESH, value] = width, 0.0


@inner
def _downward(axes, price, ends, values, widths, axis, n, k, cuts, loss, count, which):
    """Add the cuts of one axis, from the highest down, with the loss that remains on their two sides."""
    offset, width, right = axes[OFFSET, axis], 0.0, 0
    _begin(axes, price, ends, values, widths, axis, 1)
    for index in range(axes[KINDS, axis] - 1, -1, -1):
        value = offset + values[CODES, offset + index]
        width += widths[FRESH, value] + _widen(axes, price, ends, value)
        widths[FRESH, value] = 0.0
        right += values[COUNT, value]
        if index > 0 and right >= k and n - right >= k:
            code = values[CODES, offset + index - 1]
            cuts[which, AXIS, count], cuts[which, CODE, count] = axis, code
            loss[which, count] = (n - right) * widths[BELOW, offset + code] + right * width
            count += 1
    return count
