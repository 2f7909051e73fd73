import itertools

import numpy as np
import pandas as pd
import pytest

from anonnb import Table
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.cells.exact import Exact
from anonnb.methods.cells.factor import Factor, _runs, factor
from tests.methods.cells.plain import tiny


def boolean(seed, n_rows, n_columns=5):
    return tiny(seed, n_rows=n_rows, n_columns=n_columns, values=2)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "ratio"), [(2, 1.5), (3, 2)])
def test_ratio_on_boolean_tables(k, ratio):
    for seed in range(100):
        table = boolean(seed, n_rows=k + seed % 8, n_columns=2 + seed % 6)
        cost = Factor(k=k).anonymize(table).info["cost"]
        assert cost <= ratio * Exact(k=k).anonymize(table).info["cost"]


@pytest.mark.parametrize("exactly_two", [False, True])
def test_the_factor_has_the_degrees_and_the_least_weight(exactly_two):
    allowed = {2} if exactly_two else {1, 2}
    for seed in range(6):
        n_rows = 4 + seed % 2
        rng = np.random.default_rng(seed)
        distance = np.triu(rng.integers(0, 9, (n_rows, n_rows)), 1)
        distance += distance.T
        pairs = list(itertools.combinations(range(n_rows), 2))

        def degrees(edges):
            return {sum(row in edge for edge in edges) for row in range(n_rows)}  # noqa: B023  used at once

        best = min(
            sum(distance[edge] for edge in edges)
            for size in range(n_rows + 1)
            for edges in itertools.combinations(pairs, size)
            if degrees(edges) <= allowed
        )
        edges = factor(distance, exactly_two)
        assert degrees(edges) <= allowed
        assert sum(distance[edge] for edge in edges) == best


def test_long_cycles_are_cut_into_runs_of_three_and_four():
    for length in range(6, 20):
        frame = pd.DataFrame({"a": np.arange(length) % 2})
        runs = _runs(list(range(length)), Cells(Table(frame, quasi=["a"])))
        assert {len(run) for run in runs} <= {3, 4}
        assert sorted(itertools.chain(*runs)) == list(range(length))


def test_refuses_what_it_cannot_do():
    with pytest.raises(ValueError, match=r"knows k = 2 and k = 3 only, not 4; use Forest\(k=4\)"):
        Factor(k=4)
    with pytest.raises(ValueError, match="column 'q0' has 3 values"):
        Factor(k=2).anonymize(tiny(0, n_rows=20))
    with pytest.raises(ValueError, match="more rows than limit=40"):
        Factor(k=2).anonymize(boolean(0, 41))
