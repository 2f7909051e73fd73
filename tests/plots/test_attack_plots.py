"""Plots of attacks: what is drawn is what the attack found."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, plots
from anonnb.attacks import DeepAttack, LinkageAttack, MembershipAttack, ShallowAttack, SkewnessAttack
from anonnb.methods import Mondrian, PatternTable


@pytest.fixture(scope="module")
def six():
    return anonnb.load("decision6")


def labels(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def test_exposure_shows_each_known_pair_and_target(six):
    ax = plots.exposure(ShallowAttack(known=2).run(Release.of(six)))
    assert labels(ax.yaxis) == ["sex, occupation", "sex, domicile", "occupation, domicile"]
    assert labels(ax.xaxis) == ["sex", "occupation", "domicile", "evaluation"]  # the order of the table
    assert len(ax.texts) == 6  # what is known is not attacked


def test_exposure_keeps_the_most_telling_pairs():
    zoo = anonnb.load("zoo")
    result = ShallowAttack(known=2).run(Release.of(zoo))
    shown = labels(plots.exposure(result, most=5).yaxis)
    means = result.targets.pivot_table(index="attributes", columns="target", values="score").mean(axis=1)
    assert sorted(means[shown]) == sorted(means.nlargest(5))


def test_shallow_and_deep_bars_add_up(six):
    release = PatternTable(k=2).anonymize(six)
    shallow, deep = ShallowAttack().run(release), DeepAttack().run(release)
    ax = plots.shallow_and_deep(shallow, deep)
    names = labels(ax.yaxis)
    assert names == ["sex", "occupation", "domicile", "evaluation"]
    total = [ax.patches[n].get_width() + ax.patches[n + len(names)].get_width() for n in range(len(names))]
    assert total == pytest.approx((100 * deep.targets.groupby("target")["score"].mean()[names]).tolist())


def test_usefulness_against_protection():
    frame = pd.DataFrame({"method": ["a", "a", "b"], "accuracy": [0.9, 0.8, 0.5], "success": [0.2, 0.4, 0.0]})
    ax = plots.usefulness_protection(frame)
    points = {c.get_label(): c.get_offsets().tolist() for c in ax.collections}
    assert points == {"a": [[80, 90], [60, 80]], "b": [[100, 50]]}


def test_beside_paper_has_a_band():
    frame = pd.DataFrame({"dataset": ["car"], "ours": [0.5], "paper": [0.4]})
    ax = plots.beside_paper(frame, within=0.1)
    assert ax.collections[-1].get_offsets().tolist() == [[0.4, 0.5]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["± 0.1", "car"]


def test_pattern_boxes_show_every_attribute_and_split_sets_with_gaps(six):
    release = PatternTable(k=2).anonymize(six)
    ax = plots.pattern_boxes(release, "domicile", "occupation")
    boxes = 0
    for name in release.columns:
        column = release.columns[name]
        for place in range(len(release)):
            mask = "".join("x" if flag else " " for flag in column.sets.mask(column.index[place]))
            boxes += len(mask.split())
    assert len(ax.patches) == boxes
    names = ["domicile", "occupation", *(name for name in six.columns if name not in ("domicile", "occupation"))]
    assert labels(ax.xaxis) == [label for name in names for label in six.attributes[name].labels]


def test_verdict_bars_count_figures():
    counts = pd.DataFrame({"exact": [1, 0], "close": [2, 3], "differs": [1, 1]}, index=["Table 8", "Table 9"])
    ax = plots.verdict_bars(counts)
    assert ax.get_title() == "8 of 8 lines agree"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Table 8 (4)", "Table 9 (4)"]
    widths = [[bar.get_width() for bar in bars] for bars in ax.containers]
    assert widths == [[25, 0], [50, 75], [25, 25]]
    assert [text.get_text() for text in ax.texts] == ["1", "2", "3", "1", "1"]


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
    assert x[0] == pytest.approx(100 * result.targets["belief"].max())


def test_a_roc_curve_goes_from_corner_to_corner_over_the_area(survey):
    inside, outside = (survey.take(np.arange(start, 66, 2)) for start in (0, 1))
    result = MembershipAttack().run(Mondrian(k=3).anonymize(inside), control=outside)
    _, curve, point = plots.roc_curves({"k = 3": result}).lines
    x, y = curve.get_data()
    assert (x[0], y[0], x[-1], y[-1]) == pytest.approx((0, 0, 100, 100))
    assert np.trapezoid(y, x) / 10_000 == pytest.approx(result.auc)
    assert point.get_xdata()[0] == pytest.approx(100 * result.false_positives)
