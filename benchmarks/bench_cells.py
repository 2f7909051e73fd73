"""Cell methods and cuts: Forest by size, cells hidden on small tables, TopDown and BottomUp on Adult.

Run with ``python benchmarks/bench_cells.py``; everything is printed, nothing is asserted.
"""

import math
import time

import numpy as np
import pandas as pd

import anonnb
from anonnb import Table, utility
from anonnb.methods.exact import ratios
from anonnb.methods.factor import Factor
from anonnb.methods.forest import Forest
from anonnb.methods.greedycover import GreedyCover
from anonnb.methods.specialization import BottomUp, TopDown


def timed(method, table):
    start = time.perf_counter()
    release = method.anonymize(table)
    return release, time.perf_counter() - start


def forest_by_size(k=10):
    """Seconds, cells hidden and the lower bound; the slope says how time grows (2: quadratic)."""
    adult = anonnb.load("adult")
    for generalize in (False, True):
        print(f"\nForest(k={k}, generalize={generalize}) on Adult, {len(adult.quasi)} columns")
        print(f"{'rows':>7} {'seconds':>8} {'cost':>9} {'at least':>9} {'share':>6}")
        seen = []
        for rows in (1_250, 2_500, 5_000, 10_000):
            release, seconds = timed(Forest(k=k, generalize=generalize), adult.take(np.arange(rows)))
            cost, weight = release.info["cost"], release.info["weight"]
            share = cost / (rows * len(adult.quasi))
            print(f"{rows:7,} {seconds:8.2f} {cost:9,.0f} {weight:9,.0f} {share:6.1%}")
            seen.append((math.log(rows), math.log(seconds)))
        slope = np.polyfit(*zip(*seen, strict=True), 1)[0]
        print(f"time grows as rows^{slope:.2f}")


def small_tables(count=100, rows=12, columns=6):
    """Cost divided by the exact optimum on random tables."""
    for values, k in ((2, 2), (2, 3), (4, 2), (4, 3)):
        rng = np.random.default_rng(values + k)
        frames = [pd.DataFrame(rng.integers(0, values, (rows, columns))).rename(columns=str) for _ in range(count)]
        methods = [Forest(k=k), GreedyCover(k=k)] + [Factor(k=k)] * (values == 2)
        found = ratios(methods, [Table(frame, quasi=list(frame)) for frame in frames])
        print(f"\n{count} tables of {rows} rows, {columns} columns of {values} values, k = {k}: cost ÷ optimum")
        print(found.groupby("method", sort=False)[["ratio", "bound"]].agg(["mean", "max"]).round(2).to_string())


def cuts_on_adult():
    adult = anonnb.load("adult")
    print(f"\nTopDown and BottomUp on Adult, {len(adult):,} rows, {len(adult.quasi)} columns")
    print(f"{'method':18} {'seconds':>8} {'steps':>6} {'classes':>8} {'NCP':>6} {'CM':>6}")
    for k in (2, 10, 100):
        for method in (TopDown(k=k), BottomUp(k=k)):
            release, seconds = timed(method, adult)
            steps = len(release.info["trace"]) - 1
            loss, wrong = utility.ncp(adult, release), utility.classification_metric(adult, release)
            name = f"{type(method).__name__}, k = {k}"
            print(f"{name:18} {seconds:8.2f} {steps:6} {release.n_groups:8,} {loss:6.3f} {wrong:6.3f}")


if __name__ == "__main__":
    forest_by_size()
    small_tables()
    cuts_on_adult()
