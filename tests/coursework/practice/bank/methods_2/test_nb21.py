"""Notebook 21: the judges of its exercises tell right from wrong."""

import numpy as np
import pytest

from anonnb import Table
from anonnb.coursework.practice.bank.methods_2 import nb21
from anonnb.methods.tree_preserving.tree_preserving import grow_trees, preserves, sanitize


@pytest.mark.parametrize("people", [7, 8, 9])
def test_people_of_whom_true_ages_are_published(people):
    right = nb21.unmoved_people(people)
    assert nb21._moves(right, people) == ""
    assert "asked for" in nb21._moves(right[1:], people)
    assert "different ages" in nb21._moves([(20, "a"), *[(40, "b")] * (people - 2), (50, "a")], people)
    roomy = [(20, "a"), (30, "a"), (40, "b"), *[(45, "b")] * (people - 5), (50, "a"), (60, "a")]
    assert nb21._moves(roomy, people) == ""  # the block is halved, and both halves have no room
    wide = [(20, "a"), (30, "a"), (38, "b"), (40, "b"), (44, "b"), (46, "b"), (60, "a")]
    assert "is published as" in nb21._moves(wide, 7)


def test_the_second_counterexample_is_one():
    table = Table(nb21.shared_block(), quasi=["A", "B"], decision="y")
    trees = grow_trees(table, ["y"], "entropy", 4)
    assert not preserves(sanitize(table, trees, 4, literal=True), trees, 4)
    assert preserves(sanitize(table, trees, 4), trees, 4)


def test_a_shift_per_test_is_found_out():
    def printed(blocks, tests):
        values = [float(np.mean(block)) for block in blocks]
        for left, right in tests:
            shift = min(blocks[left][-1] - np.mean(blocks[left]), np.mean(blocks[right]) - blocks[right][0])
            values[left], values[right] = blocks[left][-1] - shift, blocks[right][0] + shift
        return values

    assert "becomes" in nb21._differs(printed)
    assert "numbers" in nb21._differs(lambda blocks, tests: [])
