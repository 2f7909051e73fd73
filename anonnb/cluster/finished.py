"""Regions that one worker has cut to the end, and the release that they are a part of."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class Finished:
    """Some complete regions, cut to the end: the codes of their rows, the group of each, the limits of each group."""

    block: Block
    groups: np.ndarray
    n_groups: int
    limits: Reach | None

    def release(self, method: Mondrian, whole: WholeTable) -> Release:
        """These rows as a release of their own, whose table knows the counts of the whole."""
        part, rows = whole.part(self.block), np.arange(len(self.groups))
        limits = None if self.limits is None else self.limits.of(self.groups)
        columns = summarize(part, rows, self.groups, self.n_groups, method.summary, limits)
        return Release(part, columns, rows, method=method)
