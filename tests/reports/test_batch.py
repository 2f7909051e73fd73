import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from anonnb import reports
from anonnb.reports import batch as batch_module
from anonnb.reports import worker
from anonnb.reports.batch import BatchRunningError, _only_batch_in
from anonnb.reports.page import loads_from_outside
from anonnb.reports.plan import PlanError
from tests.reports.conftest import HOSTILE

FIGURE = "import matplotlib.pyplot as plt\nplt.bar(range(K), range(K))\nplt.title(TEXT)\nplt.show()"
FACTS = "import os\nfrom anonnb.reports import record\nrecord('k', K)\nrecord('batch', os.environ['ANONNB_BATCH'])"
QUICKLY = "from anonnb.core.lazy import leave_out_slow_grammar; leave_out_slow_grammar()\nimport sys\n"
PROGRAM = f"{QUICKLY}from anonnb import reports; reports.run(sys.argv[2:], out=sys.argv[1], jobs=1, progress=False)"
TABLE = "import pandas as pd\npd.DataFrame({'a': [TEXT]})"


@pytest.fixture(scope="module")
def batch(tmp_path_factory, make_notebook):
    """One batch with all that can happen: a good notebook, one that fails, one that hangs, one whose kernel dies."""
    folder = tmp_path_factory.mktemp("batch")
    parameters = "K = 3\nTEXT = 'x'\nINTERACTIVE = True"
    notebooks = [
        make_notebook(
            folder / "1_good.ipynb", "# It works\n\n$x$", parameters, FACTS, FIGURE, TABLE, "print(INTERACTIVE)"
        ),
        make_notebook(folder / "2_bad.ipynb", "# It fails", "K = 3", "x = 1", "x / 0", "print('never')"),
        make_notebook(folder / "3_hang.ipynb", "# It hangs", "", "import time\ntime.sleep(600)"),
        make_notebook(folder / "4_dead.ipynb", "# It dies", "", "import os\nos._exit(9)"),
    ]
    given = {"K": 5, "TEXT": HOSTILE}
    # Only the one that hangs has little time: on a busy machine the others take as long as they need.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_module, "_job", _hurried)
        return reports.run(notebooks, parameters=given, out=folder / "out", jobs=2, timeout=600, progress=False)


JOB, HURRY = batch_module._job, 5  # seconds, which count from the first cell


def _hurried(*arguments):
    made = JOB(*arguments)
    return replace(made, timeout=HURRY) if made.name == "3_hang" else made


@pytest.mark.slow
class TestBatch:
    def test_failures_are_collected_while_the_others_go_on(self, batch):
        assert [result.status for result in batch.results] == ["ok", "failed", "timeout", "failed"]
        assert not batch.ok
        _, bad, hang, dead = batch.results
        # Cells are counted as in the notebook that people see, without papermill's own.
        assert bad.cell == 4
        assert bad.error.endswith("ZeroDivisionError: division by zero")
        assert hang.cell == 2
        assert f"{HURRY} seconds" in hang.error
        assert "kernel died" in dead.error

    def test_parameters_arrive(self, batch):
        assert batch.results[0].parameters == {"INTERACTIVE": False, "K": 5, "TEXT": HOSTILE}
        assert batch.results[0].records == {"k": 5, "batch": "1"}

    def test_reports_are_self_contained_and_harmless(self, batch):
        pages = sorted(batch.out.glob("*.html"))
        assert [page.stem for page in pages] == ["1_good", "2_bad", "3_hang", "4_dead", "index"]
        for page in pages:
            text = page.read_text()
            assert loads_from_outside(text) == []
            assert text.count("<script") == 1  # ours
        good = pages[0].read_text()
        assert "<math" in good
        assert good.index('<details class="code">') < good.index("plt.bar")
        assert "False" in good

    def test_the_index_has_a_thumbnail_and_the_results_are_kept(self, batch):
        assert 'src="data:image/png;base64,' in (batch.out / "index.html").read_text()
        kept = json.loads((batch.out / "results.json").read_text())
        assert kept[0]["records"]["k"] == 5
        assert set(kept[0]["versions"]) == {"Python", "anonnb", "numpy", "pandas"}

    def test_nothing_is_left_behind(self, batch):
        assert not (batch.out / ".lock").exists()
        assert [path.name for path in batch.out.parent.iterdir() if path.suffix != ".ipynb"] == ["out"]
        assert [path.name for path in (batch.out / "runs").iterdir() if path.name.startswith(".")] == []
        assert [
            child for child in psutil.Process().children(recursive=True) if "ipykernel" in str(child.cmdline())
        ] == []


@pytest.fixture
def without_processes(monkeypatch):
    """Workers and kernels are this process: for what a batch decides to run. A killed batch has real ones."""

    def execute(notebook, folder, **_):
        names = {}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                exec(cell.source, names)

    def work(job, running):
        worker.work(job)
        return "", 0

    monkeypatch.setattr(worker, "execute", execute)
    monkeypatch.setattr(batch_module, "_work", work)
    # Somebody may be editing the package while the tests run.
    monkeypatch.setattr(batch_module, "_package_fingerprint", lambda: "package")


@pytest.mark.slow
@pytest.mark.usefixtures("without_processes")
def test_what_is_finished_is_not_run_again_unless_something_changed(tmp_path, make_notebook, monkeypatch):
    log = tmp_path / "log.txt"
    append = f"open({os.fspath(log)!r}, 'a').write(str(K))"
    path = make_notebook(tmp_path / "a.ipynb", "# A", "K = 1", append)

    def run(**options):
        result = reports.run([path], out=tmp_path / "out", progress=False, **options).results[0]
        return result.reused, log.read_text()

    assert run() == (False, "1")
    assert run() == (True, "1")
    assert run(parameters={"K": 2}) == (False, "12")
    make_notebook(path, "# A", "K = 1", append, "'changed'")
    assert run(parameters={"K": 2}) == (False, "122")
    monkeypatch.setattr("anonnb.reports.batch._package_fingerprint", lambda: "changed package")
    assert run(parameters={"K": 2}) == (False, "1222")
    assert run(parameters={"K": 2}, resume=False) == (False, "12222")
    (tmp_path / "out" / "a.html").unlink()
    assert run(parameters={"K": 2}) == (False, "122222")


@pytest.mark.slow
@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize("damaged", ["a.html", "runs/a.ipynb"])
@pytest.mark.parametrize("damage", [lambda raw: b"", lambda raw: raw[:-9], lambda raw: raw.replace(b"A", b"B")])
def test_a_damaged_file_is_made_again(tmp_path, make_notebook, damaged, damage):
    path = make_notebook(tmp_path / "a.ipynb", "# A", "K = 1")

    def run():
        return reports.run([path], out=tmp_path / "out", progress=False).results[0].reused

    file = tmp_path / "out" / damaged
    assert not run()
    whole = file.read_bytes()
    assert run()
    file.write_bytes(damage(whole))
    assert not run()
    assert (len(file.read_bytes()), run()) == (len(whole), True)


def test_a_changed_table_under_the_same_name_is_noticed(tmp_path, make_notebook):
    from anonnb.reports.batch import _job
    from anonnb.reports.runs import make_runs

    path = make_notebook(tmp_path / "notebooks" / "a.ipynb", "# A", "DATA = ''\nK = 2")
    data = tmp_path / "people.csv"

    def fingerprint(content, value):
        data.write_text(content)
        runs = make_runs([path], {"DATA": value})
        return _job(runs[0], runs, tmp_path, 10, "package").fingerprint

    # A relative path counts from the notebook's folder, where the notebook runs.
    for value in (os.fspath(data), "../people.csv", ["../people.csv", 5], {"table": "../people.csv"}):
        assert fingerprint("age\n5\n", value) == fingerprint("age\n5\n", value) != fingerprint("age\n6\n", value)


@pytest.mark.slow
@pytest.mark.usefixtures("without_processes")
def test_links_follow_what_is_in_the_batch_and_nothing_runs_again_for_them(tmp_path, make_notebook):
    first = make_notebook(tmp_path / "1_a.ipynb", "# A\n\n[next](2_b.ipynb#idea)", "")
    second = make_notebook(tmp_path / "2_b.ipynb", "# B", "K = 1")

    def run(*notebooks):
        batch = reports.run([first, *notebooks], out=tmp_path / "out", progress=False)
        return batch.results[0].reused, re.findall(r'href="(2_b[^"]*)"', (tmp_path / "out" / "1_a.html").read_text())

    assert run() == (False, [])
    assert run(second) == (True, ["2_b.html#idea"])
    assert run({"notebook": second, "matrix": {"K": [1]}}) == (True, ["2_b-comparison.html#idea"])
    assert run() == (True, [])


@pytest.fixture
def own_temporary_folder(monkeypatch):
    """Where the processes that a test starts keep what is temporary; its path is short, as that of a socket must be."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_batch_continues_where_it_stopped(tmp_path, make_notebook, own_temporary_folder):
    log = tmp_path / "log.txt"
    append = f"open({os.fspath(log)!r}, 'a').write('%s')"
    for name in "abc":
        make_notebook(tmp_path / f"{name}.ipynb", f"# {name.upper()}", "", append % name, f"print({name!r})")
    wait = "import time\ntime.sleep(SECONDS)"
    make_notebook(tmp_path / "d.ipynb", "# D", "SECONDS = 600", append % "d", wait, "print('d')")
    notebooks = [tmp_path / f"{name}.ipynb" for name in "abcd"]
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, tmp_path / "out", *notebooks])
    wait_for(lambda: log.exists() and log.read_text() == "abcd")
    descendants = psutil.Process(process.pid).children(recursive=True)
    assert len(descendants) >= 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    # The worker and its kernel must not live on.
    wait_for(lambda: not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in descendants))
    assert (tmp_path / "out" / ".lock").exists()
    assert len(list(own_temporary_folder.glob("kernel.*"))) == 1

    (tmp_path / "out" / "b.html").write_bytes(b"")  # as a full disk may leave it
    batch = reports.run(notebooks, parameters={"SECONDS": 0}, out=tmp_path / "out", jobs=1, progress=False)
    assert [(result.status, result.reused) for result in batch.results] == [
        ("ok", True),
        ("ok", False),
        ("ok", True),
        ("ok", False),
    ]
    assert log.read_text() == "abcdbd"
    assert list(own_temporary_folder.iterdir()) == []
    whole = reports.run(notebooks, parameters={"SECONDS": 0}, out=tmp_path / "whole", jobs=1, progress=False)
    assert [pages_of(tmp_path / "out"), outcomes(batch)] == [pages_of(tmp_path / "whole"), outcomes(whole)]


def pages_of(folder):
    """The reports of a batch, without the time that the runs took and the random names of cells."""
    return {path.name: re.sub(r"[\d.]+ s\b|cell-id=\w+", "", path.read_text()) for path in folder.glob("?.html")}


def outcomes(batch):
    return [(result.name, result.status, result.records, result.fingerprint) for result in batch.results]


def wait_for(condition, seconds=180):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@contextmanager
def batch_in(folder):
    """Another process that holds the lock of a batch in a folder, until it is killed."""
    program = (
        f"{QUICKLY}from pathlib import Path; from anonnb.reports.batch import _only_batch_in\n"
        "with _only_batch_in(Path(sys.argv[1])):\n    print('locked', flush=True)\n    sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, folder]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "locked\n"
        yield process
        process.kill()


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A folder in which another process holds the lock, and that process."""
    folder = tmp_path_factory.mktemp("locked")
    with batch_in(folder) as holder:
        yield folder, holder


@pytest.mark.slow
@pytest.mark.parametrize("content", ["", "0", "no number", "999999999"])
def test_a_lock_that_names_no_process_is_still_a_lock_and_names_none(locked, content):
    folder, holder = locked
    (folder / ".lock").write_text(content)
    with pytest.raises(BatchRunningError) as caught, _only_batch_in(folder):
        pass
    (folder / ".lock").write_text(f"{holder.pid}\n")
    assert str(caught.value).startswith("another batch is writing to ")


@pytest.mark.parametrize("content", ["", "1", "no number"])
def test_a_file_that_nobody_locks_is_no_lock_whatever_it_says(tmp_path, content):
    (tmp_path / ".lock").write_text(content)
    with _only_batch_in(tmp_path):
        assert (tmp_path / ".lock").read_text() == f"{os.getpid()}\n"
    assert not (tmp_path / ".lock").exists()


@pytest.mark.slow
def test_two_batches_at_once_share_nothing_but_the_notebooks(tmp_path, make_notebook):
    """Into one folder: the second is told to wait, and the first is unharmed. Into another: both run."""
    go, log = tmp_path / "go", tmp_path / "log.txt"
    start = f"import os, time\nopen({os.fspath(log)!r}, 'a').write('x')"
    path = make_notebook(
        tmp_path / "a.ipynb", "# A", "", start, f"while not os.path.exists({os.fspath(go)!r}):\n    time.sleep(0.05)"
    )
    command = [sys.executable, "-c", PROGRAM]
    first = subprocess.Popen([*command, tmp_path / "one", path])
    wait_for(log.exists)
    second = subprocess.run([*command, tmp_path / "one", path], capture_output=True, text=True)
    assert second.returncode == 1
    assert f"another batch (process {first.pid}) is writing to {tmp_path / 'one'}" in second.stderr
    third = subprocess.Popen([*command, tmp_path / "two", path])
    wait_for(lambda: log.read_text() == "xx")
    go.touch()
    assert (first.wait(180), third.wait(180)) == (0, 0)
    for folder in ("one", "two"):
        assert sorted(file.name for file in (tmp_path / folder).glob("*.*")) == ["a.html", "index.html", "results.json"]
    assert log.read_text() == "xx"


@pytest.mark.parametrize(("option", "value"), [("timeout", 0), ("timeout", -1), ("jobs", 0)])
def test_bad_options_are_refused(tmp_path, make_notebook, option, value):
    path = make_notebook(tmp_path / "a.ipynb", "# A", "")
    with pytest.raises(PlanError, match=option):
        reports.run([path], out=tmp_path / "out", progress=False, **{option: value})
