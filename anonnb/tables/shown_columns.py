"""A column of value sets as a person reads it: values, texts or intervals, and the order of what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anonnb.tables.attribute import values_at
from anonnb.tables.value_sets import Column


def as_labels(column: Column) -> pd.Series:
    """Return values if every cell is a single one, texts otherwise."""
    if column.is_exact():
        return column.attribute.decode(column.sets.lo[column.index])
    labels = pd.Series(column.sets.labels, name=column.attribute.name)  # few: made into an array of texts only once
    return labels.take(column.index).reset_index(drop=True)


def shown_frame(columns: Mapping[str, Column], names: Sequence[str], order: np.ndarray) -> pd.DataFrame:
    """Return some columns as a frame, rows in the given order, without categories that no row has."""
    frame = pd.DataFrame({name: as_labels(columns[name].take(order)) for name in names}, columns=list(names))
    return frame.apply(only_used_categories)


def as_intervals(column: Column) -> pd.Series:
    """Return the same as :func:`as_labels`, with pandas' intervals instead of texts for numbers."""
    if column.attribute.kind != "numeric" or column.is_exact() or not column.attribute.is_number:
        return as_labels(column)
    ends = column.attribute.numbers
    cells = [
        pd.Interval(ends[lo], ends[hi], closed="both") if not np.isnan(ends[hi]) else label
        for lo, hi, label in zip(column.sets.lo, column.sets.hi, column.sets.labels, strict=True)
    ]
    return pd.Series(cells, dtype=object).take(column.index).reset_index(drop=True)


def content_rank(column: Column) -> np.ndarray:
    """Return a number per row that orders rows by what they show: by the set's ends, then by its label."""
    sets = column.sets
    if column.is_exact():
        return sets.lo[column.index]
    keys = list(zip(sets.lo.tolist(), sets.hi.tolist(), sets.labels, strict=True))
    order = sorted(range(len(sets)), key=keys.__getitem__)
    rank = np.empty(len(sets), dtype=np.int64)
    rank[order] = pd.factorize(np.array(sets.labels, dtype=object)[order])[0]  # what reads alike ranks alike
    return rank[column.index]


def text_numbers(column: Column) -> np.ndarray:
    """Return a number per row; rows have equal numbers if, and only if, they show the same text."""
    if column.is_exact():
        return column.attribute.as_written[column.sets.lo[column.index]]
    return pd.factorize(np.array(column.sets.labels, dtype=object))[0][column.index]


def only_used_categories(series: pd.Series) -> pd.Series:
    """Return the series without unused categories, which would reveal values that no published row has."""
    if not isinstance(series.dtype, pd.CategoricalDtype):
        return series
    if series.dtype.ordered:
        return series.cat.remove_unused_categories()
    if series.isna().any() and pd.api.types.is_integer_dtype(series.cat.categories.dtype):
        return pd.Series(values_at(series.cat.categories, series.cat.codes), index=series.index, name=series.name)
    return series.astype(object).infer_objects()
