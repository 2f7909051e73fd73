"""Integer programs: whole unknowns between limits, linear constraints on them, solved by HiGHS or by CP-SAT.

HiGHS comes with scipy (branch and bound on linear programs), CP-SAT with OR-tools (clause learning). Both are exact and
give the same optimum; which of several optima each of them finds may differ, but is the same every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.core.extras import needs

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver
    from scipy.optimize import LinearConstraint

Integers = Sequence[int] | np.ndarray

SOLVERS = {"highs": "scipy's HiGHS", "cp-sat": "OR-tools' CP-SAT"}
EFFORT = {"highs": 200_000, "cp-sat": 300.0}  # nodes, or deterministic time: no clock, so a result is the same again


class Program:
    """Whole unknowns and linear constraints on them.

    >>> program = Program()
    >>> coins = program.unknowns(3, 0, 9)
    >>> program.add(coins, [1, 2, 5], 11, 11)
    >>> program.least([1, 1, 1]).tolist()
    [1, 0, 2]
    >>> program.add(coins, [1, 0, 0], 10, None)
    >>> program.least([1, 1, 1]) is None
    True
    """

    def __init__(self, solver: str = "highs", whole: bool = True):
        self.solver, self.whole = solver, whole  # without whole numbers HiGHS solves the linear program
        self._lower, self._upper = np.zeros(0), np.zeros(0)
        self._constraints: list[tuple[np.ndarray, np.ndarray, float, float]] = []
        self._demands: LinearConstraint | None = None  # the constraints as HiGHS takes them, until there are more

    def unknowns(self, count: int, lower: int | np.ndarray, upper: int | np.ndarray) -> np.ndarray:
        """New unknowns between limits; their places."""
        self._demands = None
        places = np.arange(len(self._lower), len(self._lower) + count)
        self._lower = np.append(self._lower, np.broadcast_to(lower, count))
        self._upper = np.append(self._upper, np.broadcast_to(upper, count))
        return places

    def add(self, places: Integers, weights: Integers, least: int | None, most: int | None) -> None:
        """Demand a weighted sum between two limits; None: no limit."""
        ends = -np.inf if least is None else least, np.inf if most is None else most
        self._constraints.append((np.asarray(places), np.asarray(weights), *ends))
        self._demands = None

    def extended(self) -> Program:
        """The same program, to which more can be added without changing this one."""
        other = copy(self)
        other._constraints = list(self._constraints)
        return other

    def least(self, weights: Integers = ()) -> np.ndarray | None:
        """Unknowns that fit and make the weighted sum of the first ones smallest; None where nothing fits."""
        goal = np.zeros(len(self._lower))
        goal[: len(weights)] = weights
        return self._by_cp_sat(goal) if self.solver == "cp-sat" else self._by_highs(goal)

    def _by_highs(self, goal: np.ndarray) -> np.ndarray | None:
        from scipy.optimize import Bounds, milp

        if self._demands is None:
            self._demands = self._linear_constraint()
        found = milp(
            goal,
            integrality=np.full(len(goal), int(self.whole)),
            bounds=Bounds(self._lower, self._upper),
            constraints=self._demands,
            options={"mip_rel_gap": 0.0, "node_limit": EFFORT["highs"]},
        )
        if found.status == 2:
            return None
        if found.status != 0:
            raise gave_up("HiGHS")
        return np.round(found.x).astype(np.int64) if self.whole else found.x

    def _linear_constraint(self) -> LinearConstraint:
        from scipy.optimize import LinearConstraint
        from scipy.sparse import csr_array

        starts = np.cumsum([0, *(len(places) for places, *_ in self._constraints)])
        cells = [
            np.concatenate([np.zeros(0), *part])
            for part in ([c[1] for c in self._constraints], [c[0] for c in self._constraints])
        ]
        matrix = csr_array(
            (cells[0], cells[1].astype(np.int64), starts), shape=(len(self._constraints), len(self._lower))
        )
        limits = np.array([ends for *_, low, high in self._constraints for ends in (low, high)]).reshape(-1, 2)
        return LinearConstraint(matrix, limits[:, 0], limits[:, 1])

    def _by_cp_sat(self, goal: np.ndarray) -> np.ndarray | None:
        cp_model = load_cp_sat()
        model = cp_model.CpModel()
        unknowns = [
            model.new_int_var(int(low), int(high), "") for low, high in zip(self._lower, self._upper, strict=True)
        ]

        def total(places: Integers | range, weights: np.ndarray) -> Any:
            return cp_model.LinearExpr.weighted_sum([unknowns[place] for place in places], [int(w) for w in weights])

        for places, weights, low, high in self._constraints:
            ends = int(max(low, -(2**40))), int(min(high, 2**40))
            model.add_linear_constraint(total(places, weights), *ends)
        if goal.any():
            model.minimize(total(range(len(goal)), goal))
        solved = solve_cp_sat(model)
        return None if solved is None else np.array([solved.value(unknown) for unknown in unknowns], dtype=np.int64)


def load_cp_sat() -> Any:
    """Import OR-tools' module for CP-SAT, or raise an error that says how to install it."""
    needs("the solver CP-SAT", "solver", "ortools")
    from ortools.sat.python import cp_model

    return cp_model


def solve_cp_sat(model: CpModel) -> CpSolver | None:
    """Return a solver that holds an optimal solution of the model, or None if there is none."""
    cp_model = load_cp_sat()
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, 0
    solver.parameters.max_deterministic_time = EFFORT["cp-sat"]
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:  # without a goal, any solution is
        raise gave_up("CP-SAT")
    return solver


def gave_up(solver: str) -> Infeasible:
    """Return the error for a search that took too long."""
    return Infeasible(
        f"{solver} gave up its search for a table that fits; try the other solver, or give fewer counts at a time"
    )
