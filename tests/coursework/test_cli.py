"""``anonnb coursework``."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.apps import NbGraderApp

from anonnb.cli import main
from tests.coursework.tiny import NAME, write_source


@pytest.fixture
def course(tmp_path):
    write_source(tmp_path / "source")
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, ["coursework", *map(str, words)])


def test_release(course):
    done = run("release", "--source", course / "source", "--out", course / "copies")
    assert done.exit_code == 0
    assert "1 file(s) changed" in done.stdout
    assert (course / "copies" / NAME / f"{NAME}.ipynb").is_file()
    assert "0 file(s) changed" in run("release", "--source", course / "source", "--out", course / "copies").stdout


def test_new(course):
    done = run("new", course / "privacy", "--source", course / "source", "--unprotected")
    assert (done.exit_code, done.stdout.partition(" assignment")[0]) == (0, "1")
    assert {path.name for path in (course / "privacy").iterdir()} == {
        *("README.md", "nbgrader_config.py", "Containerfile", "source")
    }
    config = (course / "privacy" / "nbgrader_config.py").read_text(encoding="utf-8")
    assert "c.Examine.unprotected = True" in config
    assert 'c.CourseDirectory.course_id = "privacy"' in config
    assert "NOT protected" in (course / "privacy" / "README.md").read_text(encoding="utf-8")
    assert "NAME" in (course / "privacy" / "README.md").read_text(encoding="utf-8")


def test_new_writes_over_nothing(course):
    done = run("new", course / "source", "--source", course / "source")
    assert (done.exit_code, "exists already; name a new folder for the course" in done.stderr) == (2, True)


def test_the_commands_of_both_guides_are_nbgraders(course):
    run("new", course / "privacy", "--source", course / "source")
    guide = Path(__file__).parents[2] / "notebooks" / "coursework" / "README.md"
    for page in (guide, course / "privacy" / "README.md"):
        named = set(re.findall(r"^(?:.*`)?nbgrader (\w+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert len(named) >= 5
        assert named <= set(NbGraderApp().subcommands)
