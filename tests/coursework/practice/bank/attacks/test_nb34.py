"""Notebook 34: the judges of its exercises tell right from wrong."""

from fractions import Fraction

import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.attacks import LinkageAttack
from anonnb.coursework.practice.bank.attacks import nb34

AGES = (21, 25, 34, 38, 47, 59)


@pytest.mark.parametrize("place", range(15))
def test_links_of_pairs_are_those_of_the_attack(place):
    pairs = list(nb34.pairings(AGES))[place]
    table = Table(pd.DataFrame({"age": AGES}), quasi=["age"])
    of = {age: f"[{min(pair)}-{max(pair)}]" for pair in pairs for age in pair}
    shown = pd.DataFrame({"age": [of[age] for age in AGES]})
    release = Release.from_frame(shown, like=table, rows=range(6), hidden="class")  # the widest interval is no star
    assert float(nb34.links_of_pairs(pairs)) == pytest.approx(LinkageAttack().run(release, table).right)


def test_pairs_that_hide_less_are_found_out():
    least = min(nb34.links_of_pairs(pairs) for pairs in nb34.pairings(AGES))
    assert least == Fraction(11, 6)
    assert nb34._not_fewest([(21, 59), (25, 47), (34, 38)], AGES, least) == ""
    assert "fewer is possible" in nb34._not_fewest([(21, 25), (34, 38), (47, 59)], AGES, least)
    assert "exactly one pair" in nb34._not_fewest([(21, 25), (21, 38), (47, 59)], AGES, least)


def test_the_three_risks():
    assert nb34.risks((2, 3, 5), (8, 3, 20)) == (Fraction(1, 2), Fraction(1, 3), Fraction(3, 20))


def test_a_link_that_ignores_other_boxes_or_withheld_rows_is_found_out():
    def by_class(people, rows, owner):
        own = [sum(row == other for other in rows) for row in rows]
        return {"marketer": sum(1 / size for size in own) / len(people), "prosecutor": 1 / min(own), "journalist": 1}

    assert "and ours" in nb34._differs(by_class)
    assert "dictionary" in nb34._differs(lambda people, rows, owner: 0.5)
