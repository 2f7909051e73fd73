"""How often each value occurs in a published column, where a cell that is a set counts for each of its values.

Columns of thousands of sets over thousands of values are added up by the ends and gaps of the sets, not spelled out.
"""

from __future__ import annotations

import numpy as np

from anonnb.tables.release import Release
from anonnb.tables.value_sets import ValueSets
from anonnb.tables.value_sets.sets import what_sets_say

CELLS = 16_000_000  # sets × values of a matrix made at once


def published_shares(release: Release, name: str, count_missing: bool = False) -> np.ndarray:
    """How often each value occurs in a published column; the highest is the success of the best constant guess.

    Where a person has several rows, each of them counts for its share of the person.
    """
    whose = release.people
    parts = None if whose is None else 1.0 / np.bincount(whose)[whose]
    if release.secrets is not None and name == release.secrets.column:
        index, says = release.says(name, count_missing)
        counts = np.bincount(index, parts, minlength=says.shape[0]) @ says
    else:
        column = release.columns[name]
        rows = np.bincount(column.index, parts, minlength=len(column.sets))
        counts = said_in_all(column.sets, rows, count_missing)
    return counts / max(counts.sum(), 1e-12)


def said_in_all(sets: ValueSets, rows: np.ndarray, count_missing: bool = False) -> np.ndarray:
    """How many rows say each value, where so many rows have each set and a row is split among its values.

    Of many sets and values, what each set says is not spelled out: their ends and gaps are added up.
    """
    attribute = sets.attribute
    if len(sets) * attribute.size <= CELLS:
        return rows @ what_sets_say(sets, count_missing)
    absent = attribute.missing and not count_missing
    sizes = sets.sizes - sets.contains(attribute.missing_code) if absent else sets.sizes
    parts, gaps = rows / np.maximum(sizes, 1), np.flatnonzero(sets.mask_row >= 0)
    runs = sets.mask_row < 0
    starts, ends = (
        np.bincount(place, parts[runs], minlength=attribute.size + 1) for place in (sets.lo[runs], sets.hi[runs] + 1)
    )
    said = np.cumsum(starts - ends)[: attribute.size].astype(np.float64)
    step = max(CELLS // attribute.size, 1)
    for some in (gaps[start : start + step] for start in range(0, len(gaps), step)):
        place, codes = np.nonzero(sets.masks[sets.mask_row[some]])
        said += np.bincount(codes, parts[some][place], minlength=attribute.size)
    if absent:
        said[attribute.missing_code] = 0.0
    return np.maximum(said, 0.0)


def shares_of_sets(sets: ValueSets, shares: np.ndarray) -> np.ndarray:
    """The share of all values in each set; of many sets and values by the ends of the sets, as above."""
    if len(sets) * sets.attribute.size <= CELLS:
        return sets.as_masks() @ shares
    return sets.totals(shares)
