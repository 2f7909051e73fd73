"""Notebook 33: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.attacks import nb33
from anonnb.experiments.chase import worked_example
from anonnb.rules import chase


def test_the_first_row_of_the_build_is_the_papers_object():
    _, row, rules, threshold = next(nb33.rows())
    system, printed = worked_example()
    found = chase(system.hide(["c", "f"]), printed, 0.2).system.frame.loc["x1"]
    texts = {name: nb33._text(cell) for name, cell in row.items()}
    ours = nb33.filled_in(texts, rules, threshold)
    assert {name: next(iter(cell), "*") for name, cell in ours.items()} == found.to_dict()


@pytest.mark.parametrize("threshold", [0.3, 0.4, 0.5])
def test_silencing_takes_enough_values(threshold):
    enough = nb33.crowd(threshold)
    assert nb33._not_silenced(enough, threshold) == ""
    assert "fills in" in nb33._not_silenced(enough[:-1], threshold)
    assert "needs a value" in nb33._not_silenced([("a2", 1, 1)], threshold)
    assert "triples" in nb33._not_silenced(3, threshold)


def test_the_random_rows_have_cells_that_only_become_less_even_and_cells_that_stay():
    kinds = set()
    for _, row, rules, threshold in nb33.rows():
        after = nb33.filled_in({name: nb33._text(cell) for name, cell in row.items()}, rules, threshold)
        for name, cell in row.items():
            if len(cell) > 1:
                kinds.add("fewer" if len(after[name]) < len(cell) else "same" if after[name] == cell else "uneven")
    assert kinds == {"fewer", "same", "uneven"}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda cell, votes, threshold: cell or ({max(votes, key=votes.get): 1.0} if votes else {}),  # the best only
        lambda cell, votes, threshold: cell or {v: w / sum(votes.values()) for v, w in votes.items()},
    ],
)
def test_wrong_decisions_are_found_out(wrong):
    assert "becomes" in nb33._differs(wrong)
