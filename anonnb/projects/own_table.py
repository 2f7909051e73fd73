"""Your own table: from a file, a project or the name of a shipped one to a Table with roles, and back to a project."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb.files.reading import read_table_bytes, read_table_file
from anonnb.files.writing import atomic_write
from anonnb.projects.columns import ColumnSettings, named_roles, roles_of
from anonnb.projects.example import EXAMPLE_ROLES, example_visits
from anonnb.projects.project import ALSO, DECISION, ROLES, Project, ProjectColumn, project_in, read_project
from anonnb.projects.roles import IDENTIFIER, LEFT_OUT, QUASI, SENSITIVE, guess_roles, warn_of_identifiers
from anonnb.projects.starting import text_of_project
from anonnb.projects.table_opening import READING, open_table
from anonnb.tables import datasets
from anonnb.tables.descriptions import html_block
from anonnb.tables.release import Release
from anonnb.tables.roles import check_known, warn_of_repeated_people
from anonnb.tables.table import Table

SHOWN_COLUMNS = 60  # of a wide table
_PUBLISHED = (QUASI, SENSITIVE, DECISION, ALSO)


class OwnTable:
    r"""A table that is being prepared: its columns, their roles, and one sentence if something is wrong.

    Parameters
    ----------
    data:
        A file, a frame, a table or the name of a shipped one, as for :func:`open_table`.
    quasi, sensitive, identifier, decision:
        Columns by role; without any, roles are guessed.
    person:
        The column that says whose row it is; it is never guessed.
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
    >>> own.table.columns
    ['age']
    >>> own.blur("age", "intervals 10")
    >>> own.table.attributes["age"].levels.labels[1], own.as_project("people.yaml").columns[0].hierarchy
    (['[30,40)', '[40,50)'], 'intervals 10')
    >>> own.upload("other.csv", b"city,illness\nUlm,flu\nBonn,cold\n")
    >>> own.columns
    ['city', 'illness']
    """

    def __init__(
        self,
        data: str | os.PathLike | pd.DataFrame | Table,
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        identifier: Sequence[str] | str = (),
        person: str | None = None,
        decision: str | None = None,
        also: Sequence[str] = (),
        unknown_outside: Sequence[str] = (),
        name: str | None = None,
        **options: Any,
    ):
        self._heard: list[str] = []
        reading = {key: options.pop(key) for key in READING if key in options}
        self._settings, self._file = ColumnSettings(options), None
        given = {QUASI: quasi, SENSITIVE: sensitive, IDENTIFIER: identifier, ALSO: also}
        if isinstance(data, str) and data in datasets.names():
            name, data = name or data, datasets.load(data)
        if isinstance(data, Table):
            data = open_table(data, **options)
            self._begin(name or "table", data.frame, guess_roles(data.frame), like=data)
            given = given if any(map(len, given.values())) else roles_of(data)
        elif isinstance(data, pd.DataFrame):
            self._begin(name or "table", data, guess_roles(data))
        else:
            frame = self._listen(lambda: read_table_file(data, **reading))
            self._heard = [said.replace(str(data), Path(data).name) for said in self._heard]  # pages are passed on
            self._begin(name or Path(data).name, frame, guess_roles(frame))
            self._file, self._reading = Path(data), reading
        who = "its role in the table" if self._like is not None else "you named it"
        person = person if person is not None or self._like is None else self._like.person
        self._name(given, decision, person, unknown_outside, who)

    @classmethod
    def from_project(cls, project: Project | str | os.PathLike, data: Any = None) -> OwnTable:
        """The table of a project file, with its roles.

        Parameters
        ----------
        project:
            The project, or its file.
        data:
            Another table with the project's columns, instead of the project's own.

        Returns
        -------
        OwnTable
            The table.

        Raises
        ------
        ValueError
            If the project does not name its table. A mistake in the file raises ``BadProject`` with a sentence for
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
        if data is None and project.data is None:
            raise ValueError(f"{project.path.name} does not say what its table is; add data: and the name of its file")
        reading = {name: project.read[name] for name in READING if name in project.read}
        own = cls(project.data if data is None else data, **reading)
        own.apply(project)
        return own

    def apply(self, project: Project) -> None:
        """Give the columns the roles of a project file, and everything else that it says about them.

        Parameters
        ----------
        project:
            The project.

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
            names = ", ".join(map(str, self.columns))
            raise ValueError(f"{project.path.name}: the table has no column {absent[0]!r}; its columns are {names}")
        said = project.described()
        given = {role: project.named(role) for role in (QUASI, SENSITIVE, IDENTIFIER, ALSO)}
        self._settings = ColumnSettings.of_project(said)
        self._reading = {name: said[name] for name in READING if name in said}
        self._like = None if self._like is None else open_table(self._like, **self._settings.options)
        self._name(given, said.get("decision"), project.person, project.unknown_outside, f"{project.path.name} says so")
        self.project = project

    def _name(
        self,
        given: Mapping[str, Sequence[str] | str],
        decision: str | None,
        person: str | None,
        unknown_outside: Sequence[str],
        who: str,
    ) -> None:
        """Take the roles that are given; without any, the guesses stay."""
        if person is not None and self._like is None:
            check_known([person], self.columns, "person")
        self.person, self.unknown_outside, self.decision = person, tuple(unknown_outside), decision
        if any(map(len, given.values())):
            named = named_roles(self.columns, given, decision)
            self.roles = dict.fromkeys(self.columns, LEFT_OUT) | named
            self._reasons = {name: who if name in named else "no role was named for it" for name in self.columns}
        if person in self.roles and self.roles[person] == LEFT_OUT:
            self.roles[person], self._reasons[person] = IDENTIFIER, "it says whose row it is"

    def _begin(self, name: str, frame: pd.DataFrame, guesses: pd.DataFrame, like: Table | None = None) -> None:
        self.name, self.frame, self.guesses, self._like = name, frame, guesses, like
        self.roles: dict[str, str] = dict(zip(guesses["column"], guesses["role"], strict=True))
        self._reasons: dict[str, str] = dict(zip(guesses["column"], guesses["reason"], strict=True))
        self._refused, self._last, self.person, self.decision, self.unknown_outside = "", None, None, None, ()
        self._file, self._reading, self.project = None, {}, None

    def _listen(self, work: Callable[[], Any]) -> Any:
        """Do the work and keep what it warns of, as sentences."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            result = work()
        self._heard = list(dict.fromkeys(str(warning.message) for warning in caught))
        return result

    @property
    def columns(self) -> list[str]:
        """The names of all columns, whatever their role."""
        return list(self.frame.columns)

    def choose(self, column: str, role: str) -> None:
        """Give a column a role; a refused upload is then forgotten.

        Parameters
        ----------
        column, role:
            The column, and one of ``ROLES``.

        Raises
        ------
        KeyError
            If there is no such column.
        ValueError
            If there is no such role.
        """
        if column not in self.roles:
            raise KeyError(f"there is no column {column!r}; the columns are {', '.join(map(str, self.columns))}")
        if role not in ROLES:
            raise ValueError(f"{role!r} is no role; the roles are {', '.join(ROLES)}")
        if self.roles[column] != role:
            self._reasons[column] = "chosen"
        self.roles[column], self._refused = role, ""

    def upload(self, name: str, raw: bytes | memoryview) -> None:
        """Replace the table by the bytes of a file; a broken file changes nothing but ``problem``.

        A project file (.yaml) gives its roles to the columns of the present table.

        Parameters
        ----------
        name, raw:
            The name of the file, and its bytes.
        """

        def read() -> tuple[pd.DataFrame, pd.DataFrame]:
            frame = read_table_bytes(bytes(raw), name)
            return frame, guess_roles(frame)

        try:
            if name.lower().endswith((".yaml", ".yml")):
                self.apply(project_in(bytes(raw), name))
                return
            frame, guesses = self._listen(read)
        except ValueError as error:
            self._refused = "; ".join(str(error).splitlines())
        else:
            self._begin(name, frame, guesses)
            self._settings = ColumnSettings()

    @property
    def table(self) -> Table:
        """The columns that have a role, as a Table; an error if the choices do not make one."""
        return self._made()[0]

    @classmethod
    def example(cls) -> OwnTable:
        """Fictitious visits to a doctor's practice: dates, people with several rows, missing values and two secrets."""
        return cls(example_visits(), **EXAMPLE_ROLES, name="example")

    @property
    def summary(self) -> str:
        """One sentence: the roles, and how many people are unique already."""
        table = self.table
        alone = int((Release.of(table).group_people == 1).sum())
        known, secret = (", ".join(map(str, names)) or "none" for names in (table.quasi, table.sensitive))
        return (
            f"{self.name}: {alone:,} of {table.n_people:,} people are the only ones with their values of {known}. "
            f"Sensitive: {secret}."
        )

    @property
    def notes(self) -> list[str]:
        """What is odd about the file and about the choices, one sentence each."""
        return [*self._heard, *self._made()[1]] if not self.problem else self._heard

    @property
    def problem(self) -> str:
        """Why an upload was refused, or why there is no table yet; empty when all is well."""
        if self._refused:
            return self._refused
        try:
            self._made()
        except (ValueError, TypeError, KeyError) as error:
            return str(error.args[0] if isinstance(error, KeyError) and error.args else error)
        return ""

    def _made(self) -> tuple[Table, list[str]]:
        """The table and its warnings; made once for the same choices, since a large file takes time."""
        chosen = (tuple(self.roles.values()), repr(self._settings), self.person, self.decision)
        if self._last is None or self._last[0] != chosen:
            self._last = (chosen, self._make())
        return self._last[1]

    def _make(self) -> tuple[Table, list[str]]:
        names = {role: [name for name in self.columns if self.roles[name] == role] for role in ROLES}
        if not names[QUASI]:
            raise ValueError("no column is a quasi-identifier yet; choose those that others may know")
        kept = [name for name in self.columns if self.roles[name] in _PUBLISHED]
        decision = next(iter(names[DECISION]), self.decision if self.decision in kept else None)
        roles = {"quasi": names[QUASI], "sensitive": names[SENSITIVE], "decision": decision}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            if self._like is None:
                whose = [] if self.person is None or self.person in kept else [self.person]
                frame = self.frame[[*kept, *whose]]
                table = open_table(frame, **roles, person=self.person, **self._settings.of(kept)).select(kept)
                self._warn_of_repeated_people()
            else:
                roles |= {} if self.person == self._like.person else {"person": self.person}
                table = self._like.with_roles(**roles, identifier=[]).select(kept)
                warn_of_identifiers(table)
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
            said, self._settings = self.problem, before
            raise ValueError(said)

    def _warn_of_repeated_people(self) -> None:
        if self.person is None and len(self.frame):
            lines = [line for line in self.guesses.itertuples() if self.roles[line.column] == IDENTIFIER]
            warn_of_repeated_people(len(self.frame), {line.column: line.values + bool(line.missing) for line in lines})

    def describe(self) -> pd.DataFrame:
        """A row per column: values, missing ones, its present role, and the reason."""
        lines = self.guesses.assign(role=self.roles.values()).set_index("column")
        return lines.assign(reason=list(self._reasons.values()))

    def head(self) -> pd.DataFrame:
        """The first rows; a page with thousands of columns helps nobody."""
        return self.frame.iloc[:5, :SHOWN_COLUMNS]

    @property
    def title(self) -> str:
        """The name and the size of the table."""
        return f"{self.name}: {len(self.frame):,} rows × {len(self.columns)} columns"

    def _repr_html_(self) -> str:
        """Columns and their roles, but no row, since the page of a batch run may be passed on."""
        return html_block(self.title, self.describe().head(SHOWN_COLUMNS))

    def as_project(self, path: str | os.PathLike, **chosen: Any) -> Project:
        """What is known about the table now, as a project.

        Parameters
        ----------
        path:
            Where the project file will be.
        chosen:
            Further parts of a Project: ``method``, ``parameters``, ``require``, ``suppression_limit``.

        Returns
        -------
        Project
            The project.
        """
        before = {} if self.project is None else vars(self.project)
        return Project(
            **{
                **before,
                "path": Path(path),
                "data": self._file,
                "read": {**self._reading, **self._settings.missing},
                "person": self.person,
                "columns": tuple(map(self._column, self.columns)),
                **chosen,
            }
        )

    def write_project(self, path: str | os.PathLike, **chosen: Any) -> Path:
        """Write the project file, with a remark on why each column has its role.

        Parameters
        ----------
        path, chosen:
            As for :meth:`as_project`.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     OwnTable(pd.DataFrame({"age": [30, 40]}), quasi="age").write_project(f"{folder}/people.yaml").name
        'people.yaml'
        """
        why = {str(name): reason for name, reason in self._reasons.items()}
        with atomic_write(path) as file:
            file.write(text_of_project(self.as_project(path, **chosen), why))
        return Path(path)

    def _column(self, name: str) -> ProjectColumn:
        roles = (self.roles[name], DECISION) if name == self.decision else (self.roles[name],)
        return self._settings.project_column(name, tuple(dict.fromkeys(roles)), name not in self.unknown_outside)
