"""Every attack that a notebook explains shows its steps. That the last one is the result is in the contract."""

import warnings

import pytest

from anonnb import attacks
from anonnb.book.entries import notebook_of
from anonnb.reports.plan import notebook_files
from anonnb.testing.attack_subject import AttackSubject

NOTEBOOKS = {path.stem: path for path in notebook_files()}


@pytest.mark.slow
@pytest.mark.parametrize("name", attacks.all())
def test_an_attack_shows_how_it_works(name):
    subject = AttackSubject(attacks.get(name)(), seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runs = [subject.attack.steps(found.target.published, found.target.table) for found in subject.results]
    assert max(map(len, runs)) >= 4 or not notebook_of(attacks.get(name), NOTEBOOKS)
