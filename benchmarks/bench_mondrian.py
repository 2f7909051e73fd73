"""Mondrian against its peers on Adult, its growth up to a million rows, and local suppression.

Run: python benchmarks/bench_mondrian.py [--k 10] [--no-peers] [--rows 10000 100000 1000000]. Prints seconds, loss
(GCP), discernibility, classes and ratios on the same table in the same run; peers that are not installed are skipped,
with the reason. Peers: pip install anonypy; pip install aijack (compiles C++: needs Boost and a compiler, and torch).
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb import Release, Table, load, utility
from anonnb.methods import LocalSuppression, Mondrian
from anonnb.valuesets import Column


class Times(NamedTuple):
    """Seconds of the first run, of the best run, and the least processor time: a busy machine stretches that little."""

    first: float
    best: float
    processor: float


def timed(work: Callable, repeat: int = 1) -> tuple[Times, object]:
    """How long some work takes, and what it gives."""
    wall, processor = [], []
    for _ in range(repeat):
        start, busy = time.perf_counter(), time.process_time()
        result = work()
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - busy)
    return Times(wall[0], min(wall), min(processor)), result


# ---- Adult: ours and the peers ----


def of_groups(table: Table, groups: np.ndarray) -> Release:
    """A peer's partition, measured as ours is."""
    count = int(groups.max()) + 1
    columns = {name: Column.of_groups(table.attributes[name], table.codes(name), groups, count) for name in table.quasi}
    return Release(table, columns, np.arange(len(table)))


def groups_of(partitions: list, n: int) -> np.ndarray:
    groups = np.full(n, -1)
    for number, rows in enumerate(partitions):
        groups[np.asarray(rows)] = number
    return groups


def anonypy_partition(table: Table, k: int) -> Callable[[], np.ndarray]:
    from anonypy.mondrian import Mondrian as Peer

    frame = table.frame[[*table.quasi, table.decision]].copy()
    for name in frame:
        if table.attributes[name].kind == "nominal":
            frame[name] = frame[name].astype("category")
    return lambda: groups_of(Peer(frame, table.quasi, table.decision).partition(k), len(frame))


def aijack_partition(table: Table, k: int) -> Callable[[], np.ndarray]:
    from aijack.defense.kanonymity import Mondrian as Peer

    frame = table.frame[[*table.quasi, table.decision]].copy()
    numeric = {name: table.attributes[name].kind == "numeric" for name in frame}

    def run() -> np.ndarray:
        peer = Peer(k=k)
        peer.anonymize(frame, table.quasi, table.decision, numeric)
        return groups_of(peer.get_final_partitions(), len(frame))

    return run


PEERS = {"anonypy": anonypy_partition, "aijack": aijack_partition}


def line(table: Table, name: str, times: Times, release: Release) -> dict:
    return {
        "method": name,
        "first s": round(times.first, 3),
        "best s": round(times.best, 3),
        "CPU s": round(times.processor, 3),
        "GCP": round(utility.ncp(table, release), 4),
        "discernibility": utility.discernibility(table, release),
        "classes": release.n_groups,
        "smallest": int(release.group_sizes.min()),
    }


def adult(k: int, with_peers: bool) -> None:
    table = load("adult")
    print(f"Adult, {len(table):,} rows, {len(table.quasi)} quasi-identifiers, k = {k}")
    lines = []
    for method in (Mondrian(k), Mondrian(k, strict=False), Mondrian(k, cut="loss")):
        times, release = timed(lambda method=method: method.anonymize(table), 5)
        lines.append(line(table, str(method), times, release))
    for name, prepare in PEERS.items() if with_peers else ():
        try:
            work = prepare(table, k)
        except ImportError as error:
            print(f"  {name} skipped: {error}")
            continue
        times, groups = timed(work)
        lines.append(line(table, name, times, of_groups(table, groups)))
    frame = pd.DataFrame(lines)
    frame["time ratio"] = (frame["CPU s"] / frame["CPU s"][0]).round(1)
    frame["loss ratio"] = (frame["GCP"] / frame["GCP"][0]).round(2)
    print(frame.to_string(index=False))
    print("a first call imports; with cut='loss' it also loads the kernels, or compiles them once per machine\n")


# ---- growth ----


def resampled(rows: int) -> Table:
    """Adult drawn with replacement, with noise on age."""
    table = load("adult")
    rng = np.random.default_rng(0)
    frame = table.frame.iloc[rng.integers(len(table), size=rows)][[*table.quasi, table.decision]].reset_index(drop=True)
    frame["age"] = (frame["age"] + rng.integers(-3, 4, size=rows)).clip(17, 90)
    hierarchies = {name: table.attributes[name].hierarchy for name in table.quasi}
    return Table(frame, quasi=table.quasi, decision=table.decision, hierarchies=hierarchies)


def one_size(rows: int, k: int, results: multiprocessing.Queue) -> None:
    table = resampled(rows)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    times, release = timed(lambda: Mondrian(k).anonymize(table), 3 if rows <= 100_000 else 2)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    results.put((rows, times.best, times.processor, release.n_groups, before, peak))


def growth(sizes: list[int], k: int) -> None:
    print(f"Adult resampled with noise on age, k = {k}, each size in a process of its own")
    context = multiprocessing.get_context("spawn")
    lines = []
    for rows in sizes:
        results = context.Queue()
        process = context.Process(target=one_size, args=(rows, k, results))
        process.start()
        lines.append(results.get())
        process.join()
    frame = pd.DataFrame(lines, columns=["rows", "best s", "CPU s", "classes", "GB before", "GB at the peak"])
    print(frame.round(3).to_string(index=False))
    if len(frame) > 1:
        n, seconds = frame["rows"].to_numpy(dtype=float), frame["CPU s"].to_numpy()
        slope = np.polyfit(np.log(n), np.log(seconds), 1)[0]
        ideal = np.polyfit(np.log(n), np.log(n * np.log(n)), 1)[0]
        print(f"CPU seconds grow as rows^{slope:.2f}; n log n over these sizes is rows^{ideal:.2f}\n")


# ---- local suppression ----


def suppression(k: int) -> None:
    table = load("adult")
    times, release = timed(lambda: LocalSuppression(k).anonymize(table), 3)
    cells = int(release.info["cost"])
    share = cells / (len(table) * len(table.quasi))
    print(f"LocalSuppression(k={k}): {cells:,} cells hidden ({share:.1%}), {release.n_groups:,} classes,", end=" ")
    print(f"smallest {int(release.group_sizes.min())}; first {times.first:.2f} s, best {times.best:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--no-peers", action="store_true", help="leave the peers out (anonypy takes half a minute)")
    parser.add_argument(
        "--rows", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], help="sizes for the growth"
    )
    options = parser.parse_args()
    adult(options.k, not options.no_peers)
    if options.rows:
        growth(options.rows, options.k)
    suppression(options.k)


if __name__ == "__main__":
    main()
