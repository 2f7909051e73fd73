"""Frequent itemsets and association rules beside mlxtend, efficient-apriori and pyfim, at ten bins.

Each support has three tables; Adult's nine columns are among them at every one.
"""

from __future__ import annotations

import json
from pathlib import Path

from common import Bench, Call, Work
from peers import jobs
from tables import table_of

ADULT = "Adult, 9 columns"
SUPPORTS = {0.01: (ADULT, "car", "hayes-roth"), 0.1: (ADULT, "car", "gbsg2"), 0.3: (ADULT, "gbsg2", "zoo")}
CONFIDENCE = 0.501


def itemsets(data: str, support: float, rows: int) -> Work:
    from anonnb.rules import frequent_itemsets

    table = table_of(data, rows)
    return Work(lambda: frequent_itemsets(table, support, bins=10), lambda f: {"itemsets": len(f)}, rows=len(table))


def rules(data: str, support: float, rows: int) -> Work:
    from anonnb.rules import association_rules

    table = table_of(data, rows)
    run = lambda: association_rules(table, support, CONFIDENCE, bins=10)  # noqa: E731
    return Work(run, lambda frame: {"rules": len(frame)}, rows=len(table))


def items(data: str, rows: int):
    """The same items as ours, as texts; peers are given them ready made."""
    import pandas as pd

    table = table_of(data, rows)
    names = [name for name in table.frame if name not in table.identifiers]
    cut = table.frame[names].copy()
    for name in names:
        if table.attributes[name].is_number and table.attributes[name].size > 10:
            cut[name] = pd.cut(cut[name], 10)
    return cut.astype(str)


def mlxtend_itemsets(data: str, support: float, rows: int, function: str) -> Work:
    import pandas as pd
    from mlxtend import frequent_patterns

    given = pd.get_dummies(items(data, rows), prefix_sep="=")
    mine = getattr(frequent_patterns, function)
    return Work(lambda: mine(given, min_support=support), lambda f: {"itemsets": len(f)}, rows=len(given))


def mlxtend_rules(data: str, support: float, rows: int) -> Work:
    import pandas as pd
    from mlxtend.frequent_patterns import association_rules, fpgrowth

    given = pd.get_dummies(items(data, rows), prefix_sep="=")

    def run():
        return association_rules(fpgrowth(given, min_support=support), metric="confidence", min_threshold=CONFIDENCE)

    return Work(run, lambda frame: {"rules": len(frame)}, rows=len(given))


def give(folder: Path, data: str, rows: int) -> None:
    frame = items(data, rows)
    lines = [[f"{name}={value}" for name, value in zip(frame, row, strict=True)] for row in frame.to_numpy()]
    (folder / "transactions.json").write_text(json.dumps(lines), encoding="utf-8")


def measure(bench: Bench) -> None:
    rows, told = bench.size(30_169), {"note": "is given the items ready made"}
    for support, tables in bench.some(SUPPORTS.items()):
        for data in bench.some(tables):
            files = {"give": lambda folder, data=data: give(folder, data, rows)}
            given = {"data": data, "support": support, "rows": rows}
            calls = [
                Call("anonnb", itemsets, **given),
                Call("mlxtend, fpgrowth", mlxtend_itemsets, **given, function="fpgrowth", **told),
                Call("mlxtend, apriori", mlxtend_itemsets, **given, function="apriori", **told),
                Call("efficient-apriori", jobs.efficient_apriori, support=support, peer="miners", **files, **told),
                Call("pyfim", jobs.pyfim, support=support, peer="pyfim", **files, **told),
            ]
            bench.compare(f"Itemsets, support {support}", data, calls)
            calls = [Call("anonnb", rules, **given), Call("mlxtend, fpgrowth", mlxtend_rules, **given, **told)]
            bench.compare(f"Association rules, support {support}", data, calls)
    adult_items = {"data": ADULT, "support": 0.01}
    bench.profile("Itemsets, support 0.01", ADULT, Call("anonnb", itemsets, **adult_items, rows=rows))
    whole = Call("anonnb", itemsets, **adult_items, rows=30_169)
    bench.demand("Itemsets, support 0.01", ADULT, whole, s=0.3)
