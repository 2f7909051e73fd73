"""What the clustering methods share: distances of values, the repair of clusters that miss a model, the release."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.methods.base import Method
from anonnb.rules.association.counting import rule_changes
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


class ValueDistance:
    """The distances of an attribute's values, 0 to 1: |Δ|/range for numbers and ranks, tree distance or 0/1 otherwise.

    Tree distance is the height of the lowest common ancestor over the height of the hierarchy. A missing value is at
    distance 1 from every other. Only what grows with the domain is kept, nothing for pairs of values: numbers have
    ``numbers`` and ``width``, categories ``maps`` (the label of each value, level by level).
    """

    def __init__(self, attribute: Attribute):
        self.numbers, self.width, self.maps = np.zeros(attribute.size), 0.0, np.zeros((0, attribute.size), np.int64)
        if attribute.kind != "nominal":
            self.numbers = attribute.numbers.astype(np.float64)
            known = self.numbers[: len(attribute.domain)]
            self.width = float(known.max() - known.min() if len(known) else 0.0) or 1.0
        elif attribute.hierarchy is not None:
            self.maps = np.asarray(attribute.levels.maps, dtype=np.int64)
        else:
            self.maps = np.stack([np.arange(attribute.size), np.zeros(attribute.size, dtype=np.int64)])

    def __call__(self, code: int) -> np.ndarray:
        """The distance of one value from every value."""
        if len(self.maps) == 0:
            distance = np.abs(self.numbers[code] - self.numbers) / self.width
            distance[np.isnan(distance)] = 1.0
        else:
            same = self.maps == self.maps[:, code, None]
            distance = np.where(same.any(axis=0), same.argmax(axis=0), len(self.maps) - 1) / (len(self.maps) - 1)
        distance[code] = 0.0
        return distance


class RowDistance:
    """Distances from one row to many, as the sum over the quasi-identifiers."""

    def __init__(self, table: Table):
        self.values = [ValueDistance(table.attributes[name]) for name in table.quasi]
        self.codes = [table.codes(name) for name in table.quasi]

    def __call__(self, row: int, others: np.ndarray) -> np.ndarray:
        return sum(distance(c[row])[c[others]] for distance, c in zip(self.values, self.codes, strict=True))


def merge_failing(table: Table, groups: np.ndarray, n_groups: int, check: Callable) -> np.ndarray:
    """Unite every cluster that misses a required model with the nearest one, until all satisfy it or one is left.

    Near is measured between the clusters' first rows; ties go to the position.
    """
    distance = RowDistance(table)
    first = np.full(n_groups, -1)
    first[groups[::-1]] = np.arange(len(groups))[::-1]
    members = [rows.tolist() for rows in np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups)))]
    alive = np.ones(n_groups, dtype=bool)

    def good(group: int) -> bool:
        rows = np.array(members[group])
        return bool(check(np.zeros(len(rows), dtype=np.int64), 1, rows)[0])

    for group in np.flatnonzero(~np.asarray(check(groups, n_groups))).tolist():
        while alive[group] and alive.sum() > 1 and not good(group):
            others = np.flatnonzero(alive)
            others = others[others != group]
            target = int(others[distance(first[group], first[others]).argmin()])
            members[target] += members[group]
            alive[group] = False
            group = target
    merged = groups.copy()
    for number, group in enumerate(np.flatnonzero(alive).tolist()):
        merged[members[group]] = number
    return merged


def cluster_release(method: Method, table: Table, groups: np.ndarray) -> Release:
    """Generalize each cluster to what its members have: intervals for numbers and ranks, sets for categories."""
    n_groups = int(groups.max()) + 1
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name), groups, n_groups) for name in table.quasi
    }
    return reported(Release(table, columns, np.arange(len(table)), method=method))


def reported(release: Release, min_support: float = 0.5, min_confidence: float = 0.5) -> Release:
    """The release with the same report that the migrations give; the rules are those at 0.5/0.5, as in the paper."""
    changed = np.any([release.columns[name].sizes > 1 for name in release.quasi], axis=0)
    release.info |= {"rows_changed": int(changed.sum())}
    release.info |= rule_report(release, min_support, min_confidence)
    return release


def rule_report(
    release: Release, min_support: float, min_confidence: float, max_length: int | None = None
) -> dict[str, int | None]:
    """Numbers of significant rules: of the table, lost and new; None where there are too many to count."""
    try:
        kept, lost, new = rule_changes(release.table, release, min_support, min_confidence, max_len=max_length)
    except Infeasible:  # a report must not cost the release
        return {"rules": None, "lost_rules": None, "new_rules": None}
    return {"rules": kept + lost, "lost_rules": lost, "new_rules": new}
