"""How often each sensitive value occurs in each group, and what follows, for all groups at once.

Only the (group, value) pairs that occur are kept, so memory is proportional to the rows and not to groups × values.
A person with several rows counts once per group and once per value in it; see :class:`Counts`.
The distances of t-closeness are the earth mover's distances of Li, Li and Venkatasubramanian (2007).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_per_group, group_pairs, group_table
from anonnb.tables.hierarchies.nodes import with_root


@dataclass(frozen=True, eq=False)
class Reference:
    """Distribution of a sensitive column in the whole table, over the values that occur there and read differently.

    ``place`` gives the position of a code among the occurring values (−1: it is ignored, as missing values may be),
    ``share`` the share of people who have each, and ``maps`` the label numbers of each hierarchy level (None without
    a hierarchy). ``spread`` is the shares as a distribution: they add up to 1 even if somebody has two values.
    """

    place: np.ndarray
    share: np.ndarray
    maps: np.ndarray | None = None
    ignores: bool = False

    @classmethod
    def _of(
        cls,
        counts: np.ndarray,
        alike: np.ndarray,
        maps: np.ndarray | None,
        ignored: int | None = None,
        people: int | None = None,
    ) -> Reference:
        occurs = counts > 0
        position = np.where(occurs, np.cumsum(occurs) - 1, -1)[alike]
        if ignored is not None:
            position[alike == alike[ignored]] = -1
        share = counts[occurs] / max(int(counts.sum()) if people is None else people, 1)
        return cls(position, share, None if maps is None else maps[:, occurs], ignored is not None)

    @classmethod
    def of_table(cls, table: Any, name: str, missing: str, maps: np.ndarray | None = None) -> Reference:
        """Return the distribution of a table's column; ``missing="ignore"`` leaves out people without a value."""
        attribute = table.attributes[name]
        ignored = attribute.blank_code if missing == "ignore" else None
        if table.people_repeat:
            return cls.of_people(table.codes(name), attribute.size, attribute.as_written, table.people, ignored, maps)
        return cls.of_rows(table.counts(name), attribute.as_written, ignored, maps)

    @classmethod
    def of_rows(
        cls, counts: np.ndarray, alike: np.ndarray, ignored: int | None = None, maps: np.ndarray | None = None
    ) -> Reference:
        """Count rows with each code, if each row is another person; the code ``ignored`` is left out."""
        if ignored is not None:
            counts = np.where(alike == alike[ignored], 0, counts)  # to a reader, what reads like a missing value is one
        return cls._of(_merged(counts, alike), alike, maps, ignored)

    @classmethod
    def of_people(
        cls,
        codes: np.ndarray,
        size: int,
        alike: np.ndarray,
        people: np.ndarray,
        ignored: int | None = None,
        maps: np.ndarray | None = None,
    ) -> Reference:
        """Count people by a code and a person per row; the code ``ignored`` is left out."""
        known = slice(None) if ignored is None else np.flatnonzero(alike[codes] != alike[ignored])
        codes, people = codes[known], people[known]
        counts = distinct_per_group(people, alike[codes].astype(np.int64), size)
        return cls._of(counts, alike, maps, ignored, len(pd.unique(people)))

    def weighted(self, positions: np.ndarray, weights: np.ndarray, people: np.ndarray | None = None) -> Reference:
        """Return the same values with their shares of the survey weight, given position, weight and person per row."""
        known = np.flatnonzero(positions >= 0)
        weights, people = weights[known], None if people is None else people[known]
        total = weight_sums(np.zeros(len(known), dtype=np.int64), 1, weights, people)
        return replace(
            self, share=weight_sums(positions[known], self.size, weights, people) / np.maximum(total, 1e-300)
        )

    @property
    def size(self) -> int:
        return len(self.share)

    @cached_property
    def spread(self) -> np.ndarray:
        total = float(self.share.sum())
        return self.share if total <= 1 + 1e-12 else self.share / total

    @cached_property
    def below(self) -> tuple[np.ndarray, np.ndarray]:
        """The cumulative distribution, and its own running sum (starting with 0)."""
        cumulative = np.cumsum(self.spread)
        return cumulative, np.concatenate([[0.0], np.cumsum(cumulative)])

    @cached_property
    def steps(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per hierarchy level: the parent of each node, and the share of each parent; the last level is the root."""
        assert self.maps is not None  # a hierarchical distance has been asked for
        maps = [*with_root(self.maps)]
        maps[0] = np.arange(self.size)
        steps = []
        for lower, upper in pairwise(maps):
            above = np.zeros(int(lower.max(initial=0)) + 1, dtype=np.int64)
            above[lower] = upper
            steps.append((above, np.bincount(upper, weights=self.spread)))
        return steps


def weight_sums(keys: np.ndarray, count: int, weights: np.ndarray, people: np.ndarray | None) -> np.ndarray:
    """Add up the weights of each key; a person with several rows counts once for each."""
    if people is not None:
        first = np.unique(keys * np.int64(people.max(initial=0) + 1) + people, return_index=True)[1]
        keys, weights = keys[first], weights[first]
    return np.bincount(keys, weights=weights, minlength=count)


def _merged(counts: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """Add up the counts of codes that read alike at the first of them."""
    return np.bincount(alike, weights=counts, minlength=len(counts)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Counts:
    """Occurring (group, value) pairs, sorted, with their counts, and the size of every group.

    ``count`` is the number of people in the group who have the value, ``sizes`` that of people with any known value,
    ``members`` that of all people (None: the same). ``several`` says that somebody may have several values. Second
    values must not make a group look more diverse than one in which each person has one value: so the other values
    together never count more than the people who lack the most frequent one.

    >>> counts = Counts.of(np.array([0, 1, 1, 1]), 2, np.array([0, 0, 0, 1]), 2)
    >>> counts.distinct.tolist(), counts.top.tolist(), counts.sizes.tolist()
    ([2, 1], [2, 1], [3, 1])
    """

    owner: np.ndarray
    value: np.ndarray
    count: np.ndarray
    sizes: np.ndarray
    members: np.ndarray | None = None
    several: bool = False

    @classmethod
    def among(
        cls,
        reference: Reference,
        positions: np.ndarray,
        groups: np.ndarray,
        n_groups: int,
        people: np.ndarray | None = None,
    ) -> Counts:
        """Count from the position of each row's value in a reference; ``people`` gives the person of each row."""
        if people is None and not reference.ignores:
            return cls.of(positions, reference.size, groups, n_groups)
        members = np.bincount(groups, minlength=n_groups) if people is None else None
        if people is not None:
            members = distinct_per_group(people, groups, n_groups)
        known = np.flatnonzero(positions >= 0)
        positions, groups = positions[known], groups[known]
        if people is None:
            return replace(cls.of(positions, reference.size, groups, n_groups), members=members)
        people, size = people[known], max(reference.size, 1)
        kind, pairs = pd.factorize(groups * np.int64(size) + positions)
        count, order = distinct_per_group(people, kind, len(pairs)), np.argsort(pairs)
        owner, value = np.divmod(pairs[order], size)
        count = count[order]
        return cls(owner, value, count, distinct_per_group(people, groups, n_groups), members, True)

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
        """Count from pairs sorted by owner; a pair may occur several times if two codes read alike.

        Pairs with the value −1 belong to people whose value is ignored.
        """
        members, known = sizes, value >= 0
        if not known.all():
            owner, value, count = owner[known], value[known], count[known]
            sizes = np.bincount(owner, weights=count, minlength=len(members)).astype(count.dtype)
        width = int(value.max(initial=0)) + 1
        keys, position = np.unique(owner * np.int64(width) + value, return_inverse=True)
        owner, value = np.divmod(keys, width)
        return cls(owner, value, np.bincount(position, weights=count).astype(count.dtype), sizes, members)

    @classmethod
    def of_grouped(cls, reference: Reference, secrets: Any, groups: np.ndarray, n_groups: int) -> Counts:
        """Return the expected counts in each class if values are published per group (``Release.secrets``)."""
        owner, value, weight = secrets.spread(groups)
        return cls.of_pairs(owner, reference.place[value], weight, np.bincount(groups, minlength=n_groups))

    def weighted(
        self, positions: np.ndarray, size: int, groups: np.ndarray, weights: np.ndarray, people: np.ndarray | None
    ) -> Counts:
        """Return the survey weight in place of the people; the arrays are those that were counted."""
        known = np.flatnonzero(positions >= 0)
        groups, weights, people = groups[known], weights[known], None if people is None else people[known]
        pair = np.searchsorted(self.owner * np.int64(size) + self.value, groups * np.int64(size) + positions[known])
        count = weight_sums(pair, len(self.owner), weights, people)
        sizes = weight_sums(groups, len(self.sizes), weights, people)
        return replace(self, count=count, sizes=sizes, members=self.everybody)

    @property
    def everybody(self) -> np.ndarray:
        """All people of each group, whether their value is known or not."""
        return self.sizes if self.members is None else self.members

    @property
    def silent(self) -> np.ndarray:
        """Which groups hold people but no known value."""
        return (self.sizes == 0) & (self.everybody > 0)

    # ---- per pair ---------------------------------------------------------------------------------------------

    @cached_property
    def share(self) -> np.ndarray:
        """Share of the group's people who have the pair's value."""
        return self.count / self.sizes[self.owner]

    @cached_property
    def mass(self) -> np.ndarray:
        """The counts of each group together: its size, or more where people have several values."""
        return self.total(self.count).astype(self.count.dtype) if self.several else self.sizes

    @property
    def spread(self) -> np.ndarray:
        """The shares of each group as a distribution."""
        return self.count / self.mass[self.owner] if self.several else self.share

    @cached_property
    def _first(self) -> np.ndarray:
        """Where each non-empty group starts among the pairs."""
        return np.flatnonzero(np.diff(self.owner, prepend=-1))

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Return the largest of the pairs' ``values`` in each group (0 for a group without rows)."""
        out = np.zeros(len(self.sizes), dtype=values.dtype)
        if len(values):
            out[self.owner[self._first]] = np.maximum.reduceat(values, self._first)
        return out

    def total(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the pairs' ``values`` in each group."""
        return np.bincount(self.owner, weights=values, minlength=len(self.sizes))

    # ---- per group: l-diversity -------------------------------------------------------------------------------

    @cached_property
    def values(self) -> np.ndarray:
        """Number of different values."""
        return np.bincount(self.owner, minlength=len(self.sizes))

    @property
    def distinct(self) -> np.ndarray:
        """Number of different values; 1 where everybody has one and the same, whatever else they have."""
        if not self.several:
            return self.values
        return np.where(self.top >= self.sizes, np.minimum(self.values, 1), self.values)

    @cached_property
    def top(self) -> np.ndarray:
        """Count of the most frequent value."""
        return self.largest(self.count)

    @cached_property
    def entropy(self) -> np.ndarray:
        """Entropy of the values, in nats."""
        entropy = -self.total(self.spread * np.log(self.spread))
        return np.minimum(entropy, self._highest_entropy) if self.several else entropy

    @property
    def _highest_entropy(self) -> np.ndarray:
        """Return the highest possible entropy if each person had one value: the top as counted, the others even."""
        top = self.top / np.maximum(self.sizes, 1)
        rest = 1 - top
        logarithms = np.log(np.where(top > 0, top, 1.0)), np.log(np.where(rest > 0, rest, 1.0))
        return rest * np.log(np.maximum(self.values - 1, 1)) - top * logarithms[0] - rest * logarithms[1]

    def tail(self, l: int, *, ascending: bool = False) -> np.ndarray:  # noqa: E741
        """Count the rows with the values of rank ``l`` and beyond, from the most frequent value (rank 1) downward."""
        order = np.lexsort((self.count if ascending else -self.count, self.owner))
        rank = np.arange(len(order)) - np.repeat(self._first, self.values[self.owner[self._first]])
        tail = self.total(np.where(rank >= l - 1, self.count[order], 0)).astype(self.count.dtype)
        return np.minimum(tail, self.sizes - self.top) if self.several and l > 1 else tail

    # ---- per group: against the whole table -------------------------------------------------------------------

    def gain(self, reference: Reference) -> np.ndarray:
        """Return per pair the relative rise (q − p) / p of a value's share, from the table to the group."""
        whole = reference.share[self.value]
        return (self.share - whole) / whole

    def equal_distance(self, reference: Reference) -> np.ndarray:
        """Return ½ Σ |q − p|, which is the sum of what the shares of occurring values have risen."""
        return self.total(np.maximum(self.spread - reference.spread[self.value], 0.0))

    def ordered_distance(self, reference: Reference) -> np.ndarray:
        """Return Σ |Q − P| / (m − 1) over the cumulative distributions of m ordered values.

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
        level = level / self.mass[self.owner]
        middle = np.clip(np.searchsorted(cumulative, level), self.value, end)
        stretch = level * (2 * middle - self.value - end) + running[self.value] + running[end] - 2 * running[middle]
        stretch[self._first] += running[self.value[self._first]]
        return np.maximum(self.total(stretch) / (m - 1), 0.0)

    def hierarchical_distance(self, reference: Reference) -> np.ndarray:
        """Return Σ height(N)/H · min(surplus, deficit) over the inner nodes N, both summed over the children of N.

        Children without a row of the group only add to the deficit, by their share in the whole table.
        """
        distance = np.zeros(len(self.sizes))
        owner, node, share, whole = self.owner, self.value, self.spread, reference.spread
        for height, (above, whole_above) in enumerate(reference.steps, start=1):
            key, position = np.unique(owner * np.int64(len(whole_above)) + above[node], return_inverse=True)
            owner, upper = np.divmod(key, len(whole_above))
            rise = share - whole[node]
            surplus = np.bincount(position, weights=np.maximum(rise, 0.0))
            deficit = np.bincount(position, weights=np.maximum(-rise, 0.0))
            deficit += np.maximum(whole_above[upper] - np.bincount(position, weights=whole[node]), 0.0)
            distance += np.bincount(owner, weights=height * np.minimum(surplus, deficit), minlength=len(distance))
            node, share, whole = upper, np.bincount(position, weights=share), whole_above
        return distance / max(len(reference.steps), 1)
