"""Rule learners beside each other: accuracy and number of rules in ten folds of four tables.

Ours are LERS with the rules of MLEM2, the same with imprecise rules, and CN2. Beside them stand RIPPER and IREP
(wittgenstein), rule lists and rule sets of imodels, Orange's CN2, and a scikit-learn tree, whose rules are its leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from common import Bench, Call, Work, main
from peers import run_learners

TABLES = ("iris", "hayes-roth", "zoo", "car")
WITTGENSTEIN = ("RIPPER", "IREP")
IMODELS = ("GreedyRuleListClassifier", "SkopeRulesClassifier")


def parts_of(name: str, folds: int) -> list:
    """Pairs of tables to learn from and to be asked about."""
    from sklearn.model_selection import KFold

    from anonnb import load

    table = load(name)
    split = list(KFold(10, shuffle=True, random_state=0).split(np.arange(len(table))))[:folds]
    return [(table.take(train), table.take(test)) for train, test in split]


def give(folder: Path, name: str, folds: int) -> None:
    """The folds as files, for learners in another environment."""
    for fold, parts in enumerate(parts_of(name, folds)):
        for part, table in zip(("train", "test"), parts, strict=True):
            table.frame[[*table.conditions, table.decision]].to_csv(folder / f"{part}-{fold}.csv", index=False)


def over_folds(name: str, folds: int, learn: Callable) -> Work:
    """``learn(train, test)`` gives an accuracy and a number of rules; the timed work is all folds."""
    parts = parts_of(name, folds)

    def quality(found: list[tuple[float, int]]) -> dict[str, float]:
        right, rules = np.mean(found, axis=0)
        return {"accuracy": right, "rules": rules}

    rows = len(parts[0][0]) + len(parts[0][1])
    return Work(lambda: [learn(train, test) for train, test in parts], quality, rows=rows)


def ours(table: str, folds: int, learner: str = "LERS", **options) -> Work:
    from anonnb import rules

    def learn(train, test) -> tuple[float, int]:
        model = getattr(rules, learner)(**options).fit(train)
        return model.score(test), len(model.rules_)

    return over_folds(table, folds, learn)


def scikit_tree(table: str, folds: int) -> Work:
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    def learn(train, test) -> tuple[float, int]:
        coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        given = coder.fit_transform(train.frame[train.conditions])
        tree = DecisionTreeClassifier(random_state=0).fit(given, train.frame[train.decision])
        asked = coder.transform(test.frame[test.conditions])
        return tree.score(asked, test.frame[test.decision]), tree.get_n_leaves()

    return over_folds(table, folds, learn)


def measure(bench: Bench) -> None:
    folds = 2 if bench.quick else 10
    for table in bench.some(TABLES):
        given = {"table": table, "folds": folds}
        files = {"give": lambda folder, table=table: give(folder, table, folds)}
        peer = {"peer": "learners", **files}
        calls = [
            Call("anonnb", ours, **given),
            Call("anonnb, imprecise", ours, **given, imprecise=True),
            *(Call(f"wittgenstein, {name}", run_learners.wittgenstein, learner=name, **peer) for name in WITTGENSTEIN),
            *(Call(f"imodels, {name}", run_learners.imodels, learner=name, **peer) for name in IMODELS),
            Call("scikit-learn, tree", scikit_tree, **given),
        ]
        bench.compare(f"Rules, {folds} folds", table, calls)
        orange = Call("Orange3, CN2", run_learners.orange, peer="orange", **files)
        bench.compare(f"CN2, {folds} folds", table, [Call("anonnb", ours, **given, learner="CN2"), orange])


if __name__ == "__main__":
    main(measure, __doc__)
