"""What a group of rows publishes instead of its values: the set of them, or one typical value (LeFevre et al. 2006).

Sets are intervals for numbers and ordered values, and the distinct values for categories. Typical values are the mean
for numbers, the middle value for other ordered values, and the most frequent one for categories. Regions are intervals
too, but as wide as the cuts left them.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import group_min_max, group_order, group_pairs
from anonnb.core.parameters.constraints import Choice
from anonnb.methods.mondrian.regions import Bounds, Cutter, Space, partition
from anonnb.tables.table import Attribute, Table
from anonnb.tables.value_sets import Column

SUMMARY = Choice({"set": "intervals and sets", "region": "what the cuts left", "mean": "mean and mode"})


def check_summarized(table: Table, summary: str) -> None:
    """Raise ValueError before the work starts where a column cannot be summarized so."""
    for name in table.quasi if summary == "mean" else ():
        table.attributes[name].check_averages(remedies.parameter("summary", "set"))


def released_columns(
    table: Table, rows: np.ndarray, space: Space, cutter: Cutter, summary: str, start: np.ndarray | None = None
) -> dict[str, Column]:
    """Cut the space of the table's ``rows`` and summarize what lies in each region."""
    bounds = Bounds(space, start) if summary == "region" else None
    groups, count = partition(space, cutter, start, bounds)
    return summarize(table, rows, groups, count, summary, bounds)


def summarize(
    table: Table, rows: np.ndarray, groups: np.ndarray, n_groups: int, summary: str, bounds: Bounds | None = None
) -> dict[str, Column]:
    """A released column for every quasi-identifier; ``groups`` numbers the table's ``rows``."""
    make = _typical if summary == "mean" else Column.of_groups
    columns = {name: make(table.attributes[name], table.codes(name)[rows], groups, n_groups) for name in table.quasi}
    if bounds is not None:
        for place, name in enumerate(table.quasi):
            attribute = table.attributes[name]
            if attribute.kind != "nominal":  # a run of categories is no region: their order means nothing
                columns[name] = Column.from_spans(attribute, bounds.low[place], bounds.high[place])
    return columns


def _typical(attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int) -> Column:
    if attribute.kind == "nominal":
        return Column.original(attribute, _modes(attribute, codes, groups, n_groups)[groups])
    if attribute.kind == "ordinal" or not attribute.is_number:
        return Column.original(attribute, _middles(codes, groups, n_groups)[groups])
    return _means(attribute, codes, groups, n_groups)


def _modes(attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """The most frequent code of each group; ties: the first in the domain."""
    owner, code, count = group_pairs(codes, attribute.size, groups)
    order = np.lexsort((code, -count, owner))
    return code[order][np.searchsorted(owner[order], np.arange(n_groups))]


def _middles(codes: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """The lower median of each group."""
    order = np.lexsort((codes, groups))
    _, starts = group_order(groups, n_groups)
    return codes[order][(starts[:-1] + starts[1:] - 1) // 2]


def _means(attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int) -> Column:
    """The mean of each group's known numbers, with three digits more than the range needs."""
    numbers = attribute.numbers[codes]
    known = ~np.isnan(numbers)
    total = np.bincount(groups[known], numbers[known], minlength=n_groups)
    count = np.bincount(groups[known], minlength=n_groups)
    some = count > 0
    span = float(np.ptp(attribute.numbers[: len(attribute.domain)])) if len(attribute.domain) else 0.0
    decimals = max(0, 3 - math.floor(math.log10(span))) if span > 0 else 12
    means = np.round(total[some] / count[some], decimals)
    low, high = group_min_max(numbers[known], np.cumsum(some)[groups[known]] - 1, int(some.sum()))
    means = np.clip(means, low, high)  # rounding must not leave the group's range
    wider, _ = attribute.extended(pd.Series(means))
    group_code = np.full(n_groups, wider.missing_code, dtype=np.int64)
    group_code[some] = wider.domain.get_indexer(means)
    return Column.original(wider, group_code[groups])
