"""Texts are numbered from Arrow's memory as pandas would number them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.core.numbering import texts as numbering
from anonnb.core.numbering.texts import encode_texts, is_in_arrow

pa = pytest.importorskip("pyarrow")


def same_as_pandas(series: pd.Series) -> bool:
    codes, domain = encode_texts(series)
    expected, values = pd.factorize(series, sort=True)
    same_domain = domain.equals(pd.Index(values)) and domain.dtype == series.dtype and domain.name is None
    return codes.tolist() == expected.tolist() and same_domain


tricky = st.sampled_from(["", "a", "a\0", "ä", "12345678", "123456789"])
some_texts = st.lists(st.none() | st.text(max_size=40) | tricky, min_size=6)
middles = st.tuples(st.sampled_from(["h" * 8, "x" * 11]), st.integers(0, 300), st.sampled_from(["t" * 8, ""]))


@given(some_texts, st.integers(0, 5))
def test_any_texts_also_from_the_middle_of_a_column(texts, left_out):
    series = pd.Series(texts, dtype="string[pyarrow]")
    assert same_as_pandas(series)
    assert same_as_pandas(series.iloc[left_out:])


@given(st.lists(middles, min_size=1))
def test_long_texts_that_differ_only_in_the_middle(parts):
    texts = [f"{head}{middle:09}{tail}" for head, middle, tail in parts]
    assert same_as_pandas(pd.Series(texts, dtype="string[pyarrow]"))


def test_more_different_texts_than_the_small_table_holds():
    numbers = np.random.default_rng(0).integers(0, 20_000, 30_000)
    assert same_as_pandas(pd.Series([f"name {number}" for number in numbers], dtype="string[pyarrow]"))


def test_texts_in_several_pieces_with_short_offsets():
    pieces = pa.chunked_array([pa.array(["b", None, "a"], pa.string()), pa.array(["c", "b"], pa.string())])
    assert same_as_pandas(pd.Series(pieces, dtype="string[pyarrow]"))


def test_only_enough_texts_in_arrow_are_worth_it(monkeypatch):
    texts = pd.Series(["a"] * 10, dtype="string[pyarrow]")
    monkeypatch.setattr(numbering, "WORTH", 10)
    assert is_in_arrow(texts)
    assert not is_in_arrow(texts[:9])
    assert not is_in_arrow(texts.astype(object))
