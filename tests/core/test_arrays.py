"""Group numbering and reductions, against plain Python."""

import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.core import arrays
from anonnb.core._sorting import sort_in_place

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 300), st.integers(0, 2)), min_size=1, max_size=40)


compiled_from = pytest.mark.parametrize("least", [0, 1_000_000], ids=["compiled", "by pandas"])


def group_ids(columns, sizes=None, *, least):
    """Numbered by a compiled loop from so many rows on."""
    with mock.patch.object(arrays, "COMPILED", least):
        return arrays.group_ids(columns, sizes)


@compiled_from
@given(rows)
def test_group_ids_number_tuples_by_first_appearance(least, tuples):
    ids, count = group_ids([np.array(column) for column in zip(*tuples, strict=True)], least=least)
    order = list(dict.fromkeys(tuples))
    assert ids.tolist() == [order.index(row) for row in tuples]
    assert count == len(order)


@compiled_from
def test_group_ids_survive_keys_wider_than_64_bits(least):
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2**31 - 1, 200) for _ in range(6)]
    columns = [np.concatenate([column, column]) for column in columns]
    ids, count = group_ids(columns, [2**31 - 1] * 6, least=least)
    assert count == 200
    assert (ids[:200] == ids[200:]).all()


@compiled_from
def test_group_ids_need_a_column_and_accept_no_rows(least):
    with pytest.raises(ValueError, match="at least one column"):
        arrays.group_ids([])
    ids, count = group_ids([np.array([], dtype=np.int32)] * 2, least=least)
    assert len(ids) == 0
    assert count == 0


@given(rows)
def test_reductions_agree_with_python(tuples):
    values = np.array([row[1] for row in tuples])
    groups, count = arrays.group_ids([np.array([row[0] for row in tuples])])
    members = [[int(v) for v, g in zip(values, groups, strict=True) if g == group] for group in range(count)]
    low, high = arrays.group_min_max(values, groups, count)
    assert low.tolist() == [min(m) for m in members]
    assert high.tolist() == [max(m) for m in members]
    order, starts = arrays.group_order(groups, count)
    assert [values[order[a:b]].tolist() for a, b in itertools.pairwise(starts)] == members
    table = arrays.group_table(values, 301, groups, count)
    assert all(table[g, v] == members[g].count(v) for g in range(count) for v in set(members[g]))
    assert table.sum() == len(values)
    owner, value, times = arrays.group_pairs(values, 301, groups)
    assert {(g, v): c for g, v, c in zip(owner.tolist(), value.tolist(), times.tolist(), strict=True)} == {
        (g, v): members[g].count(v) for g in range(count) for v in members[g]
    }


def test_an_empty_group_is_an_error_and_not_its_neighbours_value():
    with pytest.raises(ValueError, match="group 1 has no row"):
        arrays.group_min_max(np.array([3, 4]), np.array([0, 2]), 3)


@given(st.lists(st.lists(st.booleans(), min_size=19, max_size=19), min_size=1, max_size=30))
def test_distinct_rows_and_popcount(matrix):
    masks = np.array(matrix)
    distinct = list(dict.fromkeys(map(tuple, matrix)))
    for packed in (masks, np.packbits(masks, axis=-1)):
        first, ids = arrays.distinct_rows(packed)
        assert [tuple(matrix[place]) for place in first] == distinct
        assert ids.tolist() == [distinct.index(tuple(row)) for row in matrix]
    assert arrays.popcount(np.packbits(masks, axis=-1)).tolist() == [sum(row) for row in matrix]


@pytest.mark.parametrize("room", [1, 300, 2**16, 2**16 + 1, 2**20, 2**33])
def test_groups_are_ordered_stably_however_many_there_are(room):
    groups = np.random.default_rng(0).integers(0, room, 5_000)
    groups[:2] = room - 1
    assert (arrays._stable_order(groups, room) == np.argsort(groups, kind="stable")).all()


@compiled_from
@pytest.mark.parametrize(
    ("columns", "sizes", "place"),
    [
        ([0], [3], 0),  # more keys than the hash table has places: it would be searched forever
        ([1, 0], [2, 3], 1),
        ([2], None, 0),
        ([2, 1], None, 0),
        ([0, *[1] * 40], [3, *[4] * 40], 0),  # numbered once before the last column
    ],
)
def test_codes_outside_their_bounds_are_refused(least, columns, sizes, place):
    kinds = [np.arange(200), np.arange(200) % 2, -np.arange(200) - 1]
    with pytest.raises(ValueError, match=f"column {place} has codes from "):
        group_ids([kinds[number] for number in columns], sizes, least=least)


@given(st.lists(st.integers(-50, 50), max_size=60), st.booleans())
def test_compiled_loops_sort_and_what_belongs_to_the_keys_moves_along(numbers, alone):
    keys = np.array(numbers, dtype=np.int64)
    first, second = (np.zeros(0, dtype=np.int64),) * 2 if alone else (keys.copy(), np.arange(len(keys)))
    sort_in_place.py_func(keys, first, second)
    assert keys.tolist() == sorted(numbers)
    if not alone:
        assert first.tolist() == sorted(numbers)
        assert [numbers[index] for index in second] == sorted(numbers)
