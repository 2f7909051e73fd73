"""The linkage attack (Sweeney 2002): find people of an outside list in the release by what the list tells of them.

Prosecutor: the person is known to be in the release; the chance to pick the right row is 1/candidates. Journalist: one
person will do, and the outside list is the population; the chance is 1/people who fit the row. Marketer: the share of
all people that linking everybody is expected to get right. Reading: where a release shows single values only, somebody
whose values are nowhere is linked to the nearest rows; a person may own several rows, and a row several people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.candidates import Candidates, known_columns
from anonnb.attacks.nearest import shows_single_values
from anonnb.core.card import Card
from anonnb.core.parameters.compound import ByName, Names, Optional
from anonnb.core.parameters.constraints import SHARE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class LinkageAttack(Attack):
    """Link everybody of the original table to the published rows.

    Parameters
    ----------
    known:
        The columns of the outside list (the whole quasi-identifier by default).
    tolerance:
        How far numbers on the list may be off: ``{"age": 2}``.
    threshold:
        A person counts as re-identified when the right row is picked with at least this chance.

    ``success`` is the marketer's share. ``info`` holds the highest prosecutor and journalist risk.

    >>> import anonnb
    >>> LinkageAttack(known=["domicile"]).run(Release.of(anonnb.load("decision6"))).success
    0.5
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where the published rows are k-anonymous, nobody is picked with a chance above 1/k: the rows of a "
            "person's class all fit."
        ),
        tested=(
            "60 random releases of 2 to 9 rows: success equals a plain join of people and rows. 60 random sets of "
            "boxes: the fast join misses no box that reaches a person."
        ),
        heuristic=(
            "All candidates count as equally likely, and the original table stands for the outside list: an attacker "
            "who knows more does better, one with a poorer list worse."
        ),
        paper=(
            "L. Sweeney, k-anonymity: a model for protecting privacy, 2002; K. El Emam and F. Dankar, Protecting "
            "privacy using k-anonymity, 2008 (prosecutor, journalist, marketer)."
        ),
    )

    place: ClassVar[int] = 1

    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    tolerance: Mapping[str, float] = parameter(ByName(Number(at_least=0)), default_factory=dict)
    threshold: float = parameter(SHARE, default=0.5)

    def run(self, release: Release, table: Table | None = None) -> AttackResult:
        """One line per combination of known values: people, candidates, the chance to pick the right row."""
        people = release.table if table is None else table
        known = known_columns(self.known, release, people)
        for name in self.tolerance:
            if name not in known:
                raise KeyError(f"tolerance: the attacker knows no column {name!r}; known are {', '.join(known)}")
        cases = Candidates(release, people, known, tolerance=self.tolerance)
        if shows_single_values(release, known):
            cases.look_nearby()
        chance = np.divide(1.0, cases.size, out=np.zeros(cases.n_cases), where=cases.size > 0)
        own = cases.right_chances()
        right = np.bincount(cases.case, weights=own, minlength=cases.n_cases)
        found = np.bincount(cases.case, weights=own >= self.threshold, minlength=cases.n_cases)
        frame = pd.DataFrame(
            {
                "known": cases.texts(),
                "people": cases.people_per_case,
                "candidates": cases.size,
                "chance": chance,
                "re-identified": found.astype(np.int64),
                "score": right / cases.people_per_case,
            }
        )
        fits = cases.people_per_row
        info = {
            "prosecutor": float(own.max(initial=0.0)),
            "journalist": float(1.0 / fits[fits > 0].min()) if (fits > 0).any() else 0.0,
            "re-identified": int(found.sum()),
        }
        success = float(right.sum() / len(people)) if len(people) else 0.0
        return AttackResult(self, success, len(people), frame, info)
