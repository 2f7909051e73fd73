"""How well models learnt from a release do: the accuracy of trees and rules on the original rows.

A recipient learns from what was published; the model is judged on true values. Reading for trees: a cell that allows
several values takes one of them at random (seeded), so that every learner of plain tables could be used.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.arrays import group_order
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table


def sampled(release: Release | Table, seed: int = 0) -> Table:
    """Draw one value, all equally likely, from every released cell; exact cells stay as they are.

    >>> import anonnb
    >>> sampled(anonnb.Release.of(anonnb.load("survey"))).frame.equals(anonnb.load("survey").frame)
    True
    """
    release = as_release(release)
    random = np.random.default_rng(seed)
    attributes, codes = {}, {}
    for name, column in release.columns.items():
        sets, attribute = column.sets, column.attribute
        draw = np.floor(random.random(len(column)) * sets.sizes[column.index]).astype(np.int64)
        values = sets.lo[column.index] + draw
        order, starts = group_order(column.index, len(sets))
        for number in np.flatnonzero(sets.mask_row >= 0).tolist():
            rows = order[starts[number] : starts[number + 1]]
            values[rows] = np.flatnonzero(sets.mask(number))[draw[rows]]
        attributes[name], codes[name] = attribute, values
    like = release.table
    index = pd.RangeIndex(len(release)) if release.rows is None else like.index[release.rows]
    return Table._of(attributes, codes, like.select(list(attributes))._roles, index)


def tree_accuracy(
    table: Table, release: Release | Table, *, target: str | None = None, max_leaves: int = 64, seed: int = 0
) -> float:
    """Return the share of rows of ``table`` that a tree grown from the release classifies correctly (R² for numbers).

    The tree tests the quasi-identifiers (all conditions, if there are none).

    Parameters
    ----------
    table, release:
        The original table, and a release of it. To judge how the tree generalizes, give rows as ``table`` that the
        release was not made from.
    seed:
        The seed for drawing a value from each cell that has several.

    Examples
    --------
    >>> import anonnb
    >>> survey = anonnb.load("survey")
    >>> round(tree_accuracy(survey, anonnb.Release.of(survey)), 3)
    0.833
    """
    from anonnb.trees.growing import grow

    release = as_release(release)
    target = target or table.decision
    if target is None:
        named = advice("; name what the tree predicts: ", remedies.parameter("target", role="decision"))
        raise ValueError(Message("the table has no decision", named))
    if len(release) == 0:
        return 0.0
    names = [name for name in (release.quasi or table.conditions) if name != target]
    return grow(sampled(release, seed), target, attributes=names, max_leaves=max_leaves).score(table)


def rule_accuracy(table: Table, release: Release | Table, *, consistency: str = "overlap") -> float:
    """Return the share of rows of ``table`` that LERS classifies correctly with rules induced from the release.

    Parameters
    ----------
    consistency:
        The reading of :func:`anonnb.rules.rules_from_release`; the default is that of the experiments.

    Examples
    --------
    >>> import anonnb
    >>> six = anonnb.load("decision6")
    >>> rule_accuracy(six, anonnb.Release.of(six))
    1.0
    """
    from anonnb.rules import LERS, rules_from_release

    if table.decision is None:
        raise ValueError(Message("the table has no decision", advice("; name it: ", remedies.role("decision"))))
    release = as_release(release)
    rules = rules_from_release(release, consistency) if len(release) else None
    return float(LERS(rules=rules).score(table)) if rules else 0.0


# ---- association rules -----------------------------------------------------------------------------------------------
# What anonymization does to the significant association rules (Truong 2023, Table V): lost and new rules.


def lost_rules(
    table: Table,
    release: Table | Release,
    min_support: float = 0.5,
    min_confidence: float = 0.5,
    *,
    bins: int | None = None,
) -> float:
    """Return LRP: the share of the table's significant rules lost in the release. 0 to 1; less is better.

    A generalized cell no longer holds the value that a rule names. The measure is 0 for a table without rules.

    Parameters
    ----------
    bins:
        Numeric columns with more values than this are cut into so many intervals; by default none are.

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
    """Return NRP: new significant rules of the release per significant rule of the table; less is better.

    It can exceed 1. Rules with generalized values count as new. A table without rules is treated as if it had one.

    Parameters
    ----------
    bins:
        Numeric columns with more values than this are cut into so many intervals; by default none are.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": list("xxxy"), "b": list("ppqq")}))
    >>> new_rules(table, table, 0.5, 0.9)
    0.0
    """
    return _share("new", table, release, min_support, min_confidence, bins)


def _share(
    status: str, table: Table, release: Table | Release, support: float, confidence: float, bins: int | None
) -> float:
    from anonnb.rules.association.counting import rule_changes  # imported when used, which keeps this room light

    changes = rule_changes(table, release, support, confidence, bins=bins)
    count = getattr(changes, status)
    if count is None:
        raise Infeasible("the release has too many frequent itemsets to count its rules; raise min_support")
    return count / max(changes.kept + changes.lost, 1)
