"""The rivals: disjoint halves, means with their intervals, and who beats whom."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb.experiments import rivals
from anonnb.methods import Mondrian, TopDown


def test_the_control_shares_nobody_with_the_published_half():
    table = anonnb.load("adult")
    members, others = rivals.divided(table, 3)
    assert len(members) == len(others) == rivals.ROWS // 2
    assert not set(members.index) & set(others.index)
    again, _ = rivals.divided(table, 3)
    assert (again.index == members.index).all()
    assert set(rivals.divided(table, 4)[0].index) != set(members.index)


def test_at_least_thirty_enter_and_each_has_a_family():
    assert len(rivals.entrants()) >= 30
    assert rivals.families()["V-MDAV"] == "microaggregation"
    assert rivals.families()["Mondrian by loss"] == "mondrian"


def test_a_mean_and_its_interval_over_the_seeds():
    frame = pd.DataFrame(
        [("survey", "Mondrian", "attack", "LinkageAttack", value, "") for value in (0.1, 0.2, 0.3)]
        + [("survey", "Factor", "method", "made", np.nan, "ValueError: k = 2 and k = 3 only")] * 3,
        columns=["table", "method", "kind", "name", "value", "reason"],
    )
    line, failed = rivals.averaged(frame).itertuples(index=False)
    assert (line.runs, line.family) == (3, "mondrian")
    assert line.mean == pytest.approx(0.2)
    assert line.high - line.mean == pytest.approx(0.1 / np.sqrt(3) * 4.302653, rel=1e-5)
    assert failed.runs == 0
    assert failed.reason.endswith("only")


def test_the_front_is_what_no_other_beats():
    points = [("a", 0.1, 0.3), ("b", 0.2, 0.2), ("c", 0.2, 0.3), ("d", 0.3, 0.1)]
    lines = [("t", m, "f", "attack", "X", 1, risk, risk, risk, "") for m, risk, _ in points]
    lines += [("t", m, "f", "utility", "error of counts", 1, loss, loss, loss, "") for m, _, loss in points]
    found = rivals.risk_and_loss(pd.DataFrame(lines, columns=rivals.COLUMNS)).set_index("method")
    assert found["front"].to_dict() == {"a": True, "b": True, "c": False, "d": True}


def test_one_draw_gives_every_figure_or_a_reason():
    frame = rivals.one_draw("survey", 0, {"Mondrian": Mondrian, "TopDown": TopDown})
    assert set(frame["method"]) == {"original", "Mondrian", "TopDown"}
    assert (frame["value"].notna() | (frame["reason"] != "")).all()
    assert set(rivals.attacks_on_people()) <= set(frame["name"])


def test_readers_get_what_they_ask_for():
    figures = {
        "Mondrian": (0.1, 0.3, 1.0),
        "PRAM": (0.15, 0.1, 0.8),
        "TopBottomCoding": (0.2, 0.2, 1.0),
        "OKA": (0.9, 0.0, 1.0),
    }
    lines = []
    for method, (risk, loss, truth) in figures.items():
        family = rivals.families()[method]
        lines.append(("t", method, family, "attack", "X", 1, risk, risk, risk, ""))
        lines.append(("t", method, family, "utility", "error of counts", 1, loss, loss, loss, ""))
        lines.append(("t", method, family, "utility", "truthfulness", 1, truth, truth, truth, ""))
    best = rivals.best_for_readers(pd.DataFrame(lines, columns=rivals.COLUMNS)).set_index("reader")["method"]
    assert best.to_dict() == {"any": "PRAM", "true": "TopBottomCoding", "true and k": "Mondrian"}
