"""How many rows may change before a rule is lost or gained (Truong 2023, equations 5, 8 and 14), in integers.

Eq. 8 is the safe budget of a significant rule: whatever happens to a row, its slack f(AB) - mc·f(A) falls by at most 1.
Eq. 14 as printed needs both thresholds to fail; a rule is insignificant if either does, so we take the larger bound.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.rules.association.itemsets import as_fraction, least_count, mine, needed_count
from anonnb.rules.association.mining import Rules, readable, significant_rules
from anonnb.tables.table import Table

Count = int | np.ndarray


def antecedent_budget(both: Count, left: Count, rows: int, min_support: float, min_confidence: float) -> Count:
    """Return Eq. 5, the rows with A and B that may lose A. Each takes one from f(AB) and one from f(A).

    Worked example: f(AB) = 6, f(A) = 8 of 10 rows at 0.5/0.6: min(6 - 5, ⌊(6 - 4.8)/0.4⌋) = min(1, 3) = 1.

    Parameters
    ----------
    both, left:
        How many rows have A and B, and how many have A: numbers or arrays of numbers.
    min_support, min_confidence:
        What makes a rule significant, as shares.

    Examples
    --------
    >>> antecedent_budget(6, 8, 10, 0.5, 0.6)
    1
    """
    confidence = as_fraction(min_confidence, "min_confidence", zero=True)
    spare = both - least_count(rows, min_support)
    if confidence == 1:  # then B always follows A, and still does when rows leave A
        return _plain(spare)
    p, q = confidence.as_integer_ratio()
    exact = np.asarray(both, dtype=object) * q - np.asarray(left, dtype=object) * p  # Python's integers: no overflow
    return _plain(np.minimum(spare, (exact // (q - p)).astype(np.int64) if np.ndim(exact) else exact // (q - p)))


def consequent_budget(both: Count, left: Count, rows: int, min_support: float, min_confidence: float) -> Count:
    """Return Eq. 8, the rule's budget: rows with A and B that may lose B alone; arguments as for Eq. 5.

    It is min(⌊f(AB) - ms·N⌋, ⌊f(AB) - mc·f(A)⌋), for thresholds ms and mc and N rows.

    >>> consequent_budget(7, 8, 10, 0.5, 0.7)
    1
    """
    needed = needed_count(left, as_fraction(min_confidence, "min_confidence", zero=True))
    return _plain(np.minimum(both - least_count(rows, min_support), both - needed))


def new_rule_budget(both: Count, left: Count, rows: int, min_support: float, min_confidence: float) -> Count:
    """Eq. 14, corrected: rows that may come to support an insignificant rule before it turns significant.

    The larger of what either threshold leaves, strictly below it: max(⌈ms·N⌉ - 1 - f(AB), ⌈mc·f(A)⌉ - 1 - f(AB)).
    A row that has A and gains B is the worst case; others move the confidence less.

    >>> new_rule_budget(4, 9, 10, 0.5, 0.5), new_rule_budget(6, 10, 10, 0.5, 0.9)
    (0, 2)
    """
    needed = needed_count(left, as_fraction(min_confidence, "min_confidence", zero=True))
    return _plain(np.maximum(least_count(rows, min_support), needed) - 1 - both)


def rule_budgets(table: Table, min_support: float = 0.5, min_confidence: float = 0.5) -> pd.DataFrame:
    """List the significant rules that touch the quasi-identifier, with their budgets by Eq. 5 and Eq. 8.

    >>> t = Table(pd.DataFrame({"sex": ["M", "M", "F"], "ill": ["flu", "flu", "flu"]}), quasi=["sex"])
    >>> rule_budgets(t, 0.3, 0.6)[["antecedents", "consequents", "count", "eq5", "eq8"]]
      antecedents consequents  count  eq5  eq8
    0       sex=F     ill=flu      1    0    0
    1       sex=M     ill=flu      2    1    0
    2     ill=flu       sex=M      2    0    0
    """
    rules = significant_rules(mine(table, min_support), min_confidence)
    return budget_frame(touching(rules, table.quasi), min_support, min_confidence)


def touching(rules: Rules, quasi: list[str]) -> Rules:
    """Return the rules with a quasi-identifier on either side: a migration can change only these."""
    items = rules.itemsets.items
    inside = [any(items[item].attribute in quasi for item in a + b) for a, b in rules.sides()]
    return rules.take(np.flatnonzero(inside))


def budget_frame(rules: Rules, min_support: float, min_confidence: float) -> pd.DataFrame:
    """Return the rules as text, with their counts and budgets."""
    frame = readable(rules.frame())[["antecedents", "consequents", "count", "antecedent count"]]
    counts = (rules.count, rules.antecedent, rules.itemsets.rows, min_support, min_confidence)
    return frame.assign(eq5=antecedent_budget(*counts), eq8=consequent_budget(*counts))


def _plain(number: Count) -> Count:
    return number if np.ndim(number) else int(number)
