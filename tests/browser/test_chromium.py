"""Without a browser the tests say in their last line that they did not run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import chromium

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_machine_without_browser_says_so_in_the_last_line(tmp_path):
    """Nothing on the path, nothing of Playwright's, and an address from which nothing can be fetched."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment |= {
        "PATH": str(tmp_path),
        "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path),
        "PLAYWRIGHT_DOWNLOAD_HOST": "http://127.0.0.1:9",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser/test_print.py"]
    done = subprocess.run([*command, "-k", "pale"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "skipped" in done.stdout
    last = "The browser tests did not run: chromium is not installed and could not be fetched"
    assert done.stdout.splitlines()[-1].startswith(last)


@pytest.mark.parametrize(("can_fetch", "found"), [(True, "own"), (False, None)])
def test_what_is_not_there_is_fetched(monkeypatch, can_fetch, found):
    there = []
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "playwrights_own", lambda: there[0] if there else None)
    monkeypatch.setattr(chromium, "fetched", lambda: can_fetch and not there.append("own"))
    assert chromium.chromium() == found


def test_one_of_the_machine_comes_first(monkeypatch):
    monkeypatch.setattr(chromium.shutil, "which", lambda name: "here" if name == "google-chrome" else None)
    assert chromium.chromium() == "here"
