"""What the picture of a step shows, in words: an alternative text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonnb.core.wording import counted
from anonnb.plots.steps.cells import ComparedCells, compared, group_contents, said_once
from anonnb.plots.steps.graphs import changed_nodes
from anonnb.plots.steps.groups import as_groups, linked
from anonnb.steps.states import Graph, RowGroups
from anonnb.steps.step import Step
from anonnb.tables.release import Release

MOST = 6  # cells, nodes or groups that are named
_LETTERS = 60


def words(step: Step, previous: Step | None = None) -> str:
    """The state of a step and what changed, in a few sentences of plain text.

    >>> import pandas as pd
    >>> one, two = (Step("Grow", "It grows.", pd.DataFrame({"age": [n]}, index=["Ann"])) for n in (20, 30))
    >>> words(two, one)
    'A table of 1 row: age. Changed: age of Ann is 30.'
    """
    state, before = step.state, None if previous is None else previous.state
    if state is None:
        return _candidates(step)
    if isinstance(state, Graph):
        return _graph(state, before)
    if isinstance(state, RowGroups) or (isinstance(state, Release) and linked(state)):
        return _groups(as_groups(state), before) + (_changes(compared(state, before)) if len(state.table) <= 40 else "")
    found = said_once(compared(state, before), step.sentence)
    columns = _listed([str(name).strip() for name in found.rows.frame.columns if str(name).strip()])
    note = f" {found.rows.note}" if found.rows.note else ""
    return f"A table of {counted(len(found.texts), 'row')}{': ' * bool(columns)}{columns}.{_changes(found)}{note}"


def _candidates(step: Step) -> str:
    if step.candidates is None or not len(step.candidates):
        return "Nothing is drawn for this step."
    scores = _listed([str(name) for name in step.candidates.columns])
    said = f"{counted(len(step.candidates), 'candidate')}{': ' * bool(scores)}{scores}."
    return said + f" Chosen: {_listed([str(name) for name in step.chosen])}." * bool(step.chosen)


def _graph(state: Graph, before: Any) -> str:
    said = [f"A graph of {counted(len(state.nodes), 'node')}."]
    texts = dict(zip(state.nodes.index, state.nodes["text"], strict=True))
    for status, names in state.nodes.groupby("status", sort=False).groups.items():
        said.append(f"{str(status).capitalize()}: {_listed([texts[name] for name in names])}.")
    changed = changed_nodes(state, before)
    if changed:
        said.append(f"Changed: {_listed([texts[name] for name in state.nodes.index if name in changed])}.")
    return " ".join(said)


def _groups(state: RowGroups, before: Any) -> str:
    numbers, counts = np.unique(state.groups[state.groups >= 0], return_counts=True)
    said = [f"{counted(len(state.groups), 'row')} in {counted(len(numbers), 'group')}"]
    if len(numbers):
        said[0] += f", of {counts.min():,} to {counts.max():,} rows"
    alone = int((state.groups < 0).sum())
    if alone:
        said.append(f"{counted(alone, 'row')} in no group")
    if isinstance(before, RowGroups) or (isinstance(before, Release) and linked(before)):
        then = as_groups(before).groups
        if len(then) == len(state.groups):
            new = ~np.isin(group_contents(state.groups), group_contents(then)) & (state.groups >= 0)
            changed = np.unique(state.groups[new])
            if len(changed):
                said.append(f"{counted(len(changed), 'group')} new or changed")
    return "; ".join(said) + "."


def _changes(found: ComparedCells) -> str:
    names = [str(name).strip() for name in found.rows.frame.columns]
    changed = [
        f"{names[column]} of {_short(found.rows.keys[row][0])} is {_short(found.texts[row, column]) or 'empty'}"
        for row, column in np.argwhere(found.changed)[: MOST + 1]
    ]
    new = [_short(found.rows.keys[row][0]) for row in np.flatnonzero(found.new)[: MOST + 1]]
    said = ""
    if changed:
        said += f" Changed: {_listed(changed, int(found.changed.sum()))}."
    if new:
        said += f" New: {_listed(new, int(found.new.sum()))}."
    return said


def _listed(parts: Sequence[str], count: int | None = None) -> str:
    """The first few, and how many more there are."""
    count = len(parts) if count is None else count
    some = ", ".join(map(_short, parts[:MOST]))
    return some if count <= MOST else f"{some} and {count - MOST:,} more"


def _short(text: object) -> str:
    words = " ".join(str(text).split())
    return words if len(words) <= _LETTERS else words[: _LETTERS - 1] + "…"
