"""How far the plain passes over a table are from what the memory allows: encode, group, measure, write.

A pass cannot be faster than reading what it is given and writing what it makes. Each job counts these bytes, and
measures in the same process how fast a large array is copied (bytes read and bytes written): the share of that speed is
the figure. Cells are rows times quasi-identifiers.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from common import Bench, Call, Work
from tables import adult, grown

COPIED = 2**28  # bytes of the array that is copied
STEPS = ("copy", "encode", "group", "measure k", "measure NCP", "write parquet", "write CSV")


def copy_speed() -> float:
    """Bytes per second, read and written, of copying a large array; the best of five."""
    source, best = np.ones(COPIED // 8), np.inf
    target = np.empty_like(source)
    for _ in range(5):
        start = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - start)
    return 2 * COPIED / best


def passed(folder: str, step: str, rows: int) -> Work:
    """One pass over Adult that grew; the quality is its share of the memory's speed."""
    from anonnb import Release, Table, privacy, utility
    from anonnb.core.arrays import group_ids
    from anonnb.methods import Mondrian

    table = grown(adult(), rows)
    names, frame = table.quasi, table.frame[[*table.quasi, table.decision]]
    codes, sizes = [table.codes(name) for name in names], [table.attributes[name].size for name in names]
    given = int(frame.memory_usage(index=False, deep=False).sum()) + sum(table.codes(name).nbytes for name in frame)
    old = Mondrian(10).anonymize(table) if step[0] in "mw" else Release.of(table)
    least = sum(old.columns[name].index.nbytes for name in names)
    source, target = np.ones(COPIED // 8), np.zeros(COPIED // 8) + 1
    written = Path(folder) / ("out.csv" if step.endswith("CSV") else "out.parquet")
    run, moved = {
        "copy": (lambda _: np.copyto(target, source), lambda _: 2 * COPIED),
        "encode": (lambda _: Table(frame, quasi=names, sensitive=[table.decision]), lambda _: given),
        "group": (lambda _: group_ids(codes, sizes), lambda ids: sum(each.nbytes for each in (*codes, ids[0]))),
        "measure k": (privacy.k, lambda _: least),
        "measure NCP": (lambda release: utility.ncp(table, release), lambda _: least),
    }.get(step, (lambda release: release.publish(written, overwrite=True), lambda file: least + file.stat().st_size))
    speed, took = copy_speed(), []

    def timed(release):
        start = time.perf_counter()
        result = run(release)
        took.append(time.perf_counter() - start)
        return result

    def quality(result) -> dict[str, float]:
        return {
            "% of bandwidth": 100 * moved(result) / min(took) / speed,
            "million cells per second": rows * len(names) / min(took) / 1e6,
            "MB to move": moved(result) / 1e6,
            "GB per second of a copy": speed / 1e9,
        }

    return Work(timed, quality, lambda: Release(table, old.columns, old.rows), rows=rows)


def measure(bench: Bench) -> None:
    for step in STEPS:
        bench.rate(step, "Adult, grown", Call("anonnb", passed, step=step, rows=bench.size(1_000_000)))
