"""The skewness and the similarity attack (Li, Li and Venkatasubramanian 2007): what is likely, what is nearly known.

Skewness: the candidates' shares raise the attacker's belief in the true value by a factor. Similarity: the candidates'
values differ, but lie so close together that the secret is out all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.secret_counts import SecretCounts
from anonnb.attacks.matching.step_texts import one_line, tell_secrets
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack, claimed_result
from anonnb.core.card import Card
from anonnb.core.parameters.constraints import SHARE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening


@register
@dataclass(frozen=True)
class SkewnessAttack(HomogeneityAttack):
    """Believe in a value because it is frequent among the candidates.

    Parameters
    ----------
    belief:
        The attacker claims the likeliest value among those whose share of the candidates is at least this, and higher
        than in the whole release.
    similar:
        For numbers: also claims that the value is one of the candidates' when all of these lie within this share of the
        whole range (0 switches it off).

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.tables.release import Release
    >>> SkewnessAttack(belief=0.6, known=["sex"]).run(Release.of(anonnb.load("decision6"))).success
    0.5
    """

    card: ClassVar[Card] = Card(
        proved=(
            "A person counts only when the share of their true value among the candidates reaches the belief and is "
            "above its share in the whole release."
        ),
        tested="By hand, on six people in two classes, with skewed shares and with similar numbers.",
        heuristic=(
            "The belief that counts as success is a choice, and so is the width of a band that counts as similar. All "
            "candidates count as equally likely."
        ),
        paper=(
            "N. Li, T. Li and S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE "
            "2007."
        ),
    )

    place: ClassVar[int] = 3

    belief: float = parameter(SHARE, default=0.8)
    similar: float = parameter(Number(at_least=0, below=1), default=0.0)

    def _on(self, cases: Candidates) -> AttackResult:
        """One line per combination of known values: the likeliest value, its share there and in the whole release."""
        likely, share, value = cases.per_case(partial(self._beliefs, cases.shares))
        truth, claimed = cases.truth(), (value >= 0)[cases.case]
        hit = claimed & (truth == value[cases.case])
        close = _close_values(cases, self.similar) if self.similar else np.zeros(cases.n_cases, dtype=bool)
        if listening():
            self._tell(cases, value, close)
        if self.similar:
            near = close[cases.case]
            claimed, hit = claimed | near, hit | (near & (truth >= 0) & cases.possible[cases.case, truth])
        words = partial(_words, cases, likely, share)
        return claimed_result(self, cases, claimed, hit, words, baseline=_best_guess(cases, self.similar))

    def _beliefs(self, before: np.ndarray, counts: SecretCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each line the likeliest value, its share, and the value that is believed in (-1: none)."""
        sure = (counts.shares >= self.belief - 1e-12) & (counts.shares > before[counts.values] + 1e-12)
        value, belief = counts.largest(np.where(sure, counts.shares, 0.0))
        return *counts.largest(counts.shares), np.where(belief > 0, value, -1)

    def _tell(self, cases: Candidates, value: np.ndarray, close: np.ndarray) -> None:
        """Note for the most exposed the likeliest value, and whether its share is enough to believe in it."""
        shares = cases.values / np.maximum(cases.values.sum(axis=1, keepdims=True), 1e-12)

        def claim(case: int) -> np.ndarray:
            return value[[case]] if value[case] >= 0 else np.flatnonzero(cases.possible[case] & close[case])

        def reason(case: int) -> str:
            best = value[case] if value[case] >= 0 else shares[case].argmax()
            had, has = cases.shares[best], shares[case, best]
            likeliest = one_line(cases.labels()[best])
            said = f"The value {likeliest} has a share of {has:.3g}, and {had:.3g} in the whole release"
            if value[case] >= 0:
                return f"{said}: at least {self.belief:g} and more than before, so the attacker believes in it"
            if close[case]:
                return f"{said}; all values lie so close together that the attacker claims they are about the same"
            return f"{said}, so the attacker does not believe in it"

        tell_secrets(cases, ("share of the likeliest value", shares.max(axis=1, initial=0.0)), claim, reason)


def _words(cases: Candidates, likely: np.ndarray, share: np.ndarray) -> dict[str, np.ndarray]:
    """The likeliest value of each case, its share among the candidates and in the whole release."""
    before = np.append(cases.shares, 0.0)  # a secret may have no value at all
    return {"likeliest": cases.named(likely), "share": share, "share before": before[likely]}


def _best_guess(cases: Candidates, similar: float) -> float:
    """The success of the best guess for everybody: a value, or where bands count a band of the same width."""
    numbers = _numbers(cases)
    if not similar or numbers is None:
        return float(cases.shares.max(initial=0.0))
    known = np.flatnonzero(np.isfinite(numbers))
    order = known[np.argsort(numbers[known], kind="stable")]
    numbers, below = numbers[order], np.concatenate([[0.0], np.cumsum(cases.shares[order])])
    width = similar * (numbers[-1] - numbers[0]) if len(numbers) else 0.0
    past = np.searchsorted(numbers, numbers + width * (1 + 1e-12), side="right")
    return float((below[past] - below[:-1]).max(initial=0.0))


def _numbers(cases: Candidates) -> np.ndarray | None:
    """The values of the secret as numbers on one scale; None where they have no order."""
    attribute = cases.release.columns[cases.secret].attribute
    return None if attribute.kind == "nominal" else attribute.numbers * attribute.difference_scale


def _close_values(cases: Candidates, similar: float) -> np.ndarray:
    """Cases whose possible values are several numbers within a narrow band."""
    numbers = _numbers(cases)
    if numbers is None:
        return np.zeros(cases.n_cases, dtype=bool)
    low = np.where(cases.possible, numbers, np.inf).min(axis=1)
    high = np.where(cases.possible, numbers, -np.inf).max(axis=1)
    whole = np.nanmax(numbers) - np.nanmin(numbers)
    return cases.possible.any(axis=1) & (high - low <= similar * whole)
