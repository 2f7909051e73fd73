"""What a check of a lattice node finds, and the best node of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonnb.methods.lattice.frequencies import FrequencySet
from anonnb.methods.lattice.tags import Node


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a check of a node found: its classes, which of them miss the requirement, and the rows in those."""

    found: FrequencySet
    bad: np.ndarray
    suppressed: int
    passes: bool

    @property
    def node(self) -> Node:
        return self.found.node

    @property
    def n_classes(self) -> int:
        """Distinct tuples that would be published."""
        return int(len(self.bad) - self.bad.sum())


@dataclass(frozen=True, eq=False)
class Best:
    """The best node found, its loss, and a bound that no node can go below."""

    verdict: Verdict
    loss: float
    bound: float = -np.inf

    @property
    def proved(self) -> bool:
        return self.bound >= self.loss
