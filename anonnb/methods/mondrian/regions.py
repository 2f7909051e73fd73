"""The engine behind the Mondrian family (LeFevre, DeWitt and Ramakrishnan, ICDE 2006): all open regions at once.

A round treats every open region together: one count of (region, value) pairs per attribute gives all cuts that are
allowed, a ranking picks one per region, and regions without a cut are closed. No region costs a Python step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from anonnb.core.arrays import distinct_counts, group_ids, group_min_max, group_order
from anonnb.core.progress import ticks
from anonnb.methods.mondrian.notes import Reason, cut_name, tell_round, tell_start
from anonnb.optimum.prices import places
from anonnb.steps.recording import listening
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table


class Axis:
    """One attribute as a partition uses it: how many codes it has and how wide a run of them is."""

    def __init__(self, attribute: Attribute):
        self.size = attribute.size
        self.is_nominal = attribute.kind == "nominal"
        self.weight = attribute.weight
        self.positions = places(attribute) * self.weight  # a missing value is far away, so that it is soon split off

    def widths(self, values: Values) -> np.ndarray:
        """Width of each region as a share of the whole: distinct values if nominal, the range otherwise."""
        if self.is_nominal:
            return (values.last - values.first) / max(self.size - 1, 1) * self.weight
        return self.positions[values.code[values.last]] - self.positions[values.code[values.first]]


class Space:
    """The quasi-identifier of a table: an axis per attribute and the codes of all rows."""

    def __init__(self, table: Table):
        self.table = table
        self.axes = [Axis(table.attributes[name]) for name in table.quasi]
        self.codes = np.stack([table.codes(name) for name in table.quasi])


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of one attribute in every open region, sorted by region and value.

    ``first`` and ``last`` are the places of each region's smallest and largest value; ``left`` counts the rows of the
    region with this value or a smaller one, which is the left side of a cut just after it.
    """

    owner: np.ndarray
    code: np.ndarray
    count: np.ndarray
    first: np.ndarray
    last: np.ndarray
    left: np.ndarray
    keys: np.ndarray

    @classmethod
    def of(cls, keys: np.ndarray, count: np.ndarray, size: int, regions: int) -> Values:
        """From sorted keys (region times ``size`` plus code) and the rows that have each; no region is empty."""
        owner = keys // size
        first = np.searchsorted(owner, np.arange(regions))
        last = np.append(first[1:], len(owner)) - 1
        total = np.cumsum(count)
        left = total - np.repeat(total[first] - count[first], last - first + 1)
        return cls(owner, keys - owner * size, count, first, last, left, keys)

    def places(self, keys: np.ndarray) -> np.ndarray:
        """The place of each (region, code) key that occurs."""
        return np.searchsorted(self.keys, keys)


class Regions:
    """The open regions of a round: their rows, a region number for each row, and the codes of these rows."""

    def __init__(self, space: Space, rows: np.ndarray, region: np.ndarray, count: int):
        self.space, self.rows, self.region, self.count = space, rows, region, count
        self.axes = space.axes
        self.codes = space.codes if len(rows) == space.codes.shape[1] else space.codes[:, rows]
        self.sizes = np.bincount(region, minlength=count)

    def keys(self, place: int) -> np.ndarray:
        """A number per row that tells its region and its code on an axis."""
        return self.region * self.axes[place].size + self.codes[place]

    @cached_property
    def values(self) -> list[Values]:
        """The distinct values on every axis."""
        return [self._values(place) for place in range(len(self.axes))]

    def _values(self, place: int) -> Values:
        size = self.axes[place].size
        keys, count = distinct_counts(self.keys(place))
        return Values.of(keys, count, size, self.count)


class Cutter(Protocol):
    """Decides how every open region is cut."""

    k: int

    def cut(self, regions: Regions) -> tuple[np.ndarray, np.ndarray]:
        """For each region the axis of its cut, -1 for none, and for each row whether it lies right of the cut."""

    def reason(self, region: Regions, axis: int, code: int) -> Reason:
        """Why a single region was cut on an axis after a code; for axis -1, why it was not."""


def partition(
    space: Space, cutter: Cutter, start: np.ndarray | None = None, bounds: Bounds | None = None
) -> tuple[np.ndarray, int]:
    """Cut regions until no cut is allowed; gives the region of every row and the number of regions.

    ``start`` numbers the regions to begin with, from 0 and without gaps (one region by default). ``bounds`` is updated
    after every cut.
    """
    *_, last = ticks(rounds(space, cutter, start, bounds), "rounds of cuts")
    return last.final, last.closed


def rounds(
    space: Space, cutter: Cutter, start: np.ndarray | None = None, bounds: Bounds | None = None
) -> Iterator[OpenRegions]:
    """The state before the first round and after each; it is one object that changes."""
    state = OpenRegions(space.codes.shape[1], start)
    state.keep_larger(2 * cutter.k)
    told = None
    if listening():
        told, count = state.groups()
        tell_start(space.table, told, count)
    yield state
    while state.count:
        regions = Regions(space, state.rows, state.region, state.count)
        axis, right = cutter.cut(regions)
        if told is not None:
            _tell(told, regions, cutter, axis, right)
        if bounds is not None:
            bounds.cut(regions, axis, right)
        state.split(axis >= 0, right)
        state.keep_larger(2 * cutter.k)
        yield state


def _tell(told: np.ndarray, regions: Regions, cutter: Cutter, axis: np.ndarray, right: np.ndarray) -> None:
    """Record a round; ``told`` numbers the regions of all rows as the steps so far did."""
    order, starts = group_order(regions.region, regions.count)
    places = np.split(order, starts[1:-1])
    rows = [regions.rows[own] for own in places]
    sides = [right[own] if axis[number] >= 0 else None for number, own in enumerate(places)]

    def reason(number: int) -> Reason:
        along, own = int(axis[number]), places[number]
        last = int(regions.codes[along, own[~right[own]]].max()) if along >= 0 else -1
        alone = Regions(regions.space, rows[number], np.zeros(len(own), dtype=np.int64), 1)
        found = cutter.reason(alone, along, last)
        return found._replace(cut=cut_name(alone.space.table, along, last)) if along >= 0 else found

    tell_round(regions.space.table, told, rows, sides, reason, cutter.k)


class Bounds:
    """What the cuts left of every axis, for each row: first the range of its starting region, then sides of cuts.

    A side of a cut ends with its own value next to the cut. ``low`` and ``high`` are arrays of axes × rows.
    """

    def __init__(self, space: Space, start: np.ndarray | None = None):
        start = np.zeros(space.codes.shape[1], dtype=np.int64) if start is None else start
        ends = [group_min_max(codes, start, int(start.max()) + 1) for codes in space.codes]
        self.low = np.stack([low[start] for low, _ in ends])
        self.high = np.stack([high[start] for _, high in ends])

    def cut(self, regions: Regions, axis: np.ndarray, right: np.ndarray) -> None:
        """Move the bounds of all regions that are cut."""
        places = np.flatnonzero(axis[regions.region] >= 0)
        region, side, rows = regions.region[places], right[places], regions.rows[places]
        along = axis[region]
        part, count = group_ids([2 * region + side])
        low, high = group_min_max(regions.codes[along, places], part, count) if count else (part, part)
        self.high[along[~side], rows[~side]] = high[part[~side]]
        self.low[along[side], rows[side]] = low[part[side]]


class OpenRegions:
    """Rows that still lie in open regions, and the final region numbers of those that do not."""

    def __init__(self, n: int, start: np.ndarray | None):
        self.rows = np.arange(n)
        self.region = np.zeros(n, dtype=np.int64) if start is None else start.astype(np.int64)
        self.count = int(self.region.max()) + 1
        self.final = np.empty(n, dtype=np.int64)
        self.closed = 0

    def keep_larger(self, least: int) -> None:
        """Close the regions with fewer rows: no cut can leave enough on both sides."""
        self._keep(np.bincount(self.region, minlength=self.count) >= least)

    def split(self, found: np.ndarray, right: np.ndarray) -> None:
        """Close the regions without a cut, and make two of each other one."""
        right = right[found[self.region]]
        self._keep(found)
        self.region = 2 * self.region + right
        self.count *= 2

    def groups(self) -> tuple[np.ndarray, int]:
        """The region of every row at present, closed regions first, and the number of regions."""
        groups = self.final.copy()
        groups[self.rows] = self.closed + self.region
        return groups, self.closed + self.count

    def _keep(self, stays: np.ndarray) -> None:
        """Close the regions that do not stay and number the others from 0."""
        if stays.all():
            return
        number = np.where(stays, np.cumsum(stays), self.closed + np.cumsum(~stays)) - 1
        row_stays = stays[self.region]
        leaving = np.flatnonzero(~row_stays)
        self.final[self.rows[leaving]] = number[self.region[leaving]]
        self.closed += int((~stays).sum())
        self.rows, self.region = self.rows[row_stays], number[self.region[row_stays]]
        self.count = int(stays.sum())
