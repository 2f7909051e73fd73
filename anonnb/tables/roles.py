"""Roles: which columns of a table others may know, which are secret, and which say whose row it is and how it counts.

A column has one role, with two exceptions: the decision may be sensitive, and person, household and weight may be
identifiers. Missing values matter only in the columns that a release is about.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.wording import did_you_mean, pluralize
from anonnb.tables.attribute import Attribute, preview
from anonnb.tables.labels import text as as_text

KEPT = ("person", "household", "weight")  # known of every row, with or without the column; never published as they are
SINGLE = ("decision", *KEPT)  # one column at most
ROLES = ("quasi", "sensitive", "decision", "identifier", *KEPT)
TOGETHER = ({"sensitive", "decision"}, *({"identifier", role} for role in KEPT))  # what a column may be both
UNITS = ("person", "household")  # whom k counts


class PersonWarning(UserWarning):
    """Rows are counted though people may be meant: somebody seems to have several rows, but no person is named."""


@dataclass(frozen=True)
class Roles:
    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    identifier: tuple[str, ...] = ()
    decision: str | None = None
    person: str | None = None
    household: str | None = None
    weight: str | None = None
    household_columns: tuple[str, ...] = ()
    unit: str = "person"

    @classmethod
    def of(cls, columns: Iterable[str], *, unit: str = "person", **given: Sequence[str] | str | None) -> Roles:
        """Return roles, given one name or several for each; after its first name, ``household`` lists its columns."""
        lists = {role: names_of(given.get(role)) for role in ROLES}
        lists["household"], shared = lists["household"][:1], lists["household"][1:]
        for role, names in [*lists.items(), ("household", shared)]:
            check_known(names, columns, role)
        for role in SINGLE:
            if len(lists[role]) > 1:
                raise ValueError(f"{role} names the columns {preview(list(lists[role]), 5)}; name one")
        for first, second in combinations(ROLES, 2):
            others = set(lists[second])
            both = [name for name in lists[first] if name in others]
            if both and {first, second} not in TOGETHER:
                raise ValueError(f"column {both[0]!r} cannot be both {first} and {second}; give it one of the roles")
        if unit not in UNITS:
            raise ValueError(f"unit={unit!r} is not known; use 'person' or 'household'")
        if unit == "household" and not lists["household"]:
            name_it = advice("; name its column with ", remedies.role("household"))
            raise ValueError(Message("unit='household' counts households, but no household is named", name_it))
        single = {role: next(iter(lists[role]), None) for role in SINGLE}
        several = {role: lists[role] for role in ROLES if role not in SINGLE}
        return cls(**several, **single, household_columns=shared, unit=unit)  # type: ignore[arg-type]

    def within(self, names: Iterable[str]) -> Roles:
        """Return the roles of some columns; person, household and weight of a row stay known without the column."""
        kept = set(names)
        lists: dict[str, Any] = {
            role: tuple(name for name in getattr(self, role) if name in kept)
            for role in ("quasi", "sensitive", "identifier", "household_columns")
        }
        return replace(self, **lists, decision=self.decision if self.decision in kept else None)

    def without(self, roles: Iterable[str]) -> Roles:
        """Return the roles without some of person, household and weight, which nothing is known about."""
        lost: dict[str, Any] = dict.fromkeys(roles)
        lost |= {"household_columns": (), "unit": "person"} if "household" in lost else {}
        return replace(self, **lost)

    def changed(self, columns: Sequence[str], roles: Mapping) -> Roles:
        given = {role: names_of(names) for role, names in roles.items() if role != "unit"}
        known = [*columns, *filter(None, (getattr(self, role) for role in KEPT))]
        for role, names in given.items():
            check_known(names, known if role in KEPT else columns, role)

        def stays(role: str) -> tuple[str, ...]:
            others = [other for other in given if {other, role} not in TOGETHER]
            taken = {name for other in others for name in given[other][: 1 if other == "household" else None]}
            return tuple(name for name in names_of(getattr(self, role)) if name not in taken)

        lists = {role: given.get(role, stays(role)) for role in ROLES}
        if "household" not in given and lists["household"]:
            lists["household"] += self.household_columns
        return Roles.of(known, **lists, unit=roles.get("unit", self.unit if lists["household"] else "person"))

    def of_column(self, name: str) -> list[str]:
        roles = [role for role in ROLES if name in names_of(getattr(self, role))]
        return roles + ["of the household"] * (name in self.household_columns)


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


def values_of_rows(role: str, attribute: Attribute, codes: np.ndarray) -> np.ndarray:
    """Return the weight of each row, or equal numbers for rows of one person or household; refuse what is none."""
    name, nobody = attribute.name, codes == attribute.missing_code if attribute.missing else np.zeros(0, dtype=bool)
    if nobody.any():
        rows, row = int(nobody.sum()), int(np.argmax(nobody))
        problem = (
            f"column {name!r} names the {role} of each row, but {pluralize(rows, 'row')} "
            f"{'have' if rows != 1 else 'has'} no value in it (the first is row {row})"
        )
        raise ValueError(Message(problem, advice("; use ", remedies.option("missing", "drop"), tail=", or fill it")))
    if role != "weight":
        return attribute.as_written[codes]
    if not attribute.is_number:
        raise ValueError(f"column {name!r} holds no numbers, so it cannot be the weight; name another")
    weights = attribute.domain.to_numpy(dtype=float)[codes]
    if not (weights > 0).all():
        row = int(np.argmin(weights > 0))
        raise ValueError(
            f"column {name!r} holds weights, but row {row} has {weights[row]:g} in it; weights are positive numbers: "
            "correct it, or leave the row out"
        )
    return weights


def check_constant(
    what: str, owner: np.ndarray, columns: Mapping[str, np.ndarray], label: Callable[[int], str]
) -> None:
    """Refuse a column that differs within a household or person (``owner``, per row); ``label`` names that of a row."""
    number, _ = pd.factorize(owner)
    first = np.full(number.max(initial=-1) + 1, -1)
    first[number[::-1]] = np.arange(len(number))[::-1]
    for name, values in columns.items():
        differs = values != values[first[number]]
        if differs.any():
            which = label(int(np.argmax(differs)))
            raise ValueError(
                f"column {name!r} differs within the {what} {which!r}, but it must be the same in all its rows; "
                "correct it, or leave it out of the roles"
            )


def without_missing(frame: pd.DataFrame, missing: str, roles: Roles) -> pd.DataFrame:
    """Return the rows that ``missing`` keeps; columns that are neither published nor counted do not matter."""
    if missing == "value":
        return frame
    with_role = {*roles.quasi, *roles.sensitive, *(getattr(roles, role) for role in SINGLE)} - {None}
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


def survey_remark(table: Any, weighed: str = "", households: str = "") -> str:
    """Say what was done with survey weights and households, in a sentence; nothing if the table names neither.

    ``weighed`` and ``households`` say what uses them; by default nothing does.
    """
    parts = []
    if table.weight is not None:
        alone = f"survey weights ({table.weight}) play no role, as sampled {table.counted} count alike"
        parts.append(f"survey weights ({table.weight}) count in {weighed} only" if weighed else alone)
    if table.household is not None:
        counted = f"k counts households ({table.household})" if table.unit == "household" else ""
        parts.append(households or counted or f"who lives together ({table.household}) plays no role")
    return "; ".join(parts)


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
