"""How much ε a mechanism shows on two neighbouring inputs: a lower bound that holds with a given confidence.

Any event E has P(E | one) ≤ e^ε P(E | other) + δ. Half of the runs choose the event, a value above a threshold; the
other half bound its two probabilities (Clopper and Pearson 1934), so that choosing it costs no confidence.
"""

import numpy as np
from scipy.stats import beta


def epsilon_from_below(one: np.ndarray, other: np.ndarray, delta: float, miss: float = 0.001) -> float:
    """The ε that statistics of runs on two neighbours show; above the true one with a chance of ``miss`` at most."""
    half = min(len(one), len(other)) // 2
    thresholds = np.quantile(np.concatenate([one[:half], other[:half]]), np.linspace(0.02, 0.98, 97))
    best = (-np.inf, 0.0, 1)
    for sign in (1, -1):
        for threshold in thresholds:
            found = _bound(sign * one[:half], sign * other[:half], sign * threshold, delta, miss)
            best = max(best, (found, threshold, sign))
    _, threshold, sign = best
    return _bound(sign * one[half:], sign * other[half:], sign * threshold, delta, miss)


def _bound(one: np.ndarray, other: np.ndarray, threshold: float, delta: float, miss: float) -> float:
    ones, others = int((one >= threshold).sum()), int((other >= threshold).sum())
    least = beta.ppf(miss / 2, ones, len(one) - ones + 1) if ones else 0.0
    most = beta.ppf(1 - miss / 2, others + 1, len(other) - others) if others < len(other) else 1.0
    return float(np.log((least - delta) / most)) if least > delta else -np.inf
