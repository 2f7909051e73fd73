"""The membership attack: areas against brute force, nothing where there is nothing to find, all where all is shown."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

import anonnb
from anonnb import Release, Table
from anonnb.arena.entrants import halves
from anonnb.attacks import MembershipAttack
from anonnb.attacks.membership.densities import TreeDensity
from anonnb.attacks.membership.distances import RowDistances
from anonnb.attacks.ranking import auc, auc_interval, roc, true_positives_at
from anonnb.methods import PRAM, Microaggregation, Mondrian, NoiseAddition, RankSwapping, Rounding
from anonnb.tables.matching import Matching
from anonnb.testing import check_attack

SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=8).map(np.array)


@given(SCORES, SCORES)
def test_the_area_is_the_chance_that_a_member_scores_higher(inside, outside):
    pairs = [(mine > other) + 0.5 * (mine == other) for mine in inside for other in outside]
    assert auc(inside, outside) == pytest.approx(np.mean(pairs))
    false, true = roc(inside, outside)
    assert np.trapezoid(true, false) == pytest.approx(np.mean(pairs))
    best = max([0.0, *((inside >= t).mean() for t in inside if (outside >= t).mean() <= 0.01)])
    assert true_positives_at(0.01, inside, outside) == pytest.approx(best)


def test_at_a_half_the_interval_is_that_of_the_rank_test():
    """The variance of the Mann–Whitney statistic under equal distributions: (m + n + 1) / 12mn."""
    low, high = auc_interval(0.5, 51, 58)
    assert ((high - low) / 2 / 1.959964) ** 2 == pytest.approx((51 + 58 + 1) / (12 * 51 * 58))
    assert auc_interval(1.0, 10, 10) == (1.0, 1.0)


def _population(seed: int, rows: int) -> Table:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "weight": rng.normal(75, 15, rows).round(1),
            "town": rng.choice(list("abcdef"), rows),
            "ill": rng.choice(["flu", "cold"], rows),
        }
    )
    return Table(frame, quasi=["age", "weight", "town"], sensitive=["ill"])


def _parts(table: Table, seed: int, count: int) -> list[Table]:
    order = np.random.default_rng(seed).permutation(len(table))
    return [table.take(np.sort(part)) for part in np.array_split(order, count)]


def test_a_table_published_as_it_is_gives_all_away():
    inside, outside = _parts(_population(0, 400), 0, 2)
    result = MembershipAttack().run(Release.of(inside), control=outside)
    assert result.auc == result.tpr_at(0.01) == result.tpr_at(0.001) == result.true_positives == 1.0
    assert (result.kind, result.attempts, result.outside.attempts, result.baseline) == ("membership", 200, 200, 0)
    assert result.success == 1 - result.false_positives


# ---- the facts: match times rarity ----------------------------------------------------------------------------------


def _thirds(rows, seed):
    adult = anonnb.load("adult")
    order = np.random.default_rng(seed).permutation(len(adult))[:rows]
    return [adult.take(np.sort(part)) for part in np.array_split(order, 3)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "method", "fewest"),
    [
        (6000, None, (0.37, 0.17)),
        (6000, Mondrian(k=2), (0.16, 0.03)),
        (6000, NoiseAddition(columns=["age"]), (0.2, 0.1)),
        (30162, None, (0.25, 0.12)),
    ],
)
def test_rare_people_are_found_at_few_false_positives(rows, method, fewest):
    """If any match is as good as another, nobody is found: far more than 1 % of the outsiders have a twin."""
    rates = []
    for seed in (0, 1, 2):
        inside, outside, others = _thirds(rows, seed)
        release = Release.of(inside) if method is None else method.anonymize(inside)
        for reference in (others, None):
            result = MembershipAttack(reference=reference).run(release, control=outside)
            rates.append((result.tpr_at(0.01), result.tpr_at(0.001)))
        if method is None:
            published = pd.MultiIndex.from_frame(inside.frame[inside.quasi])
            twins = pd.MultiIndex.from_frame(outside.frame[inside.quasi]).isin(published)
            assert true_positives_at(0.01, np.ones(len(inside)), twins * 1.0) == 0
    assert (np.mean(rates, axis=0) > fewest).all()


def _plain(release, people, known):
    """The score that densities replace: the smaller the smallest box that fits, the likelier a member."""
    matching = Matching(release, people, known)
    columns = [matching.published.column(name) for name in known]
    size = np.sum([np.log(column.sets.sizes / column.attribute.size)[column.index] for column in columns], axis=0)
    return -np.where(matching.matrix(), size, np.inf).min(axis=1)[matching.case]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "car", "census", "iris", "zoo", "random"])
def test_densities_rank_people_no_worse_than_the_smallest_box(name):
    better = []
    for k in (2, 5):
        for seed in range(20 if name == "random" else 3):
            table = _population(seed, 300) if name == "random" else anonnb.load(name)
            inside, outside = halves(table, seed, people=min(len(table), 1000))
            release = Mondrian(k=k).anonymize(inside)
            plain = auc(*(_plain(release, part, table.quasi) for part in (inside, outside)))
            better.append(MembershipAttack().run(release, control=outside).auc - plain)
    assert np.mean(better) > -0.001


def test_the_population_is_a_distribution_that_knows_pairs():
    """Over all combinations the shares sum to less than 1, and by no more than the values never seen are worth."""
    rng = np.random.default_rng(0)
    town = rng.choice(list("abc"), 3000)
    frame = pd.DataFrame(
        {"town": town, "zip": np.where(rng.random(3000) < 0.9, town, "a"), "sex": rng.choice(list("fm"), 3000)}
    )
    density = TreeDensity(Release.of(Table(frame)), ["town", "zip", "sex"])
    every = pd.MultiIndex.from_product([list("abc"), list("abc"), list("fm")], names=list(frame)).to_frame(index=False)
    shares = pd.Series(np.exp(density.log_shares(Table(every))), index=pd.MultiIndex.from_frame(every))
    assert 0.99 < shares.sum() <= 1
    true = frame.value_counts(normalize=True).reindex(shares.index, fill_value=0.0)
    assert np.abs(shares - true).max() < 0.02
    unseen = Table(pd.DataFrame({"town": ["q"], "zip": ["q"], "sex": ["q"]}))
    assert np.exp(density.log_shares(unseen)) < shares.min()


METHODS = [
    Mondrian(k=4),
    Mondrian(k=4, summary="mean"),
    Microaggregation(k=4),
]
NOISE = NoiseAddition(columns=["age", "weight"])


@pytest.mark.parametrize("method", [*METHODS, NOISE, RankSwapping(columns=["age", "weight"])], ids=str)
@pytest.mark.parametrize("calibrated", [False, True])
def test_through_a_release_of_others_two_groups_look_alike(method, calibrated):
    covered, fair, seeds = 0, 0, 20
    for seed in range(seeds):
        first, second, others, reference = _parts(_population(seed, 480), seed, 4)
        attack = MembershipAttack(reference=reference if calibrated else None)
        found = attack.run(method.anonymize(others), first, control=second)
        low, high = found.auc_interval
        covered += low <= 0.5 <= high
        fair += found.success_interval[0] <= 0 <= found.success_interval[1]
    assert covered >= 0.9 * seeds
    assert fair >= 0.9 * seeds


@pytest.mark.parametrize("method", [*(replace(method, k=2) for method in METHODS), NOISE], ids=str)
def test_small_groups_and_little_noise_give_members_away(method):
    """Tight boxes, near means and little noise tell members apart, and the interval says that it is no accident."""
    inside, outside = _parts(_population(1, 600), 1, 2)
    found = MembershipAttack().run(method.anonymize(inside), control=outside)
    assert found.auc_interval[0] > 0.5
    assert found.success_interval[0] > 0
    assert found.success == found.true_positives - found.false_positives
    assert found.true_positives == (found.targets["score"] > 0.5).mean()
    assert found.false_positives == (found.outside.targets["score"] > 0.5).mean()


def test_values_that_are_only_swapped_give_members_away():
    """Every value of a member occurs in its column, however far it moved; an outsider's rare value does not."""
    rng = np.random.default_rng(0)
    table = Table(pd.DataFrame(rng.normal(size=(400, 3)).round(6), columns=list("abc")), quasi=list("abc"))
    inside, outside = (table.take(np.arange(start, 400, 2)) for start in (0, 1))
    found = MembershipAttack().run(RankSwapping(percent=50).anonymize(inside), control=outside)
    assert (found.auc, found.success) == (1.0, 1.0)


def test_members_of_a_generalized_release_always_fit():
    inside, outside = _parts(_population(2, 300), 2, 2)
    found = MembershipAttack().run(Mondrian(k=5).anonymize(inside), control=outside)
    assert found.scores.min() > 0
    assert found.outside.scores.min() == 0


def test_the_people_who_are_not_behind_the_release_are_a_control():
    table = _population(3, 200)
    inside, outside = _parts(table, 3, 2)
    release = Mondrian(k=5).anonymize(inside)
    both = MembershipAttack().run(release, table)
    apart = MembershipAttack().run(release, inside, control=outside)
    assert both.summary == apart.summary
    assert np.array_equal(both.scores, apart.scores)
    assert (both.attempts, both.outside.attempts) == (100, 100)


def test_without_outsiders_it_says_what_is_missing():
    found = MembershipAttack().run(Mondrian(k=5).anonymize(_population(4, 100)))
    assert np.isnan(found.success)
    assert np.isnan([found.auc, found.tpr_at(0.01), *found.auc_interval, *found.success_interval]).all()
    assert "as a control" in found.reason
    nobody = MembershipAttack().run(Release.of(_population(4, 10)), control=_population(4, 10).take(range(0)))
    assert "as a control" in nobody.reason


def test_whoever_was_withheld_is_neither_member_nor_outsider():
    table = _population(5, 90)
    release = Release.of(table.take(np.arange(60))).take(np.arange(30))
    found = MembershipAttack().run(release, table)
    assert (found.attempts, found.outside.attempts) == (30, 30)
    alone = MembershipAttack().run(release)
    assert (alone.attempts, alone.outside) == (30, None)
    asked = MembershipAttack().run(release, control=table.take(np.arange(30, 90)))
    assert (asked.attempts, asked.outside.attempts) == (30, 60), "whom somebody names as outsiders, they are"
    empty = MembershipAttack().run(release.take(np.arange(0)))
    assert (empty.attempts, empty.success) == (0, 0.0)
    assert "none of the people" in empty.reason


def test_a_reference_of_members_is_refused():
    table = _population(6, 60)
    with pytest.raises(ValueError, match="are also in the release"):
        MembershipAttack(reference=table).run(Release.of(table))


def test_somebody_with_several_rows_counts_once():
    frame = pd.DataFrame({"who": [1, 1, 2, 3], "age": [20, 30, 40, 50]})
    table = Table(frame, quasi=["age"], person="who")
    found = MembershipAttack().run(Release.of(table))
    assert found.attempts == found.targets["claimed"].sum() == 3
    part = MembershipAttack().run(Release.of(table).take(np.array([0, 2])))
    assert part.attempts == 2, "one of the rows of person 1 is published, none of person 3"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_nearest_row_is_that_of_plain_loops(seed):
    people, rows = _parts(_population(seed, 24), seed, 2)
    frame, other = people.frame, rows.frame
    rooms = {
        name: float(np.ptp(rows.attributes[name].numbers[: len(rows.attributes[name].domain)]))
        for name in ("age", "weight")
    }
    expected = [
        min(
            np.sqrt(
                sum(((mine[name] - row[name]) / rooms[name]) ** 2 for name in rooms) + (mine["town"] != row["town"])
            )
            for _, row in other.iterrows()
        )
        for _, mine in frame.iterrows()
    ]
    found = RowDistances(Release.of(rows), ["age", "weight", "town"]).distances(people)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("method", [Mondrian(k=10), Microaggregation(k=10)], ids=str)
def test_adult_in_seconds(method):
    inside, outside = _parts(anonnb.load("adult"), 0, 2)
    release = method.anonymize(inside)
    start = time.process_time()
    found = MembershipAttack().run(release, control=outside)
    assert time.process_time() - start < 10
    assert 0.45 < found.auc <= 1


def test_the_contract():
    check_attack(MembershipAttack())


@pytest.mark.slow
@pytest.mark.parametrize("amount", [0.1, 0.25, 0.5])
def test_stated_noise_gives_more_members_away_than_two_kernels(amount):
    """The plain attacker divides the likelihood of a person's values by that under noise of three times the size."""
    gains = []
    for seed in range(1, 5):
        inside, outside = halves(anonnb.load("census"), seed)
        release = NoiseAddition(amount=amount, seed=seed).anonymize(inside)
        shown = release.frame.to_numpy(float)
        scale = amount * shown.std(axis=0, ddof=1) / np.sqrt(1 + amount**2)
        logs = [-cdist(each.frame / scale, shown / scale, "sqeuclidean") / 2 for each in (inside, outside)]
        plain = true_positives_at(0.01, *(logsumexp(each, axis=1) - logsumexp(each / 9, axis=1) for each in logs))
        gains.append(MembershipAttack().run(release, control=outside).tpr_at(0.01) - plain)
    assert np.mean(gains) > 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "census", "gbsg2", "iris", "survey", "random"])
def test_stated_likelihoods_rank_people_no_worse_than_distances(name, monkeypatch):
    gains = []
    for seed in range(20 if name == "random" else 2):
        table = _population(seed, 300) if name == "random" else anonnb.load(name)
        inside, outside = halves(table, seed, people=min(len(table), 1000))
        for method in (NoiseAddition(amount=0.3), RankSwapping(), PRAM(), Rounding(step=3)):
            try:
                release = method.anonymize(inside)
            except ValueError:
                continue  # no numbers
            found = MembershipAttack().run(release, control=outside).auc
            with monkeypatch.context() as without:
                without.setattr("anonnb.attacks.membership.densities.stated_likelihoods", lambda *_: [])
                gains.append(found - MembershipAttack().run(release, control=outside).auc)
    assert np.mean(gains) > -2 * np.std(gains) / np.sqrt(len(gains))
    assert len(table) < 200 or np.mean(gains) > 0
