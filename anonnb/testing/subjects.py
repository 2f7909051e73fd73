"""What a property of a method uses: the method, the tables on which it is tried, and what it published of them as text.

Runs are remembered, so that forty properties cost little more than the runs that they share.
"""

from __future__ import annotations

import contextlib
import csv
import io
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from anonnb.core.errors import Infeasible
from anonnb.methods.base import Method
from anonnb.publishing.release_files import write_csv
from anonnb.publishing.two_files import secrets_path
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.testing import making
from anonnb.testing.cases import NASTY, TriedTable, nasty, ordinary
from anonnb.testing.recounting import PublishedText

NEXT_FILE = b"\n\x00next file\x00\n"  # between the bytes of two files
ORDINARY = 3  # ordinary tables that a method is tried on


@dataclass(frozen=True, eq=False)
class MethodRun:
    """One call of ``anonymize``: what came out or was raised, what it printed, and the bytes that were published."""

    method: Any
    case: TriedTable
    result: Any = None
    error: Exception | None = None
    printed: str = ""
    written: bytes = b""
    text: PublishedText = field(default=cast(PublishedText, None))  # None only beside an error
    secrets: PublishedText = field(default=cast(PublishedText, None))  # of the second file, where there is one

    @property
    def table(self) -> Table:
        return self.case.table


class MethodSubject:
    """A method with its tables; ``runs`` by table and parameters."""

    def __init__(self, method: Method, seed: int):
        self.method, self.seed = method, seed
        self._runs: dict[tuple, MethodRun] = {}

    def __str__(self) -> str:
        return str(self.method)

    @cached_property
    def ordinary(self) -> list[TriedTable]:
        return [ordinary(self.seed + number, self.method.most_values) for number in range(ORDINARY)]

    @cached_property
    def nasty(self) -> dict[str, TriedTable]:
        return {name: nasty(name, self.seed) for name in NASTY}

    @property
    def first(self) -> MethodRun:
        """The method as it was given, on the first ordinary table."""
        return self.run(self.ordinary[0])

    @property
    def everyday(self) -> list[MethodRun]:
        """The method as it was given, on the ordinary tables."""
        return [self.run(case) for case in self.ordinary]

    @property
    def made(self) -> list[MethodRun]:
        """Every run, on ordinary and nasty tables, from which something came out."""
        return [run for run in [*self.everyday, *map(self.run, self.nasty.values())] if run.error is None]

    def run(self, case: TriedTable, **changes: Any) -> MethodRun:
        """Run the method, with some parameters changed, on a table; results are remembered."""
        key = (case.name, repr(sorted(changes.items())))
        if key not in self._runs:
            self._runs[key] = self._changed(case, changes)
        return self._runs[key]

    def _changed(self, case: TriedTable, changes: Mapping[str, Any]) -> MethodRun:
        try:
            method = replace(self.method, **changes) if changes else self.method
        except ValueError as error:  # it takes only some values, and says so
            return MethodRun(self.method, case, error=error)
        return run(method, case)

    # ---- what the method declares ---------------------------------------------------------------------------------

    @property
    def parameters(self) -> dict[str, Any]:
        return making.parameters(self.method)

    @property
    def floors(self) -> Mapping[str, int]:
        return self.method.promise.floors

    @property
    def publishes_table(self) -> bool:
        return self.method.publishes == "table"

    @property
    def has_k(self) -> bool:
        """Whether k is promised: a parameter k that is set, and a floor that follows from it."""
        return self.parameters.get("k") is not None and bool(self.floors)

    @property
    def makes_groups(self) -> bool:
        return "require" in self.parameters


def run(method: Any, case: TriedTable, **options: Any) -> MethodRun:
    """Anonymize and publish; an error of either is part of the outcome."""
    printed = io.StringIO()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            warnings.simplefilter("ignore")  # default hierarchies are announced
            result = method.anonymize(case.table, **options)
            written = published(result)
    except Exception as error:
        return MethodRun(method, case, error=error, printed=printed.getvalue())
    return MethodRun(method, case, result, None, printed.getvalue(), written, *map(read, written.split(NEXT_FILE)))


def published(result: Any) -> bytes:
    """Return what ``publish`` would write to a CSV file without the gate: a method is judged by what it would publish.

    If secrets are published per group, the bytes of the second file follow.
    """
    with tempfile.TemporaryDirectory(prefix="anonnb-") as folder:
        path = Path(folder) / "published.csv"
        if not isinstance(result, Release):
            result.publish(path)
            return path.read_bytes()
        frames = [result.published()] + ([] if result.secrets is None else [result.published_secrets()])
        paths = [path, secrets_path(path)][: len(frames)]
        for frame, each in zip(frames, paths, strict=True):
            write_csv(frame, each, quoting=csv.QUOTE_NONNUMERIC)
        return NEXT_FILE.join(each.read_bytes() for each in paths)


def read(written: bytes) -> PublishedText:
    """Read published bytes as text, with code that knows nothing of anonnb."""
    with tempfile.TemporaryDirectory(prefix="anonnb-") as folder:
        path = Path(folder) / "published.csv"
        path.write_bytes(written)
        return PublishedText.of(path)


def is_infeasible(found: MethodRun) -> bool:
    return isinstance(found.error, Infeasible)
