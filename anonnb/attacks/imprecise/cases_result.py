"""What the shallow and the deep attack achieved: how their guesses about people add up, and the paper's ratio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pandas as pd

from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import has_secret
from anonnb.attacks.matching.shares import published_shares
from anonnb.attacks.result import SecretResult
from anonnb.tables.matching import DistinctRows
from anonnb.tables.table import Table

_NO_GUESS = -2  # -1 is a true value that the release lacks


@dataclass(frozen=True, eq=False, repr=False)
class CasesResult(SecretResult):
    """A result of the shallow or the deep attack.

    Parameters
    ----------
    lines:
        A line per combination of known values and target, for all targets; ``targets`` has those of one target, or all
        of them if the result has several secrets.

    Examples
    --------
    >>> from anonnb import Release, load
    >>> from anonnb.attacks import ShallowAttack
    >>> result = ShallowAttack(known=["domicile"]).run(Release.of(load("decision6")))
    >>> result.secret, len(result.targets), len(result.for_secret("sex").targets)
    ('sex', 9, 3)
    """

    lines: pd.DataFrame = field(kw_only=True)

    @property
    def ratio(self) -> float:
        """The paper's success ratio: the mean score of all combinations of known values and targets."""
        scores = self.targets["score"]
        return float(scores.sum()) / max(len(scores), 1)

    @classmethod
    def worst(cls, each: Mapping[str, SecretResult]) -> CasesResult:
        """Choose the target that the attack is sure of for most people; ``targets`` has the lines of all of them."""
        result = cast(CasesResult, super().worst(each))
        return result.replace(targets=result.lines) if len(each) > 1 else result


class TargetGuesses:
    """The guesses about one target, added up over the questions: each is a set of columns that the attacker knows.

    The attacker is sure if a single value is left, and otherwise guesses the value that is most common in the release.
    A person whose value is missing is no attempt, and a row counts for its share of a person.
    """

    def __init__(self, published: DistinctRows, people: Table, target: str):
        attribute, codes = people.attributes[target], people.codes(target)
        recode = attribute.recode_to(published.column(target).attribute)
        shares = published_shares(published.release, target)
        self.target, self.share = target, min(float(shares.max(initial=0.0)), 1.0)
        self._guess = int(shares.round(12).argmax()) if self.share > 0 else _NO_GUESS  # sums of thirds tie, too
        self._truth, counted = recode[codes], has_secret(people, target)
        rows = np.bincount(people.people[counted], minlength=people.n_people)
        self.attempts = int((rows > 0).sum())
        whole = counted.all() and not people.people_repeat
        self._weight = None if whole else counted / np.maximum(rows, 1)[people.people]
        self.values = pd.Series(np.bincount(codes, self._weight, minlength=attribute.size), attribute.labels)
        self._most_common = float(self.values.to_numpy()[recode == self._guess].sum())
        self._questions, self._sure, self._sure_right, self._guessed_right = 0, 0.0, 0.0, 0.0

    def add(self, sure: np.ndarray, inferred: np.ndarray) -> np.ndarray:
        """Add a question: the rows for which a single value is left, and this value. Return the rows it is true for."""
        truth = self._truth[sure]
        right = sure[truth == inferred]
        self._questions += 1
        self._sure += self._people(sure)
        self._sure_right += self._people(right)
        self._guessed_right += self._most_common - self._people(sure[truth == self._guess])
        return right

    def _people(self, rows: np.ndarray) -> float:
        return float(len(rows) if self._weight is None else self._weight[rows].sum())

    def result(self, attack: Attack, frame: pd.DataFrame, info: Mapping[str, Any]) -> CasesResult:
        """Return the result for this target; guesses with the same belief share two lines, the right and the wrong."""
        sure, right, guessed = (
            part / max(self._questions, 1) for part in (self._sure, self._sure_right, self._guessed_right)
        )
        weight, belief = [right, sure - right, guessed, self.attempts - sure - guessed], [1.0, 1.0, *[self.share] * 2]
        target = self.target
        return CasesResult(
            attack,
            self.attempts,
            right + guessed,
            lambda: frame[frame["target"] == target],
            sure=sure,
            sure_right=right,
            values=self.values,
            beliefs=pd.DataFrame({"weight": weight, "belief": belief, "right": [True, False] * 2}),
            secret=target,
            lines=frame,
            info=info,
        )


def cases_result(attack: Attack, answers: Sequence[TargetGuesses], frame: pd.DataFrame, **info: Any) -> CasesResult:
    """Return the result for the target with most sure people, which knows the others."""
    return CasesResult.worst({each.target: each.result(attack, frame, info) for each in answers})
