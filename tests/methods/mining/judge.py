"""A judge of published itemsets that shares nothing with the package: integer programs over all tables that fit.

A table is a vector of counts, one per cell (which items a person has). A leak is a pattern, all of I and none of L,
whose count lies between 1 and k − 1 in every table that agrees with everything published.
"""

import itertools
from collections import defaultdict

import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp

from anonnb import Table


def cells_of(items, exclusive=True):
    """Every combination of items that a person may have; with ``exclusive``, one value of an attribute at most."""
    families = defaultdict(list)
    for item in items:
        families[getattr(item, "attribute", item) if exclusive else item].append(item)
    choices = [[(), *((item,) for item in family)] for family in families.values()]
    return [frozenset(itertools.chain(*chosen)) for chosen in itertools.product(*choices)]


def patterns_of(items, cells):
    """Pairs (I, L) with the cells they stand for, one pair for each set of cells."""
    have = {item: np.array([item in cell for cell in cells]) for item in items}
    found = {(): (frozenset(), frozenset(), np.ones(len(cells), bool))}
    for item in items:
        grown = {}
        for having, lacking, mask in found.values():
            for more in (
                (having, lacking, mask),
                (having | {item}, lacking, mask & have[item]),
                (having, lacking | {item}, mask & ~have[item]),
            ):
                if more[2].any():
                    grown.setdefault(more[2].tobytes(), more)
        found = grown
    return list(found.values())


def leaks(counts, k, exclusive=True):
    """(I, L, least, most) of every pattern that has 1 to k − 1 people in all tables that fit."""
    items = sorted(set().union(*counts))
    cells = cells_of(items, exclusive)
    told = np.array([[part <= cell for cell in cells] for part in counts], dtype=float)
    fits = LinearConstraint(told, list(counts.values()), list(counts.values()))
    patterns = patterns_of(items, cells)
    masks = np.array([mask for _, _, mask in patterns], dtype=float)
    least, most = np.full(len(patterns), np.inf), np.zeros(len(patterns))

    def extreme(goal):
        done = milp(
            goal,
            constraints=fits,
            integrality=np.ones(len(cells)),
            bounds=Bounds(0, np.inf),
            options={"mip_rel_gap": 0},
        )
        assert done.x is not None, "some table fits"
        table = np.round(done.x)
        assert np.allclose(told @ table, list(counts.values()))
        seen = masks @ table
        np.minimum(least, seen, out=least)
        np.maximum(most, seen, out=most)

    found = []
    extreme(np.zeros(len(cells)))
    for number, (having, lacking, mask) in enumerate(patterns):
        for sign in (1.0, -1.0):
            if least[number] > 0 and most[number] < k:
                extreme(sign * mask)
        if least[number] > 0 and most[number] < k:
            found.append((having, lacking, int(least[number]), int(most[number])))
    return found


def transactions(rows):
    """A table of an attribute per letter; who lacks it has a value of their own, which is never frequent."""
    letters = sorted(set("".join(rows)))
    frame = {c: ["1" if c in row else f"other {number}" for number, row in enumerate(rows)] for c in letters}
    return Table(pd.DataFrame(frame), quasi=letters)


def random_case(seed):
    """A small table, k and min_count: market baskets of four goods, or three attributes of two to four values."""
    random = np.random.default_rng(seed)
    n, k = int(random.integers(6, 40)), int(random.integers(2, 6))
    least = int(random.integers(k, max(n // 3, k) + 1))
    if seed % 2:
        bought = random.random((n, 4)) < random.random(4) * 0.8 + 0.15
        return transactions(["".join(np.array(list("ABCD"))[row]) for row in bought]), k, least
    sizes = random.integers(2, 5, 3)
    columns = [random.choice(size, n, p=random.dirichlet(np.ones(size))).astype(str) for size in sizes]
    return Table(pd.DataFrame(dict(zip("abc", columns, strict=True))), quasi=list("abc")), k, least
