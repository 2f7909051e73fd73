"""Random tables with random hierarchies, and plain full scans of their lattices to compare the searches with."""

import itertools

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from anonnb import Hierarchy, Release, Table
from anonnb.privacy import GroupCheck
from anonnb.tables.value_sets import Column


@st.composite
def hierarchies(draw, values):
    """A random hierarchy: each level merges labels of the one below; the top need not be a single label."""
    labels = list(range(len(values)))
    rows = [[value] for value in values]
    for level in range(draw(st.integers(1, 3))):
        merged = [draw(st.integers(0, max(labels) // 2 + 1)) for _ in range(max(labels) + 1)]
        labels = [merged[label] for label in labels]
        for row, label in zip(rows, labels, strict=True):
            row.append(f"{level}:{label}")
    if draw(st.booleans()):
        rows = [[*row, "*"] for row in rows]
    return Hierarchy.from_rows(rows)


@st.composite
def tables(draw, max_rows=14, max_columns=3, missing=True):
    """A small table with one to three quasi-identifiers (duplicates, constants, missing values) and a class."""
    n = draw(st.integers(1, max_rows))
    width = draw(st.integers(1, max_columns))
    frame, bound = {}, {}
    for place in range(width):
        size = draw(st.integers(1, 4))
        options = [f"v{number}" for number in range(size)] + [None] * missing
        column = draw(st.lists(st.sampled_from(options), min_size=n, max_size=n))
        frame[f"q{place}"] = pd.Series(column, dtype="str")
        bound[f"q{place}"] = draw(hierarchies([f"v{number}" for number in range(size)]))
    frame["ill"] = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    names = [f"q{place}" for place in range(width)]
    return Table(pd.DataFrame(frame), quasi=names, sensitive="ill", decision="ill", hierarchies=bound)


def scan(table, k, limit, require=()):
    """Every node with the rows it would suppress, from the rows themselves: ``{node: (suppressed, kept sizes)}``."""
    levels = [table.attributes[name].levels for name in table.quasi]
    found = {}
    for node in itertools.product(*(range(bound.height + 1) for bound in levels)):
        labels = [
            bound.maps[level][table.codes(name)] for bound, level, name in zip(levels, node, table.quasi, strict=True)
        ]
        _, groups = np.unique(np.stack(labels), axis=1, return_inverse=True)
        sizes = _kept_sizes(table, groups.ravel(), k, require)
        suppressed = len(table) - int(sizes.sum())
        if suppressed <= limit and suppressed < len(table):
            found[node] = (suppressed, sizes)
    return found


def _kept_sizes(table, groups, k, require):
    """The sizes of the classes that pass; t-closeness compares with what is published, so without suppressed rows."""
    while True:
        _, groups = np.unique(groups, return_inverse=True)
        sizes = np.bincount(groups)
        good = GroupCheck(table, k, require)(groups, len(sizes)) if len(sizes) else np.ones(0, dtype=bool)
        if good.all():
            return sizes
        kept = np.flatnonzero(good[groups])
        table, groups = table.take(kept), groups[kept]


def release_of(table, node, k, require):
    """The release of a node, built by hand."""
    columns = {
        name: Column.generalized(table.attributes[name], table.codes(name), level)
        for name, level in zip(table.quasi, node, strict=True)
    }
    whole = Release(table, columns, np.arange(len(table)))
    good = GroupCheck(table, k, require)(whole.groups, whole.n_groups)
    return whole.take(np.flatnonzero(good[whole.groups]))


def minimal(nodes):
    """The nodes with no other one at or below them."""
    return [
        node
        for node in nodes
        if not any(other != node and all(a <= b for a, b in zip(other, node, strict=True)) for other in nodes)
    ]
