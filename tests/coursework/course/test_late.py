"""Late rules: what a late day costs, who is exempt, and that every deduction can be redone by hand."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.coursework.course.late import Amount, LateRule, LateRules

DUE = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TEN = Amount(10, percent=True)


@pytest.mark.parametrize(
    ("after", "options", "points", "days"),
    [
        (-HOUR, {}, 0, 0),
        (0 * HOUR, {}, 0, 0),
        (HOUR, {}, 10, 1),
        (DAY, {}, 10, 1),
        (DAY + HOUR, {}, 20, 2),
        (HOUR, {"grace": HOUR}, 0, 0),
        (2 * HOUR, {"grace": HOUR}, 10, 1),  # days count from the deadline, not from the end of the grace
        (9 * DAY, {"cap": Amount(50, percent=True)}, 50, 9),
        (9 * DAY, {"per_day": Amount(3), "cap": Amount(12)}, 12, 9),
        (9 * DAY, {}, 60, 9),  # no more than was earned
        (3 * DAY, {"closed_after": 2 * DAY}, 60, 3),
        (2 * DAY, {"closed_after": 2 * DAY}, 20, 2),
    ],
)
def test_what_a_late_day_costs(after, options, points, days):
    found = LateRule(DUE, **{"per_day": TEN} | options).deduction(DUE + after, earned=60, most=100)
    assert (found.points, found.days) == (points, days)
    assert bool(found.why) == (after > timedelta(0))


def test_the_sentence_has_all_that_is_needed_to_redo_it():
    rule = LateRule(DUE, per_day=TEN, cap=Amount(15, percent=True))
    assert rule.deduction(DUE + DAY + HOUR, 60, 80).why == (
        "handed in 2026-12-01 13:00, 1 day 1 hour after the deadline 2026-11-30 12:00: "
        "2 started days at 10 % of 80 points each, at most 15 % of 80 points"
    )


@given(
    st.integers(-5000, 50_000),
    st.floats(0, 100),
    st.integers(0, 3000),
    st.integers(0, 40),
    st.integers(0, 100),
    st.booleans(),
)
def test_later_never_costs_less_and_never_more_than_there_is(minutes, earned, grace, per_day, cap, closed):
    rule = LateRule(
        *(DUE, timedelta(minutes=grace), Amount(per_day, percent=True), Amount(cap, percent=True)),
        *[DAY * 5 if closed else None],
    )
    first, second = (rule.deduction(DUE + timedelta(minutes=m), earned, 100).points for m in (minutes, minutes + 60))
    assert 0 <= first <= second <= earned


def write(tmp_path, text):
    (tmp_path / "late.yaml").write_text(text, encoding="utf-8")
    return tmp_path / "late.yaml"


RULES = """
deadline: 2026-11-30T12:00+00:00
grace: 30 minutes
per_day: 10 %
cap: 50 %
assignments:
  02_b: 2026-12-07T12:00+00:00
  03_c: {per_day: 5 points, closed_after: 2 days}
exempt:
  ill: {until: 2026-12-05T12:00+00:00, reason: certificate}
  lee: all
  mia: 2026-12-01T12:00+00:00
"""


@pytest.mark.parametrize(
    ("student", "assignment", "after", "points", "why"),
    [
        ("ann", "01_a", DAY, 10, "1 started day at 10 % of 100 points each"),
        ("ann", "02_b", DAY, 0, ""),
        ("ann", "03_c", DAY, 5, "1 started day at 5 points each"),
        ("ann", "03_c", 3 * DAY, 60, "later than 2 days counts nothing"),
        ("ill", "01_a", 4 * DAY, 0, "the deadline was extended to 2026-12-05 12:00 (certificate)"),
        (
            "ill",
            "01_a",
            6 * DAY,
            10,
            "extended to 2026-12-05 12:00 (certificate); handed in 2026-12-06 12:00, 1 day after",
        ),
        ("ill", "02_b", 0 * DAY, 0, ""),
        ("lee", "01_a", 9 * DAY, 0, "exempt from the deadline"),
        ("lee", "01_a", -DAY, 0, ""),
        ("mia", "01_a", 2 * DAY, 10, "extended to 2026-12-01"),
    ],
)
def test_assignments_and_students_have_rules_of_their_own(
    tmp_path, student, assignment, after, points, why, monkeypatch
):
    found = LateRules.read(write(tmp_path, RULES)).deduction(student, assignment, DUE + after, 60, 100)
    assert found.points == points
    assert why in found.why
    assert bool(why) == bool(found.why)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deadline: tomorrow\nper_day: 10 %", "late.yaml, deadline: write the time 'tomorrow' like 2026-11-30T23:59"),
        ("deadline: 2026-11-30\nper_day: ten", "late.yaml, per_day: write 'ten' like 10 % or 5 points"),
        ("deadline: 2026-11-30\nper_day: -5 points", "write '-5 points' like"),
        ("deadline: 2026-11-30\nper_day: 1 %\ngrace: soon", "grace: write 'soon' like 30 minutes"),
        ("deadline: 2026-11-30\nper_dya: 1 %", "'per_dya' is not known; known are deadline, grace"),
        ("deadline: 2026-11-30", "say what a late day costs"),
        ("assignments: {a: {per_day: 1 %}}", "late.yaml, a: there is no deadline"),
        ("exempt: {ann: {untill: 2026-11-30}}", "'untill' is not known"),
        ("- a", "write lines such as name: value"),
        ("{", "late.yaml is not YAML"),
    ],
)
def test_rules_that_are_none_are_refused_in_a_sentence(tmp_path, text, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        LateRules.read(write(tmp_path, text))
