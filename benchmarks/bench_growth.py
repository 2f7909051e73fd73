"""How every method, attack, measure and inducer grows, on Adult with further values and combinations.

Processor seconds, two lines at a time where there are two cores: an exponent is a slope, which a busy neighbour moves
little. ``growing.py`` says what is timed, ``anonnb/experiments/benchmarks/promises.csv`` what is promised.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import growing
from common import HERE, LEFT_OUT, THREADS, Bench, Record, main
from tables import adult, grown

DATA = "Adult, grown"
WORKERS = 2
PATIENCE = 25.0  # wall seconds for one size, with its preparation
QUICK = (300, 1_000)
NEW_VALUES = 0.05  # share of the cells of three columns that get a finer value


@dataclass
class Worker:
    """A process that times some lines, and the file in which it writes what it finds."""

    folder: Path
    sizes: tuple[int, ...]
    numbers: list[int]
    output: Path
    events: list[dict] = field(default_factory=list)
    process: subprocess.Popen | None = None
    seen: float = 0.0

    def start(self) -> None:
        told = {"folder": str(self.folder), "sizes": self.sizes, "numbers": self.numbers, "output": str(self.output)}
        silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = os.environ | dict.fromkeys(THREADS, "1")
        command = [sys.executable, str(HERE / "growing.py"), json.dumps(told)]
        self.process = subprocess.Popen(command, env=environment, start_new_session=True, **silent)
        self.seen = time.monotonic()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def news(self) -> list[dict]:
        """The events that were written since the last time; whole lines only."""
        text = self.output.read_text(encoding="utf-8") if self.output.exists() else ""
        whole = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
        fresh, self.events = whole[len(self.events) :], whole
        self.seen = time.monotonic() if fresh else self.seen
        return fresh

    def watched(self) -> list[dict]:
        """The news; a line that is stuck or whose process died is given up, and the others go on in a new process."""
        over = self.process.poll() is not None
        fresh = self.news()
        done = {event["line"] for event in self.events if "end" in event}
        left = [number for number in self.numbers if number not in done]
        stuck = time.monotonic() - self.seen > PATIENCE
        if not left or not (over or stuck):
            self.numbers = left
            return fresh
        self.stop()
        last = self.events[-1] if self.events else {}
        number = last["line"] if last.get("line") in left else left[0]
        why = f"stopped after {PATIENCE:g} s" if stuck else "failed: its process ended (out of memory?)"
        given_up = [
            {"line": number, "rows": last.get("rows", self.sizes[0]), "note": why},
            {"line": number, "end": True},
        ]
        with self.output.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(event) + "\n" for event in given_up)
        self.numbers = [one for one in left if one != number]
        fresh += self.news()
        if self.numbers:
            self.start()
        return fresh


def write_tables(folder: Path, sizes: tuple[int, ...]) -> list[Record]:
    """A file for each size, drawn anew, so that a larger one has values that a smaller one lacks; what each holds."""
    from anonnb.core.arrays import group_ids

    source, records = adult(), []
    for rows in sizes:
        table = grown(source, rows, new_values=NEW_VALUES)
        with (folder / f"{rows}.pickle").open("wb") as file:
            pickle.dump(table, file)
        values = sum(table.attributes[name].size for name in table.quasi)
        _, combinations = group_ids([table.codes(name) for name in table.quasi])
        told = {"quality_name": "combinations", "quality": combinations, "note": f"values {values:,}"}
        records.append(Record("tables", "the grown table", DATA, rows, "anonnb", **told))
    return records


def records_of(event: dict, line: growing.Line) -> list[Record]:
    if "cpu" not in event and "note" not in event:
        return []
    took = {"seconds": event.get("wall"), "cpu_seconds": event.get("cpu"), "note": event.get("note", "")}
    return [Record("growth", str(line), DATA, event["rows"], "anonnb", **took)]


def measure(bench: Bench) -> None:
    sizes = QUICK if bench.quick else growing.SIZES
    known = growing.lines()
    chosen = list(range(len(known)))[:: 12 if bench.quick else 1]
    with tempfile.TemporaryDirectory(prefix="anonnb-bench-") as name:
        folder = Path(name)
        for record in write_tables(folder, sizes):
            bench.add(record)
        workers = [Worker(folder, sizes, chosen[place::WORKERS], folder / f"{place}.jsonl") for place in range(WORKERS)]
        try:
            for worker in workers:
                worker.start()
            while any(worker.numbers for worker in workers) and time.monotonic() < bench.end:
                for worker in [one for one in workers if one.numbers]:
                    for event in worker.watched():
                        for record in records_of(event, known[event["line"]]):
                            bench.add(record)
                time.sleep(0.1)
        finally:
            for worker in workers:
                worker.stop()
    for line in [known[number] for worker in workers for number in worker.numbers]:
        bench.add(Record("growth", str(line), DATA, None, "anonnb", note=LEFT_OUT))


if __name__ == "__main__":
    main(measure, __doc__)
