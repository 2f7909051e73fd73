"""A real JupyterLab and a real browser; the lab's own settings live in a temporary folder."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from tests.browser.chromium import chromium

DATA = Path(__file__).parent / "data"

TOKEN = "t"
NO_BROWSER = "chromium is not installed and could not be fetched (playwright install chromium)"
BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RUN = (DATA / "run_cells.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    if path is None:
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield opened
        opened.close()


def pytest_unconfigure(config):
    """The last line of all, after pytest's own: a green `make test` must not hide what it left out."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")  # workers of xdist have none
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if any(NO_BROWSER in str(report.longrepr) for report in skipped):
        print(f"The browser tests did not run: {NO_BROWSER}.", flush=True)


@dataclass
class Lab:
    """A running JupyterLab that serves ``folder``."""

    folder: Path
    address: str
    browser: object

    @contextmanager
    def open(self, notebook: str):
        """A page with the notebook ready to run; its troubles are collected while it is open."""
        context = self.browser.new_context(viewport={"width": 1280, "height": 1000})
        page = context.new_page()
        opened = OpenNotebook(page)
        page.goto(f"{self.address}/doc/tree/{quote(notebook)}?token={TOKEN}")
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context", timeout=60_000)
        try:
            yield opened
        finally:
            context.close()


@dataclass
class OpenNotebook:
    page: object
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._note_request)

    def _note_request(self, request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.outside.append(request.url)

    def run_all(self) -> None:
        """Run every cell and wait until all of them have finished."""
        self.page.evaluate(RUN, ["cells", None])

    def run_above(self, start: str) -> None:
        """Run the cells above the one whose text starts so, and wait for them."""
        self.page.evaluate(RUN, ["above", start])

    def run_below(self, start: str) -> None:
        """Run the cell whose text starts so and all below it, and wait for them."""
        self.page.evaluate(RUN, ["below", start])

    def failed_cells(self) -> list[str]:
        errors = self.page.locator(
            ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr'], .jp-mod-error"
        )
        return errors.all_inner_texts()


@pytest.fixture(scope="session")
def lab(tmp_path_factory, browser):
    """JupyterLab in an empty folder: tests put their notebooks into ``lab.folder``."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "work"
    folder.mkdir()
    with running_lab(home, folder) as address:
        yield Lab(folder, address, browser)


@contextmanager
def running_lab(home: Path, folder: Path):
    """The address of a JupyterLab that serves a folder, and has its settings in ``home``."""
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    address = f"http://127.0.0.1:{_free_port()}"
    with open(home / "lab.log", "wb") as log:
        process = subprocess.Popen(
            _command(address, folder), env=_environment(home), stdout=log, stderr=log, cwd=os.fspath(folder)
        )
        try:
            _wait_until_ready(address, process, home / "lab.log")
            yield address
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _command(address: str, folder: Path) -> list[str]:
    options = {
        "--ServerApp.ip": "127.0.0.1",
        "--ServerApp.port": urlsplit(address).port,
        "--ServerApp.port_retries": 0,
        "--ServerApp.root_dir": folder,
        "--IdentityProvider.token": TOKEN,
        "--LabApp.expose_app_in_browser": True,
    }
    given = [f"{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *given]


def _environment(home: Path) -> dict[str, str]:
    """Nothing from the user's own Jupyter folders, and no batch mode: this is where widgets are tried."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "ANONNB_"))}
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}
    places |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    return environment | {name: os.fspath(home / place) for name, place in places.items()}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait_until_ready(address: str, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + 90
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/api/status?token={TOKEN}", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")
