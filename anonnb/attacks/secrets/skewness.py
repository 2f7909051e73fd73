"""The skewness and the similarity attack (Li, Li and Venkatasubramanian 2007): what is likely, what is nearly known.

Skewness: the candidates' shares raise the attacker's belief in a value. Similarity: the candidates' values differ, but
lie so close together that the secret is out all the same. Reading: with ``similar`` every guess is a band of the same
width, and so is the best guess without the release.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.step_texts import one_line, tell_secrets
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack
from anonnb.attacks.secrets.secret_attack import candidates_result
from anonnb.core.parameters.constraints import SHARE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening
from anonnb.tables.attribute import Attribute

SLACK = 1e-12  # shares, and ends of bands, that differ by less are equal


@register
@dataclass(frozen=True)
class SkewnessAttack(HomogeneityAttack):
    """Guess the most common secret of a person's candidates; be sure if it is frequent among them.

    Parameters
    ----------
    belief:
        The attacker is sure if the share of the guess is at least this, and higher than in the whole release.
    similar:
        For numbers: guess a band that is as wide as this share of the whole range instead of a value; the guess is
        right if the true value lies in the band (0 switches it off).

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.tables.release import Release
    >>> result = SkewnessAttack(belief=0.6, known=["sex"]).run(Release.of(anonnb.load("decision6")))
    >>> round(result.success, 3), result.sure, result.sure_right
    (0.667, 4.0, 3.0)

    Guarantees
    ----------
    proved:
        The attacker is sure only if the share of the guess among the weighted candidates reaches the belief and is
        above its share in the whole release.
    tested:
        200 random releases of 2 to 9 rows: every guess is that of a plain join, also with bands, with equal and with
        likely weights. All shipped tables and 20 random ones, seven methods: likely weights guess at least as well on
        average, not in every draw.
    heuristic:
        The belief that makes the attacker sure is a choice, and so is the width of a band. Likely weights change
        beliefs, so somebody may be sure by equal weights only; such claims are wrong more often.
    paper:
        N. Li, T. Li and S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007.
    """

    place: ClassVar[int] = 3

    belief: float = parameter(SHARE, default=0.8)
    similar: float = parameter(Number(at_least=0, below=1), default=0.0)

    def _on(self, cases: Candidates) -> SecretResult:
        """Return the result for one secret, from the likeliest value of each case or the likeliest band."""
        attribute = cases.release.columns[cases.secret].attribute
        if self.similar and attribute.kind != "nominal" and len(attribute.domain):
            return self._on_bands(cases, attribute)
        guess, belief = cases.likeliest()
        before = np.append(cases.shares, 0.0)[guess]  # a secret may have no value at all
        sure = believed(belief, before, self.belief)
        if listening():
            self._tell(cases, (guess, guess + 1), (belief, before), sure)
        return candidates_result(self, cases, guess, belief, sure, lambda: {"share before": before})

    def _on_bands(self, cases: Candidates, attribute: Attribute) -> SecretResult:
        """Guess for each case the band with the largest share; of equal ones the more common, then the lowest."""
        numbers = attribute.numbers[: len(attribute.domain)] * attribute.difference_scale
        width = self.similar * float(np.ptp(numbers))
        in_all = _held(cases.shares[: len(numbers)], numbers, width)
        belief, first = np.zeros(cases.n_cases), np.zeros(cases.n_cases, dtype=np.int64)
        for some, beliefs in cases.beliefs():
            shares = _held(beliefs.toarray()[:, : len(numbers)], numbers, width)
            belief[some] = shares.max(axis=1)
            first[some] = np.where(shares >= belief[some, None] - SLACK, 1 + in_all.round(9), 0.0).argmax(axis=1)
        last = np.searchsorted(numbers, numbers + width * (1 + SLACK), side="right")[first] - 1
        before = in_all[first]
        sure = believed(belief, before, self.belief)
        if listening():
            self._tell(cases, (first, last + 1), (belief, before), sure)
        theirs = _numbers_of(cases.people.attributes[cases.secret], attribute)
        low, own = numbers[first][cases.case], theirs[cases.people.codes(cases.secret)]
        right = _inside(own, low, width)

        def band() -> Mapping[str, np.ndarray]:
            return {"from": cases.named(first), "to": cases.named(last), "share before": before}

        result = candidates_result(self, cases, cases.likeliest()[0], belief, sure, band, right=right)
        # outsiders may have other values than the targets, so these are compared as numbers
        return result.replace(values=result.values.set_axis(theirs), constant=partial(best_band, width=width))

    def _tell(
        self,
        cases: Candidates,
        codes: tuple[np.ndarray, np.ndarray],
        shares: tuple[np.ndarray, np.ndarray],
        sure: np.ndarray,
    ) -> None:
        """Record for the most exposed what is guessed (from one code to before another), and whether it is sure."""

        def claim(case: int) -> np.ndarray:
            band = np.arange(codes[0][case], codes[1][case])
            return band[cases.possible[case, band] & sure[case]]

        def reason(case: int) -> str:
            ends = [one_line(cases.labels()[code]) for code in (codes[0][case], codes[1][case] - 1)]
            guess = f"The value {ends[0]}" if ends[0] == ends[1] else f"The band from {ends[0]} to {ends[1]}"
            text = f"{guess} has a share of {shares[0][case]:.3g}, and {shares[1][case]:.3g} in the whole release"
            if sure[case]:
                return f"{text}; the share is at least {self.belief:g} and has grown, so the attacker is sure"
            return f"{text}, so the attacker guesses but is not sure"

        tell_secrets(cases, ("share of the guess", np.where(cases.size > 0, shares[0], 0.0)), claim, reason)


def believed(belief: np.ndarray, before: np.ndarray, least: float) -> np.ndarray:
    """Return whether each belief is at least ``least``, and higher than ``before``."""
    return (belief >= least - SLACK) & (belief > before + SLACK)


def best_band(reference: pd.Series, values: pd.Series, width: float) -> float:
    """Return the share of the people in ``values`` whose value lies in the band that is most common in ``reference``.

    Both count people by their true value as a number; a missing value lies in no band.

    >>> best_band(pd.Series({1.0: 2, 2.0: 2, 9.0: 3}), pd.Series({1.5: 1, 9.0: 3}), width=1)
    0.25
    """
    known = reference[reference.index.notna()].sort_index()
    total = values.sum()
    if not len(known) or not total:
        return 0.0
    numbers = known.index.to_numpy(dtype=np.float64)
    low = numbers[_held(known.to_numpy(dtype=np.float64), numbers, width).argmax()]
    return float(values[_inside(values.index.to_numpy(dtype=np.float64), low, width)].sum() / total)


def _held(weights: np.ndarray, numbers: np.ndarray, width: float) -> np.ndarray:
    """Return the weight in the band that begins at each of the ascending numbers; weights may have several lines."""
    past = np.searchsorted(numbers, numbers + width * (1 + SLACK), side="right")
    below = np.cumsum(weights, axis=-1)
    return below[..., past - 1] - below + weights


def _inside(numbers: np.ndarray, low: np.ndarray | float, width: float) -> np.ndarray:
    """Return whether numbers lie in bands of this width; a missing one does not."""
    return (numbers >= low) & (numbers <= low + width * (1 + SLACK))


def _numbers_of(own: Attribute, published: Attribute) -> np.ndarray:
    """Return the values of ``own`` as numbers on the scale of the published ones; nan for those it cannot place."""
    if own.kind == published.kind == "numeric":
        return own.numbers_from(published) * published.difference_scale
    return np.append(published.numbers, np.nan)[own.recode_to(published)]
