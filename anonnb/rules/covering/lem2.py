"""LEM2 (Grzymala-Busse 1992): a minimal set of minimal rules whose conditions are single values.

Idea: like MLEM2, which grew out of it, but every attribute is symbolic: a number is a name like any other. So numbers
should be discretized first; otherwise rules cover few rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from anonnb.rules.induction.encoding import attribute_names
from anonnb.rules.induction.mlem2 import mlem2
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.table import Table


def lem2(
    table: Table, concept: object = None, *, approximation: str = "lower", attributes: Sequence[str] | None = None
) -> RuleSet:
    """Decision rules of a table by LEM2.

    >>> from anonnb import load, roughsets
    >>> print(lem2(roughsets.discretize(load("iris")))[:2])
    if petal_length = <2.45 then class = Iris-setosa  [50]
    if sepal_length = [5.55,6.15) and petal_length = [2.45,4.75) then class = Iris-versicolor  [21]
    """
    names = attribute_names(table, attributes)
    symbolic = table.recoded(kinds=dict.fromkeys(names, "nominal"))
    return mlem2(symbolic, concept, approximation=approximation, attributes=names)
