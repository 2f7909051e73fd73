"""Run one job in a process of its own and write what it took: started by ``common.Bench``, not by hand.

Only the standard library is imported here, because peers run this file with the Python of their own environment.
"""

from __future__ import annotations

import contextlib
import cProfile
import gc
import importlib
import json
import pstats
import re
import resource
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

BUDGET = 5.0  # no third run once this many seconds have gone
SECOND = 15.0  # a second run if the first took less: that one also loads, or compiles, what is compiled
PEERS_SECOND = 3.0  # the same for other libraries
TOP = 8  # functions named by a profile
EVERY = 0.2  # seconds between two samples of the memory


@dataclass(frozen=True)
class Work:
    """What a job function returns: the part that is timed, and what is said about its result.

    ``run()`` is timed, several times when it is short. With ``prepare``, each run is ``run(prepare())`` and preparing
    is not timed: for objects that remember what they computed. ``quality(result)`` gives a dict of numbers, the most
    important one first; it is not timed. ``peak_mb()`` tells the memory of a job that starts processes of its own.
    """

    run: Callable[..., Any]
    quality: Callable[[Any], dict[str, float]] | None = None
    prepare: Callable[[], Any] | None = None
    rows: int | None = None
    peak_mb: Callable[[], float] | None = None

    def once(self) -> tuple[float, float, Any]:
        """Wall seconds, processor seconds and the result of one run."""
        given = () if self.prepare is None else (self.prepare(),)
        gc.collect()
        start, busy = time.perf_counter(), busy_seconds()
        result = self.run(*given)
        return time.perf_counter() - start, busy_seconds() - busy, result


def busy_seconds() -> float:
    """Processor seconds of this process, and of those it started that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def peak_mb() -> float:
    """The most memory this process held, with Python, the libraries and the data.

    ``ru_maxrss`` would count the parent's memory as well when that was larger; Linux knows the figure without it.
    """
    try:
        status = Path("/proc/self/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024
    except (OSError, TypeError):
        unit = 2**20 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


@contextlib.contextmanager
def watched() -> Iterator[list[float]]:
    """Sample the megabytes of this process and all that it started, during the block; shared pages count once."""
    import psutil

    seen, over = [0.0], threading.Event()

    def memory(process: psutil.Process) -> int:
        try:
            result = process.memory_full_info()
            return getattr(result, "pss", result.uss)
        except psutil.Error:  # it ended meanwhile
            return 0

    def sample() -> None:
        me = psutil.Process()
        while not over.wait(EVERY):
            seen.append(sum(memory(process) for process in (me, *me.children(recursive=True))) / 2**20)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def timed(work: Work, repeats: int, folder: Path, second: float = SECOND) -> dict:
    """The best of some runs, and the quality of the last result; ``finished`` tells what the first run took."""
    wall, busy, result, memory = [], [], None, work.peak_mb or peak_mb
    while len(wall) < repeats and sum(wall) < (second if len(wall) == 1 else BUDGET):
        result = None  # the memory of the last result is free again
        seconds, cpu_seconds, result = work.once()
        wall.append(seconds)
        busy.append(cpu_seconds)
        if len(wall) == 1:  # the time limit is for this run; more runs and the quality have time of their own
            first = {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_mb": memory()}
            (folder / "finished").write_text(json.dumps(first), encoding="utf-8")
    peak = memory()
    quality = work.quality(result) if work.quality else {}
    quality = {name: float(value) for name, value in quality.items()}
    return {"seconds": min(wall), "cpu_seconds": min(busy), "peak_mb": peak, "quality": quality}


def profiled(work: Work, _repeats: int, _folder: Path, _second: float) -> dict:
    """Own time of the functions that take most of it, in a second run: the first one imports and compiles."""
    work.once()
    profile = cProfile.Profile()
    given = () if work.prepare is None else (work.prepare(),)
    profile.enable()
    work.run(*given)
    profile.disable()
    stats = pstats.Stats(profile).stats
    total = sum(own for _, _, own, _, _ in stats.values())
    largest = sorted(stats.items(), key=lambda item: -item[1][2])[:TOP]
    top = [{"function": label(*place), "seconds": own, "calls": calls} for place, (_, calls, own, _, _) in largest]
    return {"total": total, "top": top}


def label(file: str, line: int, function: str) -> str:
    """Name a function with its module, without any path of this machine: anonnb.methods.mondrian.cut, numpy.array."""
    if file == "~":
        name = re.sub(r" at 0x[0-9a-f]+", "", function)
        return re.sub(r"^<(?:built-in method |method )?(.*?)(?: objects)?>$", r"\1", name).replace("'", "")
    parts = Path(file).with_suffix("").parts
    for root in ("site-packages", "anonnb"):
        if root in parts:
            at = len(parts) - 1 - parts[::-1].index(root)
            parts = parts[at + (root == "site-packages") :]
            break
    else:
        parts = parts[-1:]
    return ".".join([*parts, function])


def in_one_line(error: Exception) -> str:
    """Give the kind and the first line of an error, without folders of this machine."""
    first = (str(error).strip() or "no message").splitlines()[0]
    plain = re.sub(r"(?:/[^/\s]+)+/", "", first)
    return f"{type(error).__name__}: {plain[:120]}"


def main(folder: Path) -> None:
    """Read ``task.json``, do it, write ``answer.json``; ``started`` tells that preparing is over."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    sys.path[:0] = [str(Path(__file__).resolve().parent), task["folder"]]
    warnings.simplefilter("ignore")
    version = ""
    try:
        function = getattr(importlib.import_module(task["module"]), task["function"])
        work = function(**task["arguments"])
        with contextlib.suppress(metadata.PackageNotFoundError):
            version = metadata.version(task["package"])
        known = {"version": version, "rows": work.rows}
        (folder / "started").write_text(json.dumps(known), encoding="utf-8")
        second = SECOND if task["package"] == "anonnb" else PEERS_SECOND
        answer = {"timed": timed, "profiled": profiled}[task["kind"]](work, task["repeats"], folder, second) | known
    except ModuleNotFoundError as error:
        answer = {"error": f"not installed here ({error.name} is missing)"}
    except Exception as error:  # whatever a peer raises becomes a line of the table
        answer = {"error": f"failed: {in_one_line(error)}"}
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
