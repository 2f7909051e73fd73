"""Is it the same tree? Rebuilt from a release and compared with the original, by the author or by a recipient.

The author compares rows (``differences``). A recipient has the published table and the published lines of the trees,
and nothing that links rows (``verify``): nodes are matched by the conditions that lead to them.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.methods.tree_preserving.sklearn_trees import grow_sklearn
from anonnb.tables.labels import MISSING, text
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.growing import grow
from anonnb.trees.tree import Node, Tree

LINES = ("criterion", "node", "parent", "depth", "attribute", "condition", "threshold", "rows", "predicts", "leaf")


def grow_trees(
    table: Table, targets: Sequence[str], criterion: str, max_leaves: int, builder: str = "anonnb"
) -> list[Tree]:
    """Grow a tree for each target from the quasi-identifier; numeric targets get regression trees.

    Parameters
    ----------
    criterion:
        For classes ``"entropy"`` or ``"gini"``.
    builder:
        ``"anonnb"``, or ``"sklearn"`` (numbers only, no missing values).

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> [tree] = grow_trees(table, [table.decision], "entropy", max_leaves=2)
    >>> print(tree.text())
    all rows: 66 rows (N 34, Y 32)
      Marital_status = married or divorced: 40 rows (N 14, Y 26)
      Marital_status = single: 26 rows (N 20, Y 6)
    """
    kinds = [table.attributes[target].kind for target in targets]
    criteria = ["variance" if kind == "numeric" else criterion for kind in kinds]
    return [_grown(table, t, c, max_leaves, builder) for t, c in zip(targets, criteria, strict=True)]


def _grown(table: Table, target: str, criterion: str, leaves: int, builder: str) -> Tree:
    if builder == "sklearn":
        return grow_sklearn(table, target, table.quasi, criterion, leaves)
    return grow(table, target, attributes=table.quasi, criterion=criterion, max_leaves=leaves)


# ---- the author's side: original and rebuilt trees share their rows ---------------------------------------------


def how_to_read(release: Release) -> dict[str, dict]:
    """Return the kinds of the published quasi-identifiers, and the order of values that are no name or number.

    Blocks of dates are published as ordered values, as those of ordinal attributes are.
    """
    kinds, orders = {}, {}
    for name in release.quasi:
        column = release.columns[name]
        attribute = column.attribute
        kinds[name] = attribute.kind
        if attribute.kind == "ordinal" or (attribute.kind == "numeric" and not attribute.is_number):
            kinds[name] = "ordinal"
            used = np.unique(column.index)
            ranked = used[np.argsort(column.sets.lo[used], kind="stable")]
            orders[name] = [column.sets.labels[number] for number in ranked]
    return {"kinds": kinds, "orders": orders}


def published_table(release: Release, targets: Sequence[str]) -> Table:
    """Return the release as a recipient reads it, with the rows in their original order."""
    kinds = {target: "nominal" for target in targets if release.table.attributes[target].kind != "numeric"}
    return _as_table(release.frame, targets, kinds, **how_to_read(release))


def rebuild(
    release: Release, targets: Sequence[str], criterion: str, leaves: int, builder: str = "anonnb"
) -> list[Tree]:
    """Grow the trees that the published values yield, the rows in their original order, as :func:`grow_trees` does.

    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> release = anonnb.methods.TreePreserving(k=9).anonymize(table)
    >>> [tree] = rebuild(release, [table.decision], "entropy", release.info["leaves"])
    >>> differences(release.info["trees"][0], tree)["differs in"].tolist()
    []
    """
    return grow_trees(published_table(release, targets), targets, criterion, leaves, builder)


def preserves(
    release: Release, trees: Sequence[Tree], leaves: int, criterion: str = "entropy", builder: str = "anonnb"
) -> bool:
    """Tell whether the trees rebuilt from a release make the same first ``leaves - 1`` expansions.

    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> release = anonnb.methods.TreePreserving(k=9).anonymize(table)
    >>> preserves(release, release.info["trees"], release.info["leaves"])
    True
    """
    rebuilt = rebuild(release, [tree.target.name for tree in trees], criterion, leaves, builder)
    return all(differences(cut_back(a, leaves), b).empty for a, b in zip(trees, rebuilt, strict=True))


def differences(original: Tree, rebuilt: Tree) -> pd.DataFrame:
    """Compare two trees node by node: attribute, split point and the rows of each branch.

    Nodes are matched by their rows, as leaves that tie may be expanded in any order; what is left, by that order.

    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> small, large = (grow_trees(table, [table.decision], "entropy", leaves)[0] for leaves in (2, 3))
    >>> differences(small, large)["differs in"].tolist()
    ['missing in one tree']
    """
    lines = []
    rebuilt_nodes = {node.rows.tobytes(): node for node in rebuilt.expansions}
    pairs = [(node, rebuilt_nodes.pop(node.rows.tobytes(), None)) for node in original.expansions]
    left = list(rebuilt_nodes.values())
    pairs = [(node, twin or (left.pop(0) if left else None)) for node, twin in pairs]
    every: list[tuple[Node | None, Node | None]] = [*pairs, *((None, node) for node in left)]
    for number, (one, two) in enumerate(every, start=1):
        what = "missing in one tree" if one is None or two is None else _difference(one, two)
        if what:
            texts = ["" if node is None else " | ".join(node.divided.labels()) for node in (one, two)]
            lines.append((number, what, *texts))
    return pd.DataFrame(lines, columns=["expansion", "differs in", "original", "rebuilt"])


def _difference(one: Node, two: Node) -> str:
    if one.divided.attribute.name != two.divided.attribute.name:
        return "attribute"
    thresholds = [_threshold(node) for node in (one, two)]
    if not np.isnan(thresholds).all() and not _close(*thresholds):
        return "split point"
    parts = [{child.rows.tobytes() for child in node.children} for node in (one, two)]
    return "" if parts[0] == parts[1] else "rows of the branches"


def _threshold(node: Node) -> float:
    """Return the split point of a number; NaN for categories, ranks and dates."""
    attribute, cut = node.divided.attribute, node.divided.cut
    is_number = attribute.kind == "numeric" and attribute.is_number
    return float(cut) if is_number and cut is not None else np.nan


def _close(one: float, two: float) -> bool:
    """Tell whether two numbers agree to single precision, in which scikit-learn computes."""
    return bool(np.isclose(one, two, rtol=1e-6, atol=1e-12))


# ---- what is published beside the table -------------------------------------------------------------------------


def cut_back(tree: Tree, leaves: int, release: Release | None = None) -> Tree:
    """Return the tree after its first ``leaves - 1`` expansions; with a release, in its published values."""
    kept = {id(node) for node in tree.expansions[: leaves - 1]}
    twins: dict[int, Node] = {}

    def copy(node: Node, parent: Node | None, condition: str) -> Node:
        twin = Node(node.number, node.depth, node.rows, node.stats, parent, condition)
        twins[id(node)] = twin
        if id(node) in kept:
            twin.split = node.split
            conditions = _conditions(node, release)
            twin.children = [copy(child, twin, c) for child, c in zip(node.children, conditions, strict=True)]
        return twin

    root = copy(tree.root, None, tree.root.condition)
    return Tree(root, tree.target, tree.criterion, [twins[id(node)] for node in tree.expansions[: leaves - 1]])


def _conditions(node: Node, release: Release | None) -> list[str]:
    """Return the conditions of a node's branches as they read in the published table."""
    attribute, cut = node.divided.attribute, node.divided.cut
    known = cut is None or np.isfinite(cut)
    if release is None or not known or (attribute.kind == "numeric" and attribute.is_number):
        return [child.condition for child in node.children]
    column, name = release.columns[attribute.name], attribute.name
    sides = [np.unique(column.index[child.rows]) for child in node.children]
    if attribute.kind != "nominal":
        last = column.sets.labels[sides[0][np.argmax(column.sets.lo[sides[0]])]]
        return [f"{name} ≤ {last}", f"{name} > {last}"]
    # a recipient has the names sorted, a missing value last
    names = [sorted((column.sets.labels[number] for number in side), key=lambda n: (n == MISSING, n)) for side in sides]
    return [f"{name} = {' or '.join(labels)}" for labels in names]


def tree_lines(trees: Sequence[Tree]) -> pd.DataFrame:
    """Return the trees as one frame, a line per node: what goes out with the published table."""
    frames = []
    for tree in trees:
        thresholds = [np.nan if node.parent is None else _threshold(node.parent) for node in tree.nodes]
        frame = tree.frame().assign(threshold=thresholds, criterion=tree.criterion)[list(LINES)]
        frame.insert(0, "target", tree.target.name)
        frames.append(frame.astype({"predicts": object}))
    return pd.concat(frames, ignore_index=True)


# ---- the recipient's side ---------------------------------------------------------------------------------------


def verify(published: pd.DataFrame, info: Mapping[str, Any]) -> pd.DataFrame:
    """Rebuild the trees from the published table alone and compare them with the published ones, node by node.

    Parameters
    ----------
    published:
        The published table, as ``release.published()`` or a file gives it.
    info:
        ``release.info``, of which a recipient needs ``trees_published`` (a frame, maybe from a file; its leaves tell
        how far to grow), ``kinds`` and ``orders`` of the columns, and ``builder``.

    Returns
    -------
    pd.DataFrame
        A line per node with what was published and what was rebuilt; ``same`` says whether condition, rows and
        prediction agree.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import TreePreserving
    >>> release = TreePreserving(k=9).anonymize(anonnb.load("survey"))
    >>> checked = verify(release.published(), release.info)
    >>> len(checked), bool(checked["same"].all())
    (5, True)
    """
    model = info["trees_published"]
    targets = list(model["target"].unique())
    absent = [name for name in [*info["kinds"], *targets] if name not in published.columns]
    if absent:
        also = remedies.option("also", words="release.publish(…, also=[…])")
        raise KeyError(Message(f"the published table lacks column {absent[0]!r}", advice("; publish it: ", also)))
    parts = []
    for target, lines in model.groupby("target", sort=False):
        criterion = lines["criterion"].iloc[0]
        kinds = {target: "numeric" if criterion == "variance" else "nominal"}
        table = _as_table(published, [target], kinds, info["kinds"], info["orders"])
        tree = _grown(table, target, criterion, int(lines["leaf"].sum()), info["builder"])
        parts.append(_matched(lines, tree_lines([tree])))
    return pd.concat(parts, ignore_index=True)


def _as_table(
    frame: pd.DataFrame,
    targets: Sequence[str],
    target_kinds: Mapping[str, str],
    kinds: Mapping[str, str],
    orders: Mapping[str, Sequence[str]],
) -> Table:
    """Return a published frame as a table: sets of categories are values of their own, numbers are numbers."""
    frame = frame[[*kinds, *targets]]
    for name, kind in kinds.items():
        if kind != "numeric":
            texts = frame[name].astype(object).map(text, na_action="ignore")
            frame = frame.assign(**{name: texts.where(texts != MISSING)})
    given = {name: kind for name, kind in kinds.items() if kind != "ordinal"}
    known = {name: [label for label in labels if label != MISSING] for name, labels in orders.items()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column .* has the value '\\*'")  # a column that no tree uses is all stars
        return Table(frame, quasi=list(kinds), kinds={**given, **target_kinds}, orders=known)


def _matched(published: pd.DataFrame, rebuilt: pd.DataFrame) -> pd.DataFrame:
    """Match the lines of two trees: a node's children are matched by their conditions, from the root down."""
    below = [_children(lines) for lines in (published, rebuilt)]
    lines, stack = [], [(below[0][-1][0], below[1][-1][0])]
    while stack:
        pair = stack.pop()
        cells = [(None, None, None) if node is None else (node.condition, node.rows, node.predicts) for node in pair]
        same = None not in pair and pair[0].rows == pair[1].rows and _equal(pair[0].predicts, pair[1].predicts)
        lines.append((published["target"].iloc[0], *cells[0], *cells[1], same))
        left, right = ([] if node is None else children[node.node] for node, children in zip(pair, below, strict=True))
        stack += reversed(_pairs(left, right))
    names = ["condition", "rows", "predicts"]
    return pd.DataFrame(lines, columns=["target", *names, *(f"{name}_rebuilt" for name in names), "same"])


def _children(lines: pd.DataFrame) -> dict[int, list]:
    """Return the lines below each node; those of the root below -1."""
    below = defaultdict(list)
    for line in lines.itertuples():
        below[line.parent].append(line)
    return below


def _pairs(left: list, right: list) -> list[tuple]:
    """Children with the same condition side by side; None where the other tree has no such child."""
    pairs, alone = [], list(right)
    for one in left:
        partner = next((two for two in alone if _same_condition(one, two)), None)
        if partner is not None:
            alone.remove(partner)
        pairs.append((one, partner))
    return [*pairs, *((None, two) for two in alone)]


def _same_condition(one: Any, two: Any) -> bool:
    if one.attribute != two.attribute or np.isfinite(one.threshold) != np.isfinite(two.threshold):
        return False
    if not np.isfinite(one.threshold):
        return one.condition == two.condition
    sides = [line.condition[len(str(line.attribute)) :].split()[0] for line in (one, two)]
    return sides[0] == sides[1] and _close(one.threshold, two.threshold)


def _equal(one: Any, two: Any) -> bool:
    """Tell whether predictions agree: the same class, or numbers that differ by rounding."""
    if pd.api.types.is_number(one) and pd.api.types.is_number(two):
        return _close(float(one), float(two))
    return text(one) == text(two)
