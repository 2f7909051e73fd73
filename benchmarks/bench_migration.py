"""Tuple migration and the clustering baselines on Adult (30,169 rows, 7,647 groups): seconds against k.

Run: python benchmarks/bench_migration.py. Wanted: UM3AR under 3 s for any k and flat in k; OKA, KACA, GCCG under 10 s.
"""

import time

import anonnb
from anonnb.methods import GCCG, KACA, M3AR, OKA, UM3AR

KS = (2, 5, 10, 20, 50, 100)


def main() -> None:
    table = anonnb.load("adult", variant="migration")
    OKA(k=2).anonymize(table.take(range(100)))  # compile before the clock starts
    print(f"{'processor seconds':18}" + "".join(f"{f'k={k}':>8}" for k in KS) + "   slowest / fastest")
    for method in (UM3AR, M3AR, OKA, KACA, GCCG):
        seconds = []
        for k in KS:
            start = time.process_time()
            method(k=k).anonymize(table)
            seconds.append(time.process_time() - start)
        ratio = max(seconds) / min(seconds)
        print(f"{method.__name__:18}" + "".join(f"{each:8.2f}" for each in seconds) + f"{ratio:12.1f}", flush=True)


if __name__ == "__main__":
    main()
