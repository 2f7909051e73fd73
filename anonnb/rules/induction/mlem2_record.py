"""The steps of MLEM2, told from the record of its search: sets of rows, and every elementary condition in a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.rules.induction.concepts import SearchRecord
from anonnb.rules.induction.encoding import Features, attribute_names, bounded, features_of
from anonnb.rules.induction.rule import Condition, Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MAX_ROWS = 2_000
FEW_ROWS, MAX_NAMED = 16, 6  # tables whose rows are named in sentences, and rows that one sentence names
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


@dataclass(frozen=True, eq=False)
class RuleSearch:
    """The rules found so far, the one under construction last, and the rows that satisfy its conditions."""

    table: Table
    rules: RuleSet
    marked: np.ndarray

    @property
    def plane(self) -> tuple[str, ...]:
        """The two attributes over which rules are boxes, if the table has two and both are numbers."""
        names = [name for name, each in self.table.attributes.items() if name != self.table.decision]
        return tuple(names) if [self.table.attributes[name].kind for name in names] == ["numeric"] * 2 else ()


@dataclass
class RecordedSearch:
    """The search for the rules of one concept: ``goal`` are the rows to cover, ``rules`` has the classes and no rule.

    ``pairs`` are the conditions by their cells. ``lines`` gets a tuple for each step, and steps are noted.
    """

    table: Table
    pairs: dict[int, Pair]
    goal: Rows
    concept: tuple
    rules: RuleSet
    lines: list[tuple] = field(default_factory=list)
    _found: list[tuple[list[Pair], Rows]] = field(default_factory=list)
    _shown: list[int] = field(default_factory=list)

    @property
    def conclusion(self) -> str:
        return f"{self.rules.decision} = {' or '.join(map(str, self.concept))}"

    def tell(self, record: SearchRecord) -> None:
        """Go through what the search did."""
        uncovered = self.goal
        for taken, left in zip(record.taken, [*record.left, None], strict=False):
            self._record_conditions([self.pairs[cell] for cell in taken], uncovered)
            if left is None:
                break  # no condition is left that a rule could take
            chosen = self._record_dropped(taken, left)
            block = self._block(chosen)
            number, new = len(self._found) + 1, block & uncovered
            self.lines.append((number, "rule", _text(chosen), len(new), len(block), 0))
            self._found.append((chosen, block))
            self._shown.append(number - 1)
            uncovered = uncovered - block
            rest = f"Still uncovered: {self._names(uncovered)}." if uncovered else "Every row of the class is covered."
            note(
                f"Rule {number} for {self.conclusion}",
                f"If {_text(chosen)} then {self.conclusion}: it covers {self._names(block)}. {rest}",
                lambda block=block: self._state(block),
            )
        self._record_redundant(record.kept)

    def _record_conditions(self, taken: list[Pair], goal: Rows) -> None:
        """Conditions are added one by one until only rows of the concept are left."""
        block = frozenset(range(len(self.table)))
        for number, pair in enumerate(taken):
            if listening():
                self._record_condition(pair, goal, block, taken[:number])
            goal, block = goal & pair.block, block & pair.block
            wrong = len(block - self.goal)
            self.lines.append((len(self._found) + 1, "add", str(pair.condition), len(goal), len(pair.block), wrong))

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
        block, most = block & best.block, len(goal & best.block)
        equal = [pair for pair in possible if len(goal & pair.block) == most]
        smallest = sum(len(pair.block) == len(best.block) for pair in equal)
        why = "no other condition holds for as many" if len(equal) == 1 else "no condition holds for more of them"
        why += f"; of the {len(equal)} that hold for as many, it has the smallest block" * (len(equal) > smallest)
        why += f" (the first of {smallest} that tie)" * (smallest > 1)
        wrong = block - self.goal
        still = f"It also lets in {self._names(wrong)}, so go on." if wrong else "Nobody else is left: stop."
        note(
            f"{'Then' if chosen else 'Take'} {best.condition}",
            f"To cover: {self._names(goal)}. It holds for {self._names(goal & best.block)}, and {why}. {still}",
            self._state(block, [*chosen, best]),
            candidates,
            [str(best.condition)],
        )

    def _record_dropped(self, taken: list[int], left: list[int]) -> list[Pair]:
        """Conditions that a rule does not need are dropped, in the order in which they were taken."""
        chosen = list(taken)
        for cell in taken if len(taken) > 1 else ():
            pair, others = self.pairs[cell], [self.pairs[each] for each in chosen if each != cell]
            block = self._block(others)
            if cell in left and others:
                wrong = block - self.goal
                sentence = f"Without it the rule would also cover {self._names(wrong)}, so it stays."
                note(f"Keep {pair.condition}", sentence, lambda block=block, others=others: self._state(block, others))
            elif cell not in left:
                chosen.remove(cell)
                line = str(pair.condition), len(block), len(pair.block), 0
                self.lines.append((len(self._found) + 1, "drop", *line))
                note(
                    f"Drop {pair.condition}",
                    "Without it the rule still lets in nobody else.",
                    lambda block=block, others=others: self._state(block, others),
                )
        return [self.pairs[cell] for cell in chosen]

    def _record_redundant(self, kept: list[bool]) -> None:
        """Rules whose rows the others cover can go."""
        for number, (chosen, block) in enumerate(self._found, 1):
            if not kept[number - 1]:
                self._shown.remove(number - 1)
                self.lines.append((number, "redundant", _text(chosen), 0, len(block), 0))
                note(
                    f"Rule {number} for {self.conclusion} can go",
                    f"The other rules cover all of its rows ({self._names(block)}).",
                    lambda block=block: self._state(block),
                )

    def _block(self, pairs: list[Pair]) -> Rows:
        return frozenset(range(len(self.table))).intersection(*(pair.block for pair in pairs))

    def _names(self, rows: Rows) -> str:
        """Name a few rows, or say how many there are."""
        if len(rows) > MAX_NAMED or len(self.table) > FEW_ROWS:
            return pluralize(len(rows), "row")
        *others, last = self.table.index[sorted(rows)].astype(str) if rows else ["nobody"]
        return f"{', '.join(others)} and {last}" if others else last

    def _state(self, marked: Rows, current: Sequence[Pair] = ()) -> RuleSearch:
        """Return the rules so far, the current one last, and the rows that the step is about."""
        premises = [self._found[number][0] for number in self._shown] + ([list(current)] if current else [])
        rules = [Rule(tuple(_joined(pairs)), self.rules.decision, self.concept) for pairs in premises]
        whole = RuleSet(rules, self.rules.decision, self.rules.classes, self.rules.class_counts)
        return RuleSearch(self.table, whole, np.array(sorted(marked), dtype=np.int64))


def _implies(taken: Pair, pair: Pair) -> bool:
    """Return whether a condition already taken, on the same attribute and side, is as narrow or narrower."""
    same = taken.condition.attribute == pair.condition.attribute and taken.side == pair.side
    return same and taken.block <= pair.block


def _joined(pairs: Sequence[Pair]) -> list[Condition]:
    """Return one condition per attribute."""
    parts: dict[str, Condition] = {}
    for pair in pairs:
        name = pair.condition.attribute
        parts[name] = pair.condition if name not in parts else parts[name].intersection(pair.condition)
    return list(parts.values())


def _text(pairs: Sequence[Pair]) -> str:
    return " and ".join(map(str, _joined(pairs)))
