"""Division, balancing and assignment (Xiao and Tao 2007, section 4): rows of one signature, as many of each secret.

A bucket holds the rows of one signature, a set of secrets. It is balanced when each secret has equally many rows; where
rows are lacking, newcomers fill the gap if the others can still be grouped, and counterfeits otherwise. Reading:
newcomers who cannot be grouped among themselves (a secret has more than 1/m of them) get counterfeits as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
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
        """Return the bucket and the secret of every missing row, bucket by bucket."""
        for signature in sorted(self.rows):
            bucket = self.rows[signature]
            largest = max(map(len, bucket.values()))
            for secret in signature:
                for _ in range(largest - len(bucket[secret])):
                    yield bucket, secret

    def balance(self, newcomers: np.ndarray, m: int) -> np.ndarray:
        """Fill gaps with newcomers, in their order, while those left can still be grouped; returns those left."""
        size = int(self.secrets.max(initial=-1)) + 1
        order, starts = group_order(self.secrets[newcomers], size)
        left = np.diff(starts)
        queues = [deque(newcomers[order[start:end]]) for start, end in pairwise(starts)]
        for bucket, secret in list(self.lacking()):
            if secret < size and left[secret] and _may_go(left, secret, m):
                left[secret] -= 1
                bucket[secret].append(int(queues[secret].popleft()))
        return np.sort(np.array([row for rows in queues for row in rows], dtype=np.int64))

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
            present = set(self.secrets[members].tolist())
            further = [int(secret) for secret in common if secret not in present][: max(m - len(present), 0)]
            for row in members:
                self.add(tuple(sorted({*present, *further})), int(row))


def _groups_with_gaps(secrets: np.ndarray, m: int) -> np.ndarray:
    """Make groups of m different secrets while there are m, then groups that lack some."""
    counts = np.bincount(secrets)
    order, starts = group_order(secrets, len(counts))
    queues = [deque(order[start:end]) for start, end in pairwise(starts)]
    groups, made = np.empty(len(secrets), dtype=np.int64), turns(counts, m)
    for number, turn in enumerate(made):
        for secret in turn:
            groups[queues[secret].popleft()] = number
    for rows in queues:
        groups[list(rows)] = len(made) + np.arange(len(rows))
    return groups


def _may_go(left: np.ndarray, secret: int, m: int) -> bool:
    """Tell whether a newcomer may leave the others: they can be grouped afterwards, or could not before either."""
    total = int(left.sum())
    if int(left.max()) * m > total:
        return True
    left[secret] -= 1
    good = int(left.max()) * m <= total - 1
    left[secret] += 1
    return good


# ---- splitting buckets ------------------------------------------------------------------------------------------


Layers = list[np.ndarray]  # the rows of each secret; fewer where there are counterfeits


def groups_of(bucket: Mapping[int, Sequence[int]], positions: np.ndarray) -> Iterator[np.ndarray]:
    """Return the rows of each group; ``positions`` has the values of all rows, columns scaled to the same range.

    >>> [group.tolist() for group in groups_of({0: [0, 1], 1: [2, 3]}, np.array([[0.0], [9.0], [8.0], [1.0]]))]
    [[0, 3], [1, 2]]
    """
    parts = [[np.array(rows, dtype=np.int64) for rows in bucket.values()]]
    while parts:
        layers = parts.pop()
        count = max(map(len, layers))
        if count == 1:
            yield np.concatenate(layers)
        elif count:
            low, high = _best_cut(layers, count, positions)
            parts += [high, low]


def _best_cut(layers: Layers, count: int, positions: np.ndarray) -> tuple[Layers, Layers]:
    """Return the two halves along the attribute for which their boxes have the least sum of sides."""
    cuts = [_cut(layers, count, positions[:, column]) for column in range(positions.shape[1])]
    return min(cuts, key=lambda halves: sum(_sides(half, positions) for half in halves))


def _cut(layers: Layers, count: int, values: np.ndarray) -> tuple[Layers, Layers]:
    """Half of the rows of each secret, in the order of one attribute; places of counterfeits lie in the middle."""
    low, high = [], []
    for rows in layers:
        ordered = rows[np.argsort(values[rows], kind="stable")]
        first = max(min(count // 2, (len(rows) + 1) // 2), len(rows) - (count - count // 2))
        low.append(ordered[:first])
        high.append(ordered[first:])
    return low, high


def _sides(layers: Layers, positions: np.ndarray) -> float:
    points = positions[np.concatenate(layers)]
    return float((points.max(axis=0) - points.min(axis=0)).sum()) if len(points) else 0.0
