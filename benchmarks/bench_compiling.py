"""The first run on a new machine: seconds that numba takes to compile each kernel, and all kernels of a piece of work.

Each piece of work runs in a process of its own with an empty cache. Seconds are processor seconds: on a busy machine
wall seconds say little. A kernel counts with what it alone calls; a loop that several kernels call counts with the
first of them, as the others need not compile it again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from common import Bench, Record, main

KERNEL, WORK = 3.0, 10.0  # seconds wanted at most: for a kernel, and for all kernels of a piece of work

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
METHOD = "import anonnb; from anonnb.methods import {0}; {0}({1}).anonymize(anonnb.load('survey'))"
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
PIECES = {
    "rules: MLEM2, of unions, of a release, LERS": RULES,
    "pattern table and shallow attack": ATTACK.format("ShallowAttack"),
    "pattern table and deep attack": ATTACK.format("DeepAttack"),
    "Mondrian by loss": METHOD.format("Mondrian", "k=4, cut='loss'"),
    "Mondrian on a cluster": CLUSTER,
    "Forest": METHOD.format("Forest", "k=4"),
    "OKA": METHOD.format("OKA", "k=4"),
    "GCCG": METHOD.format("GCCG", "k=4"),
    "KACA": METHOD.format("KACA", "k=4"),
    "M3AR": METHOD.format("M3AR", "k=4"),
    "microaggregation": METHOD.format("Microaggregation", "k=4"),
}


def compiled_by(code: str) -> tuple[dict[str, float], int]:
    """The seconds of each kernel that a piece of work compiles, and how many loops these are, in an empty cache."""
    with tempfile.TemporaryDirectory(prefix="anonnb-cold-") as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, code], env=environment, capture_output=True, text=True, timeout=600
        )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    kernels, loops = json.loads(done.stdout.splitlines()[-1])
    return kernels, loops


def measure(bench: Bench) -> None:
    for name, code in bench.some(PIECES.items()):
        try:
            kernels, loops = compiled_by(code)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            bench.add(Record("limits", f"compiling: {name}", "empty cache", None, "anonnb", note=str(error)[:120]))
            continue
        for kernel, seconds in sorted(kernels.items(), key=lambda item: -item[1]):
            short = kernel.removeprefix("anonnb.")
            bench.add(_limit(f"compiling: {short}", seconds, KERNEL, f"at most; for {name}"))
        bench.add(_limit(f"compiling: {name}", sum(kernels.values()), WORK, f"at most; {loops} loops"))


def _limit(subject: str, seconds: float, most: float, note: str) -> Record:
    figures = {"cpu_seconds": seconds, "unit": "s", "demanded": most, "holds": seconds <= most}
    return Record("limits", subject, "empty cache", None, "anonnb", seconds=seconds, **figures, note=note)


if __name__ == "__main__":
    main(measure, __doc__)
