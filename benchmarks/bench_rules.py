"""Rule induction: ten folds beside RIPPER and IREP (wittgenstein) and a scikit-learn tree, and the demands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from common import Bench, Call, Work, main
from tables import adult

TABLES = ("iris", "hayes-roth", "zoo", "car")


def folds_of(name: str, folds: int, learn: Callable) -> Work:
    """``learn(train, test)`` gives an accuracy; the timed work is all folds."""
    from sklearn.model_selection import KFold

    from anonnb import load

    table = load(name)
    split = list(KFold(10, shuffle=True, random_state=0).split(np.arange(len(table))))[:folds]
    parts = [(table.take(train), table.take(test)) for train, test in split]
    run = lambda: float(np.mean([learn(train, test) for train, test in parts]))  # noqa: E731
    return Work(run, lambda found: {"accuracy": found}, rows=len(table))


def lers(table: str, folds: int, imprecise: bool = False) -> Work:
    from anonnb.rules import LERS

    return folds_of(table, folds, lambda train, test: LERS(imprecise=imprecise).fit(train).score(test))


def scikit_tree(table: str, folds: int) -> Work:
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    def learn(train, test) -> float:
        coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        given = coder.fit_transform(train.frame[train.conditions])
        tree = DecisionTreeClassifier(random_state=0).fit(given, train.frame[train.decision])
        return tree.score(coder.transform(test.frame[test.conditions]), test.frame[test.decision])

    return folds_of(table, folds, learn)


def wittgenstein_rules(table: str, folds: int, learner: str) -> Work:
    """One rule set per class against the rest; the class whose rules are surest wins."""
    import wittgenstein

    def learn(train, test) -> float:
        given, truth = train.frame[train.conditions], train.frame[train.decision]
        classes, sure = sorted(truth.unique()), []
        for value in classes:
            model = getattr(wittgenstein, learner)(random_state=0)
            model.fit(given.assign(is_it=(truth == value).to_numpy()), class_feat="is_it", pos_class=True)
            sure.append(model.predict_proba(test.frame[test.conditions])[:, -1])
        guessed = np.array(classes)[np.argmax(sure, axis=0)]
        return float(np.mean(guessed == test.frame[test.decision].to_numpy()))

    return folds_of(table, folds, learn)


def induction(table: str, rows: int | None = None, unions: bool = False, variant: str | None = None) -> Work:
    """MLEM2 for the classes, or for all unions of classes."""
    from anonnb import load
    from anonnb.rules import imprecise_rules, mlem2

    options = {} if variant is None else {"variant": variant}
    data = adult(rows, **options) if table == "adult" else load(table)
    return Work(
        lambda: (imprecise_rules if unions else mlem2)(data), lambda rules: {"rules": len(rules)}, rows=len(data)
    )


def measure(bench: Bench) -> None:
    folds = 2 if bench.quick else 10
    for table in bench.some(TABLES):
        given = {"table": table, "folds": folds}
        calls = [
            Call("anonnb", lers, **given),
            Call("anonnb, imprecise", lers, **given, imprecise=True),
            Call(
                "wittgenstein, RIPPER",
                wittgenstein_rules,
                **given,
                learner="RIPPER",
                limit=None if bench.quick else 300,
            ),
            Call("wittgenstein, IREP", wittgenstein_rules, **given, learner="IREP"),
            Call("scikit-learn, tree", scikit_tree, **given),
        ]
        bench.compare(f"Rules, {folds} folds", table, calls)
    rows = bench.size(5_000)
    bench.profile("MLEM2", "Adult", Call("anonnb", induction, table="adult", rows=rows))
    bench.demand("all 126 unions of classes", "zoo", Call("anonnb", induction, table="zoo", unions=True), s=0.1)
    bench.demand("all 14 unions of classes", "car", Call("anonnb", induction, table="car", unions=True), s=0.2)
    rows = bench.size(30_162)
    bench.demand("MLEM2", "Adult", Call("anonnb", induction, table="adult", rows=rows), s=5)


if __name__ == "__main__":
    main(measure, __doc__)
