"""The gap between bound and optimum is closed without losing a grouping: no cut, and no filter, takes one away."""

import numpy as np
import pytest

from anonnb import optimum
from anonnb.optimum import closing
from anonnb.optimum.bounds import first_groups
from anonnb.optimum.generation import Problem, generated
from anonnb.optimum.pool import Pool, cheapest, solved
from anonnb.optimum.prices import Prices
from anonnb.optimum.rounding_cuts import RoundingCuts, any_sets, tightened, triples
from tests.optimum.test_bounds import PRICES, random_table

FINDERS = {"triples": triples, "any_sets": any_sets}


def problem_of(seed: int, rows: int, k: int, measure: str = "ncp"):
    """A problem, its solved program, and all groups within a fifth of the bound."""
    table = random_table(seed, rows)
    problem = Problem(Prices.of(table, measure), k)
    found = generated(problem, first_groups(table, k))
    return problem, found, Pool.up_to(problem, found.prices, 0.2 * found.bound, 100_000, 10_000_000)


@pytest.mark.parametrize("measure", PRICES)
def test_a_pool_prices_every_group_as_the_problem_does(measure):
    problem, found, pool = problem_of(1, 16, 3, measure)
    assert len(pool) > 10
    for number in range(len(pool)):
        assert pool.costs[number] == pytest.approx(problem.cost(pool.group(number)))
    reduced = pool.costs - found.prices @ pool.matrix
    assert reduced.max() <= 0.2 * found.bound + 1e-6


def test_a_program_over_a_pool_has_the_value_of_the_generated_one():
    problem, found, pool = problem_of(2, 20, 3)
    assert len(pool) > 10
    units = problem.points.units.astype(float)
    assert solved(pool, units, cheapest(pool, found.prices)[:5]).value == pytest.approx(found.bound, abs=1e-5)


@pytest.mark.parametrize("finder", FINDERS)
def test_no_grouping_breaks_a_cut_that_cuts_off_a_fractional_solution(finder):
    added = 0
    for seed in range(12):
        problem, found, pool = problem_of(seed, 24, 3)
        cuts, units = RoundingCuts(FINDERS[finder], 3), problem.points.units
        solution = solved(pool, units.astype(float), cheapest(pool, found.prices))
        if not cuts.add(pool, solution):
            continue
        added += len(cuts)
        assert (cuts.pieces(pool) @ solution.amounts > cuts.most(units) + 0.02).all()
        rng = np.random.default_rng(seed)
        for _ in range(20):
            groups = problem.groups_of(rng.permutation(np.arange(24) // 3))
            members = np.array([np.sort(group) for group in groups])
            any_pool = Pool.of(problem, members, np.full(8, 3))
            assert (np.asarray(cuts.pieces(any_pool).sum(axis=1)).ravel() <= cuts.most(units)).all()
    assert added > 10


@pytest.mark.parametrize("finder", FINDERS)
def test_tightening_keeps_a_grouping_of_the_total_that_it_is_given(finder):
    kept = 0
    for seed in range(6):
        problem, found, pool = problem_of(seed, 20, 3)
        best = optimum.best(random_table(seed, 20), 3)
        total = best.value / problem.prices.scale
        own = {tuple(np.sort(group).tolist()) for group in problem.groups_of(best.groups)}
        if total > 1.2 * found.bound or max(map(len, own)) > problem.most:
            continue  # the pool does not hold the grouping in the first place
        left, _ = tightened(pool, found.prices, total + 1e-6, FINDERS[finder])
        assert own <= {tuple(left.group(number).tolist()) for number in range(len(left))}
        kept += 1
    assert kept > 2


@pytest.mark.slow
def test_a_search_that_gives_up_says_so_and_what_it_has_excluded(monkeypatch):
    raised = 0
    for seed in range(8):
        table = random_table(seed, 20)
        best = optimum.best(table, 3)
        with monkeypatch.context() as patch:
            for name, value in (("FEW", 20), ("SOME", 20), ("MOST", 20)):
                patch.setattr(closing, name, value)
            found = optimum.best(table, 3)
        assert best.proved
        assert best.least == best.value
        assert found.bound.value <= found.least <= best.value + 1e-9 <= found.value + 2e-9
        assert found.proved == (found.least == found.value)
        raised += not found.proved and found.least > found.bound.value + 1e-6
    assert raised > 0
