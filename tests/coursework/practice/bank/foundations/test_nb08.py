"""Notebook 08: gains recounted by definition, and what its judges say about other answers."""

import pytest

from anonnb.coursework.practice.bank.foundations import nb08


def test_the_gain_is_the_chance_of_two_unlike_people_that_a_question_removes():
    left, right = (8, 2), (2, 8)
    people = [
        (side, each) for side, counts in enumerate((left, right)) for each, n in enumerate(counts) for _ in range(n)
    ]
    unlike = sum(a[1] != b[1] for a in people for b in people) / len(people) ** 2
    beside = sum(a[1] != b[1] for a in people for b in people if a[0] == b[0]) / (len(people) * 10)
    assert nb08._gini_gain(left, right) == pytest.approx(unlike - beside)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (5, "a list of triples"),
        ([(0, 0)], "a list of triples"),
        ([(0, 0, "N")] * 9, "2 to 8 are asked for"),
        ([(0, 0, "N"), (1, 1, "J"), (0, 1, "Y")], "N and Y, not 'J'"),
        ([(0, 0, "N"), (1, 1, "N")], "2 of 2 rows are N, and one in 3 is asked for"),
        ([(0, 0, "N"), (0, 0, "Y"), (1, 1, "Y")], "do not decide it"),
        ([(0, 0, "N"), (0, 1, "Y"), (1, 0, "Y")], "gains"),
        ([(0, 0, "N"), (1, 1, "N"), *[(0, 1, "Y"), (1, 0, "Y")] * 2], ""),
    ],
)
def test_where_greed_fails(rows, words):
    said = nb08._greed_succeeds(rows, 8, rare="N", times=3)
    assert words in said if words else said == ""


def test_a_question_without_information_is_found_out():
    assert "other leaves" in nb08._differs(lambda values, classes: None)
