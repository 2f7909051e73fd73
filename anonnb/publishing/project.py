"""The project file: what a table is and how it is published, written down once and corrected by a person.

A YAML file says everything that the options of the command line say, so every command can take it instead. It is read
strictly: an unknown key, a wrong value or a column with two roles is a mistake, and all mistakes are reported at once,
with their lines. Names of columns and their values are texts, whatever YAML would make of them.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import yaml

from anonnb.core.wording import did_you_mean
from anonnb.files.opening import BadFile, bytes_of
from anonnb.files.yaml_limits import check_yaml
from anonnb.publishing.table_opening import ALSO, DECISION, IDENTIFIER, LEFT_OUT, QUASI, ROLES, SENSITIVE
from anonnb.tables.roles import UNITS

if TYPE_CHECKING:
    from anonnb.tables.table import Table

VERSION = 1
Number = TypeVar("Number", int, float)
KINDS = ("nominal", "ordinal", "numeric")
DECISIONS = ("purpose", "recipients", "retention", "decided")  # for the officer's page
_TOP = (
    *("anonnb", "reviewed", "data", "read", "person", "household", "unit", "weight", "rows_are_people"),
    *("columns", "method", "require", "population"),
    *("suppression_limit", *DECISIONS),
)
_READ = ("sep", "encoding", "decimal", "dayfirst", "sheet", "missing")
_COLUMN = ("role", "kind", "order", "hierarchy", "known_outside", "may_name", "weight", "highest_level")


class ProjectError(ValueError):
    """A project file has mistakes; ``mistakes`` holds a sentence for each."""

    def __init__(self, mistakes: Iterable[str]):
        self.mistakes = list(mistakes)
        super().__init__("\n".join(self.mistakes))


@dataclass(frozen=True)
class ProjectColumn:
    """The roles of a column, how it is read, and how it may be generalized."""

    name: str
    roles: tuple[str, ...]
    kind: str | None = None
    order: tuple[str, ...] = ()
    hierarchy: str | None = None
    known_outside: bool = True
    weight: float | None = None
    highest_level: int | None = None
    may_name: bool = False


@dataclass(frozen=True)
class Project:
    """The content of a project file; paths in it are relative to its folder."""

    path: Path
    data: Path | None = None
    read: Mapping[str, Any] = field(default_factory=dict)
    person: str | None = None
    household: tuple[str, ...] = ()  # its column, and those that are the same for all its members
    unit: str = "person"
    weight: str | None = None
    columns: tuple[ProjectColumn, ...] = ()
    method: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    require: tuple[str, ...] = ()
    population: Path | None = None
    suppression_limit: float | None = None
    purpose: str | None = None
    recipients: str | None = None
    retention: str | None = None
    decided: str | None = None
    rows_are_people: bool = False
    reviewed: str | None = None

    def named(self, role: str) -> tuple[str, ...]:
        """Return the columns with a role."""
        return tuple(column.name for column in self.columns if role in column.roles)

    @property
    def unknown_outside(self) -> tuple[str, ...]:
        """Return the columns that are published as they are and that nobody outside can know."""
        return tuple(column.name for column in self.columns if ALSO in column.roles and not column.known_outside)

    @property
    def may_name(self) -> tuple[str, ...]:
        """Return the columns whose texts may name people."""
        return tuple(column.name for column in self.columns if column.may_name)

    def apply_preferences(self, table: Table) -> Table:
        """Give a table the weights and the highest levels that the project names."""
        table = table.with_weights(**self.weights) if self.weights else table
        return table.with_limits(**self.limits) if self.limits else table

    @property
    def weights(self) -> dict[str, float]:
        """Return how much the loss of a column counts, for columns that say so."""
        return {column.name: column.weight for column in self.columns if column.weight is not None}

    @property
    def limits(self) -> dict[str, int]:
        """Return the highest level that may be published, for columns that say so."""
        return {column.name: column.highest_level for column in self.columns if column.highest_level is not None}

    def table_options(self) -> dict[str, Any]:
        """Return the project as options of ``open_table``."""
        given = {
            "quasi": list(self.named(QUASI)),
            "sensitive": list(self.named(SENSITIVE)),
            "identifier": list(self.named(IDENTIFIER)),
            "decision": next(iter(self.named(DECISION)), None),
            **self._single_roles,
            "kinds": {column.name: column.kind for column in self.columns if column.kind and not column.order},
            "orders": {column.name: list(column.order) for column in self.columns if column.order},
            "hierarchies": {column.name: self._how(column.hierarchy) for column in self.columns if column.hierarchy},
            "weights": self.weights,
            "limits": self.limits,
            **self.read,
        }
        return {name: value for name, value in given.items() if value}

    @property
    def _single_roles(self) -> dict[str, Any]:
        """Return person, household and weight as options of a table."""
        unit = self.unit if self.household else None
        return {"person": self.person, "household": list(self.household), "weight": self.weight, "unit": unit}

    def _how(self, hierarchy: str) -> str:
        """Return the words of a hierarchy, or the path of its file, which is beside the project."""
        beside = self.path.parent / hierarchy
        return str(beside) if hierarchy.lower().endswith((".csv", ".txt", ".tsv")) else hierarchy

    def command_options(self) -> dict[str, Any]:
        """Return the project as options of the command line, as a user would write them."""
        given = {
            "file": self.data and str(self.data),
            "quasi": self.named(QUASI),
            "sensitive": self.named(SENSITIVE),
            "identifier": self.named(IDENTIFIER),
            "decision": next(iter(self.named(DECISION)), None),
            **self._single_roles,
            "household": ",".join(self.household) or None,
            "rows_are_people": self.rows_are_people or None,
            "also": self.named(ALSO),
            "unknown_outside": self.unknown_outside,
            "may_name": self.may_name,
            "kinds": tuple(
                f"{column.name}={column.kind}" for column in self.columns if column.kind and not column.order
            ),
            "orders": tuple(f"{column.name}={','.join(column.order)}" for column in self.columns if column.order),
            "hierarchies": tuple(
                f"{column.name}={self._how(column.hierarchy)}" for column in self.columns if column.hierarchy
            ),
            "require": self.require,
            "population": self.population and str(self.population),
            "suppression_limit": self.suppression_limit,
            **self.read,
        }
        parameters = dict(self.parameters)
        given |= {"method_name": self.method, "k": parameters.pop("k", None), "seed": parameters.pop("seed", None)}
        given["params"] = tuple(f"{name}={value}" for name, value in parameters.items())
        return {name: value for name, value in given.items() if value not in (None, ())}


def read_project(path: str | os.PathLike[str]) -> Project:
    """Read a project file; raise ProjectError with a sentence for every mistake.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.yaml"
    >>> _ = path.write_text("anonnb: 1\\ncolumns:\\n  age: {role: quasi-identifier}\\n  zip: {rolle: sensitive}\\n")
    >>> read_project(path)
    Traceback (most recent call last):
    ...
    anonnb.publishing.project.ProjectError: people.yaml, line 4: there is no key 'rolle'; did you mean role? ...
    """
    return parse_project(bytes_of(path), path)


def parse_project(raw: bytes, path: str | os.PathLike[str]) -> Project:
    """Parse the bytes of a project file, for example an uploaded one; ``path`` is where it is, or would be."""
    path = Path(path)
    try:
        text = raw.decode("utf-8-sig")
        check_yaml(text)
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        raise BadFile(f"{path.name} is not written in UTF-8; save it so") from None
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ProjectError([f"{path.name}{line}: this is no YAML: {error.problem}"]) from None
    except yaml.YAMLError as error:
        raise ProjectError([f"{path.name}: this is no YAML: {' '.join(str(error).split())}"]) from None
    except ValueError as error:  # from check_yaml
        raise ProjectError([f"{path.name}, {error}"]) from None
    reader = _ProjectReader(path)
    project = reader.project(tree)
    if reader.mistakes:
        raise ProjectError(reader.mistakes)
    return project


class _ProjectReader:
    """Read the nodes of a file, which know their lines, and collect every mistake."""

    def __init__(self, path: Path):
        self.path, self.mistakes = path, list[str]()

    def add_mistake(self, node: yaml.Node | None, sentence: str) -> None:
        line = 1 if node is None else node.start_mark.line + 1
        self.mistakes.append(f"{self.path.name}, line {line}: {sentence}")

    # ---- parts of YAML ------------------------------------------------------------------------------------------

    def mapping(self, node: yaml.Node | None, what: str, allowed: Iterable[str] | None = None) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            if not self.empty(node):
                self.add_mistake(node, f"{what} must be keys with values, such as role: sensitive")
            return {}
        entries: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name:
                self.add_mistake(key, f"a key of {what} must be a text")
            elif name in entries:
                self.add_mistake(key, f"the key {name!r} of {what} is given twice; keep one")
            elif allowed is not None and name not in allowed:
                known = f"{did_you_mean(name, allowed)}known are {', '.join(allowed)}"
                self.add_mistake(key, f"there is no key {name!r}; {known}")
            else:
                entries[name] = value
        return entries

    def empty(self, node: yaml.Node | None) -> bool:
        return node is None or (isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null")

    def text(self, node: yaml.Node | None, what: str) -> str | None:
        if self.empty(node):
            return None
        if not isinstance(node, yaml.ScalarNode):
            self.add_mistake(node, f"{what} must be a text")
            return None
        return node.value

    def texts(self, node: yaml.Node | None, what: str) -> tuple[str, ...]:
        if isinstance(node, yaml.SequenceNode):
            return tuple(filter(None, (self.text(part, what) for part in node.value)))
        value = self.text(node, what)
        return () if value is None else (value,)

    def choice(self, node: yaml.Node | None, what: str, allowed: Iterable[str]) -> str | None:
        value = self.text(node, what)
        if value is not None and value not in allowed:
            known = f"{did_you_mean(value, allowed)}known are {', '.join(allowed)}"
            self.add_mistake(node, f"{value!r} is no {what}; {known}")
            return None
        return value

    def flag(self, node: yaml.Node | None, what: str, default: bool) -> bool:
        value = self.text(node, what)
        if value is None:
            return default
        if value.lower() not in ("true", "false", "yes", "no"):
            self.add_mistake(node, f"{what} is {value!r}, but it must be true or false")
        return value.lower() in ("true", "yes")

    def number(
        self, node: yaml.Node | None, what: str, read: Callable[[str], Number], must: str, low: float, high: float
    ) -> Number | None:
        value = self.text(node, what)
        if value is None:
            return None
        with suppress(ValueError):
            if low <= (number := read(value)) <= high:
                return number
        self.add_mistake(node, f"{what} is {value[:40]!r}, but it must be {must}")
        return None

    def whole(self, node: yaml.Node | None, what: str) -> int | None:
        return self.number(node, what, int, "a whole number", -math.inf, math.inf)

    # ---- parts of a project -------------------------------------------------------------------------------------

    def project(self, tree: yaml.Node | None) -> Project:
        top = self.mapping(tree, "the project", _TOP)
        version = self.text(top.get("anonnb"), "anonnb")
        if version != str(VERSION):
            self.add_mistake(top.get("anonnb"), f"the project must say anonnb: {VERSION}, the version of its format")
        name, parameters = self.method(top.get("method"))
        columns = self.columns(top.get("columns"))
        person, weight = (self.text(top.get(role), role) for role in ("person", "weight"))
        household = self.texts(top.get("household"), "household")
        for role, names in (("person", [person]), ("household", household), ("weight", [weight])):
            for name in {*names} - {None, *(column.name for column in columns)}:
                meant = did_you_mean(name, (column.name for column in columns)) or "add it, or correct it"
                self.add_mistake(top[role], f"{role}: there is no column {name!r} among columns; {meant.strip()}")
        unit = self.choice(top.get("unit"), "unit", UNITS) or "person"
        if unit == "household" and not household:
            self.add_mistake(top["unit"], "unit: household needs the column of the household; add household: hid, say")
        rows_are_people = self.flag(top.get("rows_are_people"), "rows_are_people", False)
        if rows_are_people and person is not None:
            sentence = f"person: {person} says that rows are not people; keep one of both"
            self.add_mistake(top["rows_are_people"], sentence)
        share = "a share of the rows from 0 to 1, such as 0.05"
        return Project(
            self.path,
            **{name: self.text(top.get(name), name) for name in DECISIONS},
            rows_are_people=rows_are_people,
            reviewed=self.review(top.get("reviewed")),
            data=self.file(top.get("data"), "data"),
            read=self.reading(top.get("read")),
            person=person,
            household=household,
            unit=unit,
            weight=weight,
            columns=columns,
            method=name,
            parameters=parameters,
            require=self.models(top.get("require"), "population" in top),
            population=self.file(top.get("population"), "population"),
            suppression_limit=self.number(top.get("suppression_limit"), "suppression_limit", float, share, 0, 1),
        )

    def models(self, node: yaml.Node | None, has_people: bool) -> tuple[str, ...]:
        """Return privacy models as they are written; a population is read later, with the table."""
        from anonnb.privacy.written import read_call

        for part in node.value if isinstance(node, yaml.SequenceNode) else [] if self.empty(node) else [node]:
            try:
                read_call(self.text(part, "require") or "", has_people=has_people)
            except (ValueError, TypeError) as error:
                self.add_mistake(part, f"require: {str(error).replace('--population FILE', 'population: FILE')}")
        return self.texts(node, "require")

    def review(self, node: yaml.Node | None) -> str | None:
        """Return who read the project and when."""
        value = self.text(node, "reviewed")
        if value is None:
            return None
        name, _, day = value.rpartition(",")
        with suppress(ValueError):
            if name.strip() and date.fromisoformat(day.strip()):
                return f"{name.strip()}, {day.strip()}"
        must = "it must be a name and a date, as in A. Name, 2026-01-31"
        self.add_mistake(node, f"reviewed is {value[:60]!r}, but {must}")
        return None

    def file(self, node: yaml.Node | None, what: str) -> Path | None:
        value = self.text(node, what)
        return None if value is None else self.path.parent / value

    def reading(self, node: yaml.Node | None) -> dict[str, Any]:
        keys = self.mapping(node, "read", _READ)
        options: dict[str, Any] = {name: self.text(keys.get(name), name) for name in ("sep", "encoding", "sheet")}
        options["decimal"] = self.choice(keys.get("decimal"), "decimal mark", (".", ","))
        options["missing"] = self.choice(keys.get("missing"), "way with missing values", ("value", "drop", "error"))
        if self.flag(keys.get("dayfirst"), "dayfirst", False):
            options["dayfirst"] = True
        return {name: value for name, value in options.items() if value is not None}

    def columns(self, node: yaml.Node | None) -> tuple[ProjectColumn, ...]:
        columns = tuple(self.column(name, part) for name, part in self.mapping(node, "columns").items())
        if not any(QUASI in column.roles for column in columns):
            self.add_mistake(node, f"no column has the role {QUASI}; give it to those that others may know")
        twice = [column.name for column in columns if DECISION in column.roles][1:]
        if twice:
            self.add_mistake(node, f"the column {twice[0]!r} is a second decision; there is one at most")
        return columns

    def column(self, name: str, node: yaml.Node) -> ProjectColumn:
        keys = self.mapping(node, f"the column {name!r}", _COLUMN)
        given = keys.get("role")
        parts = given.value if isinstance(given, yaml.SequenceNode) else [given]
        roles = tuple(filter(None, (self.choice(part, "role", ROLES) for part in parts))) or (LEFT_OUT,)
        if len(roles) > 1 and set(roles) != {SENSITIVE, DECISION}:
            self.add_mistake(given, f"the column {name!r} cannot be {' and '.join(roles)}; give it one of the roles")
        known = self.flag(keys.get("known_outside"), "known_outside", True)
        if "known_outside" in keys and ALSO not in roles:
            self.add_mistake(keys["known_outside"], f"known_outside is for columns with the role {ALSO}; leave it out")
        naming = self.flag(keys.get("may_name"), "may_name", False)
        if naming and roles[0] in (IDENTIFIER, LEFT_OUT):
            self.add_mistake(keys["may_name"], f"may_name is for published columns; {name!r} is not published")
        order = self.texts(keys.get("order"), "order")
        for value in [value for value in order if "," in value][:1]:
            self.add_mistake(keys["order"], f"the value {value!r} has a comma, which an order cannot hold; rename it")
        kind = self.choice(keys.get("kind"), "kind", KINDS)
        if order and kind not in (None, "ordinal"):
            self.add_mistake(keys["kind"], f"the column {name!r} has an order, so its kind is ordinal, not {kind}")
        hierarchy = self.hierarchy(keys.get("hierarchy"))
        level = self.whole(keys.get("highest_level"), "highest_level")
        if level is not None and level < 0:
            self.add_mistake(keys["highest_level"], f"highest_level is {level}, but levels count from 0")
        limits = sys.float_info.min, sys.float_info.max
        weight = self.number(keys.get("weight"), "weight", float, "a number above 0", *limits)
        return ProjectColumn(name, roles, kind, order, hierarchy, known, weight, level, naming)

    def hierarchy(self, node: yaml.Node | None) -> str | None:
        """Return words, the name of a file, or nested lists and mappings as an equivalent text."""
        if isinstance(node, yaml.ScalarNode | None):
            return self.text(node, "hierarchy")
        return json.dumps(self.nested(node), ensure_ascii=False)

    def nested(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return {self.text(key, "a label"): self.nested(value) for key, value in node.value}
        if isinstance(node, yaml.SequenceNode):
            return [self.nested(part) for part in node.value]
        return node.value

    def method(self, node: yaml.Node | None) -> tuple[str | None, dict[str, Any]]:
        keys = self.mapping(node, "method")
        name = self.text(keys.pop("name", None), "name")
        if keys and name is None:
            self.add_mistake(node, "method has parameters but no name; see `anonnb list methods`")
        parameters: dict[str, Any] = {key: self.text(value, key) for key, value in keys.items()}
        for key in ("k", "seed"):
            if key in parameters:
                parameters[key] = self.whole(keys[key], key)
        return name, {key: value for key, value in parameters.items() if value is not None}
