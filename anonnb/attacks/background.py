"""The background-knowledge attack (Machanavajjhala et al. 2007): rule values out until one is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.candidates import Candidates, known_columns, secret_column
from anonnb.attacks.homogeneity import HomogeneityAttack, secret_result
from anonnb.core.card import Card
from anonnb.core.compound import OneOf, Several
from anonnb.core.constraints import Whole
from anonnb.core.parameters import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class BackgroundAttack(HomogeneityAttack):
    """Know that a person does not have certain values, and infer the one that is left.

    ``ruled_out``: the values that the attacker can exclude for anybody who does not have them (a man has no breast
    cancer, say); or a number m: any m values, whichever help most. l-diversity with l > m + 1 stops the latter.

    >>> import anonnb
    >>> BackgroundAttack(known=["domicile"], ruled_out=["low"]).run(Release.of(anonnb.load("decision6"))).success
    0.3333333333333333
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where the person is in the release and cells hold the true values, an inferred value is true. Distinct "
            "l-diversity with l > m + 1 stops an attacker who rules out any m values."
        ),
        tested="By hand, on six people in two classes.",
        heuristic=(
            "With a number m the attacker is taken to know the m values that help most, which no real attacker may "
            "know."
        ),
        paper=(
            "A. Machanavajjhala, J. Gehrke, D. Kifer and M. Venkitasubramaniam, l-diversity: privacy beyond "
            "k-anonymity, 2007."
        ),
    )

    needs_sensitive: ClassVar[bool] = True
    by_default: ClassVar[bool] = False  # homogeneity with one more fact: the plainer one stands for both
    place: ClassVar[int] = 4

    ruled_out: int | Sequence[str] = parameter(
        OneOf(Whole(at_least=0, called="a number of values"), Several(called="their names")), default=1
    )

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per combination of known values; people with a ruled-out value themselves are never inferred."""
        if isinstance(self.ruled_out, int):
            return self._any_values(release, table)
        return super().run(release, table)

    def _left(self, cases: Candidates) -> np.ndarray:
        attribute = cases.release.columns[cases.sensitive].attribute
        gone = [attribute.code(value) for value in self.ruled_out]
        left = cases.possible.copy()
        left[:, gone] = False
        return left

    def _any_values(self, release: Release, table: Table | None) -> AttackResult:
        """Whoever has at most m other values among the candidates is found out by ruling those out."""
        people = release.table if table is None else table
        secret = secret_column(self.column, release)
        cases = Candidates(release, people, known_columns(self.known, release, people), secret)
        truth = cases.truth()
        found = (cases.possible.sum(axis=1) - 1 <= self.ruled_out) & (cases.size > 0)
        hit = found[cases.case] & (truth >= 0) & cases.possible[cases.case, truth]
        result = secret_result(self, cases, cases.possible)
        right = np.bincount(cases.case[hit], minlength=cases.n_cases)
        frame = result.targets.assign(right=right, score=right / cases.people_per_case)
        return AttackResult(self, float(hit.mean()) if len(hit) else 0.0, len(hit), frame)
