"""How often each sensitive value occurs in each group, and what follows from it for all groups at once.

Only the (group, value) pairs that occur are kept, so memory is proportional to the rows and not to groups × values.
The distances of t-closeness are the earth mover's distances of Li, Li and Venkatasubramanian (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from anonnb.core.arrays import group_pairs, group_table
from anonnb.tables.hierarchy_nodes import with_root


@dataclass(frozen=True, eq=False)
class Reference:
    """The distribution of a sensitive column in the whole table, over the values that occur there and read differently.

    ``place`` gives the position of a code among the occurring values, ``share`` their shares, and ``maps`` the label
    numbers of each hierarchy level (None without a hierarchy).
    """

    place: np.ndarray
    share: np.ndarray
    maps: np.ndarray | None = None

    @classmethod
    def of(cls, counts: np.ndarray, alike: np.ndarray, maps: np.ndarray | None = None) -> Reference:
        """From the number of rows with each code; ``alike`` is the first code that reads like each of them."""
        counts = np.bincount(alike, weights=counts, minlength=len(counts)).astype(np.int64)
        occurs = counts > 0
        place = np.where(occurs, np.cumsum(occurs) - 1, -1)[alike]
        return cls(place, counts[occurs] / max(int(counts.sum()), 1), None if maps is None else maps[:, occurs])

    @property
    def size(self) -> int:
        return len(self.share)

    @cached_property
    def below(self) -> tuple[np.ndarray, np.ndarray]:
        """The cumulative distribution, and its own running sum (starting with 0)."""
        cumulative = np.cumsum(self.share)
        return cumulative, np.concatenate([[0.0], np.cumsum(cumulative)])

    @cached_property
    def steps(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per hierarchy level: the node above each node, and the share of each node above; one root tops them."""
        maps = [*with_root(self.maps)]
        maps[0] = np.arange(self.size)
        steps = []
        for lower, upper in pairwise(maps):
            above = np.zeros(int(lower.max(initial=0)) + 1, dtype=np.int64)
            above[lower] = upper
            steps.append((above, np.bincount(upper, weights=self.share)))
        return steps


@dataclass(frozen=True, eq=False)
class Counts:
    """The occurring (group, value) pairs, sorted, with their counts, and the size of every group.

    >>> counts = Counts.of(np.array([0, 1, 1, 1]), 2, np.array([0, 0, 0, 1]), 2)
    >>> counts.distinct.tolist(), counts.top.tolist(), counts.sizes.tolist()
    ([2, 1], [2, 1], [3, 1])
    """

    owner: np.ndarray
    value: np.ndarray
    count: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, codes: np.ndarray, size: int, groups: np.ndarray, n_groups: int) -> Counts:
        sizes = np.bincount(groups, minlength=n_groups)
        if n_groups * size <= 4 * len(codes) + 64:  # the full table is no larger than the rows: no sorting needed
            full = group_table(codes, size, groups, n_groups)
            owner, value = np.nonzero(full)
            return cls(owner, value, full[owner, value], sizes)
        return cls(*group_pairs(codes, size, groups), sizes)

    @classmethod
    def of_pairs(cls, owner: np.ndarray, value: np.ndarray, count: np.ndarray, sizes: np.ndarray) -> Counts:
        """From counted pairs, sorted by owner; a pair may come several times, where two codes read alike."""
        width = int(value.max(initial=0)) + 1
        keys, place = np.unique(owner * np.int64(width) + value, return_inverse=True)
        owner, value = np.divmod(keys, width)
        return cls(owner, value, np.bincount(place, weights=count).astype(np.int64), sizes)

    # ---- per pair ---------------------------------------------------------------------------------------------

    @cached_property
    def share(self) -> np.ndarray:
        """Share of the pair's value in its group."""
        return self.count / self.sizes[self.owner]

    @cached_property
    def _first(self) -> np.ndarray:
        """Where each non-empty group starts among the pairs."""
        return np.flatnonzero(np.diff(self.owner, prepend=-1))

    def largest(self, values: np.ndarray) -> np.ndarray:
        """The largest of the pairs' ``values`` in each group (0 for a group without rows)."""
        out = np.zeros(len(self.sizes), dtype=values.dtype)
        if len(values):
            out[self.owner[self._first]] = np.maximum.reduceat(values, self._first)
        return out

    def total(self, values: np.ndarray) -> np.ndarray:
        """The sum of the pairs' ``values`` in each group."""
        return np.bincount(self.owner, weights=values, minlength=len(self.sizes))

    # ---- per group: l-diversity -------------------------------------------------------------------------------

    @cached_property
    def distinct(self) -> np.ndarray:
        """Number of different values."""
        return np.bincount(self.owner, minlength=len(self.sizes))

    @cached_property
    def top(self) -> np.ndarray:
        """Count of the most frequent value."""
        return self.largest(self.count)

    @cached_property
    def entropy(self) -> np.ndarray:
        """Entropy of the values, in nats."""
        return -self.total(self.share * np.log(self.share))

    def tail(self, l: int, *, ascending: bool = False) -> np.ndarray:  # noqa: E741
        """Rows with the values of rank ``l`` and beyond, from the most frequent value (rank 1) downward."""
        order = np.lexsort((self.count if ascending else -self.count, self.owner))
        rank = np.arange(len(order)) - np.repeat(self._first, self.distinct[self.owner[self._first]])
        return self.total(np.where(rank >= l - 1, self.count[order], 0)).astype(np.int64)

    # ---- per group: against the whole table -------------------------------------------------------------------

    def gain(self, reference: Reference) -> np.ndarray:
        """Per pair the relative rise (q − p) / p of a value's share, from the table to the group."""
        whole = reference.share[self.value]
        return (self.share - whole) / whole

    def equal_distance(self, reference: Reference) -> np.ndarray:
        """½ Σ |q − p|, which is the sum of what the shares of occurring values have risen."""
        return self.total(np.maximum(self.share - reference.share[self.value], 0.0))

    def ordered_distance(self, reference: Reference) -> np.ndarray:
        """Σ |Q − P| / (m − 1) over the cumulative distributions of m ordered values.

        Q is constant between two values of a group, so each stretch is summed in closed form around the point where
        P passes Q.
        """
        m = reference.size
        if m < 2 or len(self.owner) == 0:
            return np.zeros(len(self.sizes))
        cumulative, running = reference.below
        last = np.append(self._first[1:], len(self.owner)) - 1
        end = np.append(self.value[1:], m)
        end[last] = m
        before = np.cumsum(self.count) - self.count
        level = self.count + before - np.repeat(before[self._first], last - self._first + 1)
        level = level / self.sizes[self.owner]
        middle = np.clip(np.searchsorted(cumulative, level), self.value, end)
        stretch = level * (2 * middle - self.value - end) + running[self.value] + running[end] - 2 * running[middle]
        stretch[self._first] += running[self.value[self._first]]
        return np.maximum(self.total(stretch) / (m - 1), 0.0)

    def hierarchical_distance(self, reference: Reference) -> np.ndarray:
        """Σ height(N)/H · min(surplus, deficit) over the inner nodes N; both are summed over the children of N.

        Children without a row of the group only add to the deficit, by their share in the whole table.
        """
        distance = np.zeros(len(self.sizes))
        owner, node, share, whole = self.owner, self.value, self.share, reference.share
        for height, (above, whole_above) in enumerate(reference.steps, start=1):
            key, place = np.unique(owner * np.int64(len(whole_above)) + above[node], return_inverse=True)
            owner, upper = np.divmod(key, len(whole_above))
            rise = share - whole[node]
            surplus = np.bincount(place, weights=np.maximum(rise, 0.0))
            deficit = np.bincount(place, weights=np.maximum(-rise, 0.0))
            deficit += np.maximum(whole_above[upper] - np.bincount(place, weights=whole[node]), 0.0)
            distance += np.bincount(owner, weights=height * np.minimum(surplus, deficit), minlength=len(distance))
            node, share, whole = upper, np.bincount(place, weights=share), whole_above
        return distance / max(len(reference.steps), 1)
