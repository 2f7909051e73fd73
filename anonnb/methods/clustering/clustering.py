"""Clustering: OKA (Lin and Wei 2008), KACA (Li, Wong, Fu and Pei 2006) and GCCG (Ni, Xie and Qian 2017).

Rows that are near each other form clusters of at least k, and each cluster is generalized: the methods that tuple
migration is compared with. Each class names what its source leaves open (order of rows, ties, centres).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.card import Card
from anonnb.core.parameters.constraints import SEED, Flag, Number
from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.clustering.clusters import (
    NearestMerges,
    RowDistance,
    ValueDistance,
    cluster_release,
    reported,
    usual_distances,
)
from anonnb.methods.clustering.distortion import CostedTree, LeastDistortion
from anonnb.methods.clustering.notes import GccgNotes, OkaNotes, tell_equal_rows
from anonnb.steps.recording import listening
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

PLAIN = 2_000  # kinds of rows up to which numpy is quick enough, and needs nothing compiled


@dataclass(frozen=True)
class _Clustering(GroupMethod):
    """Clusters of rows, repaired where a required model fails, then generalized."""

    uses_hierarchies: ClassVar[bool] = True
    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "parts"
    order_matters: ClassVar[bool] = True


@dataclass(frozen=True)
class _RowClusters(_Clustering):
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


@register
@dataclass(frozen=True)
class OKA(_RowClusters):
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
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Every class has at least k rows and meets every required model; this is checked again before the release "
            "is handed out. Every published cell holds the true value of its row."
        ),
        tested=(
            "60 random tables of 6 to 59 rows, shared with KACA and GCCG: clusters of k rows, the truth of every "
            "cell, the other columns unchanged."
        ),
        heuristic=(
            "Random seeds and one pass in the order of the table: no bound on the loss is known. On Adult it loses "
            "association rules, more at k = 50 than at k = 5."
        ),
        paper="J.-L. Lin and M.-C. Wei, An efficient clustering method for k-anonymization, PAIS 2008.",
    )

    rows_in_seconds: ClassVar[int] = 100_000

    seed: int = parameter(SEED, default=0)

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        from anonnb.methods.clustering import _oka

        seeds = np.random.default_rng(self.seed).choice(len(table), len(table) // self.k, replace=False)
        numeric = [name for name in table.quasi if _is_plain_number(table.attributes[name])]
        numbers = np.column_stack([_scaled(table, name) for name in numeric] or [np.empty((len(table), 0))])
        others = [name for name in table.quasi if name not in numeric]
        distances = [ValueDistance(table.attributes[name]) for name in others]
        codes = table.code_matrix(others).astype(np.int64)
        notes = OkaNotes(table, self.k) if listening() else None
        usual = usual_distances(distances, codes)
        return _oka.one_pass(seeds, self.k, numbers, codes, _oka.domains(distances), usual, notes)


@register
@dataclass(frozen=True)
class GCCG(_RowClusters):
    """Grading, centering, clustering, generalization (Ni, Xie and Qian 2017).

    A row's grade is the sum of the frequencies of its categories. The row with the highest grade left is a centre and
    takes its k - 1 nearest rows, ⌊n/k⌋ times; the rest go to the nearest centre. The source leaves open: without
    categories the values of all quasi-identifiers are graded; equal grades and distances go by position, where rows
    with the same quasi-identifier are at the position of the first of them.

    Parameters
    ----------
    polish:
        True improves the clusters by local search, as in :class:`~anonnb.methods.Mondrian`: the loss (NCP) falls, and
        every promise is kept.

    Examples
    --------
    >>> import anonnb
    >>> int(GCCG(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Every class has at least k rows and meets every required model; this is checked again before the release "
            "is handed out. Every published cell holds the true value of its row."
        ),
        tested=(
            "12 random tables of 40 rows: the clusters equal a plain version, row by row. 60 random tables of 6 to 59 "
            "rows, shared with OKA and KACA: clusters of k rows, the truth of every cell."
        ),
        heuristic=(
            "Centres are taken by grade, each with its k − 1 nearest rows: no bound on the loss is known. The last "
            "centres take what rows are left, near or far."
        ),
        paper=(
            "S. Ni, M. Xie and Q. Qian, Clustering based k-anonymity algorithm for privacy preservation, "
            "International Journal of Network Security 19, 2017."
        ),
    )

    rows_in_seconds: ClassVar[int] = 100_000

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        same, n_same = group_ids(list(table.code_matrix().T))
        rows, starts = group_order(same, n_same)  # rows with equal quasi-identifiers are handled together
        taken, left = starts[:-1].copy(), np.diff(starts)
        distance, first = RowDistance(table), rows[starts[:-1]]
        grades = _grades(table)[first]
        by_grade = np.argsort(-grades, kind="stable")
        if len(first) > PLAIN and not listening():
            return self._compiled_clusters(table, rows, starts, by_grade)
        clusters, centres, place = np.full(len(table), -1, dtype=np.int64), [], 0
        notes = GccgNotes(table, first, grades) if listening() else None
        for number in progress(range(len(table) // self.k), desc="clusters"):
            while left[by_grade[place]] == 0:
                place += 1
            centre = by_grade[place]
            centres.append(first[centre])
            if notes is not None:
                notes.tell_centre(centre, left, clusters, number)
            away = distance(first[centre], first)
            before, chosen = left.copy() if notes is not None else left, _nearest_rows(away, left, self.k, centre)
            for kind, count in chosen:
                clusters[rows[taken[kind] : taken[kind] + count]] = number
                taken[kind] += count
                left[kind] -= count
            if notes is not None:
                notes.tell_taken(centre, away, before, chosen, clusters)
        for kind in np.flatnonzero(left):
            away = distance(first[kind], np.array(centres))
            clusters[rows[taken[kind] : starts[kind + 1]]] = int(away.argmin())
            if notes is not None:
                notes.tell_rest(kind, away, clusters, rows[taken[kind] : starts[kind + 1]])
        return clusters

    def _compiled_clusters(self, table: Table, rows: np.ndarray, starts: np.ndarray, order: np.ndarray) -> np.ndarray:
        """The same clusters: kinds of equal ``rows``, which begin at ``starts``, in the ``order`` of their grades."""
        from anonnb.methods.clustering import _nearest, _oka, _trie

        first, left = rows[starts[:-1]], np.diff(starts)
        distances = [ValueDistance(table.attributes[name]) for name in table.quasi]
        codes = np.ascontiguousarray(table.code_matrix()[first]).astype(np.int64)
        levels = _trie.level_order(usual_distances(distances, codes))
        trie, search = _trie.empty_trie(codes[:, levels]), _trie.new_search([len(each.numbers) for each in distances])
        _nearest.put_all(trie)
        kinds_of_rows = left, codes, _oka.domains(distances), trie, search, np.argsort(levels)
        taken = _nearest.take_centres(order, *kinds_of_rows, self.k, len(table) // self.k)
        centres, begin, kinds, counts = taken
        owner = np.repeat(np.arange(len(centres)), np.diff(begin))
        kinds, counts = kinds[: begin[-1]], counts[: begin[-1]]
        by_kind, _ = group_order(kinds, len(first))  # within a kind in the order of the clusters
        clusters, distance = np.full(len(table), -1, dtype=np.int64), RowDistance(table)
        for kind in np.flatnonzero(left):
            nearest = distance(first[kind], first[centres]).argmin()
            clusters[rows[starts[kind + 1] - left[kind] : starts[kind + 1]]] = nearest
        clusters[rows[clusters[rows] < 0]] = np.repeat(owner[by_kind], counts[by_kind])
        return clusters


@register
@dataclass(frozen=True)
class KACA(_Clustering):
    """K-anonymization by clustering in attribute hierarchies (Li, Wong, Fu and Pei 2006).

    It begins with groups of equal rows. A group under k merges with the group at the least distance: the size-weighted
    distortion of both to their common generalization. A step from level j to j - 1 of a hierarchy (level 1 is the top,
    h the values) costs w_j = 1/(j - 1)^beta over the sum of all. The source leaves open: groups are taken by position,
    and a merged group continues until it holds k. Numbers without a hierarchy get the default intervals.

    Parameters
    ----------
    beta:
        How much steps near the top of a hierarchy cost beside those at the bottom; 0 makes all equal.

    Examples
    --------
    >>> import anonnb
    >>> int(KACA(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Every class has at least k rows and meets every required model; this is checked again before the release "
            "is handed out. Every published cell holds the true value of its row."
        ),
        tested=(
            "60 random tables of 6 to 59 rows, shared with OKA and GCCG: clusters of k rows, the truth of every cell, "
            "the other columns unchanged. The distances equal the paper's formula on a hierarchy of five values."
        ),
        heuristic=(
            "A small group merges with the nearest one, group by group in their order: no bound on the loss is known. "
            "Its time grows with the square of the number of groups."
        ),
        paper=(
            "J. Li, R. C.-W. Wong, A. W.-C. Fu and J. Pei, Achieving k-anonymity by clustering in attribute "
            "hierarchical structures, DaWaK 2006."
        ),
    )

    beta: float = parameter(Number(at_least=0), default=1.0)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        trees = [CostedTree(table.attributes[name], self.beta) for name in table.quasi]
        home, count = group_ids(list(table.code_matrix().T))
        order, starts = group_order(home, count)
        nodes = table.code_matrix()[order[starts[:-1]]].astype(np.int64)  # a code is its own leaf
        merging = LeastDistortion(nodes, home, trees, self.k, self.further_check(table), table)
        if listening():
            tell_equal_rows(table, home, count, merging.good)
        merging.run(progress)
        final = merging.nodes[merging.owners()]
        columns = {}
        for name, tree, shown in zip(table.quasi, trees, final.T, strict=True):
            used, index = np.unique(shown, return_inverse=True)
            columns[name] = Column(tree.sets(used), index)
        return reported(Release(table, columns, np.arange(len(table)), method=self))


# ---- OKA and GCCG -----------------------------------------------------------------------------------------------


def _is_plain_number(attribute: Attribute) -> bool:
    return attribute.kind == "numeric" and not attribute.missing  # a missing value has no mean


def _scaled(table: Table, name: str) -> np.ndarray:
    attribute = table.attributes[name]
    numbers = attribute.numbers * attribute.difference_scale
    width = float(numbers.max() - numbers.min()) or 1.0
    return (table.attributes[name].weight * (numbers / width))[table.codes(name)]


def _grades(table: Table) -> np.ndarray:
    names = [name for name in table.quasi if table.attributes[name].kind == "nominal"] or table.quasi
    frequencies = [np.bincount(table.codes(name))[table.codes(name)] for name in names]
    return np.sum(frequencies, axis=0)


def _nearest_rows(distance: np.ndarray, left: np.ndarray, wanted: int, centre: int) -> list[tuple[int, int]]:
    """How many rows to take of which kind, nearest first, until ``wanted`` are found; the centre's own kind leads."""
    distance = np.where(left > 0, distance, np.inf)
    distance[centre] = -1.0
    if wanted < len(distance):  # each kind gives at least one row, so only the nearest ones need sorting
        limit = np.partition(distance, wanted - 1)[wanted - 1]
        near = np.flatnonzero(distance <= limit)
    else:
        near = np.arange(len(distance))
    near = near[np.argsort(distance[near], kind="stable")]
    taken = []
    for kind in near.tolist():
        count = min(int(left[kind]), wanted)
        if count:
            taken.append((kind, count))
            wanted -= count
        if wanted == 0:
            break
    return taken
