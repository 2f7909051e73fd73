"""OKA, KACA and GCCG: k-anonymous, truthful, deterministic; distances and merges against plain code."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Table
from anonnb.methods.clustering.clustering import GCCG, KACA, OKA, _Tree
from anonnb.methods.clustering.clusters import ValueDistance
from anonnb.privacy import LDiversity

METHODS = [OKA, KACA, GCCG]
PLACES = Hierarchy.from_nested({"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP", "CN"]}})


def random_table(seed, rows=None):
    rng = np.random.default_rng(seed)
    n = rows or int(rng.integers(6, 60))
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "place": rng.choice(["SE", "NO", "IT", "JP", "CN"], n),
            "sex": rng.choice(["m", "f"], n),
            "ill": rng.choice(["a", "b", "c"], n),
        }
    )
    hierarchies = {"age": Hierarchy.intervals(5, 10, 20), "place": PLACES, "sex": Hierarchy.flat()}
    return Table(frame, quasi=["age", "place", "sex"], sensitive=["ill"], hierarchies=hierarchies)


@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(METHODS))
@settings(deadline=None, max_examples=60)
def test_every_cluster_has_k_rows_and_every_cell_holds_its_value(seed, k, method):
    table = random_table(seed)
    release = method(k=k).anonymize(table)
    assert release.group_sizes.min() >= k
    assert len(release) == len(table)
    for name in table.columns:
        assert release.columns[name].holds(table.codes(name)).all()
    assert release.frame["ill"].equals(table.frame["ill"])


@pytest.mark.parametrize("method", METHODS)
def test_required_models_hold(method):
    table = random_table(7, rows=60)
    release = method(k=3, require=[LDiversity(3)]).anonymize(table)
    for group in range(release.n_groups):
        assert len(set(table.codes("ill")[release.rows[release.groups == group]])) == 3


@pytest.mark.parametrize("method", METHODS)
def test_the_report_says_what_changed(method):
    table = anonnb.load("survey")
    release = method(k=10).anonymize(table)
    exact = (release.frame[table.quasi].astype(str) == table.frame[table.quasi].astype(str)).all(axis=1)
    assert release.info["rows_changed"] == int((~exact).sum())
    assert release.info["lost_rules"] <= release.info["rules"]
    again = method(k=10).anonymize(table)
    assert again.frame.equals(release.frame)


def test_missing_values_and_a_single_column_are_fine():
    table = Table(pd.DataFrame({"x": [1.0, np.nan, 3.0, 4.0, np.nan, 9.0], "s": list("ababab")}), quasi=["x"])
    for method in METHODS:
        if method is KACA:
            table = table.with_hierarchies(x=Hierarchy.intervals(5))
        assert method(k=3).anonymize(table).group_sizes.min() >= 3


def value_distances(attribute):
    distance = ValueDistance(attribute)
    return np.stack([distance(code) for code in range(attribute.size)])


def test_distances_of_values():
    table = random_table(1, rows=60)
    ages, places = table.attributes["age"], table.attributes["place"]
    numbers = ages.numbers
    expected = np.abs(np.subtract.outer(numbers, numbers)) / (numbers[-1] - numbers[0])
    assert np.allclose(value_distances(ages), expected)
    found = value_distances(places)
    code = places.code
    assert found[code("SE"), code("NO")] == pytest.approx(1 / 3)
    assert found[code("SE"), code("IT")] == pytest.approx(2 / 3)
    assert found[code("SE"), code("JP")] == 1
    assert found[code("SE"), code("SE")] == 0


def test_clusters_of_equal_rows_stay_exact():
    frame = pd.DataFrame({"a": list("xxxyyyzzz"), "n": [1, 1, 1, 5, 5, 5, 9, 9, 9]})
    table = Table(frame, quasi=["a", "n"], hierarchies={"a": Hierarchy.flat(), "n": Hierarchy.intervals(4)})
    for method in (KACA, GCCG):
        assert method(k=3).anonymize(table).info["rows_changed"] == 0


def test_oka_moves_surplus_rows_to_clusters_that_miss_some():
    # all rows are near one seed; the other clusters are filled with its farthest rows
    table = Table(pd.DataFrame({"n": [0, 1, 2, 3, 4, 5, 6, 1000]}), quasi=["n"])
    release = OKA(k=4).anonymize(table)
    assert sorted(release.group_sizes) == [4, 4]


def plain_gccg(table, k):
    """GCCG row by row, as its docstring tells it."""
    tables = [value_distances(table.attributes[name]) for name in table.quasi]
    codes = table.code_matrix()
    nominal = [a for a, name in enumerate(table.quasi) if table.attributes[name].kind == "nominal"]
    grade = sum(np.bincount(codes[:, a])[codes[:, a]] for a in nominal)
    kind = {tuple(row): place for place, row in reversed(list(enumerate(codes.tolist())))}
    place = [(kind[tuple(row)], number) for number, row in enumerate(codes.tolist())]

    def distance(i, j):
        return sum(t[codes[i, a], codes[j, a]] for a, t in enumerate(tables))

    left, cluster, centres = set(range(len(table))), np.full(len(table), -1), []
    for number in range(len(table) // k):
        centre = min(left, key=lambda row: (-grade[row], place[row]))
        chosen = sorted(left, key=lambda row: (place[row][0] != place[centre][0], distance(centre, row), place[row]))[
            :k
        ]
        cluster[chosen] = number
        centres.append(kind[tuple(codes[centre].tolist())])
        left -= set(chosen)
    for row in left:
        cluster[row] = min(range(len(centres)), key=lambda c: (distance(row, centres[c]), c))
    return cluster


@pytest.mark.parametrize("seed", range(12))
def test_gccg_equals_plain_code(seed):
    table = random_table(seed, rows=40)
    ours = GCCG(k=3)._clusters(table, lambda steps, **_: steps)
    assert (ours == plain_gccg(table, 3)).all()


def test_kaca_costs_are_the_papers_weighted_hierarchical_distance():
    tree = _Tree(random_table(0, rows=60).attributes["place"], beta=1.0)
    node = tree.labels.index
    # h = 4 levels, w_2 = 1, w_3 = 1/2, w_4 = 1/3: a value to its region costs w_4 over their sum
    total = 1 + 1 / 2 + 1 / 3
    assert tree.with_each(node("SE"))[0][node("NO")] == pytest.approx((1 / 3) / total)
    assert tree.with_each(node("SE"))[0][node("IT")] == pytest.approx((1 / 3 + 1 / 2) / total)
    assert tree.with_each(node("SE"))[0][node("JP")] == pytest.approx(1)
    assert tree.with_each(node("North"))[0][node("SE")] == 0
    assert tree.labels[tree.with_each(node("SE"))[2][node("South")]] == "Europe"


def test_kaca_merges_the_pair_that_loses_least():
    frame = pd.DataFrame({"place": ["SE", "NO", "JP", "CN"]})
    table = Table(frame, quasi=["place"], hierarchies={"place": PLACES})
    assert KACA(k=2).anonymize(table).frame["place"].tolist() == ["North", "North", "East", "East"]


def test_a_hierarchy_without_one_top_gets_a_root():
    open_top = Hierarchy.from_dict({"a": ["x"], "b": ["y"]})
    table = Table(pd.DataFrame({"q": ["a", "b"]}), quasi=["q"], hierarchies={"q": open_top})
    assert KACA(k=2).anonymize(table).frame["q"].tolist() == ["*", "*"]


def test_bad_beta_is_named():
    with pytest.raises(ValueError, match="beta"):
        KACA(k=2, beta=-1)


def test_oka_loses_rules_of_adult_where_migration_loses_none():
    table = anonnb.load("adult", variant="migration").take(np.arange(0, 30_169, 5))
    lost = [OKA(k=k).anonymize(table).info["lost_rules"] for k in (5, 50)]
    assert 0 < lost[0] < lost[1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:column")  # default hierarchies
@pytest.mark.parametrize("method", METHODS)
def test_memory_does_not_grow_with_the_square_of_a_domain(method):
    rng = np.random.default_rng(0)
    numbers = np.append(rng.permutation(6000).astype(float), np.nan)  # 36 million pairs: 288 MB as floats
    table = Table(pd.DataFrame({"x": numbers, "zip": [f"{n:05d}" for n in rng.permutation(6001)]}), quasi=["x", "zip"])
    rows = table.take(np.arange(0, 6001, 20))  # few rows, all of the domain
    method(k=3).anonymize(rows.take(range(30)))  # compiled before memory is watched
    tracemalloc.start()
    release = method(k=3).anonymize(rows)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert release.group_sizes.min() >= 3
    assert most < 120e6
