"""Weighted value sets: reading and writing, containment, type λ, and what releases become."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonnb
from anonnb import Table
from anonnb.methods import Mondrian
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.weighted_column import WeightedColumn, spread
from tests.methods.chase_protection.scikd_example import random_case
from tests.strategies import TRICKY


def system(**cells):
    return IncompleteTable.from_frame(pd.DataFrame(cells))


def test_frames_are_read_and_written():
    s = system(a=["a1 2/3 | a2 1/3", "a2", None, "*", "", "a1 | a3"])
    assert s.frame["a"].tolist() == ["a1 2/3 | a2 1/3", "a2", "*", "*", "*", "a1 1/2 | a3 1/2"]
    assert s.columns["a"].unknown.tolist() == [False, False, True, True, True, False]
    assert s.columns["a"].weight([0, 1, 2])[0].tolist() == pytest.approx([2 / 3, 1 / 3, 0])


@given(st.integers(0, 10_000))
def test_what_is_written_is_read_again(seed):
    s, _, _ = random_case(seed)
    again = IncompleteTable.from_frame(s.frame, like=s)
    for name, column in s.columns.items():
        codes = np.arange(column.attribute.size)
        assert np.allclose(column.weight(codes), again.columns[name].weight(codes))
        assert (column.unknown == again.columns[name].unknown).all()


def test_names_with_bars_quotes_and_numbers_survive():
    names = [name for name in TRICKY if name.strip() not in ("", "*")] + ["route 1/2", "*"]
    attribute = Table(pd.DataFrame({"a": names})).attributes["a"]
    for first, second in zip(range(len(names) - 1), range(1, len(names)), strict=True):
        weights = np.zeros((1, attribute.size))
        weights[0, [first, second]] = 0.25, 0.75
        column = WeightedColumn.from_weights(attribute, weights)
        like = IncompleteTable({"a": column})
        again = IncompleteTable.from_frame(like.frame, like=like)
        assert np.allclose(again.columns["a"].weight(np.arange(attribute.size)), weights), like.frame


@pytest.mark.parametrize(
    "cell", ["a1 2/3 | a2", "a1 2/3 | a2 2/3", "a1 1 | a2 0", "a1 1/2 | a1 1/2", "a1 | ", "| a1", "a1 1/0 | a2 1"]
)
def test_cells_that_make_no_sense_are_named(cell):
    with pytest.raises(ValueError, match="column 'a'"):
        system(a=[cell, "a1"])


def test_containment_compares_with_at_least():
    before = system(a=["a1 2/3 | a2 1/3", "*"], b=["b1", "b1 | b2"])
    assert before.completed_by(before)
    assert before.completed_by(
        IncompleteTable.from_frame(before.frame.assign(a=["a1 3/4 | a2 1/4", "a1 | a2"]), before)
    )
    assert before.completed_by(IncompleteTable.from_frame(before.frame.assign(b=["b1", "b2"]), before))
    assert not before.completed_by(IncompleteTable.from_frame(before.frame.assign(a=["a1 | a2", "*"]), before))
    assert not before.completed_by(before.hide("b"))
    with pytest.raises(ValueError, match="same rows and the same columns"):
        before.completed_by(before.take([0]))


def test_type_and_dropping_to_it():
    s = system(a=["a1 0.9 | a2 0.1", "a1 0.5 | a2 0.3 | a3 0.2", "*"])
    assert s.is_type(0.1)
    assert not s.is_type(0.2)
    dropped = s.of_type(0.25)
    assert dropped.is_type(0.25)
    assert dropped.frame["a"].tolist() == ["a1", "a1 5/8 | a2 3/8", "*"]
    with pytest.raises(ValueError, match=r"threshold \(λ\) must be above 0"):
        s.is_type(0)


def test_a_release_has_equal_weights_and_suppressed_cells_are_unknown():
    table = Table(pd.DataFrame({"age": [1, 2, 3, 4], "ill": ["x", "y", "x", None]}), quasi=["age"])
    release = Mondrian(k=2).anonymize(table)
    s = IncompleteTable.of(release)
    assert s.columns["age"].weight([0, 1, 2, 3]).tolist() == [[0.5, 0.5, 0, 0]] * 2 + [[0, 0, 0.5, 0.5]] * 2
    assert s.columns["ill"].unknown.tolist() == [False, False, False, True]
    assert s.columns["age"].totals().tolist() == [1, 1, 1, 1]
    hidden = IncompleteTable.of(table).hide({"age": [0, 2]})
    assert hidden.columns["age"].unknown.tolist() == [True, False, True, False]
    assert s.of_type(0.6).columns["age"].unknown.all(), "halves are below 0.6"


def test_incompleteness():
    s = system(a=["a1", "a1 | a2", "*", "a3"])
    assert s.incompleteness().loc["a"].tolist() == [0.5, 0.25, 0.25, pytest.approx((0 + 0.5 + 1 + 0) / 4)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_spread_is_the_sum_over_pairs(weights):
    pairs = sum(abs(p - q) for i, p in enumerate(weights) for q in weights[:i])
    assert spread(np.array([weights]))[0] == pytest.approx(pairs, abs=1e-9)


def test_large_exact_columns_cost_nothing_and_wide_ones_say_so():
    adult = IncompleteTable.of(anonnb.load("adult"))
    assert adult.columns["fnlwgt"].totals().sum() == len(adult)
    with pytest.raises(ValueError, match=r"column 'fnlwgt' has 20,263 values; group them into fewer first"):
        adult.columns["fnlwgt"].set_weights()
    with pytest.raises(KeyError, match="there is no column 'agee'"):
        adult.column("agee")
