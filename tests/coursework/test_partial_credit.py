"""What an examiner makes of a check: points in part, and messages that hold nothing they must not."""

import pytest
from nbformat.v4 import new_code_cell
from nbgrader.utils import determine_grade

from anonnb.coursework.autograding import verdict_outputs
from anonnb.coursework.examiner import Examination
from tests.coursework.desk import Here
from tests.coursework.tiny import words


def verdict(check, answer="", tmp_path=None, given="from anonnb.coursework import checks"):
    examination = Examination(Here(tmp_path))
    steps = [("given", "given", given), ("answer", "answer", answer), ("check", "check", check)]
    for role, name, code in steps:
        examination.take({"role": role, "id": name, "code": code})
    return examination.outcomes[-1]


@pytest.mark.parametrize(
    ("check", "points"),
    [
        ("assert x == 3", None),
        ("assert x == 4", 0),
        ("x == 4", None),  # a truth value is no number of points
        ("2.5", 2.5),
        ("7", 7),
        ("checks.share('x', [x, 9], [3, 4], points=6)", 3),
        ("checks.share('x', [x], [3], points=6)", None),
        ("checks.share('x', [x, 9], [3, 4], points=6)\npass", None),
        ("1 / 0", 0),
        ("", None),
    ],
)
def test_points(check, points, tmp_path):
    assert verdict(check, "x = 3", tmp_path)["points"] == points


@pytest.mark.parametrize(
    ("points", "given"), [(None, 6), (0, 0), (2.5, 2.5), (9, 6), (-3, 0), (float("nan"), 0), (float("inf"), 6)]
)
def test_points_are_never_more_than_there_are(points, given):
    cell = new_code_cell(outputs=verdict_outputs(points, 6, ""))
    cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": 6}
    assert determine_grade(cell) == (given, 6)
    assert bool(words(cell)) == (given < 6)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("{'SECRET': 1}[x]", "the check cannot be done with this answer (KeyError)"),
        ("raise RuntimeError('SECRET')", "the check cannot be done with this answer (RuntimeError)"),
        (
            "import pandas\npandas.testing.assert_series_equal(pandas.Series(['SECRET']), pandas.Series([x]))",
            "the check fails",
        ),
        ("assert x == 'SECRET'", "the check fails"),
        ("assert x == 4, 'x is not four'", "x is not four"),
        ("checks.equal('x', x, 'SECRET', 'count')", "x: 3 is not right. Hint: count"),
    ],
)
def test_messages_do_not_tell_what_a_check_knows(check, message, tmp_path):
    assert verdict(check, "x = 3", tmp_path)["message"] == message


@pytest.mark.parametrize(
    "how", ["return f'SECRET {x}'", "raise ValueError(f'SECRET {x}')", "return {f'SECRET {x}': 1}"]
)
@pytest.mark.parametrize(
    "check",
    [
        "checks.gives('f of 7', f, (7,), 8)",
        "checks.agrees('f', f, abs, [(7,)])",
        "checks.equal('f of 7', f(7), {8})",
        "checks.of_type('f of 7', f(7), float, 'a number')",
        "checks.share('f of 7', [f(7), 1], [1, 1], points=4)",
        "checks.equal('f of 7', checks.plain('f', f)(7), {'a': 1})",
    ],
)
def test_functions_hand_nothing_on(check, how, tmp_path):
    found = verdict(check, f"def f(x):\n    {how}", tmp_path)
    assert found["points"] is not None
    assert found["message"]
    assert "SECRET" not in found["message"]
