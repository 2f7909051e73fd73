"""Questions, verdicts, hints that grow, worked solutions, and numbers of one's own."""

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice import asking
from anonnb.coursework.practice.exercise import Exercise, Numbers


@pytest.fixture(autouse=True)
def _fresh(capsys):
    asking._WRONG.clear()
    yield
    practice.vary()
    capsys.readouterr()


def said(capsys, *arguments):
    practice.check(*arguments)
    return capsys.readouterr().out.strip()


def test_a_wrong_answer_gets_a_hint_and_the_next_a_bigger_one(capsys):
    first, second = practice.find("13.1").hints
    assert said(capsys, "13.1") == "Not answered yet."
    assert said(capsys, "13.1", [1]).endswith(f"Hint: {first}.")
    assert said(capsys, "13.1", [1]).endswith(f"Hint: {second}.")
    assert said(capsys, "13.1", [1]).endswith('The worked solution: solution("13.1").')
    assert said(capsys, "13.1", practice.find("13.1").expected()) == "Right."


def test_a_hint_that_asks_ends_with_its_question_mark(capsys):
    practice.check("39.1", "wrong")
    assert "oldest?\n" in capsys.readouterr().out


def test_a_function_that_is_not_written_yet_is_no_wrong_answer(capsys):
    def best_cut(region, spread, k):
        raise NotImplementedError

    assert said(capsys, "13.4", best_cut) == "Not answered yet."
    assert "raises ZeroDivisionError" in said(capsys, "13.4", lambda region, spread, k: 1 / 0)


def test_numbers_vary_with_the_student_and_stay_the_same_for_one():
    assert Numbers("1.1").one_of([1, 2, 3]) == 1
    drawn = {Numbers("1.1", f"student {n}").one_of([1, 2, 3]) for n in range(50)}
    assert drawn == {1, 2, 3}
    assert len({Numbers("1.1", "ada").one_of(range(1000)) for _ in range(3)}) == 1


def test_vary_changes_what_is_asked(capsys):
    usual = practice.ask("13.2").data
    asked = set()
    for student in "abcdefgh":
        practice.vary(student)
        asked.add(practice.ask("13.2").data)
        assert said(capsys, "13.2", practice.find("13.2", student).expected()).endswith("Right.")
    assert len(asked | {usual}) > 1


def test_unknown_exercises_are_named():
    with pytest.raises(KeyError, match=r"no exercise '13.99'; notebook 13 has '13.1'"):
        practice.ask("13.99")
    with pytest.raises(KeyError, match="no notebook '99'"):
        practice.check("99.1", 3)


def test_an_exercise_has_one_way_of_being_judged():
    with pytest.raises(ValueError, match="either"):
        Exercise("?", ["a", "b"], "so")
