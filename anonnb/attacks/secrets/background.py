"""The background-knowledge attack (Machanavajjhala et al. 2007): rule values out until one is left.

Reading: whoever can rule out any m values rules out those that help most, so the guess is right if the true value is
among the m + 1 likeliest ones. If values are named, the attacker knows who has one of them; for these people the guess
is the likeliest named value, and the attack is never sure, because that is no news.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.secret_counts import likeliest
from anonnb.attacks.matching.step_texts import tell_secrets
from anonnb.attacks.result import SecretResult, best_constant
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack, only, tell_what_is_left
from anonnb.attacks.secrets.secret_attack import candidates_result
from anonnb.core.arrays import in_ranges
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
    """Know that a person does not have certain values, and guess the likeliest of the others; be sure if one is left.

    Parameters
    ----------
    ruled_out:
        The values that the attacker can exclude for anybody who does not have them (a man has no breast cancer, say);
        or a number m: any m values, whichever help most. l-diversity with l > m + 1 stops the latter.

    Examples
    --------
    >>> import anonnb
    >>> attack = BackgroundAttack(known=["domicile"], ruled_out=["low"])
    >>> result = attack.run(Release.of(anonnb.load("decision6")))
    >>> result.sure, result.sure_right
    (2.0, 2.0)

    Guarantees
    ----------
    proved:
        If the person is in the release and cells hold the true values, the attacker is right whenever they are sure.
        Distinct l-diversity with l > m + 1 keeps an attacker who rules out any m values from being sure.
    tested:
        300 random releases of 2 to 9 rows: every guess is that of a plain join, with equal and with likely weights; by
        hand, on six people.
    heuristic:
        With a number m the attacker is taken to know the m values that help most, which no real attacker may know.
    paper:
        A. Machanavajjhala, J. Gehrke, D. Kifer and M. Venkitasubramaniam, l-diversity: privacy beyond k-anonymity,
        2007.
    """

    by_default: ClassVar[bool] = False  # homogeneity with one more fact: the plainer one stands for both
    place: ClassVar[int] = 4

    ruled_out: int | Sequence[str] = parameter(
        OneOf(Whole(at_least=0, called="a number of values"), Several(called="their names")), default=1
    )

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, SecretResult]:
        """Values that are ruled out belong to one secret; the others are left alone."""
        if not isinstance(self.ruled_out, int) and len(names) > 1:
            names = [name for name in names if self._values(release.columns[name].attribute, self.ruled_out)] or names[
                :1
            ]
        return super()._secrets(release, people, names)

    def _on(self, cases: Candidates) -> SecretResult:
        """Return the result for one secret."""
        if isinstance(self.ruled_out, int):
            return self._any_values(cases, self.ruled_out)
        attribute = cases.release.columns[cases.secret].attribute
        codes = self._values(attribute, self.ruled_out) or [attribute.code(value) for value in self.ruled_out]
        gone = np.isin(np.arange(attribute.size), codes)
        truth, count = cases.truth(), np.diff(cases.counts[:, np.flatnonzero(~gone)].indptr)
        if listening():
            tell_what_is_left(cases, cases.possible & ~gone, "not ruled out")
        guess, belief, named = self._guesses(cases, gone)
        has_named = np.append(gone, False)[truth]
        right = (truth >= 0) & (truth == np.where(has_named, named[cases.case], guess[cases.case]))
        return candidates_result(
            self,
            cases,
            guess,
            belief,
            count == 1,
            lambda: {"left": count},
            right=right,
            known_before=has_named,
            constant=partial(best_of_both, named=frozenset(cases.named(np.array(codes)))),
        )

    @staticmethod
    def _guesses(cases: Candidates, gone: np.ndarray) -> list[np.ndarray]:
        """For each case the likeliest value that is not gone, how likely it is, and the likeliest that is."""
        parts = []
        for _, beliefs in cases.beliefs():
            found: list[np.ndarray] = []
            for flags in (~gone, gone):
                some = beliefs.copy()
                some.data *= flags[some.indices]
                found += likeliest(some, np.where(flags, cases.shares, 0.0))
            parts.append(found[:3])
        return [np.concatenate(part) for part in zip(*parts, strict=True)]

    @staticmethod
    def _values(attribute: Attribute, ruled_out: Sequence[str]) -> list[int]:
        """Return the codes of those ruled-out values that the attribute has."""
        found = []
        for value in ruled_out:
            with suppress(ValueError):
                found.append(attribute.code(value))
        return found

    def _any_values(self, cases: Candidates, number: int) -> SecretResult:
        """Guess for an attacker who rules out the values that help most: sure if at most so many others are left."""
        truth, count, size = cases.truth(), cases.left()[0], len(cases.shares)
        sure, left = (count > 0) & (count <= number + 1), cases.counts
        left_codes = np.repeat(np.arange(cases.n_cases), np.diff(left.indptr)) * size + left.indices
        if listening():
            self._tell(cases, number)
        belief, among = np.zeros(cases.n_cases), [np.zeros(0, dtype=np.int64)]
        for some, beliefs in cases.beliefs():
            case, value = np.repeat(some, np.diff(beliefs.indptr)), beliefs.indices
            beliefs.data[sure[case] & ~np.isin(case * size + value, left_codes)] = 0.0  # the sure name what is left
            order = np.lexsort([value, -cases.shares[value], -beliefs.data.round(12), case])
            starts, ends = beliefs.indptr[:-1], beliefs.indptr[1:]
            best = order[in_ranges(starts, np.minimum(starts + number + 1, ends))]
            best = best[beliefs.data[best] > 0]
            np.add.at(belief, case[best], beliefs.data[best])
            among.append(case[best] * size + value[best])
        return candidates_result(
            self,
            cases,
            cases.likeliest()[0],
            belief.round(12),
            sure,
            lambda: {"left": count},
            right=(truth >= 0) & np.isin(cases.case * size + truth, np.concatenate(among)),
            constant=partial(among_most_common, number=number + 1),
        )

    def _tell(self, cases: Candidates, number: int) -> None:
        """Record for the most exposed how many values must be ruled out until their own is left."""
        count = cases.possible.sum(axis=1)

        def reason(case: int) -> str:
            text = f"Theirs could be {pluralize(int(count[case]), 'value')}"
            if count[case] == 1:
                return f"{text}, so nothing needs to be ruled out"
            if count[case] - 1 > number:
                return f"{text}, so several are left even if {number} can be ruled out"
            return f"{text}, and whoever can rule out {int(count[case]) - 1} of them is left with the true one"

        chance = np.divide(1.0, count, out=np.zeros(len(count)), where=count > 0)
        tell_secrets(cases, ("1 / values left", chance), lambda case: only(cases.possible[case]), reason)


def among_most_common(reference: pd.Series, values: pd.Series, number: int) -> float:
    """Return the share of the people in ``values`` whose value is among the most common ones in ``reference``.

    >>> among_most_common(pd.Series({"flu": 3, "cold": 2, "HIV": 1}), pd.Series({"cold": 4, "HIV": 1}), number=2)
    0.8
    """
    common = reference.sort_values(ascending=False, kind="stable").index[:number]
    return float(values[values.index.isin(common)].sum() / max(values.sum(), 1e-12))


def best_of_both(reference: pd.Series, values: pd.Series, named: frozenset[str]) -> float:
    """Return the success of the best constant guesses of somebody who knows who has one of the named values.

    >>> best_of_both(pd.Series({"flu": 3, "cold": 2}), pd.Series({"cold": 4, "flu": 1}), frozenset({"cold"}))
    1.0
    """
    parts = [[one.index.isin(list(named)) == part for one in (reference, values)] for part in (True, False)]
    hits = (best_constant(reference[one], values[other]) * values[other].sum() for one, other in parts)
    return float(sum(hits) / max(values.sum(), 1e-12))
