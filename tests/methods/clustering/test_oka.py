"""OKA: one pass with surplus rows moved, and the rules it loses."""

import numpy as np
import pandas as pd

import anonnb
from anonnb import Table
from anonnb.methods.clustering.clustering import OKA


def test_oka_moves_surplus_rows_to_clusters_that_miss_some():
    # all rows are near one seed; the other clusters are filled with its farthest rows
    table = Table(pd.DataFrame({"n": [0, 1, 2, 3, 4, 5, 6, 1000]}), quasi=["n"])
    release = OKA(k=4).anonymize(table)
    assert sorted(release.group_sizes) == [4, 4]


def test_oka_loses_rules_of_adult_where_migration_loses_none():
    table = anonnb.load("adult", variant="migration").take(np.arange(0, 30_169, 5))
    lost = [OKA(k=k).anonymize(table).info["lost_rules"] for k in (5, 50)]
    assert 0 < lost[0] < lost[1]
