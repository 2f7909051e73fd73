"""The base of attacks on secrets: each sensitive column by itself, and how beliefs about people become a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import Candidates, secret_columns
from anonnb.attacks.result import Constant, SecretResult, best_constant
from anonnb.core.parameters.constraints import Choice
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MISSING_SECRET = Choice(["ignore", "value"])


@dataclass(frozen=True)
class SecretAttack(Attack):
    """Base of attacks that guess a secret for each person. Subclasses implement ``_secrets``.

    With several sensitive columns each has a result; the one with most sure people is the headline, and all are in its
    ``by_secret``. A subclass that has a parameter ``column`` lets the user choose one. A missing secret is a
    secret like any other if a subclass has ``missing="value"``; otherwise whoever has one is no attempt.

    Examples
    --------
    >>> from anonnb.attacks import HomogeneityAttack
    >>> issubclass(HomogeneityAttack, SecretAttack), SecretAttack.needs_sensitive
    (True, True)
    """

    kind: ClassVar[str] = "secret"
    needs_sensitive: ClassVar[bool] = True

    def _attack(self, release: Release, people: Table) -> SecretResult:
        """Return the result for the worst of the secrets, which knows the others."""
        names = secret_columns(getattr(self, "column", None), release)
        for name in names:
            if name not in people.attributes:
                raise KeyError(f"the people have no column {name!r}, so nobody can say which guesses are right")
        return SecretResult.worst(self._secrets(release, people, names))

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> Mapping[str, SecretResult]:
        """Return a result for each of the named columns."""
        raise NotImplementedError


def candidates_result(
    attack: Attack,
    cases: Candidates,
    guess: np.ndarray,
    belief: np.ndarray,
    sure: np.ndarray,
    columns: Callable[[], Mapping[str, np.ndarray]],
    *,
    right: np.ndarray | None = None,
    known_before: np.ndarray | bool = False,
    constant: Constant = best_constant,
    **info: Any,
) -> SecretResult:
    """Turn a guess for each case, with the belief in it, into a result.

    Parameters
    ----------
    attack, cases:
        The attack, and the people that it looked for, with what their candidates say about one secret.
    guess, belief, sure:
        For each case the guessed value (as a code of the published column), how likely the attacker thinks it is, and
        whether the attack's own rule fires.
    columns:
        A function that returns further columns of the result's ``targets``, a value for each case.
    right:
        For each person whether the guess is right, if that is not whether it is the true value.
    known_before:
        For each person whether the guess follows from what the attacker knew before. The attack is never sure about
        such a person, and the belief counts as 0.
    constant:
        What somebody without the release gets right, as for :class:`~anonnb.attacks.result.SecretResult`.

    Examples
    --------
    >>> from anonnb import Release, load
    >>> from anonnb.attacks import HomogeneityAttack
    >>> table = load("survey")
    >>> cases = Candidates(Release.of(table), table, ["Sex"], ["Hypertension"]).of("Hypertension")
    >>> guess, belief = cases.likeliest()
    >>> candidates_result(HomogeneityAttack(), cases, guess, belief, belief == 1, dict).right
    39.0
    """
    truth, counted = cases.truth(), cases.counted
    hit = (truth >= 0) & (guess[cases.case] == truth) if right is None else right
    lines = partial(_lines, cases, counted, hit, {"guess": cases.named(guess), "belief": belief, "sure": sure}, columns)
    return people_result(
        attack,
        cases.people,
        cases.secret,
        counted=counted,
        right=hit,
        belief=np.where(known_before, 0.0, belief[cases.case]),
        sure=sure[cases.case] & ~np.asarray(known_before),
        targets=lines,
        constant=constant,
        info=info,
    )


def people_result(
    attack: Attack,
    people: Table,
    secret: str,
    *,
    counted: np.ndarray,
    right: np.ndarray,
    belief: np.ndarray,
    sure: np.ndarray,
    targets: pd.DataFrame | Callable[[], pd.DataFrame],
    constant: Constant = best_constant,
    info: Mapping[str, Any] | None = None,
) -> SecretResult:
    """Turn guesses about people, given for each row of their table, into a result.

    An attempt is a person. Of several rows of a person the one counts that the attacker is sure about or believes in
    most. ``info["sure blank"]`` counts the people about whom the attacker knows only that the cell is empty.

    Parameters
    ----------
    counted:
        For each row whether there is a secret to be found out.
    right, belief, sure:
        For each row whether the guess is right, the belief in it, and whether the attack's own rule fires.

    Examples
    --------
    >>> from anonnb import load
    >>> table = load("survey")
    >>> right = table["Hypertension"].to_numpy() == "N"  # always guess "N"
    >>> guess = {"right": right, "belief": np.full(66, 0.5), "sure": right & False, "counted": right | True}
    >>> people_result("no", table, "Hypertension", targets=pd.DataFrame(), **guess).right
    34.0
    """
    rows, attribute = np.flatnonzero(counted), people.attributes[secret]
    if people.people_repeat:
        rows = rows[np.lexsort((-belief[rows], ~sure[rows]))]
        rows = rows[np.unique(people.people[rows], return_index=True)[1]]
    right, sure, codes = right[rows], sure[rows], people.codes(secret)[rows]
    blank = int((sure & right & (codes == attribute.blank_code)).sum()) if attribute.blank_code is not None else 0
    return SecretResult(
        attack,
        len(rows),
        float(right.sum()),
        targets,
        sure=float(sure.sum()),
        sure_right=float((sure & right).sum()),
        values=pd.Series(np.bincount(codes, minlength=attribute.size).astype(float), attribute.labels),
        beliefs=pd.DataFrame({"weight": 1.0, "belief": belief[rows], "right": right}),
        constant=constant,
        secret=secret,
        info={**(info or {}), **({"sure blank": blank} if blank else {})},
    )


def _lines(
    cases: Candidates,
    counted: np.ndarray,
    hit: np.ndarray,
    guesses: Mapping[str, np.ndarray],
    columns: Callable[[], Mapping[str, np.ndarray]],
) -> pd.DataFrame:
    """Make a line per case: what is known, how many people and candidates, what is guessed, and how often rightly."""
    right = np.bincount(cases.case[hit & counted], minlength=cases.n_cases)
    tried = np.bincount(cases.case[counted], minlength=cases.n_cases)
    known = {"known": cases.texts(), "people": cases.people_per_case, "candidates": cases.size}
    return pd.DataFrame({**known, **columns(), **guesses, "right": right, "score": right / np.maximum(tried, 1)})
