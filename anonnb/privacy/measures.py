"""How much privacy a table or a release gives: the parameter for which each privacy model holds.

Every measure takes a Table or a Release and gives the worst over all classes and all sensitive columns (or those of
``column=``). People are counted where the table names a person; somebody with several values counts for each of them
(:mod:`anonnb.privacy.base` says how). Measures that compare with the whole table give the worse of two comparisons:
with the original table, and with the published rows, which are all that a reader has. A missing sensitive value counts
as a value; with ``missing="ignore"`` it does not, and shares are among the people whose value is known. Where the table
names survey weights, shares are taken with and without them, and the worse counts.
``reading="pycanon"`` gives the numbers of the pycanon library where it departs from the paper that defines a measure.
When nothing is published, the counts are 0 and the other measures NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from anonnb.core.parameters.constraints import POSITIVE, Choice
from anonnb.privacy.base import EPSILON
from anonnb.privacy.classes import Classes
from anonnb.privacy.counts import Counts, Reference
from anonnb.privacy.models import DISTANCE, LIKENESS, distance_for
from anonnb.privacy.population import Population
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Data: TypeAlias = Table | Release | Classes
Columns: TypeAlias = str | tuple[str, ...] | None
READING = Choice(["paper", "pycanon"])


def k(data: Data, missing: str = "value") -> int:
    """Return the rows (or people, if a person column is named) of the smallest class: min ``|E|``; more is better.

    Worked example: zip codes 1, 1, 2 form the classes {1, 1} and {2}, so k = 1.

    Parameters
    ----------
    missing:
        ``"value"`` treats a missing quasi-identifier as a value of its own, ``"any"`` lets it match anything.

    Returns
    -------
    int
        The k of k-anonymity; 0 if nothing is published.

    Examples
    --------
    >>> import pandas as pd
    >>> k(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]))
    1
    >>> k(Table(pd.DataFrame({"zip": [1, 1, None]}), quasi=["zip"]), missing="any")
    3
    """
    return int(_smallest(Classes.of(data).matching(missing)))


def l(data: Data, column: Columns = None, missing: str = "value") -> int:  # noqa: E743
    """Return the number of different sensitive values in the poorest class: min m; more is better.

    With ``missing="ignore"`` a class in which no value is known does not count.

    Worked example: a class with flu, flu, cold has 2 values, one with flu, flu only 1, so l = 1.

    Parameters
    ----------
    column:
        One or more sensitive columns; all of them by default.
    missing:
        ``"value"`` treats a missing sensitive value as a value, ``"ignore"`` leaves it out.

    Returns
    -------
    int
        The l of distinct l-diversity; 0 if no value is known.

    Examples
    --------
    >>> l(_example())
    1
    """
    return int(min(_smallest(_known(counts, counts.distinct)) for counts, _ in _all_counts(data, column, missing)))


def entropy_l(data: Data, column: Columns = None, missing: str = "value") -> float:
    """Return the l of entropy l-diversity: min exp(−Σ q ln q). 1 to the number of values; more is better.

    A class with n equally frequent values has n. pycanon truncates the number to an integer.

    Worked example: flu, flu, cold has the entropy −⅔ ln ⅔ − ⅓ ln ⅓ = 0.637, and exp(0.637) = 1.89.

    >>> round(entropy_l(_example().take([0, 1, 2])), 2)
    1.89
    """
    return float(np.exp(_worst(data, column, lambda counts, _: _known(counts, counts.entropy), np.min, missing)))


def recursive_c_l(
    data: Data,
    l: int | None = None,  # noqa: E741
    column: Columns = None,
    reading: str = "paper",
    missing: str = "value",
) -> tuple[float, int]:
    """Return (c, l): recursive (c′, l)-diversity holds for every c′ > c = max r₁ / (r_l + … + r_m); less is better.

    r₁ ≥ r₂ ≥ … are the counts of the values in a class. c is infinite when a class has fewer than l values. pycanon
    instead counts from the rarest value (r₁ ≤ r₂ ≤ …), rounds to ⌊r₁ / (r_l + … + r_m) + 1⌋ and has no c for l = 1.

    Worked example: a class with flu, flu, cold has r = 2, 1, so for l = 2 c = 2 / 1 = 2.

    Parameters
    ----------
    l:
        By default the smallest number of distinct values in a class.
    reading:
        ``"paper"`` or ``"pycanon"``.

    Examples
    --------
    >>> recursive_c_l(_example().take([0, 1, 2]))
    (2.0, 2)
    """
    READING.validate("reading", reading)
    classes = Classes.of(data)
    names = classes.sensitive(column)
    if l is not None:
        l = POSITIVE.validate("l", l)  # noqa: E741
    elif len(classes) == 0:
        return float("nan"), 0
    else:
        ratios = [classes.counts(name, missing)[0] for name in names]
        l = max(int(min(_smallest(_known(counts, counts.distinct)) for counts in ratios)), 1)  # noqa: E741
    if len(classes) == 0 or (reading == "pycanon" and l == 1):
        return float("nan"), l
    ratio = _rarest_ratio if reading == "pycanon" else _frequent_ratio
    ratios = [counts for counts, _ in _all_counts(classes, column, missing)]
    return max(float(_known(counts, ratio(counts, l)).max(initial=0.0)) for counts in ratios), l


def _frequent_ratio(counts: Counts, l: int) -> np.ndarray:  # noqa: E741
    with np.errstate(divide="ignore", invalid="ignore"):
        return counts.top / counts.tail(l)


def _rarest_ratio(counts: Counts, l: int) -> np.ndarray:  # noqa: E741
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.floor(-counts.largest(-counts.count) / counts.tail(l, ascending=True) + 1)


def t(data: Data, distance: str | None = None, column: Columns = None, missing: str = "value") -> float:
    """Return the largest distance of a class's distribution from the whole, as in t-closeness. 0 to 1; less is better.

    Worked example: flu, flu, cold | flu, flu has p = (⅘, ⅕); the second class is 1 − ⅘ = 0.2 away, the first ⅓ − ⅕ =
    0.13.

    Parameters
    ----------
    distance:
        ``"equal"``: ``½ Σ |q − p|``. ``"ordered"``: ``Σ |Q − P| / (m − 1)`` over the cumulative distributions of m
        values.
        ``"hierarchical"``: what must move in the column's hierarchy, times the height of the label it passes. None
        takes ordered for numeric and ordinal columns and equal for nominal ones, as pycanon does.

    Examples
    --------
    >>> round(t(_example()), 2)
    0.2
    """
    DISTANCE.validate("distance", distance)
    classes = Classes.of(data)

    def far(name: str) -> float:
        distances = classes.comparisons(name, missing, in_hierarchy=distance == "hierarchical")
        measure = distance_for(distance, classes.release.columns[name].attribute.kind)
        return max(float(measure(*pair).max()) for pair in distances) if len(classes) else float("nan")

    return max(far(name) for name in classes.sensitive(column))


def alpha_k(data: Data, column: Columns = None, missing: str = "value") -> tuple[float, int]:
    """Return (α, k): the largest share of one sensitive value in a class, 0 to 1 (less is better), and k.

    Worked example: flu, flu, cold | flu, flu has the shares ⅔ and 1, so α = 1; the smaller class has 2 rows.

    >>> alpha_k(_example())
    (1.0, 2)
    """
    classes = Classes.of(data)

    def share(counts: Counts, _: Reference) -> np.ndarray:
        return _known(counts, counts.top) / _known(counts, counts.sizes)

    return _worst(classes, column, share, np.max, missing), k(classes)


def beta(
    data: Data, kind: str = "basic", column: Columns = None, reading: str = "paper", missing: str = "value"
) -> float:
    """Return the β of β-likeness: the largest relative rise (q − p) / p of a share. 0 or more; less is better.

    Worked example: flu, flu, cold | flu, flu has p(cold) = ⅕ and q = ⅓ in the first class: (⅓ − ⅕) / ⅕ = 0.67.

    Parameters
    ----------
    kind:
        ``"basic"``, or ``"enhanced"``, which also requires (q − p) / p ≤ −ln p: where a class violates that, no β is
        enough and the measure is infinite. pycanon instead gives the smaller of the basic β and the largest −ln p.
    reading:
        ``"paper"`` or ``"pycanon"``.

    Examples
    --------
    >>> round(beta(_example()), 2)
    0.67
    """
    LIKENESS.validate("kind", kind)
    READING.validate("reading", reading)
    classes = Classes.of(data)
    if kind == "basic":
        return _worst(classes, column, lambda counts, whole: counts.gain(whole), np.max, missing)
    if reading == "paper":
        return _worst(classes, column, _enhanced_gain, np.max, missing)
    shares = {name: classes.counts(name, missing)[1].share for name in classes.sensitive(column)}
    limits = {name: float(-np.log(share.min(initial=1))) for name, share in shares.items()}
    return max(min(beta(classes, column=name, missing=missing), limit) for name, limit in limits.items())


def _enhanced_gain(counts: Counts, whole: Reference) -> np.ndarray:
    gain = counts.gain(whole)
    return np.where(gain > -np.log(whole.share[counts.value]) + EPSILON, np.inf, gain)


def delta_disclosure(data: Data, column: Columns = None, reading: str = "paper", missing: str = "value") -> float:
    """Return the δ of δ-disclosure privacy: the largest ``|ln(q / p)|``. 0 or more; less is better.

    The paper requires it of every value in the table, so a class that lacks one (q = 0) makes it infinite. pycanon
    looks only at the values that occur in a class.

    Worked example: flu, flu, cold | flu, flu: the first class has ``|ln(⅓ / ⅕)|`` = 0.51 for cold, the second lacks
    cold.

    Parameters
    ----------
    reading:
        ``"paper"`` or ``"pycanon"``.

    Examples
    --------
    >>> delta_disclosure(_example()), round(delta_disclosure(_example(), reading="pycanon"), 2)
    (inf, 0.51)
    """
    READING.validate("reading", reading)

    def change(counts: Counts, whole: Reference) -> np.ndarray:
        if reading == "paper" and (_known(counts, counts.values) < whole.size).any():
            return np.array([np.inf])
        return np.abs(np.log1p(counts.gain(whole)))

    return _worst(data, column, change, np.max, missing)


def _all_counts(data: Data, column: Columns, missing: str) -> list[tuple[Counts, Reference]]:
    """Return the counts of every sensitive column against the original and, if different, the published whole."""
    classes = Classes.of(data)
    return [pair for name in classes.sensitive(column) for pair in classes.comparisons(name, missing)]


def _known(counts: Counts, values: np.ndarray) -> np.ndarray:
    """Return the numbers of the classes in which some value is known."""
    return values[counts.sizes > 0]


def _smallest(values: np.ndarray) -> int:
    return values.min() if len(values) else 0


def _worst(
    data: Data,
    column: Columns,
    measure: Callable[[Counts, Reference], np.ndarray],
    worst: Callable[..., float],
    missing: str,
) -> float:
    """Return the worst of a measure over the classes and the sensitive columns; NaN if there is no class."""
    values = [measure(counts, whole) for counts, whole in _all_counts(data, column, missing)]
    return float(worst([worst(value) if len(value) else np.nan for value in values]))


def _example() -> Table:
    """Return the five rows of the worked lines: two classes, with flu, flu, cold and with flu, flu."""
    import pandas as pd

    frame = pd.DataFrame({"zip": [1, 1, 1, 2, 2], "ill": ["flu", "flu", "cold", "flu", "flu"]})
    return Table(frame, quasi=["zip"], sensitive=["ill"])


# ---- people of a population ------------------------------------------------------------------------------------------


def k_map(data: Data, population: Table) -> int:
    """Return the fewest people of the population who fit a class. 0 or more; more is better.

    Worked example: the population 1, 1, 2, 2, 2 and the release 1, 2: two people fit the first row, three the second; k
    = 2.

    Parameters
    ----------
    population:
        A table of the population, with the quasi-identifiers of the data.

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
    """Return the (low, high) probability that somebody of the population is in the table; less is better.

    Both are in 0 to 1 when the table is drawn from the population. The lower one is 0 when somebody fits no class.
    Where the sets of classes overlap, each class is judged by itself; for a class that nobody fits, the chance is
    infinite.

    Worked example: the population 1, 1, 2, 2, 2 and the release 1, 2: the chances are ½ and ⅓.

    Parameters
    ----------
    population:
        A table of the population, with the quasi-identifiers of the data.

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
    """Return the people of the population who fit each class, and whether everybody fits one."""
    release = classes.release
    people = Population(population, {name: release.columns[name].attribute for name in release.quasi})
    return people.count(classes.boxes)
