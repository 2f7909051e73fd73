"""Minimal sample uniques against brute force, and SUDA scores against examples done by hand."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.privacy.sample_uniques import SHARED, SampleUniques, minimal_uniques, suda_weight


def brute(rows, owners, largest):
    """Row by row from the definition: unique by the combination, and by none of its proper parts."""
    width = len(rows[0])

    def unique(row, columns):
        alike = [n for n in range(len(rows)) if all(rows[n][c] == rows[row][c] for c in columns)]
        return owners[row] != SHARED and all(owners[n] == owners[row] for n in alike)

    found = {}
    for size in range(1, min(largest, width) + 1):
        for columns in combinations(range(width), size):
            parts = [part for less in range(1, size) for part in combinations(columns, less)]
            found[columns] = [
                row for row in range(len(rows)) if unique(row, columns) and not any(unique(row, part) for part in parts)
            ]
    return found


@st.composite
def cases(draw):
    width, count = draw(st.integers(1, 5)), draw(st.integers(1, 12))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 2)] * width), min_size=count, max_size=count))
    owners = draw(st.lists(st.integers(SHARED, 6), min_size=count, max_size=count))
    return rows, owners, draw(st.integers(1, 4)), draw(st.sampled_from([3, 2**40]))


@settings(max_examples=150)
@given(cases())
def test_what_brute_force_finds(case):
    rows, owners, largest, size = case
    codes = list(np.array(rows).T)
    found = minimal_uniques(codes, [size] * len(codes), np.array(owners), largest)
    assert {combination: members.tolist() for combination, members in found} == brute(rows, owners, largest)


@given(cases())
def test_scores_are_the_sum_of_the_weights(case):
    rows, owners, largest, size = case
    codes = list(np.array(rows).T)
    found = SampleUniques.of(codes, [size] * len(codes), np.array(owners), largest)
    expected = brute(rows, owners, largest)
    for row in range(len(rows)):
        own = [c for c, members in expected.items() if row in members]
        assert found.count[row] == len(own)
        assert found.score[row] == sum(suda_weight(len(c), len(codes), largest) for c in own)
        first = found.combinations[found.smallest[row]] if own else None
        assert first == (own[0] if own else None)
    assert found.people.tolist() == [len({owners[n] for n in members}) for members in expected.values()]


def test_the_score_counts_the_paths_to_all_columns():
    """With all sizes looked at, a minimal unique of m of ATT columns scores (ATT − m)!."""
    assert [suda_weight(size, 5, 5) for size in range(1, 6)] == [24, 6, 2, 1, 1]
    assert [suda_weight(size, 8, 3) for size in (1, 2, 3)] == [7 * 6 * 5, 6 * 5, 5]


def test_the_contributions_that_sdcmicro_gives_for_its_example():
    codes = [np.array([2, 1, 1]), np.array([0, 3, 0]), np.array([0, 6, 0])]
    found = SampleUniques.of(codes, [3, 4, 7], np.arange(3))
    assert (100 * found.contribution / found.score.sum()).tolist() == [50, 37.5, 37.5]
