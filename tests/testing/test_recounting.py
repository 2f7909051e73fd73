"""Recounting reads text and shares nothing with what writes it."""

import pytest

from anonnb.testing import recounting
from anonnb.testing.recounting import PublishedText, Reader, small_itemset_counts, small_tree_counts
from tests import floor_plan


def test_it_shares_nothing_with_the_writer():
    path = floor_plan.sources()["anonnb.testing.recounting"]
    assert path.samefile(recounting.__file__)
    assert floor_plan.libraries(path) <= {"__future__", "collections", "csv", "itertools", "pathlib"}


def test_a_file_is_read_as_texts(tmp_path):
    path = tmp_path / "published.csv"
    path.write_bytes(b'"a","b"\n1,"x\ny"\n01,""\n"1","x, ""z"""\n')
    text = PublishedText.of(path)
    assert text.header == ["a", "b"]
    assert text.rows == [("1", "x\ny"), ("01", ""), ("1", 'x, "z"')]
    assert sorted(text.class_sizes(["a"])) == [1, 2]
    assert text.column("b") == ["x\ny", "", 'x, "z"']


def test_classes_are_counted_by_equal_texts():
    text = PublishedText(["q", "ill"], [["*", "flu"], ["*", "flu"], ["* ", "flu"], ["1", "cold"], ["1", "flu"]])
    assert text.class_sizes(["q"]) == [2, 1, 2]
    assert text.least_different(["q"], "ill") == 1
    assert text.largest_share(["q"], "ill") == 1.0
    assert PublishedText(["q"], []).class_sizes(["q"]) == []


@pytest.mark.parametrize(
    ("cell", "value", "expected"),
    [
        ("30", "30", True),
        ("30", "30.0", True),
        ("30", "31", False),
        ("*", "30", True),
        ("[20–30]", "30", True),
        ("[20–30]", "31", False),
        ("[20,30)", "30", False),
        ("[20,30)", "20", True),
        ("[-5–-1]", "-3", True),
        ("20 or 40", "40", True),
        ("[20–30] or missing", "missing", True),
        ("20 or 40", "30", False),
        ("young", "20", False),
    ],
)
def test_cells_are_read_as_a_person_reads_them(cell, value, expected):
    assert Reader().may_be("age", cell, value) is expected


def test_small_counts_of_mined_results_are_found():
    itemsets = PublishedText(["itemsets", "count"], [["", "10"], ["a=1", "8"], ["b=1", "9"], ["a=1 b=1", "8"]])
    assert list(small_itemset_counts(itemsets, 2)) == [
        "1 people follow from the itemsets within {b=1}",  # 10 − 9 have no b
        "1 people follow from the itemsets within {a=1, b=1}",  # nor a: 10 − 8 − 9 + 8
        "1 people follow from the itemsets within {a=1, b=1}",  # b and no a: 9 − 8
    ]
    safe = PublishedText(["itemsets", "count"], [["", "10"], ["a=1", "5"]])
    assert list(small_itemset_counts(safe, 5)) == []
    tree = PublishedText(["node", "parent", "rows"], [["0", "-1", "10"], ["1", "0", "6"], ["2", "0", ""]])
    assert list(small_tree_counts(tree, 5)) == ["4 people are left when the children of node 0 are taken off it"]
    assert list(small_tree_counts(tree, 4)) == []
