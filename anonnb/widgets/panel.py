"""The box around controls in the lab, in which they keep their keys, show which of them has the focus, and have names.

JupyterLab takes arrows and letters that are pressed in a menu as commands to the notebook: they leave the cell, insert
cells and delete them (ipywidgets, issue 3912). No trait of a widget prevents that, so the box carries a script. It
hangs on a style, since a browser runs no script element that it gets as the text of a widget.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from anonnb.core.templates import templates

# For every control with words beside it: as wide as the words, and no "null" where the pointer rests on them.
LABELLED = {"style": {"description_width": "initial"}, "tooltip": ""}


class Panel(widgets.VBox):
    """Controls, and what they show, one below the other."""

    def __init__(self, parts: Iterable[Any]):
        super().__init__([*parts, widgets.HTML(_keeper(), layout={"display": "none"})])
        self.add_class("anonnb-panel")


@cache
def _keeper() -> str:
    script = Path(__file__).with_name("templates") / "panel.js"
    return templates(Path(__file__)).get_template("panel.html").render(script=script.read_text(encoding="utf-8"))
