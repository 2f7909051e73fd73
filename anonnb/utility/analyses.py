"""What an analyst gets from a release: the answers of common analyses, compared with those of the original table.

Overlap of confidence intervals follows Karr, Kohnen, Oganian, Reiter and Sanil, The American Statistician 60(3), 2006;
range counts are of the kind in Zhang, Koudas, Srivastava and Yu (ICDE 2007). Everything is read from the published
cells, so a file from elsewhere is measured in the same way; :mod:`anonnb.utility.readings` says how value sets are
read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.measure import HIGHER, LOWER, WHOLE, Measure
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.learnt import accuracy_kept, coefficient_overlaps, held_out
from anonnb.utility.readings import READINGS, Gram, scales
from anonnb.utility.survey import STATISTICS, survey_shifts

QUERIES, SEED = 200, 0
COLUMNS = ["measure", "cells", "value", "range", "better", "meaning"]


class Analysis:
    """Table, a release of it and one reading of value sets; each figure is computed when it is first needed."""

    def __init__(
        self, table: Table, release: Release, cells: str = "uniform", queries: int = QUERIES, seed: int = SEED
    ):
        self.table, self.release, self.cells, self.queries, self.seed = table, release, cells, queries, seed
        self.scales = scales(table, release)
        self.numeric = [name for name, scale in self.scales.items() if scale.is_number]
        self.has_weights = table.weight is not None

    @cached_property
    def original(self) -> Gram:
        return Gram.of(Release.of(self.table), self.scales, self.cells)

    @cached_property
    def published(self) -> Gram:
        return Gram.of(self.release, self.scales, self.cells)

    # ---- one column, two columns ------------------------------------------------------------------------------

    def _over(self, subjects: list[tuple[str, ...]], error: Callable[..., float]) -> float:
        """Return the mean error over columns or pairs of columns; 1 for those that are not published."""
        errors = [error(*names) if self.published.is_published(*names) else 1.0 for names in subjects]
        return float(np.mean(errors)) if errors else float("nan")

    def mean_error(self) -> float:
        def error(name: str) -> float:
            return min(abs(self.published.moments(name)[0] - self.original.moments(name)[0]), 1.0)

        return self._over([(name,) for name in self.numeric], error)

    def variance_error(self) -> float:
        def error(name: str) -> float:
            low, high = sorted((self.published.moments(name)[1], self.original.moments(name)[1]))
            return 1 - low / high if high > 0 else 0.0

        return self._over([(name,) for name in self.numeric], error)

    def correlation_error(self) -> float:
        def error(one: str, other: str) -> float:
            return abs(self.published.correlation(one, other) - self.original.correlation(one, other)) / 2

        return self._over(list(combinations(self.numeric, 2)), error)

    def total_variation(self) -> float:
        def error(one: str, other: str) -> float:
            return float(np.abs(self.published.table(one, other) - self.original.table(one, other)).sum()) / 2

        return self._over(list(combinations(self.scales, 2)), error)

    def hellinger(self) -> float:
        def error(one: str, other: str) -> float:
            roots = np.sqrt(self.published.table(one, other)) - np.sqrt(self.original.table(one, other))
            return min(float(np.sqrt((roots**2).sum() / 2)), 1.0)

        return self._over(list(combinations(self.scales, 2)), error)

    # ---- models -----------------------------------------------------------------------------------------------

    def coefficient_overlap(self) -> float:
        decision = self.release.decision
        assert decision is not None  # the measure applies only where there is one
        overlaps = coefficient_overlaps(self.original, self.published, self.release.quasi, decision)
        return float(overlaps.mean()) if len(overlaps) else float("nan")

    def accuracy_kept(self) -> float:
        table, tested = self.table, held_out(len(self.table), self.seed)
        hidden = Gram.of(Release.of(table).take(np.flatnonzero(tested)), self.scales, self.cells)
        learnt = self.published
        if self.release.rows is not None:  # otherwise it is unknown which of its rows to hold out
            held_out_rows = self.release.take(np.flatnonzero(tested[self.release.rows]))
            learnt = learnt.without(Gram.of(held_out_rows, self.scales, self.cells))
        judged = table.take(np.flatnonzero(tested))
        names, decision = self.release.quasi, self.release.decision
        assert decision is not None  # the measure applies only where there is one
        return accuracy_kept(judged, self.original.without(hidden), learnt, names, decision)

    # ---- surveys ----------------------------------------------------------------------------------------------

    @cached_property
    def survey(self) -> pd.DataFrame:
        return survey_shifts(self.table, self.release, cells=self.cells)

    def survey_shift(self, statistic: str) -> float:
        return float(self.survey.loc[self.survey["statistic"] == statistic, "shift"].fillna(np.inf).mean())

    def survey_overlap(self) -> float:
        return float(self.survey["overlap"].fillna(0.0).mean())

    # ---- counts -----------------------------------------------------------------------------------------------

    def query_error(self) -> float:
        """Mean relative error of counts; queries are ranges of one to three columns around the values of a row."""
        draw, names = np.random.default_rng(self.seed), self.release.quasi
        errors = []
        for _ in range(self.queries if len(self.table) else 0):
            chosen = draw.choice(len(names), min(int(draw.integers(1, 4)), len(names)), replace=False)
            row = int(draw.integers(len(self.table)))
            ranges = {names[index]: self._range(names[index], row, draw) for index in chosen}
            true = _count(self.original, ranges)
            errors.append(min(abs(_count(self.published, ranges) - true) / true, 1.0))
        return float(np.mean(errors)) if errors else float("nan")

    def _range(self, name: str, row: int, draw: np.random.Generator) -> tuple[int, int]:
        """Return a range of codes around the row's value, up to half the domain on each side; a missing value alone."""
        attribute, code = self.table.attributes[name], int(self.table.codes(name)[row])
        if code == attribute.missing_code:
            return code, code
        below, above = draw.integers(0, max(len(attribute.domain) // 2, 1), size=2)
        return max(code - int(below), 0), min(code + int(above), len(attribute.domain) - 1)


def _count(gram: Gram, ranges: dict[str, tuple[int, int]]) -> float:
    """Return how many rows are expected to lie in all ranges, judging by their cells."""
    if not gram.is_published(*ranges):
        return 0.0
    shares = [(gram.read[name].inside(*ends), gram.read[name].index) for name, ends in ranges.items()]
    if all(((share == 0) | (share == 1)).all() for share, _ in shares):  # flags are quicker to look up and to count
        return float(np.count_nonzero(_product([(share == 1, index) for share, index in shares])))
    return float(_product(shares).sum())


def _product(shares: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return for each row the product of its shares, each given per set with the set of every row."""
    (share, index), *others = shares
    product = share.take(index)
    for share, index in others:
        product *= share.take(index)
    return product


def _has_numbers(count: int) -> Callable[[Analysis], bool]:
    return lambda computed: len(computed.numeric) >= count


def _has_pairs(computed: Analysis) -> bool:
    return len(computed.scales) >= 2


def _has_regression(computed: Analysis) -> bool:
    predictors = sum(
        1 if name in computed.numeric else computed.scales[name].n_bins - 1 for name in computed.release.quasi
    )
    return computed.release.decision is not None and len(computed.table) > predictors + 1 > 1


def _has_classes(computed: Analysis) -> bool:
    target = computed.release.decision
    return (
        target is not None
        and target not in computed.numeric
        and bool(computed.release.quasi)
        and len(computed.table) > 1
    )


def _has_estimate(statistic: str | None = None) -> Callable[[Analysis], bool]:
    def applies(computed: Analysis) -> bool:
        weight, release = computed.table.weight, computed.release
        if weight is None or not len(release) or (release.rows is None and weight not in release.columns):
            return False
        return statistic is None or statistic in set(computed.survey["statistic"])

    return applies


def _shift(statistic: str) -> Measure:
    return Measure(
        f"shift of weighted {statistic}s",
        LOWER,
        lambda computed: computed.survey_shift(statistic),
        f"Distance of weighted {statistic}s from the original ones, in standard errors; mean of all {statistic}s.",
        high=np.inf,
        applies=_has_estimate(statistic),
        parts=WHOLE,
        survey="",
    )


ANALYSES: tuple[Measure, ...] = (
    Measure(
        "error of means",
        LOWER,
        Analysis.mean_error,
        "Distance of a numeric column's mean from the original, in standard deviations, 1 at most; mean of columns.",
        applies=_has_numbers(1),
        parts=WHOLE,
    ),
    Measure(
        "error of variances",
        LOWER,
        Analysis.variance_error,
        "1 less the smaller of both variances over the larger, mean of the numeric columns.",
        applies=_has_numbers(1),
        parts=WHOLE,
    ),
    Measure(
        "error of correlations",
        LOWER,
        Analysis.correlation_error,
        "Half the difference of correlations, mean of all pairs of numeric columns.",
        applies=_has_numbers(2),
        parts=WHOLE,
    ),
    Measure(
        "error of tables",
        LOWER,
        Analysis.total_variation,
        "Total variation between tables of two columns, ten bins each: the share of rows in the wrong cell.",
        applies=_has_pairs,
        parts=WHOLE,
    ),
    Measure(
        "Hellinger distance",
        LOWER,
        Analysis.hellinger,
        "Hellinger distance between the same tables, which weighs rare cells more.",
        applies=_has_pairs,
        parts=WHOLE,
    ),
    Measure(
        "overlap of coefficients",
        HIGHER,
        Analysis.coefficient_overlap,
        "Overlap of the 95 % intervals of a regression's coefficients, as a share of both (Karr et al. 2006).",
        applies=_has_regression,
        parts=WHOLE,
    ),
    Measure(
        "accuracy kept",
        HIGHER,
        Analysis.accuracy_kept,
        "What a classifier learns beyond the majority, on held-out original rows, as a share of the original's.",
        applies=_has_classes,
        parts=WHOLE,
    ),
    Measure(
        "error of counts",
        LOWER,
        Analysis.query_error,
        "Relative error of random range counts, each 1 at most.",
        parts=WHOLE,
    ),
    *map(_shift, STATISTICS),
    Measure(
        "overlap of weighted intervals",
        HIGHER,
        Analysis.survey_overlap,
        "Overlap of the 95 % intervals of all weighted estimates, as a share of both (Karr et al. 2006).",
        applies=_has_estimate(),
        parts=WHOLE,
        survey="",
    ),
)


def analysis(
    table: Table,
    release: Table | Release,
    cells: str | tuple[str, ...] = READINGS,
    *,
    queries: int = QUERIES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Compare what common analyses of a release give with the same analyses of the original table.

    The analyses use the columns that are published by their role. The original table scores best in every measure.
    Withheld rows are missing from the release; a release without rows, or with nothing but ``*``, scores worst. The
    regression explains the decision by the quasi-identifier; a decision that is not a number is reduced to whether it
    is the most frequent value. If the table names survey weights, weighted estimates follow
    (:func:`anonnb.utility.survey_shifts`); the other figures are about rows.

    Parameters
    ----------
    cells:
        How a cell with several values is read: ``"uniform"`` (every value has the same share), ``"midpoint"`` (the
        value in the middle), or both, to compare them.
    queries, seed:
        The number of range counts, and the seed of their ranges and of the rows that the classifier does not see.

    Returns
    -------
    pandas.DataFrame
        A row per measure and reading, with the columns measure, cells, value, range, better and meaning.

    Examples
    --------
    >>> from anonnb import load
    >>> table = load("survey")
    >>> set(analysis(table, table, cells="uniform").query("better == 'lower'")["value"])
    {0.0}
    """
    release = as_release(release)
    wanted = (cells,) if isinstance(cells, str) else tuple(cells)
    for reading in wanted:
        if reading not in READINGS:
            raise ValueError(f"cells={reading!r} is not known; use {' or '.join(map(repr, READINGS))}")
    if isinstance(queries, bool) or not isinstance(queries, int | np.integer) or queries < 1:
        raise ValueError(f"queries must be a whole number of at least 1, not {queries!r}")
    lines = []
    for reading in wanted:
        results = Analysis(table, release, reading, queries, seed)
        for measure in ANALYSES:
            if measure.applies(results):
                name, value, better, meaning = measure.line(results)
                lines.append((name, reading, value, f"{measure.low:g} to {measure.high:g}", better, meaning))
    return pd.DataFrame(lines, columns=COLUMNS).astype({"value": float})
