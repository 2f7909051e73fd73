"""What a lattice node costs, and a lower bound on what every node above it costs.

The floors make a best-first search exact: a row's class only grows upward, and a suppressed row is charged in full, so
a node's floor holds for all nodes above it. Costs equal those of :mod:`anonnb.utility`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from anonnb import utility
from anonnb.methods.lattice.frequencies import Frequencies, FrequencySet
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

Measure = Callable[[Table, Release], float]

# measures of anonnb.utility where more is better: their loss is the negative
MORE_IS_BETTER = ("precision", "truthfulness", "tree_accuracy", "rule_accuracy")


class Loss:
    """Base: the loss of a node given its frequency set and a flag per class that says which are suppressed."""

    def __init__(self, table: Table, frequencies: Frequencies, k: int):
        self.frequencies, self.k = frequencies, k

    def floors(self) -> np.ndarray:
        """Return a bound for every node that needs no counting, as an array over the lattice."""
        return np.zeros(self.frequencies.shape)

    def floor(self, found: FrequencySet) -> float:
        """Return a bound for this node and all nodes above it."""
        return 0.0

    def of(self, found: FrequencySet, bad: np.ndarray) -> float:
        raise NotImplementedError


class Discernibility(Loss):
    """Σ |E|² over the classes that stay, n · |E| over the suppressed; every row ends in a class of k or more."""

    def floor(self, found: FrequencySet) -> float:
        return float(found.counts @ np.maximum(found.counts, self.k))

    def of(self, found: FrequencySet, bad: np.ndarray) -> float:
        return float(found.counts @ np.where(bad, self.frequencies.n_rows, found.counts))


class LevelLoss(Loss):
    """Mean over rows and columns of a cost that a label has by itself; a suppressed row costs 1 per column."""

    def __init__(self, table: Table, frequencies: Frequencies, k: int):
        super().__init__(table, frequencies, k)
        self._costs, means, lowest, self._weight = [], [], [], 0.0
        for name in frequencies.names:
            attribute, codes = table.attributes[name], table.codes(name)
            levels = range(attribute.usable.height + 1)
            columns = [Column.generalized(attribute, codes, level) for level in levels]
            costs = [self._label_costs(column, level) for level, column in zip(levels, columns, strict=True)]
            self._costs.append([cost * attribute.weight for cost in costs])
            self._weight += attribute.weight
            mean = np.array([cost[column.index].mean() for cost, column in zip(costs, columns, strict=True)])
            mean *= attribute.weight
            means.append(mean)
            lowest.append(np.minimum.accumulate(mean[::-1])[::-1])  # a repeated label may cost less higher up
        self._means = reduce(np.add.outer, means) / self._weight
        self._floors = reduce(np.add.outer, lowest) / self._weight

    def _label_costs(self, column: Column, level: int) -> np.ndarray:
        raise NotImplementedError

    def floors(self) -> np.ndarray:
        return self._floors.copy()

    def floor(self, found: FrequencySet) -> float:
        return float(self._floors[found.node])

    def of(self, found: FrequencySet, bad: np.ndarray) -> float:
        gone = np.flatnonzero(bad)
        labels = self.frequencies.labels(found, gone)
        spared = (
            sum(costs[level][label] for costs, level, label in zip(self._costs, found.node, labels, strict=True))
            / self._weight
        )
        return float(self._means[found.node] + found.counts[gone] @ (1 - spared) / self.frequencies.n_rows)


class Ncp(LevelLoss):
    """Normalized certainty penalty, see :func:`anonnb.utility.ncp`."""

    def _label_costs(self, column: Column, level: int) -> np.ndarray:
        return utility.set_costs(column.attribute, column.sets)


class Precision(LevelLoss):
    """1 − precision: level / height of the hierarchy, mean over the cells (Sweeney 2002)."""

    def _label_costs(self, column: Column, level: int) -> np.ndarray:
        return utility.set_levels(column.attribute, column.sets) / column.attribute.levels.height


FAST = {"discernibility": Discernibility, "ncp": Ncp, "precision": Precision}


def measure_named(name: str) -> Measure:
    """Return a measure of :mod:`anonnb.utility` as a loss: less is better."""
    function = getattr(utility, name, None) if not name.startswith("_") else None
    if not callable(function):
        known = ", ".join(map(repr, FAST))
        raise ValueError(f"choose: the measure {name!r} is not known; use {known} or a name in utility")
    sign = -1.0 if name in MORE_IS_BETTER else 1.0
    return lambda table, release: sign * float(function(table, release))
