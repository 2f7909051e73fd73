"""Checks of releases. What counts is the text that is published: cells that read differently are different cells.

Idea: an answer is written and read again as anybody would read it, and ``anonnb.publishing.verification`` counts
classes and columns in that text. Reading: what a cell covers decides whether it is true and what it costs, never
whether two rows are alike; ``470*`` beside ``47**``, or ``[17-21.0]`` beside ``[17-21]``, tell two people
apart. Columns that nobody asked for fail, and a row of nothing but ``*`` is a row.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonnb import utility
from anonnb.core.card import Claim
from anonnb.core.wording import kind_of
from anonnb.coursework.checks.answers import at_most, plain
from anonnb.coursework.checks.words import passed, wrong
from anonnb.files.opening import BadFile
from anonnb.files.text_table import TextTable, read_as_text
from anonnb.publishing.verification import Expectation, verify_table
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

_TEXT = "published text"  # where a release keeps it


def generalized(name: str, frame: Any, table: Table) -> Release:
    """A frame (or a release) read as a truthful release of the whole table: every cell holds its original value.

    The frame's index must be the table's, for that is how a row is known.
    """
    frame = plain(name, frame)
    if not isinstance(frame, pd.DataFrame):
        wrong(f"{name} must be a DataFrame, not {kind_of(frame)}", "hand in release.frame")
    if frame.index.has_duplicates:
        wrong(f"{name}: the index has {frame.index[frame.index.duplicated()][0]!r} twice")
    text = _as_published(name, frame)
    _check_columns(name, text, table)
    if sorted(map(str, frame.index)) != sorted(map(str, table.index)):
        wrong(f"{name} must have one row for each of the {len(table)} rows of the table, with the same index")
    row_of = {str(label): row for row, label in enumerate(table.index)}
    rows = np.array([row_of[str(label)] for label in frame.index], dtype=np.int64)
    release = _read(name, frame, text, table, rows)
    _check_truth(name, frame, release, table, rows)
    passed(f"{name} is true: every cell holds its original value")
    return release


def _check_truth(name: str, frame: pd.DataFrame, release: Release, table: Table, rows: np.ndarray) -> None:
    for column in release.quasi:
        known = table.attributes[column].recode_to(release.columns[column].attribute)
        held = release.columns[column].holds(known[table.codes(column)[rows]])
        if not held.all():
            index = int(np.argmin(held))
            row, cell = table.index[rows[index]], frame[column].iloc[index]
            wrong(f"{name}: in row {row!r} the cell {cell!r} of column {column!r} does not hold the original value")
    for column in release.sensitive:
        original = table.frame[column].astype(str).to_numpy()[rows]
        same = release.frame[column].astype(str).to_numpy() == original
        if not same.all():
            row = table.index[rows[int(np.argmin(same))]]
            wrong(f"{name}: in row {row!r} the sensitive column {column!r} was changed; publish it as it is")


def published(path: str | os.PathLike, table: Table, *, least: float = 0.95) -> Release:
    """A published file read as a release that the table could have given; see :func:`could_come_from`."""
    name = Path(path).name
    try:
        text = read_as_text(path)
    except BadFile as error:
        wrong(f"{name} cannot be read: {str(error).replace(os.fspath(path), name)}")
    return _could_come_from(name, text, table, least)


def could_come_from(name: str, frame: pd.DataFrame, table: Table, *, least: float = 0.95) -> Release:
    """A published frame read as a release that the table could have given: no row is invented.

    Each published row needs an original row of its own that fits its cells and has its sensitive value. At least the
    share ``least`` of the original rows must be there.
    """
    return _could_come_from(name, _as_published(name, plain(name, frame)), table, least)


def _could_come_from(name: str, text: TextTable, table: Table, minimum: float) -> Release:
    _check_columns(name, text, table)
    if text.rows > len(table):  # before anything is made of them: there may be very many
        wrong(f"{name} has {text.rows:,} rows, but the table only {len(table):,}")
    if not text.rows / len(table) >= minimum:
        share = f"the share of rows in {name} is {text.rows / len(table):.4g}, but must be at least {minimum:.4g}"
        wrong(share, "publish all people, blurred if need be")
    cells = {column: np.array(text.texts[column], dtype=object)[text.numbers[column]] for column in text.names}
    frame = pd.DataFrame(cells)
    frame = frame.where(frame != "", None)
    release = _read(name, frame, text, table, None)
    if _matched(release, table) < len(release):
        wrong(f"{name} holds a row that no original row of its own fits", "publish what your method made, unchanged")
    passed(f"{name} could come from the table")
    return release


def _matched(release: Release, table: Table) -> int:
    """How many published rows get an original row of their own: a largest matching."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    matching = Matching(release, table, [*release.quasi, *release.sensitive])
    fits = matching.matrix()[matching.case].T[matching.published.kind]
    return int((maximum_bipartite_matching(csr_array(fits), perm_type="column") >= 0).sum())


# ---- the text ------------------------------------------------------------------------------------------------------


def _as_published(name: str, frame: pd.DataFrame) -> TextTable:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "published.csv")
        frame.to_csv(path, index=False)
        try:
            return read_as_text(path)
        except BadFile as error:
            wrong(f"{name} cannot be published: {str(error).replace(os.fspath(path), 'its text')}")


def _expected(table: Table, *claims: Claim) -> Expectation:
    decision = () if table.decision is None else (table.decision,)
    return Expectation(
        quasi=tuple(table.quasi),
        sensitive=tuple(table.sensitive),
        other=decision,
        identifiers=tuple(table.identifiers),
        claims=claims,
    )


def _check_columns(name: str, text: TextTable, table: Table) -> None:
    """By the gate; its words are for publishers, ours for students."""
    expected = _expected(table)
    failed = {finding.what for finding in verify_table(text, expected).findings if finding.passed is False}
    if "identifiers" in failed:
        leaked = [column for column in expected.identifiers if column in text.names]
        wrong(f"{name} publishes the identifier {leaked[0]!r}")
    absent = [column for column in (*expected.quasi, *expected.sensitive) if column not in text.names]
    if absent:
        wrong(f"{name} lacks the column {absent[0]!r}")
    if "columns" in failed:
        asked = {*expected.quasi, *expected.sensitive, *expected.other}
        extra = next((column for column in text.names if column not in asked), "")
        index = " (an index, perhaps: write the file with index=False)" if extra in ("", "Unnamed: 0") else ""
        wrong(f"{name} has the column {extra!r}{index}, which nobody asked for: it must not be published")


def _read(name: str, frame: pd.DataFrame, text: TextTable, table: Table, rows: np.ndarray | None) -> Release:
    """The release that a frame stands for, with the classes of its text."""
    try:
        read = Release.from_frame(frame, table, rows=rows, hidden="class")
    except (ValueError, KeyError, TypeError) as error:
        wrong(f"{name} cannot be read as a release: {error.args[0] if error.args else error}")
    columns = {column: _by_text(read.columns[column], text.numbers[column]) for column in read.quasi}
    info = {_TEXT: text}
    return Release(read.table, dict(read.columns) | columns, rows, withheld=read.n_suppressed, info=info)


def _by_text(column: Column, numbers: np.ndarray) -> Column:
    """The column with a set of its own for every text, also where two texts stand for the same values."""
    index, pairs = pd.factorize(column.index.astype(np.int64) << 32 | numbers)
    kept, sets = pairs >> 32, column.sets
    labels = [sets.labels[number] for number in kept]
    return Column(
        ValueSets(sets.attribute, sets.lo[kept], sets.hi[kept], sets.masks, sets.mask_row[kept], labels), index
    )


# ---- what is asked of a release ------------------------------------------------------------------------------------


def k_anonymous(name: str, release: Release, k: int) -> None:
    """Every class of the published text has at least k rows; a failure names the smallest."""
    if not len(release):
        wrong(f"{name} publishes no row")
    if _keeps(release, Claim("KAnonymity", {"k": k}, f"k = {k}")):
        passed(f"{name} is {k}-anonymous")
        return
    sizes = release.group_sizes
    row = int(np.argmax(release.groups == int(sizes.argmin())))
    text = release.info[_TEXT]
    cells = ", ".join(f"{column} = {text.texts[column][text.numbers[column][row]]}" for column in release.quasi)
    hint = "rows of one class must read exactly alike" if sizes.min() == 1 else ""
    wrong(f"{name} is not {k}-anonymous: the class with {cells} has {sizes.min()} row(s)", hint)


def diverse(name: str, release: Release, least: int, column: str | None = None) -> None:
    """Every class of the published text has at least ``least`` distinct values of the sensitive column."""
    chosen = None if column is None else (column,)
    if not _keeps(release, Claim("LDiversity", {"l": least}, f"l = {least}", chosen)):
        from anonnb import privacy

        value = privacy.l(release, column=column)
        wrong(f"{name} is not {least}-diverse: some class has {value} distinct sensitive value(s)")
    passed(f"{name} is {least}-diverse")


def _keeps(release: Release, claim: Claim) -> bool:
    """Whether the gate finds in the text what is claimed of it."""
    return bool(verify_table(release.info[_TEXT], _expected(release.table, claim)))


def loses_at_most(name: str, release: Release, table: Table, most: float) -> None:
    """The NCP of the release is at most ``most``."""
    hint = "smaller classes, or cells that cover less, lose less"
    at_most(f"the NCP of {name}", round(utility.ncp(table, release), 4), most, hint)
