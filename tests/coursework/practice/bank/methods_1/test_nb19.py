"""Exercises of notebook 19: answers by brute force, and what the judge refuses."""

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault
from anonnb.coursework.practice.bank.methods_1.nb19 import _added

STUDENTS = ["", "ada", "blaise", "carl", "dora"]


def test_the_chapters_counts_are_added_to_as_in_its_figure():
    assert _added({"": 66, "B": 55, "C": 52, "BC": 43}, 10) == [86, 55, 62]


@pytest.mark.parametrize("student", STUDENTS)
def test_the_withheld_count_takes_both_ends_and_nothing_beyond(student):
    asked = practice.find("19.3", student)
    everybody, b, c = (int(word) for word in asked.question.replace(",", "").split() if word.isdigit())
    fits = [both for both in range(everybody + 1) if min(both, b - both, c - both, everybody - b - c + both) >= 0]
    assert asked.expected() == (min(fits), max(fits))


def test_a_function_that_forgets_the_signs_is_refused():
    def differences(counts, k):
        pairs = ((i, j) for j in counts for i in counts if i < j)
        return {(i, j): counts[i] - counts[j] for i, j in pairs if 0 < counts[i] - counts[j] < k}

    assert "your function finds" in _fault(practice.find("19.5"), differences)
