"""How well scores tell members from others: the area under the ROC curve, and true positives at few false ones.

The area is the chance that a random member scores higher than a random outsider, ties counting half; its interval is
that of Hanley and McNeil (1982). Few false positives matter more than the average: an attacker needs sure cases.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from anonnb.attacks.intervals import Interval, Z


def auc(inside: np.ndarray, outside: np.ndarray) -> float:
    """The area under the ROC curve.

    >>> auc(np.array([0.9, 0.8, 0.4]), np.array([0.7, 0.4]))
    0.75
    """
    order = np.sort(outside)
    below = np.searchsorted(order, inside, "left") + np.searchsorted(order, inside, "right")
    return float(below.sum() / (2 * len(inside) * len(outside)))


def auc_interval(area: float, n_inside: int, n_outside: int) -> Interval:
    """The 95 % interval of an area.

    >>> [round(end, 4) for end in auc_interval(0.5, 100, 100)]
    [0.4198, 0.5802]
    """
    both_inside, both_outside = area / (2 - area), 2 * area**2 / (1 + area)
    variance = (
        area * (1 - area) + (n_inside - 1) * (both_inside - area**2) + (n_outside - 1) * (both_outside - area**2)
    ) / (n_inside * n_outside)
    reach = Z * sqrt(max(variance, 0.0))
    return max(area - reach, 0.0), min(area + reach, 1.0)


def roc(inside: np.ndarray, outside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """False and true positive rates when everybody with at least a score is taken for a member, for every score.

    >>> [rates.round(2).tolist() for rates in roc(np.array([0.9, 0.4]), np.array([0.4]))]
    [[0.0, 0.0, 1.0], [0.0, 0.5, 1.0]]
    """
    scores = np.unique(np.concatenate([inside, outside]))[::-1]
    rates = [1 - np.searchsorted(np.sort(each), scores, "left") / len(each) for each in (outside, inside)]
    false, true = (np.concatenate([[0.0], rate]) for rate in rates)
    return false, true


def true_positives_at(share: float, inside: np.ndarray, outside: np.ndarray) -> float:
    """The largest true positive rate with at most this share of false positives.

    >>> true_positives_at(0.01, np.array([0.9, 0.8, 0.4]), np.array([0.7, 0.4]))
    0.6666666666666667
    """
    false, true = roc(inside, outside)
    return float(true[false <= share + 1e-12].max())
