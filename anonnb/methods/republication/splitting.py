"""Split (Xiao and Tao 2007, section 4.4): a balanced bucket becomes groups of near rows, one row of each secret.

A bucket with c rows of each secret is cut in two along the attribute that makes the two boxes smallest, c/2 rows of
each secret on either side in the order of the attribute, until each part has one row of each. Counterfeits have no
values; they go wherever a row is lacking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

Layers = list[np.ndarray]  # the rows of each secret; fewer where there are counterfeits


def groups_of(bucket: Mapping[int, Sequence[int]], positions: np.ndarray) -> Iterator[np.ndarray]:
    """The rows of each group; ``positions`` has the values of all rows, columns scaled to the same range.

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
    """The two halves along the attribute for which their boxes have the least sum of sides."""
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
    shown = positions[np.concatenate(layers)]
    return float((shown.max(axis=0) - shown.min(axis=0)).sum()) if len(shown) else 0.0
