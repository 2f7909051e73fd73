"""The account: what OpenDP lets pass, what the parts of a budget add up to, and how much ε the answers show."""

import math

import numpy as np
import pytest

from anonnb.methods.private import _accounting as accounting
from anonnb.methods.private._accounting import GRAIN, Account, budget_of, choice_scale, gaussian_scale, loss_of
from anonnb.methods.private.measuring import budget_shares, measured, noise_of_choice, noise_of_counts
from tests.methods.private.epsilon import epsilon_from_below

ROWS = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 200, axis=0)
ONE_MORE = np.vstack([ROWS, [[0, 0]]])
EPSILON, DELTA = 1.0, 0.01


@pytest.fixture
def fresh_scales():
    yield
    gaussian_scale.cache_clear()
    choice_scale.cache_clear()


@pytest.mark.parametrize("columns", [1, 2, 3, 9])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-9), (1, 1e-6), (10, 1e-6)])
def test_the_parts_of_the_budget_are_worth_no_more_than_promised_and_hardly_less(columns, epsilon, delta):
    shares = [share for each in budget_shares(columns).values() for share in each]
    assert sum(shares) == pytest.approx(1)
    rho = budget_of(epsilon, delta, tuple(shares))
    assert loss_of([rho * share for share in shares], delta) <= epsilon
    assert loss_of([rho * 1.0001 * share for share in shares], delta) > epsilon


def test_what_is_spent_is_the_sum_of_the_parts():
    found = measured(np.zeros((50, 4), dtype=np.int64), [2, 3, 2, 2], 1.0, 1e-6, 1)
    assert found.spent == pytest.approx(math.fsum(found.budget.values()), rel=1e-12)
    assert found.spent == pytest.approx(budget_of(1.0, 1e-6), rel=1e-9)
    assert list(found.budget) == ["columns", "tree", "pairs"]
    assert max(found.budget.values()) == pytest.approx(min(found.budget.values()))


def test_scales_are_those_of_the_textbook():
    assert gaussian_scale(0.1, 4) == pytest.approx(math.sqrt(4 / (2 * 0.1)))
    assert gaussian_scale(0.1, 4, 3) == pytest.approx(3 * math.sqrt(4 / (2 * 0.1)))
    # an exponential mechanism with parameter ε is ε²/8-concentrated; its noise is 2 · sensitivity / ε
    assert choice_scale(0.1) == pytest.approx(2 * GRAIN / math.sqrt(8 * 0.1))


@pytest.mark.parametrize("rho", [0.001, 0.1, 3])
def test_the_public_names_give_noise_in_rows(rho):
    assert noise_of_counts(rho, 5, 2) == pytest.approx(2 * math.sqrt(5 / (2 * rho)))
    assert noise_of_choice(rho, 2) == pytest.approx(2 * math.sqrt(1 / (2 * rho)))


def test_a_question_that_costs_more_than_its_part_is_refused(monkeypatch):
    monkeypatch.setattr(accounting, "gaussian_scale", lambda part, tables, apart=1: gaussian_scale(part, tables) / 2)
    with pytest.raises(Exception, match=r"insufficient|budget|d_mid|privacy"):
        Account(ROWS, [0.1]).counts(lambda rows: np.bincount(rows[:, 0]), 1)


def test_a_question_too_many_is_refused():
    account = Account(ROWS, [0.1])
    account.counts(lambda rows: np.bincount(rows[:, 0]), 1)
    account._parts.append(0.1)
    with pytest.raises(Exception, match="out of queries"):
        account.counts(lambda rows: np.bincount(rows[:, 0]), 1)


def statistics(rows: np.ndarray, runs: int) -> np.ndarray:
    """Where the row that only one table has is counted: the higher, the likelier it is there."""
    found = [measured(rows, [2, 2], EPSILON, DELTA, 1) for _ in range(runs)]
    return np.array([each.tables[0, 1][0, 0] + each.margins[0][0] + each.margins[1][0] for each in found])


@pytest.mark.slow
def test_neighbouring_tables_show_no_more_epsilon_than_promised():
    with_it, without = statistics(ONE_MORE, 1_000), statistics(ROWS, 1_000)
    assert epsilon_from_below(with_it, without, DELTA) <= EPSILON
    assert epsilon_from_below(without, with_it, DELTA) <= EPSILON
    assert with_it.mean() > without.mean(), "the statistic sees the row"


@pytest.mark.slow
def test_noise_that_is_too_small_is_caught(monkeypatch, fresh_scales):
    """The same estimate, when a row is said to move counts by a quarter of what it does."""
    counting = accounting._counting
    monkeypatch.setattr(accounting, "_counting", lambda count, tables: counting(count, tables / 16))
    gaussian_scale.cache_clear()
    assert epsilon_from_below(statistics(ONE_MORE, 1_000), statistics(ROWS, 1_000), DELTA) > EPSILON


def choices(scores: list[int], part: float, runs: int) -> np.ndarray:
    return np.array([Account(ROWS, [part]).choice(lambda rows: np.array(scores)) for _ in range(runs)])


@pytest.mark.slow
def test_choices_show_no_more_epsilon_than_their_part(monkeypatch, fresh_scales):
    """An exponential mechanism that is ρ-concentrated by its range is √(8ρ)-differentially private."""
    part = 0.125
    one, other = [GRAIN, 0], [0, GRAIN]
    assert epsilon_from_below(choices(one, part, 600), choices(other, part, 600), 0.0) <= math.sqrt(8 * part)
    monkeypatch.setattr(accounting, "GRAIN", GRAIN // 5)  # a row is said to move scores by a fifth of what it does
    choice_scale.cache_clear()
    assert epsilon_from_below(choices(one, part, 600), choices(other, part, 600), 0.0) > math.sqrt(8 * part)


@pytest.mark.slow
def test_the_estimate_itself_is_right_on_known_normals():
    rng = np.random.default_rng(0)
    near = [epsilon_from_below(rng.normal(0.1, 1, 2_000), rng.normal(0, 1, 2_000), 0.0) for _ in range(20)]
    far = [epsilon_from_below(rng.normal(3, 1, 2_000), rng.normal(0, 1, 2_000), 0.0) for _ in range(20)]
    assert max(near) < 0.5
    assert min(far) > 2
