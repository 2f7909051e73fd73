"""Time the privacy measures: raw Adult against pycanon, and a report and NCP on a million rows.

Run: python benchmarks/bench_privacy.py [--no-pycanon]. Prints seconds, ratios and the peak memory of the process.
"""

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb import Release, Table, load, privacy, utility
from anonnb.valuesets import Column

MEASURES: dict[str, Callable] = {
    "k": privacy.k,
    "(α,k)": privacy.alpha_k,
    "l": privacy.l,
    "entropy l": privacy.entropy_l,
    "recursive (c,l)": lambda table: privacy.recursive_c_l(table, reading="pycanon"),
    "t": privacy.t,
    "basic β": privacy.beta,
    "enhanced β": lambda table: privacy.beta(table, "enhanced", reading="pycanon"),
    "δ-disclosure": lambda table: privacy.delta_disclosure(table, reading="pycanon"),
}


def seconds(work: Callable, repeat: int = 1) -> float:
    """The best of several runs."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def adult(with_pycanon: bool) -> None:
    table = load("adult")
    print(f"Adult: {len(table):,} rows, {len(table.quasi)} quasi-identifiers, {Release.of(table).n_groups:,} classes")
    ours = {name: seconds(lambda measure=measure: measure(table), 3) for name, measure in MEASURES.items()}
    print(f"  all nine measures, one call each: {sum(ours.values()):.3f} s")
    print(f"  privacy.report:                   {seconds(lambda: privacy.report(table), 3):.3f} s")
    if not with_pycanon:
        return
    from pycanon import anonymity

    quasi, sensitive = table.quasi, table.sensitive
    # pycanon copies every column for every value, and is faster with texts as objects: give it its best case
    frame = table.frame[[*quasi, *sensitive]].reset_index(drop=True)
    frame = frame.astype(dict.fromkeys(frame.select_dtypes(exclude="number").columns, object))
    theirs_of = {
        "k": lambda: anonymity.k_anonymity(frame, quasi),
        "(α,k)": lambda: anonymity.alpha_k_anonymity(frame, quasi, sensitive),
        "l": lambda: anonymity.l_diversity(frame, quasi, sensitive),
        "entropy l": lambda: anonymity.entropy_l_diversity(frame, quasi, sensitive),
        "recursive (c,l)": lambda: anonymity.recursive_c_l_diversity(frame, quasi, sensitive),
        "t": lambda: anonymity.t_closeness(frame, quasi, sensitive),
        "basic β": lambda: anonymity.basic_beta_likeness(frame, quasi, sensitive),
        "enhanced β": lambda: anonymity.enhanced_beta_likeness(frame, quasi, sensitive),
        "δ-disclosure": lambda: anonymity.delta_disclosure(frame, quasi, sensitive),
    }
    theirs = {}
    print(f"  {'measure':<16} {'anonnb':>9} {'pycanon':>9} {'ratio':>8}")
    for name, work in theirs_of.items():
        theirs[name] = seconds(work)
        ratio = theirs[name] / ours[name]
        print(f"  {name:<16} {ours[name]:>7.4f} s {theirs[name]:>7.2f} s {ratio:>7.0f}×", flush=True)
    total = sum(theirs.values())
    print(f"  {'all':<16} {sum(ours.values()):>7.4f} s {total:>7.2f} s {total / sum(ours.values()):>7.0f}×")


def million(rows: int = 1_000_000) -> None:
    random = np.random.default_rng(0)
    names = [f"a{number}" for number in range(7)]
    sizes = [90, 2, 5, 7, 16, 40, 1000]
    data = {name: random.integers(0, size, rows) for name, size in zip(names, sizes, strict=True)}
    frame = pd.DataFrame({**data, "ill": random.integers(0, 500, rows).astype(str)})
    nominal = dict.fromkeys(names[1:6], "nominal")
    start = time.perf_counter()
    table = Table(frame, quasi=names, sensitive=["ill"], kinds=nominal)
    print(f"A million rows × 8 attributes: Table {time.perf_counter() - start:.2f} s")
    print(f"  privacy.report of the raw table: {seconds(lambda: privacy.report(table)):.2f} s")
    groups = table.codes("a0") // 5 * 40 + table.codes("a5")
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name), groups, int(groups.max()) + 1)
        for name in names
    }
    release = Release(table, columns, np.arange(rows))
    print(f"  privacy.report of a release:     {seconds(lambda: privacy.report(release)):.2f} s")
    print(f"  utility.ncp of the release:      {seconds(lambda: utility.ncp(table, release)):.2f} s")
    print(f"  utility.ncp per row:             {seconds(lambda: utility.ncp(table, release, per='row')):.2f} s")
    print(f"  peak memory of the process:      {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-pycanon", action="store_true", help="leave out pycanon, which needs about a minute")
    options = parser.parse_args()
    million()
    adult(not options.no_pycanon)
