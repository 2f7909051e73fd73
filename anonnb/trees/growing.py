"""Decision and regression trees grown best-first (Breiman et al. 1984; Quinlan 1993).

The leaf whose split removes the most impurity per row of the training table is expanded next, so the first n − 1
expansions are the tree with n leaves. Everything is counted on codes; ties are broken by position (see splits.py).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import group_table
from anonnb.core.errors import Message, advice
from anonnb.core.progress import steps
from anonnb.steps.recording import listening
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table
from anonnb.trees.notes import tell_split
from anonnb.trees.splits import IMPURITIES, Scorer, Split, best_cut, best_multiway, best_subset, is_better, name_ranks


@dataclass(eq=False)
class Node:
    """A node of a tree.

    Parameters
    ----------
    number, depth:
        Its number in the tree, and its distance from the root.
    rows:
        Its training rows.
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
    def is_leaf(self) -> bool:
        return not self.children

    def walk(self) -> Iterator[Node]:
        """This node and all below it, depth first."""
        yield self
        for child in self.children:
            yield from child.walk()


class Tree:
    """A grown tree; made by :func:`grow`.

    Parameters
    ----------
    root:
        The node of all rows.
    target:
        The attribute that is predicted.
    criterion:
        ``"entropy"``, ``"gini"``, ``"gain_ratio"`` or ``"variance"``.
    expansions:
        The nodes in the order in which they were split.

    Examples
    --------
    >>> import anonnb
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
        """What a node predicts: its most frequent class (ties: the first) or its mean.

        Parameters
        ----------
        node:
            A node of this tree.

        Returns
        -------
        object
            A value of the target, or a number.
        """
        if self.is_regression:
            return float(node.stats[1] / node.stats[0])
        return self.target.decode(np.array([int(node.stats.argmax())])).iloc[0]

    def find(self, table: Table) -> np.ndarray:
        """The leaf of each row of a table.

        Parameters
        ----------
        table:
            A table with the attributes that the tree tests.

        Returns
        -------
        numpy.ndarray
            The place of the leaf in :attr:`leaves`, for each row.
        """
        place = {id(leaf): number for number, leaf in enumerate(self.leaves)}
        found = np.zeros(len(table), dtype=np.int64)
        waiting = [(self.root, np.arange(len(table)))]
        while waiting:
            node, rows = waiting.pop()
            if node.is_leaf:
                found[rows] = place[id(node)]
                continue
            name = node.split.attribute.name
            branch = node.split.branches_of(table.attributes[name])[table.codes(name)[rows]]
            waiting += [(child, rows[branch == number]) for number, child in enumerate(node.children)]
        return found

    def predict(self, table: Table) -> pd.Series:
        """The predicted class or number of each row.

        Parameters
        ----------
        table:
            A table with the attributes that the tree tests.

        Returns
        -------
        pandas.Series
            The predictions, with the table's index.
        """
        values = pd.Series([self.value(leaf) for leaf in self.leaves], name=self.target.name)
        return values.take(self.find(table)).set_axis(table.index)

    def score(self, table: Table) -> float:
        """Accuracy, or R² for a regression tree.

        Parameters
        ----------
        table:
            A table with the attributes that the tree tests, and the target.

        Returns
        -------
        float
            The score.
        """
        truth, guess = table[self.target.name], self.predict(table)
        if not self.is_regression:
            return float((truth.to_numpy() == guess.to_numpy()).mean())
        spread = float(((truth - truth.mean()) ** 2).sum())
        return 1.0 - float(((truth - guess) ** 2).sum()) / spread if spread else 0.0

    def text(self) -> str:
        """The tree as indented lines, with row counts and predictions."""
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
        """A row per node: number, parent (-1: none), depth, tested attribute, condition, rows, prediction, leaf."""
        lines = [
            (
                *(node.number, -1 if node.parent is None else node.parent.number, node.depth),
                *("" if node.parent is None else node.parent.split.attribute.name, node.condition or "all rows"),
                *(len(node.rows), self.value(node), node.is_leaf),
            )
            for node in self.nodes
        ]
        names = ["node", "parent", "depth", "attribute", "condition", "rows", "predicts", "leaf"]
        return pd.DataFrame(lines, columns=names)

    def __repr__(self) -> str:
        kind = "regression" if self.is_regression else "decision"
        return f"Tree: {kind} tree for {self.target.name}, {len(self.leaves)} leaves, {self.criterion}"


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
        self.ranks = {name: name_ranks(table.attributes[name]) for name in self.names}
        self.target = table.attributes[target]
        self.response = table.codes(target)
        self._columns = {name: (table.codes(name), table.attributes[name].size) for name in self.names}
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
        cells = np.zeros(len(rows), dtype=np.int64) if cells is None else cells
        if self.criterion != "variance":
            return group_table(self.response[rows], self.target.size, cells.astype(np.int64), count)
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
        scorer = self._scorer(rows)
        for name, stats in zip(self.names, self._counted(rows), strict=True):
            split = self._split_of(name, stats, scorer)
            if split is not None:
                yield split

    def _scorer(self, rows: np.ndarray) -> Scorer:
        return Scorer(self.criterion, self.statistics(rows)[0], len(self.table), self.min_leaf)

    def _counted(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """The statistics of some rows per code, attribute by attribute."""
        classes = self.target.size
        response = None if self.criterion == "variance" else self.response[rows].astype(np.int64)
        for codes, size in map(self._columns.__getitem__, self.names):
            if response is None:
                yield self.statistics(rows, codes[rows], size)
            else:
                yield group_table(response, classes, codes[rows], size)

    def _split_of(self, name: str, stats: np.ndarray, scorer: Scorer) -> Split | None:
        attribute = self.table.attributes[name]
        if attribute.kind != "nominal":
            return best_cut(attribute, stats, scorer)
        if self.multiway:
            return best_multiway(attribute, stats, scorer)
        return best_subset(attribute, stats, scorer, self.ranks[name])

    def _promising(self, rows: np.ndarray) -> Iterator[Split]:
        """The candidates without attributes that cannot win: no split gains more than one branch per value would.

        The attribute with the highest such bound is tried first; those whose bounds lie clearly below its score are
        left out. Clearly: by more than scores that count as ties differ, so that the choice is the same.
        """
        scorer, counted = self._scorer(rows), list(self._counted(rows))
        starts = np.cumsum([0, *map(len, counted[:-1])])
        left = np.add.reduceat(scorer.impurity(np.concatenate(counted)), starts)
        bounds = (scorer.before - left) / len(self.table)
        first = int(bounds.argmax())
        found = self._split_of(self.names[first], counted[first], scorer)
        least = -np.inf if found is None else found.score * (1 - 1e-8) - 1e-12
        for place, name in enumerate(self.names):
            if place == first or bounds[place] >= least:
                split = found if place == first else self._split_of(name, counted[place], scorer)
                if split is not None:
                    yield split

    def best_split(self, rows: np.ndarray, min_gain: float = 0.0) -> Split | None:
        """The best split of some rows.

        Parameters
        ----------
        rows:
            The rows.
        min_gain:
            What the score must exceed.

        Returns
        -------
        Split or None
            The split; None when nothing gains more than ``min_gain``.
        """
        if self.criterion != "variance" and np.count_nonzero(self.statistics(rows)[0]) < 2:
            return None  # one class only: no split gains
        bounded = self.criterion in ("entropy", "gini") and self.names
        best = None
        for split in self._promising(rows) if bounded else self.candidates(rows):
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
        rows = np.arange(len(self.table))
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
        waiting: list[tuple[float, int, Node, Split]] = []
        leaves, count, expansions = 1, 1, []

        def offer(node: Node) -> None:
            if max_depth is None or node.depth < max_depth:
                split = self.best_split(node.rows, min_gain)
                if split is not None:
                    heapq.heappush(waiting, (-ordering(split.score), node.number, node, split))

        if max_leaves > 1:
            offer(root)
        counted = steps("splits")
        while waiting and leaves < max_leaves:
            next(counted)
            _, _, node, split = heapq.heappop(waiting)
            if leaves + split.n_branches - 1 > max_leaves:
                continue
            self.expand(node, split, count)
            if listening():
                tell_split(root, node, self.candidates(node.rows), split, len(waiting))
            count += split.n_branches
            leaves += split.n_branches - 1
            expansions.append(node)
            for child in node.children if leaves < max_leaves else ():  # a full tree asks for no more splits
                offer(child)
        return Tree(root, self.target, self.criterion, expansions)


def ordering(score: float) -> float:
    """A score to nine digits, so that leaves that tie up to rounding are taken in the order of their numbers."""
    return float(f"{score:.9e}")
