"""From a release to a file: the rows are written, verified by reading the text back, and only then get their name.

``release.publish`` and the ``publish`` of mined results come here through ``anonnb.publish`` and
``anonnb.publish_mined``. What the verification expects comes from the release: the roles, the promise, and the person
behind every row of the file.
"""

from __future__ import annotations

import csv
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.atomic_files import atomic_write, complete_file, named_together, refuse_existing
from anonnb.core.errors import Message, advice
from anonnb.core.extras import needs
from anonnb.files.spreadsheets import APOSTROPHE, is_formula
from anonnb.publishing.table_opening import constant_within
from anonnb.publishing.two_files import secrets_path, verify_pair, without_secrets
from anonnb.publishing.verification import Expectation, VerificationError, VerificationReport, verify_file
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.roles import check_known, identity_values
from anonnb.tables.shown_columns import text_numbers


def publish(
    release: Release,
    path: str | os.PathLike[str],
    *,
    also: Sequence[str] | str = (),
    unknown_outside: Sequence[str] | str = (),
    may_name: Sequence[str] | str = (),
    excel: bool = False,
    overwrite: bool = False,
) -> Path:
    """Publish a release; :meth:`anonnb.Release.publish` calls this and explains the parameters.

    >>> import tempfile, anonnb
    >>> release = anonnb.methods.Mondrian(k=3).anonymize(anonnb.load("survey"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     publish(release, f"{folder}/survey.csv").name
    'survey.csv'
    """
    return write_release(release, Path(path), also, unknown_outside, excel, overwrite=overwrite, may_name=may_name)[0]


def publish_mined(mined: Mined, path: str | os.PathLike[str], *, excel: bool = False, overwrite: bool = False) -> Path:
    """Publish a mined result; its ``publish`` calls this and explains the parameters.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     publish_mined(Mined(pd.DataFrame({"itemset": ["a"]})), f"{folder}/sets.csv").read_text().split()
    ['itemset', 'a']
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".json"):
        raise ValueError(f"cannot publish {mined.what} to {path.name!r}: use a name that ends in .csv or .json")
    if excel and suffix != ".csv":
        raise ValueError(f"excel=True is for .csv files, not for {path.name!r}")
    refuse_existing(path, overwrite)
    frame = mined.published()
    if suffix == ".csv":
        return write_csv(frame, path, excel=excel, overwrite=overwrite)
    with atomic_write(path, overwrite=overwrite, newline="") as file:
        json.dump(json.loads(frame.to_json(orient="records")), file, ensure_ascii=False, indent=1)
    return path


def write_release(
    release: Release,
    path: Path,
    also: Sequence[str] | str = (),
    unknown_outside: Sequence[str] | str = (),
    excel: bool = False,
    most_suppressed: float | None = None,
    overwrite: bool = True,
    may_name: Sequence[str] | str = (),
    identities: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Path, VerificationReport]:
    """Write what ``release.published(also)`` returns if it passes verification; return the path and the report.

    ``identities`` are the values of identifier columns, if the release's table no longer has them.
    A release whose secrets are published per group is written to two files, which both get their names or neither.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise ValueError(f"cannot publish to {path.name!r}: use a name that ends in .csv or .parquet")
    if suffix == ".parquet":
        needs("publishing Parquet", "parquet", "pyarrow")
    if excel and suffix != ".csv":
        raise ValueError(f"excel=True is for .csv files, not for {path.name!r}")
    for target in [path] if release.secrets is None else [path, secrets_path(path)]:
        refuse_existing(target, overwrite)
    frame, named = release.published(also), (may_name, identities)
    reports: list[VerificationReport] = []

    def accept(report: VerificationReport) -> None:
        if not report:
            raise VerificationError(path, report)
        reports.append(report)

    if release.secrets is None:
        expected = expectation(release, list(frame.columns), also, unknown_outside, most_suppressed, *named)
        _write(frame, path, excel, overwrite, lambda written: accept(verify_file(written, expected)))
        return path, reports[0]
    names = list(frame.columns[:-1])
    expected = without_secrets(
        expectation(release, names, also, unknown_outside, most_suppressed, *named), str(frame.columns[-1])
    )
    secrets = release.published_secrets(also)
    claims = () if release.promise is None else release.promise.claims

    second = secrets_path(path)
    with named_together():
        _write(frame, path, excel, overwrite)
        _write(secrets, second, excel, overwrite)
        complete = complete_file(path), complete_file(second)
        accept(verify_pair(*complete, expected, list(secrets.columns), claims))
    return path, reports[0]


def _write(
    frame: pd.DataFrame, path: Path, excel: bool, overwrite: bool, check: Callable[[Path], None] | None = None
) -> None:
    if path.suffix.lower() == ".csv":  # quotes keep line breaks inside cells
        write_csv(frame, path, excel=excel, overwrite=overwrite, check=check, quoting=csv.QUOTE_NONNUMERIC)
        return
    try:
        with atomic_write(path, "wb", overwrite=overwrite, check=check) as file:
            frame.to_parquet(file, index=False)
    except VerificationError:
        raise
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        name = next((name for name in frame.columns if not _fits_parquet(frame[name])), None)
        if name is None:
            raise
        raise ValueError(
            f"cannot publish to {path.name!r}: column {name!r} holds values that Parquet cannot store, mixed or too "
            "large ones or complex numbers; use a name that ends in .csv"
        ) from error


def _fits_parquet(column: pd.Series) -> bool:
    import pyarrow as pa

    try:
        pa.array(column, from_pandas=True)
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return False
    return True


# ---- what the verification expects ---------------------------------------------------------------------------------


def expectation(
    release: Release,
    names: Sequence[str],
    also: Sequence[str] | str = (),
    unknown_outside: Sequence[str] | str = (),
    most_suppressed: float | None = None,
    may_name: Sequence[str] | str = (),
    identities: Mapping[str, Sequence[str]] | None = None,
) -> Expectation:
    """Say what a file with the given columns of a release must contain."""
    lists = also, unknown_outside, may_name
    also, unknown, naming = ([given] if isinstance(given, str) else list(given) for given in lists)
    check_known(naming, names, "may_name")
    for name in unknown:
        if name not in also:
            raise KeyError(f"unknown_outside: the column {name!r} is not named in also, so it is not published")
    roles = {*release.quasi, *release.sensitive, release.decision}
    table, order = release.table, release.content_order(names)
    attributes = {name: release.columns[name].attribute for name in release.sensitive}
    return Expectation(
        quasi=_texts(release.quasi),
        sensitive=_texts(release.sensitive),
        also=_texts(name for name in also if name not in roles and name not in unknown),
        unknown_outside=_texts(name for name in unknown if name not in roles),
        other=_texts(name for name in (release.decision, table.weight) if name in names),
        identifiers=_texts(name for name in [*table.identifiers, *(identities or {})] if name not in names),
        identities={**identity_values(table.frame[table.identifiers]), **(identities or {})},
        may_name=_texts(naming),
        within=constant_within(table, [name for name in table.columns if name in names and name not in release.quasi]),
        household=None if release.household_numbers is None else str(table.household),
        claims=() if release.promise is None else release.promise.claims,
        nominal=frozenset(_texts(name for name, attribute in attributes.items() if attribute.kind == "nominal")),
        orders={
            str(name): attribute.labels[: len(attribute.domain)]
            for name, attribute in attributes.items()
            if attribute.kind == "ordinal"
        },
        input_rows=len(table),
        suppressed=release.n_suppressed,
        most_suppressed=most_suppressed,
        people=_people(release, order),
        counted=table.counted,
        weight=None if table.weight is None else str(table.weight),
        weights=None if table.weight is None or release.rows is None else release.row_weights[order],
        cells={str(name): text_numbers(release.columns[name])[order] for name in names},
    )


def _people(release: Release, order: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return pairs of (row of the file, person) if the table names people or counts households; else None."""
    numbered = release.household_numbers is not None
    if (release.table.counted_by is None and not numbered) or release.rows is None:
        return None
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    published, original = release.owners
    whose = release.table.households if numbered else release.table.people
    return position[published], whose[original]


def _texts(names: Iterable[object]) -> tuple[str, ...]:
    """Return the names as texts, which are all that a file knows."""
    return tuple(dict.fromkeys(map(str, names)))


# ---- CSV -----------------------------------------------------------------------------------------------------------


def write_csv(
    frame: pd.DataFrame,
    path: Path,
    *,
    excel: bool = False,
    overwrite: bool = True,
    check: Callable[[Path], None] | None = None,
    **options: Any,
) -> Path:
    """Write a .csv file and warn of cells that a spreadsheet would run as a formula.

    With ``excel`` such cells get an apostrophe in front. ``overwrite`` and ``check`` are those of ``atomic_write``.
    """
    formulas = formula_cells(frame)
    cells = "1 cell begins" if formulas == 1 else f"{formulas:,} cells begin"
    if excel:
        frame = as_plain_text(frame)
    encoding = "utf-8-sig" if excel else "utf-8"
    with atomic_write(path, overwrite=overwrite, check=check, encoding=encoding, newline="") as file:
        frame.to_csv(file, index=False, lineterminator="\n", **options)
    if formulas and excel:
        warnings.warn(f"{path}: {cells} like a formula and got an apostrophe in front", stacklevel=3)
    elif formulas:
        remedy = advice("; ", remedies.option("excel", True), tail=" writes a file in which it does not")
        warnings.warn(Message(f"{path}: {cells} like a formula, which a spreadsheet would run", remedy), stacklevel=3)
    return path


def formula_cells(frame: pd.DataFrame) -> int:
    """Count the cells and column names that begin like a formula."""
    return sum(map(is_formula, frame.columns)) + sum(int(_formulas(frame[name]).sum()) for name in frame.columns)


def as_plain_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Put an apostrophe in front of every cell and column name that begins like a formula.

    >>> as_plain_text(pd.DataFrame({"a": ["=1+1", "b"]})).to_dict("list")
    {'a': ["'=1+1", 'b']}
    """

    def guard(column: pd.Series) -> pd.Series:
        return column.astype(object).map(plain_text) if _formulas(column).any() else column

    return frame.apply(guard).rename(columns=plain_text)


def plain_text(word: object) -> object:
    """Return a cell or name in a form that a spreadsheet takes for text, and no other cell has.

    >>> plain_text("=1"), plain_text("'=1"), plain_text("'s-Hertogenbosch")
    ("'=1", "''=1", "'s-Hertogenbosch")
    """
    return f"{APOSTROPHE}{word}" if isinstance(word, str) and is_formula(word.lstrip(APOSTROPHE)) else word


def _formulas(column: pd.Series) -> pd.Series:
    """Flag the cells that begin like a formula, examining each distinct text once."""
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_datetime64_any_dtype(column.dtype):
        return pd.Series(False, index=column.index)
    return column.isin([cell for cell in column.unique() if is_formula(cell)])
