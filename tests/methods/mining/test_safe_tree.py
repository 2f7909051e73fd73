"""Safe trees: the chapter's figures, and an attacker of our own who tries everything."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table, privacy
from anonnb.methods import SafeTree
from anonnb.tables.labels import HIDDEN_CELL
from anonnb.trees import Tree, grow, planted
from tests.methods.mining.tree_tables import random_table

SURVEY = anonnb.load("survey")


def figure_1_9() -> Tree:
    return planted(SURVEY, {"Sex": {"M": "Marital_status", "F": "Hours"}})


def counted(release) -> dict[tuple, tuple[int, int, int]]:
    """Each class of a release: rows, Y, N."""
    frame = release.frame
    sizes = frame.groupby(release.quasi, sort=False)["Hypertension"].agg(["size", lambda s: (s == "Y").sum()])
    return {
        tuple(key): (int(n), int(yes), int(n - yes))
        for key, (n, yes) in zip(sizes.index, sizes.to_numpy(), strict=True)
    }


class TestTheChapter:
    def test_figure_1_16_hides_the_two_leaves_of_females(self):
        result = SafeTree(k=3, strategy="hide", tree=figure_1_9()).anonymize(SURVEY)
        shown = result.frame.set_index("condition")["rows"].to_dict()
        assert shown == {
            "all rows": 66,
            "Sex = M": 55,
            "Sex = F": 11,
            "Marital_status = married": 10,
            "Marital_status = divorced": 19,
            "Marital_status = single": 26,
        }
        married = result.frame.set_index("condition").loc["Marital_status = married"]
        assert (married["Hypertension=Y"], married["Hypertension=N"]) == (8, 2), "class counts may be below k"

    def test_figures_1_17_and_1_18(self):
        result = SafeTree(k=2, strategy="merge", tree=figure_1_9()).anonymize(SURVEY)
        assert counted(result.release) == {
            ("divorced", "M", HIDDEN_CELL): (19, 16, 3),
            (HIDDEN_CELL, "F", "35"): (2, 0, 2),
            ("married", "M", HIDDEN_CELL): (10, 8, 2),
            (HIDDEN_CELL, "F", "50"): (9, 2, 7),
            ("single", "M", HIDDEN_CELL): (26, 6, 20),
        }

    def test_figures_1_19_and_1_20(self):
        result = SafeTree(k=11, strategy="merge", tree=figure_1_9()).anonymize(SURVEY)
        assert [leaf.condition for leaf in result.tree.leaves] == [
            "Sex = F",
            "Marital_status = been_married",
            "Marital_status = single",
        ]
        assert counted(result.release) == {
            ("been_married", "M", HIDDEN_CELL): (29, 24, 5),
            (HIDDEN_CELL, "F", HIDDEN_CELL): (11, 2, 9),
            ("single", "M", HIDDEN_CELL): (26, 6, 20),
        }
        assert privacy.k(result.release) == 11


# ---- an attacker who tries every number of people in every drawn leaf ----------------------------------------------


@st.composite
def tiny_tables(draw):
    n = draw(st.integers(4, 11))
    columns = {name: draw(st.lists(st.sampled_from("uvw"), min_size=n, max_size=n)) for name in "ab"}
    numbers = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    target = draw(st.lists(st.sampled_from("ny"), min_size=n, max_size=n))
    return Table(pd.DataFrame({**columns, "c": numbers, "y": target}), quasi=["a", "b", "c"], decision="y")


def worlds(total: int, leaves: int) -> np.ndarray:
    """Every way to put ``total`` people into so many leaves, none of them empty."""
    cuts = itertools.combinations(range(1, total), leaves - 1)
    return np.array([np.diff([0, *cut, total]) for cut in cuts])


def tells_too_much(shown: dict[int, int], leaves_below: dict[int, list[int]], leaves: list[int], k: int) -> bool:
    """Whether some union of drawn leaves surely holds 1 to k − 1 people, given the shown counts."""
    total = shown[0]
    possible = worlds(total, len(leaves))
    for node, count in shown.items():
        places = [leaves.index(leaf) for leaf in leaves_below[node]]
        possible = possible[possible[:, places].sum(axis=1) == count]
    return any(
        possible[:, list(union)].sum(axis=1).max() < k
        for size in range(1, len(leaves) + 1)
        for union in itertools.combinations(range(len(leaves)), size)
    )


def read(frame: pd.DataFrame) -> tuple[dict[int, int], dict[int, list[int]], list[int]]:
    """What a reader sees of a published tree: shown counts, the drawn leaves below each node, all drawn leaves."""
    children = {node: frame.loc[frame["parent"] == node, "node"].tolist() for node in frame["node"]}

    def below(node: int) -> list[int]:
        return [node] if not children[node] else [leaf for child in children[node] for leaf in below(child)]

    shown = {node: int(rows) for node, rows in zip(frame["node"], frame["rows"], strict=True) if not pd.isna(rows)}
    return shown, {node: below(node) for node in frame["node"]}, below(0)


def drawn_frame(tree: Tree, hidden: set[int]) -> pd.DataFrame:
    """The frame of a tree with hidden nodes, without subtrees that are hidden throughout."""
    frame = tree.frame()[["node", "parent", "rows"]].astype({"rows": "Int64"})
    frame.loc[frame["node"].isin(hidden), "rows"] = pd.NA
    gone = set()
    for node in tree.nodes:
        family = list(node.walk())
        if node.parent is not None and all(other.number in hidden for other in family):
            siblings = [other for child in node.parent.children for other in child.walk()]
            if all(other.number in hidden for other in siblings):
                gone |= {other.number for other in siblings}
            gone |= {other.number for other in family if other is not node}
    return frame[~frame["node"].isin(gone)]


@pytest.mark.slow
@settings(max_examples=25)
@given(tiny_tables(), st.integers(2, 6), st.booleans())
def test_hiding_blocks_every_derivation_with_the_fewest_nodes(table, k, multiway):
    if len(table) < k:
        return
    tree = grow(table, max_leaves=4, multiway=multiway)
    result = SafeTree(k=k, strategy="hide", tree=tree).anonymize(table)
    assert not tells_too_much(*read(result.frame), k)
    assert result.release is None
    hidden = len(result.info["hidden"])
    others = [node.number for node in tree.nodes if node.parent is not None]
    for fewer in range(hidden):
        for chosen in itertools.combinations(others, fewer):
            assert tells_too_much(*read(drawn_frame(tree, set(chosen))), k), f"hiding {chosen} would do"


@pytest.mark.slow
@settings(max_examples=60)
@given(tiny_tables(), st.integers(1, 6), st.sampled_from(["merge", "grow"]), st.booleans())
def test_leaf_trees_hold_k_people_in_each_leaf_and_in_the_table_they_stand_for(table, k, strategy, multiway):
    if len(table) < k:
        return
    result = SafeTree(k=k, strategy=strategy, max_leaves=5, multiway=multiway).anonymize(table)
    assert min(len(leaf.rows) for leaf in result.tree.leaves) >= k
    assert not tells_too_much(*read(result.frame), k)
    release = result.release
    assert privacy.k(release) >= k
    assert release.n_groups == len(result.tree.leaves)
    for name in table.quasi:
        assert release.columns[name].holds(table.codes(name)).all(), "every row is told truly"
    assert (result.tree.find(table)[:, None] == result.tree.find(table)[None]).tolist() == (
        release.groups[:, None] == release.groups[None]
    ).tolist()


# ---- public and private attributes ---------------------------------------------------------------------------------


def spans(tree: Tree, table: Table, public: list[str]) -> list[int]:
    """People in each span: those whose public values allow the same leaves, counted person by person."""

    def reachable(row: pd.Series) -> frozenset[int]:
        found, waiting = set(), [tree.root]
        while waiting:
            node = waiting.pop()
            if node.is_leaf:
                found.add(node.number)
            elif node.split.attribute.name in public:
                attribute = node.split.attribute
                waiting.append(node.children[node.split.branch[attribute.code(row[attribute.name])]])
            else:
                waiting += node.children
        return frozenset(found)

    return pd.Series([reachable(row) for _, row in table.frame.iterrows()]).value_counts().tolist()


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**16), st.integers(2, 8))
def test_growing_with_private_attributes_keeps_every_span_large(seed, k):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.integers(0, 3, (40, 4)), columns=["p", "q", "r", "s"]).astype(str)
    frame["y"] = np.where((frame["p"] == frame["s"]) ^ (random.random(40) < 0.2), "y", "n")
    table = Table(frame, quasi=["p", "q"], decision="y")
    result = SafeTree(k=k, attributes=["p", "q", "r", "s"], max_leaves=12).anonymize(table)
    assert min(spans(result.tree, table, ["p", "q"])) >= k
    assert sorted(spans(result.tree, table, ["p", "q"])) == sorted(result.release.group_sizes.tolist())
    assert result.info["private"] == ["r", "s"]
    for name in ("p", "q"):
        assert result.release.columns[name].holds(table.codes(name)).all()


def test_a_private_split_never_breaches_and_a_public_one_is_counted_over_the_whole_span():
    """Each sickness holds three of either sex: a test of sex below it is safe for k = 6, as six of each sex exist."""
    frame = pd.DataFrame({"sick": list("aaaaaabbbbbb"), "sex": list("mmmfff") * 2, "y": list("nnnyyyyyynnn")})
    table = Table(frame, quasi=["sex"], decision="y")
    deep = SafeTree(k=6, attributes=["sick", "sex"], max_leaves=4).anonymize(table)
    assert len(deep.tree.leaves) == 1, "neither attribute gains alone"
    frame["y"] = list("nnnyyyyyyyyn")
    table = Table(frame, quasi=["sex"], decision="y")
    for k, leaves in ((6, 4), (7, 2)):
        result = SafeTree(k=k, attributes=["sick", "sex"], max_leaves=4).anonymize(table)
        assert len(result.tree.leaves) == leaves
        assert result.tree.root.split.attribute.name == "sick"
    everything = SafeTree(k=6, attributes=["sick", "sex"], strategy="merge", max_leaves=4).anonymize(table)
    assert len(everything.tree.leaves) == 2, "other strategies take all attributes for public"


def test_where_the_best_split_of_an_attribute_breaches_its_best_one_of_k_rows_is_offered():
    """The best cut of all leaves one person alone."""
    frame = pd.DataFrame({"age": np.arange(10), "y": ["n"] + ["y"] * 6 + ["n", "y", "y"]})
    table = Table(frame, quasi=["age"], decision="y")
    assert grow(table, max_leaves=2).root.split.labels()[0] == "age ≤ 0.5"
    tree = SafeTree(k=2, max_leaves=2).anonymize(table).tree
    assert tree.root.split.labels()[0] == grow(table, max_leaves=2, min_leaf=2).root.split.labels()[0]


# ---- behaviour ----------------------------------------------------------------------------------------------------


def test_hidden_nodes_predict_what_their_nearest_shown_ancestor_does():
    tree = figure_1_9()
    result = SafeTree(k=12, strategy="hide", tree=tree).anonymize(SURVEY)
    for node in result.tree.nodes:
        if node.number in result.tree.hidden:
            assert result.tree.value(node) == result.tree.value(node.parent)
    assert "hidden" in result.tree.text()
    assert result.frame["node"].tolist() == list(range(len(result.frame))), "no gap tells of what is not drawn"


def test_after_merging_unseen_values_go_where_most_people_are_now():
    frame = pd.DataFrame({"a": list("uuuvvwwwwxx"), "y": list("nnnnnyyyynn")})
    table = Table(frame, quasi=["a"], decision="y")
    result = SafeTree(k=4, strategy="merge", multiway=True).anonymize(table)
    assert [leaf.condition for leaf in result.tree.leaves] == ["a = u or v or x", "a = w"]
    assert result.tree.predict(Table(pd.DataFrame({"a": ["z"]}))).tolist() == ["n"]


def test_regression_trees_are_made_safe_too():
    table = Table(
        pd.DataFrame({"age": [20, 21, 22, 40, 41, 42, 60, 61], "pay": [1.0, 1.2, 0.9, 3, 3.1, 2.9, 9, 9.5]}),
        quasi=["age"],
    )
    for strategy in ("grow", "merge", "hide"):
        result = SafeTree(k=3, strategy=strategy, target="pay").anonymize(table)
        assert result.tree.is_regression
        assert result.frame["rows"].dropna().min() >= 3


def test_publishing_is_atomic_and_leaves_the_rest_at_home(tmp_path):
    result = SafeTree(k=3).anonymize(SURVEY)
    path = result.publish(tmp_path / "tree.csv")
    assert pd.read_csv(path, keep_default_na=False)["rows"].tolist() == result.frame["rows"].tolist()
    assert pd.read_json(result.publish(tmp_path / "tree.json"))["rows"].tolist() == result.frame["rows"].tolist()
    with pytest.raises(ValueError, match=r"use a name that ends in .csv or .json"):
        result.publish(tmp_path / "tree.parquet")
    assert {p.name for p in tmp_path.iterdir()} == {"tree.csv", "tree.json"}


def test_bad_tables():
    with pytest.raises(ValueError, match="grows its own tree"):
        SafeTree(tree=figure_1_9())
    with pytest.raises(KeyError, match="no column 'nothing'"):
        SafeTree(attributes=["nothing"]).anonymize(SURVEY)
    with pytest.raises(ValueError, match="target 'Sex' is a quasi-identifier"):
        SafeTree(target="Sex").anonymize(SURVEY)
    with pytest.raises(ValueError, match="name what the tree predicts"):
        SafeTree().anonymize(SURVEY.with_roles(decision=None))
    with pytest.raises(ValueError, match="grown from another table"):
        SafeTree(strategy="hide", tree=grow(anonnb.load("iris"))).anonymize(SURVEY)


@pytest.mark.parametrize("seed", range(4))
def test_the_split_that_is_taken_scores_most_of_those_without_a_breach(seed):
    table = random_table(np.random.default_rng(seed), "mixed", rows=50)
    taken = [step for step in SafeTree(k=6).steps(table) if step.title.startswith("Split")]
    assert taken
    for step in taken:
        assert step.candidates["score"].idxmax() == step.chosen[0]
        assert step.candidates.index.is_unique
