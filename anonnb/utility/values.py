"""How many values a published cell leaves open: what NCP does not show in a column with many values.

NCP divides by the size of the domain (Xu et al. 2006): eight cities of 3,000 in one cell cost 7/2,999. A reader who
looks for one city still learns little. These measures count values and do not divide.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.cells import mean, ncp, quasi_columns

SMALL_LOSS, MANY_VALUES = 0.05, 4.0  # warn where NCP is below the one, yet cells that are not exact hold more values


def values_per_cell(table: Table, release: Table | Release, per: str | None = None) -> float | pd.Series:
    """How many values a quasi-identifier cell leaves open, on average. 1 (all exact) or more; less is better.

    An interval counts the values of the table's domain in it. A withheld row leaves all values open.

    Worked example: of three cities the cells {A, B}, {A, B}, C hold (2 + 2 + 1) / 3 = 1.67 values.

    Parameters
    ----------
    table, release:
        The original table, and a release of it.
    per:
        None for one number, ``"column"`` for one per column.

    Returns
    -------
    float or pandas.Series
        The mean number of values.

    Raises
    ------
    ValueError
        If ``per`` is unknown.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"city": ["A", "B", "C"]}), quasi=["city"])
    >>> column = Column.of_groups(table.attributes["city"], table.codes("city"), np.array([0, 0, 1]), 2)
    >>> round(values_per_cell(table, Release(table, {"city": column}, np.arange(3))), 2)
    1.67
    """
    if per not in (None, "column"):
        raise ValueError(f"per={per!r} is not known; use None or 'column'")
    release = as_release(release)
    means, withheld = {}, release.n_suppressed
    for name in quasi_columns(table, release):
        column, size = release.columns[name], table.attributes[name].size
        held = int(np.minimum(column.sizes, size).sum())
        means[name] = mean(held + withheld * size, len(release) + withheld)
    return pd.Series(means, name="values per cell", dtype=float) if per else float(np.mean(list(means.values())))


def exact_cells(table: Table, release: Table | Release) -> float:
    """Share of quasi-identifier cells that are published as a single value. 0 to 1; more is better.

    Whether that value is the true one is measured by :func:`truthfulness`. No cell of a withheld row is exact.

    Worked example: of {A, B}, {A, B}, C one cell of three is exact: 0.33.

    Parameters
    ----------
    table, release:
        The original table, and a release of it.

    Returns
    -------
    float
        The share of exact cells.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"city": ["A", "B", "C"]}), quasi=["city"])
    >>> column = Column.of_groups(table.attributes["city"], table.codes("city"), np.array([0, 0, 1]), 2)
    >>> round(exact_cells(table, Release(table, {"city": column}, np.arange(3))), 2)
    0.33
    """
    release = as_release(release)
    names = quasi_columns(table, release)
    exact = sum(int((release.columns[name].sizes == 1).sum()) for name in names)
    return mean(exact, (len(release) + release.n_suppressed) * len(names))


def small_losses(table: Table, release: Table | Release) -> list[str]:
    """A sentence for each column whose NCP reads near 0 although its cells hold many values.

    Parameters
    ----------
    table, release:
        The original table, and a release of it.

    Returns
    -------
    list of str
        The sentences.

    Examples
    --------
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"city": [f"city {number:03}" for number in range(240)]}), quasi=["city"])
    >>> eights = Column.of_groups(table.attributes["city"], table.codes("city"), np.arange(240) // 8, 30)
    >>> small_losses(table, Release(table, {"city": eights}, np.arange(240)))
    ['city: NCP is 0.029 because the column has 240 values; a cell that is not exact holds 8 of them on average']
    """
    release = as_release(release)
    found = []
    for name, loss in ncp(table, release, per="column").items():
        attribute, sizes = table.attributes[name], release.columns[name].sizes
        open_cells = sizes[sizes > 1]
        held = float(open_cells.mean()) if len(open_cells) else 1.0
        # an interval of numbers is as wide as it reads; only a list of names says less than its share of the domain
        if attribute.kind == "nominal" and loss < SMALL_LOSS and held > MANY_VALUES:
            found.append(
                f"{name}: NCP is {loss:.2g} because the column has {attribute.size:,} values; a cell that is not exact "
                f"holds {held:.3g} of them on average"
            )
    return found
