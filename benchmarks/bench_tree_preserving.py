"""Tree-preserving sanitization: Adult with ten leaves, and growth with rows and attributes.

Run: python benchmarks/bench_tree_preserving.py [--rows 15000 30000 60000] [--copies 1 2 3]. Prints processor seconds
(a busy machine stretches them little), the line fitted to them and how well it fits (R²; 1 is exactly linear).
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

from anonnb import Table, load
from anonnb.experiments.tree_preserving import seconds
from anonnb.methods import TreePreserving


def processor_seconds(table: Table, repeat: int = 3) -> float:
    """The best of some runs: grow ten leaves, sanitize for every number of them, rebuild and compare."""
    best = np.inf
    for _ in range(repeat):
        start = time.process_time()
        TreePreserving(k=5, max_leaves=10).anonymize(table)
        best = min(best, time.process_time() - start)
    return best


def fit(frame: pd.DataFrame, x: str) -> str:
    """The least-squares line of seconds over ``x`` and its R²."""
    slope, start = np.polyfit(frame[x], frame["seconds"], 1)
    rest = frame["seconds"] - (start + slope * frame[x])
    explained = 1 - float((rest**2).sum()) / float(((frame["seconds"] - frame["seconds"].mean()) ** 2).sum())
    return f"{start:.3f} s + {slope:.3g} s per {x.rstrip('s')}, R² = {explained:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[15_000, 30_000, 60_000, 120_000])
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 2, 3, 4])
    options = parser.parse_args()
    taken = processor_seconds(load("adult", variant="tree"))
    print(f"Adult, 10 leaves: {taken:.2f} s ({'within' if taken < 5 else 'over'} the limit of 5 s)")
    names = ["varies", "rows", "attributes", "seconds"]
    by_rows = pd.DataFrame([seconds("rows", rows, 1, 0)[0] for rows in options.rows], columns=names)
    print(by_rows[["rows", "seconds"]].round(2).to_string(index=False))
    print("against rows:", fit(by_rows, "rows"))
    wide = [seconds("attributes", 15_000, copies, 0)[0] for copies in options.copies]
    by_attributes = pd.DataFrame(wide, columns=names)
    print(by_attributes[["attributes", "seconds"]].round(2).to_string(index=False))
    print("against attributes:", fit(by_attributes, "attributes"))


if __name__ == "__main__":
    main()
