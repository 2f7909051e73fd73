"""Your own table: from a file, a project or the name of a shipped table to a Table with roles, and back."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from anonnb.core.atomic_files import atomic_write
from anonnb.core.wording import did_you_mean
from anonnb.files.reading import read_table_bytes, read_table_file
from anonnb.publishing.project import (
    ALSO,
    DECISION,
    IDENTIFIER,
    LEFT_OUT,
    QUASI,
    ROLES,
    SENSITIVE,
    Project,
    ProjectColumn,
    parse_project,
    read_project,
)
from anonnb.publishing.project_text import ColumnSettings, format_project
from anonnb.publishing.table_opening import (
    EXAMPLE_ROLES,
    READING,
    example_visits,
    find_repeated_people,
    guess_roles,
    open_table,
    warn_of_identifiers,
)
from anonnb.tables import datasets
from anonnb.tables.descriptions import html_block
from anonnb.tables.release import Release
from anonnb.tables.roles import Roles, check_known, identity_values, names_of, warn_of_repeated_people
from anonnb.tables.table import Table

SHOWN_COLUMNS = 60  # of a wide table
Made = TypeVar("Made")
_SETTINGS = ("kinds", "orders", "hierarchies", "missing", "weights", "limits")
_PUBLISHED = (QUASI, SENSITIVE, DECISION, ALSO)
SINGLE_ROLES = {  # of one column at most, which is not published as it is
    "person": "it says whose row it is",
    "household": "it says which household a row belongs to",
    "weight": "it says how many people a row stands for",
}
OFFERED_ROLES = (*ROLES, *SINGLE_ROLES)


class OwnTable:
    r"""A table that is being prepared: its columns, their roles, and one sentence if something is wrong.

    Parameters
    ----------
    data:
        A file, a frame, a table or the name of a shipped one, as for :func:`open_table`.
    quasi, sensitive, identifier, decision:
        Columns by role; without any, roles are guessed.
    person, household, weight, unit:
        As for :class:`anonnb.Table`; they are never guessed.
    also, unknown_outside:
        Columns that are published as they are, and those of them that nobody outside can know.
    name:
        The name of the table.
    options:
        Further options of :func:`open_table`.

    Examples
    --------
    >>> own = OwnTable(pd.DataFrame({"age": [30, 40], "illness": ["flu", "cold"]}))
    >>> own.choose("illness", "left out")
    >>> own.table.columns, own.role_of("illness")
    (['age'], 'left out')
    >>> own.blur("age", "intervals 10")
    >>> own.table.attributes["age"].levels.labels[1], own.as_project("people.yaml").columns[0].hierarchy
    (['[30,40)', '[40,50)'], 'intervals 10')
    >>> own.upload("other.csv", b"city,illness\nUlm,flu\nBonn,cold\n")
    >>> own.columns
    ['city', 'illness']
    """

    name: str
    frame: pd.DataFrame
    guesses: pd.DataFrame
    roles: dict[str, str]
    single: dict[str, str | None]  # the columns of SINGLE_ROLES
    household_columns: tuple[str, ...]
    unit: str
    decision: str | None
    unknown_outside: tuple[str, ...]
    project: Project | None
    _like: Table | None  # the table whose attributes are kept, if it was one
    _reasons: dict[str, str]
    _refused: str
    _last: tuple[object, tuple[Table, list[str]]] | None
    _file: Path | None
    _reading: Mapping[str, Any]

    def __init__(
        self,
        data: str | os.PathLike[str] | pd.DataFrame | Table,
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        identifier: Sequence[str] | str = (),
        person: str | None = None,
        household: Sequence[str] | str | None = None,
        weight: str | None = None,
        unit: str | None = None,
        decision: str | None = None,
        also: Sequence[str] = (),
        unknown_outside: Sequence[str] = (),
        name: str | None = None,
        **options: Any,
    ):
        self._heard: list[str] = []
        identifier = [*names_of(identifier), *names_of(options.pop("identifiers", ()))]
        reading = {key: options.pop(key) for key in READING if key in options}
        self._settings = ColumnSettings(options)
        given: dict[str, Sequence[str] | str] = {QUASI: quasi, SENSITIVE: sensitive, IDENTIFIER: identifier, ALSO: also}
        if isinstance(data, str) and data in datasets.names():
            name, data = name or data, datasets.load(data)
        if isinstance(data, Table):
            data = open_table(data, **options)
            self._begin(name or "table", data.frame, guess_roles(data.frame), like=data)
            given = given if any(map(len, given.values())) else _roles_of(data)
        elif isinstance(data, pd.DataFrame):
            self._begin(name or "table", data, guess_roles(data))
        else:
            path = Path(data)
            frame = self._listen(lambda: read_table_file(path, **reading))
            self._heard = [text.replace(str(path), path.name) for text in self._heard]  # pages are passed on
            self._begin(name or path.name, frame, guess_roles(frame))
            self._file, self._reading = path, reading
        who = "its role in the table" if self._like is not None else "you named it"
        single: dict[str, Any] = {"person": person, "household": household, "weight": weight, "unit": unit}
        if self._like is not None:
            before = {role: getattr(self._like, role) for role in single}
            before["household"] = [*names_of(before["household"]), *self._like.household_columns]
            single = {role: before[role] if value is None else value for role, value in single.items()}
        self._take_roles(given, decision, single, unknown_outside, who)

    @classmethod
    def from_project(
        cls,
        project: Project | str | os.PathLike[str],
        data: str | os.PathLike[str] | pd.DataFrame | Table | None = None,
    ) -> OwnTable:
        """Open the table of a project file, with its roles.

        Parameters
        ----------
        project:
            The project, or its file.
        data:
            Another table with the project's columns, instead of the project's own.

        Raises
        ------
        ValueError
            If the project does not name its table. A mistake in the file raises ``ProjectError`` with a sentence for
            each.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = OwnTable(pd.DataFrame({"age": [30, 40]}), quasi="age").write_project(f"{folder}/people.yaml")
        ...     OwnTable.from_project(path, data=pd.DataFrame({"age": [50, 60]})).table.quasi
        ['age']
        """
        project = project if isinstance(project, Project) else read_project(project)
        data = project.data if data is None else data
        if data is None:
            raise ValueError(f"{project.path.name} does not say what its table is; add data: and the name of its file")
        result = cls(data, **{name: project.read[name] for name in READING if name in project.read})
        result.apply(project)
        return result

    def apply(self, project: Project) -> None:
        """Give the columns the roles of a project file, and everything else that it says about them.

        Raises
        ------
        ValueError
            If the table lacks a column of the project.

        Examples
        --------
        >>> own = OwnTable(pd.DataFrame({"age": [30, 40], "illness": ["flu", "cold"]}), quasi="age")
        >>> other = OwnTable(pd.DataFrame({"age": [50], "illness": ["flu"]}), sensitive="illness", quasi="age")
        >>> own.apply(other.as_project("people.yaml"))
        >>> own.table.sensitive
        ['illness']
        """
        absent = [column.name for column in project.columns if column.name not in self.columns]
        if absent:
            meant, names = did_you_mean(absent[0], self.columns), ", ".join(map(str, self.columns))
            lacking = f"{project.path.name}: the table has no column {absent[0]!r}"
            raise ValueError(f"{lacking}; {meant}its columns are {names}")
        options = project.table_options()
        given: dict[str, Sequence[str] | str] = {
            role: project.named(role) for role in (QUASI, SENSITIVE, IDENTIFIER, ALSO)
        }
        self._settings = ColumnSettings({name: options[name] for name in _SETTINGS if name in options})
        self._reading = {name: options[name] for name in READING if name in options}
        self._like = None if self._like is None else open_table(self._like, **self._settings.options)
        why = f"{project.path.name} says so"
        self._take_roles(given, options.get("decision"), vars(project), project.unknown_outside, why)
        self.project = project

    def _take_roles(
        self,
        given: Mapping[str, Sequence[str] | str],
        decision: str | None,
        single: Mapping[str, Any],
        unknown_outside: Sequence[str],
        who: str,
    ) -> None:
        """Take the roles that are given; if there are none, keep the guesses."""
        names = {role: names_of(single[role]) for role in SINGLE_ROLES}
        for role in SINGLE_ROLES if self._like is None else ():
            check_known(names[role], self.columns, role)
        self.single = {role: next(iter(names[role]), None) for role in SINGLE_ROLES}
        self.household_columns, self.unit = names["household"][1:], single["unit"] or "person"
        self.unknown_outside, self.decision = tuple(unknown_outside), decision
        if any(map(len, given.values())):
            named = _named_roles(self.columns, given, decision)
            self.roles = dict.fromkeys(self.columns, LEFT_OUT) | named
            self._reasons = {name: who if name in named else "no role was named for it" for name in self.columns}
        for role, name in self.single.items():
            if name is not None and (
                self.roles.get(name) == LEFT_OUT or (role == "weight" and self.roles.get(name, ALSO) != ALSO)
            ):
                self.roles[name], self._reasons[name] = IDENTIFIER, SINGLE_ROLES[role]

    def _begin(self, name: str, frame: pd.DataFrame, guesses: pd.DataFrame, like: Table | None = None) -> None:
        """Start afresh with a table whose roles are guessed."""
        self.name, self.frame, self.guesses, self._like = name, frame, guesses, like
        self.roles = dict(zip(guesses["column"], guesses["role"], strict=True))
        self._reasons = dict(zip(guesses["column"], guesses["reason"], strict=True))
        self._refused, self._last, self.decision, self.unknown_outside = "", None, None, ()
        self.single, self.household_columns, self.unit = dict.fromkeys(SINGLE_ROLES), (), "person"
        self._file, self._reading, self.project = None, {}, None

    def _listen(self, work: Callable[[], Made]) -> Made:
        """Do the work and keep its warnings as sentences."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            result = work()
        self._heard = list(dict.fromkeys(str(warning.message) for warning in caught))
        return result

    @property
    def columns(self) -> list[str]:
        """Return the names of all columns, whatever their role."""
        return list(self.frame.columns)

    def choose(self, column: str, role: str) -> None:
        """Give a column one of ``OFFERED_ROLES``; a refused upload is forgotten.

        Raises
        ------
        KeyError
            If there is no such column.
        ValueError
            If there is no such role.
        """
        check_known([column], self.columns, "column")
        if role not in OFFERED_ROLES:
            raise ValueError(f"{role!r} is no role; the roles are {', '.join(OFFERED_ROLES)}")
        if self.role_of(column) != role:
            self._reasons[column] = SINGLE_ROLES.get(role, "chosen")
            others = {each: None if name == column else name for each, name in self.single.items()}
            self.single = others | ({role: column} if role in SINGLE_ROLES else {})
        self.roles[column], self._refused = IDENTIFIER if role in SINGLE_ROLES else role, ""

    def role_of(self, column: str) -> str:
        """Return the role of a column, one of ``OFFERED_ROLES``."""
        return next((role for role, name in self.single.items() if name == column), self.roles[column])

    @property
    def person(self) -> str | None:
        """Return the column that says whose row it is."""
        return self.single["person"]

    @property
    def _single_roles(self) -> dict[str, Any]:
        """Return person, household, weight and unit as options of a table."""
        home = self.single["household"]
        whole = {"household": None if home is None else [home, *self.household_columns]}
        return {**self.single, **whole, "unit": self.unit if home is not None else "person"}

    def upload(self, name: str, raw: bytes | memoryview) -> None:
        """Replace the table by the bytes of a file; a broken file changes nothing but ``problem``.

        A project file (.yaml) gives its roles to the columns of the present table.
        """

        def read() -> tuple[pd.DataFrame, pd.DataFrame]:
            frame = read_table_bytes(bytes(raw), name)
            return frame, guess_roles(frame)

        try:
            if name.lower().endswith((".yaml", ".yml")):
                self.apply(parse_project(bytes(raw), name))
                return
            frame, guesses = self._listen(read)
        except ValueError as error:
            self._refused = "; ".join(str(error).splitlines())
        else:
            self._begin(name, frame, guesses)
            self._settings = ColumnSettings()

    @property
    def table(self) -> Table:
        """Return the columns that have a role as a Table; raise an error if the choices do not make one."""
        return self._made()[0]

    @classmethod
    def example(cls) -> OwnTable:
        """Return fictitious visits to a doctor: dates, people with several rows, missing values and two secrets."""
        return cls(example_visits(), **EXAMPLE_ROLES, name="example")

    @property
    def summary(self) -> str:
        """Return the roles and how many people are unique already, in a sentence."""
        table = self.table
        release = Release.of(table)
        alone = len(np.unique(table.people[(release.group_people == 1)[release.groups]]))
        known, secret = (", ".join(map(str, names)) or "none" for names in (table.quasi, table.sensitive))
        return (
            f"{self.name}: {alone:,} of {table.n_people:,} people are the only ones with their values of {known}"
            f"{' in some row' * table.people_repeat}. Sensitive: {secret}."
        )

    @property
    def notes(self) -> list[str]:
        """Return what is odd about the file and about the choices, one sentence each."""
        return [*self._heard, *self._made()[1]] if not self.problem else self._heard

    @property
    def problem(self) -> str:
        """Return why an upload was refused, or why there is no table yet; empty if all is well."""
        if self._refused:
            return self._refused
        try:
            self._made()
        except (ValueError, TypeError, KeyError) as error:
            return str(error.args[0] if isinstance(error, KeyError) and error.args else error)
        return ""

    def _made(self) -> tuple[Table, list[str]]:
        """Return the table and its warnings, made once for the same choices, since a large file takes time."""
        chosen = (tuple(self.roles.values()), repr(self._settings), repr(self._single_roles), self.decision)
        if self._last is None or self._last[0] != chosen:
            self._last = (chosen, self._make())
        return self._last[1]

    def _make(self) -> tuple[Table, list[str]]:
        names = {role: [name for name in self.columns if self.roles[name] == role] for role in ROLES}
        if not names[QUASI]:
            raise ValueError("no column is a quasi-identifier yet; choose those that others may know")
        kept = [name for name in self.columns if self.roles[name] in _PUBLISHED]
        decision = next(iter(names[DECISION]), self.decision if self.decision in kept else None)
        roles: dict[str, Any] = {"quasi": names[QUASI], "sensitive": names[SENSITIVE], "decision": decision}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            if self._like is None:
                whose = {*self.single.values(), *self.household_columns} - {None, *kept}
                frame = self.frame[[*kept, *(name for name in self.columns if name in whose)]]
                table = open_table(frame, **roles, **self._single_roles, **self._settings.of(kept))
                self._warn_of_repeated_people()
            else:
                roles |= self._single_roles
                table = self._like.with_roles(**roles, identifier=[])
                warn_of_identifiers(table.select(kept))
        weight = [self.single["weight"]] if self.single["weight"] in table.columns else []
        table = table.select([*kept, *weight])  # of what is not published, weights may be, as means
        return table, list(dict.fromkeys(str(warning.message) for warning in caught))

    def blur(self, column: str, how: Any) -> None:
        """Give a column a hierarchy; one that does not fit is refused and changes nothing.

        Parameters
        ----------
        column:
            The column.
        how:
            A hierarchy, or one written as on the command line (``"mask 5"``); empty for none.

        Raises
        ------
        ValueError
            If the hierarchy does not fit the column.
        """
        check_known([column], self.columns, "hierarchies")
        before = self._settings
        self._settings = before.with_hierarchy(column, how)
        if self.problem:
            problem, self._settings = self.problem, before
            raise ValueError(problem)

    def _warn_of_repeated_people(self) -> None:
        rows_are_people = self.project is not None and self.project.rows_are_people
        if self.person is not None or rows_are_people or not len(self.frame):
            return
        unpublished = [name for name in self.columns if self.roles[name] in (IDENTIFIER, LEFT_OUT)]
        repeated = find_repeated_people(self.frame, unpublished)
        if repeated is not None:
            warn_of_repeated_people(repeated.rows, {repeated.column: repeated.values})
            return
        lines = [line for line in self.guesses.itertuples() if self.roles[line.column] == IDENTIFIER]
        warn_of_repeated_people(len(self.frame), {line.column: line.values + bool(line.missing) for line in lines})

    def describe(self) -> pd.DataFrame:
        """Return a row per column: values, missing ones, its present role, and the reason."""
        lines = self.guesses.assign(role=list(map(self.role_of, self.columns))).set_index("column")
        return lines.assign(reason=list(self._reasons.values()))

    def head(self) -> pd.DataFrame:
        """Return the first rows and columns; a page with thousands of columns helps nobody."""
        return self.frame.iloc[:5, :SHOWN_COLUMNS]

    @property
    def title(self) -> str:
        """Return the name and the size of the table."""
        return f"{self.name}: {len(self.frame):,} rows × {len(self.columns)} columns"

    def __repr__(self) -> str:
        return f"OwnTable {self.title}"

    def _repr_html_(self) -> str:
        """Show columns and their roles, but no row, since the page of a batch run may be passed on."""
        return html_block(self.title, self.describe().head(SHOWN_COLUMNS))

    def as_project(self, path: str | os.PathLike[str], **chosen: Any) -> Project:
        """Return what is known about the table now, as a project.

        Parameters
        ----------
        path:
            Where the project file will be.
        chosen:
            Further parts of a Project: ``method``, ``parameters``, ``require``, ``suppression_limit``.
        """
        before = {} if self.project is None else vars(self.project)
        return Project(
            **{
                **before,
                "path": Path(path),
                "data": self._file,
                "read": {**self._reading, **self._settings.missing},
                **{**self._single_roles, "household": tuple(self._single_roles["household"] or ())},
                "rows_are_people": self.person is None and bool(before.get("rows_are_people")),
                "columns": tuple(map(self._column, self.columns)),
                **chosen,
            }
        )

    @property
    def may_name(self) -> tuple[str, ...]:
        """Return the columns whose texts may name people, as the project declares."""
        return () if self.project is None else self.project.may_name

    @property
    def identities(self) -> dict[str, list[str]]:
        """Return the values of the identifier columns, which no published text may hold."""
        return identity_values(self.frame[[name for name in self.columns if self.roles[name] == IDENTIFIER]])

    def write_project(self, path: str | os.PathLike[str], **chosen: Any) -> Path:
        """Write :meth:`as_project` to a file, with a remark on why each column has its role.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     OwnTable(pd.DataFrame({"age": [30, 40]}), quasi="age").write_project(f"{folder}/people.yaml").name
        'people.yaml'
        """
        why = {str(name): reason for name, reason in self._reasons.items()}
        with atomic_write(path) as file:
            file.write(format_project(self.as_project(path, **chosen), why))
        return Path(path)

    def _column(self, name: str) -> ProjectColumn:
        roles = (self.roles[name], DECISION) if name == self.decision else (self.roles[name],)
        column = self._settings.project_column(name, tuple(dict.fromkeys(roles)), name not in self.unknown_outside)
        return replace(column, may_name=name in self.may_name)


# ---- what is said about columns ------------------------------------------------------------------------------------


def _roles_of(table: Table) -> dict[str, Sequence[str] | str]:
    """Return the columns of a table by role, except its decision."""
    return {QUASI: table.quasi, SENSITIVE: table.sensitive, IDENTIFIER: table.identifiers, ALSO: []}


def _named_roles(
    columns: Sequence[str], given: Mapping[str, Sequence[str] | str], decision: str | None
) -> dict[str, str]:
    """Return the role of each column that has one; refuse what Table refuses."""
    roles = Roles.of(
        columns, quasi=given[QUASI], sensitive=given[SENSITIVE], identifier=given[IDENTIFIER], decision=decision
    )
    check_known(given[ALSO], columns, "also")
    lists = {ALSO: given[ALSO], DECISION: [] if decision is None else [decision]}
    lists |= {QUASI: roles.quasi, SENSITIVE: roles.sensitive, IDENTIFIER: roles.identifier}
    return {name: role for role, names in lists.items() for name in names}
