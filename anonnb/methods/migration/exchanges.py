"""The process stage of M3AR (Dang, Küng and Huynh 2011): unsafe groups exchange rows with others until all are safe.

All partners of a group are compared at once, in both directions; a group that gave only gives, one that received only
receives.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from anonnb.core.progress import Progress
from anonnb.methods.migration.groups import Groups

PLAIN = 2_000  # groups up to which numpy is quick enough, and needs nothing compiled


class Exchanges:
    """The process stage of M3AR, with all partners of a group compared at once."""

    TRIES = 200  # partners tried before a group is dispersed; only tight budgets need so many

    def __init__(self, groups: Groups, seed: int):
        self.groups, self.k = groups, groups.k
        self.size = np.array([len(rows) for rows in groups.members])
        self.role = np.zeros(groups.count, dtype=np.int64)  # -1 gave, 1 received
        self.profile = np.array(groups.profile)
        self.risk = _risk(np.arange(len(groups.home) + 1), groups.k)  # of a group of each size
        self._unlimited = np.full(int(self.profile.max()) + 1, np.inf), np.full(groups.count, np.inf)
        # all that an exchange depends on: the role, and the size, which beyond 2k makes no more difference
        self._state = np.minimum(self.size, 2 * self.k) * 3 + self.role + 1
        self._alive, self._empty = np.arange(groups.count), 0  # the groups with rows, and some that are empty by now
        self._scored, self._tried = lru_cache(self._scores), np.full(self.TRIES, -1)
        self.order = np.random.default_rng(seed).permutation(np.array(groups.unsafe, dtype=np.int64)).tolist()

    def run(self, progress: Progress) -> list[int]:
        """Exchange rows until no unsafe group is left or none finds a partner; returns those that found none."""
        given_up: dict[int, None] = {}
        for group in progress(self.order, desc="migrating"):
            selected: int | None = group
            while selected is not None and 0 < self.size[selected] < self.k and selected not in given_up:
                partner = self._exchange(selected)
                if partner is None:
                    given_up[selected] = None
                elif self.size[selected] in range(1, self.k):
                    continue
                selected = partner
        return [group for group in given_up if 0 < self.size[group] < self.k]

    def _exchange(self, selected: int) -> int | None:
        """Make the best allowed migration; returns the partner, or None when there is none."""
        for best, moved in self._best_first(selected):
            partner = best % len(self.size)
            source, target = (selected, partner) if best < len(self.size) else (partner, selected)
            if self._try(source, target, moved):
                return partner
        return None

    def _best_first(self, selected: int) -> Iterator[tuple[int, int]]:
        """Yield exchanges and the rows they move: most risk removed first, then the fewest rows, then by number."""
        if len(self.size) > PLAIN:
            yield from self._compiled_best_first(selected)
            return
        moved, gain = self._options(selected)
        score = np.where(gain > 0, gain * (len(self.groups.home) + 1) - moved, -1)
        for _ in range(self.TRIES):
            best = int(score.argmax())
            if score[best] < 0:
                return
            yield best, int(moved[best])
            score[best] = -1

    def _compiled_best_first(self, selected: int) -> Iterator[tuple[int, int]]:
        from anonnb.methods.migration._partners import best_partner  # needs numba, which takes a moment to import

        ledger = self.groups.ledger
        spare, home = ledger.spare(self.groups.members[selected]), self._unlimited[1]
        if spare is None:
            spare = self._unlimited[0]
        else:
            home = ledger.open_by_home(self.groups.profile[selected])
        if 8 * self._empty > len(self._alive):
            self._alive, self._empty = self._alive[self.size[self._alive] > 0], 0
        others = len(self.size), self._alive, self._state, *self._scored(int(self._state[selected]))
        for number in range(self.TRIES):
            best, moved = best_partner(selected, *others, self.profile, spare, home, self._tried[:number])
            if best < 0:
                return
            yield best, moved
            self._tried[number] = best

    def _scores(self, state: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what giving and taking score (-1: no) and the rows they move, from one group to each other."""
        k, (own_size, role) = self.k, divmod(state, 3)
        size, roles = np.divmod(np.arange(6 * k + 3), 3)
        unsafe = size < k
        give = np.where(unsafe, np.minimum(own_size, k - size), own_size)
        take = np.where(unsafe, np.minimum(size, k - own_size), np.minimum(k - own_size, size - k))
        give[(size == 0) | (roles < 1) | (role > 1)] = 0
        take[(size == 0) | (roles > 1) | (role < 1)] = 0
        now = _risk(size, k) + _risk(own_size, k)
        gain = np.stack(
            [
                now - _risk(own_size - give, k) - _risk(size + give, k),
                now - _risk(own_size + take, k) - _risk(size - take, k),
            ]
        )
        rows = np.stack([give, take])
        return np.where(gain > 0, gain * (len(self.groups.home) + 1) - rows, -1), rows

    def _options(self, selected: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows moved and the risk removed: first for giving to each group, then for taking from each."""
        size, own_size, k = self.size, int(self.size[selected]), self.k
        unsafe, free = size < k, size > 0
        free[selected] = False
        give = np.where(unsafe, np.minimum(own_size, k - size), own_size)
        take = np.where(unsafe, np.minimum(size, k - own_size), np.minimum(k - own_size, size - k))
        give[~free | (self.role < 0) | (self.role[selected] > 0)] = 0
        take[~free | (self.role > 0) | (self.role[selected] < 0)] = 0
        self._limit(selected, give, take)
        take = np.maximum(take, 0)
        now = self.risk[size] + self.risk[own_size]
        after_give = self.risk[own_size - give] + self.risk[size + give]
        after_take = self.risk[own_size + take] + self.risk[size - take]
        return np.concatenate([give, take]), np.concatenate([now - after_give, now - after_take])

    def _limit(self, selected: int, give: np.ndarray, take: np.ndarray) -> None:
        """Rule out migrations of more rows than exhausted budgets leave free to move."""
        ledger = self.groups.ledger
        spare = ledger.spare(self.groups.members[selected])
        if spare is None:
            return
        take[take > ledger.open_by_home(self.groups.profile[selected])] = 0
        give[give > spare[self.profile]] = 0

    def _try(self, source: int, target: int, count: int) -> bool:
        groups, profile = self.groups, self.groups.profile[target]
        rows = groups.members[source]
        if count < len(rows):
            rows = sorted(rows, key=lambda row: groups.ledger.harm(row, profile))[:count]
        if not groups.ledger.allows(rows, source, target):
            return False
        groups.move(rows, source, target)
        for group, step, role in ((source, -count, -1), (target, count, 1)):
            self.size[group] += step
            self.role[group] = role
            self._state[group] = min(self.size[group], 2 * self.k) * 3 + role + 1
            self._empty += int(self.size[group] == 0)
            (groups.mark_safe if self.size[group] >= self.k else groups.unmark_safe)(group)
        return True


def _risk(size: np.ndarray | int, k: int) -> np.ndarray:
    """Return the risk of groups of these sizes; empty and safe groups have none."""
    return np.where((size == 0) | (size >= k), 0, 2 * k - size)
