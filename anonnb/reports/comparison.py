"""The page that compares the runs of a sweep: a table of recorded figures, and a small curve for each of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anonnb.reports.overview import by_method
from anonnb.reports.page import Drawing, address, drawing, render, without_folder
from anonnb.reports.records import figures, tables
from anonnb.reports.results import Result
from anonnb.reports.runs import Run

MAX_PANELS, PANELS_IN_A_ROW = 12, 3


@dataclass(frozen=True)
class Sweep:
    """The results of one notebook over varied parameters; ``name`` is the name of the page that compares them."""

    name: str
    varied: tuple[str, ...]
    results: list[Result]

    @property
    def title(self) -> str:
        return f"{self.results[0].title}, over {' and '.join(self.varied)}"


def sweeps_of(runs: Sequence[Run], results: Sequence[Result]) -> list[Sweep]:
    """Return the sweeps among the runs of a batch."""
    sweeps: dict[str, Sweep] = {}
    for run, result in zip(runs, results, strict=True):
        if run.sweep:
            sweeps.setdefault(run.sweep, Sweep(run.sweep, run.varied, [])).results.append(result)
    return list(sweeps.values())


def comparison_page(sweep: Sweep) -> str:
    """Return a page with a line for each run and a column for each recorded figure, and the figures drawn as curves."""
    names = list(dict.fromkeys(name for result in sweep.results for name in figures(result.records)))
    rows = [
        [
            *(_value(result.parameters.get(key)) for key in sweep.varied),
            result.status,
            *(figures(result.records).get(name) for name in names),
        ]
        for result in sweep.results
    ]
    return render(
        "comparison.html",
        title=sweep.title,
        names=names,
        columns=[*sweep.varied, "state", *names],
        rows=rows,
        links=[address(result) for result in sweep.results],
        curves=_curves(sweep, names),
        methods=by_method(_arenas(sweep)),
    )


def _arenas(sweep: Sweep) -> dict[str, dict[str, Any]]:
    """Return the arena of each run that has one, by the parameters of the run."""
    found = [(result, entry) for result in sweep.results if result.ok for entry in tables(result.records, "arena")]
    return {
        ", ".join(f"{key} = {_value(result.parameters.get(key))}" for key in sweep.varied): entry
        for result, entry in found
    }


def _value(value: Any) -> Any:
    return value if _is_number(value) else str(without_folder(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _curves(sweep: Sweep, names: list[str]) -> Drawing | None:
    """Draw small multiples over the parameter with the most numbers; the others give the lines."""
    shown = [name for name in names if any(_is_number(result.records.get(name)) for result in sweep.results)]
    if not shown:
        return None
    from matplotlib.figure import Figure

    along = _axis(sweep)
    shown, left_out = shown[:MAX_PANELS], shown[MAX_PANELS:]
    columns = min(PANELS_IN_A_ROW, len(shown))
    lines = math.ceil(len(shown) / columns)
    figure = Figure(figsize=(3.6 * columns, 2.9 * lines + 0.3), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    for panel, name in zip(panels, shown, strict=False):
        _draw(panel, _lines(sweep, along, name))
        panel.set_title(name, fontsize=9)
        panel.set_xlabel(along)
    for panel in panels[len(shown) :]:
        panel.set_visible(False)
    handles, labels = panels[0].get_legend_handles_labels()
    if any(labels):
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), frameon=False)
    more = f" Not drawn: {', '.join(left_out)}." if left_out else ""
    return drawing(figure, f"Each recorded figure over {along}.{more}")


def _axis(sweep: Sweep) -> str:
    """Return the varied parameter that makes the best axis: numbers first, then the most values."""

    def merit(name: str) -> tuple[bool, int]:
        values = [result.parameters.get(name) for result in sweep.results]
        return all(map(_is_number, values)), len({repr(value) for value in values})

    return max(sweep.varied, key=merit)


def _lines(sweep: Sweep, along: str, name: str) -> Mapping[str, list[tuple[Any, float]]]:
    """Return the points of the line for every combination of the other parameters."""
    lines: dict[str, list[tuple[Any, float]]] = {}
    others = [key for key in sweep.varied if key != along]
    for result in sweep.results:
        height = result.records.get(name)
        if result.ok and height is not None and _is_number(height):
            values = [f"{_value(result.parameters.get(key))}" for key in others]
            lines.setdefault(", ".join(values), []).append((_value(result.parameters.get(along)), height))
    return lines


def _draw(panel: Any, lines: Mapping[str, list[tuple[Any, float]]]) -> None:
    from anonnb.plots.style import PALETTE, axes

    axes(panel)
    heights = {height for points in lines.values() for _, height in points}
    for index, (label, points) in enumerate(lines.items()):
        # Words have no order, so their points are not joined.
        ordered = all(_is_number(x) for x, _ in points)
        points = sorted(points) if ordered else points
        panel.plot(
            *zip(*points, strict=True),
            "-" if ordered else "",
            marker="o",
            color=PALETTE[index % len(PALETTE)],
            label=label,
        )
    if all(_is_number(x) for points in lines.values() for x, _ in points):
        panel.set_xticks(sorted({x for points in lines.values() for x, _ in points}))
    panel.locator_params(axis="y", nbins=4)
    if len(heights) == 1:
        panel.set_yticks(list(heights))
    panel.tick_params(labelsize=8)
