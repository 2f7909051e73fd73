"""Utility measures: examples worked by hand, and equality with plain Python versions on random releases."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Hierarchy, Release, Table, load, utility
from anonnb.tables.value_sets import Column, ValueSets
from tests.privacy.strategies import tables


def people():
    """Six rows: a numeric, an ordinal and a nominal quasi-identifier and a decision."""
    frame = pd.DataFrame(
        {
            "age": [20, 30, 40, 60, 50, 30],
            "size": ["S", "M", "L", "XL", "S", "M"],
            "job": ["cook", "clerk", "cook", "judge", "baker", "cook"],
            "ok": ["yes", "yes", "no", "no", "yes", "no"],
        }
    )
    jobs = {"cook": ["food", "*"], "baker": ["food", "*"], "clerk": ["office", "*"], "judge": ["office", "*"]}
    hierarchies = {
        "age": Hierarchy.intervals(20, 40),
        "size": Hierarchy.from_dict(
            {"S": ["small", "*"], "M": ["small", "*"], "L": ["large", "*"], "XL": ["large", "*"]}
        ),
        "job": Hierarchy.from_dict(jobs),
    }
    orders = {"size": ["S", "M", "L", "XL"]}
    return Table(frame, quasi=["age", "size", "job"], decision="ok", orders=orders, hierarchies=hierarchies)


def grouped(table, groups, rows):
    """Rows published in groups, every group as the smallest box around its rows."""
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name)[rows], np.array(groups), max(groups) + 1)
        for name in table.quasi
    }
    return Release(table, columns, np.array(rows))


@pytest.fixture
def pairs():
    """Rows 0–1 and 2–3 in a class each, row 4 alone, row 5 suppressed."""
    return grouped(people(), [0, 0, 1, 1, 2], [0, 1, 2, 3, 4])


def test_ncp_of_the_worked_example(pairs):
    # age, range 40: 10/40 twice, 20/40 twice, 0, suppressed 1 → (0.25·2 + 0.5·2 + 0 + 1) / 6 = 2.5 / 6
    # size, 3 steps: S–M 1/3 twice, L–XL 1/3 twice, 0, 1        → (4/3 + 1) / 6
    # job, 4 values: {cook, clerk} 1/3 twice, {cook, judge} 1/3 twice, 0, 1 → (4/3 + 1) / 6
    columns = utility.ncp(people(), pairs, per="column")
    assert columns.to_dict() == pytest.approx({"age": 2.5 / 6, "size": 7 / 18, "job": 7 / 18})
    assert utility.ncp(people(), pairs) == pytest.approx((2.5 / 6 + 7 / 18 + 7 / 18) / 3)
    rows = utility.ncp(people(), pairs, per="row")
    assert rows.tolist() == pytest.approx([11 / 36, 11 / 36, 7 / 18, 7 / 18, 0, 1])


def test_k_is_that_of_the_method_when_it_has_one(pairs):
    made = Release(pairs.table, pairs.columns, pairs.rows, method=SimpleNamespace(k=2))
    assert utility.discernibility(people(), made) == 20
    assert utility.average_class_size(people(), made) == pytest.approx(5 / 3 / 2)
    assert utility.discernibility(people(), made, k=1) == 15


def test_ncp_of_numbers_whose_range_is_beyond_doubles():
    """The widths and the range overflow, their ratio does not: a quarter, and half of −1.6e308 to 1.6e308."""
    table = Table(pd.DataFrame({"a": [-1.6e308, -0.8e308, 0.0, 1.6e308]}), quasi=["a"])
    column = Column.from_spans(table.attributes["a"], [0, 0, 2, 2], [1, 1, 3, 3])
    assert utility.ncp(table, Release(table, {"a": column}, np.arange(4))) == pytest.approx((1 / 4 + 1 / 2) / 2)


def test_precision_of_full_domain_generalization_is_that_of_its_levels():
    table = load("adult").take(np.arange(500))
    levels = {"age": 2, "education": 1, "sex": 0}
    columns = {
        name: Column.generalized(table.attributes[name], table.codes(name), level) for name, level in levels.items()
    }
    heights = {name: table.attributes[name].levels.height for name in table.quasi}
    expected = 1 - sum(levels.get(name, 0) / heights[name] for name in table.quasi) / len(table.quasi)
    assert utility.precision(table, Release(table, columns, np.arange(500))) == pytest.approx(expected)


def test_a_label_counts_by_its_level_though_it_covers_one_value_here():
    table = Table(pd.DataFrame({"age": [3, 17]}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(10)})
    column = Column.generalized(table.attributes["age"], table.codes("age"), 1)
    assert utility.precision(table, Release(table, {"age": column}, np.arange(2))) == 0.5


def test_truthfulness_counts_cells_that_lie():
    table = people()
    columns = {"age": Column.original(table.attributes["age"], table.codes("age")[[1, 1, 2]])}
    release = Release(table, columns, np.arange(3))  # row 0 claims 30, not 20: one of nine cells
    assert utility.truthfulness(table, release) == pytest.approx(8 / 9)
    # a cell that lies costs as much as a suppressed one: age 20 occurs once in six rows
    honest = utility.entropy_loss(table, Release(table, {}, np.arange(3)))
    assert utility.entropy_loss(table, release) == pytest.approx(honest + math.log2(6))


# ---- the ends of the range --------------------------------------------------------------------------------------


def test_a_fully_suppressed_table_loses_everything():
    table = people()
    columns = {name: Column.suppressed(table.attributes[name], 6) for name in table.quasi}
    stars, nothing = Release(table, columns, np.arange(6)), Release(table, {}, np.array([], dtype=np.int64))
    for release in (stars, nothing):
        assert utility.ncp(table, release) == 1
        assert utility.precision(table, release) == 0
        assert utility.entropy_loss(table, release, normalized=True) == pytest.approx(1)
        assert utility.suppression_rate(table, release, of="cells") == 1
        assert utility.discernibility(table, release) == 36
    assert utility.suppression_rate(table, nothing) == 1
    assert utility.classification_metric(table, nothing) == 1
    assert math.isnan(utility.truthfulness(table, nothing))
    assert math.isnan(utility.average_class_size(table, nothing))
    assert utility.ncp(table, nothing, per="row").tolist() == [1] * 6
    assert len(utility.report(table, nothing)) == 12 + len(utility.analysis(table, nothing, cells="uniform"))


# ---- missing values, constants, values that the table does not have --------------------------------------------


def test_missing_values_in_sets():
    frame = pd.DataFrame({"age": [20, 30, None], "zip": ["a", "b", None]})
    table = Table(frame, quasi=["age", "zip"])
    release = grouped(table, [0, 1, 1], [0, 1, 2])
    # age: {30, missing} costs 1; zip: {b, missing} has 2 of the 3 values, so (2 − 1) / (3 − 1)
    assert utility.ncp(table, release, per="column").tolist() == pytest.approx([2 / 3, 1 / 3])
    assert utility.ncp(table, table) == 0
    assert utility.truthfulness(table, release) == 1
    # 20 is exact; {30, missing} has a row of each: 1 bit for two cells of two columns
    assert utility.entropy_loss(table, release) == pytest.approx(4)


@pytest.mark.parametrize("kind", ["numeric", "nominal", "ordinal"])
def test_a_column_with_values_that_the_table_does_not_have(kind):
    orders = {"x": [20, 30, 40]} if kind == "ordinal" else None
    table = Table(pd.DataFrame({"x": [20, 30, 40]}), quasi=["x"], kinds={"x": kind}, orders=orders)
    wider, _ = table.attributes["x"].extended([35])
    low, mean, high = (wider.code(value) for value in (20, 35, 40))
    masks = np.zeros((3, wider.size), dtype=bool)
    masks[0, [low, high]] = masks[1, mean] = masks[2, [low, mean]] = True
    release = Release(table, {"x": Column(ValueSets.from_masks(wider, masks), [0, 1, 2])}, np.arange(3))
    # {20, 40} costs all for an order and 1/2 for a set; 35 alone costs nothing; {20, 35}: 15/20, no rank, 1/2
    expected = {"numeric": [1, 0, 0.75], "ordinal": [1, 0, 1], "nominal": [0.5, 0, 0.5]}[kind]
    assert utility.ncp(table, release, per="row").tolist() == expected
    assert utility.truthfulness(table, release) == pytest.approx(1 / 3)
    with pytest.warns(UserWarning, match="no hierarchy"):
        assert 0 <= utility.precision(table, release) <= 1
    assert utility.entropy_loss(table, release) > 0


# ---- against plain Python ---------------------------------------------------------------------------------------


def cell_values(release, name, row):
    column = release.columns[name]
    return [int(code) for code in np.flatnonzero(column.sets.mask(column.index[row]))]


def brute_cost(attribute, codes):
    if len(codes) == 1:
        return 0.0
    if attribute.kind == "nominal":
        return (len(codes) - 1) / (attribute.size - 1)
    if attribute.missing_code in codes:
        return 1.0
    values = [attribute.domain[code] for code in codes]
    return (max(values) - min(values)) / (attribute.domain[-1] - attribute.domain[0])


@st.composite
def releases(draw):
    table = draw(tables(missing=True, least=3))
    rows = sorted(draw(st.sets(st.integers(0, len(table) - 1), min_size=1)))
    groups = draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    numbers = {number: place for place, number in enumerate(sorted(set(groups)))}
    return table.with_roles(decision="ill"), grouped(table, [numbers[number] for number in groups], rows)


@given(releases())
def test_cell_measures_equal_plain_python(case):
    table, release = case
    lost, bits, held = [], 0.0, 0
    for name in table.quasi:
        codes = table.codes(name).tolist()
        bits += sum(math.log2(len(table) / codes.count(codes[row])) for row in release.suppressed)
        lost += [1.0] * release.n_suppressed
        for place, row in enumerate(release.rows):
            inside = cell_values(release, name, place)
            lost.append(brute_cost(table.attributes[name], inside))
            bits += math.log2(sum(codes.count(code) for code in inside) / codes.count(codes[row]))
            held += codes[row] in inside
    assert utility.ncp(table, release) == pytest.approx(np.mean(lost))
    assert utility.ncp(table, release, per="row").mean() == pytest.approx(np.mean(lost))
    assert utility.entropy_loss(table, release) == pytest.approx(bits, abs=1e-9)
    assert utility.truthfulness(table, release) == held / (len(release) * 2) == 1


@given(releases())
def test_class_measures_equal_plain_python(case):
    table, release = case
    release = Release(table, {name: release.columns[name] for name in release.quasi}, release.rows)
    total, sizes, wrong = len(table), release.group_sizes.tolist(), release.n_suppressed
    decisions = table.frame["ill"].to_numpy()[release.rows]
    for number in range(release.n_groups):
        members = decisions[release.groups == number].tolist()
        wrong += len(members) - max(members.count(value) for value in members)
    expected = sum(size * size if size >= 2 else size * total for size in sizes) + release.n_suppressed * total
    assert utility.discernibility(table, release, k=2) == expected
    assert utility.classification_metric(table, release) == pytest.approx(wrong / total)


# ---- the report and bad input -----------------------------------------------------------------------------------


def test_the_report_is_tidy_and_leaves_out_what_does_not_apply(pairs):
    frame = utility.report(people(), pairs)
    assert list(frame.columns) == ["measure", "value", "better", "meaning"]
    assert set(frame["better"]) == {"higher", "lower"}
    assert frame["value"].notna().all()
    assert frame["meaning"].str.endswith(".").all()
    table = Table(people().frame, quasi=["age"])
    foreign = Release.from_frame(table.frame, like=table)
    shown = utility.report(table, foreign)["measure"].tolist()
    assert "precision" not in shown
    assert "truthfulness" not in shown
    assert "classification metric" not in shown


def test_a_foreign_release_without_links_has_costs_per_published_row():
    table = people()
    foreign = Release.from_frame(table.frame.assign(job="*").iloc[:5], like=table)
    rows = utility.ncp(table, foreign, per="row")
    assert rows.tolist() == pytest.approx([1 / 3] * 5 + [1])
    with pytest.raises(ValueError, match="not linked to original rows"):
        utility.truthfulness(table, foreign)
    with pytest.raises(ValueError, match="not linked to original rows"):
        utility.entropy_loss(table, foreign)


def test_bad_input_is_named(pairs):
    table = people()
    with pytest.raises(ValueError, match="per='cell' is not known"):
        utility.ncp(table, pairs, per="cell")
    with pytest.raises(ValueError, match="of='columns' is not known"):
        utility.suppression_rate(table, pairs, of="columns")
    with pytest.raises(ValueError, match="k must be a whole number of at least 1, not 0"):
        utility.discernibility(table, pairs, k=0)
    with pytest.raises(ValueError, match="no quasi-identifier"):
        utility.ncp(table, table.with_roles(quasi=[]))
    with pytest.raises(KeyError, match="lacks the release's column 'job'"):
        utility.ncp(table.select(["age", "size"]), pairs)
    with pytest.raises(ValueError, match="refers to row 4, the table has 2"):
        utility.truthfulness(table.take([0, 1]), pairs)
    with pytest.raises(ValueError, match="no decision column"):
        utility.classification_metric(table, table.with_roles(decision=None))
    with pytest.raises(KeyError, match="no column 'grade'"):
        utility.classification_metric(table, pairs, column="grade")
