"""The explorer: choose a table, a method, k and an attack; see the release, its figures, a picture, who is exposed.

The state is a plain class that needs no browser; the widgets around it live in ``panels``. In a batch run the same
content appears once, as a still picture.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb import arena, plots, privacy, utility
from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb.attacks.base import AttackResult
from anonnb.attacks.findings import by_secret, most_exposed
from anonnb.core import remedies
from anonnb.core.atomic_files import atomic_write
from anonnb.core.errors import Message, advice
from anonnb.core.wording import percent
from anonnb.methods.base import Method, no_progress
from anonnb.privacy.written import read_model
from anonnb.publishing.own_table import OwnTable
from anonnb.publishing.verification import VerificationReport
from anonnb.tables import datasets
from anonnb.tables.descriptions import html_block
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.widgets.controls import Controls
from anonnb.widgets.explorer_html import (
    Figure,
    against_control,
    attack_figures,
    drawn_html,
    exposed_html,
    numbers_html,
    page_html,
    rows_html,
    secrets_html,
    verdict_html,
)
from anonnb.widgets.offering import made, offered_attacks, offered_methods, offered_requirements
from anonnb.widgets.publication import Publication, free_names

SIZES, BOXES, CUT = PICTURES = ("class sizes", "boxes", "hierarchy cut")
SHOWN_ROWS = 200  # of the release; thousands of rows would make the page slow and help nobody
MAX_BOXES = 80  # thousands of boxes on top of each other are one blue blot
NOTHING, _AND = "nothing further", " and "
MAX_KEPT = 40  # releases and attacks that are remembered


class Exploration:
    """State of the explorer: tables, and what is chosen about them now.

    An OwnTable with a project starts with its method, its k and its requirements.

    Parameters
    ----------
    table:
        A Table, an OwnTable or the name of a shipped table.
    tables:
        Further tables to choose from: names of shipped tables (all by default), or a mapping from names to tables.
    methods, attacks:
        Names of the methods and attacks to choose from; by default those that answer within seconds.
    require:
        Privacy models to choose from, written like ``"LDiversity(3)"``.
    hierarchies:
        Hierarchies for columns of the first table, written as on the command line.

    Examples
    --------
    >>> exploration = Exploration("survey", start={"k": 4})
    >>> exploration.choose(method="Mondrian", attack="HomogeneityAttack")
    >>> for line in exploration.numbers().items():
    ...     print(*line, sep=": ")
    k reached: 10
    detail lost (NCP): 11.5 %
    HomogeneityAttack: sure about Hypertension: 0 of 33 people
    HomogeneityAttack: excess: none
    HomogeneityAttack: success: 69.7 %
    >>> exploration.blur("Hours", "intervals 20")
    >>> exploration.frozen()["method"], len(exploration.exposed(limit=2)), "<table" in exploration.tables_html(rows=3)
    ('Mondrian', 0, True)
    """

    def __init__(
        self,
        table: Table | OwnTable | str,
        *,
        tables: Sequence[str] | Mapping[str, Table] | None = None,
        name: str = "this table",
        methods: Sequence[str] | None = None,
        attacks: Sequence[str] | None = None,
        require: Sequence[str] | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        k: Sequence[int] = range(2, 51),
        start: Mapping[str, Any] | None = None,
    ):
        own = table if isinstance(table, OwnTable) else None
        if isinstance(table, OwnTable):
            name, table = table.name, table.table
        first = {table: datasets.load(table)} if isinstance(table, str) else {name: table}
        self.publication = Publication(own, next(iter(first)))
        others = datasets.names() if tables is None else tables
        more = others if isinstance(others, Mapping) else dict.fromkeys(others)
        self._tables: dict[str, Table | None] = {**first, **{key: more[key] for key in more if key not in first}}
        self._offered, self._sizes = {"methods": methods, "attacks": attacks, "require": require}, k
        self._kept: dict[tuple, Any] = {}
        self._written: set[Path] = set()
        self.progress: Callable = no_progress
        started = self.publication.start() | dict(start or {})
        for column, how in (hierarchies or {}).items():
            self._blur(next(iter(first)), column, how)
        self.controls = self._controls(next(iter(first)), started, strict=True)

    def _controls(self, name: str, values: Mapping[str, Any], strict: bool = False) -> Controls:
        """Return the choices for a table; values that are no longer a choice are dropped unless ``strict``."""
        table, k = self._table(name), self._sizes
        if not table.quasi:
            name_it = advice("; name it: ", remedies.role("quasi"))
            raise ValueError(Message("the table has no quasi-identifier to explore", name_it))
        methods = list(self._offered["methods"] or offered_methods(table))
        sizes = k[: max(1, sum(size <= len(table) for size in k))]
        choices = {
            "table": list(self._tables),
            "method": methods,
            "k": sizes,
            "require": [NOTHING, *self._required(table)],
            "attack": list(self._offered["attacks"] or offered_attacks(table)),
            "picture": list(PICTURES) if len(table.quasi) > 1 else [SIZES, CUT],
            "column": list(table.quasi),
        }
        preset = {"method": "Mondrian" if "Mondrian" in methods else methods[0], "k": min(max(5, sizes[0]), sizes[-1])}
        kept = {key: value for key, value in values.items() if strict or value in choices[key]}
        return Controls(choices, preset | kept | {"table": name})

    def _required(self, table: Table) -> list[str]:
        """Return the models to choose from: given ones, those of the project, or a few if there is a secret."""
        given = self._offered["require"]
        usual = offered_requirements(table) if given is None else given
        return list(dict.fromkeys([*self.publication.required(), *usual]))

    def blur(self, column: str, how: Any) -> None:
        """Give a column of the chosen table another hierarchy, written as on the command line; "" for the default."""
        self._blur(self["table"], column, how)

    def _blur(self, name: str, column: str, how: Any) -> None:
        table = self._table(name)
        if column not in table.quasi:
            raise ValueError(f"{column!r} is no quasi-identifier; choose from {', '.join(map(str, table.quasi))}")
        written: Any = how or None  # None: the default one again
        self._tables[name] = table.recoded(hierarchies={column: written})
        self.publication.blurred(name, column, how)
        self._kept = {}  # another hierarchy, other releases

    def _table(self, name: str) -> Table:
        table = self._tables[name]
        if table is None:
            table = self._tables[name] = datasets.load(name)
        return table

    def choose(self, **values: Any) -> None:
        """Change choices: ``choose(k=7, method="Mondrian")``.

        Another table may change what there is to choose. If one choice is refused, none is changed.
        """
        controls = Controls(self.controls.choices, self.controls.values)
        if "table" in values and values["table"] != self["table"]:
            controls.set("table", values["table"])  # refuses a name that is not offered
            controls = self._controls(values["table"], self.controls.values)
        for name, value in values.items():
            controls.set(name, value)
        self.controls = controls

    def __getitem__(self, name: str) -> Any:
        return self.controls.values[name]

    def frozen(self, progress: Callable = no_progress) -> Exploration:
        """Return a copy with the present choices, whatever is chosen later; for work in another thread."""
        twin = copy.copy(self)
        twin.controls = Controls(self.controls.choices, self.controls.values)
        twin.progress = progress
        return twin

    # ---- results of the choices -----------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The chosen table."""
        return self._table(self["table"])

    @property
    def release(self) -> Release:
        """The release of the chosen method; raises what the method raises."""
        return self._once(("release", *self._chosen()), self._make)

    def _chosen(self) -> tuple:
        """Return what a release depends on."""
        return self["table"], self["method"], self["k"], self["require"]

    @property
    def method(self) -> Method:
        """The chosen method with the chosen parameters."""
        cls, required = self._method, self["require"]
        limit = cls.suppressing(self.publication.suppression_limit(self["table"]))
        if required == NOTHING:
            return made(cls, self["k"], **limit)
        if "require" not in cls.constraints():
            raise ValueError(f"{self['method']} takes no requirement; choose {NOTHING!r}, or another method")
        return made(cls, self["k"], **limit, require=[read_model(text) for text in required.split(_AND)])

    def _make(self) -> Release:
        return self._published(self.table)

    def _published(self, table: Table) -> Release:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.method.anonymize(table, progress=self.progress)

    @property
    def _method(self) -> type[Method]:
        return method_registry.get(self["method"])

    @property
    def _setting(self) -> str:
        """The chosen strength, under the method's name for it."""
        return f"{self._method.strength} = {self['k']}"

    def attacked(self) -> AttackResult:
        """Return the result of the chosen attack on the release."""
        release, attack = self.release, attack_registry.get(self["attack"])()
        key = ("attack", *self._chosen(), self["attack"])
        return self._once(key, lambda: attack.run(release, self.table))

    def measured(self) -> AttackResult:
        """Attack the release of one half of the people, with the other half as a control.

        If there can be none, because half of the people are too few or the attack has no control, it is the result on
        the release.
        """
        key = ("measured", *self._chosen(), self["attack"])
        attack, halves = attack_registry.get(self["attack"])(), partial(arena.halves, self.table)
        parts = self._once(("halves", self["table"]), halves)
        return self._once(key, lambda: against_control(attack, parts, self._half) or self.attacked())

    def _half(self, people: Table) -> Release:
        return self._once(("half", *self._chosen()), lambda: self._published(people))

    def _once(self, key: tuple, work: Callable[[], Any]) -> Any:
        """Return the stored result, or do the work; the oldest result is forgotten when there are many."""
        if key not in self._kept:
            made = work()
            while len(self._kept) >= MAX_KEPT:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[key] = made
        return self._kept[key]

    def figures(self) -> list[Figure]:
        """Return the figures in large print: what was reached, what it cost, and what the attack found."""
        apart = self.release.secrets is not None
        name, reached = ("l", privacy.l(self.release)) if apart else ("k", privacy.k(self.release))
        whom = f"counted in {self.table.counted}, {self.table.n_people:,} in all; " if self.table.people_repeat else ""
        return [
            (f"{name} reached", f"{reached:,}", f"{whom}more is safer"),
            ("detail lost (NCP)", percent(utility.ncp(self.table, self.release)), "less is better"),
            *((f"{self['attack']}: {name}", value, remark) for name, value, remark in attack_figures(self.measured())),
        ]

    def numbers(self) -> dict[str, str]:
        """Return the figures as texts by name."""
        return {name: value for name, value, _ in self.figures()}

    def verdict(self) -> VerificationReport:
        """Return what the gate recounts from the text of the release, written to a temporary folder."""
        return self._once(("gate", *self._chosen()), lambda: self.publication.verdict(self.release, self["table"]))

    def exposed(self, limit: int = 6) -> pd.DataFrame:
        """Return the cases in which the attack is sure or succeeds, one per row; of several secrets, those of each."""
        result = self.attacked()
        each = by_secret(result)
        cases = [most_exposed(one, limit) for one in each]
        cases = [part[part["sure"].astype(bool)] if "sure" in part else part for part in cases]
        if len(each) > 1:
            names = (getattr(one, "secret", "") for one in each)
            cases = [pd.DataFrame({"secret": name, **part}) for name, part in zip(names, cases, strict=True)]
        return pd.concat(cases, ignore_index=True).round(3)

    def draw(self) -> Any:
        """Draw the chosen picture, with its finding as title; raise ValueError if the release has no such picture."""
        from anonnb.plots.style import axes

        if self["picture"] == CUT:
            return plots.hierarchy_cut(self.release, self["column"])
        if self["picture"] == BOXES:
            x, y = self["column"], self._other_column()
            return plots.boxes(self.release, x, y, most=MAX_BOXES, ax=axes(size=(7, 4.5)))
        original = self._once(("original", self["table"]), lambda: Release.of(self.table))
        sizes = {"original": original, f"{self['method']}, {self._setting}": self.release}
        return plots.class_sizes(sizes, k=self["k"], ax=axes(size=(7, 3.6)))

    def _other_column(self) -> str:
        """Return the quasi-identifier after the chosen one; boxes need two."""
        names = self.table.quasi
        return names[(names.index(self["column"]) + 1) % len(names)]

    # ---- as HTML, for widgets and reports -----------------------------------------------------------------------

    def summary_html(self) -> str:
        """Return the figures in large print, each with a remark, and what the attack found for each secret."""
        return numbers_html(self.figures()) + secrets_html(self.measured(), self["attack"])

    def gate_html(self) -> str:
        """Return the gate's verdict: one sentence, and all that was recounted below it."""
        return verdict_html(self.verdict())

    def picture_html(self) -> str:
        """Return the picture as part of a page, with an alternative text; or why there is none."""
        _ = self.release  # errors of the method are not errors of the picture
        alt = f"{self['picture']} of {self['method']} with {self._setting} on {self['table']}"
        return drawn_html(self.draw, alt)

    def tables_html(self, rows: int = SHOWN_ROWS) -> str:
        """Return the first published rows, and who is exposed."""
        exposed = exposed_html(self["attack"], self.exposed())
        return exposed + rows_html(self.release.published(), rows)

    def report_html(self) -> str:
        """Return a page of its own: choices, numbers, picture, rows, exposed people and all measures."""
        title = f"{self['table']}: {self['method']} with {self._setting}"
        parts = [
            self.summary_html(),
            self.gate_html(),
            self.picture_html(),
            self.tables_html(),
            html_block("Privacy", privacy.report(self.release).round(4)),
            html_block("Usefulness", utility.report(self.table, self.release).round(4)),
        ]
        return page_html(title, self.table, parts)

    def export(self, folder: str | os.PathLike = ".") -> list[Path]:
        """Write the release and everything that belongs to it into a folder.

        These are a .csv (two, if secrets are separate), a report (-report.html), the officer's page (.html), the
        manifest (.manifest.json) and the project file (.yaml). What the gate refuses is not written. Files that this
        exploration did not write are not replaced: the new ones get a number. The report shows who is exposed: it is
        for the publisher, the release is for the public.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     len(Exploration("survey", start={"k": 4}).export(folder))
        5
        """
        folder = Path(folder)
        if not folder.is_dir():
            raise ValueError(f"there is no folder {os.fspath(folder)!r} to export to; make it, or choose another")
        page = self.report_html()
        stem = f"{Path(self['table']).stem}-{self['method']}-{self._method.strength}{self['k']}"
        paths = free_names(folder.resolve(), stem, self._method.secrets_apart, self._written)
        release, report, project = paths[0], paths[-4], paths[-1]
        self.publication.write(self.release, self["table"], release, project, self._as_project())
        with atomic_write(report) as file:
            file.write(page)
        self._written.update(paths)
        return paths

    def _as_project(self) -> dict[str, Any]:
        """Return the choices as parts of a project."""
        required = () if self["require"] == NOTHING else tuple(self["require"].split(_AND))
        return {"method": self["method"], "parameters": {self._method.strength: self["k"]}, "require": required}
