"""``anonnb coursework``."""

import csv

import pytest
from click.testing import CliRunner

from anonnb.cli import main
from anonnb.coursework import marking
from anonnb.coursework.isolation import KINDS
from tests.coursework.tiny import NAME, RIGHT, hand_in, submission, write_source


@pytest.fixture
def course(tmp_path):
    tiny = write_source(tmp_path / "source")
    hand_in(tmp_path / "submitted", "ann", submission(tiny, RIGHT))
    return tmp_path


def run(*words):
    return CliRunner().invoke(main, ["coursework", *map(str, words)])


def test_list(course):
    done = run("list", "--source", course / "source")
    assert (done.exit_code, done.stdout.split()) == (0, [NAME, "5", "+", "5", "points", "Tiny"])


def test_release(course):
    done = run("release", "--source", course / "source", "--out", course / "copies")
    assert done.exit_code == 0
    assert "1 file(s) changed" in done.stdout
    assert (course / "copies" / NAME / f"{NAME}.ipynb").is_file()
    assert "0 file(s) changed" in run("release", "--source", course / "source", "--out", course / "copies").stdout


def test_mark(course):
    out = course / "marks.csv"
    words = ["mark", course / "submitted", "--source", course / "source", "--out", out]
    done = run(*words, "--assignment", "01", "--jobs", 2, "--due", "2000-01-01")
    assert done.exit_code == 0, done.output
    assert f"ann  {NAME}  marked  5 of 5" in done.stderr
    (line,) = csv.DictReader(out.open(encoding="utf-8"))
    assert (line["student"], line["auto_points"], line["late"]) == ("ann", "5", "yes")
    assert line["protection"] in KINDS
    assert f"Protection: {line['protection']}: {KINDS[line['protection']]}" in done.stderr
    assert not list(course.glob("*.jsonl"))
    assert (course / "marks-tasks.csv").is_file()
    assert (course / "marks-feedback" / "ann" / f"{NAME}.html").is_file()
    again = run(*words)
    assert again.exit_code == 2
    assert "exists already" in again.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mark", "{}/none"], "there is no folder"),
        (["mark", "{}/submitted", "--source", "{}/submitted"], "there is no assignment in"),
        (["mark", "{}/submitted", "--assignment", "07"], "'07' names 0 assignments"),
        (["mark", "{}/submitted", "--due", "tomorrow"], "--due 'tomorrow' is not a time"),
        (["mark", "{}/submitted", "--wrap", "no-such-command -x"], "there is no command 'no-such-command'"),
        (["mark", "{}/submitted", "--wrap", "'"], "is not a command"),
        (["mark", "{}/submitted", "--wrap", "false"], "does not start under the command 'false', so nobody was marked"),
        (["mark", "{}/submitted", "--times", "{}/none.csv"], "there is no file"),
        (["mark", "{}/submitted", "--out", "{}/marks.txt"], "use a name that ends in .csv"),
    ],
)
def test_bad_input_is_one_sentence(course, words, message):
    words = [word.format(course) for word in words]
    if "--source" not in words:
        words += ["--source", course / "source"]
    if "--out" not in words:
        words += ["--out", course / "marks.csv"]
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.output
    assert not list(course.glob("*.jsonl"))


@pytest.mark.slow
def test_times_of_the_collector_decide_who_is_late(course):
    (course / "times.csv").write_text("student,time\nann,2026-01-01T12:00\n")
    words = ["mark", course / "submitted", "--source", course / "source", "--out", course / "marks.csv", "--force"]
    for due, late in (("2026-01-01T11:59", "yes"), ("2026-01-01T12:00", "")):
        assert run(*words, "--times", course / "times.csv", "--due", due).exit_code == 0
        (line,) = csv.DictReader((course / "marks.csv").open(encoding="utf-8"))
        assert line["late"] == late


@pytest.fixture
def no_walls(monkeypatch):
    monkeypatch.setattr(marking, "find_isolation", lambda *_: ("none", "namespaces: not here"))


def test_a_teacher_can_insist_on_isolation(course, no_walls):
    words = ["mark", course / "submitted", "--source", course / "source", "--out", course / "marks.csv"]
    done = run(*words, "--require-isolation")
    assert done.exit_code == 2
    assert "cannot be isolated here (namespaces: not here); nobody was marked" in done.stderr
    assert not (course / "marks.csv").exists()


def test_without_isolation_a_warning_comes_first(course, no_walls):
    words = ["mark", course / "submitted", "--source", course / "source", "--out", course / "marks.csv"]
    done = run(*words)
    assert done.exit_code == 0
    protection, warning, marked = done.stderr.splitlines()
    assert "NOT isolated" in protection
    assert warning.startswith("Warning: mark under an account that holds nothing else")
    assert marked.startswith("1/1  ann")
    (line,) = csv.DictReader((course / "marks.csv").open(encoding="utf-8"))
    assert line["protection"] == "none"


def test_what_failed_alone_is_tried_again(course, no_walls, monkeypatch):
    words = ["mark", course / "submitted", "--source", course / "source", "--out", course / "marks.csv", "--force"]
    answers = iter([{"failed": "out of luck"}, {"outcomes": [], "stopped": ""}])
    outcomes = [{"id": name, "points": None, "message": ""} for name in ("c1", "c2")]
    monkeypatch.setattr(marking.Examiners, "examine", lambda *_: next(answers) | {"outcomes": outcomes})
    assert run(*words).exit_code == 1
    assert (course / "marks-progress.jsonl").exists()
    assert run(*words).exit_code == 0
    assert not (course / "marks-progress.jsonl").exists()
