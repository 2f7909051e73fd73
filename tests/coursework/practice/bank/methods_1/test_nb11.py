"""Notebook 11: what its exercises expect equals Incognito's own search."""

from itertools import combinations
from math import prod

import numpy as np
import pytest

from anonnb import load
from anonnb.coursework.practice.bank.methods_1 import nb11
from anonnb.methods import Incognito
from anonnb.methods.lattice.frequencies import Frequencies


def test_the_nodes_of_all_subsets_are_those_that_are_listed():
    heights = Frequencies(load("survey")).lattice.heights
    subsets = [places for size in (1, 2, 3) for places in combinations(range(3), size)]
    assert nb11.all_nodes(heights) == sum(prod(heights[place] + 1 for place in places) for places in subsets)


@pytest.mark.parametrize("k", [10, 12, 15, 20])
def test_candidates_of_a_pair_are_pairs_of_levels_that_pass_alone(k):
    """Recounted with pandas, level by level."""
    table = nb11._hours_table()
    alone = []
    for name in table.quasi:
        labels = [table.attributes[name].levels.maps[level][table.codes(name)] for level in range(3)]
        alone.append(sum(np.bincount(codes).min() >= k for codes in labels))
    candidates, counted, passing = nb11._counts(k)
    assert candidates == alone[0] * alone[1]
    assert passing <= candidates
    assert counted <= candidates
    assert passing == len(Incognito(k=k, choose="precision").anonymize(table).info["passing"])


@pytest.mark.parametrize("k", [2, 3])
def test_the_cube_passes_on_pairs_only(k):
    assert nb11._not_pairwise(nb11.cube(k), k) == ""
    assert "all three" in nb11._not_pairwise([(0, 0, 0)] * k, k)
    assert nb11._not_pairwise([(0, 0, 0)] * (k - 1) + [(0, 0, 1)], k)
    assert nb11._not_pairwise([(0, 0)] * k, k)


def test_a_search_that_counts_every_node_is_found_out():
    def scan(heights, rows_out, limit):
        every = tuple(range(len(heights)))
        for size in (1, 2):
            for columns in combinations(every, size):
                for node in np.ndindex(*(heights[column] + 1 for column in columns)):
                    rows_out(columns, node)
        return {node for node in np.ndindex(*(top + 1 for top in heights)) if rows_out(every, node) <= limit}

    assert "are enough" in nb11._differs(scan)
