"""How pattern tables record their steps: the rules of each row, the others that lend a pattern values, the patterns.

Rules have the numbers of the paper, I1, I2, …; rows their names in the table. Called only while steps are recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.methods.naming import row_name
from anonnb.rules import RuleSet
from anonnb.steps.recording import note
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


def rule_name(number: int) -> str:
    """A rule as the paper numbers it."""
    return f"I{number + 1}"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(rule_name, numbers)) or "none"


def tell_rules(rules: RuleSet, k: int) -> None:
    """The rules that patterns are made for."""
    note(
        f"Take {counted(len(rules), 'rule')}",
        f"At least k = {k} rows support each of {counted(len(rules), 'rule')}; every pattern embeds one of them.",
        rules,
    )


class RuleNotes:
    """Records R(u), the rules that a row needs; ``kind`` numbers rows that match the same rules."""

    def __init__(self, table: Table, rules: RuleSet, kind: np.ndarray):
        self._table, self._rules, self._kind = table, rules, kind
        self._lines: dict[str, tuple[str, str]] = {}

    def tell(self, kind: int, matching: Sequence[int], needed: Sequence[int]) -> None:
        """The rows of a kind match some rules, in the order in which they are tried, and need some of them."""
        rows = np.flatnonzero(self._kind == kind)
        name, leaves = row_name(self._table, rows[0]), self._left(matching)
        self._lines[name] = _listed(needed), leaves
        state = dict(self._lines)
        what = "so that nothing is published for it"
        if matching:
            enough = f"{_listed(needed)} {'tells' if len(needed) == 1 else 'together tell'} as much"
            what = f"which leave {leaves}; {enough}"
        alike = f"; the same holds for {counted(len(rows) - 1, 'further row')}" if len(rows) > 1 else ""
        note(
            f"Rules of {name}",
            f"It matches {counted(len(matching), 'rule')}, {what}{alike}.",
            lambda: pd.DataFrame.from_dict(state, orient="index", columns=["R(u)", "leaves"]),
            (lambda: self._candidates(matching, needed)) if matching else None,
            [self._label(number) for number in needed],
        )

    def _left(self, numbers: Sequence[int]) -> str:
        kept = self._rules.concludes[list(numbers)].all(axis=0)
        return " or ".join(str(each) for each, on in zip(self._rules.classes, kept, strict=True) if on) or "nothing"

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
        """For each row that needs a rule, the others that were chosen among its supporters."""
        for row, chosen in zip(rows, others.tolist(), strict=True):
            self._tell(number, row, supporters, chosen)

    def _tell(self, number: int, row: int, supporters: np.ndarray, chosen: Sequence[int]) -> None:
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
            f"Of {counted(len(supporters), 'supporter')} of {rule} it takes those with the {order} values in common "
            f"with {name}: {', '.join(names) or 'none, as the row itself is enough'}.",
            state,
            candidates,
            names,
        )


def tell_patterns(
    table: Table, rules: RuleSet, choices: Sequence, cells: Mapping[str, Column], *, printed: bool, widened: bool
) -> None:
    """The pattern of every choice; ``cells`` has a column per attribute."""
    further = ["what the row's other patterns have"] * printed + ["what the row's other rules ask"] * widened
    columns = [name for name in table.columns if name in cells]
    labels = [f"{table.index[choice.row]} by {rule_name(choice.rule)}" for choice in choices]

    def texts(upto: int) -> pd.DataFrame:
        return pd.DataFrame({name: cells[name].texts()[:upto] for name in columns}, index=labels[:upto])

    for place, choice in enumerate(choices):
        note(
            f"Pattern of {labels[place]}",
            lambda choice=choice: _made_of(table, rules, choice, further),
            lambda place=place: texts(place + 1),
        )


def _made_of(table: Table, rules: RuleSet, choice: tuple, further: Sequence[str]) -> str:
    asked = {part.attribute for part in rules[choice.rule].conditions}
    own = ", ".join(str(name) for name in table.conditions if name in asked) or "no attribute"
    others = ", ".join(str(name) for name in table.conditions if name not in asked)
    members = ", ".join(str(table.index[row]) for row in choice.members)
    what = ", ".join([f"what rows {members} have", *further])
    return f"It holds for {own} what {rule_name(choice.rule)} asks{f', and for {others} {what}' if others else ''}."
