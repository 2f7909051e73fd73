"""Whether a change of the code changes what is published: a hash of every method's release of every shipped table.

    python benchmarks/published_bytes.py before.csv                   # with the old code
    python benchmarks/published_bytes.py after.csv --against before.csv   # with the new code: lists what differs
    python benchmarks/published_bytes.py after.csv --methods OKA KACA     # some methods only

Rules are hashed too. Adult enters whole where a method handles it within the time given, and as its first rows.
"""

import argparse
import hashlib
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pandas as pd

import anonnb
from anonnb import methods, rules
from anonnb.tables import datasets

SIZES = (2, 5)
FIRST_ROWS = 1500
COLUMNS = ["table", "work", "result"]


def cases() -> Iterator[tuple[str, object]]:
    """The shipped tables by name; Adult a second time as its first rows."""
    for name in datasets.names():
        table = anonnb.load(name)
        if len(table) > FIRST_ROWS:
            yield f"{name}, first {FIRST_ROWS:,}", table.take(range(FIRST_ROWS))
        yield name, table


def works(table: object) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Everything that is hashed about a table, by name: releases of every method, and rules."""
    for name, cls in methods.all().items():
        known = {field.name for field in fields(cls)}
        for k in SIZES if "k" in known else [None]:
            options = {"k": k} if k else {}
            options |= {"seed": 0} if "seed" in known else {}
            options |= {"time_limit": None} if "time_limit" in known else {}
            yield f"{name}(k={k})", lambda cls=cls, options=options: published(cls(**options).anonymize(table))
    if table.decision is not None:
        yield "mlem2", lambda: str(rules.mlem2(table)).encode()
        yield "imprecise_rules", lambda: str(rules.imprecise_rules(table, k=2)).encode()


def published(release: object) -> bytes:
    """The bytes that are written."""
    with tempfile.TemporaryDirectory() as folder:
        return release.publish(Path(folder) / "release.csv").read_bytes()


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise TimeoutError when the work takes longer."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def hashed(work: Callable[[], bytes], seconds: int) -> str:
    """The hash of what the work gives, or why it gives nothing."""
    try:
        with at_most(seconds), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return hashlib.sha256(work()).hexdigest()[:20]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="hashes of other code, to compare with")
    parser.add_argument("--seconds", type=int, default=20, help="for one release")
    parser.add_argument("--only", default="", help="tables whose name holds this")
    parser.add_argument("--methods", nargs="+", default=[], help="only these methods, and no rules; all by default")
    given = parser.parse_args()
    lines = []
    for name, table in cases():
        if given.only not in name:
            continue
        start = time.perf_counter()
        wanted = [
            (work, make) for work, make in works(table) if not given.methods or work.split("(")[0] in given.methods
        ]
        lines += [(name, work, hashed(make, given.seconds)) for work, make in wanted]
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    found = pd.DataFrame(lines, columns=COLUMNS)
    found.to_csv(given.out, index=False)
    return 0 if given.against is None else compare(pd.read_csv(given.against), found)


def compare(before: pd.DataFrame, after: pd.DataFrame) -> int:
    """Print every line that differs; what took too long on either side is counted, not compared."""
    both = before.merge(after, on=COLUMNS[:2], how="outer", suffixes=(" before", " after")).fillna("not there")
    late = both.apply(lambda line: "TimeoutError" in line["result before"] + line["result after"], axis=1)
    other = both[(both["result before"] != both["result after"]) & ~late]
    for line in other.itertuples(index=False):
        print(f"{line[0]}, {line[1]}: {line[2]} -> {line[3]}")
    print(f"{len(both)} results compared, {len(other)} differ, {int(late.sum())} took too long on one side")
    return 1 if len(other) else 0


if __name__ == "__main__":
    sys.exit(main())
