"""Division, balancing and assignment (Xiao and Tao 2007, section 4): rows of one signature, as many of each secret.

A bucket holds the rows of one signature, a set of secrets. It is balanced when each secret has equally many rows; where
rows are lacking, newcomers fill the gap if the others can still be grouped, and counterfeits otherwise. Reading:
newcomers who cannot be grouped among themselves (a secret has more than 1/m of them) get counterfeits as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.methods.anatomy.groups import dealt_groups, largest_l, turns

Signature = tuple[int, ...]


@dataclass
class Buckets:
    """The rows of each signature, by secret; ``secrets`` is the secret of every row of the table."""

    secrets: np.ndarray
    rows: dict[Signature, dict[int, list[int]]] = field(default_factory=dict)

    def add(self, signature: Signature, row: int) -> None:
        """Put a row into the bucket of its signature."""
        self._of(signature)[int(self.secrets[row])].append(row)

    def _of(self, signature: Signature) -> dict[int, list[int]]:
        return self.rows.setdefault(signature, {secret: [] for secret in signature})

    def lacking(self) -> Iterator[tuple[dict[int, list[int]], int]]:
        """The bucket and the secret of every row that is lacking, bucket by bucket."""
        for signature in sorted(self.rows):
            bucket = self.rows[signature]
            most = max(map(len, bucket.values()))
            for secret in signature:
                for _ in range(most - len(bucket[secret])):
                    yield bucket, secret

    def balance(self, newcomers: np.ndarray, m: int) -> np.ndarray:
        """Fill gaps with newcomers, in their order, while those left can still be grouped; returns those left."""
        size = int(self.secrets.max(initial=-1)) + 1
        order, starts = group_order(self.secrets[newcomers], size)
        left = np.diff(starts)
        waiting = [deque(newcomers[order[start:end]]) for start, end in pairwise(starts)]
        for bucket, secret in list(self.lacking()):
            if secret < size and left[secret] and _may_go(left, secret, m):
                left[secret] -= 1
                bucket[secret].append(int(waiting[secret].popleft()))
        return np.sort(np.array([row for rows in waiting for row in rows], dtype=np.int64))

    def assign(self, newcomers: np.ndarray, m: int, common: np.ndarray, rng: np.random.Generator) -> None:
        """Give newcomers a signature: of groups of m different secrets where there are such groups.

        ``common`` lists all secrets, the most frequent first: counterfeits have the first that a group lacks.
        """
        if not len(newcomers):
            return
        secrets = self.secrets[newcomers]
        eligible = largest_l(np.bincount(secrets)) >= m
        groups = dealt_groups(secrets, m, rng) if eligible else _groups_with_gaps(secrets, m)
        order, starts = group_order(groups, int(groups.max()) + 1)
        for start, end in pairwise(starts):
            members = newcomers[order[start:end]]
            own = set(self.secrets[members].tolist())
            further = [int(secret) for secret in common if secret not in own][: max(m - len(own), 0)]
            for row in members:
                self.add(tuple(sorted({*own, *further})), int(row))


def _groups_with_gaps(secrets: np.ndarray, m: int) -> np.ndarray:
    """Groups of m different secrets while there are m, then groups of what is left, which lack some."""
    counts = np.bincount(secrets)
    order, starts = group_order(secrets, len(counts))
    waiting = [deque(order[start:end]) for start, end in pairwise(starts)]
    groups, made = np.empty(len(secrets), dtype=np.int64), turns(counts, m)
    for number, turn in enumerate(made):
        for secret in turn:
            groups[waiting[secret].popleft()] = number
    for rows in waiting:
        groups[list(rows)] = len(made) + np.arange(len(rows))
    return groups


def _may_go(left: np.ndarray, secret: int, m: int) -> bool:
    """Whether a newcomer may leave the others: they can be grouped afterwards, or could not before either."""
    total = int(left.sum())
    if int(left.max()) * m > total:
        return True
    left[secret] -= 1
    good = int(left.max()) * m <= total - 1
    left[secret] += 1
    return good
