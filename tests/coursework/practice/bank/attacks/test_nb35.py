"""Notebook 35: the judges of its exercises tell right from wrong."""

from math import log

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.attacks import BackgroundAttack
from anonnb.coursework import practice
from anonnb.coursework.practice.bank.attacks import nb35
from anonnb.privacy import LDiversity, TCloseness


@pytest.mark.parametrize("student", ["", "ada", "blaise", "carl", "dora"])
def test_those_found_out_by_hand_are_those_of_the_attack(student):
    question = practice.find("35.1", student).question
    classes = [rows.split(", ") for rows in question.partition("illnesses: ")[2].partition(". The")[0].split("; ")]
    ruled_out = question.partition("for each person without ")[2].partition(" that")[0]
    frame = pd.DataFrame([(place, illness) for place, rows in enumerate(classes) for illness in rows])
    table = Table(frame.set_axis(["box", "illness"], axis=1), quasi=["box"], sensitive="illness")
    found = BackgroundAttack(ruled_out=[ruled_out]).run(Release.of(table), table)
    assert practice.find("35.1", student).expected() == found.right


@pytest.mark.parametrize("chosen", [(2, 3), (6, 7), (2, 7)])
def test_the_distance_by_hand_is_the_models(chosen):
    salaries = (2, 3, 4, 6, 7)
    distance = float(nb35.ordered_distance(salaries, chosen))
    table = Table(pd.DataFrame({"pay": salaries}), sensitive="pay")
    rows = np.array([salaries.index(pay) for pay in chosen])
    for t, holds in ((distance + 1e-6, True), (distance - 1e-6, False)):
        assert TCloseness(t).checker(table)(np.array([0, 0]), 1, rows).tolist() == [holds]


@pytest.mark.parametrize("share", [0.75, 0.8, 0.85, 0.9])
def test_a_skewed_class_may_have_entropy(share):
    counts = nb35.skewed(share)
    assert counts[0] >= share * sum(counts) - 1e-9
    table = Table(pd.DataFrame({"illness": np.repeat(np.arange(len(counts)), counts).astype(str)}), sensitive="illness")
    model = LDiversity(2, kind="entropy")
    assert model.checker(table)(np.zeros(len(table), int), 1, np.arange(len(table))).all()
    assert nb35._not_skewed(counts, share) == ""


def test_classes_that_are_no_answer():
    assert nb35.entropy([1, 1, 1, 1]) == pytest.approx(log(4))
    assert "entropy" in nb35._not_skewed([8, 2], 0.8)
    assert "only" in nb35._not_skewed([5, 5], 0.8)
    assert "whole numbers" in nb35._not_skewed([], 0.8)


def test_claims_that_forget_a_part_are_found_out():
    def never(person, rows, secrets, ruled_out, belief):
        return None

    def without_prior(person, rows, secrets, ruled_out, belief):
        found = [s for row, s in zip(rows, secrets, strict=True) if all(person[n] in cell for n, cell in row.items())]
        return max(set(found), key=found.count) if found else None

    assert "you claim None" in nb35._differs(never)
    assert "ours claims" in nb35._differs(without_prior)
