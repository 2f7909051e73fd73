"""Tree-pattern-preserving sanitization, TPP: publish a table from which the same tree is built.

Values move only where no split of the trees changes: categories that always take the same branch become one, numbers
become block values with every split point unchanged. Reading: step 3 as printed does not preserve the tree (see
``literal=True``); the corrected step does, and every release is rebuilt and compared before it is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import group_table
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, Choice, Flag, Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.tree_preserving.blocks import Boundary, block_starts, corrected_values, literal_values
from anonnb.methods.tree_preserving.rebuilding import (
    cut_back,
    differences,
    grow_trees,
    how_to_read,
    preserves,
    published_table,
    rebuild,
    tree_lines,
    verify,
)
from anonnb.methods.tree_preserving.sklearn_trees import check_numbers, single
from anonnb.privacy import LDiversity, Model
from anonnb.steps.recording import listening, note, silent
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets
from anonnb.trees.tree import Node, Tree

__all__ = [
    "TreePreserving",
    "cut_back",
    "differences",
    "grow_trees",
    "largest_l",
    "preserves",
    "published_table",
    "rebuild",
    "sanitize",
    "verify",
]


@register
@dataclass(frozen=True)
class TreePreserving(GroupMethod):
    """Publish a table that gives the same decision tree, the largest for which k and every requirement hold.

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
    builder:
        "anonnb" (all two-way splits of categories) or "sklearn" (numbers only, no missing values).

    Notes
    -----
    Only the first ``leaves - 1`` expansions are guaranteed, so the number of leaves must be published: the frame
    ``info["trees_published"]`` has it and is published with the table, as are ``kinds`` and ``orders`` of the columns;
    :func:`verify` compares. Targets besides the decision are published with ``also=``.

    ``info["trees"]`` are the trees as grown from the original; ``tried`` has k and l for each number of leaves and
    whether the trees were rebuilt (None: not tried). Where exact ties, or more than ten categories with three classes,
    keep a tree from being rebuilt, a smaller one is taken.

    The trees use the quasi-identifier; other columns, sensitive ones too, stay as they are. Values move: a published
    number is a block's, not a person's. Splits of one category against the rest are not covered.

    Examples
    --------
    >>> import anonnb
    >>> release = TreePreserving(k=9).anonymize(anonnb.load("survey"))
    >>> release.info["leaves"], int(release.group_sizes.min())
    (3, 11)

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. The trees of the published size are rebuilt from the release and compared before it is handed out.
        They are the same where the response is unchanged, no separated categories are merged, and each number moves by
        a non-decreasing function that keeps every split point.
    tested:
        Six times 60 random tables of 5 to 59 rows (numeric, categorical, mixed; with and without missing values): the
        rebuilt trees are identical. 15 random tables of 300 rows: scikit-learn builds the same tree from both.
    heuristic:
        Nothing holds beyond the published number of leaves. Exact ties, or more than ten categories with three classes,
        may force a smaller tree. The steps as printed (literal=True) lose trees. One category against the rest and gain
        ratio are not covered.
    paper:
        T. Pavithra and K. Thangadurai, Secrecy strengthening concert (privacy protection) in data mining, International
        Journal of Information Technology and Electrical Engineering.
    """

    rows_in_seconds: ClassVar[int] = 100_000
    uses_hierarchies: ClassVar[bool] = True
    truthful: ClassVar[bool] = False  # a published number is a block's

    l: float | None = parameter(Optional(Number(at_least=1)), default=None)  # noqa: E741  the paper's name
    targets: Sequence[str] = parameter(Names(), default=())
    criterion: str = parameter(Choice(["entropy", "gini"]), default="entropy")
    max_leaves: int = parameter(POSITIVE, default=20)
    literal: bool = parameter(Flag(), default=False)
    builder: str = parameter(Choice(["anonnb", "sklearn"]), default="anonnb")

    @property
    def requirements(self) -> tuple[Model, ...]:
        """The requirements, the paper's L-diversity among them."""
        return self.require if self.l is None else (*self.require, LDiversity(self.l, kind="frequency"))

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        if not self.targets and table.decision is None:
            named = advice(": ", remedies.parameter("targets", words="targets=[…]"), remedies.role("decision"))
            raise ValueError(Message("name what the tree predicts", named))
        if len(set(self.targets)) < len(self.targets):
            raise ValueError(f"targets={list(self.targets)} names a column twice")
        for target in self._targets(table):
            _check_target(table, target)
        for name in table.quasi:
            table.attributes[name].check_averages()
        if self.builder == "sklearn":
            check_numbers(table)

    def _targets(self, table: Table) -> Sequence[str]:
        return self.targets or [name for name in (table.decision,) if name is not None]

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        targets = self._targets(table)
        trees = grow_trees(table, targets, self.criterion, self.max_leaves, self.builder)
        check, tried, good = self.group_check(table), [], []
        for leaves in progress(range(1, max(len(tree.expansions) for tree in trees) + 2)):
            release = self._sanitized(table, trees, leaves)
            tried.append((leaves, int(release.group_people.min()), largest_l(release), None))
            if check(release.groups, release.n_groups).all():
                good.append(leaves)
            if listening():
                self._record_leaves(release, tried, leaves in good)
        if not good:
            raise Infeasible(f"{self}: even one leaf, everything constant, misses the requirement", best=tried[0][1])
        for leaves in reversed(good):
            with silent():
                release = self._sanitized(table, trees, leaves)
            info = self._info(release, trees, leaves)
            with silent():
                rebuilt = self.literal or (
                    preserves(release, trees, leaves, self.criterion, self.builder)
                    and bool(verify(release.published(also=targets), info)["same"].all())
                )
            if listening():
                self._record_rebuilding(info["trees"][0], tried, leaves, rebuilt)
            tried[leaves - 1] = (*tried[leaves - 1][:3], None if self.literal else rebuilt)
            if rebuilt:
                info["tried"] = pd.DataFrame(tried, columns=["leaves", "k", "l", "rebuilt"])
                return Release(table, release.columns, release.rows, method=self, info=info)
        raise Infeasible(f"{self}: no tree could be rebuilt from its sanitized table; please report this table")

    def _record_leaves(self, release: Release, tried: list[tuple], good: bool) -> None:
        """Record the table that keeps the trees up to a number of leaves."""
        leaves, k, _, _ = tried[-1]
        verdict = "is enough" if good else "is not enough"
        kept = "all splits stay" if leaves > 2 else "the split stays"
        how = (
            f"The table is recoded so that {kept}"
            if leaves > 1
            else "With no split to keep, every attribute becomes constant"
        )
        sentence = f"{how}. The smallest class has k = {k:,}, which {verdict}"
        note(f"Keep {pluralize(leaves, 'leaf', 'leaves')}", f"{sentence}.", release, _tried(tried), [leaves] * good)

    def _record_rebuilding(self, tree: Tree, tried: list[tuple], leaves: int, rebuilt: bool) -> None:
        """Record whether the trees can be rebuilt from the best table that meets the requirement."""
        verdict = "is the same tree" if rebuilt else "differs, so a smaller one is tried"
        what = "is not compared, because these are the steps as printed" if self.literal else verdict
        sentence = f"Of the tables with large enough classes this one keeps the most leaves. What grows from it {what}"
        title = f"Grow {pluralize(leaves, 'leaf', 'leaves')} again"
        note(title, f"{sentence}.", tree, _tried(tried), [leaves] * rebuilt)

    def _sanitized(self, table: Table, trees: Sequence[Tree], leaves: int) -> Release:
        return sanitize(table, trees, leaves, literal=self.literal, single_precision=self.builder == "sklearn")

    def _info(self, release: Release, trees: Sequence[Tree], leaves: int) -> dict[str, Any]:
        published = tree_lines([cut_back(tree, leaves, release) for tree in trees])
        grown = [cut_back(tree, leaves) for tree in trees]
        reading = how_to_read(release)
        return {"trees": grown, "leaves": leaves, "trees_published": published, **reading, "builder": self.builder}


def _tried(tried: list[tuple]) -> pd.DataFrame:
    """Return the outcome for each number of leaves."""
    return pd.DataFrame(tried, columns=["leaves", "k", "l", "rebuilt"]).set_index("leaves")[["k", "l"]]


def _check_target(table: Table, target: str) -> None:
    if target not in table.attributes:
        raise KeyError(f"targets: there is no column {target!r}")
    if target in table.quasi:
        raise ValueError(f"target {target!r} is a quasi-identifier; what a tree predicts must stay as it is")
    if target in table.identifiers:
        raise ValueError(f"target {target!r} is an identifier, which is never published; choose another column")
    attribute = table.attributes[target]
    if attribute.kind == "numeric" and not attribute.is_number:
        raise ValueError(f"target {target!r} holds dates; turn it into a number of days to predict it")


def largest_l(release: Release) -> float:
    """1 / the largest share of a sensitive value in a class: the paper's L must be below it. NaN: nothing sensitive."""
    shares = [
        group_table(column.index, len(column.sets), release.groups, release.n_groups).max(axis=1) / release.group_sizes
        for column in (release.columns[name] for name in release.sensitive)
    ]
    return float(1 / np.max(shares)) if shares else np.nan


def sanitize(
    table: Table, trees: Sequence[Tree], leaves: int, *, literal: bool = False, single_precision: bool = False
) -> Release:
    """Recode the table so that every tree's first ``leaves - 1`` expansions stay as they are (steps 2 to 4).

    Dates and ordinal values become ordered blocks, as categories become sets.

    Parameters
    ----------
    literal:
        Step 3 as the paper prints it, which may lose the tree.
    single_precision:
        Take numbers that agree as single floats for equal, as scikit-learn does.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> trees = grow_trees(table, [table.decision], "entropy", 3)
    >>> sanitize(table, trees, 3).frame["Marital_status"].unique().tolist()
    ['married or divorced', 'single']
    """
    columns = {}
    for name in table.quasi:
        used = [n for tree in trees for n in tree.expansions[: leaves - 1] if n.divided.attribute.name == name]
        attribute, codes = table.attributes[name], table.codes(name)
        if attribute.kind == "numeric" and attribute.is_number:
            columns[name] = _numbers(attribute, codes, used, literal, single_precision)
        elif not used:
            columns[name] = Column.suppressed(attribute, len(table))
        else:
            block = _sets(attribute, codes, used) if attribute.kind == "nominal" else _runs(attribute, codes, used)
            columns[name] = Column(ValueSets.from_partition(attribute, block), block[codes])
    return Release(table, columns, np.arange(len(table)))


def _sets(attribute: Attribute, codes: np.ndarray, used: Sequence[Node]) -> np.ndarray:
    """Return the block of each category: those that every node sends the same way (step 4)."""
    ways = np.stack([_ways(node, codes, attribute.size) for node in used], axis=1)
    _, block = np.unique(ways, axis=0, return_inverse=True)
    return pd.factorize(block.ravel())[0]  # numbered by their first category


def _runs(attribute: Attribute, codes: np.ndarray, used: Sequence[Node]) -> np.ndarray:
    """Return the block of each ordered value: neighbors that no node separates."""
    starts = block_starts(attribute.size, [_boundary(node, codes) for node in used])
    return np.searchsorted(starts, np.arange(attribute.size), side="right") - 1


def _ways(node: Node, codes: np.ndarray, size: int) -> np.ndarray:
    """Return the branch of each code at a node, -1 for codes that its rows do not have."""
    ways = np.full(size, -1, dtype=np.int64)
    seen = np.unique(codes[node.rows])
    ways[seen] = node.divided.branch[seen]
    return ways


def _numbers(attribute: Attribute, codes: np.ndarray, used: Sequence[Node], literal: bool, rounded: bool) -> Column:
    """Return a number per block of values (step 3); the mean of all if no node uses the attribute (step 2)."""
    known = len(attribute.domain)
    present, counts = np.unique(codes[codes < known], return_counts=True)
    numbers = attribute.numbers[present]
    if not used:
        mean = float(np.average(numbers, weights=counts)) if len(present) else 0.0
        return _as_column(attribute, np.full(len(codes), mean))
    numbers, inverse = np.unique(single(numbers) if rounded else numbers, return_inverse=True)
    position = np.full(attribute.size, -1, dtype=np.int64)
    position[present] = inverse
    boundaries = [_boundary(node, codes) for node in used]
    # missing values are a block of their own, so a cut that separates them needs no care
    inner = [Boundary(int(position[b.left]), int(position[b.right])) for b in boundaries if b.right < known]
    values, rows = np.full(len(codes), np.nan), np.flatnonzero(codes < known)
    if literal:
        values[rows] = literal_values(numbers, position[codes[rows]], inner)
    else:
        moved = corrected_values(numbers, np.bincount(inverse, weights=counts), inner, attribute.name)
        values[rows] = moved[position[codes[rows]]]
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
