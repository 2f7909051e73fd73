"""How many values a published cell leaves open: what NCP does not show in a column with many values.

NCP divides by the size of the domain (Xu et al. 2006): eight cities of 3,000 in one cell cost 7/2,999. A reader who
looks for one city still learns little. These measures count values and do not divide.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.cells import mean, ncp, quasi_columns

SMALL_LOSS, MANY_VALUES = 0.05, 4.0  # warn where NCP is below the one, yet cells that are not exact hold more values


def values_per_cell(table: Table, release: Table | Release, per: str | None = None) -> float | pd.Series:
    """Return how many values a quasi-identifier cell leaves open, on average. 1 (all exact) or more; less is better.

    An interval counts the values of the table's domain in it. A withheld row leaves all values open.

    Worked example: of three cities the cells {A, B}, {A, B}, C hold (2 + 2 + 1) / 3 = 1.67 values.

    Parameters
    ----------
    per:
        None for one number, ``"column"`` for one per column.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"city": ["A", "B", "C"]}), quasi=["city"])
    >>> column = Column.of_groups(table.attributes["city"], table.codes("city"), np.array([0, 0, 1]), 2)
    >>> round(values_per_cell(table, Release(table, {"city": column}, np.arange(3))), 2)
    1.67
    """
    if per not in (None, "column"):
        raise ValueError(f"per={per!r} is not known; use None or 'column'")
    release = as_release(release)
    means, withheld = {}, release.n_suppressed
    for name in quasi_columns(table, release):
        column, size = release.columns[name], table.attributes[name].size
        held = int(np.minimum(column.sizes, size).sum())
        means[name] = mean(held + withheld * size, len(release) + withheld)
    return pd.Series(means, name="values per cell", dtype=float) if per else float(np.mean(list(means.values())))


def exact_cells(table: Table, release: Table | Release) -> float:
    """Return the share of quasi-identifier cells published as a single value. 0 to 1; more is better.

    Whether that value is the true one is measured by :func:`truthfulness`. No cell of a withheld row is exact.

    Worked example: of {A, B}, {A, B}, C one cell of three is exact: 0.33.

    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"city": ["A", "B", "C"]}), quasi=["city"])
    >>> column = Column.of_groups(table.attributes["city"], table.codes("city"), np.array([0, 0, 1]), 2)
    >>> round(exact_cells(table, Release(table, {"city": column}, np.arange(3))), 2)
    0.33
    """
    release = as_release(release)
    names = quasi_columns(table, release)
    exact = sum(int((release.columns[name].sizes == 1).sum()) for name in names)
    return mean(exact, (len(release) + release.n_suppressed) * len(names))


def small_losses(table: Table, release: Table | Release) -> list[str]:
    """Return a sentence for each column whose NCP reads near 0 although its cells hold many values.

    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"city": [f"city {number:03}" for number in range(240)]}), quasi=["city"])
    >>> eights = Column.of_groups(table.attributes["city"], table.codes("city"), np.arange(240) // 8, 30)
    >>> small_losses(table, Release(table, {"city": eights}, np.arange(240)))
    ['city: NCP is 0.029 because the column has 240 values; a cell that is not exact holds 8 of them on average']
    """
    release = as_release(release)
    sentences = []
    losses: Any = ncp(table, release, per="column")  # a Series, with per="column"
    for name, loss in losses.items():
        attribute, sizes = table.attributes[name], release.columns[name].sizes
        open_cells = sizes[sizes > 1]
        held = float(open_cells.mean()) if len(open_cells) else 1.0
        # an interval of numbers is as wide as it reads; only a list of names says less than its share of the domain
        if attribute.kind == "nominal" and loss < SMALL_LOSS and held > MANY_VALUES:
            sentences.append(
                f"{name}: NCP is {loss:.2g} because the column has {attribute.size:,} values; a cell that is not exact "
                f"holds {held:.3g} of them on average"
            )
    return sentences


# ---- squared errors --------------------------------------------------------------------------------------------------
# Sums of squares: how far published numbers are from the true ones, the loss by which microaggregation is judged.
#
# SSE/SST after Domingo-Ferrer and Mateo-Sanz (2002): the squared differences over the quasi-identifiers, as a share of
# what publishing the mean of each column would cost.


def sse(table: Table, release: Table | Release) -> float:
    """Return the sum of squared errors over SST: 0 (unchanged) to 1 (as bad as the column means); less is better.

    Every numeric quasi-identifier is standardized by its sample standard deviation, so that all have the same weight. A
    set of several values stands for the middle between its ends; a suppressed or missing cell and a withheld row stand
    for the mean of the column. A missing original value costs nothing.

    Worked example: 1, 2, 6 published as 1.5, 1.5, 6 cost (0.25 + 0.25 + 0) / (4 + 1 + 9) = 0.036.

    Returns
    -------
    float
        The loss; NaN if no numeric quasi-identifier varies.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"x": [1, 2, 6]}), quasi=["x"])
    >>> release = Release(table, {"x": Column.from_spans(table.attributes["x"], [0, 0, 2], [1, 1, 2])}, np.arange(3))
    >>> round(sse(table, release), 3)
    0.036
    """
    release = as_release(release)
    if release.rows is None:
        raise ValueError("sse compares rows with their originals; pass rows= to Release.from_frame")
    parts = [_errors(table, release, name) for name in _numeric(table, release)]
    total = sum(weight for _, weight in parts)
    return sum(share * weight for share, weight in parts) / total if total else float("nan")


def has_numbers(table: Table, release: Release) -> bool:
    """Tell whether a quasi-identifier is numeric."""
    return bool(_numeric(table, release))


def _numeric(table: Table, release: Release) -> list[str]:
    return [name for name in quasi_columns(table, release) if table.attributes[name].kind == "numeric"]


def _errors(table: Table, release: Release, name: str) -> tuple[float, float]:
    """Return a column's squared errors over its SST, and its weight: the SST once standardized, 0 if constant."""
    true = table.attributes[name].numbers[table.codes(name)]
    known = ~np.isnan(true)
    mean = float(true[known].mean()) if known.any() else 0.0
    total = float(((true[known] - mean) ** 2).sum())
    if total == 0:
        return 0.0, 0.0
    estimates = np.full(len(table), mean)
    column = release.columns[name]
    numbers, sets = column.attribute.numbers, column.sets
    middle = (numbers[sets.lo] + numbers[sets.hi]) / 2
    unknown = np.isnan(middle) | ((sets.sizes == column.attribute.size) & (sets.sizes > 1))
    estimates[release.rows] = np.where(unknown, mean, middle)[column.index]
    return float(((estimates - true)[known] ** 2).sum()) / total, float(known.sum() - 1)


# ---- expected counts -------------------------------------------------------------------------------------------------
# How many rows are expected to satisfy a query: the answer that an analyst would compute from a release.
#
# A row counts by the probability that its cells satisfy every condition. Reading: the values of a cell are equally
# likely, or as likely as their share where secrets are published per group (Xiao and Tao 2006), and columns are
# independent given the row.


Condition = tuple[float, float] | Collection


def expected_count(data: Table | Release, conditions: Mapping[str, Condition]) -> float:
    """Return the expected number of rows that satisfy all conditions.

    Worked example: ages 20 and [20–40] of a domain 20, 30, 40, 50 satisfy "20 to 30" with the chances 1 and ⅔.

    Parameters
    ----------
    conditions:
        For each column a pair (low, high) of numbers, both included, or a list of values.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 40, 50]}), quasi=["age"])
    >>> expected_count(table, {"age": (20, 30)})
    2.0
    >>> seen = Release.from_frame(pd.DataFrame({"age": ["20", "20-40"]}), table)
    >>> round(expected_count(seen, {"age": (20, 30)}), 2)
    1.67
    """
    release = as_release(data)
    chance = np.ones(len(release))
    for name, condition in conditions.items():
        if name not in release.columns:
            raise KeyError(f"the release has no column {name!r}")
        index, weights = release.says(name, count_missing=True)
        chance *= (weights @ _satisfying(release.columns[name].attribute, condition).astype(float))[index]
    return float(chance.sum())


def _satisfying(attribute: Attribute, condition: Condition) -> np.ndarray:
    """Return the codes that satisfy a condition, as a mask."""
    if isinstance(condition, tuple):
        if attribute.kind != "numeric" or len(condition) != 2:
            raise ValueError(f"column {attribute.name!r}: {condition!r} is a range; give a list of values")
        low, high = condition
        return (attribute.numbers >= low) & (attribute.numbers <= high)
    mask = np.zeros(attribute.size, dtype=bool)
    mask[[attribute.code(value) for value in condition]] = True
    return mask
