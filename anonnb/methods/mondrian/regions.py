"""The regions of the Mondrian family (LeFevre, DeWitt and Ramakrishnan, ICDE 2006): all open ones are cut at once.

A round treats every open region together: one count of (region, value) pairs per attribute gives all cuts that are
allowed, a ranking picks one per region, and regions without a cut are closed. No region costs a Python step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_counts, first_places, group_ids, group_min_max, group_order, in_ranges
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.methods.mondrian.axes import Space, Values
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

SPARSE = 4  # values of an attribute per row of a region, beyond which those that occur are sorted
NEAR = 1e-12  # widths that differ by less, times the largest weight, may be equal


# ---- regions ----------------------------------------------------------------------------------------------------


class Regions:
    """The open regions of a round: region r has the rows from ``begin[r]`` to ``end[r]`` of ``cells``.

    A row of ``cells`` holds its codes and its number in the table.
    """

    def __init__(self, space: Space, cells: np.ndarray, begin: np.ndarray, end: np.ndarray):
        self.space, self.cells, self.begin, self.end = space, cells, begin, end
        self.axes = space.axes
        self.sizes = end - begin
        self.count = len(begin)

    @cached_property
    def region(self) -> np.ndarray:
        """The region of each row."""
        return np.repeat(np.arange(self.count), self.sizes)

    @cached_property
    def indices(self) -> np.ndarray:
        """The lines of ``cells`` that hold the rows, region by region."""
        return in_ranges(self.begin, self.end)

    @cached_property
    def rows(self) -> np.ndarray:
        """The number of each row in the table."""
        return self.cells[self.indices, -1]

    @cached_property
    def codes(self) -> np.ndarray:
        """The codes of the rows, axes × rows."""
        return self.cells[self.indices, :-1].T

    @cached_property
    def values(self) -> list[Values]:
        """The distinct values on every axis."""
        from anonnb.methods.mondrian._cells import count_values  # needs numba, which takes a moment to import

        sizes = np.array([axis.size for axis in self.axes])
        few = np.flatnonzero(sizes <= 64 + SPARSE * self.sizes.sum() / self.count)
        counted_few = count_values(self.cells, self.begin, self.end, few, sizes[few])
        values = {axis: Values.of(*each) for axis, each in zip(few.tolist(), counted_few, strict=True)}
        return [values[axis] if axis in values else self._sorted(axis) for axis in range(len(sizes))]

    def _sorted(self, axis: int) -> Values:
        size = self.axes[axis].size
        keys = self.region * size + self.cells[self.indices, axis]
        return Values.of_keys(*distinct_counts(keys), size, self.count)

    def right_of(self, axis: np.ndarray, code: np.ndarray) -> np.ndarray:
        """Tell for each row whether its code lies above that of its region's cut; an axis of -1 is none."""
        from anonnb.methods.mondrian._cells import find_right

        right = np.empty(int(self.sizes.sum()), dtype=bool)
        find_right(self.cells, self.begin, self.end, axis, code, right)
        return right

    def some(self, which: np.ndarray) -> Regions:
        """Return some of the regions."""
        return Regions(self.space, self.cells, self.begin[which], self.end[which])


class Reason(NamedTuple):
    """Why a region was cut as it was: the possible cuts, the label of the one chosen, and a clause that says why."""

    candidates: pd.DataFrame
    chosen: str
    why: str


class Cutter(Protocol):
    """Decides how every open region is cut."""

    @property
    def k(self) -> int: ...

    def cut(self, regions: Regions) -> tuple[np.ndarray, np.ndarray]:
        """Return for each region the axis of its cut, -1 for none, and for each row whether it lies right of it."""

    def reason(self, region: Regions, axis: int, code: int) -> Reason:
        """Explain why a single region was cut on an axis after a code; for axis -1, why it was not."""


def partition(
    space: Space, cutter: Cutter, start: np.ndarray | None = None, bounds: Bounds | None = None
) -> tuple[np.ndarray, int]:
    """Cut regions until no cut is allowed; return the region of every row and the number of regions.

    ``start`` numbers the regions to begin with, from 0 and without gaps (one region by default). ``bounds`` is updated
    after every cut.
    """
    *_, last = ticks(rounds(space, cutter, start, bounds), "rounds of cuts")
    return last.final, last.closed


def rounds(
    space: Space, cutter: Cutter, start: np.ndarray | None = None, bounds: Bounds | None = None
) -> Iterator[OpenRegions]:
    """Yield the state before the first round and after each; it is one object that changes."""
    state = OpenRegions(space, start)
    state.close_smaller(2 * cutter.k)
    groups = None
    if listening():
        groups, count = state.groups()
        many = pluralize(count, "region")
        together = "At first all {} are together." if count == 1 else "At first the {} are in " + many + "."
        note(f"Begin with {many}", together.format(pluralize(len(groups), "row")), RowGroups(space.table, groups))
    yield state
    while len(state.begin):
        regions = Regions(space, state.cells, state.begin, state.end)
        axis, right = cutter.cut(regions)
        if groups is not None:
            _record_round(groups, regions, cutter, axis, right)
        if bounds is not None:
            bounds.cut(regions, axis, right)
        state.split(axis >= 0, right)
        state.close_smaller(2 * cutter.k)
        yield state


def sides(space: Space, cutter: Cutter, groups: np.ndarray) -> np.ndarray:
    """Return for each row 1 if it lies right of the cut of its region, else 0; ``groups`` numbers the regions."""
    state = OpenRegions(space, groups)
    regions = Regions(space, state.cells, state.begin, state.end)
    axis, right = cutter.cut(regions)
    result = np.zeros(len(groups), dtype=np.int64)
    result[regions.rows] = right & (axis >= 0)[regions.region]
    return result


class OpenRegions:
    """The rows of all regions, those of a region one after the other, and the final numbers of closed regions."""

    def __init__(self, space: Space, start: np.ndarray | None = None):
        axes, n = space.codes.shape
        self.cells, starts = np.empty((n, axes + 1), dtype=np.int32), np.array([0, n])
        self.cells[:, :-1], self.cells[:, -1] = space.codes.T, np.arange(n)
        if start is not None and start.any():
            order, starts = group_order(start, int(start.max()) + 1)
            self.cells = self.cells[order]
        self.begin, self.end = starts[:-1], starts[1:]
        self.final = np.empty(n, dtype=np.int64)
        self.closed = 0
        self._waiting = np.empty_like(self.cells)

    def close_smaller(self, size: int) -> None:
        """Close the regions with fewer rows: no cut can leave enough on both sides."""
        self._keep(self.end - self.begin >= size)

    def split(self, is_cut: np.ndarray, right: np.ndarray) -> None:
        """Close the regions without a cut, and make two of each other one."""
        from anonnb.methods.mondrian._cells import move_right

        middle = np.empty_like(self.begin)
        move_right(self.cells, self.begin, self.end, is_cut, right, self._waiting, middle)
        self._keep(is_cut)
        middle = middle[is_cut]
        self.begin = np.column_stack([self.begin, middle]).ravel()
        self.end = np.column_stack([middle, self.end]).ravel()

    def groups(self) -> tuple[np.ndarray, int]:
        """Return the region of every row at present, closed regions first, and the number of regions."""
        groups, count = self.final.copy(), len(self.begin)
        self._number(groups, self.begin, self.end, self.closed)
        return groups, self.closed + count

    def _keep(self, stays: np.ndarray) -> None:
        """Close the regions that do not stay."""
        if not stays.all():
            closing = self.begin[~stays], self.end[~stays]
            self._number(self.final, *closing, self.closed)
            self.closed += len(closing[0])
            self.begin, self.end = self.begin[stays], self.end[stays]

    def _number(self, groups: np.ndarray, begin: np.ndarray, end: np.ndarray, first: int) -> None:
        rows = self.cells[in_ranges(begin, end), -1]
        groups[rows] = np.repeat(np.arange(first, first + len(begin)), end - begin)


def _record_round(groups: np.ndarray, regions: Regions, cutter: Cutter, axis: np.ndarray, right: np.ndarray) -> None:
    """Record a round region by region: they do not depend on each other, so the order of the cuts changes nothing.

    ``groups`` numbers the regions of all rows as the steps so far did; the right side of a cut gets a new number.
    """
    count = int(groups.max()) + 1
    for number in range(regions.count):
        region, side = regions.some(np.array([number])), right[regions.region == number]
        if axis[number] >= 0:
            groups[region.rows[side]] = count
            count += 1
        _record(groups, region, cutter, int(axis[number]), side)


def _record(groups: np.ndarray, region: Regions, cutter: Cutter, axis: int, right: np.ndarray) -> None:
    """Record how one region was cut or closed; what the step shows is made only if the step is kept."""
    table, n, n_right = region.space.table, len(right), int(right.sum())
    code = int(region.codes[axis][~right].max()) if axis >= 0 else -1
    made: list[Reason] = []

    def reason() -> Reason:
        if not made:
            made.append(cutter.reason(region, axis, code))
        return made[0]

    title: str | Callable[[], str] = f"Close a region of {pluralize(n, 'row')}"
    sentence = lambda: f"It is final because {reason().why}."  # noqa: E731
    if axis >= 0:
        title = f"Cut {cut_name(table, axis, code)}"
        sentence = lambda: (  # noqa: E731
            f"{n - n_right:,} of the {pluralize(n, 'row')} go left and {n_right:,} go right, so both sides keep at "
            f"least {cutter.k:,}; {reason().why}."
        )
    note(
        title,
        sentence,
        lambda: RowGroups(table, groups, region.rows),
        lambda: reason().candidates,
        lambda: [reason().chosen] if axis >= 0 else [],
    )


def cut_name(table: Table, axis: int, code: int) -> str:
    """Return a cut in words."""
    name = table.quasi[axis]
    return f"{name} after {table.attributes[name].labels[code]}"


# ---- what a region publishes ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bounds:
    """What the cuts left of every axis: arrays of axes × rows, or axes × regions.

    A row begins with the range of its starting region. A side of a cut ends with its own value next to the cut.
    """

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, space: Space, start: np.ndarray | None = None) -> Bounds:
        """Return the bounds of all rows before the first cut."""
        start = np.zeros(space.codes.shape[1], dtype=np.int64) if start is None else start
        ends = [group_min_max(codes, start, int(start.max()) + 1) for codes in space.codes]
        return cls(np.stack([low[start] for low, _ in ends]), np.stack([high[start] for _, high in ends]))

    def take(self, indices: np.ndarray) -> Bounds:
        """Return a copy for some rows or regions."""
        return Bounds(self.low[:, indices], self.high[:, indices])

    def cut(self, regions: Regions, axis: np.ndarray, right: np.ndarray) -> None:
        """Move the bounds of all regions that are cut."""
        indices = np.flatnonzero(axis[regions.region] >= 0)
        region, side, rows = regions.region[indices], right[indices], regions.rows[indices]
        along = axis[region]
        part, count = group_ids([2 * region + side])
        low, high = group_min_max(regions.codes[along, indices], part, count) if count else (part, part)
        self.high[along[~side], rows[~side]] = high[part[~side]]
        self.low[along[side], rows[side]] = low[part[side]]


def released_columns(
    table: Table, rows: np.ndarray, space: Space, cutter: Cutter, summary: str, start: np.ndarray | None = None
) -> dict[str, Column]:
    """Cut the space of the table's ``rows`` and summarize what lies in each region."""
    bounds = Bounds.of(space, start) if summary == "region" else None
    groups, count = partition(space, cutter, start, bounds)
    return summarize(table, rows, groups, count, summary, bounds)


def summarize(
    table: Table, rows: np.ndarray, groups: np.ndarray, n_groups: int, summary: str, bounds: Bounds | None = None
) -> dict[str, Column]:
    """Return a released column for every quasi-identifier; ``groups`` numbers the table's ``rows``.

    Sets are intervals for numbers and ordered values, and the distinct values for categories. Typical values are the
    mean of numbers, the middle one of other ordered values, and the most frequent category.
    """
    if summary == "mean":
        from anonnb.methods.typical_values import typical_values

        quasi = {name: (table.attributes[name], table.codes(name)[rows]) for name in table.quasi}
        return {name: typical_values(*column, groups, n_groups) for name, column in quasi.items()}
    columns = columns_per_group(table, rows, groups, n_groups, bounds)
    return {name: column.take(groups) for name, column in columns.items()}


def columns_per_group(
    table: Table, rows: np.ndarray | slice, groups: np.ndarray, n_groups: int, bounds: Bounds | None = None
) -> dict[str, Column]:
    """Return the same with a cell per group: the set of its values or, if bounds are given, what the cuts left."""
    first = first_places(groups, n_groups) if bounds is not None else None
    columns = {}
    for axis, name in enumerate(table.quasi):
        attribute = table.attributes[name]
        if bounds is not None and attribute.kind != "nominal":  # a run of categories is no region
            columns[name] = Column.from_spans(attribute, bounds.low[axis][first], bounds.high[axis][first])
        else:
            columns[name] = Column.per_group(attribute, table.codes(name)[rows], groups, n_groups)
    return columns
