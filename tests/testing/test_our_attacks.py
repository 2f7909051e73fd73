"""Our own attacks hold the contract that we ask of everybody's."""

from dataclasses import fields

import pytest

from anonnb import attacks
from anonnb.testing import check_attack

FEW = {"worlds": 12}  # tables that an attack tries: each runs a method again


@pytest.mark.slow
@pytest.mark.parametrize("name", attacks.all())
def test_the_contract_holds(name):
    cls = attacks.get(name)
    known = {each.name for each in fields(cls)}
    check_attack(cls(**{name: value for name, value in FEW.items() if name in known}))


def test_no_attack_is_exempt_from_anything():
    assert not [name for name, cls in attacks.all().items() if cls.exempt]
