"""Checks for assignments: each is an assertion whose message tells a student what is wrong, and where.

They run in the student's notebook and again, with the hidden tests, at the examiner's. NaN never passes: every
comparison asks for what is wanted, none for the opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from anonnb import privacy, utility
from anonnb.coursework.exercises import difference
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table


class Wrong(AssertionError):
    """An answer that does not pass; the message is for the student."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows instead of a traceback through our code, which would teach nobody anything."""
        return [f"Not yet. {self}"]


def wrong(text: str, hint: str = "") -> None:
    """Fail with a sentence and a hint."""
    raise Wrong(f"{text}.{f' Hint: {hint}' if hint else ''}")


def answered(**answers: Any) -> None:
    """Every answer is there: neither None nor ``...``.

    >>> answered(k=None)
    Traceback (most recent call last):
    anonnb.coursework.checks.Wrong: k is not answered yet.
    """
    for name, answer in answers.items():
        if answer is None or answer is Ellipsis:
            wrong(f"{name} is not answered yet")


def of_type(name: str, answer: Any, kind: type | tuple[type, ...], words: str) -> None:
    """The answer has the right type: ``of_type("k", k, int, "a whole number")``."""
    if not isinstance(answer, kind) or (isinstance(answer, bool) and kind is not bool):
        wrong(f"{name} must be {words}, not a {type(answer).__name__}")


def equal(name: str, answer: Any, expected: Any, hint: str = "") -> None:
    """The answer is the expected one (see :func:`anonnb.coursework.exercises.difference` for what counts as equal).

    >>> equal("k", 3, 2, hint="count the smallest class")
    Traceback (most recent call last):
    anonnb.coursework.checks.Wrong: k: 3 is not right. Hint: count the smallest class
    """
    found = difference(answer, expected)
    if found:
        wrong(f"{name}: {found}", hint)


def at_least(name: str, value: float, least: float, hint: str = "") -> None:
    """The number is not below ``least``."""
    if not value >= least:
        wrong(f"{name} is {value:.4g}, but must be at least {least:.4g}", hint)


def at_most(name: str, value: float, most: float, hint: str = "") -> None:
    """The number is not above ``most``."""
    if not value <= most:
        wrong(f"{name} is {value:.4g}, but must be at most {most:.4g}", hint)


def agrees(name: str, function: Callable, model: Callable, cases: Iterable[tuple], hint: str = "") -> None:
    """A student's function gives what the model function gives, for each case (a tuple of arguments).

    >>> agrees("double", lambda x: x + 2, lambda x: 2 * x, [(2,), (3,)])
    Traceback (most recent call last):
    anonnb.coursework.checks.Wrong: double is wrong on case 2: 5 is not right.
    """
    if not callable(function):
        wrong(f"{name} must be a function, not a {type(function).__name__}")
    for number, case in enumerate(cases, 1):
        found = difference(function(*case), model(*case))
        if found:
            wrong(f"{name} is wrong on case {number}: {found}", hint)


# ---- releases ------------------------------------------------------------------------------------------------------


def generalized(name: str, frame: Any, table: Table) -> Release:
    """A frame read as a truthful release of the whole table: same rows, every cell holds its original value.

    The frame's index must be the table's, for that is how a row is known.
    """
    release = _read(name, frame, table)
    if sorted(map(str, frame.index)) != sorted(map(str, table.index)):
        wrong(f"{name} must have one row for each of the {len(table)} rows of the table, with the same index")
    places = {str(label): place for place, label in enumerate(table.index)}
    release = Release.from_frame(frame, table, rows=np.array([places[str(label)] for label in frame.index]))
    for column in release.quasi:
        known = table.attributes[column].recode_to(release.columns[column].attribute)
        held = release.columns[column].holds(known[table.codes(column)[release.rows]])
        if not held.all():
            row = table.index[release.rows[int(np.argmin(held))]]
            cell = frame[column].iloc[list(map(str, frame.index)).index(str(row))]
            wrong(f"{name}: in row {row!r} the cell {cell!r} of column {column!r} does not hold the original value")
    for column in release.sensitive:
        own = table.frame[column].astype(str).to_numpy()[release.rows]
        same = release.frame[column].astype(str).to_numpy() == own
        if not same.all():
            row = table.index[release.rows[int(np.argmin(same))]]
            wrong(f"{name}: in row {row!r} the sensitive column {column!r} was changed; publish it as it is")
    return release


def _read(name: str, frame: Any, table: Table) -> Release:
    if not isinstance(frame, pd.DataFrame):
        wrong(f"{name} must be a DataFrame, not a {type(frame).__name__}", "hand in release.frame")
    if frame.index.has_duplicates:
        wrong(f"{name}: the index has {frame.index[frame.index.duplicated()][0]!r} twice")
    absent = [column for column in [*table.quasi, *table.sensitive] if column not in frame.columns]
    if absent:
        wrong(f"{name} lacks the column {absent[0]!r}")
    try:
        return Release.from_frame(frame, table)
    except (ValueError, KeyError, TypeError) as error:
        wrong(f"{name} cannot be read as a release: {error.args[0] if error.args else error}")


def k_anonymous(name: str, release: Release, k: int) -> None:
    """Every class has at least k rows; a failure names the smallest."""
    sizes = release.group_sizes
    if not len(sizes):
        wrong(f"{name} publishes no row")
    if not sizes.min() >= k:
        place = int(np.argmax(release.groups == int(sizes.argmin())))
        cells = ", ".join(f"{column} = {release.frame[column].iloc[place]}" for column in release.quasi)
        wrong(f"{name} is not {k}-anonymous: the class with {cells} has {sizes.min()} row(s)")


def diverse(name: str, release: Release, least: int, column: str | None = None) -> None:
    """Every class has at least ``least`` distinct values of the sensitive column."""
    value = privacy.l(release, column=column)
    if not value >= least:
        wrong(f"{name} is not {least}-diverse: some class has {value} distinct sensitive value(s)")


def loses_at_most(name: str, release: Release, table: Table, most: float) -> None:
    """The NCP of the release is at most ``most``."""
    hint = "smaller classes, or cells that cover less, lose less"
    at_most(f"the NCP of {name}", round(utility.ncp(table, release), 4), most, hint)


def could_come_from(name: str, frame: pd.DataFrame, table: Table, *, least: float = 0.95) -> Release:
    """A published file read as a release that the table could have given: no row is invented.

    Each published row needs an original row of its own that fits its cells and has its sensitive value. At least the
    share ``least`` of the original rows must be there.
    """
    leaked = [column for column in frame.columns if column in table.identifiers]
    if leaked:
        wrong(f"{name} publishes the identifier {leaked[0]!r}")
    release = _read(name, frame.reset_index(drop=True), table)
    at_least(f"the share of rows in {name}", len(release) / len(table), least, "publish all people, blurred if need be")
    if _matched(release, table) < len(release):
        wrong(f"{name} holds a row that no original row of its own fits", "publish what your method made, unchanged")
    return release


def _matched(release: Release, table: Table) -> int:
    """How many published rows get an original row of their own: a largest matching."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    found = Matching(release, table, [*release.quasi, *release.sensitive])
    fits = found.matrix()[found.case].T[found.published.kind]
    return int((maximum_bipartite_matching(csr_array(fits), perm_type="column") >= 0).sum())


# ---- rules ---------------------------------------------------------------------------------------------------------


def certain_rules(name: str, rules: Any, table: Table) -> list[tuple[np.ndarray, str]]:
    """Rules as pairs ({attribute: value, …}, class), none of which any row contradicts; returns whom each matches.

    >>> from anonnb import load
    >>> certain_rules("rules", [({"occupation": "salesman"}, "high")], load("decision6"))
    Traceback (most recent call last):
    anonnb.coursework.checks.Wrong: rules: rule 1 says 'high', but it matches 'o3', whose evaluation is 'low'.
    """
    if not isinstance(rules, list | tuple) or not rules:
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
    if not (isinstance(rule, list | tuple) and len(rule) == 2 and isinstance(rule[0], dict)):
        wrong(f"{where} is not a pair of conditions (a dict) and a class")
    strange = [column for column in rule[0] if column not in table.conditions]
    if strange:
        wrong(f"{where} asks for {strange[0]!r}, which is no condition attribute")
    if rule[1] not in set(table.frame[table.decision]):
        wrong(f"{where} concludes {rule[1]!r}, which is no class")
    return rule[0], rule[1]


def _matches(conditions: dict, table: Table) -> np.ndarray:
    rows = np.ones(len(table), dtype=bool)
    for column, value in conditions.items():
        rows &= (table.frame[column] == value).to_numpy()
    return rows


def complete_rules(name: str, rules: Any, table: Table) -> None:
    """Certain rules that match every row of the positive region, with no condition that could go."""
    from anonnb.roughsets.approximations import positive_region

    matched = certain_rules(name, rules, table)
    covered = np.any([rows for rows, _ in matched], axis=0)
    left = [place for place in positive_region(table) if not covered[place]]
    if left:
        wrong(f"{name}: no rule matches {table.index[left[0]]!r}", "its class can be told for sure")
    for number, (conditions, concluded) in enumerate(rules, 1):
        for column in conditions:
            rest = {other: value for other, value in conditions.items() if other != column}
            if (table.frame[table.decision][_matches(rest, table)] == concluded).all():
                wrong(f"{name}: in rule {number} the condition on {column!r} can go")
