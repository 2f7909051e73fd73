"""The box around controls in the lab, in which they keep their keys, show the focus and have names; and the player's.

JupyterLab takes arrows and letters that are pressed in a menu as commands to the notebook: they leave the cell, insert
cells and delete them (ipywidgets, issue 3912). No trait of a widget prevents that, so the box carries a script. It
hangs on a style, since a browser runs no script element that it gets as the text of a widget.

A player works by the keyboard: Tab reaches the controls, Enter presses a button, arrow keys, Home and End move the
slider. A button that has nowhere to go is dimmed but stays enabled, because a disabled button loses the focus.
Contents are HTML widgets; output widgets could hang a headless kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from anonnb.core.templates import templates
from anonnb.widgets.frames.pages import SECONDS, SPEEDS
from anonnb.widgets.player import Player

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


# ---- the player ------------------------------------------------------------------------------------------------------


_WRAP = {"flex_flow": "row wrap", "align_items": "center"}
_BUTTONS = {
    "first": ("First", "Go to the first step"),
    "back": ("Back", "Go one step back"),
    "forward": ("Forward", "Go one step forward"),
    "last": ("Last", "Go to the last step"),
}


class PlayerPanel(Panel):
    """Controls above the heading, the picture and the candidates of a step."""

    def __init__(self, player: Player, seconds: float = SECONDS):
        self.player = player
        self.seconds = seconds
        count = len(player)
        self.buttons = {name: _button(*texts) for name, texts in _BUTTONS.items()}
        self.slider = widgets.IntSlider(
            value=1, min=1, max=count, description="step" if count == player.steps.total else "shown step", **LABELLED
        )
        self.play = widgets.Play(value=1, min=1, max=count, interval=self._interval("normal"), show_repeat=False)
        self.play.tooltip = "Play by itself"
        self.speed = widgets.Dropdown(
            options=list(SPEEDS), value="normal", description="speed", layout={"width": "12em"}, **LABELLED
        )
        self.heading, self.picture, self.candidates = (widgets.HTML() for _ in range(3))
        for name, button in self.buttons.items():
            button.on_click(lambda _, name=name: self._go(name))
        self.slider.observe(lambda change: self._moved(change["new"]), names="value")
        self.speed.observe(lambda change: setattr(self.play, "interval", self._interval(change["new"])), names="value")
        widgets.link((self.play, "value"), (self.slider, "value"))
        for part in (self.picture, self.candidates):
            part.layout.max_width = "100%"
        first, back, forward, last = self.buttons.values()
        row = widgets.HBox([first, back, self.play, forward, last, self.slider, self.speed], layout=_WRAP)
        beside = widgets.HBox(
            [self.picture, self.candidates], layout={"flex_flow": "row wrap", "align_items": "flex-start"}
        )
        super().__init__([row, self.heading, beside])
        self.add_class("anonnb-player")
        self._show()

    def _go(self, where: str) -> None:
        self.play.playing = False
        self.player.go(where)
        self.slider.value = self.player.position + 1

    def _moved(self, number: int) -> None:
        self.player.go(number - 1)
        self._show()

    def _interval(self, speed: str) -> int:
        return round(1000 * self.seconds / SPEEDS[speed])  # in milliseconds

    def _show(self) -> None:
        frame = self.player.frame
        fragment: Any = templates(Path(__file__)).get_template("player.html").module
        self.heading.value = str(fragment.heading(frame.title, frame.text, self.player.note))
        self.picture.value = "".join(str(fragment.picture(made)) for made in frame.pictures)
        tables = "".join(frame.tables)
        self.candidates.value = (
            f'<div class="jp-RenderedHTMLCommon" style="overflow: auto">{tables}</div>' if tables else ""
        )
        at, last = self.player.position, len(self.player) - 1
        for name, button in self.buttons.items():
            idle = at == (0 if name in ("first", "back") else last)
            (button.add_class if idle else button.remove_class)("anonnb-idle")  # panel.js makes it aria-disabled


def _button(label: str, tooltip: str) -> Any:
    return widgets.Button(description=label, tooltip=tooltip, layout={"width": "auto"})
