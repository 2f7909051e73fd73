"""Which rules a row needs, and which others its patterns take values from (Inuiguchi, Ichida and Torra 2019).

R(u) is a minimal set of rules that say as much of u's class as all rules do; O(r) holds u and k - 1 others that support
r. Rows that match the same rules are handled together, and so are the rows of a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.methods.naming import row_name
from anonnb.rules import RuleSet
from anonnb.steps.recording import listening, note
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

_BLOCK = 2_000_000  # cells of a matrix of rows and their candidates worked on at once


class PatternChoice(NamedTuple):
    """One pattern to be made.

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
    """Return for each row the supporters most (or least) like it, the row itself last; ties go to the first."""
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
    # one number for rank and position: the smallest are found without sorting the others
    kind = np.dtype(np.int32 if (columns + 2) * count < 2**31 else np.int64)
    key: np.ndarray = rank.astype(kind)
    key *= count
    key += np.arange(count, dtype=kind)
    if wanted < count:
        key = np.partition(key, wanted, axis=1)[:, :wanted]
    return supporters[np.sort(key, axis=1) % count]


def needed_rules(matches: np.ndarray, rules: RuleSet, table: Table | None = None) -> list[list[int]]:
    """Choose R(u) for every row: rules with the smallest conclusion first until nothing is added, then without spares.

    >>> import anonnb
    >>> from anonnb.rules import imprecise_rules
    >>> table = anonnb.load("decision6")
    >>> rules = imprecise_rules(table, 2)
    >>> needed_rules(rules.matches(table), rules)
    [[0], [0], [2, 4], [4], [1, 5], [0]]
    """
    concludes = [sum(1 << int(index) for index in np.flatnonzero(row)) for row in rules.concludes]
    order = np.argsort(rules.concludes.sum(axis=1), kind="stable")
    matches = np.ascontiguousarray(matches)  # it is read row by row
    first, kind = distinct_rows(np.packbits(matches, axis=1))
    needed = []
    notes = RuleNotes(table, rules, kind) if table is not None and listening() else None
    for row in first:
        matching = order[matches[row, order]].tolist()
        needed.append(_needed(matching, concludes))
        if notes is not None:
            notes.tell(len(needed) - 1, matching, needed[-1])
    return [needed[number] for number in kind]


def _needed(matching: Sequence[int], concludes: Sequence[int]) -> list[int]:
    """Return the rules that a row needs of those that match it, in the order in which they are tried."""
    everything, conclusion, chosen = _common_conclusion(matching, concludes), -1, []
    for number in matching:
        if conclusion == everything:
            break
        if conclusion & concludes[number] != conclusion:
            chosen.append(number)
            conclusion &= concludes[number]
    for number in list(chosen):
        rest = [other for other in chosen if other != number]
        if rest and _common_conclusion(rest, concludes) == everything:
            chosen = rest
    return sorted(chosen)


def _common_conclusion(numbers: Sequence[int], concludes: Sequence[int]) -> int:
    conclusion = -1
    for number in numbers:
        conclusion &= concludes[number]
    return conclusion


# ---- steps ------------------------------------------------------------------------------------------------------


def rule_name(number: int) -> str:
    """Return a rule's name as the paper numbers it."""
    return f"I{number + 1}"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(rule_name, numbers)) or "none"


def tell_rules(rules: RuleSet, k: int) -> None:
    """Record the rules that patterns are made for."""
    note(
        f"Take {pluralize(len(rules), 'rule')}",
        f"All {pluralize(len(rules), 'rule')} have at least k = {k} supporters, and every pattern embeds one of them.",
        rules,
    )


class RuleNotes:
    """Records R(u), the rules that a row needs; ``kind`` numbers rows that match the same rules."""

    def __init__(self, table: Table, rules: RuleSet, kind: np.ndarray):
        self._table, self._rules, self._kind = table, rules, kind
        self._lines: dict[str, tuple[str, str]] = {}

    def tell(self, kind: int, matching: Sequence[int], needed: Sequence[int]) -> None:
        """Record the rules that rows of a kind match, in the order in which they are tried, and those they need."""
        rows = np.flatnonzero(self._kind == kind)
        name, leaves = row_name(self._table, rows[0]), self._left(matching)
        self._lines[name] = _listed(needed), leaves
        state = dict(self._lines)
        what = "so nothing is published for it"
        if matching:
            enough = f"{_listed(needed)} {'alone says' if len(needed) == 1 else 'together say'} as much"
            what = f"which leave {leaves}; {enough}"
        alike = f"; the same is true of {pluralize(len(rows) - 1, 'further row')}" if len(rows) > 1 else ""
        note(
            f"Rules of {name}",
            f"It matches {pluralize(len(matching), 'rule')}, {what}{alike}.",
            lambda: pd.DataFrame.from_dict(state, orient="index", columns=["R(u)", "leaves"]),
            (lambda: self._candidates(matching, needed)) if matching else None,
            [self._label(number) for number in needed],
        )

    def _left(self, numbers: Sequence[int]) -> str:
        kept = np.flatnonzero(self._rules.concludes[list(numbers)].all(axis=0))
        return " or ".join(str(self._rules.classes[number]) for number in kept) or "nothing"

    def _label(self, number: int) -> str:
        return f"{rule_name(number)}: {self._rules[number]}"

    def _candidates(self, matching: Sequence[int], needed: Sequence[int]) -> pd.DataFrame:
        scores = {
            "classes it leaves": self._rules.concludes[list(matching)].sum(axis=1),
            "support": [self._rules[number].support for number in matching],
            "needed": [number in needed for number in matching],
        }
        return pd.DataFrame(scores, index=[self._label(number) for number in matching])


class OtherNotes:
    """Records which others a pattern takes its values from."""

    def __init__(self, table: Table, rules: RuleSet, least_alike: bool):
        self._table, self._rules, self._least = table, rules, least_alike
        self._conditions = table.code_matrix(table.conditions)
        self._lines: dict[tuple[str, str], str] = {}

    def tell(self, number: int, rows: Sequence[int], supporters: np.ndarray, others: np.ndarray) -> None:
        """Record, for each row that needs a rule, the others that were chosen among its supporters."""
        for row, chosen in zip(rows, others.tolist(), strict=True):
            self._record_step(number, row, supporters, chosen)

    def _record_step(self, number: int, row: int, supporters: np.ndarray, chosen: Sequence[int]) -> None:
        table, name, rule = self._table, row_name(self._table, row), rule_name(number)
        names = [row_name(table, other) for other in chosen]
        self._lines[str(table.index[row]), rule] = ", ".join(str(table.index[other]) for other in chosen)
        order = "fewest" if self._least else "most"

        def candidates() -> pd.DataFrame:
            common = (self._conditions[supporters] == self._conditions[row]).sum(axis=1)
            rank = common if self._least else -common
            ranked = np.lexsort((np.arange(len(rank)), rank, supporters == row))  # the row itself comes last
            index = [row_name(table, each) for each in supporters[ranked]]
            frame = pd.DataFrame({"values in common": common[ranked]}, index=index)
            return frame if row in chosen else frame[frame.index != name]

        def state() -> pd.DataFrame:
            index = pd.MultiIndex.from_tuples(list(self._lines), names=["row", "rule"])
            return pd.DataFrame({"others": list(self._lines.values())}, index=index).sort_index()

        note(
            f"Others for {name} by {rule}",
            f"Among the {pluralize(len(supporters), 'supporter')} of {rule}, those with the {order} values in common "
            f"with {name} are chosen: {', '.join(names)}."
            if names
            else f"{name} itself is enough, so no other supporter of {rule} is needed.",
            state,
            candidates,
            names,
        )


def tell_patterns(
    table: Table,
    rules: RuleSet,
    choices: Sequence[PatternChoice],
    cells: Mapping[str, Column],
    *,
    printed: bool,
    widened: bool,
) -> None:
    """Record the pattern of every choice; ``cells`` has a column per attribute."""
    further = ["of the row's other patterns"] * printed + ["that the row's other rules require"] * widened
    columns = [name for name in table.columns if name in cells]
    labels = [f"{table.index[choice.row]} by {rule_name(choice.rule)}" for choice in choices]

    def texts(upto: int) -> pd.DataFrame:
        return pd.DataFrame({name: cells[name].texts()[:upto] for name in columns}, index=labels[:upto])

    for number, choice in enumerate(choices):
        sentence, state = partial(_made_of, table, rules, choice, further), partial(texts, number + 1)
        note(f"Pattern of {labels[number]}", sentence, state)


def _made_of(table: Table, rules: RuleSet, choice: PatternChoice, further: Sequence[str]) -> str:
    asked = {part.attribute for part in rules[choice.rule].conditions}
    asked_names = ", ".join(str(name) for name in table.conditions if name in asked) or "no attribute"
    others = ", ".join(str(name) for name in table.conditions if name not in asked)
    members = ", ".join(str(table.index[row]) for row in choice.members)
    what = " and those ".join([f"the values that occur in rows {members}", *further])
    required = f"For {asked_names} it takes the values that {rule_name(choice.rule)} requires"
    return f"{required}; for {others}, {what}." if others else f"{required}."
