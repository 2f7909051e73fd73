"""Step 3 of TPP: recode a numeric attribute so that every split point of the trees stays where it is.

``corrected_values`` works on blocks of distinct values and keeps every split point; ``literal_values`` follows the
printed steps, which can cut inside equal values and overwrite one node's shift by another's.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.steps.recording import listening, note

_BITS = 6  # shifts are rounded down to multiples of 1/64, or of a smaller power of two where values lie closer


class Boundary(NamedTuple):
    """A node's split of an ordered attribute: the largest value on the left and the smallest on the right, as codes."""

    left: int
    right: int


def corrected_values(
    numbers: np.ndarray, counts: np.ndarray, boundaries: list[Boundary], name: str = "the attribute"
) -> np.ndarray:
    """Return the new number of each distinct value; ``counts`` are the rows that have it (ascending values).

    Blocks end after every left maximum and begin at every right minimum. A block with a boundary on both sides and more
    than one value is halved. The two blocks of a node move toward their means by the same amount, the smallest that any
    block connected to them can afford. ``name`` is what the steps call the attribute.

    >>> corrected_values(np.array([1.0, 2, 3, 8, 9, 20]), np.ones(6), [Boundary(2, 3)]).tolist()  # split at 5.5
    [2.0, 2.0, 2.0, 9.0, 9.0, 9.0]
    """
    block = block_of_each(counts, boundaries)
    means = np.bincount(block, weights=numbers * counts) / np.bincount(block, weights=counts)
    ends = {int(block[b.left]): float(numbers[b.left]) for b in boundaries}  # right-bounded blocks
    begins = {int(block[b.right]): float(numbers[b.right]) for b in boundaries}  # left-bounded blocks
    chain = _components(len(means), [(int(block[b.left]), int(block[b.right])) for b in boundaries])
    room: dict[int, float] = {}
    for edges in (ends, begins):
        for number, edge in edges.items():
            room[number] = min(room.get(number, np.inf), abs(edge - means[number]))
    smallest: dict[int, float] = {}
    for number, margin in room.items():
        smallest[chain[number]] = min(smallest.get(chain[number], np.inf), margin)
    values = means.copy()
    for number, edge in begins.items():
        values[number] = edge + _rounded_down(smallest[chain[number]])
    for number, edge in ends.items():  # a single value between two boundaries has no room: it stays
        values[number] = edge - _rounded_down(smallest[chain[number]])
    if listening():
        tell_blocks(name, numbers, counts, block, means, room, chain, values)
    return values[block]


def _rounded_down(shift: float) -> float:
    """Return a multiple of a power of two; adding and subtracting it keeps the midpoint of two numbers."""
    if shift <= 0:
        return 0.0
    step = 2.0 ** (min(0, np.floor(np.log2(shift))) - _BITS)
    return float(np.floor(shift / step) * step)


def block_starts(size: int, boundaries: list[Boundary]) -> list[int]:
    """Return the first value of each block: after every left maximum and at every right minimum."""
    return sorted({0} | {b.left + 1 for b in boundaries if b.left + 1 < size} | {b.right for b in boundaries})


def block_of_each(counts: np.ndarray, boundaries: list[Boundary]) -> np.ndarray:
    """Return the number of each value's block. A block bounded on both sides is halved if it has several values.

    >>> block_of_each(np.ones(7), [Boundary(1, 2), Boundary(4, 5)]).tolist()  # 2 to 4 lies between two tests
    [0, 0, 1, 2, 2, 3, 3]
    """
    starts = _halved(block_starts(len(counts), boundaries), counts, boundaries)
    return np.searchsorted(starts, np.arange(len(counts)), side="right") - 1


def _halved(starts: list[int], counts: np.ndarray, boundaries: list[Boundary]) -> list[int]:
    """Cut blocks that are bounded on both sides in two, between distinct values, nearest half the rows."""
    lefts, rights = {b.left for b in boundaries}, {b.right for b in boundaries}
    result = list(starts)
    for first, after in zip(starts, [*starts[1:], len(counts)], strict=True):
        if first in rights and after - 1 in lefts and after - first > 1:
            before = np.cumsum(counts[first:after])[:-1]
            result.append(first + 1 + int(np.argmin(np.abs(2 * before - counts[first:after].sum()))))
    return sorted(result)


def _components(size: int, pairs: list[tuple[int, int]]) -> list[int]:
    """Return the smallest member of each block's component (union-find)."""
    parent = list(range(size))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for first, second in pairs:
        one, two = root(first), root(second)
        parent[max(one, two)] = min(one, two)
    return [root(number) for number in range(size)]


def literal_values(numbers: np.ndarray, codes: np.ndarray, boundaries: list[Boundary]) -> np.ndarray:
    """Return the new number of each row by the steps as printed; ``codes`` are the rows' codes.

    Kept to show that the printed steps do not preserve the tree.
    """
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    first = {b.right: int(np.searchsorted(ranked, b.right, "left")) for b in boundaries}
    last = {b.left: int(np.searchsorted(ranked, b.left, "right")) for b in boundaries}
    cuts = sorted({0, len(codes), *first.values(), *last.values()})
    halves = []
    for start, stop in itertools.pairwise(cuts):
        if start in first.values() and stop in last.values() and stop - start > 1:
            halves.append((start + stop) // 2)  # equal halves, even inside a run of equal values
    cuts = sorted({*cuts, *halves})
    values = numbers[ranked].astype(float)
    means = {start: values[start:stop].mean() for start, stop in itertools.pairwise(cuts)}
    stops = dict(itertools.pairwise(cuts))
    starts = {stop: start for start, stop in stops.items()}
    for b in boundaries:
        left_start, right_start = starts[last[b.left]], first[b.right]
        v1, v2 = numbers[b.left], numbers[b.right]
        shift = min(v1 - means[left_start], means[right_start] - v2)
        values[left_start : last[b.left]] = v1 - shift
        values[right_start : stops[right_start]] = v2 + shift
    result = np.empty(len(codes))
    result[order] = values
    return result


# ---- steps ------------------------------------------------------------------------------------------------------


def tell_blocks(
    name: str,
    numbers: np.ndarray,
    counts: np.ndarray,
    block: np.ndarray,
    means: np.ndarray,
    room: Mapping[int, float],
    chain: Sequence[int],
    values: np.ndarray,
) -> None:
    """Record the blocks of an attribute; the block with the least room decides how far its chain moves."""
    labels = [_label(numbers[block == number]) for number in range(len(means))]
    rows = np.bincount(block, weights=counts).astype(np.int64)
    chains = sorted({chain[number] for number in room})
    tightest = [min((n for n in room if chain[n] == each), key=room.__getitem__) for each in chains]
    moves = "; ".join(f"{room[number]:.4g}, the room of {labels[number]}" for number in tightest[:3])
    more = "; and so on" if len(tightest) > 3 else ""
    sentence = (
        "The two blocks beside a test must move equally far, so that it stays halfway. The smallest room on the way to "
        f"a mean decides: {moves}{more}"
    )
    columns = {"rows": rows, "mean": means.round(4), "room": [room.get(n, np.nan) for n in range(len(means))]}
    candidates = pd.DataFrame(columns, index=pd.Index(labels, name=name)).round(4)
    state = candidates.fillna("–").assign(published=values.round(4))
    note(f"Move {name}", f"{sentence}.", state, candidates, [labels[number] for number in tightest])


def _label(values: np.ndarray) -> str:
    ends = dict.fromkeys(f"{value:.10g}" for value in (values[0], values[-1]))
    return "–".join(ends)
