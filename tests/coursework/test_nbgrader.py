"""nbgrader, in an environment of its own, generates, autogrades and gives feedback for our assignments.

`make test` takes one of them, `make thorough` all.

The environment is made once, under ``.venv-peers``, and sees the packages of this one. Where nbgrader cannot be
installed the tests are skipped, and say why.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest
from filelock import FileLock

from anonnb.coursework.releasing import assignments, source_folder

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".venv-peers" / "nbgrader"
PINNED = "nbgrader==0.9.6"
EXAMPLE = "04"  # values, functions, and files beside the notebook
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not source_folder().is_dir(), reason="there are no sources here")]
each = pytest.mark.parametrize(
    "assignment",
    [
        pytest.param(one, id=one.name, marks=() if one.name.startswith(EXAMPLE) else pytest.mark.thorough)
        for one in (assignments() if source_folder().is_dir() else [])
    ],
)


@pytest.fixture(scope="module")
def python():
    """The interpreter of an environment that has nbgrader besides what we have."""
    interpreter, ready = HOME / "bin" / "python", HOME / "ready.txt"
    if os.name == "nt":
        pytest.skip("the environment is made as on POSIX systems")
    HOME.parent.mkdir(exist_ok=True)
    with FileLock(HOME.with_suffix(".lock")):  # another worker may be at it
        if not ready.exists() or ready.read_text() != PINNED:
            shutil.rmtree(HOME, ignore_errors=True)
            run([sys.executable, "-m", "venv", HOME], "make an environment")
            (own,) = HOME.glob("lib/python3*/site-packages")
            outer = sysconfig.get_path("purelib")  # with what its own .pth files name
            (own / "outer.pth").write_text(f"import site; site.addsitedir({outer!r})\n")
            run([interpreter, "-m", "pip", "install", "-q", PINNED], "install nbgrader")
            ready.write_text(PINNED)
    return interpreter


def run(command, what):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=900)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        pytest.skip(f"cannot {what} here: {last[:200]}")


@pytest.fixture(scope="module")
def graded(request, python, tmp_path_factory):
    """What nbgrader made of the assignments that are asked for, by name, and the course folder."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(source_folder(), course / "source")
    variables = os.environ | {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(course),
        "JUPYTER_PATH": str(Path(sys.prefix, "share", "jupyter")),  # the templates of nbconvert
        "ANONNB_BATCH": "1",
    }
    asked = [item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    names = sorted({item.callspec.params["assignment"].name for item in asked})
    script = Path(__file__).with_name("nbgrader_course.py")
    done = subprocess.run(
        [python, script, course, *names], cwd=course, env=variables, capture_output=True, text=True, timeout=3600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["name"]: line for line in lines}, course


@each
def test_nbgrader_generates_autogrades_and_gives_feedback(graded, assignment):
    result = graded[0][assignment.name]
    assert {step: said for step, said in result["steps"].items() if said} == {}
    most = pytest.approx(assignment.auto_points)
    assert (result["solved"]["code_score"], result["solved"]["max_code_score"]) == (most, most)
    assert result["untouched"]["code_score"] == 0
    assert result["solved"]["max_score"] == pytest.approx(assignment.auto_points + assignment.manual_points)
    assert result["solved"]["page"]
    assert result["untouched"]["page"]


@each
def test_nbgrader_hands_out_the_same_cells_as_we_do(graded, assignment):
    _, course = graded
    theirs = nbformat.read(course / "release" / assignment.name / f"{assignment.name}.ipynb", as_version=4)
    ours = assignment.student_copy()
    assert [cell.source.strip() for cell in theirs.cells] == [cell.source.strip() for cell in ours.cells]
