"""Trees that reveal no small count (Ciriani et al. 2008, section 7.2; Friedman, Wolff and Schuster 2008).

Three ways: hide node counts of a finished tree, merge its small leaves, or let k guide the growing. Only counts over
quasi-identifier paths matter: class counts within a node may be small (Fig 1.16 shows 8 and 2 for k = 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from anonnb.core import remedies
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Instance, Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, Choice, Flag, Name
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import KMethod, Progress
from anonnb.methods.mining.leaf_tables import table_of
from anonnb.methods.mining.pruning import pruned
from anonnb.methods.mining.spans import SpanGrower
from anonnb.methods.mining.suppression import drawn, nodes_to_hide
from anonnb.methods.promises import Anonymity, Promise
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph
from anonnb.tables.table import Table
from anonnb.trees.disclosure import disclosures
from anonnb.trees.growing import grow, tree_graph
from anonnb.trees.published_trees import MinedTree, PublishedTree
from anonnb.trees.splits import IMPURITIES
from anonnb.trees.tree import Tree

STRATEGIES = ("grow", "merge", "hide")


@dataclass(frozen=True)
class NoSmallNode(Promise):
    """No count between 1 and k − 1 follows from the published nodes of a tree."""

    name: ClassVar[str] = "no small node"

    k: int

    @property
    def guarantee(self) -> str:
        return f"No count below {self.k}, except 0, follows from the shown nodes by adding and subtracting them."

    @property
    def limits(self) -> str:
        return "Class counts within a node may be small, and a leaf of one class discloses that class."

    @property
    def floors(self) -> dict[str, int]:
        return {"count": self.k}

    def check(self, published: MinedTree) -> None:
        private = published.info.get("private", ())
        names = set(published.frame["attribute"]) - set(private)
        if disclosures(published.frame, self.k, names):
            raise Infeasible(
                f"{published.method}: the tree would tell of fewer than {self.k} people; please report this table"
            )
        if published.release is not None:
            Anonymity(self.k).check(published.release)


@register
@dataclass(frozen=True)
class SafeTree(KMethod):
    """A decision tree from whose counts nobody learns of fewer than k people; publishes the tree, not a table.

    Parameters
    ----------
    strategy:
        ``"grow"``: k guides the growing (one step). ``"merge"``: grow a tree, then merge leaves until each holds k
        people. ``"hide"``: keep all splits and hide the fewest node counts (both two steps).
    target:
        What the tree predicts; the decision by default.
    attributes:
        What it may test; the quasi-identifier by default. ``"grow"`` knows that attributes which are no
        quasi-identifiers are private; the other strategies treat all as public, to be on the safe side.
    criterion, max_leaves, multiway:
        As for :func:`anonnb.trees.growing.grow`.
    tree:
        A finished tree to make safe instead of growing one (not for ``"grow"``).
    k:
        Counts of 1 to ``k - 1`` people must not follow from what is published.

    Notes
    -----
    The result's ``frame`` holds the nodes, ``tree`` predicts, ``release`` is the table that the leaves stand for (not
    for ``"hide"``).

    Examples
    --------
    >>> import anonnb
    >>> print(SafeTree(k=11, max_leaves=3).anonymize(anonnb.load("survey")).tree.text())
    all rows: 66 rows (N 34, Y 32)
      Marital_status = married or divorced: 40 rows (N 14, Y 26)
        Sex = F: 11 rows (N 9, Y 2)
        Sex = M: 29 rows (N 5, Y 24)
      Marital_status = single: 26 rows (N 20, Y 6)

    Guarantees
    ----------
    proved:
        No count of 1 to k − 1 people follows from the shown nodes by adding and subtracting them; every result is
        checked before it is handed out. strategy="hide" hides the fewest nodes (dynamic programming over the tree).
    tested:
        25 random tables of 4 to 11 rows: an attacker who tries every number of people in every leaf learns of no fewer
        than k, and no smaller choice of hidden nodes would do. 60 random tables: k people in every leaf and in the
        table of the leaves. 25 random tables of 40 rows: k people in every span.
    heuristic:
        Growing and merging are greedy. Class counts within a node may be small, and a leaf of one class discloses that
        class.
    paper:
        A. Friedman, R. Wolff and A. Schuster, Providing k-anonymity in data mining, VLDB Journal, 2008; V. Ciriani, S.
        De Capitani di Vimercati, S. Foresti and P. Samarati, k-Anonymous data mining: a survey, 2008, section 7.2.
    """

    strategy: str = parameter(Choice(STRATEGIES), default="grow")
    target: str | None = parameter(Optional(Name()), default=None)
    attributes: Sequence[str] | None = parameter(Optional(Names()), default=None)
    criterion: str | None = parameter(Optional(Choice(list(IMPURITIES))), default=None)
    max_leaves: int = parameter(POSITIVE, default=64)
    multiway: bool = parameter(Flag(), default=False)
    tree: Tree | None = parameter(Optional(Instance(Tree, "a Tree")), default=None, repr=False, compare=False)

    publishes: ClassVar[str] = "tree"
    promised: ClassVar[type[Promise]] = NoSmallNode

    def _check_parameters(self) -> None:
        if self.tree is not None and self.strategy == "grow":
            raise ValueError("strategy='grow' grows its own tree; give tree= with strategy='merge' or 'hide'")

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        target = self.target or table.decision
        if target is None:
            named = advice(": ", remedies.parameter("target"), remedies.role("decision"))
            raise ValueError(Message("name what the tree predicts", named))
        for name in (target, *(self.attributes or ())):
            if name not in table.attributes:
                raise KeyError(f"there is no column {name!r}; the columns are {', '.join(map(str, table.columns))}")
        if target in table.quasi:
            raise ValueError(f"target {target!r} is a quasi-identifier, and class counts are published as they are")
        if self.tree is not None and len(self.tree.root.rows) != len(table):
            raise ValueError("tree= was grown from another table; grow it from the one to be protected")

    def _anonymize(self, table: Table, progress: Progress) -> MinedTree:
        if self.strategy == "grow":
            return self._grown(table)
        tree = self.tree or grow(
            table,
            self.target,
            attributes=self.attributes or table.quasi,
            criterion=self.criterion,
            max_leaves=self.max_leaves,
            multiway=self.multiway,
        )
        info: dict[str, Any] = {"original": tree}
        if self.strategy == "merge":
            safe = pruned(tree, self.k)
            info["leaves"] = (len(tree.leaves), len(safe.leaves))
            return self._result(table, safe, list(table.attributes), info)
        hidden = nodes_to_hide(tree.root, self.k)
        info["hidden"] = sorted(hidden)
        if listening():
            _record_hidden(tree, hidden, self.k)
        published = PublishedTree(*drawn(tree, hidden))
        return MinedTree(published.frame(), self, info, published)

    def _grown(self, table: Table) -> MinedTree:
        target = self.target or table.decision
        assert target is not None  # _check_table asked for it
        names = [name for name in (self.attributes or table.quasi) if name != target]
        criterion = self.criterion or ("variance" if table.attributes[target].kind == "numeric" else "entropy")
        grower = SpanGrower(table, target, names, criterion, multiway=self.multiway, k=self.k, public=table.quasi)
        tree = grower.grow(self.max_leaves)
        private = [name for name in names if name not in table.quasi]
        info = {"private": private, "rolled back": grower.rolled_back}
        return self._result(table, tree, table.quasi, info)

    def _result(self, table: Table, tree: Tree, public: Sequence[str], info: dict) -> MinedTree:
        published = PublishedTree(tree)
        release = table_of(table, tree, public).replace(method=self)
        return MinedTree(published.frame(), self, info, published, release)


def _record_hidden(tree: Tree, hidden: set[int], k: int) -> None:
    """Record which nodes are too small, and which are hidden with them so that nothing follows by subtraction."""
    small = {node.number for node in tree.nodes if len(node.rows) < k}
    graph = tree_graph(tree.root)

    def marked(numbers: set[int], status: str) -> Graph:
        statuses = graph.nodes["status"].where(~graph.nodes.index.isin(numbers), status)
        return replace(graph, nodes=graph.nodes.assign(status=statuses))

    few = f"{len(small)} of the {pluralize(len(tree.nodes), 'node')} {'has' if len(small) == 1 else 'have'}"
    note("Too few people", f"{few} fewer than {k} people and must not show a count.", marked(small, "failed"))
    text = "A count that is hidden alone comes back by subtraction, so others are hidden with it"
    least = (
        f"{pluralize(len(hidden), 'hidden node')} {'is' if len(hidden) == 1 else 'are'} enough, and no fewer would do"
    )
    note("Hide counts", f"{text}: {least}.", marked(hidden, "pruned"))
