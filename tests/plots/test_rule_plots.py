"""Plots of rules and rough sets: what is drawn equals what is computed."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load, plots, roughsets
from anonnb.roughsets import dominance, variable_precision
from anonnb.rules import imprecise_rules, mlem2


def test_coverage_adds_up_to_one_for_every_class():
    table = load("zoo")
    ax = plots.rule_coverage(imprecise_rules(table, 10), table)
    shares = np.array([[bar.get_width() for bar in group] for group in ax.containers])
    assert shares.shape == (3, 7)
    assert np.allclose(shares.sum(axis=0), 100)
    assert 0 < shares[1].sum() < 100  # some insects are told in part only


def test_supports_add_up_to_every_rule_and_k_is_shown():
    rules = imprecise_rules(load("zoo"))
    ax = plots.support_histogram(rules, 5)
    small = sum(rule.support < 5 for rule in rules)
    assert ax.get_title() == f"{small} of {len(rules)} rules rest on fewer than 5 rows"
    *lines, k = ax.lines
    assert [line.get_ydata()[-1] for line in lines] == pytest.approx([100, 100])
    assert k.get_xdata()[0] == 4.5


def test_the_matrix_shows_each_match():
    table = load("decision6")
    rules = mlem2(table)
    cells = plots.rule_row_matrix(rules, table).images[0].get_array()
    assert cells.shape == (4, 6)
    assert (cells > 0).sum() == rules.matches(table).sum()


def test_a_box_holds_the_rows_that_its_rule_matches():
    table = load("iris").select(["petal_length", "petal_width", "class"])
    rules = imprecise_rules(table)
    ax = plots.rule_boxes(rules, table, "petal_length", "petal_width")
    assert len(ax.patches) == len(rules)
    for box, matched in zip(ax.patches, rules.matches(table).T, strict=True):
        (left, low), (right, high) = box.get_xy(), np.add(box.get_xy(), (box.get_width(), box.get_height()))
        inside = table["petal_length"].between(left, right) & table["petal_width"].between(low, high)
        assert (inside == matched).all()


def test_boxes_need_two_numbers_and_no_other_condition():
    iris = load("iris")
    with pytest.raises(ValueError, match="neither 'petal_length' nor 'petal_width'; induce rules from these two"):
        plots.rule_boxes(mlem2(iris), iris, "petal_length", "petal_width")
    with pytest.raises(ValueError, match="column 'sex' holds none; choose another"):
        plots.rule_boxes(mlem2(load("decision6")), load("decision6"), "sex", "domicile")


def test_approximations_show_lower_and_boundary():
    table = load("hayes-roth")
    ax = plots.approximations(table)
    sure, maybe = ([bar.get_width() for bar in group] for group in ax.containers)
    assert sum(sure) == len(roughsets.positive_region(table))
    assert maybe == [33, 33, 0]


def test_quality_never_falls_as_attributes_are_added():
    steps = plots.quality_steps(load("zoo")).lines[0].get_xdata()
    assert (np.diff(steps) >= 0).all()
    assert steps[-1] == 1


def test_granules_hold_every_row_once_and_their_frames_tell_the_approximation():
    table = load("decision6")
    ax = plots.granules(table, "high", ["occupation", "domicile"])
    rough = roughsets.approximate(table, "high", ["occupation", "domicile"])
    names = [text.get_text() for text in ax.texts if text.get_text() in set(table.index)]
    assert sorted(names) == sorted(table.index)
    styles = [patch.get_linestyle() for patch in ax.patches]
    groups, _ = roughsets.indiscernibility(table, ["occupation", "domicile"])
    assert styles.count("-") == len(set(groups[rough.lower]))
    assert styles.count("--") == len(set(groups[rough.boundary]))


def test_blocks_are_as_wide_as_the_regions_have_rows():
    table, names = load("hayes-roth"), ["age", "marital_status"]
    ax = plots.granule_shares(table, 1, names, beta=0.7)
    found = variable_precision.approximate(table, 1, names, beta=0.7)
    widths = [sum(block.get_width() for block in bars) for bars in ax.containers]
    assert widths == [len(found.lower), len(found.boundary), len(table) - len(found.upper)]


def test_every_row_of_a_lower_approximation_is_on_its_ground():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4], "d": [0, 1, 0, 1]})
    table = Table(frame, decision="d")
    ax = plots.dominance_regions(table, 1, "a", "b")
    good = dominance.approximate(table, 1)
    surely = {(round(p.get_x() + 0.5), round(p.get_y() + 0.5)) for p in ax.containers[0]}
    assert {(table.codes("a")[row], table.codes("b")[row]) for row in good.lower} <= surely
    assert not surely & {(table.codes("a")[row], table.codes("b")[row]) for row in set(range(4)) - set(good.upper)}


def test_cuts_are_drawn_where_they_are():
    table, cuts = load("iris"), roughsets.cut_points(load("iris"))
    ax = plots.cut_grid(table, "petal_length", "sepal_width", cuts)
    ends = [tuple(map(tuple, line.get_xydata())) for line in ax.lines if len(line.get_xydata()) == 2]
    assert ends == [((x, 0), (x, 1)) for x in (2.45, 4.75)] + [((0, y), (1, y)) for y in (2.95, 3.35)]
    assert sum(len(dots.get_offsets()) for dots in ax.collections) == 150


def test_degrees_are_those_of_the_approximations():
    table = load("iris")
    ax = plots.fuzzy_degrees(table, "Iris-setosa", "petal_length")
    found = roughsets.fuzzy.approximate(table, "Iris-setosa", ["petal_length"])
    for line, degrees in zip(ax.lines, (found.upper, found.lower), strict=True):
        by_value = dict(zip(*line.get_data(), strict=True))
        assert [by_value[value] for value in table.frame["petal_length"]] == pytest.approx(degrees.tolist())
