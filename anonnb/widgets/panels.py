"""Widgets around a state: the explorer's panel, and the panel on which a file is uploaded and its columns get roles.

Work runs on a thread of its own, the newest choice only: what an older choice started is dropped. Contents are HTML
widgets; output widgets could hang a headless kernel.
"""

from __future__ import annotations

import html
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import suppress
from typing import Any

import ipywidgets as widgets

from anonnb.core.errors import Infeasible, said
from anonnb.core.remedies import Remedy
from anonnb.publishing.own_table import OFFERED_ROLES, SHOWN_COLUMNS, SINGLE_ROLES, OwnTable
from anonnb.tables.descriptions import html_block
from anonnb.widgets.controls import controls_widgets
from anonnb.widgets.exploration import Exploration
from anonnb.widgets.panel import LABELLED, Panel

_FAILURES = (ValueError, TypeError, KeyError, Infeasible, OSError)
_WRAP = {"flex_flow": "row wrap"}
_TICK = 0.1  # seconds between two states of a progress bar


class Stale(BaseException):
    """Raised in work that nobody waits for; it is not an error, so ``except Exception`` lets it pass."""


class Newest:
    """Run jobs on a thread, one at a time; of those that wait only the newest is kept.

    A job is called with a function that raises Stale when a newer one waits. Anything else it raises goes to
    ``failed``, and the next job still runs.
    """

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self._failed = failed
        self._lock = threading.Lock()
        self._waiting: Callable[[Callable[[], None]], None] | None = None
        self._thread: threading.Thread | None = None

    def run(self, job: Callable[[Callable[[], None]], None]) -> None:
        """Let the job replace all others."""
        with self._lock:
            self._waiting = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="anonnb")
                self._thread.start()

    def wait(self) -> None:
        """Wait until nothing is left to do."""
        while (thread := self._thread) is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                job, self._waiting = self._waiting, None
                if job is None:
                    self._thread = None
                    return
            try:
                job(self._check)
            except Stale:
                pass
            except BaseException as error:  # were the thread to end here, nothing would ever run again
                with suppress(Exception):
                    self._failed(error)

    def _check(self) -> None:
        if self._waiting is not None:
            raise Stale


class Ticks:
    """Stand in for tqdm: show the progress (None: unknown), and end the work when it is stale."""

    def __init__(self, show: Callable[[float | None], None], check: Callable[[], None]):
        self._show, self._check, self._last = show, check, time.monotonic()

    def __call__(self, iterable: Iterable = (), total: int | None = None, **_: object) -> Iterator:
        total = total or (len(iterable) if isinstance(iterable, Sized) else None)
        for done, item in enumerate(iterable):
            self._check()
            if time.monotonic() - self._last > _TICK:
                self._last = time.monotonic()
                self._show(done / total if total else None)
            yield item


class ExplorerPanel(Panel):
    """Menus, a slider and a button above their results."""

    def __init__(self, exploration: Exploration, folder: str | os.PathLike = "."):
        self.exploration, self.folder, self.worker = exploration, folder, Newest(self._failed)
        self.boxes = controls_widgets(exploration.controls)
        self.status, *self.panes = (widgets.HTML() for _ in range(4))
        self.button = widgets.Button(description="Export", tooltip="Write the release and its papers into the folder")
        self.hierarchy = widgets.Text(
            description="hierarchy of the column",
            placeholder="intervals 5 10, prefix 3 1, year decade, …",
            continuous_update=False,
            layout={"width": "28em"},
            **LABELLED,
        )
        self.hierarchy.observe(lambda change: self._blurred(change["new"]), names="value")
        self.button.on_click(self._export)
        for name, box in self.boxes.items():
            box.observe(lambda change, name=name: self._chosen(name, change["new"]), names="value")
        self._syncing = False
        self._show(exploration, lambda: None)
        row = widgets.HBox([*self.boxes.values(), self.hierarchy, self.button], layout=_WRAP)
        super().__init__([row, self.status, *self.panes])
        self.add_class("anonnb-explorer")

    def _chosen(self, name: str, value: Any) -> None:
        if self._syncing:
            return
        _, problem = _tried(lambda: self.exploration.choose(**{name: value}))
        if problem or name == "table":
            self._sync()
        if problem:
            self.status.value = _alert(problem)
            return
        self._start()

    def _blurred(self, how: str) -> None:
        """Set another hierarchy for the chosen column, as it is written on a command line."""
        _, problem = _tried(lambda: self.exploration.blur(self.exploration["column"], how.strip()))
        if problem:
            self.status.value = _alert(problem)
            return
        self._start()

    def _start(self) -> None:
        self.button.disabled = True
        self.worker.run(lambda check: self._show(self.exploration.frozen(Ticks(self._working, check)), check))

    def _sync(self) -> None:
        """Update the menus: another table has other methods, sizes and columns."""
        self._syncing = True
        try:
            for name, new in controls_widgets(self.exploration.controls).items():
                _follow(self.boxes[name], new)
        finally:
            self._syncing = False

    def _failed(self, error: BaseException) -> None:
        self.status.value = _alert(_mistake(error))

    def _working(self, share: float | None) -> None:
        at = "" if share is None else f' value="{share:.2f}"'
        self.status.value = f'<progress max="1"{at} aria-label="progress"></progress> Working …'

    def _show(self, exploration: Exploration, check: Callable[[], None]) -> None:
        """Fill the panes; a part that is ready shows before the next is begun."""
        self._working(None)
        problem = ""
        parts = (
            lambda: exploration.summary_html() + exploration.gate_html(),
            exploration.picture_html,
            lambda: _rendered(exploration.tables_html()),
        )
        for pane, part in zip(self.panes, parts, strict=True):
            check()
            content, problem = ("", problem) if problem else _tried(part)
            check()
            pane.value = content or ""
        self.button.disabled = bool(problem)
        self.status.value = _alert(problem)

    def _export(self, _: Any) -> None:
        written, problem = _tried(lambda: self.exploration.export(self.folder))
        if problem:
            self.status.value = _alert(problem)
            return
        *public, report, page, manifest, project = written
        names = ", ".join(path.name for path in public)
        text = (
            f"Written to {report.parent}: {names} (for the public), {page.name} (for the officer), {manifest.name}, "
            f"{project.name} (the project file) and {report.name} (for you only)"
        )
        self.status.value = f'<div role="status">{html.escape(text)}</div>'


class OwnTablePanel(Panel):
    """Button to upload a file, a menu of roles for every column, and remarks on them."""

    def __init__(self, own: OwnTable):
        self.own = own
        self.upload = widgets.FileUpload(
            accept=".csv,.tsv,.txt,.parquet,.pq,.xlsx,.yaml,.yml",
            description="Upload a table",
            tooltip="CSV, Parquet or a project file (.yaml); it stays in the memory of this notebook",
            layout={"width": "14em"},
        )
        self.upload.observe(self._uploaded, names="value")
        self.status, self.preview = widgets.HTML(), widgets.HTML()
        self.menus = widgets.VBox(layout={"max_height": "26em", "overflow": "auto"})
        self._rebuild()
        super().__init__([self.upload, self.status, self.menus, self.preview])
        self.add_class("anonnb-own-table")

    def _uploaded(self, change: Any) -> None:
        for file in change["new"]:
            self.own.upload(file["name"], file["content"])
        self._rebuild()

    def _rebuild(self) -> None:
        """Make a menu for each column of the present table, beside its reason."""
        self.reasons = {}
        rows = []
        for name in self.own.columns[:SHOWN_COLUMNS]:
            menu = widgets.Dropdown(
                options=OFFERED_ROLES, value=self.own.role_of(name), description=str(name), **LABELLED
            )
            menu.style.description_width = "10em"
            menu.observe(lambda change, name=name: self._chosen(name, change["new"]), names="value")
            self.reasons[name] = widgets.HTML()
            rows.append(widgets.HBox([menu, self.reasons[name]], layout={"flex": "0 0 auto"}))
        self.menus.children = rows
        self.preview.value = _rendered(html_block(self.own.title, self.own.head()))
        self._tell()

    def _chosen(self, name: str, role: str) -> None:
        self.own.choose(name, role)
        if role in SINGLE_ROLES:  # there is one at most
            for other, row in zip(self.reasons, self.menus.children, strict=True):
                row.children[0].value = self.own.role_of(other)
        self._tell()

    def _tell(self) -> None:
        for name, line in zip(self.reasons, self.own.describe().itertuples(), strict=False):
            absent = f", {line.missing:,} missing" if line.missing else ""
            self.reasons[name].value = html.escape(f"{line.values:,} values{absent}: {line.reason}")
        problem = self.own.problem
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.own.notes)
        more = len(self.own.columns) - SHOWN_COLUMNS
        if more > 0:
            notes += f"<li>{more} more columns have no menu here: own.choose(column, role) gives them one</li>"
        text = _alert(problem) if problem else f'<div role="status">{html.escape(self.own.summary)}</div>'
        self.status.value = text + (f"<ul>{notes}</ul>" if notes else "")


def _follow(box: Any, new: Any) -> None:
    """Let a menu or slider offer and show what the new one does."""
    if isinstance(box, widgets.Dropdown):
        box.options = new.options
    elif isinstance(box, widgets.IntSlider):
        box.min, box.max = min(box.min, new.min), max(box.max, new.max)  # never the minimum above the maximum
        box.value, box.min, box.max = new.value, new.min, new.max
    box.value = new.value


def _rendered(page: str) -> str:
    """Return HTML with tables as the lab shows them under a cell; what is too wide scrolls."""
    left = "<style>.anonnb-page table {margin-left: 0 !important}</style>"  # the lab would centre them here
    return f'{left}<div class="jp-RenderedHTMLCommon anonnb-page" style="overflow: auto">{page}</div>'


def _tried(work: Callable[[], Any]) -> tuple[Any, str]:
    """Return the result of the work, or None and one sentence on why it failed."""
    try:
        return work(), ""
    except _FAILURES as error:
        return None, said(error, _in_panel)
    except Exception as error:  # a mistake of ours: on a thread nobody would see it
        return None, _mistake(error)


def _in_panel(remedy: Remedy) -> str | None:
    """Say what to choose in a panel, which has methods, k, roles and hierarchies but no other parameter."""
    if remedy.kind == "method":
        return None if remedy.also else f"the method {remedy.name}"
    if remedy.kind == "parameter":
        return f"{remedy.name} = {remedy.value}" if remedy.name == "k" else None
    return remedy.words if remedy.kind in ("role", "hierarchy") else None


def _mistake(error: BaseException) -> str:
    return f"this should not happen, please report it: {type(error).__name__}: {error}"


def _alert(problem: str) -> str:
    """Return a problem that screen readers announce at once; nothing if there is none."""
    return f'<div role="alert"><b>{html.escape(problem)}</b></div>' if problem else ""
