"""Exercises of notebook 18: what the judges take and what they refuse."""

import re

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


@pytest.mark.parametrize("student", ["", "ada", "blaise", "carl", "dora"])
def test_ages_on_both_sides_of_the_widest_interval_are_far_apart(student):
    asked = practice.find("18.3", student)
    younger, older = map(int, re.match(r"(\d+) and (\d+)", asked.solution).groups())
    assert _fault(asked, (younger, older)) == ""
    assert _fault(asked, (older, younger)) == ""
    assert "less than 2" in _fault(asked, (younger - 2, younger - 1))
    assert "one year" in _fault(asked, (younger - 1, older))
