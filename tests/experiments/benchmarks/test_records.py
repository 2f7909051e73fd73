"""Reading and summing up the results of the benchmarks."""

import numpy as np
import pandas as pd
import pytest

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


@pytest.mark.parametrize(("ratio", "faster"), [(2, "ours"), (1.05, "equal"), (0.5, "peer"), (np.nan, "unknown")])
def test_which_one_is_faster(ratio, faster):
    records = frame(line(ratio=1.0), line(who="peer", seconds=ratio, ratio=ratio), line(who="anonnb, slow", ratio=9.0))
    assert benchmarks.comparisons(records)["faster"].tolist() == [faster]


def test_without_peers_there_is_nothing_to_compare():
    assert benchmarks.comparisons(frame(line())).empty


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
