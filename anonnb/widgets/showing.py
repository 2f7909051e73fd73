"""What a notebook calls as the last line of a cell: a panel in an interactive session, otherwise a still picture."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from anonnb import plots
from anonnb.plots.steps.step import evenly_chosen
from anonnb.steps.step import Step
from anonnb.widgets.controls import is_batch, keeps_frames
from anonnb.widgets.frames.pages import SECONDS
from anonnb.widgets.player import Player

if TYPE_CHECKING:
    from anonnb.publishing.own_table import OwnTable
    from anonnb.tables.table import Table


def explorer(
    table: Table | OwnTable | str,
    *,
    interactive: bool = True,
    folder: str | os.PathLike = ".",
    rows: bool = True,
    **options: Any,
) -> Any:
    """Explore tables with menus and a slider.

    If ``interactive`` is False, and in a batch run, the start values are shown once and no widget appears.

    Parameters
    ----------
    table:
        A Table, an OwnTable or the name of a shipped table.
    rows:
        Whether a still picture shows rows and exposed people.

    Examples
    --------
    >>> "<table" in explorer("survey", interactive=False, start={"k": 4}).data
    True
    """
    from anonnb.widgets.exploration import Exploration  # loads every method and attack

    exploration = Exploration(table, **options)
    if interactive and not is_batch():
        from anonnb.widgets.panels import ExplorerPanel

        return ExplorerPanel(exploration, folder)
    from IPython.display import HTML

    exploration.draw()
    whole = exploration.summary_html() + exploration.gate_html()
    return HTML(whole + exploration.tables_html(rows=5) if rows else whole)


def own_table(own: Any, *, interactive: bool = True) -> Any:
    """Upload a file into an OwnTable and give its columns roles, as the last line of a cell.

    If ``interactive`` is False, and in a batch run, the table and its roles are shown and no widget appears.

    >>> import pandas as pd
    >>> from anonnb.publishing.own_table import OwnTable
    >>> own_table(OwnTable(pd.DataFrame({"age": [30, 40]})), interactive=False).columns
    ['age']
    """
    if not interactive or is_batch():
        return own
    from anonnb.widgets.panels import OwnTablePanel

    return OwnTablePanel(own)


def play(
    steps: Iterable[Step],
    *,
    frames: int | None = None,
    strip: int = 4,
    seconds: float = SECONDS,
    interactive: bool = True,
    **options: Any,
) -> Any:
    """Play the steps of a run, as the last line of a cell: ``play(Mondrian(k=2).steps(table))``.

    In the lab there are buttons, a slider and a speed, and each step is drawn when it is viewed. A report keeps
    pictures of all steps, or of an even sample, and moves them without a kernel. If ``interactive`` is False, and in a
    committed notebook, a few steps stand side by side.

    Parameters
    ----------
    steps:
        What ``method.steps(table)``, ``attack.steps(release)`` or ``steps.of(function, …)`` gives.
    frames:
        The most pictures that a report keeps; by default what its size and time allow.
    strip:
        How many steps stand side by side where nothing moves.
    seconds:
        How long each step shows at normal speed when the player runs by itself.
    options:
        ``x`` and ``y``, the attributes over which groups of rows are drawn.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> play([Step("Halve 8", "It is more than 1.", 8)], interactive=False)
    >>> plt.close("all")
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < float("inf"):
        raise ValueError(f"seconds is {seconds!r}; give a number above 0: how long each step shows at normal speed")
    player = Player(steps, **options)
    if keeps_frames():
        from IPython.display import HTML

        from anonnb.widgets.frames.grids import page_budget
        from anonnb.widgets.frames.pages import played

        kept = player.stored(page_budget(frames))
        name = "step" if len(kept) == player.steps.total else "shown step"
        label = f"Player of {len(kept)} steps: {player.steps[0].title}"
        return HTML(played(kept, name=name, label=label, seconds=seconds))
    if interactive and not is_batch():
        from anonnb.widgets.panel import PlayerPanel  # loads ipywidgets, which a still picture does not need

        return PlayerPanel(player, seconds)
    still(player, strip)
    return None


def still(player: Player, strip: int) -> Any:
    """Draw a few steps of a player side by side, with an alternative text."""
    from anonnb.widgets.frames.describing import described

    indices = evenly_chosen(len(player), strip)
    numbers = ", ".join(f"{player.steps[index].number:,}" for index in indices)
    ax = plots.filmstrip(player.steps, strip, **player.options)
    caption = f"Steps {numbers} of {player.steps.total:,}."
    return described(ax, caption=caption, alt=" ".join(player.description(index) for index in indices))


def framed(page: str, height: str = "28em") -> Any:
    """Show a whole page inside a cell, in a frame, so that its style and the notebook's do not mix.

    >>> framed("<p>A & B</p>").data[:45]
    '<div><iframe title="page" sandbox="" srcdoc="'
    """
    from html import escape

    from IPython.display import HTML

    style = f"width: 100%; height: {height}; border: 1px solid #888"
    return HTML(f'<div><iframe title="page" sandbox="" srcdoc="{escape(page)}" style="{style}"></iframe></div>')
