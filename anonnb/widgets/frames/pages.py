"""Frames as one piece of HTML: controls, every frame, and a line that says which values there are.

The frames are in the page, all but the first hidden; our script shows the one that the controls select, and does
nothing else: no request, no code from strings, texts only as text. Without scripts the first frame shows, or a player's
strip. A report carries style and script once for the whole page (``reports.page``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from anonnb.core.templates import templates
from anonnb.widgets.frames.frame import Frame
from anonnb.widgets.frames.grids import FrameGrid, note_kept

STRIP = 4  # frames of a player on paper
SECONDS = 3.0  # for each step of a player at normal speed: time to read its sentence
SPEEDS = {"half": 0.5, "normal": 1.0, "double": 2.0, "fourfold": 4.0}


@dataclass(frozen=True)
class Control:
    """Slider, menu or check box: its name, the texts of its values, and the position of the one it starts at."""

    name: str
    labels: tuple[str, ...]
    start: int = 0
    kind: str = "slider"
    of: int = 0  # how many values it has where a kernel is; 0: as many as here

    @property
    def text(self) -> str:
        """The stored values as text."""
        quoted = any("," in label for label in self.labels)
        values = ", ".join(f"“{label}”" if quoted else label for label in self.labels)
        return f"{self.name} = {values}" + (f" ({len(self.labels)} of {self.of})" if self.of > len(self.labels) else "")


def explored(grid: FrameGrid, start: Mapping[str, Any], kinds: Mapping[str, str]) -> str:
    """Return the HTML of a grid of frames with a control for each of its dimensions; ``kinds`` as in Control."""
    controls = [
        Control(
            name.replace("_", " "),
            tuple(map(_label, grid.values(name))),
            grid.values(name).index(start[name]),
            kinds[name],
            len(options),
        )
        for name, options in grid.options.items()
    ]
    ranks = [
        {position: rank for rank, position in enumerate(sorted(positions))} for positions in grid.positions.values()
    ]
    frames = {
        tuple(rank[at] for rank, at in zip(ranks, position, strict=True)): grid.frames[position]
        for position in grid.frames
    }
    return _page("explore", controls, frames, strip=())


def played(frames: Sequence[Frame], *, name: str = "step", label: str = "", seconds: float = SECONDS) -> str:
    """Return the HTML of a player: buttons, a slider for ``name`` and a speed, which all work by keyboard.

    A frame's ``title`` is the heading of its step, ``label`` describes the player to screen readers, and each frame
    shows for ``seconds`` at normal speed.

    >>> page = played([Frame(title="One"), Frame(title="Two <b>")], label="Two steps")
    >>> page.count('class="anonnb-frame"'), "Two &lt;b&gt;" in page, "<script" in page
    (2, True, False)
    """
    if not frames:
        raise ValueError("there is nothing to play: the list of frames is empty")
    control = Control(name, tuple(f"{number} of {len(frames)}" for number in range(1, len(frames) + 1)))
    last = len(frames) - 1
    strip = {round(part * last / (STRIP - 1)) for part in range(STRIP)}
    numbered: dict[tuple[int, ...], Frame] = {(index,): frame for index, frame in enumerate(frames)}
    return _page("play", [control], numbered, strip=tuple(sorted(strip)), label=label, seconds=seconds)


def _page(
    way: str,
    controls: list[Control],
    frames: Mapping[tuple[int, ...], Frame],
    strip: tuple[int, ...],
    label: str = "",
    seconds: float = SECONDS,
) -> str:
    start = tuple(control.start for control in controls)
    part = sum(control.of > len(control.labels) for control in controls)
    template = templates(Path(__file__).parent).get_template("frames.html")
    page = template.render(
        way=way,
        controls=controls,
        # the first frame first: without scripts it is the one that shows
        frames=sorted(frames.items(), key=lambda item: (way == "explore" and item[0] != start, item[0])),
        start=start,
        strip=strip,
        label=label,
        milliseconds=round(1000 * seconds),
        speeds=SPEEDS,
        said="; ".join(control.text for control in controls) if way == "explore" else "",
        part=part,
        markup=Markup,
    )
    note_kept(len(page))
    return page


def _label(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
