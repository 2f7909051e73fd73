"""Time and memory of the house at one million rows × 8 attributes, each step in a process of its own.

Run: python benchmarks/bench_house.py [rows]. It prints one line per step; the memory is the peak of the process.
"""

import resource
import subprocess
import sys
import time

import numpy as np
import pandas as pd

STEPS = ("Table", "Release.of", "groups", "frame", "published", "from_frame", "privacy.report", "utility.ncp")


def census(rows: int) -> pd.DataFrame:
    """A table like a census: eight quasi-identifiers of all kinds and a sensitive column."""
    rng = np.random.default_rng(0)

    def names(stem: str, count: int) -> np.ndarray:
        return np.array([f"{stem}-{number}" for number in range(count)], dtype=object)[rng.integers(0, count, rows)]

    return pd.DataFrame(
        {
            "age": rng.integers(17, 91, rows),
            "sex": names("sex", 2),
            "race": names("race", 5),
            "marital": names("marital", 7),
            "education": pd.Categorical.from_codes(rng.integers(0, 16, rows), list("abcdefghijklmnop"), ordered=True),
            "country": names("country", 41),
            "hours": rng.normal(40, 10, rows).round(1),
            "occupation": names("occupation", 14),
            "income": names("income", 2),
        }
    )


def table_maker(rows: int):
    """The frame is made now, the table when the result is called."""
    from anonnb import Table

    frame = census(rows)
    return lambda: Table(frame, quasi=list(frame)[:8], sensitive="income")


def spans(source):
    """A release whose ages are intervals, as Mondrian makes them."""
    from anonnb import Release
    from anonnb.valuesets import Column

    groups = source.codes("age") // 10
    column = Column.of_groups(source.attributes["age"], source.codes("age"), groups, int(groups.max()) + 1)
    return Release(source, {"age": column}, np.arange(len(source)))


def prepare(step: str, rows: int):
    """The work of a step as a function, what it needs made before."""
    build = table_maker(rows)
    if step == "Table":
        return build
    from anonnb import Release

    source = build()
    if step == "Release.of":
        return lambda: Release.of(source)
    release = spans(source)
    if step == "from_frame":
        published = release.published()
        return lambda: Release.from_frame(published, source)
    if step == "privacy.report":
        from anonnb import privacy

        return lambda: privacy.report(release)
    if step == "utility.ncp":
        from anonnb import utility

        return lambda: utility.ncp(source, release)
    if step == "published":
        return release.published
    return lambda: getattr(release, step)


def measure(step: str, rows: int) -> None:
    """Print seconds and the peak memory in MB: run in a process of its own."""
    work = prepare(step, rows)
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts in kilobytes
    print(f"{seconds:.2f} {peak:.0f}")


def import_seconds() -> float:
    """Time of ``import anonnb`` beyond that of an empty program, the best of five."""

    def best(program: str) -> float:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True)
            times.append(time.perf_counter() - start)
        return min(times)

    return max(best("import anonnb") - best("pass"), 0.0)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(f"import anonnb: {import_seconds():.3f} s")
    print(f"{rows:,} rows × 8 quasi-identifiers and a sensitive column")
    print(f"{'step':<16}{'seconds':>9}{'peak MB':>9}")
    for step in STEPS:
        done = subprocess.run([sys.executable, __file__, "--step", step, str(rows)], capture_output=True, text=True)
        if done.returncode:
            print(f"{step:<16}failed: {done.stderr.strip().splitlines()[-1]}")
            continue
        seconds, peak = done.stdout.split()
        print(f"{step:<16}{seconds:>9}{peak:>9}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main()
