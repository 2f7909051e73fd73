from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.cells.exact import Exact
from anonnb.methods.cells.greedy_cover import GreedyCover, disjoint
from anonnb.tables.technique import release_class
from tests.methods.cells.plain import stars, tiny


@pytest.mark.slow
def test_bound_against_the_optimum():
    for seed in range(200):
        k = 2 + seed % 3
        table = tiny(seed, n_rows=k + seed % 7, n_columns=2 + seed % 4, values=2 + seed % 3)
        cost = GreedyCover(k=k).anonymize(table).info["cost"]
        best = Exact(k=k).anonymize(table).info["cost"]
        assert best <= cost <= GreedyCover(k=k).bound * best


@pytest.mark.parametrize("k", [2, 3])
def test_picks_the_cheapest_set_per_new_row(k):
    """Against a plain greedy cover over all sets of rows: every pick has the least price there is."""
    for seed in range(8):
        table = tiny(seed, n_rows=8, values=2)
        distance = Cells(table).distance_matrix()
        sets = [set(rows) for size in range(k, 2 * k) for rows in combinations(range(8), size)]
        covered = set()

        def price(rows):
            new = len(rows - covered)  # noqa: B023  used at once
            return max(distance[u, v] for u in rows for v in rows) / new if new else np.inf  # noqa: B023

        cover = GreedyCover(k=k).anonymize(table).info["cover"]
        for rows in cover:
            assert k <= len(rows) <= 2 * k - 1
            assert price(rows) == min(map(price, sets))
            covered |= rows
        assert covered == set(range(8))


@pytest.mark.slow
@given(st.lists(st.sets(st.integers(0, 12), min_size=3, max_size=5), min_size=1, max_size=8))
@settings(max_examples=200)
def test_a_cover_becomes_a_partition(cover):
    parts = disjoint(cover, 3)
    assert sorted(row for part in parts for row in part) == sorted(set().union(*cover))
    assert all(3 <= len(part) <= 5 for part in parts)


def test_survey_suppresses_four_cells():
    table = anonnb.load("survey")
    release = GreedyCover(k=4).anonymize(table)
    assert release.info["cost"] == stars(release) == 4
    assert release_class(table, release).name == "_CS"


def test_refuses_politely():
    with pytest.raises(ValueError, match=r"sets of 4 to 7 rows, more than limit=200,000; use Forest\(k=4\)"):
        GreedyCover(k=4).anonymize(tiny(0, n_rows=60, n_columns=6, values=5))
