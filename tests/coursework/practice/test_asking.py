"""Questions, verdicts, hints that answer an error, worked solutions, and numbers of one's own."""

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice import asking
from anonnb.coursework.practice.exercise import Answer, Numbers


@pytest.fixture(autouse=True)
def _fresh(capsys):
    asking._SHOWN.clear()
    yield
    practice.vary()
    capsys.readouterr()


def said(capsys, *arguments):
    practice.check(*arguments)
    return capsys.readouterr().out.strip()


def hints(name):
    return [hint.text for hint in practice.find(name).hints]


def test_a_hint_answers_the_error_and_not_the_number_of_tries(capsys):
    first, second = hints("13.1")
    assert said(capsys, "13.1") == "Not answered yet."
    for _ in range(3):
        assert said(capsys, "13.1", [9]).endswith(f"Hint: {first}")
    assert said(capsys, "13.1", [4, 1, 4]).endswith(f"Hint: {second}"), "it is right in part"
    assert said(capsys, "13.1", "four") == "Not yet: it must be a list, not a str.", "the sentence says what to do"
    assert said(capsys, "13.1", [8]).endswith(f'Hint: {second} The worked solution: solution("13.1").')
    assert said(capsys, "13.1", [9]).startswith("Not yet: it has 1 elements, and that is not the right number.")
    assert said(capsys, "13.1", [4, 3, 2]) == "Right."


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("00.2", 0.1, "divide it by the share"),
        ("01.3", (2, 3), "rows first"),
        ("20.1", 2, "Hiding the small leaves alone is not enough"),
        ("26.3", 1 / 3, "the bound for one count"),
        ("35.1", 5, "What does the attacker know of those who have it?"),
        ("60.3", 132, "belongs to the interval above"),
        ("60.3", 127, "count in tenths"),
        ("62.1", {"x8", "x9", "x10", "x4"}, "dominates itself"),
    ],
)
def test_a_known_mistake_has_a_hint_of_its_own(capsys, name, answer, hint):
    assert hint in said(capsys, name, answer)


def test_a_function_that_is_not_written_yet_is_no_wrong_answer(capsys):
    def best_cut(region, spread, k):
        raise NotImplementedError

    assert said(capsys, "13.4", best_cut) == "Not answered yet."
    assert "raises ZeroDivisionError" in said(capsys, "13.4", lambda region, spread, k: 1 / 0)
    assert "the answer is the function best_cut, not an int" in said(capsys, "13.4", 3)
    assert "something else than ours for a frame of" in said(capsys, "13.4", lambda region, spread, k: None)


def test_numbers_vary_with_the_student_and_stay_the_same_for_one(capsys):
    assert Numbers("1.1").one_of([1, 2, 3]) == 1
    assert {Numbers("1.1", f"student {n}").one_of([1, 2, 3]) for n in range(50)} == {1, 2, 3}
    usual, asked = practice.ask("13.2").data, set()
    for student in "abcdefgh":
        practice.vary(student)
        asked.add(practice.ask("13.2").data)
        assert said(capsys, "13.2", practice.find("13.2", student).answer.expected).endswith("Right.")
    assert len(asked | {usual}) > 2


def test_an_answer_has_one_way_of_being_judged():
    with pytest.raises(ValueError, match="one of expected"):
        Answer(n=3)
    with pytest.raises(ValueError, match="one of expected"):
        Answer(3, judge=str)
