"""Generalization hierarchies and the lattice of their levels (Samarati 2001; Ciriani et al. 2008, section 2).

A hierarchy maps every value to a label per level; level 0 is the value itself and each level refines the next.
Bound to an attribute it becomes integer arrays: for each level, the label number of every code of the domain.
"""

from __future__ import annotations

import csv
import itertools
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from anonnb.table import Attribute

SUPPRESSED = "*"
MISSING = "missing"


def text(value: object) -> str:
    """A value as people write it: no trailing ``.0``, no time of day at midnight.

    >>> text(15.0), text("a"), text(0.1), text(pd.Timestamp("2020-01-31"))
    ('15', 'a', '0.1', '2020-01-31')
    """
    if isinstance(value, float | np.floating):
        return str(int(value)) if math.isfinite(value) and value == int(value) else repr(float(value))
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return value.strftime("%Y-%m-%d")
    return str(value)


class Hierarchy:
    """Labels of every value, one per level.

    Make one with :meth:`from_csv`, :meth:`from_dict`, :meth:`from_nested`, :meth:`intervals`, :meth:`mask` or
    :meth:`flat`; attach it with ``Table(..., hierarchies={"age": hierarchy})``.

    >>> h = Hierarchy.from_dict({"married": ["been_married", "any"], "single": ["never_married", "any"]})
    >>> h.height, h.generalize("single", 1)
    (2, 'never_married')
    """

    def __init__(self, label: Callable[[object], Sequence[str] | None], height: int, values: Sequence | None = None):
        """``label(value)`` gives the labels of levels 1..height, or None when the value is not covered."""
        self._label = label
        self.height = height
        self.values = None if values is None else list(values)

    def __repr__(self) -> str:
        covered = "any value" if self.values is None else f"{len(self.values)} values"
        return f"Hierarchy({covered}, height {self.height})"

    def generalize(self, value: object, level: int) -> str:
        """The label of a value at a level (level 0 is the value itself)."""
        if not 0 <= level <= self.height:
            raise ValueError(f"level {level} does not exist; this hierarchy has levels 0 to {self.height}")
        labels = self._label(value)
        if labels is None:
            raise ValueError(f"the hierarchy does not cover the value {text(value)!r}; add a line for it")
        return text(value) if level == 0 else labels[level - 1]

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[object]], source: str = "the hierarchy") -> Hierarchy:
        """From rows of (value, label of level 1, …, label of the top level)."""
        rows = [list(row) for row in rows]
        if not rows:
            raise ValueError(f"{source} is empty; give one row per value")
        height = len(rows[0]) - 1
        for row in rows:
            if len(row) != height + 1:
                raise ValueError(
                    f"{source}: the row of {text(row[0]) if row else ''!r} has {len(row)} levels, "
                    f"the first row has {height + 1}; give every value a label on every level"
                )
        if height < 1:
            raise ValueError(f"{source} has one level only; give at least one level above the values")
        _check_refinement(rows, source)
        labels: dict[str, list[str]] = {}
        for row in rows:
            labels.setdefault(text(row[0]), [text(label) for label in row[1:]])
        order = _leaf_order(rows)
        return cls(lambda value: labels.get(text(value)), height, order)

    @classmethod
    def from_csv(cls, path: str | os.PathLike, *, header: bool = True, sep: str = ",") -> Hierarchy:
        """From a file with one column per level, the values first; a header line by default."""
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file, delimiter=sep) if row]
        return cls.from_rows(rows[1:] if header else rows, source=os.path.basename(path))

    @classmethod
    def from_dict(cls, labels: Mapping[object, Sequence[object] | object]) -> Hierarchy:
        """From ``{value: [label of level 1, …]}``; a single label may stand without its list."""
        rows = [
            [value, *(parents if isinstance(parents, list | tuple) else [parents])] for value, parents in labels.items()
        ]
        return cls.from_rows(rows)

    @classmethod
    def from_nested(cls, tree: Mapping[str, Mapping | Iterable], root: str = SUPPRESSED) -> Hierarchy:
        """From a nested dict of labels whose innermost collections hold the values; ``root`` tops it.

        >>> h = Hierarchy.from_nested({"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP"]}})
        >>> [h.generalize("IT", level) for level in range(4)]
        ['IT', 'South', 'Europe', '*']
        """

        def walk(node: Mapping | Iterable, above: list[str]) -> Iterator[list]:
            if isinstance(node, Mapping):
                for label, below in node.items():
                    yield from walk(below, [str(label), *above])
            else:
                for value in [node] if isinstance(node, str) else node:
                    yield [value, *above]

        return cls.from_rows(walk(tree, [root]), source="the nested hierarchy")

    @classmethod
    def intervals(cls, *widths: float, start: float = 0, top: bool = True) -> Hierarchy:
        """Half-open intervals ``[a,b)`` for numbers; each width a multiple of the one before it.

        >>> Hierarchy.intervals(5, 10, start=0).generalize(37, 1)
        '[35,40)'
        """
        if not widths or any(width <= 0 for width in widths):
            raise ValueError("give one or more positive interval widths, such as Hierarchy.intervals(5, 10, 20)")
        for narrow, wide in itertools.pairwise(widths):
            ratio = wide / narrow
            if ratio < 1 or abs(ratio - round(ratio)) > 1e-9:
                raise ValueError(f"interval width {wide:g} is not a multiple of {narrow:g}; levels would not be nested")

        def label(value: object) -> list[str] | None:
            try:
                number = float(value)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                return None
            found = []
            for width in widths:
                low = start + math.floor((number - start) / width + 1e-12) * width
                found.append(f"[{text(round(low, 10))},{text(round(low + width, 10))})")
            return found + [SUPPRESSED] * top

        return cls(label, len(widths) + top)

    @classmethod
    def mask(cls, length: int, *, steps: int = 1, char: str = SUPPRESSED) -> Hierarchy:
        """For codes such as ZIP: hide ``steps`` more characters from the right at each level.

        >>> Hierarchy.mask(5, steps=2).generalize("41058", 1)
        '410**'
        """
        if length < 1 or steps < 1:
            raise ValueError("a prefix mask needs length and steps of at least 1")
        hidden = [min(level * steps, length) for level in range(1, math.ceil(length / steps) + 1)]

        def label(value: object) -> list[str] | None:
            word = text(value)
            if len(word) > length:
                return None
            word = word.ljust(length)
            return [word[: length - count] + char * count if count < length else char for count in hidden]

        return cls(label, len(hidden))

    @classmethod
    def flat(cls) -> Hierarchy:
        """Keep or suppress: every value goes to ``*`` in one step."""
        return cls(lambda value: [SUPPRESSED], 1)

    @classmethod
    def default(cls, attribute: Attribute) -> Hierarchy:
        """What we use when no hierarchy is given: doubling intervals for numbers, keep-or-suppress otherwise."""
        if attribute.kind != "numeric" or len(attribute.domain) < 3 or not attribute.is_number:
            return cls.flat()
        low, high = float(attribute.numbers[0]), float(attribute.numbers[len(attribute.domain) - 1])
        base = 10.0 ** math.floor(math.log10((high - low) / 10)) * 5
        widths = [base * 2**step for step in range(12) if base * 2**step < high - low] or [base]
        return cls.intervals(*widths, start=math.floor(low / widths[-1]) * widths[-1])

    # ---- bound to an attribute --------------------------------------------------------------------------------

    def bind(self, attribute: Attribute) -> Levels:
        """The hierarchy as arrays over an attribute's codes; raises for the first value it does not cover."""
        rows = []
        for value in attribute.domain:
            labels = self._label(value)
            if labels is None:
                raise ValueError(
                    f"column {attribute.name!r}: the hierarchy does not cover the value {text(value)!r}; "
                    "add a line for it or correct the value"
                )
            rows.append([text(value), *labels])
        _check_refinement(rows, f"column {attribute.name!r}")
        if attribute.missing:
            tops = {row[-1] for row in rows}
            rows.append([MISSING] * self.height + [tops.pop() if len(tops) == 1 else MISSING])
        maps = np.empty((self.height + 1, len(rows)), dtype=np.int32)
        names: list[list[str]] = []
        for level in range(self.height + 1):
            maps[level], found = pd.factorize(np.array([row[level] for row in rows], dtype=object))
            names.append(list(found))
        maps[0] = np.arange(len(rows))  # two values with one text (1 and "1") stay two values
        names[0] = [row[0] for row in rows]
        return Levels(maps, names)


@dataclass(frozen=True, eq=False)
class Levels:
    """A hierarchy bound to a domain: ``maps[level][code]`` is a label number, ``labels[level]`` their texts."""

    maps: np.ndarray
    labels: list[list[str]]

    @property
    def height(self) -> int:
        return len(self.maps) - 1

    def up(self, level: int) -> np.ndarray:
        """Label number on the next level for each label number of this level."""
        parents = np.empty(len(self.labels[level]), dtype=np.int32)
        parents[self.maps[level]] = self.maps[level + 1]
        return parents


class Lattice:
    """All combinations of hierarchy levels, from the bottom (nothing generalized) to the top.

    >>> lattice = Lattice([2, 1])
    >>> lattice.size, lattice.nodes(1), lattice.successors((0, 1))
    (6, [(0, 1), (1, 0)], [(1, 1)])
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
        """Every node, by height and then in order of the tuples."""
        for height in range(self.height + 1):
            yield from self.nodes(height)

    @cached_property
    def _by_height(self) -> list[list[tuple[int, ...]]]:
        ranks: list[list[tuple[int, ...]]] = [[] for _ in range(self.height + 1)]
        for node in itertools.product(*(range(height + 1) for height in self.heights)):
            ranks[sum(node)].append(node)
        return ranks

    def nodes(self, height: int) -> list[tuple[int, ...]]:
        """The nodes whose levels sum to ``height``."""
        return list(self._by_height[height]) if 0 <= height <= self.height else []

    def successors(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The nodes one step above."""
        return [
            (*node[:place], level + 1, *node[place + 1 :])
            for place, level in enumerate(node)
            if level < self.heights[place]
        ]

    def predecessors(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The nodes one step below."""
        return [(*node[:place], level - 1, *node[place + 1 :]) for place, level in enumerate(node) if level > 0]


def _check_refinement(rows: Sequence[Sequence[object]], source: str) -> None:
    """Equal labels must stay equal on every higher level, or a level would not refine the next."""
    for level in range(len(rows[0]) - 1 if rows else 0):
        parent: dict[str, str] = {}
        for row in rows:
            below, above = text(row[level]), text(row[level + 1])
            if parent.setdefault(below, above) != above:
                raise ValueError(
                    f"{source}: {below!r} on level {level} belongs to both {parent[below]!r} and {above!r} on level "
                    f"{level + 1}; each level must refine the next"
                )


def _leaf_order(rows: Sequence[Sequence[object]]) -> list[str]:
    """Values in depth-first order, so that every label covers a run of neighbours; ties as in the file."""
    ranks = []
    for level in range(len(rows[0])):
        seen: dict[str, int] = {}
        ranks.append([seen.setdefault(text(row[level]), len(seen)) for row in rows])
    order = sorted(range(len(rows)), key=lambda place: tuple(rank[place] for rank in reversed(ranks)))
    return list(dict.fromkeys(text(rows[place][0]) for place in order))
