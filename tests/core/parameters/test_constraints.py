"""What constraints accept, refuse, say and read."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.core.parameters.compound import ByName, Function, Instance, Instances, Names, OneOf, Optional, Several
from anonnb.core.parameters.constraints import Choice, Constraint, Flag, Name, Number, Text, Whole


@pytest.mark.parametrize(
    ("constraint", "given_", "kept"),
    [
        (Whole(at_least=1), np.int8(3), 3),
        (Number(at_least=0), np.float64(0.5), 0.5),
        (Number(at_least=0), np.int64(2), 2),
        (Number(at_least=0), Fraction(1, 3), Fraction(1, 3)),
        (Flag(), np.bool_(True), True),
        (Choice(["a", "b"]), "b", "b"),
        (Names(), "zip", ("zip",)),
        (Names(), ["zip", 7], ("zip", 7)),
        (Names(), pd.Index(["a", "b"]), ("a", "b")),
        (Names(), (name for name in "ab"), ("a", "b")),
        (Several(), "flu", ("flu",)),
        (Several(), [1, None], (1, None)),
        (Instances(Fraction, "fraction"), Fraction(1), (Fraction(1),)),
        (ByName(Number(at_least=0)), {"age": np.float64(2)}, {"age": 2.0}),
        (Optional(Whole()), None, None),
        (OneOf(Whole(at_least=1), Names()), "zip", ("zip",)),
        (OneOf(Choice(["all"]), Names()), "all", "all"),
        (OneOf(Text(), Function()), abs, abs),
        (Constraint(), object, object),
    ],
)
def test_one_form(constraint, given_, kept):
    found = constraint.validate("x", given_)
    assert found == kept
    assert type(found) is type(kept)


@pytest.mark.parametrize(
    ("constraint", "value", "error", "sentence"),
    [
        (Whole(at_least=1), True, TypeError, "x must be a whole number, not True"),
        (Whole(at_least=1), 2.0, TypeError, "x must be a whole number, not 2.0"),
        (Whole(at_least=1), np.int64(0), ValueError, "x must be at least 1, not 0"),
        (Number(above=0, at_most=1), "1", TypeError, "x must be a number, not '1'"),
        (Number(above=0, at_most=1), 0, ValueError, "x must be above 0 and at most 1, not 0"),
        (Number(at_least=0, below=1), 1.0, ValueError, "x must be at least 0 and below 1, not 1.0"),
        (Number(), float("nan"), ValueError, "x must be a number, not nan"),
        (Number(), np.array([1, 2]), TypeError, "x must be a number, not array([1, 2])"),
        (Flag(), 1, TypeError, "x must be True or False, not 1"),
        (Choice(["a", "b"]), "c", ValueError, "x='c' is not known; use 'a', 'b'"),
        (Choice({"a": "first"}, otherwise="or Y"), "c", ValueError, "x='c' is not known; use 'a' (first), or Y"),
        (Choice(["a"]), ["a"], TypeError, "x=['a'] is not known; use 'a'"),
        (Name(), ["zip"], TypeError, "x must be the name of a column, not ['zip']"),
        (Names(), 3, TypeError, "x must be names of columns, not 3"),
        (Names(), ["a", None], TypeError, "x must be names of columns, but None is none"),
        (Names(some=True), [], ValueError, "x names no column, it is []; name at least one, or leave it out"),
        (Instances(Fraction, "fraction", advice="try Fraction(1)"), "half", TypeError, None),
        (Instance(Fraction, "a fraction"), "half", TypeError, "x must be a fraction, not 'half'"),
        (Optional(Whole(at_least=1)), "a", TypeError, "x must be a whole number or None, not 'a'"),
        (Optional(Choice(["a"])), "b", ValueError, "x='b' is not known; use 'a'"),
        (OneOf(Whole(at_least=1), Names()), 0, ValueError, None),
        (ByName(Number(at_least=0)), {"age": -1}, ValueError, "x of 'age' must be at least 0, not -1"),
        (Whole(), list(range(99)), TypeError, "x must be a whole number, not a list of 99"),
        (Whole(), pd.DataFrame({"a": [1, 2]}), TypeError, "x must be a whole number, not a DataFrame of 2"),
    ],
)
def test_one_sentence(constraint, value, error, sentence):
    with pytest.raises(error) as caught:
        constraint.validate("x", value)
    text = str(caught.value)
    assert text.startswith("x")
    assert "\n" not in text
    assert sentence is None or text == sentence


@pytest.mark.parametrize(
    ("constraint", "text", "value"),
    [
        (Whole(), "5", 5),
        (Whole(), "five", "five"),
        (Number(), "0.5", 0.5),
        (Flag(), "TRUE", True),
        (Flag(), "maybe", "maybe"),
        (Choice(["2"]), "2", "2"),
        (Name(), "2", "2"),
        (Name(), "'a, b'", "a, b"),
        (Names(), "a, b", ("a", "b")),
        (Names(), "['a, b', 'c']", ["a, b", "c"]),
        (Optional(Whole()), "None", None),
        (OneOf(Whole(at_least=1), Names()), "2", 2),
        (OneOf(Whole(at_least=1), Names()), "zip,age", ("zip", "age")),
        (OneOf(Text(), Function()), "ncp", "ncp"),
        (ByName(Number()), '{"age": 2}', {"age": 2}),
        (Constraint(), "[1]", [1]),
    ],
)
def test_reading(constraint, text, value):
    assert constraint.read("x", text) == value


@pytest.mark.parametrize("constraint", [Instance(int, "a thing"), Instances(int, "thing"), Function()])
def test_objects_cannot_be_written(constraint):
    with pytest.raises(ValueError, match=r"x cannot be written on a command line: it takes .*, not 'abc'; use Python"):
        Optional(constraint).read("x", "abc")


@given(st.integers(), st.integers())
def test_whole_numbers_are_read_as_they_are_written(low, value):
    constraint = Whole(at_least=low)
    assert constraint.accepts(constraint.read("x", str(value))) == (value >= low)


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2))
def test_open_and_closed_ends(low, high, value):
    assert Number(at_least=low, at_most=high).accepts(value) == (low <= value <= high)
    assert Number(above=low, below=high).accepts(value) == (low < value < high)
