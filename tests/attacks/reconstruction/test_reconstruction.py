"""The reconstruction attack: the census block of 2018, brute force over all tables, and the inference attack."""

from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table
from anonnb.attacks import InferenceAttack, ReconstructionAttack
from anonnb.attacks.reconstruction.census_block import census_block
from anonnb.attacks.reconstruction.count_boxes import CountBoxes, KnownCounts
from anonnb.attacks.reconstruction.noisy_sums import NoisySums
from anonnb.attacks.reconstruction.reconstruction import margin_luck
from anonnb.attacks.reconstruction.statistics import Statistic, Statistics
from anonnb.core.extras import MissingExtra
from anonnb.methods import SafeItemsets, SafeTree
from anonnb.rules import association_rules, frequent_itemsets
from anonnb.testing import check_attack
from anonnb.trees import grow
from anonnb.trees.published_trees import MinedTree, PublishedTree

SURVEY = anonnb.load("survey")
SOLVERS = ["highs", "cp-sat"]
BLOCK = [
    (8, "black", "female", "single"),
    (18, "white", "male", "single"),
    (24, "white", "female", "single"),
    (30, "white", "male", "married"),
    (36, "black", "female", "married"),
    (66, "black", "female", "married"),
    (84, "black", "male", "married"),
]


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_census_block_has_one_table(solver):
    people = Table(pd.DataFrame(BLOCK, columns=["age", "race", "sex", "marital"]))
    result = ReconstructionAttack(solver=solver).run(census_block(), people)
    assert list(result.targets[["age", "race", "sex", "marital"]].itertuples(index=False, name=None)) == BLOCK
    assert result.info["unique"]
    assert result.attempts == result.claims == result.right == 7
    assert result.success == 1.0
    shares = {"black": 4, "white": 3, "female": 4, "male": 3, "single": 3, "married": 4}  # of 7; every age is one
    assert result.luck == pytest.approx(sum(shares[a] * shares[b] * shares[c] / 7**3 for _, a, b, c in BLOCK))
    assert result.summary == "claims 7 of 7 rows, 7 of them right (baseline: 0.9 by luck)"


def test_without_a_line_the_block_has_several_tables():
    """The eight-year-old stays certain only while somebody says how old the black women are."""
    block = census_block()
    fewer = Statistics(
        block.values,
        [each for each in block.published if each.where != {"race": "black", "sex": "female"}],
        "age",
        block.never,
    )
    result = ReconstructionAttack().run(fewer)
    assert not result.info["unique"]
    assert result.claims < 7
    assert fewer.fits(result.info["another table"].itertuples(index=False, name=None))


# ---- statistics against brute force -----------------------------------------------------------------------------

FILTERS = [{"sex": "f"}, {"sex": "m"}, {"age": range(0, 2)}, {"age": range(2, 5)}, {"sex": "f", "age": range(1, 4)}]


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
@settings(max_examples=30, deadline=None)
@given(
    people=st.lists(st.tuples(st.integers(0, 4), st.sampled_from("fm")), min_size=2, max_size=4),
    filters=st.lists(st.sampled_from(FILTERS), max_size=4, unique_by=str),
    fewest=st.integers(1, 3),
)
def test_certain_rows_are_those_of_all_tables(solver, people, filters, fewest):
    table = Table(pd.DataFrame(people, columns=["age", "sex"]))
    values = {"age": range(0, 5), "sex": ["f", "m"]}
    published = Statistics.of(table, [{}, *filters], "age", values=values, fewest=fewest, digits=0)
    every = combinations_with_replacement(list(product(range(5), "fm")), len(people))
    fitting = [Counter(rows) for rows in every if _fits(rows, published)]
    certain = fitting[0]
    for other in fitting:
        certain = certain & other
    result = ReconstructionAttack(solver=solver).run(published, table)
    found = {tuple(row[:2]): row[2] for row in result.targets.itertuples(index=False, name=None)}
    assert found == dict(certain)
    assert result.info["unique"] == (len(fitting) == 1)
    assert result.right == result.claims == sum(certain.values())


def _fits(rows, published) -> bool:
    """Counted from what the statistics say, apart from the package's own check."""
    ages, sexes = np.array([age for age, _ in rows]), np.array([sex for _, sex in rows])
    for each in published.published:
        ages_inside = ages[
            np.isin(ages, list(each.where.get("age", range(5)))) & np.isin(sexes, [each.where.get("sex", ["f", "m"])])
        ]
        low, high = each.limits
        if not low <= len(ages_inside) <= high:
            return False
        if each.median is not None and np.median(ages_inside) != each.median:
            return False
        if each.mean is not None and abs(ages_inside.mean() - each.mean) > 0.5 * 10**-each.digits + 1e-9:
            return False
    return True


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Statistic(count=(3, 1)), "everybody"),
        (lambda: Statistic({"sex": "f"}, (0, 2), mean=3), "sex=f: a median or a mean needs the exact count"),
        (lambda: Statistic(count=3, median=30.2), "30.2 is no median"),
        (lambda: Statistics({"age": [1, 2]}, [Statistic({"sex": "f"}, 1)]), "no attribute 'sex'"),
        (lambda: Statistics({"age": [1, 2]}, [Statistic({"age": 7}, 1)]), "'age' has no value 7"),
        (lambda: Statistics({"age": [1, 2]}, [Statistic(count=2, mean=1.5)]), "number="),
        (lambda: Statistics({"age": [1.5, 2]}, [], "age"), "must be whole"),
        (lambda: Statistics({"a": range(999), "b": range(999)}, []), "998,001 kinds"),
        (lambda: ReconstructionAttack().run(Statistics({"age": [1, 2]}, [])), "how many people"),
        (
            lambda: ReconstructionAttack().run(Statistics({"a": [1]}, [Statistic(count=2), Statistic({"a": 1}, 1)])),
            "no table fits",
        ),
        (lambda: ReconstructionAttack().run({"": 3, "A": 4}), "no table fits"),
        (lambda: ReconstructionAttack().run(SURVEY), "mine it first"),
    ],
)
def test_bad_statistics_are_refused_in_a_sentence(make, words):
    with pytest.raises((ValueError, KeyError, TypeError), match=words):
        make()


def test_without_or_tools_highs_does_it_and_cp_sat_says_what_to_install(monkeypatch):
    hidden = "anonnb.attacks.reconstruction.reconstruction.find_spec", "anonnb.core.extras.find_spec"
    for place in hidden:
        monkeypatch.setattr(place, lambda name: None)
    people = Statistics({"a": [1, 2]}, [Statistic(count=2), Statistic({"a": 1}, 1)])
    assert ReconstructionAttack().run(people).info["solver"] == "highs"
    with pytest.raises(MissingExtra, match=r'the solver CP-SAT needs ortools, .*"anonnb\[solver\]"'):
        ReconstructionAttack(solver="cp-sat").run(people)


def test_without_the_people_nobody_knows_what_luck_would_do():
    """One of two people has a = 1, so the other has a = 2."""
    published = Statistics({"a": [1, 2]}, [Statistic(count=2), Statistic({"a": 1}, 1)])
    result = ReconstructionAttack(solver="highs").run(published)
    assert (result.claims, result.right) == (2, 2)
    assert np.isnan(result.luck)
    assert "(baseline unknown); the claims are right if the published figures are" in result.summary
    assert "guessing" not in result.summary
    known = ReconstructionAttack(solver="highs").run(published, Table(pd.DataFrame({"a": [1, 2]})))
    assert (known.right, known.luck, known.note) == (2, 2.0, ""), "each of two values is half of the people"


def test_luck_counts_a_row_at_most_as_often_as_it_occurs():
    """All columns are constant but one: 3 of 4 rows are drawn as (a, x), so of 8 drawn 6 are, and 3 of them count."""
    frame = pd.DataFrame({"one": list("aaab"), "two": list("xxxx")})
    assert margin_luck(frame, 8) == 3 + 1
    assert margin_luck(frame, 2) == 2 * 0.75 + 2 * 0.25
    assert margin_luck(frame, 0) == 0


# ---- itemsets and trees -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@settings(max_examples=30, deadline=None)
@given(data=st.data(), k=st.integers(2, 4))
def test_small_counts_are_those_of_all_tables(solver, data, k):
    """Four cells, at most five people: every table is tried."""
    truth = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(lambda cells: sum(cells) <= 5))
    )
    subsets = np.array(list(product([0, 1], repeat=4)))[1:]
    inside = np.vstack([np.ones(4, dtype=int), *data.draw(st.lists(st.sampled_from(list(subsets)), max_size=4))])
    known = KnownCounts(inside, inside @ truth, np.zeros(4, dtype=np.int64))
    fitting = np.array([cells for cells in product(range(6), repeat=4) if (inside @ cells == inside @ truth).all()])
    counts = subsets @ fitting.T
    small = [(number, row.min(), row.max()) for number, row in enumerate(counts) if row.min() >= 1 and row.max() < k]
    assert [tuple(box) for box in CountBoxes(known, solver).small(subsets, k)] == small


def _random_table(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({name: rng.choice(list("abc"), 30, p=[0.6, 0.3, 0.1]) for name in ("A", "B", "C")})
    return Table(frame.assign(D=rng.choice(["no", "yes"], 30)), quasi=["A", "B", "C"], decision="D")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_it_finds_all_that_inference_finds_in_itemsets(seed):
    table = _random_table(seed)
    found = frequent_itemsets(table.select(table.quasi), min_count=4 + seed % 4)
    rules = association_rules(table.select(table.quasi), min_confidence=0.5, min_count=4)
    for published in (found, rules) if len(rules) else (found,):
        for rows in (None, 30):
            options = {"k": 4, "rows": rows}
            inferred = InferenceAttack(**options).run(published, table).targets
            certain = ReconstructionAttack(**options).run(published, table)
            assert set(inferred["people"]) <= set(certain.targets["people"])
            assert certain.right == certain.claims


@pytest.mark.parametrize("seed", range(20))
def test_it_finds_all_that_inference_finds_in_trees(seed):
    table = _random_table(seed)
    rng = np.random.default_rng(seed)
    tree = grow(table, max_leaves=6)
    hidden = [node.number for node in tree.nodes if rng.random() < 0.4]
    published = MinedTree(PublishedTree(tree, hidden).frame(), tree=PublishedTree(tree, hidden))
    inferred = InferenceAttack(k=4).run(published, table).targets
    certain = ReconstructionAttack(k=4).run(published, table)
    assert set(inferred["people"]) <= set(certain.targets["people"])
    assert certain.right == certain.claims


def test_it_finds_more_than_sums_and_differences():
    """A and B, B and C, A and C: 1 each of 2; then exactly one person has two or three of them. No sum says so."""
    published = {"": 3, "A": 2, "B": 2, "C": 2, "AB": 1, "BC": 1, "AC": 1}
    inferred = set(InferenceAttack(k=3).run(published).targets["people"])
    certain = set(ReconstructionAttack(k=3).run(published).targets["people"])
    assert "A and B and not C" not in inferred
    assert inferred < certain


def test_safe_itemsets_and_trees_of_the_survey():
    """What 'sure' publishes stands up to it; so does a safe tree."""
    sure = SafeItemsets(k=3, strategy="sure", min_support=0.3).anonymize(SURVEY)
    result = ReconstructionAttack(k=3).run(sure, SURVEY)
    assert (result.claims, result.right, result.luck) == (0, 0, 0)
    tree = SafeTree(k=3).anonymize(SURVEY)
    assert ReconstructionAttack(k=3).run(tree, SURVEY).claims == 0


def test_many_attributes_are_taken_as_published_itemsets_join_them():
    adult = anonnb.load("adult").take(np.arange(0, 30162, 15))
    found = frequent_itemsets(adult.select(adult.quasi), 0.1, max_len=3)
    inferred = InferenceAttack(k=5).run(found)
    certain = ReconstructionAttack(k=5).run(found, adult)
    assert set(inferred.targets["people"]) <= set(certain.targets["people"])
    assert certain.right == certain.claims


def test_a_search_that_runs_out_says_so(monkeypatch):
    monkeypatch.setattr("anonnb.attacks.reconstruction.reconstruction.MOST_PROGRAMS", 1)
    published = {"": 3, "A": 2, "B": 2, "C": 2, "AB": 1, "BC": 1, "AC": 1}
    assert "not decided" in ReconstructionAttack(k=3).run(published).note


@pytest.mark.slow
def test_the_contract():
    check_attack(ReconstructionAttack())


# ---- claims that are likely -----------------------------------------------------------------------------------------


def with_bit(share, seed, rows=200):
    has = np.random.default_rng(seed).random(rows) < share
    return Table(pd.DataFrame({"ill": np.where(has, "yes", "no")}), sensitive="ill")


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_noisy_sums_beat_the_constant_guess_in_every_draw(share):
    """200 people, 800 sums, errors up to 20: least squares alone do not manage it at 30 %."""
    alone, confident, everybody = [], [], []
    for seed in range(10):
        table = with_bit(share, seed)
        sums = NoisySums.of(table, "ill", "yes", seed=100 + seed)
        result = ReconstructionAttack().run(sums, table)
        assert result.success > result.baseline + 0.05, "the limits of the errors are used"
        lines = result.targets
        assert lines["confidence"].is_monotonic_decreasing
        confident.append(lines["right"][:50].mean())
        everybody.append(lines["right"].mean())
        plain = np.linalg.lstsq(sums.asked.astype(float), sums.sums, rcond=None)[0] > 0.5
        alone.append((plain == (table.frame["ill"] == "yes")).mean() > result.baseline)
    assert all(alone) == (share == 0.5)
    assert np.mean(confident) > np.mean(everybody) + 0.1, "the confident ones are right more often"


def test_sums_without_errors_give_every_bit_and_unknown_people_none():
    table = with_bit(0.3, 1, rows=40)
    exact = NoisySums.of(table, "ill", "yes", subsets=80, error=0)
    assert ReconstructionAttack().run(exact, table).success == 1
    unknown = ReconstructionAttack().run(exact)
    assert np.isnan(unknown.right)
    assert "baseline unknown" in repr(unknown)
    with pytest.raises(ValueError, match="no value 'maybe'"):
        NoisySums.of(table, "ill", "maybe")
    with pytest.raises(ValueError, match="give a line of flags"):
        NoisySums(np.ones((2, 3), dtype=bool), np.ones(3), 1)


@pytest.mark.parametrize("solver", ["highs", "cp-sat"])
def test_frequent_rows_of_repeated_reconstructions_are_right_more_often(solver):
    """Counts of pairs of columns leave several tables; the certain rows are in all of them."""
    right = {True: [], False: []}
    for seed in range(6):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({name: rng.choice(list("abc"), 8, p=[0.6, 0.3, 0.1]) for name in "xyz"})
        filters = [{}] + [{n: v, m: w} for n, m in (("x", "y"), ("y", "z")) for v in "abc" for w in "abc"]
        published = Statistics.of(Table(frame), filters, values={name: list("abc") for name in "xyz"}, fewest=1)
        result = ReconstructionAttack(solver=solver, repeats=8).run(published, Table(frame))
        if result.info["unique"]:
            continue
        ranked = result.info["ranked"].set_index(list("xyz"))
        assert ranked["confidence"].is_monotonic_decreasing
        for row in result.targets.itertuples(index=False, name=None):
            assert ranked.loc[row[:3], "confidence"] == 1, "a certain row is in every table"
        for often in (True, False):
            right[often] += ranked["right"][(ranked["confidence"] > 0.5) == often].tolist()
    assert np.mean(right[True]) > np.mean(right[False]) + 0.2
