"""Information loss and usefulness of a release, measured on the value sets of its quasi-identifiers.

NCP and GCP follow Xu et al. (2006) and Ghinita et al. (2007), discernibility and the classification metric Bayardo &
Agrawal (2005) and Iyengar (2002), precision Sweeney (2002), non-uniform entropy de Waal & Willenborg (1999).
Rows that a release withholds are charged in full, wherever a measure is a mean over the rows of the table.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.attribute import Attribute
from anonnb.release import Release, as_release
from anonnb.table import Table
from anonnb.valuesets import Column, ValueSets

# ---- information loss of cells ----------------------------------------------------------------------------------


def ncp(table: Table, release: Table | Release, per: str | None = None) -> float | pd.Series:
    """Normalized certainty penalty: how much of its domain a cell leaves open. 0 (all exact) to 1; less is better.

    A numeric cell costs (max − min) / range of the column, an ordinal one (rank of max − rank of min) / (values − 1),
    a nominal one (values in the set − 1) / (values − 1). A single value costs 0. A missing value counts as a value of
    a nominal column; it has no place in an order, so a set with missing and known values costs 1 elsewhere. Rows that
    were withheld cost 1. Ranges and numbers of values are those of the table's domains.

    ``per=None`` gives the mean over all rows and quasi-identifiers (GCP), ``"column"`` a mean per column, ``"row"``
    a mean per row: of the table when the release is linked to it, else of the release, withheld rows last.

    Worked: ages 20, 30, 40 published as [20–30], [20–30], 40 cost (10/20 + 10/20 + 0) / 3 = 0.33.

    >>> table = Table(pd.DataFrame({"age": [20, 30, 40]}), quasi=["age"])
    >>> column = Column.from_spans(table.attributes["age"], [0, 0, 2], [1, 1, 2])
    >>> round(ncp(table, Release(table, {"age": column}, np.arange(3))), 2)
    0.33
    """
    if per not in (None, "column", "row"):
        raise ValueError(f"per={per!r} is not known; use None, 'column' or 'row'")
    release = as_release(release)
    costs = {name: set_costs(table.attributes[name], release.columns[name].sets) for name in _quasi(table, release)}
    if per == "row":
        return _per_row(table, release, costs)
    means = {}
    for name, cost in costs.items():
        used = np.bincount(release.columns[name].index, minlength=len(cost))
        means[name] = _mean(float(used @ cost) + release.n_suppressed, len(release) + release.n_suppressed)
    return pd.Series(means, name="ncp", dtype=float) if per == "column" else float(np.mean(list(means.values())))


def set_costs(attribute: Attribute, sets: ValueSets) -> np.ndarray:
    """The NCP of each set of a column's dictionary; ``attribute`` is the table's, whose domain sets the scale."""
    own, several = sets.attribute, sets.sizes > 1
    if attribute.kind == "nominal":
        cost = (sets.sizes - 1) / max(attribute.size - 1, 1)
    else:
        known = attribute.numbers[: len(attribute.domain)]
        if attribute.kind == "numeric":
            place = own.numbers
        else:  # a release may hold values that the table does not: they have no rank
            code = own.recode_to(attribute)
            place = np.where((code >= 0) & (code != attribute.missing_code), code, np.nan)
        span = known[-1] - known[0] if len(known) else 0.0
        cost = np.abs(place[sets.hi] - place[sets.lo]) / (span if span > 0 else 1.0)
    return np.where(several, np.clip(np.nan_to_num(cost, nan=1.0), 0.0, 1.0), 0.0)


def _per_row(table: Table, release: Release, costs: dict[str, np.ndarray]) -> pd.Series:
    published = np.mean([cost[release.columns[name].index] for name, cost in costs.items()], axis=0)
    if release.rows is None:
        return pd.Series(np.append(published, np.ones(release.n_suppressed)), name="ncp")
    whole = np.ones(len(table))
    whole[release.rows] = published
    return pd.Series(whole, index=table.index, name="ncp")


def _quasi(table: Table, release: Release) -> list[str]:
    """The quasi-identifiers of a release, all of which the table must know."""
    if not release.quasi:
        raise ValueError("the release has no quasi-identifier; name its columns: table.with_roles(quasi=[…])")
    for name in release.quasi:
        if name not in table.attributes:
            raise KeyError(f"the table lacks the release's column {name!r}; give the table that was anonymized")
    return release.quasi


def _mean(total: float, count: int) -> float:
    return total / count if count else float("nan")
