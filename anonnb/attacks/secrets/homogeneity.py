"""The homogeneity attack (Machanavajjhala et al. 2007): all rows that could be yours have the same secret."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import Candidates, known_columns
from anonnb.attacks.matching.likely_candidates import WEIGHTS, weighted_candidates
from anonnb.attacks.matching.step_texts import one_line, tell_secrets
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.secret_attack import MISSING_SECRET, SecretAttack, candidates_result
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.parameters.constraints import Name
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Left = Sequence[np.ndarray]  # two arrays: for each case how many values are left, and the first of them


@register
@dataclass(frozen=True)
class HomogeneityAttack(SecretAttack):
    """Guess the most common secret of a person's candidates; be sure if they all have the same one.

    Somebody who fits no published row is guessed from the nearest rows.

    Parameters
    ----------
    known:
        The columns the attacker knows (the whole quasi-identifier by default).
    column:
        The secret (by default every sensitive column, each by itself).
    missing:
        With ``"ignore"`` a published missing value neither protects nor exposes anybody, and a person whose secret is
        missing is no attempt; with ``"value"`` it is a secret like any other.
    weights:
        With ``"likely"`` a candidate counts by how likely it is the person's: the fewer people its cells hold, the more
        it counts, and if a method publishes the probabilities of its changes, they count, too. With ``"equal"`` all
        rows that fit count alike, as in the papers.

    Notes
    -----
    ``info["one value"]`` is the share of the people whose likeliest candidates have one value only, and
    ``info["one value right"]`` the share for whom it is the true one. The attacker is not sure about them unless all
    other candidates agree.

    Examples
    --------
    >>> import anonnb
    >>> result = HomogeneityAttack(known=["sex", "occupation"]).run(Release.of(anonnb.load("decision6")))
    >>> result.success, result.sure, result.sure_right
    (1.0, 6.0, 6.0)

    Guarantees
    ----------
    proved:
        If the person is in the release and cells hold the true values, the attacker is right whenever they are sure:
        the person's own row is among the candidates, whatever their weights. Distinct l-diversity with l ≥ 2 keeps them
        from it. If values were rounded, or swapped within a known reach, the rows that could be the person's include
        their own, so one value left in all of these is right, too.
    tested:
        200 random releases of 2 to 9 rows: every guess is that of a plain join of people and rows, with equal and with
        likely weights. All shipped tables and 20 random ones, seven methods: likely weights guess at least as well on
        average (not in every draw); on 12 random ones they keep every right sure guess.
    heuristic:
        Likely weights take columns as independent and the values in a cell as distributed like the whole release. If
        the likeliest rows leave one value, that is a good guess, not a certain one: info['one value'] counts these
        people. If cells were moved or perturbed, the attacker may be sure of a false value.
    paper:
        A. Machanavajjhala, J. Gehrke, D. Kifer and M. Venkitasubramaniam, l-diversity: privacy beyond k-anonymity,
        2007.
    """

    place: ClassVar[int] = 2

    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    column: str | None = parameter(Optional(Name()), default=None)
    missing: str = parameter(MISSING_SECRET, default="value", kw_only=True)
    weights: str = parameter(WEIGHTS, default="likely", kw_only=True)

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, SecretResult]:
        """For each secret a line per combination of known values: candidates, values left, the one found."""
        cases = self._candidates(release, people, names)
        return {name: self._on(cases.of(name)) for name in names}

    def _candidates(self, release: Release, people: Table, names: Sequence[str]) -> Candidates:
        known = known_columns(self.known, release, people)
        return weighted_candidates(self.weights, release, people, known, names, count_missing=self.missing == "value")

    def _on(self, cases: Candidates) -> SecretResult:
        """Return the result for one secret."""
        if listening():
            tell_what_is_left(cases, cases.possible)
        guess, belief = cases.likeliest()
        return left_result(self, cases, cases.left(), guess, belief, **_one_value(cases))


def left_result(
    attack: Attack, cases: Candidates, left: Left, guess: np.ndarray, belief: np.ndarray, **info: Any
) -> SecretResult:
    """Return the result of an attack that is sure if only one value is left."""
    count, value = left
    guess = np.where(count == 1, value, guess)
    return candidates_result(attack, cases, guess, belief, count == 1, lambda: {"left": count}, **info)


def _one_value(cases: Candidates) -> dict[str, float]:
    """Return the share of the people whose likeliest candidates leave one value, and for whom it is the true one."""
    if not cases.counted.any():
        return {}
    count, value = (part[cases.case] for part in cases.left_by_likeliest())
    one, right = (count == 1)[cases.counted], (value == cases.truth())[cases.counted]
    return {"one value": float(one.mean()), "one value right": float((one & right).mean())}


def tell_what_is_left(
    cases: Candidates, left: np.ndarray, called: str = "", between: Callable[[int], None] | None = None
) -> None:
    """Record for the most exposed which values are left (cases × values), in a column if it has a name.

    The attacker is sure of a value that is left alone.
    """
    count = left.sum(axis=1)

    def reason(case: int) -> str:
        name = one_line(cases.secret)
        if count[case] == 1:
            value = one_line(cases.labels()[left[case].argmax()])
            return f"The only {name} left{cases.among} is {value}, so the attacker is sure of it"
        return f"{pluralize(int(count[case]), 'value')} of {name} are left, so the attacker guesses but is not sure"

    chance = np.divide(1.0, count, out=np.zeros(len(count)), where=count > 0)
    further = {called: left} if called else None
    tell_secrets(cases, ("1 / values left", chance), lambda case: only(left[case]), reason, further, between)


def only(left: np.ndarray) -> np.ndarray:
    """The one value that is left, or nothing."""
    found = np.flatnonzero(left)
    return found if len(found) == 1 else found[:0]
