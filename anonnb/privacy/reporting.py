"""All privacy measures of a release, as one list of objects and as one table."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import cached_property, singledispatch
from typing import Any

import pandas as pd

from anonnb.core.measure import HIGHER, LOWER, MEAN, WHOLE, Measure, measured
from anonnb.privacy import measures
from anonnb.privacy.classes import Classes
from anonnb.privacy.population_risk import GlobalRisk, estimated_risk
from anonnb.privacy.risks import Risk, risk
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Value = Callable[["Exposure"], float]


class Exposure:
    """Input of the measures: the classes of a release, and the population and threshold for the risks."""

    def __init__(self, data: Table | Release, population: Table | None = None, threshold: float = 0.2):
        self.classes, self.population, self.threshold = Classes(data), population, threshold

    @cached_property
    def risk(self) -> Risk:
        return risk(self.classes, self.population, threshold=self.threshold)

    @cached_property
    def risk_if_missing_matches(self) -> Risk:
        return risk(self.classes, missing="any")

    @cached_property
    def weighted(self) -> GlobalRisk:
        return estimated_risk(self.classes)

    @property
    def has_weights(self) -> bool:
        return self.classes.release.table.weight is not None

    @property
    def doubt(self) -> str:
        """What to doubt about figures from weights, as the end of a sentence."""
        return f" (but {self.weighted.note})" if self.weighted.note else ""

    @property
    def k_map(self) -> int:
        assert self.population is not None  # measures of a population apply only where there is one
        return measures.k_map(self.classes, self.population)

    @cached_property
    def presence(self) -> tuple[float, float]:
        assert self.population is not None  # measures of a population apply only where there is one
        return measures.delta_presence(self.classes, self.population)

    @cached_property
    def recursive(self) -> tuple[float, int]:
        return measures.recursive_c_l(self.classes)

    @property
    def units(self) -> str:
        """What is counted: rows, people if the table names a person, or households if they are its unit."""
        table = self.classes.release.table
        return "rows" if table.counted_by is None else table.counted

    @property
    def members(self) -> str:
        """What is counted in the classes: who has rows in several of them counts in each."""
        return self.units + (" (once in each of their classes)" if self.classes.release.table.people_repeat else "")

    @property
    def alike(self) -> str:
        """What reads like a row, the row itself included."""
        whose = {"people": "people's", "households": "households'"}
        return f"{whose[self.units]} rows, its own included" if self.units in whose else "rows, itself included"

    @property
    def whatever_else(self) -> str:
        """What l says in addition where people have several values."""
        repeat = self.classes.release.table.people_repeat
        return f"; 1 means that all {self.units} of some class share a value, whatever else they have" if repeat else ""

    @property
    def l_values(self) -> int:
        """The l that belongs to the recursive c."""
        return self.recursive[1]


def _some_missing(exposure: Exposure) -> bool:
    return exposure.classes.has_missing


def _has_population(exposure: Exposure) -> bool:
    return exposure.population is not None


def _has_weight(exposure: Exposure) -> bool:
    release = exposure.classes.release
    shown = release.rows is not None or release.table.weight in release.columns
    return release.table.weight is not None and bool(len(release)) and shown


def _has_households(exposure: Exposure) -> bool:
    release = exposure.classes.release
    return _has_weight(exposure) and release.table.household is not None and release.rows is not None


def _has_secret(exposure: Exposure) -> bool:
    return bool(exposure.classes.release.sensitive)


def _missing(name: str, better: str, value: Value, meaning: str, **more: Any) -> Measure:
    # a missing value that matches anything matches rows of other parts
    reading = "when a missing value matches anything (above it is a value of its own)."
    return Measure(name, better, value, f"{meaning}, {reading}", applies=_some_missing, parts=WHOLE, **more)


def _population(name: str, better: str, value: Value, meaning: str, **more: Any) -> Measure:
    return Measure(name, better, value, meaning, applies=_has_population, parts=WHOLE, **more)


def _weighted(name: str, value: Value, meaning: str, applies: Callable[[Any], bool] = _has_weight) -> Measure:
    return Measure(name, LOWER, value, meaning + "{doubt}.", applies=applies, parts=WHOLE, survey="")


def _secret(name: str, better: str, value: Value, meaning: str, **more: Any) -> Measure:
    worse = " The worse of the shares with and without survey weights."
    return Measure(name, better, value, meaning, applies=_has_secret, survey=worse, **more)


K = Measure(
    "k",
    HIGHER,
    lambda exposure: measures.k(exposure.classes),
    "Every row reads like at least this many {alike}.",
    low=1,
    high=math.inf,
)
MEASURES: tuple[Measure, ...] = (
    K,
    Measure(
        "unique rows",
        LOWER,
        lambda seen: seen.risk.unique,
        "Share of {members} that no other row reads like.",
        parts=MEAN,
    ),
    Measure(
        "prosecutor risk",
        LOWER,
        lambda seen: seen.risk.prosecutor,
        "Highest chance to pick the row of a person known to be in it.",
    ),
    Measure(
        "prosecutor risk, average",
        LOWER,
        lambda seen: seen.risk.prosecutor_average,
        "The same chance, averaged over the {members}.",
        parts=MEAN,
    ),
    Measure(
        "rows at risk",
        LOWER,
        lambda seen: seen.risk.prosecutor_above,
        "Share of {members} whose prosecutor risk is above {threshold:g}.",
        parts=MEAN,
    ),
    Measure(
        "marketer risk",
        LOWER,
        lambda seen: seen.risk.prosecutor_average,
        "Share of {members} that linking all of them is expected to get right.",
        parts=MEAN,
    ),
    _missing(
        "k, missing matches",
        HIGHER,
        lambda seen: measures.k(seen.classes, missing="any"),
        "Rows that a row could be",
        low=1,
        high=math.inf,
    ),
    _missing(
        "unique rows, missing matches",
        LOWER,
        lambda seen: seen.risk_if_missing_matches.unique,
        "Share of rows that match no other",
    ),
    _missing(
        "prosecutor risk, missing matches",
        LOWER,
        lambda seen: seen.risk_if_missing_matches.prosecutor,
        "Highest chance to pick the right row",
    ),
    _weighted(
        "risk from weights",
        lambda seen: seen.weighted.share,
        "Expected share of {units} found in the population, after Benedetti and Franconi; usually too low, with "
        "many keys a quarter to a half of the truth; of people known to have taken part, the prosecutor risk holds",
    ),
    _weighted(
        "risk from weights, log-linear",
        lambda seen: seen.weighted.hybrid / seen.weighted.people,
        "The same share, by a log-linear model for {units} that are unique here; mostly within a fifth of the truth",
    ),
    _weighted(
        "matches of unique rows",
        lambda seen: seen.weighted.theta,
        "Probability that somebody of the population who fits a unique row is the person behind it, estimated without "
        "a model (Skinner and Elliot)",
    ),
    _weighted(
        "risk of households",
        lambda seen: seen.weighted.households / seen.weighted.n_households,
        "Expected share of households with a member found, if members were independent",
        applies=_has_households,
    ),
    _weighted(
        "risk of households, matched",
        lambda seen: seen.weighted.signatures / seen.weighted.n_households,
        "Expected share of households found by matching all members at once, if household numbers were published",
        applies=_has_households,
    ),
    _population(
        "k-map",
        HIGHER,
        lambda seen: seen.k_map,
        "Every row fits at least this many people of the population.",
        high=math.inf,
    ),
    _population(
        "journalist risk",
        LOWER,
        lambda seen: seen.risk.journalist,
        "Highest chance to pick the right person for a row.",
    ),
    _population(
        "journalist risk, average",
        LOWER,
        lambda seen: seen.risk.journalist_average,
        "The same chance, averaged over the rows.",
    ),
    _population(
        "rows at journalist risk",
        LOWER,
        lambda seen: seen.risk.journalist_above,
        "Share of rows whose journalist risk is above {threshold:g}.",
    ),
    _population(
        "marketer risk, population",
        LOWER,
        lambda seen: seen.risk.marketer,
        "Share of rows linked rightly through the population.",
    ),
    _population(
        "δ-presence, high",
        LOWER,
        lambda seen: seen.presence[1],
        "Highest chance that a person of the population is in the data.",
        high=math.inf,
    ),
    _population(
        "δ-presence, low",
        HIGHER,
        lambda seen: seen.presence[0],
        "Lowest such chance; 0 tells of somebody that she is not in the data.",
    ),
    _secret(
        "l",
        HIGHER,
        lambda seen: measures.l(seen.classes),
        "Every class has at least this many different sensitive values{whatever_else}.",
        low=1,
        high=math.inf,
    ),
    _secret(
        "entropy l",
        HIGHER,
        lambda seen: measures.entropy_l(seen.classes),
        "The same, as if all values of a class were equally frequent.",
        low=1,
        high=math.inf,
    ),
    _secret(
        "recursive c",
        LOWER,
        lambda seen: seen.recursive[0],
        "The most frequent value of a class against those of rank {l_values} and beyond (recursive (c,l)-diversity).",
        high=math.inf,
        parts=WHOLE,
    ),
    _secret(
        "α",
        LOWER,
        lambda seen: measures.alpha_k(seen.classes)[0],
        "Largest share of the {units} of a class that have the same sensitive value.",
    ),
    _secret(
        "t",
        LOWER,
        lambda seen: measures.t(seen.classes),
        "Largest distance of a class's sensitive values from those of all {units}.",
    ),
    _secret(
        "β, basic",
        LOWER,
        lambda seen: measures.beta(seen.classes),
        "Largest relative rise of a sensitive value's share in a class.",
        high=math.inf,
    ),
    _secret(
        "β, enhanced",
        LOWER,
        lambda seen: measures.beta(seen.classes, "enhanced"),
        "The same; infinite when a share rises beyond the logarithm of its rarity, which no β allows.",
        high=math.inf,
    ),
    _secret(
        "δ-disclosure",
        LOWER,
        lambda seen: measures.delta_disclosure(seen.classes),
        "Largest change of a share, as a logarithm; infinite when a class lacks a sensitive value.",
        high=math.inf,
    ),
)


@singledispatch
def report(
    data: Table | Release,
    population: Table | None = None,
    *,
    threshold: float = 0.2,
    only: Collection[str] | None = None,
) -> pd.DataFrame:
    """Compute all privacy measures that apply to a table or a release, a row per measure.

    Measures of sensitive values are included when a column is sensitive, those of a population when one is given, and
    those under "a missing value matches anything" when a published quasi-identifier is missing. A method that promises
    something other than k adds its own measure below k, and leaves out measures that are meaningless under its promise.

    Parameters
    ----------
    population:
        A table of the population, for k-map, δ-presence and the journalist's risk.
    threshold:
        The risk above which a row counts as at risk.
    only:
        Names of measures: the others are not computed. None: all.

    Returns
    -------
    pandas.DataFrame
        A row per measure, with the columns measure, value, better ("higher" or "lower") and meaning.

    Examples
    --------
    >>> frame = report(measures._example())
    >>> frame.loc[frame["measure"].isin(["k", "l", "t"]), ["measure", "value", "better"]].round(2).values.tolist()
    [['k', 2.0, 'higher'], ['l', 1.0, 'higher'], ['t', 0.2, 'lower']]
    """
    exposure = Exposure(data, population, threshold)
    promise = exposure.classes.release.promise
    classes, misleading = (promise.measures, promise.misleading) if promise else ((), ())
    wanted = [measure for measure in (K, *classes, *MEASURES[1:]) if measure.name not in misleading]
    return measured(wanted, exposure, only)
