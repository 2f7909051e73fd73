"""PRAM: the example of the literature, unbiased counts, and the factor that is promised."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import PRAM
from anonnb.methods.perturbation.pram import Matrix, Mixture, drawn, estimated_counts, factor, solved_counts

MATRIX = [[0.9, 0.1], [0.2, 0.8]]


def ill(no: int, yes: int) -> Table:
    return Table(pd.DataFrame({"ill": ["no"] * no + ["yes"] * yes}), quasi=["ill"])


def test_the_worked_example():
    assert solved_counts([60, 40], MATRIX).round(4).tolist() == [57.1429, 42.8571]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"matrices": {"ill": MATRIX}}, {"keep": 0.6}, {"keep": 0.6, "kind": "uniform"}])
def test_estimated_counts_are_unbiased(options):
    table = ill(70, 30)
    draws = np.array([estimated_counts(PRAM(seed=seed, **options).anonymize(table), "ill") for seed in range(400)])
    error = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    assert (np.abs(draws.mean(axis=0) - [70, 30]) <= 4 * error).all()
    assert error.min() > 0


@settings(max_examples=40)
@given(st.lists(st.integers(1, 30), min_size=2, max_size=6), st.floats(0.05, 0.95))
def test_the_invariant_matrix_keeps_expected_counts(counts, keep):
    table = Table(pd.DataFrame({"x": np.repeat(list("abcdef")[: len(counts)], counts)}), quasi=["x"])
    matrix = PRAM(keep=keep).anonymize(table).info["matrices"]["x"]
    assert np.allclose(matrix.to_numpy().T @ counts, counts)
    assert np.allclose(matrix.sum(axis=1), 1)


def test_the_factor_is_the_largest_ratio():
    release = PRAM(matrices={"ill": MATRIX}).anonymize(ill(5, 5))
    assert release.info["factors"]["ill"] == pytest.approx(8)  # 0.8 / 0.1
    assert PRAM(keep=1).anonymize(ill(5, 5)).info["factors"]["ill"] == np.inf
    assert PRAM(keep=0).anonymize(ill(5, 5)).info["factors"]["ill"] == 1


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[1, 0]], "must be square"),
        ([[0.5, 0.4], [0, 1]], "must sum to 1"),
        ([[1.5, -0.5], [0, 1]], "must sum to 1"),
        (np.eye(3), "has 2 values, but its matrix has 3 rows"),
    ],
)
def test_a_bad_matrix_is_refused(matrix, sentence):
    with pytest.raises(ValueError, match=sentence):
        PRAM(matrices={"ill": matrix}).anonymize(ill(3, 3))


def test_a_matrix_for_another_column_is_refused():
    with pytest.raises(KeyError, match="'age' is not among the columns to change: ill"):
        PRAM(matrices={"age": MATRIX}).anonymize(ill(3, 3))


def test_counts_of_a_matrix_without_an_inverse_cannot_be_estimated():
    with pytest.raises(ValueError, match="no inverse"):
        estimated_counts(PRAM(keep=0).anonymize(ill(3, 3)), "ill")
    with pytest.raises(KeyError, match="'sex' was not drawn"):
        estimated_counts(PRAM().anonymize(ill(3, 3)), "sex")


@settings(max_examples=40)
@given(st.integers(1, 6), st.floats(0, 1), st.integers(0, 9))
def test_a_mixture_is_its_matrix(size, keep, seed):
    """Drawn, kept and told apart as by the matrix that is written out."""
    rng = np.random.default_rng(seed)
    weights = rng.random(size) + 0.01
    mixture = Mixture(keep, (1 - keep) * weights / weights.sum())
    matrix = Matrix(keep * np.eye(size) + (1 - keep) * weights / weights.sum())
    codes = rng.integers(0, size, 50)
    both = [drawn(way, codes, np.random.default_rng(seed)).tolist() for way in (mixture, matrix)]
    assert both[0] == both[1]
    assert factor(mixture) == factor(matrix)
    np.testing.assert_array_equal(mixture.diagonal, matrix.diagonal)


def test_thousands_of_values_cost_no_matrix():
    table = Table(pd.DataFrame({"income": np.arange(4_000)}), quasi=["income"])
    tracemalloc.start()
    release = PRAM().anonymize(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000**2  # bytes: an eighth of the matrix
    assert list(release.info["matrices"]) == ["income"]
