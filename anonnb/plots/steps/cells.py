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
from anonnb.rules.induction.mlem2_record import RuleSearch
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
    """State of a run as rows of text.

    ``keys`` say which row is the same in two states; ``named`` rows show their names; ``sections`` number the groups
    of rows between which a line is drawn; ``marked`` rows are what the step is about; ``groups`` holds for every row
    what its group consists of; ``note`` is a sentence below.
    """

    frame: pd.DataFrame
    keys: Sequence[tuple[Hashable, int]]
    named: bool = True
    sections: np.ndarray | None = None
    marked: np.ndarray | None = None
    groups: np.ndarray | None = None
    note: str = ""


@dataclass(frozen=True)
class ComparedCells:
    """Rows of text, with flags for the cells and rows that differ from the step before."""

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
    """Return the rows of a state, and what differs from the previous one (None: nothing is marked).

    >>> cells = compared(pd.DataFrame({"age": [20, 30]}), pd.DataFrame({"age": [20, 25]}))
    >>> cells.texts.tolist(), cells.changed.tolist(), cells.gone
    ([['20'], ['30']], [[False], [True]], 0)
    """
    rows = rows_of(state)
    texts = _texts(rows.frame)
    before = None if previous is None else rows_of(previous)
    pairs = [] if before is None else _common(rows, before)
    if before is None or not pairs or not set(rows.keys) & set(before.keys):  # another thing altogether: all is new
        return ComparedCells(rows, texts, np.zeros(texts.shape, dtype=bool), np.zeros(len(texts), dtype=bool))
    old, positions = _texts(before.frame), {key: position for position, key in enumerate(before.keys)}
    position = np.array([positions.get(key, -1) for key in rows.keys], dtype=np.int64)
    known = position >= 0
    changed = np.zeros(texts.shape, dtype=bool)
    for here, there in pairs:
        now, then = texts[:, here], old[:, there]
        if here == 0 and rows.groups is not None and before.groups is not None:
            now, then = rows.groups, before.groups
        changed[known, here] = now[known] != then[position[known]]
    return ComparedCells(rows, texts, changed, ~known, gone=len(old) - int(known.sum()))


def without_repeated_note(cells: ComparedCells, sentence: str) -> ComparedCells:
    """Drop the note of the state if the sentence of its step says the same."""
    return replace(cells, rows=replace(cells.rows, note="")) if cells.rows.note == sentence else cells


def _common(rows: Rows, before: Rows) -> list[tuple[int, int]]:
    """Return the positions of the columns that both have; of several with one name, the last."""
    old = {name: position for position, name in enumerate(before.frame.columns)}
    return [(position, old[name]) for position, name in enumerate(rows.frame.columns) if name in old]


def _texts(frame: pd.DataFrame) -> np.ndarray:
    cells = np.empty(frame.shape, dtype=object)
    for column in range(frame.shape[1]):
        cells[:, column] = [text_of(cell) for cell in frame.iloc[:, column]]
    return cells


def text_of(cell: Any) -> str:
    """Format a cell as a person reads it.

    >>> text_of(0.123456), text_of(3.0), text_of(float("nan")), text_of({"b", "a"})
    ('0.1235', '3', '', 'a, b')
    >>> text_of(frozenset([Item("sex", "M"), Item("age", "30")]))
    'age=30, sex=M'
    """
    if isinstance(cell, float | np.floating):
        number = float(cell)
        return "" if np.isnan(number) else f"{number:,.4g}" if abs(number) < 1e4 else f"{number:,.0f}"
    if isinstance(cell, set | frozenset):
        return ", ".join(sorted(map(text_of, cell)))
    if isinstance(cell, tuple | list) and not isinstance(cell, Item):
        return ", ".join(map(text_of, cell))
    return "" if cell is None or cell is pd.NA or cell is pd.NaT else str(cell)


# ---- kinds of states -------------------------------------------------------------------------------------------------


@singledispatch
def rows_of(state: Any) -> Rows:
    """Return the rows of a state of any kind; other objects are shown by their own text."""
    frame = getattr(state, "frame", None)
    if isinstance(frame, pd.DataFrame):
        return rows_of(frame)
    return _lines("" if state is None else str(state).splitlines())


def _lines(lines: Sequence[Any], name: str = "") -> Rows:
    texts = [text_of(line) for line in lines]
    return Rows(pd.DataFrame({name: texts}, dtype=object), _numbered(texts), named=False)


@rows_of.register
def _(state: pd.DataFrame) -> Rows:
    return Rows(state, _numbered(state.index), named=not isinstance(state.index, pd.RangeIndex) or len(state) > 1)


@rows_of.register
def _(state: pd.Series) -> Rows:
    return rows_of(state.to_frame("" if state.name is None else state.name))


@rows_of.register
def _(state: Table) -> Rows:
    return rows_of(state.frame)


@rows_of.register
def _(state: Release) -> Rows:
    drawn = state.synthetic and not len(state.owners[0])
    return rows_of(_distinct_rows(state.frame) if drawn else state.frame)


def _distinct_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Count distinct rows, the most common first: rows that belong to nobody."""
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
    keys = _numbered(state.table.index)
    return Rows(frame, [keys[row] for row in order], True, numbers, marked, group_contents(state.groups)[order])


@rows_of.register
def _(state: RuleSet) -> Rows:
    texts = [str(rule) for rule in state]
    frame = pd.DataFrame({"rule": texts, "support": [rule.support for rule in state]}, dtype=object)
    return Rows(frame, _numbered(texts), named=False, note="" if texts else "No rules yet.")


@rows_of.register
def _(state: RuleSearch) -> Rows:
    marks = np.isin(np.arange(len(state.table)), state.marked)
    return replace(rows_of(state.table), marked=marks, note=str(state.rules[-1]) if len(state.rules) else "")


@rows_of.register
def _(state: MinedItemsets) -> Rows:
    frame = state.published()
    return Rows(frame, _numbered(frame.iloc[:, 0].map(text_of)), named=False)


@rows_of.register
def _(state: AttackResult) -> Rows:
    return Rows(state.targets, _numbered(state.targets.index), note=f"{state}.")


@rows_of.register
def _(state: ChaseResult) -> Rows:
    return rows_of(state.system.frame)


@rows_of.register(Tree)
@rows_of.register(MinedTree)
def _(state: Tree | MinedTree) -> Rows:
    tree = state.tree if isinstance(state, MinedTree) else state
    return _lines([] if tree is None else tree.text().splitlines())


@rows_of.register
def _(state: Mapping) -> Rows:
    names = [text_of(key) or "{ }" for key in state]
    frame = pd.DataFrame({" ": names, "value": list(state.values())}, dtype=object)
    return Rows(frame, _numbered(names), named=False)


@rows_of.register(list)
@rows_of.register(tuple)
@rows_of.register(set)
@rows_of.register(frozenset)
def _(state: Sequence) -> Rows:
    return _lines(sorted(state, key=text_of) if isinstance(state, set | frozenset) else state)


@rows_of.register
def _(state: str) -> Rows:
    return _lines(state.splitlines())


def _numbered(labels: Any) -> list[tuple[Hashable, int]]:
    """Number equal labels, so that they stay distinct."""
    seen: dict[Hashable, int] = {}
    apart = []
    for label in labels:
        seen[label] = seen.get(label, -1) + 1
        apart.append((label, seen[label]))
    return apart


def group_contents(groups: np.ndarray) -> np.ndarray:
    """Return for each row a number that stands for the rows of its group and is equal in two states if they are."""
    rows = np.random.default_rng(0).integers(1, 2**63, len(groups), dtype=np.uint64)
    known = groups >= 0
    sums = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.uint64)
    np.add.at(sums, groups[known], rows[known])
    contents = np.zeros(len(groups), dtype=np.uint64)
    contents[known] = sums[groups[known]]
    return contents
