"""Answers to the exercises of notebook 50 that are not one value, and counts done a second time with plain Python."""

import pytest

from anonnb.coursework.practice.bank.own_data import nb50


@pytest.mark.parametrize(("rows", "k"), [(8, 4), (6, 3), (10, 5)])
def test_visits_that_hide_nobody(rows, k):
    right = nb50._lonely(rows, k)
    assert nb50._not_lonely(right, rows, k) == ""
    assert "are asked for" in nb50._not_lonely(right[1:], rows, k)
    assert "fewer than" in nb50._not_lonely([("p9", "99999", "flu"), *right[1:]], rows, k)
    one_diagnosis = [(patient, place, "flu") for patient, place, _ in right]
    assert "one diagnosis" in nb50._not_lonely(one_diagnosis, rows, k)
    everybody = [(f"p{number}", place, ill) for number, (_, place, ill) in enumerate(right)]
    assert "several patients" in nb50._not_lonely(everybody, rows, k)
    assert "list of triples" in nb50._not_lonely(7, rows, k)


@pytest.mark.parametrize("column", ["visited", "zip", "born", "sex"])
def test_patients_who_stand_alone_without_a_column(column):
    table = nb50.visits()
    known = table.frame[[name for name in table.quasi if name != column]].astype(str)
    classes = {}
    for key, patient in zip(known.itertuples(index=False), table.people, strict=True):
        classes.setdefault(tuple(key), set()).add(patient)
    assert nb50._alone(column) == len({min(people) for people in classes.values() if len(people) == 1})


@pytest.mark.parametrize("k", [20, 15, 12])
def test_small_numbers_by_subtraction(k):
    frame = nb50.visits().frame.assign(patient=nb50.visits().people).drop_duplicates("patient")
    found = 0
    for _, people in frame.groupby("born"):
        hidden = sum(count for count in people["sex"].value_counts() if count < k)
        found += 1 <= hidden < k
    assert nb50._subtracted(k) == found > 0


def test_a_count_of_rows_is_told_apart_from_a_count_of_patients():
    assert "smallest class" in nb50._differs(lambda text, quasi, patients: 2)
    assert "function" in nb50._differs(7)
