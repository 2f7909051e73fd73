"""Whatever is given to the command line: one sentence and an exit code, no traceback, no waiting for ever."""

import io
import os
import re
import subprocess
import sys
import time

import click
import numpy as np
import pytest
from click.testing import CliRunner

from anonnb.attacks import LinkageAttack
from anonnb.cli import main
from anonnb.cli.progress import ProgressLine, ProgressLog, shown_progress
from anonnb.files import opening
from anonnb.files.opening import BadFile, bytes_of, bytes_of_stream
from anonnb.methods import Mondrian

GOOD = "age,zip,ill\n" + "".join(f"{20 + n % 7},{1000 + n % 5},{'yn'[n % 2]}\n" for n in range(40))
ROLES = ("--quasi", "age,zip", "--sensitive", "ill")


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.csv"
    path.write_text(GOOD)
    return path


def call(*words, **options):
    return CliRunner().invoke(main, [str(word) for word in words], **options)


def in_one_sentence(result, code, words):
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code
    last = result.stderr.strip().splitlines()
    assert words in last[-1]
    return last


# ---- defects ------------------------------------------------------------------------------------------------------


@pytest.fixture
def broken():
    @click.command()
    @click.argument("kind")
    def break_(kind):
        raise {"bug": ZeroDivisionError("1 / 0\nsecond"), "disk": OSError(28, "No space left on device", "a.csv"),
               "memory": MemoryError(), "deep": RecursionError("too deep")}[kind]  # fmt: skip

    main.add_command(break_, "break")
    yield lambda kind, *first, **env: call(*first, "break", kind, env={"ANONNB_TRACEBACK": None} | env)
    del main.commands["break"]


@pytest.mark.parametrize(
    ("kind", "code", "words"),
    [
        ("bug", 3, "this is a defect of anonnb, please report it with what `anonnb --traceback …` prints (ZeroDivisi"),
        ("deep", 3, "(RecursionError: too deep)"),
        ("disk", 1, "a.csv: No space left on device"),
        ("memory", 1, "there is not enough memory"),
    ],
)
def test_every_exception_becomes_one_sentence(broken, kind, code, words):
    assert len(in_one_sentence(broken(kind), code, words)) == 1


def test_a_traceback_is_shown_on_demand(broken):
    assert isinstance(broken("bug", "--traceback").exception, ZeroDivisionError)
    assert isinstance(broken("bug", ANONNB_TRACEBACK="1").exception, ZeroDivisionError)


DEFECTS = {
    "a key": lambda *_, **__: {}["age"],
    "numpy": lambda *_, **__: np.zeros(2) & np.zeros(2),
    "a number": lambda *_, **__: int("x"),
    "an order": lambda *_, **__: sorted([1, "a"]),
}


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
def test_a_defect_does_not_look_like_a_mistake_of_the_user(defect, good, tmp_path, monkeypatch):
    """Whatever its type: only errors that anonnb raises on purpose are about the input."""
    monkeypatch.setenv("ANONNB_TRACEBACK", "")
    out = tmp_path / "out.csv"
    anonymize = ("anonymize", good, *ROLES, "--method", "Mondrian", "-o", out)
    in_one_sentence(call(*anonymize, "--k", "99"), 1, "k = 99")
    assert call(*anonymize, "--k", "2").exit_code == 0
    monkeypatch.setattr(Mondrian, "anonymize", defect)
    in_one_sentence(call(*anonymize, "--k", "2", "--force"), 3, "this is a defect of anonnb")
    monkeypatch.setattr(LinkageAttack, "run", defect)
    attack = call("attack", out, "--against", good, *ROLES, "--attack", "Linkage")
    in_one_sentence(attack, 3, "this is a defect of anonnb")


def test_the_tests_see_tracebacks():
    assert os.environ["ANONNB_TRACEBACK"] == "1"


# ---- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["audit", "compare", "attack", "anonymize"])
@pytest.mark.parametrize("kind", ["fifo", "device", "long name", "surrogate"])
def test_what_is_no_file_is_refused_at_once(command, kind, good, tmp_path):
    if kind == "fifo":
        os.mkfifo(tmp_path / "fifo.csv")
    file, words = {
        "fifo": (tmp_path / "fifo.csv", "is a pipe, not a file"),
        "device": ("/dev/zero", "/dev/zero is a device, not a file"),
        "long name": ("x" * 300, "there is no such file"),
        "surrogate": ("a\udcff.csv", "a\\udcff.csv: there is no such file"),
    }[kind]
    more = {"attack": ["--against", good], "anonymize": ["--method", "Mondrian", "--k", 2, "-o", tmp_path / "o.csv"]}
    in_one_sentence(call(command, file, *more.get(command, []), *ROLES), 2, words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xfd7zXZ\0", "is a spreadsheet or a compressed file"),
        (bytes(range(256)), "has a NUL byte in line 1"),
        (b"age,zip,ill\n", "has a header but no rows"),
        (b"age,age,ill\n1,2,3\n", "'age' occurs more than once"),
        (b'age,zip,ill\n1,"2,3\n', 'a quote (") is opened and never closed'),
        (b"age,zip,ill\n1," + b"x" * 200_000 + b",3\n", "(or a value has more than 131,072 letters)"),
        (b"age\n1\n2\n", "there is no column 'zip'"),
    ],
)
def test_what_is_no_table_is_told_in_a_sentence(content, words, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    in_one_sentence(call("audit", path, *ROLES), 2, words)


def test_an_empty_cell_that_pandas_splits_is_told_in_a_sentence(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"zip\r\na\r\n\t")
    in_one_sentence(
        call("audit", tmp_path / "t.csv", "--quasi", "zip", "--sep", "tab"), 2, "is no table with the delimiter"
    )


def test_a_second_file_of_something_else_is_told_by_check(good, tmp_path):
    good.with_name("good-secrets.csv").write_text("group,ill,count\n1,y,20\n")
    result = call("check", good, "--against", good, "--quasi", "age,zip", "--k", "2")
    assert result.exit_code == 1
    assert "failed       good.csv has no column 'group', which good-secrets.csv has" in result.stdout


def test_a_hierarchy_that_is_a_device_is_refused(good, tmp_path):
    words = ("--method", "Mondrian", "--k", 2, "-o", tmp_path / "o.csv", "--hierarchy", "age=/dev/zero")
    in_one_sentence(call("anonymize", good, *ROLES, *words), 2, "/dev/zero is a device, not a file")


def test_an_output_with_a_name_of_300_letters_is_refused_before_the_work(good):
    words = ("--method", "Mondrian", "--k", 2, "-o", "x" * 300 + ".csv")
    assert len(in_one_sentence(call("anonymize", good, *ROLES, *words), 1, "File name too long")) == 1


# ---- standard input -----------------------------------------------------------------------------------------------


def test_standard_input_is_a_table(good, tmp_path):
    assert call("audit", "-", *ROLES, input=GOOD).stdout == call("audit", good, *ROLES).stdout.replace(str(good), "-")
    words = ("--method", "Mondrian", "--k", 2, "-o", tmp_path / "o.csv")
    done = call("anonymize", "-", *ROLES, *words, input=GOOD.replace(",", ";"))
    assert done.exit_code == 0
    assert "- has the delimiter ';'" in done.stderr  # the input is looked at a second time, but read once
    attacked = call("attack", "-", "--against", good, *ROLES, "--attack", "Homogeneity", input=GOOD)
    assert attacked.exit_code == 0


def test_standard_input_can_be_parquet(good):
    import pandas as pd

    file = io.BytesIO()
    pd.read_csv(good).to_parquet(file)
    assert call("audit", "-", *ROLES, input=file.getvalue()).stdout == call("audit", "-", *ROLES, input=GOOD).stdout


def test_standard_input_has_a_limit(monkeypatch):
    monkeypatch.setattr(opening.bytes_of_stream, "__defaults__", (100,))
    in_one_sentence(call("audit", "-", *ROLES, input=GOOD), 2, "standard input has more than 100 bytes")
    assert bytes_of_stream(io.BytesIO(b"x" * 100), "it", 100) == b"x" * 100
    with pytest.raises(BadFile, match="more than 100 bytes"):
        bytes_of_stream(io.BytesIO(b"x" * 101), "it", 100)


def test_only_one_table_comes_from_standard_input():
    in_one_sentence(call("attack", "-", "--against", "-", *ROLES, input=GOOD), 2, "only one table can come from")


def test_notebooks_need_a_file():
    in_one_sentence(call("report", "13", "--data", "-", "--quasi", "age", input=GOOD), 2, "save it to a file")


def test_a_folder_has_no_bytes(tmp_path):
    with pytest.raises(BadFile, match="is a folder, not a file; name a file in it"):
        bytes_of(tmp_path)


# ---- options ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "words"), [("0", "0 is less than 1"), ("5,-1", "-1 is less than 1")])
def test_a_k_that_cannot_be_is_one_sentence_before_the_work(k, words):
    result = call("compare", "no such file", *ROLES, "--k", k)
    assert len(in_one_sentence(result, 2, words)) == 1
    assert result.stdout == ""


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e300", "-1", "abc"])
def test_a_timeout_is_a_time(seconds):
    result = call("report", "13", "--timeout", seconds)
    assert (result.exit_code, "Invalid value for '--timeout'" in result.stderr) == (2, True)


@pytest.mark.parametrize("words", [("report", "--plan", ""), ("lab", "")])
def test_an_empty_name_is_no_name(words):
    in_one_sentence(call(*words), 2, "''")


def test_a_role_without_a_column_is_refused(good):
    in_one_sentence(
        call("audit", good, "--quasi", ","), 2, "--quasi ',' names no column; the columns are age, zip, ill"
    )


def test_letters_that_a_terminal_does_not_know_are_spelt_out(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("łat\n1\n1\n", encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "anonnb", "audit", os.fspath(path), "--quasi", "łat"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "alone with \\u0142at:" in done.stdout


# ---- spreadsheets and progress ------------------------------------------------------------------------------------


def test_formulas_are_told_and_neutralized_on_demand(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("zip,ill\n" + "1,=cmd()\n" * 4)
    words = ("anonymize", path, "--quasi", "zip", "--sensitive", "ill", "--method", "Mondrian", "--k", 2, "-o")
    plain = call(*words, tmp_path / "o.csv")
    assert "4 cells begin like a formula, which a spreadsheet would run; --excel" in plain.stderr
    safe = call(*words, tmp_path / "e.csv", "--excel")
    assert "4 cells begin like a formula and got an apostrophe in front" in safe.stderr
    assert (tmp_path / "e.csv").read_bytes().startswith(b'\xef\xbb\xbf"zip","ill"\n1,"\'=cmd()"')
    in_one_sentence(call(*words, tmp_path / "e.parquet", "--excel"), 2, "use a name that ends in .csv")
    attacked = call("attack", tmp_path / "e.csv", "--against", path, "--quasi", "zip", "--sensitive", "ill")
    assert attacked.exit_code == 0
    assert re.search("HomogeneityAttack +4 of 4 ", attacked.stdout)


def test_progress_is_one_line_that_goes_away(monkeypatch, capsys):
    """It is written while the work goes on, whether or not the work says how far it is."""
    monkeypatch.setattr(ProgressLine, "AFTER", 0.01)
    monkeypatch.setattr(ProgressLine, "EVERY", 0.01)
    with ProgressLine("anonymizing") as line:
        time.sleep(0.1)
        assert [time.sleep(0.1) or item for item in line([1, 2, 3], desc="group")] == [1, 2, 3]
    shown = capsys.readouterr().err
    assert "anonymizing, 0 s" in shown
    assert "anonymizing: group 1 of 3, 0 s" in shown
    assert "\n" not in shown
    assert shown.split("\r")[-2].strip() == ""


def test_progress_is_a_log_where_nobody_watches_a_terminal(monkeypatch, capsys):
    """A line of its own now and then, and loops in loops: what a log file is read for."""
    monkeypatch.setattr(ProgressLog, "AFTER", 0.01)
    monkeypatch.setattr(ProgressLog, "EVERY", 0.01)
    with shown_progress("comparing") as line:
        for _ in line(range(2), desc="releases"):
            for _ in line(range(3), desc="attacks on Mondrian"):
                time.sleep(0.1)
        time.sleep(0.1)
    lines = [line.rpartition(",")[0] for line in capsys.readouterr().err.splitlines()]  # without the seconds
    assert "comparing: releases 1 of 2, attacks on Mondrian 2 of 3" in lines
    assert lines[-1] == "comparing"


def test_work_that_is_done_while_the_next_result_is_waited_for_counts(monkeypatch):
    """Results of tasks come from a generator, which does the work; tqdm counts them so, too."""
    line = ProgressLine("comparing")

    def results():
        for number in range(2):
            yield line._loops[0], number

    assert [far for far, _ in line(results(), total=2, desc="releases")] == ["releases 0 of 2", "releases 1 of 2"]


def test_quick_work_shows_no_progress(capsys):
    with ProgressLine("anonymizing") as line:
        assert list(line([1, 2, 3])) == [1, 2, 3]
    assert capsys.readouterr().err == ""
