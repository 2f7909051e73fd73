"""From a file, a DataFrame or the name of a shipped table to a Table with roles, and which roles columns may have.

Roles are guessed from names and from the number of values. A guess is only a starting point: a column about which
nothing is known is left out, and so not published.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from anonnb.files.reading import read_table_file
from anonnb.tables.labels import text as as_text
from anonnb.tables.roles import KEPT, check_known, names_of
from anonnb.tables.table import Table

ROLES = IDENTIFIER, QUASI, SENSITIVE, DECISION, ALSO, LEFT_OUT = (  # as people write them
    *("identifier", "quasi-identifier", "sensitive"),
    *("decision", "also", "left out"),
)
READING = ("sep", "encoding", "decimal", "dayfirst", "sheet")  # how a file is written
EXAMPLE_ROLES: dict[str, Any] = {
    "quasi": ["born", "sex", "zip", "visited"],
    "sensitive": ["diagnosis", "charge"],
    "identifier": ["name"],
    "person": "patient",
}
_TOWNS = ("10115", "10117", "10243", "10245", "12043", "12047", "12435", "13187", "13189", "14050")
_DIAGNOSES = {"J06.9": 30, "I10.9": 22, "E11.9": 14, "M54.5": 14, "F32.1": 8, "J45.0": 7, "C50.9": 3, "B24.0": 2}


def open_table(
    data: str | os.PathLike[str] | pd.DataFrame | Table,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    identifier: Sequence[str] | str = (),
    **options: Any,
) -> Table:
    """Make a table from the name of a shipped one (``"survey"``), a CSV or Parquet file, or a DataFrame.

    Parameters
    ----------
    data:
        The name, the file, the frame, or a table.
    quasi, sensitive, identifier:
        Columns by role, as for :class:`anonnb.Table`. They replace those of a shipped table; a file needs at least
        ``quasi``.
    options:
        Further roles and options of :class:`anonnb.Table` and, for a file, of ``read_table_file``; an order may be
        written as texts, whatever the column holds.

    Raises
    ------
    ValueError
        If a file or a frame comes without quasi-identifiers.

    Examples
    --------
    >>> open_table("survey", quasi=["Sex"]).quasi
    ['Sex']
    """
    identifier = [*names_of(identifier), *names_of(options.pop("identifiers", ()))]
    roles = {"quasi": quasi, "sensitive": sensitive, "identifier": identifier}
    given: dict[str, Any] = {role: names for role, names in roles.items() if len(names)}
    given |= {role: options.pop(role) for role in (*KEPT, "unit") if options.get(role) is not None}
    from anonnb.tables import datasets

    if isinstance(data, str) and data in datasets.names():
        data = datasets.load(data)
    reading = {key: options.pop(key) for key in READING if key in options}
    if isinstance(data, Table):
        table = _redescribe(data, given, options)
    else:
        frame = data if isinstance(data, pd.DataFrame) else read_table_file(data, **reading)
        options |= {"orders": _orders_meant(options["orders"], frame)} if "orders" in options else {}
        if not len(quasi):
            columns = ", ".join(map(str, frame.columns))
            raise ValueError(f"quasi is empty: name the columns that others may know; the columns are {columns}")
        table = Table(frame, **{**options, **given})
    warn_of_identifiers(table)
    return table


def _redescribe(table: Table, roles: dict[str, Any], options: dict[str, Any]) -> Table:
    """Give a table other roles and what the options say about its columns."""
    decision = {"decision": options.pop("decision")} if "decision" in options else {}
    weights, limits = options.pop("weights", {}), options.pop("limits", {})
    if options.get("missing", "value") != "value":
        raise ValueError("missing is for files and frames; a table has its rows already")
    orders = {"orders": _orders_meant(options["orders"], table.frame)} if "orders" in options else {}
    described = {name: value for name, value in options.items() if name not in ("missing", *KEPT, "unit")} | orders
    table = table.with_roles(**roles, **decision) if roles or decision else table
    table = table.recoded(**described) if described else table
    return table.with_weights(**weights).with_limits(**limits) if weights or limits else table


def values_meant(words: Sequence[Any], column: pd.Series) -> list[Any]:
    """Replace words by the values of a column that are written like them; other words stay as they are.

    >>> values_meant(["2", "1", "none"], pd.Series([1, 2]))
    [2, 1, 'none']
    """
    values = {as_text(value): value for value in column.dropna().unique().tolist()}
    return [values.get(word, word) if isinstance(word, str) else word for word in words]


def _orders_meant(orders: Mapping[str, Sequence[Any]], frame: pd.DataFrame) -> dict[str, list[Any]]:
    check_known(orders, frame.columns, "orders")
    return {name: values_meant(words, frame[name]) for name, words in orders.items()}


def example_visits(patients: int = 1200, seed: int = 50) -> pd.DataFrame:
    """Draw fictitious visits to a doctor's practice, a row each, of people who come one to six times.

    They have all that makes real tables awkward: repeated people, dates, long codes, empty cells and two secrets.

    >>> visits = example_visits()
    >>> visits.columns.tolist()
    ['patient', 'name', 'born', 'sex', 'zip', 'visited', 'diagnosis', 'charge']
    >>> visits["patient"].nunique()
    1200
    """
    draw = np.random.default_rng(seed)
    whose = np.repeat(np.arange(patients), draw.choice(np.arange(1, 7), patients, p=[0.4, 0.25, 0.15, 0.1, 0.06, 0.04]))
    born = pd.to_datetime([f"{year}-01-01" for year in 1940 + draw.binomial(70, 0.5, patients)])
    sex, town = draw.choice(["female", "male"], patients), draw.choice(_TOWNS, patients)
    first = draw.choice(["A.", "B.", "C.", "D.", "E.", "F."], patients)
    shares = np.array(list(_DIAGNOSES.values()), dtype=float)
    usual = draw.choice(list(_DIAGNOSES), patients, p=shares / shares.sum())
    again = draw.random(len(whose)) < 0.7  # most come back for the same reason
    other = draw.choice(list(_DIAGNOSES), len(whose), p=shares / shares.sum())
    frame = pd.DataFrame(
        {
            "patient": [f"P{1000 + number}" for number in whose],
            "name": [f"{first[number]} Doe {number}" for number in whose],
            "born": born[whose],
            "sex": sex[whose],
            "zip": town[whose],
            "visited": pd.to_datetime([f"2025-{month:02}-01" for month in draw.integers(1, 13, len(whose))]),
            "diagnosis": np.where(again, usual[whose], other),
            "charge": np.round(draw.lognormal(4, 0.6, len(whose))).astype(int),
        }
    )
    frame = frame.iloc[draw.permutation(len(frame))].reset_index(drop=True)
    frame.loc[draw.random(len(frame)) < 0.03, "zip"] = None
    frame.loc[draw.random(len(frame)) < 0.02, "diagnosis"] = None
    return frame


# ---- roles ---------------------------------------------------------------------------------------------------------


# a quasi-identifier with more distinct values than this share of the rows generalizes into one class, or into nothing
_SHARE = 0.95
_FEWEST_ROWS = 20
_FEW_VALUES = 30  # a column with at most this many values may be known to others
_LONG_TEXT = 40  # letters on average: free text

_WORDS = {
    IDENTIFIER: "id name surname firstname lastname email mail phone telephone mobile fax ssn passport iban account "
    "address street url ip user username login",
    SENSITIVE: "income salary wage pay diagnosis disease illness ill condition hypertension cancer hiv drug medication "
    "therapy treatment religion politics party vote orientation debt credit crime conviction grade mark score",
    QUASI: "age born birth birthday birthdate birthyear dob year sex gender zip zipcode postcode postal plz city town "
    "village region county state country nationality native race ethnicity marital family status education school "
    "degree occupation job profession workclass employer title height children relationship language",
}
# how words about health begin, in names of columns and in values: nobody else should learn them
_HEALTH = re.compile(
    r"diagnos|diseas|illness|sick|symptom|disorder|syndrom|comorbid|icd\b|cancer|tumou?r|carcinom|leuk|diabet|hypertens|"
    r"depress|anxiety|asthma|copd|hiv\b|aids\b|hepatit|influenza|flu\b|pneumon|covid|stroke|infarct|arthrit|epilep|"
    r"allerg|pregnan|disab|disabled|medication|prescri|therap|treatment|surger|psychi|dementia|alzheimer|addict|"
    r"alcohol|smok|schizo|obes|migraine|tubercul|malaria|gastr|bronch|fracture"
)
_KNOWN = {word: role for role, words in _WORDS.items() for word in words.split()}


class IdentifierWarning(UserWarning):
    """A column that looks like an identifier was chosen as a quasi-identifier."""


def warn_of_identifiers(table: Table) -> None:
    """Warn of each quasi-identifier that by itself tells nearly every row apart.

    Measurements and dates are exempt: a weight in kilograms differs for everybody and still generalizes well. Whole
    numbers are not, even if they are floats because one is missing.
    """
    for name in table.quasi:
        attribute = table.attributes[name]
        measured = attribute.kind == "numeric" and not (attribute.is_number and _whole(attribute.domain))
        if not measured and tells_rows_apart(table, name):
            warnings.warn(
                f"column {name!r} has {distinct_values(table, name):,} different values in {len(table):,} rows: "
                "it looks like an identifier; make it one (then it is not published), or leave it out",
                IdentifierWarning,
                stacklevel=3,
            )


def tells_rows_apart(table: Table, name: str) -> bool:
    """Return whether nearly every row has its own value of a column; with few rows this means nothing.

    >>> tells_rows_apart(Table(pd.DataFrame({"age": [30] * 30, "id": range(30)}), quasi="age"), "id")
    True
    """
    return len(table) >= _FEWEST_ROWS and distinct_values(table, name) > _SHARE * len(table)


def distinct_values(table: Table, name: str) -> int:
    """Count the different values of a column; a missing one counts as a value.

    >>> distinct_values(Table(pd.DataFrame({"age": [30, 40, 30]}), quasi="age"), "age")
    2
    """
    return int(np.count_nonzero(np.bincount(table.codes(name), minlength=table.attributes[name].size)))


def constant_within(table: Table, names: Sequence[str]) -> dict[str, str]:
    """Return for each column that is the same in all rows of another one, such as a household, the other one.

    Only columns that distinguish nearly as many as the other are meant, because they say which household it is.

    >>> frame = pd.DataFrame({"home": [1, 1, 2, 2, 3, 3], "age": range(6), "income": [9.5, 9.5, 8.25, 8.25, 7, 7]})
    >>> constant_within(Table(frame, quasi="age", sensitive="income"), ["income"])
    {'income': 'home'}
    """
    values = {name: distinct_values(table, name) for name in table.columns}
    within = {}
    for name in names:
        for other in table.columns:
            near = _SHARE * values[other] <= values[name] <= values[other] < _SHARE * len(table)
            if name != other and other not in names and near and values[name] > 1:
                pairs = table.codes(other) * np.int64(table.attributes[name].size) + table.codes(name)
                if len(pd.unique(pairs)) == values[other]:
                    within[str(name)] = str(other)
    return within


def is_measured(table: Table, name: str) -> bool:
    """Return whether a column holds numbers with fractions, such as weights.

    >>> is_measured(Table(pd.DataFrame({"age": [30, 40], "weight": [71.5, 80.25]}), quasi="age"), "weight")
    True
    """
    attribute = table.attributes[name]
    return attribute.kind == "numeric" and attribute.is_number and not _whole(attribute.domain)


def _whole(values: pd.Series | pd.Index) -> bool:
    return bool((values.to_numpy(dtype=float) % 1 == 0).all())


def guess_roles(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row per column: how many values it has, how many are missing, the role it may have, and why.

    Raises ValueError for a column of lists and the like.

    >>> guess_roles(pd.DataFrame({"age": [30, 40], "illness": ["flu", "cold"]}))["role"].tolist()
    ['quasi-identifier', 'sensitive']
    """
    lines = []
    for name in frame.columns:
        column = frame[name]
        distinct = _distinct(name, column)
        role, reason = _guess(str(name), column, distinct)
        lines.append((name, distinct, int(column.isna().sum()), role, reason))
    return pd.DataFrame(lines, columns=["column", "values", "missing", "role", "reason"])


def _distinct(name: str, column: pd.Series) -> int:
    try:
        return int(column.nunique())
    except TypeError:
        raise ValueError(
            f"column {name!r} holds lists or the like; give each cell one value, or drop the column"
        ) from None


def _guess(name: str, column: pd.Series, distinct: int) -> tuple[str, str]:
    values = column.dropna()
    if distinct < 2:
        return LEFT_OUT, "it has no value" if distinct == 0 else "it has one value only"
    words = _words(name)
    hinted = {_KNOWN[word] for word in words if word in _KNOWN}
    if "age" not in words and any(map(_HEALTH.match, words)):
        return SENSITIVE, "its name is about health, which nobody should learn"
    apart = len(values) >= _FEWEST_ROWS and distinct > _SHARE * len(values)
    number = pd.api.types.is_numeric_dtype(column)
    measured = number and not _whole(values)
    hinted_number = number and SENSITIVE in hinted  # incomes of few people all differ
    if apart and not (measured or hinted_number or QUASI in hinted or pd.api.types.is_datetime64_any_dtype(column)):
        return IDENTIFIER, "nearly each row has its own value"
    for role, reason in ((IDENTIFIER, "it names a person"), (SENSITIVE, "nobody should learn it")):
        if role in hinted and QUASI not in hinted:
            return role, f"{reason}, its name says"
    if QUASI in hinted:
        return QUASI, "others may know it, its name says"
    if not number and values.astype(str).str.len().mean() > _LONG_TEXT:
        return IDENTIFIER, "long texts may name anybody"
    if not number and _about_health(values):
        return SENSITIVE, "its values are about health, which nobody should learn"
    if distinct <= _FEW_VALUES:
        return QUASI, "few values, which others may know"
    return LEFT_OUT, "many values; it is not published without a role"


def _words(name: str) -> list[str]:
    """Return the words of a column's name.

    >>> _words("patientID"), _words("E-Mail_2")
    (['patient', 'id'], ['email'])
    """
    return re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold().replace("e-mail", "email"))


def _about_health(values: pd.Series) -> bool:
    """Return whether a fifth of the first hundred different values contain a word about health."""
    first = values.astype(str).unique()[:100]
    hits = sum(any(map(_HEALTH.match, re.findall(r"[^\W\d_]+", value.casefold()))) for value in first)
    return hits >= 0.2 * len(first)


# ---- people with several rows --------------------------------------------------------------------------------------

_PEOPLE = {
    *("id", "pid", "uid", "patient", "person", "subject", "participant", "respondent", "client", "customer", "member"),
    *("user", "employee", "student", "pupil", "ssn", "passport", "insured"),
}
_NOT_PEOPLE = {"street", "address", "url", "ip"}  # several people may share them
_MAX_ROWS_EACH = 50  # on average; what repeats more often names a hospital, a product, a day
_FEWEST_PAIRS = 20


@dataclass(frozen=True)
class RepeatedPeople:
    """A column that may say whose row it is; ``named`` if its name says so."""

    column: str
    rows: int
    values: int
    named: bool

    def __str__(self) -> str:
        return f"column {self.column!r} repeats ({self.rows:,} rows, {self.values:,} values)"


def find_repeated_people(data: pd.DataFrame | Table, among: Iterable[str]) -> RepeatedPeople | None:
    """Return the column, of those in ``among``, that most likely says whose row it is, if people have several rows.

    Its name says so, or rows with the same value also agree in a third of the other columns, such as sex and year of
    birth. A column whose name is about people and that never repeats settles it: then every row is another person.

    >>> frame = pd.DataFrame({"patient": [1, 1, 2], "visit": [1, 2, 3], "ill": ["flu", "cold", "flu"]})
    >>> print(find_repeated_people(frame, ["patient", "visit"]))
    column 'patient' repeats (3 rows, 2 values)
    """
    codes_of: Callable[[str], np.ndarray] = cache(
        data.codes if isinstance(data, Table) else lambda name: pd.factorize(data[name])[0]
    )
    rows, candidates = len(data), []
    for name in among:
        words = set(_words(str(name)))
        named = bool(words) and words <= _PEOPLE
        if words & _NOT_PEOPLE or not _may_name(data, name):
            continue
        values = len(np.unique(codes_of(name)))
        if named and values == rows and words != {"id"}:
            return None
        if 1 < values < rows <= _MAX_ROWS_EACH * values and (named or _agree(data, name, codes_of)):
            candidates.append(RepeatedPeople(str(name), rows, values, named))
    return max(candidates, key=lambda each: (each.named, each.values), default=None)


def _may_name(data: pd.DataFrame | Table, name: str) -> bool:
    """Return whether a column holds texts or whole numbers; measurements and dates name nobody."""
    values = data.attributes[name].domain if isinstance(data, Table) else data[name].dropna()
    if pd.api.types.is_datetime64_any_dtype(values.dtype) or pd.api.types.is_bool_dtype(values.dtype):
        return False
    return not pd.api.types.is_float_dtype(values.dtype) or _whole(values)


def _agree(data: pd.DataFrame | Table, name: str, codes_of: Callable[[str], np.ndarray]) -> bool:
    """Return whether rows with the same value of a column agree in many other columns, far beyond chance."""
    order = np.argsort(codes_of(name), kind="stable")
    first = np.flatnonzero(np.diff(codes_of(name)[order]) == 0)
    if len(first) < _FEWEST_PAIRS:
        return False
    agreeing, compared = 0, 0
    for other in data.columns:
        codes = codes_of(other)[order]
        by_chance = float(((np.bincount(codes + 1) / len(codes)) ** 2).sum())
        if other != name and by_chance < 0.8:
            compared += 1
            agreeing += float((codes[first] == codes[first + 1]).mean()) > 0.95
    return agreeing >= max(2, compared / 3)  # in Adult, a weight stands for sex and race, but for nothing else
