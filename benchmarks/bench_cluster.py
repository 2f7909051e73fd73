"""Mondrian on a Dask cluster of this machine: parquet in, parquet out, with the time and the memory of all processes.

Up to ten million rows with eight quasi-identifiers, two workers,
k = 10. Memory and processor seconds are sums over the client, the scheduler and the workers; for the memory, shared
pages are counted once, five times a second. The classes are counted again in the files that were written. A hundred
million rows are not measured but estimated, from the straight lines through one, three and ten million. The growth of
the processor seconds is held against what is promised of every method.
"""

from __future__ import annotations

import time
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from child import watched
from common import Bench, Work

SUBJECT, DATA = "Mondrian on a cluster, parquet to parquet", "people like Adult's"
ROWS, BEYOND, CHUNK = (1_000_000, 3_000_000, 10_000_000), 100_000_000, 500_000
K, WORKERS, WORKER_MEMORY = 10, 2, "2GB"
SIZES = {"workclass": 8, "education": 16, "marital": 7, "occupation": 14, "sex": 2, "country": 41}
QUASI = ["age", "hours", *SIZES]


def write_people(folder: Path, rows: int) -> None:
    """People like those of Adult, in files of half a million rows: skewed columns that depend on age and education."""
    import numpy as np
    import pandas as pd

    def labels(name: str, size: int) -> pd.api.extensions.ExtensionArray:
        return pd.array([f"{name} {value:02d}" for value in range(size)], dtype="str")

    folder.mkdir()
    for number, start in enumerate(range(0, rows, CHUNK)):
        rng, count = np.random.default_rng([7, number]), min(CHUNK, rows - start)
        age = np.clip(rng.gamma(6.0, 6.5, count) + 17, 17, 90).astype(int)
        hours = np.clip(rng.normal(40, 12 - age / 15, count), 1, 99).round().astype(int)
        columns = {"person": np.arange(start, start + count), "age": age, "hours": hours}
        for name, size in SIZES.items():
            place = rng.zipf(1.6, count) - 1 + (age > 50) * rng.integers(0, 3, count)
            columns[name] = labels(name, size).take(place % size)
        columns["diagnosis"] = labels("diagnosis", 20).take((rng.zipf(1.4, count) + age // 20) % 20)
        pd.DataFrame(columns).to_parquet(folder / f"people-{number:03d}.parquet", index=False)


def smallest_class(folder: Path) -> tuple[int, int]:
    """Rows of the smallest class, and all rows, as somebody else reads them: file after file, then all together."""
    import pandas as pd

    found = []
    for file in sorted(folder.glob("*.parquet")):
        frame = pd.read_parquet(file, columns=QUASI)
        found.append(frame.groupby(QUASI, observed=True).size().rename("rows").reset_index().astype({"rows": "int64"}))
    classes = pd.concat([one.assign(**{name: one[name].astype(str) for name in QUASI}) for one in found])
    sizes = classes.groupby(QUASI)["rows"].sum()
    return int(sizes.min()), int(sizes.sum())


def anonymized(folder: str, rows: int, memory: str = WORKER_MEMORY) -> Work:
    """Read, anonymize and write; what is timed includes the start of the cluster."""
    from anonnb import Table, cluster
    from anonnb.methods import Mondrian

    source, target = Path(folder) / "people", Path(folder) / "released.parquet"
    writer = get_context("spawn").Process(target=write_people, args=(source, rows))
    writer.start()  # a process of its own, so that the memory it took is not counted
    writer.join()
    facts: dict[str, float] = {}

    def run() -> Path:
        if target.exists():
            target.rename(target.with_name(f"{time.monotonic_ns()}.parquet"))
        with watched() as megabytes, cluster.local(workers=WORKERS, memory=memory):
            table = Table.from_parquet(source, quasi=QUASI, sensitive=["diagnosis"], identifier=["person"])
            release = Mondrian(K).anonymize(table)
            release.publish(target)
            facts["classes"] = release.n_groups
        facts["MB"] = max(megabytes)
        return target

    def quality(released: Path) -> dict[str, float]:
        smallest, total = smallest_class(released)
        if total != rows:
            raise RuntimeError(f"{total:,} of {rows:,} rows were written")
        return {"smallest class": smallest, "classes": facts["classes"]}

    return Work(run, quality, rows=rows, peak_mb=lambda: facts["MB"])


def measure(bench: Bench) -> None:
    done = bench.scale(SUBJECT, DATA, anonymized, sizes=ROWS, limit=1800)
    for record in done:
        bench.add(replace(record, section="growth", subject="method Mondrian on a cluster", peak_mb=None))
    largest = done[-1]
    found = {"MB of all processes": largest.peak_mb, largest.quality_name: largest.quality}
    bench.demand_of(largest, found, s=1800, most={"MB of all processes": 6 * 1024}, least={"smallest class": K})
    bench.estimate(done, BEYOND)
