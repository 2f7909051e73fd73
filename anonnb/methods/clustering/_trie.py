"""Things with a cell per attribute (clusters, kinds of rows, groups) in a tree of shared beginnings, compiled by numba.

A search knows the least that each cell adds to a distance. It goes down where the sum so far is within the best that
was found, so that most things are never looked at; whoever searches computes exact distances of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import inner


class Trie(NamedTuple):
    """Nodes by number, 0 the root: first ``child`` (of a leaf: first thing), next ``sibling``, ``cell``, ``holds``.

    ``following`` is the next thing in a thing's leaf, ``cells`` the cells of each thing, level by level; ``free`` heads
    the list of unused nodes. Every list ends with -1.
    """

    child: np.ndarray
    sibling: np.ndarray
    cell: np.ndarray
    holds: np.ndarray
    following: np.ndarray
    cells: np.ndarray
    free: np.ndarray


class TrieSearch(NamedTuple):
    """Where a search stands: ``low`` is the least that each cell adds, level by level; the others are its stack."""

    low: np.ndarray
    nodes: np.ndarray
    sums: np.ndarray
    depth: np.ndarray


def empty_trie(cells: np.ndarray) -> Trie:
    """Return a trie for things with these cells (things × levels), which holds none of them yet."""
    things, levels = cells.shape
    nodes = things * levels + 1  # the most that can be needed
    child, sibling, cell, holds = (np.full(nodes, -1, dtype=np.int32) for _ in range(4))
    sibling[1:-1] = np.arange(2, nodes)
    following = np.full(things, -1, dtype=np.int32)
    return Trie(child, sibling, cell, holds, following, np.array(cells, dtype=np.int32), np.array([1], dtype=np.int32))


def new_search(sizes: Sequence[int]) -> TrieSearch:
    """Return a search among attributes with so many cells."""
    levels = len(sizes)
    depth, nodes = np.zeros(1, dtype=np.int64), np.full(levels, -1, dtype=np.int64)
    return TrieSearch(np.zeros((levels, max(sizes))), nodes, np.zeros(levels), depth)


def level_order(usual: np.ndarray) -> np.ndarray:
    """Attributes whose cells are usually far apart come first: they rule out most."""
    return np.argsort(-np.asarray(usual), kind="stable")


@inner
def insert(trie, thing):
    """Put a thing where its cells lead."""
    parent, levels = 0, trie.cells.shape[1]
    for level in range(levels):
        wanted = trie.cells[thing, level]
        node = trie.child[parent]
        while node >= 0 and trie.cell[node] != wanted:
            node = trie.sibling[node]
        if node < 0:
            node = trie.free[0]
            trie.free[0] = trie.sibling[node]
            trie.cell[node], trie.holds[node], trie.child[node] = wanted, 0, -1
            trie.sibling[node], trie.child[parent] = trie.child[parent], node
        trie.holds[node] += 1
        parent = node
    trie.following[thing], trie.child[parent] = trie.child[parent], thing


@inner
def remove(trie, thing):
    """Take a thing out; its cells must be those with which it was put in."""
    parent, levels = 0, trie.cells.shape[1]
    for level in range(levels):
        before, node = -1, trie.child[parent]
        while trie.cell[node] != trie.cells[thing, level]:
            before, node = node, trie.sibling[node]
        trie.holds[node] -= 1
        if trie.holds[node] == 0:  # below it is one path, which only this thing needed
            if before < 0:
                trie.child[parent] = trie.sibling[node]
            else:
                trie.sibling[before] = trie.sibling[node]
            for _ in range(level, levels):
                below = trie.child[node]
                trie.sibling[node] = trie.free[0]
                trie.free[0] = node
                node = below
            return
        parent = node
    if trie.child[parent] == thing:
        trie.child[parent] = trie.following[thing]
        return
    other = trie.child[parent]
    while trie.following[other] != thing:
        other = trie.following[other]
    trie.following[other] = trie.following[thing]


@inner
def likely_thing(trie, low):
    """Return a thing that is probably near: on every level the way that adds least; -1 in an empty trie."""
    node = 0
    for level in range(low.shape[0]):
        lowest, best, node = np.inf, -1, trie.child[node]
        while node >= 0:
            if low[level, trie.cell[node]] < lowest:
                lowest, best = low[level, trie.cell[node]], node
            node = trie.sibling[node]
        if best < 0:
            return -1
        node = best
    return trie.child[node]


@inner
def begin(trie, search):
    """Start at the root."""
    search.depth[0], search.nodes[0], search.sums[0] = 0, trie.child[0], 0.0


@inner
def next_things(trie, search, limit):
    """The first thing of the next leaf within the limit, which may shrink from call to call; -1 when there is none."""
    depth, deepest = search.depth[0], search.low.shape[0] - 1
    while depth >= 0:
        node = search.nodes[depth]
        if node < 0:
            depth -= 1
            continue
        search.nodes[depth] = trie.sibling[node]
        total = search.sums[depth] + search.low[depth, trie.cell[node]]
        if total > limit:
            continue
        if depth == deepest:
            search.depth[0] = depth
            return trie.child[node]
        depth += 1
        search.nodes[depth], search.sums[depth] = trie.child[node], total
    search.depth[0] = -1
    return -1
