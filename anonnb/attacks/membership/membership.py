"""Membership: is this person in the release at all? To be in the register of a clinic may be the secret itself.

Score everybody by how much the release looks as if they were in it (``scores``) and take those above a threshold for
members (Homer et al. 2008). Reading: members always fit a box, so a claim about them alone is worth nothing. Members
and outsiders are asked together, and the control is what the same claims get right when they are dealt out at random;
with as many outsiders as members, excess is then the true less the false positive rate. ``ranking`` has the ROC curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.matching.candidates import known_columns
from anonnb.attacks.matching.members import check_outsiders, members
from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.membership.scores import membership_scores, score_reason
from anonnb.attacks.ranking import auc, auc_interval, true_positives_at
from anonnb.core.arrays import first_places
from anonnb.core.card import Card
from anonnb.core.parameters.compound import Instance, Names, Optional
from anonnb.core.parameters.constraints import SHARE
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

FEW = 0.01  # false positives
CERTAIN = 1e12  # people behind a share that is computed, not sampled
NOBODY = (
    "nobody outside the release was asked, so nobody knows how often outsiders are taken for members; ask about people "
    "outside too, as a control"
)
NO_PEOPLE = "nobody was asked who is said to be in the release"


@register
@dataclass(frozen=True)
class MembershipAttack(Attack):
    """Say who is in a release, by what is known about everybody.

    Parameters
    ----------
    known:
        The columns that the attacker knows (the whole quasi-identifier by default).
    threshold:
        Anyone who scores more is taken for a member. Above 0.5 a published row could be theirs and does not hide all,
        or, where rows show single values that need not be true, is nearer than half the usual way between rows.
    reference:
        People from the same population as those behind the release, none of them in it: a box that holds few of them,
        or a row that is nearer than all of them, says more.

    Notes
    -----
    Everybody gets an answer, in or not, so there are as many claims as attempts: the people, who are said to be
    members, and the control, who are not. Somebody who was withheld is no member. The baseline is the share of members,
    or of others if they are more; the control what the same number of claims would get right by chance. Without
    ``control=`` those of the people who are not behind the release are one; without any, nobody can judge. With a
    control ``info`` has the area under the ROC curve (``auc``, ``auc_interval``), the true positive rate at 1 % false
    positives (``tpr at 1 %``), and both rates at the threshold. If the people are no members either, the area is about
    0.5.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey").select(["Sex", "Hours", "Hypertension"])
    >>> inside, outside = (table.take(np.arange(start, 66, 2)) for start in (0, 1))
    >>> MembershipAttack().run(Release.of(inside), control=outside)
    MembershipAttack(): 50.0% of 66 attempts succeed, baseline 50.0%, control 50.0%, excess 0.0% (-23.5% to 23.5%)
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Where published sets hold the true values, every member has a row that could be theirs, so no member "
            "scores below 0.5 and whoever does is not in it. Area and interval are those of Hanley and McNeil."
        ),
        tested=(
            "20 random populations each for boxes, means, noise and swapped values, with and without a reference: two "
            "groups attacked through a release of other people have an area whose 95 % interval covers 0.5 in at least "
            "18. On a table of people who are all different, published as it is, the area is 1."
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
        """Attack a release: say of everybody whether they are in it.

        Parameters
        ----------
        release:
            What a method published.
        table:
            The people to attack: the original table, rows of it, or others with the same columns. By default those
            behind the release.
        control:
            People who are not in the release, with the same columns: what the attack gets right about them is knowledge
            about the population. The more people and the more alike, the narrower the interval.

        Returns
        -------
        AttackResult
            Attempts, claims and right claims, with baseline, control and excess.
        """
        self._check_reads(release)
        if self.reference is not None:
            check_outsiders(self.reference, self._releases(release))
        people = release.table if table is None else table
        behind = people.index.isin(release.table.index)
        if control is None and behind.any() and not behind.all():
            people, control = people.take(np.flatnonzero(behind)), people.take(np.flatnonzero(~behind))
        found = self._attack(release, people)
        if control is None:
            return found
        check_outsiders(control, [release])
        return _together(found, self._attack(release, control))

    def _attack(self, release: Release, people: Table) -> AttackResult:
        """Ask about people who are said to be members."""
        known, person, count = known_columns(self.known, release, people), people.people, people.n_people
        scores = np.zeros(count)
        np.maximum.at(scores, person, membership_scores(release, people, known, self.reference))
        withheld = people.index.isin(release.table.index.difference(members(release)))
        truth = np.bincount(person, weights=~withheld, minlength=count) > 0
        if listening():
            self._tell(release, people, known, scores)
        targets = pd.DataFrame({"claimed": scores > self.threshold, "score": scores, "truth": truth})
        if not count:
            return AttackResult(self, 0, 0, nan, targets, baseline=0.0, note=NO_PEOPLE)
        return AttackResult(self, count, count, nan, targets, baseline=1.0, note=NOBODY)

    def _tell(self, release: Release, people: Table, known: Sequence[str], scores: np.ndarray) -> None:
        """Note everybody's scores, and of those with the highest and the lowest one why they have it."""
        first = first_places(people.people, people.n_people)
        order = np.argsort(-scores, kind="stable")
        labels = people.index[first]
        frame = pd.DataFrame({"score": scores[order]}, labels[order])
        above = int((scores > self.threshold).sum())
        sentence = (
            f"Score {pluralize(len(scores), 'person', 'people')} by how much the release looks as if they were in it; "
            f"{above:,} score more than {self.threshold:g} and are taken for members"
        )
        note("Score everybody", f"{sentence}.", frame.reset_index(), frame, list(frame.index[:above]))
        for place in dict.fromkeys([*order[:2], *order[-1:]]):
            row, score = first[place], scores[place]
            text = " and ".join(f"{name} = {people.attributes[name].labels[people.codes(name)[row]]}" for name in known)
            why, rows = score_reason(release, people.take(first[[place]]), known, self.reference)
            said = "so they are taken for a member" if score > self.threshold else "so they are not taken for a member"
            person = one_line(labels[place])
            line = pd.DataFrame({"score": [score], "threshold": [self.threshold]}, pd.Index([labels[place]]))
            sentence = f"Person {person} has {one_line(text)}: {why}; the score is {score:.3g}, {said}."
            chosen = [labels[place]] if score > self.threshold else ()
            note(f"Score person {person}", sentence, release.take(rows), line, chosen)


def _together(people: AttackResult, outside: AttackResult) -> AttackResult:
    """Members and outsiders in one result, whose control is what the same claims get right by chance."""
    if not people.attempts or not outside.attempts:
        return people
    targets = pd.concat([people.targets, outside.targets.assign(truth=False)], ignore_index=True)
    claimed, truth, count = targets["claimed"], targets["truth"], len(targets)
    share, members_share = claimed.mean(), truth.mean()
    if listening():
        _tell_rates(targets)
    targets["right"] = claimed == truth
    chance = float(members_share * share + (1 - members_share) * (1 - share))
    base, right = float(max(members_share, 1 - members_share)), int(targets["right"].sum())
    by_chance = AttackResult(
        people.attack, count, count, chance * count, outside.targets, baseline=base, sample=CERTAIN
    )
    return AttackResult(
        people.attack, count, count, right, targets, baseline=base, info=_rates(targets), outside=by_chance
    )


def _rates(targets: pd.DataFrame) -> dict[str, object]:
    """The area under the ROC curve and rates of true and false positives; nothing where all or none are members."""
    inside, outside = (targets[targets["truth"] == truth] for truth in (True, False))
    if not len(inside) or not len(outside):
        return {}
    scores = inside["score"].to_numpy(), outside["score"].to_numpy()
    area = auc(*scores)
    return {
        "auc": area,
        "auc_interval": auc_interval(area, len(inside), len(outside)),
        "tpr at 1 %": true_positives_at(FEW, *scores),
        "true positives": float(inside["claimed"].mean()),
        "false positives": float(outside["claimed"].mean()),
    }


def _tell_rates(targets: pd.DataFrame) -> None:
    """Note who of members and outsiders is taken for a member."""
    counts = targets.groupby("truth")["claimed"].agg(["size", "sum"]).set_axis(["people", "taken for members"], axis=1)
    counts.index = pd.Index(["outsiders", "members"], name="who")[counts.index.astype(int)]
    said = " and ".join(f"{taken:,} of {count:,} {who}" for who, count, taken in counts.itertuples(name=None))
    note("Compare with outsiders", f"Taken for members are {said}.", counts.reset_index(), counts)
