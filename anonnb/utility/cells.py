"""Information loss of cells: how much of its domain a published value set leaves open, and whether it is true.

NCP and GCP follow Xu et al. (2006) and Ghinita et al. (2007), precision Sweeney (2002), non-uniform entropy de Waal &
Willenborg (1999) and Gionis & Tassa (2009). Rows that a release withholds are charged in full.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import ValueSets


def ncp(table: Table, release: Table | Release, per: str | None = None) -> float | pd.Series:
    """Return the normalized certainty penalty: how much of its domain a cell leaves open. 0 to 1; less is better.

    A numeric cell costs (max − min) / range of the column, an ordinal one (rank of max − rank of min) / (values − 1), a
    nominal one (values in the set − 1) / (values − 1). A single value costs 0, a withheld row 1. In a nominal column, a
    missing value is a value like any other; elsewhere it has no place in the order, so a set of missing and known
    values costs 1. Ranges and numbers of values are those of the table's domains.

    Worked example: ages 20, 30, 40 published as [20–30], [20–30], 40 cost (10/20 + 10/20 + 0) / 3 = 0.33.

    Parameters
    ----------
    per:
        None for the mean over all rows and quasi-identifiers (GCP), in which columns count with their weights
        (``table.weights``); ``"column"`` for a mean per column; ``"row"`` for a weighted mean per row, of the table if
        the release is linked to it, otherwise of the release, withheld rows last.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"age": [20, 30, 40]}), quasi=["age"])
    >>> column = Column.from_spans(table.attributes["age"], [0, 0, 2], [1, 1, 2])
    >>> round(ncp(table, Release(table, {"age": column}, np.arange(3))), 2)
    0.33
    """
    if per not in (None, "column", "row"):
        raise ValueError(f"per={per!r} is not known; use None, 'column' or 'row'")
    release = as_release(release)
    costs = {
        name: set_costs(table.attributes[name], release.columns[name].sets) for name in quasi_columns(table, release)
    }
    if per == "row":
        return _per_row(table, release, costs)
    means, withheld = {}, release.n_suppressed
    for name, cost in costs.items():
        used = np.bincount(release.columns[name].index, minlength=len(cost))
        means[name] = mean(float(used @ cost) + withheld, len(release) + withheld)
    return pd.Series(means, name="ncp", dtype=float) if per == "column" else weighted(table, means)


def set_costs(attribute: Attribute, sets: ValueSets) -> np.ndarray:
    """Return the NCP of each value set in a column's dictionary.

    Parameters
    ----------
    attribute:
        The column's attribute in the table: its domain sets the scale.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> age = Table(pd.DataFrame({"age": [20, 30, 40]}), quasi=["age"]).attributes["age"]
    >>> set_costs(age, Column.from_spans(age, [0, 0, 2], [1, 2, 2]).sets).tolist()
    [0.5, 1.0, 0.0]
    """
    published, several = sets.attribute, sets.sizes > 1
    if attribute.kind == "nominal":
        cost = (sets.sizes - 1) / max(attribute.size - 1, 1)
    else:
        known = attribute.numbers[: len(attribute.domain)] * attribute.difference_scale
        if attribute.kind == "numeric":
            positions = published.numbers * attribute.difference_scale
        else:  # a release may hold values that the table does not: they have no rank
            code = published.recode_to(attribute)
            positions = np.where((code >= 0) & (code != attribute.missing_code), code, np.nan)
        span = known[-1] - known[0] if len(known) else 0.0
        cost = np.abs(positions[sets.hi] - positions[sets.lo]) / (span if span > 0 else 1.0)
    return np.where(several, np.clip(np.nan_to_num(cost, nan=1.0), 0.0, 1.0), 0.0)


def _per_row(table: Table, release: Release, costs: dict[str, np.ndarray]) -> pd.Series:
    shares = [cost[release.columns[name].index] * table.attributes[name].weight for name, cost in costs.items()]
    published = np.sum(shares, axis=0) / sum(table.attributes[name].weight for name in costs)
    if release.rows is None:
        return pd.Series(np.append(published, np.ones(release.n_suppressed)), name="ncp")
    _check_links(table, release.rows)
    whole = np.ones(len(table))
    whole[release.rows] = published
    return pd.Series(whole, index=table.index, name="ncp")


def precision(table: Table, release: Table | Release) -> float:
    """Return Prec: 1 − the mean of level / height over all cells. 0 to 1 (nothing generalized); more is better.

    The level of a cell is that of its label, or else the lowest level of the table's hierarchy with a label that covers
    its set. A withheld row, and a value that the hierarchy does not know, is at the top. A column without a hierarchy
    gets a default one, with a warning.

    Worked example: intervals of 10 and ``*`` make a height of 2. Of the ages 3 and 17, one is published as an interval
    (level 1) and one as it is (level 0): 1 − (½ + 0) / 2 = 0.75.

    >>> from anonnb.tables.value_sets import Column
    >>> from anonnb.tables.hierarchies.hierarchy import Hierarchy
    >>> table = Table(pd.DataFrame({"age": [3, 7, 17]}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(10)})
    >>> column = Column.from_spans(table.attributes["age"], [0, 2], [1, 2])
    >>> precision(table, Release(table.take([0, 2]), {"age": column}, np.arange(2)))
    0.75
    """
    release = as_release(release)
    lost, withheld = {}, release.n_suppressed
    for name in quasi_columns(table, release):
        column, attribute = release.columns[name], table.attributes[name]
        levels = set_levels(attribute, column.sets) / attribute.levels.height
        used = np.bincount(column.index, minlength=len(levels))
        lost[name] = mean(float(used @ levels) + withheld, len(release) + withheld)
    return 1 - weighted(table, lost)


def set_levels(attribute: Attribute, sets: ValueSets) -> np.ndarray:
    """Return the lowest level of the attribute's hierarchy with a label covering each set, or the top.

    >>> from anonnb.tables.hierarchies.hierarchy import Hierarchy
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"age": [3, 7, 17]}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(10)})
    >>> age = table.attributes["age"]
    >>> set_levels(age, Column.from_spans(age, [0, 0, 0], [0, 1, 2]).sets).tolist()
    [0, 1, 2]
    """
    lo, hi, masks, mask_row, foreign = _in_domain(attribute, sets)
    levels = np.full(len(sets), attribute.levels.height)
    gaps = np.flatnonzero((mask_row >= 0) & ~foreign)
    inside = masks[mask_row[gaps]]
    for level in range(attribute.levels.height - 1, -1, -1):
        label = attribute.levels.maps[level]
        changes = np.cumsum(np.diff(label, prepend=label[:1]) != 0)
        covered = (changes[hi] == changes[lo]) & (mask_row < 0) & ~foreign
        low = np.where(inside, label, len(label)).min(axis=1, initial=len(label))
        covered[gaps] = low == np.where(inside, label, -1).max(axis=1, initial=-1)
        levels[covered] = level
    covering = levels.copy()
    if sets.has_own_labels and not foreign.any():
        labels = np.array(sets.labels, dtype=object)
        for level in range(attribute.levels.height, 0, -1):  # a label may stand for fewer values than its text says
            named = labels == np.array(attribute.levels.labels[level], dtype=object)[attribute.levels.maps[level][lo]]
            levels[named & (covering <= level)] = level
    return levels


def _in_domain(
    attribute: Attribute, sets: ValueSets
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return sets in the codes of the table's attribute, and which of them hold values unknown to the table."""
    other = sets.attribute
    if other is attribute or (other.domain.equals(attribute.domain) and other.missing == attribute.missing):
        return sets.lo, sets.hi, sets.masks, sets.mask_row, np.zeros(len(sets), dtype=bool)
    code = other.recode_to(attribute)
    masks = np.zeros((len(sets), attribute.size), dtype=bool)
    masks[:, code[code >= 0]] = sets.as_masks()[:, code >= 0]
    foreign: np.ndarray = sets.overlaps(code < 0) if attribute.kind != "numeric" else ~np.asarray(masks.any(axis=1))
    ends = np.zeros(len(sets), dtype=np.int64)
    return ends, ends, masks, np.arange(len(sets)), foreign


def entropy_loss(table: Table, release: Table | Release, *, normalized: bool = False) -> float:
    """Return the non-uniform entropy: −Σ log₂ P(original value | published set) over all cells; less is better.

    P is the distribution of the column in the table. A withheld row, and a cell whose set does not hold the original
    value, is charged as a suppressed cell. The loss is 0 when all cells are exact. The release must be linked to its
    original rows.

    Worked example: in a, a, b, c the set {a, b} costs −log₂ ⅔ = 0.58 for each a and −log₂ ⅓ = 1.58 for b.

    Parameters
    ----------
    normalized:
        Divide by the loss of suppressing everything, so that the range is 0 to 1.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"x": ["a", "a", "b", "c"]}), quasi=["x"])
    >>> column = Column.of_groups(table.attributes["x"], table.codes("x"), np.array([0, 0, 0, 1]), 2)
    >>> round(entropy_loss(table, Release(table, {"x": column}, np.arange(4))), 2)
    2.75
    """
    release = as_release(release)
    loss = highest = 0.0
    for name in quasi_columns(table, release):
        codes, column = table.codes(name), release.columns[name]
        counts = table.counts(name)
        surprise = np.log2(counts.sum()) - np.log2(counts, where=counts > 0, out=np.zeros(len(counts)))
        bits = surprise[codes]
        highest += bits.sum()
        held = column.holds(_own_codes(table, release, name))
        assert release.rows is not None  # _own_codes has checked it
        rows = release.rows[held]
        in_set = _rows_in_sets(column.sets, counts, table.attributes[name])[column.index][held]
        bits[rows] = np.log2(in_set) - np.log2(counts[codes[rows]])
        loss += bits.sum()
    if not normalized:
        return float(loss)
    return mean(float(loss), float(highest))


def _rows_in_sets(sets: ValueSets, counts: np.ndarray, attribute: Attribute) -> np.ndarray:
    """Count the rows of the table that have a value of each set; ``counts`` are per code of its attribute."""
    codes = np.zeros(sets.attribute.size, dtype=np.int64)
    code = attribute.recode_to(sets.attribute)
    codes[code[code >= 0]] = counts[code >= 0]
    before = np.concatenate([[0], np.cumsum(codes)])
    rows = before[sets.hi + 1] - before[sets.lo]
    gaps = sets.mask_row >= 0
    rows[gaps] = sets.gap_totals(codes)
    return rows


def truthfulness(table: Table, release: Table | Release) -> float:
    """Return the share of quasi-identifier cells whose set holds the original value. 0 to 1; more is better.

    Generalization and suppression keep it at 1; migration and noise do not. Withheld rows claim nothing and are left
    out. The release must be linked to its original rows.

    Worked example: [20–30], [20–30], 40 published for 20, 30, 30 is true in 2 cells of 3: 0.67.

    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"age": [20, 30, 30, 40]}), quasi=["age"])
    >>> column = Column.from_spans(table.attributes["age"], [0, 0, 2], [1, 1, 2])
    >>> round(truthfulness(table, Release(table, {"age": column}, np.arange(3))), 2)
    0.67
    """
    release = as_release(release)
    names = quasi_columns(table, release)
    true = sum(int(release.columns[name].holds(_own_codes(table, release, name)).sum()) for name in names)
    return mean(true, len(release) * len(names))


def suppression_rate(table: Table, release: Table | Release, of: str = "rows") -> float:
    """Return the share of rows (or of quasi-identifier cells) that were suppressed. 0 to 1; less is better.

    A row is suppressed when it is withheld. With ``of="cells"``, every cell of a withheld row and every published cell
    that is the whole domain (``*``) counts.

    Worked example: of 4 rows with 2 quasi-identifiers, one is withheld and one has one cell ``*``: rows ¼, cells (2 +
    1) / 8.

    Parameters
    ----------
    of:
        ``"rows"`` or ``"cells"``.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"x": [1, 2, 2, 3]}), quasi=["x"])
    >>> suppression_rate(table, Release(table, {}, np.arange(3)))
    0.25
    """
    if of not in ("rows", "cells"):
        raise ValueError(f"of={of!r} is not known; use 'rows' or 'cells'")
    release = as_release(release)
    names, withheld = quasi_columns(table, release), release.n_suppressed
    if of == "rows":
        published = len(release) if release.rows is None else int(np.count_nonzero(np.bincount(release.owners[1])))
        return mean(withheld, published + withheld)
    rows, whole = len(release) + withheld, 0
    for name in names:
        column = release.columns[name]
        full = (column.sets.sizes == column.attribute.size) & (column.sets.sizes > 1)
        whole += int(full[column.index].sum())
    return mean(whole + withheld * len(names), rows * len(names))


def quasi_columns(table: Table, release: Release) -> list[str]:
    """Return the quasi-identifiers of a release; each must be a column of the table."""
    if not release.quasi:
        name_them = advice("; name its columns: ", remedies.role("quasi"))
        raise ValueError(Message("the release has no quasi-identifier", name_them))
    for name in release.quasi:
        if name not in table.attributes:
            raise KeyError(f"the table lacks the release's column {name!r}; give the table that was anonymized")
    return release.quasi


def weighted(table: Table, figures: dict[str, float]) -> float:
    """Return the mean of a figure per column, each with the weight of its column."""
    weights = [table.attributes[name].weight for name in figures]
    if len(set(weights)) == 1:
        return float(np.mean(list(figures.values())))
    return float(np.average(list(figures.values()), weights=weights))


def mean(total: float, count: float) -> float:
    return total / count if count else float("nan")


def _check_links(table: Table, rows: np.ndarray) -> None:
    if rows.max(initial=-1) >= len(table):
        raise ValueError(
            f"the release refers to row {rows.max()}, the table has {len(table)}; give the table that was anonymized"
        )


def _own_codes(table: Table, release: Release, name: str) -> np.ndarray:
    """Return the original value of each published row in the codes of the release's column (-1: it has none)."""
    if release.rows is None:
        raise ValueError(
            "the release is not linked to original rows, so its cells cannot be compared with them; "
            "give rows= to Release.from_frame where the links are known"
        )
    _check_links(table, release.rows)
    return table.attributes[name].recode_to(release.columns[name].attribute)[table.codes(name)[release.rows]]
