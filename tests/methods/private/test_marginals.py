"""Counts, and the tree: it spans the columns, and without noise it is the one of the largest misfits."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.methods.private.fitting import drawn_rows
from anonnb.methods.private.marginals import all_two_way, misfit, one_way, spanning_tree, two_way


def test_counts():
    rows = np.array([[0, 1], [0, 1], [1, 0]])
    assert one_way(rows, [2, 3]).tolist() == [2, 1, 1, 2, 0]
    assert two_way(rows, [2, 3], (0, 1)).tolist() == [[0, 2, 0], [1, 0, 0]]
    assert all_two_way(rows, [2, 3], [(0, 1)]).tolist() == [0, 2, 0, 1, 0, 0]


@settings(max_examples=60)
@given(st.integers(2, 9), st.randoms(use_true_random=False))
def test_any_choices_give_a_spanning_tree(columns, random):
    def choose(scores):
        return random.randrange(len(scores(np.zeros((1, columns), dtype=int))))

    edges = spanning_tree(columns, choose, lambda rows, edge: 0)
    assert nx.is_tree(nx.Graph(edges))
    assert len(nx.Graph(edges)) == columns


def test_without_noise_it_is_the_maximum_spanning_tree():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (400, 5))
    rows[:, 1] = rows[:, 0]
    rows[:, 3] = (rows[:, 2] + (rng.random(400) < 0.2)) % 3
    margins = [np.bincount(rows[:, place], minlength=3).astype(float) for place in range(5)]
    score = misfit(margins, 400, 1000)
    edges = spanning_tree(5, lambda scores: int(scores(rows).argmax()), score)
    graph = nx.Graph()
    graph.add_weighted_edges_from((a, b, score(rows, (a, b))) for a in range(5) for b in range(a + 1, 5))
    best = nx.maximum_spanning_tree(graph)
    assert sum(score(rows, edge) for edge in edges) == best.size(weight="weight")
    assert edges[:2] == [(0, 1), (2, 3)]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=12), st.integers(0, 11))
def test_a_row_moves_a_score_by_one_row_at_most(rows, place):
    """What the exponential mechanism is told; margins are public, and stay."""
    table = np.array(rows)
    fewer = np.delete(table, place % len(rows), axis=0)
    margins = [np.array([3.3, 2.9, 4.1]), np.array([5.15, 5.15])]
    moved = misfit(margins, 10.3, 1000)(table, (0, 1)) - misfit(margins, 10.3, 1000)(fewer, (0, 1))
    assert abs(moved) <= 1000


def test_drawn_rows_have_the_marginals_they_were_drawn_from():
    tables = {(0, 1): np.array([[30.0, 10.0], [0.0, 60.0]]), (1, 2): np.array([[0.0, 30.0, 0.0], [35.0, 0.0, 35.0]])}
    margins = [np.array([40.0, 60.0]), np.array([30.0, 70.0]), np.array([35.0, 30.0, 35.0])]
    rows = drawn_rows(1000, margins, tables, np.random.default_rng(3))
    for edge, table in tables.items():
        assert np.abs(two_way(rows, [2, 2, 3], edge) - 10 * table).max() <= 2
    same = drawn_rows(1000, margins, tables, np.random.default_rng(3))
    assert (rows == same).all()


def test_columns_that_are_not_tied_are_drawn_independently():
    tables = {(0, 1): np.full((2, 2), 25.0), (0, 2): np.full((2, 2), 25.0)}
    rows = drawn_rows(20_000, [np.array([50.0, 50.0])] * 3, tables, np.random.default_rng(0))
    assert two_way(rows, [2, 2, 2], (1, 2)) / 20_000 == pytest.approx(np.full((2, 2), 0.25), abs=0.02)
