"""Roles: which columns of a table others may know, which are secret, and which names the person of a row.

A column has one role, with two exceptions: the decision may be sensitive, and the person may be an identifier. Missing
values matter only in the columns that a release is about.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.wording import did_you_mean
from anonnb.tables.attribute import Attribute, preview
from anonnb.tables.labels import text as as_text

ROLES = ("quasi", "sensitive", "decision", "identifier", "person")
SINGLE = ("decision", "person")  # one column at most
TOGETHER = ({"sensitive", "decision"}, {"identifier", "person"})  # what a column may be both


class PersonWarning(UserWarning):
    """Rows are counted though people may be meant: somebody seems to have several rows, but no person is named."""


@dataclass(frozen=True)
class Roles:
    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    decision: str | None = None
    identifier: tuple[str, ...] = ()
    person: str | None = None

    @classmethod
    def of(
        cls,
        columns: Iterable[str],
        quasi: Sequence[str] | str,
        sensitive: Sequence[str] | str,
        decision: str | None,
        identifier: Sequence[str] | str,
        person: str | None = None,
    ) -> Roles:
        lists = {
            "quasi": names_of(quasi),
            "sensitive": names_of(sensitive),
            "identifier": names_of(identifier),
            "decision": () if decision is None else (decision,),
            "person": () if person is None else (person,),
        }
        for role, names in lists.items():
            check_known(names, columns, role)
        for index, first in enumerate(ROLES):
            for second in ROLES[index + 1 :]:
                others = set(lists[second])
                both = [name for name in lists[first] if name in others]
                if both and {first, second} not in TOGETHER:
                    raise ValueError(
                        f"column {both[0]!r} cannot be both {first} and {second}; give it one of the roles"
                    )
        return cls(lists["quasi"], lists["sensitive"], decision, lists["identifier"], person)

    def within(self, names: Sequence[str]) -> Roles:
        """Return the roles of some columns; the person of a row stays known without the column."""

        kept = set(names)

        def keep(role: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(name for name in role if name in kept)

        decision = self.decision if self.decision in names else None
        return Roles(keep(self.quasi), keep(self.sensitive), decision, keep(self.identifier), self.person)

    def without_person(self) -> Roles:
        return replace(self, person=None)

    def changed(self, columns: Sequence[str], roles: Mapping) -> Roles:
        given = {
            role: names_of(names) if role not in SINGLE else (() if names is None else (names,))
            for role, names in roles.items()
        }

        def taken(role: str) -> set[str]:
            others = [names for other, names in given.items() if other != role and {other, role} not in TOGETHER]
            return {name for names in others for name in names}

        def role(name: str, old: tuple[str, ...]) -> tuple[str, ...]:
            return given.get(name, tuple(column for column in old if column not in taken(name)))

        decision = role("decision", () if self.decision is None else (self.decision,))
        person = role("person", () if self.person is None else (self.person,))
        made = Roles.of(
            columns,
            role("quasi", self.quasi),
            role("sensitive", self.sensitive),
            decision[0] if decision else None,
            role("identifier", self.identifier),
            person[0] if "person" in given and person else None,
        )
        return replace(made, person=person[0] if person else None)  # a person stays known without the column

    def of_column(self, name: str) -> list[str]:
        roles = [role for role in ("identifier", "quasi", "sensitive") if name in getattr(self, role)]
        return roles + [role for role in SINGLE if name == getattr(self, role)]

    def check_everybody_named(self, nobody: np.ndarray) -> None:
        """Refuse rows without a person; ``nobody`` flags them."""
        if nobody.any():
            rows = int(nobody.sum())
            problem = (
                f"column {self.person!r} names the person of each row, but {rows:,} row{'s' * (rows != 1)} "
                f"{'have' if rows != 1 else 'has'} no value in it (the first is row {int(np.argmax(nobody))})"
            )
            raise ValueError(
                Message(problem, advice("; use ", remedies.option("missing", "drop"), tail=", or fill it"))
            )


def names_of(names: Sequence[str] | str | None) -> tuple[str, ...]:
    """Return one name or several as a tuple, each once."""
    if names is None:
        return ()
    # a column may be called 0: any single name will do
    return tuple(dict.fromkeys(names)) if isinstance(names, Iterable) and not isinstance(names, str) else (names,)


def check_known(names: Iterable, columns: Iterable, option: str) -> None:
    """Raise KeyError for the first name that is no column; the message begins with the option that gave it."""
    known = columns if isinstance(columns, Mapping) else set(columns)
    for name in names:
        if name not in known:
            meant, others = did_you_mean(name, columns), preview(list(columns), 20)
            raise KeyError(f"{option}: there is no column {name!r}; {meant}the columns are {others}")


def of_known_columns(given: Mapping[str, Mapping | None], columns: Iterable) -> list[dict]:
    """Return the settings of columns, all of which must exist, as a dict for each option."""
    for option, values in given.items():
        check_known(dict(values or {}), columns, option)
    return [dict(values or {}) for values in given.values()]


def preferring(
    attributes: Mapping[str, Attribute], weights: Mapping[str, float], limits: Mapping[str, int]
) -> dict[str, Attribute]:
    """Return the attributes with other weights and limits for the columns named."""
    for option, given in (("weights", weights), ("limits", limits)):
        check_known(given, attributes, option)
    changed = {name: attributes[name].preferring(weights.get(name), limits.get(name)) for name in {**weights, **limits}}
    return {**attributes, **changed}


def without_missing(frame: pd.DataFrame, missing: str, roles: Roles) -> pd.DataFrame:
    """Return the rows that ``missing`` keeps; columns that are neither published nor counted do not matter."""
    if missing == "value":
        return frame
    with_role = {*roles.quasi, *roles.sensitive, roles.decision, roles.person} - {None}
    names = [name for name in frame.columns if name in with_role] or list(frame.columns)
    absent = frame[names].isna()
    if missing == "drop":
        return frame[~absent.any(axis=1)]
    bad = absent.any()
    if bad.any():
        name = bad.index[bad.to_numpy()][0]
        row = int(np.argmax(absent[name].to_numpy()))
        use = advice("; use ", *remedies.MISSING_VALUES, tail=", or fill it")
        raise ValueError(Message(f"column {name!r} has a missing value in row {row}", use))
    return frame


def warn_of_repeated_people(rows: int, identifiers: Mapping[str, int]) -> None:
    """Warn once if an identifier repeats, given the number of values of each; of several, the one with most values."""
    repeated = [name for name, values in identifiers.items() if values < rows]
    if not repeated:
        return
    name = max(repeated, key=lambda name: identifiers[name])
    values = identifiers[name]
    problem = (
        f"column {name!r} repeats ({rows:,} rows, {values:,} value{'s' * (values != 1)}): k counts rows, not people"
    )
    message = Message(problem, advice("; name it: ", remedies.option("person", name)))
    warnings.warn(PersonWarning(message), stacklevel=4)


class HasDecision(Protocol):
    """A table or a release."""

    @property
    def decision(self) -> str | None: ...


def required_decision(data: HasDecision, *, tail: str = "") -> str:
    """Return the decision column, or raise an error that says how to name one."""
    if data.decision is None:
        name_it = advice("; name it with ", remedies.role("decision"), tail=tail)
        raise ValueError(Message("the table has no decision column", name_it))
    return data.decision


def identity_values(identifiers: pd.DataFrame) -> dict[str, list[str]]:
    """Return the values of identifier columns as texts; one that a tenth of the rows share names nobody.

    >>> identity_values(pd.DataFrame({"name": ["Ann", "Bob"] + ["unknown"] * 30}))
    {'name': ['Ann', 'Bob']}
    """
    limit = max(10, len(identifiers) // 10)
    counts = {str(name): identifiers[name].value_counts(sort=False) for name in identifiers}
    return {name: list(map(as_text, each.index[each <= limit])) for name, each in counts.items()}
