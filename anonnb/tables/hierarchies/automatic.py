"""Hierarchies for columns that have none: intervals of numbers, periods of dates, prefixes of codes, rare texts as one.

Idea: a column of many codes or texts that can only be kept or suppressed is nearly always lost; codes that begin alike
often mean similar things, and rare texts are what singles people out. Reading chosen: only nominal columns of more
than ``MANY`` values get one, and a warning says what it does, with an example, before it is used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.hierarchies.levels import Domain
from anonnb.tables.hierarchies.parsing import prefixes
from anonnb.tables.labels import Rare

MANY = 30  # values of a column that are still few enough to be listed
MOST_LEVELS = 4
LONGEST_CODE = 16
_FEWER = 0.8  # a level that keeps more than this share of the labels below it is left out
_LIMITS = (10, 50, 250, 1250, 6250)  # rows below which a text is rare


def default_hierarchy(attribute: Domain, counts: np.ndarray | None = None) -> tuple[Hierarchy, str]:
    """Return a hierarchy for a column without one, and what it does; ``counts`` are the rows of each value.

    >>> from anonnb.tables.encoding import encode
    >>> import pandas as pd
    >>> codes = pd.Series([f"{part}{number:03}" for part in "AB" for number in range(100)], name="code")
    >>> default_hierarchy(encode(codes)[0])[1]
    'prefixes, as in A000 → A00* → A0**'
    """
    hierarchy = Hierarchy.default(attribute)
    if hierarchy.height > 1:
        return hierarchy, f"intervals of {hierarchy.height} widths" if attribute.is_number else "periods of dates"
    labels = attribute.labels[: len(attribute.domain)]
    if attribute.kind == "nominal" and len(labels) > MANY:
        kept = telling_prefixes(labels)
        if kept:
            prefix_hierarchy = prefixes(kept, max(map(len, labels)))
            steps = [prefix_hierarchy.generalize(labels[0], level) for level in range(1, prefix_hierarchy.height)]
            return prefix_hierarchy, f"prefixes, as in {' → '.join([labels[0], *steps])}"
        limits = [] if counts is None else telling_limits(counts[: len(labels)])
        if limits and counts is not None:
            rows = dict(zip(labels, map(int, counts), strict=False))
            few = ", then ".join(f"{limit:,}" for limit in limits)
            return Hierarchy(Rare(rows, limits), len(limits) + 1), f"one label for all values of fewer than {few} rows"
    return hierarchy, "keep or suppress"


def telling_prefixes(words: Sequence[str]) -> list[int]:
    """Return how many characters to keep on each level; [] if these are not codes, or no two begin alike.

    >>> telling_prefixes([f"1{number}" for number in range(10, 99)]), telling_prefixes(["blue sky", "green grass"])
    ([2], [])
    """
    lengths = np.array([len(word) for word in words])
    coded = np.mean([any(letter.isdigit() for letter in word) and " " not in word for word in words])
    if coded < 0.9 or lengths.max() > LONGEST_CODE or lengths.max() - lengths.min() > 3:
        return []
    kept, below = [], len(words)
    for length in range(int(lengths.max()) - 1, 0, -1):
        labels = len({word[:length] for word in words})
        if 1 < labels <= _FEWER * below:
            kept.append(length)
            below = labels
    return kept[-MOST_LEVELS:] if len(kept) > MOST_LEVELS else kept


def telling_limits(counts: np.ndarray) -> list[int]:
    """Return limits of rows that merge some values and keep two labels or more, each leaving fewer labels.

    >>> telling_limits(np.array([1] * 40 + [300, 400]))
    [10]
    """
    limits, below = [], len(counts)
    for limit in _LIMITS:
        apart = int((counts >= limit).sum())
        if 2 <= apart <= _FEWER * below:
            limits.append(limit)
            below = apart
    return limits
