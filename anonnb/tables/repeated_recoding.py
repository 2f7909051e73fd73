"""The recoding of a released column, repeated on another table: each value gets the set that it had in the release.

That is possible only where equal values got equal sets, as methods that recode globally do. A value that no published
row has gets the one set that holds it, if there is just one.
"""

from __future__ import annotations

import numpy as np

from anonnb.tables.attribute import Attribute, shorten
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


def set_of_each_code(column: Column, codes: np.ndarray, attribute: Attribute) -> np.ndarray:
    """For each code of the original attribute the number of its set in the released column; -1 if that is unknown.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [30, 35, 50]}))
    >>> age, codes = table.attributes["age"], table.codes("age")
    >>> set_of_each_code(Column.of_groups(age, codes, np.array([0, 0, 1]), 2), codes, age).tolist()
    [0, 0, 1]
    """
    target = np.full(attribute.size, -1, dtype=np.int64)
    target[codes] = column.index
    if (target[codes] != column.index).any():
        raise ValueError(
            f"column {attribute.name!r} was not recoded the same way everywhere, so there is no recoding to repeat; "
            "use a method that recodes globally"
        )
    fill_from_sets(target, column, attribute.recode_to(column.attribute))
    return target


def recoded_alike(table: Table, column: Column, target: np.ndarray, attribute: Attribute) -> Column:
    """The column of that name in another table, each value replaced by its set in ``target``."""
    name = attribute.name
    if name not in table.attributes:
        raise KeyError(f"the table lacks the quasi-identifier column {name!r} of the release")
    new, places = table.attributes[name], table.attributes[name].recode_to(attribute)
    index = np.where(places >= 0, np.append(target, -1)[places], -1)[table.codes(name)]
    if (index < 0).any():
        value = new.labels[table.codes(name)[int(np.argmax(index < 0))]]
        raise ValueError(
            f"column {name!r}: the value {shorten(value)!r} did not occur when the release was made; "
            "anonymize both tables together"
        )
    return Column(column.sets, index)


def fill_from_sets(target: np.ndarray, column: Column, places: np.ndarray) -> None:
    """Assign values that no published row has to the one set that holds them, if there is just one."""
    sets = column.sets
    for code in np.flatnonzero(target < 0):
        holding = np.flatnonzero(sets.contains(int(places[code])))
        if len(holding) > 1:  # a suppressed cell holds everything
            holding = holding[sets.sizes[holding] < column.attribute.size]
        if len(holding) == 1:
            target[code] = holding[0]
