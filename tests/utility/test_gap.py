"""The gap of a release: bounds below every method's loss, and one sentence where they do not apply."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, load, methods, optimum, utility
from anonnb.methods.cells.exact import Exact
from tests.optimum.test_bounds import random_table

GROUPING = ["Mondrian", "OKA", "GCCG", "KACA", "Forest", "GreedyCover", "Samarati", "TopDown", "BottomUp", "Incognito"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GROUPING)
def test_the_bound_is_never_above_a_methods_loss(name):
    for k in (2, 5):
        table = load("survey")
        release = methods.get(name)(k=k).anonymize(table)
        found = utility.gap(table, release)
        assert found.value == pytest.approx(utility.ncp(table, release))
        assert found.bound <= found.value + 1e-9
        assert found.certificate.holds_for(found.groups)


def test_a_sum_of_squares_is_bounded_for_means_and_for_intervals():
    table = load("iris").take(np.arange(0, 150, 3))
    for release in (methods.Microaggregation(k=3).anonymize(table), methods.Mondrian(k=3).anonymize(table)):
        found = utility.gap(table, release, "sse")
        assert found.bound <= utility.sse(table, release) == found.value
        assert found.certificate.holds_for(found.groups)


def test_suppressed_cells_are_bounded_and_the_exact_method_has_no_gap():
    table = random_table(2, 9)
    found = utility.gap(table, Exact(k=2).anonymize(table), "suppression", bound=None)
    best = optimum.best(table, 2, "suppression")
    assert found.value == pytest.approx(best.value)
    assert found.bound <= best.value + 1e-9


def test_an_optimal_release_says_so():
    table = Table(pd.DataFrame({"age": [20, 21, 60, 64]}), quasi=["age"])
    release = methods.Mondrian(k=2).anonymize(table)
    assert utility.gap(table, release).gap == 0
    assert str(utility.gap(table, release)).endswith("the optimum")
    classes = utility.gap(table, release, "discernibility")
    assert (classes.value, classes.bound, classes.gap) == (8, 8, 0)


def test_what_is_not_covered_is_refused_in_a_sentence():
    table = load("survey")
    mondrian = methods.Mondrian(k=5).anonymize(table)
    means = methods.Mondrian(k=5, summary="mean").anonymize(table)
    unlinked = Release.from_frame(mondrian.frame, like=table)
    for question, words in (
        (lambda: utility.gap(table, mondrian, "loss"), "measure='loss' is not known"),
        (lambda: utility.gap(table, mondrian, k=20), "which a bound for k = 20 does not cover"),
        (lambda: utility.gap(table, mondrian, "suppression"), "has generalized cells"),
        (lambda: utility.gap(table, means), "untrue cells"),
        (lambda: utility.gap(table, unlinked), "linked, one each"),
        (lambda: utility.gap(table, mondrian, bound=optimum.bound(table, 6)), "find one for this release"),
    ):
        with pytest.raises(ValueError, match=words) as error:
            question()
        assert "\n" not in str(error.value)


def test_a_bound_for_a_smaller_k_holds_for_a_larger_one():
    table = load("survey")
    release = methods.Mondrian(k=5).anonymize(table)
    smaller = utility.gap(table, release, bound=optimum.bound(table, 3))
    assert smaller.bound <= utility.gap(table, release).bound
    assert smaller.certificate.holds_for(smaller.groups)


def test_withheld_rows_ask_for_a_bound_that_may_withhold():
    table = Table(pd.DataFrame({"age": [1] * 5 + [100]}), quasi=["age"])
    found = utility.gap(table, Release(table, {}, np.arange(5)), k=2)
    assert found.certificate.withhold
    assert found.gap == 0
