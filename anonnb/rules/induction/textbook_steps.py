"""MLEM2 step by step, as in a textbook: sets of rows, every elementary condition in a list, nothing compiled.

It is slow and meant to be read, shown in a notebook, and compared with the fast search of :mod:`anonnb.rules.mlem2`,
which runs it to note the steps while they are recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.rules.induction.encoding import Features, attribute_names, bounded, features_of
from anonnb.rules.induction.rule import Condition
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MOST_ROWS = 2_000
COLUMNS = ["rule", "step", "what", "covers", "block", "wrong"]

Rows = frozenset[int]


@dataclass(frozen=True)
class Pair:
    """An elementary condition and its block: the rows that satisfy it."""

    condition: Condition
    side: str
    block: Rows = field(repr=False)


def elementary_pairs(table: Table) -> list[Pair]:
    """Every elementary condition of a table with its block, in attribute and value order.

    Parameters
    ----------
    table:
        A table with a decision.

    Returns
    -------
    list of Pair
        Conditions, each with the rows that satisfy it.

    Examples
    --------
    >>> from anonnb import load
    >>> [(str(pair.condition), sorted(pair.block)) for pair in elementary_pairs(load("decision6"))][0]
    ('sex = female', [2, 3])
    """
    names = attribute_names(table, None)
    return pairs_of(features_of(Release(table, {}, np.arange(len(table))), names, midpoints=True))


def pairs_of(features: Features) -> list[Pair]:
    """Every elementary condition over the features of a table, with its block."""
    pairs = []
    for place in features.plan:
        if place >= 0:
            threshold = features.thresholds[place]
            for key in range(1, threshold.count + 1):
                bound = threshold.bound(key)
                condition = bounded(threshold.attribute, **{threshold.side: bound})
                block = frozenset(np.flatnonzero(threshold.keys >= key).tolist())
                pairs.append(Pair(condition, threshold.side, block))
        else:
            candidates = features.candidates[-place - 1]
            for number, condition in enumerate(candidates.conditions):
                if condition is not None:
                    pairs.append(Pair(condition, "set", frozenset(np.flatnonzero(candidates.index == number).tolist())))
    return pairs


@dataclass
class TextbookSearch:
    """MLEM2 for one concept: ``goal`` are the rows to cover, and no others; ``conclusion`` is that of the rules.

    ``found`` are the rules (number, conditions, block), ``lines`` what was done, a tuple per step.
    """

    table: Table
    pairs: list[Pair]
    goal: Rows
    conclusion: str
    found: list[tuple[int, list[Pair], Rows]] = field(default_factory=list)
    lines: list[tuple] = field(default_factory=list)

    def run(self) -> list[str]:
        """The rules' conditions as texts, without rules that the others make redundant."""
        uncovered = self.goal
        while uncovered:
            chosen = self._chosen(uncovered)
            if not chosen:
                break
            chosen = self._needed(chosen)
            block = self._block(chosen)
            self.lines.append((self._number, "rule", _text(chosen), len(block & uncovered), len(block), 0))
            self.found.append((self._number, chosen, block))
            self._tell_rule(chosen, block, len(block & uncovered))
            uncovered = uncovered - block
        return [_text(chosen) for _, chosen, _ in self._needed_rules()]

    @property
    def _number(self) -> int:
        return len(self.found) + 1

    def _chosen(self, uncovered: Rows) -> list[Pair]:
        """Conditions added one by one until only rows of the concept are left."""
        goal, block, chosen = uncovered, frozenset(range(len(self.table))), []
        while not chosen or not block <= self.goal:
            open_pairs = [
                pair for pair in self.pairs if goal & pair.block and not any(_implies(taken, pair) for taken in chosen)
            ]
            if not open_pairs:
                return []
            # the first of the best: ties go to the pair that comes earlier
            best = max(open_pairs, key=lambda pair: (len(goal & pair.block), -len(pair.block)))
            if listening():
                self._tell_condition(open_pairs, best, goal, block & best.block, chosen)
            goal, block = goal & best.block, block & best.block
            chosen.append(best)
            wrong = len(block - self.goal)
            self.lines.append((self._number, "add", str(best.condition), len(goal), len(best.block), wrong))
        return chosen

    def _needed(self, chosen: list[Pair]) -> list[Pair]:
        """The conditions of a rule without redundant ones."""
        for pair in list(chosen):
            others = [other for other in chosen if other is not pair]
            if others and self._block(others) <= self.goal:
                chosen, block = others, self._block(others)
                self.lines.append((self._number, "drop", str(pair.condition), len(block), len(pair.block), 0))
                note(
                    f"Drop {pair.condition}",
                    f"Without it the rule still covers no row outside {self.conclusion}.",
                    lambda block=block: self._state(block),
                )
        return chosen

    def _needed_rules(self) -> list[tuple[int, list[Pair], Rows]]:
        """The rules without those whose rows the others cover."""
        covered = frozenset().union(*(block for _, _, block in self.found)) & self.goal
        for entry in list(self.found):
            number, chosen, block = entry
            others = [other for other in self.found if other is not entry]
            if frozenset().union(*(block for _, _, block in others)) >= covered:
                self.found = others
                self.lines.append((number, "redundant", _text(chosen), 0, len(block), 0))
                note(
                    f"Rule {number} for {self.conclusion} can go",
                    "The other rules cover all of its rows.",
                    lambda block=block: self._state(block),
                )
        return self.found

    def _block(self, pairs: list[Pair]) -> Rows:
        return frozenset(range(len(self.table))).intersection(*(pair.block for pair in pairs))

    # ---- steps ----------------------------------------------------------------------------------------------------

    def _tell_condition(self, open_pairs: list[Pair], best: Pair, goal: Rows, block: Rows, chosen: list[Pair]) -> None:
        order = sorted(open_pairs, key=lambda pair: (-len(goal & pair.block), len(pair.block)))
        candidates = pd.DataFrame(
            {"covers": [len(goal & pair.block) for pair in order], "block": [len(pair.block) for pair in order]},
            index=pd.Index([str(pair.condition) for pair in order], name="condition"),
        )
        wrong = len(block - self.goal)
        sentence = (
            f"It keeps {len(goal & best.block)} of {counted(len(goal), 'row')} to cover, and of "
            f"{counted(len(open_pairs), 'condition')} none keeps more, or as many with a smaller block; "
            f"{counted(wrong, 'row')} outside {self.conclusion} still fit{'s' * (wrong == 1)}"
        )
        state = self._state(block)
        title = f"{'Then' if chosen else 'Take'} {best.condition}"
        note(title, f"{sentence}.", state, candidates, [str(best.condition)])

    def _tell_rule(self, chosen: list[Pair], block: Rows, new: int) -> None:
        covers = f"it covers {counted(len(block), 'row')}, {new} of them not covered before"
        note(
            f"Rule {len(self.found)} for {self.conclusion}",
            f"If {_text(chosen)} then {self.conclusion}: {covers}.",
            lambda: self._state(block),
        )

    def _state(self, marked: Rows) -> RowGroups:
        """The rows by the rule that covers them first, and those that the step is about."""
        groups = np.full(len(self.table), -1)
        for number, _, block in reversed(self.found):
            groups[sorted(block)] = number - 1
        return RowGroups(self.table, groups, sorted(marked))


def _implies(taken: Pair, pair: Pair) -> bool:
    """Whether a condition already taken, on the same attribute and side, is as narrow or narrower."""
    same = taken.condition.attribute == pair.condition.attribute and taken.side == pair.side
    return same and taken.block <= pair.block


def _text(pairs: list[Pair]) -> str:
    parts: dict[str, Condition] = {}
    for pair in pairs:
        name = pair.condition.attribute
        parts[name] = pair.condition if name not in parts else parts[name].intersection(pair.condition)
    return " and ".join(map(str, parts.values()))
