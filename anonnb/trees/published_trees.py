"""Trees as SafeTree publishes them and attackers read them: the counts of some nodes are hidden.

Reading (Ciriani et al. 2008, section 7.2): a hidden node whose whole subtree is hidden is not drawn at all (Fig 1.16).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.trees.tree import Node, Tree


class PublishedTree(Tree):
    """Tree in which the counts of some nodes are hidden.

    A hidden node predicts what its nearest shown ancestor predicts.

    >>> import anonnb
    >>> from anonnb.trees.growing import planted
    >>> print(PublishedTree(planted(anonnb.load("survey"), "Sex"), hidden=[1]).text())
    all rows: 66 rows (N 34, Y 32)
      Sex = F: hidden
      Sex = M: 55 rows (N 25, Y 30)
    """

    def __init__(self, tree: Tree, hidden: Iterable[int] = ()):
        super().__init__(tree.root, tree.target, tree.criterion, tree.expansions)
        self.hidden = frozenset(hidden)

    def value(self, node: Node) -> object:
        while node.number in self.hidden and node.parent is not None:
            node = node.parent
        return super().value(node)

    def _summary(self, node: Node) -> str:
        return "hidden" if node.number in self.hidden else super()._summary(node)

    def frame(self) -> pd.DataFrame:
        """Return the frame of a tree, with a column per class; hidden counts are missing."""
        frame = super().frame().astype({"rows": "Int64"})
        if not self.is_regression:
            for index, label in enumerate(self.target.labels):
                counts = [int(node.stats[index]) for node in self.nodes]
                frame[f"{self.target.name}={label}"] = pd.array(counts, dtype="Int64")
        hidden = frame["node"].isin(self.hidden)
        frame.loc[hidden, ["rows", *frame.columns[8:]]] = pd.NA
        return frame


@dataclass(frozen=True, eq=False, repr=False)
class MinedTree(Mined):
    """Published tree.

    Parameters
    ----------
    frame:
        What is published: a row per node, with the class counts; hidden counts are missing.
    method, info:
        What made it, and information for its owner alone.
    release:
        The table that its leaves stand for; None if inner nodes show counts.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.trees.growing import planted
    >>> MinedTree.of(planted(anonnb.load("survey"), "Sex")).frame["rows"].tolist()
    [66, 11, 55]
    """

    tree: PublishedTree | None = None
    release: Release | None = None

    what: ClassVar[str] = "nodes"

    @classmethod
    def of(cls, tree: Tree, *, counts: str = "all") -> MinedTree:
        """Publish a tree as it is, with the counts of ``"all"`` nodes or only of the ``"leaves"``.

        >>> import anonnb
        >>> from anonnb.trees.growing import planted
        >>> tree = planted(anonnb.load("survey"), "Sex")
        >>> MinedTree.of(tree, counts="leaves").frame[["condition", "rows"]]
          condition  rows
        0  all rows  <NA>
        1   Sex = F    11
        2   Sex = M    55
        """
        if counts not in ("all", "leaves"):
            raise ValueError(f"counts={counts!r} is not known; use 'all' or 'leaves'")
        hidden = [node.number for node in tree.nodes if counts == "leaves" and not node.is_leaf]
        published = PublishedTree(tree, hidden)
        return cls(published.frame(), tree=published)
