"""Plain data crosses; nothing else does."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.coursework.checks.comparing import difference
from anonnb.coursework.plain import LARGEST, NotPlain, dumps, loads

SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text()
KEYS = st.booleans() | st.integers() | st.text() | st.tuples(st.integers(), st.text())
VALUES = st.recursive(
    SCALARS | st.sets(KEYS) | st.frozensets(KEYS),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


def same(one, two):
    if type(one) is not type(two):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return list(one) == list(two) and all(same(one[key], two[key]) for key in one)
    return one == two


@pytest.mark.slow
@settings(max_examples=150)
@given(VALUES)
def test_built_in_values_come_back_with_their_types(value):
    assert same(loads(dumps(value)), value)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(
            {"age": [31, 38], "zip": ["47*", "*"], "share": [0.5, np.nan], "ok": [True, False]}, index=["o1", "o2"]
        ),
        pd.DataFrame({"a": [1, 2, 3]}, index=[5, 3, 1]),
        pd.DataFrame({"a": pd.Categorical(["x", "y", "x"])}).astype(str),
        pd.DataFrame(columns=["a", "b"]),
    ],
    ids=["mixed", "numbers", "texts", "empty"],
)
def test_frames_come_back(frame):
    pd.testing.assert_frame_equal(loads(dumps(frame)), frame, check_dtype=False, check_index_type=False)


def test_two_columns_of_one_name_come_back():
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert loads(dumps(frame)).to_numpy().tolist() == [[1, 2]]


def test_numpy_and_pandas_values():
    series = pd.Series([1, 2], index=["a", "b"], name="n")
    pd.testing.assert_series_equal(loads(dumps(series)), series)
    assert loads(dumps(np.array([[1, 2], [3, 4]]))).tolist() == [[1, 2], [3, 4]]
    assert loads(dumps([np.int64(3), np.float64(0.5), np.bool_(True), pd.NA])) == [3, 0.5, True, None]
    assert loads(dumps(pd.Timestamp("2026-01-02"))) == pd.Timestamp("2026-01-02")


@pytest.mark.parametrize("values", [["a", "b", "a"], ["a", None], [3, 1], [0.5, np.nan]])
def test_a_categorical_comes_back_as_its_values(values):
    categorical = pd.Categorical(values)
    plain = categorical.tolist()
    for sent in (categorical, pd.Series(categorical), pd.DataFrame({"a": categorical})["a"]):
        assert difference(loads(dumps(sent)), plain) == ""
        assert difference(loads(dumps(sent)), pd.Series(categorical)) == ""


def test_an_array_of_mixed_values_does_not_become_texts():
    assert loads(dumps(np.array(["a", 1, 0.5], dtype=object))).tolist() == ["a", 1, 0.5]
    assert loads(dumps(np.array([["a", 1], ["b", 2]], dtype=object))).tolist() == [["a", 1], ["b", 2]]
    assert loads(dumps(np.array(["a", "b"]))).dtype.kind == "U"


def test_subclasses_lose_what_they_added():
    class Yes(str):
        def __eq__(self, other):
            return True

        def __str__(self):
            return "another text"

        __hash__ = str.__hash__

    assert type(loads(dumps(Yes("no")))) is str
    assert loads(dumps(Yes("no"))) == "no"
    assert loads(dumps(Yes("no"))) != "yes"


def endless():
    value = []
    value.append(value)
    return value


@pytest.mark.parametrize("value", [object(), lambda: 1, {1: object()}, np.array([object()]), endless(), 1j, open])
def test_other_things_do_not_cross(value):
    with pytest.raises(NotPlain):
        dumps(value)


def test_too_much_does_not_cross():
    with pytest.raises(NotPlain, match="at most"):
        dumps("x" * (LARGEST + 1))


class Bomb:
    def __reduce__(self):
        return (print, ("this must not run",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        "[1]",
        '["pickle", "x"]',
        '["set", [["list", []]]]',
        '["dict", [[["list", []], 1]]]',
        '["frame", [1, 2, 3]]',
        '["frame", [["list", ["a"]], ["list", [1, 2]], [["list", [1]]]]]',
        '["time", "never"]',
        '["array", 1, 2]',
        "9" * 5000,
        "[" * 100_000,
        json.dumps(pickle.dumps(Bomb()).decode("latin-1"))[:-1],
    ],
)
def test_nonsense_is_refused(text, capsys):
    with pytest.raises(NotPlain):
        loads(text)
    assert capsys.readouterr().out == ""
