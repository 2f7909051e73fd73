"""Exercises of notebook 24: what the judges take and what they refuse."""

import ast

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


@pytest.mark.parametrize("student", ["", "ada", "blaise", "carl", "dora"])
def test_counts_that_strand_rows_when_the_smallest_go_first(student):
    asked = practice.find("24.4", student)
    worked = ast.literal_eval(asked.solution.partition(":")[0].rpartition("** ")[2])
    assert _fault(asked, worked) == ""
    assert "find a place" in _fault(asked, [1] * 6)
    assert "more than 1/" in _fault(asked, [9, 1, 1])
    assert "at least one row" in _fault(asked, [0, 2])
    assert "list of whole numbers" in _fault(asked, 3)


def test_groups_that_disclose_are_refused():
    asked = practice.find("24.5")
    assert "exactly one group" in _fault(asked, lambda secrets, least: [[0]])
    assert "same secret twice" in _fault(asked, lambda secrets, least: [list(range(len(secrets)))])
    assert "a belief of 1.00" in _fault(asked, lambda secrets, least: [[row] for row in range(len(secrets))])
