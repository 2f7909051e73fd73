"""Exercises that check themselves."""

import numpy as np
import pandas as pd
import pytest

from anonnb.coursework.exercises import check, difference

FRAME = pd.DataFrame({"a": [1, 2]})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (4, 4),
        (4.0, 4),
        (np.int64(4), 4),
        (0.333, 1 / 3),
        (0, 0.0),
        ("flu", "flu"),
        (True, True),
        (["b", "a"], {"a", "b"}),
        ([1, 2], np.array([1, 2])),
        (pd.Series([0.5, 0.333]), [1 / 2, 1 / 3]),
        ((1, [2, 3]), [1, (2, 3)]),
        ({"k": 2, "risk": 0.333}, {"k": 2, "risk": 1 / 3}),
        (FRAME.copy(), FRAME),
        (pd.Series([1, 2, 1]), {1, 2}),
        (pd.Index(["a", "b"]), {"a", "b"}),
        (pd.Series(["a", "b"], dtype="category"), {"a", "b"}),
        ([0.333], pd.Series([1 / 3])),
        ((1, 2), pd.Series([1, 2], index=["a", "b"])),
        (pd.Series([0.333, 0.667], index=["a", "b"]), pd.Series([1 / 3, 2 / 3], index=["a", "b"])),
        (pd.Series([1.0, 2.0]), pd.Series([1, 2])),
        (pd.Series(["a", "b"]), pd.Series(["a", "b"], dtype="category")),
        (pd.Series([1, 2], index=pd.CategoricalIndex(["a", "b"])), pd.Series([1, 2], index=["a", "b"])),
        (pd.Series([1, None]), pd.Series([1, pd.NA], dtype="Int64")),
        (pd.Series([1], index=[np.nan]), pd.Series([1], index=[float("nan")])),
        (pd.Series([[1, 2]]), pd.Series([(1, 2)])),
    ],
)
def test_right_answers(capsys, answer, expected):
    check(answer, lambda: expected, hint="look again")
    assert capsys.readouterr().out == "Right.\n"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (5, 4),
        (0.34, 1 / 3),
        ("4", 4),
        (True, 1),
        (True, 1.0),
        (1, True),
        ([1, 2], 4),
        (np.array([4, 4]), 4),
        (FRAME, 4),
        ("ab", ["a", "b"]),
        ({1, 2}, [1, 2]),
        (4, [4]),
        ([1], [1, 2]),
        ("a", {"a"}),
        ({"k": 2}, {"l": 2}),
        (FRAME["a"], FRAME),
        (FRAME + 1, FRAME),
        ("many", 0.5),
        (pd.NA, 4),
        (pd.Series([1, pd.NA], dtype="Int64"), pd.Series([1, 2])),
    ],
)
def test_wrong_answers_get_the_hint_and_no_traceback(capsys, answer, expected):
    check(answer, lambda: expected, hint="look again")
    assert capsys.readouterr().out == "Not yet. Hint: look again\n"


@pytest.mark.parametrize(
    ("answer", "expected", "words"),
    [
        ("o1", {"o1"}, "it must be a list or a set, not a str"),
        ([["o1"]], {"o1"}, "its elements must be plain values or tuples; lists cannot be in a set"),
        ({"o3", "o4"}, {"o1"}, "'o3' does not belong to it"),
        ({"o1"}, {"o1", "o2", "o3"}, "2 of its 3 elements are missing"),
        ([("a", 1)], {"a": 1}, "it must be a dict, not a list"),
        ({"b": 1}, {"a": 1}, "its keys: 'b' does not belong to it"),
        ({"a": [1, 5]}, {"a": [1, 2]}, "at 'a': element 1: 5 is not right"),
        ([1], [1, 2], "it has 1 elements, but 2 are wanted"),
        (3, [1, 2], "it must be a list, not an int"),
        (3, (1, 2), "it must be a pair, not an int"),
        (FRAME["a"], FRAME, "it must be a DataFrame, not a Series"),
        (FRAME.rename(columns={"a": "b"}), FRAME, "its columns must be a"),
        (FRAME.iloc[:1], FRAME, "its rows are not the expected 2 rows"),
        (FRAME.replace(2, 7), FRAME, "row 1, column 'a': 7 is not right"),
        (pd.DataFrame({"a": [[1], 2]}), FRAME, "row 0, column 'a': [1] is not right"),
        (np.float64(0.4), 0.5, "0.4 is not right"),
        ("x" * 100, "y", f"'{'x' * 56}... is not right"),
        (float("nan"), 0.5, "nan is not right"),
        (FRAME, FRAME["a"], "it must be a series, not a DataFrame"),
        ({1, 2}, FRAME["a"], "it must be a series, not a set"),
        ([1], FRAME["a"], "it has 1 elements, but 2 are wanted"),
        ([1, 3], FRAME["a"], "element 1: 3 is not right"),
        (pd.Series([1, 3], index=["a", "b"]), pd.Series([1, 2], index=["a", "b"]), "at 'b': 3 is not right"),
        (
            pd.Series([2, 1], index=["b", "a"]),
            pd.Series([1, 2], index=["a", "b"]),
            "its index: element 0: 'b' is not right",
        ),
        (pd.Series([1, 5]), {1, 2}, "5 does not belong to it"),
    ],
)
def test_a_difference_is_told_without_the_answer(answer, expected, words):
    assert difference(answer, expected) == words


def test_missing_cells_agree():
    frame = pd.DataFrame({"a": [1.0, np.nan], "b": ["x", None]})
    assert difference(frame.copy(), frame) == ""
    assert difference(frame.fillna({"a": 2.0}), frame) == "row 1, column 'a': 2.0 is not right"


def test_an_open_question_does_not_compute_the_solution(capsys):
    check(None, lambda: 1 / 0)
    assert capsys.readouterr().out == "Not answered yet.\n"
