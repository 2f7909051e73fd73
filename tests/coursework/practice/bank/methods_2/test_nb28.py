"""What the exercises on measures accept, and that what they compute by hand is what the package measures."""

import pandas as pd
import pytest

from anonnb.coursework.practice.bank.methods_2 import nb28
from anonnb.privacy import risk, t
from anonnb.tables.table import Table
from anonnb.utility import average_class_size


@pytest.mark.parametrize("own", [(1, 2), (1, 3), (2, 5), (1, 5)])
def test_distances_by_hand_are_those_of_the_package(own):
    rest = [value for value in range(1, 6) for _ in range(2000)]  # two more hardly change shares
    frame = pd.DataFrame({"class": ["own"] * 2 + ["rest"] * len(rest), "grade": [*own, *rest]})
    table = Table(frame, quasi=["class"], sensitive=["grade"])
    found = t(table, distance="equal"), t(table, distance="ordered")
    assert nb28._distances(own, range(1, 6)) == pytest.approx(found, abs=1e-3)


@pytest.mark.parametrize(("youngest", "oldest"), [(20, 62), (18, 80), (30, 65)])
def test_ages_for_which_two_measures_disagree(youngest, oldest):
    right = [youngest, youngest + 1, youngest + 2, oldest - 2, oldest - 1, oldest]
    assert nb28._agree(right, youngest, oldest) == ""
    pairs = [youngest, youngest + 1, youngest + 10, youngest + 11, oldest - 1, oldest]
    assert "least of both" in nb28._agree(pairs, youngest, oldest)
    assert "six are asked for" in nb28._agree(right[:5], youngest, oldest)
    assert "is asked for" in nb28._agree([*right[:5], oldest + 1], youngest, oldest)
    assert "a list of six numbers" in nb28._agree("ages", youngest, oldest)


def test_all_groupings_of_six_and_their_number():
    """Six, four and two, three and three, three pairs: 1 + 15 + 10 + 15."""
    found = list(nb28.groupings(range(6)))
    assert len(found) == len({frozenset(groups) for groups in found}) == 41
    assert all(sorted(place for group in groups for place in group) == list(range(6)) for groups in found)


def test_the_average_class_size_is_the_marketer_risk_turned_over():
    table, release = nb28.released((20, 24, 30, 40, 55, 60), (0, 0, 1, 1, 1, 1))
    assert average_class_size(table, release, k=2) * 2 * risk(release).marketer == pytest.approx(1)
