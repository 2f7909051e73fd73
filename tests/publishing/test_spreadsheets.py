"""Cells that a spreadsheet would run: they are told, neutralized on demand, and read back as they were."""

import csv
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.attacks import HomogeneityAttack
from anonnb.files.reading import read_table_file
from anonnb.files.spreadsheets import formula_again, is_formula
from anonnb.methods import Mondrian
from anonnb.publishing.release_files import as_plain_text, formula_cells, plain_text

CELLS = ["=cmd()", "+1x", "@x", "-2+3", "\tq", "'s-H", "-5", "'=kept"]


@pytest.fixture
def table():
    frame = pd.DataFrame({"=a": CELLS * 4, "n": list(range(-4, 4)) * 4, "s": CELLS[::-1] * 4})
    return Table(frame, quasi=["=a", "n"], sensitive=["s"])


def cells_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_no_cell_of_a_file_for_spreadsheets_begins_like_a_formula(table, tmp_path):
    with pytest.warns(UserWarning, match="41 cells begin like a formula and got an apostrophe in front"):
        path = Release.of(table).publish(tmp_path / "a.csv", excel=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert not any(is_formula(cell) for row in cells_of(path) for cell in row)


def test_without_it_the_bytes_stay_and_a_warning_tells(table, tmp_path):
    with pytest.warns(UserWarning, match="41 cells begin like a formula, which a spreadsheet would run; excel=True"):
        path = Release.of(table).publish(tmp_path / "a.csv")
    assert cells_of(path)[0] == ["=a", "n", "s"]
    assert not path.read_bytes().startswith(b"\xef\xbb\xbf")


def test_harmless_tables_warn_of_nothing(tmp_path):
    frame = pd.DataFrame({"a": [-1, -2], "b": ["-1", "a=b"], "c": [None, "x"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Release.of(Table(frame, quasi=["a", "b", "c"])).publish(tmp_path / "a.csv")


@pytest.mark.filterwarnings("ignore:.*like a formula")
@pytest.mark.parametrize("method", [None, Mondrian(k=2)])
def test_such_a_file_is_read_back_and_attacked_as_before(table, tmp_path, method):
    release = Release.of(table) if method is None else method.anonymize(table)
    path = release.publish(tmp_path / "a.csv", excel=True)
    back = Release.from_frame(read_table_file(path), like=table)
    if method is None:
        assert sorted(back.frame.astype(str).agg("|".join, axis=1)) == sorted(
            table.frame.astype(str).agg("|".join, axis=1)
        )
    expected = HomogeneityAttack().run(Release.from_frame(release.published(), like=table), table)
    assert HomogeneityAttack().run(back, table).success == expected.success


def test_only_csv_files_are_for_spreadsheets(table, tmp_path):
    with pytest.raises(ValueError, match=r"excel=True is for \.csv files"):
        Release.of(table).publish(tmp_path / "a.parquet", excel=True)


@given(st.text(alphabet="=+-@'ab1 \t\r\n", max_size=5))
def test_what_is_neutralized_is_no_formula_and_comes_back(word):
    assert not is_formula(plain_text(word))
    if is_formula(word):
        assert formula_again(plain_text(word)) == word


def test_columns_of_every_kind_pass():
    frame = pd.DataFrame({"n": [1.5, np.nan], "c": pd.Categorical(["=x", "b"]), "o": ["=y", None]})
    frame["t"] = pd.to_datetime(["2020-01-01", None])
    assert formula_cells(frame) == 2
    assert as_plain_text(frame)[["c", "o"]].iloc[0].tolist() == ["'=x", "'=y"]
