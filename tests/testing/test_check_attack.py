"""check_attack lets a correct attack pass, and tells of every broken one which property it breaks."""

import pytest

from anonnb.testing import BrokenContract, check_attack
from tests.testing.broken import BROKEN_ATTACKS, Guessing, Peeks


def test_a_correct_attack_passes():
    report = check_attack(Guessing())
    assert report["passed"].all()
    assert len(report) >= 25


@pytest.mark.slow
@pytest.mark.parametrize("cls", BROKEN_ATTACKS, ids=lambda cls: cls.__name__)
def test_a_broken_attack_fails_what_it_breaks_and_nothing_else(cls):
    report = check_attack(cls, report=True)
    assert set(report[~report["passed"]]["property"]) == BROKEN_ATTACKS[cls], report[~report["passed"]].to_string()


def test_what_is_broken_is_raised_in_a_sentence():
    with pytest.raises(BrokenContract, match="claims without the truth: with another truth behind"):
        check_attack(Peeks())


def test_only_attacks_are_checked():
    with pytest.raises(TypeError, match=r"needs an anonnb\.attacks\.base\.Attack, not str"):
        check_attack("LinkageAttack")
