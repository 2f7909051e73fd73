"""What somebody says about the columns of a table: their roles, and how each is read, ordered and generalized.

The same is written in three ways: as options of ``open_table``, as roles that a user chooses one by one, and as the
columns of a project file. This module turns one into the other and refuses what :class:`anonnb.Table` refuses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from anonnb.projects.project import ALSO, DECISION, ProjectColumn
from anonnb.projects.roles import IDENTIFIER, QUASI, SENSITIVE
from anonnb.tables.labels import text as as_text
from anonnb.tables.roles import Roles, check_known
from anonnb.tables.table import Table

SETTINGS = ("kinds", "orders", "hierarchies", "missing", "weights", "limits")


def roles_of(table: Table) -> dict[str, Sequence[str]]:
    """The columns of a table by role, its decision aside."""
    return {QUASI: table.quasi, SENSITIVE: table.sensitive, IDENTIFIER: table.identifiers, ALSO: []}


def named_roles(
    columns: Sequence[str], given: Mapping[str, Sequence[str] | str], decision: str | None
) -> dict[str, str]:
    """The role of each column that has one; refuses what Table refuses."""
    roles = Roles.of(columns, given[QUASI], given[SENSITIVE], decision, given[IDENTIFIER])
    check_known(given[ALSO], columns, "also")
    lists = {ALSO: given[ALSO], DECISION: [] if decision is None else [decision]}
    lists |= {QUASI: roles.quasi, SENSITIVE: roles.sensitive, IDENTIFIER: roles.identifier}
    return {name: role for role, names in lists.items() for name in names}


@dataclass(frozen=True)
class ColumnSettings:
    """What is said about columns besides their roles, as options of ``open_table``; most are by column.

    >>> settings = ColumnSettings({"kinds": {"age": "numeric"}}).with_hierarchy("age", "intervals 10")
    >>> settings.of(["zip"]), settings.missing
    ({'kinds': {}, 'hierarchies': {}}, {})
    >>> settings.project_column("age", ("quasi-identifier",), known_outside=True).hierarchy
    'intervals 10'
    """

    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_project(cls, described: Mapping[str, Any]) -> ColumnSettings:
        """Those of a project as it describes itself, which says more than this."""
        return cls({name: described[name] for name in SETTINGS if name in described})

    def of(self, kept: Collection[str]) -> dict[str, Any]:
        """The options, about the columns that are kept."""
        return {
            name: {column: said for column, said in value.items() if column in kept}
            if isinstance(value, Mapping)
            else value
            for name, value in self.options.items()
        }

    def with_hierarchy(self, column: str, how: Any) -> ColumnSettings:
        """The same with another hierarchy of a column; empty for none."""
        others = {name: said for name, said in self._by_column("hierarchies").items() if name != column}
        return ColumnSettings({**self.options, "hierarchies": {**others, **({column: how} if how else {})}})

    @property
    def missing(self) -> dict[str, Any]:
        """What a missing value is, as part of how a project's file is read; nothing if that is not said."""
        return {"missing": self.options["missing"]} if "missing" in self.options else {}

    def project_column(self, name: str, roles: tuple[str, ...], known_outside: bool) -> ProjectColumn:
        """A column as it stands in a project file; its hierarchy must be written as a text."""
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
