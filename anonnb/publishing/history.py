"""The releases of a project: which came before, who is in two of them, and what both disclose together.

``NAME.releases.json`` beside the project file ``NAME.yaml`` lists every release with its hashes and, for each person in
it, a keyed hash of the identifier: HMAC-SHA256, cut to 64 bits, under the key in ``NAME.key``. Both files are for the
publisher only; a release and its manifest contain neither of them.
"""

from __future__ import annotations

import base64
import hmac
import json
import os
import secrets
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.intersection import IntersectionAttack
from anonnb.core.atomic_files import atomic_write, complete_file
from anonnb.core.errors import is_deliberate
from anonnb.files.opening import bytes_of
from anonnb.files.reading import read_table_file
from anonnb.publishing.attacking import MAX_PEOPLE, AttackBudget, Worker, sample_people
from anonnb.publishing.manifest import beside, sha256, today
from anonnb.publishing.project import Project
from anonnb.publishing.table_opening import open_table
from anonnb.publishing.two_files import secrets_beside
from anonnb.tables.release import Release
from anonnb.tables.table import Table

_KEYS = {"name", "date", "sha256", "manifest", "input", "input_sha256", "method", "rows", "people"}


class History:
    """The record of a project's releases; it raises ValueError if it cannot be read or its key is missing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history = History(Project(Path(folder) / "people.yaml"))
    ...     history.entries, history.key_path.name, history.record_path.name
    ([], 'people.key', 'people.releases.json')
    """

    def __init__(self, project: Project):
        self.project, self.folder = project, project.path.parent
        self.record_path, self.key_path = project.path.with_suffix(".releases.json"), project.path.with_suffix(".key")
        self.entries: list[dict[str, Any]] = self._read()
        self._key = self._read_key()

    def _read(self) -> list[dict[str, Any]]:
        if not self.record_path.is_file():
            return []
        try:
            entries = json.loads(bytes_of(self.record_path))["releases"]
            for entry in entries:
                _hashes(entry)
            if all(set(entry) >= _KEYS for entry in entries):
                return entries
        except (ValueError, KeyError, TypeError):
            pass
        raise ValueError(f"{self.record_path.name} is no record of releases; restore it, or remove it to begin anew")

    def _read_key(self) -> bytes | None:
        if not self.key_path.is_file():
            if any(entry["people"] is not None for entry in self.entries):
                raise ValueError(
                    f"{self.key_path.name} is missing, so nobody in {self.record_path.name} can be recognized; restore "
                    "it, or remove both files to begin anew"
                )
            return None
        try:
            key = bytes.fromhex(bytes_of(self.key_path).decode().strip())
        except ValueError:
            key = b""
        if len(key) != 32:
            raise ValueError(f"{self.key_path.name} is no key of 32 bytes; restore it, or remove it to begin anew")
        return key

    # ---- looking up ---------------------------------------------------------------------------------------------

    def find(self, file: Path) -> dict[str, Any] | None:
        """Return the entry of the release that has a file's name, or else of one that has its bytes."""
        named = [entry for entry in self.entries if self._is(entry, file)]
        return next(iter(named or [entry for entry in self.entries if entry["sha256"] == sha256(file)]), None)

    def input_of(self, file: Path) -> Path | None:
        """Return the table that a release was made from, if it is on record and still there."""
        entry = self.find(file)
        path = None if entry is None else self.folder / entry["input"]
        return path if path is not None and path.is_file() else None

    def _is(self, entry: Mapping[str, Any], file: Path) -> bool:
        return os.path.abspath(self.folder / entry["name"]) == os.path.abspath(file)

    def changed_since(self, data: Path, method: str) -> str:
        """Say if the releases on record that were made from a table had another content of it, or another method."""
        made = [entry for entry in self.entries if (self.folder / entry["input"]).resolve() == data.resolve()]
        last = Path(made[-1]["name"]).name if made else ""
        if made and sha256(data) not in [entry["input_sha256"] for entry in made]:
            return f"{data.name} was changed after {last} was made from it"
        if made and method not in [entry["method"] for entry in made]:
            return f"{last} was made by {made[-1]['method']}, not by {method}"
        return ""

    def before(self, out: Path) -> list[dict[str, Any]]:
        """Return the releases on record, except one that ``out`` replaces."""
        return [entry for entry in self.entries if not self._is(entry, out)]

    # ---- people -------------------------------------------------------------------------------------------------

    def hashes(self, table: Table) -> np.ndarray | None:
        """Return a keyed hash for every row's person; None if no column identifies people."""
        name = _naming_column(table)
        if name is None:
            return None
        if self._key is None:
            self._key = secrets.token_bytes(32)
        labels = table.attributes[name].labels  # texts that do not depend on how a file was read: 17.0 is 17
        digests = b"".join(hmac.digest(self._key, label.encode(), "sha256")[:8] for label in labels)
        return np.frombuffer(digests, dtype="<u8")[table.codes(name)]

    def earlier(self, release: Release, out: Path, budget: AttackBudget | None) -> dict[str, Any]:
        """Describe the releases that came before: how many people are in both, and what they disclose together.

        ``earlier`` describes each of them, and ``together`` what somebody who has them all learns. The attacks share
        the budget; without one, they are not tried.
        """
        entries, anywhere = self.before(out), np.zeros(len(release.table), dtype=bool)
        share = None if budget is None else replace(budget, seconds=budget.seconds / (len(entries) + 1))
        hashes = self.hashes(release.table) if entries else None
        published = np.zeros(len(release.table), dtype=bool)
        published[slice(None) if release.rows is None else release.owners[1]] = True
        descriptions = []
        for entry in entries:
            others = _hashes(entry)
            known = None if hashes is None or others is None else published & np.isin(hashes, others)
            people = None if hashes is None or known is None else len(np.unique(hashes[known]))
            sentences = [
                "No column identifies people, so those in both were not counted; whoever has both files may pair rows "
                "by their values."
            ]
            if known is not None:
                anywhere |= known
                sentences = self._attack(release, [entry], np.flatnonzero(known), share) if people else []
            kept = {name: entry[name] for name in ("date", "sha256", "rows")}
            name = Path(entry["name"]).name
            descriptions.append({"name": name, **kept, "people_in_both": people, "sentences": sentences})
        together = descriptions[0]["sentences"] if len(entries) == 1 else []
        if len(entries) > 1 and anywhere.any():
            together = self._attack(release, entries, np.flatnonzero(anywhere), share)
        return {"earlier": descriptions, "together": together}

    def _attack(
        self, release: Release, entries: Sequence[Mapping[str, Any]], rows: np.ndarray, budget: AttackBudget | None
    ) -> list[str]:
        """Say, for each secret, about how many of the people in some rows an attacker who has all releases is sure."""
        files = "both files" if len(entries) == 1 else f"all {len(entries) + 1} files"
        untried = f"What {files} disclose together was not tried"
        if not release.sensitive:
            return []
        if budget is None:
            return [f"{untried}, because whoever published the file chose so."]
        for entry in entries:
            if not (file := self.folder / entry["name"]).is_file() or sha256(file) != entry["sha256"]:
                return [f"{untried}: {file.name} is gone or was changed."]
        people = release.table.take(rows)
        sample = f", in a random sample of {MAX_PEOPLE:,}" if people.n_people > MAX_PEOPLE else ""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                others = [self._release(entry, release.table) for entry in entries]
        except (ValueError, TypeError, KeyError) as error:
            if not is_deliberate(error):
                raise
            return [f"{untried}: {error}."]
        worker = Worker(release, sample_people(people, MAX_PEOPLE) if sample else people, budget)
        try:
            answer = worker.run(IntersectionAttack(other=others), budget.seconds)
        finally:
            worker.stop()
        if isinstance(answer, str):
            return [f"The attack on {files} {answer}."]
        which = "in both" if len(entries) == 1 else "who are in this file and an earlier one"
        found = [one for one in answer if isinstance(one, SecretResult)]
        parts = [
            f"about {one.secret!r} of {one.sure_right:,.0f} (sure about {one.sure:,.0f}; this file alone: "
            f"{one.info['sure alone']:,.0f})"
            for one in found
        ]
        asked = f"of the {max(one.attempts for one in found):,} {release.table.counted} {which}{sample}"
        return [f"Whoever has {files} is, {asked}, sure and right {' and '.join(parts)}."]

    def _release(self, entry: Mapping[str, Any], table: Table) -> Release:
        """Read an earlier release with the values of its own input, or else with those of the present one."""
        file, data = self.folder / entry["name"], self.folder / entry["input"]
        if data.is_file() and sha256(data) == entry["input_sha256"]:
            table = open_table(data, **self.project.table_options())
        second = None if set(table.sensitive) & set((frame := read_table_file(file)).columns) else secrets_beside(file)
        apart = None if second is None else read_table_file(second)
        return Release.from_frame(frame, like=table, hidden="class", secrets=apart)

    # ---- recording ----------------------------------------------------------------------------------------------

    def record(self, release: Release, out: Path, data: Path) -> None:
        """Add a release that was published from ``data`` to ``out``; the key is made with the first one.

        Raise ValueError if somebody else recorded a release since the record was read.
        """
        if self._read() != self.entries:
            raise ValueError(
                f"another release of {self.project.path.name} was published at the same time; nothing was written, so "
                "publish this one again, and its page will know the other"
            )
        hashes = self.hashes(release.table)
        if hashes is not None and release.rows is not None:
            hashes = hashes[release.owners[1]]
        people = None if hashes is None else base64.b64encode(np.unique(hashes).astype("<u8").tobytes()).decode()
        entry = {
            "name": os.path.relpath(out, self.folder),
            "date": today().isoformat(),
            "sha256": sha256(out),
            "manifest": sha256(beside(out, ".manifest.json")),
            "input": os.path.relpath(data, self.folder),
            "input_sha256": sha256(data),
            "method": str(release.method),
            "rows": len(release),
            "people": people,
        }
        if self._key is not None and not self.key_path.exists():
            with atomic_write(self.key_path) as file:
                file.write(self._key.hex() + "\n")
            os.chmod(complete_file(self.key_path), 0o600)
        with atomic_write(self.record_path, newline="") as file:
            json.dump({"releases": [*self.before(out), entry]}, file, ensure_ascii=False, indent=1)
            file.write("\n")
        os.chmod(complete_file(self.record_path), 0o600)


def _hashes(entry: Mapping[str, Any]) -> np.ndarray | None:
    """Return the hashes of the people in a release on record, None if nobody could be identified."""
    people = entry["people"]
    return None if people is None else np.frombuffer(base64.b64decode(people, validate=True), dtype="<u8")


def _naming_column(table: Table) -> str | None:
    """Return the column of the person, or else the first identifier that differs in every row."""
    if table.person is not None:
        return table.person if table.person in table.columns else None
    names = [name for name in table.identifiers if name != table.weight]
    return next((name for name in names if len(np.unique(table.codes(name))) == len(table)), None)
