"""How long the arena takes: all methods and attacks on the small tables, the scalable methods on Adult."""

import os
import sys
import time
import warnings

import anonnb
from anonnb import arena, attacks

SMALL = ("survey", "iris", "hayes-roth", "car", "zoo")
SCALABLE = ("Mondrian", "InfoGainMondrian", "ClassMondrian", "TopDown", "FullDomain", "LocalSuppression", "OKA")
# The minimality attack runs a method once per world, the others once.
EVERY = [name for name, cls in attacks.all().items() if cls.reads == "release" and name != "MinimalityAttack"]


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    total = 0.0
    for name in names or [*SMALL, "adult"]:
        table = anonnb.load(name)
        large = name == "adult"
        start = time.perf_counter()
        tried = arena.DEFAULT_ATTACKS if large else EVERY
        frame = arena.compare(table, SCALABLE if large else None, tried, k=10 if large else 5, jobs=os.cpu_count())
        seconds = time.perf_counter() - start
        total += seconds
        slowest = frame.groupby("method")["seconds"].sum().nlargest(3).round(1).to_dict()
        made = frame[frame["name"] == "made"]["value"].notna()
        print(
            f"{name:11} {len(table):6,} rows  {made.sum():2} of {len(made)} releases  {seconds:6.1f} s  {slowest}",
            flush=True,
        )
    print(f"{total:.0f} s in all, {os.cpu_count()} cores")


if __name__ == "__main__":
    main(sys.argv[1:])
