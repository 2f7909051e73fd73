"""Regions that one worker has cut to the end, and the release that they are a part of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anonnb.cluster.coding import Block, WholeTable
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.release import Release
from anonnb.tables.value_sets import Column


@dataclass(frozen=True, eq=False)
class Reach:
    """How far regions reach on each axis: arrays of axes × regions, or axes × rows."""

    low: np.ndarray
    high: np.ndarray

    def of(self, places: np.ndarray) -> Reach:
        return Reach(self.low[:, places], self.high[:, places])


class Summary(NamedTuple):
    """What the client keeps of one part: rows, classes, rows of the smallest class, columns of single values only."""

    rows: int
    classes: int
    smallest: int
    exact: list[str]

    @classmethod
    def of(cls, release: Release) -> Summary:
        exact = [name for name in release.quasi if release.columns[name].is_exact()]
        return cls(len(release), release.n_groups, int(release.group_sizes.min(initial=np.iinfo(np.int64).max)), exact)


@dataclass(frozen=True, eq=False)
class Finished:
    """Some complete regions, cut to the end: the codes of their rows, the group of each, and what each group publishes.

    ``columns`` have a cell per group.
    """

    block: Block
    groups: np.ndarray
    columns: dict[str, Column]
    summary: Summary | None = None

    @classmethod
    def checked(cls, method: Mondrian, whole: WholeTable, *fields: object) -> Finished:
        """What a worker has cut, once it is known that it keeps the method's promise."""
        release = cls(*fields).release(method, whole)
        method.promise.check(release)
        return cls(*fields, Summary.of(release))

    def told(self) -> Summary:
        return self.summary

    def release(self, method: Mondrian, whole: WholeTable) -> Release:
        """These rows as a release of their own, whose table knows the counts of the whole."""
        columns = {name: column.take(self.groups) for name, column in self.columns.items()}
        return Release(whole.part(self.block), columns, np.arange(len(self.groups)), method=method)
