"""Rough sets straight from their definitions, over Python sets, and random tables to compare with."""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb import Release, Table
from anonnb.tables.value_sets import Column

RELATIONS = ["equal", "overlap", "inside", "tolerance", "similarity"]
NAMES = ["a", "b", "c"]
MISSING = 2  # the code of a missing value, in every column

FLU = pd.DataFrame(
    [
        ("no", "yes", "high", "yes"),
        ("yes", "no", "high", "yes"),
        ("yes", "yes", "very high", "yes"),
        ("no", "yes", "normal", "no"),
        ("yes", "no", "high", "no"),
        ("no", "yes", "very high", "yes"),
    ],
    columns=["headache", "muscle pain", "temperature", "flu"],
    index=["p1", "p2", "p3", "p4", "p5", "p6"],
)


@cache
def _pool():
    """A table of many small ones: equal domains, every value somewhere, a missing value in every column."""
    rng = np.random.default_rng(0)
    values = np.array(["x", "y", None], dtype=object)
    frame = pd.DataFrame({name: values[rng.choice(3, 4_000, p=[0.4, 0.4, 0.2])] for name in NAMES})
    frame["d"] = rng.choice(list("pqr"), 4_000)
    return Table(frame, decision="d", quasi=NAMES)


def random_data(seed, most_rows=7):
    """A small table with missing values, or (every other seed) a release of sets of values."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, most_rows + 1))
    table = _pool().take(rng.choice(4_000, rows))
    if seed % 2:
        return table
    columns = {}
    for name in [*NAMES, "d"]:
        masks = rng.random((rows, 3)) < (0.5 if name != "d" else 0.2)
        masks[np.arange(rows), table.codes(name)] = True
        columns[name] = Column.from_masks(table.attributes[name], masks)
    return Release(table, columns, np.arange(rows))


def is_related(one, other, relation):
    """Whether a cell (the second) is related to another; missing values are any value for the last two relations."""
    if relation in ("tolerance", "similarity"):
        one, other = (frozenset({0, 1, 2}) if cell == {MISSING} else cell for cell in (one, other))
    if relation == "equal":
        return one == other
    return bool(one & other) if relation in ("overlap", "tolerance") else other <= one


class ByDefinition:
    """The rows of a table or a release as sets of codes, and what follows from the definitions."""

    def __init__(self, data, relation):
        release = data if isinstance(data, Release) else Release.of(data)
        self.cells = {
            name: [frozenset(np.flatnonzero(mask).tolist()) for mask in column.sets.as_masks()[column.index]]
            for name, column in release.columns.items()
        }
        self.classes, self.rows = self.cells["d"], range(len(release))
        self._related = {
            name: [[is_related(one, other, relation) for other in self.cells[name]] for one in self.cells[name]]
            for name in NAMES
        }
        self._generalized = {}

    def relatives(self, row, names=NAMES):
        return {other for other in self.rows if all(self._related[name][row][other] for name in names)}

    def generalized(self, names=NAMES):
        """For every row the classes of its relatives."""
        key = tuple(names)
        if key not in self._generalized:
            near = [self.relatives(row, names) for row in self.rows]
            self._generalized[key] = [frozenset().union(*(self.classes[r] for r in rows)) for rows in near]
        return self._generalized[key]

    def positive(self, names=NAMES):
        return {row for row, classes in enumerate(self.generalized(names)) if len(classes) == 1}

    def quality(self, names=NAMES):
        return len(self.positive(names)) / len(self.rows)


def smallest(suffices, names=NAMES):
    """The sets of names that suffice and have no smaller one that does."""
    enough = [set(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size) if suffices(chosen)]
    return [chosen for chosen in enough if not any(other < chosen for other in enough)]


def same_sets(found, expected):
    return sorted(map(sorted, found)) == sorted(map(sorted, expected))
