"""Tree-pattern-preserving sanitization, TPP: publish a table from which the same tree is built.

Values move only where no split of the trees notices: categories that always go the same way become one, numbers become
block values with every split point unchanged. Reading: step 3 as printed does not preserve the tree (see
``literal=True``); the corrected step does, and every release is rebuilt and compared before it is handed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.attribute import Attribute
from anonnb.errors import Infeasible
from anonnb.methods import register
from anonnb.methods._blocks import Boundary, corrected_values, literal_values
from anonnb.methods.base import GroupMethod, Progress
from anonnb.privacy import LDiversity
from anonnb.release import Release
from anonnb.table import Table
from anonnb.trees import Node, Tree, grow
from anonnb.valuesets import Column, ValueSets


@register
@dataclass(frozen=True)
class TreePreserving(GroupMethod):
    """The largest tree whose sanitized table satisfies k and every requirement, and that table.

    Parameters
    ----------
    l:
        The largest share of a sensitive value in a class is below 1/l (the paper's L-diversity); None: not asked.
    targets:
        The columns to predict, one tree each; the decision by default. Numeric targets get regression trees.
    criterion:
        For classes: "entropy" (information gain) or "gini". Gain ratio is not covered by the theorem.
    max_leaves:
        The largest tree to try.
    literal:
        Step 3 as the paper prints it, which may lose the tree; nothing is verified then.

    ``info``: ``trees`` (as grown from the original), ``leaves`` (publish it: only that many are guaranteed) and
    ``tried`` (k for each number of leaves). The trees use the quasi-identifier; sensitive columns stay as they are.

    >>> import anonnb
    >>> release = TreePreserving(k=9).anonymize(anonnb.load("survey"))
    >>> release.info["leaves"], int(release.group_sizes.min())
    (3, 11)
    """

    l: float | None = None  # noqa: E741  the paper's name
    targets: Sequence[str] = ()
    criterion: str = "entropy"
    max_leaves: int = 20
    literal: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        targets = (self.targets,) if isinstance(self.targets, str) else tuple(self.targets)
        object.__setattr__(self, "targets", targets)
        if self.criterion not in ("entropy", "gini"):
            raise ValueError(f"criterion {self.criterion!r} is not covered; use 'entropy' or 'gini'")
        if self.max_leaves < 1:
            raise ValueError(f"max_leaves must be at least 1, not {self.max_leaves}")
        if self.l is not None and not any(getattr(model, "kind", "") == "frequency" for model in self.require):
            object.__setattr__(self, "require", (*self.require, LDiversity(self.l, kind="frequency")))

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        if not self.targets and table.decision is None:
            raise ValueError("name what the tree predicts: targets=[…] or table.with_roles(decision=…)")
        for target in self.targets:
            if target not in table.attributes:
                raise KeyError(f"targets: there is no column {target!r}")
            if target in table.quasi:
                raise ValueError(f"target {target!r} is a quasi-identifier; what a tree predicts must stay as it is")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        trees = grow_trees(table, self.targets or (table.decision,), self.criterion, self.max_leaves)
        check = self.group_check(table)
        tried, good = [], []
        for leaves in progress(range(1, max(len(tree.expansions) for tree in trees) + 2)):
            release = sanitize(table, trees, leaves, literal=self.literal)
            tried.append((leaves, int(release.group_sizes.min())))
            if check(release.groups, release.n_groups).all():
                good.append(leaves)
        if not good:
            raise Infeasible(f"{self}: even one leaf, everything constant, misses the requirement", best=tried[0][1])
        for leaves in reversed(good):
            release = sanitize(table, trees, leaves, literal=self.literal)
            if self.literal or preserves(release, trees, leaves, self.criterion):
                info = {"trees": [cut_back(tree, leaves) for tree in trees], "leaves": leaves}
                info["tried"] = pd.DataFrame(tried, columns=["leaves", "k"])
                return Release(table, release.columns, release.rows, method=self, info=info)
        raise Infeasible(f"{self}: no tree could be rebuilt from its sanitized table; please report this table")


def grow_trees(table: Table, targets: Sequence[str], criterion: str, max_leaves: int) -> list[Tree]:
    """A tree for each target from the quasi-identifier; regression trees for numeric targets."""
    trees = []
    for target in targets:
        chosen = "variance" if table.attributes[target].kind == "numeric" else criterion
        trees.append(grow(table, target, attributes=table.quasi, criterion=chosen, max_leaves=max_leaves))
    return trees


def cut_back(tree: Tree, leaves: int) -> Tree:
    """The tree after its first ``leaves - 1`` expansions."""
    kept = {id(node) for node in tree.expansions[: leaves - 1]}

    def copy(node: Node, parent: Node | None) -> Node:
        twin = Node(node.number, node.depth, node.rows, node.stats, parent, node.condition)
        if id(node) in kept:
            twin.split = node.split
            twin.children = [copy(child, twin) for child in node.children]
        return twin

    root = copy(tree.root, None)
    numbers = {node.number: node for node in root.walk()}
    return Tree(root, tree.target, tree.criterion, [numbers[node.number] for node in tree.expansions[: leaves - 1]])


def sanitize(table: Table, trees: Sequence[Tree], leaves: int, *, literal: bool = False) -> Release:
    """The table recoded so that every tree's first ``leaves - 1`` expansions stay as they are (steps 2 to 4)."""
    columns = {}
    for name in table.quasi:
        used = [n for tree in trees for n in tree.expansions[: leaves - 1] if n.split.attribute.name == name]
        attribute, codes = table.attributes[name], table.codes(name)
        if attribute.kind == "numeric" and attribute.is_number:
            columns[name] = _numbers(attribute, codes, used, literal)
        elif not used:
            columns[name] = Column.suppressed(attribute, len(table))
        else:
            columns[name] = _merged(attribute, codes, used)
    return Release(table, columns, np.arange(len(table)))


def _merged(attribute: Attribute, codes: np.ndarray, used: Sequence[Node]) -> Column:
    """Values that every node sends the same way become one set of values."""
    ways = np.stack([_ways(node, codes, attribute.size) for node in used], axis=1)
    _, cell = np.unique(ways, axis=0, return_inverse=True)
    cell = _by_first_code(cell.ravel())
    return Column(ValueSets.from_partition(attribute, cell), cell[codes])


def _ways(node: Node, codes: np.ndarray, size: int) -> np.ndarray:
    """The branch of each code at a node, -1 for codes that its rows do not have."""
    ways = np.full(size, -1, dtype=np.int64)
    seen = np.unique(codes[node.rows])
    ways[seen] = node.split.branch[seen]
    return ways


def _by_first_code(cell: np.ndarray) -> np.ndarray:
    """The same partition with its blocks numbered by their smallest code."""
    return pd.factorize(cell)[0]


def _numbers(attribute: Attribute, codes: np.ndarray, used: Sequence[Node], literal: bool) -> Column:
    known = len(attribute.domain)
    numbers = attribute.numbers[:known]
    counts = np.bincount(codes, minlength=attribute.size)
    if not used:
        mean = float(np.average(numbers, weights=counts[:known])) if counts[:known].sum() else 0.0
        return _as_column(attribute, np.full(len(codes), mean))
    boundaries = [_boundary(node, codes) for node in used]
    boundaries = [boundary for boundary in boundaries if boundary.right < known]  # missing values stay by themselves
    present = np.flatnonzero(counts[:known])
    place = np.cumsum(np.bincount(present, minlength=attribute.size)) - 1
    inner = [Boundary(int(place[b.left]), int(place[b.right])) for b in boundaries]
    absent = codes == attribute.missing_code
    values = np.full(len(codes), np.nan)
    if literal:
        values[~absent] = literal_values(numbers[present], place[codes[~absent]], inner)
    else:
        recoded = corrected_values(numbers[present], counts[present], inner)
        values[~absent] = recoded[place[codes[~absent]]]
    return _as_column(attribute, values)


def _boundary(node: Node, codes: np.ndarray) -> Boundary:
    left, right = (codes[child.rows] for child in node.children)
    return Boundary(int(left.max()), int(right.min()))


def _as_column(attribute: Attribute, values: np.ndarray) -> Column:
    """Single values, some of which the table may not have had."""
    known = ~np.isnan(values)
    distinct = np.unique(values[known])
    wider, _ = attribute.extended(distinct)
    codes = np.full(len(values), wider.missing_code, dtype=np.int64)
    codes[known] = wider.domain.get_indexer(pd.Index(distinct))[np.searchsorted(distinct, values[known])]
    return Column.original(wider, codes)


# ---- as a recipient would check it -----------------------------------------------------------------------------


def published_table(release: Release) -> Table:
    """The release as a recipient reads it: sets of categories are values of their own, numbers are numbers."""
    frame = release.frame
    orders = {}
    for name in release.quasi:
        column = release.columns[name]
        if column.attribute.kind == "ordinal":
            ranked = np.argsort(column.sets.lo, kind="stable")
            orders[name] = [column.sets.labels[number] for number in ranked]
            frame = frame.assign(**{name: column.texts()})
    kinds = {name: "nominal" for name in release.quasi if release.columns[name].attribute.kind == "nominal"}
    kinds |= {name: a.kind for name, a in release.table.attributes.items() if name not in release.quasi}
    kinds = {name: kind for name, kind in kinds.items() if name in frame and kind != "ordinal"}
    return Table(frame, quasi=release.quasi, decision=release.decision, kinds=kinds, orders=orders)


def rebuild(release: Release, targets: Sequence[str], criterion: str, leaves: int) -> list[Tree]:
    """The trees that a recipient builds from the published table."""
    return grow_trees(published_table(release), targets, criterion, leaves)


def preserves(release: Release, trees: Sequence[Tree], leaves: int, criterion: str) -> bool:
    """Whether the trees rebuilt from the release make the same first ``leaves - 1`` expansions."""
    rebuilt = rebuild(release, [tree.target.name for tree in trees], criterion, leaves)
    return all(len(differences(cut_back(a, leaves), b)) == 0 for a, b in zip(trees, rebuilt, strict=True))


def differences(original: Tree, rebuilt: Tree) -> pd.DataFrame:
    """Node by node, where two trees differ: attribute, split point or the rows of a branch. Empty: the same tree."""
    lines = []
    ours, theirs = original.expansions, rebuilt.expansions
    for number in range(max(len(ours), len(theirs))):
        if number >= len(ours) or number >= len(theirs):
            lines.append((number + 1, "missing in one tree", "", ""))
            continue
        one, two = ours[number], theirs[number]
        what = _difference(one, two)
        if what:
            lines.append((number + 1, what, " | ".join(one.split.labels()), " | ".join(two.split.labels())))
    return pd.DataFrame(lines, columns=["expansion", "differs in", "original", "rebuilt"])


def _difference(one: Node, two: Node) -> str:
    if one.split.attribute.name != two.split.attribute.name:
        return "attribute"
    numeric = one.split.attribute.kind == "numeric"
    if (
        numeric
        and one.split.cut != two.split.cut
        and not np.isclose(one.split.cut, two.split.cut, rtol=1e-12, atol=1e-9)
    ):
        return "split point"
    parts = [{child.rows.tobytes() for child in node.children} for node in (one, two)]
    return "" if parts[0] == parts[1] else "rows of the branches"
