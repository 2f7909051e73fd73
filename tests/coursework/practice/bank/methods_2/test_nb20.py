"""Exercises of notebook 20: answers by trying everything, and what the judge refuses."""

import re
from itertools import combinations

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault
from anonnb.coursework.practice.bank.methods_2.nb20 import merged

STUDENTS = ["", "ada", "blaise", "carl", "dora", "emmy"]


@pytest.mark.parametrize("student", STUDENTS)
def test_no_smaller_choice_of_hidden_leaves_would_do(student):
    asked = practice.find("20.1", student)
    _, _, *sizes, k = map(int, re.findall(r"\d+", asked.question))

    def safe(hidden):
        shown = [size for place, size in enumerate(sizes) if place not in hidden]
        rest = sum(sizes) - sum(shown)
        return not shown or (min(shown) >= k and (not hidden or rest - (len(hidden) - 1) >= k))

    fewest = next(n for n in range(len(sizes) + 1) if any(map(safe, combinations(range(len(sizes)), n))))
    assert asked.expected() == fewest


def test_the_merge_of_the_chapter():
    """35 hours, 2 N, join 50 hours; the married, 8 Y and 2 N, join the divorced, not the single."""
    assert merged([(0, 2), (2, 7)], 11) == [(2, 9)]
    assert merged([(8, 2), (16, 3), (6, 20)], 11) == [(24, 5), (6, 20)]


def test_joining_the_largest_leaf_is_refused():
    def merge(leaves, k):
        leaves = sorted(leaves, key=sum)
        while len(leaves) > 1 and sum(leaves[0]) < k:
            (a, b), (c, d) = leaves[0], leaves[-1]
            leaves = sorted([*leaves[1:-1], (a + c, b + d)], key=sum)
        return leaves

    assert "your function makes" in _fault(practice.find("20.5"), merge)
