"""The judges of notebook 06: what they accept, and what they say about other answers."""

import pytest

from anonnb.coursework.practice.bank.foundations.nb06 import _differs, _not_by_unions_alone, _three_classes


@pytest.mark.parametrize("k", [2, 3])
def test_three_small_classes_are_explained_by_unions_alone(k):
    assert _not_by_unions_alone(_three_classes(k), k) == ""


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (7, "a list of tuples"),
        ([("A",)], "rows of equal length"),
        ([(0, "A"), (0, 1, "B")], "rows of equal length"),
        ([(0, "A"), (1, "B")], "at least three"),
        ([(0, "A"), (0, "A"), (1, "B"), (2, "C")], "precise rules with 2 supporters explain 2"),
        ([(0, "A"), (1, "B"), (2, "C")], "explain 0 of your 3 rows exactly"),
    ],
)
def test_other_tables_are_refused_with_the_reason(rows, words):
    assert words in _not_by_unions_alone(rows, 2)


def test_a_function_that_forgets_k_is_found_out():
    def without_k(rows, classes, rules_for, k):
        left = {row: set(classes) for row in rows}
        for each in classes:
            for supporters in rules_for((each,)):
                for row in supporters:
                    left[row] &= {each}
        return left

    assert "rows are left other classes" in _differs(without_k)
