"""How every method, attack, measure and inducer grows, on Adult with further values and combinations.

Processor seconds, two lines at a time where there are two cores: an exponent is a slope, which a busy neighbour moves
little. ``growing.py`` says what is timed, ``anonnb/experiments/benchmark_promises.csv`` what is promised. Each line has
a process of its own, so what hangs or dies loses only itself, and keeps the sizes that it has measured.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import growing
from common import HERE, LEFT_OUT, SILENT, THREADS, Bench, Record
from tables import adult, grown

DATA, WORKERS = "Adult, grown", 2
PATIENCE = 90.0  # wall seconds for one line, with its preparation
QUICK = (300, 1_000)
NEW_VALUES = 0.05  # share of the cells of three columns that get a finer value


def events_of(number: int, folder: Path, sizes: tuple[int, ...]) -> list[dict]:
    """Time a line in a process of its own; what was measured before it hung or died is kept, with a note."""
    output = folder / f"{number}.jsonl"
    given = {"folder": str(folder), "sizes": sizes, "number": number, "output": str(output)}
    environment, why = os.environ | dict.fromkeys(THREADS, "1"), ""
    try:
        command = [sys.executable, str(HERE / "growing.py"), json.dumps(given)]
        if subprocess.run(command, env=environment, timeout=PATIENCE, **SILENT).returncode:
            why = "failed: its process ended (out of memory?)"
    except subprocess.TimeoutExpired:
        why = f"stopped after {PATIENCE:g} s"
    text = output.read_text(encoding="utf-8") if output.exists() else ""
    events = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    return [*events, {"rows": events[-1]["rows"] if events else sizes[0], "note": why}] if why else events


def write_tables(folder: Path, sizes: tuple[int, ...]) -> list[Record]:
    """Write a file for each size, drawn anew, so that a larger one has values that a smaller one lacks."""
    from anonnb.core.arrays import group_ids

    source, records = adult(), []
    for rows in sizes:
        table = grown(source, rows, new_values=NEW_VALUES)
        (folder / f"{rows}.pickle").write_bytes(pickle.dumps(table))
        values = sum(table.attributes[name].size for name in table.quasi)
        _, combinations = group_ids([table.codes(name) for name in table.quasi])
        facts = {"quality_name": "combinations", "quality": combinations, "note": f"values {values:,}"}
        records.append(Record("tables", "the grown table", DATA, rows, "anonnb", **facts))
    return records


def measure(bench: Bench) -> None:
    sizes, lines = QUICK if bench.quick else growing.SIZES, growing.lines()
    with tempfile.TemporaryDirectory(prefix="anonnb-bench-") as name, ThreadPoolExecutor(WORKERS) as pool:
        folder = Path(name)
        for record in write_tables(folder, sizes):
            bench.add(record)

        def timed(number: int) -> list[dict]:
            late = time.monotonic() > bench.end
            return [{"rows": None, "note": LEFT_OUT}] if late else events_of(number, folder, sizes)

        numbers = range(0, len(lines), 12 if bench.quick else 1)
        for number, events in zip(numbers, pool.map(timed, numbers), strict=True):
            for event in [event for event in events if "cpu" in event or "note" in event]:
                took = {"seconds": event.get("wall"), "cpu_seconds": event.get("cpu"), "note": event.get("note", "")}
                bench.add(Record("growth", str(lines[number]), DATA, event["rows"], "anonnb", **took))
