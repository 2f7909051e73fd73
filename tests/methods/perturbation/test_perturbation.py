"""What the perturbations share: the contract, the choice of columns, people who repeat, and bad input."""

import pandas as pd
import pytest

import anonnb
from anonnb import Table, utility
from anonnb.methods import PRAM, NoiseAddition, RankSwapping, Rounding, TopBottomCoding
from anonnb.testing import check_method

OF_NUMBERS = [NoiseAddition, Rounding, TopBottomCoding]


@pytest.mark.slow
def test_the_contract_holds_with_correlated_noise():
    check_method(NoiseAddition(correlated=True))


@pytest.mark.parametrize("method", [PRAM, RankSwapping, *OF_NUMBERS])
def test_only_the_named_columns_change(method):
    table = anonnb.load("adult").take(range(400))
    release = method(columns=["age"]).anonymize(table)
    assert utility.truthfulness(table.with_roles(quasi=["sex"]), release.table.with_roles(quasi=["sex"])) == 1
    pd.testing.assert_frame_equal(release.frame.drop(columns="age"), table.frame.drop(columns="age"))


@pytest.mark.parametrize("method", [PRAM, RankSwapping, *OF_NUMBERS])
def test_a_column_that_is_no_quasi_identifier_is_refused(method):
    with pytest.raises(KeyError, match="'income' is no quasi-identifier of the table; they are sex, age"):
        method(columns=["income"]).anonymize(anonnb.load("adult").take(range(40)))


@pytest.mark.parametrize("method", OF_NUMBERS)
def test_words_are_no_numbers(method):
    words = Table(pd.DataFrame({"sex": list("fm"), "age": [3, 4]}), quasi=["sex"])
    with pytest.raises(ValueError, match="no numeric quasi-identifier to change"):
        method().anonymize(words)
    with pytest.raises(ValueError, match="'sex' holds no numbers, its kind is nominal"):
        method(columns="sex").anonymize(words)
