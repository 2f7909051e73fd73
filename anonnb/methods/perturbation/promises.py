"""What perturbations guarantee: less than k-anonymity, and of another kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.methods.promises import Promise
from anonnb.tables.release import Release

# moved values are neither sets of values nor classes of equal rows
BLIND = frozenset({"NCP", "precision", "entropy loss", "discernibility", "average class size"})


@dataclass(frozen=True)
class MovedValues(Promise):
    """No guarantee about anybody; values may not be true."""

    name: ClassVar[str] = "moved values"
    misleading: ClassVar[frozenset[str]] = BLIND

    @property
    def guarantee(self) -> str:
        return "No published value need be true; how far values move is a parameter, and nothing more is guaranteed."

    @property
    def limits(self) -> str:
        return "Anyone who knows a few exact values of a person may still find the nearest row, often the right one."


@dataclass(frozen=True)
class CoarserValues(MovedValues):
    """Values become coarser; rows that were alike stay alike."""

    name: ClassVar[str] = "coarser values"

    @property
    def guarantee(self) -> str:
        return "Values are published more coarsely; no smallest class size is guaranteed."

    @property
    def limits(self) -> str:
        return "A combination of coarse values may still belong to a single person."


@dataclass(frozen=True)
class SameMargins(MovedValues):
    """Every column has the values it had, each as often."""

    name: ClassVar[str] = "unchanged margins"
    keeps_margins: ClassVar[bool] = True

    @property
    def guarantee(self) -> str:
        return "Every column holds exactly the values that it held, each as often; whose they are has changed."

    def check(self, published: Release) -> None:
        for name in published.quasi:
            column = published.columns[name]
            before = published.table.counts(name)
            after = np.bincount(column.sets.lo[column.index], minlength=len(before))
            if not np.array_equal(before, after):
                raise Infeasible(f"{published.method or self}: column {name!r} does not hold the values that it held")


@dataclass(frozen=True)
class RandomizedCells(MovedValues):
    """Every cell is drawn by a known matrix, by itself."""

    name: ClassVar[str] = "randomized cells"

    @property
    def guarantee(self) -> str:
        return (
            "Every changed cell is drawn by itself with published probabilities: whatever it shows, no true value makes"
            " that likelier than another by more than the published factor of its column."
        )

    @property
    def limits(self) -> str:
        return (
            "The factors of several cells of a person multiply, so with many columns somebody who knows them may still "
            "find a row."
        )
