"""The steps of MLEM2, told from the record of its search: sets of rows, and every elementary condition in a list."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.rules.induction.concepts import SearchRecord
from anonnb.rules.induction.encoding import Features, attribute_names, bounded, features_of
from anonnb.rules.induction.rule import Condition
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MAX_ROWS = 2_000
COLUMNS = ["rule", "step", "what", "covers", "block", "wrong"]

Rows = frozenset[int]


@dataclass(frozen=True)
class Pair:
    """An elementary condition and its block: the rows that satisfy it."""

    condition: Condition
    side: str
    block: Rows = field(repr=False)


def elementary_pairs(table: Table) -> list[Pair]:
    """List every elementary condition of a table with its block, in attribute and value order.

    >>> from anonnb import load
    >>> [(str(pair.condition), sorted(pair.block)) for pair in elementary_pairs(load("decision6"))][0]
    ('sex = female', [2, 3])
    """
    everything = Release(table, {}, np.arange(len(table)))
    features = features_of(everything, attribute_names(table, None), midpoints=True)
    return list(pairs_of(features, np.arange(len(table))).values())


def pairs_of(features: Features, kind: np.ndarray) -> dict[int, Pair]:
    """Return every elementary condition by its cell, in attribute and value order; row i reads like row ``kind[i]``."""
    pairs: dict[int, Pair] = {}
    first = np.cumsum([0] + [sum(part is not None for part in each.conditions) for each in features.candidates])
    for index in features.plan:
        if index >= 0:
            threshold, start = features.thresholds[index], int(features.base[index])
            for key in range(1, threshold.count + 1):
                condition = bounded(threshold.attribute, **{threshold.side: threshold.bound(key)})
                pairs[start + key] = Pair(condition, threshold.side, _rows(threshold.keys[kind] >= key))
        else:
            candidates, cell = features.candidates[-index - 1], int(features.base[-1] + first[-index - 1])
            for number, values in enumerate(candidates.conditions):
                if values is not None:
                    pairs[cell] = Pair(values, "set", _rows(candidates.index[kind] == number))
                    cell += 1
    return pairs


def _rows(flags: np.ndarray) -> Rows:
    return frozenset(np.flatnonzero(flags).tolist())


@dataclass
class RecordedSearch:
    """The search for the rules of one concept: ``goal`` are the rows to cover, ``conclusion`` is that of the rules.

    ``pairs`` are the conditions by their cells. ``lines`` gets a tuple for each step, and steps are noted.
    """

    table: Table
    pairs: dict[int, Pair]
    goal: Rows
    conclusion: str
    lines: list[tuple] = field(default_factory=list)
    _rules: list[tuple[list[Pair], Rows]] = field(default_factory=list)
    _shown: list[int] = field(default_factory=list)

    def tell(self, record: SearchRecord) -> None:
        """Go through what the search did."""
        uncovered = self.goal
        for taken, left in zip(record.taken, [*record.left, None], strict=False):
            self._record_conditions([self.pairs[cell] for cell in taken], uncovered)
            if left is None:
                break  # no condition is left that a rule could take
            chosen = self._record_dropped(taken, left)
            block = self._block(chosen)
            number, new = len(self._rules) + 1, len(block & uncovered)
            self.lines.append((number, "rule", _text(chosen), new, len(block), 0))
            self._rules.append((chosen, block))
            self._shown.append(number - 1)
            note(
                f"Rule {number} for {self.conclusion}",
                f"If {_text(chosen)} then {self.conclusion}: it covers {pluralize(len(block), 'row')}, {new} of them "
                "not covered before.",
                lambda block=block: self._state(block),
            )
            uncovered = uncovered - block
        self._record_redundant(record.kept)

    def _record_conditions(self, taken: list[Pair], goal: Rows) -> None:
        """Conditions are added one by one until only rows of the concept are left."""
        block = frozenset(range(len(self.table)))
        for number, pair in enumerate(taken):
            if listening():
                self._record_condition(pair, goal, block, taken[:number])
            goal, block = goal & pair.block, block & pair.block
            wrong = len(block - self.goal)
            self.lines.append((len(self._rules) + 1, "add", str(pair.condition), len(goal), len(pair.block), wrong))

    def _record_condition(self, best: Pair, goal: Rows, block: Rows, chosen: list[Pair]) -> None:
        possible = [
            pair
            for pair in self.pairs.values()
            if goal & pair.block and not any(_implies(taken, pair) for taken in chosen)
        ]
        order = sorted(possible, key=lambda pair: (-len(goal & pair.block), len(pair.block)))
        candidates = pd.DataFrame(
            {"covers": [len(goal & pair.block) for pair in order], "block": [len(pair.block) for pair in order]},
            index=pd.Index([str(pair.condition) for pair in order], name="condition"),
        )
        block = block & best.block
        wrong = len(block - self.goal)
        note(
            f"{'Then' if chosen else 'Take'} {best.condition}",
            f"It keeps {len(goal & best.block)} of the {pluralize(len(goal), 'row')} to cover, and none of the "
            f"{pluralize(len(possible), 'condition')} keeps more, or as many with a smaller block. "
            f"{pluralize(wrong, 'row')} outside {self.conclusion} still fit{'s' * (wrong == 1)}.",
            self._state(block),
            candidates,
            [str(best.condition)],
        )

    def _record_dropped(self, taken: list[int], left: list[int]) -> list[Pair]:
        """Conditions that a rule does not need are dropped, in the order in which they were taken."""
        chosen = list(taken)
        for cell in taken:
            if cell not in left:
                chosen.remove(cell)
                pair, block = self.pairs[cell], self._block([self.pairs[each] for each in chosen])
                line = str(pair.condition), len(block), len(pair.block), 0
                self.lines.append((len(self._rules) + 1, "drop", *line))
                note(
                    f"Drop {pair.condition}",
                    f"Without it the rule still covers no row outside {self.conclusion}.",
                    lambda block=block: self._state(block),
                )
        return [self.pairs[cell] for cell in chosen]

    def _record_redundant(self, kept: list[bool]) -> None:
        """Rules whose rows the others cover can go."""
        for number, (chosen, block) in enumerate(self._rules, 1):
            if not kept[number - 1]:
                self._shown.remove(number - 1)
                self.lines.append((number, "redundant", _text(chosen), 0, len(block), 0))
                note(
                    f"Rule {number} for {self.conclusion} can go",
                    "The other rules cover all of its rows.",
                    lambda block=block: self._state(block),
                )

    def _block(self, pairs: list[Pair]) -> Rows:
        return frozenset(range(len(self.table))).intersection(*(pair.block for pair in pairs))

    def _state(self, marked: Rows) -> RowGroups:
        """Return the rows by the rule that covers them first, and those that the step is about."""
        groups = np.full(len(self.table), -1)
        for number in reversed(self._shown):
            groups[sorted(self._rules[number][1])] = number
        return RowGroups(self.table, groups, np.array(sorted(marked), dtype=np.int64))


def _implies(taken: Pair, pair: Pair) -> bool:
    """Return whether a condition already taken, on the same attribute and side, is as narrow or narrower."""
    same = taken.condition.attribute == pair.condition.attribute and taken.side == pair.side
    return same and taken.block <= pair.block


def _text(pairs: list[Pair]) -> str:
    parts: dict[str, Condition] = {}
    for pair in pairs:
        name = pair.condition.attribute
        parts[name] = pair.condition if name not in parts else parts[name].intersection(pair.condition)
    return " and ".join(map(str, parts.values()))
