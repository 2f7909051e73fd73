"""Notebook 39: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.attacks.reconstruction.cell_tables import CellTables
from anonnb.attacks.reconstruction.certain import certain_rows
from anonnb.coursework.practice.bank.attacks import nb39


def test_the_sets_of_the_build_are_solved_as_by_all_tables():
    totals = set()
    for statistics in nb39.published_sets():
        ours = certain_rows(CellTables(statistics))[0]
        assert +ours == +nb39.by_all_tables(statistics)
        totals.add(ours.total() < statistics.people)
    assert totals == {True, False}


@pytest.mark.parametrize(("people", "certain"), [(8, 4), (9, 5), (10, 6)])
def test_margins_that_make_rows_certain(people, certain):
    half = (people + certain) // 2
    assert nb39._other_margins((half, half), people, certain) == ""
    assert "rows are certain" in nb39._other_margins((4, 4), people, certain)
    assert "fewer than two" in nb39._other_margins((people - 1, 3), people, certain)


def test_taking_the_first_table_or_too_many_searches_is_found_out():
    assert "are certain" in nb39._differs(lambda search: search())

    def endless(search):
        while True:
            search()

    with pytest.raises(ValueError, match="searches"):
        nb39._differs(endless)
