"""Results of the benchmarks, read, summed up and judged, on figures that are made up."""

import math

import numpy as np
import pandas as pd
import pytest

from anonnb import attacks, methods
from anonnb.experiments import benchmarks

COLUMNS = ["section", "subject", "data", "rows", "who", "seconds", "at_least", "ratio", "peak_mb", "quality_name"]
COLUMNS += ["quality", "demanded", "unit", "holds", "note"]


def line(section="peers", subject="s", data="d", rows=10, who="anonnb", seconds=1.0, **values):
    given = {"section": section, "subject": subject, "data": data, "rows": rows, "who": who, "seconds": seconds}
    return dict.fromkeys(COLUMNS, np.nan) | {"at_least": False} | given | values


def frame(*lines):
    return pd.DataFrame(lines, columns=COLUMNS)


@pytest.mark.parametrize(
    ("name", "ours", "theirs", "better"),
    [
        ("NCP", 0.1, 0.2, "ours"),
        ("NCP", 0.2, 0.1, "peer"),
        ("accuracy", 0.9, 0.8, "ours"),
        ("accuracy", 0.8, 0.9, "peer"),
        ("accuracy", 0.9, 0.901, "equal"),
        ("itemsets", 7, 7, "equal"),
        ("itemsets", 7, 8, "different"),
        ("NCP", 0.1, np.nan, "unknown"),
    ],
)
def test_which_result_is_better(name, ours, theirs, better):
    records = frame(
        line(ratio=1.0, quality_name=name, quality=ours),
        line(who="peer 1.0", seconds=3.0, ratio=3.0, quality_name=name, quality=theirs),
    )
    found = benchmarks.comparisons(records).iloc[0]
    assert (found["better"], found["faster"], found["peer"]) == (better, "ours", "peer 1.0")


@pytest.mark.parametrize(
    ("ratio", "faster"), [(2.1, "ours"), (2, "equal"), (0.5, "equal"), (0.4, "peer"), (np.nan, "unknown")]
)
def test_which_one_is_faster(ratio, faster):
    records = frame(line(ratio=1.0), line(who="peer", seconds=ratio, ratio=ratio), line(who="anonnb, slow", ratio=9.0))
    assert benchmarks.comparisons(records)["faster"].tolist() == [faster]


def test_growth_leaves_out_what_was_not_measured_to_its_end():
    series = [line("scaling", rows=10**n, seconds=2.0 * 10**n, peak_mb=100.0 * n) for n in (2, 3)]
    stopped = line("scaling", rows=10**4, seconds=60.0, at_least=True)
    left_out = line("scaling", rows=10**5, seconds=np.nan)
    found = benchmarks.growth(frame(*series, stopped, left_out)).iloc[0]
    assert found["exponent"] == pytest.approx(1)
    assert (found["sizes"], found["rows"], found["seconds"], found["peak MB"]) == (2, 1000, 2000, 300)


def test_limits_are_compared_in_their_own_unit():
    records = frame(
        line("limits", seconds=2.0, peak_mb=700.0, unit="s", demanded=4.0, holds=True, note="at most"),
        line("limits", seconds=2.0, peak_mb=700.0, unit="MB", demanded=350.0, holds=False, note="at most"),
        line("limits", quality=0.9, unit="accuracy", demanded=0.6, holds=True, note="at least"),
        line("limits", seconds=np.nan, unit="s", demanded=1.0, holds=False, note="at most; failed: it broke"),
        line("limits", seconds=np.nan, unit="s", demanded=1.0, holds=False, note="at most; left out: no time"),
    )
    found = benchmarks.limits(records)
    assert found["demanded"].tolist() == ["at most 4 s", "at most 350 MB", "at least 0.6 accuracy", "at most 1 s"]
    assert found["share"].tolist()[:3] == pytest.approx([0.5, 2, 1.5])
    assert found["holds"].tolist() == [True, False, True, False]


def test_a_missing_file_and_an_unknown_section_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.csv is not there; make it: make bench"):
        benchmarks.results(tmp_path / "none.csv")
    with pytest.raises(ValueError, match="section='speed' is not known; use peers, scaling"):
        benchmarks.results(section="speed")


def test_the_committed_run_has_all_sections_and_its_machine():
    committed = benchmarks.results()
    assert set(committed["section"]) <= set(benchmarks.SECTIONS)
    for section in benchmarks.SECTIONS:
        assert (benchmarks.results(section=section)["section"] == section).all()
    assert {"processor", "cores", "memory", "Python", "numpy", "day"} <= set(benchmarks.machine()["what"])
    text = committed.astype(str).to_csv() + benchmarks.machine().to_csv()
    assert "/home" not in text
    assert "/tmp" not in text
    assert "://" not in text


SIZES = (100, 1_000, 3_000, 10_000, 30_000, 100_000)


def series(subject, power, *, at_most=2.0, sizes=SIZES):
    """A line that takes ``at_most`` seconds at its largest size."""
    return [
        {
            "section": "growth",
            "subject": subject,
            "data": "d",
            "who": "anonnb",
            "rows": rows,
            "cpu_seconds": at_most * (rows / max(sizes)) ** power,
            "note": "",
            "at_least": False,
        }
        for rows in sizes
    ]


def promising(**exponents):
    lines = [("method", name if name != "others" else "*", value, "") for name, value in exponents.items()]
    return pd.DataFrame(lines, columns=["kind", "name", "exponent", "why"])


@pytest.mark.parametrize(("power", "verdict"), [(0.9, "kept"), (1.3, "kept"), (1.34, "kept"), (1.4, "exceeded")])
def test_an_exponent_is_held_against_its_promise_with_a_tolerance(power, verdict):
    found = benchmarks.exponents(pd.DataFrame(series("method M", power)), promising(M=1.2)).iloc[0]
    assert found["exponent"] == pytest.approx(power)
    assert found["verdict"] == verdict


def test_the_gate_names_the_line_the_range_and_the_promise():
    frame = pd.DataFrame([*series("method Slow", 2.0), *series("method Fine", 1.0)])
    (sentence,) = benchmarks.broken_promises(frame, promising(others=1.5))
    assert sentence == (
        "method Slow grows like rows^2.00 from 10,000 to 100,000 rows; promised is at most 1.50 (tolerance 0.15)"
    )


def test_a_promise_of_its_own_goes_before_that_of_its_kind():
    frame = pd.DataFrame(series("method Pairs", 2.0))
    assert benchmarks.broken_promises(frame, promising(others=1.2, Pairs=2.0)) == []
    assert benchmarks.broken_promises(frame, promising(others=2.0, Pairs=1.2)) != []


def test_small_sizes_and_short_times_are_not_fitted():
    """A fixed cost of 1 s up to 1,000 rows must not flatten what is quadratic beyond."""
    lines = series("method M", 2.0, at_most=100.0)
    for line in lines:
        line["cpu_seconds"] += 1.0 if line["rows"] <= 1_000 else 0.0
    found = benchmarks.exponents(pd.DataFrame(lines), promising(M=1.2)).iloc[0]
    assert (found["from"], found["to"], found["sizes"]) == (3_000, 100_000, 4)
    assert found["exponent"] == pytest.approx(2.0)


def test_what_never_takes_20_ms_is_too_fast_to_judge():
    found = benchmarks.exponents(pd.DataFrame(series("privacy k", 1.0, at_most=0.015))).iloc[0]
    assert math.isnan(found["exponent"])
    assert found["verdict"] == "too fast"


def test_promises_name_what_exists_and_every_kind_has_one():
    promises = benchmarks.promises()
    assert not promises.duplicated(["kind", "name"]).any()
    assert (promises.loc[promises["name"] == "*", "exponent"] > 0).all()
    assert (promises["why"].str.len() > 0).all()
    own = promises[promises["name"] != "*"]
    assert set(own.loc[own["kind"] == "method", "name"]) <= set(methods.all())
    assert set(own.loc[own["kind"] == "attack", "name"]) <= set(attacks.all())


def record(subject, data, **values):
    plain = {"section": "limits", "who": "anonnb", "at_least": False, "unit": "s", "note": ""}
    return plain | {"subject": subject, "data": data} | values


def verdicts(*records):
    columns = ["section", "subject", "data", "who", "rows", "seconds", "cpu_seconds", "at_least", "peak_mb"]
    frame = pd.DataFrame(records, columns=[*columns, "quality_name", "quality", "unit", "note"])
    return benchmarks.targets(frame).set_index("work")["verdict"]


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
