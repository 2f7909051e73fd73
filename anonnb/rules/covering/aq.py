"""AQ (Michalski 1969; AQ15, Michalski et al. 1986): rules from stars around seeds.

Idea: take a row of the class that no rule covers, the seed, and find the most general conjunctions that hold for it and
for no row of another class: one negative row after the other is excluded by a condition on an attribute where it
differs from the seed. Reading chosen, as Clark and Niblett (1989) describe AQ: a star keeps the ``width`` conjunctions
with the most positive rows covered and negative rows excluded; of the finished ones the one with the most rows not yet
covered becomes a rule, ties by fewer conditions, then by attribute order. The seed is the first uncovered row, the
negative row the one that differs from it in the fewest attributes. Rows that contradict each other are treated as in
MLEM2: by lower or upper approximation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.rules.covering.columns import CodedColumn, coded_columns
from anonnb.rules.induction.encoding import attribute_names
from anonnb.rules.induction.mlem2 import TableInduction
from anonnb.rules.induction.rule import Condition, Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

Bits = int  # a set of rows: bit r is row r


def aq(
    table: Table,
    concept: object = None,
    *,
    width: int = 5,
    approximation: str = "lower",
    attributes: Sequence[str] | None = None,
) -> RuleSet:
    """Decision rules of a table by AQ.

    A nominal condition may allow several values.

    Parameters
    ----------
    width:
        The number of conjunctions that a star keeps.

    Examples
    --------
    >>> from anonnb import load
    >>> print(aq(load("decision6")))
    if sex = male and occupation = salesman then evaluation = high  [3]
    if sex = female and occupation = salesman then evaluation = low  [1]
    if sex = male and occupation = engineer then evaluation = low  [1]
    if sex = female and occupation = engineer then evaluation = medium  [1]
    """
    if isinstance(width, bool) or not isinstance(width, int | np.integer) or width < 1:
        raise ValueError(f"width={width!r} is not possible; give a whole number of at least 1")
    task = TableInduction(table, attributes)
    columns = coded_columns(table, attribute_names(table, attributes))
    concepts = [(n,) for n in range(len(task.classes))] if concept is None else [task.concept(concept)]
    rules, explained = [], np.zeros(len(table), dtype=bool)
    for numbers in concepts:
        goal, inside = task.goal(numbers, approximation), np.isin(task.class_of, numbers)
        conclusion = tuple(task.classes[number] for number in numbers)
        search = StarSearch(table, columns, goal, " or ".join(map(str, conclusion)), int(width))
        for star in search.run():
            explained |= rows_of(star.rows, len(table))
            counts = (star.rows.bit_count(), (star.rows & bits_of(inside)).bit_count(), int(inside.sum()), len(table))
            rules.append(Rule(search.conditions(star), task.decision, conclusion, *counts))
    return task.ruleset(rules, unexplained=np.flatnonzero(~explained))


def bits_of(flags: np.ndarray) -> Bits:
    """Return flags of rows as a set of bits."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def rows_of(bits: Bits, count: int) -> np.ndarray:
    """Return a set of bits as flags of rows."""
    packed = np.frombuffer(bits.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").astype(bool)


@dataclass(frozen=True)
class Conjunction:
    """Conditions by the number of their attribute, and the rows that satisfy all of them.

    A condition is the set of codes that a nominal attribute must not have, or the first and last code of an ordered
    one.
    """

    conditions: tuple[tuple[int, Any], ...]  # a column, and the codes it excludes or the first and last it allows
    rows: Bits

    def narrowed(self, place: int, condition: object, rows: Bits) -> Conjunction:
        """Return the same with another condition on one attribute."""
        others = {**dict(self.conditions), place: condition}
        return Conjunction(tuple(sorted(others.items(), key=lambda part: part[0])), self.rows & rows)


class StarSearch:
    """Conjunctions that cover the goal rows of one concept and no other row."""

    def __init__(self, table: Table, columns: list[CodedColumn], goal: np.ndarray, conclusion: str, width: int):
        self.table, self.columns, self.conclusion, self.width = table, columns, conclusion, width
        self.codes = np.column_stack([column.codes for column in columns]) if columns else np.zeros((len(goal), 0))
        self.positive, self.negative = bits_of(goal), bits_of(~goal)
        self.everything = self.positive | self.negative
        self.blocks = [[bits_of(column.codes == code) for code in range(column.size)] for column in columns]
        self.below = [self._running(blocks) for blocks in self.blocks]
        self.found: list[Conjunction] = []

    @staticmethod
    def _running(blocks: list[Bits]) -> list[Bits]:
        """Return the rows below each code, and at last all of them."""
        sums = [0]
        for block in blocks:
            sums.append(sums[-1] | block)
        return sums

    def run(self) -> list[Conjunction]:
        """Return the conjunctions in the order in which they are found."""
        uncovered = self.positive if self.negative else 0
        while uncovered:
            seed = (uncovered & -uncovered).bit_length() - 1
            star = self._star(seed, uncovered)
            best = max(star, key=lambda each: ((each.rows & uncovered).bit_count(), -len(each.conditions)))
            self.found.append(best)
            self._record_rule(star, best, uncovered)
            uncovered &= ~best.rows
        return self.found

    def _star(self, seed: int, uncovered: Bits) -> list[Conjunction]:
        """Return the best conjunctions that hold for the seed and for no negative row."""
        differences = (self.codes != self.codes[seed]).sum(axis=1)
        star = [Conjunction((), self.everything)]
        while True:
            still = 0
            for each in star:
                still |= each.rows & self.negative
            if not still:
                return star
            rows = np.flatnonzero(rows_of(still, len(differences)))
            negative = int(rows[differences[rows].argmin()])
            before, star = star, self._excluding(star, seed, negative)
            if listening():
                self._record_star(before, star, seed, negative)

    def _excluding(self, star: list[Conjunction], seed: int, negative: int) -> list[Conjunction]:
        """Return the star after narrowing every conjunction that covers the negative row, cut to its width."""
        fresh: dict[tuple, Conjunction] = {}
        for each in star:
            narrower = [each]
            if each.rows >> negative & 1:
                narrower = [
                    each.narrowed(index, *self._extension(each, index, seed, negative))
                    for index in np.flatnonzero(self.codes[seed] != self.codes[negative]).tolist()
                ]
            for one in narrower:
                fresh.setdefault(one.conditions, one)
        return sorted(fresh.values(), key=self._merit, reverse=True)[: self.width]

    def _merit(self, each: Conjunction) -> int:
        """Positive rows covered and negative rows excluded, up to a constant."""
        return (each.rows & self.positive).bit_count() - (each.rows & self.negative).bit_count()

    def _extension(self, each: Conjunction, index: int, seed: int, negative: int) -> tuple[object, Bits]:
        """The widest condition on an attribute that holds for the seed and not for the negative row, and its rows."""
        column, blocks, below = self.columns[index], self.blocks[index], self.below[index]
        code, other = int(self.codes[seed, index]), int(self.codes[negative, index])
        old = dict(each.conditions).get(index)
        if not column.ordered:
            excluded = (old or frozenset()) | {other}
            return excluded, self.everything & ~blocks[other]
        low, high = old or (0, column.size - 1)
        if code >= column.known:  # missing: there is nothing between it and the known values
            low = high = code
        else:
            low = max(low, other + 1) if other < code else low
            high = min(high, other - 1 if other > code else column.known - 1, column.known - 1)
        return (low, high), below[high + 1] & ~below[low]

    def conditions(self, each: Conjunction) -> tuple[Condition, ...]:
        """Return the conditions of a conjunction in the form of a rule."""
        made = []
        for index, condition in each.conditions:
            column = self.columns[index]
            if column.ordered and condition[0] < column.known:
                made.append(column.run(*condition))
            elif column.ordered:
                made.append(column.chosen([condition[0]]))
            else:
                made.append(column.chosen([code for code in range(column.size) if code not in condition]))
        return tuple(made)

    # ---- steps ----------------------------------------------------------------------------------------------------

    def text(self, each: Conjunction) -> str:
        return " and ".join(map(str, self.conditions(each))) or "anything"

    def _frame(self, star: list[Conjunction], uncovered: Bits) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "positive": [(each.rows & uncovered).bit_count() for each in star],
                "negative": [(each.rows & self.negative).bit_count() for each in star],
            },
            index=pd.Index([self.text(each) for each in star], name="conjunction"),
        )

    def _record_star(self, before: list[Conjunction], star: list[Conjunction], seed: int, negative: int) -> None:
        note(
            f"Exclude row {negative} from the star of row {seed}",
            f"Row {negative} is the nearest row outside {self.conclusion} that the star lets in. Without it, the star "
            f"has {pluralize(len(star), 'conjunction')} instead of {len(before)}: those with the most rows inside and "
            "the fewest outside.",
            lambda: self._state(star[0].rows),
            lambda: self._frame(star, self.positive),
            [self.text(each) for each in star],
        )

    def _record_rule(self, star: list[Conjunction], best: Conjunction, uncovered: Bits) -> None:
        covered = (best.rows & uncovered).bit_count()
        note(
            f"Rule {len(self.found)} for {self.conclusion}",
            lambda: (
                f"If {self.text(best)} then {self.conclusion}: no conjunction of the star covers more than its "
                f"{pluralize(covered, 'row')} that no rule covered before."
            ),
            lambda: self._state(best.rows),
            lambda: self._frame(star, uncovered),
            [self.text(best)] if listening() else [],
        )

    def _state(self, marked: Bits) -> RowGroups:
        """Return the rows by the rule that covers them first, and those that the step is about."""
        groups = np.full(len(self.table), -1)
        for number, each in reversed(list(enumerate(self.found))):
            groups[rows_of(each.rows, len(groups))] = number
        return RowGroups(self.table, groups, np.flatnonzero(rows_of(marked, len(groups))))
