"""Run the experiments: ``python -m anonnb.experiments inuiguchi --size full --jobs 2``.

Every module of this package with a dictionary ``TABLES`` can be run, ``chase_experiment`` as ``chase``; a table becomes
``reports/results/chase_TABLE.csv``. A run that was stopped continues when the same command is given again. ``ledger``
writes ``reports/results/ledger.csv`` from these files; ``readings`` prints the grid of readings of the first paper;
``python -m anonnb.experiments rivals --table adult --method KACA --draw 3`` repeats one line of the stored standings.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
import time
import warnings
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from pathlib import Path

import pandas as pd

import anonnb.experiments
from anonnb.core.atomic_files import atomic_write
from anonnb.experiments import inuiguchi, ledger, rivals
from anonnb.experiments.results import RUNS, SIZES
from anonnb.tables.attribute import DefaultHierarchyWarning


def experiments() -> dict[str, dict]:
    """Find the tables of every experiment: a dictionary of functions for each module that has one."""
    names = [module.name for module in pkgutil.iter_modules(anonnb.experiments.__path__)]
    modules = {name: import_module(f"anonnb.experiments.{name}") for name in names if not name.startswith("_")}
    tables = {name: module.TABLES for name, module in modules.items() if hasattr(module, "TABLES")}
    return {name.removesuffix("_experiment"): functions for name, functions in tables.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tables asked for, write their results, print how long each took."""
    known = experiments()
    options = _parser(known).parse_args(arguments)
    if options.experiment == "readings":
        lines = inuiguchi.grid(inuiguchi.stored("readings"))
        print(
            inuiguchi.by_part(lines).to_string(index=False), inuiguchi.choices(lines).to_string(index=False), sep="\n\n"
        )
        return 0
    if options.experiment == "ledger":
        _write(options.results / "ledger.csv", ledger.ledger())
        return 0
    if options.method:
        return _repeat(options)
    tables = known[options.experiment]
    unknown = [name for name in options.tables if name not in tables]
    if unknown:
        print(f"there is no table {unknown[0]!r} in {options.experiment}; choose from {', '.join(tables)}")
        return 2
    for name in options.tables or tables:
        start = time.perf_counter()
        frame = tables[name](options.size, jobs=options.jobs, cache_folder=options.cache, seed=options.seed)
        _write(options.results / f"{options.experiment}_{name}.csv", frame, f" in {time.perf_counter() - start:.0f} s")
    return 0


def _write(path: Path, frame: pd.DataFrame, took: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        frame.to_csv(file, index=False, float_format="%.4f", lineterminator="\n")
    _write_date(path.with_name(RUNS), path.name)
    print(f"{path}: {len(frame)} lines{took}", flush=True)


def _write_date(path: Path, name: str) -> None:
    """Write down that a result was computed today."""
    dates = pd.read_csv(path, index_col="file") if path.exists() else pd.DataFrame({"date": []}, dtype=str)
    dates.loc[name, "date"] = f"{date.today()}"
    with atomic_write(path) as file:
        dates.rename_axis("file").sort_index().to_csv(file, lineterminator="\n")


def _repeat(options: argparse.Namespace) -> int:
    """Compute the figures of one method on one table again, and print them beside the stored ones."""
    known = {"--table": (options.table, rivals.DATA["full"]), "--method": (options.method, [*rivals.entrants()])}
    for option, (name, names) in known.items():
        if name not in names:
            print(f"there is no {name!r} for {option}; choose from {'; '.join(names)}")
            return 2
    if options.draw is not None and not 1 <= options.draw <= rivals.DRAWS["full"]:
        print(f"--draw is {options.draw}; the stored run has the draws 1 to {rivals.DRAWS['full']}")
        return 2
    warnings.simplefilter("ignore", DefaultHierarchyWarning)  # the stored run used the same ones
    print(rivals.repeat(options.table, options.method, options.draw).to_string(index=False))
    return 0


def _parser(known: dict[str, dict]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m anonnb.experiments", description="Run the tables of a paper.")
    parser.add_argument("experiment", choices=sorted([*known, "ledger", "readings"]))
    parser.add_argument("tables", nargs="*", help="which tables (all of them by default)")
    parser.add_argument("--table", default="adult", help="with --method: the table")
    parser.add_argument("--method", help="rivals only: repeat the stored lines of one method")
    parser.add_argument("--draw", type=int, help="with --method: one draw of the people instead of all")
    parser.add_argument("--size", choices=SIZES, default="quick")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, default=Path("reports/results"), help="folder of the csv files")
    parser.add_argument("--cache", type=Path, default=Path("reports/cache"), help="folder of finished tasks")
    return parser


if __name__ == "__main__":
    sys.exit(main())
