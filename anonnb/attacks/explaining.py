"""A single case explained: what the attacker knows of one person, which published rows fit, and what these say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.attacks.matching.candidates import known_columns, secret_columns
from anonnb.tables.descriptions import html_block
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@dataclass(frozen=True, eq=False)
class Explanation:
    """One person under attack: ``known`` values, the ``candidates`` as published, and their ``secrets``, counted."""

    known: dict[str, str]
    candidates: pd.DataFrame
    secrets: pd.Series

    def __repr__(self) -> str:
        facts = " and ".join(f"{name} = {value}" for name, value in self.known.items())
        count = len(self.candidates)
        if not count:
            return f"{facts}: no published row fits"
        said = ", ".join(f"{value} ({rows})" for value, rows in self.secrets.items())
        return f"{facts}: {count} row{'s' * (count != 1)} fit{'s' * (count == 1)}" + (
            f", saying {said}" if said else ""
        )

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.candidates.head(8))


def explain(
    release: Release,
    row: int,
    known: Sequence[str] | None = None,
    column: str | None = None,
    table: Table | None = None,
) -> Explanation:
    """Why the person in this row of the original table is, or is not, found: the candidates and their secrets.

    >>> import anonnb
    >>> explain(Release.of(anonnb.load("decision6")), 0, known=["sex", "occupation"])
    sex = male and occupation = salesman: 3 rows fit, saying high (3)
    """
    people = release.table if table is None else table
    if not 0 <= row < len(people):
        raise ValueError(f"row {row} is not in the table; its rows are 0 to {len(people) - 1}")
    names = known_columns(known, release, people)
    person = Matching(release, people.take(np.array([row])), names)
    found = release.take(person.matrix()[0][person.published.kind])
    facts = {name: people.attributes[name].labels[people.codes(name)[row]] for name in names}
    if column is None and not release.sensitive and release.decision is None:
        return Explanation(facts, found.frame, pd.Series(dtype="int64"))
    secrets = pd.Series(found.columns[secret_columns(column, release)[0]].texts(), dtype=object)
    return Explanation(facts, found.frame, secrets.value_counts())
