"""What OKA, KACA and GCCG share: sizes, truth, required models, reports, distances, memory."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Table
from anonnb.methods import GCCG, KACA, OKA
from anonnb.methods.clustering import _trie
from anonnb.methods.clustering.clusters import ValueDistance
from tests.methods.clustering.tables import random_table, value_distances

METHODS = [OKA, KACA, GCCG]


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from(METHODS))
@settings(deadline=None, max_examples=60)
def test_every_cluster_has_k_rows_and_every_cell_holds_its_value(seed, k, method):
    table = random_table(seed)
    release = method(k=k).anonymize(table)
    assert release.group_sizes.min() >= k
    assert len(release) == len(table)
    for name in table.columns:
        assert release.columns[name].holds(table.codes(name)).all()
    assert release.frame["ill"].equals(table.frame["ill"])


@pytest.mark.parametrize("method", METHODS)
def test_the_report_says_what_changed(method):
    table = anonnb.load("survey")
    release = method(k=10).anonymize(table)
    exact = (release.frame[table.quasi].astype(str) == table.frame[table.quasi].astype(str)).all(axis=1)
    assert release.info["rows_changed"] == int((~exact).sum())
    assert release.info["lost_rules"] <= release.info["rules"]


def test_distances_of_values():
    table = random_table(1, rows=60)
    ages, places = table.attributes["age"], table.attributes["place"]
    numbers = ages.numbers
    expected = np.abs(np.subtract.outer(numbers, numbers)) / (numbers[-1] - numbers[0])
    assert np.allclose(value_distances(ages), expected)
    found = value_distances(places)
    code = places.code
    assert found[code("SE"), code("NO")] == pytest.approx(1 / 3)
    assert found[code("SE"), code("IT")] == pytest.approx(2 / 3)
    assert found[code("SE"), code("JP")] == 1
    assert found[code("SE"), code("SE")] == 0


def test_a_hierarchy_without_one_top_gets_a_root():
    open_top = Hierarchy.from_dict({"a": ["x"], "b": ["y"]})
    table = Table(pd.DataFrame({"q": ["a", "b"]}), quasi=["q"], hierarchies={"q": open_top})
    assert KACA(k=2).anonymize(table).frame["q"].tolist() == ["*", "*"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:column")  # default hierarchies
@pytest.mark.parametrize("method", METHODS)
def test_memory_does_not_grow_with_the_square_of_a_domain(method):
    rng = np.random.default_rng(0)
    numbers = np.append(rng.permutation(6000).astype(float), np.nan)  # 36 million pairs: 288 MB as floats
    table = Table(pd.DataFrame({"x": numbers, "zip": [f"{n:05d}" for n in rng.permutation(6001)]}), quasi=["x", "zip"])
    rows = table.take(np.arange(0, 6001, 20))  # few rows, all of the domain
    method(k=3).anonymize(rows.take(range(30)))  # compiled before memory is watched
    tracemalloc.start()
    release = method(k=3).anonymize(rows)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert release.group_sizes.min() >= 3
    assert most < 120e6


@pytest.mark.parametrize("seed", range(5))
def test_distances_of_pairs_are_those_from_each_value(seed):
    table, random = random_table(seed), np.random.default_rng(seed)
    for name in table.quasi:
        attribute = table.attributes[name]
        one, other = random.integers(0, attribute.size, (2, 50))
        assert (ValueDistance(attribute).between(one, other) == value_distances(attribute)[one, other]).all()


@settings(max_examples=40)
@given(st.integers(1, 40), st.integers(1, 4), st.integers(1, 5), st.integers(0, 10_000))
def test_a_trie_gives_what_is_within_a_limit(things, levels, values, seed):
    """Things come and go, some with new cells; each is found exactly where it is."""
    rng = np.random.default_rng(seed)
    trie = _trie.empty_trie(rng.integers(0, values, (things, levels)))
    search, held = _trie.new_search([values] * levels), set()
    loops = _trie.insert, _trie.remove, _trie.begin, _trie.next_things, _trie.likely_thing
    insert, remove, begin, next_things, likely_thing = (loop.py_func for loop in loops)  # Python cannot call the loops
    for thing in rng.integers(0, things, 3 * things).tolist():
        if thing in held:
            remove(trie, thing)
            trie.cells[thing] = rng.integers(0, values, levels)
        else:
            insert(trie, thing)
        held ^= {thing}
        search.low[:] = rng.integers(0, 3, search.low.shape)
        limit, found = float(rng.integers(0, 2 * levels)), []
        begin(trie, search)
        while (first := next_things(trie, search, limit)) >= 0:
            while first >= 0:
                found.append(first)
                first = trie.following[first]
        sums = search.low[np.arange(levels), trie.cells].sum(axis=1)
        assert sorted(found) == [other for other in sorted(held) if sums[other] <= limit]
        assert (likely_thing(trie, search.low) in held) if held else likely_thing(trie, search.low) == -1
