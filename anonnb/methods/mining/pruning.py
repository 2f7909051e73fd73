"""Leaf-only k-anonymous trees (Ciriani et al. 2008, Figs 1.17 to 1.20): merge small leaves, drop splits that vanish.

From the bottom up, a leaf with fewer than k people joins the sibling with which it mixes the classes least; a sibling
with a subtree of its own loses it. A split whose branches have all become one is removed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.methods.mining.leaf_tables import name_of_set
from anonnb.steps.recording import listening, note
from anonnb.trees.splits import IMPURITIES, Split
from anonnb.trees.tree import Node, Tree

Impurity = Callable[[np.ndarray], np.ndarray]


def pruned(tree: Tree, k: int) -> Tree:
    """Return a tree whose leaves all hold at least k rows; nodes are numbered anew, depth first."""
    impurity = IMPURITIES[tree.criterion]

    def copy(node: Node) -> Node:
        twin = Node(0, node.depth, node.rows, node.stats)
        if node.children:
            twin.split, twin.children = node.split, [copy(child) for child in node.children]
            # a subtree has been made safe already, so only leaves can be small
            while len(twin.children) > 1 and min(len(child.rows) for child in twin.children) < k:
                _merge(twin, k, impurity)
            if len(twin.children) == 1:
                twin.split, twin.children = None, []
        return twin

    root = copy(tree.root)
    _renumber(root)
    return Tree(root, tree.target, tree.criterion, [node for node in root.walk() if not node.is_leaf])


def _merge(node: Node, k: int, impurity: Impurity) -> None:
    """Join the first child with fewer than k rows to the sibling that costs least impurity (ties: the first)."""
    small = next(index for index, child in enumerate(node.children) if len(child.rows) < k)
    others = [index for index in range(len(node.children)) if index != small]
    best = min(others, key=lambda index: (round(_cost(node.children[small], node.children[index], impurity), 9), index))
    if listening():
        _record_merge(node, small, others, best, k, impurity)
    first, second = sorted((small, best))
    a, b = node.children[first], node.children[second]
    node.children[first] = Node(0, a.depth, np.sort(np.concatenate([a.rows, b.rows])), a.stats + b.stats)
    del node.children[second]
    split = node.divided
    branch = split.branch.copy()
    branch[branch == second] = first
    branch[branch > second] -= 1
    larger = int(np.argmax([len(child.rows) for child in node.children]))
    if split.cut is None:  # values that no row had go where most rows are now
        branch[~np.isin(np.arange(len(branch)), split.seen)] = larger
    node.split = replace(split, branch=branch, larger=larger)


def _record_merge(node: Node, small: int, others: list[int], best: int, k: int, impurity: Impurity) -> None:
    """Record which sibling a small leaf joins, with what each would cost."""
    labels = conditions(node.divided)
    names = pd.Index([labels[index] for index in others], name="sibling")
    costs = [round(_cost(node.children[small], node.children[index], impurity), 6) for index in others]
    rows = [len(node.children[index].rows) for index in others]
    people = pluralize(len(node.children[small].rows), "person", "people")
    added = dict(zip(others, costs, strict=True))
    sentence = (
        f"It has only {people}, and k is {k}. Joining {labels[best]} adds {added[best]:.3f} to the impurity, the least"
    )
    counts = [f"{len(child.rows):,}" for child in node.children]
    joined = [f"{added[index]:.3f}" if index in added else "too small" for index in range(len(labels))]
    state = pd.DataFrame({"people": counts, "impurity added": joined}, index=pd.Index(labels, name="branch"))
    candidates = pd.DataFrame({"impurity added": costs, "rows": rows}, index=names)
    note(f"Merge {labels[small]}", f"{sentence}.", state, candidates, [labels[best]])


def _cost(small: Node, other: Node, impurity: Impurity) -> float:
    before = sum(float(impurity(leaf.stats)) for leaf in other.walk() if leaf.is_leaf)
    return float(impurity(small.stats + other.stats)) - float(impurity(small.stats)) - before


def _renumber(root: Node) -> None:
    for number, node in enumerate(root.walk()):
        node.number = number
        if node.children:
            for child, condition in zip(node.children, conditions(node.divided), strict=True):
                child.parent, child.condition = node, condition


def conditions(split: Split) -> list[str]:
    """Return the branches in words; a set of values that has a label in the hierarchy is shown by it."""
    texts = split.labels()
    if split.cut is None:
        stated = np.isin(np.arange(split.attribute.size), split.seen)
        for number in range(split.n_branches):
            name = name_of_set(split.attribute, stated & (split.branch == number))
            texts[number] = texts[number] if name is None else f"{split.attribute.name} = {name}"
    return texts
