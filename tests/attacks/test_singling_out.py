"""Singling out: how often k different rows are told apart by chance, at which weight, and what the control shows.

Predicates about single rows are compared with a plain count over all pairs of rows.
"""

import math

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table, arena
from anonnb.attacks import SinglingOutAttack
from anonnb.attacks.singling_out import NEGLIGIBLE, fitting_kind, least_box, mixed, row_hashes, trivial_rate
from anonnb.methods import PRAM, Microaggregation, Mondrian, NoiseAddition, PrivateMarginals, RankSwapping
from anonnb.tables import datasets
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
    found = SinglingOutAttack(attempts=2000).run(release, control=outside)
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
    found = SinglingOutAttack(attempts=10).run(Release.of(table))
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
    assert SinglingOutAttack(attempts=200).run(Release.of(table.take(np.arange(2))), table).info["isolated"] == 0


def test_a_release_of_other_values_is_no_better_than_trivial():
    """Rows drawn anew from the same population stand for a synthetic release: its boxes hold nobody of the table."""
    people, others = crowd(400, 4), crowd(400, 5)
    shown = {name: Column.original(others.attributes[name], others.codes(name)) for name in others.columns}
    drawn = SinglingOutAttack().run(Release(others, shown, None), people)
    assert drawn.success <= drawn.baseline + 0.01
    swapped = SinglingOutAttack("box").run(RankSwapping(percent=50).anonymize(people), people)
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
    release = PrivateMarginals(epsilon=1).anonymize(inside)
    for kind in ("box", "ball", "univariate", "multivariate"):
        found = SinglingOutAttack(kind).run(release, inside, control=outside)
        assert found.success <= found.baseline + 3 * math.sqrt(0.1 / max(found.attempts, 1))


def test_what_cannot_be_attacked_is_said():
    table = crowd(12, 6)
    nothing = SinglingOutAttack().run(Release.of(table).take(np.arange(0)), table)
    assert (nothing.attempts, nothing.note) == (0, "nothing was published")
    with pytest.raises(KeyError, match="'x0'"):
        SinglingOutAttack().run(Release.of(table), table.select(["x1"]).with_roles(quasi=["x1"]))
    with pytest.raises(ValueError, match="are also in the release"):
        SinglingOutAttack().run(Release.of(table), control=table)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [None, "box"])
def test_contract(kind):
    check_attack(SinglingOutAttack(kind, attempts=50))


def test_in_the_arena():
    found = arena.compare(anonnb.load("survey"), ["Mondrian"], ["SinglingOutAttack"], [], draws=1)
    line = found.query("method == 'Mondrian' and kind == 'attack'").iloc[0]
    assert line["value"] == 0
    assert "more than 1/(10 n)" in line["reason"]


# ---- predicates about single rows --------------------------------------------------------------------------------


def test_balls_of_half_the_way_isolate_the_loneliest_people_of_census():
    """The facts of the specification; a box isolates none of them."""
    inside, outside = arena.halves(anonnb.load("census"))
    for method, expected in ((NoiseAddition(), 20), (RankSwapping(), 5)):
        release = method.anonymize(inside)
        found = SinglingOutAttack("ball").run(release, inside, control=outside)
        assert (found.attempts, found.right, found.info["isolated"]) == (20, expected, expected)
        assert (found.baseline, found.outside.info["isolated"]) == (0, 0)
        assert SinglingOutAttack("box").run(release, inside, control=outside).info["isolated"] == 0
    assert SinglingOutAttack().run(NoiseAddition().anonymize(anonnb.load("census"))).info["isolated"] == 20


def test_the_default_fits_the_release():
    census, survey = anonnb.load("census"), anonnb.load("survey")
    kinds = {"box": [Mondrian(k=5)], "ball": [NoiseAddition(), Microaggregation(k=5)], "univariate": [RankSwapping()]}
    for kind, methods in kinds.items():
        assert {fitting_kind(method.anonymize(census)) for method in methods} == {kind}
    assert fitting_kind(PRAM().anonymize(survey.with_roles(quasi=["Sex", "Marital_status"]))) == "multivariate"
    assert fitting_kind(Release.of(census)) == "box"
    inside, outside = arena.halves(census)
    swapped = SinglingOutAttack().run(RankSwapping().anonymize(inside), inside, control=outside)
    assert swapped.success > 0.9 > 0.1 > swapped.baseline, "swapping leaves every rare value to its owner"


def mixed_table(seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(5, 40))
    frame = pd.DataFrame(
        {"x": rng.normal(size=rows).round(2), "y": rng.integers(0, 30, rows), "s": rng.choice(list("abc"), rows)}
    )
    return Table(frame.set_index(pd.Index([f"{seed}/{row}" for row in range(rows)])), quasi=["x", "y", "s"])


def plainly(kind, frame, text, shown):
    """The rows of a frame that satisfy a predicate, by what its text says."""
    if kind == "ball":
        row, radius = shown.iloc[int(text.split("row ")[1].split()[0])], float(text.split()[1])
        noise = "of the noise" in text  # whose variance is 0.3² of 1 + 0.3² parts
        scale = shown[["x", "y"]].std(ddof=1) * 0.3 / np.sqrt(1.09) if noise else shown[["x", "y"]].std(ddof=0)
        apart = ((frame[["x", "y"]] - row[["x", "y"]]) / scale).astype(float)
        far, same = np.sqrt((apart**2).sum(axis=1)), frame["s"] == row["s"]
        same &= (apart.sum(axis=1) > 0) if "above" in text else True
        return (far < radius * 1.01) & same, (far < radius * 0.99) & same
    good = np.ones(len(frame), dtype=bool)
    for part in text.split(" and "):
        name, sign, value = part.split()
        column, value = frame[name], value if name == "s" else float(value)
        good &= {"≤": column.le, "≥": column.ge, "=": column.eq}[sign](value).to_numpy()
    return good, good


@pytest.mark.parametrize("kind", ["univariate", "multivariate", "ball"])
def test_predicates_about_rows_hold_for_whom_they_say(kind):
    counted = 0
    for seed in range(20):
        table, others = mixed_table(seed), mixed_table(seed + 100)
        release = NoiseAddition(amount=0.3).anonymize(table) if seed % 2 else Release.of(table)
        shown = release.frame.reset_index(drop=True)
        for control in (None, others):
            found = SinglingOutAttack(kind, attempts=8).run(release, table, control=control)
            for line in found.targets.itertuples(index=False):
                most, least = (part.sum() for part in plainly(kind, table.frame, line.predicate, shown))
                assert least <= line[1] <= most
                if kind != "ball":
                    assert plainly(kind, shown, line.predicate, shown)[0].sum() == 1
                    if control is not None:
                        assert line.weight == plainly(kind, others.frame, line.predicate, shown)[0].mean()
                assert line.score == (line[1] == 1 and line.weight <= 1 / (NEGLIGIBLE * len(table)))
                counted += 1
    assert counted > 200


def test_a_mean_of_several_rows_is_thinned_and_sets_have_no_ball():
    table = anonnb.load("census")
    found = SinglingOutAttack("ball", attempts=200).run(Microaggregation(k=3).anonymize(table))
    inside = found.targets["rows that satisfy it"]
    assert 0 < found.info["isolated"] < 200
    assert inside.max() <= 3
    for kind in ("ball", "univariate", "multivariate"):
        with pytest.raises(ValueError, match="use predicates='box'"):
            SinglingOutAttack(kind).run(Mondrian(k=5).anonymize(table))
    nothing = SinglingOutAttack("univariate").run(Microaggregation(k=5).anonymize(table))
    assert (nothing.attempts, nothing.note) == (0, "no univariate predicate holds for exactly one published row")


@pytest.mark.slow
def test_the_default_does_at_least_as_well_as_a_box_on_all_tables():
    """Except on car, which has every combination once: a random one isolates there."""
    shipped = [anonnb.load(name) for name in datasets.names() if name != "car"]
    for table in [mixed_table(seed) for seed in range(20)] + [table for table in shipped if table.quasi]:
        inside, outside = arena.halves(table, people=2000)
        for method in (NoiseAddition(), RankSwapping(), Mondrian(k=2)):
            try:
                release = method.anonymize(inside)
            except ValueError:
                continue
            box, best = (SinglingOutAttack(kind).run(release, inside, control=outside) for kind in ("box", None))
            same = box.info["rows of the class"] == 1  # all predicates are the one row
            assert best.right >= min(box.right, 1) if same else best.success >= box.success, (table, method)


@pytest.mark.parametrize(("method", "fewest"), [(NoiseAddition(amount=0.25), 60), (Microaggregation(k=2), 55)], ids=str)
def test_radii_of_the_noise_and_halves_of_pairs_beat_half_the_way(method, fewest):
    """Of 100 balls around the loneliest rows of Census, half the way to the next, about 65 and 20 isolate."""
    inside, outside = arena.halves(anonnb.load("census"))
    found = SinglingOutAttack("ball", attempts=100).run(method.anonymize(inside), inside, control=outside)
    assert found.right >= fewest
    assert found.baseline < 0.15
