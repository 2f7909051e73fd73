"""Membership: is this person in the release at all? To be in the register of a clinic may be the secret itself.

Score everybody by how much denser the release is near them than the population is (``densities``), and take those above
a threshold for members (Homer et al. 2008, van Breugel et al. 2023). Reading: members always fit a box, so a claim
about them alone is worth nothing; outsiders are scored in the same way, and success is the true positive rate minus the
false positive rate. People who were withheld are left out: they are no members, and they are too unusual to stand for
outsiders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, cast

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import known_columns
from anonnb.attacks.matching.members import check_outsiders, members
from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.membership.densities import membership_scores, odds_score, score_reason
from anonnb.attacks.membership.shadow_scores import shadow_odds
from anonnb.attacks.result_kinds import MembershipResult
from anonnb.core.arrays import first_places
from anonnb.core.parameters.compound import Instance, Names, Optional
from anonnb.core.parameters.constraints import SECONDS, SEED, SHARE, Choice, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

NOBODY = (
    "no outsiders were asked, so nobody knows how often outsiders are taken for members; give people outside the "
    "release as a control"
)
NO_PEOPLE = "none of the people asked about is in the release"


_SHADOWS: ContextVar[Mapping[int, np.ndarray]] = ContextVar("shadow scores", default=MappingProxyType({}))


class _Method(Instance):
    """Anything that anonymizes: attacks do not know the class of methods."""

    def _is_one(self, value: object) -> bool:
        return not isinstance(value, type) and hasattr(value, "anonymize")


@register
@dataclass(frozen=True)
class MembershipAttack(Attack):
    """Say who is in a release, by what is known about everybody.

    Parameters
    ----------
    known:
        The columns that the attacker knows (the whole quasi-identifier by default).
    threshold:
        Anyone who scores more is taken for a member. A score above 0.5 means that the release is denser near the person
        than the population is: a published row fits them, and few people would.
    reference:
        People from the same population as those behind the release, none of them in it, from whom the attacker learns
        how common everybody's values are. Without a reference that is learnt from the release itself.
    score:
        ``"density"``: how much denser the release is near a person than the population or, if the method says how
        likely a published value is given a true one, how much likelier the release is with the person than without,
        for which no reference is needed. ``"shadow"``: the method runs
        again on samples of the people attacked, the outsiders and the reference, and the release is compared with those
        made with the person and without (the likelihood ratio of LiRA); a score above 0.5 means that it looks more like
        those with the person. This finds more of the members at few false positives, and takes ``shadows`` runs.
    shadows, method, seed, time_limit:
        For ``score="shadow"``: how many samples, each as large as the published table if there are enough people; the
        method, if the release does not tell it; the seed of the samples; and the seconds after which no further run
        begins. The result's ``info`` says how many runs were made and how long they took.

    Notes
    -----
    An attempt is a member; the control's people are the outsiders. Without ``control=`` those of the people who are
    not behind the release are the outsiders, and if there are none, nobody can judge. The result has the area under the
    ROC curve (``auc``, ``auc_interval``), the true positive rate at a rate of false positives (``tpr_at(0.01)``), and
    both rates at the threshold (``true_positives``, ``false_positives``). If the people are no members either, the area
    is about 0.5.

    With shadow releases everybody attacked shares the same runs: each person is in about half of the samples, or in a
    third of them if there is a reference as large as the release and the control. The attacker knows the whole rows of
    these people, but not who of them was published.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> inside, outside = (table.take(np.arange(start, 66, 2)) for start in (0, 1))
    >>> result = MembershipAttack().run(Release.of(inside), control=outside)
    >>> result.attempts, round(result.success, 2), round(result.auc, 2)
    (33, 0.0, 0.48)

    Guarantees
    ----------
    proved:
        Where published sets hold the true values, every member has a row that could be theirs, so whoever scores 0 is
        not in it. Area and interval are those of Hanley and McNeil.
    tested:
        20 random populations each for boxes, means, noise and swapped values, with and without a reference: two groups
        attacked through a release of other people have an area whose 95 % interval covers 0.5 in at least 18. On a
        table of people who are all different, published as it is, the area is 1. The density of a box is compared with
        a plain loop over rows.
    heuristic:
        The population is a tree in which each column depends on one other. Where cells are single values that need not
        be true and no method says why, the weight of a row falls off with the distance by a fixed rule. What shadow
        releases show is taken for normal, with a covariance that people share in part. An area of 0.5 proves nothing
        about other attackers.
    paper:
        N. Homer et al., Resolving individuals contributing trace amounts of DNA to highly complex mixtures using
        high-density SNP genotyping microarrays, PLoS Genetics, 2008; B. van Breugel et al., Membership inference
        attacks against synthetic data through overfitting detection, AISTATS 2023; T. Stadler, B. Oprisanu and C.
        Troncoso, Synthetic data -- anonymisation groundhog day, USENIX Security 2022; N. Carlini et al., Membership
        inference attacks from first principles, IEEE S&P 2022; J. Hanley and B. McNeil, The meaning and use of the area
        under a receiver operating characteristic (ROC) curve, Radiology, 1982.
    """

    kind: ClassVar[str] = "membership"
    by_default: ClassVar[bool] = False  # without a control it says little
    strong: ClassVar = ({"score": "shadow"},)
    judged: ClassVar[frozenset[str]] = frozenset()

    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    threshold: float = parameter(SHARE, default=0.5)
    reference: Table | None = parameter(
        Optional(Instance(Table, "a Table of people who are not in the release")), default=None
    )
    score: str = parameter(Choice(["density", "shadow"]), default="density")
    shadows: int = parameter(Whole(at_least=8), default=64)
    method: Any = parameter(Optional(_Method(object, "a method with anonymize")), default=None)
    seed: int = parameter(SEED, default=0)
    time_limit: float | None = parameter(Optional(SECONDS), default=None)

    def run(self, release: Release, table: Table | None = None, *, control: Table | None = None) -> MembershipResult:
        """Attack a release: say of everybody whether they are in it.

        Parameters
        ----------
        release:
            What a method published.
        table:
            The people to attack, by default those behind the release. Without a control, those of them who are not
            behind it become the control.
        control:
            People who are not in the release, with the same columns.
        """
        self._check_reads(release)
        if self.reference is not None:
            check_outsiders(self.reference, [release])
        people = release.table if table is None else table
        inside, outside = _sides(release, people)
        if control is None and inside.any() and outside.any():
            people, control = people.take(np.flatnonzero(inside)), people.take(np.flatnonzero(outside))
        elif not (inside | outside).all():
            people = people.take(np.flatnonzero(inside | outside))
        odds, info = self._shadow_odds(release, people, control) if self.score == "shadow" else ({}, {})
        token = _SHADOWS.set(odds)
        try:
            result = cast(MembershipResult, super().run(release, people, control=control))
            result = result.replace(info={**result.info, **info})
        finally:
            _SHADOWS.reset(token)
        if not result.attempts:
            return result.replace(note=NO_PEOPLE)
        if result.outside is None or not result.outside.attempts:
            return result
        if listening():
            _record_rates({"members": result.claimed, "outsiders": result.outside.claimed})
        return result.replace(note="")

    def _attack(self, release: Release, people: Table) -> MembershipResult:
        """Score people by their best row."""
        known, count = known_columns(self.known, release, people), people.n_people
        scores = np.zeros(count)
        odds = _SHADOWS.get().get(id(people))
        by_row = membership_scores(release, people, known, self.reference) if odds is None else odds
        np.maximum.at(scores, people.people, by_row)
        claimed = scores > self.threshold
        if listening():
            self._tell(release, people, known, scores)
        targets = pd.DataFrame({"claimed": claimed, "score": scores})
        return MembershipResult(self, count, int(claimed.sum()), targets, scores=scores, claimed=claimed, note=NOBODY)

    def _shadow_odds(
        self, release: Release, people: Table, control: Table | None
    ) -> tuple[dict[int, np.ndarray], dict[str, Any]]:
        """Return the scores of each of the tables by its id, and how many runs they took."""
        method, others = self.method or release.method, [each for each in (control, self.reference) if each is not None]
        if method is None:
            raise ValueError('score="shadow" runs the method again, which the release does not tell; give method=…')
        if not others or not len(people):
            raise ValueError('score="shadow" compares with samples without a person; give a control or a reference')
        known, groups = known_columns(self.known, release, people), [people, *others]
        odds, info = shadow_odds(
            method, release, groups, known, shadows=self.shadows, seed=self.seed, time_limit=self.time_limit
        )
        sentence = (
            f"Run the method on {info['shadows']} samples of {info['people per shadow']:,} people each, and compare "
            "what these releases show about everybody, with them and without"
        )
        note("Make shadow releases", f"{sentence}.", release)
        scored = zip(groups, odds, strict=True)
        return {id(table): odds_score(each / len(known)) for table, each in scored}, info

    def _tell(self, release: Release, people: Table, known: Sequence[str], scores: np.ndarray) -> None:
        """Record everybody's scores, and the reasons for the two highest and the lowest."""
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
            why, rows = self._reason(release, people.take(first[[place]]), known, score)
            verdict = "so they are taken for a member" if score > self.threshold else "so they are not taken for one"
            person = one_line(labels[place])
            line = pd.DataFrame({"score": [score], "threshold": [self.threshold]}, pd.Index([labels[place]]))
            sentence = f"Person {person} has {one_line(text)}: {why}; the score is {score:.3g}, {verdict}."
            chosen = [labels[place]] if score > self.threshold else ()
            note(f"Score person {person}", sentence, release.take(rows), line, chosen)

    def _reason(self, release: Release, person: Table, known: Sequence[str], score: float) -> tuple[str, np.ndarray]:
        """Return why somebody has their score, and the published rows that it comes from."""
        if self.score == "density":
            return score_reason(release, person, known, self.reference)
        times = (score / max(1 - score, 1e-300)) ** len(known)
        return f"a release like this one is {times:.3g} times as likely with them as without", np.zeros(0, dtype=int)


def _sides(release: Release, people: Table) -> tuple[np.ndarray, np.ndarray]:
    """Flag the rows of members and of outsiders; whoever was withheld is neither."""
    person, count = people.people, people.n_people
    published, behind = (people.index.isin(labels) for labels in (members(release), release.table.index))
    inside = (np.bincount(person, published, minlength=count) > 0)[person]
    return inside, ~inside & (np.bincount(person, behind, minlength=count) == 0)[person]


def _record_rates(sides: Mapping[str, np.ndarray]) -> None:
    """Record how many members and outsiders are taken for members."""
    lines = {"people": map(len, sides.values()), "taken for members": [int(side.sum()) for side in sides.values()]}
    counts = pd.DataFrame(lines, index=pd.Index(sides, name="who"))
    texts = [f"{taken:,} of {count:,} {who}" for who, count, taken in counts.itertuples(name=None)]
    note(
        "Compare with outsiders", f"The attacker takes {' and '.join(texts)} for members.", counts.reset_index(), counts
    )
