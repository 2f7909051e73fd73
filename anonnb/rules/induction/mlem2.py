"""MLEM2 (Grzymala-Busse 2002): a minimal set of minimal rules for each class of a decision table.

Idea: add the condition that keeps the most uncovered rows until no row outside the concept is left, drop what is not
needed, repeat for the rows not yet covered. Ties: the smallest block, then attribute order, then the lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.arrays import first_places, group_ids, group_table
from anonnb.rules.induction.concepts import Concept, Induction, SearchRecord, concept_of, outside, present_classes
from anonnb.rules.induction.encoding import attribute_names, features_of
from anonnb.rules.induction.mlem2_record import COLUMNS, MAX_ROWS, RecordedSearch, pairs_of
from anonnb.rules.induction.rule import Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.steps.recording import listening, silent
from anonnb.tables.release import Release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

APPROXIMATIONS = ("lower", "upper")


def mlem2(
    table: Table, concept: object = None, *, approximation: str = "lower", attributes: Sequence[str] | None = None
) -> RuleSet:
    """Decision rules of a table by MLEM2.

    Every rule covers only rows of the approximation, no condition of a rule is redundant, and no rule is. Rows that
    contradict each other are in no lower approximation: ``rules.info["unexplained"]`` lists the rows that no rule
    covers. A table with only such rows gives an empty rule set.

    Parameters
    ----------
    table:
        A table with a decision. Bounds of numeric attributes lie halfway between neighbouring values; a missing value
        is a value of its own, which lies inside no bound.
    concept:
        A class or a collection of classes (their union); None: every class in turn.
    approximation:
        ``"lower"`` for certain rules, which cover the rows that are surely in the concept; ``"upper"`` for possible
        rules, which cover all rows that may be.

    Notes
    -----
    Every rule begins anew with all rows that no rule covers yet, and takes them out of the counts one by one until only
    its own are left: rules × different rows left × attributes steps, as rows that read alike count once. The rules grow
    with the rows, so this is more than linear; no search can take less than what it writes, rules × conditions.

    Examples
    --------
    >>> from anonnb import load
    >>> print(mlem2(load("decision6")))
    if sex = male and occupation = salesman then evaluation = high  [3]
    if sex = female and domicile = Tokyo then evaluation = low  [1]
    if occupation = engineer and domicile = Osaka then evaluation = low  [1]
    if sex = female and occupation = engineer then evaluation = medium  [1]
    >>> print(mlem2(load("decision6"), ["low", "medium"]))
    if sex = female then evaluation = low or medium  [2]
    if occupation = engineer then evaluation = low or medium  [2]
    """
    task = TableInduction(table, attributes)
    concepts = [(n,) for n in range(len(task.classes))] if concept is None else [task.concept(concept)]
    rules, explained = [], np.zeros(len(table), dtype=bool)
    for numbers in concepts:
        added, supports = task.rules_for(numbers, approximation)
        rules += added
        explained |= supports > 0
    return task.ruleset(rules, unexplained=np.flatnonzero(~explained))


def mlem2_steps(table: Table, concept: object, *, approximation: str = "lower") -> pd.DataFrame:
    """Return what MLEM2 does for one concept, a row per step.

    ``steps.of(mlem2, table, concept)`` gives the same steps to play.

    Returns
    -------
    pandas.DataFrame
        ``covers``: rows of the goal that the condition keeps; ``block``: rows of the table that satisfy it; ``wrong``:
        rows outside the concept that satisfy all conditions so far. Then come the conditions dropped, and at the end
        the rules that the others make redundant.

    Examples
    --------
    >>> from anonnb import load
    >>> print(mlem2_steps(load("decision6"), "high").to_string(index=False))
     rule step                                                       what  covers  block  wrong
        1  add                                                 sex = male       3      4      1
        1  add                                      occupation = salesman       3      4      0
        1 rule sex = male and occupation = salesman                             3      3      0
    """
    if len(table) > MAX_ROWS:
        raise ValueError(f"mlem2_steps is for small tables: at most {MAX_ROWS:,} rows, not {len(table):,}; use mlem2")
    task = TableInduction(table)
    with silent():
        return pd.DataFrame(task.recorded(task.concept(concept), approximation).lines, columns=COLUMNS)


class TableInduction:
    """A plain table made ready for the search, which sees indiscernible rows once, with their number as weight."""

    def __init__(self, table: Table, attributes: Sequence[str] | None = None):
        names = attribute_names(table, attributes)
        self.table = table
        self.classes, self.class_of, self.counts = present_classes(table)
        self.decision = required_decision(table)
        self._kind, count = group_ids([table.codes(n) for n in names], [table.attributes[n].size for n in names])
        kinds = Release(table.select([*names, self.decision]), {}, first_places(self._kind, count))
        features = features_of(kinds, names, midpoints=True, weights=np.bincount(self._kind))
        self._decisions = group_table(self.class_of, len(self.classes), self._kind, count)
        self._search = Induction(features, self.decision, self.classes, self._decisions)

    def concept(self, wanted: object) -> Concept:
        return concept_of(wanted, self.classes, self.decision)

    def goal(self, concept: Concept, approximation: str) -> np.ndarray:
        """Return flags of the rows in the lower or upper approximation of a concept."""
        return self._goal(concept, approximation)[self._kind]

    def _goal(self, concept: Concept, approximation: str) -> np.ndarray:
        """Return the same for each kind of indiscernible rows."""
        if approximation not in APPROXIMATIONS:
            raise ValueError(f"approximation={approximation!r} is not known; use 'lower' or 'upper'")
        if approximation == "lower":
            return np.logical_not(self._decisions[:, outside(concept, len(self.classes))].any(axis=1))
        return np.asarray(self._decisions[:, list(concept)].any(axis=1))

    def rules_for(self, concept: Concept, approximation: str) -> tuple[list[Rule], np.ndarray]:
        """Return the rules of one concept, and for each row the largest support among those that cover it."""
        goal = self._goal(concept, approximation)
        record = SearchRecord() if listening() and len(self.table) <= MAX_ROWS else None
        rules, supports = self._search.rules(concept, goal, ~goal, record)
        if record is not None:
            self._record_step(record, concept, approximation)
        return rules, supports[self._kind]

    def recorded(self, concept: Concept, approximation: str) -> RecordedSearch:
        """Return what the search does for a concept."""
        goal, record = self._goal(concept, approximation), SearchRecord()
        self._search.rules(concept, goal, ~goal, record)
        return self._record_step(record, concept, approximation)

    def _record_step(self, record: SearchRecord, concept: Concept, approximation: str) -> RecordedSearch:
        goal = frozenset(np.flatnonzero(self.goal(concept, approximation)).tolist())
        values, pairs = tuple(self.classes[number] for number in concept), pairs_of(self._search.features, self._kind)
        search = RecordedSearch(self.table, pairs, goal, values, self.ruleset([]))
        search.tell(record)
        return search

    def ruleset(self, rules: Sequence[Rule], **info: Any) -> RuleSet:
        return RuleSet(rules, self.decision, self.classes, self.counts, info)
