"""What a group of rows publishes instead of its values: the set of them, or one typical value (LeFevre et al. 2006).

Sets are intervals for numbers and ordered values, and the distinct values for categories. Typical values are the mean
for numbers, the middle value for other ordered values, and the most frequent one for categories. Regions are intervals
too, but as wide as the cuts left them.
"""

from __future__ import annotations

import numpy as np

from anonnb.core import remedies
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
    make = typical_values if summary == "mean" else Column.of_groups
    columns = {name: make(table.attributes[name], table.codes(name)[rows], groups, n_groups) for name in table.quasi}
    if bounds is not None:
        for place, name in enumerate(table.quasi):
            attribute = table.attributes[name]
            if attribute.kind != "nominal":  # a run of categories is no region: their order means nothing
                columns[name] = Column.from_spans(attribute, bounds.low[place], bounds.high[place])
    return columns
