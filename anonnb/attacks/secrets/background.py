"""The background-knowledge attack (Machanavajjhala et al. 2007): rule values out until one is left."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.step_texts import tell_secrets
from anonnb.attacks.secrets.homogeneity import (
    HomogeneityAttack,
    claimed_result,
    left_of,
    only,
    tell_what_is_left,
    what_is_left,
)
from anonnb.core.card import Card
from anonnb.core.parameters.compound import OneOf, Several
from anonnb.core.parameters.constraints import Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class BackgroundAttack(HomogeneityAttack):
    """Know that a person does not have certain values, and infer the one that is left.

    Parameters
    ----------
    ruled_out:
        The values that the attacker can exclude for anybody who does not have them (a man has no breast cancer, say);
        or a number m: any m values, whichever help most. l-diversity with l > m + 1 stops the latter.

    Examples
    --------
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

    by_default: ClassVar[bool] = False  # homogeneity with one more fact: the plainer one stands for both
    place: ClassVar[int] = 4

    ruled_out: int | Sequence[str] = parameter(
        OneOf(Whole(at_least=0, called="a number of values"), Several(called="their names")), default=1
    )

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, AttackResult]:
        """Values that are ruled out belong to one secret; the others are left alone."""
        if not isinstance(self.ruled_out, int) and len(names) > 1:
            names = [name for name in names if self._values(release.columns[name].attribute, self.ruled_out)] or names[
                :1
            ]
        return super()._secrets(release, people, names)

    def _on(self, cases: Candidates) -> AttackResult:
        """One line per combination of known values; people with a ruled-out value themselves are never inferred."""
        if isinstance(self.ruled_out, int):
            return self._any_values(cases, self.ruled_out)
        attribute = cases.release.columns[cases.secret].attribute
        codes = self._values(attribute, self.ruled_out) or [attribute.code(value) for value in self.ruled_out]
        gone = np.isin(np.arange(attribute.size), codes)
        left = cases.possible & ~gone
        (count, value), truth = left_of(left), cases.truth()
        claimed = (count == 1)[cases.case] & ~(gone[truth] & (truth >= 0))
        if listening():
            tell_what_is_left(cases, left, "not ruled out")
        words = partial(what_is_left, cases, (count, value))
        # without the release: the commonest of the values that are left for a person
        base = float(sum(cases.shares[part].max(initial=0.0) for part in (gone, ~gone)))
        return claimed_result(self, cases, claimed, claimed & (truth == value[cases.case]), words, baseline=base)

    @staticmethod
    def _values(attribute: Attribute, ruled_out: Sequence[str]) -> list[int]:
        """Return the codes of those ruled-out values that the attribute has."""
        found = []
        for value in ruled_out:
            with suppress(ValueError):
                found.append(attribute.code(value))
        return found

    def _any_values(self, cases: Candidates, number: int) -> AttackResult:
        """Whoever has at most m other values among the candidates is found out by ruling those out."""
        truth = cases.truth()
        found = (cases.possible.sum(axis=1) - 1 <= number) & (cases.possible.any(axis=1))
        hit = found[cases.case] & (truth >= 0)
        hit[hit] = cases.possible[cases.case[hit], truth[hit]]
        if listening():
            self._tell(cases, number)
        # without the release: right about those whose value is among the m + 1 commonest
        base = float(np.sort(cases.shares)[::-1][: number + 1].sum())
        words = partial(what_is_left, cases, cases.left())
        return claimed_result(self, cases, found[cases.case], hit, words, baseline=base)

    def _tell(self, cases: Candidates, number: int) -> None:
        """Note for the most exposed how many values must be ruled out until their own is left."""
        count = cases.possible.sum(axis=1)

        def reason(case: int) -> str:
            could = f"Theirs could be {pluralize(int(count[case]), 'value')}"
            if count[case] == 1:
                return f"{could}, so that nothing needs to be ruled out"
            if count[case] - 1 > number:
                return f"{could}, so that several are left when {number} can be ruled out"
            return f"{could}, and whoever can rule out {int(count[case]) - 1} of them is left with the true one"

        chance = np.divide(1.0, count, out=np.zeros(len(count)), where=count > 0)
        tell_secrets(cases, ("1 / values left", chance), lambda case: only(cases.possible[case]), reason)
