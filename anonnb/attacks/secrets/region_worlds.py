"""Minimality region by region (Wong et al. 2007): deal secrets anew and ask which cuts would be refused again.

A method that cuts regions refuses a cut because of the secrets in the region, and those outside play no part. So worlds
can be drawn from the bottom up: for each class the ways to deal its secrets under which it stays whole; then, for each
larger region in which a preferred cut was refused, those combinations of its parts under which it is refused again.
Whatever holds in all ways that a class has left is certain, because the original is one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import factorial, prod
from typing import Any

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.core.errors import Infeasible
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

ROWS = 1_000_000  # rows that the method is asked about at once
ROUNDS = 4  # times that the sides of a region are combined at random
CELLS = 4_000_000  # worlds × rows that are kept


@dataclass(frozen=True, eq=False)
class Region:
    """Rows that the method looked at together, and on which side of its cut each lies: all on 0 if it made none."""

    rows: np.ndarray
    sides: np.ndarray


class RegionWorlds:
    """Worlds that fit a release, drawn from the bottom up.

    ``shares`` has the share of the worlds in which each row has each value, ``worlds`` the number of independent worlds
    behind that (infinite if it is exact), and ``certain`` tells for which rows one value is left. Of each class that
    stayed whole although its rows would have let it be cut, ``members`` has the rows, ``ways`` the ways to deal its
    secrets that are left (ways × rows), if any, and ``ruled_out`` the others. ``refused`` counts larger regions with a
    refused cut.
    """

    def __init__(self, release: Release, table: Table, secret: str, plain: np.ndarray, limit: int, seed: int):
        self._method, self._table, self._secret = release.method, table, secret
        self._rng = np.random.default_rng(seed)
        self.ways: dict[int, np.ndarray] = {}
        self.members: dict[int, np.ndarray] = {}
        self.ruled_out: dict[int, np.ndarray] = {}
        own, groups = table.codes(secret), release.secret_groups
        self.shares, self.worlds = plain[groups], np.full(len(table), np.inf)
        self.certain, self.refused = np.zeros(len(table), dtype=bool), 0
        levels = refused_cuts(release, table)
        number = min(limit, max(CELLS // len(table), 20))
        self._drawn = np.stack([shuffled(own, groups, self._rng) for _ in range(number)])
        whole = [region for level in levels for region in level if not region.sides.any()]
        self._close(whole, own, groups, limit)
        for level in reversed(levels):
            self._open([region for region in level if region.sides.any()])

    def _close(self, regions: list[Region], own: np.ndarray, groups: np.ndarray, limit: int) -> None:
        """Keep the ways to deal the secrets of a class under which it stays whole."""
        dealt = [deals(np.sort(own[region.rows]), limit, self._rng) for region in regions]
        flags = self._agree(regions, [ways for ways, _ in dealt])
        for region, (ways, complete), stays in zip(regions, dealt, flags, strict=True):
            group = int(groups[region.rows[0]])
            self.members[group], self.ruled_out[group], left = region.rows, ways[~stays], ways[stays]
            if not len(left):
                continue
            self.ways[group], rows = left, region.rows
            self.shares[rows] = self._shares(left)
            self.worlds[rows] = np.inf if complete else len(left)
            self.certain[rows] = complete & (left == left[0]).all(axis=0)
            self._drawn[:, rows] = left[self._rng.integers(len(left), size=len(self._drawn))]

    def _open(self, regions: list[Region]) -> None:
        """Keep the combinations of their two sides under which larger regions are cut as they were."""
        self.refused += len(regions)
        number = len(self._drawn)
        kept: list[list[np.ndarray]] = [[] for _ in regions]
        for _ in range(ROUNDS):
            ways = [self._drawn[:, region.rows] for region in regions]
            for region, way in zip(regions, ways, strict=True):
                way[:, region.sides > 0] = way[np.ix_(self._rng.permutation(number), np.flatnonzero(region.sides))]
            for way, fits, found in zip(ways, self._agree(regions, ways), kept, strict=True):
                found.append(way[fits])
        for region, found in zip(regions, kept, strict=True):
            left, rows = np.concatenate(found), region.rows
            if len(left):
                self._drawn[:, rows] = left[self._rng.integers(len(left), size=number)]
                self.shares[rows] = self._shares(self._drawn[:, rows])
                self.worlds[rows] = np.minimum(self.worlds[rows], number) * min(len(left) / number, 1.0)

    def _shares(self, secrets: np.ndarray) -> np.ndarray:
        return np.stack([(secrets == value).mean(axis=0) for value in range(self.shares.shape[1])], axis=1)

    def _agree(self, regions: list[Region], ways: list[np.ndarray]) -> list[np.ndarray]:
        """Tell for each way to deal the secrets of each region whether the method cuts the region as it did.

        Models that compare a group with the whole table need all its rows.
        """
        if not regions:
            return []
        rows = np.concatenate([region.rows for region in regions])
        sizes = [len(region.rows) for region in regions]
        groups, starts = np.repeat(np.arange(len(regions)), sizes), np.cumsum([0, *sizes[:-1]])
        sides = np.concatenate([region.sides for region in regions])
        if any(getattr(model, "relative", False) for model in self._method.requirements):
            rest = np.setdiff1d(np.arange(len(self._table)), rows)
            rows, groups = np.append(rows, rest), np.append(groups, np.full(len(rest), len(regions)))
        flags = [np.zeros(len(each), dtype=bool) for each in ways]
        longest, step = max(map(len, ways)), max(ROWS // len(rows), 1)
        for numbers in np.split(np.arange(longest), range(step, longest, step)):
            secrets = np.tile(self._table.codes(self._secret)[rows], (len(numbers), 1))
            secrets[:, : len(sides)] = np.hstack([each[numbers % len(each)] for each in ways])
            stacked = with_column(self._table.take(np.tile(rows, len(numbers))), self._secret, secrets.ravel())
            asked = (groups + (groups.max() + 1) * np.arange(len(numbers))[:, None]).ravel()
            cut = self._method.divides(stacked, asked).reshape(len(numbers), -1)[:, : len(sides)]
            same = np.add.reduceat(cut != sides, starts, axis=1) == 0
            for flag, fits in zip(flags, same.T, strict=True):
                flag[numbers % len(flag)] = fits
        return flags


def worlds_by_region(
    release: Release, table: Table, secret: str, plain: np.ndarray, limit: int, seed: int
) -> RegionWorlds | None:
    """Return worlds that fit a release; None if its method does not say how it divides groups of rows.

    ``table`` holds the published rows, and ``plain`` the shares of the secrets in each class. Of each class all ways to
    deal its secrets are tried if they are at most ``limit``, else as many random ones.
    """
    divides = getattr(release.method, "divides", None)
    if divides is None or release.secrets is not None or divides(table, np.zeros(len(table), dtype=np.int64)) is None:
        return None
    return RegionWorlds(release, table, secret, plain, limit, seed)


def refused_cuts(release: Release, table: Table) -> list[list[Region]]:
    """Return the regions in which the method refused a cut because of the secrets, level by level from the whole table.

    They follow from the release: a cut that divides no class has the same secrets on its sides in every world.
    """
    method: Any = release.method
    free = replace(method, require=()) if getattr(method, "requirements", ()) else method
    groups, done, levels = np.zeros(len(table), dtype=np.int64), np.zeros(1, dtype=bool), []
    while not done.all():
        sides = method.divides(table, groups)
        refused = np.bincount(groups, sides != free.divides(table, groups)) > 0
        order, starts = group_order(groups, len(done))
        regions = [order[begin:end] for begin, end in pairwise(starts)]
        levels.append([Region(regions[each], sides[regions[each]]) for each in np.flatnonzero(refused & ~done)])
        done |= np.bincount(groups, sides) == 0
        numbers, groups = np.unique(2 * groups + sides, return_inverse=True)
        done = done[numbers // 2]
    if len(np.unique(groups * release.n_groups + release.secret_groups)) != len(done) or len(done) != release.n_groups:
        raise Infeasible(f"rerunning {method} does not reproduce this release, so the attack has nothing to use")
    return levels


def deals(values: np.ndarray, limit: int, rng: np.random.Generator) -> tuple[np.ndarray, bool]:
    """Return all different orders of sorted values, or ``limit`` random ones if there are more; and whether it is all.

    >>> deals(np.array([0, 0, 1]), 10, np.random.default_rng(0))[0].tolist()
    [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    ways = factorial(len(values)) // prod(map(factorial, np.unique(values, return_counts=True)[1].tolist()))
    if ways <= limit:
        return np.array(list(_orders(values.tolist()))), True
    return rng.permuted(np.tile(values, (limit, 1)), axis=1), False


def _orders(values: list[int]) -> Iterator[list[int]]:
    """Yield all different orders of sorted values, each after the one before it in the dictionary."""
    while True:
        yield values.copy()
        rises = [index for index in range(len(values) - 1) if values[index] < values[index + 1]]
        if not rises:
            return
        pivot = rises[-1]
        other = max(index for index in range(pivot + 1, len(values)) if values[index] > values[pivot])
        values[pivot], values[other] = values[other], values[pivot]
        values[pivot + 1 :] = values[:pivot:-1]


def with_column(table: Table, name: str, codes: np.ndarray) -> Table:
    """Return a table with other values in a column."""
    changed = {other: table.codes(other) for other in table.columns} | {name: codes.astype(np.int32)}
    return Table._of(table.attributes, changed, table._roles, table.index)


def shuffled(values: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute values within each group; the result does not depend on their order there, which nobody knows."""
    mixed, in_order = np.lexsort([rng.random(len(values)), groups]), np.lexsort([values, groups])
    shuffled = np.empty_like(values)
    shuffled[mixed] = values[in_order]
    return shuffled


def same_cells(one: Release, other: Release) -> bool:
    """Whether two releases have the same rows and read alike, whatever the secrets; those of groups count."""
    shown = one.quasi if one.secrets is None else [*one.quasi, one.secrets.column]
    if one.rows is None or other.rows is None or not np.array_equal(one.rows, other.rows):
        return False
    return all(_read_alike(one.columns[name], other.columns[name]) for name in shown)


def _read_alike(one: Column, other: Column) -> bool:
    """Whether two columns of one attribute show the same texts; the ends of runs of values tell without any text."""
    if any(column.sets.has_own_labels or (column.sets.mask_row >= 0).any() for column in (one, other)):
        return np.array_equal(one.texts(), other.texts())
    ends = ((column.sets.lo[column.index], column.sets.hi[column.index]) for column in (one, other))
    return all(np.array_equal(first, second) for first, second in zip(*ends, strict=True))
