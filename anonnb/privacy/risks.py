"""Risks of re-identification as an attacker sees them (El Emam & Dankar 2008; Dankar & El Emam 2010).

The prosecutor knows that his victim is in the release, the journalist only that she is in a population, the marketer
wants as many people as possible. A class that nobody in the population fits cannot be linked: its risk is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonnb.core.parameters.constraints import Number
from anonnb.privacy.classes import Classes
from anonnb.privacy.measures import Data, people_per_class
from anonnb.tables.table import Table


@dataclass(frozen=True)
class Risk:
    """Chances of re-identification, each in 0 to 1; less is better. NaN: needs a population, or nothing is published.

    ``prosecutor`` and ``journalist`` are the worst row's; ``…_average`` the mean over the rows; ``…_above`` the share
    of rows above ``threshold``; ``marketer`` the share of rows expected to be re-identified; ``unique`` the share of
    rows that are alone in their class. Where the table names a person, all of this is about people instead of rows;
    somebody with rows in several classes counts once in each.
    """

    prosecutor: float
    prosecutor_average: float
    prosecutor_above: float
    marketer: float
    unique: float
    journalist: float
    journalist_average: float
    journalist_above: float
    threshold: float


def risk(data: Data, population: Table | None = None, *, threshold: float = 0.2, missing: str = "value") -> Risk:
    """The risks of a table or release: 1 / |E| for the prosecutor, 1 / (people who fit E) for the journalist.

    The marketer's is the mean over the rows of the journalist's risk, or of the prosecutor's without a population.
    ``missing="any"`` lets a missing quasi-identifier match anything (prosecutor and unique rows).

    Worked: zip codes 1, 1, 2 have the risks ½, ½, 1: the worst is 1, the average (½ + ½ + 1) / 3 = 0.67, one row in
    three is unique.

    >>> import pandas as pd
    >>> found = risk(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]))
    >>> found.prosecutor, round(found.prosecutor_average, 2), round(found.unique, 2)
    (1.0, 0.67, 0.33)
    """
    Number(at_least=0, at_most=1).checked("threshold", threshold)
    classes = Classes.of(data)
    alike = classes.matching(missing)
    prosecutor = _summary(1 / np.maximum(alike, 1), classes.people, threshold)
    journalist = (float("nan"),) * 3
    if population is not None:
        people, _ = people_per_class(classes, population)
        journalist = _summary(np.where(people > 0, 1 / np.maximum(people, 1), 0.0), classes.people, threshold)
    return Risk(
        *prosecutor,
        marketer=prosecutor[1] if population is None else journalist[1],
        unique=float(classes.people[alike == 1].sum() / classes.people.sum()) if len(classes) else float("nan"),
        journalist=journalist[0],
        journalist_average=journalist[1],
        journalist_above=journalist[2],
        threshold=threshold,
    )


def unique_rows(data: Data, missing: str = "value") -> float:
    """Share of rows whose quasi-identifier no other row has. 0 to 1; less is better.

    Worked: of zip codes 1, 1, 2 only the last is alone: 1 / 3 = 0.33.

    >>> import pandas as pd
    >>> round(unique_rows(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"])), 2)
    0.33
    """
    return risk(data, missing=missing).unique


def _summary(risks: np.ndarray, sizes: np.ndarray, threshold: float) -> tuple[float, float, float]:
    """Largest, mean over the people, and share of people above the threshold, from a risk per class."""
    rows = sizes.sum()
    if rows == 0:
        return (float("nan"),) * 3
    return float(risks.max()), float(risks @ sizes / rows), float(sizes[risks > threshold].sum() / rows)
