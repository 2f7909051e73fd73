"""The text of a project file, and its first draft: what each column seems to be and why, for a person to correct."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from anonnb.publishing.project import (
    DECISIONS,
    IDENTIFIER,
    LEFT_OUT,
    ROLES,
    SENSITIVE,
    VERSION,
    Project,
    ProjectColumn,
)
from anonnb.publishing.table_opening import RepeatedPeople, find_repeated_people, guess_roles
from anonnb.tables.labels import text as as_text

_HEAD = f"""\
# What this table is and how it is to be published: correct what is wrong, then use it with
#   anonnb audit THIS      anonnb anonymize THIS -o release.csv
# Roles: {", ".join(ROLES)}.
# A column with the role "also" is published as it is and counts as known to others, unless it says
# known_outside: false. Further keys of a column: kind (nominal, ordinal, numeric), order (a list of values),
# hierarchy (a CSV file beside this one, words such as: intervals 5 10 20, or {{north: [Bonn, Kiel], south: [Ulm]}}),
# may_name: true (its texts may hold names), weight (how much its loss counts), highest_level (the highest level of its
# hierarchy that may be published).
"""


_NOBODY = "# person: the column that says whose row it is, where people have several rows"
_UNREVIEWED = "# reviewed: NAME, DATE    who read this file and corrected it, such as A. Name, 2026-01-31"

_OFFICER = "# for the officer's page, which shows as open what is not answered here"
_ASKED = {
    "purpose": "why the table is published",
    "recipients": "who gets it",
    "retention": "how long they keep it, and who deletes it",
    "decided": "who decided what, and when",
}


def _decision(name: str, text: str | None) -> str:
    return f"# {name}: {_ASKED[name]}" if text is None else f"{name}: {_scalar(text)}"


def draft_project(frame: pd.DataFrame, data: Path, folder: Path, reading: Mapping[str, Any]) -> str:
    """Draft the project file of a table that was read from ``data``; ``folder`` is where it will be.

    >>> text = draft_project(pd.DataFrame({"age": [30, 40], "ill": ["flu", "cold"]}), Path("p.csv"), Path("."), {})
    >>> print(text.splitlines()[-4])
    method:
    """
    how = {
        name: value
        for name, value in reading.items()
        if value not in (None, False) and (name, value) != ("decimal", ".")
    }
    guesses, repeated = _guess(frame)
    columns = tuple(ProjectColumn(str(line.column), (line.role,)) for line in guesses)
    why = {}
    for line in guesses:
        missing = f", {line.missing:,} missing" if line.missing else ""
        why[str(line.column)] = (
            f"{line.values:,} values{missing}; read as {_read_as(frame[line.column])}; {line.reason}"
        )
    secrets = [line for line in guesses if line.role == SENSITIVE]
    project = Project(
        folder / "project.yaml",
        data=data,
        read=how,
        columns=columns,
        method="Mondrian",
        parameters={"k": 5},
        require=("LDiversity(2)",) if secrets and min(line.values for line in secrets) > 1 else (),
        suppression_limit=0.05,
        person=repeated.column if repeated is not None and repeated.named else None,
    )
    return format_project(project, why, "" if repeated is None else _question(repeated))


def _guess(frame: pd.DataFrame) -> tuple[list[Any], RepeatedPeople | None]:
    """Return the guess for every column, and the column that may say whose row it is, which is then an identifier."""
    guesses = guess_roles(frame)
    among = guesses.loc[guesses["role"].isin([IDENTIFIER, LEFT_OUT]), "column"]
    repeated = find_repeated_people(frame, among)
    if repeated is not None:
        guesses.loc[guesses["column"].astype(str) == repeated.column, "role"] = IDENTIFIER
    return list(guesses.itertuples(index=False)), repeated


def _question(repeated: RepeatedPeople) -> str:
    asked = f"# {repeated}: does it say whose row it is?"
    if repeated.named:
        return f"{asked} If not, write instead of the next line\n#   rows_are_people: true"
    name, count = _scalar(repeated.column), "    with unit: household, if k is to count households"
    home = f"# If it says which household a row belongs to, write\n#   household: {name}{count}"
    return f"{asked} Then write\n#   person: {name}\n{home}\n# Otherwise\n#   rows_are_people: true"


def all_guessed(project: Project, frame: pd.DataFrame) -> bool:
    """Return whether every role of a project is what a draft for the table would say.

    >>> frame = pd.DataFrame({"age": [30, 40], "ill": ["flu", "cold"]})
    >>> columns = ProjectColumn("age", ("quasi-identifier",)), ProjectColumn("ill", ("sensitive",))
    >>> all_guessed(Project(Path("p.yaml"), columns=columns), frame)
    True
    """
    guessed = {str(line.column): (line.role,) for line in _guess(frame)[0]}
    return all(guessed.get(column.name) == column.roles for column in project.columns)


def format_project(project: Project, why: Mapping[str, str] | None = None, question: str = "") -> str:
    """Write a project as the text of a file, which reads back as the same; ``why`` are remarks on columns.

    ``question`` is a comment above the line that says whose row it is.

    >>> columns = (ProjectColumn("age", ("quasi-identifier",), hierarchy="intervals 10"),)
    >>> print(format_project(Project(Path("p.yaml"), columns=columns)).partition("columns:")[2].strip())
    age:
        role: quasi-identifier
        hierarchy: intervals 10
    require: []  # such as LDiversity(3)
    """
    folder = project.path.parent
    lines = [_HEAD + f"anonnb: {VERSION}"]
    lines.append(_UNREVIEWED if project.reviewed is None else f"reviewed: {_scalar(project.reviewed)}")
    if project.data is not None:
        lines.append(f"data: {_scalar(os.path.relpath(project.data, folder))}")
    if project.read:
        lines += ["read:", *(f"  {name}: {_scalar(value)}" for name, value in project.read.items())]
    lines += [question] if question else []
    if project.rows_are_people:
        lines.append("rows_are_people: true")
    elif project.person is not None or not question:
        lines.append(_NOBODY if project.person is None else f"person: {_scalar(project.person)}")
    lines += [f"household: {_scalar(list(project.household))}", f"unit: {project.unit}"] if project.household else []
    lines += [] if project.weight is None else [f"weight: {_scalar(project.weight)}"]
    lines += [_OFFICER, *(_decision(name, getattr(project, name)) for name in DECISIONS)]
    if not project.named(SENSITIVE):
        lines.append("# no column is sensitive: which one holds what nobody should learn about a person?")
    lines.append("columns:")
    for column in project.columns:
        lines += _column_lines(column, folder, " ".join((why or {}).get(column.name, "").split()))
    if project.suppression_limit is not None:
        limit = f"suppression_limit: {project.suppression_limit:g}"
        lines += ["# the largest share of rows that may be withheld", limit]
    if project.method is not None:
        parameters = (f"  {name}: {_scalar(value)}" for name, value in project.parameters.items())
        lines += ["method:", f"  name: {project.method}", *parameters]
    lines.append(
        f"require: {_scalar(list(project.require))}" + ("" if project.require else "  # such as LDiversity(3)")
    )
    if project.population is not None:
        lines.append(f"population: {_scalar(os.path.relpath(project.population, folder))}")
    return "\n".join(lines) + "\n"


def _column_lines(column: ProjectColumn, folder: Path, why: str) -> list[str]:
    role = column.roles[0] if len(column.roles) == 1 else _scalar(list(column.roles))
    settings = {
        "kind": column.kind,
        "order": list(column.order) or None,
        "hierarchy": _beside(column.hierarchy, folder),
        "known_outside": None if column.known_outside else False,
        "may_name": True if column.may_name else None,
        "weight": column.weight,
        "highest_level": column.highest_level,
    }
    keys = [f"    {name}: {_scalar(value)}" for name, value in settings.items() if value is not None]
    return [f"  {_scalar(column.name)}:", f"    role: {role}" + (f"  # {why}" if why else ""), *keys]


def _beside(hierarchy: str | None, folder: Path) -> str | None:
    """Return words as they are, and the name of a file as it is found from the folder of the project."""
    if hierarchy is None or not os.path.isabs(hierarchy):
        return hierarchy
    return os.path.relpath(hierarchy, folder)


def _read_as(column: pd.Series) -> str:
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "dates"
    if pd.api.types.is_bool_dtype(column.dtype):
        return "true and false"
    return "numbers" if pd.api.types.is_numeric_dtype(column.dtype) else "text"


def _scalar(value: object) -> str:
    """Write a value on one line, in quotes if YAML would read it as something else."""
    odd = isinstance(value, str) and ("\n" in value or value.strip() != value)
    text = yaml.safe_dump(
        value, allow_unicode=True, width=10**6, default_flow_style=True, default_style='"' if odd else None
    )
    return text.removesuffix("\n").removesuffix("...").strip()


# ---- what is said about columns apart from their roles ---------------------------------------------------------------


@dataclass(frozen=True)
class ColumnSettings:
    """What is said about columns apart from their roles, as options of ``open_table``; most are by column.

    >>> settings = ColumnSettings({"kinds": {"age": "numeric"}}).with_hierarchy("age", "intervals 10")
    >>> settings.of(["zip"]), settings.missing
    ({'kinds': {}, 'hierarchies': {}}, {})
    >>> settings.project_column("age", ("quasi-identifier",), known_outside=True).hierarchy
    'intervals 10'
    """

    options: Mapping[str, Any] = field(default_factory=dict)

    def of(self, kept: Collection[str]) -> dict[str, Any]:
        """Return the options about the columns that are kept."""
        return {
            name: {column: setting for column, setting in value.items() if column in kept}
            if isinstance(value, Mapping)
            else value
            for name, value in self.options.items()
        }

    def with_hierarchy(self, column: str, how: Any) -> ColumnSettings:
        """Replace the hierarchy of a column; empty for none."""
        others = {name: other for name, other in self._by_column("hierarchies").items() if name != column}
        return ColumnSettings({**self.options, "hierarchies": {**others, **({column: how} if how else {})}})

    @property
    def missing(self) -> dict[str, Any]:
        """Return what a missing value is, as part of how a project's file is read; nothing if that is not said."""
        return {"missing": self.options["missing"]} if "missing" in self.options else {}

    def project_column(self, name: str, roles: tuple[str, ...], known_outside: bool) -> ProjectColumn:
        """Return a column as it stands in a project file; its hierarchy must be written as a text."""
        how = self._by_column("hierarchies").get(name)
        if how is not None and not isinstance(how, str):
            raise ValueError(f"column {name!r}: only a hierarchy that is written as a text can go to a project file")
        return ProjectColumn(
            str(name),
            roles,
            kind=self._by_column("kinds").get(name),
            order=tuple(map(as_text, self._by_column("orders").get(name, ()))),
            hierarchy=how,
            known_outside=known_outside,
            weight=self._by_column("weights").get(name),
            highest_level=self._by_column("limits").get(name),
        )

    def _by_column(self, setting: str) -> Mapping[str, Any]:
        return self.options.get(setting, {})
