"""The project file: what a table is and how it is published, written down once and corrected by a person.

Idea: a YAML file says everything that the options of the command line say, so that every command can take it instead.
Reading: strict. An unknown key, a wrong value or a column with two roles is a mistake, reported with its line; all
mistakes of a file are reported at once. Names of columns and their values are texts, whatever YAML would make of them.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from anonnb.files.opening import BadFile, bytes_of
from anonnb.projects.roles import IDENTIFIER, LEFT_OUT, QUASI, SENSITIVE
from anonnb.tables.table import Table

VERSION = 1
DECISION, ALSO = "decision", "also"
ROLES = (IDENTIFIER, QUASI, SENSITIVE, DECISION, ALSO, LEFT_OUT)
KINDS = ("nominal", "ordinal", "numeric")
_TOP = ("anonnb", "data", "read", "person", "columns", "method", "require", "population", "suppression_limit")
_READ = ("sep", "encoding", "decimal", "dayfirst", "missing")
_COLUMN = ("role", "kind", "order", "hierarchy", "known_outside", "weight", "highest_level")


class BadProject(ValueError):
    """A project file with mistakes; ``mistakes`` holds a sentence for each."""

    def __init__(self, mistakes: Iterable[str]):
        self.mistakes = list(mistakes)
        super().__init__("\n".join(self.mistakes))


@dataclass(frozen=True)
class ProjectColumn:
    """One column: its roles, how it is read, and how it may be generalized."""

    name: str
    roles: tuple[str, ...]
    kind: str | None = None
    order: tuple[str, ...] = ()
    hierarchy: str | None = None
    known_outside: bool = True
    weight: float | None = None
    highest_level: int | None = None


@dataclass(frozen=True)
class Project:
    """A project file that was read; paths in it are relative to its folder."""

    path: Path
    data: Path | None = None
    read: Mapping[str, Any] = field(default_factory=dict)
    person: str | None = None
    columns: tuple[ProjectColumn, ...] = ()
    method: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    require: tuple[str, ...] = ()
    population: Path | None = None
    suppression_limit: float | None = None

    def named(self, role: str) -> tuple[str, ...]:
        """The columns with a role."""
        return tuple(column.name for column in self.columns if role in column.roles)

    @property
    def unknown_outside(self) -> tuple[str, ...]:
        """The columns that are published as they are and that nobody outside can know."""
        return tuple(column.name for column in self.columns if ALSO in column.roles and not column.known_outside)

    def preferring(self, table: Table) -> Table:
        """The table with the weights of its columns, and the highest levels that may be published of them."""
        table = table.with_weights(**self.weights) if self.weights else table
        return table.with_limits(**self.limits) if self.limits else table

    @property
    def weights(self) -> dict[str, float]:
        """How much the loss of a column counts, for columns that say so."""
        return {column.name: column.weight for column in self.columns if column.weight is not None}

    @property
    def limits(self) -> dict[str, int]:
        """The highest level of a column that may be published, for columns that say so."""
        return {column.name: column.highest_level for column in self.columns if column.highest_level is not None}

    def described(self) -> dict[str, Any]:
        """The same as options of ``open_table``: roles, kinds, orders, hierarchies, and how the file is read."""
        given = {
            "quasi": list(self.named(QUASI)),
            "sensitive": list(self.named(SENSITIVE)),
            "identifier": list(self.named(IDENTIFIER)),
            "decision": next(iter(self.named(DECISION)), None),
            "person": self.person,
            "kinds": {column.name: column.kind for column in self.columns if column.kind and not column.order},
            "orders": {column.name: list(column.order) for column in self.columns if column.order},
            "hierarchies": {column.name: self._how(column.hierarchy) for column in self.columns if column.hierarchy},
            "weights": self.weights,
            "limits": self.limits,
            **self.read,
        }
        return {name: value for name, value in given.items() if value}

    def _how(self, hierarchy: str) -> str:
        """The words of a hierarchy, or the path of its file, which is beside the project."""
        beside = self.path.parent / hierarchy
        return str(beside) if hierarchy.lower().endswith((".csv", ".txt", ".tsv")) else hierarchy

    def options(self) -> dict[str, Any]:
        """The same as options of the command line, as a user would write them."""
        given = {
            "file": self.data and str(self.data),
            "quasi": self.named(QUASI),
            "sensitive": self.named(SENSITIVE),
            "identifier": self.named(IDENTIFIER),
            "decision": next(iter(self.named(DECISION)), None),
            "person": self.person,
            "also": self.named(ALSO),
            "unknown_outside": self.unknown_outside,
            "kinds": tuple(
                f"{column.name}={column.kind}" for column in self.columns if column.kind and not column.order
            ),
            "orders": tuple(f"{column.name}={','.join(column.order)}" for column in self.columns if column.order),
            "hierarchies": tuple(
                f"{column.name}={self._how(column.hierarchy)}" for column in self.columns if column.hierarchy
            ),
            "require": self.require,
            "population": self.population and str(self.population),
            **self.read,
        }
        parameters = dict(self.parameters)
        given |= {"method_name": self.method, "k": parameters.pop("k", None), "seed": parameters.pop("seed", None)}
        given["params"] = tuple(f"{name}={value}" for name, value in parameters.items())
        return {name: value for name, value in given.items() if value not in (None, ())}


def read_project(path: str | os.PathLike) -> Project:
    """The project in a file; raises BadProject with a sentence for every mistake.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.yaml"
    >>> _ = path.write_text("anonnb: 1\\ncolumns:\\n  age: {role: quasi-identifier}\\n  zip: {rolle: sensitive}\\n")
    >>> read_project(path)
    Traceback (most recent call last):
    ...
    anonnb.projects.project.BadProject: people.yaml, line 4: there is no key 'rolle'; did you mean role? ...
    """
    return project_in(bytes_of(path), path)


def project_in(raw: bytes, path: str | os.PathLike) -> Project:
    """The project in the bytes of a file, for example an uploaded one; ``path`` is where it is, or would be."""
    path = Path(path)
    try:
        text = raw.decode("utf-8-sig")
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        raise BadFile(f"{path.name} is not written in UTF-8; save it so") from None
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise BadProject([f"{path.name}{line}: this is no YAML: {error.problem}"]) from None
    except yaml.YAMLError as error:
        raise BadProject([f"{path.name}: this is no YAML: {' '.join(str(error).split())}"]) from None
    reader = _ProjectReader(path)
    project = reader.project(tree)
    if reader.mistakes:
        raise BadProject(reader.mistakes)
    return project


class _ProjectReader:
    """Walks the nodes of a file, which know their lines, and notes every mistake."""

    def __init__(self, path: Path):
        self.path, self.mistakes = path, []

    def wrong(self, node: yaml.Node | None, sentence: str) -> None:
        line = 1 if node is None else node.start_mark.line + 1
        self.mistakes.append(f"{self.path.name}, line {line}: {sentence}")

    # ---- parts of YAML ------------------------------------------------------------------------------------------

    def mapping(self, node: yaml.Node | None, what: str, allowed: Iterable[str] | None = None) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            if not self.empty(node):
                self.wrong(node, f"{what} must be keys with values, such as role: sensitive")
            return {}
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name:
                self.wrong(key, f"a key of {what} must be a text")
            elif name in found:
                self.wrong(key, f"the key {name!r} of {what} is given twice; keep one")
            elif allowed is not None and name not in allowed:
                close = difflib.get_close_matches(name, list(allowed), n=1, cutoff=0.6)
                meant = f"did you mean {close[0]}? " if close else ""
                self.wrong(key, f"there is no key {name!r}; {meant}known are {', '.join(allowed)}")
            else:
                found[name] = value
        return found

    def empty(self, node: yaml.Node | None) -> bool:
        return node is None or (isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null")

    def text(self, node: yaml.Node | None, what: str) -> str | None:
        if self.empty(node):
            return None
        if not isinstance(node, yaml.ScalarNode):
            self.wrong(node, f"{what} must be a text")
            return None
        return node.value

    def texts(self, node: yaml.Node | None, what: str) -> tuple[str, ...]:
        if isinstance(node, yaml.SequenceNode):
            return tuple(filter(None, (self.text(part, what) for part in node.value)))
        found = self.text(node, what)
        return () if found is None else (found,)

    def choice(self, node: yaml.Node | None, what: str, allowed: Iterable[str]) -> str | None:
        found = self.text(node, what)
        if found is not None and found not in allowed:
            close = difflib.get_close_matches(found, list(allowed), n=1, cutoff=0.6)
            meant = f"did you mean {close[0]}? " if close else ""
            self.wrong(node, f"{found!r} is no {what}; {meant}known are {', '.join(allowed)}")
            return None
        return found

    def flag(self, node: yaml.Node | None, what: str, default: bool) -> bool:
        found = self.text(node, what)
        if found is None:
            return default
        if found.lower() not in ("true", "false", "yes", "no"):
            self.wrong(node, f"{what} is {found!r}, but it must be true or false")
        return found.lower() in ("true", "yes")

    # ---- parts of a project -------------------------------------------------------------------------------------

    def project(self, tree: yaml.Node | None) -> Project:
        top = self.mapping(tree, "the project", _TOP)
        version = self.text(top.get("anonnb"), "anonnb")
        if version != str(VERSION):
            self.wrong(top.get("anonnb"), f"the project must say anonnb: {VERSION}, the version of its format")
        name, parameters = self.method(top.get("method"))
        columns = self.columns(top.get("columns"))
        person = self.text(top.get("person"), "person")
        if person is not None and person not in [column.name for column in columns]:
            self.wrong(top["person"], f"person: there is no column {person!r} among columns; add it, or correct it")
        return Project(
            self.path,
            data=self.file(top.get("data"), "data"),
            read=self.reading(top.get("read")),
            person=person,
            columns=columns,
            method=name,
            parameters=parameters,
            require=self.texts(top.get("require"), "require"),
            population=self.file(top.get("population"), "population"),
            suppression_limit=self.share(top.get("suppression_limit"), "suppression_limit"),
        )

    def file(self, node: yaml.Node | None, what: str) -> Path | None:
        found = self.text(node, what)
        return None if found is None else self.path.parent / found

    def share(self, node: yaml.Node | None, what: str) -> float | None:
        found = self.text(node, what)
        if found is None:
            return None
        try:
            share = float(found)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            self.wrong(node, f"{what} is {found!r}, but it must be a share of the rows from 0 to 1, such as 0.05")
        return share

    def reading(self, node: yaml.Node | None) -> dict[str, Any]:
        keys = self.mapping(node, "read", _READ)
        found: dict[str, Any] = {name: self.text(keys.get(name), name) for name in ("sep", "encoding")}
        found["decimal"] = self.choice(keys.get("decimal"), "decimal mark", (".", ","))
        found["missing"] = self.choice(keys.get("missing"), "way with missing values", ("value", "drop", "error"))
        if self.flag(keys.get("dayfirst"), "dayfirst", False):
            found["dayfirst"] = True
        return {name: value for name, value in found.items() if value is not None}

    def columns(self, node: yaml.Node | None) -> tuple[ProjectColumn, ...]:
        found = tuple(self.column(name, part) for name, part in self.mapping(node, "columns").items())
        if not any(QUASI in column.roles for column in found):
            self.wrong(node, f"no column has the role {QUASI}; give it to those that others may know")
        twice = [column.name for column in found if DECISION in column.roles][1:]
        if twice:
            self.wrong(node, f"the column {twice[0]!r} is a second decision; there is one at most")
        return found

    def column(self, name: str, node: yaml.Node) -> ProjectColumn:
        keys = self.mapping(node, f"the column {name!r}", _COLUMN)
        given = keys.get("role")
        parts = given.value if isinstance(given, yaml.SequenceNode) else [given]
        roles = tuple(filter(None, (self.choice(part, "role", ROLES) for part in parts))) or (LEFT_OUT,)
        if len(roles) > 1 and set(roles) != {SENSITIVE, DECISION}:
            self.wrong(given, f"the column {name!r} cannot be {' and '.join(roles)}; give it one of the roles")
        known = self.flag(keys.get("known_outside"), "known_outside", True)
        if "known_outside" in keys and ALSO not in roles:
            self.wrong(keys["known_outside"], f"known_outside is for columns with the role {ALSO}; leave it out")
        order = self.texts(keys.get("order"), "order")
        comma = [value for value in order if "," in value]
        if comma:
            self.wrong(keys["order"], f"the value {comma[0]!r} has a comma, which an order cannot hold; rename it")
        kind = self.choice(keys.get("kind"), "kind", KINDS)
        if order and kind not in (None, "ordinal"):
            self.wrong(keys["kind"], f"the column {name!r} has an order, so its kind is ordinal, not {kind}")
        hierarchy = self.hierarchy(keys.get("hierarchy"))
        level = self.whole(keys["highest_level"], "highest_level") if "highest_level" in keys else None
        if level is not None and level < 0:
            self.wrong(keys["highest_level"], f"highest_level is {level}, but levels count from 0")
        weight = self.positive(keys.get("weight"), "weight")
        return ProjectColumn(name, roles, kind, order, hierarchy, known, weight, level)

    def positive(self, node: yaml.Node | None, what: str) -> float | None:
        found = self.text(node, what)
        if found is None:
            return None
        try:
            number = float(found)
        except ValueError:
            number = 0.0
        if not 0 < number < float("inf"):
            self.wrong(node, f"{what} is {found!r}, but it must be a number above 0")
        return number

    def hierarchy(self, node: yaml.Node | None) -> str | None:
        """Words, the name of a file, or nested lists and mappings, which become an equivalent text."""
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
            self.wrong(node, "method has parameters but no name; see `anonnb list methods`")
        parameters: dict[str, Any] = {key: self.text(value, key) for key, value in keys.items()}
        for key in ("k", "seed"):
            if key in parameters:
                parameters[key] = self.whole(keys[key], key)
        return name, {key: value for key, value in parameters.items() if value is not None}

    def whole(self, node: yaml.Node, what: str) -> int | None:
        found = self.text(node, what)
        if found is not None and not found.lstrip("-").isdigit():
            self.wrong(node, f"{what} is {found!r}, but it must be a whole number")
            return None
        return None if found is None else int(found)
