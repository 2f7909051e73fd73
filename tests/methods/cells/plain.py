"""Tiny tables and plain-Python references for the tests of the cell methods."""

import numpy as np
import pandas as pd

from anonnb import Hierarchy, Table
from anonnb.privacy import LDiversity
from anonnb.tables.labels import HIDDEN_CELL

TREE = Hierarchy.from_nested({"x": {"p": list("ab"), "q": ["c"]}, "y": {"r": list("de")}})
REQUIRE = (LDiversity(2),)


def tiny(seed, n_rows=7, n_columns=3, values=3, hierarchies=False):
    """A random table of letters with a sensitive decision; rows repeat, columns may be constant or have gaps."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcde"))[:values]
    frame = pd.DataFrame({f"q{i}": rng.choice(letters, n_rows) for i in range(n_columns)})
    if hierarchies and n_columns > 1:
        frame.loc[rng.random(n_rows) < 0.15, "q1"] = None
    frame["ill"] = rng.choice(["yes", "no", "maybe"], n_rows)
    names = [f"q{i}" for i in range(n_columns)]
    trees = dict.fromkeys(names, TREE) if hierarchies else None
    return Table(frame, quasi=names, sensitive="ill", decision="ill", hierarchies=trees)


def partitions(rows):
    """All partitions of a list."""
    if not rows:
        yield []
        return
    first, *rest = rows
    for smaller in partitions(rest):
        for place, group in enumerate(smaller):
            yield [*smaller[:place], [first, *group], *smaller[place + 1 :]]
        yield [[first], *smaller]


def lowest_level(labels):
    """The first level on which several values (as lists of labels) agree; their number of levels if none."""
    return next(
        (level for level, shown in enumerate(zip(*labels, strict=True)) if len(set(shown)) == 1), len(labels[0])
    )


def group_cost(table, group, generalize=False):
    """Rows × lost share of each cell, straight from the definition."""
    total = 0.0
    for name in table.quasi:
        attribute, codes = table.attributes[name], table.codes(name)[group]
        if generalize:
            levels = attribute.levels
            labels = [[levels.labels[i][levels.maps[i][code]] for i in range(levels.height + 1)] for code in codes]
            steps = levels.height + (len(levels.labels[-1]) > 1)
            total += len(group) * lowest_level(labels) / steps
        else:
            total += len(group) * (len(set(codes.tolist())) > 1)
    return total


def passes(table, group, k, diverse):
    return len(group) >= k and (not diverse or len(set(table.codes("ill")[group].tolist())) >= 2)


def optimum(table, k, generalize=False, diverse=False):
    """The least cost over all partitions, or None when none is allowed."""
    costs = [
        sum(group_cost(table, group, generalize) for group in partition)
        for partition in partitions(list(range(len(table))))
        if all(passes(table, group, k, diverse) for group in partition)
    ]
    return min(costs, default=None)


def stars(release):
    """Suppressed cells as a reader counts them."""
    return int((release.frame[release.quasi].astype(str) == HIDDEN_CELL).to_numpy().sum())


def plain_forest(cells, k):
    """The row each row points to and the weight of all edges, every tree looking at every row outside it."""
    target, weight = np.full(cells.n_rows, -1), 0
    trees = {row: [row] for row in range(cells.n_rows)}
    root, tree = list(range(cells.n_rows)), list(range(cells.n_rows))
    for row in range(cells.n_rows):
        while len(trees[tree[row]]) < k:
            small = tree[row]
            away = cells.distances(root[small]).astype(np.int64)
            nearest = min(
                (other for other in range(cells.n_rows) if tree[other] != small), key=lambda other: away[other]
            )
            target[root[small]] = nearest
            weight += int(away[nearest])
            for member in trees[small]:
                tree[member] = tree[nearest]
            trees[tree[nearest]] += trees.pop(small)
    return target, weight
