import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Infeasible, Table, privacy
from anonnb.methods.cuts.specialization import BottomUp, TopDown, snapshot
from anonnb.tables.attribute import DefaultHierarchyWarning
from tests.methods.cells.plain import REQUIRE, assert_holds, tiny
from tests.strategies import frames

SURVEY = anonnb.load("survey")
FIGURE_11D = {
    ("divorced", "any_sex", "35", 0, 4),
    ("divorced", "any_sex", "40", 16, 1),
    ("married", "any_sex", "35", 8, 2),
    ("married", "any_sex", "50", 2, 7),
    ("single", "any_sex", "40", 6, 20),
}


def as_figure(frame):
    return set(frame[["Marital_status", "Sex", "Hours", "Y", "N"]].itertuples(index=False, name=None))


def test_top_down_repeats_the_example_of_the_chapter():
    release = TopDown(k=4).anonymize(SURVEY)
    trace = release.info["trace"]
    assert trace["before"].tolist()[1:5] == ["any_marital_status", "been_married", "[1,100)", "[40,100)"]
    assert set(trace["before"][5:]) == {"never_married", "[1,40)"}
    assert (trace["score"][5:] == 0).all()
    assert list(dict.fromkeys(trace["degree"])) == [66, 26, 19, 4]
    assert trace["anonymity"][2] == 7  # AnonyLoss(been_married)
    assert as_figure(snapshot(release, 6)) == FIGURE_11D
    assert snapshot(release, 1)[["rows", "Y", "N"]].to_numpy().tolist() == [[40, 26, 14], [26, 6, 20]]
    assert snapshot(release, 2).set_index("Marital_status")["rows"].to_dict() == {
        "divorced": 21,
        "married": 19,
        "never_married": 26,
    }


def test_any_sex_is_never_refined_at_4_but_is_at_2():
    assert "any_sex" not in set(TopDown(k=4).anonymize(SURVEY).info["trace"]["before"])
    assert TopDown(k=2).anonymize(SURVEY).frame.equals(SURVEY.frame)


def test_bottom_up_reaches_the_same_table_in_one_step():
    release = BottomUp(k=4).anonymize(SURVEY)
    assert release.info["trace"]["degree"].tolist() == [2, 4]
    assert as_figure(snapshot(release, 1)) == FIGURE_11D


# ---- a plain version to compare with ----------------------------------------------------------------------------


def entropy(values):
    counts = Counter(values)
    return -sum(count / len(values) * math.log2(count / len(values)) for count in counts.values())


def plain_top_down(table, k):
    """Scores of the refinements, in order, and the table, by recounting everything from the rows at each step."""
    ladders, shown = [], []
    for name in table.quasi:
        levels, codes = table.attributes[name].levels, table.codes(name)
        ladder = [[levels.labels[i][levels.maps[i][code]] for i in range(levels.height + 1)] for code in codes]
        if len(levels.labels[-1]) > 1:
            ladder = [[*labels, "*"] for labels in ladder]
        ladders.append(ladder)
        shown.append([len(ladder[0]) - 1] * len(table))  # the level of every row
    decision = table.codes(table.decision).tolist()

    def degree(levels):
        rows, both = range(len(table)), list(zip(ladders, levels, strict=True))
        return min(Counter(tuple((lv[r], lad[r][lv[r]]) for lad, lv in both) for r in rows).values())

    done = []
    while True:
        best = None
        for place, (ladder, level) in enumerate(zip(ladders, shown, strict=True)):
            rows = sorted(range(len(table)), key=lambda row: (level[row], table.codes(table.quasi[place])[row]))
            for node in dict.fromkeys((level[row], ladder[row][level[row]]) for row in rows if level[row] > 0):
                rows = [row for row in range(len(table)) if (level[row], ladder[row][level[row]]) == node]
                lower = [number - (row in rows) for row, number in enumerate(level)]
                after = degree([*shown[:place], lower, *shown[place + 1 :]])
                if after < k:
                    continue
                children = {ladder[row][level[row] - 1] for row in rows}
                parts = [[decision[row] for row in rows if ladder[row][level[row] - 1] == child] for child in children]
                gain = entropy([decision[row] for row in rows])
                gain -= sum(len(part) / len(rows) * entropy(part) for part in parts)
                score = gain / (degree(shown) - after + 1)
                if best is None or score > best[0] + 1e-12:
                    best = score, place, lower
        if best is None:
            texts = [[lad[row][lv[row]] for row, _ in enumerate(lv)] for lad, lv in zip(ladders, shown, strict=True)]
            return done, dict(zip(table.quasi, texts, strict=True))
        score, place, shown[place] = best
        done.append(score)


@pytest.mark.parametrize("seed", range(25))
def test_top_down_scores_equal_a_plain_recount(seed):
    table = tiny(seed, n_rows=8 + seed, n_columns=2 + seed % 2, values=5, hierarchies=True)
    k = 2 + seed % 3
    release = TopDown(k=k).anonymize(table)
    scores, shown = plain_top_down(table, k)
    assert release.info["trace"]["score"].tolist()[1:] == pytest.approx(scores, abs=1e-9)
    assert {name: release.columns[name].texts().tolist() for name in table.quasi} == shown
    _check_trace(table, release)


def _check_trace(table, release):
    """What the trace tells of every step is what the tables show."""
    trace = release.info["trace"]
    for step in trace["step"]:
        shown = snapshot(release, step)
        assert shown["rows"].min() == trace["degree"][step]
        assert len(shown) == trace["classes"][step]
        assert shown["rows"].sum() == len(table)
    assert release.group_sizes.min() == trace["degree"].iloc[-1]


@pytest.mark.parametrize("seed", range(15))
def test_top_down_ends_where_nothing_more_can_be_refined(seed):
    table = tiny(seed, n_rows=20, values=5, hierarchies=True)
    release = TopDown(k=3, require=REQUIRE * (seed % 2)).anonymize(table)
    for name in table.quasi:
        levels, column = table.attributes[name].levels, release.columns[name]
        for number in np.unique(column.index):
            rows = np.flatnonzero(column.index == number)
            label = column.sets.labels[number]
            level = max((i for i, labels in enumerate(levels.labels) if label in labels), default=levels.height + 1)
            if level == 0:
                continue
            lower = np.array(column.texts())
            lower[rows] = [levels.labels[level - 1][code] for code in levels.maps[level - 1][table.codes(name)[rows]]]
            if lower.tolist() == column.texts().tolist():
                continue  # "missing" keeps its label on the way down
            frame = release.frame.assign(**{name: lower})
            groups = frame.groupby(table.quasi)["ill"]
            broken = groups.size().min() < 3 or (seed % 2 and groups.nunique().min() < 2)
            assert broken, f"{label} of {name} could still be refined"


@pytest.mark.parametrize("seed", range(15))
def test_bottom_up_stops_as_soon_as_it_holds(seed):
    table = tiny(seed, n_rows=24, values=5, hierarchies=True)
    release = BottomUp(k=3).anonymize(table)
    trace = release.info["trace"]
    assert (trace["degree"][:-1] < 3).all()
    assert trace["degree"].iloc[-1] >= 3
    assert trace["degree"].is_monotonic_increasing
    assert trace["classes"].is_monotonic_decreasing
    gained = np.minimum(trace["degree"], 3).diff()[1:]
    assert gained.tolist() == trace["anonymity"].tolist()[1:]
    _check_trace(table, release)


def test_bottom_up_takes_the_least_loss_per_gain():
    """Joining b and c costs nothing (both are all yes); joining a and d costs a bit; both give degree 2."""
    tree = Hierarchy.from_nested({"left": ["a", "d"], "right": ["b", "c"]})
    frame = pd.DataFrame({"q": list("aaddbc"), "ill": list("ynynyy")})
    release = BottomUp(k=2).anonymize(Table(frame, quasi=["q"], decision="ill", hierarchies={"q": tree}))
    assert release.info["trace"][["after", "information", "anonymity"]].to_numpy().tolist()[1:] == [["right", 0.0, 1]]


# ---- whatever the data ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("method", [TopDown, BottomUp])
@pytest.mark.parametrize("require", [(), REQUIRE])
def test_holds_for_every_k(method, require):
    for n_rows, n_columns, values in [(9, 3, 4), (9, 1, 5), (8, 60, 2), (9, 2, 1)]:
        table = tiny(n_rows + n_columns, n_rows, n_columns, values, hierarchies=True)
        for k in range(1, n_rows + 1) if n_columns < 60 else (2, n_rows):
            assert_holds(method(k=k, require=require), table, least=True)


@pytest.mark.slow
@pytest.mark.parametrize("method", [TopDown, BottomUp])
@given(frames(min_rows=4), st.integers(2, 4), st.booleans())
@settings(max_examples=10, deadline=None)
@pytest.mark.filterwarnings("ignore::anonnb.tables.attribute.DefaultHierarchyWarning")
def test_holds_on_columns_of_every_kind(method, frame, k, diverse):
    frame["ill"] = np.arange(len(frame)) % 3
    quasi = [name for name in frame if name != "ill"]
    table = Table(frame, quasi=quasi, sensitive="ill", decision="ill", kinds={"ill": "nominal"})
    assert_holds(method(k=k, require=REQUIRE * diverse), table, least=True)


@pytest.mark.parametrize("method", [TopDown, BottomUp])
def test_values_that_left_the_table_do_not_count(method):
    table = tiny(2, n_rows=30, values=5, hierarchies=True)
    assert_holds(method(k=3), table.take(np.flatnonzero(table.codes("q0") < 3)), least=True)


@pytest.mark.parametrize("method", [TopDown, BottomUp])
def test_errors_say_what_to_do(method):
    table = tiny(1, n_rows=6)
    with pytest.raises(ValueError, match=r"needs a decision column; name it: table.with_roles\(decision="):
        method(k=2).anonymize(table.with_roles(decision=None))
    with pytest.raises(Infeasible, match="needs at least 7 rows"):
        method(k=7).anonymize(table)
    with pytest.warns(DefaultHierarchyWarning), pytest.raises(Infeasible, match="generalized to one class misses"):
        method(k=2, require=privacy.LDiversity(4)).anonymize(tiny(1, n_rows=6))


def test_snapshot_refuses_what_it_cannot_show():
    release = TopDown(k=4).anonymize(SURVEY)
    with pytest.raises(ValueError, match="step 7 does not exist; the release has steps 0 to 6"):
        snapshot(release, 7)
    with pytest.raises(ValueError, match="this release has none"):
        snapshot(anonnb.Release.of(SURVEY), 0)


def test_numbers_without_a_hierarchy_get_announced_intervals():
    frame = pd.DataFrame({"age": range(20, 60), "ill": ["y", "n"] * 20})
    table = Table(frame, quasi=["age"], decision="ill")
    with pytest.warns(DefaultHierarchyWarning, match="column 'age' has no hierarchy: using intervals"):
        release = TopDown(k=5).anonymize(table)
    assert 1 < release.n_groups <= 8
