"""The gap between bound and optimum is closed without losing a grouping: no cut, and no filter, takes one away."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import optimum
from anonnb.optimum import closing
from anonnb.optimum.bounds import first_groups
from anonnb.optimum.closing import Covers
from anonnb.optimum.generation import Pool, Problem, generated
from anonnb.optimum.prices import Prices
from anonnb.optimum.rounding_cuts import RoundingCuts, cheapest, solved, tightened
from tests.optimum.test_bounds import PRICES, random_table


def problem_of(seed: int, rows: int, k: int, measure: str = "ncp", withhold: bool = False):
    """A problem, its solved program, and all groups within a fifth of the bound."""
    table = random_table(seed, rows)
    problem = Problem(Prices.of(table, measure), k, withhold)
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
    _, found, pool = problem_of(2, 20, 3)
    assert len(pool) > 10
    assert solved(pool, cheapest(pool, found.prices)[:5]).value == pytest.approx(found.bound, abs=1e-5)


def pieces_by_hand(cuts: RoundingCuts, members: np.ndarray) -> np.ndarray:
    """What one group has in every cut."""
    return np.array([cut[members].sum() // by for cut, by in zip(cuts.weights, cuts.divisors, strict=True)])


@pytest.mark.slow
def test_no_grouping_breaks_a_cut_that_cuts_off_a_fractional_solution():
    added = 0
    for seed in range(12):
        problem, found, pool = problem_of(seed, 24, 3)
        cuts = RoundingCuts(problem.points.units, 3)
        solution = solved(pool, cheapest(pool, found.prices))
        if not cuts.add(pool, solution):
            continue
        added += len(cuts)
        pieces = cuts.pieces(pool, np.arange(len(pool)))
        for number in range(0, len(pool), 50):
            assert np.array_equal(pieces[:, [number]].toarray().ravel(), pieces_by_hand(cuts, pool.group(number)))
        assert (pieces @ solution.amounts > cuts.most() + 0.02).all()
        rng = np.random.default_rng(seed)
        for _ in range(20):
            groups = problem.groups_of(rng.permutation(np.arange(24) // 3))
            assert (sum(pieces_by_hand(cuts, members) for members in groups) <= cuts.most()).all()
    assert added > 10


def test_a_cut_charges_every_group_that_a_total_leaves():
    problem, found, pool = problem_of(3, 24, 3)
    cuts = RoundingCuts(problem.points.units, 3)
    assert cuts.add(pool, solved(pool, cheapest(pool, found.prices)))
    fines, reduced = np.arange(len(cuts)) / 7, pool.costs - found.prices @ pool.matrix
    middle, charged = float(np.median(reduced)), reduced.copy()
    cuts.charge(pool, fines, middle, charged)
    wanted = reduced + fines @ cuts.pieces(pool, np.arange(len(pool)))
    assert charged == pytest.approx(np.where(reduced <= middle, wanted, reduced))


def test_groups_are_listed_with_what_cuts_charge():
    problem, found, pool = problem_of(3, 24, 3)
    cuts, limit = RoundingCuts(problem.points.units, 3), 0.1 * found.bound
    assert cuts.add(pool, solved(pool, cheapest(pool, found.prices)))
    fines, reduced = np.full(len(cuts), limit / 3), pool.costs - found.prices @ pool.matrix
    cuts.charge(pool, fines, np.inf, reduced)
    few = Pool.up_to(problem, found.prices, limit, 100_000, 10_000_000, cuts.charges(fines))
    wanted = {tuple(pool.group(number).tolist()) for number in np.flatnonzero(reduced <= limit)}
    assert {tuple(few.group(number).tolist()) for number in range(len(few))} == wanted
    assert 0 < len(few) < (pool.costs - found.prices @ pool.matrix <= limit).sum()


@pytest.mark.slow
def test_tightening_keeps_a_grouping_of_the_total_that_it_is_given_and_its_surpluses_are_in_the_total():
    kept = 0
    for seed in range(6):
        problem, found, pool = problem_of(seed, 20, 3)
        best = optimum.best(random_table(seed, 20), 3)
        total = best.value / problem.prices.scale
        own = {tuple(np.sort(group).tolist()) for group in problem.groups_of(best.groups)}
        if total > 1.2 * found.bound or max(map(len, own)) > problem.most:
            continue  # the pool does not hold the grouping in the first place
        left = tightened(pool, found.prices, total + 1e-6, RoundingCuts(problem.points.units, 3))
        numbers = {tuple(left.pool.group(number).tolist()): number for number in range(len(left.pool))}
        assert own <= set(numbers)
        assert left.bound + left.surplus[[numbers[group] for group in own]].sum() <= total + 1e-6
        assert left.bound >= found.bound - 1e-6
        kept += 1
    assert kept > 2


def cheapest_by_hand(problem: Problem, pool: Pool) -> float:
    """The cost of the cheapest cover: the first unit that is left is in some group, or withheld."""
    groups = [np.bincount(pool.group(number), minlength=len(problem.points.units)) for number in range(len(pool))]
    known = {}

    def least(left: tuple[int, ...]) -> float:
        if not any(left):
            return 0.0
        if left not in known:
            units, first = np.array(left), int(np.flatnonzero(left)[0])
            alone = tuple((units - (np.arange(len(units)) == first)).tolist())
            ways = [problem.withheld[first] + least(alone)] if problem.withhold else []
            for own, cost in zip(groups, pool.costs, strict=True):
                if own[first] and (own <= units).all():
                    ways.append(cost + least(tuple((units - own).tolist())))
            known[left] = min(ways, default=np.inf)
        return known[left]

    return least(tuple(problem.points.units.tolist()))


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 3), st.booleans())
def test_the_search_finds_the_cheapest_cover(seed, k, withhold):
    """Tables of few different rows, most of them repeated, and of different ones."""
    problem, found, pool = problem_of(seed, 10, k, "ncp", withhold)
    surplus = np.maximum(pool.costs - found.prices @ pool.matrix, 0.0)
    wanted, ceiling = cheapest_by_hand(problem, pool), 1.2 * found.bound + 1e-6
    cover = Covers(pool, surplus, found.prices).best(found.bound - 1e-6, ceiling, 1_000_000)
    assert cover.complete
    assert cover.total == pytest.approx(min(wanted, ceiling))
    assert (cover.groups is None) == (wanted >= ceiling)


@pytest.mark.slow
def test_regrouped_neighbours_cost_no_more_and_hold_the_same_rows():
    gained = 0
    for seed, k in product(range(6), (2, 3)):
        problem, found, pool = problem_of(seed, 30, k)
        rng = np.random.default_rng(seed)
        groups = problem.groups_of(rng.permutation(np.arange(30) // k))
        better = Covers(pool, np.maximum(pool.costs - found.prices @ pool.matrix, 0.0), found.prices).regrouped(groups)
        before, after = (sum(problem.cost(members) for members in each) for each in (groups, better))
        assert np.array_equal(np.sort(np.concatenate(better)), np.sort(np.concatenate(groups)))
        assert after <= before + 1e-9
        gained += after < before - 1e-6
    assert gained > 6


@pytest.mark.slow
def test_a_search_that_gives_up_says_so_and_what_it_has_excluded(monkeypatch):
    raised = 0
    for seed in range(8):
        table = random_table(seed, 20)
        best = optimum.best(table, 3)
        with monkeypatch.context() as patch:
            patch.setattr(closing, "VISITED", 20)
            found = optimum.best(table, 3)
        assert best.proved
        assert best.least == best.value
        assert found.bound.value <= found.least <= best.value + 1e-9 <= found.value + 2e-9
        assert found.proved == (found.least == found.value)
        raised += not found.proved and found.least > found.bound.value + 1e-6
    assert raised > 0


@pytest.mark.slow
def test_a_list_that_is_too_long_leaves_a_gap_and_a_bound_that_is_never_above_the_optimum(monkeypatch):
    unproved = 0
    for seed, room in enumerate((30, 100, 300, 30, 100, 300)):
        table = random_table(seed, 22)
        best = optimum.best(table, 4)
        with monkeypatch.context() as patch:
            patch.setattr(closing, "ROOM", room)
            found = optimum.best(table, 4)
        assert best.proved
        assert found.bound.value <= found.least <= best.value + 1e-9 <= found.value + 2e-9
        unproved += not found.proved
    assert unproved > 0


@pytest.mark.slow
def test_a_list_that_is_too_long_becomes_short_at_the_prices_of_a_program_with_cuts(monkeypatch):
    """The same optimum is proved out of a list in stages where the list at the first prices does not fit."""
    proved, in_stages = 0, closing._listed_in_stages
    for seed, k in product(range(4), (3, 4)):
        table, used = random_table(seed, 22), []
        best = optimum.best(table, k)
        with monkeypatch.context() as patch:
            patch.setattr(closing, "_listed", lambda *_: None)
            patch.setattr(
                closing, "_listed_in_stages", lambda *args, used=used: used.append(in_stages(*args)) or used[0]
            )
            found = optimum.best(table, k)
        assert found.least <= best.value + 1e-9 <= found.value + 2e-9
        if used and used[0] is not None:
            assert found.proved
            assert found.value == pytest.approx(best.value)
            proved += 1
    assert proved > 3
