"""The levels of a hierarchy: rows of labels of which each level refines the next, and the same as integer arrays.

A row has a value and its label on every level. Bound to an attribute the rows become, for each level, the label number
of every code of the domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from anonnb.core.readonly import frozen
from anonnb.tables.labels import text


class Domain(Protocol):
    """What a hierarchy needs of an attribute."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def domain(self) -> pd.Index: ...

    @property
    def missing(self) -> bool: ...

    @property
    def labels(self) -> list[str]: ...

    @property
    def numbers(self) -> np.ndarray: ...

    @property
    def is_number(self) -> bool: ...


@dataclass(frozen=True, eq=False)
class Levels:
    """A hierarchy bound to a domain: ``maps[level][code]`` is a label number, ``labels[level]`` their texts."""

    maps: np.ndarray
    labels: list[list[str]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "maps", frozen(self.maps))

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]], height: int) -> Levels:
        """Make levels from rows of labels, one row per code."""
        maps = np.empty((height + 1, len(rows)), dtype=np.int32)
        names: list[list[str]] = []
        for level in range(height + 1):
            maps[level], uniques = pd.factorize(np.array([row[level] for row in rows], dtype=object))
            names.append(list(uniques))
        maps[0] = np.arange(len(rows))  # two values with one text (1 and "1") stay two values
        names[0] = [row[0] for row in rows]
        return cls(maps, names)

    @property
    def height(self) -> int:
        return len(self.maps) - 1

    def up(self, level: int) -> np.ndarray:
        """Return the label number on the next level for each label number of this level."""
        parents = np.empty(len(self.labels[level]), dtype=np.int32)
        parents[self.maps[level]] = self.maps[level + 1]
        return parents


def check_rows(rows: Sequence[Sequence[object]], source: str) -> None:
    """Check that every value has a label on every level, and that each level refines the next."""
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
    for row in rows:
        if "" in map(text, row[1:]):
            raise ValueError(f"{source}: {text(row[0])!r} has an empty label; give it one on every level")
    check_refinement(rows, source)


def check_refinement(rows: Sequence[Sequence[object]], source: str) -> None:
    """Check that equal labels stay equal on every higher level; otherwise a level would not refine the next."""
    for level in range(len(rows[0]) - 1 if rows else 0):
        parent: dict[str, str] = {}
        for row in rows:
            below, above = text(row[level]), text(row[level + 1])
            if parent.setdefault(below, above) != above:
                raise ValueError(
                    f"{source}: {below!r} on level {level} belongs to both {parent[below]!r} and {above!r} on level "
                    f"{level + 1}; each level must refine the next"
                )


def leaf_order(rows: Sequence[Sequence[object]]) -> list[str]:
    """Return values in depth-first order, so that every label covers consecutive values; ties as in the file."""
    ranks = []
    for level in range(len(rows[0])):
        seen: dict[str, int] = {}
        ranks.append([seen.setdefault(text(row[level]), len(seen)) for row in rows])
    order = sorted(range(len(rows)), key=lambda index: tuple(rank[index] for rank in reversed(ranks)))
    return list(dict.fromkeys(text(rows[index][0]) for index in order))
