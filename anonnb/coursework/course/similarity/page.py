"""The report on similar submissions: one page that opens offline, and a table of all pairs.

It states what is alike and how alike two submissions of this class usually are. It gives no verdict: code may be alike
because a task leaves little room, because two people worked together as they were allowed to, or because of a book.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anonnb.core.templates import templates
from anonnb.coursework.course.sheets import write_sheet
from anonnb.coursework.course.similarity.comparison import ClassComparison, SimilarPair
from anonnb.coursework.course.similarity.fingerprints import LEAST_RUN, K
from anonnb.files.writing import atomic_write

TOP, MOST_RUNS = 20, 4
PAIRS = ("assignment", "student", "other_student", "similarity")


def write_similarity(
    comparisons: Sequence[ClassComparison], path: str | os.PathLike, top: int = TOP
) -> tuple[Path, Path]:
    """Write the page, and ``…-pairs.csv`` with all pairs that share anything."""
    path = Path(path)
    rows = [
        (found.assignment, names[one], names[other], f"{similarity:.4f}")
        for found in comparisons
        for names in [list(found.documents)]
        for (one, other), similarity in zip(found.places, found.similarities, strict=True)
        if similarity > 0
    ]
    table = write_sheet(path.with_name(f"{path.stem}-pairs.csv"), PAIRS, rows)
    with atomic_write(path, newline="\n") as file:
        file.write(similarity_page(comparisons, top))
    return path, table


def similarity_page(comparisons: Sequence[ClassComparison], top: int = TOP) -> str:
    """The page; everything that students wrote is text, not HTML."""
    environment = templates(Path(__file__).parent)
    environment.filters["percent"] = lambda share: f"{100 * share:.0f} %"
    sections = [_section(found, top) for found in comparisons]
    template = environment.get_template("similar.html")
    return template.render(sections=sections, k=K, run=LEAST_RUN, most_runs=MOST_RUNS) + "\n"


def _section(found: ClassComparison, top: int) -> dict:
    pairs = found.top(top)
    given = sorted(found.starter_shares.items(), key=lambda line: (-line[1], line[0]))
    return {
        "assignment": found.assignment,
        "submissions": len(found.documents),
        "pairs": len(found.similarities),
        "median": found.median,
        "high": found.quantile(0.99),
        "top": [(pair, _excerpts(pair, found)) for pair in pairs],
        "starter": [(name, share) for name, share in given if share >= 0.5],
        "empty": found.empty,
        "drawing": _drawing(found) if len(found.similarities) > 1 else None,
    }


def _excerpts(pair: SimilarPair, found: ClassComparison) -> list[tuple[str, str, int]]:
    one, other = found.documents[pair.one], found.documents[pair.other]
    return [
        (
            one.excerpt(run.first, run.first + run.length - 1),
            other.excerpt(run.second, run.second + run.length - 1),
            run.length,
        )
        for run in pair.runs[:MOST_RUNS]
    ]


def _drawing(found: ClassComparison):
    from matplotlib.ticker import FuncFormatter

    from anonnb.plots.style import BLUE, ORANGE, axes, beside, detached, finding
    from anonnb.reports.page import drawing

    values = 100 * found.similarities
    with detached():
        ax = axes(size=(6.4, 2.8))
        ax.hist(values, bins=np.arange(0, 101, 5), color=BLUE, edgecolor="white", log=True)
        ax.axvline(100 * found.median, color=ORANGE, linewidth=2, linestyle="--", label="median pair")
        ax.set(xlim=(0, 100), ylim=(0.7, None), xlabel="Similarity of a pair (%)", ylabel="Pairs (log scale)")
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else ""))
        beside(ax)
        half = f"Half of the {len(values):,} pairs are at most {100 * found.median:.0f} % alike"
        words = f"{half}, the most similar {values[0]:.0f} %"
        finding(ax, words)
    return drawing(ax.figure, f"Histogram of all pairs. {words}.")
