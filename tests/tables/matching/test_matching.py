"""Who fits which published row: every way to ask, against sets compared one by one."""

import gc
import weakref
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.methods import Mondrian
from anonnb.tables.matching import (
    DistinctRows,
    Matching,
    Overlaps,
    neighbourhoods,
    overlaps,
    selections,
    shared_matchings,
)
from anonnb.tables.value_sets import Column, ValueSets

SIZE = 7
ATTRIBUTE = Table(pd.DataFrame({"x": [f"v{code}" for code in range(SIZE)]})).attributes["x"]


def disjoint(draw, count):
    """A column of the blocks of a partition."""
    cell = np.unique(draw(st.lists(st.integers(0, 3), min_size=SIZE, max_size=SIZE)), return_inverse=True)[1]
    blocks = int(cell.max()) + 1
    index = draw(st.lists(st.integers(0, blocks - 1), min_size=count, max_size=count))
    return Column(ValueSets.from_partition(ATTRIBUTE, cell), index)


def overlapping(draw, count):
    """A column of any sets, with gaps or without; the whole domain may hold what lies outside as well."""
    sets = st.sets(st.integers(0, SIZE - 1), min_size=1)
    masks = np.array([[code in chosen for code in range(SIZE)] for chosen in draw(st.lists(sets, min_size=1))])
    index = draw(st.lists(st.integers(0, len(masks) - 1), min_size=count, max_size=count))
    found = ValueSets.from_masks(ATTRIBUTE, masks)
    if draw(st.booleans()):
        lo = np.where(found.sizes == SIZE, -1, found.lo)
        found = ValueSets(ATTRIBUTE, lo, found.hi, found.masks, found.mask_row)
    return Column(found, index)


def starred(draw, count):
    """A column of single values, some of them suppressed."""
    every = np.append(np.arange(SIZE), 0)
    sets = ValueSets(ATTRIBUTE, every, np.append(np.arange(SIZE), SIZE - 1))
    return Column(sets, draw(st.lists(st.integers(0, SIZE), min_size=count, max_size=count)))


def points(draw, count):
    """People with one value each, some of them outside the domain."""
    every = np.arange(-1, SIZE)
    return Column(
        ValueSets(ATTRIBUTE, every, every), draw(st.lists(st.integers(0, SIZE), min_size=count, max_size=count))
    )


def plain_sets(column):
    """Each cell as a set of codes."""
    sets = []
    for number in column.index:
        codes = range(column.sets.lo[number], column.sets.hi[number] + 1)
        row = column.sets.mask_row[number]
        sets.append({code for code in codes if row < 0 or (code >= 0 and column.sets.masks[row, code])})
    return sets


def plain_fits(people, rows):
    fits = np.ones((len(people[0]), len(rows[0])), dtype=bool)
    for one, other in zip(people, rows, strict=True):
        cells = plain_sets(other)
        fits &= np.array([[bool(own & cell) for cell in cells] for own in plain_sets(one)], dtype=bool).reshape(
            fits.shape
        )
    return fits


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data(), st.sampled_from([points, overlapping]), st.sampled_from([disjoint, overlapping, starred]))
def test_overlaps_are_those_of_the_sets(data, people_kind, rows_kind):
    columns, n_people, n_rows = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 9)), data.draw(st.integers(0, 9))
    people = [people_kind(data.draw, n_people) for _ in range(columns)]
    rows = [rows_kind(data.draw, n_rows) for _ in range(columns)]
    expected, found = plain_fits(people, rows), Overlaps(people, rows)
    assert (found.matrix() == expected).all()
    one, other = np.repeat(np.arange(n_people), n_rows), np.tile(np.arange(n_rows), n_people)
    assert found.pairs(one, other).tolist() == expected.ravel().tolist()
    weights, kinds = data.draw(st.lists(st.integers(0, 5), min_size=n_rows, max_size=n_rows)), np.eye(n_rows)
    heads = data.draw(st.lists(st.integers(0, 5), min_size=n_people, max_size=n_people))
    few = {"FEW_PAIRS": data.draw(st.sampled_from([0, 1000])), "PAIRS_EACH": 0}  # without room, block by block
    with mock.patch.multiple(neighbourhoods, LEAF=4, BLOCK=9), mock.patch.multiple(selections, **few):
        (total, matrix), (fitting,) = found.totals([np.array(weights), kinds], [np.array(heads)])
        blocks = list(found.blocks())
    assert total.tolist() == (expected @ np.array(weights, dtype=int)).tolist()
    assert (matrix == expected).all()
    assert fitting.tolist() == (np.array(heads) @ expected).tolist()
    assert sorted(np.concatenate([who for who, _, _ in blocks]).tolist()) == list(range(n_people))
    for who, near, fits in blocks:
        assert (fits == expected[np.ix_(who, near)]).all()
        assert fits.sum() == expected[who].sum(), "a block has all the rows that its people fit"


@given(st.data(), st.sampled_from([disjoint, starred]), st.integers(1, 3))
def test_disjoint_and_suppressed_sets_are_joined_without_comparing(data, kind, columns):
    people, rows = [points(data.draw, 6) for _ in range(columns)], [kind(data.draw, 5) for _ in range(columns)]
    with mock.patch.object(overlaps, "neighbourhoods", side_effect=AssertionError("compared")):
        found = Overlaps(people, rows)
        (count,), (fitting,) = found.totals([np.ones(5)], [np.arange(6)])
    expected = plain_fits(people, rows)
    assert count.tolist() == expected.sum(axis=1).tolist()
    assert fitting.tolist() == (np.arange(6) @ expected).tolist()
    assert (found.selections.rows.toarray()[found.selections.number] > 0).tolist() == expected.tolist()


def test_people_who_fit_one_row_each_share_its_selection():
    """A million people in boxes that do not overlap need no line each."""
    age = Table(pd.DataFrame({"age": np.arange(9)})).attributes["age"]
    boxes = [Column.from_spans(age, np.array([0, 3, 3]), np.array([2, 5, 8])) for _ in range(2)]
    people = [Column.original(age, np.array([0, 1, 2, 0])) for _ in range(2)]
    found = Overlaps(people, boxes).selections
    assert found.number.tolist() == [0, 0, 0, 0]
    assert found.rows.shape == (4, 3)


def test_matchings_are_shared_where_somebody_says_so_and_then_forgotten(survey):
    table, release = survey
    names, other = table.quasi, table.take(np.arange(20))
    assert Matching.of(release, table, names) is not Matching.of(release, table, names)
    with shared_matchings():
        first = Matching.of(release, table, names)
        assert Matching.of(release, table, list(names), {}) is first
        others = [
            Matching.of(release, other, names),
            Matching.of(Release.of(table), table, names),
            Matching.of(release, table, names[:2]),
            Matching.of(release, table, names, {names[0]: 1}),
        ]
        assert len({id(each) for each in (first, *others)}) == 5
        assert Matching.of(release, table, names) is not first, "the oldest makes room"
    gone = weakref.ref(first)
    del first, others
    gc.collect()
    assert gone() is None


@pytest.fixture(scope="module")
def survey():
    table = anonnb.load("survey")
    return table, Mondrian(k=3).anonymize(table)


def test_people_and_rows_count_once_and_are_counted_back(survey):
    table, release = survey
    found = Matching(release, table, table.quasi)
    assert len(found.published) < len(release)
    assert found.people_per_case.sum() == len(table)
    assert found.rows_per_kind.sum() == len(release)
    (rows,), (people,) = found.totals([found.rows_per_kind], [found.people_per_case])
    assert (rows >= 3).all()
    assert (people[found.published.kind] >= 3).all()
    assert rows @ found.people_per_case == people @ found.rows_per_kind  # both count the pairs that fit
    everything = np.arange(len(release))
    assert found.own_rows(release.rows, everything).all()
    assert not found.own_rows(np.roll(release.rows, 7), everything).all()


def test_a_tolerance_widens_numbers_only():
    table = Table(pd.DataFrame({"age": [30.0, 40.0, None], "sex": list("mfm")}), quasi=["age", "sex"])
    exact, near = (Matching(Release.of(table), table, ["age"], t).matrix() for t in (None, {"age": 10, "sex": 5}))
    assert exact.tolist() == [[True, False, False], [False, True, False], [False, False, True]]
    assert near.tolist() == [[True, True, False], [True, True, False], [False, False, True]]
    assert Matching(Release.of(table), table, ["sex"], {"sex": 5}).matrix().tolist() == [[True, False], [False, True]]


def test_somebody_with_a_strange_value_fits_no_row():
    table = Table(pd.DataFrame({"city": ["Rome", "Oslo"]}), quasi=["city"])
    hidden = Release(table, {"city": Column.suppressed(table.attributes["city"], 2)}, np.arange(2))
    stranger = Table(pd.DataFrame({"city": ["Oslo", "Bonn"]}), quasi=["city"])
    assert Matching(hidden, stranger, ["city"]).matrix().tolist() == [[True], [False]]


def test_distinct_rows_select_and_intersect(survey):
    table, release = survey
    names = table.quasi[:2]
    rows, found = DistinctRows(release, names), Matching(release, table, names)
    codes = {name: table.codes(name)[found.first_person] for name in names}
    selected = rows.select(codes)
    assert (selected == found.matrix()).all()
    left, first = rows.intersect(names[0], selected)
    column = rows.column(names[0])
    for case, chosen in enumerate(selected):
        common = column.sets.intersection(column.index[chosen]) if chosen.any() else np.zeros(1, dtype=bool)
        assert left[case] == common.sum()
        assert not left[case] or first[case] == common.argmax()


@pytest.mark.parametrize("seed", range(4))
def test_a_few_values_of_a_large_domain_select_the_rows_that_all_values_together_select(seed):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": [f"v{code:03}" for code in range(400)], "y": random.integers(0, 3, 400).astype(str)})
    table = Table(frame, quasi=["x", "y"])
    part = table.take(np.append(0, 1 + np.sort(random.choice(399, 39, replace=False))))
    columns = {name: Column.of_groups(part.attributes[name], part.codes(name), np.arange(40) // 5, 8) for name in "xy"}
    rows = DistinctRows(Release(part, columns, np.arange(40)), ["x", "y"])
    codes = {"x": np.array([*part.codes("x")[:3], 0, -1]), "y": np.append(part.codes("y")[:3], part.codes("y")[[0, 0]])}
    few = rows.select(codes)
    rows.membership("x")  # from now on it is looked up
    assert (few == rows.select(codes)).all()
    assert not few[-1].any()
    column, selected = rows.column("x"), random.random((30, len(rows))) < 0.3
    for chosen, left, first in zip(selected, *rows.intersect("x", selected), strict=True):
        common = column.sets.intersection(column.index[chosen]) if chosen.any() else np.zeros(1, dtype=bool)
        assert left == common.sum()
        assert not left or first == common.argmax()
