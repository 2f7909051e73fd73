"""The rivals: who enters, and who beats whom."""

import numpy as np
import pandas as pd
import pytest

from anonnb import arena
from anonnb.experiments import rivals
from anonnb.experiments.__main__ import main
from anonnb.methods import Mondrian, TopDown


def standings(lines):
    """Lines of standings from method, family, name and figure, whose interval has no width."""
    rows = []
    for method, family, name, figure in lines:
        column = "excess" if name == "X" else "value"
        kind = "attack" if name == "X" else "utility"
        ends = {column: figure, f"{column} low": figure, f"{column} high": figure}
        rows.append({"table": "t", "method": method, "family": family, "kind": kind, "name": name, **ends})
    return pd.DataFrame(rows, columns=rivals.COLUMNS)


def test_the_front_is_what_no_other_beats():
    points = [("a", 0.1, 0.3), ("b", 0.2, 0.2), ("c", 0.2, 0.3), ("d", 0.3, 0.1)]
    lines = [
        (m, "f", name, figure)
        for m, *both in points
        for name, figure in zip(("X", "error of counts"), both, strict=True)
    ]
    found = rivals.risk_and_loss(standings(lines)).set_index("method")
    assert found["front"].to_dict() == {"a": True, "b": True, "c": False, "d": True}


def test_the_risk_is_the_largest_excess_and_no_other_kind_counts():
    frame = standings([("a", "f", "X", 0.1), ("a", "f", "error of counts", 0.2)])
    linked = frame.iloc[[0]].assign(name="LinkageAttack", value=0.9, excess=np.nan)
    found = rivals.risk_and_loss(pd.concat([frame, linked], ignore_index=True)).iloc[0]
    assert (found["attack"], found["risk"]) == ("X", 0.1)


def attacked(*lines):
    """Lines of attacks of one release from name, kind, figure and half of its interval, over 20 draws."""
    rows = [
        {"name": name, "attack kind": kind, column: mean, f"{column} low": mean - half, f"{column} high": mean + half}
        for name, kind, mean, half in lines
        for column in ["excess" if kind == "secret" else "value"]
    ]
    head = {"table": "t", "method": "a", "family": "f", "kind": "attack", "draws": 20}
    return pd.DataFrame([head | row for row in rows], columns=rivals.COLUMNS)


def test_the_interval_of_the_largest_of_three_allows_for_the_choice_and_kinds_stay_apart():
    frame = attacked(
        ("HomogeneityAttack", "secret", 0.1, 0.02),
        ("ShallowAttack", "secret", 0.2, 0.04),
        ("ModelAttack", "secret", 0.3, 0.0209302),
        ("BackgroundAttack", "secret", 0.9, 0.01),
        ("LinkageAttack", "linkage", 0.4, 0.05),
    )
    found = rivals.largest_gains(frame).set_index("figure")
    assert found["attack"].to_dict() == {"excess": "ModelAttack", "linked": "LinkageAttack"}
    # 2.6251 and 2.0930 are the quantiles 1 - 0.025 / 3 and 0.975 of Student's t with 19 degrees of freedom
    assert np.isclose(found.loc["excess", "high"], 0.3 + 0.01 * 2.6251, atol=1e-5)
    assert np.isclose(found.loc["linked", ["low", "high"]].astype(float), [0.35, 0.45]).all()


def test_a_table_gives_every_figure_or_a_reason():
    frame = rivals.on_table("survey", 2, {"Mondrian": Mondrian, "TopDown": TopDown})
    assert set(frame["method"]) == {"original", "Mondrian", "TopDown"}
    assert (frame["value"].notna() | (frame["reason"] != "")).all()
    assert {*arena.default_attacks(), "ModelAttack", "MembershipAttack"} <= set(frame["name"])
    assert frame["draws"].max() == 2
    assert frame.loc[frame["method"] == "TopDown", "family"].eq(rivals.families()["TopDown"]).all()


def test_readers_get_what_they_ask_for():
    figures = {
        "Mondrian": (0.1, 0.3, 1.0),
        "PRAM": (0.15, 0.1, 0.8),
        "TopBottomCoding": (0.2, 0.2, 1.0),
        "OKA": (0.9, 0.0, 1.0),
    }
    names = ("X", "error of counts", "truthfulness")
    lines = [
        (method, rivals.families()[method], name, figure)
        for method, three in figures.items()
        for name, figure in zip(names, three, strict=True)
    ]
    best = rivals.best_for_readers(standings(lines)).set_index("reader")["method"]
    assert best.to_dict() == {"any": "PRAM", "true": "TopBottomCoding", "true and k": "Mondrian"}


@pytest.mark.slow
def test_a_line_of_the_stored_run_comes_out_again(capsys):
    """Other tables take longer; the survey's people are all drawn, so that its draws differ by who is published."""
    assert main(["rivals", "--table", "survey", "--method", "Mondrian"]) == 0
    again = rivals.repeat("survey", "Mondrian")
    assert len(again) > 8
    assert np.allclose(again["stored"], again["again, mean"], atol=2e-4)


@pytest.mark.parametrize(("option", "value"), [("--method", "KAC"), ("--table", "zo"), ("--draw", "21")])
def test_a_line_that_is_not_stored_cannot_be_repeated(option, value, capsys):
    given = {"--table": "zoo", "--method": "KACA", "--draw": "1"} | {option: value}
    assert main(["rivals", *(word for pair in given.items() for word in pair)]) == 2
    assert value in capsys.readouterr().out
