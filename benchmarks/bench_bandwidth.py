"""How far the plain passes over a table are from what the memory allows: encode, group, measure, write.

A pass cannot be faster than reading what it is given and writing what it makes. Each job counts these bytes, and
measures in the same process how fast a large array is copied (bytes read and bytes written): the share of that speed is
the figure. Cells are rows times quasi-identifiers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from common import Bench, Call, Work, main
from tables import adult, grown

COPIED = 2**28  # bytes of the array that is copied
STEPS = ("copy", "encode", "group", "measure k", "measure NCP", "write parquet", "write CSV")


def copy_speed() -> float:
    """Bytes per second, read and written, of copying a large array; the best of five."""
    source = np.ones(COPIED // 8)
    target, best = np.empty_like(source), np.inf
    for _ in range(5):
        start = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - start)
    return 2 * COPIED / best


def bytes_of(frame) -> int:
    """What a frame holds, as pandas counts it: with texts where it keeps them."""
    return int(frame.memory_usage(index=False, deep=False).sum())


def passed(folder: str, step: str, rows: int) -> Work:
    """One pass over Adult that grew; the quality is its share of the memory's speed."""
    prepare, run, least = STEP[step](rows, Path(folder))
    cells, speed, took = rows * len(adult().quasi), copy_speed(), []

    def timed(given):
        start = time.perf_counter()
        result = run(given)
        took.append(time.perf_counter() - start)
        return result

    def quality(result) -> dict[str, float]:
        moved = least(result)
        return {
            "% of bandwidth": 100 * moved / min(took) / speed,
            "million cells per second": cells / min(took) / 1e6,
            "MB to move": moved / 1e6,
            "GB per second of a copy": speed / 1e9,
        }

    return Work(timed, quality, prepare, rows=rows)


Step = tuple[Callable, Callable, Callable]


def _copy(rows: int, folder: Path) -> Step:
    source, target = np.ones(COPIED // 8), np.zeros(COPIED // 8) + 1
    return lambda: None, lambda _: np.copyto(target, source), lambda _: 2 * COPIED


def _encode(rows: int, folder: Path) -> Step:
    from anonnb import Table

    table = grown(adult(), rows)
    frame, roles = table.frame[[*table.quasi, table.decision]], {"quasi": table.quasi, "sensitive": [table.decision]}
    codes = sum(table.codes(name).nbytes for name in frame)
    return lambda: frame, lambda given: Table(given, **roles), lambda _: bytes_of(frame) + codes


def _group(rows: int, folder: Path) -> Step:
    from anonnb.core.arrays import group_ids

    table = grown(adult(), rows)
    codes, sizes = [table.codes(name) for name in table.quasi], [table.attributes[name].size for name in table.quasi]
    least = sum(one.nbytes for one in codes)
    return lambda: None, lambda _: group_ids(codes, sizes), lambda found: least + found[0].nbytes


def _release(rows: int):
    from anonnb import Release
    from anonnb.methods import Mondrian

    table = grown(adult(), rows)
    old = Mondrian(10).anonymize(table)
    return (
        table,
        lambda: Release(table, old.columns, old.rows),
        sum(old.columns[name].index.nbytes for name in old.quasi),
    )


def _k(rows: int, folder: Path) -> Step:
    from anonnb import privacy

    _, fresh, least = _release(rows)
    return fresh, privacy.k, lambda _: least


def _ncp(rows: int, folder: Path) -> Step:
    from anonnb import utility

    table, fresh, least = _release(rows)
    return fresh, lambda release: utility.ncp(table, release), lambda _: least


def _write(name: str) -> Callable[[int, Path], Step]:
    def step(rows: int, folder: Path) -> Step:
        _, fresh, least = _release(rows)

        def write(release) -> Path:
            return release.publish(folder / name, overwrite=True)

        return fresh, write, lambda path: least + path.stat().st_size

    return step


STEP = dict(zip(STEPS, (_copy, _encode, _group, _k, _ncp, _write("out.parquet"), _write("out.csv")), strict=True))


def measure(bench: Bench) -> None:
    rows = bench.size(1_000_000)
    for step in STEPS:
        bench.rate(step, "Adult, grown", Call("anonnb", passed, step=step, rows=rows))


if __name__ == "__main__":
    main(measure, __doc__)
