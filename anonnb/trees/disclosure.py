"""What the counts of a published tree disclose (Ciriani et al. 2008, sections 4.2 and 7.2).

A shown node minus its topmost shown descendants is a region whose count follows. Regions are disjoint, and every count
that follows is a sum of theirs, so a tree is safe when each region holds nobody or at least k people. Reading: a branch
is drawn only where somebody is, so each of m hidden parts of a region of c people holds at most c − m + 1.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

Parts = dict[int, list[int]]  # the children of each node
Rows = dict[int, int | None]  # their rows; None where that is hidden


@dataclass(frozen=True)
class Disclosure:
    """Small count of people that a published tree discloses.

    Parameters
    ----------
    without:
        Nodes below it, whose people are not counted.
    exact:
        Whether ``count`` is exact, or only the most there can be.

    Examples
    --------
    >>> Disclosure(node=0, without=(1,), count=2)
    Disclosure(node=0, without=(1,), count=2, exact=True)
    """

    node: int
    without: tuple[int, ...]
    count: int
    exact: bool = True


def disclosures(frame: pd.DataFrame, k: int, public: Collection[str] | None = None) -> list[Disclosure]:
    """Return the small counts (0 < count < k) that follow from a published tree.

    Parameters
    ----------
    frame:
        The tree with the columns node, parent, attribute and rows; a hidden count is missing.
    public:
        The attributes that an outsider can look up; all by default. Nodes below conditions on other attributes are not
        counts of known people.

    Examples
    --------
    >>> shape = {"node": [0, 1, 2], "parent": [-1, 0, 0], "attribute": ["", "hours", "hours"]}
    >>> disclosures(pd.DataFrame(shape | {"rows": [11, 9, None]}), 3)
    [Disclosure(node=0, without=(1,), count=2, exact=True)]
    """
    parts, rows = parts_and_rows(frame, public)
    return [disclosure for node in below(parts, -1) for disclosure in _of_node(node, parts, rows, k)]


def parts_and_rows(frame: pd.DataFrame, public: Collection[str] | None) -> tuple[Parts, Rows]:
    """Return the children of each node (of -1: the root) that can be looked up, and the rows of every node."""
    parts: Parts = {}
    for node, parent, attribute in zip(frame["node"], frame["parent"], frame["attribute"], strict=True):
        if public is None or parent < 0 or attribute in public:
            parts.setdefault(int(parent), []).append(int(node))
    rows = {
        int(node): None if pd.isna(count) else int(count)
        for node, count in zip(frame["node"], frame["rows"], strict=True)
    }
    return parts, rows


def _of_node(node: int, parts: Parts, rows: Rows, k: int) -> list[Disclosure]:
    """Return what a shown node discloses: itself, the region it leaves, and the hidden parts of that region."""
    count = rows[node]
    if count is None:
        return []
    small = [Disclosure(node, (), count)] if 0 < count < k else []
    shown, hidden = frontier(node, parts, rows)
    left = count - sum(rows[other] or 0 for other in shown)
    if shown and 0 < left < k:
        small.append(Disclosure(node, tuple(shown), left))
    elif len(hidden) > 1 and k <= left < k + len(hidden) - 1:
        small += [Disclosure(part, (), left - len(hidden) + 1, exact=False) for part in hidden]
    return small


def frontier(node: int, parts: Parts, rows: Rows) -> tuple[list[int], list[int]]:
    """Return the topmost shown nodes below a node, and the hidden leaves that no shown node covers."""
    shown, hidden, queue = [], [], list(parts.get(node, ()))
    while queue:
        part = queue.pop(0)
        if rows[part] is not None:
            shown.append(part)
        elif part in parts:
            queue += parts[part]
        else:
            hidden.append(part)
    return shown, hidden


def below(parts: Parts, node: int) -> list[int]:
    """Return all nodes below a node, in order."""
    nodes, stack = [], list(parts.get(node, ()))
    while stack:
        part = stack.pop()
        nodes.append(part)
        stack += parts.get(part, ())
    return sorted(nodes)
