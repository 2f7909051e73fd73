"""Notebook 40: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.experiments import nb40


@pytest.mark.parametrize(("people", "top"), [(8, 5), (9, 6), (10, 5)])
def test_people_about_whom_a_success_is_wrong(people, top):
    right = nb40.misled_people(people, top)
    assert len(right) == people
    assert nb40._not_misled(right, people, top) == ""
    assert "asked for" in nb40._not_misled(right[1:], people, top)
    assert "both classes" in nb40._not_misled([(1, "a")] * people, people, top)
    assert "both classes" in nb40._not_misled([(top + 1, "a"), *right[1:]], people, top)
    honest = [(1, "a"), (2, "a"), *[(3, "b")] * (people - 2)]
    assert "from no grade" in nb40._not_misled(honest, people, top)
    assert "list of pairs" in nb40._not_misled(7, people, top)


def test_verdicts_by_hand_are_not_all_the_same():
    words = {find("40.2", student).expected() for student in ["", *map(str, range(20))]}
    assert {"same shape", "differs"} <= words


@pytest.mark.slow
def test_ratios_that_count_otherwise_are_found_out():
    def all_true(cells, people, decision):
        return 1.0

    def unmatched_count(cells, people, decision):
        """As the starter asks, but a combination that no cell can take counts as a failure."""
        names = [name for name in people[0] if name != decision]
        pairs = [(one, two) for place, one in enumerate(names) for two in names[place + 1 :]]
        counted = successes = 0
        for first, second in pairs:
            for values in {(person[first], person[second]) for person in people}:
                fitting = [cell for cell in cells if values[0] in cell[first] and values[1] in cell[second]]
                left = set.intersection(*(set(cell[decision]) for cell in fitting)) if fitting else set()
                true = {p[decision] for p in people if (p[first], p[second]) == values}
                counted, successes = counted + 1, successes + (len(left) == 1 and left <= true)
        return successes / counted

    assert "your ratio is 1.0" in nb40._differs(all_true)
    assert "your ratio is" in nb40._differs(unmatched_count)
