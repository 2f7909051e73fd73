"""People and rows are halved together, as in a k-d tree: each half of the people keeps the rows that can fit it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

LEAF = 250_000  # people × rows that are compared without dividing further
BLOCK = 4_000_000  # people × rows in memory at once
WORTH = 0.8  # a division must leave at most this share of the comparisons

Span = tuple[np.ndarray, np.ndarray]  # first and last code, for each person or each row


def neighbourhoods(people: list[Span], rows: list[Span]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield pairs of (people, rows): everybody once, with all rows that overlap them in every column.

    Work grows about as n log n where rows are narrow; where nothing separates them, everybody comes with every row,
    block by block.

    >>> points = np.array([1, 5, 9])
    >>> list(neighbourhoods([(points, points)], [(np.array([0, 6]), np.array([5, 9]))]))
    [(array([0, 1, 2]), array([0, 1]))]
    """
    everybody = np.arange(len(people[0][0]))
    stack = [(everybody, np.arange(len(rows[0][0])))] if len(everybody) else []
    while stack:
        persons, near = stack.pop()
        halves = _halved(people, rows, persons, near) if len(persons) * len(near) > LEAF else None
        if halves is not None:
            stack += reversed(halves)
            continue
        step = max(BLOCK // max(len(near), 1), 1)
        for start in range(0, len(persons), step):
            yield persons[start : start + step], near


def _halved(people: list[Span], rows: list[Span], persons: np.ndarray, near: np.ndarray) -> list | None:
    """Return the best division in two, over all columns; None if none is worth it."""
    best, lowest_cost = None, WORTH * len(persons) * len(near)
    for (first, last), (low, high) in zip(people, rows, strict=True):
        starts = first[persons]
        middle = np.partition(starts, len(starts) // 2)[len(starts) // 2]
        left = starts < middle
        if not left.any():  # half of them share the smallest code
            left = starts <= middle
            if left.all():
                continue
        reaches = [
            (high[near] >= first[part].min()) & (low[near] <= last[part].max())
            for part in (persons[left], persons[~left])
        ]
        cost = left.sum() * reaches[0].sum() + (~left).sum() * reaches[1].sum()
        if cost < lowest_cost:
            best, lowest_cost = (left, reaches), cost
    if best is None:
        return None
    left, (to_left, to_right) = best
    return [(persons[left], near[to_left]), (persons[~left], near[to_right])]
