"""The homogeneity attack (Machanavajjhala et al. 2007): all rows that could be yours have the same secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.candidates import Candidates, known_columns, secret_column
from anonnb.core.card import Card
from anonnb.core.compound import Names, Optional
from anonnb.core.constraints import Name
from anonnb.core.parameters import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class HomogeneityAttack(Attack):
    """Read a person's secret off the candidates when they all have the same one.

    ``known``: columns the attacker knows (the whole quasi-identifier by default); ``column``: the secret.

    >>> import anonnb
    >>> HomogeneityAttack(known=["sex", "occupation"]).run(Release.of(anonnb.load("decision6")))
    HomogeneityAttack(known=('sex', 'occupation')): 100.0% of 6 attempts succeed
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where the person is in the release and cells hold the true values, an inferred value is true: the "
            "person's own row is among the candidates. Distinct l-diversity with l ≥ 2 stops it."
        ),
        tested="60 random releases of 2 to 9 rows: success equals a plain join of people and rows.",
        heuristic="Where cells were moved or perturbed, an inferred value may be false; only true ones count.",
        paper=(
            "A. Machanavajjhala, J. Gehrke, D. Kifer and M. Venkitasubramaniam, l-diversity: privacy beyond "
            "k-anonymity, 2007."
        ),
    )

    needs_sensitive: ClassVar[bool] = True
    place: ClassVar[int] = 2

    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    column: str | None = parameter(Optional(Name()), default=None)

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per combination of known values: candidates, values left, the value found, whom it is right for."""
        people = release.table if table is None else table
        secret = secret_column(self.column, release)
        cases = Candidates(release, people, known_columns(self.known, release, people), secret)
        return secret_result(self, cases, self._left(cases))

    def _left(self, cases: Candidates) -> np.ndarray:
        """The values that the attacker cannot exclude (cases × values)."""
        return cases.possible


def secret_result(attack: Attack, cases: Candidates, left: np.ndarray, **info) -> AttackResult:
    """The result of an attack that succeeds where one value is left and it is the true one."""
    single = left.sum(axis=1) == 1
    value = left.argmax(axis=1)
    hit = single[cases.case] & (cases.truth() == value[cases.case])
    right = np.bincount(cases.case[hit], minlength=cases.n_cases)
    frame = pd.DataFrame(
        {
            "known": cases.texts(),
            "people": cases.people_per_case,
            "candidates": cases.size,
            "left": left.sum(axis=1),
            "inferred": np.where(single, np.array(cases.labels(), dtype=object)[value], ""),
            "right": right,
            "score": right / cases.people_per_case,
        }
    )
    return AttackResult(attack, float(hit.mean()) if len(hit) else 0.0, len(hit), frame, info)
