"""Hierarchies: every way to make one, what they refuse, and the lattice of their levels."""

import itertools
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.tables.encoding import encode
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.hierarchies.lattice import Lattice
from anonnb.tables.labels import text

MARITAL = {"married": ["been", "any"], "divorced": ["been", "any"], "single": ["never", "any"]}


def bound(values, hierarchy, **options):
    return encode(pd.Series(values, name="x"), hierarchy=hierarchy, **options)[0].levels


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (15.0, "15"),
        (0.1, "0.1"),
        (-0.0, "0"),
        (1e300, "1e+300"),
        (True, "True"),
        (pd.Timestamp("2020-01-31"), "2020-01-31"),
    ],
)
def test_texts_are_as_people_write_them(value, shown):
    assert text(value) == shown


def test_from_dict_nested_rows_and_csv_agree(tmp_path):
    path = tmp_path / "marital.csv"
    path.write_text("\ufeffvalue,l1,l2\n" + "\n".join(",".join([v, *p]) for v, p in MARITAL.items()) + "\n\n")
    made = [
        Hierarchy.from_dict(MARITAL),
        Hierarchy.from_rows([[value, *parents] for value, parents in MARITAL.items()]),
        Hierarchy.from_nested({"been": ["married", "divorced"], "never": "single"}, root="any"),
        Hierarchy.from_csv(path),
    ]
    for hierarchy in made:
        assert hierarchy.height == 2
        assert [[hierarchy.generalize(v, level) for level in range(3)] for v in MARITAL] == [
            [v, *parents] for v, parents in MARITAL.items()
        ]
    path.write_text("a;any\nb;any\n")
    assert Hierarchy.from_csv(path, header=False, sep=";").generalize("b", 1) == "any"
    assert Hierarchy.from_dict({1: "few", 2: "few"}).generalize(1.0, 1) == "few"


def test_generalize_says_what_is_wrong():
    hierarchy = Hierarchy.from_dict(MARITAL)
    with pytest.raises(ValueError, match="level 3 does not exist; this hierarchy has levels 0 to 2"):
        hierarchy.generalize("single", 3)
    with pytest.raises(ValueError, match="does not cover the value 'widowed'"):
        hierarchy.generalize("widowed", 1)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "is empty"),
        ([["a"]], "one level only"),
        ([["a", "x", "any"], ["b", "any"]], "the row of 'b' has 2 levels, the first row has 3"),
        ([["a", "x", "p"], ["b", "x", "q"]], "'x' on level 1 belongs to both 'p' and 'q' on level 2"),
        ([["a", "x"], ["a", "y"]], "'a' on level 0 belongs to both 'x' and 'y' on level 1"),
        ([[1, "x"], [True, "x"], ["True", "y"]], "'True' on level 0 belongs to both 'x' and 'y' on level 1"),
        ([["a", "x"], ["b", ""]], "'b' has an empty label"),
    ],
)
def test_rows_that_make_no_hierarchy(rows, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy.from_rows(rows)


def test_an_error_in_a_file_names_the_file(tmp_path):
    path = tmp_path / "jobs.csv"
    path.write_text("value,group\na,x\na,y\n")
    with pytest.raises(ValueError, match=r"jobs\.csv: 'a' on level 0"):
        Hierarchy.from_csv(path)


def test_a_file_with_semicolons_in_another_encoding(tmp_path):
    path = tmp_path / "towns.csv"
    path.write_bytes("town;land;all\nZürich;CH;any\nKöln;DE;any\n".encode("cp1252"))
    with pytest.warns(UserWarning, match="not UTF-8"):
        assert Hierarchy.from_csv(path).generalize("Köln", 1) == "DE"


def test_a_missing_value_joins_the_others_only_at_a_common_top():
    levels = bound(["married", "single", None], Hierarchy.from_dict(MARITAL))
    assert [levels.labels[level][levels.maps[level][-1]] for level in range(3)] == ["missing", "missing", "any"]
    apart = bound(["a", "b", None], Hierarchy.from_dict({"a": "x", "b": "y"}))
    assert apart.labels[1] == ["x", "y", "missing"]
    only = bound(pd.Series([None, None], dtype="str"), Hierarchy.flat())
    assert only.labels == [["missing"], ["missing"]]


@st.composite
def trees(draw):
    """Rows of a random three-level hierarchy, shuffled."""
    parents = draw(st.lists(st.integers(0, 2), min_size=1, max_size=5))
    leaves = draw(st.lists(st.integers(0, len(parents) - 1), min_size=1, max_size=12))
    rows = [[f"v{i}", f"g{g}", f"t{parents[g]}"] for i, g in enumerate(leaves)]
    return draw(st.permutations(rows))


@given(trees())
def test_any_refining_rows_bind_contiguously_and_climb(rows):
    levels = bound([row[0] for row in rows], Hierarchy.from_rows(rows))
    for level in range(levels.height + 1):
        codes = levels.maps[level]
        assert len(list(itertools.groupby(codes))) == len(set(codes.tolist()))
        if level < levels.height:
            assert (levels.up(level)[codes] == levels.maps[level + 1]).all()
    shown = {levels.labels[0][c]: [levels.labels[k][levels.maps[k][c]] for k in range(3)] for c in range(len(rows))}
    assert shown == {row[0]: row for row in rows}


@pytest.mark.parametrize(
    ("number", "widths", "start", "labels"),
    [
        (37, (5, 10), 0, ["[35,40)", "[30,40)", "*"]),
        (40, (5, 10), 0, ["[40,45)", "[40,50)", "*"]),
        (-1, (5, 10), 0, ["[-5,0)", "[-10,0)", "*"]),
        (-5, (5, 10), 0, ["[-5,0)", "[-10,0)", "*"]),
        (0.3, (0.1, 0.3), 0, ["[0.3,0.4)", "[0.3,0.6)", "*"]),
        (100000.3, (0.1,), 0, ["[100000.3,100000.4)", "*"]),
        (18, (20,), 17, ["[17,37)", "*"]),
        (1.5e-12, (1e-12,), 0, ["[1e-12,2e-12)", "*"]),
        ("37", (10,), 0, ["[30,40)", "*"]),
        (100.3, (0.1,), 100, ["[100.3,100.4)", "*"]),
        (1700000000999, (1000,), 0, ["[1700000000000,1700000001000)", "*"]),
    ],
)
def test_intervals(number, widths, start, labels):
    hierarchy = Hierarchy.intervals(*widths, start=start)
    assert [hierarchy.generalize(number, level) for level in range(1, hierarchy.height + 1)] == labels


@given(st.integers(-1000, 1000), st.sampled_from([0.1, 0.25, 0.3, 1, 5, 7]), st.sampled_from([0, -3, 0.5]))
@settings(max_examples=100)
def test_an_edge_begins_its_interval(step, width, start):
    label = Hierarchy.intervals(width, 2 * width, start=start).generalize(start + step * width, 1)
    low, high = (float(end) for end in label[1:-1].split(","))
    assert low == pytest.approx(start + step * width, abs=1e-9)
    assert high == pytest.approx(low + width, abs=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.sampled_from([(0.1, 0.3), (1, 7, 14), (0.7,)]))
def test_interval_levels_always_nest(values, widths):
    levels = bound(values, Hierarchy.intervals(*widths))
    assert levels.height == len(widths) + 1
    assert levels.labels[-1] == ["*"]


def test_intervals_refuse_what_does_not_nest_or_is_no_number():
    for widths in ((), (0,), (-5,), (float("nan"),), (float("inf"),)):
        with pytest.raises(ValueError, match="positive interval widths"):
            Hierarchy.intervals(*widths)
    for widths in ((5, 12), (10, 5)):
        with pytest.raises(ValueError, match="is not a multiple of"):
            Hierarchy.intervals(*widths)
    with pytest.raises(ValueError, match="column 'x': the hierarchy does not cover the value 'old'"):
        bound(["old"], Hierarchy.intervals(5))
    with pytest.raises(ValueError, match="does not cover"):
        Hierarchy.intervals(5).generalize(float("inf"), 1)
    assert Hierarchy.intervals(5, top=False).height == 1


def test_masks_of_codes_with_different_lengths_nest_and_refuse_longer_ones():
    assert bound(["1", "12", "123", "1234", "0123", "01"], Hierarchy.mask(4)).labels[-1] == ["*"]
    assert Hierarchy.mask(5, steps=2).height == 3
    assert Hierarchy.mask(3, char="#").generalize("abc", 2) == "a##"
    with pytest.raises(ValueError, match="column 'x': the hierarchy does not cover the value '123456'"):
        bound(["12345", "123456"], Hierarchy.mask(5))
    with pytest.raises(ValueError, match="at least 1"):
        Hierarchy.mask(0)


@pytest.mark.parametrize(
    "values",
    [
        [5],
        [5, 5],
        [1, 2],
        [0, 1, 2],
        [0.0, 5e-324, 1e-323],
        [-1e308, 0, 1e308],
        [1e15, 1e15 + 1, 1e15 + 2],
        [None, None],
        ["a", "b", "c"],
        pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
        [17, 90, 35, None],
    ],
)
def test_there_is_a_default_for_every_domain(values):
    attribute, _ = encode(pd.Series(values, name="x"))
    with pytest.warns(UserWarning, match="column 'x' has no hierarchy: using"):
        levels = attribute.levels
    assert len(levels.labels[-1]) == 1 or attribute.missing
    assert len(levels.labels[0]) == attribute.size


@pytest.mark.parametrize(
    ("dates", "steps"),
    [
        (["2020-01-01", "2020-01-05", "2020-03-02", "2021-01-01"], ["2020-01", "2020", "*"]),
        (["1990-01-01", "1990-05-01", "2001-03-02"], ["1990", "*"]),  # months and decades would add nothing
        (["1990-01-01", "1991-05-01", "2001-03-02"], ["1990s", "*"]),
        (["2020-01-01 10:00", "2020-01-01 11:30", "2020-01-02 09:00"], ["2020-01-01", "*"]),
        (["2020-01-01", "2020-01-02"], ["*"]),
        ([None, "2020-01-01", "2020-01-02", "2020-02-02"], ["2020-01", "*"]),
    ],
)
def test_dates_go_to_months_years_and_decades_where_these_differ(dates, steps):
    attribute, _ = encode(pd.Series(pd.to_datetime(dates, format="mixed"), name="born"))
    hierarchy = Hierarchy.default(attribute)
    assert [hierarchy.generalize(attribute.domain[0], level + 1) for level in range(hierarchy.height)] == steps
    assert hierarchy.bind(attribute).height == len(steps)


def test_steps_of_dates_widen():
    assert Hierarchy.dates().generalize(pd.Timestamp("2020-03-17"), 3) == "2020s"
    assert Hierarchy.dates("day", "quarter").generalize("2020-05-17 10:00", 2) == "2020-Q2"
    for steps in (("year", "month"), ("year", "year"), ("week",)):
        with pytest.raises(ValueError, match="some of hour, day, month, quarter, year, decade"):
            Hierarchy.dates(*steps)
    for value in (2020, "spring", None, "04/03/2020", "now", "May", "10:30", "2020", "2020-13-01"):
        with pytest.raises(ValueError, match="does not cover"):
            Hierarchy.dates().generalize(value, 1)


def test_the_default_of_small_whole_numbers_does_not_split_them():
    attribute, _ = encode(pd.Series(range(10), name="x"))
    assert Hierarchy.default(attribute).generalize(5, 1) == "[4,6)"


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_the_lattice_against_brute_force(heights):
    lattice = Lattice(heights)
    nodes = list(itertools.product(*(range(height + 1) for height in heights)))
    assert lattice.size == len(nodes)
    assert lattice.height == sum(heights)
    for height in range(-1, lattice.height + 2):
        assert lattice.nodes(height) == [node for node in nodes if sum(node) == height]
    assert list(lattice) == sorted(nodes, key=lambda node: (sum(node), node))
    for node in nodes:
        above = {
            other
            for other in nodes
            if sum(b - a for a, b in zip(node, other, strict=True)) == 1
            and all(b >= a for a, b in zip(node, other, strict=True))
        }
        assert set(lattice.successors(node)) == above
        assert all(node in lattice.predecessors(other) for other in above)
    assert lattice.bottom in lattice
    assert lattice.top in lattice
    assert (*lattice.top[:-1], lattice.top[-1] + 1) not in lattice
    assert "node" not in lattice


def test_a_big_lattice_is_not_made_unless_asked():
    tracemalloc.start()
    lattice = Lattice([9] * 12)
    assert lattice.size == 10**12
    assert len(lattice.nodes(1)) == 12
    assert lattice.nodes(lattice.height) == [lattice.top]
    assert next(iter(lattice)) == lattice.bottom
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_negative_heights_are_refused():
    with pytest.raises(ValueError, match="cannot be negative"):
        Lattice([1, -1])


@given(
    st.integers(-(10**14), 10**14), st.sampled_from([1, 7, 1000, 0.5, 0.1, 2.5]), st.sampled_from([0, 1, -3, 0.25, 100])
)
def test_an_interval_holds_its_value(value, width, start):
    low, high = Hierarchy.intervals(width, start=start).generalize(value, 1).strip("[)").split(",")
    if isinstance(width, int) and isinstance(start, int):
        assert int(low) <= value < int(high)
    else:  # up to the last bits of what a double can tell
        noise = 8 * np.finfo(float).eps * max(abs(value), abs(start), 1)
        assert float(low) - noise <= value < float(high) + noise


def test_a_missing_value_is_in_no_region_that_only_the_others_share():
    """All of them are in Europe, but the hierarchy knows of Asia too: nobody knows where the missing one is."""
    world = Hierarchy.from_dict({"France": "Europe", "Spain": "Europe", "Japan": "Asia"})
    levels = bound(["France", "Spain", None], world)
    assert levels.labels[1] == ["Europe", "missing"]
    rooted = Hierarchy.from_dict({"France": ["Europe", "any"], "Spain": ["Europe", "any"], "Japan": ["Asia", "any"]})
    assert bound(["France", "Spain", None], rooted).labels[2] == ["any"]
