"""Intervals are written as people write them, and read back as the same values."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Table
from anonnb.tables.attribute import Attribute
from anonnb.tables.published_cells import parse_column
from anonnb.tables.value_sets import ValueSets

NUMBERS = st.one_of(
    st.floats(-1e6, 1e6), st.floats(-1e-6, 1e-6), st.floats(0, 100), st.integers(-50, 50), st.floats(allow_nan=False)
).filter(lambda number: abs(number) < 1e300)


def all_spans(attribute: Attribute) -> ValueSets:
    size = len(attribute.domain)
    pairs = [(lo, hi) for lo in range(size) for hi in range(lo, size)]
    return ValueSets(attribute, *zip(*pairs, strict=True))


def read_back(sets: ValueSets) -> list[tuple[int, int]]:
    column = parse_column(pd.Series(sets.labels, dtype=object), sets.attribute)
    return [(int(column.sets.lo[number]), int(column.sets.hi[number])) for number in column.index]


@given(st.lists(NUMBERS, min_size=1, max_size=7, unique=True))
def test_numbers_with_many_decimals_read_back_as_the_same_values(values):
    sets = all_spans(Table(pd.DataFrame({"age": values})).attributes["age"])
    assert read_back(sets) == list(zip(sets.lo.tolist(), sets.hi.tolist(), strict=True))
    assert len(set(sets.labels)) == len(sets)


def test_ages_have_no_thirteen_decimals():
    ages = [26.2778918548939, 30.5735797399042, 30.25, 58.7652292950034, 58.7652292950111]
    sets = ValueSets(Table(pd.DataFrame({"age": ages})).attributes["age"], [0, 1, 2, 0], [2, 3, 4, 1])
    assert sets.labels == [
        "[26–30.6]",
        "[30.25–58.76522929501]",
        "[30.5–59]",
        "[26–30.25]",
    ]  # a twin keeps an end exact


@pytest.mark.parametrize(
    ("names", "label"),
    [
        (["(0,15]", "(15,29]", "(29,39]", "(39,50]"], "(0,39]"),
        (["(25.6, 35.7]", "(35.7, 45.7]", "(45.7, 55.7]", "(55.7, 65.7]"], "(25.6, 55.7]"),
        (["25-34", "35-44", "45+", "none"], "[25-34–45+]"),  # not all of them are intervals
        (["10-19", "0-9", "20-29", "30-39"], "[10-19–20-29]"),  # nor do these ascend
        (["0 to 9", "10 to 19", "20 to 29", "30+"], "0 to 29"),
    ],
)
def test_intervals_that_are_values_are_joined(names, label):
    frame = pd.DataFrame({"age": pd.Categorical(names, names, ordered=True)})
    sets = all_spans(Table(frame).attributes["age"])
    assert label in sets.labels
    assert read_back(sets) == list(zip(sets.lo.tolist(), sets.hi.tolist(), strict=True))
