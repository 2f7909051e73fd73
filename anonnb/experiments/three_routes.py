"""The three routes of Ciriani et al. (2008, Fig 1.10) on one table: accuracy against k, and what an attacker gets.

Anonymize and mine; mine and anonymize in two steps; in one step. Each is trained on one part of the table and judged on
another. The unprotected tree stands beside them. Reading: the attacker's gain is the number of published or derived
node counts between 1 and k − 1, and of training people who stand in a node or class of fewer than k.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.attacks import InferenceAttack
from anonnb.core.tasks import run_tasks
from anonnb.experiments.results import check_size
from anonnb.methods import Mondrian, SafeTree, TopDown
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.growing import Tree, grow
from anonnb.trees.published_trees import MinedTree
from anonnb.utility import tree_accuracy

UNSAFE = "mine and publish"
ROUTES = (
    UNSAFE,
    "anonymize and mine (Mondrian)",
    "anonymize and mine (top-down)",
    "two steps (merge leaves)",
    "two steps (hide counts)",
    "one step (grow under k)",
)
COLUMNS = ("dataset", "k", "repetition", "route", "accuracy", "groups", "small counts", "people exposed")


def three_routes(
    dataset: str = "adult", size: str = "quick", *, max_leaves: int = 64, seed: int = 0, **run
) -> pd.DataFrame:
    """One line per k, repetition and route: accuracy on held-out rows, groups, and what an attacker gets.

    Groups are the leaves of a tree or the classes of a release.
    ``size="quick"`` trains on 6,000 rows at most, once; ``"full"`` on two thirds of all rows, five times.
    """
    check_size(size)
    ks, repetitions = ((2, 5, 10, 25, 50, 100), 5) if size == "full" else ((2, 10, 50), 1)
    most = None if size == "full" else 6000
    tasks = [(dataset, k, repetition, max_leaves, seed, most) for k in ks for repetition in range(repetitions)]
    return run_tasks(one_comparison, tasks, COLUMNS, **run)


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Means over repetitions, a line per k and route."""
    values = ["accuracy", "groups", "small counts", "people exposed"]
    return frame.groupby(["k", "route"], sort=False)[values].mean().reset_index()


def one_comparison(
    dataset: str, k: int, repetition: int, max_leaves: int, seed: int, most: int | None = None
) -> list[tuple]:
    """All routes on one division of the table into training and test rows."""
    training, testing = divided(load(dataset), repetition, seed, most)
    trees = {UNSAFE: MinedTree.of(grow(training, attributes=training.quasi, max_leaves=max_leaves))}
    lines = []
    for route, method in zip(ROUTES[1:3], (Mondrian(k=k), TopDown(k=k)), strict=True):
        release = method.anonymize(training)
        accuracy = tree_accuracy(testing, release, max_leaves=max_leaves, seed=seed)
        exposed = int(release.group_sizes[release.group_sizes < k].sum())
        lines.append((route, accuracy, release.n_groups, 0, exposed))
    for route, strategy in zip(ROUTES[3:], ("merge", "hide", "grow"), strict=True):
        tree = None if strategy == "grow" else trees[UNSAFE].tree
        trees[route] = SafeTree(k=k, strategy=strategy, tree=tree, max_leaves=max_leaves).anonymize(training)
    for route, mined in trees.items():
        attack = InferenceAttack(k=k).run(mined, training)
        leaves, score = len(mined.tree.leaves), mined.tree.score(testing)
        lines.append(
            (route, score, leaves, len(attack.targets), people_exposed(mined.tree, attack.info["disclosures"]))
        )
    lines.sort(key=lambda line: ROUTES.index(line[0]))
    return [(dataset, k, repetition, *line) for line in lines]


def divided(table: Table, repetition: int, seed: int, most: int | None = None) -> tuple[Table, Table]:
    """Two thirds of the rows (at most ``most``) to train, the others (at most half of that) to test, at random."""
    rows = np.random.default_rng([seed, repetition]).permutation(len(table))
    train = len(rows) * 2 // 3 if most is None else min(most, len(rows) * 2 // 3)
    test = len(rows) - train if most is None else min(most // 2, len(rows) - train)
    return table.take(np.sort(rows[:train])), table.take(np.sort(rows[train : train + test]))


def people_exposed(tree: Tree, found: list) -> int:
    """How many training people some small count tells of."""
    nodes = {node.number: node.rows for node in tree.nodes}
    told = np.zeros(len(tree.root.rows), dtype=bool)
    for case in found:
        told[np.setdiff1d(nodes[case.node], np.concatenate([nodes[n] for n in case.without] or [[]]))] = True
    return int(told.sum())


def chapter_routes(table: Table, k: int) -> dict[str, Release | MinedTree]:
    """The routes on one small table, for looking at: what each of them publishes."""
    return {
        ROUTES[2]: TopDown(k=k).anonymize(table),
        ROUTES[3]: SafeTree(k=k, strategy="merge").anonymize(table),
        ROUTES[4]: SafeTree(k=k, strategy="hide").anonymize(table),
        ROUTES[5]: SafeTree(k=k).anonymize(table),
    }


def adult(size: str = "quick", **run) -> pd.DataFrame:
    """The routes on Adult, means over the repetitions: the table that a full run stores."""
    return summary(three_routes("adult", size, **run))


TABLES = {"adult": adult}
