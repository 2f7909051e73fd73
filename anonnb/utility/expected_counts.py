"""How many rows are expected to satisfy a query: the answer that an analyst would compute from a release.

A row counts by the chance that its cells satisfy every condition. Reading: the values of a cell are equally likely, or
as likely as their share where secrets are published per group (Xiao and Tao 2006), and columns are independent given
the row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table

Condition = tuple[float, float] | Collection


def expected_count(data: Table | Release, conditions: Mapping[str, Condition]) -> float:
    """The expected number of rows that satisfy all conditions.

    Worked example: ages 20 and [20–40] of a domain 20, 30, 40, 50 satisfy "20 to 30" with the chances 1 and ⅔.

    Parameters
    ----------
    data:
        A table or a release.
    conditions:
        For each column a pair (low, high) of numbers, both included, or a list of values.

    Returns
    -------
    float
        The expected count.

    Raises
    ------
    KeyError
        If the release does not have a column.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 40, 50]}), quasi=["age"])
    >>> expected_count(table, {"age": (20, 30)})
    2.0
    >>> seen = Release.from_frame(pd.DataFrame({"age": ["20", "20-40"]}), table)
    >>> round(expected_count(seen, {"age": (20, 30)}), 2)
    1.67
    """
    release = as_release(data)
    chance = np.ones(len(release))
    for name, condition in conditions.items():
        if name not in release.columns:
            raise KeyError(f"the release has no column {name!r}")
        index, weights = release.says(name, count_missing=True)
        chance *= (weights @ _satisfying(release.columns[name].attribute, condition).astype(float))[index]
    return float(chance.sum())


def _satisfying(attribute: Attribute, condition: Condition) -> np.ndarray:
    """The codes that satisfy a condition, as a mask."""
    if isinstance(condition, tuple):
        if attribute.kind != "numeric" or len(condition) != 2:
            raise ValueError(f"column {attribute.name!r}: {condition!r} is a range; give a list of values")
        low, high = condition
        return (attribute.numbers >= low) & (attribute.numbers <= high)
    mask = np.zeros(attribute.size, dtype=bool)
    mask[[attribute.code(value) for value in condition]] = True
    return mask
