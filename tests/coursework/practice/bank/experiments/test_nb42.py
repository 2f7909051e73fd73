"""Notebook 42: what its exercises expect, counted otherwise."""

import pytest

import anonnb
from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.experiments import nb42

STUDENTS = ["", *map(str, range(20))]


def test_the_people_are_the_chapters():
    survey = anonnb.load("survey").frame
    counts = survey.astype(str).value_counts(["Marital_status", "Sex"])
    for status, (men, women) in nb42.MEN_AND_WOMEN.items():
        assert (counts.get((status, "M"), 0), counts.get((status, "F"), 0)) == (men, women)


@pytest.mark.parametrize("k", [4, 5, 6])
def test_as_many_cells_as_k(k):
    assert [nb42._fewest(*both, k) for both in nb42.MEN_AND_WOMEN.values()] == [k, 0, 0]


def test_each_publication_alone_keeps_k_and_both_do_not():
    for student in STUDENTS:
        exercise = find("42.3", student)
        assert str(exercise.expected()) in exercise.worked()
    for groups, leaves, k in [((12, 14), (9, 17), 5), ((13, 11), (16, 8), 5), ((15, 10), (19, 6), 6)]:
        assert sum(groups) == sum(leaves)
        assert min(*groups, *leaves) >= k > min(nb42._intervals(groups, leaves))


def test_hidden_leaves_follow_by_subtraction():
    for student in STUDENTS:
        exercise = find("42.1", student)
        together, word = exercise.expected()
        assert f"= {together}. " in exercise.worked
        assert word == "no"
