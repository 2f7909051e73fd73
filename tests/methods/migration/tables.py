"""Tables and checks that the tests of migration share."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from anonnb import Table

THRESHOLDS = st.sampled_from(["0.1", "0.2", "0.25", "0.3", "0.5", "0.6", "0.7", "0.75", "0.9", "1"])


def skewed_table(seed, rows=None):
    """A small table whose columns lean on each other, so that it has rules to lose."""
    rng = np.random.default_rng(seed)
    n = rows or int(rng.integers(20, 90))
    base = rng.random(n) < 0.7
    frame = {}
    for name in ("q1", "q2", "q3", "s1", "s2"):
        follows = rng.random(n) < rng.uniform(0.3, 0.95)
        frame[name] = np.where(follows & base, "a", np.array(list("abcd"))[rng.integers(0, rng.integers(2, 5), n)])
    return Table(pd.DataFrame(frame), quasi=["q1", "q2", "q3"], sensitive=["s1"])


def settings_of(seed):
    rng = np.random.default_rng(seed + 10_000)
    support, confidence = rng.choice([0.3, 0.4, 0.5, 0.6]), rng.choice([0.4, 0.5, 0.6, 0.75])
    return {"k": int(rng.integers(2, 6)), "min_support": float(support), "min_confidence": float(confidence)}


def check_shape(table, release, k):
    """k-anonymous; the same rows; only quasi-identifiers changed, and to combinations that existed."""
    assert release.group_sizes.min() >= k
    assert len(release) == len(table)
    assert release.n_suppressed == 0
    others = [name for name in release.columns if name not in table.quasi]
    assert release.frame[others].equals(table.frame[others])
    shown = set(map(tuple, release.frame[table.quasi].to_numpy()))
    assert shown <= set(map(tuple, table.frame[table.quasi].to_numpy()))
