"""Inference from mined results (Ciriani et al. 2008, section 4): small counts that follow from published large ones.

Itemsets: f(I, J) counts the people with all of I and nothing of J∖I. A rule with its support and confidence publishes
two itemsets. A tree's node less its published descendants is a count too. Reading: what follows from equal counts, and
from values of one attribute that exclude each other, is used as well (``rules.association.deductions``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.published_counts import (
    as_published,
    is_tree,
    paths,
    read_supports,
    true_counts,
    true_rows,
    words_for,
)
from anonnb.core.card import Card
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, Flag, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.rules.association.channels import Supports, channels, gaps, undominated
from anonnb.rules.association.deductions import Completed, rests
from anonnb.tables.mined_results import Mined
from anonnb.tables.table import Table
from anonnb.trees.disclosure import disclosures
from anonnb.trees.growing import Tree
from anonnb.trees.published_trees import MinedTree


@register
@dataclass(frozen=True)
class InferenceAttack(Attack):
    """Combine published counts; whatever tells of 1 to k − 1 people is a success.

    Parameters
    ----------
    k:
        Counts from 1 to k − 1 are breaches.
    rows:
        The number of rows of the table, if the attacker knows it and it is not published.
    private:
        Attributes that nobody can look up: itemsets with one of them, and nodes of a tree below a test of one, are no
        counts of known people. By default none (of a SafeTree's result: those it was told).
    bins:
        The ``bins`` that itemsets were mined with, to check counts on the original table.
    exclusive:
        Whether the attacker uses that values of one attribute exclude each other; ``False`` as in the chapter.

    ``run`` takes what :class:`~anonnb.methods.SafeItemsets` and :class:`~anonnb.methods.SafeTree` return, frames of
    itemsets or rules, or a tree with all its counts. ``targets`` has a line per small count: the people in words, the
    count, whether it is exact, whether no other line contains it (itemsets), and, when the original table is given,
    the true count and whether the attacker is ``right``. An attempt is a count that can be derived, a claim one of 1 to
    k − 1 people; without the published results nobody knows a count, so the baseline is 0.

    >>> import anonnb
    >>> from anonnb.rules import association_rules
    >>> rules = association_rules(anonnb.load("survey"), min_confidence=0.9, min_count=19)
    >>> targets = InferenceAttack(k=3, private=["Hypertension"]).run(rules).targets
    >>> targets.loc[0, "people"], int(targets.loc[0, "count"])
    ('Marital_status=divorced and not Sex=M', 2)
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where the published counts are true, every exact count it derives is true (inclusion and exclusion); the "
            "others are upper limits of counts."
        ),
        tested=(
            "40 random tables of 30 rows: every count derived from rules is the true one. 80 random tables: the "
            "channels of itemsets equal brute force. 60 random trees over 25 rows: a small count is found if and only "
            "if some node less published descendants is small."
        ),
        heuristic=(
            "It adds and subtracts counts, and uses equal counts and values that exclude each other, but it does not "
            "solve for all counts at once: it may miss small counts."
        ),
        paper=(
            "V. Ciriani, S. De Capitani di Vimercati, S. Foresti and P. Samarati, k-Anonymous data mining: a survey, "
            "2008, section 4. M. Atzori, F. Bonchi, F. Giannotti and D. Pedreschi, Anonymity preserving pattern "
            "discovery, VLDB Journal, 2008."
        ),
    )

    quick: ClassVar[bool] = False  # it needs mined results
    by_default: ClassVar[bool] = False

    k: int = parameter(POSITIVE, default=2)
    rows: int | None = parameter(Optional(Whole(at_least=0)), default=None)
    private: tuple[str, ...] = parameter(Names(), default=())
    bins: int | None = parameter(Optional(POSITIVE), default=None)
    exclusive: bool = parameter(Flag(), default=True)

    reads: ClassVar[str] = "mined"
    no_control: ClassVar[str] = "the attack is about counts of groups, which people outside the table are no part of"

    def _attack(
        self, release: Mined | pd.DataFrame | Tree | Mapping | Supports, people: Table | None = None
    ) -> AttackResult:
        """Attack published results; the people, if given, tell whether the derived counts are right."""
        release, frame = as_published(release)
        if is_tree(frame):
            return self._on_tree(frame, people, release if isinstance(release, MinedTree) else None)
        return self._on_itemsets(read_supports(frame, self), people)

    # ---- itemsets and rules -------------------------------------------------------------------------------------

    def _on_itemsets(self, supports: Supports, table: Table | None) -> AttackResult:
        full = Completed(supports, self.exclusive)
        found = channels(full, self.k)
        further = [*rests(full, self.k), *gaps(full, self.k)]
        every = [*found, *further]
        maximal = {channel for channel in undominated(every) if not channel.whole_lacking}
        lines = {
            "people": [channel.pattern() for channel in every],
            "count": [channel.count for channel in every],
            "exact": [True] * len(every),
            "maximal": [channel in maximal for channel in every],
        }
        derived = full.positive_patterns() + len(further)
        truth = None if table is None else true_counts(every, table, self.bins)
        return self._result(pd.DataFrame(lines), truth, derived, {"channels": every})

    # ---- trees --------------------------------------------------------------------------------------------------

    def _on_tree(self, frame: pd.DataFrame, table: Table | None, mined: MinedTree | None) -> AttackResult:
        private = self.private or (() if mined is None else mined.info.get("private", ()))
        public = set(frame["attribute"]) - set(private)
        found = disclosures(frame, self.k, public)
        words = paths(frame)
        lines = {
            "people": [words_for(words, case) for case in found],
            "count": [case.count for case in found],
            "exact": [case.exact for case in found],
        }
        truth = None
        if table is not None and mined is not None and mined.tree is not None:
            truth = true_rows(mined.tree, found)
        derived = int(frame["rows"].notna().sum()) + sum(bool(case.without) or not case.exact for case in found)
        return self._result(pd.DataFrame(lines), truth, derived, {"disclosures": found})

    def _result(self, targets: pd.DataFrame, truth: list[int] | None, derived: int, info: dict) -> AttackResult:
        if truth is not None:
            targets["true count"] = truth
            exact = targets["count"] == targets["true count"]
            targets["right"] = exact | (~targets["exact"] & (targets["true count"] <= targets["count"]))
        right = int(targets["right"].sum()) if truth is not None else len(targets)  # true where what is published is
        return AttackResult(self, derived, len(targets), right, targets, baseline=0.0, info=info)
