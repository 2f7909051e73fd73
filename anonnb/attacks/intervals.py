"""95 % intervals of shares and of the excess of one share over another.

``wilson`` is the interval of a share (Wilson 1927), ``newcombe`` that of the difference of two. The excess of a success
over a control is 1 − (1 − success) / (1 − control). If all members of a release are attacked, their success is a count
and only the control is a sample: ``excess_of_release`` puts Wilson's limits of the control into the formula. If the
attacked people are a sample too, the excess is 1 minus a ratio of two shares: ``excess_of_sample`` uses the score
interval of that ratio (Miettinen and Nurminen 1985). ``mean_interval`` is the t interval of a mean over draws.

Reading: a count may be an expected value, such as the probabilities of many random picks, summed. A number between 0
and 1 varies at most as much as a share with the same mean, so the interval is then too wide rather than too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, isnan, nan, sqrt

import numpy as np

Z = 1.959964  # 95 % of a normal distribution lie within this many standard deviations

Interval = tuple[float, float]
UNKNOWN: Interval = (nan, nan)


def wilson(right: float, attempts: float) -> Interval:
    """Return the interval of a share; without attempts it is 0 to 1.

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
    center = share + square / (2 * attempts)
    reach = Z * sqrt(max(share * (1 - share), 0.0) / attempts + square / (4 * attempts * attempts))
    total = 1 + square / attempts
    low, high = max((center - reach) / total, 0.0), min((center + reach) / total, 1.0)
    return low if right > 0 else 0.0, high if right < attempts else 1.0  # without the last bit of a root


def newcombe(right: float, attempts: float, other_right: float, other_attempts: float) -> Interval:
    """Return the interval of the difference between two shares of different people (Newcombe 1998).

    >>> [round(end, 4) for end in newcombe(30, 100, 20, 100)]
    [-0.0202, 0.2167]
    """
    if attempts <= 0 or other_attempts <= 0:
        return -1.0, 1.0
    share, other = right / attempts, other_right / other_attempts
    (low, high), (other_low, other_high) = wilson(right, attempts), wilson(other_right, other_attempts)
    difference = share - other
    return difference - hypot(share - low, other_high - other), difference + hypot(high - share, other - other_low)


def excess(success: float, control: float) -> float:
    """Return how far a success is above a control, as a share of what was left to gain; nan if nothing was.

    >>> round(excess(0.3, 0.2), 4), excess(1.0, 1.0)
    (0.125, nan)
    """
    return nan if isnan(success) or isnan(control) or control >= 1 else 1 - (1 - success) / (1 - control)


def excess_of_release(success: float, control_right: float, control_attempts: float) -> Interval:
    """Return the interval of the excess when all members were attacked, so that only the control is a sample.

    >>> [round(end, 4) for end in excess_of_release(0.3, 20, 100)]
    [0.0157, 0.1923]
    """
    if control_attempts <= 0 or isnan(success):
        return UNKNOWN
    low, high = wilson(control_right, control_attempts)
    return (-inf if high >= 1 else excess(success, high)) if success < 1 else 1.0, excess(success, low)


def excess_of_sample(right: float, attempts: float, control_right: float, control_attempts: float) -> Interval:
    """Return the interval of the excess when the attacked people and the control are two samples.

    >>> [round(end, 4) for end in excess_of_sample(30, 100, 20, 100)]
    [-0.028, 0.262]
    """
    if attempts <= 0 or control_attempts <= 0 or isnan(right) or isnan(control_right):
        return UNKNOWN
    low, high = ratio_interval(attempts - right, attempts, control_attempts - control_right, control_attempts)
    return 1 - high, 1 - low


def ratio_interval(count: float, total: float, other_count: float, other_total: float) -> Interval:
    """Return the score interval of the ratio of two shares (Miettinen and Nurminen 1985).

    The limits are the ratios that a score test at the 5 % level does not reject. The upper one is infinite if the
    second count is 0.

    >>> [round(end, 4) for end in ratio_interval(70, 100, 80, 100)], ratio_interval(1, 10, 0, 10)[1]
    ([0.738, 1.028], inf)
    """
    both = total + other_total

    def score(ratio: float) -> float:
        """Return how many standard errors the counts are away from this ratio."""
        a, b, c = both * ratio, total * ratio + count + other_total + other_count * ratio, count + other_count
        other = (b - sqrt(max(b * b - 4 * a * c, 0.0))) / (2 * a)  # the second share, if the ratio is this one
        share = min(ratio * other, 1.0)
        variance = (share * (1 - share) / total + ratio * ratio * other * (1 - other) / other_total) * both / (both - 1)
        distance = count / total - ratio * other_count / other_total
        return 0.0 if distance == 0 else distance / sqrt(variance) if variance > 0 else inf * distance

    def limit(target: float) -> float:
        """Find by bisection where the score, which falls as the ratio grows, passes the target."""
        low, high = 1e-9, 1e9
        for _ in range(200):
            middle = sqrt(low * high)
            low, high = (middle, high) if score(middle) > target else (low, middle)
        return low

    low = 0.0 if count <= 0 else limit(Z)
    return low, inf if other_count <= 0 else limit(-Z)


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the t interval of a mean over draws; nan with fewer than two.

    >>> [round(end, 3) for end in mean_interval([1.0, 2.0, 3.0])], mean_interval([1.0])
    ([-0.484, 4.484], (nan, nan))
    """
    from scipy.stats import t

    known = np.asarray(values, dtype=np.float64)
    if len(known) < 2:
        return UNKNOWN
    reach = float(t.ppf(0.975, len(known) - 1) * known.std(ddof=1) / sqrt(len(known)))
    return float(known.mean()) - reach, float(known.mean()) + reach
