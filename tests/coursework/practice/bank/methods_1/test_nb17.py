"""Exercises of notebook 17: the pencil's answers, and what the judge refuses."""

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault
from anonnb.coursework.practice.bank.methods_1.nb17 import united

STUDENTS = ["", "ada", "blaise", "carl", "dora"]


def test_five_groups_by_hand():
    """3 + 6 = 9, too few still; + 4 = 13; the 8 borrow 2 of the 15."""
    assert united((3, 4, 6, 8, 15), 10) == [10, 13, 13]
    assert "13 rows then" in practice.find("17.2").solution


@pytest.mark.parametrize("student", STUDENTS)
def test_one_stranger_less_than_the_answer_keeps_the_rule(student):
    asked = practice.find("17.3", student)
    right = asked.expected()
    assert right > 0
    assert _fault(asked, right - 1)
    assert f"{right - 1}." in asked.solution.partition("=")[2]  # the bound that is passed lies just below


def test_another_choice_of_partners_is_refused():
    def unite(sizes, k):  # the smallest partner first, whether it fits or not
        safe, unsafe = [s for s in sizes if s >= k], sorted(s for s in sizes if s < k)
        while unsafe:
            selected = unsafe.pop(0)
            while selected < k and unsafe:
                selected += unsafe.pop(0)
            safe.append(selected if selected >= k else selected + safe.pop(safe.index(min(safe))))
        return sorted(safe)

    assert "your function makes" in _fault(practice.find("17.5"), unite)
