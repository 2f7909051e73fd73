"""Notebook 30: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.attacks import nb30


@pytest.mark.parametrize("student", ["", "ada", "blaise", "carl", "dana", "emil"])
def test_each_case_by_hand_leaves_one_value(student):
    assert find("30.1", student).expected() != ""


def test_the_example_of_the_paper():
    assert nb30._inferred({"domicile": "Tokyo"}, "occupation") == "salesman"
    assert nb30._inferred({"domicile": "Tokyo"}, "sex") == ""


@pytest.mark.parametrize("truth", nb30.VALUES)
def test_a_false_inference_is_told_from_a_true_one(truth):
    assert nb30._not_false(nb30._two_sets(truth), truth) == ""
    assert "right" in nb30._not_false([[truth]], truth)
    assert "nothing" in nb30._not_false([nb30.VALUES], truth)
    others = [value for value in nb30.VALUES if value != truth]
    assert "no pattern" in nb30._not_false([others[:1]], truth)
    assert "list of sets" in nb30._not_false(3, truth)


def test_wrong_attacks_are_found_out():
    def union(rows, known, target):
        said = set().union(*(row[target] for row in rows if all(known[name] in row[name] for name in known)))
        return said.pop() if len(said) == 1 else None

    assert "yours says" in nb30._differs(union)
    assert "yours says" in nb30._differs(lambda rows, known, target: None)


def test_some_known_values_fit_no_row():
    counts = [
        rows
        for _, release, table in nb30.releases()
        for rows in nb30.ShallowAttack().run(release, table).targets["rows"]
    ]
    assert min(counts) == 0
