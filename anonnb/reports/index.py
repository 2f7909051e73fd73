"""The page that stands for a batch: what it is, one picture, the papers' verdicts, the notebooks by part, then details.

What failed is named first. A batch about a user's own table begins with what was published of all its rows and with the
attacks on it; a sample never stands for it, and papers are left out. Nothing here is recomputed or remembered: all
figures are what this batch's notebooks have recorded, and what is missing is named.
"""

import platform
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from anonnb.reports.catalogue import PARTS
from anonnb.reports.comparison import Sweep
from anonnb.reports.overview.arena import arena_figures, most_learnt
from anonnb.reports.overview.rivals import least_error, rivals_picture
from anonnb.reports.overview.verdicts import paper_bars
from anonnb.reports.page import render
from anonnb.reports.records import tables
from anonnb.reports.results import Result

OWN = "own table"  # what a notebook records about a user's own table: figures of all its rows
TITLE = "Anonymization, attacks and measures: a report"
# Who records what the summary shows; one that is not in the batch is named instead.
SOURCES = {
    "rivals": ("45_arena",),
    "arena": ("45_arena",),
    "reproduction": (
        "40_imprecise_rules_experiment",
        "41_migration_experiment",
        "42_three_routes",
        "43_tree_preserving_experiment",
        "44_chase_experiment",
    ),
}


def index_page(results: Iterable[Result], sweeps: Sequence[Sweep] = (), command: str = "") -> str:
    """The index of a batch; ``command`` is what makes the same batch again."""
    results = list(results)
    own = _recorded(OWN, results)
    arenas = _chosen_first(_recorded("arena", results), own)
    rivals = [] if own else _recorded("rivals", results)[:1]
    return render(
        "index.html",
        title=f"{own[0][1]['caption']}: a report" if own else TITLE,
        own=own,
        date=f"{datetime.now():%d %B %Y, %H:%M}".lstrip("0"),
        results=results,
        amount=_amount(results),
        failed=[result for result in results if not result.ok],
        arenas=arenas,
        arena_figures=arena_figures(arenas[0][1]) if arenas else [],
        worst=most_learnt(arenas[0][1]) if arenas else None,
        rivals=[(result, entry, rivals_picture(entry), least_error(entry)) for result, entry in rivals],
        bars=paper_bars(results),
        reproductions=_recorded("reproduction", results),
        missing_sources={kind: _missing(kind, results) for kind in SOURCES},
        sweeps=sweeps,
        parts=_parts(results, sweeps),
        machine=_machine(),
        reused=sum(result.reused for result in results),
        command=command or "anonnb report",
    )


def _amount(results: Sequence[Result]) -> str:
    number = len({result.notebook for result in results})
    notebooks = "1 notebook" if number == 1 else f"{number} notebooks"
    return notebooks if number == len(results) else f"{len(results)} runs of {notebooks}"


def _recorded(kind: str, results: Iterable[Result]) -> list[tuple[Result, dict[str, Any]]]:
    return [(result, entry) for result in results if result.ok for entry in tables(result.records, kind)]


def _chosen_first(arenas: list, own: list) -> list:
    """Of several arenas the one with the k that one's own table was published with comes first."""
    chosen = {figure for _, entry in own for what, figure, *_ in entry["rows"] if what == "k"}
    return sorted(arenas, key=lambda arena: arena[0].parameters.get("K") not in chosen)


def _missing(kind: str, results: Sequence[Result]) -> dict[str, list[str]]:
    """The sources that gave no table of this kind: those that are not in the batch, and those that are."""
    gave = {Path(result.notebook).stem for result, _ in _recorded(kind, results)}
    tried = {Path(result.notebook).stem for result in results}
    wanted = [name for name in SOURCES[kind] if name not in gave]
    return {
        "absent": [name for name in wanted if name not in tried],
        "silent": [name for name in wanted if name in tried],
    }


def _parts(results: Sequence[Result], sweeps: Sequence[Sweep]) -> list[tuple[str, list[tuple[Result, Sweep | None]]]]:
    """The runs under the parts of the course, in order; the runs of a sweep share one place."""
    first = {sweep.results[0].name: sweep for sweep in sweeps}
    later = {result.name for sweep in sweeps for result in sweep.results[1:]}
    order = [*PARTS.values(), "More"]
    shown = sorted((result for result in results if result.name not in later), key=lambda one: order.index(_part(one)))
    return [(part, [(one, first.get(one.name)) for one in items]) for part, items in groupby(shown, key=_part)]


def _part(result: Result) -> str:
    return PARTS.get(Path(result.notebook).name[:1], "More")


def _machine() -> str:
    """What a reader needs to judge the times; nothing that reveals whose machine it was."""
    import joblib
    import psutil

    memory = psutil.virtual_memory().total / 2**30
    return f"{joblib.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()}"
