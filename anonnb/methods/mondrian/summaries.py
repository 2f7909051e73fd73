"""What a group of rows publishes instead of its values: the set of them, or one typical value (LeFevre et al. 2006).

Sets are intervals for numbers and ordered values, and the distinct values for categories. Typical values are the mean
for numbers, the middle value for other ordered values, and the most frequent one for categories. Regions are intervals
too, but as wide as the cuts left them.
"""

from __future__ import annotations

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import first_places
from anonnb.core.parameters.constraints import Choice
from anonnb.methods.mondrian.regions import Bounds, Cutter, Space, partition
from anonnb.methods.typical_values import typical_values
from anonnb.tables.table import Table
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
    if summary == "mean":
        quasi = {name: (table.attributes[name], table.codes(name)[rows]) for name in table.quasi}
        return {name: typical_values(*column, groups, n_groups) for name, column in quasi.items()}
    columns = columns_per_group(table, rows, groups, n_groups, bounds)
    return {name: column.take(groups) for name, column in columns.items()}


def columns_per_group(
    table: Table, rows: np.ndarray | slice, groups: np.ndarray, n_groups: int, bounds: Bounds | None = None
) -> dict[str, Column]:
    """The same with a cell per group: the set of its values, or where bounds are given what the cuts left."""
    first = first_places(groups, n_groups) if bounds is not None else None
    columns = {}
    for place, name in enumerate(table.quasi):
        attribute = table.attributes[name]
        if bounds is not None and attribute.kind != "nominal":  # a run of categories is no region
            columns[name] = Column.from_spans(attribute, bounds.low[place][first], bounds.high[place][first])
        else:
            columns[name] = Column.per_group(attribute, table.codes(name)[rows], groups, n_groups)
    return columns
