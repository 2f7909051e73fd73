"""Rule induction: our times, and accuracies beside other rule learners on the same folds.

RIPPER (package wittgenstein, one class against the rest) takes part where it is installed: pip install wittgenstein.
Times are those of one process, without compilation; `--adult` adds the 30,162 rows of Adult, `--quick` uses 3 folds.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from anonnb import Table, load
from anonnb.rules import LERS, imprecise_rules, mlem2, rules_from_release

TABLES = ("iris", "hayes-roth", "zoo", "car")
GOALS = {("zoo", "all unions"): 0.1, ("car", "all unions"): 0.4, ("adult", "MLEM2"): 60.0}


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best of a few runs, in processor seconds."""
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def induction_times(with_adult: bool) -> pd.DataFrame:
    rows = []
    for name in TABLES:
        table = load(name)
        tasks = {
            "MLEM2": lambda table=table: mlem2(table),
            "all unions": lambda table=table: imprecise_rules(table),
            "from a release": lambda table=table: rules_from_release(table, "overlap"),
        }
        rows += [(name, task, len(work()), seconds(work)) for task, work in tasks.items()]
    if with_adult:
        table, found = load("adult"), []
        took = seconds(lambda: found.append(mlem2(table)), repeats=1)
        rows.append(("adult", "MLEM2", len(found[0]), took))
    frame = pd.DataFrame(rows, columns=["table", "task", "rules", "seconds"])
    frame["goal"] = [GOALS.get((table, task), np.nan) for table, task in zip(frame.table, frame.task, strict=True)]
    return frame


def by_lers(train: Table, test: Table, **options) -> float:
    return LERS(**options).fit(train).score(test)


def by_tree(train: Table, test: Table) -> float:
    coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    X, y = train.frame[train.conditions], train.frame[train.decision]
    tree = DecisionTreeClassifier(random_state=0).fit(coder.fit_transform(X), y)
    return tree.score(coder.transform(test.frame[test.conditions]), test.frame[test.decision])


def by_ripper(train: Table, test: Table) -> float:
    """One RIPPER per class; the class whose rules are surest wins."""
    import wittgenstein

    X, y = train.frame[train.conditions], train.frame[train.decision]
    classes, sure = sorted(y.unique()), []
    for value in classes:
        data = X.assign(is_it=(y == value).to_numpy())
        learner = wittgenstein.RIPPER(random_state=0)
        learner.fit(data, class_feat="is_it", pos_class=True)
        sure.append(learner.predict_proba(test.frame[test.conditions])[:, -1])
    guessed = np.array(classes)[np.argmax(sure, axis=0)]
    return float(np.mean(guessed == test.frame[test.decision].to_numpy()))


def accuracies(folds: int) -> pd.DataFrame:
    learners: dict[str, Callable[[Table, Table], float]] = {
        "anonnb LERS, precise": by_lers,
        "anonnb LERS, imprecise": lambda train, test: by_lers(train, test, imprecise=True),
        "scikit-learn tree": by_tree,
    }
    try:
        import wittgenstein  # noqa: F401

        learners["wittgenstein RIPPER, one against the rest"] = by_ripper
    except ImportError:
        print("wittgenstein is not installed; RIPPER is left out (pip install wittgenstein)")
    rows = []
    for name in TABLES:
        table = load(name)
        for learner, work in learners.items():
            start, scores = time.process_time(), []
            for train, test in list(KFold(10, shuffle=True, random_state=0).split(np.arange(len(table))))[:folds]:
                scores.append(work(table.take(train), table.take(test)))
            rows.append((name, learner, np.mean(scores), (time.process_time() - start) / len(scores)))
    return pd.DataFrame(rows, columns=["table", "learner", "accuracy", "seconds per fold"])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--adult", action="store_true", help="induce rules from Adult, too (about half a minute)")
    options.add_argument("--quick", action="store_true", help="three folds of the ten")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    mlem2(load("decision6"))  # compile
    by_lers(load("decision6"), load("decision6"))
    print(induction_times(chosen.adult).round(4).to_string(index=False), end="\n\n")
    frame = accuracies(3 if chosen.quick else 10)
    ours = frame[frame.learner == "anonnb LERS, precise"].set_index("table")["seconds per fold"]
    frame["times ours"] = frame["seconds per fold"] / frame["table"].map(ours)
    print(frame.round(4).to_string(index=False))


if __name__ == "__main__":
    main()
