"""Value sets against plain Python sets."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.tables.attribute import Attribute
from anonnb.tables.encoding import encode
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.labels import HIDDEN_CELL
from anonnb.tables.value_sets import Column, ValueSets

SIZE = 11


def attribute(size: int = SIZE, kind: str = "nominal", missing: bool = False) -> Attribute:
    values = [*range(size - missing), *[None] * missing]
    return encode(pd.Series(values, name="x", dtype="Int64"), kind=kind)[0]


masks = st.lists(st.lists(st.booleans(), min_size=SIZE, max_size=SIZE).filter(any), min_size=1, max_size=12).map(
    lambda rows: np.array(rows)
)


def as_sets(values: ValueSets) -> list[set[int]]:
    return [set(np.flatnonzero(values.mask(number)).tolist()) for number in range(len(values))]


@given(masks, st.lists(st.booleans(), min_size=SIZE, max_size=SIZE), st.data())
@settings(max_examples=80)
def test_everything_agrees_with_python_sets(rows, probe, data):
    values = ValueSets.from_masks(attribute(), rows)
    plain = [set(np.flatnonzero(row).tolist()) for row in rows]
    wanted = set(np.flatnonzero(probe).tolist())
    assert as_sets(values) == plain
    assert (values.as_masks() == rows).all()
    assert values.sizes.tolist() == [len(members) for members in plain]
    assert values.lo.tolist() == [min(members) for members in plain]
    assert values.hi.tolist() == [max(members) for members in plain]
    for code in (-1, 0, 5, SIZE - 1, SIZE):
        assert values.contains(code).tolist() == [code in members for members in plain]
    codes = np.array(data.draw(st.lists(st.integers(-1, SIZE - 1), min_size=len(rows), max_size=len(rows))))
    assert values.contains(codes).tolist() == [code in members for code, members in zip(codes, plain, strict=True)]
    assert values.overlaps(np.array(probe)).tolist() == [bool(members & wanted) for members in plain]
    assert values.inside(np.array(probe)).tolist() == [members <= wanted for members in plain]
    numbers = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1))
    assert set(np.flatnonzero(values.intersection(numbers))) == set.intersection(*(plain[n] for n in numbers))
    assert set(np.flatnonzero(values.union(numbers))) == set.union(*(plain[n] for n in numbers))
    assert values.intersection([]).all()
    assert not values.union([]).any()


@given(masks, st.data())
def test_columns_store_distinct_sets_once_and_answer_by_row(rows, data):
    column = Column.from_masks(attribute(), rows)
    assert len(column.sets) == len({row.tobytes() for row in rows})
    assert (column.sets.as_masks()[column.index] == rows).all()
    assert column.sizes.tolist() == rows.sum(axis=1).tolist()
    for code in range(SIZE):
        assert (column.can_take(code) == rows[:, code]).all()
    codes = np.array(data.draw(st.lists(st.integers(-1, SIZE - 1), min_size=len(rows), max_size=len(rows))))
    held = [code >= 0 and bool(row[code]) for code, row in zip(codes, rows, strict=True)]
    assert column.holds(codes).tolist() == column.holds(codes.tolist()).tolist() == held


@given(st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)).map(sorted), min_size=1, max_size=20))
def test_spans(spans):
    lo, hi = np.array(spans).T
    column = Column.from_spans(attribute(kind="numeric"), lo, hi)
    assert len(column.sets) == len({tuple(span) for span in spans})
    for code in range(SIZE):
        assert column.can_take(code).tolist() == [low <= code <= high for low, high in spans]


@given(
    st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, 3)), min_size=1, max_size=30),
    st.sampled_from(["nominal", "ordinal", "numeric"]),
    st.sampled_from([None, True, False]),
)
@settings(max_examples=80)
def test_groups_hold_their_members_values_and_no_more_than_needed(pairs, kind, spans):
    codes = np.array([code for code, _ in pairs])
    groups = pd.factorize(np.array([group for _, group in pairs]))[0]
    column = Column.of_groups(attribute(kind=kind), codes, groups, groups.max() + 1, spans)
    assert column.holds(codes).all()
    for row, group in enumerate(groups):
        members = set(codes[groups == group].tolist())
        as_run = kind != "nominal" if spans is None else spans
        wanted = set(range(min(members), max(members) + 1)) if as_run else members
        assert set(np.flatnonzero(column.sets.mask(column.index[row])).tolist()) == wanted
    assert len({row.tobytes() for row in column.sets.as_masks()}) == len(column.sets)


def test_groups_of_nothing():
    nothing = np.array([], dtype=np.int64)
    for kind in ("nominal", "numeric"):
        assert len(Column.of_groups(attribute(kind=kind), nothing, nothing, 0)) == 0


@given(st.lists(st.integers(0, 4), min_size=SIZE, max_size=SIZE))
def test_partitions(cell):
    cell = pd.factorize(np.array(cell))[0]
    values = ValueSets.from_partition(attribute(), cell)
    assert as_sets(values) == [set(np.flatnonzero(cell == block).tolist()) for block in range(cell.max() + 1)]


def test_a_partition_with_an_unused_block_is_refused():
    with pytest.raises(ValueError, match="group 1 has no row"):
        ValueSets.from_partition(attribute(3), np.array([0, 2, 2]))


def test_an_empty_set_is_refused():
    with pytest.raises(ValueError, match="column 'x': a value set is empty"):
        Column.from_masks(attribute(3), np.zeros((1, 3), dtype=bool))


def test_suppressed_cells_hold_everything_and_are_one_set():
    column = Column.original(attribute(3), np.array([0, 1, 2, 2]))
    for rows in ([1, 3], np.array([False, True, False, True])):
        hidden = column.with_suppressed(rows)
        assert hidden.texts().tolist() == ["0", HIDDEN_CELL, "2", HIDDEN_CELL]
        assert hidden.sizes.tolist() == [1, 3, 1, 3]
    twice = hidden.with_suppressed([0])
    assert twice.texts().tolist() == [HIDDEN_CELL, HIDDEN_CELL, "2", HIDDEN_CELL]
    assert len(set(twice.index.tolist())) == 2
    assert Column.suppressed(attribute(3), 2).texts().tolist() == [HIDDEN_CELL, HIDDEN_CELL]


def test_suppression_joins_the_top_of_a_hierarchy():
    attribute, codes = encode(pd.Series([1, 7, 12], name="x"), hierarchy=Hierarchy.intervals(5))
    hidden = Column.generalized(attribute, codes, 2).with_suppressed([0])
    assert len(set(hidden.index.tolist())) == 1
    partly = Column.generalized(attribute, codes, 1).with_suppressed([0])
    assert partly.texts().tolist() == [HIDDEN_CELL, "[5,10)", "[10,15)"]
    assert partly.sets.has_own_labels


def test_the_only_value_of_a_column_is_not_shown_where_it_is_suppressed():
    constant = attribute(1)
    assert Column.suppressed(constant, 1).texts().tolist() == [HIDDEN_CELL]
    hidden = Column.original(constant, np.array([0, 0])).with_suppressed([1])
    assert hidden.texts().tolist() == ["0", HIDDEN_CELL]
    assert not hidden.is_exact()


def test_generalized_cells_show_the_labels_of_the_level():
    attribute, codes = encode(pd.Series([31, 37, None], name="x"), hierarchy=Hierarchy.intervals(5, 10))
    for level, shown in enumerate([["31", "37", "missing"], ["[30,35)", "[35,40)", "missing"]]):
        assert Column.generalized(attribute, codes, level).texts().tolist() == shown
    assert Column.generalized(attribute, codes, 0).is_exact()
    assert not Column.generalized(attribute, codes, 1).is_exact(), "a label is not the value, even if it holds one only"


@pytest.mark.parametrize(
    ("kind", "missing", "members", "label"),
    [
        ("nominal", False, [1, 2], "1 or 2"),
        ("numeric", False, [1, 2, 3], "[1–3]"),
        ("ordinal", False, [1, 3], "1 or 3"),
        ("numeric", True, [1, 2, 3], "[1–2] or missing"),
        ("numeric", True, [2, 3], "2 or missing"),
        ("numeric", True, [3], "missing"),
        ("nominal", False, [0, 1, 2, 3], HIDDEN_CELL),
    ],
)
def test_labels(kind, missing, members, label):
    mask = np.isin(np.arange(4), members)
    assert ValueSets.from_masks(attribute(4, kind, missing), mask).labels == [label]


@pytest.mark.parametrize(
    ("names", "members", "label"),
    [
        (["a", "a or b", "b", "c"], ["a", "b"], '"a" or "b"'),
        (["a", "a or b", "b", "c"], ["a", "a or b"], 'a or "a or b"'),
        (["a|b", "c", "d"], ["a|b", "c"], '"a|b" or c'),
        (['say "x"', "c", "d"], ['say "x"', "c"], 'c or "say ""x"""'),
        (["or", "c", "d"], ["or", "c"], 'c or "or"'),
    ],
)
def test_names_that_look_like_lists_are_quoted(names, members, label):
    attribute, _ = encode(pd.Series(names, name="x"))
    mask = np.isin(attribute.labels, members)
    assert ValueSets.from_masks(attribute, mask).labels == [label]


def test_widths_are_distances_between_the_ends():
    attribute, _ = encode(pd.Series([1.0, 2.5, 7.0, None], name="x"))
    values = ValueSets(attribute, [0, 1, 2], [0, 2, 3])
    assert values.widths.tolist() == pytest.approx([0, 4.5, np.nan], nan_ok=True)


def test_take_keeps_the_dictionary():
    column = Column.original(attribute(3), np.array([0, 1, 2]))
    part = column.take(np.array([2, 0]))
    assert part.sets is column.sets
    assert part.texts().tolist() == ["2", "0"]
    assert part.attribute is column.attribute


@pytest.mark.parametrize("per_set", [2, 30])
def test_totals_of_sets_with_gaps_are_those_of_their_values(per_set):
    """Few values per set are summed one by one, many by their masks; both give whole numbers exactly."""
    draw = np.random.default_rng(per_set)
    flags = np.zeros((40, 64), dtype=bool)
    for row in flags:
        row[draw.choice(64, per_set, replace=False)] = True
    sets = ValueSets.from_masks(attribute(64), flags)
    weights = draw.integers(0, 1000, 64)
    gaps = np.flatnonzero(sets.mask_row >= 0)
    assert sets.gap_totals(weights).tolist() == [int(weights[sets.mask(number)].sum()) for number in gaps]
    assert (sets._gap_members is None) == (per_set == 30)
