"""Plots of attacks on single people: what is drawn is what the attack found."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, plots
from anonnb.attacks import LinkageAttack, MembershipAttack, MinimalityAttack, SkewnessAttack
from anonnb.methods import Mondrian


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def survey():
    return anonnb.load("survey")


def test_candidates_end_at_everybody_and_start_at_the_fewest(survey):
    result = LinkageAttack().run(Release.of(survey))
    ax = plots.candidates({"original": result})
    x, y = ax.lines[0].get_data()
    assert y[-1] == pytest.approx(100)
    assert x[1] == result.targets["candidates"].min()
    assert ax.get_xscale() == "log"


def test_beliefs_reach_everybody(survey):
    result = SkewnessAttack().run(Mondrian(k=4).anonymize(survey), survey)
    x, y = plots.beliefs({"k = 4": result}, threshold=0.8).lines[0].get_data()
    assert y[-1] == pytest.approx(100)
    assert x[0] == pytest.approx(100 * result.targets["share"].max())


def test_before_and_after_counts_everybody(survey):
    result = MinimalityAttack(worlds=5).run(Mondrian(k=4).anonymize(survey), survey)
    points = plots.before_and_after(result).collections[0].get_offsets()
    assert len(points) == len(result.targets.drop_duplicates(["before", "after"]))


def test_beliefs_that_differ_by_a_rounding_error_are_one_point(survey):
    result = MinimalityAttack(worlds=5).run(Mondrian(k=4).anonymize(survey), survey)
    targets = pd.DataFrame({"before": [1 / 6, 1 / 6], "after": [0.25, np.nextafter(0.25, 0)]})
    points = plots.before_and_after(replace(result, targets=targets)).collections[0].get_offsets()
    assert len(points) == 1


def test_a_roc_curve_goes_from_corner_to_corner_over_the_area(survey):
    inside, outside = (survey.take(np.arange(start, 66, 2)) for start in (0, 1))
    result = MembershipAttack().run(Mondrian(k=3).anonymize(inside), control=outside)
    _, curve, point = plots.roc_curves({"k = 3": result}).lines
    x, y = curve.get_data()
    assert (x[0], y[0], x[-1], y[-1]) == pytest.approx((0, 0, 100, 100))
    assert np.trapezoid(y, x) / 10_000 == pytest.approx(result.info["auc"])
    assert point.get_xdata()[0] == pytest.approx(100 * result.info["false positives"])
