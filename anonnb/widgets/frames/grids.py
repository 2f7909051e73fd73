"""For which values of the controls frames are made: the whole grid if that is cheap, otherwise a part of it.

The grid grows from the start values: each step adds a value to one control, and with it a frame for every choice of the
others, so that at any time every combination of the stored values has its frame. It stops growing where the number of
frames, their bytes or the time would exceed the budget.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from anonnb.widgets.frames.frame import Frame

Position = tuple[int, ...]  # for each control the position of a value among its options


@dataclass
class Budget:
    """Limits of one moving cell: frames, bytes, and seconds of computing time beyond the first frame."""

    frames: int = 60
    size: float = 1.4e6
    seconds: float = 4.0

    def allows(self, made: Mapping[Position, Frame], further: int, spent: float) -> bool:
        """Tell whether ``further`` frames fit in, if they cost what those made so far cost on average.

        The time for a second frame does not count: without it, nothing moves.
        """
        each, bytes_each = spent / len(made), sum(frame.size for frame in made.values()) / len(made)
        return (
            len(made) + further <= self.frames
            and (len(made) + further) * bytes_each <= self.size
            and (len(made) == 1 or spent - each + further * each <= self.seconds)
        )


# What all moving cells of a page may add to it; each takes at most a part of what is left.
PAGE_SIZE, PART_OF_SIZE = 2.8e6, 0.5
# The time that all of them may take: a share of the kernel's other work, and never less than a few seconds.
SHARE, MIN_SECONDS, PART_OF_SECONDS, MIN_FOR_ONE = 0.3, 2.5, 0.7, 0.8
PATIENCE = 2  # times the seconds, until every control has a second value


@dataclass
class _Page:
    """Cost of the moving cells of this kernel's page so far."""

    size: float = 0.0
    seconds: float = 0.0
    begun: float | None = None


_page = _Page()


def page_budget(frames: int | None = None) -> Budget:
    """Return what the next moving cell of this kernel's page may cost; ``frames`` is what its author allows.

    The time from here to ``note_kept`` counts as spent on frames.
    """
    _page.begun = time.process_time()
    left = max(MIN_SECONDS, SHARE * (_page.begun - _page.seconds)) - _page.seconds
    budget = Budget(size=PART_OF_SIZE * (PAGE_SIZE - _page.size), seconds=max(MIN_FOR_ONE, PART_OF_SECONDS * left))
    return budget if frames is None else replace(budget, frames=frames)


def note_kept(size: float) -> None:
    """Count the bytes that a moving cell has added to the page of this kernel, and the time it took."""
    _page.size += size
    if _page.begun is not None:
        _page.seconds += time.process_time() - _page.begun
        _page.begun = None


@dataclass
class FrameGrid:
    """Stored values of each control, as positions among all its options, and a frame for each combination."""

    options: Mapping[str, Sequence[Any]]
    positions: dict[str, list[int]]
    frames: dict[Position, Frame] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether every value of every control is stored."""
        return all(len(self.positions[name]) == len(options) for name, options in self.options.items())

    def values(self, name: str) -> list[Any]:
        """Return the stored values of a control, in their order."""
        return [self.options[name][position] for position in sorted(self.positions[name])]


def grown(
    draw: Callable[[dict[str, Any]], Frame],
    options: Mapping[str, Sequence[Any]],
    start: Mapping[str, Any],
    budget: Budget,
    declared: Mapping[str, Sequence[Any]] | None = None,
    clock: Callable[[], float] = time.process_time,
) -> FrameGrid:
    """Draw frames from the start values on, as many as the budget allows; ``declared`` values are always drawn.

    >>> drawn = grown(lambda values: Frame(), {"k": range(2, 51), "strict": [True, False]}, {"k": 5, "strict": True},
    ...               Budget(frames=10))
    >>> drawn.values("k"), drawn.values("strict"), drawn.whole
    ([2, 5, 16, 27, 50], [True, False], False)
    """
    grid = FrameGrid(options, {name: [list(options[name]).index(start[name])] for name in options})
    begun = clock()

    def fill() -> None:
        for position in product(*grid.positions.values()):
            if position not in grid.frames:
                chosen = zip(options.items(), position, strict=True)
                grid.frames[position] = draw({name: values[at] for (name, values), at in chosen})

    fill()
    for name, values in (declared or {}).items():
        wanted = [list(options[name]).index(value) for value in values]
        grid.positions[name] = list(dict.fromkeys(grid.positions[name] + wanted))
    fill()
    while (further := _next(grid, budget, clock() - begun, declared or {})) is not None:
        grid.positions[further].append(_farthest(grid.positions[further], len(options[further])))
        fill()
    return grid


def _next(grid: FrameGrid, budget: Budget, spent: float, declared: Mapping[str, Any]) -> str | None:
    """Return the control with the fewest values, if the budget allows the frames of one more."""
    open_ones = [
        name
        for name, options in grid.options.items()
        if name not in declared and len(grid.positions[name]) < len(options)
    ]
    for name in sorted(open_ones, key=lambda name: len(grid.positions[name])):
        still = len(grid.positions[name]) == 1  # a control that does not move is worth some patience
        if budget.allows(
            grid.frames, len(grid.frames) // len(grid.positions[name]), spent / (PATIENCE if still else 1)
        ):
            return name
    return None


def _farthest(taken: Sequence[int], count: int) -> int:
    """Return the position farthest from those taken; the ends come first.

    >>> _farthest([3], 10), _farthest([3, 9], 10), _farthest([0, 3, 9], 10)
    (9, 0, 6)
    """
    for end in (count - 1, 0) if min(taken) < count - 1 - max(taken) else (0, count - 1):
        if end not in taken:
            return end
    return max(
        (position for position in range(count) if position not in taken), key=lambda p: min(abs(p - t) for t in taken)
    )
