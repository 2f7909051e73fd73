"""What a notebook calls as the last line of a cell: a panel where somebody is there, a still picture where not."""

from __future__ import annotations

import os
from typing import Any

from anonnb.tables.table import Table
from anonnb.widgets.controls import is_batch
from anonnb.widgets.exploration import Exploration
from anonnb.widgets.panels import ExplorerPanel, OwnTablePanel


def explorer(table: Table | str, *, interactive: bool = True, folder: str | os.PathLike = ".", **options: Any) -> Any:
    """Explore tables with menus and a slider; ``folder`` is where the export goes. Options as for Exploration.

    Where ``interactive`` is False, or in a batch run, the start values are shown once and no widget appears.
    """
    exploration = Exploration(table, **options)
    if interactive and not is_batch():
        return ExplorerPanel(exploration, folder)
    from IPython.display import HTML

    exploration.draw()
    return HTML(exploration.summary_html() + exploration.tables_html(rows=5))


def own_table(own: Any, *, interactive: bool = True) -> Any:
    """Upload a file into an OwnTable and give its columns roles, as the last line of a cell.

    Where ``interactive`` is False, or in a batch run, the table and its roles are shown and no widget appears.
    """
    if not interactive or is_batch():
        return own
    return OwnTablePanel(own)
