"""What the exercises of notebook 03 expect, beside what the package says."""

import numpy as np
import pandas as pd
import pytest

from anonnb import privacy
from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault
from anonnb.tables.table import Table


def of_two_classes(one, rest):
    """A table of two classes with these secrets."""
    frame = pd.DataFrame({"class": ["one"] * len(one) + ["rest"] * len(rest), "secret": [*one, *rest]})
    return Table(frame, quasi=["class"], sensitive="secret")


def test_from_the_expected_t_on_a_class_may_have_one_secret():
    t = practice.find("03.4").expected()
    table = of_two_classes("a" * 7, "b" * 20 + "c" * 10 + "a" * 63)
    groups, rows = table.codes("class"), np.arange(len(table))
    assert privacy.TCloseness(t, "equal").checker(table)(groups, 2, rows).all()
    for secret, t_of_it in (("a", t), ("b", 0.8), ("c", 0.9)):
        group = np.where(table["secret"] == secret, 0, 1)
        assert not privacy.TCloseness(t_of_it - 0.01, "equal").checker(table)(group, 2, rows)[0]


def test_beta_and_delta_are_those_of_a_table_with_that_class():
    table = of_two_classes("i" * 9 + "h", "i" * 41 + "h" * 49)  # half of all are ill
    expected = practice.find("03.2").expected()
    assert expected == pytest.approx((privacy.beta(table), privacy.delta_disclosure(table)))


@pytest.mark.parametrize("slip", ["no l", "rises only", "beta of falls"])
def test_a_test_with_a_slip_is_told_apart_from_ours(slip):
    def fits(secrets, whole, least, t, beta):
        distance = 0.0
        for secret, p in whole.items():
            q = secrets.count(secret) / len(secrets)
            change = abs(q - p) if slip == "beta of falls" else q - p
            if change > beta * p + 1e-9:
                return False
            distance += max(q - p, 0) / 2 if slip == "rises only" else abs(q - p) / 2
        return distance <= t + 1e-9 and (slip == "no l" or len(set(secrets)) >= least)

    assert "Mondrian makes" in _fault(practice.find("03.5"), fits)
