"""What anonymization does to the significant association rules (Truong 2023, Table V): lost and new rules."""

from __future__ import annotations

from anonnb.core.errors import Infeasible
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def lost_rules(
    table: Table,
    release: Table | Release,
    min_support: float = 0.5,
    min_confidence: float = 0.5,
    *,
    bins: int | None = None,
) -> float:
    """LRP: the share of the table's significant rules that are not significant in the release. 0 to 1; less is better.

    A generalized cell no longer holds the value that a rule names. The measure is 0 for a table without rules.

    Parameters
    ----------
    table, release:
        The original table, and a release of it.
    min_support, min_confidence:
        The shares from which on a rule is significant.
    bins:
        Numeric columns with more values than this are cut into so many intervals; by default none are.

    Returns
    -------
    float
        The share of rules lost.

    Examples
    --------
    >>> import pandas as pd
    >>> before = Table(pd.DataFrame({"a": list("xxxy"), "b": list("ppqq")}))
    >>> after = Table(pd.DataFrame({"a": list("xyyy"), "b": list("ppqq")}))
    >>> lost_rules(before, after, 0.5, 0.9), new_rules(before, after, 0.5, 0.9)
    (1.0, 1.0)
    """
    return _share("lost", table, release, min_support, min_confidence, bins)


def new_rules(
    table: Table,
    release: Table | Release,
    min_support: float = 0.5,
    min_confidence: float = 0.5,
    *,
    bins: int | None = None,
) -> float:
    """NRP: significant rules of the release that the table does not have, per rule of the table; less is better.

    It can exceed 1. Rules with generalized values count as new. A table without rules is treated as if it had one.

    Parameters
    ----------
    table, release:
        The original table, and a release of it.
    min_support, min_confidence:
        The shares from which on a rule is significant.
    bins:
        Numeric columns with more values than this are cut into so many intervals; by default none are.

    Returns
    -------
    float
        New rules per rule of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": list("xxxy"), "b": list("ppqq")}))
    >>> new_rules(table, table, 0.5, 0.9)
    0.0
    """
    return _share("new", table, release, min_support, min_confidence, bins)


def _share(status: str, table: Table, release: Table | Release, support: float, confidence: float, bins) -> float:
    from anonnb.rules.association.counting import rule_changes  # imported when used, which keeps this room light

    found = rule_changes(table, release, support, confidence, bins=bins)
    count = getattr(found, status)
    if count is None:
        raise Infeasible("the release has too many frequent itemsets to count its rules; raise min_support")
    return count / max(found.kept + found.lost, 1)
