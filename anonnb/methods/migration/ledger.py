"""Accounts of what migrations have cost the rules: one exact, one as the paper keeps it.

The exact account compares where each row belongs with where it is, so a row that moves twice is charged once and a row
that returns costs nothing. The paper's account charges a rule once per migration, however many rows it harms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from anonnb.methods.migration.watch import KEEP, Watch

MOST_REMEMBERED = 5_000_000  # numbers in all changes that are kept


class Ledger:
    """Charges each constraint one for every harmed row; with ``caps``, also keeps rare values rare.

    ``values`` holds a number for each group's value of each quasi-identifier, ``caps`` the most rows a value may have.
    """

    def __init__(self, watch: Watch, home: np.ndarray, values: np.ndarray, caps: np.ndarray | None = None):
        self.watch, self.budget = watch, watch.constraints.budget
        self.spent = np.zeros(len(watch.constraints), dtype=np.int64)
        self._profile = watch.profile.tolist()
        # a row's class: its type and the profile it belongs to
        classes = watch.kind_of_row * (int(watch.profile.max()) + 1) + watch.profile[home]
        self._class, self._n_profiles = classes.tolist(), int(watch.profile.max()) + 1
        self._known: dict[tuple[int, int], np.ndarray] = {}
        self._changes: dict[tuple[int, int, int], np.ndarray] = {}
        self._home, self._used_up = home, b""
        self._open: np.ndarray | None = None
        self._open_by_home: dict[int, np.ndarray] = {}
        self._values, self._caps = values, caps
        self._rows_with = np.bincount(values[home].ravel(), minlength=0 if caps is None else len(caps))

    def allows(self, rows: Sequence[int], source: int, target: int) -> bool:
        """Tell whether the rows of ``source`` may take on the values of ``target``."""
        return self.within_caps(len(rows), source, target) and self.fits(rows, source, self._profile[target])

    def within_caps(self, count: int, source: int, target: int) -> bool:
        """Tell whether no rare value would become frequent."""
        if self._caps is None:
            return True
        gained = self._values[target][self._values[target] != self._values[source]]
        return bool((self._rows_with[gained] + count <= self._caps[gained]).all())

    def fits(self, rows: Sequence[int], source: int, profile: int) -> bool:
        """Tell whether the budgets allow the rows to take on a profile."""
        return self.overdrawn(rows, source, profile) == (0, 0)

    def overdrawn(self, rows: Sequence[int], source: int, profile: int) -> tuple[int, int]:
        """Number of rules, and of all constraints, that the move would charge beyond their budgets."""
        change = self._change(rows, self._profile[source], profile)
        if change is None:
            return 0, 0
        beyond = (self.spent + change > self.budget) & (change > 0)
        return int((beyond & (self.watch.constraints.kind == KEEP)).sum()), int(beyond.sum())

    def harm(self, row: int, profile: int) -> int:
        """Number of constraints that a row charges when it shows a profile."""
        return len(self._charges(self._class[row], profile))

    def spare(self, rows: Sequence[int]) -> np.ndarray | None:
        """Count for each profile the rows that could, each alone, take it on; None while no budget is exhausted."""
        self._look_for_exhausted_budgets()
        if self._open is None:
            return None
        if len(rows) == 1:
            return self._open[self._row_kind[rows[0]]]
        return self._open[self._row_kind[rows]].sum(axis=0)

    def open_by_home(self, profile: int) -> np.ndarray:
        """Count the rows of each group, where they belong, that could take on a profile."""
        if profile not in self._open_by_home:
            assert self._open is not None  # some budget is exhausted
            self._open_by_home[profile] = np.bincount(self._home, weights=self._open[self._row_kind, profile])
        return self._open_by_home[profile]

    def _look_for_exhausted_budgets(self) -> None:
        """Find out which kinds of rows could take on which profiles: ``_open``, kinds × profiles, 1 or 0."""
        used_up = self.spent >= self.budget
        now = used_up.tobytes()
        if now == self._used_up:  # budgets run out rarely, and the answers hold until one does
            return
        self._used_up, self._open, self._open_by_home = now, None, {}
        if used_up.any():
            kinds, self._row_kind = np.unique(self._class, return_inverse=True)
            free = [
                [not used_up[self._charges(kind, profile)].any() for profile in range(self._n_profiles)]
                for kind in kinds.tolist()
            ]
            self._open = np.array(free, dtype=np.float64)

    def move(self, rows: Sequence[int], source: int, target: int) -> None:
        """Charge the move of rows."""
        change = self._change(rows, self._profile[source], self._profile[target])
        if change is not None:
            self.spent += change
        if self._caps is not None:  # a group has one value of each attribute, so no place comes twice
            self._rows_with[self._values[source]] -= len(rows)
            self._rows_with[self._values[target]] += len(rows)

    go_home = move

    def _charges(self, row_class: int, profile: int) -> np.ndarray:
        key = (row_class, profile)
        if key not in self._known:
            self._known[key] = self.watch.charges(*divmod(row_class, self._n_profiles), profile)
        return self._known[key]

    def _change(self, rows: Sequence[int], old: int, new: int) -> np.ndarray | None:
        if old == new:
            return None
        if len(rows) == 1:
            return self._change_of_one(self._class[rows[0]], old, new)
        counts = Counter(self._class[row] for row in rows)
        change = np.zeros(len(self.spent), dtype=np.int64)
        for row_class, count in counts.items():
            change += count * self._change_of_one(row_class, old, new)
        return change

    def _change_of_one(self, row_class: int, old: int, new: int) -> np.ndarray:
        """Return what changes in the charges when a row of a class shows another profile; do not write into it."""
        key = (row_class, old, new)
        change = self._changes.get(key)
        if change is None:
            change = np.zeros(len(self.spent), dtype=np.int64)
            change[self._charges(row_class, new)] += 1
            change[self._charges(row_class, old)] -= 1
            if len(self._changes) * len(change) < MOST_REMEMBERED:
                self._changes[key] = change
        return change


class PaperLedger(Ledger):
    """The paper's account: charges one to every rule that some moved row stops supporting."""

    def overdrawn(self, rows: Sequence[int], source: int, profile: int) -> tuple[int, int]:
        affected = self._affected(rows, self._profile[source], profile)
        beyond = int((self.spent[affected] >= self.budget[affected]).sum())
        return beyond, beyond

    def move(self, rows: Sequence[int], source: int, target: int) -> None:
        self.spent[self._affected(rows, self._profile[source], self._profile[target])] += 1

    def go_home(self, rows: Sequence[int], source: int, target: int) -> None:
        self.spent[self._affected(rows, self._profile[target], self._profile[source])] -= 1

    def _affected(self, rows: Sequence[int], old: int, new: int) -> np.ndarray:
        both = self.watch.constraints.both
        changed = self.watch.in_profile[old][both] & ~self.watch.in_profile[new][both]
        types = list({self._class[row] // self._n_profiles for row in rows})
        return np.flatnonzero(changed & self.watch.in_type[types][:, both].any(axis=0))
