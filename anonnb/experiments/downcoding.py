"""Tables on which downcoding succeeds (after Cohen, USENIX Security 2022), and its success as they have more clusters.

The paper's distribution has clusters far from each other, some much tighter than others (heteroskedastic), over a tree
of intervals. Reading: each cluster has a subtree of its own in every column, and in it an interval of its own width.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.attacks import DowncodingAttack
from anonnb.methods import Samarati, TopDown
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.table import Table

MOST_CLUSTERS, WIDEST = 128, 5  # the values of a cluster lie below a subtree of 2^WIDEST
COLUMNS = ("method", "clusters", "seed", "attempts", "claims", "right", "success", "baseline", "by luck")


def clustered_table(clusters: int, rows: int = 128, *, columns: int = 3, seed: int = 0) -> Table:
    """Make clusters of about equally many rows over binary trees: far apart, some tight and some wide in each column.

    Parameters
    ----------
    clusters:
        How many clusters, at most 128 and at most as many as rows.

    Examples
    --------
    >>> table = clustered_table(4, rows=8)
    >>> len(table), table.quasi, table.attributes["x1"].levels.height
    (8, ['x1', 'x2', 'x3'], 8)
    """
    if not 1 <= clusters <= min(rows, MOST_CLUSTERS):
        raise ValueError(f"clusters must be from 1 to {min(rows, MOST_CLUSTERS)} for {rows} rows, not {clusters}")
    rng = np.random.default_rng(seed)
    height = (2 * clusters - 1).bit_length()  # at least twice as many subtrees as clusters, so that most lie apart
    cluster = np.arange(rows) % clusters
    cells = {}
    for number in range(1, columns + 1):
        place = rng.permutation(2**height)[:clusters]
        width = 2 ** rng.integers(1, WIDEST + 1, clusters)
        start = rng.integers(0, 2**WIDEST // width)
        low = place * 2**WIDEST + start * width
        cells[f"x{number}"] = low[cluster] + rng.integers(0, width[cluster])
    quasi = list(cells)
    halves = Hierarchy.intervals(*(2**power for power in range(1, height + WIDEST + 1)), top=False)
    frame = pd.DataFrame({**cells, "group": np.where(rng.random(rows) < 0.5, "a", "b")})
    return Table(frame, quasi=quasi, decision="group", hierarchies=dict.fromkeys(quasi, halves))


def places(rows: Sequence[tuple[str, str]]) -> Table:
    """Make a table of people with two places x and y out of a, b, c and d, of which ab and cd lie together.

    >>> from anonnb.methods import TopDown
    >>> four = places([("a", "a"), ("b", "a"), ("c", "c"), ("d", "d")])
    >>> TopDown(k=2).anonymize(four).frame[["x", "y"]].to_numpy().tolist()
    [['ab', 'a'], ['ab', 'a'], ['cd', 'cd'], ['cd', 'cd']]
    """
    tree = Hierarchy.from_dict({value: ["ab" if value in "ab" else "cd", "*"] for value in "abcd"})
    frame = pd.DataFrame(rows, columns=["x", "y"]).assign(decision="n")
    return Table(frame, quasi=["x", "y"], decision="decision", hierarchies={"x": tree, "y": tree})


def success_by_clusters(
    clusters: Sequence[int] = (1, 2, 4, 8, 16, 32, 64), *, k: int = 2, rows: int = 128, seeds: Sequence[int] = range(5)
) -> pd.DataFrame:
    """Run downcoding against TopDown and Samarati on tables with more and more clusters.

    Returns
    -------
    pd.DataFrame
        A line per method, number of clusters and seed. ``by luck`` is the share of the claims that would be right if
        each row had any child with the same probability.

    Examples
    --------
    >>> success_by_clusters([4], rows=16, seeds=[0])[["method", "clusters"]].to_numpy().tolist()
    [['TopDown', 4], ['Samarati', 4]]
    """
    lines = []
    for count in clusters:
        for seed in seeds:
            table = clustered_table(count, rows, seed=seed)
            for method in (TopDown(k=k), Samarati(k=k, max_suppressed=0, prefer="absolute")):
                result = DowncodingAttack().run(method.anonymize(table))
                luck = result.luck / result.claims if result.claims else np.nan
                figures = (result.attempts, result.claims, result.right, result.success, result.baseline, luck)
                lines.append((type(method).__name__, count, seed, *figures))
    return pd.DataFrame(lines, columns=COLUMNS)
