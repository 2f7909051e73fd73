"""Random predicates on rows: seeded hashes of their content, the same in any table that holds the row."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.tables.table import Table

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def row_hashes(people: Table, rows: np.ndarray) -> np.ndarray:
    """A number of 64 bits for each of some rows, from the texts of all its cells; equal rows have equal numbers."""
    total = np.zeros(len(rows), dtype=np.uint64)
    for name in people.columns:
        codes, places = np.unique(people.codes(name)[rows], return_inverse=True)
        texts = np.array([people.attributes[name].labels[code] for code in codes], dtype=object)
        total = (total ^ pd.util.hash_array(texts, categorize=False)[places]) * GOLDEN
    return total


def mixed(hashes: np.ndarray, seed: int) -> np.ndarray:
    """The hashes with a seed stirred in, as numbers from 0 up to 1 (the last step of SplitMix64)."""
    value = hashes ^ (np.array([seed + 1], dtype=np.uint64) * GOLDEN)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (value ^ (value >> np.uint64(31))) / 2.0**64
