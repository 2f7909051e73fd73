"""Families against households that are published with a number: who lives with whom is a quasi-identifier, too."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.matching.members import places_of
from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids, multiset_ids
from anonnb.core.errors import Message, advice


class Households:
    """The households of the people to attack, and the published ones with the same signature, member for member.

    ``candidates`` counts these for each household, and ``chance`` is the probability that one of them, picked at
    random, is the right one; ``fits`` counts the known households for each published one.

    >>> from anonnb import Release, Table
    >>> from anonnb.tables.value_sets import Column
    >>> frame = pd.DataFrame({"home": [1, 1, 2, 3], "sex": ["f", "m", "f", "f"]})
    >>> table = Table(frame, quasi="sex", household="home", unit="household")
    >>> release = Release(table, {"home": Column.original(table.attributes["home"], table.codes("home"))}, range(4))
    >>> Households(Candidates(release, table, ["sex"])).chance.tolist()
    [1.0, 0.5, 0.5]
    """

    def __init__(self, cases: Candidates):
        release, people = cases.release, cases.people
        numbers = release.household_numbers
        if numbers is None:
            raise ValueError("the release shows no household numbers; look for its people, with unit='person'")
        if people.household is None:
            name_it = advice("; name its column: ", remedies.role("household"))
            raise ValueError(Message("the people to attack name no household", name_it))
        linked = np.flatnonzero(numbers >= 0)
        homes, n_homes = group_ids([numbers[linked]])
        kind, known = _kinds(cases), people.households
        n_known, member = int(known.max(initial=-1)) + 1, np.flatnonzero(kind >= 0)  # the others' class is suppressed
        values = np.append(cases._matching.published.kind[linked], kind[member])
        signatures = multiset_ids(values, np.append(homes, n_homes + known[member]), n_homes + n_known)
        published, self.signature = signatures[:n_homes], signatures[n_homes:]
        count = int(signatures.max(initial=-1)) + 1
        self.cases, self.first = cases, first_places(known, n_known)
        self.candidates = np.bincount(published, minlength=count)[self.signature]
        self.fits = np.bincount(self.signature, minlength=count)[published]
        right = self.candidates > 0
        if release.rows is not None:  # else nobody can tell: as if everybody were in it with true values
            right = np.zeros(n_known, dtype=bool)
            home = np.full(len(release), -1)
            home[linked] = homes
            rows, originals = release.owners
            place = places_of(release.table, people)[originals]
            pairs = (place >= 0) & (home[rows] >= 0)
            own, theirs = known[place[pairs]], home[rows[pairs]]
            right[own[published[theirs] == self.signature[own]]] = True
        self.chance = np.divide(right, self.candidates, out=np.zeros(n_known), where=right)

    def lines(self, threshold: float) -> pd.DataFrame:
        """Return a line per signature: what is known, households, candidates and the probability of being right."""
        line, count = group_ids([self.signature])
        texts, first = self.cases.texts(), first_places(line, count)
        members = (
            pd.Series(texts).take(self.cases.case).groupby(self.cases.people.households).agg(partial(str.join, "; "))
        )
        total = partial(np.bincount, line, minlength=count)
        return pd.DataFrame(
            {
                "known": members.to_numpy()[first],
                "members": np.bincount(self.cases.people.households)[first],
                "households": total(),
                "candidates": self.candidates[first],
                "chance": self.chance[first],
                "re-identified": total(weights=self.chance >= threshold).astype(np.int64),
                "score": total(weights=self.chance) / total(),
            }
        )


def _kinds(cases: Candidates) -> np.ndarray:
    """Return the distinct published row that each person fits, -1 for none; refuse people who fit several."""
    kinds = np.arange(len(cases._matching.published))
    (count, which), _ = cases._matching.totals([np.ones(len(kinds)), kinds], [])
    if (count > 1).any():
        raise ValueError(
            f"{cases.texts()[int(np.argmax(count > 1))]} fits several classes, so households cannot be told by what "
            "their members' rows show; attack a release of a method that recodes globally, such as FullDomain"
        )
    return np.where(count == 1, which, -1).astype(np.int64)[cases.case]
