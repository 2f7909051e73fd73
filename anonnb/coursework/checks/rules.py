"""Checks of decision rules: certain, complete, and without a condition that could go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.checks.answers import plain
from anonnb.coursework.checks.words import wrong
from anonnb.coursework.exercises import COLLECTIONS
from anonnb.tables.table import Table


def certain_rules(name: str, rules: Any, table: Table) -> list[tuple[np.ndarray, str]]:
    """Rules as pairs ({attribute: value, …}, class), none of which any row contradicts; returns whom each matches.

    >>> from anonnb import load
    >>> certain_rules("rules", [({"occupation": "salesman"}, "high")], load("decision6"))
    Traceback (most recent call last):
    anonnb.coursework.checks.words.Wrong: rules: rule 1 says 'high', but it matches 'o3', whose evaluation is 'low'.
    """
    rules = plain(name, rules)
    if not isinstance(rules, COLLECTIONS) or not len(rules):
        wrong(f"{name} must be a list of rules", 'a rule looks like ({"income": "high"}, "yes")')
    matched = []
    for number, rule in enumerate(rules, 1):
        conditions, concluded = _rule(f"{name}: rule {number}", rule, table)
        rows = _matches(conditions, table)
        if not rows.any():
            wrong(f"{name}: rule {number} matches nobody")
        against = rows & (table.frame[table.decision] != concluded).to_numpy()
        if against.any():
            person = table.index[int(np.argmax(against))]
            truth = f"{table.decision} is {table.frame[table.decision].loc[person]!r}"
            wrong(f"{name}: rule {number} says {concluded!r}, but it matches {person!r}, whose {truth}")
        matched.append((rows, concluded))
    return matched


def _rule(where: str, rule: Any, table: Table) -> tuple[dict, Any]:
    if not (isinstance(rule, list | tuple) and len(rule) == 2 and isinstance(rule[0], dict | pd.Series)):
        wrong(f"{where} is not a pair of conditions (a dict) and a class")
    conditions = dict(rule[0])
    strange = [column for column in conditions if column not in table.conditions]
    if strange:
        wrong(f"{where} asks for {strange[0]!r}, which is no condition attribute")
    if not any(rule[1] == known for known in table.frame[table.decision].unique()):
        wrong(f"{where} concludes {rule[1]!r}, which is no class")
    return conditions, rule[1]


def _matches(conditions: dict, table: Table) -> np.ndarray:
    rows = np.ones(len(table), dtype=bool)
    for column, value in conditions.items():
        rows &= (table.frame[column] == value).to_numpy()
    return rows


def complete_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules that match every row of the positive region, with no condition that could go."""
    covering_rules(name, rules, table)
    minimal_rules(name, rules, table)


def covering_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules that match every row whose class can be told for sure."""
    from anonnb.roughsets.approximations import positive_region

    covered = np.any([rows for rows, _ in certain_rules(name, rules, table)], axis=0)
    left = [place for place in positive_region(table) if not covered[place]]
    if left:
        wrong(f"{name}: no rule matches {table.index[left[0]]!r}", "its class can be told for sure")


def minimal_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules of which none has a condition that could go."""
    certain_rules(name, rules, table)
    for number, (conditions, concluded) in enumerate(plain(name, rules), 1):
        for column in dict(conditions):
            rest = {other: value for other, value in dict(conditions).items() if other != column}
            if (table.frame[table.decision][_matches(rest, table)] == concluded).all():
                wrong(f"{name}: in rule {number} the condition on {column!r} can go")
