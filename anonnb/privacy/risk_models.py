"""Risk as a requirement: thresholds on the probability of being found, as users of ARX set them.

The risk of a person is 1 / (people of the class), the prosecutor's. The highest risk is a matter of each class; the
average, the share of people at risk and the uniqueness in the population are figures of a whole release, in which a few
small classes may be outweighed by large ones. So a method cannot judge a group by itself: it is run with the smallest
k that a search by halves finds to be enough (:func:`anonnb.methods.base.anonymized`), and the release carries that k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.constraints import SHARE, Number
from anonnb.core.parameters.declared import parameter
from anonnb.privacy.base import EPSILON, Checker, Model, people_per_group
from anonnb.privacy.counts import weight_sums
from anonnb.tables.release import Release
from anonnb.tables.table import Table

LIMIT = Number(above=0, at_most=1)


@dataclass(frozen=True)
class HighestRisk(Model):
    """Nobody is found with a probability above a limit: every class has at least 1 / limit people.

    Examples
    --------
    >>> HighestRisk(0.34).checker(None)(np.array([0, 0, 0, 1, 1]), 2, np.arange(5)).tolist()
    [True, False]
    """

    limit: float = parameter(LIMIT)

    def checker(self, table: Table) -> Checker:
        least = smallest_class(self.limit)
        return lambda groups, n_groups, rows: people_per_group(table, groups, n_groups, rows) >= least


@dataclass(frozen=True)
class PopulationCount(Model):
    """The people of every class stand for at least ``count`` people of the population, by their survey weights.

    It is asked in addition to k and replaces nothing: of people unique in a sample who stand for 20 each, a fifth to
    two fifths are unique in the population on realistic keys.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"zip": [1, 1, 2], "w": [30, 30, 50]}), quasi=["zip"], weight="w")
    >>> PopulationCount(60).checker(table)(np.array([0, 0, 1]), 2, np.arange(3)).tolist()
    [True, False]
    """

    count: float = parameter(Number(above=0))

    def check_table(self, table: Table) -> None:
        if table.weight is None:
            name_it = advice("; name it with ", remedies.role("weight"))
            raise ValueError(Message(f"{self} needs the survey weight of every row", name_it))

    def checker(self, table: Table) -> Checker:
        self.check_table(table)
        weights, people = table.row_weights, table.people if table.people_repeat else None

        def check(groups: np.ndarray, n_groups: int, rows: np.ndarray) -> np.ndarray:
            whose = None if people is None else people[rows]
            return weight_sums(groups, n_groups, weights[rows], whose) >= self.count * (1 - EPSILON)

        return check


@dataclass(frozen=True)
class RiskModel(Model):
    """Base of requirements that the classes of a release meet together, not each by itself.

    Subclasses say what the risk of a release is, from the people of its classes.

    Examples
    --------
    >>> from anonnb import Release, load
    >>> model, release = AverageRisk(0.05), Release.of(load("survey"))
    >>> model.risk(release.group_people) <= model.limit, model.is_met(release), model.sufficient_k
    (False, False, 20)
    """

    limit: float = parameter(LIMIT)

    def risk(self, people: np.ndarray) -> float:
        """Return the risk of a release whose classes have these numbers of people."""
        raise NotImplementedError

    @property
    def sufficient_k(self) -> int:
        """The k that is enough, whatever the classes are."""
        return smallest_class(self.limit)

    @property
    def _allowed(self) -> float:
        """The largest risk that a release may have."""
        return self.limit

    def is_met(self, release: Release) -> bool:
        """Tell whether a release keeps the limit; one without rows does."""
        return not release.n_groups or self.risk(release.group_people) <= self._allowed + EPSILON

    def holds(self, release: Release) -> np.ndarray:
        return np.full(release.n_groups, self.is_met(release))

    def checker(self, table: Table) -> Checker:
        raise TypeError(f"{self} is about all classes of a release together; ask holds(release)")


@dataclass(frozen=True)
class AverageRisk(RiskModel):
    """The probability of being found, averaged over the people, is at most a limit: classes / people ≤ limit.

    Worked example: classes of 2 and 6 people have the risks ½ and ⅙, and the average is 2 / 8 = 0.25.

    Examples
    --------
    >>> AverageRisk(0.2).risk(np.array([2, 6]))
    0.25
    """

    def risk(self, people: np.ndarray) -> float:
        return len(people) / float(people.sum())


@dataclass(frozen=True)
class RecordsAtRisk(RiskModel):
    """At most a share of the people are found with a probability above a limit.

    Parameters
    ----------
    limit:
        The probability above which a person is at risk.
    share:
        The share of people who may be at risk.

    Examples
    --------
    >>> RecordsAtRisk(0.2, share=0.1).risk(np.array([2, 6, 8])), RecordsAtRisk(0.2, share=0.1).sufficient_k
    (0.125, 5)
    """

    share: float = parameter(SHARE, default=0.01)

    def risk(self, people: np.ndarray) -> float:
        return float(people[people < smallest_class(self.limit)].sum() / people.sum())

    @property
    def _allowed(self) -> float:
        return self.share


@dataclass(frozen=True)
class PopulationUniqueness(RiskModel):
    """At most a share of the published people are expected to be unique in the population.

    The estimate is that of Dankar's rule (:mod:`anonnb.privacy.population_uniqueness`), and as uncertain. From k = 2 on
    nobody is unique in the sample, so nobody is in the population.

    Parameters
    ----------
    limit:
        The share of the published people who may be unique in the population.
    fraction:
        The share of the population that was published.

    Examples
    --------
    >>> round(PopulationUniqueness(0.01, fraction=0.5).risk(np.array([1, 1, 1, 1, 2, 3, 5])), 3)
    0.187
    """

    fraction: float = parameter(LIMIT)

    def risk(self, people: np.ndarray) -> float:
        from anonnb.privacy.population_uniqueness import from_fraction  # only this model needs it

        return from_fraction(people, self.fraction).unique_there / float(people.sum())

    @property
    def sufficient_k(self) -> int:
        return 2


def smallest_class(limit: float) -> int:
    """Return the fewest people whose risk 1 / people is at most a limit.

    >>> [smallest_class(limit) for limit in (1, 0.34, 1 / 3, 0.2, 0.05)]
    [1, 3, 3, 5, 20]
    """
    return int(np.ceil(1 / limit - EPSILON))
