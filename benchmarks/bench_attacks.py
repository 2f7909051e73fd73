"""How long patterns and attacks take: python benchmarks/bench_attacks.py (prints CPU seconds, the best of three).

The last part looks for the limit of the deep attack: how long, and how many cases stay undecided.
"""

import time

import numpy as np
import pandas as pd

import anonnb
from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.methods import ClassMondrian, Mondrian, PatternTable
from anonnb.rules import imprecise_rules
from anonnb.valuesets import Column


def best(work, times=3):
    """The least CPU seconds of some runs, after one run that compiles what has to be compiled, and the last result."""
    work()
    seconds = []
    for _ in range(times):
        start = time.process_time()
        result = work()
        seconds.append(time.process_time() - start)
    return min(seconds), result


def line(name, seconds, limit=None, more=""):
    wanted = f" (wanted: {limit:g})" if limit else ""
    print(f"{name:58} {seconds:8.3f} s{wanted}{more}", flush=True)


def patterns():
    car = anonnb.load("car")
    seconds, rules = best(lambda: imprecise_rules(car, 5))
    line("car, k = 5: imprecise rules", seconds)
    for variant in ("cT1", "cT4"):
        method = PatternTable(k=5, variant=variant, rules=rules)
        seconds, release = best(lambda method=method: method.anonymize(car))
        line(f"car, k = 5: {variant} from rules to patterns", seconds, 0.3, f", {len(release):,} patterns")


def shallow():
    zoo = anonnb.load("zoo")
    for name, method in (("cT1", PatternTable(k=5)), ("M2", ClassMondrian(k=5)), ("Mondrian", Mondrian(k=5))):
        release = method.anonymize(zoo)
        seconds, result = best(lambda release=release: ShallowAttack(known=2).run(release))
        line(f"zoo, k = 5, {name}: all pairs, all targets", seconds, 0.2, f", {result.attempts:,} attempts")
    adult = Mondrian(k=10).anonymize(anonnb.load("adult"))
    seconds, result = best(lambda: ShallowAttack(known=2).run(adult), times=1)
    line("adult, k = 10, Mondrian: all pairs, all targets", seconds, 10, f", {result.attempts:,} attempts")


def deep():
    """Tables of the paper's size (15 rows), of 100 rows, and whole ones; then sets without any structure."""
    for dataset, rows in (("car", 15), ("car", 100), ("car", 1728), ("iris", 150), ("zoo", 101), ("adult", 1000)):
        table = anonnb.load(dataset)
        part = table.take(np.sort(np.random.default_rng(0).choice(len(table), rows, replace=False)))
        deep_line(
            f"{dataset}, {rows} rows, cT1, k = 5" if rows > 15 else "car, 15 rows, cT1, k = 2", _patterns(part, rows)
        )
        deep_line(f"{dataset}, {rows} rows, Mondrian", Mondrian(k=5 if rows > 15 else 2).anonymize(part))
    for rows in (50, 100, 200):
        deep_line(f"random sets, {rows} rows", random_sets(rows))


def _patterns(table, rows):
    return PatternTable(k=5 if rows > 15 else 2).anonymize(table)


def deep_line(name, release):
    attack = DeepAttack(known=2, time_limit=60)
    seconds, result = best(lambda: attack.run(release), times=1)
    open_cases = result.info["undecided"] / result.attempts
    more = f", {len(release):5} rows published, {result.attempts:6,} attempts, {open_cases:.1%} undecided"
    line(f"deep attack: {name}", seconds, None, more)


def random_sets(rows, attributes=6, values=12, share=0.75):
    """Large random sets: most rows are compatible, and many of them are needed to single out a value."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, values, (rows, attributes)).astype(str), columns=list("abcdef")[:attributes])
    table = anonnb.Table(frame, quasi=list(frame.columns[:-1]), decision=frame.columns[-1])
    columns = {}
    for name in table.columns:
        masks = rng.random((rows, table.attributes[name].size)) < share
        masks[np.arange(rows), table.codes(name)] = True
        columns[name] = Column.from_masks(table.attributes[name], masks)
    return anonnb.Release(table, columns, np.arange(rows))


if __name__ == "__main__":
    patterns()
    shallow()
    deep()
