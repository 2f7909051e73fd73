"""Notebook 07: what its exercises expect, recounted in another way."""

from itertools import product

import pandas as pd
import pytest

from anonnb.coursework.practice.bank.foundations import nb07
from anonnb.rules import frequent_itemsets
from anonnb.tables.table import Table


@pytest.mark.parametrize("given", [(8, 5, 4, 4, 3, 2, 2), (6, 4, 3, 3, 2, 2, 1), (9, 5, 5, 4, 3, 2, 2)])
def test_limits_of_a_withheld_count_are_those_of_all_tables(given):
    """Every way to spread the people over the eight groups with the published counts gives a possible f(ABC)."""
    n, a, b, c, ab, ac, bc = given
    possible = set()
    for x in range(n + 1):
        groups = [x, ab - x, ac - x, bc - x, a - ab - ac + x, b - ab - bc + x, c - ac - bc + x]
        if min(groups) >= 0 and sum(groups) <= n:
            possible.add(x)
    assert nb07._limits(*given) == (min(possible), max(possible))


def test_levels_by_hand_are_those_of_the_package():
    baskets = ("abd", "bce", "abce", "be", "abe")
    frame = pd.DataFrame({letter: [letter in basket for basket in baskets] for letter in "abcde"}).astype(str)
    found = frequent_itemsets(Table(frame), min_count=2)
    held = [part for part in found["itemsets"] if all(item.value == "True" for item in part)]
    sizes = [len(level) for level in nb07._levels(baskets, 2)]
    assert sizes == [sum(len(part) == size for part in held) for size in range(1, len(sizes) + 1)]


def test_the_least_number_that_is_news():
    for rows, left, right, percent in product((20,), (5, 8), (10, 15), (50, 70)):
        both = nb07._least_both(rows, left, right, percent)
        assert both / left >= percent / 100
        assert both * rows / (left * right) > 1
        less = both - 1
        assert less / left < percent / 100 or less * rows / (left * right) <= 1


def test_a_search_that_drops_the_border_is_found_out():
    assert "differ" in nb07._differs(lambda rows, least: {})
