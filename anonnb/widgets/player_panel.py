"""The player in the lab: buttons, a slider and a speed around the state of a player; it can also play by itself.

All of it works by the keyboard: Tab reaches the controls, Enter presses a button, arrow keys, Home and End move the
slider. Contents are HTML widgets; output widgets could hang a headless kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ipywidgets as widgets

from anonnb.core.templates import templates
from anonnb.widgets.panel import LABELLED, Panel
from anonnb.widgets.player import Player

MILLISECONDS = 1200  # for each step at normal speed
SPEEDS = {"half": 0.5, "normal": 1.0, "double": 2.0, "fourfold": 4.0}
_WRAP = {"flex_flow": "row wrap", "align_items": "center"}
_BUTTONS = {
    "first": ("First", "Go to the first step"),
    "back": ("Back", "Go one step back"),
    "forward": ("Forward", "Go one step forward"),
    "last": ("Last", "Go to the last step"),
}


class PlayerPanel(Panel):
    """Controls above the heading, the picture and the candidates of a step."""

    def __init__(self, player: Player):
        self.player = player
        count = len(player)
        self.buttons = {name: _button(*words) for name, words in _BUTTONS.items()}
        self.slider = widgets.IntSlider(
            value=1,
            min=1,
            max=count,
            description="step" if count == player.steps.total else "shown step",
            **LABELLED,
        )
        self.play = widgets.Play(value=1, min=1, max=count, interval=MILLISECONDS, show_repeat=False)
        self.play.tooltip = "Play by itself"
        self.speed = widgets.Dropdown(
            options=list(SPEEDS),
            value="normal",
            description="speed",
            layout={"width": "12em"},
            **LABELLED,
        )
        self.heading, self.picture, self.candidates = (widgets.HTML() for _ in range(3))
        for name, button in self.buttons.items():
            button.on_click(lambda _, name=name: self._go(name))
        self.slider.observe(lambda change: self._moved(change["new"]), names="value")
        self.speed.observe(lambda change: self._paced(change["new"]), names="value")
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
        self.slider.value = self.player.place + 1

    def _moved(self, number: int) -> None:
        self.player.go(number - 1)
        self._show()

    def _paced(self, speed: str) -> None:
        self.play.interval = round(MILLISECONDS / SPEEDS[speed])

    def _show(self) -> None:
        frame, fragment = self.player.frame, templates(Path(__file__)).get_template("player.html").module
        self.heading.value = str(fragment.heading(frame.title, frame.text, self.player.said))
        self.picture.value = "".join(str(fragment.picture(made)) for made in frame.pictures)
        tables = "".join(frame.tables)
        self.candidates.value = (
            f'<div class="jp-RenderedHTMLCommon" style="overflow: auto">{tables}</div>' if tables else ""
        )
        at, last = self.player.place, len(self.player) - 1
        for name, button in self.buttons.items():
            button.disabled = at == (0 if name in ("first", "back") else last)


def _button(words: str, tooltip: str) -> Any:
    return widgets.Button(description=words, tooltip=tooltip, layout={"width": "auto"})
