"""The first run on a new machine: seconds that numba takes to compile each kernel, and all kernels of a piece of work.

Each piece of work, and each notebook, runs in a process of its own with an empty cache. Seconds are processor seconds:
on a busy machine wall seconds say little. A kernel counts with what it alone calls; a loop that several kernels call
counts with the first of them, as the others need not compile it again. A notebook counts with its imports, by
the median of its runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from statistics import median

from common import HERE, Bench, Record, main

KERNEL, WORK, NOTEBOOK = 3.0, 10.0, 12.0  # seconds wanted at most: a kernel, all kernels of a piece of work, a notebook
RUNS = 3  # of a notebook, of which the median counts: one run may take a fifth more than the next
NOTEBOOKS = ("04", "05", "06", "16", "31")  # those that compile most

WATCHED = """
import json, sys, time
from numba.core import event

class Watch(event.Listener):
    depth, kernels, loops, began = 0, {}, 0, 0.0
    def on_start(self, _):
        if self.depth == 0:
            self.began = time.process_time()
        self.depth += 1
    def on_end(self, told):
        self.depth -= 1
        self.loops += 1
        if self.depth == 0:
            loop = told.data["dispatcher"].py_func
            name = f"{loop.__module__}.{loop.__name__}"
            self.kernels[name] = self.kernels.get(name, 0.0) + time.process_time() - self.began

watch = Watch()
event.register("numba:compile", watch)
exec(sys.argv[1])
print(json.dumps([watch.kernels, watch.loops]))
"""

RULES = """
import anonnb
from anonnb.methods import Mondrian
from anonnb.rules import LERS, imprecise_rules, mlem2, rules_from_release
table = anonnb.load("hayes-roth")
mlem2(anonnb.load("iris")), imprecise_rules(table, 2), rules_from_release(Mondrian(k=5).anonymize(table))
LERS().fit(table).score(table)
"""
METHOD = """
import anonnb
from anonnb.methods import {0}
{0}({1}).anonymize(anonnb.load("adult").take(range(6_000)))  # small tables need nothing compiled in some methods
"""
ATTACK = """
import anonnb
from anonnb.attacks import {0}
from anonnb.methods import PatternTable
table = anonnb.load("hayes-roth")
{0}(known=2).run(PatternTable(k=3).anonymize(table), table)
"""
CLUSTER = """
import anonnb, dask.dataframe as dd
from anonnb import Table, cluster
from anonnb.methods import Mondrian
table = anonnb.load("survey")
with cluster.local(workers=1, processes=False):
    parts = dd.from_pandas(table.frame, npartitions=2)
    Mondrian(k=4).anonymize(Table.from_dask(parts, quasi=table.quasi, region_rows=20))
"""
OPTIMUM = """
import anonnb
from anonnb import optimum
optimum.best(anonnb.load("adult").take(range(60)).with_roles(quasi=["age", "education", "sex"]), 3)
"""
EXECUTED = """
import resource, sys
import nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=600, resources={"metadata": {"path": sys.argv[2]}}).execute()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""
PIECES = {
    "rules: MLEM2, of unions, of a release, LERS": RULES,
    "pattern table and shallow attack": ATTACK.format("ShallowAttack"),
    "pattern table and deep attack": ATTACK.format("DeepAttack"),
    "Mondrian by loss": METHOD.format("Mondrian", "k=4, cut='loss'"),
    "Mondrian by loss, polished": METHOD.format("Mondrian", "k=4, cut='loss', polish=True"),
    "Mondrian on a cluster": CLUSTER,
    "exact optimum": OPTIMUM,
    "Forest": METHOD.format("Forest", "k=4"),
    "OKA": METHOD.format("OKA", "k=4"),
    "GCCG": METHOD.format("GCCG", "k=4"),
    "KACA": METHOD.format("KACA", "k=4"),
    "M3AR": METHOD.format("M3AR", "k=4"),
    "microaggregation": METHOD.format("Microaggregation", "k=4"),
}


def in_an_empty_cache(*command: str) -> str:
    """The last line that Python prints."""
    with tempfile.TemporaryDirectory(prefix="anonnb-cold-") as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache, "ANONNB_BATCH": "1"}
        done = subprocess.run(
            [sys.executable, "-c", *command], env=environment, capture_output=True, text=True, timeout=600
        )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return done.stdout.splitlines()[-1]


def measure(bench: Bench) -> None:
    every, works, books = [], [], []
    for name, code in bench.some(PIECES.items()):
        try:
            kernels, loops = json.loads(in_an_empty_cache(WATCHED, code))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            bench.add(Record("limits", f"compiling: {name}", "empty cache", None, "anonnb", note=str(error)[:120]))
            continue
        for kernel, seconds in sorted(kernels.items(), key=lambda item: -item[1]):
            short = kernel.removeprefix("anonnb.")
            bench.add(_limit(f"compiling: {short}", seconds, KERNEL, f"at most; for {name}"))
        bench.add(_limit(f"compiling: {name}", sum(kernels.values()), WORK, f"at most; {loops} loops"))
        every += kernels.values()
        works.append(sum(kernels.values()))
    for number in bench.some(NOTEBOOKS):
        (path,) = (HERE.parent / "notebooks").glob(f"{number}_*.ipynb")
        try:
            runs = [float(in_an_empty_cache(EXECUTED, str(path), str(path.parent))) for _ in bench.some(range(RUNS))]
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            bench.add(Record("limits", f"notebook {number}", "empty cache", None, "anonnb", note=str(error)[:120]))
            continue
        books.append(median(runs))
        bench.add(_limit(f"notebook {number}", books[-1], NOTEBOOK, f"at most, with its imports; {spread(runs)}"))
    for figures, most, name in ((every, KERNEL, "kernel"), (works, WORK, "work"), (books, NOTEBOOK, "notebook")):
        if figures:
            unit = "s of all kernels" if name == "work" else f"s of the slowest {name}"
            record = _limit("first run", max(figures), most, "at most")
            bench.add(replace(record, data="new machine", unit=unit, quality_name=unit, quality=max(figures)))


def spread(runs: list[float]) -> str:
    """How far the runs are apart of which the median counts."""
    return f"{len(runs)} runs from {min(runs):.1f} to {max(runs):.1f}"


def _limit(subject: str, seconds: float, most: float, note: str) -> Record:
    figures = {"cpu_seconds": seconds, "unit": "s", "demanded": most, "holds": seconds <= most}
    return Record("limits", subject, "empty cache", None, "anonnb", seconds=seconds, **figures, note=note)


if __name__ == "__main__":
    main(measure, __doc__)
