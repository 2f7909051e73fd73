"""Singling out: how often k different rows are told apart by chance, at which weight, and what the control shows."""

import math

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table, arena
from anonnb.attacks import SinglingOutAttack
from anonnb.attacks.singling_out import least_box, mixed, row_hashes, trivial_rate
from anonnb.methods import Mondrian, PrivateMarginals, RankSwapping
from anonnb.tables.value_sets import Column
from anonnb.testing import check_attack


def crowd(rows, seed, columns=6):
    """People with many independent columns, so that boxes of a few of them have next to no weight."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"x{n}": rng.integers(0, 1000, rows) for n in range(columns)})
    labels = [f"{seed}/{row}" for row in range(rows)]
    return Table(frame.set_index(pd.Index(labels)), quasi=list(frame))


@pytest.mark.parametrize(("k", "rate"), [(2, 0.5), (5, 0.4096), (10, 0.3874)])
def test_k_different_rows_are_isolated_as_often_as_the_formula_says(k, rate):
    assert (1 - 1 / k) ** (k - 1) == pytest.approx(rate, abs=5e-5)
    inside, outside = crowd(20 * k, 1), crowd(4000, 2)
    people, groups = inside.take(np.argsort(inside.frame["x0"].to_numpy())), np.arange(20 * k) // k
    columns = {
        name: Column.of_groups(people.attributes[name], people.codes(name), groups, 20) for name in inside.columns
    }
    release = Release(people, columns, np.arange(20 * k))
    found = SinglingOutAttack(predicates=2000).run(release, control=outside)
    assert found.info["rows of the class"] == k
    assert found.success == pytest.approx(rate, abs=3 * math.sqrt(rate * (1 - rate) / 2000))
    assert found.info["weight by"] == "the control"
    assert found.info["weight"] <= 1 / (10 * len(people))
    assert found.outside.success == 0
    assert found.baseline == trivial_rate(20 * k, found.info["weight"]) < 0.1


def test_the_weight_is_that_of_the_box_divided_by_its_rows():
    table = Table(pd.DataFrame({"a": [1, 1, 2, 2, 2, 2], "b": [1, 1, 3, 3, 3, 3]}), quasi=["a", "b"])
    box = least_box(Release.of(table))
    assert (box.info["box"], box.rows) == ({"a": "1", "b": "1"}, 2)
    assert box.weight == pytest.approx(1 / 9)
    other = Table(table.frame.iloc[[0, 1, 2, 3]].set_index(pd.Index(list("pqrs"))), quasi=["a", "b"])
    assert least_box(Release.of(table), other).weight == 0.5
    found = SinglingOutAttack(predicates=10).run(Release.of(table))
    assert found.info["weight"] == pytest.approx(1 / 18)
    assert (found.attempts, found.right) == (10, 0)
    assert "more than 1/(10 n)" in found.note
    assert found.summary.startswith("isolates one person with 0 of 10 predicates (0.0 %; baseline ")
    assert "no better than guessing" in found.summary


@pytest.mark.parametrize(("n", "share", "rate"), [(1000, 1, 0.368), (1000, 0.01, 0.0099), (10**6, 1e-5, 1e-5)])
def test_the_trivial_attacker_by_simulation_and_by_the_formula(n, share, rate):
    assert trivial_rate(n, share / n) == pytest.approx(rate, rel=0.01)
    if n == 1000:
        hits = np.random.default_rng(0).binomial(n, share / n, 200_000) == 1
        assert hits.mean() == pytest.approx(rate, abs=0.004)


def test_hashes_follow_from_the_content_and_are_spread_evenly():
    table = crowd(5000, 3)
    drawn = np.random.default_rng(0).permutation(5000)
    hashes = row_hashes(table, np.arange(5000))
    assert (row_hashes(table.take(drawn), np.arange(5000)) == hashes[drawn]).all()
    shares = np.array([(mixed(hashes, seed) < 0.1).mean() for seed in range(50)])
    assert abs(shares.mean() - 0.1) < 3 * math.sqrt(0.09 / 250_000)
    one, two = (mixed(hashes, seed) < 0.5 for seed in (0, 1))
    assert abs((one & two).mean() - 0.25) < 0.025


def test_equal_rows_are_never_told_apart():
    frame = pd.DataFrame({f"x{n}": [1, 1, *range(2, 60)] for n in range(4)})
    table = Table(frame, quasi=list(frame))
    assert SinglingOutAttack(predicates=200).run(Release.of(table.take(np.arange(2))), table).info["isolated"] == 0


def test_a_release_of_other_values_is_no_better_than_trivial():
    """Rows drawn anew from the same population stand for a synthetic release: its boxes hold nobody of the table."""
    people, others = crowd(400, 4), crowd(400, 5)
    shown = {name: Column.original(others.attributes[name], others.codes(name)) for name in others.columns}
    drawn = SinglingOutAttack().run(Release(others, shown, None), people)
    assert drawn.success <= drawn.baseline + 0.01
    swapped = SinglingOutAttack().run(RankSwapping(percent=50).anonymize(people), people)
    assert swapped.success <= swapped.baseline + 0.01
    assert SinglingOutAttack().run(Release.of(people), people).success == 1


def test_on_adult_the_margins_take_boxes_for_lighter_than_they_are():
    inside, outside = arena.halves(anonnb.load("adult"))
    release = Mondrian(k=10).anonymize(inside)
    by_margins, by_control = (SinglingOutAttack().run(release, control=each) for each in (None, outside))
    assert by_margins.success == pytest.approx(1 / math.e, abs=0.06)
    assert by_control.info["weight"] > 10 * by_margins.info["weight"]
    assert by_control.right == 0


def test_against_differential_privacy_it_is_no_better_than_trivial():
    inside, outside = arena.halves(anonnb.load("adult"))
    found = SinglingOutAttack().run(PrivateMarginals(epsilon=1).anonymize(inside), inside, control=outside)
    assert found.note == "", "the predicates are light enough to count"
    assert found.success <= found.baseline + 0.01
    assert found.outside.success <= found.baseline + 0.01


def test_what_cannot_be_attacked_is_said():
    table = crowd(12, 6)
    nothing = SinglingOutAttack().run(Release.of(table).take(np.arange(0)), table)
    assert (nothing.attempts, nothing.note) == (0, "nothing was published")
    with pytest.raises(KeyError, match="'x0'"):
        SinglingOutAttack().run(Release.of(table), table.select(["x1"]).with_roles(quasi=["x1"]))
    with pytest.raises(ValueError, match="are also in the release"):
        SinglingOutAttack().run(Release.of(table), control=table)


def test_contract_and_arena():
    check_attack(SinglingOutAttack(predicates=50))
    found = arena.compare(anonnb.load("survey"), ["Mondrian"], ["SinglingOutAttack"], [], draws=1)
    line = found.query("method == 'Mondrian' and kind == 'attack'").iloc[0]
    assert line["value"] == 0
    assert "more than 1/(10 n)" in line["reason"]
