"""Homogeneity: classes whose members share one secret, by hand and against a naive join."""

import pandas as pd
import pytest
from hypothesis import given, settings

from anonnb import Release, Table
from anonnb.attacks import HomogeneityAttack, SkewnessAttack
from tests.attacks import plain
from tests.attacks.plain import releases


def test_homogeneity_by_hand(clinic):
    table, release = clinic
    result = HomogeneityAttack().run(release, table)
    assert result.success == 0.5  # the three of the first class
    assert set(result.targets.loc[result.targets["score"] == 1, "inferred"]) == {"flu"}


@given(releases())
@settings(max_examples=60, deadline=None)
def test_homogeneity_equals_a_naive_join(case):
    table, release = case
    sets = {name: plain.cells(release, name) for name in [*table.quasi, "d"]}
    truth = {name: [table.attributes[name].labels[c] for c in table.codes(name)] for name in table.columns}
    found = 0
    for person in range(len(table)):
        values = [truth[name][person] for name in table.quasi]
        rows = plain.matching(sets, table.quasi, values, len(release))
        secrets = frozenset().union(*(sets["d"][row] for row in rows)) if rows else frozenset()
        found += secrets == {truth["d"][person]}
    assert HomogeneityAttack().run(release, table).success == pytest.approx(found / len(table))


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="no sensitive column"):
        HomogeneityAttack().run(Release.of(Table(pd.DataFrame({"a": [1]}), quasi=["a"])))


@pytest.mark.parametrize("attack", [HomogeneityAttack(), SkewnessAttack()])
def test_a_release_without_rows_says_nothing_about_a_control(attack):
    nobody, somebody = (
        Table(
            pd.DataFrame({"age": ages, "ill": ills}).astype({"age": "int64", "ill": "str"}),
            quasi=["age"],
            sensitive="ill",
        )
        for ages, ills in (([], []), ([1], ["flu"]))
    )
    outside = attack.run(Release.of(nobody), control=somebody).outside
    assert (outside.claims, outside.targets["candidates"].tolist()) == (0, [0])
