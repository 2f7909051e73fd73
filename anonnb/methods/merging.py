"""Merging of groups that miss a requirement: the loop and the bookkeeping that the families of methods share.

A failing group unites with a partner, and the union is tested again, until all groups pass or one is left. Each family
says which partner is best: where the union costs least, what is nearest, what harms the fewest rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core.wording import number, pluralize
from anonnb.methods.base import Progress, no_progress
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

MOST_LISTED = 200  # other groups that are listed where a union is recorded, the cheapest ones


class Merging:
    """Groups and what each holds (``members``: rows, or anything with a number), and which of them are ``good``.

    Subclasses implement ``prices`` (or ``partner``) and ``passes``, and extend ``unite`` where they keep more than
    members. Groups are taken in the order of their numbers; an empty group does not count. Where members are rows of a
    ``table`` and there are prices, the unions are recorded as steps, as ``priced`` says.
    """

    at_once: ClassVar[bool] = True  # a union that still fails continues at once; else after all others
    priced: ClassVar[str] = "cost"
    unit: float = 1  # what prices are divided by where they are recorded

    def __init__(self, members: list[np.ndarray], good: np.ndarray, table: Table | None = None):
        self.members, self.good = members, np.array(good, dtype=bool)
        self.alive = np.array([len(part) > 0 for part in members])
        self._table = table

    def prices(self, group: int) -> np.ndarray:
        """Return what uniting a failing group with each other one costs; empty groups, and itself, cost most."""
        raise NotImplementedError

    def partner(self, group: int) -> int:
        """Return the group, among those alive, that a failing one unites with."""
        return int(self.prices(group).argmin())

    def passes(self, group: int) -> bool:
        """Return whether a group, as it is now, meets the requirement."""
        raise NotImplementedError

    def unite(self, group: int, target: int) -> None:
        """Give the members of a group to another."""
        self.members[target] = np.concatenate([self.members[target], self.members[group]])

    def run(self, progress: Progress = no_progress) -> None:
        """Unite failing groups until all pass or one is left."""
        left = int(self.alive.sum())
        queue: deque[int] = deque()
        failing = np.flatnonzero(self.alive & ~self.good).tolist()
        for start in chain(progress(failing, desc="groups"), _drained(queue)):
            group = start
            while left > 1 and self.alive[group] and not self.good[group]:
                target = self.partner(group)
                if listening():
                    self.tell_union(group, target)
                self.unite(group, target)
                self.alive[group] = False
                left -= 1
                self.good[target] = self.passes(target)
                if not self.at_once:
                    queue.append(target)
                    break
                group = target

    def tell_union(self, group: int, target: int) -> None:
        """Record a union before it is made, where the members are rows of a table."""
        table = self._table
        if table is None:
            return

        @cache
        def prices() -> np.ndarray:
            return self.prices(group) / self.unit

        def others() -> pd.DataFrame:
            groups = np.flatnonzero(self.alive)
            groups = groups[groups != group]
            groups = groups[np.argsort(prices()[groups], kind="stable")][:MOST_LISTED]
            scores = {self.priced: prices()[groups], "rows": [len(self.members[other]) for other in groups]}
            return pd.DataFrame(scores, index=[f"group {other}" for other in groups])

        def united() -> RowGroups:
            groups = self.owners()
            marked = np.concatenate([self.members[group], self.members[target]])
            return RowGroups(table, np.where(groups == group, target, groups), marked)

        rows = pluralize(len(self.members[group]), "row")
        note(
            f"Unite group {group} with group {target}",
            lambda: (
                f"Group {group} has {rows} and does not meet the requirement. Of the {int(self.alive.sum()) - 1:,} "
                f"others, group {target} has the lowest {self.priced}, {number(prices()[target])}."
            ),
            united,
            others,
            [f"group {target}"],
        )

    def owners(self) -> np.ndarray:
        """Return the group that holds each member now."""
        alive = np.flatnonzero(self.alive).tolist()
        sizes = [len(self.members[group]) for group in alive]
        owners = np.empty(sum(sizes), dtype=np.int64)
        if len(alive):
            owners[np.concatenate([self.members[group] for group in alive])] = np.repeat(alive, sizes)
        return owners

    def groups(self) -> tuple[np.ndarray, int]:
        """Return the group of each member, groups numbered anew from 0, and how many there are."""
        return (np.cumsum(self.alive) - 1)[self.owners()], int(self.alive.sum())


def _drained(queue: deque[int]) -> Iterator[int]:
    while queue:
        yield queue.popleft()


def pass_together(check: Callable, rows: Sequence[int] | np.ndarray) -> bool:
    """Return whether some rows, as one group, pass a check of groups."""
    members = np.asarray(rows, dtype=np.int64)
    return bool(check(np.zeros(len(members), dtype=np.int64), 1, members)[0])
