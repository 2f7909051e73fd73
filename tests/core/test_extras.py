"""``pip install anonnb`` is enough for the algorithms; a room that needs more says so in one sentence."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import anonnb

PACKAGE = Path(anonnb.__file__).parent
PROJECT = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The room, what hides behind it, and a statement that comes to it.
ROOMS = [
    ("plots", "plots", "matplotlib", "from anonnb.plots import boxes"),
    ("plots", "plots", "matplotlib", "from anonnb.plots.style import axes"),
    ("widgets", "lab", "ipywidgets", "from anonnb.widgets import explore"),
    ("reports", "reports", "papermill", "from anonnb import reports; reports.run"),
    ("coursework", "coursework", "psutil", "import anonnb.coursework.limits"),
    ("cluster", "cluster", "dask", "import anonnb.cluster"),
    ("methods.private", "private", "opendp", "import anonnb.methods.private._accounting"),
]


@cache
def distributions() -> dict[str, list[str]]:
    """Reads the files of every installed package: once is enough."""
    return packages_distributions()


def run(program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def hidden(*libraries: str) -> str:
    return f"import sys\nsys.modules.update(dict.fromkeys({libraries!r}))\n"


@pytest.mark.parametrize(("room", "extra", "library", "statement"), ROOMS)
def test_a_room_names_the_library_and_the_command(room, extra, library, statement):
    last = run(hidden(library) + statement).stderr.splitlines()[-1]
    sentence = f'anonnb.{room} needs {library}, which is not installed: pip install "anonnb[{extra}]"'
    assert last == f"anonnb.core.extras.MissingExtra: {sentence}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "what", "library", "extra"),
    [
        (["lab"], "anonnb lab", "jupyterlab", "lab"),
        (["report"], "anonnb.reports", "nbconvert", "reports"),
        (["list", "notebooks"], "anonnb.reports", "papermill", "reports"),
        (["coursework", "list"], "anonnb.coursework", "psutil", "coursework"),
        (["audit", "a.parquet", "--quasi", "a"], "reading Parquet", "pyarrow", "parquet"),
    ],
)
def test_a_command_says_it_in_one_line(tmp_path, arguments, what, library, extra):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    program = f"import os\nos.chdir({str(tmp_path)!r})\nfrom anonnb.cli import main\nmain({arguments!r})"
    done = run(hidden(library) + program)
    sentence = f'{what} needs {library}, which is not installed: pip install "anonnb[{extra}]"'
    assert (done.returncode, done.stderr) == (2, f"anonnb: {sentence}\n")


@pytest.mark.slow
def test_publishing_parquet_says_it_before_anything_is_written(tmp_path):
    program = f"""
import anonnb
from anonnb.methods import Mondrian
Mondrian(k=2).anonymize(anonnb.load("survey")).publish({str(tmp_path / "a.parquet")!r})
"""
    assert 'pip install "anonnb[parquet]"' in run(hidden("pyarrow") + program).stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_algorithms_and_their_commands_do_without_any_extra(tmp_path):
    """A method, an attack, a measure, the list of all, and a command, with every library of every extra hidden."""
    program = f"""
import anonnb
from anonnb import attacks, methods, privacy, utility
from anonnb.cli import main
table = anonnb.load("survey")
release = methods.Mondrian(k=2).anonymize(table)
attacks.HomogeneityAttack().run(release, table)
privacy.report(release), utility.report(table, release), methods.all(), attacks.all()
release._repr_html_()
release.publish({str(tmp_path / "a.csv")!r})
main(["list"])
"""
    done = run(hidden(*sorted(libraries_of_extras())) + program)
    assert done.returncode == 0, done.stderr
    assert 'needs IPython, which is not installed: pip install "anonnb[reports]"' in done.stdout
    assert (tmp_path / "a.csv").stat().st_size > 0


# ---- what is imported is declared ----------------------------------------------------------------------------------


def distribution(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*extras: str) -> set[str]:
    """The distributions that these extras install, and the core's; extras that name extras are followed."""
    found, waiting = set(), [*PROJECT["dependencies"], *(f"anonnb[{extra}]" for extra in extras)]
    while waiting:
        name, names = re.match(r"([\w.-]+)(?:\[([\w,]+)\])?", waiting.pop()).groups()
        if name == "anonnb":
            waiting += [item for extra in names.split(",") for item in PROJECT["optional-dependencies"][extra]]
        else:
            found |= {distribution(name), *(distribution(part) for part in (names or "").split(","))}
    return found


def libraries_of_extras() -> set[str]:
    """The names under which what ``all`` adds to the core is imported."""
    added = declared("all") - declared()
    found = distributions().items()
    return {module for module, owners in found if {distribution(owner) for owner in owners} & added}


def imported(room: Path) -> set[str]:
    """The third-party libraries that the sources of a room import, lazily or not."""
    nodes = [node for path in room.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - {"anonnb"}


def asked_for(room: Path) -> tuple[set[str], set[str]]:
    """The extras and the libraries that the modules of a room ask for with ``needs``."""
    nodes = [node for path in room.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "needs"]
    words = {word.value for call in calls for word in ast.walk(call) if isinstance(word, ast.Constant)}
    return {call.args[1].value for call in calls}, words


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")))
def test_a_room_imports_only_what_the_core_or_its_extra_declares(room):
    extras, asked = asked_for(PACKAGE / room)
    owners = distributions()
    foreign = imported(PACKAGE / room)
    allowed = declared(*extras)
    assert [name for name in foreign if not {distribution(owner) for owner in owners.get(name, [])} & allowed] == []
    core = {name for name in foreign if {distribution(owner) for owner in owners.get(name, [])} & declared()}
    assert foreign - core <= asked
