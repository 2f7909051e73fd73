"""Checks of decision rules: certain, complete, and without a condition that could go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.checks.answers import plain
from anonnb.coursework.checks.comparing import canonical, is_collection
from anonnb.coursework.checks.words import passed, wrong
from anonnb.tables.table import Table

Rule = tuple[dict[str, Any], Any]


def certain_rules(name: str, rules: Any, table: Table) -> list[tuple[np.ndarray, Any]]:
    """Rules as pairs ({attribute: value, …}, class), none of which any row contradicts; returns whom each matches.

    >>> from anonnb import load
    >>> certain_rules("rules", [({"occupation": "salesman"}, "high")], load("decision6"))
    Traceback (most recent call last):
    anonnb.coursework.checks.words.Wrong: rules: rule 1 says 'high', but it matches 'o3', whose evaluation is 'low'.
    """
    matched = _certain(name, rules, table)
    passed(f"{name}: no row contradicts a rule")
    return [(rows, concluded) for (_, concluded), rows in matched]


def _certain(name: str, rules: Any, table: Table) -> list[tuple[Rule, np.ndarray]]:
    rules = plain(name, rules)
    if not is_collection(rules) or not len(rules):
        wrong(f"{name} must be a list of rules", 'a rule looks like ({"income": "high"}, "yes")')
    matched = []
    for number, rule in enumerate(rules, 1):
        conditions, concluded = _rule(f"{name}: rule {number}", rule, table)
        rows = _matches(conditions, table)
        if not rows.any():
            wrong(f"{name}: rule {number} matches nobody")
        against = rows & (_decisions(table) != concluded).to_numpy()
        if against.any():
            person = table.index[int(np.argmax(against))]
            truth = f"{table.decision} is {_decisions(table).loc[person]!r}"
            wrong(f"{name}: rule {number} says {concluded!r}, but it matches {person!r}, whose {truth}")
        matched.append(((conditions, concluded), rows))
    return matched


def _decisions(table: Table) -> pd.Series:
    return table.frame[str(table.decision)]


def _rule(where: str, rule: Any, table: Table) -> Rule:
    """A rule with columns, values and class as the table spells them."""
    if not (isinstance(rule, list | tuple) and len(rule) == 2 and isinstance(rule[0], dict | pd.Series)):
        wrong(f"{where} is not a pair of conditions (a dict) and a class")
    columns = {canonical(column): column for column in table.conditions}
    strange = [column for column in dict(rule[0]) if canonical(column) not in columns]
    if strange:
        wrong(f"{where} asks for {strange[0]!r}, which is no condition attribute")
    classes = {canonical(known): known for known in _decisions(table).unique()}
    if canonical(rule[1]) not in classes:
        wrong(f"{where} concludes {rule[1]!r}, which is no class")
    conditions = {columns[canonical(column)]: value for column, value in dict(rule[0]).items()}
    return conditions, classes[canonical(rule[1])]


def _matches(conditions: dict[str, Any], table: Table) -> np.ndarray:
    rows = np.ones(len(table), dtype=bool)
    for column, value in conditions.items():
        rows &= np.array([canonical(cell) == canonical(value) for cell in table.frame[column]])
    return rows


def complete_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules that match every row of the positive region, with no condition that could go."""
    covering_rules(name, rules, table)
    minimal_rules(name, rules, table)


def covering_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules that match every row whose class can be told for sure."""
    from anonnb.roughsets.approximations import positive_region

    covered = np.any([rows for _, rows in _certain(name, rules, table)], axis=0)
    left = [row for row in positive_region(table) if not covered[row]]
    if left:
        wrong(f"{name}: no rule matches {table.index[left[0]]!r}", "its class can be told for sure")
    passed(f"{name}: every row whose class is certain is matched")


def minimal_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules of which none has a condition that could go."""
    for number, ((conditions, concluded), _) in enumerate(_certain(name, rules, table), 1):
        for column in conditions:
            rest = {other: value for other, value in conditions.items() if other != column}
            if (_decisions(table)[_matches(rest, table)] == concluded).all():
                wrong(f"{name}: in rule {number} the condition on {column!r} can go")
    passed(f"{name}: no condition can go")
