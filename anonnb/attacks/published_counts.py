"""Published counts as attackers read them: itemsets, association rules and trees, from objects or plain frames.

A rule with its support and confidence publishes two itemsets (Ciriani et al. 2008, section 4). The true value of a
derived count is counted on the people's table; the people are described in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import pandas as pd

from anonnb.rules.association.channels import Channel, Supports, matching, row_masks
from anonnb.tables.mined_results import Mined
from anonnb.tables.table import Table
from anonnb.trees.disclosure import Disclosure
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree


class CountReader(Protocol):
    """What an attack knows besides published counts: the number of rows, and which attributes nobody can look up."""

    @property
    def rows(self) -> int | None: ...

    @property
    def private(self) -> tuple[str, ...]: ...


def as_published(found: object) -> tuple[object, object]:
    """A mined result and its frame; a bare tree is published with all its counts."""
    if isinstance(found, Tree):
        found = MinedTree.of(found)
    return found, found.frame if isinstance(found, Mined) else found


def is_tree(frame: object) -> bool:
    """Whether this is the frame of a published tree."""
    return isinstance(frame, pd.DataFrame) and {"node", "parent", "rows"} <= set(frame.columns)


# ---- itemsets and rules -----------------------------------------------------------------------------------------


def read_supports(published: object, reader: CountReader) -> Supports:
    """The counts of itemsets in a mapping, a frame of itemsets or a frame of rules, without the private attributes."""
    if isinstance(published, Supports):
        return published
    if isinstance(published, Mapping):
        counts: dict[Iterable, int] = {frozenset(items): count for items, count in published.items()}
    elif isinstance(published, pd.DataFrame) and "itemsets" in published:
        counts = dict(zip(published["itemsets"], _counts(published, reader), strict=True))
    elif isinstance(published, pd.DataFrame) and {"antecedents", "consequents"} <= set(published.columns):
        counts = _of_rules(published, reader)
    else:
        reads = f"{type(reader).__name__} reads published itemsets, rules (as frames) or trees"
        raise TypeError(f"{reads}, not {type(published).__name__}; for a table, mine it first")
    if reader.rows is not None:
        counts.setdefault(frozenset(), reader.rows)
    if reader.private:
        counts = {
            items: count
            for items, count in counts.items()
            if not any(getattr(item, "attribute", None) in reader.private for item in items)
        }
    return Supports(counts)


def _counts(frame: pd.DataFrame, reader: CountReader) -> list[int]:
    if "count" in frame:
        return frame["count"].tolist()
    if "support" in frame and reader.rows is not None:
        return [round(value * reader.rows) for value in frame["support"]]
    raise ValueError("the frame has no column 'count'; give the number of rows to use 'support': rows=…")


def _of_rules(rules: pd.DataFrame, reader: CountReader) -> dict[Iterable, int]:
    """A rule A → B gives f(AB) by its support and f(A) by its confidence, f(B) only if that is printed."""
    counts: dict[Iterable, int] = {}
    lines = zip(rules["antecedents"], rules["consequents"], _counts(rules, reader), rules["confidence"], strict=True)
    for left, right, count, confidence in lines:
        counts[left | right] = count
        counts[left] = round(count / confidence)
    if "consequent count" in rules:
        counts |= dict(zip(rules["consequents"], rules["consequent count"].tolist(), strict=True))
    return counts


def true_counts(found: Sequence[Channel], table: Table, bins: int | None) -> list[int]:
    """How many rows of a table each channel is really about."""
    masks = row_masks(table, {item for channel in found for item in channel.whole}, bins)
    return [int(matching(channel, masks, len(table)).sum()) for channel in found]


# ---- trees ------------------------------------------------------------------------------------------------------


def paths(frame: pd.DataFrame) -> dict[int, list[str]]:
    """List the conditions on the way to each node of a published tree.

    Parameters
    ----------
    frame:
        The nodes of a tree, parents first: ``node``, ``parent`` and ``condition``.

    Examples
    --------
    >>> frame = pd.DataFrame({"node": [0, 1], "parent": [-1, 0], "condition": ["", "age < 30"]})
    >>> paths(frame)
    {0: [], 1: ['age < 30']}
    """
    found: dict[int, list[str]] = {}
    for node, parent, condition in zip(frame["node"], frame["parent"], frame["condition"], strict=True):
        found[node] = [*found[parent], str(condition)] if parent in found else []
    return found


def words_for(ways: Mapping[int, list[str]], case: Disclosure) -> str:
    """The people that a disclosure is about, in words."""
    own = ways[case.node]
    others = [" and ".join(ways[node][len(own) :]) for node in case.without]
    return " and ".join([*own, *(f"not ({text})" for text in others)]) or "everybody"


def true_rows(tree: Tree, found: Sequence[Disclosure]) -> list[int]:
    """How many rows the nodes of each disclosure really have."""
    sizes = {node.number: len(node.rows) for node in tree.nodes}
    return [sizes[case.node] - sum(sizes[node] for node in case.without) for case in found]
