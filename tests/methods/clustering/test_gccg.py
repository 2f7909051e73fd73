"""GCCG equals plain code."""

import numpy as np
import pytest

from anonnb.methods.clustering.clustering import GCCG
from tests.methods.clustering.tables import random_table, value_distances


def plain_gccg(table, k):
    """GCCG row by row, as its docstring tells it."""
    tables = [value_distances(table.attributes[name]) for name in table.quasi]
    codes = table.code_matrix()
    nominal = [a for a, name in enumerate(table.quasi) if table.attributes[name].kind == "nominal"]
    grade = sum(np.bincount(codes[:, a])[codes[:, a]] for a in nominal)
    kind = {tuple(row): place for place, row in reversed(list(enumerate(codes.tolist())))}
    place = [(kind[tuple(row)], number) for number, row in enumerate(codes.tolist())]

    def distance(i, j):
        return sum(t[codes[i, a], codes[j, a]] for a, t in enumerate(tables))

    left, cluster, centres = set(range(len(table))), np.full(len(table), -1), []
    for number in range(len(table) // k):
        centre = min(left, key=lambda row: (-grade[row], place[row]))
        chosen = sorted(left, key=lambda row: (place[row][0] != place[centre][0], distance(centre, row), place[row]))[
            :k
        ]
        cluster[chosen] = number
        centres.append(kind[tuple(codes[centre].tolist())])
        left -= set(chosen)
    for row in left:
        cluster[row] = min(range(len(centres)), key=lambda c: (distance(row, centres[c]), c))
    return cluster


@pytest.mark.parametrize("seed", range(12))
def test_gccg_equals_plain_code(seed):
    table = random_table(seed, rows=40)
    ours = GCCG(k=3)._clusters(table, lambda steps, **_: steps)
    assert (ours == plain_gccg(table, 3)).all()
