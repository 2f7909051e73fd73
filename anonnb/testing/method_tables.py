"""What must hold for the tables that a method takes and refuses, and for the messages with which it refuses them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pandas as pd

from anonnb.core.errors import Infeasible
from anonnb.tables.table import Table
from anonnb.testing.cases import TriedTable
from anonnb.testing.contract import REFUSALS, Contract, badly_said, told
from anonnb.testing.subjects import MethodRun, MethodSubject, is_infeasible, run

CONTRACT = Contract()
must = CONTRACT.must


@must("works", "It publishes something of every ordinary table.")
def _works(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.everyday:
        if trial.error is not None:
            yield f"it raises {told(trial.error)} on {trial.case.name}"
        elif not trial.text.rows:
            yield f"it publishes no row of {trial.case.name}"


@must("no rows", "A table without rows is refused as Infeasible.")
def _no_rows(subject: MethodSubject) -> Iterator[str]:
    yield from _refusal(subject, subject.ordinary[0].table[:0], "a table without rows", Infeasible)


@must(
    "no quasi-identifier", "A table without a quasi-identifier is refused with a ValueError.", applies=lambda s: s.has_k
)
def _no_quasi(subject: MethodSubject) -> Iterator[str]:
    table = subject.ordinary[0].table.with_roles(quasi=[])
    yield from _refusal(subject, table, "a table without a quasi-identifier", ValueError)


@must("needs a decision", "A method with needs_decision refuses a table without one; others take it or say why not.")
def _decision(subject: MethodSubject) -> Iterator[str]:
    table = subject.ordinary[0].table.with_roles(decision=None)
    if subject.method.needs_decision:
        yield from _refusal(subject, table, "a table without a decision", ValueError)
        return
    trial = run(subject.method, TriedTable("no decision", table))
    if trial.error is not None and (bad := badly_said(trial.error, _names(subject, trial))):
        yield f"without a decision column, and needs_decision is False, the error {bad}"


@must("not a table", "Anything but a Table is refused with a TypeError.")
def _not_a_table(subject: MethodSubject) -> Iterator[str]:
    for thing in (pd.DataFrame({"age": [1, 1]}), None, "adult"):
        try:
            subject.method.anonymize(cast(Table, thing))
        except TypeError as error:
            if bad := badly_said(error, ["Table"]):
                yield f"the error about a {type(thing).__name__} {bad}"
        except Exception as error:
            yield f"a {type(thing).__name__} raises {told(error)}, not a TypeError that says what to give"
        else:
            yield f"a {type(thing).__name__} is taken for a table"


@must(
    "k above the rows",
    "A k above the number of rows is Infeasible, and its best tells the rows.",
    applies=lambda s: s.has_k,
)
def _k_above(subject: MethodSubject) -> Iterator[str]:
    case = subject.ordinary[0]
    trial = subject.run(case, k=len(case.table) + 1)
    if trial.error is None:
        yield f"k = {len(case.table) + 1} is accepted on a table of {len(case.table)} rows"
    elif isinstance(trial.error, Infeasible) and trial.error.best != len(case.table):
        yield f"Infeasible tells best={trial.error.best!r}, not the {len(case.table)} rows that there are"
    elif not is_infeasible(trial) and (bad := badly_said(trial.error, subject.parameters)):
        yield f"the error about a k above the rows {bad}"


@must(
    "k of one and of all",
    "It takes k = 1 and k = the number of rows, or says in a sentence why not.",
    applies=lambda s: s.has_k,
)
def _k_extremes(subject: MethodSubject) -> Iterator[str]:
    case = subject.ordinary[0]
    for k in (1, len(case.table)):
        trial = subject.run(case, k=k)
        if trial.error is not None and (bad := badly_said(trial.error, _names(subject, trial))):
            yield f"with k = {k} the error {bad}"


@must("refusals in a sentence", "It takes every nasty table or refuses it in one sentence that names what is wrong.")
def _sentences(subject: MethodSubject) -> Iterator[str]:
    for name, case in subject.nasty.items():
        trial = subject.run(case)
        if trial.error is not None and (bad := badly_said(trial.error, _names(subject, trial))):
            yield f"on the table “{name}” the error {bad}"


@must(
    "takes most tables", "It publishes something of at least half of the nasty tables, save those beyond most_values."
)
def _takes_most(subject: MethodSubject) -> Iterator[str]:
    suited = {name: case for name, case in subject.nasty.items() if _values(case.table) <= subject.method.most_values}
    refused = [name for name, case in suited.items() if subject.run(case).error is not None]
    if len(refused) > len(suited) / 2:
        yield f"it refuses {len(refused)} of {len(suited)} nasty tables, among them “{refused[0]}”"


def _values(table: Table) -> int:
    return max(table.attributes[name].size for name in table.quasi)


def _refusal(subject: MethodSubject, table: Table, what: str, kind: type[Exception]) -> Iterator[str]:
    trial = run(subject.method, TriedTable(what, table))
    if trial.error is None:
        yield f"{what} is accepted"
    elif not isinstance(trial.error, kind if kind is not ValueError else REFUSALS):
        yield f"{what} raises {told(trial.error)}; raise {kind.__name__}"
    elif bad := badly_said(trial.error, _names(subject, trial)):
        yield f"the error about {what} {bad}"


def _names(subject: MethodSubject, trial: MethodRun) -> list[str]:
    """Return what an error may name: a parameter, a column, or the role that is missing."""
    named = [*subject.parameters, *map(str, trial.table.columns), "decision", "quasi-identifier", "secret", "sensitive"]
    return [*named, type(subject.method).__name__]
