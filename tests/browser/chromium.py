"""Which browser the tests drive: one of the machine, else Playwright's own, which is fetched where it can be had."""

import os
import shutil
import subprocess
import sys

FETCHING_SECONDS = 600


def chromium() -> str | None:
    """The path of a chromium; None where there is none and none can be fetched."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    own = playwrights_own()
    if own is None and fetched():
        own = playwrights_own()
    return own


def playwrights_own() -> str | None:
    """The chromium that Playwright keeps for itself, if it is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def fetched() -> bool:
    """Try ``playwright install chromium``."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        return subprocess.run(command, capture_output=True, timeout=FETCHING_SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
