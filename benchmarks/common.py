"""The harness of all benchmarks: one tidy record per measurement, each measured in a process of its own.

A script ``bench_SUBJECT.py`` has *job functions* and one function ``measure(bench)``; ``run.py`` finds it by its name:

    from common import Bench, Call, Work, main

    def mondrian(k):                      # runs in the new process: prepare the data, return what is to be timed
        table = load("adult")
        return Work(lambda: Mondrian(k).anonymize(table),
                    quality=lambda release: {"NCP": utility.ncp(table, release), "classes": release.n_groups},
                    rows=len(table))

    def measure(bench):
        bench.compare("Mondrian, k = 10", "Adult", [Call("anonnb", mondrian, k=10), Call("anonypy", by_anonypy, k=10)])
        bench.scale("Mondrian, k = 10", "Adult, grown", grown_mondrian, k=10)   # called with rows=10_000, …
        bench.profile("Mondrian, k = 10", "Adult", Call("anonnb", mondrian, k=10))
        bench.demand("Mondrian, k = 10", "Adult", Call("anonnb", mondrian, k=10), s=0.1, MB=2000)

    if __name__ == "__main__":
        main(measure, __doc__)            # options --quick, --limit SECONDS, --output CSV

- Job functions stand at the top of their module; their arguments are plain values (numbers, texts, lists). What a
  script needs in the parent only (anonnb, peers) is imported inside the functions.
- ``bench.quick`` is true for a try of a minute: use smaller data then (``bench.size(30_162)`` gives fewer
  rows, ``bench.some(items)`` the first item).
- ``compare`` takes the first call as its base: ``ratio`` is seconds of a call ÷ seconds of the base. A call that is
  stopped by its time limit gets the limit as its seconds, ``at_least`` = True, and so a ratio that is a lower bound.
- ``demand`` writes one record per demand: ``s`` wall seconds, ``MB`` peak memory; ``least={"accuracy": 0.9}`` or
  ``most={"NCP": 0.05}`` demand a quality. ``holds`` says whether it is met.
- ``rate`` is for passes over data; their quality is a share of the memory's speed (``bench_bandwidth.py``).
- ``estimate`` continues the records of ``scale`` to a size that is too large to be measured; ``demand_of`` holds
  limits against a record that was measured for another section.
- How every registered method, attack, measure and inducer grows is measured by ``bench_growth.py`` alone; a script
  needs ``scale`` only for what is in no registry.
- Peers get ``PEER_LIMIT`` seconds (a call's own ``limit=`` goes first), everything else ``LIMIT``. When the minutes of
  the whole run are over (``run.py --minutes``), what is left gets a record that says so.
- Times are wall seconds, the best of up to five runs, on one thread; the memory is the peak of the whole process.
- A call's ``note=`` says in its record what it does not do that the others do.
- A call whose library lives in another environment has ``peer="anjana"`` (see ``peers/``). Its job gets ``folder``:
  ``give(folder)`` writes the data there before, ``judge(folder)`` makes the quality out of what the job left there;
  both run in the parent, with anonnb.
"""

from __future__ import annotations

import argparse
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
from typing import TYPE_CHECKING, Any

from child import Work, in_one_line

from anonnb.experiments.benchmarks.records import exponent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Bench", "Call", "Record", "Work", "main"]

HERE = Path(__file__).resolve().parent
SIZES = (10_000, 100_000, 1_000_000)
LIMIT, PREPARING = 120.0, 300.0  # seconds for the work, and for imports and data before it
PEER_LIMIT = 25.0  # seconds for the work of another library: beyond it a ratio is a lower bound
JUDGING = 60.0  # seconds beyond the limit for further runs and for the quality of the result
LEFT_OUT = "left out: the time of the whole run was over"
REPEATS = 5  # runs at most; the best one counts
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


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

    def __init__(
        self,
        who: str,
        job: Callable[..., Work],
        *,
        peer: str | None = None,
        give: Callable[[Path], None] | None = None,
        judge: Callable[[Path], dict[str, float]] | None = None,
        limit: float | None = None,
        note: str = "",
        **arguments: Any,
    ):
        self.who, self.job, self.arguments = who, job, arguments
        self.peer, self.give, self.judge, self.limit, self.note = peer, give, judge, limit, note

    def task(self, kind: str, repeats: int) -> dict:
        """What the child needs to know."""
        path = Path(inspect.getfile(self.job)).resolve()
        return {
            "kind": kind,
            "repeats": repeats,
            "folder": str(path.parent),
            "module": path.stem,
            "function": self.job.__name__,
            "arguments": self.arguments,
            "package": self.who.replace(",", " ").split()[0],
        }


def answer_of(
    call: Call, limit: float, kind: str = "timed", *, repeats: int = REPEATS, preparing: float = PREPARING
) -> dict:
    """Run a call in a process of its own: the child's answer, ``{"error": …}``, or ``{"stopped": seconds}``."""
    with tempfile.TemporaryDirectory(prefix="anonnb-bench-") as name:
        folder = Path(name)
        task = call.task(kind, repeats)
        if "folder" in inspect.signature(call.job).parameters:
            task["arguments"] = {"folder": name, **call.arguments}
        (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
        try:
            python = _python(call.peer)
        except RuntimeError as reason:
            return {"error": str(reason)}
        if call.give:
            call.give(folder)
        stopped = _watched([str(python), str(HERE / "child.py"), name], folder / "started", limit, preparing)
        if stopped is not None:
            return stopped
        written = folder / "answer.json"
        if not written.exists():
            return {"error": "failed: the process ended without an answer (out of memory?)"}
        answer = json.loads(written.read_text(encoding="utf-8"))
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
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = os.environ | dict.fromkeys(THREADS, "1")
    process = subprocess.Popen(command, env=environment, start_new_session=True, **silent)
    born = time.time()
    try:
        while process.poll() is None:
            time.sleep(0.02)
            working = started.stat().st_mtime if started.exists() else None
            if finished.exists():
                if time.time() - finished.stat().st_mtime > limit + JUDGING:
                    return _told(started) | _told(finished) | {"quality": {}}
            elif working is not None and time.time() - working > limit:
                return {"stopped": limit, **_told(started)}
            if working is None and time.time() - born > preparing:
                return {"error": f"stopped after {preparing:g} s, before its work began"}
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return None


def _told(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


class Bench:
    """Collects the records of a run and prints each as it comes."""

    def __init__(
        self,
        *,
        quick: bool = False,
        limit: float | None = None,
        sizes: Sequence[int] | None = None,
        end: float = math.inf,  # of time.monotonic(): nothing is begun later
    ):
        self.quick, self.end = quick, end
        self.limit = limit or (10.0 if quick else LIMIT)
        self.peer_limit = min(self.limit, PEER_LIMIT)
        self.sizes = tuple(sizes or ((1_000, 3_000) if quick else SIZES))
        self.records: list[Record] = []

    def size(self, rows: int, quick: int = 2_000) -> int:
        """``rows``, or fewer in a quick run."""
        return min(rows, quick) if self.quick else rows

    def some(self, items: Iterable) -> list:
        """All items, or only the first one in a quick run."""
        return list(items)[: 1 if self.quick else None]

    def compare(self, subject: str, data: str, calls: Sequence[Call]) -> list[Record]:
        """Measure the calls one after the other; the first one is the base of the ratios."""
        records: list[Record] = []
        for call in calls:
            record = self._record("peers", subject, data, call)
            records.append(self.add(with_ratio(record, records[0] if records else record)))
        return records

    def scale(
        self, subject: str, data: str, job: Callable[..., Work], sizes: Sequence[int] | None = None, **arguments
    ) -> list[Record]:
        """Measure ``job(rows=…)`` at growing sizes; a size that would pass the limit ends the series, with a note."""
        done: list[Record] = []
        for rows in self.sizes if sizes is None or self.quick else sizes:
            expected = expected_seconds(done, rows)
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
        """Own time of the functions that take most of it; ``quality`` is the share of the whole."""
        answer = self._left_out() or answer_of(call, self.limit, "profiled")
        if "top" not in answer:
            note = answer.get("error", f"stopped after {self.limit:g} s")
            return [self.add(Record("profile", subject, data, None, call.who, note=note))]
        total = answer["total"]
        records = []
        for line in answer["top"]:
            record = Record("profile", subject, data, answer["rows"], line["function"], seconds=line["seconds"])
            share = line["seconds"] / total if total else 0.0
            calls = f"{line['calls']:,} calls"
            records.append(self.add(replace(record, quality_name="share of the time", quality=share, note=calls)))
        return records

    def demand(
        self,
        subject: str,
        data: str,
        call: Call,
        *,
        most: dict[str, float] | None = None,
        least: dict[str, float] | None = None,
        **limits: float,
    ) -> list[Record]:
        """One record for each limit (``s=``, ``MB=``) and each demanded quality, all from one measurement."""
        answer = self._answer(call)
        plain = made_of("limits", subject, data, call, answer)
        return self._judged(plain, answer.get("quality", {}), limits, most, least)

    def demand_of(
        self,
        record: Record,
        qualities: dict[str, float],
        *,
        most: dict[str, float] | None = None,
        least: dict[str, float] | None = None,
        **limits: float,
    ) -> list[Record]:
        """The same for what was measured already: a record of another section, and what is known of its quality."""
        return self._judged(replace(record, section="limits"), qualities, limits, most, least)

    def _judged(
        self,
        plain: Record,
        qualities: dict[str, float],
        limits: dict[str, float],
        most: dict[str, float] | None,
        least: dict[str, float] | None,
    ) -> list[Record]:
        unknown = set(limits) - {"s", "MB"}
        if unknown:
            raise TypeError(f"the limit {unknown.pop()!r} is not known; use s= (seconds) or MB= (memory)")
        records = []
        for unit, demanded in limits.items():
            measured = plain.seconds if unit == "s" else plain.peak_mb
            records.append(_demanded(plain, unit, "at most", demanded, measured))
        for how, wanted in (("at most", most or {}), ("at least", least or {})):
            for name, demanded in wanted.items():
                record = replace(plain, quality_name=name, quality=qualities.get(name))
                records.append(_demanded(record, name, how, demanded, qualities.get(name)))
        return [self.add(record) for record in records]

    def estimate(self, done: Sequence[Record], rows: int) -> Record | None:
        """What a size would take that is too large to be measured: the records of smaller sizes, continued as a line.

        Seconds and megabytes each get the line of least squares through the measured sizes: what starting costs, and a
        slope per row. Nothing is estimated from fewer than three sizes.
        """
        known = [record for record in done if record.seconds and record.peak_mb and not record.at_least]
        if len(known) < 3:
            return None
        seconds, memory = (Line.through(known, name) for name in ("seconds", "peak_mb"))
        sizes = ", ".join(f"{record.rows:,}" for record in known)
        note = f"from {sizes} rows: {seconds.told('s')}; {memory.told('MB')}"
        base = replace(known[-1], section="estimates", rows=rows, cpu_seconds=None, quality_name=None, quality=None)
        return self.add(replace(base, seconds=seconds.at(rows), peak_mb=memory.at(rows), note=note))

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


@dataclass(frozen=True)
class Line:
    """A straight line over the number of rows."""

    fixed: float
    per_row: float

    @classmethod
    def through(cls, records: Sequence[Record], name: str) -> Line:
        """The line of least squares through one figure of some records."""
        rows, found = [record.rows for record in records], [getattr(record, name) for record in records]
        slope, start = statistics.linear_regression(rows, found)
        return cls(start, slope)

    def at(self, rows: int) -> float:
        return self.fixed + self.per_row * rows

    def told(self, unit: str) -> str:
        return f"{self.fixed:.3g} {unit} and {1e6 * self.per_row:.3g} {unit} per million rows"


def made_of(section: str, subject: str, data: str, call: Call, answer: dict) -> Record:
    """The record of a child's answer."""
    record = Record(section, subject, data, answer.get("rows"), name_of(call.who, answer.get("version", "")))
    if "error" in answer:
        return replace(record, note=answer["error"])
    if "stopped" in answer:
        seconds = answer["stopped"]
        return replace(record, seconds=seconds, at_least=True, note=f"stopped after {seconds:g} s")
    (name, value), *others = answer["quality"].items() or ((None, None),)
    return replace(
        record,
        seconds=answer["seconds"],
        cpu_seconds=answer["cpu_seconds"],
        peak_mb=answer["peak_mb"],
        quality_name=name,
        quality=value,
        note=", ".join(
            [f"{other} {number:,.4g}" if number % 1 else f"{other} {number:,.0f}" for other, number in others]
            + [call.note] * bool(call.note)
        ),
    )


def name_of(who: str, version: str) -> str:
    """A library with its version; our own is told with the machine.

    >>> name_of("mlxtend, apriori", "0.25.0")
    'mlxtend 0.25.0, apriori'
    """
    library, comma, part = who.partition(",")
    return who if library == "anonnb" or not version else f"{library} {version}{comma}{part}"


def with_ratio(record: Record, base: Record) -> Record:
    """How many times the base's seconds; nothing when one of them was not measured or the base is only a bound.

    >>> base = Record("peers", "a", "b", 1, "anonnb", seconds=2.0)
    >>> with_ratio(Record("peers", "a", "b", 1, "slow", seconds=10.0, at_least=True), base).ratio
    5.0
    """
    if record.seconds is None or not base.seconds or base.at_least:
        return record
    return replace(record, ratio=record.seconds / base.seconds)


def _demanded(record: Record, unit: str, how: str, demanded: float, measured: float | None) -> Record:
    # seconds of a stopped call are a lower bound: over the limit they fail the demand, below it nothing is known
    reason = f"; {record.note}" if measured is None or record.at_least else ""
    if measured is None:
        holds = False
    elif how == "at most":
        holds = measured <= demanded and not record.at_least
    else:
        holds = measured >= demanded
    return replace(record, unit=unit, demanded=demanded, holds=holds, note=how + reason)


def expected_seconds(done: Sequence[Record], rows: int) -> float:
    """How long a further size would take if it goes on as between the last two sizes; 0 when nothing is known."""
    known = [(record.rows, record.seconds) for record in done if record.seconds]
    if len(known) < 2:
        return 0.0
    (n, before), (m, last) = known[-2:]
    growth = exponent((n, m), (before, last))
    return last * (rows / m) ** max(growth, 0.0)


def text_of(record: Record) -> str:
    """A record as a line for people."""
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


def main(measure: Callable[[Bench], None], description: str | None) -> None:
    """Run one script by itself: print its records, and write them where ``--output`` says."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0] if description else None)
    parser.add_argument("--quick", action="store_true", help="small data, to try it")
    parser.add_argument("--limit", type=float, help="seconds after which a call is stopped")
    parser.add_argument("--output", type=Path, help="a csv file for the records")
    options = parser.parse_args()
    prepare_run()
    bench = Bench(quick=options.quick, limit=options.limit)
    measure(bench)
    if options.output:
        write_frame(frame_of(bench.records), options.output)


def prepare_run() -> None:
    """A terminated run unwinds like an interrupted one, so that no child goes on without it; warnings are not shown."""
    warnings.simplefilter("ignore")  # default hierarchies are announced for every table that a peer gets
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def frame_of(records: Sequence[Record]) -> pd.DataFrame:
    """The records as a frame."""
    import pandas as pd

    frame = pd.DataFrame([asdict(record) for record in records], columns=COLUMNS)
    return frame.astype({"rows": "Int64", "at_least": bool})


def write_frame(frame: pd.DataFrame, path: Path) -> None:
    """A csv file, whole or not at all."""
    from anonnb.files.writing import atomic_write

    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        frame.to_csv(file, index=False, float_format="%.5g", lineterminator="\n")
