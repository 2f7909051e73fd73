"""OKA, one-pass k-means (Lin and Wei 2008), and how its steps are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd

from anonnb.core.parameters.constraints import SEED
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import number, pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.clustering.clusters import MAX_LISTED, RowClusters, ValueDistance, usual_distances
from anonnb.methods.naming import row_name
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table

if TYPE_CHECKING:
    from anonnb.methods.clustering._oka import Clusters, ComparedRows


@register
@dataclass(frozen=True)
class OKA(RowClusters):
    """One-pass k-means (Lin and Wei 2008): ⌊n/k⌋ random seeds, each row joins the nearest cluster, whose centre moves.

    Then clusters over k give up their farthest rows, which go to the nearest cluster under k or, when there is none, to
    the nearest of all. The source leaves open: rows are taken in the table's order; the centre of a category is its
    most frequent value in the cluster (the earlier one among equals); the centres stay while surplus rows move.

    Parameters
    ----------
    polish:
        True improves the clusters by local search, as in :class:`~anonnb.methods.Mondrian`: the loss (NCP) falls, and
        every promise is kept.
    seed:
        Chooses the rows that the clusters begin with.

    Examples
    --------
    >>> import anonnb
    >>> int(OKA(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Every published cell holds the true value of its row.
    tested:
        30 random tables of 12 to 90 rows: the clusters equal those of a plain version, row by row. 60 random tables of
        6 to 59 rows, shared with KACA and GCCG: clusters of k rows, the truth of every cell, the other columns
        unchanged.
    heuristic:
        Random seeds and one pass in the order of the table: no bound on the loss is known. On Adult it loses
        association rules, more at k = 50 than at k = 5.
    paper:
        J.-L. Lin and M.-C. Wei, An efficient clustering method for k-anonymization, PAIS 2008.
    """

    rows_in_seconds: ClassVar[int] = 100_000

    seed: int = parameter(SEED, default=0)

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        from anonnb.methods.clustering import _oka  # loads numba

        seeds = np.random.default_rng(self.seed).choice(len(table), len(table) // self.k, replace=False)
        numeric = [name for name in table.quasi if _is_plain_number(table.attributes[name])]
        numbers = np.column_stack([_scaled(table, name) for name in numeric] or [np.empty((len(table), 0))])
        others = [name for name in table.quasi if name not in numeric]
        distances = [ValueDistance(table.attributes[name]) for name in others]
        codes = table.code_matrix(others).astype(np.int64)
        rows = _oka.ComparedRows(numbers, codes, _oka.flat_domains(distances))
        joined, freed, groups = _oka.two_passes(seeds, self.k, rows, usual_distances(distances, codes))
        if listening():
            record = _OkaRecord(table, self.k, rows, distances)
            record.first_pass(seeds, joined)
            record.second_pass(freed, groups)
        return groups


def _is_plain_number(attribute: Attribute) -> bool:
    return attribute.kind == "numeric" and not attribute.missing  # a missing value has no mean


def _scaled(table: Table, name: str) -> np.ndarray:
    attribute = table.attributes[name]
    numbers = attribute.numbers * attribute.difference_scale
    width = float(numbers.max() - numbers.min()) or 1.0
    return (table.attributes[name].weight * (numbers / width))[table.codes(name)]


# ---- the steps ------------------------------------------------------------------------------------------------------


class _OkaRecord:
    """Goes through the two passes again, with the clusters that the rows went to, and tells each move."""

    def __init__(self, table: Table, k: int, rows: ComparedRows, distances: list[ValueDistance]):
        self._table, self._k, self._rows, self._distances = table, k, rows, distances
        self._groups = np.full(len(table), -1, dtype=np.int64)
        self._clusters: Clusters

    def first_pass(self, seeds: np.ndarray, joined: np.ndarray) -> None:
        """Each row, in order, joins the cluster in ``joined``, whose centre moves."""
        from anonnb.methods.clustering._oka import join, single_rows

        self._clusters = single_rows(self._rows, seeds)
        self._groups[seeds] = np.arange(len(seeds))
        clusters = pluralize(len(seeds), "cluster")
        note(
            f"Open {clusters}",
            f"At k = {self._k}, {pluralize(len(joined), 'row')} make {clusters}; each starts from a random row.",
            lambda: RowGroups(self._table, self._groups, seeds),
        )
        for row in np.flatnonzero(self._groups < 0).tolist():
            cluster = int(joined[row])
            self._record_join(row, cluster)
            join(row, cluster, self._rows, self._clusters)

    def _record_join(self, row: int, cluster: int) -> None:
        name, members = row_name(self._table, row), self._clusters.members
        self._groups[row] = cluster
        note(
            f"Join {name} to cluster {cluster}",
            lambda: (
                f"Cluster {cluster} has the nearest of {pluralize(len(members), 'center')}, at distance "
                f"{number(self._away(row)[cluster])}. The row joins it, and the center moves toward the row."
            ),
            lambda: RowGroups(self._table, self._groups, np.array([row])),
            lambda: _frame(self._away(row), members),
            [f"cluster {cluster}"],
        )

    def second_pass(self, freed: np.ndarray, groups: np.ndarray) -> None:
        """The freed rows, in order, go to the clusters in ``groups``; the centres stay."""
        if not len(freed):
            return
        members = np.minimum(self._clusters.members, self._k)
        self._groups[freed] = -1
        rows = pluralize(len(freed), "row")
        note(
            f"Free {rows}",
            f"Each cluster keeps the k = {self._k} rows nearest to its center and gives up the rest, {rows} in total.",
            lambda: RowGroups(self._table, self._groups, freed),
        )
        for row in freed.tolist():
            self._record_move(row, int(groups[row]), members)
            members[groups[row]] += 1

    def _record_move(self, row: int, cluster: int, members: np.ndarray) -> None:
        name, short = row_name(self._table, row), bool((members < self._k).any())
        candidates = np.flatnonzero(members < self._k) if short else np.arange(len(members))
        among = f"{len(candidates):,} clusters with fewer than k = {self._k} rows" if short else "all clusters"
        if len(candidates) == 1:
            sentence = f"Only cluster {cluster} has fewer than k = {self._k} rows, so {name} goes there, at distance "
        else:
            sentence = f"Among {among}, cluster {cluster} is nearest to {name}, at distance "
        self._groups[row] = cluster
        note(
            f"Move {name} to cluster {cluster}",
            lambda: f"{sentence}{number(self._away(row)[cluster])}.",
            lambda: RowGroups(self._table, self._groups, np.array([row])),
            lambda: _frame(self._away(row), members, candidates),
            [f"cluster {cluster}"],
        )

    def _away(self, row: int) -> np.ndarray:
        """Return the distance of a row from each centre as it is now."""
        away = np.zeros(len(self._clusters.members))
        for value, means in zip(self._rows.numbers[row], self._clusters.means, strict=True):
            away += np.abs(value - means)
        for code, modes, distance in zip(self._rows.codes[row], self._clusters.modes, self._distances, strict=True):
            away += distance(code)[modes]
        return away


def _frame(distance: np.ndarray, members: np.ndarray, which: np.ndarray | None = None) -> pd.DataFrame:
    """Clusters, all or some of them, with their numbers of rows, the nearest first."""
    clusters = np.arange(len(distance)) if which is None else which
    clusters = clusters[np.argsort(distance[clusters], kind="stable")][:MAX_LISTED]
    labels = [f"cluster {cluster}" for cluster in clusters]
    return pd.DataFrame({"distance": distance[clusters], "rows": members[clusters]}, index=labels)
