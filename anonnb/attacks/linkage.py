"""The linkage attack (Sweeney 2002): find people of an outside list in the release by what the list says about them.

Prosecutor: the person is known to be in the release, and the probability of picking the right row is 1/candidates.
Journalist: any one person will do, and the outside list is the population; the probability is 1/people who fit the row.
Marketer: the share of all people that linking everybody is expected to get right. Outsiders on the list are searched
for in the same way, and whoever is linked to some row is a false link. Reading: of several rows that fit, the attacker
picks one of the likeliest; if a release shows single values only, a person whose values occur nowhere is linked to the
nearest rows; a person may own several rows, and a row several people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.attacks import register
from anonnb.attacks.base import Attack
from anonnb.attacks.matching.candidates import Candidates, known_columns
from anonnb.attacks.matching.households import Households
from anonnb.attacks.matching.likely_candidates import (
    WEIGHTS,
    StatedCandidates,
    agreeing_candidates,
    weighted_candidates,
)
from anonnb.attacks.matching.nearest import shows_single_values
from anonnb.attacks.matching.step_texts import tell_rows, tell_search
from anonnb.attacks.result_kinds import LinkageResult
from anonnb.core.parameters.compound import ByName, Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, SHARE, Choice, Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import percent
from anonnb.steps.recording import listening
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MODELS = Choice({
    "distance": "the rows that fit, or the likeliest or nearest ones",
    "fellegi-sunter": "columns agree or not, and EM learns how much that says",
})  # fmt: skip
UNITS = Choice({"person": "people by their rows", "household": "families by all their members"})
SYNTHETIC = "the rows are synthetic, so nobody has a row of their own"
UNLINKED = (
    "the release does not tell whose row is whose, so nobody can say which links are right; if everybody is in it with "
    "true values, {} of them are right on average"
)


@register
@dataclass(frozen=True)
class LinkageAttack(Attack):
    """Link people to the published rows that could be theirs.

    Parameters
    ----------
    known:
        The columns of the outside list (the whole quasi-identifier by default).
    tolerance:
        How far numbers on the list may be off: ``{"age": 2}``.
    threshold:
        A person counts as re-identified if the right row is picked with at least this probability.
    max_pairs:
        Of a release that shows single values that need not be true, people who fit no row are compared with rows that
        may be nearest; the most comparisons, expected from a sample of these people, before the attack refuses. A
        billion take about half a minute.
    model:
        With ``"distance"`` the candidates are the rows that fit; if a method publishes its parameters, all rows that
        its noise, its swaps or its matrix can have made of the person; else the nearest rows. With
        ``"fellegi-sunter"`` a row may differ from the person in any column: columns agree or not, and what this says
        is learnt by EM. Numbers agree if they are equal, or within the ``tolerance``. ``info["rates"]`` then holds m
        and u, the probabilities of agreeing with the person's own row and with any other.
    weights:
        With ``"likely"`` the attacker picks among the likeliest candidates: rows whose cells hold the fewest people, or
        whose values the method most probably made of the person's; in the model of Fellegi and Sunter, agreeing in a
        rare value says more. With ``"equal"`` all candidates count alike. If a method publishes its parameters, the
        people on the list also compete: every row is one person's, so rows that others claim count for less; and if
        values were exchanged in pairs, both rows must fit. That helps most if the list is that of the people published.
    unit:
        With ``"household"`` the attacker knows families, and looks for published household numbers with the same
        signature, member for member: of those that fit, one is picked at random. The release must show household
        numbers, and recode globally.

    Notes
    -----
    ``success`` is the marketer's share: ``right`` is the expected number of right links, to which each person adds 1
    divided by their likeliest candidates if their own row is one of them. In the result's targets ``candidates`` counts
    the rows that could be the person's, ``likeliest`` those of them that are picked from, and ``chance`` is the
    probability that one of these is theirs. ``info`` holds the highest prosecutor and journalist risk. With a control,
    ``false_links`` is the share of the outsiders who are linked to some row, and ``precision`` the probability that a
    link is right in a list of which half are members, who do not compete with the outsiders. If a release does not say
    whose its rows are, such as a file from elsewhere, only links can be counted, and ``info["at_most"]`` is the share
    of right ones if everybody is in it with true values.

    Examples
    --------
    >>> import anonnb
    >>> LinkageAttack(known=["domicile"]).run(Release.of(anonnb.load("decision6"))).success
    0.5

    Guarantees
    ----------
    proved:
        If the published rows are k-anonymous, nobody is picked with a probability above 1/k, because the rows of a
        person's class all fit.
    tested:
        60 random releases of 2 to 9 rows: success equals a plain join of people and rows, with equal and with likely
        weights. 60 random sets of boxes: the fast join misses no box that reaches a person. All shipped tables and 20
        random ones, seven methods: likely weights link at least as many people on average, not in every draw.
    heuristic:
        Likely weights take the columns as independent and the values in a cell as distributed like the whole release;
        noise counts as normal. The original table stands for the outside list: an attacker who knows more does better,
        one with a poorer list worse.
    paper:
        L. Sweeney, k-anonymity: a model for protecting privacy, 2002; K. El Emam and F. Dankar, Protecting privacy
        using k-anonymity, 2008 (prosecutor, journalist); F. Dankar and K. El Emam, A method for evaluating marketer
        re-identification risk, 2010 (marketer); I. Fellegi and A. Sunter, A theory for record linkage, 1969; J. Nin, J.
        Herranz and V. Torra, Rethinking rank swapping to decrease disclosure risk, 2008; R. Sinkhorn and P. Knopp,
        Concerning nonnegative matrices and doubly stochastic matrices, 1967 (the competition).
    """

    kind: ClassVar[str] = "linkage"
    place: ClassVar[int] = 1
    strong: ClassVar = ({"model": "fellegi-sunter"},)

    known: Sequence[str] | None = parameter(Optional(Names()), default=None)
    tolerance: Mapping[str, float] = parameter(ByName(Number(at_least=0)), default_factory=dict)
    threshold: float = parameter(SHARE, default=0.5)
    max_pairs: int = parameter(POSITIVE, default=20_000_000_000)
    model: str = parameter(MODELS, default="distance", kw_only=True)
    weights: str = parameter(WEIGHTS, default="likely", kw_only=True)
    unit: str = parameter(UNITS, default="person", kw_only=True)

    def _attack(self, release: Release, people: Table) -> LinkageResult:
        """One line per combination of known values: people, candidates, the probability of picking the right row."""
        known = known_columns(self.known, release, people)
        for name in self.tolerance:
            if name not in known:
                raise KeyError(f"tolerance: the attacker knows no column {name!r}; known are {', '.join(known)}")
        if self.unit == "household":
            return self._attack_households(Households(Candidates(release, people, known, tolerance=self.tolerance)))
        cases = self._candidates(release, people, known)
        unlinked = release.rows is None and not release.synthetic
        own = cases.picked()[1][cases.case] if unlinked else cases.right_chances()  # for each row of the people's table
        if listening():
            _tell(cases)
        fits = cases.people_per_row
        info: dict[str, Any] = {
            "prosecutor": float(own.max(initial=0.0)),
            "journalist": float(1.0 / fits[fits > 0].min()) if (fits > 0).any() else 0.0,
            "re-identified": int((own >= self.threshold).sum()),
        }
        part = 1.0 / np.bincount(people.people, minlength=people.n_people)[people.people]  # of a person, for each row
        if isinstance(cases, StatedCandidates):
            info |= {"competing": True} if cases.rates is None else {"rates": cases.rates}
        right, linked = float(own @ part), float((cases.size > 0)[cases.case] @ part)
        note = SYNTHETIC if release.synthetic else ""
        if unlinked:
            info["at_most"], right = right / max(people.n_people, 1), nan
            note = UNLINKED.format("at least " * people.people_repeat + percent(info["at_most"]))
        lines, rows = partial(self._lines, cases, own), len(release)
        return LinkageResult(self, people.n_people, right, lines, linked=linked, rows=rows, info=info, note=note)

    def _attack_households(self, homes: Households) -> LinkageResult:
        chance, fits = homes.chance, homes.fits
        alone = int((homes.candidates == 0).sum())
        info: dict[str, Any] = {
            "prosecutor": float(chance.max(initial=0.0)),
            "journalist": float((1 / fits[fits > 0]).max(initial=0.0)),
            "re-identified": int((chance >= self.threshold).sum()),
            "unmatched": alone,
        }
        lines, linked = partial(homes.lines, self.threshold), len(chance) - alone
        note = f"{alone:,} fit no household number; unit='person' looks for their members" if alone else ""
        right = float(chance.sum())
        if homes.cases.release.rows is None:
            info["at_most"], right = right / max(len(chance), 1), nan
            note = UNLINKED.format(percent(info["at_most"]))
        return LinkageResult(self, len(chance), right, lines, linked=linked, rows=len(fits), info=info, note=note)

    def _candidates(self, release: Release, people: Table, known: Sequence[str]) -> Candidates:
        """Return the candidates by the model; those who fit no row of single values get the nearest rows."""
        if self.model == "fellegi-sunter":
            return agreeing_candidates(self.weights, release, people, known, tolerance=self.tolerance)
        cases = weighted_candidates(self.weights, release, people, known, tolerance=self.tolerance)
        if type(cases) is Candidates and shows_single_values(release, known):
            cases.look_nearby(self.max_pairs)
        return cases

    def _lines(self, cases: Candidates, own: np.ndarray) -> pd.DataFrame:
        right = np.bincount(cases.case, weights=own, minlength=cases.n_cases)
        found = np.bincount(cases.case, weights=own >= self.threshold, minlength=cases.n_cases)
        return pd.DataFrame(
            {
                "known": cases.texts(),
                "people": cases.people_per_case,
                "candidates": cases.size,
                "likeliest": cases.picked()[0],
                "chance": cases.picked()[1],
                "re-identified": found.astype(np.int64),
                "score": np.minimum(right / cases.people_per_case, 1.0),
            }
        )


def _tell(cases: Candidates) -> None:
    """Record the search for the most exposed: the rows that fit, one of which is picked."""
    rows, chance = cases.picked()
    for case in tell_search(cases, chance, "chance"):
        pick = f", each theirs with probability {chance[case]:.3g}"
        if cases.size[case] == 1:
            pick = ", which must be theirs"
        elif rows[case] < cases.size[case]:
            each = "each of these" if rows[case] > 1 else "it"
            pick = f"; {each} is theirs with probability {chance[case]:.3g}"
        tell_rows(cases, case, f"{pick} if they are in the release with true values")
