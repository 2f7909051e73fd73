"""Exercises of notebook 26: what the judges take and what they refuse."""

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


def test_a_tree_that_is_another_is_refused():
    asked = practice.find("26.5")
    assert "a tree over 3 columns has 2" in _fault(asked, lambda columns, score: [])
    assert "is another than ours" in _fault(asked, lambda columns, score: [(0, each) for each in range(1, columns)])


def test_noise_that_ends_gives_you_away():
    asked = practice.find("26.4")
    right = asked.expected()
    assert _fault(asked, right) == ""
    assert _fault(asked, right - 1)
