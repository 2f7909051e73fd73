"""LocalRecoding publishes what a plain walk through the nodes publishes, in an order that no data changes."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Infeasible, Table, privacy, utility
from anonnb.methods import LocalRecoding
from anonnb.privacy import AlphaK, LDiversity, TCloseness
from anonnb.tables.hierarchies.node_order import level_losses, node_order
from tests.methods.lattice.lattices import tables

NUMBERS = Hierarchy.from_rows([(0, "low", "*"), (1, "low", "*"), (4, "high", "*"), (10, "high", "*")])


# ---- facts ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("k", "ncp", "nodes", "suppressed"), [(5, 0.0528, 481, 0), (10, 0.0777, 348, 9)])
def test_adult(k, ncp, nodes, suppressed):
    table = anonnb.load("adult")
    release = LocalRecoding(k=k).anonymize(table)
    assert round(utility.ncp(table, release), 4) == ncp
    assert len(release.info["nodes"]) == nodes
    assert release.n_suppressed == suppressed
    assert release.info["lattice"] == 15_360
    assert privacy.k(release) >= k


@pytest.fixture
def smokers():
    """Three rows (f, no) and four others: the example with k = 3."""
    rows = ["f no"] * 3 + ["f yes"] * 2 + ["m no"] * 2
    frame = pd.DataFrame([row.split() for row in rows], columns=["sex", "smoker"])
    flat = {"sex": Hierarchy.from_dict({"f": "*", "m": "*"}), "smoker": Hierarchy.from_dict({"no": "*", "yes": "*"})}
    return Table(frame, quasi=["sex", "smoker"], hierarchies=flat)


def test_the_example_by_hand(smokers):
    release = LocalRecoding(k=3).anonymize(smokers)
    assert release.frame.value_counts().to_dict() == {("f", "no"): 3, ("*", "*"): 4}
    assert release.info["nodes"] == {0: (0, 0), 3: (1, 1)}
    assert release.info["positions"].tolist() == [0, 0, 0, 3, 3, 3, 3]
    assert release.told() == ["nodes used: 2 of 4; rows that keep all their values: 3"]


def test_the_steps_tell_of_suppressed_rows(smokers):
    last = LocalRecoding(k=3).steps(smokers.take(np.arange(4)))[-2]
    assert last.title == "Suppress 1 row"
    assert last.sentence == "At no node does what is left form a class that meets the requirement."


# ---- the order ------------------------------------------------------------------------------------------------------


def test_losses_are_means_over_the_leaves_that_the_hierarchy_lists():
    tree = Hierarchy.from_nested({"north": ["a", "b", "c"], "south": ["d"]})
    frame = pd.DataFrame({"place": ["a", "d"], "number": [0, 10]})
    table = Table(frame, quasi=["place", "number"], hierarchies={"place": tree, "number": NUMBERS})
    place, number = (level_losses(table.attributes[name]) for name in table.quasi)
    assert place == [0, Fraction(3 * 2, 4 * 3), 1]  # b and c occur in no row
    assert number == [0, (2 * Fraction(1, 10) + 2 * Fraction(6, 10)) / 4, 1]


def test_a_hierarchy_without_a_list_goes_by_the_declared_domain_or_by_levels():
    tree = Hierarchy.intervals(5, 10)
    bare = Table(pd.DataFrame({"age": [20, 21]}), quasi=["age"], hierarchies={"age": tree})
    assert level_losses(bare.attributes["age"]) == [0, Fraction(1, 3), Fraction(2, 3), 1]
    declared = Table(
        pd.DataFrame({"age": [20, 21]}), quasi=["age"], hierarchies={"age": tree}, domains={"age": "20..29"}
    )
    assert level_losses(declared.attributes["age"]) == [0, Fraction(4, 9), 1, 1]


@settings(max_examples=40)
@given(tables(), st.data())
def test_no_row_changes_the_order(table, data):
    rows = data.draw(st.lists(st.integers(0, len(table) - 1), min_size=1, max_size=6))
    part = Table(table.take(np.array(rows)).frame, quasi=table.quasi, sensitive="ill", hierarchies=hierarchies(table))
    assert node_order(part).tolist() == node_order(table).tolist()


def hierarchies(table):
    return {name: table.attributes[name].hierarchy for name in table.quasi}


def test_equal_losses_tie_exactly():
    """0.1 + 0.7 is below 0.8 in floating point, so a rounded sum would put the higher node first."""
    frame = pd.DataFrame({name: [0, 1] for name in "abc"})
    weights = {"a": 0.1, "b": 0.7, "c": 0.8}
    table = Table(frame, quasi=list("abc"), hierarchies=dict.fromkeys("abc", Hierarchy.flat()), weights=weights)
    order = list(map(tuple, node_order(table).tolist()))
    assert order.index((0, 0, 1)) < order.index((1, 1, 0))


def test_a_heavy_column_is_generalized_later(smokers):
    by_weight = {name: node_order(smokers.with_weights(**{name: 3})).tolist()[1] for name in smokers.quasi}
    assert by_weight == {"sex": [0, 1], "smoker": [1, 0]}


# ---- a plain walk ---------------------------------------------------------------------------------------------------


def plain_walk(table, k, good=lambda rows: True):
    """The published tuples (None where suppressed) and the position of each row's node, without any array."""
    trees = [table.attributes[name].hierarchy for name in table.quasi]
    levels = [table.attributes[name].levels for name in table.quasi]
    losses = [[_plain_loss(tree, level) for level in range(tree.height + 1)] for tree in trees]

    def key(node):
        return sum(column[level] for column, level in zip(losses, node, strict=True)), sum(node), node

    published, position = [None] * len(table), [-1] * len(table)
    nodes = sorted(itertools.product(*(range(tree.height + 1) for tree in trees)), key=key)
    for number, node in enumerate(nodes):
        classes = {}
        for row in [row for row, cells in enumerate(published) if cells is None]:
            cells = [(name, bound, level) for name, bound, level in zip(table.quasi, levels, node, strict=True)]
            label = tuple(
                bound.labels[level][bound.maps[level][table.codes(name)[row]]] for name, bound, level in cells
            )
            classes.setdefault(label, []).append(row)
        for label, rows in classes.items():
            if len(rows) >= k and good(rows):
                for row in rows:
                    published[row], position[row] = label, number
    return published, position


def _plain_loss(tree, level):
    labels = [tree.generalize(leaf, level) for leaf in tree.values]
    return Fraction(sum(labels.count(label) - 1 for label in labels), len(labels) * max(len(labels) - 1, 1))


@settings(max_examples=100)
@given(tables(max_rows=24), st.integers(1, 5))
def test_the_rows_of_a_plain_walk(table, k):
    published, position = plain_walk(table, k)
    if not any(published):
        with pytest.raises(Infeasible):
            LocalRecoding(k=k).anonymize(table)
        return
    release = LocalRecoding(k=k).anonymize(table)
    texts = list(zip(*(release.columns[name].texts() for name in table.quasi), strict=True))
    assert texts == [cells for cells in published if cells]
    assert release.rows.tolist() == [row for row, cells in enumerate(published) if cells]
    assert release.info["positions"].tolist() == position


@settings(max_examples=60)
@given(tables(max_rows=24), st.integers(1, 4))
def test_the_rows_of_a_plain_walk_with_two_secrets_per_class(table, k):
    ill = table.frame["ill"].tolist()
    published, _ = plain_walk(table, k, lambda rows: len({ill[row] for row in rows}) >= 2)
    method = LocalRecoding(k=k, require=LDiversity(2))
    if not any(published):
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    texts = zip(*(release.columns[name].texts() for name in table.quasi), strict=True)
    assert list(texts) == [cells for cells in published if cells]


@settings(max_examples=80)
@given(tables(max_rows=24), st.integers(1, 5), st.sampled_from([(), (TCloseness(0.3),), (AlphaK(0.6, 2),)]))
def test_every_class_of_the_published_text_has_k_rows(table, k, require):
    try:
        release = LocalRecoding(k=k, require=require).anonymize(table)
    except Infeasible:
        return
    text = release.published().astype(str)
    assert min(Counter(text[table.quasi].itertuples(index=False)).values()) >= k
    assert all(model.holds(release).all() for model in require)
    assert utility.truthfulness(table, release) == 1


def test_what_is_suppressed_may_break_a_requirement_of_others():
    """Class a is near the whole table, but far from what is left of it without the five people who are alone."""
    ill = ["flu"] * 3 + ["cold"] * 7 + ["flu"] * 20 + ["cold"] * 5
    frame = pd.DataFrame({"q": [*"a" * 10, *"b" * 20, *"cdefg"], "ill": ill})
    alone = Hierarchy.from_dict(dict(zip("abcdefg", "ABCDEFG", strict=True)))
    table = Table(frame, quasi=["q"], sensitive="ill", hierarchies={"q": alone})
    assert set(LocalRecoding(k=2).anonymize(table).frame["q"]) == {"a", "b"}
    release = LocalRecoding(k=2, require=TCloseness(0.36)).anonymize(table)
    assert set(release.frame["q"]) == {"b"}
    assert release.n_suppressed == 15


# ---- people, limits, refusals ---------------------------------------------------------------------------------------


def test_people_are_counted_where_they_repeat():
    frame = pd.DataFrame({"who": [1, 1, 1, 2, 3, 3], "q": list("aaabbb")})
    table = Table(frame, quasi=["q"], person="who", hierarchies={"q": Hierarchy.flat()})
    release = LocalRecoding(k=2).anonymize(table)
    assert release.frame["q"].tolist() == ["b", "b", "b"]  # a is one person three times, and nobody is left to join
    assert release.n_suppressed == 3


def test_no_label_is_above_its_limit(smokers):
    assert "*" in set(LocalRecoding(k=3).anonymize(smokers).frame["sex"])
    release = LocalRecoding(k=3).anonymize(smokers.with_limits(sex=0))
    assert set(release.frame["sex"]) == {"f"}
    assert (release.n_suppressed, release.info["lattice"]) == (4, 2)


def test_nothing_to_publish_is_infeasible():
    bound = Hierarchy.from_dict({"p": "P", "q": "Q", "r": "R"})
    table = Table(pd.DataFrame({"a": list("pqr")}), quasi=["a"], hierarchies={"a": bound})
    with pytest.raises(Infeasible, match="no class of any node meets the requirement; ask for less"):
        LocalRecoding(k=2).anonymize(table)
    ill = Table(pd.DataFrame({"a": list("ppq"), "ill": ["flu"] * 3}), quasi=["a"], sensitive="ill")
    with pytest.raises(Infeasible, match="no class of any node"):
        LocalRecoding(k=2, require=LDiversity(2)).anonymize(ill.with_hierarchies(a=Hierarchy.flat()))


def test_too_large_a_lattice_is_refused():
    frame = pd.DataFrame({f"c{number}": [0, 1, 1] for number in range(22)})
    table = Table(frame, quasi=list(frame), hierarchies=dict.fromkeys(frame, Hierarchy.flat()))
    with pytest.raises(Infeasible, match=r"4,194,304 nodes, more than the 2,097,152 that LocalRecoding"):
        LocalRecoding(k=2).anonymize(table)


# ---- new rows -------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(tables(max_rows=24), st.integers(1, 4), st.sampled_from([(), (LDiversity(2),)]), st.randoms())
def test_the_same_rows_are_recoded_to_the_same_release(table, k, require, random):
    try:
        release = LocalRecoding(k=k, require=require).anonymize(table)
    except Infeasible:
        return
    shuffled = random.sample(range(len(table)), len(table))
    again = release.recode(table.take(np.array(shuffled)))
    assert [shuffled[row] for row in again.rows] == [row for row in shuffled if row in set(release.rows)]
    pd.testing.assert_frame_equal(again.published(), release.published())


def test_a_new_row_goes_into_the_first_class_that_holds_it(smokers):
    release = LocalRecoding(k=3).anonymize(smokers)
    new = Table(pd.DataFrame({"sex": ["m", "f"], "smoker": ["yes", "no"]}), quasi=["sex", "smoker"])
    again = release.recode(new)
    assert again.frame.to_numpy().tolist() == [["*", "*"], ["f", "no"]]
    assert again.info["positions"].tolist() == [3, 0]
    assert privacy.k(again) == 1


def test_a_new_row_that_no_class_holds_is_suppressed(smokers):
    release = LocalRecoding(k=3).anonymize(smokers.take(np.arange(5)))
    assert release.frame.value_counts().to_dict() == {("f", "no"): 3}
    again = release.recode(smokers)
    assert again.rows.tolist() == [0, 1, 2]
    assert again.n_suppressed == 4
    assert release.take(np.arange(2)).recode(smokers).rows.tolist() == [0, 1, 2]


def test_a_value_that_did_not_occur_cannot_be_recoded(smokers):
    release = LocalRecoding(k=3).anonymize(smokers)
    new = Table(pd.DataFrame({"sex": ["x"], "smoker": ["no"]}), quasi=["sex", "smoker"])
    with pytest.raises(ValueError, match="'sex': the value 'x' did not occur"):
        release.recode(new)
