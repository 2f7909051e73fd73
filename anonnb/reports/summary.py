"""The pages about a batch as a whole: ``index.html``, a page for every sweep, and ``results.json``.

The index names what failed first. A batch about a user's own table begins with what was published of all its rows and
with the attacks on it; a sample never stands for it, and papers are left out. Nothing is recomputed here: all figures
are what this batch's notebooks have recorded, and what is missing is named.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from anonnb.core.atomic_files import atomic_write
from anonnb.reports.catalogue import PARTS
from anonnb.reports.comparison import Sweep, comparison_page, sweeps_of
from anonnb.reports.html import GLOSSARY, glossary_page
from anonnb.reports.overview import arena_figures, least_error, most_learnt, paper_bars, rivals_picture
from anonnb.reports.page import render, without_folder
from anonnb.reports.records import tables
from anonnb.reports.results import Result
from anonnb.reports.runs import Run

KEPT = ("name", "title", "parameters", "status", "records", "versions")


def write_summary(out: Path, runs: Sequence[Run], results: Sequence[Result], command: str = "") -> None:
    """Write the pages about the batch as a whole, and its recorded figures."""
    sweeps = sweeps_of(runs, results)
    pages = {sweep.name: comparison_page(sweep) for sweep in sweeps}
    pages["index"] = index_page(results, sweeps, command)
    glossaries = {run.notebook.parent / GLOSSARY for run in runs}
    for path in sorted(path for path in glossaries if path.is_file())[:1]:
        known = {run.notebook.name: run.sweep or run.name for run in reversed(runs)}
        pages["glossary"] = glossary_page(path.read_text(encoding="utf-8"), known)
    for name, text in pages.items():
        with atomic_write(out / f"{name}.html") as file:
            file.write(text)
    kept = [{key: getattr(result, key) for key in KEPT} for result in results]
    for line in kept:
        line["parameters"] = {name: without_folder(value) for name, value in line["parameters"].items()}
    with atomic_write(out / "results.json") as file:
        json.dump(kept, file, indent=1, ensure_ascii=False)
        file.write("\n")


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
    """Return the index of a batch; ``command`` makes the same batch again."""
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
        gains=[] if own else [(entry, rivals_picture(entry)) for _, entry in _recorded("gains", results)[:1]],
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
    """Sort arenas: the one with the k that the user's own table was published with comes first."""
    chosen = {figure for _, entry in own for what, figure, *_ in entry["rows"] if what == "k"}
    return sorted(arenas, key=lambda arena: arena[0].parameters.get("K") not in chosen)


def _missing(kind: str, results: Sequence[Result]) -> dict[str, list[str]]:
    """Return the sources that gave no table of this kind: those that are not in the batch, and those that are."""
    gave = {Path(result.notebook).stem for result, _ in _recorded(kind, results)}
    tried = {Path(result.notebook).stem for result in results}
    wanted = [name for name in SOURCES[kind] if name not in gave]
    return {
        "absent": [name for name in wanted if name not in tried],
        "silent": [name for name in wanted if name in tried],
    }


def _parts(results: Sequence[Result], sweeps: Sequence[Sweep]) -> list[tuple[str, list[tuple[Result, Sweep | None]]]]:
    """Return the runs under the parts of the course, in order; the runs of a sweep share one entry."""
    first = {sweep.results[0].name: sweep for sweep in sweeps}
    later = {result.name for sweep in sweeps for result in sweep.results[1:]}
    order = [*PARTS.values(), "More"]
    shown = sorted((result for result in results if result.name not in later), key=lambda one: order.index(_part(one)))
    return [(part, [(one, first.get(one.name)) for one in items]) for part, items in groupby(shown, key=_part)]


def _part(result: Result) -> str:
    return PARTS.get(Path(result.notebook).name[:1], "More")


def _machine() -> str:
    """Describe the machine so that a reader can judge the times, without revealing whose it was."""
    import joblib
    import psutil

    memory = psutil.virtual_memory().total / 2**30
    return f"{joblib.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()}"
