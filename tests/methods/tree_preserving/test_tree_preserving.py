"""Tree-preserving sanitization: the same tree on random tables, the printed steps' counterexample, Adult, corners."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table
from anonnb.methods import TreePreserving
from anonnb.methods.tree_preserving.blocks import Boundary, corrected_values
from anonnb.methods.tree_preserving.tree_preserving import (
    cut_back,
    differences,
    grow_trees,
    largest_l,
    preserves,
    rebuild,
    sanitize,
    verify,
)
from anonnb.tables.labels import HIDDEN_CELL
from tests.methods.mining.tree_tables import KINDS, random_table
from tests.series import series

TARGETS = (["y"], ["z"], ["y", "z", "w"])
COUNTEREXAMPLE = pd.DataFrame({"A": [2, 4, 2, 5, 1], "y": list("00111")})


def is_kept(table, targets, criterion, leaves, *, literal=False):
    """Whether the trees survive, by rows and from the sorted file alone."""
    trees = grow_trees(table, targets, criterion, leaves)
    release = sanitize(table, trees, leaves, literal=literal)
    method = TreePreserving(k=1, targets=targets, criterion=criterion)
    by_rows = preserves(release, trees, leaves, criterion)
    by_file = verify(release.published(also=targets), method._info(release, trees, leaves))["same"].all()
    assert by_rows == by_file
    return by_rows


# ---- the same tree, on random tables ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", [False, True])
def test_many_random_tables(kind, missing):
    rng = np.random.default_rng([KINDS.index(kind), missing])
    for number in series(60):
        table = random_table(rng, kind, missing=missing)
        trees = TARGETS[number % 3]
        assert is_kept(table, trees, ["entropy", "gini"][number // 3 % 2], int(rng.integers(2, 16))), number


@pytest.mark.slow
@pytest.mark.parametrize("targets", TARGETS)
def test_the_printed_steps_lose_trees(targets):
    rng = np.random.default_rng(5)
    lost = sum(not is_kept(random_table(rng, "numeric"), targets, "gini", 10, literal=True) for _ in range(8))
    assert lost > 0


def test_every_number_of_leaves_keeps_its_own_expansions():
    table = random_table(np.random.default_rng(8), "mixed", rows=80)
    trees = grow_trees(table, ["y", "z"], "entropy", 12)
    for leaves in range(1, 13):
        assert preserves(sanitize(table, trees, leaves), trees, leaves, "entropy"), leaves


# ---- the counterexample -------------------------------------------------------------------------------------------


def test_the_counterexample_to_the_printed_steps():
    table = Table(COUNTEREXAMPLE, quasi=["A"], decision="y")
    trees = grow_trees(table, ["y"], "gini", 3)
    assert [node.split.cut for node in trees[0].expansions] == [1.5, 4.5]
    printed = sanitize(table, trees, 3, literal=True)
    found = differences(trees[0], rebuild(printed, ["y"], "gini", 3)[0])
    assert found.to_dict("records") == [
        {"expansion": 2, "differs in": "split point", "original": "A ≤ 4.5 | A > 4.5", "rebuilt": "A ≤ 3 | A > 3"}
    ]
    assert preserves(sanitize(table, trees, 3), trees, 3, "gini")


def test_literal_releases_are_handed_out_unverified_and_verify_shows_the_loss():
    table = Table(COUNTEREXAMPLE, quasi=["A"], decision="y")
    release = TreePreserving(k=1, criterion="gini", max_leaves=3, literal=True).anonymize(table)
    assert release.info["leaves"] == 3
    assert not verify(release.published(), release.info)["same"].all()
    corrected = TreePreserving(k=1, criterion="gini", max_leaves=3).anonymize(table)
    assert verify(corrected.published(), corrected.info)["same"].all()


# ---- step 3 -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), leaves=st.integers(2, 6))
def test_the_last_blocks_that_are_told_are_published(seed, leaves):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"A": rng.integers(0, 30, 20), "y": rng.integers(0, 2, 20).astype(str)})
    steps = TreePreserving(k=1, max_leaves=leaves).steps(Table(frame, quasi=["A"], decision="y"))
    told = [step for step in steps if step.title == "Move A"]
    assume(told)
    published = steps.result.frame["A"].astype(float).value_counts().sort_index()
    assert np.allclose(told[-1].state["published"], published.index, atol=1e-3)
    assert told[-1].state["rows"].tolist() == published.tolist()
    rooms = told[-1].candidates["room"]
    assert rooms[list(told[-1].chosen)].min() == rooms.min()


@settings(max_examples=200)
@given(
    values=st.lists(st.integers(-1000, 1000), min_size=2, max_size=30, unique=True),
    scale=st.sampled_from([1.0, 0.1, 1e-6, 1e6]),
    seed=st.integers(0, 999),
)
def test_step_3_keeps_order_and_every_midpoint(values, scale, seed):
    rng = np.random.default_rng(seed)
    numbers = np.sort(np.array(values)) * scale
    counts = rng.integers(1, 5, len(numbers))
    lefts = rng.integers(0, len(numbers) - 1, 4)
    boundaries = [Boundary(int(left), int(rng.integers(left + 1, len(numbers)))) for left in lefts]
    found = corrected_values(numbers, counts, boundaries)
    assert (np.diff(found) >= 0).all()
    for left, right in boundaries:
        assert found[left] < found[right]
        assert found[left] + found[right] == pytest.approx(numbers[left] + numbers[right], rel=1e-12, abs=1e-12 * scale)
    assert len(np.unique(found)) <= 3 * len(boundaries) + 1


# ---- Adult --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def adult():
    return anonnb.load("adult", variant="tree")


@pytest.fixture(scope="module")
def adult_release(adult):
    return TreePreserving(k=100, max_leaves=8).anonymize(adult)


def test_k_of_adult_at_two_three_and_four_leaves(adult_release):
    tried = adult_release.info["tried"].set_index("leaves")
    assert tried["k"].loc[[2, 3, 4]].tolist() == [13_869, 3_438, 119]
    assert adult_release.info["leaves"] == 4


def test_a_recipient_rebuilds_the_tree_of_adult_from_two_files(adult_release, tmp_path):
    path = adult_release.publish(tmp_path / "adult.csv")
    model = pd.read_csv(io.StringIO(adult_release.info["trees_published"].to_csv(index=False)))
    assert model["leaf"].sum() == 4
    checked = verify(pd.read_csv(path), adult_release.info | {"trees_published": model})
    assert checked["same"].all()
    assert checked["rows"].iloc[0] == 30_162


@pytest.mark.slow
def test_k_and_l_give_the_largest_tree_that_satisfies_both(adult, adult_release):
    tried = adult_release.info["tried"]
    for k, l_ in ((10, 3), (3000, 2), (1, 5.5), (5000, 7)):
        fits = tried[(tried["k"] >= k) & (tried["l"] > l_)]["leaves"].max()
        release = TreePreserving(k=k, l=l_, max_leaves=8).anonymize(adult)
        assert release.info["leaves"] == fits
        assert release.group_sizes.min() >= k
        assert largest_l(release) > l_


def test_an_impossible_l_is_infeasible(adult):
    with pytest.raises(Infeasible, match="even one leaf"):
        TreePreserving(k=2, l=100).anonymize(adult)


# ---- scikit-learn's trees -----------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=15)
@example(seed=569, regression=False, criterion="entropy")
@given(seed=st.integers(0, 10**6), regression=st.booleans(), criterion=st.sampled_from(["entropy", "gini"]))
def test_scikit_learn_builds_the_same_tree_from_the_release(seed, regression, criterion):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.normal(0, 1, 300).round(3), rng.integers(0, 40, 300), rng.random(300).round(2)])
    y = x[:, 0] + x[:, 1] / 20 + rng.normal(0, 0.7, 300)
    frame = pd.DataFrame(x, columns=["u", "v", "w"]).assign(y=y if regression else np.where(y > 1, "high", "low"))
    table = Table(frame, quasi=["u", "v", "w"], decision="y")
    method = TreePreserving(k=1, criterion=criterion, max_leaves=8, builder="sklearn")
    release = method.anonymize(table)
    leaves = release.info["leaves"]
    assert leaves == 8 or not regression  # counts of classes can tie exactly, sums of reals do not
    assume(leaves >= 2)  # a tie at the root leaves no split that is sure to be found again
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    options = {"max_leaf_nodes": leaves, "random_state": 0} | ({} if regression else {"criterion": criterion})
    trees = [kind(**options).fit(data[["u", "v", "w"]], data["y"]).tree_ for data in (frame, release.frame)]
    assert trees[0].feature.tolist() == trees[1].feature.tolist()
    np.testing.assert_allclose(trees[0].threshold, trees[1].threshold, rtol=1e-5, atol=1e-6)
    assert trees[0].n_node_samples.tolist() == trees[1].n_node_samples.tolist()
    ours = [cut.split.cut for cut in release.info["trees"][0].expansions]
    assert sorted(ours) == sorted(trees[0].threshold[trees[0].children_left >= 0])


def test_values_that_single_floats_cannot_tell_apart_stay_together():
    rng = np.random.default_rng(1)
    near = np.repeat([16_777_216.0, 16_777_300.0, 16_777_400.0, 16_777_500.0], 10) + np.tile([0.0, 0.25], 20)
    frame = pd.DataFrame({"x": near, "u": rng.random(40), "y": ["a"] * 10 + ["b"] * 10 + ["a"] * 10 + ["b"] * 10})
    table = Table(frame, quasi=["x", "u"], decision="y")
    release = TreePreserving(k=1, builder="sklearn", max_leaves=4).anonymize(table)
    assert release.info["leaves"] == 4
    assert release.frame["x"].nunique() == 4


def test_scikit_learn_needs_numbers(adult):
    with pytest.raises(ValueError, match="column 'workclass' holds nominal values; use builder='anonnb'"):
        TreePreserving(builder="sklearn").anonymize(adult)
    frame = pd.DataFrame({"x": [1, 2, np.nan, 3], "y": list("abab")})
    with pytest.raises(ValueError, match="column 'x' has missing values"):
        TreePreserving(builder="sklearn").anonymize(Table(frame, quasi=["x"], decision="y"))
    dates = frame.assign(x=pd.date_range("2020", periods=4))
    with pytest.raises(ValueError, match="column 'x' holds dates"):
        TreePreserving(builder="sklearn").anonymize(Table(dates, quasi=["x"], decision="y"))


# ---- corners ------------------------------------------------------------------------------------------------------


def test_decision_and_regression_trees_at_once():
    table = anonnb.load("gbsg2").with_roles(sensitive=[])
    release = TreePreserving(k=5, targets=["time", "cens"]).anonymize(table)
    assert [tree.criterion for tree in release.info["trees"]] == ["variance", "entropy"]
    published = release.published(also=["cens", "time"])
    assert verify(published, release.info)["same"].all()
    assert set(release.info["trees_published"]["target"]) == {"time", "cens"}
    with pytest.raises(KeyError, match="lacks column 'cens'; publish it"):
        verify(release.published(), release.info)


def test_ordered_values_stay_in_order():
    table = anonnb.load("car")
    release = TreePreserving(k=20, max_leaves=8).anonymize(table)
    used = {node.split.attribute.name for node in release.info["trees"][0].expansions}
    assert used <= set(release.info["orders"])
    for name in used:
        sets = release.columns[name].sets
        assert (np.diff(sets.lo) > 0).all()
        assert (sets.hi[:-1] < sets.lo[1:]).all()
    assert verify(release.published(), release.info)["same"].all()


def test_dates_become_ordered_blocks():
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 300, 60), unit="D")
    frame = pd.DataFrame({"day": days, "n": rng.integers(0, 9, 60)})
    frame["y"] = np.where((days < "2020-04-01") | (days > "2020-08-01"), "a", "b")
    frame.loc[::7, "day"] = pd.NaT
    release = TreePreserving(k=3, max_leaves=5).anonymize(Table(frame, quasi=["day", "n"], decision="y"))
    assert release.info["kinds"]["day"] == "ordinal"
    assert release.info["leaves"] >= 3
    assert release.frame["day"].nunique() >= 3
    assert all(label.startswith("[2020-") or "missing" in label for label in release.info["orders"]["day"])


def test_missing_values_stay_missing_where_a_tree_asks_for_them():
    frame = pd.DataFrame({"x": [1, 2, 3, 4, None, None], "c": list("pqpqpq"), "y": list("aaaabb")})
    release = TreePreserving(k=1, max_leaves=2).anonymize(Table(frame, quasi=["x", "c"], decision="y"))
    assert release.info["trees_published"]["condition"].tolist() == ["all rows", "x is known", "x is missing"]
    assert release.frame["x"].isna().tolist() == [False] * 4 + [True] * 2
    assert set(release.frame["c"]) == {HIDDEN_CELL}
    assert verify(release.published(), release.info)["same"].all()


def test_unused_numbers_become_their_mean_and_unused_categories_a_star():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "n": [5, 5, 6, 8], "c": list("uvuv"), "y": list("aabb")})
    release = TreePreserving(k=2).anonymize(Table(frame, quasi=["x", "n", "c"], decision="y"))
    assert release.frame["n"].tolist() == [6.0] * 4
    assert release.frame["c"].tolist() == [HIDDEN_CELL] * 4
    assert release.frame["x"].tolist() == [1.5, 1.5, 3.5, 3.5]
    assert release.frame["y"].equals(frame["y"])


def test_many_categories_with_several_classes_fall_back_to_a_tree_that_can_be_rebuilt():
    """Beyond ten categories not all subsets are tried, so a merged table may offer a better one."""
    rng = np.random.default_rng(3)
    fell_back = 0
    for _ in range(6):
        frame = pd.DataFrame({"c": rng.choice(list("abcdefghijklmnop"), 150), "y": rng.choice(list("pqrst"), 150)})
        table = Table(frame, quasi=["c"], decision="y")
        release = TreePreserving(k=1, max_leaves=8).anonymize(table)
        assert verify(release.published(), release.info)["same"].all()
        tried = release.info["tried"].set_index("leaves")["rebuilt"]
        assert tried[release.info["leaves"]] is True
        fell_back += bool((tried == False).any())  # noqa: E712  None means not tried
    assert fell_back > 0


def test_verify_notices_a_changed_table_and_a_changed_tree():
    release = TreePreserving(k=5).anonymize(anonnb.load("survey"))
    published = release.published()
    wrong = published.assign(Hypertension=published["Hypertension"].to_numpy()[::-1])
    assert not verify(wrong, release.info)["same"].all()
    lines = release.info["trees_published"]
    claimed = lines.assign(rows=np.where(lines["node"] == 1, 1, lines["rows"]))
    assert verify(published, release.info | {"trees_published": claimed})["same"].tolist().count(False) == 1


def test_cutting_back_keeps_the_first_expansions():
    tree = grow_trees(anonnb.load("survey"), ["Hypertension"], "entropy", 6)[0]
    small = grow_trees(anonnb.load("survey"), ["Hypertension"], "entropy", 3)[0]
    assert differences(cut_back(tree, 3), small).empty
    found = differences(cut_back(tree, 3), cut_back(tree, 2))
    assert found["differs in"].tolist() == ["missing in one tree"]


def test_bad_targets_are_refused():
    frame = pd.DataFrame({"id": [1, 2], "x": [1, 2], "y": ["a", "b"], "d": pd.date_range("2020", periods=2)})
    table = Table(frame, quasi=["x"], identifier=["id"])
    for targets, message in [
        ((), "name what the tree predicts"),
        (["q"], "there is no column 'q'"),
        (["x"], "target 'x' is a quasi-identifier"),
        (["id"], "target 'id' is an identifier"),
        (["d"], "target 'd' holds dates"),
        (["y", "y"], "names a column twice"),
    ]:
        with pytest.raises((ValueError, KeyError), match=message):
            TreePreserving(targets=targets).anonymize(table)
