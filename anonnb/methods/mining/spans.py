"""Trees that are k-anonymous while they grow (Friedman, Wolff and Schuster 2008).

Public attributes are what an attacker can look up. They divide people into spans: people whom no public split tells
apart, whatever private branches they take. A public split is a breach if a span would lose a part of 1 to k − 1 people,
counted over the whole span; a private split never is. After a breach the next best split is tried.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from anonnb.core.arrays import group_ids
from anonnb.core.progress import steps
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.trees.growing import Grower, ordering, record_split, tree_graph
from anonnb.trees.splits import Split, is_better
from anonnb.trees.tree import Node, Tree


class SpanGrower(Grower):
    """Grows best-first like its parent, but expands only where no span becomes too small."""

    def __init__(self, *arguments: Any, k: int, public: Collection[str], **options: Any):
        super().__init__(*arguments, **options)
        self.k, self.public = k, frozenset(public)
        rows = len(self.table)
        self.span = np.zeros(rows, dtype=np.int64)  # the span of every row
        self.reach = {0: np.arange(rows)}  # by node: the rows whose public values lead there
        self.rolled_back = 0

    def ranked(self, node: Node) -> Iterator[Split]:
        """Yield the splits of a node, the best first: each attribute's best, and its best with k rows per branch."""
        splits: list[Split] = []
        names = self.names
        for min_leaf, chosen in ((1, names), (self.k, [name for name in names if name in self.public])):
            self.min_leaf, self.names = min_leaf, chosen
            splits += self.candidates(node.rows)
        self.min_leaf, self.names = 1, names
        yield from sorted((s for s in splits if is_better(s.score, 1e-12)), key=lambda split: -ordering(split.score))

    def breaches(self, node: Node, split: Split) -> bool:
        """Tell whether some span would lose a part of 1 to k − 1 people."""
        if split.attribute.name not in self.public:
            return False
        rows = self.reach[node.number]
        parts, count = self._parts(rows, split)
        return bool((np.bincount(parts, minlength=count) < self.k).any())

    def _parts(self, rows: np.ndarray, split: Split) -> tuple[np.ndarray, int]:
        branch = split.branch[self.table.codes(split.attribute.name)[rows]]
        return group_ids([self.span[rows], branch], [len(self.table), split.n_branches])

    def grow(self, max_leaves: int, max_depth: int | None = None, min_gain: float = 0.0) -> Tree:
        """Expand the best leaf whose split is no breach; a split that was one stays one, so it is dropped."""
        root, count, leaves, expansions = self.root(), 1, 1, []
        heap: list[tuple[float, int, Node, Split, Iterator[Split]]] = []

        def offer(node: Node, splits: Iterator[Split]) -> None:
            split = next(splits, None)
            if split is not None and is_better(split.score, max(min_gain, 1e-12)):
                heapq.heappush(heap, (-ordering(split.score), node.number, node, split, splits))

        offer(root, self.ranked(root))
        counted = steps("splits")
        while heap and leaves < max_leaves:
            next(counted)
            _, _, node, split, splits = heapq.heappop(heap)
            breach = self.breaches(node, split)
            if breach or leaves + split.n_branches - 1 > max_leaves:
                self.rolled_back += breach
                if breach and listening():
                    self._record_breach(root, node, split)
                offer(node, splits)
                continue
            self.expand(node, split, count)
            if listening():
                record_split(root, node, self._harmless(node), split, len(heap), "other allowed split")
            self._refine(node, split)
            count, leaves = count + split.n_branches, leaves + split.n_branches - 1
            expansions.append(node)
            for child in node.children:
                if max_depth is None or child.depth < max_depth:
                    offer(child, self.ranked(child))
        return Tree(root, self.target, self.criterion, expansions)

    def _harmless(self, node: Node) -> list[Split]:
        """Return the best split of each attribute that is no breach, the best first."""
        by_attribute: dict[str, Split] = {}
        for split in self.ranked(node):
            if split.attribute.name not in by_attribute and not self.breaches(node, split):
                by_attribute[split.attribute.name] = split
        return list(by_attribute.values())

    def _record_breach(self, root: Node, node: Node, split: Split) -> None:
        """Record that a split is dropped, and how few people part of a span would have."""
        rows = self.reach[node.number]
        parts, count = self._parts(rows, split)
        smallest = int(np.bincount(parts, minlength=count).min())
        where = node.condition or "all rows"
        people = f"a group of {pluralize(smallest, 'person', 'people')}, fewer than {self.k}"
        sentence = f"It would score {split.score:.3f} but leave {people}, so it is rolled back"
        title = f"Do not split {where} by {split.attribute.name}"
        note(title, f"{sentence}.", tree_graph(root, node, "failed"))

    def _refine(self, node: Node, split: Split) -> None:
        """Divide the spans through the node, and record which rows can reach its children."""
        rows = self.reach.pop(node.number)
        if split.attribute.name not in self.public:
            self.reach |= {child.number: rows for child in node.children}
            return
        parts, _ = self._parts(rows, split)
        self.span[rows] = self.span.max() + 1 + parts
        self.span = np.unique(self.span, return_inverse=True)[1]
        branch = split.branch[self.table.codes(split.attribute.name)[rows]]
        self.reach |= {child.number: rows[branch == index] for index, child in enumerate(node.children)}
