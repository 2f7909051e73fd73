"""The model of Fellegi and Sunter: EM finds how often columns agree, and errors in any column are forgiven."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Table, arena
from anonnb.attacks import LinkageAttack
from anonnb.attacks.matching.fellegi_sunter import learn
from anonnb.methods import PRAM


def test_em_finds_the_probabilities_of_agreement():
    """500 people and rows with six columns of ten values; a column of the own row agrees with probability m."""
    rng, truth = np.random.default_rng(0), np.array([0.95, 0.9, 0.8, 0.7, 0.6, 0.3])
    people = rng.integers(0, 10, (500, 6))
    rows = np.where(rng.random((500, 6)) < truth, people, (people + rng.integers(1, 10, (500, 6))) % 10)
    agree = people[:, None] == rows
    pattern, flags = (agree << np.arange(6)).sum(axis=2), (np.arange(64)[:, None] >> np.arange(6)) & 1
    rates = learn(np.array([np.bincount(line, minlength=64) for line in pattern]), flags)
    assert np.abs(rates["m"] - truth).max() < 0.06
    assert np.abs(rates["u"] - 0.1).max() < 0.01


@pytest.mark.parametrize("weights", ["equal", "likely"])
def test_errors_are_forgiven_without_knowing_the_method(weights):
    """Values of Adult drawn anew with probability .2: nobody states the matrix, and EM finds nearly as many people."""
    adult = anonnb.load("adult")
    inside, outside = arena.halves(adult.take(np.arange(0, len(adult), 20)))
    release = PRAM(keep=0.8).anonymize(inside)
    foreign = release.replace(method=None, info={})
    plain = LinkageAttack().run(foreign, inside)
    result = LinkageAttack(model="fellegi-sunter", weights=weights).run(foreign, inside, control=outside)
    stated = LinkageAttack().run(release, inside)
    assert plain.success < result.success
    assert result.success > 0.8 * stated.success
    kept = {
        name: 0.8 + 0.2 * (inside.counts(name) / len(inside)) @ (inside.counts(name) / len(inside))
        for name in inside.quasi
    }
    assert np.abs(result.info["rates"]["m"] - pd.Series(kept)).max() < 0.1
    assert result.precision == pytest.approx(result.success / (result.linked / result.attempts + result.false_links))


def test_a_row_that_speaks_against_itself_is_no_link():
    table = Table(pd.DataFrame({"a": range(20), "b": range(20), "c": list("xy") * 10}), quasi=["a", "b", "c"])
    strangers = Table(pd.DataFrame({"a": [99], "b": [98], "c": ["z"]}, index=["s"]), quasi=["a", "b", "c"])
    result = LinkageAttack(model="fellegi-sunter").run(anonnb.Release.of(table), table, control=strangers)
    assert (result.success, result.false_links) == (1.0, 0.0)
    near = Table(pd.DataFrame({"a": [1], "b": [3], "c": ["y"]}, index=["s"]), quasi=["a", "b", "c"])
    lines = LinkageAttack(model="fellegi-sunter", tolerance={"b": 2}).run(anonnb.Release.of(table), near).targets
    assert lines["likeliest"].tolist() == [1]
