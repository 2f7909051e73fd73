"""Cells that somebody else anonymized, read as value sets."""

import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb.methods import Mondrian, Rounding
from anonnb.tables.encoding import encode
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.published_cells import parse_column
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

AGES = [-5, -3, -1, 0, 30, 35, 39, 40, 50]


def read(cells, values, **options) -> list[list[str]]:
    """The labels of the values that each cell can have."""
    attribute, _ = encode(pd.Series(values, name="x"), **options)
    column = parse_column(pd.Series(cells, dtype=object), attribute)
    names = np.array(column.attribute.labels, dtype=object)
    return [names[column.sets.mask(number)].tolist() for number in column.index]


@pytest.mark.parametrize(
    ("cell", "ages"),
    [
        ("[30-39]", [30, 35, 39]),
        ("30-39", [30, 35, 39]),
        ("30 – 39", [30, 35, 39]),
        ("30 to 39", [30, 35, 39]),
        ("30..39", [30, 35, 39]),
        ("[30,40)", [30, 35, 39]),
        ("(30, 40]", [35, 39, 40]),
        ("[30;40]", [30, 35, 39, 40]),
        (">=40", [40, 50]),
        ("> 40", [50]),
        ("≤ -3", [-5, -3]),
        ("<-3", [-5]),
        ("-5--1", [-5, -3, -1]),
        ("[-5–-1]", [-5, -3, -1]),
        ("-5-0", [-5, -3, -1, 0]),
        ("30|50", [30, 50]),
        ("30 or 50", [30, 50]),
        ("30; 50", [30, 50]),
        ("{30, 50}", [30, 50]),
        ("[30-39] or 50", [30, 35, 39, 50]),
        ("*", AGES),
        (" * ", AGES),
        ("35", [35]),
        ("35.0", [35]),
        (35, [35]),
        (np.float64(35), [35]),
        (pd.Interval(30, 40, closed="left"), [30, 35, 39]),
        ("[30, 39[", [30, 35]),
        ("]30, 39]", [35, 39]),
        ("39+", [39, 40, 50]),
        ("[39,inf)", [39, 40, 50]),
        ("(-inf,-3]", [-5, -3]),
        ("[39, ∞)", [39, 40, 50]),
    ],
)
def test_numbers(cell, ages):
    assert read([cell], AGES) == [[str(age) for age in ages]]


def test_numbers_that_the_table_lacks_widen_the_domain():
    assert read([32.5, "31-34", ">60", "<-10", "30-32.5", "1|30"], AGES) == [
        ["32.5"],
        ["32.5"],
        ["61"],
        ["-11"],
        ["30", "32.5"],
        ["1", "30"],
    ]


def test_a_missing_cell_is_a_missing_value():
    assert read([None, np.nan, 35], AGES) == [["missing"], ["missing"], ["35"]]
    assert read([None, "35 or missing"], [35, 40, None]) == [["missing"], ["35", "missing"]]


@pytest.mark.parametrize("cell", ["a|b", "a or b", "a | b", "{a, b}", '"a" or "b"', "a;b"])
def test_sets_of_names(cell):
    assert read([cell], ["a", "b", "c"]) == [["a", "b"]]


def test_a_value_wins_over_every_other_reading():
    assert read(["a or b", "a|b", "*", "{a}"], ["a or b", "a|b", "*", "{a}", "a", "b"]) == [
        ["a or b"],
        ["a|b"],
        ["*"],
        ["{a}"],
    ]


def test_ranges_of_ordered_names_and_dates():
    order = ["low", "mid-low", "mid", "high"]
    assert read(["[low–mid]", "[mid-low-mid]", "[mid – high]"], order, order=order) == [
        ["low", "mid-low", "mid"],
        ["mid-low", "mid"],
        ["mid", "high"],
    ]
    dates = pd.to_datetime(["2020-01-01 00:00", "2020-01-02 00:00", "2020-02-01 12:00"])
    shown = ["2020-01-01 00:00", "2020-01-02 00:00", "2020-02-01 12:00"]
    assert read(["[2020-01-01–2020-01-02]", "2020-01-02 00:00:00", "2020-02-01 12:00:00"], dates) == [
        shown[:2],
        shown[1:2],
        shown[2:],
    ]


def test_numbers_of_a_nominal_column_are_not_ranks():
    legs = [0, 2, 4, 8]
    assert read(["2.0", "2-4", "8|0"], legs, kind="nominal") == [["2"], ["2", "4"], ["0", "8"]]
    assert read(["2-4"], legs, order=[8, 4, 2, 0]) == [["4", "2"]]


def test_labels_of_the_hierarchy():
    hierarchy = Hierarchy.from_nested({"North": ["SE", "NO"], "South": ["IT", "GR"]})
    assert read(["North", "IT", "North or IT", "*"], ["SE", "NO", "IT", "GR"], hierarchy=hierarchy) == [
        ["SE", "NO"],
        ["IT"],
        ["SE", "NO", "IT"],
        ["SE", "NO", "IT", "GR"],
    ]
    ages = Hierarchy.from_dict({30: "thirties", 35: "thirties", 40: "forties"})
    assert read(["thirties", 32.5], [30, 35, 40], hierarchy=ages) == [["30", "35"], ["32.5"]]


def test_texts_of_one_set_become_one_and_labels_stay_as_written():
    attribute, _ = encode(pd.Series(AGES, name="x"))
    column = parse_column(pd.Series(["30-39", "[30,40)", "50.0", 50, "[50-59]"]), attribute)
    assert column.index.tolist() == [0, 0, 1, 1, 1]
    assert column.sets.labels == ["30-39", "50"]
    assert parse_column(pd.Series(["[50-59]"]), attribute).sets.labels == ["[50-59]"]


@pytest.mark.parametrize(
    "cell", ["old", "39-30", "1,234", "(30,30)", "30|old", "", "{}", "a or", "|", "inf", "[", "30 or "]
)
def test_an_unreadable_cell_is_named_in_one_sentence(cell):
    with pytest.raises(ValueError, match=r"column 'x': the cell .* is no value, interval, set, hierarchy label"):
        read([30, cell], AGES)


def test_many_distinct_numbers_need_no_table_of_masks():
    numbers = np.arange(20_000) / 7
    attribute, codes = encode(pd.Series(numbers, name="x"))
    column = parse_column(pd.Series(numbers), attribute)
    assert len(column.sets.masks) == 0
    assert (column.sets.lo[column.index] == codes).all()


@pytest.mark.parametrize(
    ("cell", "held"),
    [
        ("2020", [0, 1, 2]),
        ("2020-01", [0]),
        ("2020-Q1", [0, 1, 2]),
        ("2020s", [0, 1, 2, 3]),
        ("[2020-01-15, 2020-03-01]", [1, 2]),
        ("[2020-01-15, 2020-03-01)", [1]),
        ("(2020-01-01, 2020-02-29]", [1]),
        ("2020-02 to 2021", [1, 2, 3]),
        ("2020-01-15 – 2020-06-30", [1, 2]),
        ("2019..2020", [0, 1, 2]),
        ("2019-2020", [0, 1, 2]),
        ("2020-01-15/2020-06-30", [1, 2]),
        (">= 2020-02-01", [1, 2, 3]),
        ("> 2020-02", [2, 3]),
        ("<2020-02-01", [0]),
        ("≤2020-02", [0, 1]),
    ],
)
@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_periods_and_ranges_of_dates_need_not_end_at_values_of_the_table(cell, held, zone):
    dates = pd.to_datetime(["2020-01-01", "2020-02-01", "2020-03-01", "2021-04-01"]).tz_localize(zone)
    column = parse_column(pd.Series([cell]), encode(pd.Series(dates, name="day"))[0])
    assert np.flatnonzero(column.sets.mask(0)).tolist() == held


@pytest.mark.parametrize(
    "cell", ["2020-13", "2019", "[2022-01-01, 2023-01-01]", "2020-Q5", "[2021, 2020]", "01.04.2021", "04/01/2021"]
)
def test_dates_that_hold_nothing_are_refused(cell):
    dates = pd.Series(pd.to_datetime(["2020-01-01", "2021-04-01"]), name="day")
    with pytest.raises(ValueError, match=r"column 'day': the cell"):
        parse_column(pd.Series([cell]), encode(dates)[0])


def test_masked_codes_are_read_without_a_hierarchy():
    assert read(["130**", "1****", "13053"], ["13053", "13068", "14850", "1305"]) == [
        ["1305", "13053", "13068"],
        ["1305", "13053", "13068", "14850"],
        ["13053"],
    ]
    assert read(["130**", "0****", "1*05*"], [13053, 13068, 950]) == [["13053", "13068"], ["950"], ["13053"]]
    with pytest.raises(ValueError, match=r"999\*\*"):
        read(["999**"], ["13053"])


def test_numbers_in_another_spelling_are_found_by_what_they_are():
    """As in a search among all values, whatever their order."""
    values = np.random.default_rng(0).permutation(np.append(np.arange(-20, 20) / 4, [1e9, 1e-9]))
    for kind in ("numeric", "nominal"):
        attribute, _ = encode(pd.Series(values, name="x"), kind=kind)
        column = parse_column(pd.Series([f"{value:+.12f}" for value in values], dtype=object), attribute)
        known = column.attribute.domain.to_numpy(dtype=float)
        assert [known[column.sets.lo[number]] for number in column.index] == values.tolist()
        assert column.is_exact()


@pytest.mark.parametrize("zone", [None, "Europe/Rome"])
def test_a_day_is_not_its_first_moment(zone):
    moments = pd.to_datetime(["2020-01-30 23:08", "2020-01-31 00:00", "2020-01-31 03:04", "2020-01-31 04:35"])
    table = Table(pd.DataFrame({"seen": moments.tz_localize(zone)}), quasi=["seen"])
    seen = table.attributes["seen"]
    release = Release(table, {"seen": Column.generalized(seen, table.codes("seen"), 1)}, np.arange(4))
    assert Release.from_frame(release.frame, table).columns["seen"].sizes.tolist() == [1, 3, 3, 3]
    assert Release.from_frame(Release.of(table).frame, table).columns["seen"].is_exact()


@pytest.mark.parametrize("values", [[1, 2, None], pd.to_timedelta([0, 5, None], "h"), ["a", "b", None]])
def test_what_is_missing_and_spans_of_time_come_back_from_a_file(values, tmp_path):
    table = Table(pd.DataFrame({"a": pd.Series(values)}), quasi=["a"])
    for rows in ([0, 1, 2], [0, 0], [2]):  # pandas writes "0 days" where all spans are whole days
        release = Release.of(table).take(np.array(rows))
        cells = pd.read_csv(release.publish(tmp_path / f"{rows}.csv"), dtype=str, keep_default_na=False)
        back = Release.from_frame(cells, table)
        assert sorted(back.columns["a"].texts()) == sorted(release.columns["a"].texts())


def test_whole_numbers_that_the_table_lacks_are_no_fractions():
    table = Table(pd.DataFrame({"age": [1, 2, 3, 4, 14]}), quasi=["age"])
    release = Rounding(step=10).anonymize(table)
    back = Release.from_frame(release.frame.astype(str), table)
    assert back.frame["age"].astype(str).tolist() == release.frame["age"].astype(str).tolist() == [*"0000", "10"]


@pytest.mark.parametrize("excel", [False, True])
@pytest.mark.parametrize("values", [["'=1", "=1", "b", "c"], ["'=1", "a", "b", "c"], ["=1", "a", "''=1", "c"]])
def test_apostrophes_before_formulas_come_back(tmp_path, values, excel):
    table = Table(pd.DataFrame({"a": values * 4, "s": ["x", "y"] * 8}), quasi=["a"], sensitive=["s"])
    for k in (4, 8):  # single values, and sets of two
        release = Mondrian(k=k).anonymize(table)
        with warnings.catch_warnings(action="ignore"):
            path = release.publish(tmp_path / f"out{k}.csv", excel=excel)
        cells = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
        back = Release.from_frame(cells, table)
        assert sorted(back.frame["a"]) == sorted(release.frame["a"])
        assert sorted(back.columns["a"].sizes) == sorted(release.columns["a"].sizes)
