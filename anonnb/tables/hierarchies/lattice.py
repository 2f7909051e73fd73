"""The lattice of hierarchy levels: every way to generalize some columns, a level for each (Samarati 2001).

A node is a tuple of levels; a step up raises one of them by one. The sum of its levels is a node's height, and nodes of
one height are in the order of their tuples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence


class Lattice:
    """All combinations of hierarchy levels, from the bottom (nothing generalized) to the top.

    >>> lattice = Lattice([2, 1])
    >>> lattice.size, lattice.nodes(1), lattice.successors((0, 1)), lattice.predecessors((1, 1))
    (6, [(0, 1), (1, 0)], [(1, 1)], [(0, 1), (1, 0)])
    """

    def __init__(self, heights: Sequence[int]):
        self.heights = tuple(int(height) for height in heights)
        if any(height < 0 for height in self.heights):
            raise ValueError("a hierarchy's height cannot be negative")

    @property
    def bottom(self) -> tuple[int, ...]:
        return (0,) * len(self.heights)

    @property
    def top(self) -> tuple[int, ...]:
        return self.heights

    @property
    def height(self) -> int:
        return sum(self.heights)

    @property
    def size(self) -> int:
        return math.prod(height + 1 for height in self.heights)

    def __contains__(self, node: object) -> bool:
        return (
            isinstance(node, tuple)
            and len(node) == len(self.heights)
            and all(0 <= level <= height for level, height in zip(node, self.heights, strict=True))
        )

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield every node, by height and then in the order of the tuples."""
        for height in range(self.height + 1):
            yield from self.nodes(height)

    def nodes(self, height: int) -> list[tuple[int, ...]]:
        """Return the nodes whose levels sum to a height, in the order of the tuples."""
        if not 0 <= height <= self.height:
            return []
        heights_after = [sum(self.heights[index:]) for index in range(len(self.heights) + 1)]
        partial: list[tuple[int, ...]] = [()]
        for index, highest in enumerate(self.heights):
            partial = [
                (*node, level)
                for node in partial
                for rest in [height - sum(node)]
                for level in range(max(0, rest - heights_after[index + 1]), min(highest, rest) + 1)
            ]
        return partial

    def successors(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the nodes one step above."""
        return [
            (*node[:index], level + 1, *node[index + 1 :])
            for index, level in enumerate(node)
            if level < self.heights[index]
        ]

    def predecessors(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the nodes one step below."""
        return [(*node[:index], level - 1, *node[index + 1 :]) for index, level in enumerate(node) if level > 0]
