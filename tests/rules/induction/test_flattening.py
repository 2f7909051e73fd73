"""The rows of conditions as bits, and the search on them, beside plain references on tables of several words."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.rules import mlem2
from anonnb.rules.induction._blocks import narrow
from anonnb.rules.induction.concepts import Induction
from anonnb.rules.induction.encoding import features_of
from anonnb.rules.induction.flattening import as_bits
from tests.rules.induction.test_mlem2 import assert_as_in_the_textbook


def wide_table(seed, rows):
    """Rows enough for several words and marks: an attribute with a value per row, rare values, missing ones."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "town": rng.choice([f"town {n}" for n in range(40)], rows),
            "colour": rng.choice(["red", "green", None], rows, p=[0.6, 0.3, 0.1]),
            "weight": rng.permutation(rows) / 4,
            "age": rng.choice([1.0, 2.0, 3.0, np.nan], rows),
            "class": rng.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1]),
        }
    )
    return Table(frame, decision="class")


def published(seed, rows):
    """A release whose sets hold each other, so that a cell satisfies several conditions or none."""
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(1, 90, (rows, 2)), axis=1)
    frame = pd.DataFrame(
        {
            "a": rng.choice(["x", "y", "z", "x|y", "y|z", "x|z", "*"], rows),
            "b": [f"[{low}-{high}]" for low, high in ends],
            "class": rng.choice(["p", "q", "p|q"], rows),
        }
    )
    like = pd.DataFrame({"a": list("xyz") * 30, "b": np.arange(1, 91), "class": list("pqr") * 30})
    return Release.from_frame(frame, like=Table(like, quasi=["a", "b"], decision="class"))


def flags(bits, count):
    return np.unpackbits(bits.view(np.uint8), bitorder="little")[:count].astype(bool)


def test_flags_become_words_and_come_back():
    given_flags = np.random.default_rng(0).random(200) < 0.5
    assert len(as_bits(given_flags)) == 4
    assert (flags(as_bits(given_flags), 200) == given_flags).all()


@given(seed=st.integers(0, 10_000), rows=st.sampled_from([1, 63, 64, 65, 129, 300]), overlap=st.booleans())
@settings(max_examples=25)
def test_bits_of_conditions_are_the_rows_that_satisfy_them(seed, rows, overlap):
    release = published(seed, rows)
    features = features_of(release, ["a", "b"], midpoints=False, overlap=overlap)
    keys, base, flat = features.keys, features.base, features.flat_sets
    wanted = {base[f] + key: keys[:, f] >= key for f, top in enumerate(keys.max(axis=0)) for key in range(top + 1)}
    for h in range(flat.set_of.shape[1]):
        for value in np.unique(flat.satisfied):
            satisfied = [value in flat.satisfied[flat.ptr[own] : flat.ptr[own + 1]] for own in flat.set_of[:, h]]
            if any(satisfied):  # a candidate belongs to one attribute
                wanted[base[-1] + value] = np.array(satisfied)
    for condition, rows_inside in wanted.items():
        lines = as_bits(np.ones((2, len(keys)), bool))  # the first is spare
        narrow.py_func(lines, 1, condition, *features.search[:3])
        assert (flags(lines[1], len(keys)) == rows_inside[features.sorted_rows]).all()


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), rows=st.sampled_from([1, 64, 90]), overlap=st.booleans())
@settings(max_examples=15)
def test_rows_that_satisfy_all_that_a_row_does_are_found_for_each_set_of_rows(seed, rows, overlap):
    features = features_of(published(seed, rows), ["a", "b"], midpoints=False, overlap=overlap)
    copies = len(features.sorted_rows)
    sets = np.random.default_rng(seed).random((3, copies)) < 0.1
    flat, expected = features.flat_sets, np.zeros((rows, 3), bool)
    for u in range(rows):
        for v in range(copies):
            meets = (features.keys[v] >= features.keys[u]).all()
            for h, own in enumerate(flat.set_of[u]):
                held = flat.satisfied[flat.ptr[flat.set_of[v, h]] : flat.ptr[flat.set_of[v, h] + 1]]
                meets &= flat.candidate[own] < 0 or flat.candidate[own] in held
            expected[u] |= sets[:, v] & meets
    search = Induction(features, "class", ["p", "q"], np.ones((rows, 2), bool))
    assert (search.met_by(sets) == expected).all()


@pytest.mark.parametrize("rows", [64, 65, pytest.param(130, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", range(3))
def test_the_search_on_several_words_does_what_the_textbook_does(seed, rows):
    table = wide_table(seed, rows)
    for concept in "abc":
        assert_as_in_the_textbook(table, concept)


def test_the_order_of_the_rows_changes_no_rule():
    table = wide_table(7, 500)
    shuffled = table.take(np.random.default_rng(1).permutation(len(table)))
    assert mlem2(table) == mlem2(shuffled)
