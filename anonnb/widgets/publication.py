"""From the explorer to files: the release through the gate, and what belongs beside it.

The officer's page, the manifest and the project file are those that ``anonnb anonymize --project`` writes.
"""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path
from typing import Any

from anonnb.core.atomic_files import named_together, temporary_folder
from anonnb.publishing.documents import write_documents
from anonnb.publishing.own_table import OwnTable
from anonnb.publishing.release_files import write_release
from anonnb.publishing.table_opening import ALSO
from anonnb.publishing.two_files import secrets_path
from anonnb.publishing.verification import VerificationError, VerificationReport
from anonnb.tables.release import Release

# what an export writes beside the release: for the publisher, the officer, a program, and the next release
BESIDE = ("-report.html", ".html", ".manifest.json", ".yaml")


class Publication:
    """What is known about the user's own table, ``own``, which the explorer calls ``name``."""

    def __init__(self, own: OwnTable | None, name: str):
        self._own, self._name = own, name

    def start(self) -> dict[str, Any]:
        """Return the choices that the project makes."""
        project = None if self._own is None else self._own.project
        if project is None:
            return {}
        choices = {"method": project.method, "k": project.parameters.get("k")}
        choices |= {"require": " and ".join(project.require)} if project.require else {}
        return {name: value for name, value in choices.items() if value is not None}

    def required(self) -> list[str]:
        """Return the requirement of the project, as one of the explorer's choices."""
        return [self.start()["require"]] if "require" in self.start() else []

    def blurred(self, name: str, column: str, how: Any) -> None:
        """Keep a hierarchy for the project file."""
        if self._own is not None and name == self._name:
            self._own.blur(column, how)

    def _further(self, name: str) -> tuple[list[str], list[str]]:
        """Return the columns that are published as they are, and those of them that are unknown outside."""
        if self._own is None or name != self._name:
            return [], []
        also = [column for column in self._own.columns if self._own.roles[column] == ALSO]
        return also, [column for column in self._own.unknown_outside if column in also]

    def suppression_limit(self, name: str) -> float | None:
        """Return the share of a table's rows that its project allows to be withheld."""
        own = self._own if name == self._name else None
        return None if own is None or own.project is None else own.project.suppression_limit

    def verdict(self, release: Release, name: str) -> VerificationReport:
        """Return what the gate says about a release; nothing is kept."""
        with temporary_folder("gate") as folder:
            try:
                return self._published(release, name, Path(folder) / "release.csv")
            except VerificationError as refusal:
                return refusal.report

    def _published(self, release: Release, name: str, path: Path) -> VerificationReport:
        also, unknown = self._further(name)
        limit = self.suppression_limit(name)
        own = self._own if name == self._name else None
        may_name, identities = ((), None) if own is None else (own.may_name, own.identities)
        return write_release(release, path, also, unknown, False, limit, may_name=may_name, identities=identities)[1]

    def write(self, release: Release, name: str, path: Path, project: Path, chosen: dict[str, Any]) -> None:
        """Write a release, its documents and its project file; write nothing if VerificationError is raised."""
        with named_together():
            verdict = self._published(release, name, path)
            own = self._own if self._own is not None and name == self._name else OwnTable(release.table, name=name)
            own.write_project(project, **chosen)
            data = own.as_project(project).data or Path(name)
            withheld = {str(column): f"{own.roles[column]}: not published" for column in own.columns}
            also, unknown = self._further(name)
            write_documents(
                release, verdict, path, data, project, also=also, unknown_outside=unknown, withheld=withheld
            )


def free_names(folder: Path, stem: str, secrets_apart: bool, written: Container[Path]) -> list[Path]:
    """Return the files of an export: the release, its secrets if they are apart, and what is beside them.

    Files that exist are only replaced if they are ours; else the names get a number.
    """
    stem = re.sub(r"[^\w.-]+", "-", stem).strip("-.")
    number = 1
    while True:
        name = stem if number == 1 else f"{stem}-{number}"
        release = folder / f"{name}.csv"
        second = [secrets_path(release)] if secrets_apart else []
        paths = [release, *second, *(folder / f"{name}{ending}" for ending in BESIDE)]
        if all(path in written or not path.exists() for path in paths):
            return paths
        number += 1
