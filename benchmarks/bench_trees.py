"""Trees beside scikit-learn's, and what is built on them: tree-preserving sanitization, safe trees, channels."""

from __future__ import annotations

import numpy as np
from common import Bench, Call, Work
from tables import adult
from tables import grown as grown_table

LEAVES, K, SUPPORT = 64, 50, 0.05


def grown(data: str, rows: int) -> Work:
    """Ours splits nominal values into two sets; a tenth of the rows judges."""
    from anonnb import trees

    train, test, names = divided(data, rows)
    run = lambda: trees.grow(train, attributes=names, max_leaves=LEAVES)  # noqa: E731
    return Work(run, lambda tree: {"accuracy": tree.score(test), "leaves": len(tree.leaves)}, rows=len(train))


def scikit(data: str, rows: int, one_hot: bool) -> Work:
    """scikit-learn knows only numbers: values as their position, or a column per value (coding is not timed)."""
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    train, test, names = divided(data, rows)
    unknown = {"handle_unknown": "ignore"} if one_hot else {"handle_unknown": "use_encoded_value", "unknown_value": -1}
    coder = (OneHotEncoder if one_hot else OrdinalEncoder)(**unknown)
    given, truth = coder.fit_transform(train.frame[names]), train.frame[train.decision]
    asked, judged = coder.transform(test.frame[names]), test.frame[test.decision]
    model = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=LEAVES, random_state=0)
    quality = lambda tree: {"accuracy": tree.score(asked, judged), "leaves": tree.get_n_leaves()}  # noqa: E731
    return Work(lambda: model.fit(given, truth), quality, rows=len(train))


def divided(data: str, rows: int):
    """Rows to learn from, rows to judge by, and the columns that a tree may test."""
    from anonnb import load

    if data == "Adult, grown":
        table = grown_table(adult(), rows)
    else:
        table = load(data.partition(",")[0].lower())
        table = table.take(np.arange(min(rows, len(table))))
    names = table.quasi if data in ("Adult", "Adult, grown") else table.conditions
    rows = np.arange(len(table))
    return table.take(rows[rows % 10 > 0]), table.take(rows[rows % 10 == 0]), names


def channels(rows: int | None = None) -> Work:
    """Channels among the frequent itemsets of nine attributes, which are mined before."""
    from anonnb.rules import channels as find
    from anonnb.rules import frequent_itemsets
    from anonnb.rules.association.channels import Supports

    table = adult(rows)
    frame = frequent_itemsets(table.select([*table.quasi, table.decision]), SUPPORT)
    supports = Supports.of_frame(frame, len(table))
    return Work(lambda: find(supports, K), lambda found: {"channels": len(found)}, rows=len(table))


def safe_tree(strategy: str, rows: int | None = None) -> Work:
    from anonnb.methods import SafeTree

    table = adult(rows)
    quality = lambda release: {"accuracy": release.tree.score(table)}  # noqa: E731
    return Work(lambda: SafeTree(k=K, strategy=strategy).anonymize(table), quality, rows=len(table))


def preserving(rows: int | None = None) -> Work:
    """Grow ten leaves, sanitize for every number of them, rebuild and compare."""
    from anonnb.methods import TreePreserving

    table = adult(variant="tree")
    if rows is not None:
        table = grown_table(table, rows)
    return Work(lambda: TreePreserving(k=5, max_leaves=10).anonymize(table), rows=len(table))


def measure(bench: Bench) -> None:
    rows = bench.size(30_162)
    for data, count in [("Adult", rows), ("Adult, all columns", rows), ("car", rows), ("Adult, grown", 10 * rows)]:
        of = {"data": data, "rows": count}
        calls = [Call("anonnb", grown, **of), Call("scikit-learn, by position", scikit, one_hot=False, **of)]
        if data == "Adult":
            calls.append(Call("scikit-learn, one-hot", scikit, one_hot=True, **of))
        bench.compare(f"Tree of {LEAVES} leaves", data, calls)
    bench.profile(f"Tree of {LEAVES} leaves", "Adult", Call("anonnb", grown, data="Adult", rows=rows))
    bench.profile("TreePreserving, 10 leaves", "Adult", Call("anonnb", preserving, rows=rows))
    bench.demand("TreePreserving, 10 leaves", "Adult", Call("anonnb", preserving), s=5)
    bench.demand(f"channels, support {SUPPORT}, k = {K}", "Adult", Call("anonnb", channels), s=20)
    for strategy in bench.some(("grow", "merge", "hide")):
        bench.demand(f"SafeTree by {strategy}, k = {K}", "Adult", Call("anonnb", safe_tree, strategy=strategy), s=10)
