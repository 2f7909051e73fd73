"""The risk of a whole sample in its population, estimated from survey weights.

Benedetti and Franconi's (1998) expected number of people found is usually too low, a quarter to a half of the truth on
realistic keys; with few keys, and so many people in each class, it may be a third too high. The log-linear model of
main effects (Skinner and Shlomo 2008) is close for people who are unique in the sample, unless keys repeat each other.
Skinner and Elliot's (2002) θ, with weights, needs no model. The risk 1 / f, for an attacker who knows that somebody
took part, needs no estimate.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids, multiset_ids
from anonnb.core.errors import Message, advice
from anonnb.privacy.classes import Classes
from anonnb.privacy.measures import Data, people_per_class
from anonnb.privacy.population_uniqueness import weighted_risk
from anonnb.tables.release import Release

REDUNDANT = 0.8  # share of a key's entropy that another key explains, from which on it says nearly the same
NAN = float("nan")


@dataclass(frozen=True)
class GlobalRisk:
    """How many people of a sample an attacker is expected to find in the population; less is better.

    Parameters
    ----------
    people, population:
        People in the sample, and in the population by their weights.
    participating:
        Σ 1 / f: the people expected to be found if the attacker knows that they took part. It needs no estimate.
    expected:
        τ, the sum of Benedetti and Franconi's risks; usually too low, a quarter to a half of the truth.
    uniques:
        The expected number found among people who are unique in the sample, by the log-linear model.
    hybrid:
        ``uniques``, and Benedetti and Franconi's risks for everybody else.
    theta:
        θ̂, the probability that somebody of the population who fits a unique row is the person behind it; NaN if no row
        is unique.
    households, household_members:
        The expected number of households with a member found, *if members were independent*, and of people in them;
        NaN without households.
    signatures:
        The expected number of households found by matching all their members at once, of those that have a published
        number or, if none has, as if all had: a combination of people is rarer than each of them.
    n_households:
        Households in the sample.
    note:
        What to doubt about these figures.

    Examples
    --------
    >>> GlobalRisk(people=4, population=40.0, participating=2.0, expected=0.5).share
    0.125
    """

    people: int
    population: float
    participating: float
    expected: float = NAN
    uniques: float = NAN
    hybrid: float = NAN
    theta: float = NAN
    households: float = NAN
    household_members: float = NAN
    signatures: float = NAN
    n_households: int = 0
    note: str = ""

    @property
    def share(self) -> float:
        """The mean of Benedetti and Franconi's risks, τ / n."""
        return self.expected / self.people if self.people else NAN


def global_risk(data: Data) -> GlobalRisk:
    """Estimate from survey weights how many people of a release an attacker would find in the population.

    People are counted as k counts them. Where classes overlap, or show values that their people do not have, a class's
    weights say nothing about its population: the figures from weights are NaN then.

    Worked example: a and b are unique, with the weights 3 and 5; c and c share a class, with the weights 2 and 4. So
    θ̂ = 2 / (2 + (2 − 1) + (4 − 1)) = ⅓.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Table
    >>> found = global_risk(Table(pd.DataFrame({"key": list("abcc"), "w": [3, 5, 2, 4]}), quasi=["key"], weight="w"))
    >>> round(found.theta, 3), round(found.expected, 3), found.participating
    (0.333, 1.402, 3.0)
    """
    classes = Classes.of(data)
    found = estimated_risk(classes)
    if found.note:
        warnings.warn(found.note, stacklevel=2)
    return found


def estimated_risk(classes: Classes) -> GlobalRisk:
    """Return the estimates; what is to be doubted about them is in their ``note`` and not warned of."""
    release = classes.release
    if release.table.weight is None:
        name_it = advice("; name it with ", remedies.role("weight"))
        raise ValueError(Message("the table has no survey weight", name_it))
    owner, weight = unit_weights(release)
    f, total = classes.people, np.bincount(owner, weights=weight, minlength=classes.n_groups)
    known: dict[str, Any] = {"people": len(owner), "population": float(weight.sum()), "participating": float(len(f))}
    if not _partition(classes):
        return GlobalRisk(
            **known,
            note="some people fit several classes or not their own, so the weights of a class do not estimate its "
            "population; figures from weights need a method that recodes globally or cuts disjoint boxes",
        )
    risk = weighted_risk(f, total)
    single, pairs = f == 1, weight[f[owner] == 2]
    uniques = float(_log_linear(release)[classes.first[single]].sum())
    if single.any():
        known["theta"] = float(single.sum() / (single.sum() + np.maximum(pairs - 1, 0).sum()))
    if release.table.household is not None and release.rows is not None:
        home, count = group_ids([release.table.households[release.rows]])
        log = np.log1p(-np.minimum(risk, 1 - 1e-15))[release.groups]
        found = -np.expm1(np.bincount(home, weights=log))
        sums = {"households": float(found.sum()), "household_members": float(found[home].sum())}
        known |= {**sums, "n_households": count}
        known["signatures"] = _matched_households(release, home)
    hybrid = uniques + float((risk * f)[~single].sum())
    note = _redundancy(release) if single.any() else ""
    return GlobalRisk(**known, expected=float(risk @ f), uniques=uniques, hybrid=hybrid, note=note)


def _matched_households(release: Release, home: np.ndarray) -> float:
    """Return the households expected to be found by all their members, among those with a number if some have one."""
    numbers = release.household_numbers
    rows = np.arange(len(home)) if numbers is None else np.flatnonzero(numbers >= 0)
    home, count = group_ids([home[rows]])
    ids, weights = multiset_ids(release.groups[rows], home, count), release.row_weights[rows]
    sharing = np.bincount(ids)
    return float(weighted_risk(sharing, np.bincount(ids, weights=weights[first_places(home, count)])) @ sharing)


def unit_weights(release: Release) -> tuple[np.ndarray, np.ndarray]:
    """Return the class and the weight of everybody whom k counts, once for each class they are in."""
    weights, people, owner = release.row_weights, release.people, release.groups
    if people is not None:
        first = np.unique(group_ids([owner, pd.factorize(people)[0]])[0], return_index=True)[1]
        weights, owner = weights[first], owner[first]
    if weights.sum() <= len(weights) and (weights != 1).any():
        raise ValueError(
            f"weights: column {release.table.weight!r} adds up to {weights.sum():g}, but the table alone has "
            f"{len(weights)} {release.table.counted}; give weights that add up to the size of the population"
        )
    return owner, weights


def _partition(classes: Classes) -> bool:
    """Tell whether everybody fits their own class and no other."""
    release = classes.release
    if release.household_numbers is not None:  # classes of people, whatever their households show
        columns = {name: column for name, column in release.columns.items() if name != release.table.household}
        return _partition(Classes.of(release.replace(columns=columns)))
    if release.rows is None:
        used = [(column.sets.sizes[np.unique(column.index)].sum(), column) for column in release.columns.values()]
        return all(size <= column.attribute.size for size, column in used if column.attribute.name in release.quasi)
    if all((release.columns[name].sizes == 1).all() for name in release.quasi) and release.method is None:
        return True
    published = release.table.take(release.rows).with_roles(person=None, household=None)
    return bool((people_per_class(classes, published)[0] == classes.sizes).all())


def _log_linear(release: Release) -> np.ndarray:
    """Return each row's risk if keys were independent: E(1 / F) for a Poisson number of others, given f = 1."""
    rows, weights = len(release), release.row_weights
    sampled, everybody = np.full(rows, float(rows)), np.full(rows, float(weights.sum()))
    for name in release.quasi:
        index = release.columns[name].index
        sampled *= (np.bincount(index) / rows)[index]
        everybody *= (np.bincount(index, weights=weights) / weights.sum())[index]
    others = np.maximum(everybody - sampled, 1e-12)
    return -np.expm1(-others) / others


def _redundancy(release: Release) -> str:
    """Say which two keys say nearly the same, by their mutual information (corrected after Miller and Madow)."""
    indices = {name: release.columns[name].index for name in release.quasi}
    entropies = {name: _entropy(index) for name, index in indices.items()}
    for one, other in combinations(indices, 2):
        both = _entropy(group_ids([indices[one], indices[other]])[0])
        smaller = min(entropies[one], entropies[other])
        if smaller > 0 and entropies[one] + entropies[other] - both > REDUNDANT * smaller:
            return (
                f"{one!r} and {other!r} say nearly the same, so the log-linear estimate counts them "
                "twice and may be more than twice too high; leave one of them out of the quasi-identifiers to judge it"
            )
    return ""


def _entropy(numbers: np.ndarray) -> float:
    counts = np.unique(numbers, return_counts=True)[1]
    share = counts / len(numbers)
    return float(-(share * np.log(share)).sum() + (len(counts) - 1) / (2 * len(numbers)))
