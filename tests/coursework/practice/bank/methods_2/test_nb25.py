"""Exercises of notebook 25: what the judges take and what they refuse."""

import ast
import re

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


@pytest.mark.parametrize("student", ["", "ada", "blaise", "carl", "dora"])
def test_an_invariant_matrix_keeps_counts_and_moves_people(student):
    asked = practice.find("25.4", student)
    worked = ast.literal_eval(re.search(r"\[\[.*\]\]", asked.solution)[0])
    assert _fault(asked, worked) == ""
    assert "stays with a probability above" in _fault(asked, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert "the expected counts become" in _fault(asked, [[0.7, 0.3, 0], [0.3, 0.4, 0.3], [0, 0.7, 0.3]])
    assert "the first value can become the third" in _fault(asked, [[0.5, 0.3, 0.2]] * 3)
    assert "must sum to 1" in _fault(asked, [[0.5, 0.3, 0]] * 3)
    assert "three rows" in _fault(asked, [1, 2])


def test_partners_of_another_kind_are_refused():
    asked = practice.find("25.5")
    assert "whole numbers" in _fault(asked, lambda rows, reach, chance: chance)
    assert "other values trade places" in _fault(asked, lambda rows, reach, chance: list(range(rows)))
