"""Which role a column may have: guessed from its name and the number of its values, with warnings about odd choices.

A guess is only a starting point; a column about which nothing is known is left out, and so not published.
"""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd

from anonnb.tables.table import Table

# a quasi-identifier with more distinct values than this share of the rows generalizes into one class, or into nothing
_SHARE = 0.95
_FEWEST_ROWS = 20
_FEW_VALUES = 30  # a column with at most this many values may be known to others
_LONG_TEXT = 40  # letters on average: free text

IDENTIFIER, QUASI, SENSITIVE, LEFT_OUT = ROLES = ("identifier", "quasi-identifier", "sensitive", "left out")
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
    """One warning for each quasi-identifier that by itself tells nearly every row apart.

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
    """Whether nearly every row has its own value of a column; with few rows this means nothing.

    >>> tells_rows_apart(Table(pd.DataFrame({"age": [30] * 30, "id": range(30)}), quasi="age"), "id")
    True
    """
    return len(table) >= _FEWEST_ROWS and distinct_values(table, name) > _SHARE * len(table)


def distinct_values(table: Table, name: str) -> int:
    """How many different values a column has; a missing one counts as a value.

    >>> distinct_values(Table(pd.DataFrame({"age": [30, 40, 30]}), quasi="age"), "age")
    2
    """
    return int(np.count_nonzero(np.bincount(table.codes(name), minlength=table.attributes[name].size)))


def is_measured(table: Table, name: str) -> bool:
    """Whether a column holds numbers with fractions, such as weights; whole numbers and dates may identify a person.

    >>> is_measured(Table(pd.DataFrame({"age": [30, 40], "weight": [71.5, 80.25]}), quasi="age"), "weight")
    True
    """
    attribute = table.attributes[name]
    return attribute.kind == "numeric" and attribute.is_number and not _whole(attribute.domain)


def _whole(values: pd.Series | pd.Index) -> bool:
    return bool((values.to_numpy(dtype=float) % 1 == 0).all())


def guess_roles(frame: pd.DataFrame) -> pd.DataFrame:
    """A row per column: how many values it has, how many are missing, the role it may have, and why.

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
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold().replace("e-mail", "email"))
    hinted = {_KNOWN[word] for word in words if word in _KNOWN}
    if "age" not in words and any(map(_HEALTH.match, words)):
        return SENSITIVE, "its name is about health, which nobody should learn"
    apart = len(values) >= _FEWEST_ROWS and distinct > _SHARE * len(values)
    number = pd.api.types.is_numeric_dtype(column)
    measured = number and not _whole(values)
    if apart and not measured and QUASI not in hinted and not pd.api.types.is_datetime64_any_dtype(column):
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


def _about_health(values: pd.Series) -> bool:
    """Whether a fifth of the first hundred different values contain a word about health."""
    first = values.astype(str).unique()[:100]
    found = sum(any(map(_HEALTH.match, re.findall(r"[^\W\d_]+", value.casefold()))) for value in first)
    return found >= 0.2 * len(first)
