"""Who takes part in a comparison that names nobody: methods, attacks, and the people of a control or second release."""

from __future__ import annotations

import numpy as np

from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb.methods.base import Method
from anonnb.tables.table import Table

LARGE = 200_000  # rows beyond which methods that take minutes take part only when they are named


def table_methods() -> list[str]:
    """List the registered methods that publish tables, not mined results.

    >>> "Mondrian" in table_methods(), "SafeTree" in table_methods()
    (True, False)
    """
    return [name for name, cls in method_registry.all().items() if cls.publishes == "table"]


def default_methods(table: Table, *, repeatable: bool = False) -> list[str]:
    """List the methods that take part when none are named: all that publish tables; of a large table, those that scale.

    Parameters
    ----------
    repeatable:
        True leaves out those whose noise no seed repeats, for figures that must come out again.

    Examples
    --------
    >>> import anonnb
    >>> ["GreedyCover" in default_methods(anonnb.load(name)) for name in ("survey", "adult")]
    [True, False]
    """
    fitting = [name for name in table_methods() if len(table) <= _most_rows(method_registry.get(name), table)]
    return [name for name in fitting if method_registry.get(name).repeatable or not repeatable]


def _most_rows(method: type[Method], table: Table) -> float:
    """Return the rows up to which a method takes part: those of minutes, and of a large table, those of seconds."""
    return method.rows_in_minutes if len(table) <= LARGE else min(method.rows_in_minutes, method.rows_in_seconds)


def left_out(table: Table) -> dict[str, str]:
    """Say of each method and attack that would take too long on a table why a comparison that names none omits it.

    >>> import anonnb
    >>> left_out(anonnb.load("adult"))["GreedyCover"]
    'GreedyCover is left out: 30,162 rows are more than the 10,000 that it is meant for'
    """
    most = {name: _most_rows(method_registry.get(name), table) for name in table_methods()}
    most |= {name: attack_registry.get(name).rows_in_minutes for name in default_attacks()}
    return {
        name: f"{name} is left out: {len(table):,} rows are more than the {rows:,} that it is meant for"
        for name, rows in most.items()
        if len(table) > rows
    }


def default_attacks(table: Table | None = None) -> list[str]:
    """List the attacks that take part when none are named: those that need only a release and little time.

    Parameters
    ----------
    table:
        The table to publish: those that would take long on it are left out. None: all of them.

    Examples
    --------
    >>> default_attacks()
    ['LinkageAttack', 'HomogeneityAttack', 'SkewnessAttack', 'DeFinettiAttack', 'ShallowAttack']
    """
    rows = 0 if table is None else len(table)
    plainest = attack_registry.plainest_first().items()
    return [name for name, cls in plainest if cls.by_default and rows <= cls.rows_in_minutes]


def half_of(table: Table) -> np.ndarray:
    """Draw half of the rows with a fixed seed: those of the second release that the intersection attack gets.

    >>> import anonnb
    >>> half_of(anonnb.load("decision6"))
    array([2, 3, 5])
    """
    return np.sort(np.random.default_rng(0).permutation(len(table))[: len(table) // 2])


def halves(table: Table, seed: int = 1, people: int | None = None) -> tuple[Table, Table]:
    """Divide the people at random in two halves: those who are published, and outsiders as a control.

    Parameters
    ----------
    people:
        How many people take part; the rest, drawn at random too, are in neither half. None: all of them.

    Returns
    -------
    tuple[Table, Table]
        Two tables; all rows of a person are in the same one.

    Examples
    --------
    >>> import anonnb
    >>> survey = anonnb.load("survey")
    >>> [len(half) for half in halves(survey)], [len(half) for half in halves(survey, 2, people=25)]
    ([33, 33], [13, 12])
    """
    total = table.n_people if people is None else min(people, table.n_people)
    drawn = np.random.default_rng(seed).permutation(table.n_people)[table.people]
    inside = drawn < (total + 1) // 2
    return table.take(inside), table.take(~inside & (drawn < total))
