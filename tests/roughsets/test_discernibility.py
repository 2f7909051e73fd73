"""Discernibility, reducts and approximations: the flu table, every relation by its definition, and many attributes."""

import time

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load, roughsets, steps
from tests.roughsets.definitions import FLU, NAMES, RELATIONS, ByDefinition, random_data, same_sets, smallest
from tests.series import series

TABLES = 500


@pytest.fixture
def flu():
    return Table(FLU, decision="flu")


def reasons_of(data, row, relation="equal"):
    """The shortest reasons for the decision of a row."""
    return roughsets.discernibility_function(data, relation=relation, keep="decision", row=row).reducts()


def test_the_flu_table(flu):
    found = roughsets.approximate(flu, "yes")
    assert flu.index[found.lower].tolist() == ["p1", "p3", "p6"]
    assert flu.index[found.boundary].tolist() == ["p2", "p5"]
    assert roughsets.quality(flu) == 4 / 6
    assert roughsets.core(flu) == ["temperature"]
    expected = [["headache", "temperature"], ["muscle pain", "temperature"]]
    assert roughsets.reducts(flu) == roughsets.reducts(flu, keep="decision") == expected
    function = roughsets.discernibility_function(flu)
    assert str(function) == "temperature ∧ (headache ∨ muscle pain)"
    assert function.core == ["temperature"]
    assert function.johnson() == roughsets.johnson_reduct(flu) == ["headache", "temperature"]


def test_the_matrix_of_the_flu_table(flu):
    matrix = roughsets.discernibility_matrix(flu)
    assert matrix.loc["p1", "p4"] == "temperature"
    assert matrix.loc["p4", "p2"] == matrix.loc["p2", "p4"] == "headache, muscle pain, temperature"
    assert matrix.loc["p1", "p3"] == ""  # both surely have it
    assert matrix.loc["p2", "p5"] == ""  # nothing tells them apart
    assert matrix.loc["p1", "p2"] == "headache, muscle pain"  # one surely has it, the other perhaps


@pytest.mark.parametrize("search", [roughsets.quick_reduct, roughsets.johnson_reduct])
def test_the_steps_of_greedy_searches_choose_the_best_candidate(search):
    run = steps.of(search, load("zoo"))
    taken = [step for step in run if step.candidates is not None]
    assert run.result == search(load("zoo"))
    assert len(taken) >= len(run.result) > 3
    for step in taken:
        scores = step.candidates.iloc[:, 0]
        assert scores[step.chosen[0]] == scores.max()
    assert {step.chosen[0] for step in taken} >= set(run.result)


def test_the_reasons_of_single_rows(flu):
    assert reasons_of(flu, 3) == [["temperature"]]
    assert same_sets(reasons_of(flu, 0), [{"headache", "temperature"}, {"muscle pain", "temperature"}])


@pytest.mark.slow
@pytest.mark.parametrize("relation", RELATIONS)
def test_every_relation_by_its_definition(relation):
    for seed in series(TABLES):
        _is_as_defined(random_data(seed), relation, NAMES[: seed % 4])


def _is_as_defined(data, relation, names):
    truth = ByDefinition(data, relation)
    found = roughsets.approximate(data, ["p"], names, relation=relation)
    near = [truth.relatives(row, names) for row in truth.rows]
    sure = {row for row in truth.rows if truth.classes[row] <= {0}}
    possible = {row for row in truth.rows if truth.classes[row] & {0}}
    assert set(found.lower.tolist()) == {row for row in truth.rows if near[row] <= sure}
    assert set(found.upper.tolist()) == {row for row in truth.rows if near[row] & possible}
    assert set(roughsets.positive_region(data, names, relation=relation).tolist()) == truth.positive(names)
    exact = smallest(lambda chosen: truth.positive(chosen) == truth.positive())
    assert same_sets(roughsets.reducts(data, relation=relation), exact)
    assert set(roughsets.reduct(data, relation=relation)) in exact
    assert set(roughsets.core(data, relation=relation)) == set(NAMES).intersection(*exact)


@pytest.mark.slow
@pytest.mark.parametrize("relation", RELATIONS)
def test_other_reducts_by_their_definitions(relation):
    for seed in range(TABLES // 8):
        data = random_data(seed)
        _has_other_reducts(data, seed % len(data), relation)


def _has_other_reducts(data, row, relation):
    truth = ByDefinition(data, relation)
    strict = smallest(lambda chosen: truth.generalized(chosen) == truth.generalized())
    assert same_sets(roughsets.reducts(data, relation=relation, keep="decision"), strict)
    assert set(roughsets.johnson_reduct(data, relation=relation, keep="decision")) in strict
    reasons = smallest(lambda chosen: truth.generalized(chosen)[row] == truth.generalized()[row])
    assert same_sets(reasons_of(data, row, relation=relation), reasons)
    assert truth.positive(roughsets.quick_reduct(data, relation=relation)) == truth.positive()
    goal = truth.quality() - 0.3 - 1e-12
    close = smallest(lambda chosen: truth.quality(chosen) >= goal)
    assert same_sets(roughsets.approximate_reducts(data, tolerance=0.3, relation=relation), close)
    assert truth.quality(roughsets.quick_reduct(data, relation=relation, tolerance=0.3)) >= goal


def test_quick_reduct_takes_the_best_at_every_step():
    table = load("zoo")
    chosen = roughsets.quick_reduct(table)
    for place in range(len(chosen)):
        figures = {
            n: roughsets.quality(table, [*chosen[:place], n]) for n in table.conditions if n not in chosen[:place]
        }
        assert chosen[place] == max(figures, key=figures.get)


def seconds(function, *arguments):
    """The processor time of the fastest of three calls."""
    times = []
    for _ in range(3):
        start = time.process_time()
        function(*arguments)
        times.append(time.process_time() - start)
    return min(times)


def test_all_reducts_of_adult_by_pairs_that_agree_in_the_core():
    table = load("adult")
    found = roughsets.reducts(table)
    assert seconds(roughsets.quality, table) < 0.1
    assert seconds(roughsets.reducts, table) < 30
    assert len(table.conditions) == 14
    assert len(found) == 2
    region = len(roughsets.positive_region(table))
    for chosen in found:
        assert len(roughsets.positive_region(table, chosen)) == region
        for name in chosen:
            assert len(roughsets.positive_region(table, [other for other in chosen if other != name])) < region


@pytest.mark.slow
def test_hundreds_of_attributes_and_progress():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (60, 300)), columns=[f"a{place}" for place in range(300)])
    frame["d"] = frame["a7"] * 2 + frame["a250"]
    table, watched = Table(frame, decision="d"), set()

    def watch(items, desc="", **_):
        watched.add(desc)
        return items

    for chosen in (roughsets.quick_reduct(table, progress=watch), roughsets.johnson_reduct(table, progress=watch)):
        assert roughsets.quality(table, chosen) == 1
        assert len(chosen) < 12
    assert watched == {"attributes", "attributes taken", "pairs of rows"}


def test_all_reducts_among_more_attributes_than_a_word_has_bits():
    """Seventy attributes, two of which are needed and one of which has a twin."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(np.zeros((8, 70), dtype=int), columns=[f"a{place}" for place in range(70)])
    frame["a3"], frame["a66"] = np.arange(8) % 2, np.arange(8) // 2 % 2
    frame["a69"] = frame["a3"]
    frame["d"] = frame["a3"] * 2 + frame["a66"] + 10 * rng.integers(0, 1, 8)
    assert roughsets.reducts(Table(frame, decision="d")) == [["a3", "a66"], ["a66", "a69"]]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda t: roughsets.reducts(t, keep="all"), "'decision' or 'region'"),
        (lambda t: roughsets.reducts(t, max_pairs=3), "need 9 pairs of rows compared; raise max_pairs=3"),
        (lambda t: roughsets.discernibility_function(t, row=6), "row=6 is not a row"),
        (lambda t: roughsets.approximate_reducts(t, tolerance=2), "tolerance=2 is not a share"),
        (lambda t: roughsets.approximate_reducts(t, tolerance=0, limit=2), "limit=2"),
        (lambda t: roughsets.discernibility_matrix(load("car")), "1,728 rows cannot be read"),
    ],
)
def test_bad_input_is_named(act, words):
    with pytest.raises(ValueError, match=words):
        act(Table(FLU, decision="flu"))
