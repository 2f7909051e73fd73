"""The training sets and small tables of the experiment of Inuiguchi, Ichida and Torra (2019).

Ten folds of a shuffled table, and random samples of 15 rows for the deep attack. Reading: folds are not stratified.
"""

from __future__ import annotations

import numpy as np

from anonnb.tables.datasets import load
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

FOLDS, SAMPLE_ROWS = 10, 15


def folds(dataset: str, repetition: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training and test rows of each of the ten folds of one repetition.

    >>> [len(rows) for rows in folds("iris", 0, seed=0)[0]]
    [135, 15]
    """
    rows = np.random.default_rng([seed, repetition]).permutation(len(load(dataset)))
    parts = [np.sort(part) for part in np.array_split(rows, FOLDS)]
    return [(np.setdiff1d(rows, part), part) for part in parts]


def sample_of(table: Table, sample: int, seed: int) -> Table:
    """Draw 15 rows of at least two classes: one class alone has no rules to induce."""
    rng = np.random.default_rng([seed, sample])
    while True:
        rows = np.sort(rng.choice(len(table), SAMPLE_ROWS, replace=False))
        if len(np.unique(table.codes(required_decision(table))[rows])) > 1:
            return table.take(rows)
