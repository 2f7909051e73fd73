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
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pandas as pd

import anonnb
from anonnb import methods, rules
from anonnb.tables import datasets

SIZES = (2, 5)
FIRST_ROWS = 1500
COLUMNS = ["table", "work", "result"]


def cases() -> Iterator[tuple[str, anonnb.Table]]:
    """The shipped tables by name; Adult a second time as its first rows."""
    for name in datasets.names():
        table = anonnb.load(name)
        if len(table) > FIRST_ROWS:
            yield f"{name}, first {FIRST_ROWS:,}", table.take(range(FIRST_ROWS))
        yield name, table


def works(table: anonnb.Table) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Everything that is hashed about a table, by name: releases of every method, and rules."""
    for name, cls in methods.all().items():
        known = {field.name for field in fields(cls)}
        for k in SIZES if "k" in known else [None]:
            options = {key: value for key, value in {"k": k, "seed": 0, "time_limit": None}.items() if key in known}
            yield f"{name}(k={k})", lambda cls=cls, options=options: published(cls(**options).anonymize(table))
    if table.decision is not None:
        yield "mlem2", lambda: str(rules.mlem2(table)).encode()
        yield "imprecise_rules", lambda: str(rules.imprecise_rules(table, k=2)).encode()


def published(release: anonnb.Release) -> bytes:
    """The bytes that are written."""
    with tempfile.TemporaryDirectory() as folder:
        return release.publish(Path(folder) / "release.csv").read_bytes()


def hashed(work: Callable[[], bytes], seconds: int) -> str:
    """The hash of what the work gives, or why it gives nothing."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        return hashlib.sha256(work()).hexdigest()[:20]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="hashes of other code, to compare with")
    parser.add_argument("--seconds", type=int, default=20, help="for one release")
    parser.add_argument("--only", default="", help="tables whose name holds this")
    parser.add_argument("--methods", nargs="+", default=[], help="only these methods, and no rules; all by default")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = []
    for name, table in cases():
        for work, make in works(table) if given.only in name else ():
            if not given.methods or work.split("(")[0] in given.methods:
                lines.append((name, work, hashed(make, given.seconds)))
    after = pd.DataFrame(lines, columns=COLUMNS)
    after.to_csv(given.out, index=False)
    return 0 if given.against is None else compare(pd.read_csv(given.against), after)


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
