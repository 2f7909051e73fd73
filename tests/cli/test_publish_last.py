"""``anonymize`` attacks first and publishes last: release, manifest and page appear together or not at all."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.cli.test_commands import call, refused

DATA = Path(__file__).parent / "data"

NAMES = ["r.csv", "r.html", "r.manifest.json"]
SLOW = (DATA / "slow.py.txt").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(20, 60, 200), "ill": rng.choice(list("abcd"), 200)})
    frame.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "people.yaml").write_text(
        "anonnb: 1\nreviewed: A. Name, 2026-01-31\ndata: people.csv\n"
        "columns:\n  age: {role: quasi-identifier}\n  ill: {role: sensitive}\nmethod: {name: Mondrian, k: 5}\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def published(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(("r.", ".r")))


def anonymized(*more):
    return call("anonymize", "--project", "people.yaml", "-o", "r.csv", *more)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the process of the attacks is a fork")
@pytest.mark.parametrize("wanted", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
def test_whoever_stops_the_attacks_finds_no_release(folder, wanted):
    with subprocess.Popen([sys.executable, "-c", SLOW], stderr=subprocess.PIPE, text=True) as command:
        wait_until((folder / "attacking").exists)
        assert set(published(folder)).isdisjoint(NAMES)
        command.send_signal(wanted)
        assert command.wait(20) == (130 if wanted == signal.SIGINT else -wanted)
        assert (wanted == signal.SIGKILL) or command.stderr.read().endswith("anonnb: stopped; nothing was written\n")
    worker = int((folder / "attacking").read_text())
    if wanted == signal.SIGINT:
        assert published(folder) == []
        wait_until(lambda: not is_alive(worker))
    else:  # nobody could tidy up: the next release does
        os.kill(worker, signal.SIGKILL)
        assert set(published(folder)).isdisjoint(NAMES)
        assert anonymized().exit_code == 0
        assert published(folder) == NAMES


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("place", ["documents.manifest", "documents.privacy.report", "attacking.attack_release"])
def test_lack_of_memory_leaves_nothing_and_says_what_helps(folder, monkeypatch, place):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(f"anonnb.publishing.{place}", full)
    found = anonymized()
    assert found.exit_code == 1
    assert sorted(os.listdir(folder)) == ["people.csv", "people.yaml"]
    assert "bin those with thousands of values, or take a sample of the rows, or add --no-attacks" in found.stderr


def test_an_older_release_stays_whole_when_the_page_of_the_new_one_fails(folder, monkeypatch):
    assert anonymized().exit_code == 0
    before = {name: (folder / name).read_bytes() for name in published(folder)}
    assert sorted(before) == NAMES
    (folder / "people.csv").write_text((folder / "people.csv").read_text() + "99,a\n" * 9)
    monkeypatch.setattr("anonnb.publishing.documents.manifest", lambda *_: {}["no such key"])
    assert anonymized("--force").exception is not None
    assert {name: (folder / name).read_bytes() for name in published(folder)} == before


def test_what_did_not_finish_is_said_on_console_page_and_manifest(folder, monkeypatch):
    monkeypatch.setattr("anonnb.publishing.attacking.MAX_PEOPLE", 50)
    found = anonymized()
    sentence = "The attacks were tried on a random sample of 50 of 200 people"
    assert f"note: {sentence}" in found.stderr
    assert sentence in (folder / "r.html").read_text()
    manifest = json.loads((folder / "r.manifest.json").read_text())["attacks"]
    assert manifest["notes"][0].startswith(sentence)
    assert "DeFinettiAttack" in manifest["tried"]


def test_no_attacks_and_a_budget_that_is_none(folder):
    refused(anonymized("--budget", "soon"), "'soon' is no budget; write a time, such as 60s or 5min")
    assert published(folder) == []
    found = anonymized("--no-attacks")
    assert "note: No attack was tried" in found.stderr
    assert json.loads((folder / "r.manifest.json").read_text())["attacks"]["tried"] == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nobody counts the memory of a process that has ended")
def test_a_survey_with_thousands_of_incomes_is_published_with_its_page_in_a_minute(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    from bench_commands import households, sign

    frame = households(15_000)
    assert frame.shape == (15_000, 28)
    assert frame["eqIncome"].nunique() > 6_000
    frame.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.chdir(tmp_path)
    start = time.monotonic()
    words = [sys.executable, "-m", "anonnb"]
    subprocess.run([*words, "init", "people.csv"], check=True, capture_output=True)
    sign(tmp_path)
    command = subprocess.Popen([*words, "anonymize", "people.yaml", "--rows-are-people", "-o", "r.csv"])
    _, status, used = os.wait4(command.pid, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    assert (command.returncode, published(tmp_path)) == (0, NAMES)
    assert time.monotonic() - start < 60
    assert used.ru_maxrss / (1024 if sys.platform == "linux" else 1024**2) < 1536
    attacks = json.loads((tmp_path / "r.manifest.json").read_text())["attacks"]
    assert "DeFinettiAttack" in attacks["tried"]
    assert attacks["notes"] == []
