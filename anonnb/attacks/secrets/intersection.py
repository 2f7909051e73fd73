"""The intersection attack (Ganta, Kasiviswanathan and Smith 2008): two releases of overlapping people.

Each release leaves several secrets for a person; only those that both leave remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.step_texts import tell_rows
from anonnb.attacks.secrets.homogeneity import HomogeneityAttack, left_of, secret_result, tell_what_is_left
from anonnb.core.card import Card
from anonnb.core.parameters.compound import Instance, Optional
from anonnb.core.parameters.declared import parameter
from anonnb.steps.recording import listening
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class IntersectionAttack(HomogeneityAttack):
    """Combine a release with another one about (some of) the same people.

    Parameters
    ----------
    other:
        The second release; without it the attack is the homogeneity attack. People are found by the columns that both
        releases have.

    Notes
    -----
    ``info["alone"]`` is the success that the first release gives by itself.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> table = anonnb.load("survey")
    >>> first, second = Mondrian(k=20).anonymize(table), Mondrian(k=12).anonymize(table)
    >>> both = IntersectionAttack(other=second).run(first, table)
    >>> both.success >= both.info["alone"]
    True
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where the person is in both releases and cells hold the true values, an inferred value is true, and the "
            "two releases together never reveal less than the first alone."
        ),
        tested="By hand, on six people in two releases.",
        heuristic=(
            "People are taken to be in both releases wherever some row of the second fits; for others it may exclude "
            "the true value, which then counts as failed."
        ),
        paper=(
            "S. Ganta, S. Kasiviswanathan and A. Smith, Composition attacks and auxiliary information in data "
            "privacy, 2008."
        ),
    )

    quick: ClassVar[bool] = False  # it needs a second release
    by_default: ClassVar[bool] = False

    other: Release | None = parameter(Optional(Instance(Release, "a Release")), default=None)

    def _secrets(self, release: Release, people: Table, names: Sequence[str]) -> dict[str, AttackResult]:
        """For each secret a line per combination of known values; those whom both releases fit are found by both."""
        first = self._candidates(release, people, names)
        alone = {name: secret_result(self, first.of(name), first.of(name).left()) for name in names}
        if self.other is None:
            for name in names if listening() else ():
                tell_what_is_left(first.of(name), first.of(name).possible)
            return {name: found.but(info={"alone": found.success}) for name, found in alone.items()}
        for name in names:
            if name not in self.other.columns:
                raise KeyError(f"the other release has no column {name!r}")
        shared = [name for name in first.known if name in self.other.columns]
        second = Candidates(self.other, people, shared, names, count_missing=self.missing == "value")
        left = {name: _both(first.of(name), second.of(name)) for name in names}
        for name in names if listening() else ():
            _tell(first.of(name), second.of(name), left[name])
        return {
            name: secret_result(self, first.of(name), left_of(left[name]), alone=alone[name].success) for name in names
        }

    def _releases(self, release: Release) -> Iterable[Release]:
        return [release] if self.other is None else [release, self.other]


def _both(first: Candidates, second: Candidates) -> np.ndarray:
    """The values that neither release excludes; a second release in which nobody fits says nothing."""
    ours, theirs = first.release.columns[first.secret].attribute, second.release.columns[second.secret].attribute
    recode, cases = ours.recode_to(theirs), second.case[first.first_person]
    allowed = np.where(recode >= 0, second.possible[cases][:, np.maximum(recode, 0)], False)
    silent = ~second.possible[cases].any(axis=1)
    return first.possible & (allowed | silent[:, None])


def _tell(first: Candidates, second: Candidates, left: np.ndarray) -> None:
    """Note which rows of both releases fit the most exposed, and what both leave of each."""

    def second_rows(case: int) -> None:
        tell_rows(second, int(second.case[first.first_person[case]]), " in the second release")

    tell_what_is_left(first, left, "left by both", second_rows)
