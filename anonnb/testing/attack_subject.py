"""What the properties of attacks use: an attack, and releases of ordinary and nasty tables on which it is tried.

The releases are made by hand, by Mondrian, TopDown or LocalRecoding, so that an attack that reasons about the method
finds one. Attacks that read mined results get itemsets and a tree instead.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
import pandas as pd

from anonnb.attacks.base import Attack, AttackResult
from anonnb.core.errors import Infeasible
from anonnb.methods.cuts.specialization import TopDown
from anonnb.methods.lattice.local_recoding import LocalRecoding
from anonnb.methods.mining.safe_itemsets import SafeItemsets
from anonnb.methods.mining.safe_tree import SafeTree
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.rules import frequent_itemsets
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.testing.cases import NASTY, OTHER, SECRET, nasty, ordinary, roles


@dataclass(frozen=True, eq=False)
class Target:
    """Something published, and the table that it was made from."""

    name: str
    published: Any
    table: Table


@dataclass(frozen=True, eq=False)
class Attempt:
    """One call of ``run``: the result, or what was raised, and what was printed."""

    target: Target
    result: AttackResult = field(default=cast(AttackResult, None))  # None only beside an error
    error: Exception | None = None
    printed: str = ""


class AttackSubject:
    """An attack with what it is tried on; attempts are remembered."""

    def __init__(self, attack: Attack, seed: int):
        self.attack, self.seed = attack, seed
        self._attempts: dict[str, Attempt] = {}

    @property
    def reads_releases(self) -> bool:
        return self.attack.reads == "release"

    @cached_property
    def table(self) -> Table:
        return ordinary(self.seed).table

    @cached_property
    def targets(self) -> dict[str, Target]:
        """What is published of the ordinary table, by name."""
        made = _releases(self.table) if self.reads_releases else _mined(self.table)
        return {name: Target(name, each, getattr(each, "table", self.table)) for name, each in made.items()}

    @cached_property
    def nasty(self) -> list[Target]:
        """What is published of nasty tables: as they are, and by Mondrian; mined results of those that can be mined."""
        targets = []
        for name in NASTY:
            table = nasty(name, self.seed).table
            make = _nasty_releases if self.reads_releases else _nasty_itemsets
            targets += [Target(f"{name} ({how})", published, table) for how, published in make(table).items()]
        return targets

    def attempt(self, target: Target) -> Attempt:
        """Run the attack on a target; results are remembered."""
        if target.name not in self._attempts:
            self._attempts[target.name] = attempt(self.attack, target)
        return self._attempts[target.name]

    @cached_property
    def controlled(self) -> Attempt:
        """The attempt on grouped rows with a control."""
        return attempt(self.attack, self.targets["grouped"], control=strangers(self.table))

    @property
    def results(self) -> list[Attempt]:
        """The attempts on the ordinary table that gave a result."""
        return [trial for trial in map(self.attempt, self.targets.values()) if trial.error is None]

    @property
    def all_results(self) -> list[Attempt]:
        """Those on nasty tables too."""
        return self.results + [trial for trial in map(self.attempt, self.nasty) if trial.error is None]


def attempt(attack: Attack, target: Target, *given: Any, **options: Any) -> Attempt:
    """Run an attack; the original table is given unless something else is."""
    printed = io.StringIO()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            warnings.simplefilter("ignore")
            result = attack.run(target.published, *(given or (target.table,)), **options)
    except Exception as error:
        return Attempt(target, error=error, printed=printed.getvalue())
    return Attempt(target, result, None, printed.getvalue())


# ---- what there is to attack ------------------------------------------------------------------------------------


def _releases(table: Table) -> dict[str, Release]:
    grouped = Mondrian(k=3).anonymize(table)
    every = np.arange(len(table))
    quasi = {name: Column.suppressed(table.attributes[name], len(table)) for name in table.quasi}
    partly_hidden = grouped.columns[SECRET].with_suppressed(every[::3])
    unlinked = Release(table, grouped.columns, None, withheld=0)
    twice = Table(table.frame, **roles(table) | {"sensitive": [SECRET, OTHER]})
    return {
        "unchanged": Release.of(table),
        "hidden": Release(table, quasi, every),
        "grouped": grouped,
        "rows withheld": grouped.take(every[len(table) // 3 :]),
        "no rows": grouped.take(every[:0]),
        "hidden secrets": with_secrets(grouped, partly_hidden),
        "no links": unlinked,
        "several secrets": Mondrian(k=3).anonymize(twice),
        "by hierarchies": _by_hierarchies(table),
        "in node order": LocalRecoding(k=6).anonymize(table.with_roles(quasi=["city"])),
    }


def _by_hierarchies(table: Table) -> Release:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of default hierarchies
        return TopDown(k=3).anonymize(table)


def with_secrets(release: Release, column: Column) -> Release:
    """Return the same release with another column of secrets."""
    return Release(release.table, {**release.columns, SECRET: column}, release.rows, method=release.method)


def strangers(table: Table) -> Table:
    """Make other people with the same values as those of a table."""
    labels = pd.Index([f"stranger {row}" for row in range(len(table))])
    return Table._of(table.attributes, {name: table.codes(name) for name in table.columns}, table._roles, labels)


def _mined(table: Table) -> dict[str, Any]:
    return {
        "unchanged": frequent_itemsets(table.select(table.quasi), 0.05, max_len=3),
        "hidden": SafeItemsets(k=3).anonymize(table),
        "tree": SafeTree(k=3).anonymize(table),
        "no rows": frequent_itemsets(table.select(table.quasi), 0.05, max_len=3).head(0),
    }


def _nasty_releases(table: Table) -> dict[str, Release]:
    made = {"as it is": Release.of(table)}
    with warnings.catch_warnings(), contextlib.suppress(Infeasible):
        warnings.simplefilter("ignore")
        made["by Mondrian"] = Mondrian(k=2).anonymize(table)
    return made


def _nasty_itemsets(table: Table) -> dict[str, pd.DataFrame]:
    with contextlib.suppress(ValueError):
        return {"itemsets": frequent_itemsets(table.select(table.quasi), 0.1, max_len=2)}
    return {}


# ---- another truth behind the same release ----------------------------------------------------------------------


def other_truth(target: Target, seed: int) -> Target:
    """Return the same published content about the same people, whose secrets and decisions are permuted.

    Within each published class all columns but the quasi-identifiers are permuted together: nobody who reads the
    release can see the difference.
    """
    release, table = target.published, target.table
    rng = np.random.default_rng(seed)
    order, mixed = (np.lexsort([rng.random(len(release)), release.groups]) for _ in range(2))
    codes = {name: table.codes(name).copy() for name in table.columns}
    for name in set(table.columns) - {*table.quasi, *table.identifiers}:
        codes[name][release.rows[order]] = table.codes(name)[release.rows[mixed]]
    other = Table._of(table.attributes, codes, table._roles, table.index)
    quasi = {name: release.columns[name] for name in release.quasi}
    return Target("another truth", Release(other, quasi, release.rows, method=release.method), other)


def other_secrets(target: Target, seed: int) -> Target:
    """Return the same release behind other secrets: for a release that shows none of them."""
    release, table = target.published, target.table
    codes = {name: table.codes(name) for name in table.columns}
    codes[SECRET] = np.random.default_rng(seed).permutation(codes[SECRET])
    other = Table._of(table.attributes, codes, table._roles, table.index)
    return Target("other secrets", Release(other, release.columns, release.rows, method=release.method), other)
