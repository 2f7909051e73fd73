"""scikit-learn's trees as the builder: its best-first trees (``max_leaf_nodes``) read into ours.

scikit-learn numbers the nodes in the order in which it adds them, so the first n − 1 expansions are its tree with n
leaves. It sees values in single precision: values that agree there are equal values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.tables.table import Table
from anonnb.trees.growing import Grower
from anonnb.trees.splits import IMPURITIES, Split
from anonnb.trees.tree import Tree


def check_numbers(table: Table) -> None:
    """Raise ValueError unless every quasi-identifier holds numbers only, which scikit-learn's trees need."""
    for name in table.quasi:
        attribute = table.attributes[name]
        if attribute.kind != "numeric" or not attribute.is_number:
            what = "dates" if attribute.kind == "numeric" else f"{attribute.kind} values"
            leave_out = "leave the column out of the quasi-identifier"
            own_builder = remedies.parameter("builder", "anonnb")
            raise ValueError(
                Message(
                    f"builder='sklearn' splits numbers only, and column {name!r} holds {what}",
                    advice("; use ", own_builder, tail=f" or {leave_out}", otherwise=f"; {leave_out}"),
                )
            )
        if attribute.missing and (table.codes(name) == attribute.missing_code).any():
            raise ValueError(f"builder='sklearn': column {name!r} has missing values; fill or drop them")


def grow_sklearn(table: Table, target: str, attributes: Sequence[str], criterion: str, max_leaves: int) -> Tree:
    """Return the tree that scikit-learn grows with ``max_leaf_nodes=max_leaves`` and ``random_state=0``."""
    grower = Grower(table, target, attributes, criterion)
    root = grower.root()
    if max_leaves < 2:
        return Tree(root, grower.target, criterion, [])
    fitted = _fitted(table, grower, max_leaves)
    inner = np.flatnonzero(fitted.children_left >= 0)
    nodes, expansions = {0: root}, []
    for index in inner[np.argsort(fitted.children_left[inner])]:
        node, left = nodes[index], int(fitted.children_left[index])
        attribute = table.attributes[grower.names[fitted.feature[index]]]
        branch = (single(attribute.numbers) > fitted.threshold[index]).astype(np.int64)
        codes = table.codes(attribute.name)[node.rows]
        seen = np.unique(codes)
        score = _gain(grower, node.rows, branch[codes])
        grower.expand(node, Split(attribute, branch, score, seen, float(fitted.threshold[index])), left)
        nodes[left], nodes[int(fitted.children_right[index])] = node.children
        expansions.append(node)
    return Tree(root, grower.target, criterion, expansions)


def single(numbers: np.ndarray) -> np.ndarray:
    """Return numbers as scikit-learn sees them."""
    return numbers.astype(np.float32).astype(float)


def _fitted(table: Table, grower: Grower, max_leaves: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    columns = [table.attributes[name].numbers[table.codes(name)] for name in grower.names]
    options = {"max_leaf_nodes": max_leaves, "random_state": 0}
    if grower.criterion == "variance":
        return DecisionTreeRegressor(**options).fit(np.column_stack(columns), grower.numbers).tree_
    model = DecisionTreeClassifier(criterion=grower.criterion, **options)
    return model.fit(np.column_stack(columns), grower.response).tree_


def _gain(grower: Grower, rows: np.ndarray, branch: np.ndarray) -> float:
    impurity = IMPURITIES[grower.criterion]
    before, after = impurity(grower.statistics(rows)), impurity(grower.statistics(rows, branch, 2))
    return float(before.sum() - after.sum()) / len(grower.table)
