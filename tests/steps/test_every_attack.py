"""Every attack shows its steps: more than the result alone. That the last one is the result is in the contract."""

import warnings

import pytest

from anonnb import attacks
from anonnb.testing.attack_subject import AttackSubject

# Attacks that tell nothing yet. Take a name out when they do; the list must become empty.
PENDING: set[str] = set()


@pytest.mark.slow
@pytest.mark.parametrize("name", attacks.all())
def test_an_attack_shows_how_it_works(name):
    subject = AttackSubject(attacks.get(name)(), seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runs = [subject.attack.steps(found.target.published, found.target.table) for found in subject.results]
    assert max(map(len, runs)) >= 4 or name in PENDING
