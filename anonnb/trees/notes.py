"""The steps of growing a tree: which leaf is split next, and how, with the scores that decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from anonnb.steps.recording import note
from anonnb.steps.states import Graph
from anonnb.trees.splits import Split


def tell_split(
    root: Any, node: Any, splits: Iterable[Split], chosen: Split, others: int, rival: str = "other attribute"
) -> None:
    """Note that a leaf is split: the best split of each attribute, and the tree afterwards.

    ``others`` is how many other leaves could have been split, ``rival`` what the sentence calls the runners-up.
    """
    found = {split.attribute.name: split for split in splits}
    sentence = (
        f"The split by {chosen.attribute.name} scores {chosen.score:.4g} on the {len(node.rows):,} rows of "
        f"{node.condition or 'the whole table'}, and no {rival} scores more there"
    )
    if others:
        sentence += f"; nor does a split of any other open leaf ({others} could be split)"
    candidates = pd.DataFrame(
        {"test": [" | ".join(split.labels()) for split in found.values()], "score": [s.score for s in found.values()]},
        index=pd.Index(list(found), name="attribute"),
    )
    title = f"Split {node.condition or 'all rows'} by {chosen.attribute.name}"
    note(title, f"{sentence}.", lambda: tree_graph(root, node), candidates, [chosen.attribute.name])


def tree_graph(root: Any, now: Any = None) -> Graph:
    """A tree in its current state: leaves are open, split nodes are kept, and ``now`` is what a step is about."""
    nodes, texts, edges = {}, {}, []
    for node in root.walk():
        status = "now" if node is now else "open" if node.is_leaf else "kept"
        nodes[node.number] = (node.depth, status)
        texts[node.number] = f"{node.condition or 'all rows'}\n{len(node.rows):,} rows"
        edges += [(node.number, child.number) for child in node.children]
    return Graph.of(nodes, edges, texts=texts)
