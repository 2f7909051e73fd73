"""Frequent itemsets and association rules of Adult beside mlxtend's, at ten bins, and how they grow."""

from __future__ import annotations

from common import Bench, Call, Work, main
from tables import adult

SUPPORTS = (0.01, 0.05, 0.1)
CONFIDENCE = 0.501
NUMBERS = ("age", "hours-per-week", "capital-gain")


def itemsets(support: float, rows: int) -> Work:
    from anonnb.rules import frequent_itemsets

    table = adult(rows, variant="migration")
    return Work(lambda: frequent_itemsets(table, support, bins=10), lambda f: {"itemsets": len(f)}, rows=len(table))


def rules(support: float, rows: int) -> Work:
    from anonnb.rules import association_rules

    table = adult(rows, variant="migration")
    run = lambda: association_rules(table, support, CONFIDENCE, bins=10)  # noqa: E731
    return Work(run, lambda frame: {"rules": len(frame)}, rows=len(table))


def one_hot(rows: int):
    """The same items as ours; mlxtend is given them ready made."""
    import pandas as pd

    table = adult(rows, variant="migration")
    cut = table.frame.copy()
    for name in NUMBERS:
        cut[name] = pd.cut(cut[name], 10).astype(str)
    return pd.get_dummies(cut.astype(str), prefix_sep="=")


def mlxtend_itemsets(support: float, rows: int, function: str) -> Work:
    from mlxtend import frequent_patterns

    items = one_hot(rows)
    mine = getattr(frequent_patterns, function)
    return Work(lambda: mine(items, min_support=support), lambda f: {"itemsets": len(f)}, rows=len(items))


def mlxtend_rules(support: float, rows: int) -> Work:
    from mlxtend.frequent_patterns import association_rules, fpgrowth

    items = one_hot(rows)

    def run():
        return association_rules(fpgrowth(items, min_support=support), metric="confidence", min_threshold=CONFIDENCE)

    return Work(run, lambda frame: {"rules": len(frame)}, rows=len(items))


def measure(bench: Bench) -> None:
    rows = bench.size(30_169)
    for support in bench.some(SUPPORTS):
        given = {"support": support, "rows": rows}
        calls = [Call("anonnb", itemsets, **given)]
        calls += [
            Call(f"mlxtend, {name}", mlxtend_itemsets, **given, function=name) for name in ("fpgrowth", "apriori")
        ]
        bench.compare(f"Itemsets, support {support}", "Adult, 9 columns", calls)
    given = {"support": SUPPORTS[0], "rows": rows}
    calls = [Call("anonnb", rules, **given), Call("mlxtend, fpgrowth", mlxtend_rules, **given)]
    bench.compare(f"Association rules, support {SUPPORTS[0]}", "Adult, 9 columns", calls)
    bench.profile("Itemsets, support 0.01", "Adult, 9 columns", Call("anonnb", itemsets, support=0.01, rows=rows))
    whole = Call("anonnb", itemsets, support=0.01, rows=30_169)
    bench.demand("Itemsets, support 0.01", "Adult, 9 columns", whole, s=0.3)


if __name__ == "__main__":
    main(measure, __doc__)
