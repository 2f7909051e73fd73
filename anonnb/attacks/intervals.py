"""95 % intervals of shares and of their differences (Wilson 1927; Newcombe 1998, the hybrid score interval).

Both stay within the possible, also for 0 of 20, and are wide where numbers are small. Reading: a count may be an
expected value, such as the chance of each of many random picks, summed. A number between 0 and 1 varies at most as much
as a share with the same mean does, so the interval is then too wide rather than too narrow.
"""

from __future__ import annotations

from math import hypot, sqrt

Z = 1.959964  # 95 % of a normal distribution lie within this many standard deviations

Interval = tuple[float, float]


def wilson(right: float, attempts: float) -> Interval:
    """Give the interval of a share; where nothing was attempted it is 0 to 1.

    Parameters
    ----------
    right, attempts:
        How many of how many succeeded; both may be expected values.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(10, 100)], [round(end, 4) for end in wilson(0, 20)], wilson(0, 0)
    ([0.0552, 0.1744], [0.0, 0.1611], (0.0, 1.0))
    """
    if attempts <= 0:
        return 0.0, 1.0
    share, square = right / attempts, Z * Z
    middle = share + square / (2 * attempts)
    reach = Z * sqrt(max(share * (1 - share), 0.0) / attempts + square / (4 * attempts * attempts))
    whole = 1 + square / attempts
    return max((middle - reach) / whole, 0.0), min((middle + reach) / whole, 1.0)


def newcombe(right: float, attempts: float, other_right: float, other_attempts: float) -> Interval:
    """Give the interval of the difference between two shares of different people.

    Parameters
    ----------
    right, attempts:
        How many of how many succeeded; both may be expected values.
    other_right, other_attempts:
        The same of the other people.

    Returns
    -------
    Interval
        The lower and the upper end of the first share less the second.

    Examples
    --------
    >>> [round(end, 4) for end in newcombe(30, 100, 20, 100)]
    [-0.0202, 0.2167]
    """
    if attempts <= 0 or other_attempts <= 0:
        return -1.0, 1.0
    share, other = right / attempts, other_right / other_attempts
    (low, high), (other_low, other_high) = wilson(right, attempts), wilson(other_right, other_attempts)
    difference = share - other
    return difference - hypot(share - low, other_high - other), difference + hypot(high - share, other - other_low)
