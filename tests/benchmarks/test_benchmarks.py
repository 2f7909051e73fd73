"""The harness of the benchmarks: its arithmetic, its time limit, its files; nothing depends on how fast it runs."""

import importlib
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonnb.experiments import benchmarks as stored

FOLDER = Path(__file__).parents[2] / "benchmarks"
JOBS = """
import os, subprocess, sys, time
from pathlib import Path
from child import Work

def quick(rows=7, value=0.5):
    return Work(lambda: value, lambda result: {"loss": result, "classes": 1234}, rows=rows)

def endless(marker):
    # before the work begins, which is what the limit is for: however slow the machine is, the marker is written
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(marker).write_text(f"{os.getpid()} {child.pid}")
    return Work(lambda: time.sleep(600))

def slow_to_judge():
    return Work(lambda: 1, lambda result: time.sleep(600))

def slow_start():
    time.sleep(600)

def broken():
    return Work(lambda: 1 / 0)

def foreign():
    import a_library_that_is_not_there

def ends():
    return Work(lambda: os._exit(3))

def fresh(counted=[]):
    def prepare():
        counted.append(1)
        return len(counted)
    return Work(lambda number: number, lambda number: {"runs": number}, prepare)

def exchange(folder):
    text = (Path(folder) / "given.txt").read_text()
    return Work(lambda: text.upper(), lambda result: (Path(folder) / "found.txt").write_text(result) and {})

def with_helper():
    busy = "import time\\nwhile time.process_time() < 0.3: pass"
    return Work(lambda: subprocess.run([sys.executable, "-c", busy]) and None, peak_mb=lambda: 77)

def lost():
    raise OSError("gone: /home/somebody/data/file.csv")

def sum_of_squares():
    total = 0
    for number in range(200_000):
        total += number * number
    return total

def squares(rows):
    return Work(sum_of_squares, rows=rows)

def generated_squares(rows):
    return Work(lambda: sum(number * number for number in range(200_000)), rows=rows)
"""


@pytest.fixture
def common(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("common")


@pytest.fixture
def run(common):
    return importlib.import_module("run")


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
    base = record(common, seconds=0.5)
    assert common.with_ratio(record(common, seconds=4.0), base).ratio == 8
    assert common.with_ratio(record(common), base).ratio is None
    assert common.with_ratio(record(common, seconds=4.0), record(common)).ratio is None


def test_a_base_that_was_stopped_gives_no_ratio(common):
    assert common.with_ratio(record(common, seconds=4.0), record(common, seconds=0.5, at_least=True)).ratio is None


@pytest.mark.parametrize("power", [0.5, 1.0, 2.3])
def test_the_exponent_of_a_power_is_found(power):
    rows = np.array([10, 200, 5_000, 100_000])
    assert stored.exponent(rows, 3e-4 * rows**power) == pytest.approx(power)


def test_one_size_has_no_exponent():
    assert np.isnan(stored.exponent([10, 10], [1, 2]))


def test_a_further_size_is_expected_to_go_on_as_the_last_two(common):
    sizes = [replace(record(common, seconds=s), rows=n) for n, s in ((100, 5.0), (1_000, 1.0), (10_000, 100.0))]
    assert common.expected_seconds(sizes, 100_000) == pytest.approx(10_000)
    assert common.expected_seconds(sizes[:1], 100_000) == 0
    assert common.expected_seconds(sizes[:2], 100_000) == pytest.approx(1.0)  # it does not count on getting faster


@pytest.mark.parametrize(
    ("limits", "qualities", "holds"),
    [
        ({"s": 1e9}, {}, [True]),
        ({"s": 0.0}, {}, [False]),
        ({"MB": 1e6}, {"most": {"loss": 0.5}}, [True, True]),
        ({}, {"most": {"loss": 0.4}, "least": {"classes": 1234}}, [False, True]),
        ({}, {"least": {"loss": 0.6, "nothing": 0}}, [False, False]),
    ],
)
def test_demands(common, jobs, limits, qualities, holds):
    bench = common.Bench(quick=True)
    found = bench.demand("subject", "data", common.Call("anonnb", jobs.quick), **limits, **qualities)
    assert [one.holds for one in found] == holds
    assert all(one.section == "limits" and one.rows == 7 for one in found)


def test_limits_of_what_was_measured_already(common):
    measured = record(common, seconds=3.0, peak_mb=900.0)
    found = common.Bench().demand_of(measured, {"smallest class": 10}, s=2, MB=1024, least={"smallest class": 10})
    assert [(one.section, one.unit, one.holds) for one in found] == [
        ("limits", "s", False),
        ("limits", "MB", True),
        ("limits", "smallest class", True),
    ]


def test_an_estimate_continues_the_line_through_the_sizes(common):
    sizes = [
        replace(record(common, seconds=4 + 2 * millions, peak_mb=300 + 50 * millions), rows=millions * 10**6)
        for millions in (1, 3, 10)
    ]
    found = common.Bench().estimate(sizes, 100_000_000)
    assert (found.section, found.rows) == ("estimates", 100_000_000)
    assert found.seconds == pytest.approx(204)
    assert found.peak_mb == pytest.approx(5300)
    assert found.note == (
        "from 1,000,000, 3,000,000, 10,000,000 rows: 4 s and 2 s per million rows; 300 MB and 50 MB per million rows"
    )
    assert common.Bench().estimate([*sizes[:2], replace(sizes[2], at_least=True)], 100_000_000) is None


def test_a_job_that_starts_processes_counts_them_too(common, jobs):
    (found,) = common.Bench(quick=True).demand("subject", "data", common.Call("anonnb", jobs.with_helper), MB=100)
    assert found.peak_mb == 77
    assert found.cpu_seconds > 0.2


def test_an_unknown_kind_of_limit_is_refused(common, jobs):
    with pytest.raises(TypeError, match="'minutes' is not known"):
        common.Bench().demand("subject", "data", common.Call("anonnb", jobs.quick), minutes=3)


# ---- processes ----


def test_a_comparison_has_quality_rows_and_ratio(common, jobs, capsys):
    bench = common.Bench(quick=True)
    calls = [common.Call("anonnb", jobs.quick), common.Call("numpy, again", jobs.quick, rows=8, value=0.25)]
    ours, theirs = bench.compare("subject", "data", calls)
    assert (ours.rows, ours.quality_name, ours.quality, ours.note) == (7, "loss", 0.5, "classes 1,234")
    assert ours.ratio == 1
    assert theirs.ratio == pytest.approx(theirs.seconds / ours.seconds)
    assert theirs.who == f"numpy {np.__version__}, again"
    assert ours.peak_mb > 1
    assert "subject" in capsys.readouterr().out


def test_what_takes_too_long_is_stopped_with_all_it_started(common, jobs, tmp_path):
    call = common.Call("anonnb", jobs.endless, marker=str(tmp_path / "marker"), limit=0.5)
    (found,) = common.Bench(quick=True).compare("subject", "data", [call])
    assert (found.seconds, found.at_least, found.note) == (0.5, True, "stopped after 0.5 s")
    for number in (tmp_path / "marker").read_text().split():
        assert _is_gone(int(number))


def _is_gone(number: int) -> bool:
    """A killed process may stay for a moment, until somebody collects it."""
    end = time.monotonic() + 180
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
            state = Path(f"/proc/{number}/stat")
            if state.exists() and state.read_text().split()[2] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_a_stopped_peer_gives_a_lower_bound(common, jobs, tmp_path):
    calls = [
        common.Call("anonnb", jobs.quick),
        common.Call("slow", jobs.endless, marker=str(tmp_path / "marker"), limit=0.5),
    ]
    ours, theirs = common.Bench(quick=True).compare("subject", "data", calls)
    assert theirs.at_least
    assert theirs.ratio == pytest.approx(0.5 / ours.seconds)


def test_the_limit_is_for_the_work_and_not_for_judging_it(common, jobs, monkeypatch):
    # The work has plenty of time on any machine; judging, which has the limit and JUDGING, has a fifth of a second.
    monkeypatch.setattr(common, "JUDGING", 0.2 - 300)
    answer = common.answer_of(common.Call("anonnb", jobs.slow_to_judge), 300)
    assert answer["seconds"] < 300
    assert answer["quality"] == {}
    assert "stopped" not in answer


def test_preparing_has_a_limit_of_its_own(common, jobs):
    answer = common.answer_of(common.Call("anonnb", jobs.slow_start), 60, preparing=0.3)
    assert answer == {"error": "stopped after 0.3 s, before its work began"}


@pytest.mark.parametrize(
    ("job", "note"),
    [
        ("broken", "failed: ZeroDivisionError: division by zero"),
        ("foreign", "not installed here (a_library_that_is_not_there is missing)"),
        ("ends", "failed: the process ended without an answer (out of memory?)"),
    ],
)
def test_what_fails_becomes_a_record_with_its_reason(common, jobs, job, note):
    (found,) = common.Bench(quick=True).compare("subject", "data", [common.Call("peer", getattr(jobs, job))])
    assert found.seconds is None
    assert found.note == note


def test_every_run_gets_what_was_prepared_for_it(common, jobs):
    assert common.answer_of(common.Call("anonnb", jobs.fresh), 60, repeats=3)["quality"] == {"runs": 3}


def test_files_go_to_a_job_and_come_back(common, jobs):
    call = common.Call(
        "peer",
        jobs.exchange,
        give=lambda folder: (folder / "given.txt").write_text("text"),
        judge=lambda folder: {"length": len((folder / "found.txt").read_text())},
    )
    (found,) = common.Bench(quick=True).compare("subject", "data", [call])
    assert (found.quality_name, found.quality) == ("length", 4)


def test_a_result_that_cannot_be_judged_is_told(common, jobs):
    def judge(folder):
        raise KeyError("no such column")

    (found,) = common.Bench(quick=True).compare("subject", "data", [common.Call("peer", jobs.quick, judge=judge)])
    assert found.note == "ran, but its result cannot be judged: KeyError: 'no such column'"
    assert found.seconds is None


def test_an_error_is_told_without_folders(common, jobs):
    (found,) = common.Bench(quick=True).compare("subject", "data", [common.Call("peer", jobs.lost)])
    assert found.note == "failed: OSError: gone: file.csv"


def test_a_series_ends_where_the_next_size_would_take_too_long(common, jobs, monkeypatch):
    monkeypatch.setattr(common, "expected_seconds", lambda done, rows: 99.0 if rows > 2 else 0.0)
    bench = common.Bench(limit=30, sizes=(1, 2, 3, 4))
    found = bench.scale("subject", "data", jobs.squares)
    assert [one.rows for one in found] == [1, 2]
    assert [one.rows for one in bench.records] == [1, 2, 3]
    assert bench.records[-1].note == "left out: about 99 s expected, the limit is 30 s"


def test_a_profile_names_functions_without_paths(common, jobs):
    found = common.Bench(quick=True).profile("subject", "data", common.Call("anonnb", jobs.squares, rows=3))
    assert found[0].who == "jobs_of_a_test.sum_of_squares"
    assert sum(one.quality for one in found) == pytest.approx(1, abs=0.1)
    assert not any("/" in one.who for one in found)


def test_a_profile_counts_a_generator_and_who_asks_it_apart(common, jobs):
    """Each gets about half of the time, so nothing is said about which of the two comes first."""
    call = common.Call("anonnb", jobs.generated_squares, rows=3)
    found = common.Bench(quick=True).profile("subject", "data", call)
    assert {one.who for one in found[:2]} == {"jobs_of_a_test.<genexpr>", "builtins.sum"}


# ---- files ----


@pytest.fixture
def fake(run, monkeypatch):
    """Scripts that measure nothing, so that a whole run takes no time; ``b`` can be told to fail."""
    from types import SimpleNamespace

    state = SimpleNamespace(value=1.0, fail=False)

    def measured(name, bench):
        bench.add(replace(record(importlib.import_module("common"), seconds=state.value), subject=name))
        return not (state.fail and name == "b")

    monkeypatch.setattr(run, "scripts", lambda: ["a", "b"])
    monkeypatch.setattr(run, "measured", measured)
    monkeypatch.setattr(run, "prepare_run", lambda: None)
    return state


def test_a_run_writes_the_table_and_the_machine(run, fake, tmp_path):
    assert run.main(["--output", str(tmp_path / "all.csv")]) == 0
    frame = stored.results(tmp_path / "all.csv")
    assert frame["script"].tolist() == ["a", "b"]
    machine = stored.machine(tmp_path / "all.csv").set_index("what")["value"]
    assert machine["cores"] == str(os.cpu_count())
    assert machine["numpy"] == np.__version__
    assert not machine.str.contains(os.uname().nodename, regex=False).any()
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_some_scripts_replace_their_own_lines_only(run, fake, tmp_path):
    run.main(["--output", str(tmp_path / "all.csv")])
    fake.value = 2.0
    assert run.main(["--only", "b", "--output", str(tmp_path / "all.csv")]) == 0
    assert stored.results(tmp_path / "all.csv").set_index("script")["seconds"].to_dict() == {"a": 1.0, "b": 2.0}


def test_lines_of_another_machine_are_not_mixed(run, fake, tmp_path):
    run.main(["--output", str(tmp_path / "all.csv")])
    before = (tmp_path / "all.csv").read_bytes()
    described = (tmp_path / "all_machine.csv").read_text().replace(f"cores,{os.cpu_count()}", "cores,999")
    (tmp_path / "all_machine.csv").write_text(described)
    assert run.main(["--only", "b", "--output", str(tmp_path / "all.csv")]) == 2
    assert (tmp_path / "all.csv").read_bytes() == before


def test_a_failed_script_is_told_by_the_exit_code(run, fake, tmp_path):
    fake.fail = True
    assert run.main(["--output", str(tmp_path / "all.csv")]) == 1
    assert len(stored.results(tmp_path / "all.csv")) == 2


def test_a_broken_promise_fails_a_run_and_is_named(run, fake, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run.benchmarks, "broken_promises", lambda frame: ["method M grows like rows^3"], raising=False)
    assert run.main(["--output", str(tmp_path / "all.csv")]) == 1
    assert "PROMISE BROKEN: method M grows like rows^3" in capsys.readouterr().err
    assert len(stored.results(tmp_path / "all.csv")) == 2


def test_what_a_script_found_is_written_before_the_next_one_runs(run, fake, tmp_path, monkeypatch):
    """A run that is killed in its second script has the lines of the first, and the old ones of the second."""
    run.main(["--output", str(tmp_path / "all.csv")])
    first = run.measured

    def killed(name, bench):
        if name == "b":
            raise KeyboardInterrupt
        return first(name, bench)

    fake.value = 2.0
    monkeypatch.setattr(run, "measured", killed)
    with pytest.raises(KeyboardInterrupt):
        run.main(["--output", str(tmp_path / "all.csv")])
    assert stored.results(tmp_path / "all.csv").set_index("script")["seconds"].to_dict() == {"a": 2.0, "b": 1.0}


def test_when_the_time_of_a_run_is_over_the_rest_says_so(common, jobs):
    bench = common.Bench(quick=True, end=time.monotonic() - 1)
    (found,) = bench.compare("subject", "data", [common.Call("anonnb", jobs.quick)])
    assert (found.seconds, found.note) == (None, common.LEFT_OUT)


def test_what_the_end_of_a_run_stops_says_nothing_about_its_time(common, jobs, tmp_path):
    call = common.Call("anonnb", jobs.endless, marker=str(tmp_path / "marker"), limit=60)
    (found,) = common.Bench(quick=True, end=time.monotonic() + 0.5).compare("subject", "data", [call])
    assert (found.seconds, found.note) == (None, common.LEFT_OUT)


def test_an_unknown_script_is_named(run, fake, capsys):
    assert run.main(["--only", "z"]) == 2
    assert "no benchmark 'z'; choose from a, b" in capsys.readouterr().err


def test_an_interrupted_write_leaves_the_old_table(common, tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    common.write_frame(pd.DataFrame({"a": [1]}), path)
    monkeypatch.setattr(pd.DataFrame, "to_csv", lambda self, file, **_: (file.write("half"), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        common.write_frame(pd.DataFrame({"a": [2]}), path)
    assert path.read_text() == "a\n1\n"
    assert list(tmp_path.iterdir()) == [path]


def test_scripts_that_measure_are_found(run, tmp_path):
    (tmp_path / "bench_a.py").write_text("import os\n\n\ndef measure(bench):\n    pass\n")
    (tmp_path / "bench_b.py").write_text("print('by hand only')\n")
    (tmp_path / "other.py").write_text("\ndef measure(bench):\n    pass\n")
    assert run.scripts(tmp_path) == ["a"]


def test_every_script_can_be_imported_and_says_what_it_measures(run):
    names = run.scripts()
    assert {"mondrian", "privacy", "lattice", "rules"} <= set(names)
    for name in names:
        module = importlib.import_module(f"bench_{name}")
        assert callable(module.measure), name
        assert module.__doc__, name


# ---- tables that grow ----


def test_a_grown_table_keeps_the_distribution_and_adds_combinations(common):
    import anonnb

    grown, table = importlib.import_module("tables").grown, anonnb.load("adult")
    large = grown(table, 30_000, seed=1)
    assert large.frame.equals(grown(table, 30_000, seed=1).frame)
    seen = set(map(tuple, table.frame[table.quasi].to_numpy().tolist()))
    new = [row not in seen for row in map(tuple, large.frame[table.quasi].to_numpy().tolist())]
    assert np.mean(new) > 0.2
    for name in ("sex", "education", "income"):
        shares = [each.frame[name].value_counts(normalize=True) for each in (table, large)]
        assert (shares[0] - shares[1]).abs().max() < 0.02
    rates = [(each.frame["income"] == ">50K").groupby(each.frame["education"]).mean() for each in (table, large)]
    assert np.corrcoef(*rates)[0, 1] > 0.98


def test_numbers_without_a_list_of_values_get_new_ones(common):
    import anonnb

    large = importlib.import_module("tables").grown(anonnb.load("census"), 3_000)
    assert large.attributes["AGI"].size > 1_500


# ---- environments of peers ----


@pytest.fixture
def environment(common):
    return importlib.import_module("peers.environment")


def test_a_failed_installation_is_remembered_with_its_reason(environment, tmp_path, monkeypatch):
    tried = []

    def fails(command, more=None):
        tried.append(command)
        raise RuntimeError("pip failed with 1")

    monkeypatch.setattr(environment, "_run", fails)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="does not install here: pip failed with 1"):
            environment.python_of("anjana", tmp_path)
    assert len(tried) == 1


def test_an_environment_is_made_once(environment, tmp_path, monkeypatch):
    tried = []
    monkeypatch.setattr(environment, "_run", lambda command, more=None: tried.append(command))
    (tmp_path / "anjana").mkdir()  # in place of what venv makes
    monkeypatch.setattr(environment.shutil, "rmtree", lambda *_, **__: None)
    first, second = (environment.python_of("anjana", tmp_path) for _ in range(2))
    assert first == second
    assert len(tried) == 2  # venv and pip, the first time


def test_a_missing_peer_becomes_a_record(common, environment, jobs, monkeypatch):
    def none(name):
        raise RuntimeError("does not install here: no compiler")

    monkeypatch.setattr(environment, "python_of", none)
    (found,) = common.Bench(quick=True).compare("subject", "data", [common.Call("x", jobs.quick, peer="anjana")])
    assert found.note == "does not install here: no compiler"
