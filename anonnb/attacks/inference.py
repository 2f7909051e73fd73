"""Inference from mined results (Ciriani et al. 2008, section 4): small counts that follow from published large ones.

Itemsets: f(I, J) counts the people with all of I and nothing of J∖I. A rule with its support and confidence publishes
two itemsets. A tree's node less its published descendants is a count too. Reading: what follows from equal counts, and
from values of one attribute that exclude each other, is used as well (``rules.association.deductions``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.published_counts import (
    Checked,
    as_published,
    check_itemsets,
    check_tree,
    counts_result,
    is_tree,
    paths,
    read_supports,
    words_for,
)
from anonnb.attacks.result_kinds import CellsResult
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, Flag, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import number, pluralize
from anonnb.rules.association.channels import Channel, Supports, channels, gaps, undominated
from anonnb.rules.association.deductions import Completed, rests, single_bits
from anonnb.steps.recording import listening, note
from anonnb.tables.mined_results import Mined
from anonnb.tables.table import Table
from anonnb.trees.disclosure import Disclosure, disclosures
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree

TOLD = 5  # small counts that are shown one by one


@register
@dataclass(frozen=True)
class InferenceAttack(Attack):
    """Combine published counts; whatever reveals a count of 1 to k − 1 people is a success.

    Parameters
    ----------
    k:
        Counts from 1 to k − 1 are breaches.
    rows:
        The number of rows of the table, if the attacker knows it and it is not published.
    private:
        Attributes that nobody can look up: itemsets with one of them, and nodes of a tree below a test of one, are no
        counts of known people. By default none (of a SafeTree's result: those it was given).
    bins:
        The ``bins`` that itemsets were mined with, to check counts on the original table.
    exclusive:
        Whether the attacker uses that values of one attribute exclude each other; ``False`` as in the chapter.

    Notes
    -----
    ``run`` takes what :class:`~anonnb.methods.SafeItemsets` and :class:`~anonnb.methods.SafeTree` return, frames of
    itemsets or rules, or a tree with all its counts. ``targets`` has a line per small count: the people in words, the
    count, whether it is exact, whether no other line contains it (itemsets), and, when the original table is given,
    the true count and whether the attacker is ``right``. An attempt is a count that can be derived, a claim one of 1 to
    k − 1 people. ``luck`` is how many of the claimed counts somebody would guess from less: for itemsets from the
    published single items as if they were independent, for trees by giving all branches of a node equally many people.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.rules import association_rules
    >>> rules = association_rules(anonnb.load("survey"), min_confidence=0.9, min_count=19)
    >>> targets = InferenceAttack(k=3, private=["Hypertension"]).run(rules).targets
    >>> targets.loc[0, "people"], int(targets.loc[0, "count"])
    ('Marital_status=divorced and not Sex=M', 2)

    Guarantees
    ----------
    proved:
        Where the published counts are true, every exact count it derives is true (inclusion and exclusion); the others
        are upper limits of counts.
    tested:
        40 random tables of 30 rows: every count derived from rules is the true one. 80 random tables: the channels of
        itemsets equal brute force. 60 random trees over 25 rows: a small count is found if and only if some node less
        published descendants is small.
    heuristic:
        It adds and subtracts counts, and uses equal counts and values that exclude each other, but it does not solve
        for all counts at once: it may miss small counts.
    paper:
        V. Ciriani, S. De Capitani di Vimercati, S. Foresti and P. Samarati, k-Anonymous data mining: a survey, 2008,
        section 4. M. Atzori, F. Bonchi, F. Giannotti and D. Pedreschi, Anonymity preserving pattern discovery, VLDB
        Journal, 2008.
    """

    kind: ClassVar[str] = "cells"
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
    ) -> CellsResult:
        """Attack published results; the people, if given, tell whether the derived counts are right."""
        release, frame = as_published(release)
        if is_tree(frame):
            return self._on_tree(frame, people, release if isinstance(release, MinedTree) else None)
        return self._on_itemsets(read_supports(frame, self), people)

    # ---- itemsets and rules -------------------------------------------------------------------------------------

    def _on_itemsets(self, supports: Supports, table: Table | None) -> CellsResult:
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
        if listening():
            _tell_channels(full, supports, every, self.k)
        derived = full.positive_patterns() + len(further)
        checked = check_itemsets(every, supports, table, self)
        return self._result(pd.DataFrame(lines), checked, derived, {"channels": every})

    # ---- trees --------------------------------------------------------------------------------------------------

    def _on_tree(self, frame: pd.DataFrame, table: Table | None, mined: MinedTree | None) -> CellsResult:
        private = self.private or (() if mined is None else mined.info.get("private", ()))
        public = set(frame["attribute"]) - set(private)
        found = disclosures(frame, self.k, public)
        words = paths(frame)
        lines = {
            "people": [words_for(words, case) for case in found],
            "count": [case.count for case in found],
            "exact": [case.exact for case in found],
        }
        if listening():
            _tell_tree(frame, found, words)
        derived = int(frame["rows"].notna().sum()) + sum(bool(case.without) or not case.exact for case in found)
        checked = check_tree(found, frame, table, mined)
        return self._result(pd.DataFrame(lines), checked, derived, {"disclosures": found})

    def _result(self, targets: pd.DataFrame, checked: Checked | None, derived: int, info: dict) -> CellsResult:
        ends = targets["count"].where(targets["exact"].astype(bool), 1), targets["count"]
        return counts_result(self, derived, targets, ends, checked, info=info)


def _tell_channels(full: Completed, supports: Supports, found: Sequence[Channel], k: int) -> None:
    """Note how many counts follow, and for the smallest of them from which counts."""
    published = _named_counts(supports, sorted(supports.counts, key=int.bit_count))
    follow = len(full.counts) - len(supports.counts)
    more = f" {follow:,} more follow from equal counts and sums." if follow else ""
    sentence = (
        f"The release has {pluralize(len(supports.counts), 'count')}.{more} Sums and differences of them give "
        f"{pluralize(len(found), 'group')} of fewer than {k} people."
    )
    note("The published counts", sentence, published.reset_index(), published)
    for channel in sorted(found, key=lambda each: (each.count, len(each.whole)))[:TOLD]:
        terms = _terms(full, channel)
        sums = " ".join(f"{'+' if sign > 0 else '−'} {full.count(bits) or 0}" for bits, sign in terms).removeprefix(
            "+ "
        )
        frame = _named_counts(full, [bits for bits, _ in terms]).assign(sign=[sign for _, sign in terms])
        why = f"{sums} = {channel.count}, so {pluralize(channel.count, 'person has', 'people have')}"
        note(
            f"{pluralize(channel.count, 'person', 'people')} found",
            f"{why} {one_line(channel.pattern())}: fewer than {k}.",
            frame.reset_index(),
            frame,
            list(frame.index),
        )


def _terms(full: Completed, channel: Channel) -> list[tuple[int, int]]:
    """The itemsets whose counts, added or subtracted, give that of a channel, without those that nobody can have."""
    having, lacking = full.bits_of(channel.having), full.bits_of(channel.lacking)
    if channel.whole_lacking:
        return [(having, 1), (having | lacking, -1)]
    terms = [(having, 1)]
    for values in full.by_family(lacking):
        terms += [(bits | value, -sign) for bits, sign in terms for value in single_bits(values)]
    return terms


def _named_counts(supports: Supports, sets: Sequence[int]) -> pd.DataFrame:
    """Counts of itemsets by their names."""
    names = [" and ".join(map(str, sorted(supports.set_of(bits)))) or "everybody" for bits in sets]
    return pd.DataFrame({"people": [supports.counts.get(bits, 0) for bits in sets]}, pd.Index(names, name="itemset"))


def _tell_tree(frame: pd.DataFrame, found: Sequence[Disclosure], words: Mapping[int, list[str]]) -> None:
    """Note what the tree shows, and for the smallest counts which nodes they follow from."""
    rows = frame.set_index("node")["rows"]
    shown = pd.DataFrame({"people": rows, "condition": [one_line(" and ".join(words.get(n, ()))) for n in rows.index]})
    sentence = (
        f"The tree shows the counts of {int(rows.notna().sum()):,} of its {len(rows):,} nodes. Subtracting them from "
        f"the counts above leaves {pluralize(len(found), 'small group')}"
    )
    note("The published tree", f"{sentence}.", frame, shown)
    for case in sorted(found, key=lambda each: each.count)[:TOLD]:
        lines = shown.loc[[case.node, *case.without]].assign(sign=[1, *(-1 for _ in case.without)])
        sums = " − ".join(number(rows[node]) for node in (case.node, *case.without))
        computed = f"{sums} = {case.count}" if case.without else f"The count is {case.count}"
        people = pluralize(case.count, "person has", "people have")
        why = f"{computed}, so {people} {one_line(words_for(words, case))}"
        if not case.exact:
            why = f"At most {people} {one_line(words_for(words, case))}, because there is somebody in every branch"
        title = f"{pluralize(case.count, 'person', 'people')} {'found' if case.exact else 'at most'}"
        note(title, f"{why}.", lines.reset_index(), lines, list(lines.index))
