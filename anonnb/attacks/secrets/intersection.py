"""The intersection attack (Ganta, Kasiviswanathan and Smith 2008): two releases of overlapping people.

Each release leaves several secrets for a person; only those that both leave remain. Reading: the shares of a value in
both releases are multiplied. If no row of the second release fits a person, or no value is left, the first one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.likely_candidates import weighted_candidates
from anonnb.attacks.matching.secret_counts import SecretCounts, likeliest
from anonnb.attacks.matching.step_texts import tell_rows
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack, left_result, tell_what_is_left
from anonnb.core.parameters.compound import Instance, Optional
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening
from anonnb.tables.release import Release
from anonnb.tables.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@register
@dataclass(frozen=True)
class IntersectionAttack(HomogeneityAttack):
    """Combine a release with another one about (some of) the same people; be sure if both leave one value only.

    Parameters
    ----------
    other:
        The second release; without it the attack is the homogeneity attack. People are found by the columns that both
        releases have.

    Notes
    -----
    ``info["alone"]`` is the success that the first release gives by itself, and ``info["sure alone"]`` counts the
    people about whom the attacker is sure without the second.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> table = anonnb.load("survey")
    >>> first, second = Mondrian(k=20).anonymize(table), Mondrian(k=12).anonymize(table)
    >>> both = IntersectionAttack(other=second).run(first, table)
    >>> both.sure >= both.info["sure alone"]
    True

    Guarantees
    ----------
    proved:
        If the person is in both releases and cells hold the true values, the attacker is right whenever they are sure,
        and is sure about everybody about whom the first release alone makes them sure.
    tested:
        100 random pairs of releases of 2 to 9 rows: every guess is that of a plain join.
    heuristic:
        People are taken to be in both releases if some row of the second fits; for others it may exclude the true
        value. Shares are multiplied as if the two releases were independent.
    paper:
        S. Ganta, S. Kasiviswanathan and A. Smith, Composition attacks and auxiliary information in data privacy, 2008.
    """

    quick: ClassVar[bool] = False  # it needs a second release
    by_default: ClassVar[bool] = False

    other: Release | None = parameter(Optional(Instance(Release, "a Release")), default=None)

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, SecretResult]:
        """Return a result for each secret; people whom rows of both releases fit are looked for in both."""
        first = self._candidates(release, people, names)
        if self.other is None:
            return {name: self._on_both(first.of(name)) for name in names}
        for name in names:
            if name not in self.other.columns:
                raise KeyError(f"the other release has no column {name!r}")
        shared = [name for name in first.known if name in self.other.columns]
        second = weighted_candidates(
            self.weights, self.other, people, shared, names, count_missing=self.missing == "value"
        )
        return {name: self._on_both(first.of(name), second.of(name)) for name in names}

    def _on_both(self, first: Candidates, second: Candidates | None = None) -> SecretResult:
        """Return the result for one secret."""
        alone = left_result(self, first, first.left(), *first.likeliest())
        info: dict[str, Any] = {"alone": alone.success, "sure alone": alone.sure}
        if second is None:
            if listening():
                tell_what_is_left(first, first.possible)
            return alone.replace(info=info)
        found = [_both(first, second, some, beliefs) for some, beliefs in first.beliefs()]
        count, value, guess, belief = (np.concatenate(part) for part in zip(*found, strict=True))
        if listening():
            _tell(first, second)
        return left_result(self, first, (count, value), guess, belief, **info)

    def _releases(self, release: Release) -> Iterable[Release]:
        return [release] if self.other is None else [release, self.other]


def _both(first: Candidates, second: Candidates, some: np.ndarray, beliefs: csr_array) -> tuple[np.ndarray, ...]:
    """For some cases how many values both releases leave and the first of them, the likeliest one and its belief."""
    left, weight, fits = _left(first, second, some)
    both = beliefs * weight
    both = _rows_of(both, beliefs, fits & (both.sum(axis=1) > 0))
    return *SecretCounts(left).left(), *likeliest(both, first.shares)


def _left(first: Candidates, second: Candidates, some: np.ndarray) -> tuple[csr_array, csr_array, np.ndarray]:
    """The values that both releases leave in some cases, how likely the second makes each, and whether it has a row.

    Of people whom no row of the second release fits, it says nothing.
    """
    from scipy.sparse import csr_array, vstack

    ours, theirs = first.release.columns[first.secret].attribute, second.release.columns[second.secret].attribute
    recode, cases = ours.recode_to(theirs), second.case[first.first_person[some]]
    shared = np.flatnonzero(recode >= 0)
    names = csr_array((np.ones(len(shared)), (recode[shared], shared)), shape=(theirs.size, ours.size))
    weight = vstack([part for _, part in second.beliefs(cases)], format="csr") @ names
    possible, fits = first.counts[some], np.diff(second.counts.indptr)[cases] > 0
    return _rows_of(possible * weight, possible, fits), weight, fits


def _rows_of(one: csr_array, other: csr_array, chosen: np.ndarray) -> csr_array:
    """Return the rows of one sparse array where they are chosen, and those of another elsewhere."""
    from scipy.sparse import vstack

    return vstack([one, other], format="csr")[np.arange(len(chosen)) + len(chosen) * ~chosen]


def _tell(first: Candidates, second: Candidates) -> None:
    """Record which rows of both releases fit the most exposed, and which values both leave."""

    def second_rows(case: int) -> None:
        tell_rows(second, int(second.case[first.first_person[case]]), " in the second release")

    left = _left(first, second, np.arange(first.n_cases))[0].toarray() > 0
    tell_what_is_left(first, left, "left by both", second_rows)
