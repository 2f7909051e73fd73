"""Clustering: OKA (Lin and Wei 2008), KACA (Li, Wong, Fu and Pei 2006) and GCCG (Ni, Xie and Qian 2017).

Rows that are near each other form clusters of at least k, and each cluster is generalized: the methods that tuple
migration is compared with. What the sources leave open (order of rows, ties, centres) is named in each class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from anonnb.core.arrays import group_ids, group_min_max, group_order
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.clustering.clusters import RowDistance, ValueDistance, cluster_release, merge_failing, reported
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets


@dataclass(frozen=True)
class _Clustering(GroupMethod):
    """Clusters of rows, repaired where a required model fails, then generalized."""

    uses_hierarchies: ClassVar[bool] = True
    order_matters: ClassVar[bool] = True

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        groups = self._clusters(table, progress) if self.k > 1 else np.arange(len(table))
        if self.require:
            groups = merge_failing(table, groups, int(groups.max()) + 1, self.group_check(table))
        return cluster_release(self, table, groups)

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        raise NotImplementedError


@register
@dataclass(frozen=True)
class OKA(_Clustering):
    """One-pass k-means (Lin and Wei 2008): ⌊n/k⌋ random seeds, each row joins the nearest cluster, whose centre moves.

    Then clusters over k give up their farthest rows, which go to the nearest cluster under k, and when there is none,
    to the nearest of all. Open in the source: rows come in the table's order; the centre of a category is its most
    frequent value in the cluster (the earlier one among equals); the centres stand still while surplus rows move.

    >>> import anonnb
    >>> int(OKA(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True
    """

    rows_in_seconds: ClassVar[int] = 100_000

    seed: int = 0

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        from anonnb.methods.clustering import _oka

        seeds = np.random.default_rng(self.seed).choice(len(table), len(table) // self.k, replace=False)
        numeric = [name for name in table.quasi if _is_plain_number(table.attributes[name])]
        numbers = np.column_stack([_scaled(table, name) for name in numeric] or [np.empty((len(table), 0))])
        others = [name for name in table.quasi if name not in numeric]
        domains = _oka.domains([ValueDistance(table.attributes[name]) for name in others])
        return _oka.one_pass(seeds, self.k, numbers, table.code_matrix(others).astype(np.int64), domains)


@register
@dataclass(frozen=True)
class GCCG(_Clustering):
    """Grading, centering, clustering, generalization (Ni, Xie and Qian 2017).

    A row's grade is the sum of the frequencies of its categories. The row with the highest grade left is a centre and
    takes its k - 1 nearest rows, ⌊n/k⌋ times; the rest go to the nearest centre. Open in the source: without
    categories the values of all quasi-identifiers are graded; equal grades and distances go by position, where rows
    with the same quasi-identifier stand together at the place of the first.

    >>> import anonnb
    >>> int(GCCG(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True
    """

    rows_in_seconds: ClassVar[int] = 100_000

    def _clusters(self, table: Table, progress: Progress) -> np.ndarray:
        same, n_same = group_ids(list(table.code_matrix().T))
        rows, starts = group_order(same, n_same)  # rows with equal quasi-identifiers are served together
        taken, left = starts[:-1].copy(), np.diff(starts)
        distance, first = RowDistance(table), rows[starts[:-1]]
        by_grade = np.argsort(-_grades(table)[first], kind="stable")
        clusters, centres, place = np.empty(len(table), dtype=np.int64), [], 0
        for number in progress(range(len(table) // self.k), desc="clusters"):
            while left[by_grade[place]] == 0:
                place += 1
            centre = by_grade[place]
            centres.append(first[centre])
            for kind, count in _nearest_rows(distance(first[centre], first), left, self.k, centre):
                clusters[rows[taken[kind] : taken[kind] + count]] = number
                taken[kind] += count
                left[kind] -= count
        for kind in np.flatnonzero(left):
            nearest = int(distance(first[kind], np.array(centres)).argmin())
            clusters[rows[taken[kind] : starts[kind + 1]]] = nearest
        return clusters


@register
@dataclass(frozen=True)
class KACA(_Clustering):
    """K-anonymization by clustering in attribute hierarchies (Li, Wong, Fu and Pei 2006).

    Groups of equal rows; a group under k merges with the group at the least distance: the size-weighted distortion of
    both to their common generalization. A step from level j to j - 1 of a hierarchy (level 1 is the top, h the values)
    costs w_j = 1/(j - 1)^beta over the sum of all. Open in the source: groups come by position, and a merged group goes
    on until it holds k. Numbers without a hierarchy get the default intervals.

    >>> import anonnb
    >>> int(KACA(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.beta >= 0:
            raise ValueError(f"beta must be at least 0, not {self.beta!r}")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        trees = [_Tree(table.attributes[name], self.beta) for name in table.quasi]
        home, count = group_ids(list(table.code_matrix().T))
        order, starts = group_order(home, count)
        nodes = table.code_matrix()[order[starts[:-1]]].astype(np.int64)  # a code is its own leaf
        owner = _merge_small(nodes, np.diff(starts), trees, self._unsafe(table, home, count), progress)
        final = nodes[owner[home]]
        columns = {
            name: tree.column(final[:, a]) for a, (name, tree) in enumerate(zip(table.quasi, trees, strict=True))
        }
        return reported(Release(table, columns, np.arange(len(table)), method=self))

    def _unsafe(self, table: Table, home: np.ndarray, count: int) -> Callable[[np.ndarray], bool]:
        """Tells whether groups of equal rows, united, still miss k or a required model."""
        sizes = np.bincount(home, minlength=count)
        if not self.require:
            return lambda parts: bool(sizes[parts].sum() < self.k)
        check, (order, starts) = self.group_check(table), group_order(home, count)

        def unsafe(parts: np.ndarray) -> bool:
            rows = np.concatenate([order[starts[part] : starts[part + 1]] for part in parts])
            return not check(np.zeros(len(rows), dtype=np.int64), 1, rows)[0]

        return unsafe


# ---- KACA -------------------------------------------------------------------------------------------------------


class _Tree:
    """A hierarchy as nodes: the codes first, then the labels of each level; a root is added where the top has several.

    Nothing is kept for pairs of nodes: what a node shares with all others is computed when it is asked for.
    """

    ROWS = 256  # nodes whose costs are remembered: all of a small domain

    def __init__(self, attribute: Attribute, beta: float):
        self.attribute = attribute
        levels = attribute.levels
        maps, labels = list(levels.maps), list(levels.labels)
        if len(labels[-1]) > 1:
            maps, labels = [*maps, np.zeros(attribute.size, dtype=np.int32)], [*labels, ["*"]]
        counts = [len(names) for names in labels]
        self._maps, self._offsets = maps, np.concatenate([[0], np.cumsum(counts)])[:-1]
        self.labels = [name for names in labels for name in names]
        steps = 1.0 / np.arange(1, len(maps)) ** beta  # w_2 … w_h: the step next to the top weighs most
        self._depth = np.append(np.cumsum(steps / steps.sum())[::-1], 0.0)  # of each level, from the values to the top
        self._level = np.repeat(np.arange(len(maps)), counts)
        ends = [group_min_max(np.arange(attribute.size), own, n) for own, n in zip(maps, counts, strict=True)]
        self._lo, self._hi = (np.concatenate(parts) for parts in zip(*ends, strict=True))
        self._sizes = np.concatenate([np.bincount(own, minlength=n) for own, n in zip(maps, counts, strict=True)])
        some_code = np.where(self._sizes > 0, self._lo, 0)
        self._ancestors = np.stack([own[some_code] + start for own, start in zip(maps, self._offsets, strict=True)])
        self.with_each = lru_cache(self.ROWS)(self._with)

    def _with(self, node: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For every node: what generalizing the two together costs ``node``, what the other, and the common parent."""
        shared = self._ancestors == self._ancestors[:, node, None]
        shared &= np.arange(len(self._maps))[:, None] >= np.maximum(self._level, self._level[node])
        lowest = shared.argmax(axis=0)
        together = self._depth[lowest]
        own, others = self._depth[self._level[node]] - together, self._depth[self._level] - together
        return own, others, self._ancestors[lowest, node]

    def column(self, nodes: np.ndarray) -> Column:
        """The published column: each node as the set of the values below it, under its label."""
        used, index = np.unique(nodes, return_inverse=True)
        lo, hi = self._lo[used], self._hi[used]
        gaps = hi - lo + 1 != self._sizes[used]
        masks = [
            self._maps[level] == node - self._offsets[level] for node in used[gaps] for level in [self._level[node]]
        ]
        rows = np.where(gaps, np.cumsum(gaps) - 1, -1).astype(np.int32)
        shape = (-1, self.attribute.size)
        sets = ValueSets(
            self.attribute, lo, hi, np.array(masks, dtype=bool).reshape(shape), rows, [self.labels[n] for n in used]
        )
        return Column(sets, index.ravel())


def _merge_small(
    nodes: np.ndarray, sizes: np.ndarray, trees: list[_Tree], unsafe: Callable, progress: Progress
) -> np.ndarray:
    """Merge unsafe groups with their nearest; ``nodes`` becomes the merged groups'. Returns each group's owner."""
    sizes, parts = sizes.copy(), [[group] for group in range(len(sizes))]
    alive = np.ones(len(sizes), dtype=bool)
    for start in progress(range(len(sizes)), desc="groups"):
        group = start
        while alive[group] and alive.sum() > 1 and unsafe(np.array(parts[group])):
            own, others = nodes[group], np.zeros(len(sizes))
            mine = np.zeros(len(sizes))
            for a, tree in enumerate(trees):
                own_cost, other_cost, _ = tree.with_each(int(own[a]))
                mine += own_cost[nodes[:, a]]
                others += other_cost[nodes[:, a]]
            distance = np.where(alive, sizes[group] * mine + sizes * others, np.inf)
            distance[group] = np.inf
            target = int(distance.argmin())
            nodes[target] = [tree.with_each(int(own[a]))[2][nodes[target, a]] for a, tree in enumerate(trees)]
            sizes[target] += sizes[group]
            parts[target] += parts[group]
            alive[group] = False
            group = target
    owner = np.empty(len(sizes), dtype=np.int64)
    for group in np.flatnonzero(alive):
        owner[parts[group]] = group
    return owner


# ---- OKA and GCCG -----------------------------------------------------------------------------------------------


def _is_plain_number(attribute: Attribute) -> bool:
    return attribute.kind == "numeric" and not attribute.missing  # a missing value has no mean


def _scaled(table: Table, name: str) -> np.ndarray:
    numbers = table.attributes[name].numbers
    width = float(numbers.max() - numbers.min()) or 1.0
    return (numbers / width)[table.codes(name)]


def _grades(table: Table) -> np.ndarray:
    names = [name for name in table.quasi if table.attributes[name].kind == "nominal"] or table.quasi
    frequencies = [np.bincount(table.codes(name))[table.codes(name)] for name in names]
    return np.sum(frequencies, axis=0)


def _nearest_rows(distance: np.ndarray, left: np.ndarray, wanted: int, centre: int) -> list[tuple[int, int]]:
    """How many rows to take of which kind, the nearest first, until ``wanted`` are found; the centre's own lead."""
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
