"""What students can install holds no solution of an assignment: the wheel, and the archive of the sources."""

import contextlib
import json
import re
import tarfile
import zipfile

import pytest

from anonnb.coursework.assignment import TEXT_STUB, cleared
from anonnb.coursework.releasing import assignments, copies, source_folder
from tests.core.source_copy import build

CARRIED = ("anonnb", "data", "notebooks", "reports", "benchmarks", "tests", "pyproject.toml", "README.md", "LICENSE")
CARRIED += ("CHANGELOG.md", "Makefile", "requirements.lock")
LEAST = 40  # letters: a shorter line may stand anywhere
FEW = 1  # lines that a file may share with all solutions: a formula that the package computes, too
pytestmark = pytest.mark.skipif(not source_folder().is_dir(), reason="there are no sources here")


def secrets(assignment):
    """What only the source of an assignment has: its lines of code and sentences that the student's copy lacks."""
    given = letters("\n".join(cleared(cell) for cell in assignment.cells))
    lines = {
        letters(line)
        for cell in assignment.cells
        if cell.role in ("answer", "check", "text")
        for line in cell.source.splitlines()
    }
    return {line for line in lines if len(line) >= LEAST and line not in given}


def letters(text):
    return re.sub(r"\s+", "", text)


def found_in(content, hidden):
    """Which of the hidden lines a file holds, be it text or a notebook, in which lines are JSON strings."""
    text = content.decode("utf-8", "ignore")
    if text.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, KeyError, TypeError):
            text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    packed = letters(text)
    return {line for line in hidden if line in packed}


@pytest.fixture(scope="module")
def hidden():
    lines = set().union(*map(secrets, assignments()))
    assert len(lines) > 10 * len(assignments())
    return lines


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel and an sdist, built from a copy."""
    folder = tmp_path_factory.mktemp("built")
    build(CARRIED, folder, "sdist", "wheel")
    return folder


def test_the_search_finds_a_solution_where_there_is_one(hidden):
    """A test that cannot fail would say nothing."""
    for assignment in assignments():
        path = assignment.folder / f"{assignment.name}.ipynb"
        assert found_in(path.read_bytes(), hidden) >= secrets(assignment)
        assert len(secrets(assignment)) > FEW


def test_the_student_copies_hold_no_solution(hidden):
    for assignment in assignments():
        for name, content in copies(assignment).items():
            assert found_in(content, secrets(assignment)) == set(), name
            assert TEXT_STUB.encode() in content or not name.endswith(".ipynb")


@pytest.mark.slow
def test_the_wheel_holds_no_solution(built, hidden):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        assert [name for name in names if "coursework/source" in name] == []
        assert any("coursework/release" in name for name in names)
        told = {name: found for name in names if len(found := found_in(wheel.read(name), hidden)) > FEW}
    assert told == {}


@pytest.mark.slow
def test_the_archive_of_the_sources_holds_no_solution(built, hidden):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isfile()]
        assert [member.name for member in members if "coursework/source" in member.name] == []
        files = {member.name: archive.extractfile(member).read() for member in members}
    told = {name: found for name, text in files.items() if len(found := found_in(text, hidden)) > FEW}
    assert told == {}
