"""How much privacy a table or a release gives: the parameter that each privacy model would hold for.

Every measure takes a Table or a Release and gives the worst over all classes and all sensitive columns (or those of
``column=``). The whole-table distribution is the original's, as for the models. A missing value is a value of its own.
``reading="pycanon"`` gives the numbers of the pycanon library where it departs from the paper that defines a measure.
When nothing is published the counts are 0 and the other measures NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anonnb.core.constraints import POSITIVE, Choice
from anonnb.privacy.classes import Classes
from anonnb.privacy.counts import Counts, Reference
from anonnb.privacy.models import DISTANCE, EPSILON, LIKENESS, distance_for
from anonnb.privacy.population import Population
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Data = Table | Release | Classes
Columns = str | tuple[str, ...] | None
READING = Choice(["paper", "pycanon"])


def k(data: Data, missing: str = "value") -> int:
    """Rows of the smallest class: min |E|. 1 to the number of rows; more is better.

    ``missing="any"`` lets a missing quasi-identifier match anything; the default takes it for a value of its own.

    Worked: zip codes 1, 1, 2 form the classes {1, 1} and {2}, so k = 1.

    >>> import pandas as pd
    >>> k(Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"]))
    1
    >>> k(Table(pd.DataFrame({"zip": [1, 1, None]}), quasi=["zip"]), missing="any")
    3
    """
    return int(_smallest(Classes.of(data).matching(missing)))


def l(data: Data, column: Columns = None) -> int:  # noqa: E743
    """Different sensitive values in the poorest class: min m. 1 to the number of values; more is better.

    Worked: a class with flu, flu, cold has 2 values, one with flu, flu only 1, so l = 1.

    >>> l(_example())
    1
    """
    return int(min(_smallest(counts.distinct) for counts, _ in _all_counts(data, column)))


def entropy_l(data: Data, column: Columns = None) -> float:
    """The l of entropy l-diversity: min exp(−Σ q ln q). 1 to the number of values; more is better.

    A class with n equally frequent values has n. pycanon cuts the number off to an integer.

    Worked: flu, flu, cold has the entropy −⅔ ln ⅔ − ⅓ ln ⅓ = 0.637, and exp(0.637) = 1.89.

    >>> round(entropy_l(_example().take([0, 1, 2])), 2)
    1.89
    """
    return float(np.exp(_worst(data, column, lambda counts, _: counts.entropy, np.min)))


def recursive_c_l(
    data: Data,
    l: int | None = None,  # noqa: E741
    column: Columns = None,
    reading: str = "paper",
) -> tuple[float, int]:
    """(c, l): recursive (c′, l)-diversity holds for every c′ > c. c = max r₁ / (r_l + … + r_m); less is better.

    r₁ ≥ r₂ ≥ … are the counts of the values in a class; ``l`` is the number of distinct values by default. c is
    infinite when a class has fewer than l values. pycanon instead counts from the rarest value (r₁ ≤ r₂ ≤ …), rounds
    to ⌊r₁ / (r_l + … + r_m) + 1⌋ and has no c for l = 1.

    Worked: a class with flu, flu, cold has r = 2, 1, so for l = 2 c = 2 / 1 = 2.

    >>> recursive_c_l(_example().take([0, 1, 2]))
    (2.0, 2)
    """
    READING.checked("reading", reading)
    classes = Classes.of(data)
    names = classes.sensitive(column)
    if l is not None:
        l = POSITIVE.checked("l", l)  # noqa: E741
    elif len(classes) == 0:
        return float("nan"), 0
    else:
        l = int(min(classes.counts(name)[0].distinct.min() for name in names))  # noqa: E741
    if len(classes) == 0 or (reading == "pycanon" and l == 1):
        return float("nan"), l
    ratio = _rarest_ratio if reading == "pycanon" else _frequent_ratio
    return max(float(ratio(classes.counts(name)[0], l).max()) for name in names), l


def _frequent_ratio(counts: Counts, l: int) -> np.ndarray:  # noqa: E741
    with np.errstate(divide="ignore"):
        return counts.top / counts.tail(l)


def _rarest_ratio(counts: Counts, l: int) -> np.ndarray:  # noqa: E741
    with np.errstate(divide="ignore"):
        return np.floor(-counts.largest(-counts.count) / counts.tail(l, ascending=True) + 1)


def t(data: Data, distance: str | None = None, column: Columns = None) -> float:
    """The t of t-closeness: the largest distance of a class's distribution from the whole. 0 to 1; less is better.

    ``"equal"``: ½ Σ |q − p|. ``"ordered"``: Σ |Q − P| / (m − 1) over the cumulative distributions of m values.
    ``"hierarchical"``: what must move in the column's hierarchy, times the height of the label it passes.
    None (default) takes ordered for numeric and ordinal columns and equal for nominal ones, as pycanon does.

    Worked: flu, flu, cold | flu, flu has p = (⅘, ⅕); the second class is 1 − ⅘ = 0.2 away, the first ⅓ − ⅕ = 0.13.

    >>> round(t(_example()), 2)
    0.2
    """
    DISTANCE.checked("distance", distance)
    classes = Classes.of(data)

    def far(name: str) -> float:
        found = classes.counts_in_hierarchy if distance == "hierarchical" else classes.counts
        measure = distance_for(distance, classes.release.columns[name].attribute.kind)
        return float(measure(*found(name)).max()) if len(classes) else float("nan")

    return max(far(name) for name in classes.sensitive(column))


def alpha_k(data: Data, column: Columns = None) -> tuple[float, int]:
    """(α, k): the largest share of one sensitive value in a class, and k. α is in 0 to 1; less is better (k: more).

    Worked: flu, flu, cold | flu, flu has the shares ⅔ and 1, so α = 1; the smaller class has 2 rows.

    >>> alpha_k(_example())
    (1.0, 2)
    """
    classes = Classes.of(data)
    return _worst(classes, column, lambda counts, _: counts.top / counts.sizes, np.max), k(classes)


def beta(data: Data, kind: str = "basic", column: Columns = None, reading: str = "paper") -> float:
    """The β of β-likeness: the largest relative rise (q − p) / p of a share. 0 upward; less is better.

    ``kind="enhanced"`` also asks for (q − p) / p ≤ −ln p; where a class breaks that, no β will do and the measure is
    infinite. pycanon gives the smaller of the basic β and the largest −ln p instead.

    Worked: flu, flu, cold | flu, flu has p(cold) = ⅕ and q = ⅓ in the first class: (⅓ − ⅕) / ⅕ = 0.67.

    >>> round(beta(_example()), 2)
    0.67
    """
    LIKENESS.checked("kind", kind)
    READING.checked("reading", reading)
    classes = Classes.of(data)
    if kind == "basic":
        return _worst(classes, column, lambda counts, whole: counts.gain(whole), np.max)
    if reading == "paper":
        return _worst(classes, column, _enhanced_gain, np.max)
    limits = {name: float(-np.log(classes.counts(name)[1].share.min(initial=1))) for name in classes.sensitive(column)}
    return max(min(beta(classes, column=name), limit) for name, limit in limits.items())


def _enhanced_gain(counts: Counts, whole: Reference) -> np.ndarray:
    gain = counts.gain(whole)
    return np.where(gain > -np.log(whole.share[counts.value]) + EPSILON, np.inf, gain)


def delta_disclosure(data: Data, column: Columns = None, reading: str = "paper") -> float:
    """The δ of δ-disclosure privacy: the largest |ln(q / p)|. 0 upward; less is better.

    The paper asks it of every value of the table, so a class that lacks one (q = 0) makes it infinite. pycanon looks
    at the values that occur in a class only.

    Worked: flu, flu, cold | flu, flu: the first class has |ln(⅓ / ⅕)| = 0.51 for cold, the second lacks cold.

    >>> delta_disclosure(_example()), round(delta_disclosure(_example(), reading="pycanon"), 2)
    (inf, 0.51)
    """
    READING.checked("reading", reading)

    def change(counts: Counts, whole: Reference) -> np.ndarray:
        if reading == "paper" and (counts.distinct < whole.size).any():
            return np.array([np.inf])
        return np.abs(np.log1p(counts.gain(whole)))

    return _worst(data, column, change, np.max)


def k_map(data: Data, population: Table) -> int:
    """People of the population who fit the class with the fewest of them. 0 upward; more is better.

    Worked: the population 1, 1, 2, 2, 2 and the release 1, 2: two people fit the first row, three the second; k = 2.

    >>> import pandas as pd
    >>> people = Table(pd.DataFrame({"zip": [1, 1, 2, 2, 2]}), quasi=["zip"])
    >>> k_map(people.take([0, 2]), people)
    2
    """
    return int(_smallest(people_per_class(Classes.of(data), population)[0]))


def delta_presence(data: Data, population: Table) -> tuple[float, float]:
    """(low, high) chance that somebody of the population is in the table: |E| / people who fit E. Less is better.

    Both are in 0 to 1 when the table is drawn from the population. low is 0 when somebody fits no class. Where the
    sets of classes overlap, each class is judged by itself; a class that nobody fits has the chance infinity.

    Worked: the population 1, 1, 2, 2, 2 and the release 1, 2: the chances are ½ and ⅓.

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
        chance = classes.sizes / people
    return float(chance.min()) if everybody else 0.0, float(chance.max())


def people_per_class(classes: Classes, population: Table) -> tuple[np.ndarray, bool]:
    """People of the population who fit each class, and whether everybody fits one."""
    release = classes.release
    people = Population(population, {name: release.columns[name].attribute for name in release.quasi})
    return people.count(classes.boxes)


def _all_counts(data: Data, column: Columns) -> list[tuple[Counts, Reference]]:
    classes = Classes.of(data)
    return [classes.counts(name) for name in classes.sensitive(column)]


def _smallest(values: np.ndarray) -> int:
    return values.min() if len(values) else 0


def _worst(
    data: Data, column: Columns, measure: Callable[[Counts, Reference], np.ndarray], worst: Callable[..., float]
) -> float:
    """The worst of a measure over the classes and the sensitive columns; NaN when there is no class."""
    values = [measure(counts, whole) for counts, whole in _all_counts(data, column)]
    return float(worst([worst(value) if len(value) else np.nan for value in values]))


def _example() -> Table:
    """The five rows of the worked lines: two classes, with flu, flu, cold and with flu, flu."""
    import pandas as pd

    frame = pd.DataFrame({"zip": [1, 1, 1, 2, 2], "ill": ["flu", "flu", "cold", "flu", "flu"]})
    return Table(frame, quasi=["zip"], sensitive=["ill"])
