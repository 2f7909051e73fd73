"""What a batch leaves beside its reports: ``index.html``, a page for every sweep, and ``results.json``."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anonnb.files import atomic_write
from anonnb.reports.runs import Run
from anonnb.reports.worker import Result

KEPT = ("name", "title", "parameters", "status", "records", "versions")


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
    """The sweeps among the runs of a batch."""
    found: dict[str, Sweep] = {}
    for run, result in zip(runs, results, strict=True):
        if run.sweep:
            found.setdefault(run.sweep, Sweep(run.sweep, run.varied, [])).results.append(result)
    return list(found.values())


def write_summary(out: Path, runs: Sequence[Run], results: Sequence[Result], command: str = "") -> None:
    """Write the pages that stand for the batch as a whole, and its recorded figures."""
    from anonnb.reports.comparison import comparison_page
    from anonnb.reports.index import index_page
    from anonnb.reports.page import without_folder

    sweeps = sweeps_of(runs, results)
    pages = {sweep.name: comparison_page(sweep) for sweep in sweeps}
    pages["index"] = index_page(results, sweeps, command)
    for name, text in pages.items():
        with atomic_write(out / f"{name}.html") as file:
            file.write(text)
    kept = [{key: getattr(result, key) for key in KEPT} for result in results]
    for line in kept:
        line["parameters"] = {name: without_folder(value) for name, value in line["parameters"].items()}
    with atomic_write(out / "results.json") as file:
        json.dump(kept, file, indent=1, ensure_ascii=False)
        file.write("\n")
