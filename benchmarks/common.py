"""The harness of all benchmarks: one tidy record per measurement, each measured in a process of its own.

A script ``bench_SUBJECT.py`` has *job functions* and one function ``measure(bench)``; ``run.py`` finds it by its name:

    def mondrian(k):                      # runs in the new process: prepare the data, return what is to be timed
        table = load("adult")
        return Work(lambda: Mondrian(k).anonymize(table), lambda made: {"classes": made.n_groups}, rows=len(table))

    def measure(bench):
        bench.compare("Mondrian, k = 10", "Adult", [Call("anonnb", mondrian, k=10), Call("anonypy", by_anonypy, k=10)])
        bench.scale("Mondrian, k = 10", "Adult, grown", grown_mondrian, k=10)   # called with rows=10_000, …
        bench.profile("Mondrian, k = 10", "Adult", Call("anonnb", mondrian, k=10))
        bench.demand("Mondrian, k = 10", "Adult", Call("anonnb", mondrian, k=10), s=0.1, MB=2000, least={"classes": 9})

Job functions stand at the top of their module, and their arguments are plain values. Times are wall seconds, the best
of up to five runs, on one thread; the memory is the peak of the whole process. The first call of a comparison is the
base of the ratios. A call that its time limit stops gets the limit as its seconds, ``at_least`` = True, and so a ratio
that is a lower bound. A call whose library lives in another environment has ``peer="anjana"`` (see ``peers/``): its
job gets ``folder``, ``give(folder)`` writes the data there before, and ``judge(folder)`` makes the quality out of what
the job left there; both run in the parent, with anonnb.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import pandas as pd
from child import Work, in_one_line
from growing import expected_next

__all__ = ["Bench", "Call", "Record", "Work"]

HERE = Path(__file__).resolve().parent
SIZES = (10_000, 100_000, 1_000_000)
LIMIT, PREPARING = 120.0, 300.0  # seconds for the work, and for imports and data before it
PEER_LIMIT = 25.0  # seconds for the work of another library: beyond it a ratio is a lower bound
JUDGING = 60.0  # seconds beyond the limit for further runs and for the quality of the result
LEFT_OUT = "left out: the time of the whole run was over"
REPEATS = 5  # runs at most; the best one counts
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
SILENT = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@dataclass(frozen=True)
class Record:
    """One line of the results; what does not apply is None."""

    section: str  # peers, scaling, growth, tables, bandwidth, profile, limits or estimates
    subject: str
    data: str
    rows: int | None
    who: str
    seconds: float | None = None
    cpu_seconds: float | None = None
    at_least: bool = False  # stopped by the time limit: seconds and ratio are lower bounds
    ratio: float | None = None
    peak_mb: float | None = None
    quality_name: str | None = None
    quality: float | None = None
    demanded: float | None = None
    unit: str | None = None
    holds: bool | None = None
    note: str = ""


COLUMNS = [field.name for field in fields(Record)]


class Call:
    """A job function with its arguments: ``Call("anonypy", by_anonypy, k=10)``; ``who`` is the library's name."""

    def __init__(self, who: str, job: Callable, *, peer=None, give=None, judge=None, limit=None, note="", **arguments):
        self.who, self.job, self.arguments = who, job, arguments
        self.peer, self.give, self.judge, self.limit, self.note = peer, give, judge, limit, note

    def task(self, kind: str, repeats: int, folder: str) -> dict:
        """Write down what the child needs to know."""
        path = Path(inspect.getfile(self.job)).resolve()
        wants_folder = "folder" in inspect.signature(self.job).parameters
        return {
            "kind": kind,
            "repeats": repeats,
            "folder": str(path.parent),
            "module": path.stem,
            "function": self.job.__name__,
            "arguments": {"folder": folder, **self.arguments} if wants_folder else self.arguments,
            "package": self.who.replace(",", " ").split()[0],
        }


def answer_of(call: Call, limit: float, kind: str = "timed", *, repeats=REPEATS, preparing=PREPARING) -> dict:
    """Run a call in a process of its own: the child's answer, ``{"error": …}``, or ``{"stopped": seconds}``."""
    with tempfile.TemporaryDirectory(prefix="anonnb-bench-") as name:
        folder = Path(name)
        (folder / "task.json").write_text(json.dumps(call.task(kind, repeats, name)), encoding="utf-8")
        try:
            python = _python(call.peer)
        except RuntimeError as reason:
            return {"error": str(reason)}
        if call.give:
            call.give(folder)
        stopped = _watched([str(python), str(HERE / "child.py"), name], folder / "started", limit, preparing)
        if stopped is not None:
            return stopped
        if not (folder / "answer.json").exists():
            return {"error": "failed: the process ended without an answer (out of memory?)"}
        answer = _read(folder / "answer.json")
        if call.judge and "error" not in answer:
            try:
                answer["quality"] = {name: float(value) for name, value in call.judge(folder).items()}
            except Exception as error:  # what a peer left behind may be anything
                return {"error": f"ran, but its result cannot be judged: {in_one_line(error)}"}
        return answer


def _python(peer: str | None) -> Path:
    if peer is None:
        return Path(sys.executable)
    from peers import environment

    return environment.python_of(peer)


def _watched(command: list[str], started: Path, limit: float, preparing: float) -> dict | None:
    """Wait for a process; kill it and what it started when its work, or what comes before or after, takes too long."""
    finished = started.with_name("finished")
    environment = os.environ | dict.fromkeys(THREADS, "1")
    process = subprocess.Popen(command, env=environment, start_new_session=True, **SILENT)
    born = time.time()
    try:
        while process.poll() is None:
            time.sleep(0.02)
            working = started.stat().st_mtime if started.exists() else None
            if finished.exists():
                if time.time() - finished.stat().st_mtime > limit + JUDGING:
                    return _read(started) | _read(finished) | {"quality": {}}
            elif working is not None and time.time() - working > limit:
                return {"stopped": limit, **_read(started)}
            if working is None and time.time() - born > preparing:
                return {"error": f"stopped after {preparing:g} s, before its work began"}
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return None


def _read(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


class Bench:
    """Collects the records of a run and prints each; after ``end``, of ``time.monotonic()``, nothing begins."""

    def __init__(self, *, quick: bool = False, limit: float | None = None, sizes=(), end: float = math.inf):
        self.quick, self.end = quick, end
        self.limit = limit or (10.0 if quick else LIMIT)
        self.peer_limit = min(self.limit, PEER_LIMIT)
        self.sizes = tuple(sizes or ((1_000, 3_000) if quick else SIZES))
        self.records: list[Record] = []

    def size(self, rows: int, quick: int = 2_000) -> int:
        """Give ``rows``, or fewer in a quick run."""
        return min(rows, quick) if self.quick else rows

    def some(self, items: Iterable) -> list:
        """Give all items, or only the first one in a quick run."""
        return list(items)[: 1 if self.quick else None]

    def compare(self, subject: str, data: str, calls: Sequence[Call]) -> list[Record]:
        """Measure the calls one after the other; the first one is the base of the ratios."""
        records: list[Record] = []
        for call in calls:
            record = self._record("peers", subject, data, call)
            records.append(self.add(with_ratio(record, records[0] if records else record)))
        return records

    def scale(self, subject: str, data: str, job: Callable[..., Work], sizes=None, **arguments) -> list[Record]:
        """Measure ``job(rows=…)`` at growing sizes; a size that would pass the limit ends the series, with a note."""
        done: list[Record] = []
        for rows in self.sizes if sizes is None or self.quick else sizes:
            expected = expected_next([(one.rows, one.seconds) for one in done], rows)
            if expected > self.limit:
                note = f"left out: about {expected:.0f} s expected, the limit is {self.limit:g} s"
                self.add(Record("scaling", subject, data, rows, "anonnb", note=note))
                break
            record = self._record("scaling", subject, data, Call("anonnb", job, rows=rows, **arguments))
            done.append(self.add(replace(record, rows=rows)))
            if record.seconds is None or record.at_least:
                break
        return done

    def rate(self, subject: str, data: str, call: Call) -> Record:
        """Measure a pass over data; its quality is what it makes of the machine's speed."""
        return self.add(self._record("bandwidth", subject, data, call))

    def profile(self, subject: str, data: str, call: Call) -> list[Record]:
        """Find the own time of the functions that take most of it; ``quality`` is the share of the whole."""
        answer = self._left_out() or answer_of(call, self.limit, "profiled")
        if "top" not in answer:
            note = answer.get("error", f"stopped after {self.limit:g} s")
            return [self.add(Record("profile", subject, data, None, call.who, note=note))]
        records = []
        for line in answer["top"]:
            share = {"quality_name": "share of the time", "quality": line["seconds"] / (answer["total"] or 1.0)}
            took = {"seconds": line["seconds"], **share, "note": f"{line['calls']:,} calls"}
            records.append(self.add(Record("profile", subject, data, answer["rows"], line["function"], **took)))
        return records

    def demand(self, subject: str, data: str, call: Call, **demands: Any) -> list[Record]:
        """Make one record for each limit (``s=``, ``MB=``) and demanded quality (``most={…}``, ``least={…}``)."""
        answer = self._answer(call)
        return self.demand_of(made_of("limits", subject, data, call, answer), answer.get("quality", {}), **demands)

    def demand_of(self, record: Record, qualities: dict, *, most=None, least=None, **limits: float) -> list[Record]:
        """Hold limits against what was measured already: a record, and what is known of its quality."""
        plain = replace(record, section="limits")
        if unknown := set(limits) - {"s", "MB"}:
            raise TypeError(f"the limit {unknown.pop()!r} is not known; use s= (seconds) or MB= (memory)")
        records = []
        for unit, demanded in limits.items():
            measured = plain.seconds if unit == "s" else plain.peak_mb
            records.append(_demanded(plain, unit, "at most", demanded, measured))
        for how, wanted in (("at most", most or {}), ("at least", least or {})):
            for name, demanded in wanted.items():
                judged = replace(plain, quality_name=name, quality=qualities.get(name))
                records.append(_demanded(judged, name, how, demanded, qualities.get(name)))
        return [self.add(record) for record in records]

    def estimate(self, done: Sequence[Record], rows: int) -> Record | None:
        """Estimate a size that is too large to be measured, by straight lines through at least three sizes."""
        known = [record for record in done if record.seconds and record.peak_mb and not record.at_least]
        if len(known) < 3:
            return None
        found, notes = {}, []
        for name, unit in (("seconds", "s"), ("peak_mb", "MB")):
            figures = [getattr(record, name) for record in known]
            per_row, fixed = statistics.linear_regression([record.rows for record in known], figures)
            found[name] = fixed + per_row * rows
            notes.append(f"{fixed:.3g} {unit} and {1e6 * per_row:.3g} {unit} per million rows")
        note = f"from {', '.join(f'{record.rows:,}' for record in known)} rows: {'; '.join(notes)}"
        base = replace(known[-1], section="estimates", rows=rows, cpu_seconds=None, quality_name=None, quality=None)
        return self.add(replace(base, **found, note=note))

    def add(self, record: Record) -> Record:
        """Keep a record, and print it."""
        self.records.append(record)
        print(text_of(record), flush=True)
        return record

    def _answer(self, call: Call) -> dict:
        own = call.limit or (self.limit if call.who.startswith("anonnb") else self.peer_limit)
        limit = min(own, max(self.end - time.monotonic(), 1.0))
        answer = self._left_out() or answer_of(call, limit, repeats=1 if self.quick else REPEATS)
        # Stopped for the sake of the whole run, it says nothing about how long it takes.
        return {"error": LEFT_OUT} if "stopped" in answer and limit < own else answer

    def _left_out(self) -> dict | None:
        return {"error": LEFT_OUT} if time.monotonic() > self.end else None

    def _record(self, section: str, subject: str, data: str, call: Call) -> Record:
        return made_of(section, subject, data, call, self._answer(call))


def made_of(section: str, subject: str, data: str, call: Call, answer: dict) -> Record:
    """Make the record of a child's answer."""
    library, comma, part = call.who.partition(",")
    version = answer.get("version", "") if library != "anonnb" else ""  # ours is told with the machine
    record = Record(section, subject, data, answer.get("rows"), f"{library} {version}".rstrip() + comma + part)
    if "error" in answer:
        return replace(record, note=answer["error"])
    if "stopped" in answer:
        seconds = answer["stopped"]
        return replace(record, seconds=seconds, at_least=True, note=f"stopped after {seconds:g} s")
    (name, value), *others = answer["quality"].items() or ((None, None),)
    notes = [f"{other} {number:,.4g}" if number % 1 else f"{other} {number:,.0f}" for other, number in others]
    note = ", ".join(notes + [call.note] * bool(call.note))
    took = {figure: answer[figure] for figure in ("seconds", "cpu_seconds", "peak_mb")}
    return replace(record, **took, quality_name=name, quality=value, note=note)


def with_ratio(record: Record, base: Record) -> Record:
    """Say how many times the base's seconds; nothing when one was not measured or the base is only a bound."""
    if record.seconds is None or not base.seconds or base.at_least:
        return record
    return replace(record, ratio=record.seconds / base.seconds)


def _demanded(record: Record, unit: str, how: str, demanded: float, measured: float | None) -> Record:
    # seconds of a stopped call are a lower bound: over the limit they fail the demand, below it nothing is known
    reason = f"; {record.note}" if measured is None or record.at_least else ""
    low_enough = measured is not None and measured <= demanded and not record.at_least
    holds = low_enough if how == "at most" else measured is not None and measured >= demanded
    return replace(record, unit=unit, demanded=demanded, holds=holds, note=how + reason)


def text_of(record: Record) -> str:
    """Write a record as a line for people."""
    bound = ">" if record.at_least else " "
    rows = "" if record.rows is None else f"{record.rows:,} rows"
    cells = [f"{record.section:8} {record.subject[:44]:44} {record.data[:18]:18} {rows:>14} {record.who[:34]:34}"]
    cells.append(" " * 12 if record.seconds is None else f"{bound}{record.seconds:9.3f} s")
    cells.append(" " * 9 if record.ratio is None else f"{bound}{record.ratio:7.3g}×")
    cells.append("" if record.peak_mb is None else f"{record.peak_mb:6.0f} MB")
    if record.demanded is not None:
        cells.append(f"{'holds' if record.holds else 'MISSED'}: {record.unit} {record.note} {record.demanded:g}")
    else:
        cells.append("" if record.quality is None else f"{record.quality_name} {record.quality:.4g}")
        cells.append(record.note)
    return "  ".join(cells).rstrip()


def prepare_run() -> None:
    """Let a terminated run unwind like an interrupted one, so that no child goes on without it; hide warnings."""
    warnings.simplefilter("ignore")  # default hierarchies are announced for every table that a peer gets
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def frame_of(records: Sequence[Record]) -> pd.DataFrame:
    """Put the records into a frame."""
    frame = pd.DataFrame([asdict(record) for record in records], columns=COLUMNS)
    return frame.astype({"rows": "Int64", "at_least": bool})


def write_frame(frame: pd.DataFrame, path: Path) -> None:
    """Write a csv file, whole or not at all."""
    from anonnb.core.atomic_files import atomic_write

    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        frame.to_csv(file, index=False, float_format="%.5g", lineterminator="\n")
