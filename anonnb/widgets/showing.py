"""What a notebook calls as the last line of a cell: a panel where somebody is there, a still picture where not."""

from __future__ import annotations

import os
from typing import Any

from anonnb.projects.own_table import OwnTable
from anonnb.tables.table import Table
from anonnb.widgets.controls import is_batch
from anonnb.widgets.exploration import Exploration
from anonnb.widgets.panels import ExplorerPanel, OwnTablePanel


def explorer(
    table: Table | OwnTable | str,
    *,
    interactive: bool = True,
    folder: str | os.PathLike = ".",
    rows: bool = True,
    **options: Any,
) -> Any:
    """Explore tables with menus and a slider; ``folder`` is where the export goes. Options as for Exploration.

    Where ``interactive`` is False, or in a batch run, the start values are shown once and no widget appears; without
    ``rows`` they show no row then, and nobody who is exposed.
    """
    exploration = Exploration(table, **options)
    if interactive and not is_batch():
        return ExplorerPanel(exploration, folder)
    from IPython.display import HTML

    exploration.draw()
    whole = exploration.summary_html() + exploration.gate_html()
    return HTML(whole + exploration.tables_html(rows=5) if rows else whole)


def own_table(own: Any, *, interactive: bool = True) -> Any:
    """Upload a file into an OwnTable and give its columns roles, as the last line of a cell.

    Where ``interactive`` is False, or in a batch run, the table and its roles are shown and no widget appears.
    """
    if not interactive or is_batch():
        return own
    return OwnTablePanel(own)


def framed(page: str, height: str = "28em") -> Any:
    """A whole page inside a cell, in a frame of its own, so that its style and the notebook's do not mix.

    >>> framed("<p>A & B</p>").data[:45]
    '<div><iframe title="page" sandbox="" srcdoc="'
    """
    from html import escape

    from IPython.display import HTML

    style = f"width: 100%; height: {height}; border: 1px solid #888"
    return HTML(f'<div><iframe title="page" sandbox="" srcdoc="{escape(page)}" style="{style}"></iframe></div>')
