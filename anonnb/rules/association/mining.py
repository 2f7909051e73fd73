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
    """Return the itemsets that a large enough share of the rows has, in the format of mlxtend.

    In a release, a generalized cell is an item of its own; a suppressed cell is none. Identifiers are left out.

    Parameters
    ----------
    min_support:
        The share of rows from which on an itemset is frequent.
    min_count:
        The number of rows, instead of a share.
    bins:
        Cut numeric attributes with more values than this into so many intervals of equal width.

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
    """Return the frequent itemsets that no larger itemset matches in support: all counts follow from them.

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
    """Return the frequent itemsets that have no frequent superset: the border of what is frequent.

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
    """Return the rules A → B with support f(AB)/N ≥ min_support and confidence f(AB)/f(A) ≥ min_confidence.

    Lift is f(AB)·N/(f(A)·f(B)), leverage s(AB) - s(A)·s(B), conviction (1 - s(B))/(1 - confidence).

    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "cold", "flu"]}))
    >>> readable(association_rules(t, 0.3, 0.6))[["antecedents", "consequents", "count", "confidence"]]
      antecedents consequents  count  confidence
    0       sex=F     ill=flu      1         1.0
    1    ill=cold       sex=M      1         1.0
    """
    itemsets = mine(data, min_support, min_count=min_count, bins=bins)
    return significant_rules(itemsets, min_confidence).frame()


def compare_rules(
    before: Table | Release,
    after: Table | Release,
    min_support: float | Fraction = 0.5,
    min_confidence: float | Fraction = 0.5,
    *,
    bins: int | None = None,
) -> pd.DataFrame:
    """Return the significant rules of two tables, each marked ``kept``, ``lost`` or ``new``.

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
    """Return the same frame with every itemset as text, its items in alphabetical order.

    >>> readable(pd.DataFrame({"itemsets": [frozenset({Item("sex", "M"), Item("ill", "flu")})]}))["itemsets"][0]
    'ill=flu sex=M'
    """
    names = [name for name in ("itemsets", "antecedents", "consequents") if name in frame]
    return frame.assign(**{name: [" ".join(sorted(map(str, items))) for items in frame[name]] for name in names})


# ---- the arrays behind the frames -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules A → B as arrays: the numbers that the itemsets AB, A and B have among all itemsets."""

    itemsets: Itemsets
    both: np.ndarray
    left: np.ndarray
    right: np.ndarray

    def __len__(self) -> int:
        return len(self.both)

    @property
    def count(self) -> np.ndarray:
        """Rows that have A and B."""
        return self.itemsets.all_counts[self.both]

    @property
    def antecedent(self) -> np.ndarray:
        """Rows that have A."""
        return self.itemsets.all_counts[self.left]

    @property
    def consequent(self) -> np.ndarray:
        """Rows that have B."""
        return self.itemsets.all_counts[self.right]

    def take(self, chosen: np.ndarray) -> Rules:
        """Some of the rules, by mask or position."""
        return Rules(self.itemsets, *(part[chosen] for part in (self.both, self.left, self.right)))

    def reach(self, min_confidence: float | Fraction) -> np.ndarray:
        """Return which rules have at least this confidence."""
        return self.count >= needed_count(self.antecedent, as_fraction(min_confidence, "min_confidence", zero=True))

    def sides(self) -> Iterator[tuple[list[int], list[int]]]:
        """Item numbers of A and of B, rule by rule."""
        numbers = [row for level in self.itemsets.levels for row in level.tolist()]
        for left, right in zip(self.left.tolist(), self.right.tolist(), strict=True):
            yield numbers[left], numbers[right]

    def frame(self) -> pd.DataFrame:
        """Return the rules as a frame with mlxtend's columns and the integer counts."""
        sets, n = self.itemsets.frozensets(), self.itemsets.rows  # rules share the sets, of which there are far fewer
        count, antecedent, consequent = self.count, self.antecedent, self.consequent
        both, left, right = count / n, antecedent / n, consequent / n
        confidence = count / antecedent
        with np.errstate(divide="ignore", invalid="ignore"):
            conviction = np.where(count == antecedent, np.inf, (1 - right) / (1 - confidence))
        columns = {
            "antecedents": pd.Series(sets[self.left], dtype=object),
            "consequents": pd.Series(sets[self.right], dtype=object),
            "antecedent support": left,
            "consequent support": right,
            "support": both,
            "confidence": confidence,
            "lift": count * n / (antecedent * consequent),
            "leverage": both - left * right,
            "conviction": conviction,
            "count": count,
            "antecedent count": antecedent,
            "consequent count": consequent,
        }
        return pd.DataFrame(columns)


def significant_rules(found: Itemsets, min_confidence: float | Fraction) -> Rules:
    """Return the rules of the frequent itemsets that reach a confidence (0: all of them).

    A smaller antecedent has a larger count, so a rule is tried only where every rule with one more item on its left
    reached the confidence (Agrawal and Srikant's ap-genrules, for all itemsets of a size at once).
    """
    count = found.all_counts
    needed = needed_count(count, as_fraction(min_confidence, "min_confidence", zero=True))
    parts = []
    for size in range(2, len(found.levels)):
        sets = found.starts[size] + np.arange(len(found.levels[size]))
        full = (1 << size) - 1
        passed = {full: np.ones(len(sets), dtype=bool)}
        for mask in sorted(range(1, full), key=lambda mask: (-mask.bit_count(), mask)):
            wider = [mask | 1 << bit for bit in range(size) if not mask >> bit & 1]
            if not all(each in passed for each in wider):
                continue
            positions = np.flatnonzero(np.logical_and.reduce([passed[each] for each in wider]))
            left = found.without(sets[positions], full & ~mask)
            good = count[sets[positions]] >= needed[left]
            if good.any():
                positions, left = positions[good], left[good]
                passed[mask] = np.zeros(len(sets), dtype=bool)
                passed[mask][positions] = True
                both = sets[positions]
                parts.append((np.full(len(positions), mask), both, left, found.without(both, mask)))
    masks, *columns = [np.concatenate(c) for c in zip(*parts, strict=True)] if parts else [np.zeros(0, int)] * 4
    order = np.lexsort((masks, columns[0]))
    return Rules(found, *(column[order] for column in columns))


# ---- how it is done ---------------------------------------------------------------------------------------------


def _frame(itemsets: Itemsets, keep: list[np.ndarray] | None = None) -> pd.DataFrame:
    chosen = slice(None) if keep is None else np.concatenate(keep[1:] or [np.zeros(0, dtype=bool)])
    count, names = itemsets.all_counts[1:][chosen], itemsets.frozensets()[1:][chosen]  # without the empty set
    return pd.DataFrame({"support": count / itemsets.rows, "itemsets": pd.Series(names, dtype=object), "count": count})


def _without_covered(itemsets: Itemsets, *, equal_count: bool) -> pd.DataFrame:
    """Leave out itemsets with a frequent superset (of equal count); supersets with one more item are enough."""
    keep = [np.ones(len(level), dtype=bool) for level in itemsets.levels]
    for size in range(2, len(itemsets.levels)):
        sets, count = itemsets.levels[size], itemsets.counts[size]
        for gone in range(size):
            position = itemsets.place_in(np.delete(sets, gone, axis=1))
            covers = count == itemsets.counts[size - 1][position] if equal_count else np.ones(len(sets), dtype=bool)
            keep[size - 1][position[covers]] = False
    return _frame(itemsets, keep)
