"""Privacy models as requirements: each tells, for all groups at once, which of them satisfy it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.table import Table

Checker = Callable[[np.ndarray, int, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Model:
    """Base of all privacy models: a frozen dataclass that makes a checker for a table."""

    def check_table(self, table: Table) -> None:
        """Raise a clear error when the table cannot be judged by this model (no sensitive column, say)."""

    def checker(self, table: Table) -> Checker:
        """``check(groups, n_groups, rows)``: a flag per group; ``groups`` numbers the table's ``rows``."""
        raise NotImplementedError


@dataclass(frozen=True)
class KAnonymity(Model):
    """Every group has at least ``k`` rows."""

    k: int

    def checker(self, table: Table) -> Checker:
        return lambda groups, n_groups, rows: np.bincount(groups, minlength=n_groups) >= self.k


class GroupCheck:
    """Tests many groups at once: at least ``k`` rows, and every required model."""

    def __init__(self, table: Table, k: int, require: Sequence[Model] = ()):
        self._rows = np.arange(len(table))
        self._checkers = [model.checker(table) for model in (KAnonymity(k), *require)]

    def __call__(self, groups: np.ndarray, n_groups: int, rows: np.ndarray | None = None) -> np.ndarray:
        """A flag per group; ``rows`` are the table's rows that ``groups`` numbers (all by default)."""
        rows = self._rows if rows is None else rows
        good = np.ones(n_groups, dtype=bool)
        for check in self._checkers:
            good &= check(groups, n_groups, rows)
        return good
