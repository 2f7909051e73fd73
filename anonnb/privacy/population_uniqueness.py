"""Who is unique in the population, estimated from a sample: with weights after Benedetti and Franconi (1998), with a
sampling fraction by Pitman's model (Hoshino 2001), the slide negative binomial (Chen and Keller-McNulty 1998) or
Zayatz (1991), chosen by the rule of Dankar, El Emam, Neisa and Roffey (2012); each result names the one used.

Readings: the rule takes Pitman up to a fraction of 0.1 and the smaller of SNB and Zayatz above it; where a model cannot
be fitted, Zayatz. For Pitman the expected number of uniques is exact for the fitted model, not the limit N^α. How close
the estimates are depends on the population: for samples of 5 % of Adult the chance is off by up to 0.2, for 20 % by at
most 0.05; where classes are about equally large, uniques are overestimated many times.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

SMALL_FRACTION = 0.1  # up to here the rule takes Pitman's model
SERIES_TERMS = 80  # the error is then below 1e-14
BENEDETTI_FRANCONI = "Benedetti and Franconi 1998, by sampling weights"
PITMAN, SNB, ZAYATZ = "Pitman's model", "slide negative binomial model", "Zayatz 1991"


@dataclass(frozen=True)
class UniquenessEstimate:
    """Estimate of how many people who are unique in a sample are unique in the population.

    Parameters
    ----------
    population:
        The estimated number of people in the population.
    unique_here:
        How many are unique in the sample.
    unique_there:
        How many of those are expected to be unique in the population too.
    risk:
        The mean over the sample of a person's chance of being found in the population, E(1 / F); NaN without weights.

    Examples
    --------
    >>> UniquenessEstimate("Zayatz 1991", population=28.0, unique_here=4, unique_there=1.0).chance
    0.25
    """

    estimator: str
    population: float
    unique_here: int
    unique_there: float
    risk: float = float("nan")

    @property
    def chance(self) -> float:
        """Probability that somebody unique in the sample is unique in the population; NaN if nobody is."""
        return self.unique_there / self.unique_here if self.unique_here else float("nan")


def from_weights(sizes: np.ndarray, estimated: np.ndarray) -> UniquenessEstimate:
    """Estimate from people per class in the sample and the sum of their weights, the people in the population.

    Under the model of :func:`weighted_risk` a class of one is unique with probability p = 1 / (its weight).

    Worked example: two people alone in their classes stand for 2 and 4 people: ½ + ¼ are unique in the population.

    >>> found = from_weights(np.array([1, 1]), np.array([2.0, 4.0]))
    >>> found.unique_there, found.chance, round(found.risk, 3)
    (0.75, 0.375, 0.578)
    """
    share = np.minimum(sizes / estimated, 1.0)
    single = sizes == 1
    risk = weighted_risk(sizes, estimated)
    return UniquenessEstimate(
        BENEDETTI_FRANCONI,
        float(estimated.sum()),
        int(single.sum()),
        float(share[single].sum()),
        float(risk @ sizes / sizes.sum()) if len(sizes) else float("nan"),
    )


def weighted_risk(count: ArrayLike, weight_sum: ArrayLike) -> np.ndarray:
    """Return each class's risk from survey weights, E(1 / F) (Benedetti and Franconi 1998); less is better.

    f sampled people stand for an unknown number F in the population, f plus a negative binomial number of failures with
    p = f / (sum of the weights), and r = (p / f) · ₂F₁(1, 1; f + 1; 1 − p). It is usually too low, a quarter to a half
    of the truth on realistic keys, because it presumes that most classes of the population are rare.

    Worked example: one person who stands for two has p = ½ and r = p / (1 − p) · ln(1 / p) = ln 2 = 0.693.

    Parameters
    ----------
    count, weight_sum:
        For each class its people in the sample, whole numbers of at least 1, and the sum of their weights. A sum below
        the count is taken as the count: the class is then the whole of its population, and r = 1 / f.

    Examples
    --------
    >>> weighted_risk([1, 2, 4], [2, 100, 4]).round(4).tolist()
    [0.6931, 0.0188, 0.25]
    """
    f, total = np.atleast_1d(np.asarray(count)).astype(np.int64), np.atleast_1d(np.asarray(weight_sum, dtype=float))
    if (f < 1).any() or (f != np.atleast_1d(np.asarray(count))).any():
        raise ValueError("count: a class has whole numbers of people, 1 or more")
    if not (total > 0).all():
        raise ValueError("weight_sum: the weights of a class must add up to a number above 0")
    p = np.minimum(f / total, 1.0)
    series = (p >= 0.5) | (f >= 30)  # the recurrence explodes here, and the series needs few terms
    risk = np.empty(len(f))
    risk[series] = _risk_by_series(f[series], p[series])
    risk[~series] = _risk_by_recurrence(f[~series], p[~series])
    return risk


def _risk_by_series(f: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Sum (p / f) Σ t_j with t_0 = 1 and t_{j+1} = t_j · (1 − p)(j + 1) / (f + 1 + j)."""
    term, total = np.ones(len(f)), np.ones(len(f))
    for j in range(SERIES_TERMS):
        term = term * (1 - p) * (j + 1) / (f + 1 + j)
        total += term
    return p / f * total


def _risk_by_recurrence(f: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Start with r_1 = −(p / q) ln p and take r_{g+1} = (p / q)(1 / g − r_g)."""
    odds = p / (1 - p)
    risk = -odds * np.log(p)
    for g in range(1, int(f.max(initial=1))):
        risk = np.where(f > g, odds * (1 / g - risk), risk)
    return risk


def from_fraction(sizes: np.ndarray, fraction: float) -> UniquenessEstimate:
    """Estimate from people per class and the fraction of the population that the sample is, by Dankar's rule.

    >>> found = from_fraction(np.array([1, 1, 1, 1, 2, 3, 5]), 0.5)
    >>> found.estimator
    'Zayatz 1991, by Dankar et al. 2012 at a sampling fraction of 0.5'
    >>> found.population, found.unique_here, round(found.unique_there, 2)
    (28.0, 4, 2.62)
    """
    size, classes = np.unique(np.asarray(sizes, dtype=np.int64), return_counts=True)
    name, uniques = _by_rule(size, classes, fraction)
    total = float(size @ classes)
    single = int(classes[size == 1].sum())
    return UniquenessEstimate(
        f"{name}, by Dankar et al. 2012 at a sampling fraction of {fraction:g}",
        total / fraction,
        single,
        float(min(uniques * fraction, single)),
    )


def _by_rule(size: np.ndarray, classes: np.ndarray, fraction: float) -> tuple[str, float]:
    """Return the estimator of the rule, and its number of uniques in the population."""
    plain = zayatz(size, classes, fraction)
    if not (size == 1).any() or (size == 1).all():  # nothing that a model could be fitted to
        return ZAYATZ, plain
    if fraction <= SMALL_FRACTION:
        uniques = pitman(size, classes, fraction)
        return (PITMAN, uniques) if np.isfinite(uniques) else (ZAYATZ, plain)
    uniques = slide_negative_binomial(size, classes, fraction)
    return (SNB, uniques) if np.isfinite(uniques) and uniques <= plain else (ZAYATZ, plain)


def zayatz(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """Return uniques in the population after Zayatz, from how many ``classes`` of the sample have each ``size``.

    Assumes the sample's class sizes for the population: of all classes that could leave one row in the sample, drawn
    without replacement, it counts those that have no other row.
    """
    from scipy.special import gammaln

    rows = float(size @ classes)
    people = rows / fraction
    # ln C(N − i, n − 1) − ln C(N − 1, n − 1), with i the size; nothing is left to draw from beyond N − n + 1
    left = people - size - rows + 1
    possible = left > -0.5
    left = np.maximum(left, 0.0)
    log = gammaln(people - size + 1) - gammaln(left + 1) - gammaln(people) + gammaln(people - rows + 1)
    chance = np.where(possible, size * np.exp(log), 0.0)
    single = float(classes[size == 1].sum())
    reached = float(chance @ classes)
    return single * single / reached / fraction if reached > 0 else 0.0


def pitman(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """Return uniques in the population under the Ewens–Pitman sampling formula, fitted by maximum likelihood.

    ln L = Σ ln(θ + iα) over i < u, − Σ ln(θ + i) over i < n, + Σ over classes of Σ ln(j − α) over j < size; the
    expected number of uniques among N is N · Γ(θ + 1) Γ(θ + α + N − 1) / (Γ(θ + α) Γ(θ + N)). NaN: no fit.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    rows, count = float(size @ classes), float(classes.sum())

    def read(values: np.ndarray) -> tuple[float, float]:
        alpha = float(np.clip(expit(values[0]), 1e-6, 1 - 1e-6))
        return alpha, float(np.exp(np.clip(values[1], -30, 30))) - alpha  # θ > −α

    def loss(values: np.ndarray) -> float:
        alpha, theta = read(values)
        steps = (count - 1) * np.log(alpha) + gammaln(theta / alpha + count) - gammaln(theta / alpha + 1)
        within = float(classes @ (gammaln(size - alpha) - gammaln(1 - alpha)))
        return -(steps - gammaln(theta + rows) + gammaln(theta + 1) + within)

    starts = [np.array([first, np.log(count) + second]) for first in (-2.0, 0.0, 2.0) for second in (-2.0, 1.0)]
    options = {"maxiter": 2000, "xatol": 1e-6, "fatol": 1e-8}
    best = minimize(loss, min(starts, key=loss), method="Nelder-Mead", options=options)
    alpha, theta = read(best.x)
    people = rows / fraction
    log = gammaln(theta + 1) + gammaln(theta + alpha + people - 1) - gammaln(theta + alpha) - gammaln(theta + people)
    return float(people * np.exp(log)) if best.success else float("nan")


def slide_negative_binomial(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """Return uniques in the population if class sizes are 1 plus a negative binomial number: K · β^α. NaN: no fit.

    K, the number of classes in the population, is Haas and Stokes' form of Shlosser's estimator (1998); α and β are
    those for which the expected numbers of classes with one and with two rows in the sample are the observed ones.
    """
    from scipy.optimize import least_squares
    from scipy.special import expit

    wanted = np.array([classes[size == 1].sum(), classes[size == 2].sum()], dtype=float)
    if fraction >= 1 or not wanted.all():
        return float("nan")
    total = _shlosser(size, classes, fraction)

    def read(values: np.ndarray) -> tuple[float, float]:
        return float(np.exp(np.clip(values[0], -20, 20))), float(expit(values[1]))

    def misfit(values: np.ndarray) -> np.ndarray:
        alpha, beta = read(values)
        kept = 1 - (1 - fraction) * (1 - beta)
        away = (1 - kept) / kept
        power = np.exp(alpha * (np.log(beta) - np.log(kept)))
        one = fraction * power * (1 + alpha * away)
        two = fraction**2 / 2 * power * alpha * (1 - beta) / kept * (2 + (alpha + 1) * away)
        return total * np.array([one, two]) / wanted - 1

    starts = [np.array([first, second]) for first in (-4.0, -2.0, 0.0, 2.0) for second in (-4.0, -1.0, 1.0)]
    best = least_squares(misfit, min(starts, key=lambda start: float(np.abs(misfit(start)).max())))
    alpha, beta = read(best.x)
    return float(total * beta**alpha) if np.abs(best.fun).max() < 1e-3 else float("nan")


def _shlosser(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """Return the number of classes in the population, the seen ones included."""
    missed = (1 - fraction) ** size
    above = size * fraction**2 * (1 - fraction**2) ** (size - 1) @ classes
    below = missed * ((1 + fraction) ** np.minimum(size, 1000) - 1) @ classes
    ratio = (missed @ classes) / (size * fraction * (1 - fraction) ** (size - 1) @ classes)
    return float(classes.sum() + classes[size == 1].sum() * above / below * ratio**2)
