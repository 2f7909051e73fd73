"""Your own table: from a file, or the name of a shipped one, to a Table with roles."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb.files.reading import read_table_bytes, read_table_file
from anonnb.projects.roles import IDENTIFIER, LEFT_OUT, QUASI, ROLES, SENSITIVE, guess_roles, warn_of_identifiers
from anonnb.tables import datasets
from anonnb.tables.release import Release
from anonnb.tables.roles import Roles, check_known, warn_of_repeated_people
from anonnb.tables.table import Table, html_block

SHOWN_COLUMNS = 60  # of a wide table


def open_table(
    data: str | os.PathLike | pd.DataFrame | Table,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    identifier: Sequence[str] | str = (),
    person: str | None = None,
    **options,
) -> Table:
    """A table from a shipped name (``"survey"``), a CSV or Parquet file, or a DataFrame; roles as in Table.

    Roles that are given replace those of a shipped table; a file needs at least ``quasi``. Further options go to Table.

    >>> open_table("survey", quasi=["Sex"]).quasi
    ['Sex']
    """
    roles = {"quasi": quasi, "sensitive": sensitive, "identifier": identifier}
    given = {role: names for role, names in roles.items() if len(names)}
    given |= {} if person is None else {"person": person}
    if isinstance(data, str) and data in datasets.names():
        data = datasets.load(data)
    if isinstance(data, Table):
        table = data.with_roles(**given)
    else:
        frame = data if isinstance(data, pd.DataFrame) else read_table_file(data)
        if not len(quasi):
            columns = ", ".join(map(str, frame.columns))
            raise ValueError(f"quasi is empty: name the columns that others may know; the columns are {columns}")
        table = Table(frame, **given, **options)
    warn_of_identifiers(table)
    return table


class OwnTable:
    """A table on its way: its columns, the role that each has now, and one sentence where something is wrong.

    ``data`` is what :func:`open_table` takes, and so are the roles; without roles they are guessed. ``person`` is never
    guessed.

    >>> own = OwnTable(pd.DataFrame({"age": [30, 40], "illness": ["flu", "cold"]}))
    >>> own.choose("illness", "left out")
    >>> own.table.columns
    ['age']
    """

    def __init__(
        self,
        data: str | os.PathLike | pd.DataFrame | Table,
        *,
        quasi: Sequence[str] | str = (),
        sensitive: Sequence[str] | str = (),
        identifier: Sequence[str] | str = (),
        person: str | None = None,
        name: str | None = None,
    ):
        self._heard: list[str] = []
        given = {QUASI: quasi, SENSITIVE: sensitive, IDENTIFIER: identifier}
        if isinstance(data, str) and data in datasets.names():
            name, data = name or data, datasets.load(data)
        if isinstance(data, Table):
            self._begin(name or "table", data.frame, guess_roles(data.frame), like=data)
            given = given if any(map(len, given.values())) else _roles_of(data)
        elif isinstance(data, pd.DataFrame):
            self._begin(name or "table", data, guess_roles(data))
        else:
            frame = self._listen(lambda: read_table_file(data))
            self._begin(name or Path(data).name, frame, guess_roles(frame))
        self.person = person if person is not None or self._like is None else self._like.person
        if self.person is not None and self._like is None:
            check_known([self.person], self.columns, "person")
        if any(map(len, given.values())):
            named = self._checked(given)
            self.roles = dict.fromkeys(self.columns, LEFT_OUT) | named
            who = "its role in the table" if self._like is not None else "you named it"
            self._reasons = {name: who if name in named else "no role was named for it" for name in self.columns}

    def _begin(self, name: str, frame: pd.DataFrame, guesses: pd.DataFrame, like: Table | None = None) -> None:
        self.name, self.frame, self.guesses, self._like = name, frame, guesses, like
        self.roles: dict[str, str] = dict(zip(guesses["column"], guesses["role"], strict=True))
        self._reasons: dict[str, str] = dict(zip(guesses["column"], guesses["reason"], strict=True))
        self._refused, self._last, self.person = "", None, None

    def _checked(self, given: dict[str, Sequence[str] | str]) -> dict[str, str]:
        """The role of each column that has one; refuses what Table refuses."""
        roles = Roles.of(self.columns, given[QUASI], given[SENSITIVE], None, given[IDENTIFIER])
        lists = {QUASI: roles.quasi, SENSITIVE: roles.sensitive, IDENTIFIER: roles.identifier}
        return {name: role for role, names in lists.items() for name in names}

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
        """Give a column one of the ROLES; a refused upload is forgotten then."""
        if column not in self.roles:
            raise KeyError(f"there is no column {column!r}; the columns are {', '.join(map(str, self.columns))}")
        if role not in ROLES:
            raise ValueError(f"{role!r} is no role; the roles are {', '.join(ROLES)}")
        if self.roles[column] != role:
            self._reasons[column] = "chosen"
        self.roles[column], self._refused = role, ""

    def upload(self, name: str, raw: bytes | memoryview) -> None:
        """Take the bytes of a file instead of the table so far; a broken one changes nothing but ``problem``."""

        def read() -> tuple[pd.DataFrame, pd.DataFrame]:
            frame = read_table_bytes(bytes(raw), name)
            return frame, guess_roles(frame)

        try:
            frame, guesses = self._listen(read)
        except ValueError as error:
            self._refused = str(error)
        else:
            self._begin(name, frame, guesses)

    @property
    def table(self) -> Table:
        """The columns that have a role, as a Table; raises where the choices make none."""
        return self._made()[0]

    @classmethod
    def example(cls) -> OwnTable:
        """1,000 people of Adult, for those who have no file at hand."""
        people = datasets.load("adult").take(range(1000))
        known = ["age", "sex", "education", "marital-status"]
        return cls(people.frame.drop(columns="fnlwgt"), quasi=known, sensitive="occupation", name="example")

    @property
    def summary(self) -> str:
        """One sentence: the roles, and how many people stand alone already."""
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
        """The table and what it warns of; made once for the same choices, as a large file takes its time."""
        chosen = tuple(self.roles.values())
        if self._last is None or self._last[0] != chosen:
            self._last = (chosen, self._make())
        return self._last[1]

    def _make(self) -> tuple[Table, list[str]]:
        names = {role: [name for name in self.columns if self.roles[name] == role] for role in ROLES}
        if not names[QUASI]:
            raise ValueError("no column is a quasi-identifier yet; choose those that others may know")
        roles = {"quasi": names[QUASI], "sensitive": names[SENSITIVE]}
        kept = [name for name in self.columns if self.roles[name] in (QUASI, SENSITIVE)]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            if self._like is None:
                whose = [] if self.person is None or self.person in kept else [self.person]
                table = Table(self.frame[[*kept, *whose]], **roles, person=self.person).select(kept)
                self._warn_of_repeated_people()
            else:
                roles |= {} if self.person == self._like.person else {"person": self.person}
                table = self._like.with_roles(**roles, identifier=[], decision=None).select(kept)
            warn_of_identifiers(table)
        return table, list(dict.fromkeys(str(warning.message) for warning in caught))

    def _warn_of_repeated_people(self) -> None:
        if self.person is None and len(self.frame):
            lines = [line for line in self.guesses.itertuples() if self.roles[line.column] == IDENTIFIER]
            warn_of_repeated_people(len(self.frame), {line.column: line.values + bool(line.missing) for line in lines})

    def describe(self) -> pd.DataFrame:
        """One line per column: values, missing ones, the role it has now, and the reason."""
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
        """The page of a batch run may be passed on: rows are shown without identifiers and what is left out."""
        shown = [name for name in self.columns if self.roles[name] in (QUASI, SENSITIVE)][:SHOWN_COLUMNS]
        return html_block(self.title, self.frame[shown].head(), self.describe().head(SHOWN_COLUMNS))


def _roles_of(table: Table) -> dict[str, Sequence[str]]:
    return {QUASI: table.quasi, SENSITIVE: table.sensitive, IDENTIFIER: table.identifiers}
