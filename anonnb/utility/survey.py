"""What an analyst of a survey estimates with weights, and how far a release shifts it, in standard errors.

Standard errors are linearized: the weighted residuals are added up within households, and their variance between
households of a stratum gives that of the estimate (Binder 1983; quantiles after Woodruff 1952). Overlap of intervals
follows Karr et al. (2006), floored at 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.tables.release import Release, as_release
from anonnb.tables.roles import check_known
from anonnb.tables.shown_columns import as_labels
from anonnb.tables.table import Table
from anonnb.utility.readings import ReadColumn, scales

STATISTICS = ("mean", "total", "median", "ratio", "coefficient")
Z = 1.959963984540054


class _Design(NamedTuple):
    """Weight, household (or person) and stratum of each row."""

    weight: np.ndarray
    unit: np.ndarray
    stratum: np.ndarray

    def covariance(self, residuals: np.ndarray) -> np.ndarray:
        """Return the covariance of weighted sums of residuals, a column each, with a correction for finite strata."""
        count = int(self.unit.max(initial=-1)) + 1
        z = np.column_stack(
            [np.bincount(self.unit, weights=self.weight * each, minlength=count) for each in residuals.T]
        )
        first = np.unique(self.unit, return_index=True)[1]
        stratum, weight = self.stratum[first], self.weight[first]
        alone = np.bincount(stratum)[stratum] == 1
        stratum = pd.factorize(np.where(alone, -1, stratum))[0]  # strata with a single unit are taken together
        n = np.bincount(stratum).astype(float)
        drawn = np.minimum(n / np.bincount(stratum, weights=weight), 1.0)
        means = np.column_stack([np.bincount(stratum, weights=each) / n for each in z.T])
        factor = (1 - drawn) * n / np.maximum(n - 1, 1)
        away = z - means[stratum]
        return (away * factor[stratum, None]).T @ away

    def error(self, residual: np.ndarray) -> float:
        return float(np.sqrt(self.covariance(residual[:, None])[0, 0]))


def survey_estimates(data: Table | Release, *, strata: str | None = None, cells: str = "midpoint") -> pd.DataFrame:
    """Estimate means, totals, medians, ratios and a regression from survey weights, with their standard errors.

    The regression explains the decision, or else the first sensitive number, by the quasi-identifiers that are numbers;
    ratios compare it with every other number. A release without published weights is read with the original ones.

    Parameters
    ----------
    strata:
        The column of the sample's strata; by default the sample is one stratum.
    cells:
        How a cell with several values is read: ``"midpoint"`` or ``"uniform"``.

    Returns
    -------
    pandas.DataFrame
        A row per estimate, with the columns statistic, about, estimate and error.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"age": [20, 30, 60], "w": [1, 2, 1]}), quasi=["age"], weight="w")
    >>> survey_estimates(table)[["statistic", "about", "estimate"]].values.tolist()
    [['mean', 'age', 35.0], ['total', 'age', 140.0], ['median', 'age', 30.0]]
    """
    release = as_release(data)
    return _estimates(release, _numbers(release.table, release, cells), _design(release, strata))


def survey_shifts(
    table: Table, release: Table | Release, *, strata: str | None = None, cells: str = "midpoint"
) -> pd.DataFrame:
    """Compare the survey estimates of a release with those of the original table.

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`survey_estimates` for the original, then published and published_error, shift (``|Δ|`` in
        standard errors of the original) and overlap (of the 95 % intervals, 0 to 1); NaN where nothing is published.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"age": [20, 30, 60], "w": [1, 2, 1]}), quasi=["age"], weight="w")
    >>> survey_shifts(table, table)[["shift", "overlap"]].values.tolist()
    [[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]
    """
    keys, release = ["statistic", "about"], as_release(release)
    names = {"estimate": "published", "error": "published_error"}
    after = _estimates(release, _numbers(table, release, cells), _design(release, strata)).rename(columns=names)
    both = survey_estimates(table, strata=strata, cells=cells).merge(after, on=keys, how="left")
    apart = (both["published"] - both["estimate"]).abs()
    both["shift"] = np.where(apart == 0, 0.0, apart / both["error"])
    half, other = Z * both["error"], Z * both["published_error"]
    low = np.maximum(both["estimate"] - half, both["published"] - other)
    common = np.minimum(both["estimate"] + half, both["published"] + other) - low
    share = np.maximum(common * (1 / half + 1 / other) / 4, 0.0)
    both["overlap"] = np.where((apart == 0) & (half == other), 1.0, share)
    return both


def _numbers(table: Table, release: Release, cells: str) -> dict[str, np.ndarray]:
    """Return the numeric columns that are published by their role, a number per row."""
    numbers = {}
    for name, scale in scales(table, release).items():
        if scale.is_number and name in release.columns:
            read = ReadColumn(release.columns[name], scale, cells)
            if read.is_published:
                numbers[name] = read.numbers[0][read.index] * (scale.spread or 1.0) + scale.centre
    return numbers


def _design(release: Release, strata: str | None) -> _Design:
    table = release.table
    if table.weight is None:
        name_it = advice("; name it with ", remedies.role("weight"))
        raise ValueError(Message("the table has no survey weight", name_it))
    shown = table.weight in release.columns
    weight = as_labels(release.columns[table.weight]).to_numpy(dtype=float) if shown else release.row_weights
    linked = np.arange(len(release)) if release.rows is None else release.rows
    unit = table.households if table.household is not None else table.people
    unit = np.arange(len(release)) if release.rows is None else pd.factorize(unit[linked])[0]
    if strata is None or release.rows is None:
        return _Design(weight, unit, np.zeros(len(release), dtype=np.int64))
    check_known([strata], table.columns, "strata")
    return _Design(weight, unit, table.codes(strata)[linked])


def _estimates(release: Release, numbers: dict[str, np.ndarray], design: _Design) -> pd.DataFrame:
    table, lines = release.table, list[tuple[str, str, float, float]]()
    for name, values in numbers.items():
        known, y = ~np.isnan(values), np.nan_to_num(values)
        weight = design.weight * known
        people = weight.sum()
        if not people:
            continue
        mean, total = float(weight @ y / people), float(weight @ y)
        lines.append(("mean", name, mean, design.error((y - mean) * known / people)))
        lines.append(("total", name, total, design.error(y * known)))
        middle = _quantile(y[known], weight[known], 0.5)
        spread = Z * design.error(((y <= middle) - 0.5) * known / people)
        ends = [_quantile(y[known], weight[known], 0.5 + sign * spread) for sign in (-1, 1)]
        lines.append(("median", name, middle, (ends[1] - ends[0]) / (2 * Z)))
    response = next((name for name in (table.decision, *table.sensitive) if name in numbers), None)
    if response is not None:
        lines += _ratios(response, numbers, design) + _regression(response, numbers, table.quasi, design)
    order = sorted(lines, key=lambda line: STATISTICS.index(line[0]))
    return pd.DataFrame(order, columns=["statistic", "about", "estimate", "error"])


def _ratios(response: str, numbers: dict[str, np.ndarray], design: _Design) -> list[Any]:
    lines = []
    for name in (name for name in numbers if name != response):
        known = ~np.isnan(numbers[response] + numbers[name])
        y, x = (np.where(known, numbers[each], 0.0) for each in (response, name))
        below = float(design.weight @ x)
        if below:
            ratio = float(design.weight @ y) / below
            lines.append(("ratio", f"{response} / {name}", ratio, design.error((y - ratio * x) / below)))
    return lines


def _regression(response: str, numbers: dict[str, np.ndarray], quasi: list[str], design: _Design) -> list[Any]:
    names = [name for name in quasi if name in numbers and name != response]
    known = ~np.isnan(sum((numbers[name] for name in names), numbers[response]))
    x = np.column_stack([np.ones(len(known)), *(numbers[name] for name in names)])[known]
    if not names or np.linalg.matrix_rank(x) < x.shape[1]:
        return []
    y, weight = numbers[response][known], design.weight[known]
    inverse = np.linalg.inv((x * weight[:, None]).T @ x)
    slopes = inverse @ (x.T @ (weight * y))
    residuals = np.zeros((len(known), x.shape[1]))
    residuals[known] = x * (y - x @ slopes)[:, None]
    errors = np.sqrt(np.diag(inverse @ design.covariance(residuals) @ inverse))
    about = [f"{response} on {name}" for name in names]
    return list(zip(["coefficient"] * len(names), about, slopes[1:].tolist(), errors[1:].tolist(), strict=True))


def _quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """Return the smallest value at which the weighted distribution reaches a share."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][min(int(np.searchsorted(below, share - 1e-12)), len(values) - 1)])
