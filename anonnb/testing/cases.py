"""The tables on which methods and attacks are tried: ordinary ones, and nasty ones that have broken something before.

All are small, made from a seed, and have every role: an identifier, quasi-identifiers, a secret, a decision and a
column without a role. Values of ordinary tables hold no marks, so that plain code can read what is published of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.labels import HIDDEN_LABELS
from anonnb.tables.table import Table
from anonnb.testing.recounting import Reader

SECRET, DECISION, IDENTIFIER, OTHER = "ill", "pay", "name", "memo"
CITIES = {"Rome": "south", "Bari": "south", "Turin": "north", "Milan": "north"}
GRADES = ["low", "mid", "high"]
SECRETS, DECISIONS = ["flu", "cold", "cough"], ["less", "more"]
ORDINARY_ROWS, NASTY_ROWS = 18, 12


@dataclass(frozen=True, eq=False)
class TriedTable:
    """A table and how to read what is published of it."""

    name: str
    table: Table
    reader: Reader = field(default_factory=lambda: Reader(hidden=HIDDEN_LABELS))


def ordinary(seed: int, most_values: float = np.inf, rows: int = ORDINARY_ROWS) -> TriedTable:
    """People with an age, a sex, a city with a hierarchy, and an ordered grade; fewer values on request."""
    rng = np.random.default_rng(seed)
    name = f"an ordinary table (seed {seed})"
    if most_values < 8:
        columns = ("sex", "smokes", "works", "drives")
        return TriedTable(name, with_roles(pd.DataFrame({each: rng.choice(["M", "F"], rows) for each in columns}), rng))
    frame = pd.DataFrame(
        {
            "age": 4 * rng.integers(5, 13, rows),
            "sex": rng.choice(["M", "F"], rows),
            "city": rng.choice(list(CITIES), rows),
            "grade": pd.Categorical(rng.choice(GRADES, rows), GRADES, ordered=True),
        }
    )
    hierarchies = {"age": Hierarchy.intervals(5, 20), "city": _cities()}
    domains = {"age": [0, 30, 40, 100], "sex": ["M", "F"], "grade": GRADES, SECRET: SECRETS, DECISION: DECISIONS}
    table = with_roles(frame, rng, hierarchies=hierarchies, domains=domains)
    behind = {label: {city for city, part in CITIES.items() if part == label} for label in CITIES.values()}
    return TriedTable(name, table, Reader({"grade": GRADES}, {"city": behind}, HIDDEN_LABELS))


def visits(case: TriedTable, seed: int) -> TriedTable:
    """Give the same rows to half as many people; only ``people`` says whose they are."""
    table = case.table
    whose = np.random.default_rng(seed).permutation(len(table)) // 2
    codes = {name: table.codes(name) for name in table.columns}
    made = Table._of(table.attributes, codes, replace(table._roles, person="visitor"), table.index, {"person": whose})
    return TriedTable(f"{case.name}, two rows of each person", made, case.reader)


def blocks(size: int) -> TriedTable:
    """Make four blocks of identical rows whose secrets are all the same: k alone keeps them apart, other models do not.

    Any two blocks differ in two of three columns, so a class of two covers two combinations that nobody has.
    """
    words, secrets = ["abc", "axz", "ybz", "yxc"], ["flu", "cold", "cough", "gout"]
    frame = pd.DataFrame([list(word) for word in words for _ in range(size)], columns=["one", "two", "three"])
    frame[SECRET] = np.repeat(secrets, size)
    frame[DECISION] = np.resize(DECISIONS, len(frame))
    table = Table(frame, quasi=["one", "two", "three"], sensitive=[SECRET], decision=DECISION)
    return TriedTable(f"four blocks of {size} rows with one secret each", table)


def everybody(case: TriedTable, size: int) -> Table:
    """Make a population with so many people for each combination of values."""
    table = case.table
    people = [values for values in product(*(table[name].unique() for name in table.quasi)) for _ in range(size)]
    return Table(pd.DataFrame(people, columns=table.quasi), quasi=table.quasi)


def _cities() -> Hierarchy:
    return Hierarchy.from_dict({city: [part, "*"] for city, part in CITIES.items()})


def with_roles(frame: pd.DataFrame, rng: np.random.Generator, **options: Any) -> Table:
    """Return a table with these quasi-identifiers and a column of every other role."""
    rows, quasi = len(frame), list(frame.columns)
    frame = frame.assign(
        **{
            IDENTIFIER: [f"person-{number:03}" for number in rng.permutation(rows)],
            SECRET: _balanced(SECRETS, rows, rng),
            DECISION: _balanced(DECISIONS, rows, rng),
            OTHER: rng.choice(["a", "b"], rows),
        }
    )
    return Table(frame, quasi=quasi, sensitive=[SECRET], decision=DECISION, identifier=[IDENTIFIER], **options)


def _balanced(values: list[str], rows: int, rng: np.random.Generator) -> np.ndarray:
    """Draw each value about equally often, in any order."""
    return rng.permutation(np.resize(np.array(values, dtype=object), rows))


# ---- nasty tables -----------------------------------------------------------------------------------------------

NASTY: dict[str, Callable[[np.random.Generator, int], Table]] = {}


def _nasty(name: str) -> Callable[[Callable], Callable]:
    def add(make: Callable[[np.random.Generator, int], pd.DataFrame | Table]) -> Callable:
        def made(rng: np.random.Generator, rows: int) -> Table:
            table = make(rng, rows)
            return table if isinstance(table, Table) else with_roles(table, rng)

        NASTY[name] = made
        return made

    return add


def nasty(name: str, seed: int, rows: int = NASTY_ROWS) -> TriedTable:
    """Make the nasty table with this name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the value "*", which is meant
        return TriedTable(name, NASTY[name](np.random.default_rng(seed), rows))


@_nasty("one class")
def _one_class(rng, rows):
    return pd.DataFrame({"age": [30] * rows, "sex": ["M"] * rows})


@_nasty("all rows equal")
def _equal(rng, rows):
    frame = pd.DataFrame({"age": [30] * rows, "sex": "M", SECRET: "flu", DECISION: "less", OTHER: "a"})
    return Table(frame, quasi=["age", "sex"], sensitive=[SECRET], decision=DECISION)


@_nasty("all rows different")
def _different(rng, rows):
    return pd.DataFrame({"code": [f"c{number}" for number in rng.permutation(rows)], "age": rng.permutation(rows)})


@_nasty("missing values everywhere")
def _missing(rng, rows):
    frame = pd.DataFrame(
        {
            "age": pd.array(np.where(rng.random(rows) < 0.5, None, rng.integers(0, 4, rows)), dtype="Int64"),
            "height": np.where(rng.random(rows) < 0.5, np.nan, rng.random(rows).round(1)),
            "sex": np.where(rng.random(rows) < 0.5, None, rng.choice(["M", "F"], rows)),
            "nothing": [None] * rows,
        }
    )
    table = with_roles(frame, rng)
    holes = table.frame[[SECRET, DECISION]].mask(rng.random((rows, 2)) < 0.3)
    return Table(table.frame.assign(**holes), **roles(table))


@_nasty("one column")
def _one_column(rng, rows):
    return pd.DataFrame({"age": rng.integers(20, 26, rows)})


@_nasty("many columns")
def _many_columns(rng, rows):
    return pd.DataFrame({f"c{number}": rng.choice(["a", "b"], rows) for number in range(7)})


@_nasty("huge and tiny numbers")
def _numbers(rng, rows):
    floats = np.resize([1e300, -1e300, 1e-300, 0.0, -0.0, 0.1 + 0.2, 1e16, 1e16 + 2], rows)
    whole = np.resize([2**62, -(2**62), 0, 1, 2**53 + 1, 2**53], rows)
    return pd.DataFrame({"float": rng.permutation(floats), "whole": rng.permutation(whole)})


@_nasty("dates")
def _dates(rng, rows):
    days = pd.Timestamp("1999-12-25") + pd.to_timedelta(rng.integers(0, 15, rows), unit="D")
    moments = pd.Series(pd.Timestamp("2020-03-29 01:30") + pd.to_timedelta(rng.integers(0, 9, rows), unit="min"))
    return pd.DataFrame({"day": days, "moment": moments.mask(rng.random(rows) < 0.2)})


@_nasty("odd texts")
def _texts(rng, rows):
    words = ["", " ", "a", " a", "A", "ä", "a\u0308", "日本", "x\ny", 'say "no"', "a,b", "; DROP TABLE"]
    return pd.DataFrame(
        {"word": rng.permutation(np.resize(np.array(words, dtype=object), rows)), "n": rng.integers(0, 3, rows)}
    )


@_nasty("values that read alike")
def _alike(rng, rows):
    mixed = np.empty(6, dtype=object)
    mixed[:] = [1, "1", 1.0, "1.0", True, "True"]
    return pd.DataFrame(
        {"mixed": pd.Series(rng.permutation(np.resize(mixed, rows)), dtype=object), "n": rng.integers(0, 3, rows)}
    )


@_nasty("values that look like marks")
def _marks(rng, rows):
    marks = np.array(["*", "[1–2]", "a or b", "a", "b", "[20,30)", "a|b", "missing", "?", "nan"], dtype=object)
    return pd.DataFrame({"mark": rng.permutation(np.resize(marks, rows)), "n": rng.integers(1, 3, rows)})


@_nasty("columns of one value")
def _constant(rng, rows):
    return pd.DataFrame({"country": ["IT"] * rows, "year": [2020] * rows, "sex": rng.choice(["M", "F"], rows)})


@_nasty("one secret for all")
def _one_secret(rng, rows):
    table = with_roles(pd.DataFrame({"age": rng.integers(20, 26, rows), "sex": rng.choice(["M", "F"], rows)}), rng)
    return Table(table.frame.assign(**{SECRET: "flu"}), **roles(table))


@_nasty("ordered categories")
def _ordered(rng, rows):
    sizes = pd.Categorical(rng.choice(["S", "L"], rows), ["S", "M", "L"], ordered=True)  # nobody has M
    grades = pd.Categorical(rng.choice([3, 1, 2], rows), [3, 1, 2], ordered=True)
    return pd.DataFrame({"size": sizes, "grade": grades})


@_nasty("a hierarchy with several roots")
def _several_roots(rng, rows):
    frame = pd.DataFrame({"city": rng.choice(list(CITIES), rows), "age": rng.integers(20, 26, rows)})
    roots = Hierarchy.from_dict({city: [part] for city, part in CITIES.items()})
    return with_roles(frame, rng, hierarchies={"city": roots})


@_nasty("two rows")
def _two_rows(rng, rows):
    return pd.DataFrame({"age": [20, 60], "sex": ["M", "F"]})


@_nasty("columns with odd names")
def _odd_names(rng, rows):
    return pd.DataFrame(
        {"a or b": rng.integers(0, 3, rows), "k": rng.choice(["x", "y"], rows), "": rng.integers(0, 2, rows)}
    )


def roles(table: Table) -> dict:
    """Return the roles of a table, as ``Table`` takes them."""
    given = {"quasi": table.quasi, "sensitive": table.sensitive, "decision": table.decision}
    return {**given, "identifier": table.identifiers}
