"""What the exercises of notebook 05 expect, and what their checks notice."""

from itertools import combinations

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


def test_the_fewest_rules_are_found_by_trying_all():
    """Seven classes, rules that leave four or more: two such rules can leave one class."""
    expected = practice.find("05.3").expected()
    careful = [{0, *rest} for size in (3, 4, 5) for rest in combinations(range(1, 7), size)]
    smallest = {
        count for count in (1, 2) if any(set.intersection(*some) == {0} for some in combinations(careful, count))
    }
    assert min(smallest) == expected


def test_the_unions_are_counted():
    everything = [union for size in range(1, 5) for union in combinations(range(5), size)]
    assert practice.find("05.1").expected() == (len(everything), sum(0 in union for union in everything))


@pytest.mark.parametrize("slip", ["more than k", "too small unions", "lost are dropped"])
def test_a_loop_with_a_slip_is_told_apart_from_ours(slip):
    def careful_rules(classes, rules_for, k):
        kept, covered, lost = [], set(), set()
        for size in range(1, len(classes) - (slip == "too small unions")):
            for union in combinations(classes, size):
                for text, rows in rules_for(union):
                    good = len(rows) >= k + (slip == "more than k")
                    kept += [text] * good
                    covered |= rows if good else set()
                    lost |= set() if good else rows
        return kept, lost if slip == "lost are dropped" else lost - covered

    assert "other ones than our" in _fault(practice.find("05.4"), careful_rules)
