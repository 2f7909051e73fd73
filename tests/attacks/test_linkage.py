"""Linkage: people own the rows that were made of them, and single values are linked to the nearest."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import anonnb
from anonnb import Release, Table
from anonnb.attacks import LinkageAttack
from anonnb.cli.common import in_options
from anonnb.methods import PRAM, Mondrian, PatternTable, PrivateMarginals, TreePreserving
from anonnb.tables.value_sets import Column
from anonnb.utility import suppression_rate
from tests.attacks import plain
from tests.attacks.plain import releases


@pytest.mark.parametrize(("name", "success"), [("hayes-roth", 0.611), ("zoo", 0.686)])
def test_everybody_owns_all_their_patterns(name, success):
    table = anonnb.load(name)
    release = PatternTable(k=2).anonymize(table)
    assert LinkageAttack(weights="equal").run(release, table).success == pytest.approx(success, abs=5e-4)


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


def test_a_table_published_unchanged_gives_away_whoever_is_unique():
    """Of 30 people with a number of their own and 20 who share one with another, 30 + 20/2 are linked."""
    numbers = [*range(30), *np.repeat(np.arange(30, 40), 2), *range(40, 80)]
    table = Table(pd.DataFrame({"a": numbers}), quasi=["a"])
    inside, outside = table.take(np.arange(50)), table.take(np.arange(50, 90))
    result = LinkageAttack().run(Release.of(inside), control=outside)
    assert (result.kind, result.attempts, result.right, result.success) == ("linkage", 50, 40.0, 0.8)
    assert result.baseline == 1 / 50
    assert (result.false_links, result.precision) == (1.0, 0.4), "single values link strangers to the nearest row"
    exact = LinkageAttack().run(Release.of(inside.take(np.arange(30))))
    assert exact.success == 1.0


def test_outsiders_are_linked_where_a_box_holds_them(clinic):
    """Strangers of 22, 45 and 49 fit a class of three rows, the one of 35 fits none."""
    table, release = clinic
    strangers = pd.DataFrame({"age": [22, 45, 49, 35]}, index=list("wxyz"))
    result = LinkageAttack().run(release, table, control=Table(strangers, quasi=["age"]))
    assert (result.linked, result.outside.linked, result.outside.right) == (6, 3, 0)
    assert result.false_links == 0.75
    assert result.precision == pytest.approx((1 / 3) / (1 + 0.75))
    assert repr(result) == (
        "LinkageAttack(): links 33.3 % of 6 people to their own row (baseline 16.67 %); 75.0 % of outsiders are "
        "linked to some row, too, so in a list of which half are members 19.0 % of the links are right"
    )


def test_nobody_owns_a_synthetic_row():
    table = anonnb.load("survey")
    result = LinkageAttack().run(PrivateMarginals(epsilon=1).anonymize(table), table)
    assert (result.right, result.linked) == (0, 66)
    assert result.note == "the rows are synthetic, so nobody has a row of their own"


def test_linkage_with_an_inexact_list(clinic):
    table, release = clinic
    # ages known only to ±11: 29 ± 11 and 41 ± 12 reach into the other class
    result = LinkageAttack(tolerance={"age": 12}).run(release, table)
    candidates = dict(zip(result.targets["known"], result.targets["candidates"], strict=True))
    assert candidates == {
        "age = 21": 3,
        "age = 22": 3,
        "age = 29": 6,
        "age = 41": 6,
        "age = 45": 3,
        "age = 49": 3,
    }


@given(releases())
@settings(max_examples=60, deadline=None)
def test_linkage_equals_a_naive_join(case):
    table, release = case
    sets = {name: plain.cells(release, name) for name in [*table.quasi, "d"]}
    truth = {name: [table.attributes[name].labels[c] for c in table.codes(name)] for name in table.columns}
    for weights in ("equal", "likely"):
        linked, counted = 0.0, plain.row_weights(release, table.quasi, weights)
        for person in range(len(table)):
            values = [truth[name][person] for name in table.quasi]
            rows = plain.matching(sets, table.quasi, values, len(release))
            best = [row for row in rows if counted[row] == max(counted[other] for other in rows)]
            linked += sum(release.rows[row] == person for row in best) / max(len(best), 1)
        assert LinkageAttack(weights=weights).run(release, table).success == pytest.approx(linked / len(table))


def test_numbers_that_are_off_still_find_hidden_and_missing_cells():
    table = Table(pd.DataFrame({"age": [30.0, 40.0, None, 52.0], "sex": list("mfmf")}), quasi=["age", "sex"])
    hidden = Column.suppressed(table.attributes["age"], 4)
    release = Release(table, {"age": hidden}, np.arange(4))
    found = LinkageAttack(tolerance={"age": 2, "sex": 1}).run(release, table).targets
    assert found["candidates"].tolist() == [2, 2, 2, 2]  # a hidden cell may be anything, also missing
    exact = LinkageAttack(tolerance={"age": 2}).run(Release.of(table), table).targets
    assert exact["candidates"].tolist() == [1, 1, 1, 1]
    wide = LinkageAttack(tolerance={"age": 25}, known=["age"]).run(Release.of(table), table).targets
    assert wide["candidates"].tolist() == [3, 3, 1, 3]


def test_a_tolerance_does_not_fill_the_gaps_of_a_set():
    table = Table(pd.DataFrame({"age": [30, 40, 50, 60]}), quasi=["age"])
    either = Column.from_masks(table.attributes["age"], np.array([[True, False, False, True]] * 4))
    release = Release(table, {"age": either}, np.arange(4))
    assert LinkageAttack().run(release, table).targets["candidates"].tolist() == [4, 0, 0, 4]
    assert LinkageAttack(tolerance={"age": 1}).run(release, table).targets["candidates"].tolist() == [4, 0, 0, 4]
    assert LinkageAttack(tolerance={"age": 10}).run(release, table).targets["candidates"].tolist() == [4, 4, 4, 4]


def test_bad_parameters_are_explained(clinic):
    table, release = clinic
    with pytest.raises(KeyError, match="no column 'zip'"):
        LinkageAttack(known=["zip"]).run(release, table)
    with pytest.raises(ValueError, match="threshold"):
        LinkageAttack(threshold=0)


def test_without_owners_links_are_counted_and_nobody_says_which_are_right(clinic):
    table, release = clinic
    result = LinkageAttack().run(Release.from_frame(release.frame, like=table), table)
    assert (result.attempts, result.linked) == (6, 6)
    assert np.isnan(result.right)
    assert np.isnan(result.success)
    assert result.info["at_most"] == pytest.approx(1 / 3)
    assert "whose row is whose" in repr(result)
    assert "33.3 % of them are right on average" in repr(result)
    assert "own row" not in repr(result)


def test_nobody_to_look_for_and_columns_nobody_knows():
    table = anonnb.load("survey")
    release = Mondrian(k=5).anonymize(table)
    assert LinkageAttack().run(release, table.take(np.arange(0))).success == 0.0
    with pytest.raises(KeyError, match="tolerance: the attacker knows no column 'nonsense'"):
        LinkageAttack(tolerance={"nonsense": 2}).run(release)


def test_withheld_people_are_those_without_a_pattern():
    table = anonnb.load("hayes-roth")
    release = PatternTable(k=2).anonymize(table)
    assert len(release.suppressed) == release.n_suppressed
    assert suppression_rate(table, release) == release.n_suppressed / len(table)


def test_too_many_people_without_a_row_are_refused_with_the_remedy():
    table = anonnb.load("survey")
    release = PRAM(seed=1).anonymize(table)
    with pytest.raises(ValueError, match=r"people fit no row.*max_pairs=[0-9_]+") as caught:
        LinkageAttack(max_pairs=10, weights="equal").run(release, table)
    assert re.search(r"--param max_pairs=\d+$", in_options(caught.value))
    assert LinkageAttack().run(release, table).attempts == len(table)
