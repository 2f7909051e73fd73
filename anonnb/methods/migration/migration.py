"""Tuple migration: U-M3AR (Truong 2023) and M3AR (Dang, Küng and Huynh 2011).

Rows take on the quasi-identifier of another group until each group is empty or safe, while significant rules survive.
The paper overlooks rows that gain A without B, charges per migration and limits no new rules; ours counts all three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np

from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import SEED, SHARE, Choice, Number, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.clustering.clusters import rule_report
from anonnb.methods.migration.budgets import budget_frame
from anonnb.methods.migration.exchanges import Exchanges
from anonnb.methods.migration.groups import Groups, shown_release, tell_begin
from anonnb.methods.migration.ledger import Ledger, PaperLedger
from anonnb.methods.migration.watch import KEEP, watch, watched_itemsets
from anonnb.rules.association.itemsets import least_count
from anonnb.steps.recording import listening, silent
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@dataclass(frozen=True)
class _Migration(GroupMethod):
    """What both methods share: thresholds, the groups at the start and the release at the end."""

    truthful: ClassVar[bool] = False  # rows take the values of other people
    order_matters: ClassVar[bool] = True

    min_support: float = parameter(SHARE, default=0.5)
    min_confidence: float = parameter(Number(at_least=0, at_most=1), default=0.5)
    max_length: int | None = parameter(Optional(Whole(at_least=2)), default=None)

    def _groups(self, table: Table, kind: type[Ledger], guard: bool) -> Groups:
        groups = Groups(table, self.k, self._check(table))
        with silent():  # mining has steps of its own, in frequent_itemsets
            itemsets = watched_itemsets(table, self.min_support, self.min_confidence, self.max_length, guard)
            seen = watch(table, itemsets, groups.home, groups.first, self.min_support, self.min_confidence, guard)
        groups.attach(kind(seen, groups.home, groups.values, self._caps(table, groups) if guard else None))
        if listening():
            tell_begin(table, groups)
        return groups

    def _check(self, table: Table) -> Callable | None:
        """Return the test of a group beyond its size, or None if only its size counts."""
        return self.further_check(table)

    def _caps(self, table: Table, groups: Groups) -> np.ndarray:
        """Return the most rows that each quasi-identifier value may have: a rare one must not become frequent."""
        minimum = least_count(len(table), self.min_support)
        total = sum(table.attributes[name].size for name in table.quasi)
        rows_with = np.bincount(groups.values[groups.home].ravel(), minlength=total)
        return np.where(rows_with >= minimum, len(table), minimum - 1)

    def _release(self, table: Table, groups: Groups) -> Release:
        now = groups.current()
        release = shown_release(table, groups.first, now).replace(method=self)
        with silent():
            report = self._report(table, release, groups, now != groups.home)
        return release.replace(info=report)

    def _report(self, table: Table, release: Release, groups: Groups, changed: np.ndarray) -> dict:
        rules, ledger = groups.ledger.watch.rules, groups.ledger
        budgets = budget_frame(rules, self.min_support, self.min_confidence)
        kept = ledger.watch.constraints.kind == KEEP
        exhausted = (ledger.spent >= ledger.budget)[~kept]
        count = int(changed.sum())
        return {
            "rows_changed": count,
            "truthful_rows": 1 - count / len(table),
            "note": f"{count:,} of {len(table):,} rows show the quasi-identifier of somebody else: "
            "every value is real, but not every row is true",
            "migrations": groups.moves,
            "dispersed": groups.dispersed,
            "forced": groups.forced,
            "budgets": budgets.assign(spent=ledger.spent[kept]),
            "guards": len(exhausted),
            "guards_exhausted": int(exhausted.sum()),
            **rule_report(release, self.min_support, self.min_confidence, self.max_length),
        }


@register
@dataclass(frozen=True)
class UM3AR(_Migration):
    """Unsafe groups merge, join a safe group or borrow from one, as long as every rule keeps its budget (U-M3AR).

    The smallest unsafe group looks for a partner: an unsafe group that fits into k with it (the larger the better),
    then one that does not, then a safe group. Among equals the partner with the most similar watched values is taken,
    then the one with the most equal values, then the first; the smaller of two groups moves. A group that finds no
    partner is dispersed row by row; ``info["forced"]`` counts the rows that no budget allowed. ``require`` holds on the
    way: a group that misses it is unsafe. Rows carry real values of other people: see ``info["note"]``.

    Parameters
    ----------
    min_support, min_confidence:
        What makes a rule significant, as shares from 0 to 1. The number of rules may double with every column; more
        than 200,000 are refused.
    max_length:
        Limits the promise, and the counts in ``info``, to rules of at most this many items; None takes all rules.
    reading:
        ``"guarded"`` (the default) charges every harmed row and guards rules and itemsets that are nearly significant,
        so that no rule is lost and none appears unless a placement was forced. ``"paper"`` charges a rule once per
        migration, sees only rows that lose A and B, and guards nothing.

    Examples
    --------
    >>> import anonnb
    >>> release = UM3AR(k=2).anonymize(anonnb.load("survey"))
    >>> int(release.group_sizes.min()) >= 2, release.info["lost_rules"], release.info["new_rules"]
    (True, 0, 0)

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Only quasi-identifiers change, and only to combinations of values that the table had. Guarded, no
        significant rule is lost and none appears while info["forced"] is 0, as every harmed row is charged to a budget.
    tested:
        200 random tables of 20 to 89 rows: these promises. 300 random counts: the budgets equal brute force. 10 random
        tables: what was spent is the number of harmed rows, counted cell by cell.
    heuristic:
        Partners are chosen greedily; of equally good ones, the first 500 are compared by their values. Rows that no
        budget allows are placed by force, and then rules may be lost. Moved rows show the values of somebody else.
        reading="paper" loses rules and adds new ones.
    paper:
        A. T. Truong, k-Anonymity based on tuple migration in sharing data, Journal of Advances in Information
        Technology, 2023.
    """

    rows_in_seconds: ClassVar[int] = 100_000

    reading: str = parameter(Choice(["guarded", "paper"]), default="guarded")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        guard = self.reading == "guarded"
        groups = self._groups(table, Ledger if guard else PaperLedger, guard)
        groups.disperse(_Partners(groups).unite(progress))
        return self._release(table, groups)


class _Partners:
    """The process stage of U-M3AR: unsafe groups by profile and size, and the search for partners."""

    LOOK = 500  # equally good partners that are compared by their values

    def __init__(self, groups: Groups):
        self.groups, self.ledger = groups, groups.ledger
        self.waiting: dict[int, dict[int, dict[int, None]]] = {}
        for group in groups.unsafe:
            sizes = self.waiting.setdefault(groups.profile[group], {})
            sizes.setdefault(groups.size(group), {})[group] = None

    def unite(self, progress: Progress) -> list[int]:
        """Find partners for all unsafe groups; returns those that found none."""
        unplaced = []
        for group in progress(self.groups.unsafe, desc="migrating"):
            if not self._withdraw(group):
                continue  # it was taken as a partner before its turn
            selected: int | None = group
            while selected is not None:
                done, left = self._step(selected)
                if not done:
                    unplaced.append(selected)
                selected = left
        return unplaced

    def _step(self, selected: int) -> tuple[bool, int | None]:
        """Make one migration; return whether one was found, and the group that is still unsafe after it."""
        target = self._merge(selected)
        if target is not None:
            if self.groups.is_good(self.groups.members[target]):
                self.groups.mark_safe(target)
                return True, None
            return True, target
        size, k = self.groups.size(selected), self.groups.k
        ways = [self._join, self._borrow] if size <= k - size else [self._borrow, self._join]  # the fewest rows first
        return any(way(selected) for way in ways), None

    def _merge(self, selected: int) -> int | None:
        """Unite with an unsafe group; returns the group that then holds the rows, or None."""
        groups, missing = self.groups, self.groups.k - self.groups.size(selected)
        for fits in (True, False):  # within k the risk falls by k, beyond it by less
            for profile in groups.nearest[groups.profile[selected]]:
                sizes = [size for size in self.waiting.get(profile, ()) if (size <= missing) == fits]
                if not sizes:
                    continue
                candidates = self.waiting[profile][max(sizes) if fits else min(sizes)]
                partner = groups.most_alike(selected, islice(candidates, self.LOOK))
                pair = sorted((selected, partner), key=lambda group: (groups.size(group), group))
                for source, target in (pair, pair[::-1]):
                    if self.ledger.allows(groups.members[source], source, target):
                        self._withdraw(partner)
                        groups.move(groups.members[source], source, target)
                        return target
        return None

    def _join(self, selected: int) -> bool:
        """Move into a safe group that stays safe."""
        groups, rows = self.groups, self.groups.members[selected]
        for profile, targets in groups.safe_by_profile(selected):
            if not self.ledger.fits(rows, selected, profile):
                continue
            for target in targets:
                allowed = self.ledger.within_caps(len(rows), selected, target)
                if allowed and groups.is_good(groups.members[target] + rows):
                    groups.move(rows, selected, target)
                    return True
        return False

    def _borrow(self, selected: int) -> bool:
        """Take the missing rows from a safe group that can spare them: those that harm the fewest rules."""
        groups, profile = self.groups, self.groups.profile[selected]
        missing = groups.k - groups.size(selected)
        if missing <= 0:
            return False
        for _, lenders in groups.safe_by_profile(selected):
            lender = max(lenders, key=groups.size)
            if groups.size(lender) - missing < groups.k:
                continue
            rows = sorted(groups.members[lender], key=lambda row: self.ledger.harm(row, profile))[:missing]
            lent = set(rows)
            rest = [row for row in groups.members[lender] if row not in lent]
            good = groups.is_good(rest) and groups.is_good(groups.members[selected] + rows)
            if good and self.ledger.allows(rows, lender, selected):
                groups.move(rows, lender, selected)
                groups.mark_safe(selected)
                return True
        return False

    def _withdraw(self, group: int) -> bool:
        """Take a group off the lists; False when it is not on them."""
        sizes = self.waiting.get(self.groups.profile[group], {})
        size = self.groups.size(group)
        if group not in sizes.get(size, {}):
            return False
        del sizes[size][group]
        if not sizes[size]:
            del sizes[size]
        return True


@register
@dataclass(frozen=True)
class M3AR(_Migration):
    """Compare a random unsafe group with all others, in both directions; the migration that lowers the risk most wins.

    Risk is 0 for an empty or safe group and 2k - size otherwise. A group that gave only gives, one that received only
    receives. Ties go to the fewest rows, then to the position. Every harmed rule needs budget left; new rules are not
    guarded against. The source leaves open which rows a group gives: those that harm the fewest rules, by position.
    ``require`` is enforced at the end: groups that miss it are dispersed.

    Parameters
    ----------
    min_support, min_confidence:
        What makes a rule significant, as shares from 0 to 1. The number of rules may double with every column; more
        than 200,000 are refused.
    max_length:
        Limits the promise, and the counts in ``info``, to rules of at most this many items; None takes all rules.
    seed:
        Sets the order in which unsafe groups are taken.

    Examples
    --------
    >>> import anonnb
    >>> release = M3AR(k=2).anonymize(anonnb.load("survey"))
    >>> int(release.group_sizes.min()) >= 2, release.info["lost_rules"]
    (True, 0)

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Only quasi-identifiers change, and only to combinations of values that the table had. No significant
        rule is lost while info["forced"] is 0.
    tested:
        30 random tables of 20 to 89 rows: these promises. 300 random counts: the budgets equal brute force. 10 random
        tables: what was spent is the number of harmed rows, counted cell by cell.
    heuristic:
        The groups come in random order (seed), and the exchange that lowers the risk most wins. New rules are not
        guarded against and do appear. Moved rows show the values of somebody else.
    paper:
        T. Dang, J. Küng and V. Q. P. Huynh, Protecting privacy while discovering and maintaining association rules,
        NTMS 2011.
    """

    seed: int = parameter(SEED, default=0)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        groups = self._groups(table, Ledger, guard=False)
        unplaced = Exchanges(groups, self.seed).run(progress)
        check = self.further_check(table)
        if check is not None:
            unplaced += groups.demand(check)
        groups.disperse(unplaced)
        return self._release(table, groups)

    def _check(self, table: Table) -> None:
        return None  # the exchanges look at sizes alone
