"""Methods and attacks of installed packages appear everywhere, as new files in our folders do; nothing else is edited.

A real little package is built and installed by pip into a temporary folder, without the net: it brings its own build
backend of a few lines. Everything is looked at from a fresh process.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import anonnb

DATA = Path(__file__).parent / "data"

METHOD = (DATA / "method.py.txt").read_text(encoding="utf-8")

ATTACK = (DATA / "attack.py.txt").read_text(encoding="utf-8")

TEST = (DATA / "test.py.txt").read_text(encoding="utf-8")

PROJECT = (DATA / "pyproject.toml.txt").read_text(encoding="utf-8")

# A build backend in a few lines: a wheel is a zip of the module and its metadata.
BACKEND = (DATA / "backend.py.txt").read_text(encoding="utf-8")

# What a process sees of a method (and an attack) that no line of anonnb names.
LOOK = (DATA / "look.py.txt").read_text(encoding="utf-8")

TABLE = "age,sex,ill\n20,M,flu\n30,F,flu\n40,M,cold\n50,F,cold\n"


def _run(*command: str, path: list[Path], **options) -> str:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run([sys.executable, *command], env=env, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> list[Path]:
    """The path of a process in which the package is installed beside anonnb."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    (source / "blankets.py").write_text((METHOD + ATTACK).format(imports="", decorator=""))
    (source / "pyproject.toml").write_text(PROJECT)
    (source / "backend.py").write_text(BACKEND)
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    _run("-m", "pip", "install", *options, "--target", str(target), str(source), path=[])
    return [target, Path(anonnb.__file__).parents[1]]


@pytest.fixture(scope="module")
def dropped(tmp_path_factory) -> list[Path]:
    """The path of a process whose anonnb has a new method and a new attack, each with a test."""
    root = Path(anonnb.__file__).parents[1]
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(root / "anonnb", copy / "anonnb")  # with what is compiled
    shutil.copytree(root / "tests", copy / "tests")
    for other in root.iterdir():
        if not (copy / other.name).exists() and not other.name.startswith(".git"):
            (copy / other.name).symlink_to(other)
    for room, name, text in (("methods", "Blanket", METHOD), ("attacks", "Shrug", ATTACK)):
        text = text.format(imports=f"from anonnb.{room} import register", decorator="@register")
        (copy / "anonnb" / room / f"{name.lower()}.py").write_text(text)
        test = TEST.format(room=room, name=name, check=f"check_{room[:-1]}")
        (copy / "tests" / room / f"test_{name.lower()}.py").write_text(test)
    return [copy]


@pytest.fixture(params=["installed", "dropped"])
def path(request) -> list[Path]:
    return request.getfixturevalue(request.param)


@pytest.mark.slow
def test_it_is_in_the_arena_and_the_explorer_and_holds_the_contract(path, tmp_path):
    found = json.loads(_run("-c", LOOK, path=path, cwd=tmp_path))
    assert Path(found["package"]).parents[1] == path[-1]
    assert found["arena"] and found["explorer"] and found["contract"]  # noqa: PT018
    assert found["numbers"] == "66"
    assert found["attack"] == {"explorer": "0.0 %", "arena": True, "contract": True}


@pytest.mark.slow
def test_it_is_in_the_list_and_on_the_command_line(path, tmp_path):
    assert "Blanket" in _run("-m", "anonnb", "list", "methods", path=path, cwd=tmp_path)
    (tmp_path / "table.csv").write_text(TABLE)
    options = ["--quasi", "age,sex", "--sensitive", "ill", "--method", "Blanket", "--k", "4", "-o", "out.csv"]
    said = _run("-m", "anonnb", "anonymize", "table.csv", *options, path=path, cwd=tmp_path)
    assert "Blanket(k=4): 4 of 4 rows published to out.csv" in said
    assert (tmp_path / "out.csv").read_text().splitlines() == [
        '"age","sex","ill"',
        *['"*","*","cold"'] * 2,
        *['"*","*","flu"'] * 2,
    ]


@pytest.mark.slow
def test_an_installed_attack_is_on_the_command_line(installed, tmp_path):
    assert "Shrug" in _run("-m", "anonnb", "list", "attacks", path=installed, cwd=tmp_path)
    (tmp_path / "table.csv").write_text(TABLE)
    options = ["--against", "table.csv", "--quasi", "age,sex", "--sensitive", "ill", "--attack", "Shrug"]
    said = _run("-m", "anonnb", "attack", "table.csv", *options, path=installed, cwd=tmp_path)
    assert re.search(r"Shrug +claims 0 of 1 cell, 0 of them right \(baseline: 0\.0 by luck\)", said)


# Tests of the newcomers, and quick ones without parameters.
PLUGIN = """
def pytest_collection_modifyitems(items):
    about = [item for item in items if "Blanket" in item.name or "Shrug" in item.name]
    items[:] = [item for item in items if item in about or not (hasattr(item, "callspec") or "slow" in item.keywords)]
"""


@pytest.mark.slow
def test_nothing_else_is_to_be_edited(dropped):
    """Everything that looks at all methods or attacks passes with the new ones."""
    [copy] = dropped
    (copy / "newcomers.py").write_text(PLUGIN)
    looking = re.compile(r"(methods|attacks)\.all\(\)|registered\(\)|table_methods|plainest_first|default_attacks")
    files = [path for path in sorted((copy / "tests").rglob("test_*.py")) if looking.search(path.read_text())]
    files = [path for path in files if path.name not in (Path(__file__).name, "test_import.py", "test_extras.py")]
    options = ["-q", "-n", "0", "-p", "newcomers", "-p", "no:cacheprovider", "-m", "not browser and not thorough"]
    named = [copy / "tests" / room / f"test_{name}.py" for room, name in (("methods", "blanket"), ("attacks", "shrug"))]
    _run("-m", "pytest", *options, *map(str, [*files, *named]), path=[copy], cwd=copy)
