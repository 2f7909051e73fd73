"""Frequent, closed and maximal itemsets and association rules (Agrawal and Srikant 1994), in the format of mlxtend.

An item is a value of an attribute, such as ``sex=Male``; ``itemsets`` finds the frequent sets, this makes the frames.
Counts are integers and thresholds fractions (0.1 is one tenth), so rounding neither adds nor drops a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from anonnb.rules.association.itemsets import Item, Itemsets, as_fraction, mine, needed_count
from anonnb.tables.release import Release
from anonnb.tables.table import Table

__all__ = [
    "Item",
    "association_rules",
    "closed_itemsets",
    "compare_rules",
    "frequent_itemsets",
    "maximal_itemsets",
    "readable",
]

# ---- public: frames ---------------------------------------------------------------------------------------------


def frequent_itemsets(
    data: Table | Release,
    min_support: float | Fraction = 0.5,
    *,
    min_count: int | None = None,
    bins: int | None = None,
    max_len: int | None = None,
) -> pd.DataFrame:
    """The itemsets that a large enough share of the rows has, in the format of mlxtend.

    In a release, a generalized cell is an item of its own; a suppressed cell is none. Identifiers are left out.

    Parameters
    ----------
    data:
        A table or a release.
    min_support:
        The share of rows from which on an itemset is frequent.
    min_count:
        The number of rows, instead of a share.
    bins:
        Cut numeric attributes with more values than this into so many intervals of equal width.
    max_len:
        The most items in a set.

    Returns
    -------
    pandas.DataFrame
        A row per itemset, with the columns support, itemsets and count.

    Examples
    --------
    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "flu", "flu"]}))
    >>> readable(frequent_itemsets(t, 0.5)).round(2)
       support       itemsets  count
    0     0.67          sex=M      2
    1     1.00        ill=flu      3
    2     0.67  ill=flu sex=M      2
    """
    return _frame(mine(data, min_support, min_count=min_count, bins=bins, max_len=max_len))


def closed_itemsets(
    data: Table | Release,
    min_support: float | Fraction = 0.5,
    *,
    min_count: int | None = None,
    bins: int | None = None,
) -> pd.DataFrame:
    """The frequent itemsets that no larger itemset matches in support: all counts follow from them.

    Parameters
    ----------
    data, min_support, min_count, bins:
        As for :func:`frequent_itemsets`.

    Returns
    -------
    pandas.DataFrame
        A row per itemset, with the columns support, itemsets and count.

    Examples
    --------
    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "flu", "flu"]}))
    >>> closed_itemsets(t, 0.5)["count"].tolist()
    [3, 2]
    """
    return _without_covered(mine(data, min_support, min_count=min_count, bins=bins), equal_count=True)


def maximal_itemsets(
    data: Table | Release,
    min_support: float | Fraction = 0.5,
    *,
    min_count: int | None = None,
    bins: int | None = None,
) -> pd.DataFrame:
    """The frequent itemsets that have no frequent superset: the border of what is frequent.

    Parameters
    ----------
    data, min_support, min_count, bins:
        As for :func:`frequent_itemsets`.

    Returns
    -------
    pandas.DataFrame
        A row per itemset, with the columns support, itemsets and count.

    Examples
    --------
    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "flu", "flu"]}))
    >>> maximal_itemsets(t, 0.5)["itemsets"].map(len).tolist()
    [2]
    """
    return _without_covered(mine(data, min_support, min_count=min_count, bins=bins), equal_count=False)


def association_rules(
    data: Table | Release,
    min_support: float | Fraction = 0.5,
    min_confidence: float | Fraction = 0.5,
    *,
    min_count: int | None = None,
    bins: int | None = None,
) -> pd.DataFrame:
    """The rules A → B with support f(AB)/N ≥ min_support and confidence f(AB)/f(A) ≥ min_confidence.

    Lift is f(AB)·N/(f(A)·f(B)), leverage s(AB) - s(A)·s(B), conviction (1 - s(B))/(1 - confidence).

    Parameters
    ----------
    data, min_support, min_count, bins:
        As for :func:`frequent_itemsets`.
    min_confidence:
        The smallest confidence of a rule.

    Returns
    -------
    pandas.DataFrame
        A row per rule, with the columns of mlxtend and the counts.

    Examples
    --------
    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "cold", "flu"]}))
    >>> readable(association_rules(t, 0.3, 0.6))[["antecedents", "consequents", "count", "confidence"]]
      antecedents consequents  count  confidence
    0       sex=F     ill=flu      1         1.0
    1    ill=cold       sex=M      1         1.0
    """
    found = mine(data, min_support, min_count=min_count, bins=bins)
    return significant_rules(found, min_confidence).frame()


def compare_rules(
    before: Table | Release,
    after: Table | Release,
    min_support: float | Fraction = 0.5,
    min_confidence: float | Fraction = 0.5,
    *,
    bins: int | None = None,
) -> pd.DataFrame:
    """The significant rules of two tables, each marked ``kept``, ``lost`` or ``new``.

    Parameters
    ----------
    before, after:
        Two tables or releases.
    min_support, min_confidence:
        The shares from which on a rule is significant.
    bins:
        As for :func:`frequent_itemsets`.

    Returns
    -------
    pandas.DataFrame
        A row per rule, with its status.

    Examples
    --------
    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "flu", "flu"]}))
    >>> compare_rules(t, t)["status"].tolist()
    ['kept', 'kept']
    """
    sides = [association_rules(data, min_support, min_confidence, bins=bins) for data in (before, after)]
    keys = [list(zip(side["antecedents"], side["consequents"], strict=True)) for side in sides]
    known = [set(side) for side in keys]
    first = sides[0].assign(status=["kept" if key in known[1] else "lost" for key in keys[0]])
    fresh = [key not in known[0] for key in keys[1]]
    return pd.concat([first, sides[1][fresh].assign(status="new")], ignore_index=True)


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The same frame with every itemset as text, its items in alphabetical order.

    Parameters
    ----------
    frame:
        A frame of itemsets or rules.

    Returns
    -------
    pandas.DataFrame
        The frame with texts.

    Examples
    --------
    >>> readable(pd.DataFrame({"itemsets": [frozenset({Item("sex", "M"), Item("ill", "flu")})]}))["itemsets"][0]
    'ill=flu sex=M'
    """
    names = [name for name in ("itemsets", "antecedents", "consequents") if name in frame]
    return frame.assign(**{name: [" ".join(sorted(map(str, items))) for items in frame[name]] for name in names})


# ---- the arrays behind the frames -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules A → B as arrays: size and position of AB, a bit mask of A's places in it, and the three counts."""

    itemsets: Itemsets
    size: np.ndarray
    place: np.ndarray
    mask: np.ndarray
    count: np.ndarray
    antecedent: np.ndarray
    consequent: np.ndarray

    def __len__(self) -> int:
        return len(self.size)

    def take(self, chosen: np.ndarray) -> Rules:
        """Some of the rules, by mask or position."""
        parts = (self.size, self.place, self.mask, self.count, self.antecedent, self.consequent)
        return Rules(self.itemsets, *(part[chosen] for part in parts))

    def reach(self, min_confidence: float | Fraction) -> np.ndarray:
        """Which rules have at least this confidence."""
        return self.count >= needed_count(self.antecedent, as_fraction(min_confidence, "min_confidence", zero=True))

    def sides(self) -> Iterator[tuple[list[int], list[int]]]:
        """Item numbers of A and of B, rule by rule."""
        for size, place, mask in zip(self.size.tolist(), self.place.tolist(), self.mask.tolist(), strict=True):
            items = self.itemsets.levels[size][place].tolist()
            yield (
                [item for bit, item in enumerate(items) if mask >> bit & 1],
                [item for bit, item in enumerate(items) if not mask >> bit & 1],
            )

    def frame(self) -> pd.DataFrame:
        """The rules as a frame with mlxtend's columns and the integer counts."""
        names, n = self.itemsets.items, self.itemsets.rows
        sides = [(frozenset(names[i] for i in a), frozenset(names[i] for i in b)) for a, b in self.sides()]
        both, left, right = self.count / n, self.antecedent / n, self.consequent / n
        confidence = self.count / self.antecedent
        with np.errstate(divide="ignore", invalid="ignore"):
            conviction = np.where(self.count == self.antecedent, np.inf, (1 - right) / (1 - confidence))
        columns = {
            "antecedents": pd.Series([a for a, _ in sides], dtype=object),
            "consequents": pd.Series([b for _, b in sides], dtype=object),
            "antecedent support": left,
            "consequent support": right,
            "support": both,
            "confidence": confidence,
            "lift": self.count * n / (self.antecedent * self.consequent),
            "leverage": both - left * right,
            "conviction": conviction,
            "count": self.count,
            "antecedent count": self.antecedent,
            "consequent count": self.consequent,
        }
        return pd.DataFrame(columns)


def significant_rules(found: Itemsets, min_confidence: float | Fraction) -> Rules:
    """The rules of the frequent itemsets that reach a confidence (0: all of them).

    A smaller antecedent has a larger count, so a rule is tried only where every rule with one more item on its left
    reached the confidence (Agrawal and Srikant's ap-genrules, for all itemsets of a size at once).
    """
    confidence = as_fraction(min_confidence, "min_confidence", zero=True)
    parts = []
    for size in range(2, len(found.levels)):
        sets, count = found.levels[size], found.counts[size]
        full = (1 << size) - 1
        passed = {full: np.ones(len(sets), dtype=bool)}
        for mask in sorted(range(1, full), key=lambda mask: (-mask.bit_count(), mask)):
            wider = [passed.get(mask | 1 << bit) for bit in range(size) if not mask >> bit & 1]
            if any(flags is None for flags in wider):
                continue
            place = np.flatnonzero(np.all(wider, axis=0))
            left, right = (_part_count(found, sets[place], side) for side in (mask, full & ~mask))
            good = count[place] >= needed_count(left, confidence)
            if good.any():
                place, left, right = place[good], left[good], right[good]
                passed[mask] = np.zeros(len(sets), dtype=bool)
                passed[mask][place] = True
                fixed = (np.full(len(place), size), place, np.full(len(place), mask))
                parts.append((*fixed, count[place], left, right))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0, int)] * 6
    order = np.lexsort((columns[2], columns[1], columns[0]))
    return Rules(found, *(column[order] for column in columns))


# ---- how it is done ---------------------------------------------------------------------------------------------


def _part_count(found: Itemsets, sets: np.ndarray, mask: int) -> np.ndarray:
    chosen = [bit for bit in range(sets.shape[1]) if mask >> bit & 1]
    return found.counts[len(chosen)][found.place_in(sets[:, chosen])]


def _frame(found: Itemsets, keep: list[np.ndarray] | None = None) -> pd.DataFrame:
    keep = keep or [np.ones(len(level), dtype=bool) for level in found.levels]
    chosen = [level[flags].tolist() for level, flags in zip(found.levels, keep, strict=True)][1:]
    counts = [count[flags] for count, flags in zip(found.counts, keep, strict=True)][1:]
    count = np.concatenate(counts) if counts else np.zeros(0, dtype=np.int64)
    names = [frozenset(found.items[item] for item in row) for level in chosen for row in level]
    return pd.DataFrame({"support": count / found.rows, "itemsets": pd.Series(names, dtype=object), "count": count})


def _without_covered(found: Itemsets, *, equal_count: bool) -> pd.DataFrame:
    """Leave out itemsets with a frequent superset (of equal count); supersets with one more item are enough."""
    keep = [np.ones(len(level), dtype=bool) for level in found.levels]
    for size in range(2, len(found.levels)):
        sets, count = found.levels[size], found.counts[size]
        for gone in range(size):
            place = found.place_in(np.delete(sets, gone, axis=1))
            covers = count == found.counts[size - 1][place] if equal_count else np.ones(len(sets), dtype=bool)
            keep[size - 1][place[covers]] = False
    return _frame(found, keep)
