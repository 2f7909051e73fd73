"""One typical value for each group of rows: what methods publish that replace values instead of widening them.

Numbers get the mean, other ordered values the middle one, categories the most frequent one (LeFevre et al. 2006;
Domingo-Ferrer and Torra 2005).
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_min_max, group_order, group_pairs
from anonnb.tables.attribute import Attribute
from anonnb.tables.value_sets import Column


def typical_values(attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int) -> Column:
    """Return a released column in which every row shows the typical value of its group.

    >>> from anonnb.tables.table import Table
    >>> ages = Table(pd.DataFrame({"age": [30, 35, 50]}))
    >>> typical_values(ages.attributes["age"], ages.codes("age"), np.array([0, 0, 1]), 2).texts().tolist()
    ['32.5', '32.5', '50']
    """
    if attribute.kind == "nominal":
        return Column.original(attribute, modes(attribute, codes, groups, n_groups)[groups])
    if attribute.kind == "ordinal" or not attribute.is_number:
        return Column.original(attribute, middles(codes, groups, n_groups)[groups])
    return _means(attribute, codes, groups, n_groups)


def modes(attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the most frequent code of each group; ties: the first in the domain."""
    owner, code, count = group_pairs(codes, attribute.size, groups)
    order = np.lexsort((code, -count, owner))
    return code[order][np.searchsorted(owner[order], np.arange(n_groups))]


def middles(codes: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the lower median of each group."""
    order = np.lexsort((codes, groups))
    _, starts = group_order(groups, n_groups)
    return codes[order][(starts[:-1] + starts[1:] - 1) // 2]


def _means(attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int) -> Column:
    """Return the mean of each group's known numbers, with three digits more than the range needs."""
    numbers = attribute.numbers[codes]
    known = ~np.isnan(numbers)
    total = np.bincount(groups[known], numbers[known], minlength=n_groups)
    count = np.bincount(groups[known], minlength=n_groups)
    nonempty = count > 0
    means = np.round(total[nonempty] / count[nonempty], decimals_for(attribute))
    low, high = group_min_max(numbers[known], np.cumsum(nonempty)[groups[known]] - 1, int(nonempty.sum()))
    means = np.clip(means, low, high)  # rounding must not leave the group's range
    wider, _ = attribute.extended(pd.Series(means))
    group_code = np.full(n_groups, wider.missing_code, dtype=np.int64)
    group_code[nonempty] = wider.domain.get_indexer(means)
    return Column.original(wider, group_code[groups])


def decimals_for(attribute: Attribute) -> int:
    """Choose the decimals of a computed number of a column: three digits more than its range needs."""
    span = float(np.ptp(attribute.numbers[: len(attribute.domain)])) if len(attribute.domain) else 0.0
    return max(0, 3 - math.floor(math.log10(span))) if span > 0 else 12
