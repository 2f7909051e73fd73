"""Regions that one worker has cut to the end, and the release that they are a part of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anonnb.cluster.coding import Block, WholeTable
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.methods.mondrian.summaries import summarize
from anonnb.tables.release import Release


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
    """Some complete regions, cut to the end: the codes of their rows, the group of each, the limits of each group.

    The summary is made of the release that is checked: making that release takes a quarter of the time of cutting it.
    """

    block: Block
    groups: np.ndarray
    n_groups: int
    limits: Reach | None
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
        part, rows = whole.part(self.block), np.arange(len(self.groups))
        limits = None if self.limits is None else self.limits.of(self.groups)
        columns = summarize(part, rows, self.groups, self.n_groups, method.summary, limits)
        return Release(part, columns, rows, method=method)
