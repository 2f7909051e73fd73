"""The clusterings row by row, as their docstrings tell them: what the compiled loops must equal."""

import numpy as np

from anonnb.core.arrays import group_ids
from anonnb.methods.clustering.kaca import CostedTree
from tests.methods.clustering.tables import value_distances


def plain_oka(table, k, seed=0):
    """The cluster of each row."""
    seeds = np.random.default_rng(seed).choice(len(table), len(table) // k, replace=False).tolist()
    numeric = [name for name in table.quasi if table.attributes[name].kind == "numeric"]
    others = [name for name in table.quasi if name not in numeric]
    away = {name: value_distances(table.attributes[name]) for name in others}
    codes = {name: table.codes(name).tolist() for name in table.quasi}
    scaled = {}
    for name in numeric:
        numbers = table.attributes[name].numbers * table.attributes[name].difference_scale
        width = float(numbers.max() - numbers.min()) or 1.0
        scaled[name] = (table.attributes[name].weight * (numbers / width))[table.codes(name)].tolist()

    clusters = [[row] for row in seeds]
    means = [{name: scaled[name][row] for name in numeric} for row in seeds]
    modes = [{name: codes[name][row] for name in others} for row in seeds]

    def distance(row, cluster):
        numbers = sum(abs(scaled[name][row] - means[cluster][name]) for name in numeric)
        return sum((away[name][codes[name][row], modes[cluster][name]] for name in others), start=numbers)

    for row in range(len(table)):
        if row not in seeds:
            cluster = min(range(len(clusters)), key=lambda c: distance(row, c))
            clusters[cluster].append(row)
            for name in numeric:
                means[cluster][name] += (scaled[name][row] - means[cluster][name]) / len(clusters[cluster])
            for name in others:
                values = [codes[name][member] for member in clusters[cluster]]
                if values.count(codes[name][row]) > values.count(modes[cluster][name]):
                    modes[cluster][name] = codes[name][row]
    freed = []
    for cluster, rows in enumerate(clusters):
        rows.sort(key=lambda row: (distance(row, cluster), row))
        freed += rows[k:]
        del rows[k:]
    for row in sorted(freed):
        short = [c for c, rows in enumerate(clusters) if len(rows) < k] or range(len(clusters))
        clusters[min(short, key=lambda c: distance(row, c))].append(row)
    return numbered(clusters, len(table))


def plain_gccg(table, k):
    """The cluster of each row."""
    tables = [value_distances(table.attributes[name]) for name in table.quasi]
    codes = table.code_matrix()
    nominal = [a for a, name in enumerate(table.quasi) if table.attributes[name].kind == "nominal"]
    grade = sum(np.bincount(codes[:, a])[codes[:, a]] for a in nominal)
    kind = {tuple(row): place for place, row in reversed(list(enumerate(codes.tolist())))}
    place = [(kind[tuple(row)], number) for number, row in enumerate(codes.tolist())]

    def distance(i, j):
        return sum(t[codes[i, a], codes[j, a]] for a, t in enumerate(tables))

    left, clusters, centres = set(range(len(table))), [], []
    for _ in range(len(table) // k):
        centre = min(left, key=lambda row: (-grade[row], place[row]))
        nearest = sorted(left, key=lambda row: (place[row][0] != place[centre][0], distance(centre, row), place[row]))
        clusters.append(nearest[:k])
        centres.append(kind[tuple(codes[centre].tolist())])
        left -= set(nearest[:k])
    for row in left:
        clusters[min(range(len(centres)), key=lambda c: (distance(row, centres[c]), c))].append(row)
    return numbered(clusters, len(table))


def plain_kaca(table, k, passes=None):
    """The texts that each row shows; ``passes`` tells whether some rows may be a group."""
    passes = passes or (lambda rows: len(rows) >= k)
    trees = [CostedTree(table.attributes[name], 1.0) for name in table.quasi]
    home, count = group_ids(list(table.code_matrix().T))
    groups = {group: np.flatnonzero(home == group).tolist() for group in range(count)}
    shown = {group: table.code_matrix()[rows[0]].tolist() for group, rows in groups.items()}

    def distortion(one, other):
        mine = theirs = 0.0
        for a, tree in enumerate(trees):
            first, second, _ = tree.with_each(shown[one][a])
            mine += tree.attribute.weight * first[shown[other][a]]
            theirs += tree.attribute.weight * second[shown[other][a]]
        return len(groups[one]) * mine + len(groups[other]) * theirs

    for group in range(count):
        while group in groups and not passes(groups[group]) and len(groups) > 1:
            target = min(
                (other for other in groups if other != group), key=lambda other: (distortion(group, other), other)
            )
            shown[target] = [tree.with_each(shown[group][a])[2][shown[target][a]] for a, tree in enumerate(trees)]
            groups[target] += groups.pop(group)
            group = target
    texts = [None] * len(table)
    for group, rows in groups.items():
        for row in rows:
            texts[row] = [tree.labels[node] for tree, node in zip(trees, shown[group], strict=True)]
    return texts


def numbered(clusters, n_rows):
    result = np.empty(n_rows, dtype=np.int64)
    for number, rows in enumerate(clusters):
        result[rows] = number
    return result
