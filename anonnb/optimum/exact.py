"""The cheapest grouping itself: the bound of the linear program, closed where that is possible (``closing``).

With further requirements every set of rows that meets them is tried, which only tiny tables allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.optimum.bounds import Bound, check_problem, first_groups
from anonnb.optimum.prices import Prices, refuse_limits
from anonnb.privacy import GroupCheck, Model
from anonnb.tables.table import Table

MOST_POINTS = 400  # different rows that column generation is tried for
MOST_WITH_MODELS = 12  # rows of a table with further requirements: every set of rows is looked at


@dataclass(frozen=True, eq=False)
class Optimum:
    """Best grouping known.

    Parameters
    ----------
    groups:
        The group of every row; -1 for withheld rows.
    proved:
        Whether no grouping is better, by more than rounding.
    bound:
        The lower bound of the linear program, with its certificate.
    least:
        No grouping loses less than this: the value itself where that is proved, else what the search had excluded when
        it gave up, at least the bound.

    Examples
    --------
    >>> import pandas as pd
    >>> found: Optimum = best(Table(pd.DataFrame({"age": [20, 20, 60, 60]}), quasi=["age"]), 2)
    >>> found.value, found.groups.tolist(), found.proved, found.least
    (0.0, [0, 0, 1, 1], True, 0.0)
    """

    value: float
    groups: np.ndarray = field(repr=False)
    proved: bool
    bound: Bound
    least: float


def best(
    table: Table, k: int, measure: str = "ncp", *, withhold: bool = False, require: Sequence[Model] = ()
) -> Optimum:
    """Find the cheapest grouping of a small table into groups of at least k rows.

    Where too many groups remain to be tried, the best grouping that was found is not ``proved``, and ``least`` says
    how much better another can be.

    Parameters
    ----------
    table, k, measure, withhold:
        As for :func:`bound`.
    require:
        Further privacy models that every group must satisfy; then the table may have at most 12 rows.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 21, 60, 61, 22, 62]}), quasi=["age"])
    >>> found = best(table, 3)
    >>> found.groups.tolist(), found.proved
    ([0, 0, 1, 1, 0, 1], True)
    """
    check_problem(table, k, measure)
    refuse_limits(table, measure)
    if measure == "discernibility":
        raise ValueError("discernibility depends on the sizes of groups alone, so that bound() is its optimum")
    costs = Prices.of(table, measure)
    if require or table.people_repeat:
        return _with_models(table, costs, k, withhold, require)
    if k == 1:
        every = Bound(measure, k, 0.0, np.zeros(len(table)), "columns", True, withhold, costs)
        return Optimum(0.0, np.arange(len(table)), True, every, 0.0)
    from anonnb.optimum.closing import closed  # needs numba, which takes a moment to import
    from anonnb.optimum.generation import Problem, generated

    problem = Problem(costs, k, withhold)
    points = len(problem.points.units)
    if points > MOST_POINTS:
        raise ValueError(
            f"the exact optimum is for tables of up to {MOST_POINTS} different rows; this one has {points:,}: use "
            "bound()"
        )

    start = first_groups(table, k)
    prepared = generated(problem, start)
    done = closed(problem, prepared, problem.groups_of(start))
    labels = problem.rows_of(done.groups)
    prices = np.minimum(prepared.prices, problem.withheld)[problem.point] * costs.scale
    proof = Bound(measure, k, float(prices.sum()), prices, "columns", prepared.exact, withhold, costs)
    value = float(costs.costs(labels).sum() + costs.withheld[labels < 0].sum()) * costs.scale
    lower_bound = value if done.proved else max(done.least * costs.scale, proof.value)
    return Optimum(value, _renumbered(labels), done.proved, proof, lower_bound)


def _renumbered(labels: np.ndarray) -> np.ndarray:
    """Number groups by their first rows; -1 stays."""
    order = {number: position for position, number in enumerate(dict.fromkeys(labels[labels >= 0].tolist()))}
    return np.array([order.get(label, -1) for label in labels.tolist()])


def _with_models(table: Table, costs: Prices, k: int, withhold: bool, require: Sequence[Model]) -> Optimum:
    """Search all sets of rows that satisfy the models, of any size, since splits may break a model."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    n = len(table)
    if n > MOST_WITH_MODELS:
        raise ValueError(
            f"with further requirements the optimum is for tables of up to {MOST_WITH_MODELS} rows, and this one has "
            f"{n:,}; use bound(), which holds with them too"
        )
    member = (np.arange(1, 1 << n)[:, None] >> np.arange(n)) & 1 == 1
    sets, rows = np.nonzero(member)
    good = GroupCheck(table, k, require)(sets, len(member), rows)
    total = np.array([costs.costs(np.where(each, 0, -1), 1)[0] for each in member[good]])
    matrix, price = member[good].T.astype(float), total
    if withhold:
        matrix, price = np.hstack([matrix, np.eye(n)]), np.append(total, costs.withheld)
    everybody = LinearConstraint(matrix, 1, 1)
    answer = (
        milp(price, integrality=np.ones(len(price)), bounds=Bounds(0, 1), constraints=everybody) if len(price) else None
    )
    if answer is None or answer.x is None:
        raise Infeasible("no partition of the rows meets the requirement; ask for less")
    labels = np.full(n, -1, dtype=np.int64)
    for number, index in enumerate(np.flatnonzero(answer.x[: len(total)] > 0.5)):
        labels[member[good][index]] = number
    value = float(answer.fun) * costs.scale
    none = Bound(costs.measure, k, 0.0, np.zeros(n), "nearest", False, withhold, costs)
    return Optimum(value, labels, True, none, value)
