"""Equal width and equal frequency: intervals that ignore the decision.

Idea: cut the range into parts of the same length, or the sorted rows into parts of the same size. Reading chosen: equal
values are never separated, so parts of equal frequency may differ in size, and there may be fewer of them.
"""

from __future__ import annotations

import numpy as np

from anonnb.roughsets.discretization.cuts import CutPoints, NumericColumn


def equal_width(column: NumericColumn, bins: int) -> CutPoints:
    """Cuts that divide the range of a column into ``bins`` intervals of the same width.

    >>> import pandas as pd
    >>> from anonnb import Table
    >>> equal_width(NumericColumn.of(Table(pd.DataFrame({"x": [0, 1, 2, 10]})), "x"), 4).points
    (2.5, 5.0, 7.5)
    """
    if len(column.values) < 2:
        return CutPoints((), ())
    low, high = column.value(0), column.value(len(column.values) - 1)
    points = [_tidy(low + (high - low) * (step / bins)) for step in range(1, bins)]
    points = [point for place, point in enumerate(points) if low < point and point not in points[:place]]
    return CutPoints(tuple(points), tuple(_halving_weights(len(points))))


def equal_frequency(column: NumericColumn, bins: int) -> CutPoints:
    """Cuts that divide the rows into at most ``bins`` parts whose sizes are as equal as equal values allow.

    >>> import pandas as pd
    >>> from anonnb import Table
    >>> equal_frequency(NumericColumn.of(Table(pd.DataFrame({"x": [1, 2, 3, 3, 3, 9]})), "x"), 3).points
    (2.5, 6.0)
    """
    below = np.cumsum(np.bincount(column.known, minlength=len(column.values)))[:-1]  # rows left of each possible cut
    if not len(below):
        return CutPoints((), ())
    wanted = np.arange(1, bins) * (len(column.known) / bins)
    nearest = np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)
    places = np.unique(nearest) + 1
    return column.cuts(places, _halving_weights(len(places)))


def _tidy(point: object) -> object:
    return float(f"{point:.12g}") if isinstance(point, float) else point


def _halving_weights(count: int) -> list[float]:
    """Weights that keep every second cut, then every second of those: the middle one is the heaviest.

    >>> _halving_weights(3), _halving_weights(4)
    ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 2.0])
    """
    return [float((place & -place).bit_length() - 1) for place in range(1, count + 1)]
