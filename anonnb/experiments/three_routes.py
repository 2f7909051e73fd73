"""The three routes of Ciriani et al. (2008, Fig 1.10) on one table: accuracy against k, and what an attacker gets.

Anonymize and mine; mine and anonymize in two steps; in one step. Each is trained on one part of the table and judged on
another, beside the unprotected tree. Reading: the attacker's gain is the number of published or derived node counts
between 1 and k − 1, and of training people who are in a node or class of fewer than k. All routes are judged on the
same people, so two are compared person by person (Agresti and Min 2005, the adjusted Wald interval).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from anonnb.attacks import InferenceAttack
from anonnb.attacks.intervals import Interval, Z
from anonnb.core.tasks import run_tasks
from anonnb.experiments.results import check_size
from anonnb.methods import Mondrian, SafeTree, TopDown
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.growing import grow
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree
from anonnb.utility.predictions import sampled

UNSAFE = "mine and publish"
ROUTES = (
    UNSAFE,
    "anonymize and mine (Mondrian)",
    "anonymize and mine (top-down)",
    "two steps (merge leaves)",
    "two steps (hide counts)",
    "one step (grow under k)",
)
COLUMNS = (
    *(
        "dataset",
        "k",
        "repetition",
        "route",
        "accuracy",
        "groups",
        "small counts",
        "people exposed",
        "seconds",
        "right",
    ),
)


def three_routes(
    dataset: str = "adult", size: str = "quick", *, max_leaves: int = 64, seed: int = 0, **run: Any
) -> pd.DataFrame:
    """Run all routes for each k and repetition, and judge them on held-out rows.

    Parameters
    ----------
    dataset:
        The name of a shipped table with a decision.
    size:
        ``"quick"`` trains on 6,000 rows at most, once; ``"full"`` on two thirds of all rows, five times.
    run:
        Further options of the runner: ``jobs=`` processes, ``cache_folder=`` for finished parts, ``progress=``.

    Returns
    -------
    pd.DataFrame
        A line per k, repetition and route: accuracy on held-out rows, groups (the leaves of a tree or the classes of a
        release), what an attacker gets, and processor seconds. ``right`` has a byte for each test row: 1 if the tree
        is right.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):  # top-down makes hierarchies of its own for the car table
    ...     frame = three_routes("car", max_leaves=4)
    >>> len(frame), frame["k"].unique().tolist(), frame["route"].nunique()
    (18, [2, 10, 50], 6)
    """
    check_size(size)
    ks, repetitions = ((2, 5, 10, 25, 50, 100), 5) if size == "full" else ((2, 10, 50), 1)
    most = None if size == "full" else 6000
    tasks = [(dataset, k, repetition, max_leaves, seed, most) for k in ks for repetition in range(repetitions)]
    return run_tasks(one_comparison, tasks, COLUMNS, **run)


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Average over repetitions: a line per k and route.

    >>> values = {"accuracy": [0.5, 0.7], "groups": 3, "small counts": 0, "people exposed": 0, "seconds": 1}
    >>> summary(pd.DataFrame({"k": 2, "route": UNSAFE, **values}))["accuracy"].tolist()
    [0.6]
    """
    values = ["accuracy", "groups", "small counts", "people exposed", "seconds"]
    return frame.groupby(["k", "route"], sort=False)[values].mean().reset_index()


def one_comparison(
    dataset: str, k: int, repetition: int, max_leaves: int, seed: int, most: int | None = None
) -> list[tuple]:
    """Run all routes on one division of the table into training and test rows."""
    training, testing = divided(load(dataset), repetition, seed, most)
    for method in (Mondrian(k=k), TopDown(k=k), SafeTree(k=k, strategy="merge")):
        method.anonymize(training.take(np.arange(2 * k)))  # compile and load before the clock starts
    clock = time.process_time
    start = clock()
    trees = {UNSAFE: MinedTree.of(grow(training, attributes=training.quasi, max_leaves=max_leaves))}
    seconds = {UNSAFE: clock() - start}
    lines = []
    for route, method in zip(ROUTES[1:3], (Mondrian(k=k), TopDown(k=k)), strict=True):
        start = clock()
        release = method.anonymize(training)
        learnt = grow(sampled(release, seed), training.decision, attributes=training.quasi, max_leaves=max_leaves)
        seconds[route] = clock() - start
        exposed = int(release.group_sizes[release.group_sizes < k].sum())
        lines.append((route, learnt, release.n_groups, 0, exposed))
    for route, strategy in zip(ROUTES[3:], ("merge", "hide", "grow"), strict=True):
        start = clock()
        given = None if strategy == "grow" else trees[UNSAFE].tree
        trees[route] = SafeTree(k=k, strategy=strategy, tree=given, max_leaves=max_leaves).anonymize(training)
        seconds[route] = clock() - start + (0 if given is None else seconds[UNSAFE])
    for route, mined in trees.items():
        attack = InferenceAttack(k=k).run(mined, training)
        tree = cast(Tree, mined.tree)
        exposed = people_exposed(tree, attack.info["disclosures"])
        lines.append((route, tree, len(tree.leaves), len(attack.targets), exposed))
    lines.sort(key=lambda line: ROUTES.index(line[0]))
    judged = [(line[0], _right(line[1], testing), line[2:]) for line in lines]
    return [
        (dataset, k, repetition, route, float(right.mean()), *rest, seconds[route], right.tobytes())
        for route, right, rest in judged
    ]


def _right(tree: Tree, testing: Table) -> np.ndarray:
    """Flag each test row that the tree classifies correctly."""
    return testing[tree.target.name].to_numpy() == tree.predict(testing).to_numpy()


def differences(frame: pd.DataFrame, others: Sequence[str] = (UNSAFE,)) -> pd.DataFrame:
    """Compute how far each route is ahead of each of the others, with the 95 % interval over the people of the test.

    With several repetitions these are means, of the ends as well: the repetitions share people, so that together they
    say hardly more than one. The interval is about other people to classify, with the trees as they are; it says
    nothing about trees learnt from other rows.

    >>> right = [(np.arange(100) < count).tobytes() for count in (30, 20)]
    >>> frame = pd.DataFrame({"k": 2, "repetition": 0, "route": [ROUTES[1], UNSAFE], "right": right})
    >>> differences(frame)["difference"].round(3).tolist()
    [0.1]
    """
    lines = []
    for (k, _), part in frame.groupby(["k", "repetition"], sort=False):
        right = {line.route: np.frombuffer(line.right, dtype=bool) for line in part.itertuples()}
        lines += [
            (k, route, other, right[route].mean() - right[other].mean(), *paired_interval(right[route], right[other]))
            for other in others
            for route in right
            if route not in others
        ]
    names = ["k", "route", "other", "difference", "low", "high"]
    return pd.DataFrame(lines, columns=names).groupby(names[:3], sort=False).mean().reset_index()


def paired_interval(ours: np.ndarray, theirs: np.ndarray) -> Interval:
    """Return the 95 % interval of the difference between two shares of the same people.

    Only those count about whom the two disagree; half a person is added to each of the four cells.

    >>> ours, theirs = np.arange(100) < 30, np.arange(100) < 20
    >>> [round(end, 4) for end in paired_interval(ours, theirs)]
    [0.0372, 0.1589]
    """
    n, ahead, behind = len(ours) + 2, (ours & ~theirs).sum() + 0.5, (theirs & ~ours).sum() + 0.5
    middle = (ahead - behind) / n
    reach = Z * np.sqrt(ahead + behind - (ahead - behind) ** 2 / n) / n
    return float(middle - reach), float(middle + reach)


def divided(table: Table, repetition: int, seed: int, most: int | None = None) -> tuple[Table, Table]:
    """Divide a table at random: two thirds of the rows to train, the others to test.

    Parameters
    ----------
    repetition, seed:
        Another repetition divides it differently.
    most:
        The largest number of rows to train with; at most half as many are then tested.

    Examples
    --------
    >>> import anonnb
    >>> [len(part) for part in divided(anonnb.load("survey"), 0, seed=0)]
    [44, 22]
    """
    rows = np.random.default_rng([seed, repetition]).permutation(len(table))
    train = len(rows) * 2 // 3 if most is None else min(most, len(rows) * 2 // 3)
    test = len(rows) - train if most is None else min(most // 2, len(rows) - train)
    return table.take(np.sort(rows[:train])), table.take(np.sort(rows[train : train + test]))


def people_exposed(tree: Tree, found: list) -> int:
    """Count the training people that some small count is about.

    Parameters
    ----------
    found:
        The small counts that follow from it, as :class:`~anonnb.attacks.InferenceAttack` gives them in ``info``.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> mined = MinedTree.of(grow(table, attributes=table.quasi))
    >>> people_exposed(mined.tree, InferenceAttack(k=5).run(mined, table).info["disclosures"])
    4
    """
    nodes = {node.number: node.rows for node in tree.nodes}
    told = np.zeros(len(tree.root.rows), dtype=bool)
    for case in found:
        told[
            np.setdiff1d(nodes[case.node], np.concatenate([np.zeros(0, np.int64), *(nodes[n] for n in case.without)]))
        ] = True
    return int(told.sum())


def chapter_routes(table: Table, k: int) -> dict[str, Release | MinedTree]:
    """Run the routes on one small table and show what each of them publishes.

    >>> import anonnb
    >>> for route in chapter_routes(anonnb.load("survey"), 5):
    ...     print(route)
    anonymize and mine (top-down)
    two steps (merge leaves)
    two steps (hide counts)
    one step (grow under k)
    """
    return {
        ROUTES[2]: TopDown(k=k).anonymize(table),
        ROUTES[3]: SafeTree(k=k, strategy="merge").anonymize(table),
        ROUTES[4]: SafeTree(k=k, strategy="hide").anonymize(table),
        ROUTES[5]: SafeTree(k=k).anonymize(table),
    }


def adult(size: str = "quick", **run: Any) -> pd.DataFrame:
    """Run the routes on Adult and average over the repetitions: the table that a full run stores."""
    return summary(three_routes("adult", size, **run))


TABLES = {"adult": adult}
