"""What the clustering methods share: distances of values, the repair of clusters that miss a model, the release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.core.errors import Infeasible
from anonnb.core.parameters.constraints import Flag
from anonnb.core.parameters.declared import parameter
from anonnb.methods.base import GroupMethod, Method, Progress
from anonnb.methods.merging import Merging, pass_together
from anonnb.rules.association.counting import rule_changes
from anonnb.steps.recording import silent
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

MAX_LISTED = 200  # rows or clusters in a frame of candidates, the nearest ones
SAMPLE = 200  # pairs of rows that say how far rows are apart


class ValueDistance:
    """The distances of an attribute's values, 0 to 1: |Δ|/range for numbers and ranks, tree distance or 0/1 otherwise.

    Tree distance is the height of the lowest common ancestor over the height of the hierarchy. A missing value is at
    distance 1 from every other. Only what grows with the domain is kept, nothing for pairs of values: numbers have
    ``numbers`` and ``width``, categories ``maps`` (the label of each value, level by level).
    """

    def __init__(self, attribute: Attribute):
        self.weight = attribute.weight
        self.numbers, self.width, self.maps = np.zeros(attribute.size), 0.0, np.zeros((0, attribute.size), np.int64)
        if attribute.kind != "nominal":
            self.numbers = attribute.numbers * attribute.difference_scale
            known = self.numbers[: len(attribute.domain)]
            self.width = float(known.max() - known.min() if len(known) else 0.0) or 1.0
        elif attribute.hierarchy is not None:
            self.maps = np.asarray(attribute.levels.maps, dtype=np.int64)
        else:
            self.maps = np.stack([np.arange(attribute.size), np.zeros(attribute.size, dtype=np.int64)])

    def __call__(self, code: int) -> np.ndarray:
        """Return the distance of one value from every value."""
        distance = self._differences(self.numbers[code], self.numbers, self.maps[:, code, None], self.maps)
        distance[code] = 0.0
        return distance * self.weight

    def between(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the distances of pairs of values."""
        distance = self._differences(self.numbers[one], self.numbers[other], self.maps[:, one], self.maps[:, other])
        distance[one == other] = 0.0
        return distance * self.weight

    def _differences(
        self, number: np.ndarray, numbers: np.ndarray, labels: np.ndarray, other_labels: np.ndarray
    ) -> np.ndarray:
        if len(self.maps) == 0:
            distance = np.abs(number - numbers) / self.width
            distance[np.isnan(distance)] = 1.0
            return distance
        same = other_labels == labels
        return np.where(same.any(axis=0), same.argmax(axis=0), len(self.maps) - 1) / (len(self.maps) - 1)


def usual_distances(distances: list[ValueDistance], codes: np.ndarray) -> np.ndarray:
    """Return how far two rows usually are apart in each attribute: the mean over some pairs of rows."""
    count = len(codes)
    sample = np.arange(0, count, max(count // SAMPLE, 1))
    pairs = zip(distances, codes[sample].T, codes[(sample + count // 2) % count].T, strict=True)
    return np.array([np.mean(each.between(one, other)) for each, one, other in pairs])


class RowDistance:
    """Distances from one row to many, as the sum over the quasi-identifiers.

    Parameters
    ----------
    table:
        The table whose quasi-identifiers are compared. Each contributes between 0 and 1, times its weight.

    Examples
    --------
    >>> import pandas as pd
    >>> distance = RowDistance(Table(pd.DataFrame({"age": [20, 30, 40], "sex": list("fmm")}), quasi=["age", "sex"]))
    >>> distance(0, np.array([0, 1, 2])).tolist()
    [0.0, 1.5, 2.0]
    """

    def __init__(self, table: Table):
        self.values = [ValueDistance(table.attributes[name]) for name in table.quasi]
        self.codes = [table.codes(name) for name in table.quasi]

    def __call__(self, row: int, others: np.ndarray) -> np.ndarray:
        return sum(distance(c[row])[c[others]] for distance, c in zip(self.values, self.codes, strict=True))


class NearestMerges(Merging):
    """Every cluster that misses a required model unites with the nearest one.

    The distance of two clusters is that of their first rows; ties go by position.
    """

    priced: ClassVar[str] = "distance"

    def __init__(self, table: Table, groups: np.ndarray, n_groups: int, check: Callable):
        order, starts = group_order(groups, n_groups)
        super().__init__(np.split(order, starts[1:-1]), check(groups, n_groups), table)
        self._check, self._distance, self._first = check, RowDistance(table), order[starts[:-1]]

    def prices(self, group: int) -> np.ndarray:
        others = np.flatnonzero(self.alive)
        others = others[others != group]
        prices = np.full(len(self.alive), np.inf)
        prices[others] = self._distance(self._first[group], self._first[others])
        return prices

    def passes(self, group: int) -> bool:
        return pass_together(self._check, self.members[group])


@dataclass(frozen=True)
class Clustering(GroupMethod):
    """Clusters of rows, repaired where a required model fails, then generalized."""

    uses_hierarchies: ClassVar[bool] = True
    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "parts"
    order_matters: ClassVar[bool] = True


@dataclass(frozen=True)
class RowClusters(Clustering):
    """Clusters that publish the values of their members; ``polish`` lowers their loss by local search."""

    polish: bool = parameter(Flag(), default=False, kw_only=True)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        groups = self._clusters(table, progress) if self.k > 1 else np.arange(len(table))
        check = self.further_check(table)
        if check is not None:
            merging = NearestMerges(table, groups, int(groups.max()) + 1, check)
            merging.run()
            groups, _ = merging.groups()
        if self.polish:
            from anonnb.optimum.polishing import polish  # needs numba, which takes a moment to import

            groups, _ = polish(table, groups, self.k, check)
        return cluster_release(self, table, groups)

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        raise NotImplementedError


def cluster_release(method: Method, table: Table, groups: np.ndarray) -> Release:
    """Generalize each cluster to what its members have: intervals for numbers and ranks, sets for categories."""
    n_groups = int(groups.max()) + 1
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name), groups, n_groups) for name in table.quasi
    }
    return reported(Release(table, columns, np.arange(len(table)), method=method))


def reported(release: Release, min_support: float = 0.5, min_confidence: float = 0.5) -> Release:
    """Give the release the same report as the migrations; its rules are those at 0.5/0.5, as in the paper."""
    changed = np.any([release.columns[name].sizes > 1 for name in release.quasi], axis=0)
    report = {"rows_changed": int(changed.sum()), **rule_report(release, min_support, min_confidence)}
    return release.replace(info={**release.info, **report})


def rule_report(
    release: Release, min_support: float, min_confidence: float, max_length: int | None = None
) -> dict[str, int | None]:
    """Numbers of significant rules: of the table, lost and new; None where there are too many to count."""
    try:
        with silent():
            kept, lost, new = rule_changes(release.table, release, min_support, min_confidence, max_len=max_length)
    except Infeasible:  # a report must not cost the release
        return {"rules": None, "lost_rules": None, "new_rules": None}
    return {"rules": kept + lost, "lost_rules": lost, "new_rules": new}
