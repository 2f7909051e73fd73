"""A pool of groups as one sparse matrix: points × groups, the units of each point in each group.

Every group that a better grouping can use is in the pool, so programs over it need no further search. Pools shrink: a
group whose reduced cost is above what is left between bound and best total is in no better grouping (reduced cost
fixing, Baldacci et al. 2008).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array, hstack

from anonnb.optimum._search import Charges
from anonnb.optimum.generation import Pricing, Problem


@dataclass(frozen=True)
class Pool:
    """Groups of a problem, and what each costs."""

    problem: Problem
    matrix: csc_array
    costs: np.ndarray

    @classmethod
    def of(cls, problem: Problem, members: np.ndarray, sizes: np.ndarray) -> Pool:
        """The groups whose units are the first ``sizes`` entries of each line of ``members``."""
        used = np.arange(members.shape[1]) < sizes[:, None]
        points, owner = members[used], np.repeat(np.arange(len(sizes)), sizes)
        matrix = csc_array((np.ones(len(points)), (points, owner)), shape=(len(problem.points.units), len(sizes)))
        matrix.sum_duplicates()
        return cls(problem, matrix, _costs(problem, matrix))

    @classmethod
    def up_to(
        cls, problem: Problem, prices: np.ndarray, limit: float, room: int, nodes: int, charges: Charges | None = None
    ) -> Pool | None:
        """All groups that cost at most ``limit`` more than their prices, with what cuts charge; None for too many."""
        found = Pricing(problem).every(prices, limit, room, nodes, charges)
        return None if found is None else cls.of(problem, *found)

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the points of every group begin, the points, and their units, for the compiled loops."""
        return self.matrix.indptr, self.matrix.indices, self.matrix.data

    def joined(self, other: Pool) -> Pool:
        """These groups and those of another pool."""
        matrix = csc_array(hstack([self.matrix, other.matrix]))
        return Pool(self.problem, matrix, np.concatenate([self.costs, other.costs]))

    def take(self, which: np.ndarray) -> Pool:
        """Some of the groups."""
        return Pool(self.problem, self.matrix[:, which], self.costs[which])

    def group(self, number: int) -> np.ndarray:
        """The points of a group's units."""
        own = slice(self.matrix.indptr[number], self.matrix.indptr[number + 1])
        return np.repeat(self.matrix.indices[own], self.matrix.data[own].astype(np.int64))

    def with_rest(self, which: np.ndarray | None = None) -> tuple[np.ndarray, csc_array]:
        """Costs and matrix of the groups (or some), followed by a column for every point that is left out."""
        matrix, costs = self.matrix, self.costs
        if which is not None:
            matrix, costs = matrix[:, which], costs[which]
        rest = eye_array(matrix.shape[0], format="csc")
        return np.concatenate([costs, self.problem.withheld]), csc_array(hstack([matrix, rest]))


def _costs(problem: Problem, matrix: csc_array) -> np.ndarray:
    """What every group of a matrix costs."""
    points, sizes = problem.points, np.asarray(matrix.sum(axis=0)).ravel()
    if points.squares:
        sums = points.place.T @ matrix
        return (points.place**2).sum(axis=1) @ matrix - (sums**2).sum(axis=0) / sizes
    width, begins = np.zeros(len(sizes)), matrix.indptr[:-1]
    for column, nominal in enumerate(points.is_nominal):
        if nominal:
            values = csr_array(np.eye(int(points.codes[:, column].max()) + 1)[:, points.codes[:, column]])
            distinct = np.diff(csc_array(values @ matrix).indptr)
            own = points.step[column] * (distinct - 1)
        else:
            place = points.place[matrix.indices, column]
            own = np.maximum.reduceat(place, begins) - np.minimum.reduceat(place, begins)
        width += np.minimum(own, points.cap[column])
    return width * sizes
