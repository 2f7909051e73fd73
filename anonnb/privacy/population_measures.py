"""How well a release hides people in a public population: k-map (Sweeney 2002), δ-presence (Nergiz et al. 2007).

Each class of the release is a box of value sets; the measures count the people of the population who fit it.
Reading chosen: a class is judged by its published sets, as in :mod:`anonnb.privacy.population`, whose models these
measures belong to.
"""

from __future__ import annotations

import numpy as np

from anonnb.privacy.classes import Classes
from anonnb.privacy.measures import Data
from anonnb.privacy.population import Population
from anonnb.tables.table import Table


def k_map(data: Data, population: Table) -> int:
    """The fewest people of the population who fit a class. 0 or more; more is better.

    Worked example: the population 1, 1, 2, 2, 2 and the release 1, 2: two people fit the first row, three the second; k
    = 2.

    Parameters
    ----------
    data:
        A table or a release.
    population:
        A table of the population, with the quasi-identifiers of the data.

    Returns
    -------
    int
        The k of k-map.

    Examples
    --------
    >>> import pandas as pd
    >>> people = Table(pd.DataFrame({"zip": [1, 1, 2, 2, 2]}), quasi=["zip"])
    >>> k_map(people.take([0, 2]), people)
    2
    """
    people, _ = people_per_class(Classes.of(data), population)
    return int(people.min()) if len(people) else 0


def delta_presence(data: Data, population: Table) -> tuple[float, float]:
    """(low, high) chance that somebody of the population is in the table: ``|E|`` / people who fit E. Less is better.

    Both are in 0 to 1 when the table is drawn from the population. The lower one is 0 when somebody fits no class.
    Where the sets of classes overlap, each class is judged by itself; for a class that nobody fits, the chance is
    infinite.

    Worked example: the population 1, 1, 2, 2, 2 and the release 1, 2: the chances are ½ and ⅓.

    Parameters
    ----------
    data:
        A table or a release.
    population:
        A table of the population, with the quasi-identifiers of the data.

    Returns
    -------
    tuple of float
        The lowest and the highest chance.

    Examples
    --------
    >>> import pandas as pd
    >>> people = Table(pd.DataFrame({"zip": [1, 1, 2, 2, 2]}), quasi=["zip"])
    >>> low, high = delta_presence(people.take([0, 2]), people)
    >>> round(low, 2), high
    (0.33, 0.5)
    """
    classes = Classes.of(data)
    people, everybody = people_per_class(classes, population)
    if len(classes) == 0:
        return float("nan"), float("nan")
    with np.errstate(divide="ignore"):
        chance = classes.people / people
    return float(chance.min()) if everybody else 0.0, float(chance.max())


def people_per_class(classes: Classes, population: Table) -> tuple[np.ndarray, bool]:
    """People of the population who fit each class, and whether everybody fits one."""
    release = classes.release
    people = Population(population, {name: release.columns[name].attribute for name in release.quasi})
    return people.count(classes.boxes)
