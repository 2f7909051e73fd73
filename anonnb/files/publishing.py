"""From a release to a file: the rows are written, read again as text by the gate, and only then get their name.

What the gate expects comes from the release: the roles, the promise, and for every row of the file whose it is. A
release is taken as it is given, so that this module and that of releases do not import each other.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.extras import needs
from anonnb.files.gate import Expected, GateVerdict, Refused, check_file
from anonnb.files.spreadsheets import write_csv
from anonnb.files.two_files import check_pair, secrets_path, without_secrets
from anonnb.files.writing import atomic_write


def published_file(
    release: Any,
    path: Path,
    also: Sequence[str] | str = (),
    unknown_outside: Sequence[str] | str = (),
    excel: bool = False,
    most_suppressed: float | None = None,
) -> tuple[Path, GateVerdict]:
    """Write what ``release.published(also)`` gives, unless the gate refuses it; the path and what the gate found.

    A release whose secrets are published per group is written to two files, which both get their names or neither.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise ValueError(f"cannot publish to {path.name!r}: use a name that ends in .csv or .parquet")
    if suffix == ".parquet":
        needs("publishing Parquet", "parquet", "pyarrow")
    if excel and suffix != ".csv":
        raise ValueError(f"excel=True is for .csv files, not for {path.name!r}")
    frame = release.published(also)
    found: list[GateVerdict] = []
    if release.secrets is None:
        expected = expectation(release, list(frame.columns), also, unknown_outside, most_suppressed)
        _write(frame, path, excel, _gate(path, found, lambda written: check_file(written, expected)))
        return path, found[0]
    names = list(frame.columns[:-1])
    expected = without_secrets(
        expectation(release, names, also, unknown_outside, most_suppressed), str(frame.columns[-1])
    )
    secrets = release.published_secrets(also)
    promised = () if release.promise is None else release.promise.claims

    def publish_first(second: Path) -> None:  # while the second file is whole and has no name yet
        checked = _gate(path, found, lambda first: check_pair(first, second, expected, list(secrets.columns), promised))
        _write(frame, path, excel, checked)

    _write(secrets, secrets_path(path), excel, publish_first)
    return path, found[0]


def _gate(path: Path, found: list[GateVerdict], verdict_of: Callable[[Path], GateVerdict]) -> Callable[[Path], None]:
    """What checks a whole file before it gets its name."""

    def check(written: Path) -> None:
        verdict = verdict_of(written)
        if not verdict:
            raise Refused(path, verdict)
        found.append(verdict)

    return check


def _write(frame: pd.DataFrame, path: Path, excel: bool, check: Callable[[Path], None]) -> None:
    if path.suffix.lower() == ".csv":  # quotes keep line breaks inside cells
        write_csv(frame, path, excel=excel, check=check, quoting=csv.QUOTE_NONNUMERIC)
    else:
        _write_parquet(frame, path, check)


def _write_parquet(frame: pd.DataFrame, path: Path, check: Callable[[Path], None]) -> None:
    try:
        with atomic_write(path, "wb", check=check) as file:
            frame.to_parquet(file, index=False)
    except Refused:
        raise
    except (TypeError, ValueError) as error:  # a column of mixed types, say
        reason = str(error).splitlines()[0]
        raise ValueError(f"cannot publish to {path.name!r}: {reason}; use a name that ends in .csv") from error


def expectation(
    release: Any,
    names: Sequence[str],
    also: Sequence[str] | str = (),
    unknown_outside: Sequence[str] | str = (),
    most_suppressed: float | None = None,
) -> Expected:
    """What the gate is to expect of a file with these columns of a release."""
    also, unknown = ([given] if isinstance(given, str) else list(given) for given in (also, unknown_outside))
    for name in unknown:
        if name not in also:
            raise KeyError(f"unknown_outside: the column {name!r} is not named in also, so it is not published")
    roles = {*release.quasi, *release.sensitive, release.decision}
    table, order = release.table, release.content_order(names)
    return Expected(
        quasi=_texts(release.quasi),
        sensitive=_texts(release.sensitive),
        also=_texts(name for name in also if name not in roles and name not in unknown),
        unknown_outside=_texts(name for name in unknown if name not in roles),
        other=_texts([release.decision] if release.decision is not None else []),
        identifiers=_texts(table.identifiers),
        claims=() if release.promise is None else release.promise.claims,
        nominal=frozenset(
            _texts(name for name in release.sensitive if release.columns[name].attribute.kind == "nominal")
        ),
        orders=_orders(release),
        input_rows=len(table),
        suppressed=release.n_suppressed,
        most_suppressed=most_suppressed,
        people=_people(release, order),
        cells={str(name): release.columns[name].index[order] for name in names},
    )


def _people(release: Any, order: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Pairs of (row of the file, person) where the table names a person; rows are people's own otherwise."""
    if release.table.person is None or release.rows is None:
        return None
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    published, original = release.owners
    return place[published], release.table.people[original]


def _texts(names: Any) -> tuple[str, ...]:
    """A file knows only texts as names."""
    return tuple(dict.fromkeys(map(str, names)))


def _orders(release: Any) -> dict[str, list[str]]:
    """The values of ordinal secrets in their order."""
    attributes = {name: release.columns[name].attribute for name in release.sensitive}
    return {
        str(name): attribute.labels[: len(attribute.domain)]
        for name, attribute in attributes.items()
        if attribute.kind == "ordinal"
    }
