"""The process stage of M3AR (Dang, Küng and Huynh 2011): unsafe groups exchange rows with others until all are safe.

All partners of a group are compared at once, in both directions; a group that gave only gives, one that received only
receives.
"""

from __future__ import annotations

from collections.abc import Iterator

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
        every = np.arange(len(groups.home) + 1)
        self.risk = np.where((every == 0) | (every >= groups.k), 0, 2 * groups.k - every)  # of a group of each size
        self._unlimited = np.full(int(self.profile.max()) + 1, np.inf), np.full(groups.count, np.inf)
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
        """Exchanges and the rows they move: most risk removed first, then the fewest rows, then by number."""
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
        free, (spare, home) = ledger.open_rows(), self._unlimited
        if free is not None:
            spare = free[:, self.groups.members[selected]].sum(axis=1).astype(np.float64)
            home = ledger.open_by_home(int(self.profile[selected]))
        tried = np.full(self.TRIES, -1)
        for number in range(self.TRIES):
            given = self.size, self.role, self.risk, self.profile, spare, home, tried[:number]
            best, moved = best_partner(selected, self.k, *given)
            if best < 0:
                return
            yield best, moved
            tried[number] = best

    def _options(self, selected: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows moved and risk removed: first for giving to each group, then for taking from each."""
        size, own, k = self.size, int(self.size[selected]), self.k
        unsafe, free = size < k, size > 0
        free[selected] = False
        give = np.where(unsafe, np.minimum(own, k - size), own)
        take = np.where(unsafe, np.minimum(size, k - own), np.minimum(k - own, size - k))
        give[~free | (self.role < 0) | (self.role[selected] > 0)] = 0
        take[~free | (self.role > 0) | (self.role[selected] < 0)] = 0
        self._limit(selected, give, take)
        take = np.maximum(take, 0)
        now = self.risk[size] + self.risk[own]
        after_give = self.risk[own - give] + self.risk[size + give]
        after_take = self.risk[own + take] + self.risk[size - take]
        return np.concatenate([give, take]), np.concatenate([now - after_give, now - after_take])

    def _limit(self, selected: int, give: np.ndarray, take: np.ndarray) -> None:
        """Rule out migrations of more rows than exhausted budgets leave free to move."""
        ledger = self.groups.ledger
        free = ledger.open_rows()
        if free is None:
            return
        take[take > ledger.open_by_home(int(self.profile[selected]))] = 0
        spare = free[:, self.groups.members[selected]].sum(axis=1)
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
            (groups.mark_safe if self.size[group] >= self.k else groups.unmark_safe)(group)
        return True
