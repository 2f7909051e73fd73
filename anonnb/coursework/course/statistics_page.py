"""The page about a class: one file that opens offline, with pictures whose titles say what is to be seen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anonnb.core.templates import templates
from anonnb.coursework.course.sheets import shown_number, write_sheet
from anonnb.coursework.course.statistics import FEWEST, WEAK, ClassResults, TaskResult
from anonnb.files.writing import atomic_write

TASKS = ("assignment", "task", "kind", "max", "students", "success", "all_points", "no_points", "discrimination")


def write_statistics(results: Sequence[ClassResults], path: str | os.PathLike) -> tuple[Path, Path]:
    """Write the page, and ``…-tasks.csv`` with a line per task."""
    path = Path(path)
    rows = [
        (
            *(one.assignment, task.task, task.kind, shown_number(task.most), str(len(one.totals))),
            *(f"{task.success:.3f}", f"{task.full:.3f}", f"{task.none:.3f}"),
            "" if task.discrimination is None else f"{task.discrimination:.3f}",
        )
        for one in results
        for task in one.tasks
    ]
    table = write_sheet(path.with_name(f"{path.stem}-tasks.csv"), TASKS, rows)
    with atomic_write(path, newline="\n") as file:
        file.write(statistics_page(results))
    return path, table


def statistics_page(results: Sequence[ClassResults]) -> str:
    """The page; everything that comes from files is text, not HTML."""
    from anonnb.reports.page import as_percent, drawing, readable

    environment = templates(Path(__file__))
    environment.filters |= {"percent": as_percent, "readable": readable, "points": shown_number}
    sections = []
    for one in results:
        spread, tasks = draw_spread(one), draw_tasks(one)
        pictures = [drawing(spread.figure, said_of_spread(one)), drawing(tasks.figure, said_of_tasks(one))]
        sections.append((one, pictures))
    return environment.get_template("statistics.html").render(sections=sections, weak=WEAK, fewest=FEWEST) + "\n"


def said_of_spread(one: ClassResults) -> str:
    """The finding of the first picture."""
    count, most = len(one.totals), shown_number(one.most)
    if count == 1:
        return f"The only submission has {shown_number(one.median)} of {most} points"
    return f"Half of the {count} students have at least {shown_number(one.median)} of {most} points"


def said_of_tasks(one: ClassResults) -> str:
    """The finding of the second picture."""
    hardest = one.hardest
    said = f"The hardest task is {hardest.task}: {100 * hardest.success:.0f} % of its points on average"
    if one.weak:
        names = ", ".join(task.task for task in one.weak[:3]) + (" and others" if len(one.weak) > 3 else "")
        return f"{said}; {names} hardly tell{'s' if len(one.weak) == 1 else ''} strong from weak work"
    known = [task for task in one.tasks if task.discrimination is not None]
    return f"{said}; every task tells strong from weak work" if len(known) == len(one.tasks) else said


def draw_spread(one: ClassResults):
    """How many students have how many points, in ten equal steps."""
    from anonnb.plots.style import BLUE, ORANGE, axes, beside, detached, finding

    with detached():
        ax = axes(size=(6.4, 2.8))
        ax.hist(one.totals, bins=np.linspace(0, one.most, 11), color=BLUE, edgecolor="white")
        ax.axvline(one.median, color=ORANGE, linewidth=2, linestyle="--", label="median")
        ax.set(xlim=(0, one.most), xlabel="Points", ylabel="Students")
        ax.yaxis.get_major_locator().set_params(integer=True)
        beside(ax)
        finding(ax, said_of_spread(one))
    return ax


def draw_tasks(one: ClassResults):
    """Success and discrimination of every task, the hardest on top."""
    from anonnb.plots.parts.texts import fitted
    from anonnb.plots.style import BLUE, GREEN, INK, detached, panels

    tasks = sorted(one.tasks, key=lambda task: (-task.success, task.task))
    places = np.arange(len(tasks))
    with detached():
        left, right = panels(1, 2, size=(7.0, 1.5 + 0.34 * len(tasks)), sharey=True, width_ratios=[3, 2])
        left.barh(places, [100 * task.success for task in tasks], color=BLUE)
        left.set_yticks(places, [fitted(task.task, 2.0) for task in tasks])
        left.set(xlim=(0, 100), xlabel="Points on average (% of the task's)")
        _draw_discrimination(right, tasks, GREEN, INK)
        for ax in (left, right):
            ax.grid(visible=False, axis="y")
        left.figure.suptitle(fitted(said_of_tasks(one), 6.6, 10.0, bold=True, most=300), fontsize=10, fontweight="bold")
    return left


def _draw_discrimination(ax, tasks: Sequence[TaskResult], colour: str, ink: str) -> None:
    known = [(place, task.discrimination) for place, task in enumerate(tasks) if task.discrimination is not None]
    for place, value in known:
        ax.plot([0, value], [place, place], color=colour, linewidth=1.5)
        ax.plot(value, place, marker="o" if value >= WEAK else "X", color=colour, markersize=7)
    unknown = [place for place, task in enumerate(tasks) if task.discrimination is None]
    for place in unknown:
        ax.annotate("not known", (0, place), (4, 0), textcoords="offset points", va="center", fontsize=8.5)
    ax.axvline(0, color=ink, linewidth=0.8)
    ax.axvline(WEAK, color=ink, linewidth=0.8, linestyle=":")
    lowest = min([0.0, *(value for _, value in known)])
    ax.set(xlim=(-1 if lowest < -0.2 else -0.25, 1.05), xlabel=f"Discrimination (✕: below {WEAK:g})")
