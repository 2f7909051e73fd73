"""Itemsets and rules against mlxtend, against brute force, and the facts of the tuple-migration paper's table."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlxtend.frequent_patterns import association_rules as mlxtend_rules
from mlxtend.frequent_patterns import fpgrowth

from anonnb import Release, Table, load
from anonnb.rules.association import itemsets
from anonnb.rules.association.mining import (
    Item,
    association_rules,
    closed_itemsets,
    compare_rules,
    frequent_itemsets,
    maximal_itemsets,
)
from anonnb.tables.value_sets import Column

MEASURES = ["antecedent support", "consequent support", "support", "confidence", "lift", "leverage", "conviction"]


@st.composite
def frames(draw, most_rows=40):
    rows, columns = draw(st.integers(1, most_rows)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    sizes = rng.integers(1, 4, columns)
    return pd.DataFrame({f"a{c}": [f"v{v}" for v in rng.integers(0, sizes[c], rows)] for c in range(columns)})


def one_hot(frame):
    columns = {Item(name, value): frame[name] == value for name in frame for value in frame[name].unique()}
    return pd.DataFrame(columns.values(), index=range(len(columns))).T.astype(bool), list(columns)


def of_mlxtend(frame, min_support):
    """mlxtend's itemsets, with our items in place of its column numbers."""
    matrix, items = one_hot(frame)
    found = fpgrowth(matrix, min_support=min_support)
    return found, items


def counts(found):
    return dict(zip(found["itemsets"], found["count"], strict=True))


@pytest.mark.slow
@settings(max_examples=60)
@given(frames(), st.integers(1, 20))
def test_itemsets_equal_mlxtend(frame, least):
    least = min(least, len(frame))
    found, items = of_mlxtend(frame, (least - 0.5) / len(frame))  # half a row below: no rounding at the threshold
    theirs = {
        frozenset(items[i] for i in row): round(support * len(frame))
        for row, support in zip(found["itemsets"], found["support"], strict=True)
    }
    ours = frequent_itemsets(Table(frame), min_count=least)
    assert counts(ours) == theirs
    assert len(ours) == len(theirs)
    assert np.allclose(ours["support"], ours["count"] / len(frame))


@pytest.mark.slow
@settings(max_examples=40)
@given(frames(), st.integers(1, 10), st.sampled_from([0.123, 0.457, 0.701, 0.999]))
def test_rules_equal_mlxtend(frame, least, confidence):
    least = min(least, len(frame))
    found, items = of_mlxtend(frame, (least - 0.5) / len(frame))
    theirs = {}
    if len(found):
        table = mlxtend_rules(found, metric="confidence", min_threshold=confidence)
        for _, rule in table.iterrows():
            key = tuple(frozenset(items[i] for i in rule[side]) for side in ("antecedents", "consequents"))
            theirs[key] = [rule[measure] for measure in MEASURES]
    ours = association_rules(Table(frame), min_confidence=confidence, min_count=least)
    mine = {(rule["antecedents"], rule["consequents"]): list(rule[MEASURES]) for _, rule in ours.iterrows()}
    assert mine.keys() == theirs.keys()
    assert len(ours) == len(mine)
    for key, values in mine.items():
        assert np.allclose(np.array(values, dtype=float), np.array(theirs[key], dtype=float))


@settings(max_examples=40)
@given(frames(most_rows=25), st.integers(1, 5))
def test_closed_and_maximal_follow_their_definitions(frame, least):
    every = counts(frequent_itemsets(Table(frame), min_count=least))
    closed = {a for a in every if not any(a < b and every[a] == every[b] for b in every)}
    maximal = {a for a in every if not any(a < b for b in every)}
    assert set(closed_itemsets(Table(frame), min_count=least)["itemsets"]) == closed
    assert set(maximal_itemsets(Table(frame), min_count=least)["itemsets"]) == maximal
    # every count can be read off the closed itemsets: the largest count of a closed superset
    assert all(every[a] == max(every[b] for b in closed if a <= b) for a in every)


def test_small_batches_find_the_same(monkeypatch):
    table = load("car")
    whole = frequent_itemsets(table, 0.05)
    monkeypatch.setattr(itemsets, "_CHUNK", 100)
    pd.testing.assert_frame_equal(frequent_itemsets(table, 0.05), whole)


def test_a_threshold_is_the_decimal_that_is_written():
    frame = pd.DataFrame({"a": ["x"] * 3 + ["y"] * 27})
    # the binary number nearest to 0.1 is a little more than a tenth, and three of thirty rows would miss it
    assert Item("a", "x") in set().union(*frequent_itemsets(Table(frame), 0.1)["itemsets"])
    assert len(frequent_itemsets(Table(frame), Fraction(1, 10))) == 2
    assert len(frequent_itemsets(Table(frame), 0.1000000000000001)) == 1


def test_confidence_is_compared_in_integers():
    frame = pd.DataFrame({"a": ["x"] * 10, "b": ["p"] * 7 + ["q"] * 3})
    rules = association_rules(Table(frame), 0.1, 0.7)  # 7/10 >= 0.7 exactly
    assert (frozenset({Item("a", "x")}), frozenset({Item("b", "p")})) in set(
        zip(rules["antecedents"], rules["consequents"], strict=True)
    )
    assert len(association_rules(Table(frame), 0.1, Fraction(7, 10) + Fraction(1, 10**15))) == len(rules) - 1


def test_the_papers_table_has_88_rules_and_86_touch_the_quasi_identifier():
    table = load("adult", variant="migration")
    rules = association_rules(table, 0.5, 0.5)
    touched = [
        any(item.attribute in table.quasi for item in a | b)
        for a, b in zip(rules["antecedents"], rules["consequents"], strict=True)
    ]
    assert (len(table), len(rules), sum(touched)) == (30_169, 88, 86)


def test_adult_at_ten_bins_has_7756_itemsets():
    found = frequent_itemsets(load("adult", variant="migration"), 0.01, bins=10)
    assert len(found) == 7_756
    assert Item("age", "[25–31]") in set().union(*found["itemsets"])


def test_bins_are_pandas_bins_of_equal_width():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 100, 200), "y": rng.normal(size=200)})
    ours = frequent_itemsets(Table(frame), min_count=1, bins=7, max_len=1)
    for name in frame:
        theirs = pd.cut(frame[name], 7).value_counts()
        mine = [n for a, n in counts(ours).items() if {i.attribute for i in a} == {name}]
        assert sorted(mine) == sorted(theirs[theirs > 0])


def test_a_few_values_are_not_binned_and_missing_is_a_value():
    frame = pd.DataFrame({"x": [1.0, 2.0, np.nan, np.nan]})
    assert counts(frequent_itemsets(Table(frame), min_count=1, bins=2)) == {
        frozenset({Item("x", "1")}): 1,
        frozenset({Item("x", "2")}): 1,
        frozenset({Item("x", "missing")}): 2,
    }


def test_items_of_a_release_are_its_labels_and_suppressed_cells_are_none():
    table = Table(pd.DataFrame({"age": [20, 21, 30, 40], "ill": ["flu"] * 4}), quasi=["age"])
    age = Column.from_spans(table.attributes["age"], [0, 0, 2, 0], [1, 1, 2, 3])
    found = counts(frequent_itemsets(Release(table, {"age": age}, np.arange(4)), min_count=1))
    assert found == {
        frozenset({Item("age", "[20–21]")}): 2,
        frozenset({Item("age", "30")}): 1,
        frozenset({Item("ill", "flu")}): 4,
        frozenset({Item("age", "[20–21]"), Item("ill", "flu")}): 2,
        frozenset({Item("age", "30"), Item("ill", "flu")}): 1,
    }


def test_compare_rules_tells_kept_lost_and_new():
    before = Table(pd.DataFrame({"a": list("xxxy"), "b": list("ppqq")}))
    after = Table(pd.DataFrame({"a": list("xyyy"), "b": list("ppqq")}))
    table = compare_rules(before, after, 0.5, 0.9)
    named = {
        (str(*a), str(*b)): s
        for a, b, s in zip(table["antecedents"], table["consequents"], table["status"], strict=True)
    }
    assert named == {("b=p", "a=x"): "lost", ("b=q", "a=y"): "new"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_support": 0}, "min_support must be above 0"),
        ({"min_support": 1.5}, "min_support"),
        ({"min_count": 0}, "min_count"),
        ({"bins": 0}, "bins"),
        ({"max_len": 0}, "max_len"),
    ],
)
def test_bad_parameters_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        frequent_itemsets(load("car"), **options)


def test_bad_confidence_is_named():
    with pytest.raises(ValueError, match="min_confidence"):
        association_rules(load("car"), 0.5, -0.1)
    with pytest.raises(TypeError, match="min_confidence"):
        association_rules(load("car"), 0.5, "high")


def test_an_empty_table_and_nothing_frequent_give_empty_frames():
    table = Table(pd.DataFrame({"a": ["x", "y", "z"]}))
    assert list(frequent_itemsets(table, 0.9).columns) == ["support", "itemsets", "count"]
    assert len(association_rules(table, 0.9)) == 0
    assert len(maximal_itemsets(table.take(np.arange(0)), 0.9)) == 0
