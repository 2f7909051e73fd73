"""Targets beside what a run measured, on figures that are made up."""

import pandas as pd
import pytest

from anonnb.experiments import benchmarks


def record(subject, data, **values):
    plain = {"section": "limits", "who": "anonnb", "at_least": False, "unit": "s", "note": ""}
    return plain | {"subject": subject, "data": data} | values


def verdicts(*records):
    columns = ["section", "subject", "data", "who", "rows", "seconds", "cpu_seconds", "at_least", "peak_mb"]
    frame = pd.DataFrame(records, columns=[*columns, "quality_name", "quality", "unit", "note"])
    return benchmarks.targets(frame).set_index("work")["verdict"]


def test_without_a_run_nothing_is_met():
    assert set(verdicts()) == {"not measured"}


@pytest.mark.parametrize(("seconds", "verdict"), [(4.9, "met"), (5.1, "missed")])
def test_a_target_of_time(seconds, verdict):
    assert verdicts(record("MLEM2", "Adult", seconds=seconds))["MLEM2 on Adult, 30,162 rows"] == verdict


def test_what_was_stopped_has_missed_its_target():
    assert verdicts(record("MLEM2", "Adult", seconds=3.0, at_least=True))["MLEM2 on Adult, 30,162 rows"] == "missed"


@pytest.mark.parametrize(("ours", "verdict"), [(0.05, "met"), (0.07, "missed")])
def test_a_target_beside_a_peer_takes_the_fastest_one(ours, verdict):
    tree = ("Tree of 64 leaves", "Adult")
    found = verdicts(
        record(*tree, section="peers", seconds=ours),
        record(*tree, section="peers", who="scikit-learn 1.9, by position", seconds=0.06),
        record(*tree, section="peers", who="scikit-learn 1.9, one-hot", seconds=0.2),
    )
    assert found["decision tree, Adult, 64 leaves, beside scikit-learn"] == verdict


@pytest.mark.parametrize(("power", "verdict"), [(1.5, "met"), (1.7, "missed")])
def test_a_target_of_growth(power, verdict):
    growth = {"section": "growth", "unit": None}
    lines = [
        record("inducer mlem2", "Adult, grown", rows=rows, cpu_seconds=(rows / 10_000) ** power, **growth)
        for rows in (3_000, 10_000, 30_000)
    ]
    assert verdicts(*lines)["MLEM2, exponent"] == verdict
