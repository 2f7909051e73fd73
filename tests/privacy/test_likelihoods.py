"""What methods state about their values: probabilities that add up, by the definition of each method."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from anonnb import Release, Table
from anonnb.methods import PRAM, Microaggregation, Mondrian, NoiseAddition, RankSwapping, Rounding
from anonnb.methods.perturbation.rank_swapping import partners
from anonnb.privacy.likelihoods import normal


def people(seed=0, rows=60):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"a": rng.integers(0, 9, rows), "b": rng.normal(size=rows).round(2), "c": rng.choice(list("xyz"), rows)}
    )
    return Table(frame, quasi=["a", "b", "c"])


def codes(release, name):
    column = release.columns[name]
    return column.sets.lo[column.index]


def test_normal_errors_are_those_of_scipy():
    rng = np.random.default_rng(1)
    rows, true = rng.normal(size=(40, 2)) @ [[2.0, 1.0], [0.0, 3.0]], rng.normal(size=(5, 2))
    error = np.array([[1.0, 0.3], [0.3, 0.5]])
    stated = normal(["a", "b"], error, rows)
    root = np.linalg.inv(np.linalg.cholesky(error))
    others = [np.sort(((rows - row) @ root.T @ root * (rows - row)).sum(axis=1))[1:] for row in rows]
    reach = [max(each[9] / 2, 1.0) for each in others]  # in the square, per column
    around = [np.log(np.exp(-each / 2 / far).mean() / far) for each, far in zip(others, reach, strict=True)]
    expected = np.array([multivariate_normal(person, error).logpdf(rows) for person in true]) - around
    # up to a constant of both densities, which all rows share
    found = stated.log_ratio(true, rows)
    assert np.allclose(found - found[0, 0], expected - expected[0, 0])
    # a direction that does not vary tells nothing, and a missing number is found by a missing one only
    flat = normal(["a", "b"], np.diag([1.0, 0.0]), np.array([[0.0, 1.0], [np.nan, 1.0]]), by_density=False)
    assert flat.log_ratio(np.array([[2.0, 5.0], [np.nan, 1.0]]), np.array([[0.0, 1.0], [np.nan, 1.0]])).tolist() == [
        [-2.0, -np.inf],
        [-np.inf, 0.0],
    ]


@pytest.mark.parametrize("kind", ["invariant", "uniform"])
def test_pram_states_its_matrix(kind):
    table = people()
    release = PRAM(keep=0.7, kind=kind).anonymize(table)
    [stated] = PRAM(keep=0.7, kind=kind).likelihoods(release, ["c"])
    values, shares = np.arange(3)[:, None], np.bincount(codes(release, "c"), minlength=3) / len(table)
    assert np.allclose(np.exp(stated.log_ratio(values, values)) * shares, release.info["matrices"]["c"])
    assert np.isinf(stated.log_ratio(np.array([[-1]]), values)).all(), "nobody outside the domain can be in it"


@pytest.mark.parametrize("percent", [2, 10, 60])
def test_rank_swapping_states_the_share_of_ranks_within_reach(percent):
    table, method = people(3), RankSwapping(percent=percent)
    release = method.anonymize(table)
    [stated] = method.likelihoods(release, ["a"])
    ranks, reach = np.sort(codes(release, "a")), max(1, int(percent / 100 * len(table)))
    near = np.abs(np.subtract.outer(np.arange(60), np.arange(60))) <= reach
    for true in np.unique(ranks):
        for shown in np.unique(ranks):
            pairs = near[np.ix_(ranks == true, ranks == shown)].sum()
            ratio = pairs / near[ranks == true].sum() / (ranks == shown).mean()
            assert np.exp(stated.log_ratio(np.array([[true]]), np.array([[shown]]))).item() == pytest.approx(ratio)
    moved = np.abs(partners(2_000, 200, np.random.default_rng(0)) - np.arange(2_000))
    shares = np.histogram(moved, bins=4, range=(0, 200))[0] / 2_000
    assert (np.abs(shares - 0.25) < 0.08).all(), "partners are about equally likely at every distance"


@pytest.mark.parametrize(
    "method",
    [PRAM(keep=0.5), RankSwapping(percent=5), Rounding(step=3), Rounding(step=0.05), NoiseAddition(amount=0.5),
     NoiseAddition(amount=0.5, correlated=True), NoiseAddition(amount=0.5, restore=True)],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("seed", range(5))
def test_everybodys_own_row_is_possible_and_likelier_than_others(method, seed):
    table = people(seed)
    release, gain = method.anonymize(table), 0.0
    for part in method.likelihoods(release, table.quasi):
        true, shown = (
            np.column_stack([
                (column.attribute.numbers[code] if part.numbers else code)
                for column, code in ((who.columns[name], codes(who, name)) for name in part.names)
            ])
            for who in (Release.of(table), release)
        )  # fmt: skip
        logs = part.log_ratio(true.astype(float) if part.numbers else true, shown)
        assert np.isfinite(logs.diagonal()).all()
        gain += logs.diagonal().mean() - np.where(np.isfinite(logs), logs, -50.0).mean()
    assert gain > 0


def test_means_lie_near_their_people_and_boxes_state_nothing():
    rng = np.random.default_rng(0)
    table = Table(pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"]), quasi=["a", "b"])
    method = Microaggregation(k=4)
    release = method.anonymize(table)
    [stated] = method.likelihoods(release, ["a", "b"])
    shown = np.column_stack([release.columns[name].attribute.numbers[codes(release, name)] for name in "ab"])
    away = ((table.frame.to_numpy()[:, None] - shown) / shown.std(axis=0)) ** 2
    assert (stated.log_ratio(table.frame.to_numpy(), shown).argmax(axis=1) == away.sum(axis=2).argmin(axis=1)).all()
    assert method.likelihoods(Microaggregation(k=4).anonymize(people()), ["a", "c"]) == []
    assert Mondrian(k=4).likelihoods(release, ["a"]) == []


@pytest.mark.parametrize("correlated", [False, True])
@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"]], ids=len)
def test_restored_noise_states_the_regression_of_what_it_publishes(correlated, names):
    """Of many rows the slope and the error are those of a least-squares fit, also if only some columns are known."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(40_000, 3)) @ [[3, 2, 0], [0, 1, 1], [0, 0, 5]], columns=list("abc"))
    table = Table(frame.round(6), quasi=list("abc"))
    method = NoiseAddition(amount=0.7, correlated=correlated, restore=True)
    release = method.anonymize(table)
    shown, true = (
        each.frame[names].to_numpy() - each.frame[names].to_numpy().mean(axis=0) for each in (release, table)
    )
    slope = np.linalg.lstsq(true, shown, rcond=None)[0]
    error = np.cov((shown - true @ slope).T)
    expected = [multivariate_normal(cov=error).logpdf(shown[:5] - person @ slope) for person in true[:4]]
    [stated] = method.likelihoods(release, names)
    found = stated.log_chance(*(each.frame[names].to_numpy()[:count] for each, count in ((table, 4), (release, 5))))
    assert np.allclose(found - found[0, 0], expected - expected[0][0], atol=0.15, rtol=0.05)
