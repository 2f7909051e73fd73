"""Exercises that check themselves."""

import numpy as np
import pandas as pd
import pytest

from anonnb.exercises import check

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
    ],
)
def test_wrong_answers_get_the_hint_and_no_traceback(capsys, answer, expected):
    check(answer, lambda: expected, hint="look again")
    assert capsys.readouterr().out == "Not yet. Hint: look again\n"


def test_an_open_question_does_not_compute_the_solution(capsys):
    check(None, lambda: 1 / 0)
    assert capsys.readouterr().out == "Not answered yet.\n"
