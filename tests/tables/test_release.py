"""Releases: what is kept, what leaves the house, and somebody else's tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from tests.strategies import TRICKY, frames

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def table() -> Table:
    frame = pd.DataFrame(
        {
            "name": ["ann", "bob", "cy", "di", "ed"],
            "age": [31, 37, 42, 48, 37],
            "sex": pd.Categorical(["f", "m", "f", "m", "m"], categories=["m", "f", "x"]),
            "note": list("vwxyz"),
            "ill": ["flu", None, "flu", "hiv", "flu"],
        },
        index=[50, 40, 30, 20, 10],
    )
    hierarchies = {"age": Hierarchy.intervals(10)}
    return Table(frame, identifier="name", quasi=["age", "sex"], sensitive="ill", hierarchies=hierarchies)


def generalized(table: Table, level: int = 1) -> Release:
    ages = Column.generalized(table.attributes["age"], table.codes("age"), level)
    return Release(table, {"age": ages}, np.arange(len(table)))


def test_the_table_itself_is_a_release(table):
    release = as_release(table)
    assert as_release(release) is release
    pd.testing.assert_frame_equal(release.frame, table.frame.drop(columns="name"))
    assert release.groups.tolist() == [0, 1, 2, 3, 1]
    assert release.group_sizes.tolist() == [1, 2, 1, 1]
    assert release.n_suppressed == len(release.suppressed) == 0
    assert (release.quasi, release.sensitive, release.decision) == (["age", "sex"], ["ill"], None)


def test_generalized_columns_show_labels_and_others_keep_their_dtype(table):
    release = generalized(table)
    assert release.frame["age"].tolist() == ["[30,40)", "[30,40)", "[40,50)", "[40,50)", "[30,40)"]
    assert release.frame["sex"].dtype == table.frame["sex"].dtype
    assert release.frame.index.tolist() == [50, 40, 30, 20, 10]
    assert release.n_groups == 4
    assert "5 rows in 4 classes, smallest 1, 0 suppressed" in repr(release)


def test_rows_left_out_are_suppressed(table):
    release = Release(table, {}, [0, 3])
    assert release.suppressed.tolist() == [1, 2, 4]
    assert release.n_suppressed == 3
    assert release.frame.index.tolist() == [50, 20]
    assert release.take([True, False]).rows.tolist() == [0]


def test_intervals_on_request(table):
    ages = Column.of_groups(table.attributes["age"], table.codes("age"), np.array([0, 0, 1, 1, 0]), 2)
    cells = Release(table, {"age": ages}, np.arange(5)).to_frame(intervals="pandas")["age"]
    assert cells.iloc[0] == pd.Interval(31, 37, closed="both")
    with pytest.raises(ValueError, match="intervals='numpy' is not known"):
        Release.of(table).to_frame(intervals="numpy")


def test_releases_that_do_not_fit_together_are_refused(table):
    with pytest.raises(ValueError, match="one cell per published row"):
        Release(table, {"age": Column.suppressed(table.attributes["age"], 2)}, np.arange(5))
    with pytest.raises(KeyError, match="has no column 'height'"):
        Release(table, {"height": Column.suppressed(table.attributes["age"], 5)}, np.arange(5))
    with pytest.raises(ValueError, match="column 'sex' is not given"):
        Release(table, {"age": Column.suppressed(table.attributes["age"], 2)})


def test_without_a_quasi_identifier_all_rows_are_one_group(table):
    release = Release.of(table.with_roles(quasi=[]))
    assert (release.n_groups, release.groups.tolist()) == (1, [0] * 5)
    assert Release.of(table[:0]).n_groups == 0


# ---- publishing -----------------------------------------------------------------------------------------------


def test_only_columns_with_a_role_leave_the_house(table, tmp_path):
    path = generalized(table).publish(tmp_path / "out.csv")
    assert pd.read_csv(path).columns.tolist() == ["age", "sex", "ill"]
    more = generalized(table).publish(tmp_path / "out.CSV", also="note")
    assert pd.read_csv(more).columns.tolist() == ["age", "sex", "note", "ill"]
    for also in ("name", ["nothing"]):
        with pytest.raises(KeyError, match="identifiers cannot be published"):
            generalized(table).publish(tmp_path / "no.csv", also=also)
    with pytest.raises(ValueError, match="nothing to publish"):
        Release.of(Table(pd.DataFrame({"a": [1]}))).publish(tmp_path / "no.csv")
    with pytest.raises(ValueError, match=r"use a name that ends in \.csv or \.parquet"):
        generalized(table).publish(tmp_path / "no.xlsx")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.CSV", "out.csv"]


def test_parquet_keeps_dtypes_but_not_the_categories_of_others(table, tmp_path):
    path = Release(table, {}, [1, 3]).publish(tmp_path / "out.parquet")
    frame = pd.read_parquet(path)
    assert frame["age"].dtype == "int64"
    assert frame.index.equals(pd.RangeIndex(2))
    raw = path.read_bytes()
    assert b"flu" not in raw, "no published row has it"
    assert b"ann" not in raw
    assert b"bob" not in raw


def test_mixed_objects_do_not_fit_into_parquet_but_into_csv(tmp_path):
    release = Release.of(Table(pd.DataFrame({"a": [1, "x", 2.5]}), quasi="a"))
    with pytest.raises(ValueError, match=r"cannot publish to 'a\.parquet': .*; use a name that ends in \.csv"):
        release.publish(tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []
    assert len(pd.read_csv(release.publish(tmp_path / "a.csv"))) == 3


@pytest.mark.parametrize(("suffix", "writer"), [("csv", "to_csv"), ("parquet", "to_parquet")])
def test_a_failure_in_the_middle_leaves_the_old_file(table, tmp_path, monkeypatch, suffix, writer):
    path = tmp_path / f"out.{suffix}"
    path.write_bytes(b"old")

    def half(self, file, **options):
        file.write("half" if suffix == "csv" else b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(pd.DataFrame, writer, half)
    with pytest.raises(OSError, match="the disk is full"):
        generalized(table).publish(path, overwrite=True)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@given(frames(["ints", "texts", "ordered", "category", "floats", "mixed"]), st.randoms(use_true_random=False))
@settings(max_examples=12)
def test_the_order_of_the_file_says_nothing_about_the_original(tmp_path_factory, frame, random):
    folder = tmp_path_factory.mktemp("order")
    shuffled = list(range(len(frame)))
    random.shuffle(shuffled)
    written = []
    for name, rows in (("a", list(range(len(frame)))), ("b", shuffled)):
        table = Table(frame.iloc[rows], quasi=["ints", "texts", "category"], sensitive=["ordered", "floats", "mixed"])
        for level, release in enumerate((Release.of(table), halves(table), hidden(table))):
            written.append((level, release.publish(folder / f"{name}{level}.csv").read_bytes()))
    assert written[:3] == written[3:]


def halves(table: Table) -> Release:
    """Rows with a small and rows with a large number, each as one group."""
    groups = pd.factorize(table.codes("ints") > 2)[0]
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name), groups, groups.max() + 1)
        for name in table.columns
        if name != "mixed"
    }
    return Release(table, columns, np.arange(len(table)))


def hidden(table: Table) -> Release:
    column = Column.original(table.attributes["texts"], table.codes("texts"))
    return Release(table, {"texts": column.with_suppressed(table.codes("ints") > 2)}, np.arange(len(table)))


def test_markup_and_formulas_stay_texts(tmp_path):
    frame = pd.DataFrame({"=cmd()": [NASTY, 'say "hi", bob'], NASTY: [1, 2]}, index=[NASTY, "b"])
    release = Release.of(Table(frame, quasi=["=cmd()", NASTY]))
    assert "<script" not in release._repr_html_()
    assert "&lt;script&gt;" in release._repr_html_()
    lines = release.publish(tmp_path / "out.csv").read_text().splitlines()
    assert lines == [f'"=cmd()","{NASTY}"', f'"{NASTY}",1', '"say ""hi"", bob",2']


def test_long_texts_are_cut_in_html():
    release = Release.of(Table(pd.DataFrame({"a": ["x" * 5000]})))
    assert "x" * 100 not in release._repr_html_()


# ---- somebody else's table ------------------------------------------------------------------------------------


def test_rows_that_are_all_stars_count_as_suppressed(table):
    frame = pd.DataFrame({"age": ["30-39", "*", "*"], "sex": ["f", "*", "m"], "ill": ["flu", "flu", None]})
    release = Release.from_frame(frame, like=table)
    assert len(release) == 2
    assert release.n_suppressed == 3
    assert release.suppressed.tolist() == [-1, -1, -1]
    assert release.rows is None
    assert release.group_sizes.tolist() == [1, 1]
    everything = Release.from_frame(frame.assign(age="*", sex="*"), like=table)
    assert len(everything) == 3
    linked = Release.from_frame(frame, like=table, rows=[4, 3, 2])
    assert linked.rows.tolist() == [4, 2]
    assert linked.suppressed.tolist() == [0, 1, 3]


def test_the_only_value_of_a_column_is_not_a_suppressed_cell():
    like = Table(pd.DataFrame({"sex": ["f", "f"], "age": [1, 2]}), quasi=["sex", "age"])
    release = Release.from_frame(pd.DataFrame({"sex": ["f", "*", "f"], "age": ["*", "*", "1"]}), like)
    assert release.frame.values.tolist() == [["f", "*"], ["f", "1"]]


def test_frames_that_do_not_fit_are_refused(table):
    frame = pd.DataFrame({"age": ["31"], "sex": ["f"]})
    with pytest.raises(KeyError, match="lacks the quasi-identifier column 'sex'"):
        Release.from_frame(frame[["age"]], table)
    with pytest.raises(ValueError, match="rows links 2 rows, but the anonymized table has 1"):
        Release.from_frame(frame, table, rows=[0, 1])
    with pytest.raises(ValueError, match="column 'age' occurs more than once"):
        Release.from_frame(pd.concat([frame, frame[["age"]]], axis=1), table)
    with pytest.raises(ValueError, match="column 'sex': the cell 'female' is no value"):
        Release.from_frame(frame.assign(sex="female"), table)


def test_columns_called_by_numbers_come_back_from_a_file(tmp_path):
    table = Table(pd.DataFrame({0: [1, 2], 1: ["a", "b"]}), quasi=[0, 1])
    back = Release.from_frame(pd.read_csv(Release.of(table).publish(tmp_path / "out.csv")), table)
    assert back.quasi == [0, 1]
    pd.testing.assert_frame_equal(back.frame, table.frame)


def sets_of(release: Release) -> list[tuple]:
    """Every row as the values its cells can have, sorted."""
    rows = []
    for row in range(len(release)):
        cells = []
        for column in release.columns.values():
            names = np.array(column.attribute.labels, dtype=object)
            cells.append(tuple(sorted(names[column.sets.mask(column.index[row])])))
        rows.append(tuple(cells))
    return sorted(rows)


NAMES = [name for name in TRICKY if name]  # a file cannot tell an empty text from a missing value


@pytest.mark.slow
@given(st.data())
@settings(max_examples=30)
def test_our_own_files_come_back_as_the_same_sets(tmp_path_factory, data):
    n = data.draw(st.integers(2, 8))

    def column(values):
        return data.draw(st.lists(st.one_of(st.none(), values), min_size=n, max_size=n))

    groups = pd.factorize(np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))))[0]
    frame = pd.DataFrame(
        {
            "group": groups,  # a group whose every cell is * would be read as suppressed
            "number": pd.Series(column(st.integers(-9, 9)), dtype="Int64"),
            "float": pd.Series(column(st.floats(-10, 10)), dtype="float64"),
            "name": pd.Series(column(st.sampled_from(NAMES)), dtype="str"),
            "rank": pd.Series(column(st.sampled_from(NAMES)), dtype="str"),
            "date": pd.to_datetime(pd.Series(column(st.sampled_from(["2020-01-01", "2020-02-02", "2021-01-01"])))),
        }
    )
    table = Table(frame, quasi=list(frame), orders={"rank": NAMES})
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name), groups, groups.max() + 1) for name in frame
    }
    release = Release(table, columns, np.arange(n))
    path = release.publish(tmp_path_factory.mktemp("back") / "out.csv")
    text = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
    back = Release.from_frame(text, table)
    assert sets_of(back) == sets_of(release)
    assert sorted(back.group_sizes) == sorted(release.group_sizes)


# ---- yesterday's generalization for today's rows ----------------------------------------------------------------


def test_a_global_recoding_applies_to_other_rows(table):
    other = Table(pd.DataFrame({"age": [42, 31], "sex": ["m", "m"], "ill": ["x", "y"]}), quasi=["age", "sex"])
    again = generalized(table).recode(other)
    assert again.frame["age"].tolist() == ["[40,50)", "[30,40)"]
    assert again.frame["ill"].tolist() == ["x", "y"]
    assert again.table is other


def test_a_cut_applies_to_values_that_only_suppressed_rows_had(table):
    ages = Column.generalized(table.attributes["age"], table.codes("age"), 1)
    rows = np.array([0, 1, 2])
    release = Release(table, {"age": ages.take(rows).with_suppressed([])}, rows)
    assert release.recode(table[3:4]).frame["age"].tolist() == ["[40,50)"]


def test_what_cannot_be_recoded_says_why(table):
    local = Column.of_groups(table.attributes["age"], table.codes("age"), np.array([0, 0, 1, 1, 1]), 2)
    with pytest.raises(ValueError, match="column 'age' was not recoded the same way everywhere"):
        Release(table, {"age": local}, np.arange(5)).recode(table)
    new = Table(pd.DataFrame({"age": [31, 99], "sex": ["m", "f"]}))
    with pytest.raises(ValueError, match="column 'age': the value '99' did not occur"):
        generalized(table).recode(new)
    with pytest.raises(KeyError, match="lacks the quasi-identifier column 'sex'"):
        generalized(table).recode(new[:1].select(["age"]))
    foreign = Release.from_frame(pd.DataFrame({"age": ["30-39"], "sex": ["f"]}), table)
    with pytest.raises(ValueError, match="without links to its original rows"):
        foreign.recode(table)


def test_a_part_of_a_foreign_release_remembers_what_was_withheld():
    like = Table(pd.DataFrame({"age": [31, 38, 52]}), quasi=["age"])
    release = Release.from_frame(pd.DataFrame({"age": ["30-39", "30-39", "*"]}), like)
    assert release.take([0]).n_suppressed == release.n_suppressed == 1


def test_rows_of_nothing_but_stars_are_suppressed_or_a_class_as_one_says():
    like = Table(pd.DataFrame({"age": [31, 38, 52, 60]}), quasi=["age"])
    theirs = pd.DataFrame({"age": ["30-39", "30-39", "*", "*"]})
    assert Release.from_frame(theirs, like).n_suppressed == 2
    ours = Release.from_frame(theirs, like, hidden="class")
    assert (ours.n_suppressed, ours.group_sizes.tolist()) == (0, [2, 2])
    with pytest.raises(ValueError, match="hidden='rows' is not known"):
        Release.from_frame(theirs, like, hidden="rows")


def test_an_existing_file_is_not_overwritten_in_silence(tmp_path):
    release = Release.of(Table(pd.DataFrame({"zip": [1, 1]}), quasi=["zip"]))
    path = release.publish(tmp_path / "out.csv")
    path.write_text("precious")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        release.publish(path)
    assert path.read_text() == "precious"
    release.publish(path, overwrite=True)
    assert path.read_text() != "precious"
