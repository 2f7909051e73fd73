"""Which rules a row needs, and which others its patterns take values from (Inuiguchi, Ichida and Torra 2019).

R(u) is a minimal set of rules that say as much of u's class as all rules do; O(r) holds u and k - 1 others that support
r. Rows that match the same rules are handled together, and so are the rows of a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.core.progress import ticks
from anonnb.methods.patterns.notes import OtherNotes, RuleNotes
from anonnb.rules import RuleSet
from anonnb.steps.recording import listening
from anonnb.tables.table import Table

_BLOCK = 2_000_000  # cells of a matrix of rows and their candidates worked on at once


class PatternChoice(NamedTuple):
    """One pattern to be made.

    Parameters
    ----------
    row:
        The row it is made for.
    rule:
        The number of the rule that it embeds.
    members:
        The rows whose values it takes.

    Examples
    --------
    >>> PatternChoice(row=0, rule=2, members=(0, 5)).others
    (5,)
    """

    row: int
    rule: int
    members: tuple[int, ...]

    @property
    def others(self) -> tuple[int, ...]:
        """The members other than the row itself."""
        return tuple(member for member in self.members if member != self.row)


def choose(
    table: Table,
    rules: RuleSet,
    k: int,
    *,
    least_alike: bool = False,
    with_row: bool = True,
    matches: np.ndarray | None = None,
) -> list[PatternChoice]:
    """Choose for every row a minimal set of rules that say as much of its class as all rules, and k members each."""
    matches = rules.matches(table) if matches is None else matches
    # codes as small as their domains allow: pairs of rows are compared in every column
    conditions = [
        table.codes(name).astype(np.min_scalar_type(table.attributes[name].size)) for name in table.conditions
    ]
    rows_of: dict[int, list[int]] = {}
    for row, numbers in enumerate(needed_rules(matches, rules, table)):
        for number in numbers:
            rows_of.setdefault(number, []).append(row)
    choices: list[PatternChoice] = []
    notes = OtherNotes(table, rules, least_alike) if listening() else None
    for number, rows in ticks(rows_of.items(), "rules"):
        own = np.array(rows)[:, None]
        others = _others(conditions, own[:, 0], np.flatnonzero(matches[:, number]), k - with_row, least_alike)
        members = np.hstack([own, others]) if with_row else others
        if notes is not None:
            notes.tell(number, rows, np.flatnonzero(matches[:, number]), others)
        choices += [
            PatternChoice(row, number, tuple(chosen)) for row, chosen in zip(rows, members.tolist(), strict=True)
        ]
    return sorted(choices)


def _others(
    conditions: Sequence[np.ndarray], rows: np.ndarray, supporters: np.ndarray, wanted: int, least_alike: bool
) -> np.ndarray:
    """For each row the supporters most (or least) like it, as many as wanted, the row itself last; ties: the first."""
    step = max(_BLOCK // len(supporters), 1)
    return np.concatenate(
        [
            _block_others(conditions, rows[start : start + step], supporters, wanted, least_alike)
            for start in range(0, len(rows), step)
        ]
    )


def _block_others(
    conditions: Sequence[np.ndarray], rows: np.ndarray, supporters: np.ndarray, wanted: int, least_alike: bool
) -> np.ndarray:
    columns, count = len(conditions), len(supporters)
    common = np.zeros((len(rows), count), dtype=np.min_scalar_type(columns + 1))
    for codes in conditions:
        common += codes[rows][:, None] == codes[supporters]
    rank = common if least_alike else columns - common
    rank[np.arange(len(rows)), np.searchsorted(supporters, rows)] = columns + 1  # each row is a supporter itself
    # one number for rank and place: the smallest are found without sorting the others
    kind = np.int32 if (columns + 2) * count < 2**31 else np.int64
    key = rank * kind(count) + np.arange(count, dtype=kind)
    if wanted < count:
        key = np.partition(key, wanted, axis=1)[:, :wanted]
    return supporters[np.sort(key, axis=1) % count]


def needed_rules(matches: np.ndarray, rules: RuleSet, table: Table | None = None) -> list[list[int]]:
    """Choose R(u) for every row: rules with the smallest conclusion first until nothing is added, then without spares.

    Parameters
    ----------
    matches:
        Which row satisfies which rule (rows × rules), as ``rules.matches(table)`` gives it.
    rules:
        Imprecise rules.
    table:
        The table of the rows, needed only to record steps.

    Returns
    -------
    list[list[int]]
        For each row the numbers of its rules.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.rules import imprecise_rules
    >>> table = anonnb.load("decision6")
    >>> rules = imprecise_rules(table, 2)
    >>> needed_rules(rules.matches(table), rules)
    [[0], [0], [2, 4], [4], [1, 5], [0]]
    """
    concludes = [sum(1 << int(place) for place in np.flatnonzero(row)) for row in rules.concludes]
    order = np.argsort(rules.concludes.sum(axis=1), kind="stable")
    matches = np.ascontiguousarray(matches)  # it is read row by row
    first, kind = distinct_rows(np.packbits(matches, axis=1))
    found = []
    notes = RuleNotes(table, rules, kind) if table is not None and listening() else None
    for row in first:
        matching = order[matches[row, order]].tolist()
        found.append(_needed(matching, concludes))
        if notes is not None:
            notes.tell(len(found) - 1, matching, found[-1])
    return [found[number] for number in kind]


def _needed(matching: Sequence[int], concludes: Sequence[int]) -> list[int]:
    """Of the rules that match a row, in the order in which they are tried, those that it needs."""
    everything, told, chosen = _told(matching, concludes), -1, []
    for number in matching:
        if told == everything:
            break
        if told & concludes[number] != told:
            chosen.append(number)
            told &= concludes[number]
    for number in list(chosen):
        rest = [other for other in chosen if other != number]
        if rest and _told(rest, concludes) == everything:
            chosen = rest
    return sorted(chosen)


def _told(numbers: Sequence[int], concludes: Sequence[int]) -> int:
    told = -1
    for number in numbers:
        told &= concludes[number]
    return told
