"""Merging of groups that miss a requirement: the loop and the bookkeeping that the families of methods share.

A failing group unites with a partner, and what comes of it is tested again, until all groups pass or one is left. Each
family says who is the best partner: where the union costs least, what lies nearest, what harms the fewest rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import ClassVar

import numpy as np

from anonnb.methods.base import Progress, no_progress


class Merging:
    """Groups and what each holds (``members``: rows, or anything with a number), and which of them are ``good``.

    Subclasses implement ``partner`` and ``passes``, and extend ``unite`` where they keep more than members. Groups are
    taken in the order of their numbers; an empty group is not there.
    """

    at_once: ClassVar[bool] = True  # a union that still fails goes on at once; otherwise when all others had their turn

    def __init__(self, members: Sequence[Sequence[int]], good: np.ndarray):
        self.members, self.good = members, np.array(good, dtype=bool)
        self.alive = np.array([len(part) > 0 for part in members])

    def partner(self, group: int) -> int:
        """The group, among those alive, that a failing one unites with."""
        raise NotImplementedError

    def passes(self, group: int) -> bool:
        """Whether a group, as it is now, meets the requirement."""
        raise NotImplementedError

    def unite(self, group: int, target: int) -> None:
        """Give the members of a group to another."""
        self.members[target] = np.concatenate([self.members[target], self.members[group]])

    def run(self, progress: Progress = no_progress) -> None:
        """Unite failing groups until all pass or one is left."""
        left, waiting = int(self.alive.sum()), deque()
        failing = np.flatnonzero(self.alive & ~self.good).tolist()
        for start in chain(progress(failing, desc="groups"), _drained(waiting)):
            group = start
            while left > 1 and self.alive[group] and not self.good[group]:
                target = self.partner(group)
                self.unite(group, target)
                self.alive[group] = False
                left -= 1
                self.good[target] = self.passes(target)
                if not self.at_once:
                    waiting.append(target)
                    break
                group = target

    def owners(self) -> np.ndarray:
        """The group that holds each member now."""
        alive = np.flatnonzero(self.alive)
        sizes = [len(self.members[group]) for group in alive]
        owners = np.empty(sum(sizes), dtype=np.int64)
        if len(alive):
            owners[np.concatenate([self.members[group] for group in alive])] = np.repeat(alive, sizes)
        return owners

    def groups(self) -> tuple[np.ndarray, int]:
        """The group of each member, groups numbered anew from 0, and how many there are."""
        return (np.cumsum(self.alive) - 1)[self.owners()], int(self.alive.sum())


def _drained(waiting: deque[int]) -> Iterator[int]:
    while waiting:
        yield waiting.popleft()


def pass_together(check: Callable, rows: Sequence[int]) -> bool:
    """Whether some rows, as one group, pass a check of groups."""
    rows = np.asarray(rows, dtype=np.int64)
    return bool(check(np.zeros(len(rows), dtype=np.int64), 1, rows)[0])
