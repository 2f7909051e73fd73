"""The page that stands for a batch: what failed, the arena, the papers beside us, then every notebook by part.

A batch about one's own table begins with what was published of all its rows; a sample never stands for it, and papers
are left out. Nothing here is computed anew or remembered: all figures are what this batch's notebooks have recorded,
and what is missing is named.
"""

import platform
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from anonnb.reports.catalogue import PARTS
from anonnb.reports.comparison import Sweep
from anonnb.reports.page import Drawing, drawing, render
from anonnb.reports.records import tables
from anonnb.reports.results import Result

OWN = "own table"  # what a notebook records of a table that somebody brought: figures of all its rows
TITLE = "Anonymization, attacks and measures: a report"
# Who records what the summary shows; one that is not in the batch is named instead.
SOURCES = {
    "arena": ("45_arena",),
    "reproduction": (
        "40_imprecise_rules_experiment",
        "41_migration_experiment",
        "42_three_routes",
        "43_tree_preserving_experiment",
        "44_chase_experiment",
    ),
}
# Below this share of true cells a method is not compared by its loss: a borrowed value looks like no loss.
TRUTHFUL = 0.9995


def index_page(results: Iterable[Result], sweeps: Sequence[Sweep] = (), command: str = "") -> str:
    """The index of a batch; ``command`` is what makes the same batch again."""
    results = list(results)
    own = _recorded(OWN, results)
    arenas = _chosen_first(_recorded("arena", results), own)
    return render(
        "index.html",
        title=f"{own[0][1]['caption']}: a report" if own else TITLE,
        own=own,
        date=f"{datetime.now():%d %B %Y, %H:%M}".lstrip("0"),
        results=results,
        amount=_amount(results),
        failed=[result for result in results if not result.ok],
        arenas=arenas,
        arena_figures=_arena_figures(arenas[0][1]) if arenas else [],
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


_ARENA_TEXTS = ("method", "kind", "name")  # columns of an arena's table that are not numbers


def _arena_figures(entry: dict[str, Any]) -> list[Drawing]:
    """The heat map of all attacks and, where it can be drawn, detail lost against linkage."""
    import pandas as pd
    from matplotlib.figure import Figure

    from anonnb.plots.arena import attack_heat_map, loss_against_risk

    frame = pd.DataFrame(entry["rows"], columns=entry["columns"])
    frame = frame.assign(**{name: pd.to_numeric(frame[name]) for name in frame.columns if name not in _ARENA_TEXTS})
    attacked = frame[frame["kind"] == "attack"].dropna(subset="value")
    lines = len(attacked[["method", "k", "seed"]].drop_duplicates())
    heat = Figure(figsize=(2.6 + 0.9 * attacked["name"].nunique(), 1.3 + 0.26 * lines), layout="constrained")
    attack_heat_map(attacked, ax=heat.subplots())
    shown = [drawing(heat, "What each attack is worth, in percent; blank where an attack does not apply.")]
    truth = frame[frame["name"] == "truthfulness"].set_index("method")["value"]
    truthful = frame[frame["method"].isin(truth.index[truth >= TRUTHFUL])]
    if {"NCP", "LinkageAttack"} <= set(truthful["name"]):
        front = Figure(figsize=(6.4, 4.8), layout="constrained")
        loss_against_risk(truthful, ax=front.subplots()).legend(frameon=False, loc="upper right")
        caption = (
            "Detail lost against linkage: left is useful, down is safe; nobody beats the Pareto front in both. "
            "Methods that publish values that are not true are left out."
        )
        shown.append(drawing(front, caption))
    return shown


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
    """What a reader needs to judge the times; nothing that tells whose machine it was."""
    import joblib
    import psutil

    memory = psutil.virtual_memory().total / 2**30
    return f"{joblib.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()}"
