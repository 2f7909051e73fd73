"""Microaggregation: the printed losses, plain versions in exact fractions, and brute force."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table, privacy, utility
from anonnb.methods import Microaggregation
from anonnb.methods.microaggregation._mdav import mdav, v_mdav
from anonnb.methods.microaggregation._univariate import best_runs
from anonnb.testing import check_method


def numbers(rows) -> Table:
    frame = pd.DataFrame(rows).add_prefix("x")
    return Table(frame, quasi=list(frame.columns))


def sets_of(groups) -> set[frozenset]:
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in np.unique(groups)}


# ---- facts of the literature ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "printed"), [(3, 5.6922), (5, 9.0884), (10, 14.1559)])
def test_the_losses_printed_for_the_census_table_come_out(k, printed):
    table = anonnb.load("census")
    release = Microaggregation(k=k).anonymize(table)
    assert 100 * utility.sse(table, release) == pytest.approx(printed, abs=5e-5)
    assert privacy.k(release) == k


@pytest.mark.parametrize(
    ("k", "runs", "squares"), [(2, [0, 0, 1, 1, 2, 2, 3, 3], 6.0), (3, [0, 0, 0, 0, 0, 1, 1, 1], 65.8667)]
)
def test_the_best_runs_of_the_worked_example(k, runs, squares):
    values = np.array([1, 2, 4, 7, 8, 9, 15, 16], dtype=float)
    groups = best_runs(values, k)
    assert groups.tolist() == runs
    assert within(values, groups) == pytest.approx(squares, abs=5e-5)


def test_groups_of_variable_size_follow_the_clusters():
    """Two clusters of five rows: at k = 3 the last group of MDAV holds rows of both, V-MDAV keeps them whole."""
    table = numbers([[0.0], [0.1], [0.2], [0.3], [0.4], [10.0], [10.1], [10.2], [10.3], [10.4]])
    assert any(min(group) < 5 <= max(group) for group in sets_of(mdav(table, 3)))
    assert sets_of(v_mdav(table, 3, 1.1)) == {frozenset(range(5)), frozenset(range(5, 10))}


def test_fewer_than_k_rows_in_the_end_join_the_nearest_group():
    table = numbers([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2], [4.0]])
    assert sets_of(v_mdav(table, 3, 0.2)) == {frozenset({0, 1, 2, 6}), frozenset({3, 4, 5})}


# ---- against plain versions -------------------------------------------------------------------------------------


def within(values: np.ndarray, groups: np.ndarray) -> float:
    return sum(float(((values[groups == g] - values[groups == g].mean()) ** 2).sum()) for g in np.unique(groups))


def plain_mdav(rows: list[tuple[int, ...]], k: int) -> set[frozenset]:
    """MDAV in fractions: squared distances over variances are rational, so ties are ties."""
    columns = list(zip(*rows, strict=True))
    means = [Fraction(sum(column), len(rows)) for column in columns]
    pairs = zip(columns, means, strict=True)
    variances = [sum((x - mean) ** 2 for x in column) / (len(rows) - 1) for column, mean in pairs]

    def distance(a, b) -> Fraction:
        return sum((x - y) ** 2 / v for x, y, v in zip(a, b, variances, strict=True) if v)

    def gather(row: int, left: list[int]) -> set[int]:
        near = sorted((i for i in left if i != row), key=lambda i: (distance(rows[i], rows[row]), i))
        return {row, *near[: k - 1]}

    def farthest(point, left: list[int]) -> int:
        return max(left, key=lambda i: (distance(rows[i], point), -i))

    def centre(left: list[int]) -> list[Fraction]:
        return [Fraction(sum(rows[i][a] for i in left), len(left)) for a in range(len(columns))]

    left, groups = list(range(len(rows))), []
    while len(left) >= 3 * k:
        first = farthest(centre(left), left)
        groups.append(gather(first, left))
        left = [i for i in left if i not in groups[-1]]
        groups.append(gather(farthest(rows[first], left), left))
        left = [i for i in left if i not in groups[-1]]
    if len(left) >= 2 * k:
        groups.append(gather(farthest(centre(left), left), left))
        left = [i for i in left if i not in groups[-1]]
    return {frozenset(group) for group in [*groups, left] if group}


@settings(max_examples=200)
@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.tuples(*[st.integers(-6, 6)] * width), min_size=3, max_size=24)
    ),
    st.integers(2, 4),
)
def test_mdav_equals_a_plain_version_in_exact_fractions(rows, k):
    if len(rows) >= k:
        assert sets_of(mdav(numbers(rows), k)) == plain_mdav(rows, k)


def groupings(rows: tuple[int, ...], k: int):
    """All ways to divide rows into groups of at least k."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for size in range(k - 1, len(rest) + 1):
        for others in combinations(rest, size):
            left = tuple(row for row in rest if row not in others)
            for further in groupings(left, k) if len(left) >= k or not left else ():
                yield [(first, *others), *further]


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=9), st.integers(2, 4))
def test_no_grouping_of_one_column_has_a_smaller_sum_of_squares(values, k):
    values = np.array(values, dtype=float)
    if len(values) < k:
        return
    groups = best_runs(values, k)
    assert np.bincount(groups).min() >= k
    best = min(
        sum(float(((values[list(part)] - values[list(part)].mean()) ** 2).sum()) for part in grouping)
        for grouping in groupings(tuple(range(len(values))), k)
    )
    assert within(values, groups) == pytest.approx(best, abs=1e-9)


# ---- promises ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["mdav", "v-mdav"])
@settings(max_examples=25)
@given(data=st.data())
def test_groups_have_k_rows_and_at_most_twice_as_many(algorithm, data):
    k = data.draw(st.integers(2, 4))
    rows = data.draw(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=k, max_size=30))
    table = Table(pd.DataFrame(rows, columns=["x", "y"]), quasi=["x", "y"])
    release = Microaggregation(k=k, algorithm=algorithm).anonymize(table)
    assert release.group_sizes.min() >= k
    assert release.n_suppressed == 0
    groups = mdav(table, k) if algorithm == "mdav" else v_mdav(table, k, 0.2)
    assert np.bincount(groups).max() <= (2 * k - 1 if algorithm == "mdav" else 3 * k - 2)


@pytest.mark.slow
def test_the_contract_holds_with_groups_of_variable_size():
    check_method(Microaggregation(k=3, algorithm="v-mdav"))


def test_numbers_keep_their_means_and_categories_become_the_commonest():
    frame = pd.DataFrame({"age": [20, 22, 24, 60, 62, 64], "sex": list("fffmmm"), "pet": list("ccdddc")})
    release = Microaggregation(k=3).anonymize(Table(frame, quasi=["age", "sex", "pet"]))
    assert release.frame["age"].tolist() == [22.0] * 3 + [62.0] * 3
    assert release.frame["pet"].tolist() == list("cccddd")


# ---- bad input --------------------------------------------------------------------------------------------------


def test_the_optimum_is_for_one_column_of_numbers():
    two = numbers([[1, 2], [3, 4], [5, 6]])
    with pytest.raises(ValueError, match="takes one quasi-identifier of numbers, but there are 2; use algorithm"):
        Microaggregation(k=2, algorithm="optimal").anonymize(two)
    words = Table(pd.DataFrame({"sex": list("fmf")}), quasi=["sex"])
    with pytest.raises(ValueError, match="column 'sex' has the kind nominal"):
        Microaggregation(k=2, algorithm="optimal").anonymize(words)
    gaps = Table(pd.DataFrame({"age": [1.0, None, 3.0]}), quasi=["age"])
    with pytest.raises(ValueError, match="column 'age' has missing values"):
        Microaggregation(k=2, algorithm="optimal").anonymize(gaps)


@pytest.mark.slow
@given(values=st.lists(st.integers(0, 30), min_size=4, max_size=12), k=st.integers(2, 3))
def test_the_steps_of_the_best_groups_are_a_shortest_path(values, k):
    """Each step takes the cheapest last group, and the groups it shows have the sum of squares that it names."""
    table = Table(pd.DataFrame({"x": values}), quasi=["x"])
    run = Microaggregation(k=k, algorithm="optimal").steps(table)
    path = [step for step in run if step.title.startswith("The first ")]
    for step in path:
        prices = step.candidates["sum"]
        assert prices[~prices.index.duplicated()][step.chosen[0]] <= prices.min() + 1e-9
        shown = pd.Series(values)[step.state.groups >= 0].groupby(step.state.groups[step.state.groups >= 0])
        assert shown.apply(lambda part: ((part - part.mean()) ** 2).sum()).sum() == pytest.approx(
            prices.min(), abs=1e-3
        )
        assert (shown.size() >= k).all()
    assert (path[-1].state.groups >= 0).all()
    means = pd.Series(values).groupby(path[-1].state.groups).transform("mean").to_numpy()
    assert np.allclose(run.result.frame["x"].astype(float), means, atol=0.01)
