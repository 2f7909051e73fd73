"""Skewness and similarity: strong beliefs about a class, by hand."""

import pytest

from anonnb.attacks import SkewnessAttack


def test_skewness_by_hand(clinic):
    table, release = clinic
    # flu is 4/6 overall; 3/3 in the first class; cold is 2/6 overall and 2/3 in the second class
    assert SkewnessAttack(belief=0.9).run(release, table).success == pytest.approx(3 / 6)
    assert SkewnessAttack(belief=0.6).run(release, table).success == pytest.approx(5 / 6)


def test_similarity_by_hand(clinic):
    table, release = clinic
    # the first class's costs 10, 11, 12 lie within 2/90 of the range
    near = SkewnessAttack(column="cost", belief=1.0, similar=0.1).run(release, table)
    assert near.success == pytest.approx(3 / 6)
    assert SkewnessAttack(column="cost", belief=1.0).run(release, table).success == 0.0


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="belief"):
        SkewnessAttack(belief=2)
