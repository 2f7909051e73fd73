"""Anonymization for a classifier: ours cuts by information gain, ai-privacy-toolkit by a tree; Adult, k = 10."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from common import Bench, Call, Work, main
from peers import run_toolkit
from tables import adult

K = 10


def halves(rows: int | None):
    """Four fifths of the rows to anonymize, the others to judge by."""
    table = adult(rows)
    cut = len(table) * 4 // 5
    return table.take(np.arange(cut)), table.take(np.arange(cut, len(table)))


def info_gain(rows: int | None) -> Work:
    from anonnb.methods import InfoGainMondrian

    train, test = halves(rows)
    run = lambda: InfoGainMondrian(K).anonymize(train)  # noqa: E731
    return Work(run, lambda release: accuracy(test, release), rows=len(train))


def accuracy(test, release) -> dict[str, float]:
    """Of a tree grown from the release, on rows that the release was not made from."""
    from anonnb import utility

    return {
        "accuracy": utility.tree_accuracy(test, release),
        "classes": release.n_groups,
        "smallest class": int(release.group_sizes.min()),
    }


def give(train, folder: Path) -> None:
    """The table, and what a model predicts for its rows: the toolkit asks for that instead of the true classes."""
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    frame = train.frame[train.quasi]
    coded = OneHotEncoder().fit_transform(frame)
    model = DecisionTreeClassifier(min_samples_leaf=K, random_state=0).fit(coded, train.frame[train.decision])
    frame.assign(predicted=model.predict(coded)).to_csv(folder / "table.csv", index=False)


def judge(train, test, folder: Path) -> dict[str, float]:
    import pandas as pd

    from anonnb import Release

    found = pd.read_csv(folder / "found.csv").assign(**{train.decision: train.frame[train.decision].to_numpy()})
    return accuracy(test, Release.from_frame(found, like=train.select([*train.quasi, train.decision])))


def measure(bench: Bench) -> None:
    rows = bench.size(30_162)
    train, test = halves(rows)
    toolkit = Call(
        "ai-privacy-toolkit",
        run_toolkit.guided,
        k=K,
        peer="toolkit",
        give=lambda folder: give(train, folder),
        judge=lambda folder: judge(train, test, folder),
    )
    bench.compare(f"For a classifier, k = {K}", "Adult, four fifths", [Call("anonnb", info_gain, rows=rows), toolkit])


if __name__ == "__main__":
    main(measure, __doc__)
