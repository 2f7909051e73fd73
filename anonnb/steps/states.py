"""States of unfinished work that several algorithms share: rows in groups, and a graph whose nodes have a status.

Releases and frames are states too. These two are plain data as well; :mod:`anonnb.plots.steps` draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_ids
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

STATUSES = ("open", "now", "chosen", "kept", "pruned", "failed")


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Rows in groups, while a method is at work.

    Parameters
    ----------
    groups:
        The number of each row's group; -1 for a row that is in none yet.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"age": [20, 25, 60]}), quasi=["age"])
    >>> RowGroups(table, [0, 0, -1]).release.frame["age"].tolist()
    ['[20–25]', '[20–25]', '60']
    """

    table: Table
    groups: np.ndarray
    marked: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def __post_init__(self):
        object.__setattr__(self, "groups", np.array(self.groups, dtype=np.int64))
        object.__setattr__(self, "marked", np.array(self.marked, dtype=np.int64))
        if len(self.groups) != len(self.table):
            raise ValueError(f"groups numbers {len(self.groups):,} rows, and the table has {len(self.table):,}")

    @property
    def release(self) -> Release:
        """What would be published if the work stopped here; rows in no group keep their values."""
        alone = np.where(self.groups < 0, self.groups.max(initial=-1) + 1 + np.arange(len(self.groups)), self.groups)
        numbers, count = group_ids([alone])
        table = self.table
        columns = {
            name: Column.of_groups(table.attributes[name], table.codes(name), numbers, count) for name in table.quasi
        }
        return Release(table, columns, np.arange(len(table)))


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph in layers: a lattice, a tree, a forest, a network of inferences.

    Parameters
    ----------
    nodes:
        A row per node, named by the index: ``layer`` (0 is drawn first), ``text`` (the label, by default the name) and
        ``status``, one of open, now (what the step is about), chosen, kept, pruned, failed.
    edges:
        Pairs of names, from and to; or a mapping from such pairs to labels of the edges.
    down:
        Whether layer 0 is at the top (trees) or at the bottom (lattices).

    Examples
    --------
    >>> graph = Graph.of({"a": (0, "open"), "b": (1, "pruned")}, [("a", "b")])
    >>> graph.nodes.loc["b", "status"], list(graph.edges)
    ('pruned', [('a', 'b')])
    """

    nodes: pd.DataFrame
    edges: Mapping[tuple, str]
    down: bool = True

    def __post_init__(self):
        edges = self.edges if isinstance(self.edges, Mapping) else dict.fromkeys(self.edges, "")
        object.__setattr__(self, "edges", dict(edges))
        unknown = sorted(set(self.nodes["status"]) - set(STATUSES))
        if unknown:
            raise ValueError(f"a node has the status {unknown[0]!r}; choose from {', '.join(STATUSES)}")
        lost = [end for edge in self.edges for end in edge if end not in self.nodes.index]
        if lost:
            raise ValueError(f"an edge leads to {lost[0]!r}, which is no node")

    @classmethod
    def of(
        cls,
        nodes: Mapping[Any, tuple],
        edges: Iterable[tuple] | Mapping[tuple, str] = (),
        *,
        texts: Mapping[Any, str] | None = None,
        down: bool = True,
    ) -> Graph:
        """Make a graph from names.

        Parameters
        ----------
        nodes:
            For each name its layer and status.
        edges:
            Pairs of names, or a mapping from such pairs to labels.
        down:
            Whether layer 0 is at the top.
        """
        names = pd.Index(list(nodes), tupleize_cols=False)
        labels = [str((texts or {}).get(name, name)) for name in names]
        layers, status = [layer for layer, _ in nodes.values()], [status for _, status in nodes.values()]
        named = edges if isinstance(edges, Mapping) else dict.fromkeys(edges, "")
        return cls(pd.DataFrame({"layer": layers, "text": labels, "status": status}, index=names), named, down)
