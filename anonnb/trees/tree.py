"""A decision or regression tree: its nodes, what it predicts, and how it reads; ``growing`` makes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table
from anonnb.trees.splits import Split


@dataclass(eq=False)
class Node:
    """Node of a tree.

    Parameters
    ----------
    stats:
        The class counts of these rows; rows, sum and sum of squares in a regression tree.
    parent, condition:
        The node above, and the condition that leads here from it.
    split, children:
        How its rows are divided, and the nodes below; None and empty for a leaf.

    Examples
    --------
    >>> leaf = Node(0, 0, np.arange(3), np.array([2, 1]))
    >>> leaf.is_leaf, [node.number for node in leaf.walk()]
    (True, [0])
    """

    number: int
    depth: int
    rows: np.ndarray
    stats: np.ndarray
    parent: Node | None = None
    condition: str = ""
    split: Split | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def divided(self) -> Split:
        """The split of a node that is no leaf."""
        assert self.split is not None, "a leaf has no split"
        return self.split

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, depth first."""
        yield self
        for child in self.children:
            yield from child.walk()


def _tested(node: Node | None) -> str:
    return "" if node is None or node.split is None else node.split.attribute.name


class Tree:
    """Grown tree; made by :func:`anonnb.trees.grow`.

    Parameters
    ----------
    expansions:
        The nodes in the order in which they were split.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.trees import grow
    >>> survey = anonnb.load("survey")
    >>> found: Tree = grow(survey, max_leaves=3)
    >>> [found.value(leaf) for leaf in found.leaves], found.find(survey)[:4].tolist()
    (['N', 'Y', 'N'], [1, 1, 1, 1])
    >>> found.predict(survey)[:4].tolist(), round(found.score(survey), 3)
    (['Y', 'Y', 'Y', 'Y'], 0.803)
    """

    def __init__(self, root: Node, target: Attribute, criterion: str, expansions: list[Node]):
        self.root, self.target, self.criterion, self.expansions = root, target, criterion, expansions

    @property
    def is_regression(self) -> bool:
        return self.criterion == "variance"

    @property
    def nodes(self) -> list[Node]:
        """All nodes, depth first."""
        return list(self.root.walk())

    @property
    def leaves(self) -> list[Node]:
        """The leaves, left to right."""
        return [node for node in self.root.walk() if node.is_leaf]

    def value(self, node: Node) -> object:
        """Return what a node predicts: its most frequent class (ties: the first) or its mean."""
        if self.is_regression:
            return float(node.stats[1] / node.stats[0])
        return self.target.decode(np.array([int(node.stats.argmax())])).iloc[0]

    def find(self, table: Table) -> np.ndarray:
        """Return the index of each row's leaf in :attr:`leaves`."""
        index = {id(leaf): number for number, leaf in enumerate(self.leaves)}
        leaves = np.zeros(len(table), dtype=np.int64)
        stack = [(self.root, np.arange(len(table)))]
        while stack:
            node, rows = stack.pop()
            if node.split is None:
                leaves[rows] = index[id(node)]
                continue
            name = node.split.attribute.name
            branch = node.split.branches_of(table.attributes[name])[table.codes(name)[rows]]
            stack += [(child, rows[branch == number]) for number, child in enumerate(node.children)]
        return leaves

    def predict(self, table: Table) -> pd.Series:
        """Return the predicted class or number of each row."""
        values = pd.Series([self.value(leaf) for leaf in self.leaves], name=self.target.name)
        return values.take(self.find(table)).set_axis(table.index)

    def score(self, table: Table) -> float:
        """Return the accuracy, or R² for a regression tree."""
        truth, guess = table[self.target.name], self.predict(table)
        if not self.is_regression:
            return float((truth.to_numpy() == guess.to_numpy()).mean())
        spread = float(((truth - truth.mean()) ** 2).sum())
        return 1.0 - float(((truth - guess) ** 2).sum()) / spread if spread else 0.0

    def text(self) -> str:
        """Return the tree as indented lines, with row counts and predictions."""
        lines = []
        for node in self.root.walk():
            what = node.condition or "all rows"
            lines.append(f"{'  ' * node.depth}{what}: {self._summary(node)}")
        return "\n".join(lines)

    def _summary(self, node: Node) -> str:
        rows = len(node.rows)
        if self.is_regression:
            return f"{rows} rows, mean {self.value(node):.4g}"
        counts = ", ".join(f"{label} {int(n)}" for label, n in zip(self.target.labels, node.stats, strict=True) if n)
        return f"{rows} rows ({counts})"

    def frame(self) -> pd.DataFrame:
        """Return a row per node: number, parent (-1: none), depth, attribute, condition, rows, prediction, leaf."""
        lines = [
            (
                *(node.number, -1 if node.parent is None else node.parent.number, node.depth),
                *(_tested(node.parent), node.condition or "all rows"),
                *(len(node.rows), self.value(node), node.is_leaf),
            )
            for node in self.nodes
        ]
        names = ["node", "parent", "depth", "attribute", "condition", "rows", "predicts", "leaf"]
        return pd.DataFrame(lines, columns=names)

    def __repr__(self) -> str:
        kind = "regression" if self.is_regression else "decision"
        return f"Tree: {kind} tree for {self.target.name}, {len(self.leaves)} leaves, {self.criterion}"
