"""Plots of rules and rough sets: what is drawn equals what is computed."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from anonnb import load, plots, roughsets
from anonnb.rules import LERS, imprecise_rules, mlem2


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_coverage_adds_up_to_one_for_every_class():
    table = load("zoo")
    ax = plots.rule_coverage(imprecise_rules(table, 10), table)
    heights = np.array([[bar.get_height() for bar in group] for group in ax.containers])
    assert heights.shape == (3, 7)
    assert np.allclose(heights.sum(axis=0), 1)
    assert 0 < heights[1].sum() < 1  # some insects are told in part only


def test_the_histogram_counts_every_rule_and_shows_k():
    rules = imprecise_rules(load("zoo"))
    ax = plots.support_histogram(rules, 5)
    assert sum(bar.get_height() for group in ax.containers for bar in group) == len(rules)
    assert [line.get_xdata()[0] for line in ax.lines] == [4.5]


def test_the_matrix_shows_each_match():
    table = load("decision6")
    rules = mlem2(table)
    cells = plots.rule_row_matrix(rules, table).images[0].get_array()
    assert cells.shape == (4, 6)
    assert (cells > 0).sum() == rules.matches(table).sum()


def test_votes_mark_the_winner():
    table = load("iris")
    classifier = LERS().fit(table)
    ax = plots.votes(classifier.scores(table)[0], classifier.rules_.classes)
    colours = [bar.get_facecolor() for bar in ax.patches]
    assert colours[0] != colours[1] == colours[2]


def test_approximations_show_lower_and_boundary():
    table = load("hayes-roth")
    ax = plots.approximations(table)
    sure, maybe = ([bar.get_width() for bar in group] for group in ax.containers)
    assert sum(sure) == len(roughsets.positive_region(table))
    assert maybe == [33, 33, 0]


def test_quality_never_falls_as_attributes_are_added():
    heights = plots.quality_steps(load("zoo")).lines[0].get_ydata()
    assert (np.diff(heights) >= 0).all()
    assert heights[-1] == 1
