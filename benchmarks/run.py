"""Run all benchmarks and write one table: ``make bench``, or ``python benchmarks/run.py [--quick] [--only NAME ...]``.

A full run writes reports/results/benchmarks.csv and benchmarks_machine.csv, after each script the lines that are new,
so that a run which is stopped has not lost what it measured. With ``--only`` the lines of the named scripts are
replaced and the others kept, on the same machine only. A quick run writes only where ``--output`` says. At the end, the
exit code is 1 when a script failed or something grows faster than promised, and what is missed is named.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import platform
import re
import sys
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import pandas as pd
from child import in_one_line
from common import COLUMNS, HERE, Bench, Record, frame_of, prepare_run, write_frame
from peers import environment

from anonnb.experiments import benchmarks

LAST = ("privacy", "limits", "commands", "coursework")  # minutes each: they go short of time
MINUTES = 60.0
RESULTS = HERE.parent / "reports" / "results" / "benchmarks.csv"
LIBRARIES = ("numpy", "pandas", "scipy", "numba", "scikit-learn", "anonnb")


def scripts(folder: Path = HERE) -> list[str]:
    """The subjects of all scripts with a function ``measure``: ``bench_mondrian.py`` is "mondrian"."""
    found = sorted(folder.glob("bench_*.py"))
    fitting = [path for path in found if "\ndef measure(" in path.read_text(encoding="utf-8")]
    names = [path.stem.removeprefix("bench_") for path in fitting]
    return sorted(names, key=lambda name: LAST.index(name) if name in LAST else -1)


def machine() -> dict[str, str]:
    """What the times depend on; neither the machine's name nor a path."""
    cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    named = re.search(r"^model name\s*: (.+)$", cpuinfo, re.MULTILINE)
    return {
        "processor": named[1].strip() if named else platform.processor() or "unknown",
        "cores": str(os.cpu_count()),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{name: metadata.version(name) for name in LIBRARIES},
    }


def measured(name: str, bench: Bench) -> bool:
    """Run one script; what it raises becomes a record, and the others go on."""
    try:
        importlib.import_module(f"bench_{name}").measure(bench)
    except Exception as error:
        bench.add(Record("peers", f"bench_{name}.py", "", None, "anonnb", note=f"failed: {in_one_line(error)}"))
        return False
    return True


def machine_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}_machine.csv")


def foreign(path: Path) -> str:
    """Why new lines cannot stand beside the stored ones; empty if they can."""
    if not machine_file(path).exists():
        return "nothing says on which machine the stored results were made; run all scripts, without --only"
    stored = dict(pd.read_csv(machine_file(path), dtype=str).itertuples(index=False))
    for what, value in machine().items():
        if stored.get(what) != value:
            return f"the stored results have {what} {stored.get(what)}, not {value}; run all scripts, without --only"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run all benchmarks and write one table.")
    parser.add_argument("--quick", action="store_true", help="small data and one or two minutes, to try it")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help=f"some of: {', '.join(scripts())}")
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"for all; nothing begins later ({MINUTES:g})")
    parser.add_argument("--install", action="store_true", help="only make the environments of the peers")
    parser.add_argument("--limit", type=float, help="seconds after which a call is stopped (120; quick: 10)")
    parser.add_argument("--output", type=Path, help="the csv file (reports/results/benchmarks.csv)")
    options = parser.parse_args(arguments)
    prepare_run()
    unknown = [name for name in options.only if name not in scripts()]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; choose from {', '.join(scripts())}", file=sys.stderr)
        return 2
    output = options.output or (None if options.quick else RESULTS)
    if options.only and output is not None and output.exists() and (reason := foreign(output)):
        print(reason, file=sys.stderr)
        return 2
    if options.install:  # beforehand, so that no measuring waits for it
        for name in environment.names():
            try:
                environment.python_of(name)
                print(f"{name}: ready", flush=True)
            except RuntimeError as reason:
                print(f"{name}: {reason}", flush=True)
        return 0
    frame, well = measure_all(options.only or scripts(), options, output)
    return 0 if judged(frame) and well else 1


def measure_all(names: Sequence[str], options: argparse.Namespace, output: Path | None) -> tuple[pd.DataFrame, bool]:
    """Run the scripts one after the other; what each found is written at once."""
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    here = machine() | {"busy cores at the start": f"{os.getloadavg()[0]:.1f}", "day": day}
    start, frames, well = time.monotonic(), [], True
    kept = pd.read_csv(output) if output is not None and output.exists() and not foreign(output) else None
    for name in names:
        begun = time.monotonic()
        bench = Bench(quick=options.quick, limit=options.limit, end=start + 60 * options.minutes)
        well &= measured(name, bench)
        frames.append(frame_of(bench.records).assign(script=name, day=day)[["script", "day", *COLUMNS]])
        print(f"{name}: {len(bench.records)} records in {time.monotonic() - begun:.0f} s\n", flush=True)
        if output is not None:
            write_frame(together(kept, frames), output)
    frame = together(kept if options.only else None, frames)
    print(f"{sum(map(len, frames))} records in {(time.monotonic() - start) / 60:.1f} minutes", flush=True)
    if output is not None:
        write_frame(frame, output)
        if not options.only or not machine_file(output).exists():
            write_frame(pd.DataFrame(here.items(), columns=["what", "value"]), machine_file(output))
        print(f"written: {output.name} and {machine_file(output).name}")
    return frame, well


def together(kept: pd.DataFrame | None, new: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The stored lines, if any, with those of the scripts that ran replaced."""
    frame = pd.concat(new, ignore_index=True)
    if kept is None:
        return frame
    return pd.concat([kept[~kept["script"].isin(frame["script"])], frame], ignore_index=True)


def judged(frame: pd.DataFrame) -> bool:
    """Print the targets with what was measured, then what grows faster than promised; only the latter fails a run."""
    print(benchmarks.targets(frame).to_string(index=False, float_format="%.3g"))
    broken = benchmarks.broken_promises(frame)
    for sentence in broken:
        print(f"PROMISE BROKEN: {sentence}", file=sys.stderr)
    return not broken


if __name__ == "__main__":
    sys.exit(main())
