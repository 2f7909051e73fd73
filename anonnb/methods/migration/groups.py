"""The groups of a migration: which rows are where, which groups are safe, and the last stage, which disperses the rest.

A group keeps its quasi-identifier even when its rows have left; rows that return find it. Safe means: at least k rows
and every required model. Ties are broken by position everywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.wording import pluralize
from anonnb.methods.merging import Merging, pass_together
from anonnb.methods.migration.ledger import Ledger
from anonnb.methods.migration.watch import KEEP
from anonnb.rules.association.mining import readable
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


class Groups:
    """Rows by quasi-identifier, and the moves between them, each charged to a ledger."""

    def __init__(self, table: Table, k: int, check: Callable | None):
        self.k, self._check, self._table = k, check, table
        columns = [table.codes(name) for name in table.quasi]
        sizes = [table.attributes[name].size for name in table.quasi]
        self.home, self.count = group_ids(columns, sizes)
        order, starts = group_order(self.home, self.count)
        self.first = order[starts[:-1]]
        self.members = [part.tolist() for part in np.split(order, starts[1:-1])]
        # one number per value of each quasi-identifier, for counting
        offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.values = np.column_stack([c[self.first] + o for c, o in zip(columns, offsets, strict=True)])
        self.moves = self.dispersed = self.forced = 0

    def attach(self, ledger: Ledger) -> None:
        """Start with a ledger; needs the profiles, which need the groups."""
        self.ledger = ledger
        self.profile = ledger.watch.profile.tolist()
        self.nearest = ledger.watch.nearest
        self.safe: dict[int, dict[int, None]] = {}
        flags = self._initially_safe()
        for group in np.flatnonzero(flags).tolist():
            self.mark_safe(group)
        self.unsafe = sorted(np.flatnonzero(~flags).tolist(), key=lambda group: (self.size(group), group))

    def _initially_safe(self) -> np.ndarray:
        if self._check is None:
            return np.bincount(self.home, minlength=self.count) >= self.k
        return np.asarray(self._check(self.home, self.count))

    # ---- reading ----------------------------------------------------------------------------------------------

    def size(self, group: int) -> int:
        return len(self.members[group])

    def is_good(self, rows: Sequence[int]) -> bool:
        """Tell whether these rows would make a safe group."""
        if len(rows) < self.k:
            return False
        if self._check is None:
            return True
        return pass_together(self._check, rows)

    def current(self) -> np.ndarray:
        """Return the group of every row now."""
        now = np.empty(len(self.home), dtype=np.int64)
        for group, rows in enumerate(self.members):
            now[rows] = group
        return now

    def safe_by_profile(self, group: int) -> Iterator[tuple[int, list[int]]]:
        """Safe groups: the most similar profile first, in it the most equal values, then the smallest group."""
        for profile in self.nearest[self.profile[group]]:
            if self.safe.get(profile):
                safe = np.array(list(self.safe[profile]))
                sizes = np.array([len(self.members[other]) for other in safe])
                yield profile, safe[np.lexsort((safe, sizes, -self._equal_values(group, safe)))].tolist()

    def most_alike(self, group: int, others: Iterable[int]) -> int:
        """Return the group that shares the most quasi-identifier values with ``group``; ties go to the first."""
        candidates = np.array(list(others))
        return int(candidates[self._equal_values(group, candidates).argmax()])

    def _equal_values(self, group: int, others: np.ndarray) -> np.ndarray:
        return (self.values[others] == self.values[group]).sum(axis=1)

    # ---- changing ---------------------------------------------------------------------------------------------

    def mark_safe(self, group: int) -> None:
        self.safe.setdefault(self.profile[group], {})[group] = None

    def unmark_safe(self, group: int) -> None:
        self.safe.get(self.profile[group], {}).pop(group, None)

    def move(self, rows: Sequence[int], source: int, target: int) -> None:
        """Give rows of ``source`` the values of ``target``."""
        self._book(self.ledger.move, rows, source, target)

    def _book(self, account: Callable, rows: Sequence[int], source: int, target: int) -> None:
        """Charge a move of rows to the ledger, and carry it out."""
        before = self.ledger.spent.copy() if listening() else self.ledger.spent
        account(rows, source, target)
        self.members[target].extend(rows)
        gone = set(rows) if len(rows) < len(self.members[source]) else None
        self.members[source] = [row for row in self.members[source] if row not in gone] if gone else []
        self.moves += 1
        if listening():
            tell_move(self._table, self, rows, (source, target), before)

    def demand(self, check: Callable) -> list[int]:
        """Require from now on that safe groups pass ``check`` too; return the safe groups that do not."""
        self._check = check
        safe = [group for groups in self.safe.values() for group in groups]
        failing = [group for group in sorted(safe) if not self.is_good(self.members[group])]
        for group in failing:
            self.unmark_safe(group)
        return failing

    # ---- what no migration could place ------------------------------------------------------------------------

    def disperse(self, unplaced: Sequence[int]) -> None:
        """Send rows back to their own groups, and place the rest in safe ones; forced where no budget allows."""
        queue = deque(unplaced)
        if queue and not any(self.safe.values()):
            # there is no safe group: the largest one takes in the others
            sink = max(queue, key=lambda group: (self.size(group), -group))
            queue.remove(sink)
            self.mark_safe(sink)
        while queue:
            group = queue.popleft()
            for row in [row for row in self.members[group] if self.home[row] != group]:
                self._send_home(row, group, queue)
            for row in list(self.members[group]):
                self._place(row, group)
        _LeastHarm(self).run()  # merges groups that still miss a required model

    def _send_home(self, row: int, group: int, queue: deque) -> None:
        target = int(self.home[row])
        was_safe = target in self.safe.get(self.profile[target], {})
        if was_safe and not self.is_good([*self.members[target], row]):
            return  # its home would no longer satisfy a required model: the row is placed like the others
        if not self.members[target]:
            queue.append(target)
        self._book(self.ledger.go_home, [row], group, target)

    def _place(self, row: int, group: int) -> None:
        self.dispersed += 1
        target = self._allowed_place(row, group)
        if target is None:
            self.forced += 1
            target = self._least_harmful_place(row, group)
        self.move([row], group, target)

    def _allowed_place(self, row: int, group: int) -> int | None:
        for profile, targets in self.safe_by_profile(group):
            if self.ledger.fits([row], group, profile):
                for target in targets:
                    if self.ledger.within_caps(1, group, target) and self._stays_safe(target, row):
                        return target
        return None

    def _least_harmful_place(self, row: int, group: int) -> int:
        """Prefer a new rule to a lost one: the fewest rules beyond their budgets, then the fewest guards."""
        ranked = sorted(self.safe_by_profile(group), key=lambda part: self.ledger.overdrawn([row], group, part[0]))
        for _, targets in ranked:
            for target in targets:
                if self._stays_safe(target, row):
                    return target
        return ranked[0][1][0]

    def _stays_safe(self, target: int, row: int) -> bool:
        return self._check is None or self.is_good([*self.members[target], row])

    def by_likeness(self, group: int, others: Iterable[int]) -> list[int]:
        """Other groups: the most similar profile first, then the smallest group."""
        rank = {profile: position for position, profile in enumerate(self.nearest[self.profile[group]])}
        return sorted(others, key=lambda other: (rank[self.profile[other]], self.size(other), other))


class _LeastHarm(Merging):
    """A group that misses a model moves to the most similar group that is safe with it, or just to the most similar."""

    def __init__(self, groups: Groups):
        super().__init__(groups.members, np.array([groups.is_good(rows) for rows in groups.members]))
        self._groups = groups

    def partner(self, group: int) -> int:
        others = self._groups.by_likeness(group, (o for o in np.flatnonzero(self.alive).tolist() if o != group))
        members = self._groups.members
        rows = members[group]
        return next((other for other in others if self._groups.is_good([*members[other], *rows])), others[0])

    def unite(self, group: int, target: int) -> None:
        rows = self._groups.members[group]
        if not self._groups.ledger.allows(rows, group, target):
            self._groups.forced += len(rows)
        self._groups.move(rows, group, target)

    def passes(self, group: int) -> bool:
        return self._groups.is_good(self._groups.members[group])


# ---- steps ------------------------------------------------------------------------------------------------------


def shown_release(table: Table, first: np.ndarray, now: np.ndarray) -> Release:
    """Return what is published when every row shows its group's quasi-identifier; ``first``: a row of each group."""
    rows = first[now]
    columns = {name: Column.original(table.attributes[name], table.codes(name)[rows]) for name in table.quasi}
    return Release(table, columns, np.arange(len(table)))


def tell_begin(table: Table, groups: Groups) -> None:
    """Record which groups are unsafe, and the rules with their budgets."""
    unsafe, rows = len(groups.unsafe), sum(map(groups.size, groups.unsafe))
    sentence = (
        f"{unsafe} of the {pluralize(groups.count, 'class', 'classes')} {'is' if unsafe == 1 else 'are'} unsafe, with "
        f"{pluralize(rows, 'row')} in total. A significant rule survives while its budget covers the rows that harm it"
    )
    note("Unsafe classes and budgets", f"{sentence}.", Release.of(table), _accounts(groups.ledger, groups.ledger.spent))


def tell_move(table: Table, groups: Groups, rows: Sequence[int], ends: tuple[int, int], before: np.ndarray) -> None:
    """Record that rows moved from one group to another, after the move; ``before`` is what was spent before it."""
    source, target = (_values(table, groups, group) for group in ends)
    accounts = _accounts(groups.ledger, before)
    charged = accounts.index[accounts["now"] != accounts["before"]]
    back = all(groups.home[row] == ends[1] for row in rows)
    title = f"{pluralize(len(rows), 'row')}: {source} → {target}"
    verb = "are" if len(charged) > 1 else "is"
    cost = f"{len(charged)} of the {pluralize(len(accounts), 'rule')} {verb}" if len(charged) else "no rule is"
    why = f"The class then has {pluralize(groups.size(ends[1]), 'row')}"
    if back:
        why = "It returns to its own values" if len(rows) == 1 else "They return to their own values"
    sentence = f"{pluralize(len(rows), 'row')} will show {target} instead of {source}. {why}, and {cost} charged"
    state = shown_release(table, groups.first, groups.current())
    note(title, f"{sentence}.", state, accounts, list(charged))


def _accounts(ledger: Ledger, before: np.ndarray) -> pd.DataFrame:
    """Return the rules to keep, with budgets and what is spent, the tightest first."""
    kept = ledger.watch.constraints.kind == KEEP
    frame = readable(ledger.watch.rules.frame())
    sides = zip(frame["antecedents"], frame["consequents"], strict=True)
    names = pd.Index([f"{left} → {right}" for left, right in sides], name="rule")
    accounts = pd.DataFrame(
        {"budget": ledger.budget[kept], "before": before[kept], "now": ledger.spent[kept]}, index=names
    )
    return accounts.iloc[np.argsort(accounts["budget"] - accounts["now"], kind="stable")]


def _values(table: Table, groups: Groups, group: int) -> str:
    """Return the quasi-identifier of a group in words."""
    row = groups.first[group]
    return ", ".join(table.attributes[name].labels[table.codes(name)[row]] for name in table.quasi)
