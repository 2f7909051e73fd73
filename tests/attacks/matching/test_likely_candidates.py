"""Weighted candidates: as good as equal ones or better, never less sure where that is right, and the facts."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table, arena
from anonnb.attacks import BackgroundAttack, HomogeneityAttack, LinkageAttack, SkewnessAttack
from anonnb.attacks.matching import likely
from anonnb.attacks.matching.likely_candidates import weighted_candidates
from anonnb.core.errors import Infeasible
from anonnb.methods import (
    GCCG,
    KACA,
    PRAM,
    ClassMondrian,
    Mondrian,
    NoiseAddition,
    RankSwapping,
    Rounding,
)
from anonnb.tables import datasets
from tests.series import series

METHODS = [
    KACA(k=4),
    GCCG(k=4),
    ClassMondrian(k=4),
    PRAM(),
    RankSwapping(),
    NoiseAddition(amount=0.3),
    Rounding(step=3),
]
ATTACKS = [LinkageAttack, HomogeneityAttack, BackgroundAttack, SkewnessAttack]


def random_people(seed):
    """Secrets that depend on two of three known columns."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"a": rng.integers(0, 30, 200), "b": rng.choice(list("vwxyz"), 200, p=[0.4, 0.3, 0.15, 0.1, 0.05])}
    )
    frame["c"] = (frame["a"] + rng.integers(0, 15, 200)) // 5
    ill = (frame["a"] // 6 + (frame["b"] == "v") * 2 + rng.integers(0, 2, 200)) % 4
    return Table(frame.assign(ill=ill.map(str)), quasi=["a", "b", "c"], sensitive=["ill"], decision="ill")


def shipped(name):
    table = anonnb.load(name)
    return table.take(np.random.default_rng(0).permutation(len(table))[:400])


def both(attack, release, table):
    return [attack(weights=weights).run(release, table) for weights in ("equal", "likely")]


def surely_right(attack, release, table):
    """For both weights the known values of people about whom the attack is sure, and right about all of them."""
    lines = [result.targets for result in both(attack, release, table)]
    return [set(part["known"][part["sure"] & (part["score"] == 1)]) for part in lines]


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("source", [*datasets.names(), "random"])
def test_likely_weights_are_at_least_as_successful_on_average(attack, source):
    """Over draws and methods; no single draw is promised, because a guess may be unlucky, in six rows even often.

    The mean of the differences must not be below 0 by more than two of its standard errors; with more than a hundred
    rows it must be above 0.
    """
    tables = [random_people(seed) for seed in series(20)] if source == "random" else [shipped(source)]
    if attack is not LinkageAttack and not (tables[0].sensitive or tables[0].decision):
        pytest.skip("the table has no secret")
    gains = []
    for table in tables:
        for seed in range(2 if source == "random" else 4):
            inside, _ = arena.halves(table, seed)
            for method in METHODS:
                try:
                    release = method.anonymize(inside)
                except (ValueError, Infeasible):
                    continue  # no decision, no numbers, or too few rows
                equal, weighted = both(attack, release, inside)
                gains.append(weighted.success - equal.success)
    gains, error = np.array(gains), np.std(gains) / np.sqrt(len(gains))
    assert gains.mean() >= -2 * error
    if len(tables[0]) > 100:
        assert gains.mean() > 0


@pytest.mark.parametrize("attack", [HomogeneityAttack, BackgroundAttack], ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_whoever_was_found_out_for_sure_still_is(attack, method):
    """Skewness is left out: its attacker is sure above a belief, and likely weights change beliefs both ways."""
    for seed in series(12):
        table = random_people(seed)
        equal, weighted = surely_right(attack, method.anonymize(table), table)
        assert equal <= weighted


@pytest.mark.parametrize("method", [KACA(k=3), Rounding(step=3), RankSwapping(percent=3)], ids=str)
def test_whoever_is_sure_by_what_could_be_is_right(method):
    """Boxes hold the true values, a multiple is known, and values move within a known reach."""
    for seed in series(12):
        table = random_people(seed)
        release = method.anonymize(table)
        cases = weighted_candidates("likely", release, table, table.quasi, ["ill"]).of("ill")
        stated = getattr(cases, "_rows", None)
        count, value = cases.left() if stated is None else stated.left["ill"]
        one = (count == 1)[cases.case]
        assert (value[cases.case][one] == cases.truth()[one]).all()


def test_the_smallest_box_speaks_loudest():
    """Ages 20 to 60 say cold five times, ages 30 and 31 say flu three times; someone of 30 fits all eight rows."""
    frame = pd.DataFrame({"age": [20, 25, 40, 50, 60, 30, 31, 31, 70], "ill": ["cold"] * 5 + ["flu"] * 3 + ["cold"]})
    table = Table(frame, quasi=["age"], sensitive="ill")
    boxes = frame.assign(age=["[20-60]"] * 5 + ["[30-31]"] * 3 + ["70"])
    release, someone = Release.from_frame(boxes, like=table, rows=range(9)), table.take([5])
    equal, weighted = both(HomogeneityAttack, release, someone)
    assert (equal.targets["guess"].item(), weighted.targets["guess"].item()) == ("cold", "flu")
    assert weighted.targets["sure"].tolist() == [False], "the other rows fit as well"
    assert (weighted.info["one value"], weighted.info["one value right"]) == (1.0, 1.0)
    # [30-31] holds three of nine people, and two of the seven values that five others may have; [20-60] holds eight
    narrow, wide = (3 + 5 * 2 / 7) / 9, 8 / 9
    assert weighted.targets["belief"].item() == pytest.approx(3 / narrow / (3 / narrow + 5 / wide))
    equal, weighted = both(LinkageAttack, release, someone)
    assert (equal.success, weighted.success) == (1 / 8, pytest.approx(1 / 3))
    [*_, step, _] = LinkageAttack().steps(release, someone)
    assert step.sentence == (
        "Person 5 has age = 30: 8 published rows fit, but 3 are likelier than the others, because few other people fit "
        "into so narrow cells; each of these is theirs with probability 0.173 if they are in the release with true "
        "values."
    )


def test_too_many_pairs_are_matched_as_if_the_method_stated_nothing(monkeypatch):
    table = random_people(0)
    release = PRAM().anonymize(table)
    equal, weighted = both(LinkageAttack, release, table)
    assert weighted.success > equal.success
    monkeypatch.setattr("anonnb.attacks.matching.likely_candidates.MAX_PAIRS", 10)
    assert both(LinkageAttack, release, table)[1].success == equal.success
    monkeypatch.undo()
    monkeypatch.setattr(likely, "BLOCK", 1_000), monkeypatch.setattr(likely, "MAX_TABLE", 0)
    assert both(LinkageAttack, release, table)[1].success == weighted.success, "in small blocks, without tables"


def test_a_file_has_no_method_to_state_anything(tmp_path):
    table = random_people(0)
    release = PRAM().anonymize(table)
    foreign = release.replace(method=None)
    assert both(LinkageAttack, foreign, table)[0].success == both(LinkageAttack, foreign, table)[1].success


def test_mutual_exchanges_never_rule_out_a_persons_own_row():
    ruled_out = 0
    for seed in range(20):
        values = np.random.default_rng(seed).integers(0, 40, (12, 2))
        table = Table(pd.DataFrame(values, columns=["x", "y"]), quasi=["x", "y"])
        cases = weighted_candidates("likely", RankSwapping(percent=30, seed=seed).anonymize(table), table, ["x", "y"])
        for person, case in enumerate(cases.case):
            rows, chances = cases.row_chances(case)
            assert chances[rows == person] > 0
            ruled_out += 12 - len(rows)
    assert ruled_out > 20 * 12 * 9, "fewer than three rows are left on average"


FOUR = ["AGI", "FEDTAX", "TAXINC", "WSALVAL"]


@pytest.mark.parametrize(
    ("method", "columns", "plain", "linked"),
    [
        (NoiseAddition(amount=0.5, correlated=True), FOUR, (0.04, 0.06), (0.12, 0.18)),
        (NoiseAddition(amount=0.5, correlated=True), None, (0.19, 0.24), (0.67, 0.8)),
        (RankSwapping(percent=10), FOUR, (0.035, 0.055), (0.99, 1.0)),  # exchanges are mutual, and values rarely shared
        (RankSwapping(percent=10), None, (0.58, 0.66), (0.985, 1.0)),
    ],
    ids=["noise", "noise of all", "swapping", "swapping of all"],
)
def test_whoever_knows_the_noise_links_twice_as_many(method, columns, plain, linked):
    census = anonnb.load("census")
    table = census.with_roles(quasi=columns or list(census.columns))
    for seed in (1, 2):
        inside, outside = arena.halves(table, seed)
        release = method.anonymize(inside)
        results = [LinkageAttack(weights=each).run(release, inside, control=outside) for each in ("equal", "likely")]
        for result, (low, high) in zip(results, (plain, linked), strict=True):
            assert low <= result.success <= high
        assert results[0].false_links == 1.0
        # swapped columns hold the values that they held, which no outsider of this table shares
        assert results[1].false_links == (0.0 if isinstance(method, RankSwapping) else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "all_boxes", "smallest", "excess"),
    [(KACA(k=10), 0.0013, (0.28, 0.35), (-0.05, 0.05)), (GCCG(k=10), 0.128, (0.28, 0.37), (0.03, 0.16)),
     (ClassMondrian(k=10), 0.55, (0.8, 0.89), (0.6, 0.75))],
    ids=["KACA", "GCCG", "ClassMondrian"],
)  # fmt: skip
def test_reading_the_narrowest_row_on_adult(method, all_boxes, smallest, excess):
    """The share of people for whom one value is left and is right: in all boxes that fit, and in the narrowest."""
    adult = anonnb.load("adult")
    inside, outside = arena.halves(adult.take(np.arange(0, len(adult), 10)))
    result = HomogeneityAttack().run(method.anonymize(inside), inside, control=outside)
    assert result.sure_right / result.attempts == pytest.approx(all_boxes, abs=5e-4)
    right, other = result.info["one value right"], result.outside.info["one value right"]
    assert smallest[0] <= right <= smallest[1]
    assert excess[0] <= (right - other) / (1 - other) <= excess[1]


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_boxes_that_do_not_overlap_cost_nothing_extra(attack):
    table = anonnb.load("adult").take(np.arange(0, 30_000, 5))
    release = Mondrian(k=10).anonymize(table)
    equal, weighted = both(attack, release, table)
    assert (equal.success, equal.right) == (weighted.success, weighted.right)
    pd.testing.assert_frame_equal(equal.targets, weighted.targets)
