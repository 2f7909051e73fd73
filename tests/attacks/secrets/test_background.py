"""Background knowledge: values that an attacker can rule out, by hand."""

import pytest

from anonnb.attacks import BackgroundAttack


def test_background_by_hand(clinic):
    table, release = clinic
    assert BackgroundAttack(ruled_out=0).run(release, table).success == 0.5
    # the second class has two values: who rules one out knows the other
    assert BackgroundAttack(ruled_out=1).run(release, table).success == 1.0
    # without flu: nobody is left in the first class, the two colds of the second are found
    assert BackgroundAttack(ruled_out=["flu"]).run(release, table).success == pytest.approx(2 / 6)


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="ruled_out"):
        BackgroundAttack(ruled_out=-1)
