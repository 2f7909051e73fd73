"""The columns of a table as AQ and CN2 search them: codes, which of them are ordered, and conditions on them.

A condition on an ordered attribute is a range of codes, on a nominal one a set of codes. Bounds of numbers lie halfway
between neighbouring values, as in MLEM2; a missing value is a value of its own, which lies inside no bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from anonnb.rules.induction.encoding import bounded, cut_between, plain
from anonnb.rules.induction.rule import Condition
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table


class CodedColumn:
    """One condition attribute: the numbers of its values among those that occur, a missing one last.

    >>> import pandas as pd
    >>> column = CodedColumn(Table(pd.DataFrame({"x": [1, 2, 4, None]})), "x")
    >>> str(column.run(1, 2)), str(column.run(0, 2)), str(column.chosen([3]))
    ('1.5 ≤ x', 'x is known', 'x is missing')
    """

    def __init__(self, table: Table, name: str):
        self.attribute: Attribute = table.attributes[name]
        self.present, codes = np.unique(table.codes(name), return_inverse=True)
        self.codes = codes.astype(np.int64)
        self.size = len(self.present)
        has_missing = self.attribute.missing and self.present[-1:].tolist() == [self.attribute.missing_code]
        self.known = self.size - has_missing  # values that are not missing
        self.ordered = self.attribute.kind != "nominal"

    def run(self, low: int, high: int) -> Condition:
        """Return the condition that a value is one of the codes from ``low`` to ``high``, none of them missing."""
        bounds = {}
        if low > 0:
            bounds["lower"] = cut_between(self.attribute, self.present[low - 1], self.present[low], "lower")
        if high < self.known - 1:
            bounds["upper"] = cut_between(self.attribute, self.present[high], self.present[high + 1], "upper")
        return bounded(self.attribute, **bounds) if bounds else Condition(self.attribute.name)

    def chosen(self, codes: Iterable[int]) -> Condition:
        """Return the condition that a value is one of some codes; None stands for a missing one."""
        domain = self.attribute.domain
        values = [plain(domain[self.present[code]]) if code < self.known else None for code in codes]
        return Condition(self.attribute.name, values=tuple(values))


def coded_columns(table: Table, names: Sequence[str]) -> list[CodedColumn]:
    """Return the columns that can tell rows apart: those with at least two values."""
    return [column for column in (CodedColumn(table, name) for name in names) if column.size > 1]
