"""Attributes: kinds, domains, codes and their way back."""

import re
from datetime import date

import numpy as np
import pandas as pd
import pytest

from anonnb.tables.attribute import Attribute
from anonnb.tables.encoding import encode
from anonnb.tables.labels import HIDDEN_CELL


def attribute_of(values, **options) -> Attribute:
    return encode(pd.Series(values, name="x"), **options)[0]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "numeric"),
        ([1.5, None], "numeric"),
        (pd.to_datetime(["2020-01-01"]), "numeric"),
        (pd.to_timedelta([1], unit="D"), "numeric"),
        ([True, False], "nominal"),
        (["a"], "nominal"),
        ([1 + 2j], "nominal"),
        (pd.Categorical([1, 2]), "nominal"),
        (pd.Categorical(["a"], ordered=True), "ordinal"),
        (pd.period_range("2020", periods=2, freq="Y"), "nominal"),
    ],
)
def test_kinds_follow_the_dtype(values, kind):
    assert attribute_of(values).kind == kind


def test_the_domain_is_sorted_and_a_missing_value_comes_last():
    attribute, codes = encode(pd.Series(["b", None, "a", "b"], name="x"))
    assert attribute.labels == ["a", "b", "missing"]
    assert codes.tolist() == [1, 2, 0, 1]
    assert attribute.size == 3
    assert attribute.missing_code == 2
    assert attribute.code(None) == attribute.code(np.nan) == 2


def test_an_order_wins_over_the_alphabet_and_absent_values_leave_the_domain():
    attribute, codes = encode(pd.Series(["high", "low", None], name="x"), order=["low", "med", "high"])
    assert attribute.kind == "ordinal"
    assert attribute.labels == ["low", "high", "missing"]
    assert codes.tolist() == [1, 0, 2]


def test_orders_and_kinds_that_make_no_sense_say_so():
    with pytest.raises(ValueError, match="'x': its order does not name the value 'b'; add it"):
        attribute_of(["a", "b"], order=["a"])
    with pytest.raises(ValueError, match="'x': its order names 'a' twice"):
        attribute_of(["a"], order=["a", "a"])
    with pytest.raises(ValueError, match="'x' has an order but is to be nominal"):
        attribute_of(["a"], order=["a"], kind="nominal")
    with pytest.raises(ValueError, match="kind 'number' is not known"):
        attribute_of([1], kind="number")
    with pytest.raises(ValueError, match="'x' is to be numeric but holds 'a'"):
        attribute_of(["1", "a"], kind="numeric")


def test_an_ordered_categorical_may_be_declared_nominal_and_texts_numeric():
    assert attribute_of(pd.Categorical(["b", "a"], ["b", "a"], ordered=True), kind="nominal").labels == ["b", "a"]
    assert attribute_of(["10", "9"], kind="numeric").labels == ["9", "10"]
    assert attribute_of([True, False], kind="numeric").numbers.tolist() == [0, 1]


@pytest.mark.parametrize("values", [[np.inf, 1.0], pd.array([np.inf, None], dtype="Float64")])
def test_an_infinite_number_is_refused(values):
    with pytest.raises(ValueError, match="'x' holds an infinite number"):
        attribute_of(values)


@pytest.mark.parametrize("cell", [[1], {1}, {"a": 1}, np.array([1])])
def test_a_cell_that_is_no_single_value_names_the_column(cell):
    with pytest.raises(TypeError, match=r"column 'x' holds .* a cell must be a single value"):
        attribute_of(pd.Series([cell, "a"], dtype=object))


def test_values_of_many_types_have_an_order_that_does_not_depend_on_the_rows():
    values = ["1", 1, 2.5, "b", None]
    labels = {tuple(attribute_of(pd.Series(v, dtype=object)).labels) for v in (values, values[::-1])}
    assert len(labels) == 1


def test_code_finds_values_and_their_texts():
    numbers = attribute_of([30, 25])
    assert [numbers.code(25), numbers.code("30"), numbers.code(30.0)] == [0, 1, 1]
    dates = attribute_of(pd.to_datetime(["2020-01-01", "2020-02-01"]))
    assert dates.code("2020-02-01") == dates.code(pd.Timestamp("2020-02-01")) == 1
    for value in ("2020", [1], "missing"):
        with pytest.raises(ValueError, match="has no value"):
            dates.code(value)
    with pytest.raises(ValueError, match="has no missing values"):
        dates.code(None)


def test_a_value_called_missing_is_not_a_missing_value():
    attribute = attribute_of(["missing", None])
    assert len(set(attribute.labels)) == 2
    assert attribute.code("missing") == 0


def test_numbers_are_positions():
    assert attribute_of([3.5, 1, None]).numbers.tolist()[:2] == [1, 3.5]
    assert np.isnan(attribute_of([3.5, None]).numbers[-1])
    assert attribute_of(pd.to_datetime(["2020-01-01", "2020-01-03"])).numbers.tolist() == [0, 2]
    zoned = pd.to_datetime(["2020-01-01", "2020-01-03"]).tz_localize("UTC")
    assert attribute_of(zoned).numbers.tolist() == [0, 2]
    assert attribute_of(["b", "a"]).numbers.tolist() == [0, 1]
    assert attribute_of([9, 2], kind="nominal").numbers.tolist() == [0, 1]
    assert attribute_of(pd.to_datetime([None])).numbers.tolist() == pytest.approx([np.nan], nan_ok=True)


def test_dates_are_compared_from_one_first_day():
    first, old = attribute_of(pd.to_datetime(["2020-01-01"])), attribute_of(np.array(["1500-01-01"], "datetime64[s]"))
    assert old.numbers_from(first).tolist() == [(date(1500, 1, 1) - date(2020, 1, 1)).days]
    zoned = attribute_of(pd.to_datetime(["2020-01-03"]).tz_localize("UTC"))
    with pytest.raises(ValueError, match=r"has a time zone in one of two tables .* and none in the other; give it one"):
        zoned.numbers_from(first)


def test_extended_keeps_every_old_value_at_its_new_code():
    attribute = attribute_of([1, 3, None])
    wider, recode = attribute.extended([2.5, 3])
    assert wider.labels == ["1", "2.5", "3", "missing"]
    assert recode.tolist() == [0, 2, 3]
    assert attribute.extended([1])[0] is attribute
    named, recode = attribute_of(["a", "c"]).extended(["b"])
    assert [named.labels[code] for code in recode] == ["a", "c"]


def test_a_literal_star_is_announced():
    with pytest.warns(UserWarning, match=re.escape(f"column 'm' has the value '{HIDDEN_CELL}'")):
        encode(pd.Series([HIDDEN_CELL, "a"], name="m"))
