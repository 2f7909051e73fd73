"""All utility measures of a release, as one list of objects and as one table."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property, singledispatch

import pandas as pd

from anonnb.core.measure import HIGHER, LOWER, MEAN, SUM, WHOLE, Measure, measured
from anonnb.roughsets.releases import roughness
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.analyses import ANALYSES, Analysis
from anonnb.utility.cells import entropy_loss, ncp, precision, suppression_rate, truthfulness
from anonnb.utility.classes import average_class_size, classification_metric, discernibility
from anonnb.utility.values import exact_cells, has_numbers, sse, values_per_cell

MAX_CLASSES = 100  # a decision with more values is a number to estimate, not a class


@dataclass(frozen=True, eq=False)
class Comparison:
    """Input of the measures: a table and a release of it."""

    table: Table
    release: Release

    @property
    def has_weights(self) -> bool:
        return self.table.weight is not None

    @cached_property
    def analysis(self) -> Analysis:
        """What the analyses share, with cells read as uniform over their sets."""
        return Analysis(self.table, self.release)


def _has_hierarchies(pair: Comparison) -> bool:
    return all(pair.table.attributes[name].hierarchy is not None for name in pair.release.quasi)


def _has_decision(pair: Comparison) -> bool:
    return pair.release.decision is not None


def _has_classes(pair: Comparison) -> bool:
    """Tell whether there is a decision with few enough values to be classes, and something to describe them by."""
    decision = pair.release.decision
    if decision is None or not _describing(pair):
        return False
    return pair.release.columns[decision].attribute.size <= MAX_CLASSES


def _describing(pair: Comparison) -> list[str]:
    decision = pair.release.decision
    return [] if decision is None else [name for name in pair.release.quasi if name != decision]


def _is_linked(pair: Comparison) -> bool:
    return pair.release.rows is not None


def _of_comparison(measure: Measure) -> Measure:
    """Turn a measure of an analysis into one of a table and a release."""
    return replace(
        measure,
        value=lambda pair: measure.value(pair.analysis),
        applies=lambda pair: bool(pair.release.quasi) and measure.applies(pair.analysis),
    )


def _moves_numbers(pair: Comparison) -> bool:
    """Tell whether single numbers were replaced by others: a loss that measures of sets do not see."""
    moved = not getattr(pair.release.method, "truthful", True)
    return moved and _is_linked(pair) and has_numbers(pair.table, pair.release)


MEASURES: tuple[Measure, ...] = (
    Measure(
        "NCP",
        LOWER,
        lambda pair: ncp(pair.table, pair.release),
        "Share of its domain that a cell leaves open, on average.",
        parts=MEAN,
    ),
    Measure(
        "values per cell",
        LOWER,
        lambda pair: values_per_cell(pair.table, pair.release),
        "Values that a cell leaves open, on average; NCP is near 0 where a column has many more.",
        low=1.0,
        high=math.inf,
        parts=MEAN,
    ),
    Measure(
        "exact cells",
        HIGHER,
        lambda pair: exact_cells(pair.table, pair.release),
        "Share of cells that are published as a single value.",
        parts=MEAN,
    ),
    Measure(
        "discernibility",
        LOWER,
        lambda pair: discernibility(pair.table, pair.release),
        "Sum over the rows of the rows each reads like.",
        high=math.inf,
        parts=SUM,
    ),
    Measure(
        "average class size",
        LOWER,
        lambda pair: average_class_size(pair.table, pair.release),
        "Rows per class, in multiples of k.",
        high=math.inf,
        parts=WHOLE,
    ),
    Measure(
        "precision",
        HIGHER,
        lambda pair: precision(pair.table, pair.release),
        "1 less the mean height of the cells in the hierarchies.",
        applies=_has_hierarchies,
        parts=MEAN,
    ),
    Measure(
        "classification metric",
        LOWER,
        lambda pair: classification_metric(pair.table, pair.release),
        "Share of rows that differ from the majority of their class.",
        applies=_has_decision,
        parts=MEAN,
    ),
    Measure(
        "roughness",
        LOWER,
        lambda pair: roughness(pair.release, _describing(pair)),
        "1 less the rows whose class is sure, per pair of a row and a class it may have.",
        applies=_has_classes,
        parts=WHOLE,
    ),
    Measure(
        "entropy loss",
        LOWER,
        lambda pair: entropy_loss(pair.table, pair.release, normalized=True),
        "Bits needed to find the original values, as a share of suppressing all.",
        applies=_is_linked,
        parts=WHOLE,
    ),
    Measure(
        "truthfulness",
        HIGHER,
        lambda pair: truthfulness(pair.table, pair.release),
        "Share of cells that hold the original value.",
        applies=_is_linked,
        parts=MEAN,
    ),
    Measure(
        "SSE",
        LOWER,
        lambda pair: sse(pair.table, pair.release),
        "Squared errors of the numbers, as a share of publishing the mean of each column.",
        high=math.inf,
        applies=_moves_numbers,
        parts=WHOLE,
    ),
    Measure(
        "suppressed rows",
        LOWER,
        lambda pair: suppression_rate(pair.table, pair.release, "rows"),
        "Share of rows that were suppressed.",
        parts=MEAN,
    ),
    Measure(
        "suppressed cells",
        LOWER,
        lambda pair: suppression_rate(pair.table, pair.release, "cells"),
        "Share of quasi-identifier cells that were suppressed.",
        parts=MEAN,
    ),
    *map(_of_comparison, ANALYSES),
)


def report(table: Table, release: Table | Release, *, only: Collection[str] | None = None) -> pd.DataFrame:
    """Compute all utility measures that apply to a release, a row per measure.

    Precision is included when every quasi-identifier has a hierarchy, the classification metric when there is a
    decision, roughness when the decision has at most 100 values, entropy loss and truthfulness when the release is
    linked to its original rows. The last rows are those of :func:`anonnb.utility.analysis`, with cells read as uniform
    over their sets. Measures that are meaningless under the promise of the release's method are left out:
    discernibility and class size are about rows that read alike, which patterns (k-commonality) do not aim for.

    Parameters
    ----------
    only:
        Names of measures: the others are not computed. None: all.

    Returns
    -------
    pandas.DataFrame
        A row per measure, with the columns measure, value, better ("higher" or "lower") and meaning.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"x": [1, 1, 2, 2]}), quasi=["x"])
    >>> report(table, table)[["measure", "value"]].values.tolist()[:3]
    [['NCP', 0.0], ['values per cell', 1.0], ['exact cells', 1.0]]
    """
    return reported(release, table, only)


@singledispatch
def reported(release: Table | Release, table: Table, only: Collection[str] | None = None) -> pd.DataFrame:
    """Do the work of :func:`report`; other kinds of release, such as those on a cluster, register their own."""
    pair = Comparison(table, as_release(release))
    promise = pair.release.promise
    misleading = promise.misleading if promise else ()
    return measured([measure for measure in MEASURES if measure.name not in misleading], pair, only)
