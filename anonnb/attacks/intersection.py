"""The intersection attack (Ganta, Kasiviswanathan and Smith 2008): two releases of overlapping people.

Each release leaves several secrets for a person; only those that both leave remain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.attacks import register
from anonnb.attacks.base import AttackResult
from anonnb.attacks.candidates import Candidates, known_columns, secret_column
from anonnb.attacks.homogeneity import HomogeneityAttack, secret_result
from anonnb.core.card import Card
from anonnb.core.compound import Instance, Optional
from anonnb.core.parameters import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class IntersectionAttack(HomogeneityAttack):
    """Combine a release with another one about (some of) the same people.

    ``other``: the second release; without it the attack is the homogeneity attack. ``info["alone"]`` is the success
    that the first release gives by itself. People are found by the columns that both releases have.

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

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per combination of known values; a person must be in both releases to be found out by both."""
        people = release.table if table is None else table
        secret = secret_column(self.column, release)
        known = known_columns(self.known, release, people)
        first = Candidates(release, people, known, secret)
        alone = secret_result(self, first, first.possible)
        if self.other is None:
            return AttackResult(self, alone.success, alone.attempts, alone.targets, {"alone": alone.success})
        if secret not in self.other.columns:
            raise KeyError(f"the other release has no column {secret!r}")
        shared = [name for name in known if name in self.other.columns]
        second = Candidates(self.other, people, shared, secret)
        recode = first.release.columns[secret].attribute.recode_to(self.other.columns[secret].attribute)
        cases = second.case[first.first_person]
        theirs = np.where(recode >= 0, second.possible[cases][:, np.maximum(recode, 0)], False)
        silent = second.size[cases] == 0  # nobody there fits: the second release tells nothing
        left = first.possible & (theirs | silent[:, None])
        return secret_result(self, first, left, alone=alone.success)
