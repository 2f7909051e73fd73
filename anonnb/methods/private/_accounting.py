"""The account of a privacy budget, kept by OpenDP: what is asked about rows, with how much noise, until all is spent.

Zero-concentrated differential privacy (Bun and Steinke 2016): budgets ρ add up. Neighbours differ by one row, or by the
rows of one person. Noise, its scale, composition and the conversion from (ε, δ) are OpenDP's; how far one row moves the
counts that are asked for is stated here, as OpenDP cannot know it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np

from anonnb.core.extras import needs

needs("anonnb.methods.private", "private", "opendp")

import opendp.prelude as dp  # noqa: E402  only after needs() has reported its absence

# "contrib": what was not proved line by line; "honest-but-curious": functions of ours, such as how rows are counted
dp.enable_features("contrib", "honest-but-curious")

Rows = np.ndarray  # rows × columns: the cell of every row in every column
GRAIN = 1000  # scores are whole thousandths of a row, so that a row's effect on them is exact
_SCALES = (1e-9, 1e15)  # limits of the search for the noise


@cache
def _space() -> tuple[dp.Domain, dp.Metric]:
    """Return the domain, rows of cell numbers, and the metric: how many rows only one of two tables has."""
    return dp.user_domain("rows of cells", lambda rows: isinstance(rows, np.ndarray)), dp.symmetric_distance()


@cache
def _measure() -> dp.Measure:
    return dp.zero_concentrated_divergence()


@lru_cache(maxsize=256)
def budget_of(epsilon: float, delta: float, shares: tuple[float, ...] = (1.0,)) -> float:
    """Return the largest ρ whose shares together are (ε, δ)-differentially private, by OpenDP's conversion.

    >>> round(budget_of(1.0, 1e-6), 4)
    0.0244
    """

    def enough(rho: float) -> bool:
        return loss_of([rho * share for share in shares], delta) <= epsilon

    return dp.binary_search(enough, bounds=(epsilon * 1e-12, float(epsilon)))  # ρ is below ε


def loss_of(parts: Sequence[float], delta: float) -> float:
    """Return the ε, at a given δ, of several parts of a budget together."""
    together = dp.c.make_adaptive_composition(*_space(), _measure(), 1, list(parts))
    return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(together), delta).map(1)[0]


class Account:
    """Answers ``len(parts)`` questions about rows, the i-th at the price ``parts[i]``; OpenDP refuses any more.

    ``spent`` is the ρ of all of them for neighbors that differ by ``apart`` rows.
    """

    def __init__(self, rows: Rows, parts: Sequence[float], apart: int = 1):
        composition = dp.c.make_adaptive_composition(*_space(), _measure(), apart, list(parts))
        self.spent = composition.map(apart)
        self._ask, self._parts, self._apart = composition(rows), list(parts), apart

    def counts(self, count: Callable[[Rows], np.ndarray], tables: int) -> tuple[np.ndarray, float]:
        """Noisy counts, and the standard deviation of the noise; every row is counted once in each of the tables."""
        scale = gaussian_scale(self._parts.pop(0), tables, self._apart)
        exact = _counting(lambda rows: count(rows).tolist(), tables)
        return np.array(self._ask(exact >> dp.m.then_gaussian(scale)), dtype=np.int64), scale

    def choice(self, score: Callable[[Rows], np.ndarray]) -> int:
        """Choose a high score by the exponential mechanism; a row moves each score by at most ``GRAIN``."""
        scale = choice_scale(self._parts.pop(0), self._apart)
        exact = _scoring(lambda rows: score(rows).tolist())
        return int(self._ask(exact >> dp.m.then_noisy_max(_measure(), scale)))


def _counting(count: Callable, tables: int) -> dp.Transformation:
    """Adding or removing a row changes one count of each table: by √tables in Euclidean distance."""
    each = math.nextafter(math.sqrt(tables), math.inf)
    numbers = dp.vector_domain(dp.atom_domain(T="i64"))
    distance = dp.l2_distance(T="f64")
    return dp.t.make_user_transformation(*_space(), numbers, distance, count, lambda rows: rows * each)


def _scoring(score: Callable) -> dp.Transformation:
    numbers = dp.vector_domain(dp.atom_domain(T="i64"))
    distance = dp.linf_distance(T="i64")
    return dp.t.make_user_transformation(*_space(), numbers, distance, score, lambda rows: rows * GRAIN)


@lru_cache(maxsize=256)
def gaussian_scale(part: float, tables: int, apart: int = 1) -> float:
    """Find the least noise with which counts cost no more than a part of the budget.

    Parameters
    ----------
    part:
        The price of the answer: its part of the budget, as ρ of zero-concentrated differential privacy.
    tables:
        In how many tables each row is counted once.
    apart:
        By how many rows neighboring tables differ.

    Returns
    -------
    float
        The scale of the discrete Gaussian noise, about its standard deviation.

    Examples
    --------
    >>> round(gaussian_scale(0.1, tables=1), 3), round(gaussian_scale(0.1, tables=4), 3)
    (2.236, 4.472)
    """
    exact = _counting(lambda rows: [0], tables)
    return dp.binary_search_param(lambda scale: exact >> dp.m.then_gaussian(scale), apart, part, bounds=_SCALES)


@lru_cache(maxsize=256)
def choice_scale(part: float, apart: int = 1) -> float:
    """Find the least noise with which a choice costs no more than a part of the budget.

    Parameters
    ----------
    part:
        The price of the answer: its part of the budget, as ρ of zero-concentrated differential privacy.
    apart:
        By how many rows neighboring tables differ.

    Examples
    --------
    >>> round(choice_scale(0.1), 1), round(choice_scale(0.1, apart=2), 1)
    (2236.1, 4472.1)
    """
    exact = _scoring(lambda rows: [0])
    return dp.binary_search_param(lambda s: exact >> dp.m.then_noisy_max(_measure(), s), apart, part, bounds=_SCALES)
