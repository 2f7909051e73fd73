"""The harness of the benchmarks: its arithmetic, its time limit, its files; nothing depends on how fast it runs."""

import importlib
import math
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import anonnb
from anonnb import attacks, methods, privacy, utility
from anonnb.experiments import benchmarks as stored

DATA = Path(__file__).parent / "data"

FOLDER = Path(__file__).parents[2] / "benchmarks"
JOBS = (DATA / "jobs.py.txt").read_text(encoding="utf-8")


@pytest.fixture
def common(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("common")


@pytest.fixture
def jobs(common, tmp_path, monkeypatch):
    (tmp_path / "jobs_of_a_test.py").write_text(JOBS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "jobs_of_a_test", raising=False)
    return importlib.import_module("jobs_of_a_test")


def record(common, **values):
    return common.Record("peers", "subject", "data", 10, "anonnb", **values)


# ---- arithmetic ----


def test_a_ratio_is_seconds_of_the_call_over_seconds_of_the_base(common):
    known, bound = (record(common, seconds=0.5, at_least=is_bound) for is_bound in (False, True))
    unknown = record(common)
    slow = record(common, seconds=4.0)
    assert [common.with_ratio(slow, base).ratio for base in (known, unknown, bound)] == [8, None, None]
    assert common.with_ratio(unknown, known).ratio is None


def test_an_estimate_continues_the_line_through_the_sizes(common):
    figures = {millions: {"seconds": 4 + 2 * millions, "peak_mb": 300 + 50 * millions} for millions in (1, 3, 10)}
    sizes = [replace(record(common, **took), rows=millions * 10**6) for millions, took in figures.items()]
    made = common.Bench().estimate(sizes, 100_000_000)
    assert (made.section, made.rows, round(made.seconds), round(made.peak_mb)) == ("estimates", 10**8, 204, 5300)
    assert made.note == (
        "from 1,000,000, 3,000,000, 10,000,000 rows: 4 s and 2 s per million rows; 300 MB and 50 MB per million rows"
    )
    assert common.Bench().estimate([*sizes[:2], replace(sizes[2], at_least=True)], 100_000_000) is None


# ---- processes ----


def test_demands_and_comparisons_of_a_job(common, jobs):
    bench = common.Bench(quick=True)
    calls = [common.Call("anonnb", jobs.quick), common.Call("numpy, again", jobs.quick, rows=8, value=0.25)]
    ours, theirs = bench.compare("subject", "data", calls)
    assert (ours.rows, ours.quality_name, ours.quality, ours.note, ours.ratio) == (7, "loss", 0.5, "classes 1,234", 1)
    assert theirs.ratio == pytest.approx(theirs.seconds / ours.seconds)
    assert theirs.who == f"numpy {np.__version__}, again"
    made = bench.demand("subject", "data", calls[0], s=1e9, most={"loss": 0.4}, least={"classes": 1234, "nothing": 0})
    assert [one.holds for one in made] == [True, False, True, False]
    (helped,) = bench.demand("subject", "data", common.Call("anonnb", jobs.with_helper), MB=100)
    assert helped.peak_mb == 77
    assert helped.cpu_seconds > 0.2


def test_what_takes_too_long_is_stopped_with_all_it_started(common, jobs, tmp_path):
    slow = common.Call("slow", jobs.endless, marker=str(tmp_path / "marker"), limit=0.5)
    ours, theirs = common.Bench(quick=True).compare("subject", "data", [common.Call("anonnb", jobs.quick), slow])
    assert (theirs.seconds, theirs.at_least, theirs.note) == (0.5, True, "stopped after 0.5 s")
    assert theirs.ratio == pytest.approx(0.5 / ours.seconds)
    end = time.monotonic() + 180
    for number in map(int, (tmp_path / "marker").read_text().split()):
        while not _is_gone(number):
            assert time.monotonic() < end
            time.sleep(0.05)


def _is_gone(number: int) -> bool:
    """A killed process may stay for a moment, until somebody collects it."""
    try:
        os.kill(number, 0)
        state = Path(f"/proc/{number}/stat")
        return state.exists() and state.read_text().split()[2] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def test_judging_and_preparing_have_limits_of_their_own(common, jobs, monkeypatch):
    answer = common.answer_of(common.Call("anonnb", jobs.slow_start), 60, preparing=0.3)
    assert answer == {"error": "stopped after 0.3 s, before its work began"}
    # The work has plenty of time on any machine; judging, which has the limit and JUDGING, has a fifth of a second.
    monkeypatch.setattr(common, "JUDGING", 0.2 - 300)
    answer = common.answer_of(common.Call("anonnb", jobs.slow_to_judge), 300)
    assert answer["seconds"] < 300
    assert answer["quality"] == {}


@pytest.mark.parametrize(
    ("job", "note"),
    [
        ("broken", "failed: ZeroDivisionError: division by zero"),
        ("foreign", "not installed here (a_library_that_is_not_there is missing)"),
        ("ends", "failed: the process ended without an answer (out of memory?)"),
        ("lost", "failed: OSError: gone: file.csv"),
    ],
)
def test_what_fails_becomes_a_record_with_its_reason(common, jobs, job, note):
    (made,) = common.Bench(quick=True).compare("subject", "data", [common.Call("peer", getattr(jobs, job))])
    assert (made.seconds, made.note) == (None, note)


def test_files_go_to_a_job_and_come_back(common, jobs):
    files = {"give": lambda folder: (folder / "given.txt").write_text("text")}
    judges = (lambda folder: {"length": len((folder / "found.txt").read_text())}, lambda folder: {}["no such column"])
    calls = [common.Call("peer", jobs.exchange, **files, judge=judge) for judge in judges]
    well, badly = common.Bench(quick=True).compare("subject", "data", calls)
    assert (well.quality_name, well.quality) == ("length", 4)
    assert badly.note == "ran, but its result cannot be judged: KeyError: 'no such column'"


def test_a_series_ends_where_the_next_size_would_take_too_long(common, jobs, monkeypatch):
    monkeypatch.setattr(common, "expected_next", lambda seen, rows: 99.0 if rows > 2 else 0.0)
    bench = common.Bench(limit=30, sizes=(1, 2, 3, 4))
    assert [one.rows for one in bench.scale("subject", "data", jobs.squares)] == [1, 2]
    assert bench.records[-1].note == "left out: about 99 s expected, the limit is 30 s"


def test_a_profile_names_functions_without_paths(common, jobs):
    made = common.Bench(quick=True).profile("subject", "data", common.Call("anonnb", jobs.squares, rows=3))
    assert made[0].who == "jobs_of_a_test.sum_of_squares"
    assert sum(one.quality for one in made) == pytest.approx(1, abs=0.1)
    assert not any("/" in one.who for one in made)


# ---- a whole run ----


@pytest.fixture
def run(common, monkeypatch, tmp_path):
    """A run of two scripts that measure nothing; ``state`` can be told to fail or to be killed in b."""
    run = importlib.import_module("run")
    state = SimpleNamespace(value=1.0, fail=False, kill=False)

    def measured(name, bench):
        if state.kill and name == "b":
            raise KeyboardInterrupt
        bench.add(replace(record(common, seconds=state.value), subject=name))
        return not (state.fail and name == "b")

    monkeypatch.setattr(run, "scripts", lambda: ["a", "b"])
    monkeypatch.setattr(run, "measured", measured)
    monkeypatch.setattr(run, "prepare_run", lambda: None)
    out = tmp_path / "all.csv"
    return SimpleNamespace(
        state=state,
        out=out,
        module=run,
        main=lambda *words: run.main([*words, "--output", str(out)]),
        seconds=lambda: stored.results(out).set_index("script")["seconds"].to_dict(),
    )


def test_a_run_writes_the_table_and_the_machine(run):
    assert run.main() == 0
    assert run.seconds() == {"a": 1.0, "b": 1.0}
    machine = stored.machine(run.out).set_index("what")["value"]
    assert (machine["cores"], machine["numpy"]) == (str(os.cpu_count()), np.__version__)
    assert not machine.str.contains(os.uname().nodename, regex=False).any()


def test_some_scripts_replace_their_own_lines_only_and_on_the_same_machine(run, capsys):
    run.main()
    run.state.value = 2.0
    assert run.main("--only", "b") == 0
    assert run.seconds() == {"a": 1.0, "b": 2.0}
    assert run.main("--only", "nothing") == 2
    assert "there is no benchmark 'nothing'" in capsys.readouterr().err
    described = run.out.with_name("all_machine.csv")
    described.write_text(described.read_text().replace(f"cores,{os.cpu_count()}", "cores,999"))
    run.state.value = 3.0
    assert run.main("--only", "b") == 2
    assert run.seconds() == {"a": 1.0, "b": 2.0}


def test_failed_scripts_and_broken_promises_are_told_by_the_exit_code(run, monkeypatch, capsys):
    run.state.fail = True
    assert run.main() == 1
    run.state.fail = False
    monkeypatch.setattr(run.module.benchmarks, "broken_promises", lambda frame: ["method M grows like rows^3"])
    assert run.main() == 1
    assert "PROMISE BROKEN: method M grows like rows^3" in capsys.readouterr().err
    assert len(stored.results(run.out)) == 2


def test_what_a_script_found_is_written_before_the_next_one_runs(run):
    """A run that is killed in its second script has the lines of the first, and the old ones of the second."""
    run.main()
    run.state.value, run.state.kill = 2.0, True
    with pytest.raises(KeyboardInterrupt):
        run.main()
    assert run.seconds() == {"a": 2.0, "b": 1.0}


def test_every_script_can_be_imported_and_says_what_it_measures(common):
    names = importlib.import_module("run").scripts()
    assert {"mondrian", "privacy", "limits", "commands", "growth", "cluster"} <= set(names)
    for name in names:
        module = importlib.import_module(f"bench_{name}")
        assert callable(module.measure), name
        assert module.__doc__, name


# ---- environments of peers ----


def test_an_environment_is_made_once_and_a_failure_is_remembered(common, jobs, tmp_path, monkeypatch):
    environment, tried = importlib.import_module("peers.environment"), []
    monkeypatch.setattr(environment, "_run", lambda command, more=None: tried.append(command))
    monkeypatch.setattr(environment.shutil, "rmtree", lambda *_, **__: None)
    (tmp_path / "anjana").mkdir()  # in place of what venv makes
    assert environment.python_of("anjana", tmp_path) == environment.python_of("anjana", tmp_path)
    assert len(tried) == 2  # venv and pip, the first time

    def fails(command, more=None):
        tried.append(command)
        raise RuntimeError("pip failed with 1")

    monkeypatch.setattr(environment, "_run", fails)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="does not install here: pip failed with 1"):
            environment.python_of("pycanon", tmp_path)
    assert len(tried) == 3
    monkeypatch.setattr(environment, "python_of", lambda name: fails([]))
    (made,) = common.Bench(quick=True).compare("subject", "data", [common.Call("x", jobs.quick, peer="anjana")])
    assert made.note == "pip failed with 1"


# ---- growth ----


@pytest.fixture
def growing(common):
    return importlib.import_module("growing")


def test_every_registered_class_and_measure_has_a_line(growing):
    lines = {(line.kind, line.name) for line in growing.lines()}
    assert len(lines) == len(growing.lines())
    assert {("method", name) for name in methods.all()} | {("attack", name) for name in attacks.all()} <= lines
    assert {("privacy", measure.name) for measure in privacy.MEASURES} <= lines
    assert {("utility", measure.name) for measure in utility.MEASURES} <= lines
    assert {("utility", name) for name in ("gap", "rule_accuracy", "tree_accuracy", "lost_rules")} <= lines
    assert {("rough sets", name) for name in ("quality", "fuzzy quality")} <= lines
    assert {("inducer", name) for name in ("mlem2", "cn2", "aq", "lem2", "frequent_itemsets", "grow", "erid")} <= lines


@pytest.mark.slow
def test_combinations_and_values_grow_with_the_table(common):
    """Ten times the rows have at least four times the combinations; resampled ones would end at those of Adult."""
    tables, adult = importlib.import_module("tables"), anonnb.load("adult")
    combinations, values = [], []
    for rows in (3_000, 30_000, 300_000):
        table = tables.grown(adult, rows, new_values=0.05)
        combinations.append(len(table.frame[table.quasi].drop_duplicates()))
        values.append(table.attributes["occupation"].size)
        coarse = table.frame["occupation"].str.partition(tables.FINER)[0]
    assert (np.diff(np.log10(combinations)) > math.log10(4)).all(), combinations
    assert (np.diff(np.log10(values)) > math.log10(2)).all(), values
    own, finer = (each.attributes["occupation"].hierarchy for each in (adult, table))
    for old, new in set(zip(coarse, table.frame["occupation"], strict=True)):  # it keeps its place
        assert finer.generalize(new, 1) == own.generalize(old, 1)
    for name, column in (("sex", table.frame["sex"]), ("income", table.frame["income"]), ("occupation", coarse)):
        shares = [each.value_counts(normalize=True) for each in (adult.frame[name], column)]
        assert (shares[0] - shares[1]).abs().max() < 0.02


def test_a_line_ends_where_it_takes_enough(growing, monkeypatch):
    assert growing.expected_next([], 10) == 0
    assert growing.expected_next([(10, 1.0), (100, 1.0)], 1_000) == pytest.approx(10)  # at least linearly
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


LINE = """
import json, os, sys, time
told = json.loads(sys.argv[1])
with open(told["output"], "a") as file:
    print(json.dumps({"rows": 7, "cpu": 1.0, "wall": 1.0}), file=file, flush=True)
    if told["number"] == 1: time.sleep(600)
    if told["number"] == 2: os._exit(9)
"""


@pytest.mark.slow
def test_what_hangs_or_dies_loses_only_itself(growing, tmp_path, monkeypatch):
    bench_growth = importlib.import_module("bench_growth")
    (tmp_path / "growing.py").write_text(LINE)
    monkeypatch.setattr(bench_growth, "HERE", tmp_path)
    monkeypatch.setattr(bench_growth, "PATIENCE", 2.0)
    for number, note in enumerate([None, "stopped after 2 s", "failed: its process ended (out of memory?)"]):
        measured, *more = bench_growth.events_of(number, tmp_path, (7,))
        assert measured["cpu"] == 1.0
        assert more == ([] if note is None else [{"rows": 7, "note": note}])
