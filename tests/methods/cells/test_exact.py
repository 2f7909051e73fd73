import numpy as np
import pytest

import anonnb
from anonnb import Infeasible
from anonnb.methods.cells.exact import Exact
from tests.methods.cells.plain import REQUIRE, optimum, tiny


@pytest.mark.parametrize("generalize", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_equals_the_best_of_all_partitions(k, generalize):
    for seed in range(12):
        table = tiny(seed, n_rows=4 + seed % 4, values=2 + seed % 4, hierarchies=generalize)
        release = Exact(k=k, generalize=generalize).anonymize(table)
        assert release.info["cost"] == pytest.approx(optimum(table, k, generalize))


def test_equals_the_best_of_all_diverse_partitions():
    found = []
    for seed in range(20):
        table = tiny(seed, n_rows=6)
        best = optimum(table, 2, diverse=True)
        if best is None:
            with pytest.raises(Infeasible):
                Exact(k=2, require=REQUIRE).anonymize(table)
        else:
            found.append(best - optimum(table, 2))
            assert Exact(k=2, require=REQUIRE).anonymize(table).info["cost"] == best
    assert max(found) > 0  # diversity costs something, or this test would show nothing


def test_refuses_tables_that_are_not_tiny():
    with pytest.raises(ValueError, match="up to 16 rows; this one has 66"):
        Exact(k=2).anonymize(anonnb.load("survey"))


def test_sixteen_rows_and_an_impossible_wish():
    table = tiny(0, n_rows=16, values=5)
    assert Exact(k=16).anonymize(table).n_groups == 1
    with pytest.raises(Infeasible, match="no partition"):
        Exact(k=2, require=anonnb.privacy.LDiversity(4)).anonymize(table)
    assert np.array_equal(Exact(k=1).anonymize(table).frame, table.frame)
