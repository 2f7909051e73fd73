"""Figures 5 to 10 of the TPP paper: accuracy, R², K and L against leaves, and running time.

Data: Adult; for regression GBSG2 and scikit-learn's diabetes table in place of the paper's cancer data, which is not
public. Readings: the paper sanitizes first and cross-validates the sanitized table, which is optimistic, so we also
sanitize inside each training fold; InfoGain Mondrian gets the K that TPP reaches, and publishes means and modes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.tasks import run_tasks
from anonnb.experiments.results import check_size
from anonnb.experiments.results import stored as stored_table
from anonnb.methods import InfoGainMondrian, TreePreserving
from anonnb.methods.tree_preserving.tree_preserving import (
    cut_back,
    differences,
    grow_trees,
    largest_l,
    published_table,
    rebuild,
    sanitize,
)
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.trees.growing import grow
from anonnb.trees.tree import Tree

DATASETS = ("adult", "gbsg2", "diabetes")
PROTOCOLS = ("inside folds", "first")
FIXED_K = 10
INFOGAIN = ("InfoGain, K of TPP", f"InfoGain, k = {FIXED_K}")
METHODS = ("original", "TPP", *INFOGAIN)
EQUAL = "InfoGain, as many groups as leaves"


class TreePreservingSize(NamedTuple):
    """How much is run: the step between rows of Adult, numbers of leaves, folds, rows and attributes that are timed."""

    step: int
    leaves: tuple[int, ...]
    folds: int
    rows: tuple[int, ...]
    copies: tuple[int, ...]


SIZES = {
    "quick": TreePreservingSize(20, (2, 4, 6), 2, (300, 600), (1, 2)),
    "full": TreePreservingSize(1, (2, 3, 4, 5, 6, 8), 10, (7_500, 15_000, 30_000, 60_000), (1, 2, 3, 4)),
}


def _amount(size: str) -> TreePreservingSize:
    check_size(size)
    return SIZES[size]


@cache
def table_named(dataset: str, step: int = 1) -> Table:
    """Load a data set of the experiment.

    Parameters
    ----------
    dataset:
        ``"adult"`` as the paper uses it, ``"gbsg2"`` or ``"diabetes"`` (both for regression).
    step:
        Use every ``step``-th row of Adult.

    Examples
    --------
    >>> table_named("diabetes").quasi
    ['age', 'sex', 'bmi', 'bp', 's1', 's2', 's3', 's4', 's5', 's6']
    """
    if dataset == "adult":
        tree = load("adult", variant="tree")
        roles = {"quasi": tree.quasi, "sensitive": tree.sensitive, "decision": tree.decision}
        table = load("adult", rows="train").with_roles(**roles).select(tree.columns)
        known = np.flatnonzero((table.frame["occupation"] != "?").to_numpy())  # 30,718 rows; the paper prints 30,717
        return table.take(known[::step])
    if dataset == "gbsg2":
        return load("gbsg2").select([*load("gbsg2").quasi, "time"])
    if dataset != "diabetes":
        raise KeyError(f"there is no data set {dataset!r} in this experiment; use {', '.join(DATASETS)}")
    from sklearn.datasets import load_diabetes

    frame = load_diabetes(as_frame=True, scaled=False).frame
    quasi = [name for name in frame.columns if name != "target"]
    return Table(frame, quasi=quasi, sensitive=["target"], decision="target", kinds={"sex": "nominal"})


# ---- Figures 5 and 6: accuracy and R² against leaves ----------------------------------------------------------------


def quality(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Accuracy (Adult) and R² (the others) of trees from the original and the sanitized tables, by both protocols.

    ``score`` is the mean over the folds, ``spread`` the standard deviation.
    """
    amount = _amount(size)
    tasks = [
        (dataset, protocol, fold, amount.folds, amount.leaves, amount.step, seed)
        for dataset in DATASETS
        for protocol in PROTOCOLS
        for fold in range(amount.folds)
    ]
    found = run_tasks(scores, tasks, ["dataset", "protocol", "method", "leaves", "score"], **run)
    keys = ["dataset", "protocol", "method", "leaves"]
    result = found.groupby(keys, sort=False)["score"].agg(score="mean", spread="std").reset_index()
    measures = {"adult": "accuracy"}
    result.insert(1, "measure", [measures.get(name, "R²") for name in result["dataset"]])
    return result


def folds(rows: int, count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training and test rows of each fold."""
    parts = np.array_split(np.random.default_rng(seed).permutation(rows), count)
    return [(np.setdiff1d(np.arange(rows), part), np.sort(part)) for part in parts]


def scores(
    dataset: str, protocol: str, fold: int, n_folds: int, leaves: Sequence[int], step: int, seed: int
) -> list[tuple]:
    """Scores on one test fold for every method and number of leaves."""
    table = table_named(dataset, step)
    train, test = folds(len(table), n_folds, seed)[fold]
    if protocol == "inside folds":
        sources, rows, testing = _releases(table.take(train), leaves), np.arange(len(train)), table.take(test)
    else:
        sources, rows, testing = _releases(table, leaves), train, None
    lines, grown = [], {}
    for method, count, release in sources:
        if id(release) not in grown:  # several numbers of leaves share a release, and its largest tree
            known = _read(release)
            tree = grow(known.take(rows), table.decision, attributes=table.quasi, max_leaves=max(leaves))
            unseen = _recoded(testing, release) if testing is not None else known.take(test)
            grown[id(release)] = release, tree, unseen
        _, tree, unseen = grown[id(release)]
        lines.append((dataset, protocol, method, count, cut_back(tree, count).score(unseen)))
    return lines


def _releases(table: Table, leaves: Sequence[int]) -> Iterator[tuple[str, int, Release]]:
    """Return the original and its sanitized tables for each number of leaves."""
    trees, made, original = _trees(table, max(leaves)), {}, Release.of(table)

    def infogain(k: int) -> Release:
        if k not in made:
            made[k] = InfoGainMondrian(k=k, summary="mean").anonymize(table)
        return made[k]

    for count in leaves:
        kept = sanitize(table, trees, count)
        yield "original", count, original
        yield "TPP", count, kept
        yield INFOGAIN[0], count, infogain(int(kept.group_sizes.min()))
        yield INFOGAIN[1], count, infogain(FIXED_K)


def _trees(table: Table, leaves: int) -> list[Tree]:
    return grow_trees(table, [required_decision(table)], "entropy", leaves)


def _read(release: Release) -> Table:
    return published_table(release, [required_decision(release)])


def _recoded(table: Table, release: Release) -> Table:
    """Rows that were not published, as a recipient puts them to a tree: categories by their set, numbers as such."""
    columns = {}
    for name in release.quasi:
        column, codes = release.columns[name], table.codes(name)
        if column.attribute.kind != "numeric":
            holding = [np.flatnonzero(column.sets.contains(code)) for code in range(column.attribute.size)]
            columns[name] = Column(column.sets, np.array([sets[0] for sets in holding])[codes])
    return _read(Release(table, columns, np.arange(len(table))))


# ---- Figures 7 and 8: K and L against leaves ------------------------------------------------------------------------


def privacy(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """K and L (1 / the largest share of a sensitive value) of the whole table for each number of leaves.

    ``same`` says whether the tree that the release yields is the original's.
    """
    amount = _amount(size)
    tasks = [(dataset, amount.leaves, amount.step) for dataset in DATASETS]
    return run_tasks(protection, tasks, ["dataset", "method", "leaves", "k", "l", "same"], **run)


def protection(dataset: str, leaves: Sequence[int], step: int) -> list[tuple]:
    """K, L and whether the tree survives, for the releases of one table."""
    table = table_named(dataset, step)
    tree = _trees(table, max(leaves))[0]
    lines = []
    for method, count, release in _releases(table, leaves):
        again = rebuild(release, [required_decision(table)], "entropy", count)[0]
        same = differences(cut_back(tree, count), again).empty
        lines.append((dataset, method, count, int(release.group_sizes.min()), largest_l(release), same))
    equal = [(dataset, EQUAL, count, coarsest_k(dataset, count, step), np.nan, False) for count in leaves]
    return [*lines, *equal]


def coarsest_k(dataset: str, groups: int, step: int = 1) -> int:
    """Find the largest K at which InfoGain Mondrian still makes at least a given number of groups.

    A reading of "InfoGain for trees with 4 leaves": as many groups as the tree has leaves. K is found by halving.

    >>> coarsest_k("diabetes", 2)
    221
    """
    table = table_named(dataset, step)
    low, high = 1, len(table)
    while low < high:
        middle = (low + high + 1) // 2
        enough = InfoGainMondrian(k=middle, summary="mean").anonymize(table).n_groups >= groups
        low, high = (middle, high) if enough else (low, middle - 1)
    return low


# ---- The conclusion: other learners ---------------------------------------------------------------------------------


LEARNERS = ["repetition", "learner", "method", "leaves", "k", "score"]


def learners(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Measure three other learners on new rows of Adult, trained on the original and on each sanitized table.

    Each repetition (full: 20) draws 3,000 rows, sanitizes and learns from two thirds of them, and tests the others.
    """
    check_size(size)
    tasks = [(number, (2, 3, 4), seed) for number in range(20 if size == "full" else 2)]
    return run_tasks(learner_scores, tasks, LEARNERS, **run)


def learner_scores(repetition: int, leaves: Sequence[int], seed: int) -> list[tuple]:
    """Score every learner on one division: a line per learner, method and number of leaves, with the smallest class."""
    table = table_named("adult")
    drawn = table.take(np.sort(np.random.default_rng([seed, repetition]).choice(len(table), 3000, replace=False)))
    train, test = folds(len(drawn), 3, repetition)[0]
    training, testing = drawn.take(train), drawn.take(test)
    lines = []
    for method, count, release in _releases(training, leaves):
        known, unseen = _features(_read(release)), _features(_recoded(testing, release))
        unseen = unseen.reindex(columns=known.columns, fill_value=0.0)
        for name, learner in _learners(repetition).items():
            fitted = learner.fit(known.to_numpy(), training.codes(required_decision(table)))
            score = fitted.score(unseen.to_numpy(), testing.codes(required_decision(table)))
            lines.append((repetition, name, method, count, int(release.group_sizes.min()), float(score)))
    return lines


def learner_orders(scores: pd.DataFrame) -> pd.DataFrame:
    """Count for each pair of learners in how many repetitions the first is ahead and behind, before and after TPP.

    >>> lines = [(0, "a", m, 4, 1, s) for m, s in (("original", 0.8), ("TPP", 0.6))]
    >>> lines += [(0, "b", m, 4, 1, 0.7) for m in ("original", "TPP")]
    >>> learner_orders(pd.DataFrame(lines, columns=LEARNERS)).iloc[:, 4:].to_numpy().tolist()
    [[1, 0, 0, 1]]
    """
    wide = scores.pivot(index=["leaves", "repetition"], columns=["learner", "method"], values="score")
    lines = []
    for first, second in combinations(scores["learner"].unique(), 2):
        for leaves, part in wide.groupby(level="leaves"):
            gaps = [part[first, name] - part[second, name] for name in ("original", "TPP")]
            lines.append(
                (
                    first,
                    second,
                    leaves,
                    len(part),
                    *(int(n) for gap in gaps for n in ((gap > 0).sum(), (gap < 0).sum())),
                )
            )
    names = [f"{word}, {name}" for name in ("original", "TPP") for word in ("ahead", "behind")]
    return pd.DataFrame(lines, columns=["first", "second", "leaves", "repetitions", *names])


def figure1(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Attempt Figure 1 on GBSG2: does a patient stay free of recurrence for more than 30 months, by grade and age?

    The cancer registry is not public, and neither K nor the size of the tree is printed: both vary. Accuracy by ten
    folds of the table as published, which is the paper's protocol.
    """
    check_size(size)
    tasks = [(k, seed) for k in ((5, 10, 20, 50, 100) if size == "full" else (5, 50))]
    return run_tasks(survival_scores, tasks, ["method", "k", "leaves", "score"], **run)


def survival_scores(k: int, seed: int) -> list[tuple]:
    """Score trees of 2 to 6 leaves on the original and on InfoGain's release."""
    whole = load("gbsg2").frame
    frame = whole[["tgrade", "age"]].assign(survives=np.where(whole["time"] > 30 * 365.25 / 12, "yes", "no"))
    table = Table(frame, quasi=["tgrade", "age"], sensitive=["survives"], decision="survives")
    lines = []
    for method, release in (
        ("original", Release.of(table)),
        ("InfoGain", InfoGainMondrian(k=k, summary="mean").anonymize(table)),
    ):
        known = _read(release)
        for leaves in range(2, 7):
            right = 0.0
            for train, test in folds(len(known), 10, seed):
                tree = grow(known.take(train), "survives", attributes=table.quasi, max_leaves=leaves)
                right += len(test) * tree.score(known.take(test))
            lines.append((method, k, leaves, right / len(known)))
    return lines


def _features(table: Table) -> pd.DataFrame:
    """Numbers as they are, a column of zeros and ones per category."""
    names = {name: table.frame[name] for name in table.quasi}
    parts = [
        column.astype(float).to_frame()
        if table.attributes[name].kind == "numeric"
        else pd.get_dummies(column.astype(str), prefix=name).astype(float)
        for name, column in names.items()
    ]
    return pd.concat(parts, axis=1)


def _learners(seed: int) -> dict:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return {
        "nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "random forest": RandomForestClassifier(50, random_state=seed),
    }


# ---- Figures 9 and 10: running time ---------------------------------------------------------------------------------


def times(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Processor seconds for ten leaves of Adult against rows (drawn with replacement) and against attributes.

    More attributes are shuffled copies of Adult's, which cost as much as the originals.
    """
    amount = _amount(size)
    tasks = [("rows", rows, 1, seed) for rows in amount.rows]
    tasks += [("attributes", amount.rows[len(amount.rows) // 2], copies, seed) for copies in amount.copies]
    return run_tasks(seconds, tasks, ["varies", "rows", "attributes", "seconds"], **run)


def seconds(varies: str, rows: int, copies: int, seed: int) -> list[tuple]:
    """Measure how long one table takes, the best of two runs."""
    table = widened(table_named("adult"), rows, copies, seed)
    best = np.inf
    for _ in range(2):
        start = time.process_time()
        TreePreserving(k=5, max_leaves=10).anonymize(table)
        best = min(best, time.process_time() - start)
    return [(varies, rows, len(table.quasi), best)]


def widened(table: Table, rows: int, copies: int, seed: int) -> Table:
    """Draw a table of ``rows`` rows with replacement, with shuffled copies of its quasi-identifier.

    >>> len(widened(table_named("gbsg2"), 100, 3, 0).quasi)
    24
    """
    rng = np.random.default_rng(seed)
    drawn = table.take(rng.integers(0, len(table), rows))
    frame, quasi = drawn.frame.reset_index(drop=True), list(drawn.quasi)
    for number in range(2, copies + 1):
        shuffled = frame[drawn.quasi].take(rng.permutation(rows)).reset_index(drop=True)
        frame = frame.join(shuffled.add_suffix(f" {number}"))
        quasi += [f"{name} {number}" for name in drawn.quasi]
    return Table(frame, quasi=quasi, sensitive=drawn.sensitive, decision=drawn.decision)


def stored(name: str) -> pd.DataFrame:
    """Read the committed result of a full run.

    Parameters
    ----------
    name:
        ``"quality"``, ``"privacy"``, ``"times"``, ``"learners"`` or ``"figure1"``.

    Examples
    --------
    >>> stored("privacy")["dataset"].nunique()
    3
    """
    return stored_table("tree_preserving", name)


TABLES = {"quality": quality, "privacy": privacy, "times": times, "learners": learners, "figure1": figure1}
