"""Sizes and purity of classes: discernibility (Bayardo & Agrawal 2005), C_AVG (LeFevre et al. 2006) and the
classification metric (Iyengar 2002). Suppressed rows are charged as the papers charge them, never as one big class.
"""

from __future__ import annotations

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.privacy.classes import Classes
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.utility.cells import mean


def discernibility(table: Table, release: Table | Release, k: int | None = None) -> int:
    """Return the sum over rows of the rows that read alike: ``Σ |E|²`` over the classes; less is better.

    It lies between the number of rows and its square. Classes smaller than ``k`` cost ``|D| · |E|`` and a suppressed
    row costs ``|D|``, the number of rows of the table.

    Worked example: classes of 2 and 3 rows and one suppressed row of 6: 2² + 3² + 6 = 19.

    Parameters
    ----------
    k:
        By default that of the method, or else the size of the smallest class.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"x": [1, 1, 2, 2, 2, 3]}), quasi=["x"])
    >>> discernibility(table, Release(table, {}, np.arange(5)), k=2)
    19
    """
    release = as_release(release)
    classes, rows = Classes(release), len(release) + release.n_suppressed
    sizes = classes.sizes.astype(np.int64)
    wanted = _k_of(release, classes, k)
    return int(np.where(sizes >= wanted, sizes * sizes, sizes * rows).sum()) + rows * release.n_suppressed


def average_class_size(table: Table, release: Table | Release, k: int | None = None) -> float:
    """Return C_AVG: (published rows / classes) / k. 1 is the best that k allows; less is better.

    Worked example: classes of 2 and 4 rows for k = 2: (6 / 2) / 2 = 1.5.

    Parameters
    ----------
    k:
        By default that of the method, or else the size of the smallest class.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"x": [1, 1, 2, 2, 2, 2]}), quasi=["x"])
    >>> average_class_size(table, table)
    1.5
    """
    release = as_release(release)
    classes = Classes(release)
    return mean(len(classes), classes.n_groups * _k_of(release, classes, k))


def classification_metric(table: Table, release: Table | Release, column: str | None = None) -> float:
    """Return the share of rows suppressed or with another decision than most of their class; less is better.

    It lies between 0 and 1.

    Worked example: a class with yes, yes, no and a suppressed row: (1 + 1) / 4 = 0.5.

    Parameters
    ----------
    column:
        The column to predict; by default the decision of the release.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"x": [1, 1, 1, 2], "ok": ["yes", "yes", "no", "no"]}), quasi=["x"], decision="ok")
    >>> classification_metric(table, Release(table, {}, np.arange(3)))
    0.5
    """
    release = as_release(release)
    column = column or release.decision
    if column is None:
        named = remedies.parameter("column", words="column='…'", role="decision")
        name_one = advice("; name one: ", remedies.role("decision"), named)
        raise ValueError(Message("the release has no decision column", name_one))
    if column not in release.columns:
        raise KeyError(f"column: the release has no column {column!r}")
    classes, rows = Classes(release), len(release) + release.n_suppressed
    return mean(rows - int(classes.row_counts(column).top.sum()), rows)


def class_k(release: Release, k: int | None = None) -> int:
    """Return the k by which a release is judged: given, the method's, or the size of the smallest class."""
    return _k_of(release, Classes(release), k)


def _k_of(release: Release, classes: Classes, k: int | None) -> int:
    if k is None:
        k = getattr(release.method, "k", None)
    if k is None:
        k = int(classes.sizes.min(initial=len(classes)))
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or (k < 1 and len(classes)):
        raise ValueError(f"k must be a whole number of at least 1, not {k!r}")
    return k
