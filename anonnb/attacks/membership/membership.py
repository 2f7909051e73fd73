"""Membership: is this person in the release at all? To be in the register of a clinic may be the secret itself.

Score everybody by how much the release looks as if they were in it (``scores``) and take those above a threshold for
members. Reading: with a control, outsiders are asked the same; how often they are taken for members is the control, so
that excess is what membership adds. The ROC curve compares both at every threshold (Homer et al. 2008; Carlini et al.
2022 for true positives at few false ones).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.matching.candidates import known_columns
from anonnb.attacks.matching.members import check_outsiders, members
from anonnb.attacks.membership.ranking import auc, auc_interval, true_positives_at
from anonnb.attacks.membership.scores import membership_scores
from anonnb.core.card import Card
from anonnb.core.parameters.compound import Instance, Names, Optional
from anonnb.core.parameters.constraints import SHARE
from anonnb.core.parameters.declared import parameter
from anonnb.tables.release import Release
from anonnb.tables.table import Table

FEW = 0.01  # false positives
NOBODY = (
    "nobody outside the release was asked, so nobody knows how often outsiders are taken for members; give control=…"
)


@register
@dataclass(frozen=True)
class MembershipAttack(Attack):
    """Tell who is in a release, by what is known of everybody.

    Parameters
    ----------
    known:
        The columns that the attacker knows (the whole quasi-identifier by default).
    threshold:
        Whoever scores more is taken for a member. Above 0.5 a published row that hides not everything could be theirs
        or, where rows show single values that need not be true, lies nearer than rows usually lie to each other.
    reference:
        People from the same population as those behind the release, none of them in it: a box that holds few of them,
        or a row that is nearer than all of them, says more.

    An attempt is a person, ``claims`` are those taken for members, and ``right`` those of them who are not known to
    have been withheld. Of the control every claim is a false positive: ``control`` is their share. Without ``control=``
    those of the people who are not behind the release are one. The baseline is the share of members among all who are
    asked. With a control ``info`` has the area under the ROC curve (``auc``, ``auc_interval``) and the true positive
    rate at 1 % false positives (``tpr``), which also tell two groups apart when neither is in the release: then the
    area is about 0.5.

    >>> import anonnb
    >>> table = anonnb.load("survey").select(["Sex", "Hours", "Hypertension"])
    >>> inside, outside = (table.take(np.arange(start, 66, 2)) for start in (0, 1))
    >>> result = MembershipAttack().run(Release.of(inside), control=outside)
    >>> result.success, round(result.control, 2), round(result.info["auc"], 2)
    (1.0, 1.0, 0.5)
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where published sets hold the true values, every member has a row that could be theirs, so no member "
            "scores below 0.5 and whoever does is not in it. Area and interval are those of Hanley and McNeil."
        ),
        tested=(
            "20 random halves: attacked through a release of people from elsewhere, two groups have an area whose 95 % "
            "interval covers 0.5 in 90 % of the cases or more, with boxes, means and a reference. On a table of people "
            "who are all different, published as it is, the area is 1."
        ),
        heuristic=(
            "The score is simple: size of the box, or distance to the nearest row. An attacker who rebuilds the method "
            "on tables with and without the person does better; an area of 0.5 proves nothing."
        ),
        paper=(
            "N. Homer et al., Resolving individuals contributing trace amounts of DNA, PLoS Genetics, 2008; N. Carlini "
            "et al., Membership inference attacks from first principles, IEEE S&P 2022; J. Hanley and B. McNeil, "
            "The meaning and use of the area under a ROC curve, Radiology, 1982."
        ),
    )

    by_default: ClassVar[bool] = False  # without a control it says little

    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    threshold: float = parameter(SHARE, default=0.5)
    reference: Table | None = parameter(
        Optional(Instance(Table, "a Table of people who are not in the release")), default=None
    )

    def run(self, release: Release, table: Table | None = None, *, control: Table | None = None) -> AttackResult:
        """Attack a release; the parameters are those of every attack."""
        if self.reference is not None:
            check_outsiders(self.reference, self._releases(release))
        people = release.table if table is None else table
        behind = people.index.isin(release.table.index)
        if control is None and behind.any() and not behind.all():
            people, control = people.take(np.flatnonzero(behind)), people.take(np.flatnonzero(~behind))
        return _compared(super().run(release, people, control=control))

    def _attack(self, release: Release, people: Table) -> AttackResult:
        known = known_columns(self.known, release, people)
        scores = np.zeros(people.n_people)
        np.maximum.at(scores, people.people, membership_scores(release, people, known, self.reference))
        claimed = scores > self.threshold
        withheld = people.index.isin(release.table.index.difference(members(release)))
        right = claimed & (np.bincount(people.people, weights=~withheld, minlength=people.n_people) > 0)
        targets = pd.DataFrame(
            {"person": np.arange(people.n_people), "score": scores, "claimed": claimed, "right": right}
        )
        return AttackResult(
            self, people.n_people, int(claimed.sum()), int(right.sum()), targets, baseline=1.0, note=NOBODY
        )


def _compared(found: AttackResult) -> AttackResult:
    """The result with the baseline and the area, where there are outsiders to compare with."""
    if found.outside is None or not found.attempts or not found.outside.attempts:
        return found
    inside, outside = (each.targets["score"].to_numpy() for each in (found, found.outside))
    area = auc(inside, outside)
    info = {
        "auc": area,
        "auc_interval": auc_interval(area, len(inside), len(outside)),
        "tpr": true_positives_at(FEW, inside, outside),
    }
    baseline = found.attempts / (found.attempts + found.outside.attempts)
    return replace(found, baseline=baseline, info=info, note="")
