"""Linkage: people own the rows that were made of them, and single values are linked to the nearest."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table
from anonnb.attacks import LinkageAttack
from anonnb.methods import Mondrian, PatternTable, TreePreserving


@pytest.mark.parametrize(("name", "success"), [("hayes-roth", 0.611), ("zoo", 0.686)])
def test_everybody_owns_all_their_patterns(name, success):
    table = anonnb.load(name)
    release = PatternTable(k=2).anonymize(table)
    assert LinkageAttack().run(release, table).success == pytest.approx(success, abs=5e-4)


def test_own_patterns_by_definition():
    table = anonnb.load("decision6")
    release = PatternTable(k=2).anonymize(table)
    pairs = set(zip(*(part.tolist() for part in release.owners), strict=True))
    explained = release.info["explanation"]
    assert len(pairs) == len(explained[["pattern", "row"]].drop_duplicates())
    assert {row for _, row in pairs} == set(range(len(table)))
    half = release.take(np.array([2, 0]))
    assert set(zip(*(part.tolist() for part in half.owners), strict=True)) == {
        (new, row) for new, old in enumerate([2, 0]) for place, row in pairs if place == old
    }


def brute_nearest(release, table):
    """The chance of each person to pick the own row among the nearest ones, by the definition."""
    spans = {name: np.ptp(release.columns[name].attribute.numbers) or 1.0 for name in release.quasi}
    shown = {name: column.attribute.numbers[column.sets.lo[column.index]] for name, column in release.columns.items()}
    chances = []
    for row in range(len(table)):
        far = sum(
            np.minimum(np.abs(shown[name] - table.attributes[name].numbers[table.codes(name)[row]]) / spans[name], 1)
            for name in release.quasi
        )
        near = np.flatnonzero(far <= far.min() + 1e-9)
        chances.append(float((release.rows[near] == row).sum() / len(near)))
    return chances


@pytest.mark.parametrize("method", [Mondrian(k=3, summary="mean"), TreePreserving(k=3)])
def test_single_numbers_that_are_not_true_are_linked_to_the_nearest(method):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"a": rng.normal(size=60).round(2), "b": rng.integers(0, 90, 60), "c": rng.choice(list("xy"), 60)}
    )
    table = Table(frame, quasi=["a", "b"], decision="c")
    release = method.anonymize(table)
    result = LinkageAttack().run(release, table)
    assert result.success == pytest.approx(np.mean(brute_nearest(release, table)))
    assert result.success > 0


def test_the_order_of_the_table_does_not_matter():
    table = anonnb.load("survey")
    release = Mondrian(k=5).anonymize(table)
    mixed = table.take(np.random.default_rng(0).permutation(len(table)))
    assert LinkageAttack().run(release, mixed).success == pytest.approx(LinkageAttack().run(release, table).success)
    some = LinkageAttack().run(release, table.take(range(20)))
    assert some.attempts == 20
    assert some.success > 0


def test_another_table_is_refused_and_strangers_own_nothing():
    table = anonnb.load("survey")
    release = Mondrian(k=5).anonymize(table)
    mixed = table.take(np.random.default_rng(0).permutation(len(table))).frame.reset_index(drop=True)
    with pytest.raises(
        ValueError, match=r"row \d+ of the table differs in column '\w+' from the one behind the release"
    ):
        LinkageAttack().run(release, Table(mixed, quasi=table.quasi, sensitive=table.sensitive))
    strangers = Table(table.frame.set_axis(range(1000, 1066), axis=0), quasi=table.quasi, sensitive=table.sensitive)
    assert LinkageAttack().run(release, strangers).success == 0.0
    doubled = Table(table.frame.set_axis([0] * 66, axis=0), quasi=table.quasi, sensitive=table.sensitive)
    with pytest.raises(ValueError, match="has a label twice"):
        LinkageAttack().run(release, doubled)


def test_a_table_published_as_it_is_gives_everybody_away_who_is_unique():
    table = Table(pd.DataFrame({"a": range(30)}), quasi=["a"])
    assert LinkageAttack().run(Release.of(table), table).success == 1.0
