"""The lines of growth: all that is registered, on tables that really grow; what hangs or dies loses only itself."""

import importlib
import math
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def growing(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("growing")


@pytest.fixture
def bench_growth(growing):
    return importlib.import_module("bench_growth")


def test_every_registered_class_and_measure_has_a_line(growing):
    from anonnb import attacks, methods, privacy, utility

    found = {(line.kind, line.name) for line in growing.lines()}
    assert len(found) == len(growing.lines())
    assert {("method", name) for name in methods.all()} <= found
    assert {("attack", name) for name in attacks.all()} <= found
    assert {("privacy", measure.name) for measure in privacy.MEASURES} <= found
    assert {("utility", measure.name) for measure in utility.MEASURES} <= found
    assert {("utility", name) for name in ("gap", "rule_accuracy", "tree_accuracy", "lost_rules")} <= found
    assert {("rough sets", name) for name in ("quality", "fuzzy quality")} <= found
    assert {("inducer", name) for name in ("mlem2", "cn2", "aq", "lem2", "frequent_itemsets", "grow", "erid")} <= found


@pytest.mark.slow
def test_combinations_and_values_grow_with_the_table(growing):
    """Ten times the rows have at least four times the combinations; resampled ones would end at those of Adult."""
    import anonnb

    grown, adult = importlib.import_module("tables").grown, anonnb.load("adult")
    different, values = [], []
    for rows in (3_000, 30_000, 300_000):
        table = grown(adult, rows, new_values=importlib.import_module("bench_growth").NEW_VALUES)
        codes = np.column_stack([table.codes(name) for name in table.quasi]).astype(np.int32)
        different.append(len(np.unique(codes, axis=0)))
        values.append(table.attributes["occupation"].size)
    assert (np.diff(np.log10(different)) > math.log10(4)).all(), different
    assert different[-1] > 3 * len(adult)
    assert (np.diff(np.log10(values)) > math.log10(2)).all(), values


def test_a_finer_value_keeps_its_place_in_the_hierarchy(growing):
    """Read as the values that they refine, the cells of a grown table are distributed as in Adult."""
    import anonnb

    tables, adult = importlib.import_module("tables"), anonnb.load("adult")
    large = tables.grown(adult, 30_000, new_values=0.3)
    own, finer = (table.attributes["occupation"].hierarchy for table in (adult, large))
    coarse = large.frame["occupation"].str.partition(tables.FINER)[0]
    for old, new in set(zip(coarse, large.frame["occupation"], strict=True)):
        assert finer.generalize(new, 1) == own.generalize(old, 1)
    shares = [column.value_counts(normalize=True) for column in (adult.frame["occupation"], coarse)]
    assert (shares[0] - shares[1]).abs().max() < 0.02


def test_a_further_size_is_expected_to_grow_at_least_linearly(growing):
    assert growing.expected_next([], 10) == 0
    assert growing.expected_next([(10, 1.0)], 30) == pytest.approx(3)
    assert growing.expected_next([(10, 1.0), (100, 1.0)], 1_000) == pytest.approx(10)
    assert growing.expected_next([(10, 1.0), (100, 100.0)], 1_000) == pytest.approx(10_000)


def test_a_line_ends_where_it_takes_enough(growing, monkeypatch):
    seconds = iter([0.01, 0.1, 1.0, 99.0])
    monkeypatch.setattr(growing, "once", lambda *_, **__: {"cpu": next(seconds), "wall": 0.0})
    events = list(growing.timed(growing.Line("method", "x"), None, (10, 100, 1_000, 10_000)))
    assert [event["cpu"] for event in events if "cpu" in event] == [0.01, 0.1, 1.0]
    assert events[-1] == {"rows": 10_000, "note": "not tried: about 10 s expected"}


def test_a_small_table_may_fail_and_a_large_one_ends_the_line(growing, monkeypatch):
    def once(line, tables, rows, **_):
        if rows in (10, 10_000):
            raise ValueError("not with so few")
        return {"cpu": 1e-3, "wall": 1e-3}

    monkeypatch.setattr(growing, "once", once)
    events = list(growing.timed(growing.Line("method", "x"), None, (10, 100, 10_000, 100_000)))
    assert [event["rows"] for event in events if "cpu" in event] == [100]
    assert [event["rows"] for event in events if "note" in event] == [10, 10_000]


WORKER = """
import json, os, sys, time
told = json.loads(sys.argv[1])
with open(told["output"], "a") as file:
    for number in told["numbers"]:
        file.write(json.dumps({"line": number, "rows": 7, "start": 0}) + "\\n"); file.flush()
        if number == 1: time.sleep(600)
        if number == 2: os._exit(9)
        file.write(json.dumps({"line": number, "rows": 7, "cpu": 1.0, "wall": 1.0}) + "\\n")
        file.write(json.dumps({"line": number, "end": True}) + "\\n"); file.flush()
"""


@pytest.mark.slow
def test_what_hangs_or_dies_loses_only_itself(bench_growth, tmp_path, monkeypatch):
    (tmp_path / "growing.py").write_text(WORKER)
    monkeypatch.setattr(bench_growth, "HERE", tmp_path)
    monkeypatch.setattr(bench_growth, "PATIENCE", 2.0)
    worker = bench_growth.Worker(tmp_path, (7,), [0, 1, 2, 3], tmp_path / "out.jsonl")
    worker.start()
    events = []
    try:
        while worker.numbers:
            events += worker.watched()
    finally:
        worker.stop()
    notes = {event["line"]: event["note"] for event in events if "note" in event}
    assert [event["line"] for event in events if "cpu" in event] == [0, 3]
    assert notes == {1: "stopped after 2 s", 2: "failed: its process ended (out of memory?)"}
