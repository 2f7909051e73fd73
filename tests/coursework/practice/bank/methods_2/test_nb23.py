"""Exercises of notebook 23: what the judges take and what they refuse."""

import re

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


@pytest.mark.parametrize("student", ["", "ada", "blaise", "carl", "dora"])
def test_numbers_for_which_mdav_has_no_bound(student):
    asked = practice.find("23.3", student)
    worked = [int(value) for value in re.match(r"\[([\d, ]+)\]", asked.solution)[1].split(",")]
    assert _fault(asked, worked) == ""
    assert "least possible one" in _fault(asked, [1, 2, 3, 4, 5, 6])
    assert "finite numbers" in _fault(asked, worked * 9)
    assert "list of numbers" in _fault(asked, 7)


def test_groups_that_miss_a_row_are_refused():
    assert "exactly one group" in _fault(practice.find("23.4"), lambda rows, k: [[0] * len(rows)])
    assert "not ours" in _fault(practice.find("23.4"), lambda rows, k: [list(range(len(rows)))])
