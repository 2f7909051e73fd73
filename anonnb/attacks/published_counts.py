"""Published counts as attackers read them: itemsets, association rules and trees, from objects or plain frames.

A rule with its support and confidence publishes two itemsets (Ciriani et al. 2008, section 4). The true value of a
derived count is counted on the people's table; the people are described in words. Luck is a guess without the combined
counts: by independence of the published single items, or by equal shares of a tree's branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan, prod
from typing import Any, Protocol

import pandas as pd

from anonnb.attacks.result_kinds import CellsResult
from anonnb.rules.association.channels import Channel, Supports, matching, row_masks
from anonnb.rules.association.deductions import Completed, single_bits
from anonnb.tables.mined_results import Mined
from anonnb.tables.table import Table
from anonnb.trees.disclosure import Disclosure
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree

UNCHECKED = (
    "the claims are right if the published figures are, but nobody can tell how many of them luck would get right"
)

Checked = tuple[list[int], list[int]]  # for each claim the true count, and a guess


class CountReader(Protocol):
    """What an attack knows besides published counts, as for :class:`~anonnb.attacks.InferenceAttack`."""

    @property
    def rows(self) -> int | None: ...

    @property
    def private(self) -> tuple[str, ...]: ...

    @property
    def bins(self) -> int | None: ...

    @property
    def exclusive(self) -> bool: ...


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


def check_itemsets(
    found: Sequence[Channel], supports: Supports, table: Table | None, reader: CountReader
) -> Checked | None:
    """Count how many rows of the table each channel is really about, and guess it by independence."""
    if table is None:
        return None
    masks = row_masks(table, {item for channel in found for item in channel.whole}, reader.bins)
    truth = [int(matching(channel, masks, len(table)).sum()) for channel in found]
    return truth, independent_counts(found, supports, supports.counts.get(0, len(table)), reader.exclusive)


def independent_counts(found: Sequence[Channel], supports: Supports, rows: int, exclusive: bool = True) -> list[int]:
    """Guess how many of some rows each channel is about, as if the published single items were independent.

    With ``exclusive``, nobody has two values of an attribute. The guess is -1 if the count of an item is not published.

    >>> known = Supports({(): 66, ("B",): 55, ("C",): 52, ("B", "C"): 43})
    >>> claims = [Channel(frozenset("C"), frozenset("B"), 9), Channel(frozenset(), frozenset("BC"), 2)]
    >>> independent_counts(claims, known, 66)
    [9, 2]
    """
    known = Completed(supports, exclusive, deduce=False)

    def share(bit: int) -> float:
        return supports.counts.get(bit, nan) / max(rows, 1)

    def guess(channel: Channel) -> int:
        having, lacking = supports.bits_of(channel.having), supports.bits_of(channel.lacking)
        chance = prod(map(share, single_bits(having)))
        others = [values for values in known.by_family(lacking) if not known.family[values & -values] & having]
        if channel.whole_lacking:
            chance *= 1 - prod(map(share, single_bits(lacking))) if sum(others) == lacking else 1
        else:
            chance *= prod(1 - sum(map(share, single_bits(values))) for values in others)
        return -1 if isnan(chance) else round(rows * chance)

    return [guess(channel) for channel in found]


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


def check_tree(
    found: Sequence[Disclosure], frame: pd.DataFrame, table: Table | None, mined: MinedTree | None
) -> Checked | None:
    """Count how many rows each disclosure is really about, and guess it by equal shares of all branches of a node."""
    if table is None or mined is None or mined.tree is None:
        return None
    sizes: dict[int, float] = {node.number: len(node.rows) for node in mined.tree.nodes}
    branches = frame["parent"].value_counts()
    even: dict[int, float] = {}
    for node, parent in zip(frame["node"], frame["parent"], strict=True):
        even[node] = even[parent] / branches[parent] if parent in even else sizes[node]

    def left(people: Mapping[int, float]) -> list[int]:
        return [round(people[case.node] - sum(people[node] for node in case.without)) for case in found]

    return left(sizes), left(even)


# ---- results ----------------------------------------------------------------------------------------------------


def counts_result(
    attack: Any,
    attempts: int,
    targets: pd.DataFrame,
    ends: tuple[pd.Series, pd.Series],
    checked: Checked | None,
    *,
    info: Mapping[str, Any],
    note: str = "",
) -> CellsResult:
    """Turn claimed counts, a line of ``targets`` each, into a result; a claim is that a count lies between its ends."""
    right, luck = len(targets), nan if len(targets) else 0.0
    if checked is not None:
        truth, guesses = checked
        targets["true count"] = truth
        targets["right"] = targets["true count"].between(*ends)
        right, luck = int(targets["right"].sum()), float(sum(map(int.__eq__, truth, guesses)))
    note = "; ".join(filter(None, [note, UNCHECKED if isnan(luck) else ""]))
    claims = len(targets)
    return CellsResult(attack, attempts, right, targets, claims=claims, luck=luck, unit="count", info=info, note=note)
