"""Risks of re-identification as an attacker sees them (El Emam & Dankar 2008; Dankar & El Emam 2010).

The prosecutor knows that the target is in the release, the journalist only that the target is in a population; the
marketer wants as many people as possible. A class that nobody in the population fits cannot be linked: its risk is 0.
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
    """Probabilities of re-identification, 0 to 1; less is better. NaN: needs a population, or nothing is published.

    Where the table names a person, all figures are about people instead of rows; a person with rows in several classes
    counts once in each.

    Parameters
    ----------
    prosecutor, journalist:
        The risk of the worst row.
    prosecutor_average, journalist_average:
        The mean over the rows.
    prosecutor_above, journalist_above:
        The share of rows above the threshold.
    marketer:
        The share of rows expected to be re-identified.
    unique:
        The share of rows that are alone in their class.
    threshold:
        The risk above which a row counts as at risk.

    Examples
    --------
    >>> import pandas as pd
    >>> found: Risk = risk(Table(pd.DataFrame({"zip": [1, 1, 2, 2]}), quasi=["zip"]))
    >>> found.prosecutor, found.prosecutor_above, found.unique
    (0.5, 1.0, 0.0)
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
    """Return the risks: ``1 / |E|`` for the prosecutor, 1 / (people who fit E) for the journalist.

    The marketer's risk is the mean over the rows of the journalist's risk, or of the prosecutor's without a population.

    Worked example: zip codes 1, 1, 2 have the risks ½, ½, 1: the worst is 1, the average (½ + ½ + 1) / 3 = 0.67, one
    row in three is unique.

    Parameters
    ----------
    population:
        A table of the population, for the journalist and the marketer.
    threshold:
        The risk above which a row counts as at risk.
    missing:
        ``"value"`` treats a missing quasi-identifier as a value of its own; ``"any"`` lets it match anything, for the
        prosecutor and the unique rows.

    Examples
    --------
    >>> import pandas as pd
    >>> found = risk(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]))
    >>> found.prosecutor, round(found.prosecutor_average, 2), round(found.unique, 2)
    (1.0, 0.67, 0.33)
    """
    Number(at_least=0, at_most=1).validate("threshold", threshold)
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
    """Return the share of rows whose quasi-identifier no other row has. 0 to 1; less is better.

    Worked example: of zip codes 1, 1, 2 only the last is alone: 1 / 3 = 0.33.

    Parameters
    ----------
    missing:
        ``"value"`` treats a missing quasi-identifier as a value of its own, ``"any"`` lets it match anything.

    Examples
    --------
    >>> import pandas as pd
    >>> round(unique_rows(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"])), 2)
    0.33
    """
    return risk(data, missing=missing).unique


def _summary(risks: np.ndarray, sizes: np.ndarray, threshold: float) -> tuple[float, float, float]:
    """Return largest, mean over the people, and share of people above the threshold, from a risk per class."""
    rows = sizes.sum()
    if rows == 0:
        return (float("nan"),) * 3
    return float(risks.max()), float(risks @ sizes / rows), float(sizes[risks > threshold].sum() / rows)
