"""What a batch leaves beside its reports: ``index.html``, a page for every sweep, and ``results.json``."""

import json
from collections.abc import Sequence
from pathlib import Path

from anonnb.files.writing import atomic_write
from anonnb.reports.comparison import comparison_page, sweeps_of
from anonnb.reports.html import GLOSSARY, glossary_page
from anonnb.reports.index import index_page
from anonnb.reports.page import without_folder
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
