"""What may be given is one rule; points may be given in part; functions see copies, and hand nothing on."""

from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Table, load, roughsets
from anonnb.coursework import checks
from anonnb.coursework.checks import Credit, Wrong
from anonnb.coursework.checks.calling import AnswerFunction
from anonnb.coursework.checks.comparing import difference
from anonnb.methods import Mondrian

NAMES = ["p1", "p2", "p3"]


def wrong(check, *arguments, **options):
    with pytest.raises(Wrong) as error:
        check(*arguments, **options)
    return error.value


# ---- what may be given -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given_",
    [
        set(NAMES),
        frozenset(NAMES),
        NAMES,
        tuple(NAMES),
        deque(NAMES),
        np.array(NAMES),
        pd.Index(NAMES),
        pd.Series(NAMES, index=[7, 8, 9]),
        pd.Categorical(NAMES),
        dict.fromkeys(NAMES).keys(),
        dict(enumerate(NAMES)).values(),
    ],
    ids=lambda one: type(one).__name__,
)
def test_collections_stand_for_each_other(given_):
    checks.of_type("names", given_, set, "a set")
    checks.of_type("names", given_, (list, tuple), "a list")
    checks.equal("names", given_, set(NAMES))
    checks.equal("pairs", [given_, given_], {frozenset(NAMES)})
    if not isinstance(given_, set | frozenset):
        checks.equal("names", given_, NAMES)


def test_a_set_has_no_order_and_an_iterator_is_read_once():
    assert "a set has none" in str(wrong(checks.equal, "names", set(NAMES), NAMES))
    for iterator in (iter(NAMES), (name for name in NAMES), map(str, NAMES)):
        assert "use list(…)" in str(wrong(checks.equal, "names", iterator, NAMES))


NUMBER_TYPES = (int, float, np.int8, np.uint64, np.float32, np.float16, np.longdouble, Fraction, Decimal, np.array, str)


@pytest.mark.parametrize("number", [[3], *(kind(3) for kind in NUMBER_TYPES)])
def test_numbers_are_numbers(number):
    checks.of_type("k", number, int, "a whole number")
    checks.of_type("k", number, float, "a number")
    checks.equal("k", number, 3)
    checks.at_least("k", number, 3)


@pytest.mark.parametrize("value", [True, np.bool_(True), "three", None, [3, 3], 2.5, "2.5"])
def test_what_is_no_whole_number(value):
    assert wrong(checks.of_type, "k", value, int, "a whole number")


@given(st.floats(1e-6, 1e6), st.integers(2, 9))
def test_whatever_is_rounded_correctly_is_right(number, digits):
    assert difference(float(f"{number:.{digits}g}"), number) == ""


@given(st.floats(0.05, 1e3), st.sampled_from([0.9, 0.94, 1.06, 1.1]))
def test_whatever_is_off_by_more_than_rounding_can_do_is_wrong(number, factor):
    assert difference(number * factor, number) != ""


def test_a_series_is_a_dict_and_a_release_its_frame():
    checks.of_type("linked", pd.Series({"Ann": "flu"}), dict, "a dict")
    checks.equal("linked", pd.Series({"Ann": "flu"}), {"Ann": "flu"})
    checks.equal("linked", {"Ann": "flu"}, pd.Series({"Ann": "flu"}))
    assert "has 'Ann' twice" in str(wrong(checks.equal, "x", pd.Series(["a", "b"], ["Ann", "Ann"]), {"Ann": "a"}))
    release = Mondrian(k=2).anonymize(load("decision6").with_roles(quasi=["sex", "occupation"], sensitive=[]))
    checks.equal("mine", release, checks.plain("it", release.frame))
    assert checks.plain("cut", pd.cut(pd.Series([1, 5]), [0, 2, 6])) == ["(0, 2]", "(2, 6]"]


LINES = pd.DataFrame({"k": [2, 2, 5], "method": ["a", "b", "a"], "ours": [0.5, 1 / 3, 0.25]})


def test_rows_with_a_key_may_be_in_any_order():
    by = ["k", "method"]
    for mine in (LINES.iloc[::-1], LINES[["ours", "method", "k"]], LINES.set_index(by), LINES.set_index("method")):
        checks.equal("ours", mine, LINES, by=by)
    told = str(wrong(checks.equal, "ours", LINES.assign(ours=[0.5, 0.9, 0.25]), LINES, by=by))
    assert told == "ours: at (2, 'b'): at 'ours': 0.9 is not right."
    assert "occurs twice" in str(wrong(checks.equal, "ours", pd.concat([LINES, LINES]), LINES, by=by))
    assert "must be k, method, ours" in str(wrong(checks.equal, "ours", LINES.assign(more=1), LINES, by=by))
    assert "must be a DataFrame" in str(wrong(checks.equal, "ours", [1], LINES, by=by))


# ---- points in part --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected", "points"),
    [
        ({"a", "b"}, {"a", "b", "c", "d"}, 5),
        ({"a", "b", "x"}, {"a", "b", "c", "d"}, 2.5),
        ({"x", "y", "a"}, {"a", "b"}, 0),
        ([["a", "b"], ["c"]], {frozenset("ab"), frozenset("cd")}, 0),
        ({"k": 1, "l": 2, "t": 0.333}, {"k": 1, "l": 3, "t": 1 / 3}, 6.5),
        ([1, 2, 9], [1, 2, 3], 6.5),
        ([1, 2, 3, 4], [1, 2, 3], 6.5),
        ("nothing of the kind", {"a"}, 0),
        (7, {"a": 1}, 0),
        (None, [1], 0),
    ],
)
def test_points_for_what_is_right(answer, expected, points):
    found = checks.share("it", answer, expected, points=10, hint="look")
    assert isinstance(found, Credit)
    assert (float(found), repr(found)) == (points, f"{points:g}")
    assert found.message.startswith("it: ")
    assert found.message.endswith("Hint: look")


@given(st.sets(st.integers(0, 9), min_size=1), st.sets(st.integers(0, 9)))
def test_a_share_is_all_only_for_all(expected, answer):
    found = checks.share("it", answer, expected, points=10)
    assert (found is None) == (answer == expected)
    assert found is None or 0 <= found < 10


# ---- functions -------------------------------------------------------------------------------------------------------


def test_functions_get_copies_and_give_copies():
    kept = []

    def greedy(frame):
        frame["a"] = 0
        kept.append(frame)
        return kept

    frame = pd.DataFrame({"a": [1, 2]})
    given_ = checks.plain("greedy", greedy)(frame)
    assert frame["a"].tolist() == [1, 2]
    assert given_[0] is not kept[0]
    assert isinstance(checks.plain("again", checks.plain("greedy", greedy)), AnswerFunction)


def test_what_functions_do_wrong_is_told():
    assert (
        str(wrong(checks.gives, "f", lambda: 1 / 0, (), 3))
        == "<lambda>(…): it raises ZeroDivisionError: division by zero."
    )
    assert "a object" in str(wrong(checks.gives, "f", lambda: object(), (), 3))

    def stub():
        raise NotImplementedError

    assert str(wrong(checks.gives, "f", stub, (), 3)) == "stub(…): it is not written yet."


def test_the_discreet_sentence_holds_nothing_that_a_function_gave():
    def hands_on(secret):
        return f"SECRET {secret}"

    credit = checks.share("f", {hands_on("x"), "b"}, {"a", "b"}, points=2, hint="look")
    assert "SECRET" in credit.message
    for error in (
        credit,
        wrong(checks.agrees, "f", hands_on, str, [("x",)], "look"),
        wrong(checks.gives, "f of x", hands_on, ("x",), "x", "look"),
        wrong(checks.at_least, "f", 7, 8, "look"),
    ):
        assert str(error) != error.discreet
        assert "SECRET" not in error.discreet
        assert "7" not in error.discreet
        assert error.discreet.endswith("Hint: look")


FRAME = load("decision6").frame


def by_name(frame):
    return roughsets.quality(Table(frame, quasi=[], decision="evaluation"), ["sex"])


def by_import(frame):
    from importlib import import_module

    return getattr(import_module("anonnb.rough" + "sets"), "quality")(  # noqa: B009
        Table(frame, quasi=[], decision="evaluation"), ["sex"]
    )


def unwatched(frame):
    import sys

    sys.setprofile(None)
    return by_name(frame)


def in_a_thread(frame):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(by_name, frame).result()


@pytest.mark.parametrize("function", [by_name, by_import, in_a_thread], ids=lambda one: one.__name__)
def test_a_forbidden_module_is_noticed(function):
    told = str(wrong(checks.agrees, "quality", function, function, [(FRAME,)], without="anonnb.roughsets"))
    assert told == "quality(…): it uses anonnb.roughsets, which this task does not allow."
    checks.agrees("quality", function, function, [(FRAME,)], without="anonnb.attacks")


def test_whoever_switches_the_watch_off_is_noticed_too():
    assert "changes Python's profiler" in str(wrong(checks.agrees, "f", unwatched, unwatched, [(FRAME,)], without="os"))


def test_work_of_ones_own_is_not_forbidden():
    import sys

    before = sys.getprofile()
    checks.gives("rows", lambda frame: frame.groupby("sex").size().max(), (FRAME,), 4, without=("anonnb",))
    assert sys.getprofile() is before
