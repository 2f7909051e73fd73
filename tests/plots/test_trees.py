"""Pictures of trees and itemsets show the counts that are published, and no others."""

import pandas as pd
import pytest

import anonnb
from anonnb import plots
from anonnb.methods import SafeItemsets, SafeTree
from anonnb.trees import grow, planted

SURVEY = anonnb.load("survey")


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_a_tree_shows_conditions_and_counts():
    tree = planted(SURVEY, {"Sex": {"M": "Marital_status", "F": "Hours"}})
    shown = texts(plots.tree(tree, k=3))
    assert "Hours = 35" in shown
    assert "2 rows · N 2" in shown
    assert [text for text in shown if text.startswith(("predicts", "fewer"))] == [
        "predicts N",
        "predicts Y",
        "fewer than 3 people",
    ]


def test_a_condition_is_never_cut():
    adult = anonnb.load("adult").take(range(3000))
    tree = grow(adult, attributes=adult.quasi, max_leaves=8)
    shown = " ".join(texts(plots.tree(tree))).replace("\n", " ")
    assert all(node.condition in shown for node in tree.nodes if node.condition)
    assert any(len(node.condition or "") > 60 for node in tree.nodes)


def test_hidden_counts_stay_hidden():
    tree = planted(SURVEY, {"Sex": {"M": "Marital_status", "F": "Hours"}})
    safe = SafeTree(k=12, strategy="hide", tree=tree).anonymize(SURVEY)
    shown = texts(plots.tree(safe))
    assert shown.count("hidden") == 3
    assert not any(text.startswith(("10 rows", "11 rows", "55 rows")) for text in shown)


def test_itemsets_show_counts_and_channels():
    counts = {(): 66, ("A",): 40, ("B",): 55, ("C",): 52, ("B", "C"): 43}
    shown = texts(plots.itemset_lattice(counts, k=10))
    assert {"{ }\n66", "B, C\n43", "9", "2"} <= set(shown)
    assert not {"9", "2"} & set(texts(plots.itemset_lattice(counts)))
    safe = SafeItemsets(k=3, min_count=19).anonymize(SURVEY)
    assert "divorced\n21 → 24" in texts(plots.itemset_lattice(safe, k=3, before=safe.info["original"]))


def test_what_is_too_large_to_read_is_refused():
    adult = anonnb.load("adult").take(range(2000))
    with pytest.raises(ValueError, match="30 leaves is too large to read"):
        plots.tree(grow(adult, attributes=adult.quasi, max_leaves=30))
    with pytest.raises(ValueError, match="itemsets are too many to read"):
        plots.itemset_lattice(SafeItemsets(k=2).anonymize(adult))


def test_routes_have_a_line_each():
    frame = pd.DataFrame({"route": ["a", "a", "b", "b"], "k": [2, 10, 2, 10], "accuracy": [0.8, 0.8, 0.7, 0.6]})
    ax = plots.routes(frame)
    assert [line.get_label() for line in ax.lines] == ["a", "b"]
    assert ax.lines[1].get_ydata().tolist() == pytest.approx([10, 20])  # points below the best
    assert ax.get_title() == "The most is lost by b: 20.0 points at k = 10"


@pytest.mark.slow
def test_a_route_is_called_worse_only_where_its_interval_says_so():
    lines = [
        ("a", 2, -0.1, -0.2, 0.01),
        ("a", 10, -0.1, -0.2, -0.05),
        ("b", 2, 0.0, -0.1, 0.1),
        ("b", 10, -0.3, -0.7, 0.1),
    ]
    frame = pd.DataFrame(lines, columns=["route", "k", "difference", "low", "high"])
    ax = plots.route_differences(frame)
    assert ax.get_title() == "1 of 4 differences to the unprotected tree lie below 0 beyond chance"
    drawn = [line for line in ax.lines if line.get_marker() not in ("None", "")]
    filled = [list(line.get_xdata()) for line in drawn if line.get_markerfacecolor() != "white"]
    assert filled == [[], [-10.0]]  # for k = 2 and for k = 10
    assert plots.route_differences(frame[frame["route"] == "b"]).get_title().startswith("0 of 2 ")
