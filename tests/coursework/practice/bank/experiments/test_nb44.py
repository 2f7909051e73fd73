"""Notebook 44: what its exercises expect agrees with SCIKD and with what is said in the worked solutions."""

from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.experiments import nb44

STUDENTS = ["", *map(str, range(20))]


def test_the_cell_goes_exactly_where_the_secret_reaches_the_threshold():
    fates = set()
    for student in STUDENTS:
        exercise = find("44.1", student)
        weight, fate = exercise.expected()
        fates.add(fate)
        assert f"so a {'is hidden' if fate == 'hidden' else 'stays'}" in exercise.worked
        assert f"= {weight:g}," in exercise.worked
    assert fates == {"hidden", "stays"}


def test_verdicts_vary():
    assert len({find("44.2", student).expected() for student in STUDENTS}) > 1


def test_low_is_the_commoner_income_in_both_groups():
    for student in STUDENTS:
        success, baseline, _ = find("44.3", student).expected()
        assert success == baseline
    assert nb44._commoner(10, 2, 990, 900) == 0.908
