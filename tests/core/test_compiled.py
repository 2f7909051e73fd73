"""Compiled loops work wherever Python does: without a place for a cache, with a broken one, and several at once."""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from numba.core.registry import CPUDispatcher

import anonnb
from anonnb.core import compiled

DATA = Path(__file__).parent / "data"

NOBODY = 65534
PACKAGE = Path(anonnb.__file__).parent
WORK = """
import anonnb
from anonnb.core import compiled
from anonnb.methods import OKA, Mondrian
table = anonnb.load("survey")
print(len(OKA(k=4).anonymize(table)), len(Mondrian(k=4, cut="loss").anonymize(table)))
"""
RESULTS = (DATA / "results.py.txt").read_text(encoding="utf-8")
OF_A_KIND = """
import numpy as np
from anonnb.methods.microaggregation._distances import farthest
print(farthest(np.array([1, 2, 7, 4], dtype={}), np.ones(4, dtype=bool)), farthest._cache.cache_path)
"""
FARTHEST = OF_A_KIND.format("float")


def as_nobody(code, folder, **variables):
    """Run Python as a user without privileges on a copy of the package that cannot be written."""
    if os.name != "posix" or os.getuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can become a user who may write nowhere")
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    settings = {"PATH": os.environ["PATH"], "PYTHONPATH": os.fspath(folder), "HOME": "/nonexistent"} | variables
    command = [*user, sys.executable, "-c", code]
    if subprocess.run([*command[:-1], "import pandas, numba"], env=settings, cwd="/", capture_output=True).returncode:
        pytest.skip("the user without privileges cannot read the installed packages")
    return subprocess.run(command, env=settings, cwd="/", capture_output=True, text=True, timeout=300)


@pytest.fixture
def copied():
    """A copy of the package that all can read and nobody but root can write, without caches."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(PACKAGE, Path(folder) / "anonnb", ignore=shutil.ignore_patterns("__pycache__"))
        (Path(folder) / "data").symlink_to(PACKAGE.parent / "data")
        subprocess.run(["chmod", "-R", "a+rX,go-w", folder], check=True)
        yield Path(folder)


@pytest.fixture
def temporary():
    """A temporary folder for everybody."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o1777)
        yield Path(folder)


@pytest.mark.slow
def test_where_neither_package_nor_home_can_be_written_a_temporary_cache_is_used(copied, temporary):
    done = as_nobody(WORK, copied, TMPDIR=os.fspath(temporary))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["66", "66"]
    (cache,) = temporary.glob("anonnb-compiled-*")
    assert cache.stat().st_mode & 0o777 == 0o700
    assert list(cache.rglob("*.nbc"))


@pytest.mark.slow
def test_a_cache_that_somebody_else_made_is_not_taken(copied, temporary):
    planted = temporary / f"anonnb-compiled-{NOBODY}"
    planted.mkdir()
    planted.chmod(0o777)
    done = as_nobody(FARTHEST, copied, TMPDIR=os.fspath(temporary))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "None"]
    assert not list(planted.iterdir())


@pytest.mark.slow
def test_no_place_at_all_costs_only_the_compilation(copied, temporary):
    temporary.chmod(0o755)
    spoilt = "import tempfile; tempfile.tempdir = '/nonexistent'"  # Python itself refuses to start work without one
    done = as_nobody(spoilt + FARTHEST, copied, TMPDIR=os.fspath(temporary))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "None"]


def run_here(code, **variables):
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_broken_cache_is_made_anew(tmp_path):
    variables = {"NUMBA_CACHE_DIR": os.fspath(tmp_path), "PYTHONPATH": os.fspath(PACKAGE.parent)}
    for spoil in (lambda path: path.write_bytes(b"no pickle"), lambda path: path.write_bytes(b"")):
        out, problem = run_here(FARTHEST, **variables).communicate()
        assert out.startswith("2 "), problem
        for path in tmp_path.rglob("*.nb[ic]"):
            spoil(path)
    out, problem = run_here(FARTHEST, **variables).communicate()
    assert out.startswith("2 "), problem
    assert all(path.stat().st_size > 100 for path in tmp_path.rglob("*.nb[ic]"))


@pytest.mark.slow
def test_processes_that_compile_at_once_give_each_signature_a_file_of_its_own(tmp_path):
    variables = {"NUMBA_CACHE_DIR": os.fspath(tmp_path), "PYTHONPATH": os.fspath(PACKAGE.parent)}
    kinds = ("float", "int", "'int32'")
    processes = [run_here(OF_A_KIND.format(kind), **variables) for kind in kinds]
    for process in processes:
        out, problem = process.communicate()
        assert out.startswith("2 "), problem
    assert len(list(tmp_path.rglob("*farthest*.nbc"))) == len(kinds)


def test_every_compiled_loop_is_declared_in_one_way():
    direct = re.compile(r"from numba|import numba|numba\.n?jit")
    users = {path.name for path in PACKAGE.rglob("*.py") if direct.search(path.read_text(encoding="utf-8"))}
    assert users == {"compiled.py", "_numba_parts.py"}


# ---- numba's inner parts are behind a door --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "known"),
    [("0.60.9", False), ("0.61.0", True), ("0.68.1", True), ("0.69.0rc1", False), ("1.0", False), ("unknown", False)],
)
def test_inner_parts_are_used_with_versions_that_were_tested(monkeypatch, version, known):
    monkeypatch.setattr(compiled.numba, "__version__", version)
    assert (compiled._known_parts() is not None) == known


def test_this_numba_was_tested():
    assert compiled._parts is not None


def test_plain_loops_are_made_where_a_part_is_missing():
    missing = "import numba.core.codegen; del numba.core.codegen.JITCodeLibrary\n"
    out, problem = run_here(
        missing + FARTHEST + "from anonnb.core import compiled; print(compiled._parts)"
    ).communicate()
    assert out.split() == ["2", "None", "None"], problem  # neither a cache nor the parts


@pytest.mark.thorough
def test_plain_loops_give_the_same_results():
    """All that is compiled here fits into plain ``njit``, too."""
    out, problem = run_here("import numba; numba.__version__ = '99.0'\n" + RESULTS).communicate()
    known = run_here(RESULTS).communicate()[0]
    assert out.splitlines()[0] == "None", problem
    assert out.splitlines()[1:] == known.splitlines()[1:]


@pytest.mark.slow
def test_a_cached_loop_is_compiled_again_when_a_loop_or_a_constant_of_another_file_changes(tmp_path):
    texts = {
        "constants.py": "STEP = 1\n",
        "steps.py": "from anonnb.core.compiled import inner\nfrom constants import STEP\n\n"
        "@inner\ndef further(number):\n    return number + STEP\n",
        "walk.py": "from anonnb.core.compiled import compiled\nfrom steps import further\n\n"
        "@compiled\ndef walked(number):\n    return further(number)\n\n"
        "print(walked(1), sum(walked.stats.cache_hits.values()))\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    variables = {"PYTHONPATH": f"{PACKAGE.parent}{os.pathsep}{tmp_path}", "NUMBA_CACHE_DIR": os.fspath(tmp_path / "c")}

    def walk():
        out, problem = run_here("import walk", **variables).communicate()
        assert not problem
        return out.split()

    assert [walk(), walk()] == [["2", "0"], ["2", "1"]]
    (tmp_path / "constants.py").write_text("STEP = 10\n", encoding="utf-8")
    assert walk() == ["11", "0"]
    (tmp_path / "steps.py").write_text(texts["steps.py"].replace("+", "-"), encoding="utf-8")
    assert walk() == ["-9", "0"]


def test_compiled_loops_read_nothing_whose_change_would_go_unnoticed():
    for path in sorted(PACKAGE.rglob("_*.py")):
        if "core.compiled import" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(("anonnb", *path.relative_to(PACKAGE).with_suffix("").parts)))
    loops = {
        loop for module in filter(None, [*sys.modules.values()]) for loop in vars(module).values() if is_ours(loop)
    }
    assert len(loops) > 100
    plain = (int, float, tuple, np.generic, type(np.uint64), type(len), type(np))
    for loop in loops:
        code, names = loop.py_func.__code__, loop.py_func.__globals__
        read = {name: names[name] for name in code.co_names if name in names}
        strange = {name for name, value in read.items() if not is_ours(value) and not isinstance(value, plain)}
        assert not strange, (loop.py_func, strange)
        assert all(value is np for value in read.values() if isinstance(value, type(np)))


def is_ours(thing):
    return isinstance(thing, CPUDispatcher) and thing.py_func.__module__.startswith("anonnb.")
