"""How much a release looks as if somebody were in it, from 0 to 1; more than half: it does.

Boxes: nobody is in a release none of whose rows could be theirs. The smaller the smallest row that could, the less
likely it fits an outsider by chance. Single values that need not be true (means, noise, synthetic rows): the nearer the
nearest row, compared with half the way between neighbouring rows, or with the nearest of a reference (people from the
same population), the likelier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonnb.attacks.matching.nearest import shows_single_values
from anonnb.attacks.membership.distances import RowDistances
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

PLACES = 12  # of scores by distance: equally far is half, also where the last bits of two distances differ


def membership_scores(
    release: Release, people: Table, known: Sequence[str], reference: Table | None = None
) -> np.ndarray:
    """A score for everybody, above 0.5 where the release looks as if they were in it.

    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> half = Release.of(table).take(np.array([0, 1, 2]))
    >>> membership_scores(half, table, ["occupation", "domicile"]).round(2).tolist()
    [1.0, 1.0, 1.0, 0.26, 0.33, 0.33]
    """
    if not len(release) or not len(people):
        return np.zeros(len(people))
    if shows_single_values(release, known):
        return _by_distance(release, people, known, reference)
    return _by_boxes(release, people, known, reference)


def score_reason(
    release: Release, person: Table, known: Sequence[str], reference: Table | None = None
) -> tuple[str, np.ndarray]:
    """Why one person has their score, in words, and the published rows that it comes from."""
    if not len(release):
        return "nothing was published", np.zeros(0, dtype=np.int64)
    if shows_single_values(release, known):
        distances = RowDistances(release, known)
        far, usual = _distances(distances, release, person, known, reference)
        than = "half the way between rows" if reference is None else "the way to the nearest of the reference"
        return f"the nearest row is {far[0]:.3g} away, {than} is {usual[0]:.3g}", distances.nearest(person)
    matching = Matching(release, person, known)
    weight, fits = _box_weights(matching, release, known, reference), matching.matrix()[0]
    if not fits.any():
        return "no published row could be theirs", np.zeros(0, dtype=np.int64)
    least = weight[fits].min()
    rows = np.flatnonzero((fits & (weight == least))[matching.published.kind])
    covers = "covers" if reference is None else "holds"
    of_what = "of each domain (geometric mean)" if reference is None else "of the reference"
    return f"the smallest row that could be theirs {covers} a share of {least:.3g} {of_what}", rows


# ---- boxes ------------------------------------------------------------------------------------------------------


def _by_boxes(release: Release, people: Table, known: Sequence[str], reference: Table | None) -> np.ndarray:
    matching = Matching(release, people, known)
    weight = _box_weights(matching, release, known, reference)
    least = np.full(matching.n_cases, np.inf)
    for some, near, fits in matching.blocks():
        if len(near):
            least[some] = np.where(fits, weight[near], np.inf).min(axis=1)
    score = np.where(np.isfinite(least), 1 - np.minimum(least, 1.0) / 2, 0.0)
    return score[matching.case]


def _box_weights(matching: Matching, release: Release, known: Sequence[str], reference: Table | None) -> np.ndarray:
    """How large each distinct row is: its share of the domains, or of the people of a reference."""
    if reference is None:
        return _box_sizes([matching.published.column(name) for name in known])
    others = Matching(release, reference, known)
    (inside,) = others.totals((), [others.people_per_case])[1]
    return inside / len(reference)


def _box_sizes(columns: Sequence[Column]) -> np.ndarray:
    """The share of its domain that a row's set covers, as geometric mean over the columns: it orders boxes alike."""
    shares = [np.maximum(column.sets.sizes, 1) / max(column.attribute.size, 1) for column in columns]
    logs = [np.log(share)[column.index] for share, column in zip(shares, columns, strict=True)]
    return np.exp(np.mean(logs, axis=0))


# ---- single values ----------------------------------------------------------------------------------------------


def _by_distance(release: Release, people: Table, known: Sequence[str], reference: Table | None) -> np.ndarray:
    far, usual = _distances(RowDistances(release, known), release, people, known, reference)
    both = far + usual
    nowhere_else = 1.0 if reference is None else 0.5  # a twin in the reference: nothing to tell by
    return np.divide(usual, both, out=np.full(len(far), nowhere_else), where=both > 0).round(PLACES)


def _distances(
    rows: RowDistances, release: Release, people: Table, known: Sequence[str], reference: Table | None
) -> tuple[np.ndarray, np.ndarray]:
    """For everybody how far the nearest row is, and how far it would usually be."""
    far = rows.distances(people)
    if reference is None:
        return far, np.full(len(far), rows.half_way())
    return far, RowDistances(Release.of(reference), known, like=release).distances(people)
