"""The explorer: choose a method, k and an attack; see the release, three numbers, a picture and who is exposed.

The state is a plain class that needs no browser. The widgets around it only show HTML: no output widget, which could
hang a headless kernel. In a batch run the same content appears once, as a still picture.
"""

from __future__ import annotations

import base64
import html
import io
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb import plots, privacy, utility
from anonnb.attacks.base import AttackResult
from anonnb.errors import Infeasible
from anonnb.files import atomic_write
from anonnb.release import Release
from anonnb.table import Table, html_block
from anonnb.widgets import Controls, controls_widgets, is_batch

LARGE = 3000  # rows from which only methods are offered that answer at once
QUICK = ("Mondrian", "InfoGainMondrian", "ClassMondrian", "TopDown", "LocalSuppression")
ATTACKS = ("LinkageAttack", "HomogeneityAttack", "SkewnessAttack", "BackgroundAttack")
PICTURES = ("class sizes", "boxes")
_FAILURES = (ValueError, TypeError, KeyError, Infeasible)


class Exploration:
    """A table, and what is chosen about it now.

    >>> import anonnb
    >>> exploration = Exploration(anonnb.load("survey"), start={"k": 4})
    >>> exploration.choose(method="Mondrian", attack="HomogeneityAttack")
    >>> exploration.numbers()
    {'k reached': '10', 'detail lost (NCP)': '11.5 %', 'success of HomogeneityAttack': '0.0 %'}
    """

    def __init__(
        self,
        table: Table,
        *,
        methods: Sequence[str] | None = None,
        attacks: Sequence[str] = ATTACKS,
        k: Sequence[int] = range(2, 51),
        start: Mapping[str, Any] | None = None,
    ):
        if not table.quasi:
            raise ValueError("the table has no quasi-identifier to explore; name it: table.with_roles(quasi=[…])")
        self.table = table
        names = list(methods or _offered(table))
        pictures = PICTURES if len(table.quasi) > 1 else PICTURES[:1]
        preset = {"method": "Mondrian" if "Mondrian" in names else names[0], "k": min(max(5, k[0]), k[-1])}
        choices = {"method": names, "k": k, "attack": list(attacks), "picture": list(pictures)}
        self.controls = Controls(choices, preset | dict(start or {}))
        self._original = Release.of(table)
        self._release = lru_cache(maxsize=16)(self._make)
        self._attacked = lru_cache(maxsize=16)(self._attack)

    def choose(self, **values: Any) -> None:
        """Change choices: ``choose(k=7, method="Mondrian")``."""
        for name, value in values.items():
            self.controls.set(name, value)

    def __getitem__(self, name: str) -> Any:
        return self.controls.values[name]

    @property
    def release(self) -> Release:
        """The release of the chosen method; raises what the method raises."""
        return self._release(self["method"], self["k"])

    def _make(self, method: str, k: int) -> Release:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return method_registry.get(method)(k=k).anonymize(self.table)

    def attacked(self) -> AttackResult:
        """The result of the chosen attack on the release."""
        return self._attacked(self["method"], self["k"], self["attack"])

    def _attack(self, method: str, k: int, attack: str) -> AttackResult:
        return attack_registry.get(attack)().run(self._release(method, k), self.table)

    def numbers(self) -> dict[str, str]:
        """Three figures as texts: what was reached, what it cost, what is still learnt."""
        return {
            "k reached": f"{privacy.k(self.release):,}",
            "detail lost (NCP)": f"{100 * utility.ncp(self.table, self.release):.1f} %",
            f"success of {self['attack']}": f"{100 * self.attacked().success:.1f} %",
        }

    def exposed(self, most: int = 6) -> pd.DataFrame:
        """The cases on which the attack is surest, one line each."""
        targets = self.attacked().targets
        worst = targets.sort_values(["score", "candidates"], ascending=[False, True], kind="stable").head(most)
        return worst[worst["score"] > 0].reset_index(drop=True).round(3)

    def draw(self, ax: Any = None) -> Any:
        """The chosen picture, as Axes."""
        from anonnb.plots.style import axes

        title = f"{self['method']}, k = {self['k']}"
        if self["picture"] == "boxes":
            ax = plots.boxes(self.release, ax=ax)
        else:
            ax = axes(ax, size=(10, 3.6))  # room for the legend beside the bars
            ax = plots.class_sizes({"original": self._original, title: self.release}, k=self["k"], ax=ax)
            ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
        ax.set_title(title, loc="left")
        return ax

    # ---- as HTML, for widgets and reports -----------------------------------------------------------------------

    def summary_html(self) -> str:
        """The three numbers, large enough to be read at a glance."""
        cells = [
            f'<div style="margin-right: 2.5em"><div style="font-size: 1.8em">{html.escape(value)}</div>'
            f"<div>{html.escape(name)}</div></div>"
            for name, value in self.numbers().items()
        ]
        return f'<div class="anonnb-numbers" style="display: flex; flex-wrap: wrap">{"".join(cells)}</div>'

    def picture_html(self) -> str:
        """The picture inside the page, with words for those who do not see it."""
        import matplotlib.pyplot as plt

        ax, file = self.draw(), io.BytesIO()
        ax.figure.savefig(file, format="png", dpi=90, metadata={"Software": None})
        plt.close(ax.figure)
        words = html.escape(f"{self['picture']} of {self['method']} with k = {self['k']}")
        return f'<img class="anonnb-picture" alt="{words}" src="data:image/png;base64,{_base64(file.getvalue())}">'

    def tables_html(self) -> str:
        """The first published rows, and who is exposed."""
        exposed = self.exposed()
        who = html_block(f"Most exposed to {self['attack']}", exposed) if len(exposed) else "<p>Nobody is exposed.</p>"
        return html_block("The first published rows", self.release.published().head()) + who

    def report_html(self) -> str:
        """A page of its own: choices, numbers, picture, rows, exposed people and all measures."""
        title = html.escape(f"{self['method']} with k = {self['k']}")
        measures = html_block("Privacy", privacy.report(self.release).round(4))
        measures += html_block("Usefulness", utility.report(self.table, self.release).round(4))
        body = self.summary_html() + self.picture_html() + self.tables_html() + measures
        style = "body {font-family: sans-serif; margin: 2em} td, th {padding: 0.2em 0.8em; text-align: left}"
        head = f'<meta charset="utf-8"><title>{title}</title><style>{style}</style>'
        return f'<!doctype html><html lang="en"><head>{head}</head><body><h1>{title}</h1>{body}</body></html>\n'

    def export(self, folder: str | os.PathLike = ".") -> list[Path]:
        """Write the release (.csv) and a report (.html) into a folder; returns their paths.

        The report shows who is exposed: it is for the publisher, the release is for the public.
        """
        folder = Path(folder)
        if not folder.is_dir():
            raise ValueError(f"there is no folder {os.fspath(folder)!r} to export to; make it, or choose another")
        stem = f"{self['method']}-k{self['k']}"
        page = self.report_html()
        release = self.release.publish(folder / f"{stem}.csv")
        with atomic_write(folder / f"{stem}-report.html") as file:
            file.write(page)
        return [release, folder / f"{stem}-report.html"]


def explorer(table: Table, *, interactive: bool = True, folder: str | os.PathLike = ".", **options: Any) -> Any:
    """Explore a table with menus and a slider; ``folder`` is where the export goes. Options as for Exploration.

    Where ``interactive`` is False, or in a batch run, the start values are shown once and no widget appears.
    """
    exploration = Exploration(table, **options)
    if interactive and not is_batch():
        return _panel(exploration, folder)
    from IPython.display import HTML

    exploration.draw()
    return HTML(exploration.summary_html() + exploration.tables_html())


def _panel(exploration: Exploration, folder: str | os.PathLike) -> Any:
    import ipywidgets as widgets

    boxes = controls_widgets(exploration.controls)
    panes = [widgets.HTML() for _ in range(3)]
    button = widgets.Button(description="Export", tooltip="Write the release and a report into the folder")
    status = widgets.HTML()

    def show(change: Any = None) -> None:
        status.value = "Working …"
        parts = (exploration.summary_html, exploration.picture_html, exploration.tables_html)
        contents, problem = _tried(lambda: [part() for part in parts])
        for pane, content in zip(panes, contents or [""] * 3, strict=True):
            pane.value = content
        button.disabled = bool(problem)
        status.value = html.escape(problem)

    def export(_: Any) -> None:
        written, problem = _tried(lambda: exploration.export(folder))
        status.value = html.escape(problem or f"Written: {', '.join(map(str, written))}")

    for name, box in boxes.items():
        box.observe(lambda change, name=name: (exploration.choose(**{name: change["new"]}), show()), names="value")
    button.on_click(export)
    show()
    row = widgets.HBox([*boxes.values(), button], layout={"flex_flow": "row wrap"})
    return widgets.VBox([row, status, *panes]).add_class("anonnb-explorer")


def _tried(work: Callable[[], Any]) -> tuple[Any, str]:
    """What the work gives, or None and one sentence on why it failed."""
    try:
        return work(), ""
    except (*_FAILURES, OSError) as error:
        return None, str(error.args[0] if isinstance(error, KeyError) and error.args else error)


def _offered(table: Table) -> list[str]:
    """Methods that take k; of a large table only those that answer at once."""
    known = method_registry.all()
    takes_k = [name for name, cls in known.items() if cls.publishes == "table" and _has_k(cls)]
    return [name for name in takes_k if len(table) <= LARGE or name in QUICK]


def _has_k(cls: type) -> bool:
    return "k" in {field.name for field in fields(cls)}


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
