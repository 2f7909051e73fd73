"""How much denser a release is near a person than the population is (van Breugel et al. 2023, who call it DOMIAS).

Release: each published row spreads its weight evenly over its box, and everybody who fits counts what falls on them.
If a method published single values, these need not be true, and the weight falls off with the distance to the nearest
row. Rows that were drawn at random stand for the distribution that they were drawn from. Population: a tree of columns
(Chow and Liu 1968) in which a value depends on the value of one other column, learnt from a reference or, without one,
from the release itself. So somebody with an exact match scores the higher the rarer they are. If a method
states how likely a published value is given a true one, everybody scores the likelihood of the release with them,
divided by that without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonnb.attacks.matching.likely import (
    MAX_PAIRS,
    box_logs,
    case_blocks,
    held_logs,
    stated_likelihoods,
    stated_parts,
    summed,
)
from anonnb.attacks.matching.nearest import shows_single_values
from anonnb.attacks.membership.distances import RowDistances
from anonnb.core.progress import ticks
from anonnb.privacy.likelihoods import NormalLikelihood
from anonnb.tables.attribute import Attribute
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.utility.readings import Gram, Scale

BINS = 24  # of a column in the tree: ranges of numbers, or the most common values and all others
REACH = 0.01  # the share of a number's range at which the weight of a row has fallen to 1/e
MISSED = 40.0  # taken off the logarithm where values are published as they are, so that a near miss is a miss
PRIOR = 2.0  # rows that a value of the parent column is worth before any is seen: they follow the column's own shares
UNSEEN = 0.5  # rows that a value is worth before any is seen
PLACES = 9  # of the logarithm of a score's odds


class TreeDensity:
    """The distribution of a release over some columns, as a tree in which a column depends on one other column.

    The tree is the one with the largest mutual information between neighbours; information that so few rows would show
    by chance is subtracted. All values of a cell are equally likely.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"smokes": list("yyyynnnn"), "coughs": list("yyynnnnn")}))
    >>> density = TreeDensity(Release.of(table), ["smokes", "coughs"])
    >>> np.exp(density.log_shares(table)).round(2)[[0, 3, 4]].tolist()
    [0.23, 0.14, 0.34]
    """

    def __init__(self, release: Release, known: Sequence[str]):
        columns = {name: release.columns[name] for name in known}
        self._scales = {name: Scale(each.attribute, each.expected_counts(), BINS) for name, each in columns.items()}
        self._within = {name: _shares_within(scale) for name, scale in self._scales.items()}
        gram, information = Gram.of(release, self._scales, "uniform"), np.zeros((len(columns), len(columns)))
        for one, first in enumerate(columns):
            for other, second in enumerate([*columns][:one]):
                information[one, other] = _information(gram.table(first, second), max(len(release), 1))
        self._parent, self._log_shares = {}, {}
        for name, parent in zip(columns, _parents(information), strict=True):
            above = self._parent[name] = None if parent < 0 else [*columns][parent]
            shares = gram.sums[0, gram.bins[name]] + UNSEEN
            rows = 0.0 if above is None else gram.sums[gram.bins[above], gram.bins[name]]
            smooth = np.atleast_2d(rows + PRIOR * shares / shares.sum())
            self._log_shares[name] = np.log(smooth / smooth.sum(axis=1, keepdims=True))

    def log_shares(self, people: Table) -> np.ndarray:
        """Return the logarithm of the share of the population that has each person's values."""
        return self.log_shares_of({name: (people.attributes[name], people.codes(name)) for name in self._scales})

    def log_shares_of(self, cells: Mapping[str, tuple[Attribute, np.ndarray]]) -> np.ndarray:
        """Return the same for columns of values, given by their attributes and codes."""
        total, bins = 0.0, {}
        for name, scale in self._scales.items():
            attribute, codes = cells[name]
            bins[name] = scale.bins(attribute)[codes]
            weights, totals = self._within[name]
            total = total + np.log(weights[attribute.recode_to(scale.attribute)[codes]] / totals[bins[name]])
        for name, parent in self._parent.items():
            total += self._log_shares[name][0 if parent is None else bins[parent], bins[name]]
        return np.asarray(total)


def _shares_within(scale: Scale) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of each value, of an unseen one last, and the sum of the weights in each bin."""
    weights = np.append(scale.counts + UNSEEN, UNSEEN)
    totals = np.bincount(scale.bins(scale.attribute), weights[:-1], minlength=scale.n_bins)
    return weights, totals + UNSEEN


def _information(joint: np.ndarray, count: int) -> float:
    """Return the mutual information of two columns, without what independent columns are expected to show."""
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    rows, columns = int((joint.sum(axis=1) > 0).sum()), int((joint.sum(axis=0) > 0).sum())
    freedom = max(rows - 1, 0) * max(columns - 1, 0)
    return float(joint[seen] @ np.log(joint[seen] / independent[seen])) - freedom / (2 * count)


def _parents(information: np.ndarray) -> np.ndarray:
    """Return the parent of each column in the trees with the most information; -1 for a root."""
    from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

    tree = minimum_spanning_tree(np.where(information > 0, -information, 0.0))
    parent, reached = np.full(len(information), -1), np.zeros(len(information), dtype=bool)
    for root in range(len(information)):
        if not reached[root]:
            order, before = breadth_first_order(tree, root, directed=False)
            parent[order], reached[order] = np.maximum(before[order], -1), True
    return parent


def membership_scores(
    release: Release, people: Table, known: Sequence[str], reference: Table | None = None
) -> np.ndarray:
    """Return a score from 0 to 1 for everybody: above 0.5 the release is denser near them than the population.

    The score has the odds of the ratio of both densities, as geometric mean over the columns, which orders people alike
    and keeps the scores of rare people apart. Somebody whom no published row fits has 0.

    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> half = Release.of(table).take(np.array([0, 1, 2]))
    >>> (membership_scores(half, table, ["occupation", "domicile"]) > 0.5).tolist()
    [True, True, True, False, False, False]
    """
    if not len(release) or not len(people):
        return np.zeros(len(people))
    near, usual = log_densities(release, people, known, reference)
    return odds_score((near - usual) / len(known))


def odds_score(log_odds: np.ndarray) -> np.ndarray:
    """Return numbers from 0 to 1 with these odds; equal ones stay equal if their last bits differ."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-log_odds.round(PLACES)))


def log_densities(
    release: Release, people: Table, known: Sequence[str], reference: Table | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of the shares of the release and of the population that fall on each person.

    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> near, usual = log_densities(Release.of(table), table, ["occupation"])
    >>> np.exp(near).round(2).tolist(), np.exp(usual).round(2).tolist()
    ([0.67, 0.67, 0.67, 0.33, 0.33, 0.67], [0.54, 0.54, 0.54, 0.28, 0.28, 0.54])
    """
    odds = log_odds(release, people, known)
    if odds is not None:
        return odds, np.zeros(len(people))
    others = release if reference is None else Release.of(reference)
    if release.synthetic and reference is not None:
        near = TreeDensity(release, known).log_shares(people)
    else:
        near = log_nearness(release, people, known)
    usual = TreeDensity(others, known).log_shares(people)
    return near, usual


def log_odds(release: Release, people: Table, known: Sequence[str]) -> np.ndarray | None:
    """Return how much likelier the release is with each person than without, as logarithms, if the method says so.

    It is the mean over the rows of P(row | person) / P(row). P(row) is that of the release: a tree of the columns whose
    values stay or are drawn, times the density of noisy numbers. None if a method states nothing, or not how common its
    values are, or if there are too many pairs.
    """
    if not shows_single_values(release, known):
        return None
    matching, stated = Matching.of(release, people, known), stated_likelihoods(release, known)
    if not stated or any(part.log_share is None for part in stated):
        return None
    if matching.n_cases * len(matching.published) > MAX_PAIRS:
        return None
    parts, published = stated_parts(release, people, matching, known), matching.published
    noisy = {name for part in stated if isinstance(part, NormalLikelihood) for name in part.names}
    others = [name for name in known if name not in noisy]
    named = {name for part in stated for name in part.names}
    rows = np.log(matching.rows_per_kind / len(release)) - box_logs(published, known, named)
    if others:
        cells = {name: published.column(name) for name in others}
        codes = {name: (column.attribute, column.sets.lo[column.index]) for name, column in cells.items()}
        rows += sum(held_logs(published, name) for name in others if name in named)
        rows -= TreeDensity(release, others).log_shares_of(codes)
    odds = np.full(matching.n_cases, -np.inf)
    for cases in ticks(case_blocks(matching), "likely rows"):
        logs = summed(parts, cases) + rows
        best = np.maximum(logs.max(axis=1), -1e300)
        with np.errstate(divide="ignore"):
            odds[cases] = best + np.log(np.exp(logs - best[:, None]).sum(axis=1))
    if getattr(getattr(release.method, "promise", None), "keeps_margins", False):
        for name in known:  # members' values occur; those of others as often as Good and Turing estimate
            once = (release.columns[name].expected_counts() == 1).sum()
            odds -= np.log(1 - once / (len(release) + 1))
    return odds[matching.case]


def log_nearness(release: Release, people: Table, known: Sequence[str]) -> np.ndarray:
    """Return the logarithm of the share of the published rows that falls on each person; -inf if no row fits."""
    matching = Matching.of(release, people, known)
    columns = [matching.published.column(name) for name in known]
    sizes = np.sum([np.log(np.maximum(column.sets.sizes, 1))[column.index] for column in columns], axis=0)
    (weight,), _ = matching.totals([matching.rows_per_kind * np.exp(-sizes)])
    with np.errstate(divide="ignore"):
        near = np.log(weight / len(release))[matching.case]
    if shows_single_values(release, known):
        away = RowDistances(release, known).distances(people) / REACH + np.log(len(release))
        near = np.where(np.isfinite(near), near, -away - (MISSED if release.method is None else 0.0))
    return near


def score_reason(
    release: Release, person: Table, known: Sequence[str], reference: Table | None = None
) -> tuple[str, np.ndarray]:
    """Return why one person has their score, and the published rows that it comes from."""
    if not len(release):
        return "nothing was published", np.zeros(0, dtype=np.int64)
    (near,), (usual,) = log_densities(release, person, known, reference)
    matching = Matching(release, person, known)
    rows = np.flatnonzero(matching.matrix()[0][matching.published.kind])
    if not len(rows) and shows_single_values(release, known):
        rows = RowDistances(release, known).nearest(person)
    if not np.isfinite(near):
        return "no published row could be theirs", rows
    whose = "the release as a whole" if reference is None else "the reference"
    times = np.exp(min(near - usual, 700.0))
    return f"the release is {times:.3g} times as dense near them as is expected from {whose}", rows
