"""Who in a group has which secret: how likely each person is to have each value when only the group's counts are known.

An assignment deals the secrets of a group to its people and weighs the product of their likelihoods. Small groups take
all assignments into account; for larger ones the matrix of likelihoods (people × secrets) is scaled until its rows and
columns have the group's sums (Sinkhorn and Knopp 1967), the most likely expected assignment with these sums.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from anonnb.attacks.matching.candidates import Candidates

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EXACT = 6  # people whose assignments are all taken into account
SWEEPS = 10  # scalings of rows and columns in a round; the next round continues from there
LEAST = 1e-40  # a likelihood relative to the person's best, so that products of a few stay above 0


class Crowd:
    """Kinds of people in groups, and the secrets that they may have.

    Parameters
    ----------
    group:
        The group of each kind of people, from 0 on.
    people:
        How many people are of the kind.
    fits:
        How many rows with each secret could be theirs (kinds × secrets, a sparse array).
    counts:
        How often each secret occurs in each group (groups × secrets, a sparse array).
    """

    def __init__(self, group: np.ndarray, people: np.ndarray, fits: Any, counts: Any):
        self.people = people.astype(np.float64)
        self.group, self.counts, self.n_secrets = group, counts, counts.shape[1]
        for matrix in (fits, counts):
            matrix.sort_indices()
        self.kind = np.repeat(np.arange(len(group)), np.diff(fits.indptr))  # all that follows is about these pairs
        self.secret, self._fits, self._start = fits.indices.astype(np.int64), fits.data, fits.indptr[:-1]
        self._owner = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))  # the group of each of its secrets
        columns = self._owner * self.n_secrets + counts.indices  # ascending
        self._column = np.searchsorted(columns, group[self.kind] * self.n_secrets + self.secret)
        heads = np.bincount(group, weights=people, minlength=counts.shape[0])
        self._heads, self._rows = heads, counts.sum(axis=1)
        self.n_groups = int((heads > 0).sum())
        # where more or fewer people fit a group than it has rows, they share its secrets in proportion
        self._sums = counts.data * (heads / np.maximum(self._rows, 1e-12))[self._owner]
        self._scale = np.ones(counts.nnz)

    def beliefs(self, log_likelihood: np.ndarray) -> tuple[np.ndarray, float]:
        """For each pair how likely the secret is, and how far the sums of secrets are from those of the groups."""
        weight = np.exp(log_likelihood - np.maximum.reduceat(log_likelihood, self._start)[self.kind])
        weight = np.maximum(weight, LEAST) * self._fits
        belief, off = self._scaled(weight)
        for small in self._small:
            small.put(weight, belief)
        return belief, off

    def _scaled(self, weight: np.ndarray) -> tuple[np.ndarray, float]:
        for _ in range(SWEEPS):
            row = self.people / np.add.reduceat(weight * self._scale[self._column], self._start)
            sums = np.bincount(self._column, weights=weight * row[self.kind], minlength=len(self._scale))
            off = float(np.abs(self._scale * sums - self._sums)[self._loose].max(initial=0.0))
            if off < 1e-9:
                break
            self._scale = self._bounded(np.divide(self._sums, sums, out=np.ones(len(sums)), where=sums > 0))
        part = weight * self._scale[self._column]
        return part / np.add.reduceat(part, self._start)[self.kind], off

    def _bounded(self, scale: np.ndarray) -> np.ndarray:
        """The same scales, the largest of each group 1: where no assignment has the sums, they would grow for ever."""
        starts = np.unique(self.counts.indptr[:-1][np.diff(self.counts.indptr) > 0])
        largest = np.repeat(np.maximum.reduceat(scale, starts), np.diff(np.append(starts, len(scale))))
        return np.maximum(scale / np.maximum(largest, LEAST), LEAST**3)

    @cached_property
    def _loose(self) -> np.ndarray:
        """The columns of groups that are not computed exactly."""
        return ~np.isin(self._owner, np.concatenate([np.zeros(0, int), *(small.groups for small in self._small)]))

    @cached_property
    def _small(self) -> list[SmallGroups]:
        """The groups with as many people as secrets, and few; by size."""
        whole = self._heads == self._rows
        whole[self._owner[self.counts.data != np.round(self.counts.data)]] = False
        sizes = [np.flatnonzero(whole & (self._heads == size)) for size in range(1, EXACT + 1)]
        made = [SmallGroups(self, groups, size) for size, groups in enumerate(sizes, 1) if len(groups)]
        return [small.possible(self._fits) for small in made]


class SmallGroups:
    """Groups of the same few people each: all assignments of their secrets."""

    def __init__(self, crowd: Crowd, groups: np.ndarray, size: int):
        self.groups, self._size, self._crowd = groups, size, crowd
        kinds = np.flatnonzero(np.isin(crowd.group, groups))
        kinds = kinds[np.argsort(crowd.group[kinds], kind="stable")]
        self._person = np.repeat(kinds, crowd.people[kinds].astype(int)).reshape(len(groups), size)
        counts = crowd.counts[groups]
        slot = np.repeat(counts.indices, counts.data.astype(int)).reshape(len(groups), size)
        keys = self._person[:, :, None] * crowd.n_secrets + slot[:, None, :]
        pairs = crowd.kind * crowd.n_secrets + crowd.secret  # ascending
        found = np.minimum(np.searchsorted(pairs, keys), len(pairs) - 1)
        self._pair, self._fits = found, pairs[found] == keys
        self._mine = np.flatnonzero(np.isin(crowd.group[crowd.kind], groups))
        self._people = crowd.people[crowd.kind[self._mine]]

    def possible(self, weight: np.ndarray) -> SmallGroups:
        """Those of the groups that have an assignment at all; people whose cells were changed may have none."""
        total, _ = expected_assignments(np.where(self._fits, weight[self._pair], 0.0))
        return self if (total > 0).all() else SmallGroups(self._crowd, self.groups[total > 0], self._size)

    def put(self, weight: np.ndarray, belief: np.ndarray) -> None:
        """Write what all assignments together say into the beliefs of the pairs."""
        _, expected = expected_assignments(np.where(self._fits, weight[self._pair], 0.0))
        sums = np.bincount(self._pair[self._fits], weights=expected[self._fits], minlength=len(belief))
        belief[self._mine] = sums[self._mine] / self._people


def expected_assignments(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of matrices (people × places) the total weight of all assignments, and each pair's share of it.

    People are placed one after the other; what counts of those before and after is only which places are taken. So
    n people need about n·2ⁿ steps, not n!.

    >>> total, shares = expected_assignments(np.array([[[3.0, 1.0], [1.0, 1.0]]]))
    >>> float(total[0]), shares[0].tolist()
    (4.0, [[0.75, 0.25], [0.25, 0.75]])
    """
    size, full = weights.shape[1], (1 << weights.shape[1]) - 1
    each = np.ascontiguousarray(weights.transpose(1, 2, 0))  # the matrices side by side: person, place, matrix
    before, after = np.zeros((2, full + 1, len(weights)))
    before[0] = after[full] = 1.0
    steps = [(taken, place, taken.bit_count()) for taken in range(full) for place in range(size) if ~taken >> place & 1]
    for taken, place, person in steps:
        before[taken | 1 << place] += before[taken] * each[person, place]
    for taken, place, person in reversed(steps):
        after[taken] += after[taken | 1 << place] * each[person, place]
    expected = np.zeros(each.shape)
    for taken, place, person in steps:
        expected[person, place] += before[taken] * after[taken | 1 << place]
    expected *= each / np.maximum(before[full], 1e-300)
    return before[full], expected.transpose(2, 0, 1)


def together(cases: Candidates) -> tuple[np.ndarray, csr_array]:
    """A group for each case (-1: no row fits), and how often each value of the secret occurs in each group.

    Cases and rows that fit each other are in one group, and so are rows that fit the same case: where the boxes of
    rows do not overlap, a group is a class.
    """
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.csgraph import connected_components

    kinds, first, links = len(cases._matching.published), np.full(cases.n_cases, -1), [np.zeros(0, dtype=np.int64)]
    for some, near, fits in cases._matching.blocks():
        if not len(near):
            continue
        found = fits.any(axis=1)
        first[some[found]] = near[fits[found].argmax(axis=1)]
        case, row = np.nonzero(fits)
        links.append(np.unique(first[some[case]] * kinds + near[row]))
    one, other = np.divmod(np.concatenate(links), max(kinds, 1))
    graph = coo_array((np.ones(len(one), dtype=bool), (one, other)), shape=(kinds, kinds))
    count, group = connected_components(graph, directed=False) if kinds else (0, np.zeros(0, dtype=np.int64))
    rows = csr_array((np.ones(kinds), (group, np.arange(kinds))), shape=(count, kinds))
    return np.append(group, -1)[first], rows @ cases._says[cases.secret]
