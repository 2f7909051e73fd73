"""Decision and regression trees grown best-first (Breiman et al. 1984; Quinlan 1993).

The leaf whose split removes the most impurity per row of the training table is expanded next, so the first n − 1
expansions are the tree with n leaves. Everything is counted on codes; ties are broken by position (see splits.py).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import group_table
from anonnb.core.errors import Message, advice
from anonnb.core.progress import steps
from anonnb.steps.recording import listening
from anonnb.tables.table import Table
from anonnb.trees.counting import ValueCounts
from anonnb.trees.notes import tell_split
from anonnb.trees.splits import (
    IMPURITIES,
    Scorer,
    Split,
    best_cut,
    best_multiway,
    best_subset,
    is_better,
    n_log_n,
    name_ranks,
)
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
    table:
        The training rows.
    target:
        The column to predict; the decision by default.
    attributes:
        The columns that the tree may test; all condition attributes by default.
    criterion:
        ``"entropy"`` (information gain, the default for classes), ``"gini"``, ``"gain_ratio"``, or ``"variance"`` (the
        default for a numeric target).
    max_leaves, max_depth, min_leaf, min_gain:
        Limits: the most leaves, the greatest depth, the fewest rows in a leaf, and the gain that a split must exceed.
    multiway:
        Give nominal attributes a branch per value instead of the best two subsets.

    Returns
    -------
    Tree
        The tree.

    Raises
    ------
    ValueError
        If there is no target or no row, the criterion is unknown, or ``max_leaves`` is below 1.
    KeyError
        If the table does not have the target.

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
    """The tree that a plan describes, for figures from books.

    Parameters
    ----------
    table:
        The training rows.
    plan:
        An attribute, or ``{attribute: {value: plan below}}``; a node has a branch per value.
    target:
        The column to predict; the decision by default.

    Returns
    -------
    Tree
        The tree.

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
    grower = Grower(table, target, [], "variance" if table.attributes[target].kind == "numeric" else "entropy")
    root, count = grower.root(), 1
    expansions, waiting = [], [(root, plan)]
    while waiting:
        node, below = waiting.pop(0)
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
        waiting += [(child, wanted.get(code)) for child, code in zip(node.children, seen, strict=True)]
    return Tree(root, grower.target, grower.criterion, expansions)


class Grower:
    """Finds the best split of any set of rows, and grows a tree by always expanding the best leaf.

    Parameters
    ----------
    table, target, names:
        The training rows, the column to predict, and the columns to test.
    criterion:
        ``"entropy"``, ``"gini"``, ``"gain_ratio"`` or ``"variance"``.
    min_leaf:
        The fewest rows in a leaf.
    multiway:
        Give nominal attributes a branch per value instead of the best two subsets.

    Raises
    ------
    ValueError
        If the criterion is ``"variance"`` and the target is not numeric or has missing values.

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

    def __init__(
        self, table: Table, target: str, names: Sequence[str], criterion: str, min_leaf: int = 1, multiway: bool = False
    ):
        self.table, self.names, self.criterion = table, list(names), criterion
        self.min_leaf, self.multiway = min_leaf, multiway
        self.target = table.attributes[target]
        self.response = table.codes(target)
        self._columns = {name: (table.codes(name), table.attributes[name].size) for name in self.names}
        self._ranks: dict[str, np.ndarray] = {}
        self._classes, self._rows = self.target.size, len(table)
        if criterion == "variance":
            numbers = self.target.numbers
            if self.target.kind != "numeric" or np.isnan(numbers[self.response]).any():
                raise ValueError(f"column {target!r}: a regression tree needs numbers without missing values")
            # centred on a whole number, which loses nothing and keeps the sums of squares small
            self.numbers = numbers[self.response]
            self.centre = float(np.round(self.numbers.mean()))

    def statistics(self, rows: np.ndarray, cells: np.ndarray | None = None, count: int = 1) -> np.ndarray:
        """Class counts of some rows in each of several cells; rows, sum and sum of squares for regression.

        Parameters
        ----------
        rows:
            The rows.
        cells, count:
            The cell of each of these rows, and the number of cells; all rows are in one cell by default.

        Returns
        -------
        numpy.ndarray
            A row of statistics per cell; numbers are centred on their rounded mean.
        """
        if self.criterion != "variance":
            if cells is None:
                return np.bincount(self.response[rows], minlength=self._classes)[None]
            return group_table(self.response[rows], self._classes, cells.astype(np.int64), count)
        cells = np.zeros(len(rows), dtype=np.int64) if cells is None else cells
        y = self.numbers[rows] - self.centre
        sums = [np.bincount(cells, weights=w, minlength=count) for w in (y, y * y)]
        return np.stack([np.bincount(cells, minlength=count).astype(float), *sums], axis=1)

    def node_stats(self, rows: np.ndarray) -> np.ndarray:
        """Class counts of some rows; rows, sum and sum of squares of the target itself for regression.

        Parameters
        ----------
        rows:
            The rows.

        Returns
        -------
        numpy.ndarray
            The statistics.
        """
        if self.criterion != "variance":
            return self.statistics(rows)[0]
        y = self.numbers[rows]
        return np.array([len(rows), y.sum(), (y * y).sum()])

    def candidates(self, rows: np.ndarray) -> Iterator[Split]:
        """The best split of each attribute on some rows, in the order of the attributes.

        Parameters
        ----------
        rows:
            The rows.

        Yields
        ------
        Split
            A split; attributes that cannot be split are left out.
        """
        scorer, counted = self._scorer(self.statistics(rows)[0]), self._counted(rows)
        for name in self.names:
            split = self._split_of(name, *counted[name], scorer)
            if split is not None:
                yield split

    def _scorer(self, whole: np.ndarray) -> Scorer:
        return Scorer(self.criterion, whole, self._rows, self.min_leaf, self._logs)

    @cached_property
    def _logs(self) -> np.ndarray | None:
        """n log n of every count that there can be."""
        return None if self.criterion == "variance" else n_log_n(np.arange(self._rows + 1))

    @cached_property
    def counts(self) -> ValueCounts:
        """Counts the classes of any rows, per value of every attribute."""
        return ValueCounts(self._columns, self.response, self._classes)

    def _counted(self, rows: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """For each attribute the codes that some rows have, and their statistics."""
        if self.criterion != "variance":
            return self.counts.seen(self.counts.of(rows)).apart()
        found = {}
        for name, (codes, size) in self._columns.items():
            stats = self.statistics(rows, codes[rows], size)
            seen = np.flatnonzero(stats[:, 0])
            found[name] = seen, stats[seen]
        return found

    def _split_of(self, name: str, seen: np.ndarray, stats: np.ndarray, scorer: Scorer) -> Split | None:
        attribute = self.table.attributes[name]
        if attribute.kind != "nominal":
            return best_cut(attribute, seen, stats, scorer)
        if self.multiway:
            return best_multiway(attribute, seen, stats, scorer)
        if name not in self._ranks:
            self._ranks[name] = name_ranks(attribute)
        return best_subset(attribute, seen, stats, scorer, self._ranks[name])

    def _promising(self, whole: np.ndarray, counts: np.ndarray) -> list[Split]:
        """The candidates without attributes that cannot win: no split gains more than one branch per value would.

        Attributes are tried from the highest such bound down; those whose bounds lie clearly below the best score are
        left out. Clearly: by more than scores that count as ties differ, so that the choice is the same.
        """
        scorer, seen = self._scorer(whole), self.counts.seen(counts)
        left = np.add.reduceat(scorer.impurity(seen.counts), seen.begins)
        bounds = dict(zip(self.names, ((scorer.before - left) / self._rows).tolist(), strict=True))
        counted, found, least = seen.apart(), {}, -np.inf
        for name in sorted(self.names, key=lambda name: -bounds[name]):
            if bounds[name] < least:
                break
            split = found[name] = self._split_of(name, *counted[name], scorer)
            if split is not None:
                least = max(least, split.score * (1 - 1e-8) - 1e-12)
        return [found[name] for name in self.names if found.get(name) is not None]

    @property
    def is_bounded(self) -> bool:
        """Whether no split gains more than the impurity that there is."""
        return self.criterion in ("entropy", "gini") and bool(self.names)

    def best_split(self, rows: np.ndarray, min_gain: float = 0.0, counts: np.ndarray | None = None) -> Split | None:
        """The best split of some rows.

        Parameters
        ----------
        rows:
            The rows.
        min_gain:
            What the score must exceed.
        counts:
            The class counts of these rows per value, where they are known.

        Returns
        -------
        Split or None
            The split; None when nothing gains more than ``min_gain``.
        """
        whole = self.statistics(rows)[0] if counts is None else self.counts.whole(counts)
        if self.criterion != "variance" and np.count_nonzero(whole) < 2:
            return None  # one class only: no split gains
        if self.is_bounded:
            splits = self._promising(whole, self.counts.of(rows) if counts is None else counts)
        else:
            splits = self.candidates(rows)
        best = None
        for split in splits:
            if best is None or is_better(split.score, best.score):
                best = split
        return best if best is not None and is_better(best.score, max(min_gain, 1e-12)) else None

    def expand(self, node: Node, split: Split, number: int) -> None:
        """Give a leaf a split and children.

        Parameters
        ----------
        node:
            The leaf.
        split:
            How to divide its rows.
        number:
            The number of the first child; the others follow.
        """
        branch = split.branch[self.table.codes(split.attribute.name)[node.rows]]
        node.split = split
        for place, condition in enumerate(split.labels()):
            rows = node.rows[branch == place]
            node.children.append(Node(number + place, node.depth + 1, rows, self.node_stats(rows), node, condition))

    def root(self) -> Node:
        """The node of all rows."""
        rows = np.arange(self._rows)
        return Node(0, 0, rows, self.node_stats(rows))

    def grow(self, max_leaves: int, max_depth: int | None = None, min_gain: float = 0.0) -> Tree:
        """Expand the best leaf until the limit is reached or nothing gains.

        Parameters
        ----------
        max_leaves, max_depth:
            The most leaves, and the greatest depth.
        min_gain:
            What the score of a split must exceed.

        Returns
        -------
        Tree
            The tree.
        """
        root = self.root()
        leaves, count, expansions, queue = 1, 1, [], _Queue(self, max_depth, min_gain)
        if max_leaves > 1:
            queue.offer(root)
        counted = steps("splits")
        while leaves < max_leaves and (found := queue.best()) is not None:
            next(counted)
            node, split = found
            if leaves + split.n_branches - 1 > max_leaves:
                continue
            self.expand(node, split, count)
            if listening():
                tell_split(root, node, self.candidates(node.rows), split, len(queue))
            count += split.n_branches
            leaves += split.n_branches - 1
            expansions.append(node)
            if leaves < max_leaves:  # a full tree asks for no more splits
                queue.offer_children(node)
        return Tree(root, self.target, self.criterion, expansions)


class _Queue:
    """The leaves that may be split, the best first.

    A leaf waits with the most that any split of it could gain, and its splits are compared only when no other leaf is
    known to gain more: leaves that are never split are hardly looked at. While steps are recorded, all are.
    """

    def __init__(self, grower: Grower, max_depth: int | None, min_gain: float):
        self._grower, self._max_depth, self._min_gain = grower, max_depth, min_gain
        self._waiting: list[tuple[float, int, Node, Split | None]] = []
        self._counts: dict[int, np.ndarray] = {}  # of the leaves that are worth it, by their numbers

    def __len__(self) -> int:
        return len(self._waiting)

    def offer(self, node: Node) -> None:
        """Take in a leaf."""
        if self._max_depth is None or node.depth < self._max_depth:
            heapq.heappush(self._waiting, (-self._most(node), node.number, node, None))

    def offer_children(self, node: Node) -> None:
        """Take in the leaves that a leaf was split into."""
        whole = self._counts.pop(node.number, None)
        if whole is not None:
            parts = self._grower.counts.of_parts(whole, [child.rows for child in node.children])
            self._counts |= {child.number: counts for child, counts in zip(node.children, parts, strict=True)}
        for child in node.children:
            self.offer(child)

    def best(self) -> tuple[Node, Split] | None:
        """The leaf with the best split, which leaves the queue."""
        while self._waiting:
            _, number, node, split = heapq.heappop(self._waiting)
            if split is not None:
                return node, split
            split = self._compared(node)
            if split is not None:
                heapq.heappush(self._waiting, (-ordering(split.score), number, node, split))
        return None

    def _compared(self, node: Node) -> Split | None:
        """The best split of a leaf; its counts are kept while it waits to be split."""
        grower, counts = self._grower, self._counts.pop(node.number, None)
        if counts is None and grower.is_bounded:
            counts = grower.counts.of(node.rows)
        split = grower.best_split(node.rows, self._min_gain, counts)
        # with more rows than counts: then all that is kept is at most a number per row
        if split is not None and counts is not None and counts.size <= len(node.rows):
            self._counts[node.number] = counts
        return split

    def _most(self, node: Node) -> float:
        """The most that a split of a leaf can gain, and a little more than rounding can add."""
        if listening() or not self._grower.is_bounded:
            return np.inf
        impurity = IMPURITIES[self._grower.criterion](node.stats)
        return float(impurity) / len(self._grower.table) * (1 + 1e-8) + 1e-12


def ordering(score: float) -> float:
    """A score to nine digits, so that leaves that tie up to rounding are taken in the order of their numbers."""
    return float(f"{score:.9e}")
