"""States as rows of text: tables, releases, groups, rules, itemsets, results; and what differs between two of them.

Rows are compared by their name (a rule by its text), columns by theirs. The number of a group has no meaning: a group
has changed when its rows have.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks.result import AttackResult
from anonnb.rules.association.itemsets import Item
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.rules.incomplete.chase import ChaseResult
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.steps.states import RowGroups
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree

GROUP = "group"
COUNT = "rows"  # the number of equal ones


@dataclass(frozen=True)
class Rows:
    """A state as rows of text.

    ``keys`` say which row is the same in two states; ``named`` rows show their names; ``sections`` number the groups
    of rows between which a line is drawn; ``marked`` rows are what the step is about; ``groups`` holds for every row
    what its group consists of; ``note`` is a sentence below.
    """

    frame: pd.DataFrame
    keys: Sequence[Hashable]
    named: bool = True
    sections: np.ndarray | None = None
    marked: np.ndarray | None = None
    groups: np.ndarray | None = None
    note: str = ""


@dataclass(frozen=True)
class ComparedCells:
    """Rows of text, and which of the cells and rows differ from the step before."""

    rows: Rows
    texts: np.ndarray
    changed: np.ndarray
    new: np.ndarray
    gone: int = 0

    @property
    def any_changed(self) -> bool:
        """Whether there is anything to mark."""
        return bool(self.changed.any() or self.new.any())


def compared(state: Any, previous: Any = None) -> ComparedCells:
    """The rows of a state, and what differs from the previous one (None: nothing is marked).

    >>> found = compared(pd.DataFrame({"age": [20, 30]}), pd.DataFrame({"age": [20, 25]}))
    >>> found.texts.tolist(), found.changed.tolist(), found.gone
    ([['20'], ['30']], [[False], [True]], 0)
    """
    rows = rows_of(state)
    texts = _texts(rows.frame)
    before = None if previous is None else rows_of(previous)
    pairs = [] if before is None else _common(rows, before)
    if not pairs or not set(rows.keys) & set(before.keys):  # another thing altogether: all of it is new
        return ComparedCells(rows, texts, np.zeros(texts.shape, dtype=bool), np.zeros(len(texts), dtype=bool))
    old, places = _texts(before.frame), {key: place for place, key in enumerate(before.keys)}
    place = np.array([places.get(key, -1) for key in rows.keys], dtype=np.int64)
    known = place >= 0
    changed = np.zeros(texts.shape, dtype=bool)
    for here, there in pairs:
        by_content = here == 0 and rows.groups is not None and before.groups is not None
        now, then = (rows.groups, before.groups) if by_content else (texts[:, here], old[:, there])
        changed[known, here] = now[known] != then[place[known]]
    return ComparedCells(rows, texts, changed, ~known, gone=len(old) - int(known.sum()))


def said_once(found: ComparedCells, sentence: str) -> ComparedCells:
    """Without the note of the state where the sentence of its step says the same."""
    return replace(found, rows=replace(found.rows, note="")) if found.rows.note == sentence else found


def _common(rows: Rows, before: Rows) -> list[tuple[int, int]]:
    """The places of the columns that both have; of several with one name, the last."""
    old = {name: place for place, name in enumerate(before.frame.columns)}
    return [(place, old[name]) for place, name in enumerate(rows.frame.columns) if name in old]


def _texts(frame: pd.DataFrame) -> np.ndarray:
    cells = np.empty(frame.shape, dtype=object)
    for place in range(frame.shape[1]):
        cells[:, place] = [text_of(cell) for cell in frame.iloc[:, place]]
    return cells


def text_of(cell: Any) -> str:
    """A cell as a person reads it.

    >>> text_of(0.123456), text_of(3.0), text_of(float("nan")), text_of({"b", "a"})
    ('0.1235', '3', '', 'a, b')
    >>> text_of(frozenset([Item("sex", "M"), Item("age", "30")]))
    'age=30, sex=M'
    """
    if isinstance(cell, float | np.floating):
        return "" if np.isnan(cell) else f"{cell:,.4g}" if abs(cell) < 1e4 else f"{cell:,.0f}"
    if isinstance(cell, set | frozenset):
        return ", ".join(sorted(map(text_of, cell)))
    if isinstance(cell, tuple | list) and not isinstance(cell, Item):
        return ", ".join(map(text_of, cell))
    return "" if cell is None or cell is pd.NA or cell is pd.NaT else str(cell)


# ---- kinds of states -------------------------------------------------------------------------------------------------


@singledispatch
def rows_of(state: Any) -> Rows:
    """The rows of a state of any kind; other objects are shown by their own text."""
    frame = getattr(state, "frame", None)
    if isinstance(frame, pd.DataFrame):
        return rows_of(frame)
    return _lines("" if state is None else str(state).splitlines())


def _lines(lines: Sequence[Any], name: str = "") -> Rows:
    texts = [text_of(line) for line in lines]
    return Rows(pd.DataFrame({name: texts}, dtype=object), _told_apart(texts), named=False)


@rows_of.register
def _(state: pd.DataFrame) -> Rows:
    return Rows(state, _told_apart(state.index), named=not isinstance(state.index, pd.RangeIndex) or len(state) > 1)


@rows_of.register
def _(state: pd.Series) -> Rows:
    return rows_of(state.to_frame("" if state.name is None else state.name))


@rows_of.register
def _(state: Table) -> Rows:
    return rows_of(state.frame)


@rows_of.register
def _(state: Release) -> Rows:
    drawn = state.synthetic and not len(state.owners[0])
    return rows_of(_counted_kinds(state.frame) if drawn else state.frame)


def _counted_kinds(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows that belong to nobody: each distinct row once, with its number, the most common first."""
    name = COUNT if COUNT not in frame.columns else f"{COUNT} "
    kinds = frame.groupby(list(frame.columns), dropna=False, observed=True, sort=False).size()
    kinds = kinds.sort_values(ascending=False, kind="stable").reset_index(name=name)
    return kinds if len(kinds) < len(frame) else frame


@rows_of.register
def _(state: RowGroups) -> Rows:
    last = np.iinfo(np.int64).max
    order = np.argsort(np.where(state.groups < 0, last, state.groups), kind="stable")
    frame, numbers = state.table.frame.iloc[order], state.groups[order]
    name = GROUP if GROUP not in frame.columns else f"{GROUP} "  # a column of the table may be called so
    frame.insert(0, name, ["–" if number < 0 else str(number) for number in numbers])
    marked = np.isin(order, state.marked)
    keys = _told_apart(state.table.index)
    return Rows(frame, [keys[row] for row in order], True, numbers, marked, group_contents(state.groups)[order])


@rows_of.register
def _(state: RuleSet) -> Rows:
    texts = [str(rule) for rule in state]
    frame = pd.DataFrame({"rule": texts, "support": [rule.support for rule in state]}, dtype=object)
    return Rows(frame, _told_apart(texts), named=False, note="" if texts else "No rules yet.")


@rows_of.register
def _(state: MinedItemsets) -> Rows:
    frame = state.published()
    return Rows(frame, _told_apart(frame.iloc[:, 0].map(text_of)), named=False)


@rows_of.register
def _(state: AttackResult) -> Rows:
    return Rows(state.targets, _told_apart(state.targets.index), note=f"{state}.")


@rows_of.register
def _(state: ChaseResult) -> Rows:
    return rows_of(state.system.frame)


@rows_of.register(Tree)
@rows_of.register(MinedTree)
def _(state: Tree | MinedTree) -> Rows:
    drawn = state.tree if isinstance(state, MinedTree) else state
    return _lines(drawn.text().splitlines() if callable(drawn.text) else str(drawn.text).splitlines())


@rows_of.register
def _(state: Mapping) -> Rows:
    names = [text_of(key) or "{ }" for key in state]
    frame = pd.DataFrame({" ": names, "value": list(state.values())}, dtype=object)
    return Rows(frame, _told_apart(names), named=False)


@rows_of.register(list)
@rows_of.register(tuple)
@rows_of.register(set)
@rows_of.register(frozenset)
def _(state: Sequence) -> Rows:
    return _lines(sorted(state, key=text_of) if isinstance(state, set | frozenset) else state)


@rows_of.register
def _(state: str) -> Rows:
    return _lines(state.splitlines())


def _told_apart(labels: Any) -> list[tuple[Hashable, int]]:
    """Labels with a number, so that two that are equal stay two."""
    seen: dict[Hashable, int] = {}
    apart = []
    for label in labels:
        seen[label] = seen.get(label, -1) + 1
        apart.append((label, seen[label]))
    return apart


def group_contents(groups: np.ndarray) -> np.ndarray:
    """For each row a number that stands for the rows of its group: equal in two states if the group is the same."""
    rows = np.random.default_rng(0).integers(1, 2**63, len(groups), dtype=np.uint64)
    known = groups >= 0
    sums = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.uint64)
    np.add.at(sums, groups[known], rows[known])
    found = np.zeros(len(groups), dtype=np.uint64)
    found[known] = sums[groups[known]]
    return found
