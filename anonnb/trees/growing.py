"""Decision and regression trees grown best-first (Breiman et al. 1984; Quinlan 1993).

The leaf whose split removes the most impurity per row of the training table is expanded next, so the first n − 1
expansions are the tree with n leaves. Everything is counted on codes; ties are broken by position (see splits.py).
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.progress import steps
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph
from anonnb.tables.table import Table
from anonnb.trees.searching import SplitSearch
from anonnb.trees.splits import IMPURITIES, Split
from anonnb.trees.tree import Node, Tree


def grow(
    table: Table,
    target: str | None = None,
    *,
    attributes: Sequence[str] | None = None,
    criterion: str | None = None,
    max_leaves: int | None = None,
    max_depth: int | None = None,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    multiway: bool = False,
) -> Tree:
    """Grow a decision tree, or a regression tree if the target is numeric.

    Parameters
    ----------
    criterion:
        ``"entropy"`` (information gain, the default for classes), ``"gini"``, ``"gain_ratio"``, or ``"variance"`` (the
        default for a numeric target).
    max_leaves, max_depth, min_leaf, min_gain:
        Limits: the most leaves, the greatest depth, the fewest rows in a leaf, and the gain that a split must exceed.
    multiway:
        Give nominal attributes a branch per value instead of the best two subsets.

    Examples
    --------
    >>> import anonnb
    >>> print(grow(anonnb.load("survey"), max_leaves=3).text())
    all rows: 66 rows (N 34, Y 32)
      Marital_status = married or divorced: 40 rows (N 14, Y 26)
        Sex = F: 11 rows (N 9, Y 2)
        Sex = M: 29 rows (N 5, Y 24)
      Marital_status = single: 26 rows (N 20, Y 6)
    """
    target = table.decision if target is None else target
    if target is None:
        named = remedies.parameter("target", words="grow(table, target=…)", role="decision")
        raise ValueError(Message("the table has no decision", advice("; name the target: ", named)))
    if target not in table.attributes:
        raise KeyError(f"there is no column {target!r}; the columns are {', '.join(map(str, table.columns))}")
    criterion = criterion or ("variance" if table.attributes[target].kind == "numeric" else "entropy")
    if criterion not in IMPURITIES:
        raise ValueError(f"criterion {criterion!r} is not known; use {', '.join(IMPURITIES)}")
    if max_leaves is not None and max_leaves < 1:
        raise ValueError(f"max_leaves must be at least 1, not {max_leaves}")
    if len(table) == 0:
        raise ValueError("the table has no rows to grow a tree from")
    names = [name for name in (attributes or table.conditions) if name != target]
    grower = Grower(table, target, names, criterion, min_leaf, multiway)
    return grower.grow(max_leaves or len(table), max_depth, min_gain)


def planted(table: Table, plan: Mapping[str, object] | str, target: str | None = None) -> Tree:
    """Return the tree that a plan describes, for figures from books.

    Parameters
    ----------
    plan:
        An attribute, or ``{attribute: {value: plan below}}``; a node has a branch per value.

    Examples
    --------
    >>> import anonnb
    >>> print(planted(anonnb.load("survey"), {"Sex": {"F": "Hours"}}).text())
    all rows: 66 rows (N 34, Y 32)
      Sex = F: 11 rows (N 9, Y 2)
        Hours = 35: 2 rows (N 2)
        Hours = 50: 9 rows (N 7, Y 2)
      Sex = M: 55 rows (N 25, Y 30)
    """
    target = table.decision if target is None else target
    if target is None:
        raise ValueError("the table has no decision to predict; give target=")
    grower = Grower(table, target, [], "variance" if table.attributes[target].kind == "numeric" else "entropy")
    root, count = grower.root(), 1
    expansions: list[Node] = []
    queue: list[tuple[Node, Any]] = [(root, plan)]
    while queue:
        node, below = queue.pop(0)
        if not below:
            continue
        name, branches = (below, {}) if isinstance(below, str) else next(iter(below.items()))
        attribute, codes = table.attributes[name], table.codes(name)[node.rows]
        seen, sizes = np.unique(codes, return_counts=True)
        larger = int(sizes.argmax())
        branch = np.full(attribute.size, larger, dtype=np.int64)
        branch[seen] = np.arange(len(seen))
        grower.expand(node, Split(attribute, branch, 0.0, seen, larger=larger), count)
        count += len(seen)
        expansions.append(node)
        wanted = {attribute.code(value): plan_below for value, plan_below in branches.items()}
        queue += [(child, wanted.get(code)) for child, code in zip(node.children, seen, strict=True)]
    return Tree(root, grower.target, grower.criterion, expansions)


class Grower(SplitSearch):
    """Find the best split of any set of rows, and grow a tree by always expanding the best leaf.

    Parameters
    ----------
    multiway:
        Give nominal attributes a branch per value instead of the best two subsets.

    Examples
    --------
    >>> import anonnb
    >>> survey = anonnb.load("survey")
    >>> grower = Grower(survey, survey.decision, ["Sex", "Hours"], "entropy")
    >>> rows = np.arange(len(survey))
    >>> grower.node_stats(rows).tolist(), grower.statistics(rows, survey.codes("Sex"), 2).tolist()
    ([34, 32], [[9, 2], [25, 30]])
    >>> [split.labels()[0] for split in grower.candidates(rows)], grower.best_split(rows).labels()
    (['Sex = F', 'Hours ≤ 45'], ['Sex = F', 'Sex = M'])
    >>> root = grower.root()
    >>> grower.expand(root, grower.best_split(rows), number=1)
    >>> [child.number for child in root.children], len(grower.grow(max_leaves=3).leaves)
    ([1, 2], 3)
    """

    def expand(self, node: Node, split: Split, number: int) -> None:
        """Give a leaf a split and children, numbered from ``number`` on."""
        branch = split.branch[self.table.codes(split.attribute.name)[node.rows]]
        node.split = split
        for index, condition in enumerate(split.labels()):
            rows = node.rows[branch == index]
            node.children.append(Node(number + index, node.depth + 1, rows, self.node_stats(rows), node, condition))

    def root(self) -> Node:
        """Return the node of all rows."""
        rows = np.arange(self._rows)
        return Node(0, 0, rows, self.node_stats(rows))

    def grow(self, max_leaves: int, max_depth: int | None = None, min_gain: float = 0.0) -> Tree:
        """Expand the best leaf until the limit is reached or nothing gains."""
        root = self.root()
        leaves, count, expansions, queue = 1, 1, [], _Queue(self, max_depth, min_gain)
        if max_leaves > 1:
            queue.offer(root)
        counted = steps("splits")
        while leaves < max_leaves and (best := queue.best()) is not None:
            next(counted)
            node, split = best
            if leaves + split.n_branches - 1 > max_leaves:
                continue
            self.expand(node, split, count)
            if listening():
                record_split(root, node, self.candidates(node.rows), split, queue.gaining())
            count += split.n_branches
            leaves += split.n_branches - 1
            expansions.append(node)
            if leaves < max_leaves:  # a full tree asks for no more splits
                queue.offer_children(node)
        return Tree(root, self.target, self.criterion, expansions)


class _Queue:
    """Leaves that may be split, the best first.

    A leaf waits with the most that any split of it could gain, and its splits are compared only when no other leaf is
    known to gain more: leaves that are never split are hardly looked at.
    """

    def __init__(self, grower: Grower, max_depth: int | None, min_gain: float):
        self._grower, self._max_depth, self._min_gain = grower, max_depth, min_gain
        self._heap: list[tuple[float, int, Node, Split | None]] = []
        self._counts: dict[int, np.ndarray] = {}  # of the leaves that are worth it, by their numbers

    def gaining(self) -> int:
        """Count the waiting leaves that some split would improve, which only the record of a step needs to know."""
        grower, min_gain = self._grower, self._min_gain
        splits = (split or grower.best_split(node.rows, min_gain) for _, _, node, split in self._heap)
        return sum(split is not None for split in splits)

    def offer(self, node: Node) -> None:
        """Add a leaf."""
        if self._max_depth is None or node.depth < self._max_depth:
            heapq.heappush(self._heap, (-self._max_gain(node), node.number, node, None))

    def offer_children(self, node: Node) -> None:
        """Add the leaves that a leaf was split into."""
        whole = self._counts.pop(node.number, None)
        if whole is not None:
            parts = self._grower.counts.of_parts(whole, [child.rows for child in node.children])
            self._counts |= {child.number: counts for child, counts in zip(node.children, parts, strict=True)}
        for child in node.children:
            self.offer(child)

    def best(self) -> tuple[Node, Split] | None:
        """Remove and return the leaf with the best split."""
        while self._heap:
            _, number, node, split = heapq.heappop(self._heap)
            if split is not None:
                return node, split
            split = self._compared(node)
            if split is not None:
                heapq.heappush(self._heap, (-ordering(split.score), number, node, split))
        return None

    def _compared(self, node: Node) -> Split | None:
        """Return the best split of a leaf; its counts are kept while it waits to be split."""
        grower, counts = self._grower, self._counts.pop(node.number, None)
        if counts is None and grower.is_bounded:
            counts = grower.counts.of(node.rows)
        split = grower.best_split(node.rows, self._min_gain, counts)
        # with more rows than counts: then all that is kept is at most a number per row
        if split is not None and counts is not None and counts.size <= len(node.rows):
            self._counts[node.number] = counts
        return split

    def _max_gain(self, node: Node) -> float:
        """Return the most that a split of a leaf can gain, and a little more than rounding can add."""
        if not self._grower.is_bounded:
            return np.inf
        return self._grower.impurity(node.stats) / len(self._grower.table) * (1 + 1e-8) + 1e-12


def ordering(score: float) -> float:
    """Round a score to nine digits, so that leaves that tie up to rounding are taken by number."""
    return float(f"{score:.9e}")


# ---- steps -----------------------------------------------------------------------------------------------------------


def record_split(
    root: Node, node: Node, splits: Iterable[Split], chosen: Split, others: int, rival: str = "other attribute"
) -> None:
    """Record the split of a leaf: the best split of each attribute, and the tree afterwards.

    ``others`` is how many other leaves could have been split, ``rival`` what the sentence calls the runners-up.
    """
    by_name = {split.attribute.name: split for split in splits}
    where = f"with {node.condition}" if node.condition else "of the table"
    sentence = f"Asking for {chosen.attribute.name} scores {chosen.score:.3f} among the {len(node.rows):,} rows {where}"
    sentence += f", and no {rival} scores more here"
    if others:
        sentence += f"; no split of {'another open leaf' if others > 1 else 'the other open leaf'} does either"
    candidates = pd.DataFrame(
        {
            "test": [" | ".join(split.labels()) for split in by_name.values()],
            "score": [s.score for s in by_name.values()],
        },
        index=pd.Index(list(by_name), name="attribute"),
    )
    title = f"Split {node.condition or 'all rows'} by {chosen.attribute.name}"
    note(title, f"{sentence}.", lambda: tree_graph(root, node), candidates, [chosen.attribute.name])


def tree_graph(root: Node, now: Node | None = None, status: str = "now") -> Graph:
    """Return a tree in its current state: leaves are open, split nodes are kept, ``now`` is what the step is about."""
    nodes: dict[Hashable, tuple[int, str]] = {}
    texts: dict[Hashable, str] = {}
    edges: list[tuple[Hashable, Hashable]] = []
    for node in root.walk():
        nodes[node.number] = (node.depth, status if node is now else "open" if node.is_leaf else "kept")
        texts[node.number] = f"{node.condition or 'all rows'}\n{len(node.rows):,} rows"
        edges += [(node.number, child.number) for child in node.children]
    return Graph.of(nodes, edges, texts=texts)
