"""Sums of squares: how far published numbers are from the true ones, the loss by which microaggregation is judged.

SSE/SST after Domingo-Ferrer and Mateo-Sanz (2002): the squared differences over the quasi-identifiers, as a share of
what publishing the mean of each column would cost.
"""

from __future__ import annotations

import numpy as np

from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.cells import quasi_columns


def sse(table: Table, release: Table | Release) -> float:
    """Sum of squared errors over SST: 0 (nothing changed), 1 (as bad as the mean of each column); less is better.

    Every numeric quasi-identifier is standardized by its sample standard deviation, so that all have the same weight. A
    set of several values stands for the middle between its ends; a suppressed or missing cell and a withheld row stand
    for the mean of the column. A missing original value costs nothing.

    Worked example: 1, 2, 6 published as 1.5, 1.5, 6 cost (0.25 + 0.25 + 0) / (4 + 1 + 9) = 0.036.

    Parameters
    ----------
    table, release:
        The original table, and a release of it.

    Returns
    -------
    float
        The loss; NaN if no numeric quasi-identifier varies.

    Raises
    ------
    ValueError
        If the release is not linked to its original rows.

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
    """Whether a quasi-identifier is numeric."""
    return bool(_numeric(table, release))


def _numeric(table: Table, release: Release) -> list[str]:
    return [name for name in quasi_columns(table, release) if table.attributes[name].kind == "numeric"]


def _errors(table: Table, release: Release, name: str) -> tuple[float, float]:
    """A column's squared errors over its SST, and its weight: the SST once standardized, 0 if constant."""
    true = table.attributes[name].numbers[table.codes(name)]
    known = ~np.isnan(true)
    mean = float(true[known].mean()) if known.any() else 0.0
    total = float(((true[known] - mean) ** 2).sum())
    if total == 0:
        return 0.0, 0.0
    shown = np.full(len(table), mean)
    shown[release.rows] = _middles(release, name, mean)
    return float(((shown - true)[known] ** 2).sum()) / total, float(known.sum() - 1)


def _middles(release: Release, name: str, mean: float) -> np.ndarray:
    """One number for each published cell."""
    column = release.columns[name]
    numbers, sets = column.attribute.numbers, column.sets
    middle = (numbers[sets.lo] + numbers[sets.hi]) / 2
    unknown = np.isnan(middle) | ((sets.sizes == column.attribute.size) & (sets.sizes > 1))
    return np.where(unknown, mean, middle)[column.index]
