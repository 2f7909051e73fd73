"""What UM3AR and M3AR share: required models, and tables with very many rules."""

import pytest

import anonnb
from anonnb import Infeasible
from anonnb.methods.migration.migration import M3AR, UM3AR
from tests.methods.migration.tables import check_shape


@pytest.mark.parametrize("method", [UM3AR, M3AR])
def test_few_distinct_rows_make_millions_of_rules_that_are_counted(method):
    release = method(k=5).anonymize(anonnb.load("zoo"))
    assert release.info["rules"] == 1062
    assert release.info["new_rules"] > 1_000_000
    assert release.info["forced"] > 0 or release.info["lost_rules"] == 0


@pytest.mark.parametrize("method", [UM3AR, M3AR])
def test_more_rules_than_can_be_watched_are_refused_and_the_remedy_works(method):
    zoo = anonnb.load("zoo")
    with pytest.raises(Infeasible, match="max_length"):
        method(k=3, min_support=0.2).anonymize(zoo)
    release = method(k=3, min_support=0.2, min_confidence=0.2, max_length=2).anonymize(zoo)
    check_shape(zoo, release, 3)
    assert release.info["rules"] == 2 * 248  # two rules for each of the frequent pairs
    assert all(len(rule.split()) == 1 for rule in release.info["budgets"]["antecedents"])
