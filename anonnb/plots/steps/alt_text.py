"""What the picture of a step shows, in words: an alternative text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonnb.core.wording import pluralize
from anonnb.plots.steps.cells import ComparedCells, compared, group_contents, without_repeated_note
from anonnb.plots.steps.graphs import changed_nodes
from anonnb.plots.steps.groups import as_groups, linked
from anonnb.steps.states import Graph, RowGroups
from anonnb.steps.step import Step
from anonnb.tables.release import Release

MAX_NAMED = 6  # cells, nodes or groups that are named
_LETTERS = 60


def alt_text(step: Step, previous: Step | None = None) -> str:
    """Describe the state of a step and what changed, in a few sentences of plain text.

    >>> import pandas as pd
    >>> one, two = (Step("Grow", "It grows.", pd.DataFrame({"age": [n]}, index=["Ann"])) for n in (20, 30))
    >>> alt_text(two, one)
    'A table of 1 row: age. Changed: age of Ann is 30.'
    """
    state, before = step.state, None if previous is None else previous.state
    if state is None:
        return _candidates(step)
    if isinstance(state, Graph):
        return _graph(state, before)
    if isinstance(state, RowGroups) or (isinstance(state, Release) and linked(state)):
        return _groups(as_groups(state), before) + (_changes(compared(state, before)) if len(state.table) <= 40 else "")
    cells = without_repeated_note(compared(state, before), step.sentence)
    columns = _listed([str(name).strip() for name in cells.rows.frame.columns if str(name).strip()])
    note = f" {cells.rows.note}" if cells.rows.note else ""
    return f"A table of {pluralize(len(cells.texts), 'row')}{': ' * bool(columns)}{columns}.{_changes(cells)}{note}"


def _candidates(step: Step) -> str:
    if step.candidates is None or not len(step.candidates):
        return "Nothing is drawn for this step."
    scores = _listed([str(name) for name in step.candidates.columns])
    text = f"{pluralize(len(step.candidates), 'candidate')}{': ' * bool(scores)}{scores}."
    return text + f" Chosen: {_listed([str(name) for name in step.chosen])}." * bool(step.chosen)


def _graph(state: Graph, before: Any) -> str:
    sentences = [f"A graph of {pluralize(len(state.nodes), 'node')}."]
    texts = dict(zip(state.nodes.index, state.nodes["text"], strict=True))
    for status, names in state.nodes.groupby("status", sort=False).groups.items():
        sentences.append(f"{str(status).capitalize()}: {_listed([texts[name] for name in names])}.")
    changed = changed_nodes(state, before)
    if changed:
        sentences.append(f"Changed: {_listed([texts[name] for name in state.nodes.index if name in changed])}.")
    return " ".join(sentences)


def _groups(state: RowGroups, before: Any) -> str:
    numbers, counts = np.unique(state.groups[state.groups >= 0], return_counts=True)
    parts = [f"{pluralize(len(state.groups), 'row')} in {pluralize(len(numbers), 'group')}"]
    if len(numbers):
        parts[0] += f", of {counts.min():,} to {counts.max():,} rows"
    alone = int((state.groups < 0).sum())
    if alone:
        parts.append(f"{pluralize(alone, 'row')} in no group")
    if isinstance(before, RowGroups) or (isinstance(before, Release) and linked(before)):
        then = as_groups(before).groups
        if len(then) == len(state.groups):
            new = ~np.isin(group_contents(state.groups), group_contents(then)) & (state.groups >= 0)
            changed = np.unique(state.groups[new])
            if len(changed):
                parts.append(f"{pluralize(len(changed), 'group')} new or changed")
    return "; ".join(parts) + "."


def _changes(cells: ComparedCells) -> str:
    names = [str(name).strip() for name in cells.rows.frame.columns]
    changed = [
        f"{names[column]} of {_short(cells.rows.keys[row][0])} is {_short(cells.texts[row, column]) or 'empty'}"
        for row, column in np.argwhere(cells.changed)[: MAX_NAMED + 1]
    ]
    new = [_short(cells.rows.keys[row][0]) for row in np.flatnonzero(cells.new)[: MAX_NAMED + 1]]
    text = ""
    if changed:
        text += f" Changed: {_listed(changed, int(cells.changed.sum()))}."
    if new:
        text += f" New: {_listed(new, int(cells.new.sum()))}."
    return text


def _listed(parts: Sequence[str], count: int | None = None) -> str:
    """Join the first few parts, and say how many more there are."""
    count = len(parts) if count is None else count
    text = ", ".join(map(_short, parts[:MAX_NAMED]))
    return text if count <= MAX_NAMED else f"{text} and {count - MAX_NAMED:,} more"


def _short(text: object) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= _LETTERS else line[: _LETTERS - 1] + "…"
