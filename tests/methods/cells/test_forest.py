import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.cells.exact import Exact
from anonnb.methods.cells.forest import Forest, carve, grow
from anonnb.tables.technique import release_class
from anonnb.testing import check_method
from tests.methods.cells.plain import group_cost, plain_forest, stars, tiny
from tests.methods.clustering.tables import tables_with_ties


@pytest.mark.slow
@pytest.mark.parametrize("generalize", [False, True])
def test_bounds_against_the_optimum(generalize):
    for seed in range(120):
        k = 2 + seed % 3
        table = tiny(seed, n_rows=k + seed % 6, n_columns=2 + seed % 3, values=2 + seed % 4, hierarchies=generalize)
        release = Forest(k=k, generalize=generalize).anonymize(table)
        best = Exact(k=k, generalize=generalize).anonymize(table).info["cost"]
        assert release.info["weight"] <= best + 1e-9
        assert best - 1e-9 <= release.info["cost"] <= (3 * k - 3) * release.info["weight"] + 1e-9


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(6, 60), st.booleans())
def test_trees_and_parts_have_the_sizes_they_must(seed, k, n_rows, generalize):
    cells = Cells(tiny(seed, n_rows=n_rows, hierarchies=generalize), generalize)
    target, weight = grow(cells, k)
    assert weight == sum(cells.distances(row)[to] for row, to in enumerate(target) if to >= 0)
    tree = np.arange(n_rows)
    for _ in range(n_rows):  # follow the edges to the roots
        tree = np.where(target[tree] >= 0, target[tree], tree)
    assert (target[tree] < 0).all()  # no cycle
    assert np.bincount(tree, minlength=n_rows)[target < 0].min() >= k
    parts = carve(cells, target, k)
    sizes = np.bincount(parts)
    assert sizes.min() >= k
    assert sizes.max() <= 3 * k - 3 or sizes.max() <= 2 * k - 1
    assert all(len(set(tree[parts == part])) == 1 for part in range(len(sizes)))
    # the parts share no edge: what varies in them is paid for by edges that are theirs alone
    assert (cells.weights @ cells.varying(parts, len(sizes))).sum() <= weight


def test_the_cost_is_the_number_of_stars_and_nothing_is_generalized():
    for seed in range(20):
        table = tiny(seed, n_rows=30)
        release = Forest(k=3).anonymize(table)
        assert release.info["cost"] == stars(release) > 0
        assert release_class(table, release).name == "_CS"


def test_generalized_cells_stand_on_the_lowest_common_level():
    table = tiny(4, n_rows=25, hierarchies=True)
    release = Forest(k=3, generalize=True).anonymize(table)
    groups = [np.flatnonzero(release.groups == number) for number in range(release.n_groups)]
    assert release.info["cost"] == pytest.approx(sum(group_cost(table, group, generalize=True) for group in groups))
    labels = {label for level in table.attributes["q0"].levels.labels for label in level}
    assert set(release.frame["q0"]) <= labels
    assert release_class(table, release).name == "CG_"


def test_survey_generalizes_four_cells():
    """Generalizing only the Sex cells of (divorced, 35) touches 4 cells and gives degree 4."""
    table = anonnb.load("survey")
    release = Forest(k=4, generalize=True).anonymize(table)
    changed = release.frame != table.frame.astype(object)
    assert release.info["cost"] == changed.to_numpy().sum() == 4
    assert (release.frame.loc[changed["Sex"], ["Marital_status", "Sex"]] == ["divorced", "any_sex"]).all(axis=None)
    assert release.group_sizes.min() == 4
    assert release_class(table, release).name == "CG_"


@pytest.mark.slow
def test_the_contract_holds_when_it_generalizes():
    check_method(Forest(k=3, generalize=True))


def test_many_columns_are_counted_without_overflow():
    frame = pd.DataFrame(np.eye(6, 300, dtype=int)).rename(columns=str)
    frame[:] = np.arange(6)[:, None]  # every row differs from every other in all 300 columns
    release = Forest(k=2).anonymize(Table(frame, quasi=list(frame)))
    assert release.info["weight"] >= 300 * 3
    assert stars(release) == 6 * 300


# ---- the compiled loop against plain code ---------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(2, 60), st.integers(1, 14), st.integers(1, 4), st.integers(2, 6), st.integers(0, 10_000))
def test_trees_grow_alike_by_buckets_and_by_all_distances(n, columns, values, k, seed):
    """Also where rows have no near one, or columns are too many for buckets."""
    cells = np.random.default_rng(seed).integers(0, values, (n, columns))
    table = Table(pd.DataFrame(cells, columns=[f"c{number}" for number in range(columns)]).astype(str))
    assert_grown_alike(Cells(table.with_roles(quasi=list(table.columns))), min(k, n))


@pytest.mark.filterwarnings("ignore::anonnb.tables.attribute.DefaultHierarchyWarning")
@settings(max_examples=20)
@given(table=tables_with_ties(), k=st.integers(2, 5))
def test_trees_grow_alike_where_columns_have_weights(table, k):
    assert_grown_alike(Cells(table, generalize=True), k)


def assert_grown_alike(cells, k):
    (target, weight), (expected, total) = grow(cells, k), plain_forest(cells, k)
    assert target.tolist() == expected.tolist()
    assert weight == total
