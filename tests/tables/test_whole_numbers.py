"""Whole numbers stay what they are, however large, with missing values or without, from the file to the file."""

import numpy as np
import pandas as pd
import pytest

from anonnb.files.reading import read_table_file
from anonnb.methods import Mondrian
from anonnb.tables.release import Release
from anonnb.tables.table import Table

LARGE = 2**53  # beyond it not every whole number is a float
VALUES = [LARGE, LARGE + 1, None, LARGE, LARGE + 1, None]
WRITTEN = sorted(["", "", str(LARGE), str(LARGE), str(LARGE + 1), str(LARGE + 1)])


def cells(path) -> list[str]:
    return sorted(pd.read_csv(path, dtype=str, keep_default_na=False)["a"])


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("kind", [None, "numeric"])
def test_categories_with_missing_values(tmp_path, kind, ordered):
    if ordered and kind:
        pytest.skip("an ordered Categorical is ordinal")
    frame = pd.DataFrame({"a": pd.Categorical(VALUES, ordered=ordered)})
    release = Mondrian(k=2).anonymize(Table(frame, quasi=["a"], kinds={"a": kind} if kind else {}))
    assert cells(release.publish(tmp_path / "out.csv")) == WRITTEN
    back = pd.read_parquet(release.publish(tmp_path / "out.parquet"), dtype_backend="numpy_nullable")["a"]
    assert sorted(map(str, back.dropna())) == WRITTEN[2:]


def test_objects_that_are_to_be_numbers(tmp_path):
    table = Table(pd.DataFrame({"a": pd.Series(VALUES, dtype=object)}), quasi=["a"], kinds={"a": "numeric"})
    assert table.attributes["a"].domain.tolist() == [LARGE, LARGE + 1]
    assert cells(Mondrian(k=2).anonymize(table).publish(tmp_path / "out.csv")) == WRITTEN


def test_a_parquet_file_of_another_program(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"a": pa.array(VALUES, pa.int64()), "b": pa.array([5, None, 5, 5, 5, None], pa.uint8())}
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    frame = read_table_file(tmp_path / "in.parquet")
    assert frame["a"].dropna().tolist() == [value for value in VALUES if value is not None]
    assert [str(dtype) for dtype in frame.dtypes] == ["Int64", "UInt8"]
    release = Mondrian(k=2).anonymize(Table(frame, quasi=["a"]))
    assert cells(release.publish(tmp_path / "out.csv")) == WRITTEN


def test_a_release_read_back_that_hides_some_values():
    table = Table(pd.DataFrame({"a": [LARGE, LARGE + 1]}), quasi=["a"])
    release = Release.from_frame(pd.DataFrame({"a": [str(LARGE + 1), None]}), table, hidden="class")
    assert release.frame["a"].tolist()[0] == LARGE + 1
    assert table.attributes["a"].code(LARGE + 1) == 1


def test_short_floats_are_named():
    with pytest.raises(TypeError, match=r"column 'a' holds float16.*astype\('float32'\)"):
        Table(pd.DataFrame({"a": np.array([1.5, 2.5], dtype=np.float16)}), quasi=["a"])


@pytest.mark.parametrize("values", [[10**30, 10**30 + 1], [1j, 2j]])
def test_what_parquet_cannot_hold_is_named(tmp_path, values):
    release = Mondrian(k=2).anonymize(Table(pd.DataFrame({"a": values * 2}), quasi=["a"]))
    with pytest.raises(ValueError, match=r"column 'a' .*Parquet cannot store.*\.csv"):
        release.publish(tmp_path / "out.parquet")
    assert release.publish(tmp_path / "out.csv").exists()
