"""What several judges need: answers read as tables, tables and releases as plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.coursework.checks.comparing import is_collection
from anonnb.coursework.checks.words import wrong
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def frame_of(
    answer: Any, columns: str | Sequence[str], example: str, *, rows: int | None = None, kind: type = str
) -> pd.DataFrame:
    """Read a list of tuples as a frame with these columns (a text names one per letter or word)."""
    names = (columns.split() if " " in columns else list(columns)) if isinstance(columns, str) else list(columns)
    if isinstance(answer, pd.DataFrame):
        answer = answer.to_numpy().tolist()
    try:
        frame = pd.DataFrame([tuple(kind(cell) for cell in row) for row in answer], columns=names)
    except (TypeError, ValueError):
        wrong(f"the answer is a list of {'pairs' if len(names) == 2 else 'tuples'}, such as {example}")
    if rows is not None and len(frame) != rows:
        wrong(f"there are {pluralize(len(frame), 'row')}, and {rows} are asked for")
    return frame


def whole_numbers(answer: Any, example: str) -> list[int]:
    """Read a list of whole numbers."""
    try:
        numbers = [int(number) for number in answer]
        whole = all(number == float(given) for number, given in zip(numbers, answer, strict=True))
    except (TypeError, ValueError):
        whole = False
    if not whole or not is_collection(answer):
        wrong(f"the answer is a list of whole numbers, such as {example}")
    return numbers


def rows_of(release: Release, columns: Sequence[str] | None = None, *, labels: bool = False) -> list[dict[str, set]]:
    """The published rows as dictionaries from column to the set of codes (or labels) that the cell allows."""
    names = list(release.quasi) if columns is None else list(columns)
    cells = {name: _sets(release, name, labels) for name in names}
    return [{name: set(cells[name][row]) for name in names} for row in range(len(release))]


def _sets(release: Release, name: str, labels: bool) -> list[set]:
    column = release.columns[name]
    codes = [np.flatnonzero(column.sets.mask(number)).tolist() for number in range(len(column.sets))]
    texts = list(map(str, column.attribute.labels))
    sets = [{texts[code] if labels else code for code in one} for one in codes]
    return [sets[number] for number in column.index]


def people_of(table: Table, columns: Sequence[str] | None = None) -> list[dict[str, int]]:
    """The rows of a table as dictionaries from column to code."""
    codes = {name: table.codes(name).tolist() for name in (table.quasi if columns is None else columns)}
    return [{name: codes[name][row] for name in codes} for row in range(len(table))]


def random_frame(seed: int, rows: int, columns: str, values: int = 3) -> pd.DataFrame:
    """A frame of random whole numbers below ``values``, with a column per letter."""
    return pd.DataFrame(np.random.default_rng(seed).integers(0, values, (rows, len(columns))), columns=list(columns))


def codes_of(table: Table) -> pd.DataFrame:
    """The quasi-identifiers as numbers: the places of the values in their order."""
    return pd.DataFrame({name: table.codes(name) for name in table.quasi})
