"""Trees against scikit-learn, against a plain search for the best split, and on the corners."""

import heapq
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import anonnb
from anonnb import Table
from anonnb.trees import Grower, grow, planted
from anonnb.trees.growing import ordering
from anonnb.trees.searching import ValueCounts
from anonnb.trees.splits import AllSubsets, OrderedSubsets, ScoredCuts, Scorer, best_cut, is_better


def numeric_table(seed: int, classes: int | None) -> tuple[Table, np.ndarray, np.ndarray]:
    """Columns of distinct numbers, so that no two splits tie; the target depends on them with noise."""
    random = np.random.default_rng(seed)
    x = np.round(random.normal(size=(400, 4)), 6)
    signal = 1.7 * x[:, 0] - x[:, 1] * (x[:, 2] > 0.3) + random.normal(size=400) / 2
    y = signal if classes is None else np.digitize(signal, np.quantile(signal, np.linspace(0, 1, classes + 1)[1:-1]))
    frame = pd.DataFrame(x, columns=list("abcd")).assign(y=y if classes is None else [f"c{value}" for value in y])
    return Table(frame, decision="y"), x, frame["y"].to_numpy()


def leaves_of(groups: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(groups == leaf).tolist()) for leaf in np.unique(groups)}


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("criterion", ["entropy", "gini"])
    @pytest.mark.parametrize(("seed", "classes", "leaves"), [(0, 2, 6), (1, 3, 9), (2, 2, 12), (3, 4, 8)])
    def test_decision_trees_are_equal(self, criterion, seed, classes, leaves):
        table, x, y = numeric_table(seed, classes)
        ours = grow(table, criterion=criterion, max_leaves=leaves)
        theirs = DecisionTreeClassifier(criterion=criterion, max_leaf_nodes=leaves, random_state=0).fit(x, y)
        assert leaves_of(ours.find(table)) == leaves_of(theirs.apply(x))
        assert (ours.predict(table).to_numpy() == theirs.predict(x)).all()
        new = np.random.default_rng(seed + 99).normal(size=(500, 4))
        other = Table(pd.DataFrame(new, columns=list("abcd")))
        assert (ours.predict(other).to_numpy() == theirs.predict(new)).all(), "thresholds are midpoints on both sides"

    @pytest.mark.parametrize(("seed", "leaves", "least"), [(4, 5, 1), (5, 10, 1), (6, 8, 7)])
    def test_regression_trees_are_equal(self, seed, leaves, least):
        table, x, y = numeric_table(seed, None)
        ours = grow(table, max_leaves=leaves, min_leaf=least)
        theirs = DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_leaf=least, random_state=0).fit(x, y)
        assert ours.is_regression
        assert leaves_of(ours.find(table)) == leaves_of(theirs.apply(x))
        assert ours.predict(table).to_numpy() == pytest.approx(theirs.predict(x))
        assert ours.score(table) == pytest.approx(theirs.score(x, y))


# ---- a plain search for the best split ---------------------------------------------------------------------------


def plain_impurity(values: list, criterion: str) -> float:
    n = len(values)
    shares = [values.count(value) / n for value in set(values)]
    if criterion == "gini":
        return n * (1 - sum(share * share for share in shares))
    if criterion == "entropy":
        return -n * sum(share * math.log2(share) for share in shares)
    mean = sum(values) / n
    return sum((value - mean) ** 2 for value in values)


def plain_gain(parts: list[list], criterion: str) -> float:
    whole = [value for part in parts for value in part]
    return plain_impurity(whole, criterion) - sum(plain_impurity(part, criterion) for part in parts)


def plain_partitions(column: list, numeric: bool):
    values = sorted(set(column))
    if numeric:
        for cut in values[:-1]:
            yield [value <= cut for value in column]
    else:
        for size in range(1, len(values)):
            for left in itertools.combinations(values, size):
                yield [value in left for value in column]


@st.composite
def small_tables(draw):
    n = draw(st.integers(2, 14))
    letters = draw(st.lists(st.sampled_from("uvwxyz"), min_size=n, max_size=n))
    numbers = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    criterion = draw(st.sampled_from(["entropy", "gini", "variance"]))
    labels = st.integers(-3, 9) if criterion == "variance" else st.sampled_from(["no", "yes", "maybe"])
    target = draw(st.lists(labels, min_size=n, max_size=n))
    kinds = {"y": "numeric"} if criterion == "variance" else None
    table = Table(pd.DataFrame({"n": numbers, "s": letters, "y": target}), decision="y", kinds=kinds)
    return table, criterion, numbers, letters, target


@settings(max_examples=120)
@given(small_tables())
def test_the_first_split_is_the_best_of_all(case):
    table, criterion, numbers, letters, target = case
    gains = [
        plain_gain(
            [[y for y, left in zip(target, side, strict=True) if left is wanted] for wanted in (True, False)], criterion
        )
        for column, numeric in ((numbers, True), (letters, False))
        for side in plain_partitions(column, numeric)
    ]
    best = max(gains, default=0.0)
    split = Grower(table, "y", ["n", "s"], criterion).best_split(np.arange(len(table)))
    if split is None:
        assert best == pytest.approx(0, abs=1e-6)
    else:
        assert split.score * len(table) == pytest.approx(best, abs=1e-6)
        branch = split.branch[table.codes(split.attribute.name)]
        parts = [[y for y, b in zip(target, branch, strict=True) if b == number] for number in (0, 1)]
        assert plain_gain(parts, criterion) == pytest.approx(best, abs=1e-6)


@given(small_tables(), st.integers(1, 8), st.booleans())
def test_a_tree_is_a_partition_and_predicts_what_its_leaves_hold(case, leaves, multiway):
    table, criterion, *_ = case
    tree = grow(table, criterion=criterion, max_leaves=leaves, multiway=multiway)
    assert len(tree.leaves) <= leaves
    assert sorted(np.concatenate([leaf.rows for leaf in tree.leaves]).tolist()) == list(range(len(table)))
    place = tree.find(table)
    for number, leaf in enumerate(tree.leaves):
        assert set(np.flatnonzero(place == number)) == set(leaf.rows)
    for node in tree.nodes:
        if node.children:
            assert sum(len(child.rows) for child in node.children) == len(node.rows)
            assert node.stats == pytest.approx(sum(child.stats for child in node.children))


# ---- ties, missing and unseen values, other corners ---------------------------------------------------------------


def test_ties_go_to_the_earlier_attribute_and_the_lower_cut():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4], "y": ["n", "y", "y", "n"]})
    tree = grow(Table(frame, decision="y"), max_leaves=2)
    assert tree.leaves[0].condition == "a ≤ 1.5"
    swapped = grow(Table(frame[["b", "a", "y"]], decision="y"), max_leaves=2)
    assert swapped.leaves[0].condition == "b ≤ 1.5"


def test_missing_numbers_are_a_side_of_their_own_or_join_the_high_side():
    frame = pd.DataFrame({"a": [1.0, 2.0, None, None], "y": ["n", "n", "y", "y"]})
    tree = grow(Table(frame, decision="y"))
    assert [leaf.condition for leaf in tree.leaves] == ["a is known", "a is missing"]
    assert tree.score(Table(frame, decision="y")) == 1.0
    new = Table(pd.DataFrame({"a": [None, 77.0]}, dtype=float))
    assert tree.predict(new).tolist() == ["y", "n"]
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, None], "y": ["n", "n", "y", "y"]})
    assert grow(Table(frame, decision="y")).predict(new).tolist() == ["y", "y"]


def test_unseen_values_go_with_the_larger_side():
    frame = pd.DataFrame({"s": list("aaabbc"), "y": list("nnnyyy")})
    tree = grow(Table(frame, decision="y"), multiway=True)
    assert len(tree.leaves) == 3
    assert tree.predict(Table(pd.DataFrame({"s": ["zz", "b", None]}))).tolist() == ["n", "y", "n"]


def test_gain_ratio_prefers_few_branches():
    frame = pd.DataFrame({"id": list("abcdefgh"), "s": list("xxxyyyyy"), "y": list("nnnnyyyy")})
    table = Table(frame, decision="y")
    assert grow(table, criterion="entropy", multiway=True, max_leaves=8).root.split.attribute.name == "id"
    assert grow(table, criterion="gain_ratio", multiway=True, max_leaves=8).root.split.attribute.name == "s"


def test_more_than_ten_values_still_find_the_best_subset_for_two_classes():
    random = np.random.default_rng(3)
    letters = random.choice(list("abcdefghijkl"), 200)
    answers = np.where(np.isin(letters, list("adgk")) ^ (random.random(200) < 0.2), "y", "n")
    table = Table(pd.DataFrame({"s": letters, "y": answers}), decision="y")
    split = grow(table, max_leaves=2).root.split
    best = max(
        plain_gain([list(answers[side]), list(answers[~side])], "entropy")
        for size in range(1, 7)
        for left in itertools.combinations("abcdefghijkl", size)
        for side in [np.isin(letters, left)]
    )
    assert split.score * 200 == pytest.approx(best)


def test_a_value_that_no_row_had_goes_where_most_rows_went():
    frame = pd.DataFrame({"s": list("aaaaabc"), "y": list("nnnnnyy")})
    tree = grow(Table(frame, decision="y"), max_leaves=2)
    new = Table(pd.DataFrame({"s": ["q"], "y": ["n"]}), decision="y")
    assert tree.predict(new).tolist() == ["n"]  # one value with five rows, not two values with one each


def test_the_figure_of_the_chapter():
    table = anonnb.load("survey")
    tree = planted(table, {"Sex": {"M": "Marital_status", "F": "Hours"}})
    yes = table.attributes["Hypertension"].code("Y")
    counts = {node.condition: (len(node.rows), int(node.stats[yes]), int(node.stats[1 - yes])) for node in tree.nodes}
    assert counts == {
        "": (66, 32, 34),
        "Sex = M": (55, 30, 25),
        "Marital_status = married": (10, 8, 2),
        "Marital_status = divorced": (19, 16, 3),
        "Marital_status = single": (26, 6, 20),
        "Sex = F": (11, 2, 9),
        "Hours = 35": (2, 0, 2),
        "Hours = 50": (9, 2, 7),
    }


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"target": "nothing"}, KeyError, "no column 'nothing'"),
        ({"criterion": "magic"}, ValueError, "criterion 'magic' is not known"),
        ({"max_leaves": 0}, ValueError, "max_leaves must be at least 1, not 0"),
        ({"target": "class", "criterion": "variance"}, ValueError, "'class': a regression tree needs numbers"),
    ],
)
def test_bad_options(options, error, text):
    with pytest.raises(error, match=text):
        grow(anonnb.load("iris"), **options)


def test_a_table_without_rows_or_decision():
    table = anonnb.load("iris")
    with pytest.raises(ValueError, match="no rows"):
        grow(table.take(np.array([], dtype=int)))
    with pytest.raises(ValueError, match="no decision; name the target"):
        grow(table.with_roles(decision=None))


# ---- counts of nodes, and a queue that compares leaves only when it must ---------------------------------------------


def random_table(seed: int, values: int = 14) -> Table:
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 120))
    frame = pd.DataFrame({name: random.integers(0, values, rows).astype(str) for name in "ab"})
    # columns that say the same under other names tie, at every position in the order of the attributes
    frame = frame.assign(d="x" + frame["b"], e="y" + frame["a"], number=random.integers(0, 40, rows))
    frame = frame[list(random.permutation(frame.columns))]
    frame["class"] = ((frame["number"] + random.integers(0, 9, rows)) % int(random.integers(2, 5))).astype(str)
    return Table(frame, decision="class")


@given(st.integers(0, 10_000), st.integers(1, 4))
@settings(max_examples=30)
def test_the_counts_of_parts_are_those_of_their_rows(seed, parts):
    table, random = random_table(seed), np.random.default_rng(seed)
    columns = {name: (table.codes(name), table.attributes[name].size) for name in table.conditions}
    counts = ValueCounts(columns, table.codes("class"), table.attributes["class"].size)
    part = random.integers(0, parts, len(table))
    rows = [np.flatnonzero(part == number) for number in range(parts)]
    found = counts.of_parts(counts.of(np.arange(len(table))), rows)
    for here, each in zip(found, rows, strict=True):
        assert (here == counts.of(each)).all()
        assert counts.whole(here).sum() == len(each)
        if len(each) == 0:
            continue
        for name, (seen, stats) in counts.seen(here).apart().items():
            codes = table.codes(name)[each]
            assert seen.tolist() == np.unique(codes).tolist()
            wanted = [np.bincount(table.codes("class")[each][codes == code], minlength=counts.classes) for code in seen]
            assert stats.tolist() == np.array(wanted).tolist()


@given(
    st.integers(0, 10_000),
    st.sampled_from(["entropy", "gini", "gain_ratio", "variance"]),
    st.integers(2, 12),
    st.integers(1, 4),
    st.booleans(),
)
def test_leaves_that_wait_unlooked_at_change_no_tree(seed, criterion, leaves, min_leaf, multiway):
    """The readable twin looks at every attribute of every leaf at once; leaving some out changes no choice either."""
    table = random_table(seed)
    target = "number" if criterion == "variance" else "class"
    names = [name for name in table.columns if name != target]
    grower = Grower(table, target, names, criterion, min_leaf, multiway)
    tree = grower.grow(leaves)
    root, waiting, count, now, order = grower.root(), [], 1, 1, []

    def offer(node):
        best = None
        for split in grower.candidates(node.rows):
            if best is None or is_better(split.score, best.score):
                best = split
        if best is not None and is_better(best.score, 1e-12):
            heapq.heappush(waiting, (-ordering(best.score), node.number, node, best))

    offer(root)
    while waiting and now < leaves:
        *_, node, split = heapq.heappop(waiting)
        if now + split.n_branches - 1 > leaves:
            continue
        grower.expand(node, split, count)
        count, now = count + split.n_branches, now + split.n_branches - 1
        order.append((node.number, node.rows.tolist(), split.score, split.branch.tolist()))
        for child in node.children:
            offer(child)
    found = [
        (node.number, node.rows.tolist(), node.split.score, node.split.branch.tolist()) for node in tree.expansions
    ]
    assert [(a, b, d) for a, b, _, d in found] == [(a, b, d) for a, b, _, d in order]
    assert [line[2] for line in found] == pytest.approx([line[2] for line in order], rel=1e-9)


def test_few_leaves_are_looked_at(monkeypatch):
    """A leaf of one class, or with little left to gain, waits until its turn, which never comes here."""
    looked = []
    plain = Grower.best_split
    monkeypatch.setattr(Grower, "best_split", lambda self, *given: looked.append(1) or plain(self, *given))
    random = np.random.default_rng(0)
    number = random.integers(0, 1000, 3000)
    noise = random.random(3000) < np.where(number < 500, 0.02, 0.4)
    frame = pd.DataFrame({"number": number, "class": np.where(noise, "n", "y")})
    tree = grow(Table(frame, decision="class"), max_leaves=20)
    assert len(tree.expansions) == 19
    assert len(looked) < 2 * 19


@given(st.integers(0, 10_000), st.integers(2, 16), st.sampled_from([2, 3, "variance"]))
def test_the_statistics_of_subsets_are_those_of_their_values(seed, values, kind):
    random = np.random.default_rng(seed)
    if kind == "variance":
        sizes = random.integers(1, 9, values)
        stats = np.column_stack([sizes, sizes * random.integers(-3, 4, values), sizes * 16]).astype(float)
    else:
        stats = random.integers(0, 4, (values, kind)) + np.eye(values, kind, dtype=np.int64)
        stats[:, 0] += stats.sum(axis=1) == 0
    scorer = Scorer("variance" if kind == "variance" else "entropy", stats.sum(axis=0), int(stats.sum()), 1)
    lead = int(random.integers(values))
    for cls in (AllSubsets, OrderedSubsets) if values <= 10 else (OrderedSubsets,):
        subsets = cls(stats, scorer, lead)
        assert len(subsets.stats) > 0
        for number, found in enumerate(subsets.stats):
            mask = subsets.mask(number)
            assert mask[lead]
            assert not mask.all()
            assert found.tolist() == stats[mask].sum(axis=0).tolist()


@given(st.integers(0, 10_000), st.sampled_from(["entropy", "gini"]), st.integers(1, 9))
def test_all_cuts_at_once_are_those_of_each_attribute(seed, criterion, min_leaf):
    random = np.random.default_rng(seed)
    rows, sizes = int(random.integers(2, 60)), random.integers(1, 12, 4)
    frame = pd.DataFrame({f"n{number}": random.integers(0, size, rows) for number, size in enumerate(sizes)})
    frame["n0"] = frame["n0"].where(random.random(rows) < 0.9)  # some are missing
    frame["class"] = random.integers(0, 3, rows).astype(str)
    table = Table(frame, decision="class", kinds={f"n{number}": "numeric" for number in range(4)})
    columns = {name: (table.codes(name), table.attributes[name].size) for name in table.conditions}
    counts = ValueCounts(columns, table.codes("class"), table.attributes["class"].size)
    some = np.flatnonzero(random.random(rows) < 0.8)
    if len(some) == 0:
        return
    found = counts.of(some)
    scorer, seen = Scorer(criterion, counts.whole(found), rows, min_leaf), counts.seen(found)
    cuts = ScoredCuts(seen.counts, seen.begins, scorer)
    for number, name in enumerate(table.conditions):
        expected = best_cut(table.attributes[name], *seen.part(number), scorer)
        cut = cuts.best(number, table.attributes[name], seen.part(number)[0])
        assert (cut is None) == (expected is None) == (cuts.scores[number] == -np.inf)
        if cut is not None:
            assert (cut.cut, cut.larger, cut.branch.tolist()) == (
                expected.cut,
                expected.larger,
                expected.branch.tolist(),
            )
            assert cut.score == pytest.approx(expected.score)
            assert cut.score == pytest.approx(cuts.scores[number], rel=1e-8)
