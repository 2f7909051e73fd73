"""What is asked about the rows, and for how much of the budget: columns, the tree of pairs, the pairs.

A third each (McKenna, Miklau and Sheldon 2021). Reading chosen: the choice among one pair costs nothing, so two columns
share the budget by halves, and a single column gets all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonnb.methods.private.fitting import fitted_margins
from anonnb.methods.private.marginals import Edge, all_two_way, misfit, one_way, spanning_tree


@dataclass(frozen=True, eq=False)
class Answers:
    """What was answered, with noise: all that is known from here on.

    ``margins`` are non-negative counts of each column that add up to ``total``, ``tables`` the noisy counts of each
    pair of the tree. ``spent`` is the ρ of everything, ``budget`` that of each kind of question, ``noise`` the standard
    deviations.
    """

    margins: list[np.ndarray]
    tables: dict[Edge, np.ndarray]
    total: float
    spent: float
    budget: dict[str, float]
    noise: dict[str, float]


def budget_shares(columns: int) -> dict[str, tuple[float, ...]]:
    """Return the share of the budget that each question costs.

    >>> {what: len(parts) for what, parts in budget_shares(5).items()}
    {'columns': 1, 'tree': 4, 'pairs': 1}
    """
    if columns == 1:
        return {"columns": (1.0,)}
    if columns == 2:
        return {"columns": (1 / 2,), "pairs": (1 / 2,)}
    return {"columns": (1 / 3,), "tree": (1 / 3 / (columns - 1),) * (columns - 1), "pairs": (1 / 3,)}


def noise_of_counts(rho: float, tables: int = 1, apart: int = 1) -> float:
    """Return the Gaussian noise with which counts cost a share of the budget.

    Parameters
    ----------
    rho:
        The share, in zero-concentrated differential privacy.
    tables:
        How many tables of counts are asked for together; a row is counted once in each.
    apart:
        By how many rows neighbors differ.

    Returns
    -------
    float
        Its standard deviation, in rows.

    Examples
    --------
    >>> round(noise_of_counts(0.01, tables=8), 3)
    20.0
    """
    from anonnb.methods.private._accounting import gaussian_scale

    return gaussian_scale(rho, tables, apart)


def noise_of_choice(rho: float, apart: int = 1) -> float:
    """Return the noise with which a choice by the exponential mechanism costs a share of the budget.

    Parameters
    ----------
    rho:
        The share, in zero-concentrated differential privacy.
    apart:
        By how many rows neighbors differ.

    Returns
    -------
    float
        Its scale s, in rows: a choice is taken with a probability proportional to exp(score / s).

    Examples
    --------
    >>> round(noise_of_choice(0.01), 3)
    7.071
    """
    from anonnb.methods.private._accounting import GRAIN, choice_scale

    return choice_scale(rho, apart) / GRAIN


def measured(rows: np.ndarray, sizes: list[int], epsilon: float, delta: float, apart: int) -> Answers:
    """Ask about rows of cell numbers, ``sizes[i]`` of them in column i; neighbors are ``apart`` rows apart."""
    from anonnb.methods.private._accounting import GRAIN, Account, budget_of

    shares = budget_shares(len(sizes))
    rho = budget_of(epsilon, delta, tuple(share for each in shares.values() for share in each))
    account = Account(rows, [rho * share for each in shares.values() for share in each], apart)
    counts, spread = account.counts(lambda given: one_way(given, sizes), len(sizes))
    columns, noise = np.split(counts.astype(float), np.cumsum(sizes)[:-1]), {"columns": spread}
    margins, total = fitted_margins(columns, spread)
    edges = spanning_tree(len(sizes), account.choice, misfit(margins, total, GRAIN))
    tables: dict[Edge, np.ndarray] = {}
    if edges:
        counts, noise["pairs"] = account.counts(lambda given: all_two_way(given, sizes, edges), len(edges))
        tables = _split(counts.astype(float), edges, sizes)
        margins, total = fitted_margins(columns, spread, tables, noise["pairs"])
    budget = {what: rho * sum(each) for what, each in shares.items()}
    return Answers(margins, tables, total, account.spent, budget, noise)


def _split(counts: np.ndarray, edges: list[Edge], sizes: list[int]) -> dict[Edge, np.ndarray]:
    """Return the counts of several pairs, each as a table."""
    shapes = [(sizes[first], sizes[second]) for first, second in edges]
    ends = np.cumsum([first * second for first, second in shapes])[:-1]
    return {edge: part.reshape(shape) for edge, part, shape in zip(edges, np.split(counts, ends), shapes, strict=True)}
