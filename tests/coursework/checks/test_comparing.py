"""What counts as the same answer, in practice and in coursework alike."""

import numpy as np
import pandas as pd
import pytest

from anonnb.coursework.checks.comparing import difference

FRAME = pd.DataFrame({"a": [1, 2]})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (4.0, 4),
        (np.int64(4), 4),
        (np.array(0.4), 0.4),
        (np.array("flu"), "flu"),
        (0.333, 1 / 3),
        (0, 0.0),
        (" Flu", "flu"),
        ("job=clerk", "job = clerk"),
        ("[30-39]", "[30–39]"),
        ("not  shown", "Not shown"),
        (np.bool_(True), True),
        (["b", "a"], {"a", "b"}),
        (np.array(["B", "a "]), {"a", "b"}),
        ({0.333, 2}, {1 / 3, 2}),
        ([["b", "a"], ["c"]], {frozenset("ab"), frozenset("c")}),
        ([["a", 1]], {("a", 1)}),
        ([1, 2], np.array([1, 2])),
        (pd.Series([0.5, 0.333]), [1 / 2, 1 / 3]),
        (pd.Series([3, 4], index=[7, 8]), (3, 4)),
        ((1, [2, 3]), [1, (2, 3)]),
        ({"k": 2, "risk": 0.333}, {"k": 2, "risk": 1 / 3}),
        ({"1": "Noise", "2": "none"}, {1: "noise", 2: "none"}),
        ({1: "a"}, {"1": "a"}),
        ([5, 6], {0: 5, 1: 6}),
        (FRAME.copy(), FRAME),
        (FRAME.astype(str), FRAME),
        (pd.Series([1, 2, 1]), {1, 2}),
        (pd.Index(["a", "b"]), {"a", "b"}),
        (pd.Series(["a", "b"], dtype="category"), {"a", "b"}),
        ([0.333], pd.Series([1 / 3])),
        ((1, 2), pd.Series([1, 2], index=["a", "b"])),
        (pd.Series([0.333, 0.667], index=["a", "b"]), pd.Series([1 / 3, 2 / 3], index=["a", "b"])),
        (pd.Series([1, 2], index=pd.CategoricalIndex(["a", "b"])), pd.Series([1, 2], index=["a", "b"])),
        (pd.Series([1, None]), pd.Series([1, pd.NA], dtype="Int64")),
        (pd.Series([1], index=[np.nan]), pd.Series([1], index=[float("nan")])),
        (pd.Series([[1, 2]]), pd.Series([(1, 2)])),
    ],
)
def test_right_answers(answer, expected):
    assert difference(answer, expected) == ""


@pytest.mark.parametrize(
    ("answer", "expected", "remark"),
    [
        ("11", 11, "'11' is a text, and was read as a number"),
        ("0.75", 0.75, "'0.75' is a text, and was read as a number"),
        ("3/4", 0.75, "'3/4' is a text, and was read as a number"),
        (" 75 %", 0.75, "' 75 %' is a text, and was read as a number"),
        ([239], 239, "[239] holds one element, and was read as that element"),
        (np.array([239]), 239, "array([239]) holds one element, and was read as that element"),
        ("a", {"a"}, "'a' alone was read as a list of one element"),
        (4, [4], "4 alone was read as a list of one element"),
    ],
)
def test_a_mistyped_answer_is_right_with_a_remark(answer, expected, remark):
    remarks = []
    assert difference(answer, expected, remarks) == ""
    assert remarks == [remark]


@pytest.mark.parametrize(
    ("answer", "expected", "words"),
    [
        (5, 4, "5 is not right"),
        ("5", 4, "'5' is not right"),
        ([238], 239, "it must be a number, not a list"),
        ([4, 4], 4, "it must be a number, not a list"),
        (FRAME, 4, "it must be a number, not a DataFrame"),
        ("many", 0.5, "it must be a number, not a str"),
        (0.34, 1 / 3, "0.34 is not right"),
        (0.3, 1 / 3, "0.3 is rounded too far"),
        (0.6, 0.5783, "0.6 is rounded too far"),
        (0.5, 0.5783, "0.5 is rounded too far"),
        (2, 1.9, "2 is rounded too far"),
        (True, 1, "True is not right"),
        (1, True, "1 is not right"),
        ("007", "7", "'007' is not right"),
        ("A", {"a", "A"}, "it must be a list or a set, not a str"),
        (["A", "b"], {"a", "A"}, "'b' does not belong to it"),
        ("ab", ["a", "b"], "it must be a list, not a str"),
        ({1, 2}, [1, 2], "it must be a list, for its order matters, and a set has none"),
        (pd.NA, 4, "<NA> is not right"),
        ("o1", {"o1", "o2"}, "it must be a list or a set, not a str"),
        ([["o1", "o3"]], {"o1", "o2"}, "['o1', 'o3'] does not belong to it"),
        ({"o3", "o4"}, {"o1"}, "'o3' does not belong to it"),
        ({"o1"}, {"o1", "o2", "o3"}, "something is missing"),
        ([("a", 1)], {"a": 1}, "it must be a dict, not a list"),
        ({"b": 1}, {"a": 1}, "its keys: 'b' does not belong to it"),
        ({}, {"a": 1}, "its keys: something is missing"),
        ({"a": [1, 5]}, {"a": [1, 2]}, "at 'a': element 1: 5 is not right"),
        ([1], [1, 2], "it has 1 elements, and that is not the right number"),
        (3, [1, 2], "it must be a list, not an int"),
        (3, (1, 2), "it must be a pair, not an int"),
        (FRAME["a"], FRAME, "it must be a DataFrame, not a Series"),
        (FRAME.rename(columns={"a": "b"}), FRAME, "its columns must be a"),
        (FRAME.iloc[:1], FRAME, "its rows are not the expected ones"),
        (FRAME.replace(2, 7), FRAME, "row 1, column 'a': 7 is not right"),
        (pd.DataFrame({"a": [[1, 1], 2]}), FRAME, "row 0, column 'a': it must be a number, not a list"),
        ("x" * 100, "y", f"'{'x' * 56}... is not right"),
        (float("nan"), 0.5, "nan is not right"),
        (float("inf"), 0.5, "inf is not right"),
        (FRAME, FRAME["a"], "it must be a series, not a DataFrame"),
        ([1, 3], FRAME["a"], "element 1: 3 is not right"),
        (pd.Series([1, 3], index=["a", "b"]), pd.Series([1, 2], index=["a", "b"]), "at 'b': 3 is not right"),
        (
            pd.Series([2, 1], index=["b", "a"]),
            pd.Series([1, 2], index=["a", "b"]),
            "its index: element 0: 'b' is not right",
        ),
        (pd.Series([1, pd.NA], dtype="Int64"), pd.Series([1, 2]), "element 1: <NA> is not right"),
    ],
)
def test_a_difference_is_told_without_the_answer(answer, expected, words):
    assert difference(answer, expected) == words


@pytest.mark.parametrize("wanted", [2, 5, 31])
def test_a_wrong_length_does_not_give_the_right_one_away(wanted):
    for expected in (list(range(wanted)), set(range(wanted))):
        assert str(wanted) not in difference([0], expected)
