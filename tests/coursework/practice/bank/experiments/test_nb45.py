"""Notebook 45: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.experiments import nb45


@pytest.mark.parametrize(("people", "k"), [(20, 5), (18, 4), (30, 6)])
def test_ages_that_hide_a_lonely_person_in_a_mean(people, k):
    right = nb45.hidden_ages(people)
    assert nb45._not_hidden(right, people, k) == ""
    assert "asked for" in nb45._not_hidden(right[1:], people, k)
    assert "nobody is alone" in nb45._not_hidden([20, 20, *right[2:]], people, k)
    assert "more than" in nb45._not_hidden(range(people), people, k)
    assert "whole numbers" in nb45._not_hidden(7, people, k)


def test_the_front_of_the_means_is_a_part_of_what_is_not_surely_beaten():
    points = nb45.rivals.risk_and_loss(nb45.stored("rivals", "standings"))
    for student in ["", "ada", "carl"]:
        asked = find("45.4", student)
        table = asked.question.split("`")[1]
        assert asked.expected() >= points[points["table"] == table]["front"].sum()
