"""Tables on a cluster: the domains and codes of all partitions together, and clear words about bad input."""

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.cluster import ClusterError, ClusterTable, local
from tests.strategies import frames


@pytest.fixture(scope="module", autouse=True)
def client():
    with local(workers=1, processes=False) as client:
        yield client


def partitioned(*parts: pd.DataFrame) -> dd.DataFrame:
    return dd.from_map(lambda number: parts[number], range(len(parts)), meta=parts[0].iloc[:0])


def all_codes(table: ClusterTable) -> dict[str, np.ndarray]:
    blocks = table.client.gather(table.client.compute(table.blocks))
    return {name: np.concatenate([block[name] for block in blocks]) for name in table.columns}


@pytest.mark.slow
@settings(max_examples=10)
@given(frames(columns=("ints", "floats", "bools", "texts", "ordered", "category", "dates"), max_rows=9), st.data())
def test_domains_and_codes_are_those_of_a_table_in_memory(frame, data):
    cut = data.draw(st.integers(0, len(frame)))
    quasi = list(frame.columns)
    found = Table.from_dask(partitioned(frame.iloc[:cut], frame.iloc[cut:]), quasi=quasi)
    alone = Table(frame, quasi=quasi)
    codes = all_codes(found)
    for name in quasi:
        assert found.attributes[name].labels == alone.attributes[name].labels
        assert found.attributes[name].kind == alone.attributes[name].kind
        assert codes[name].tolist() == alone.codes(name).tolist()
        assert found.counts(name).tolist() == alone.counts(name).tolist()
    assert found.describe().equals(alone.describe())


def test_only_columns_with_a_role_are_read(tmp_path):
    frame = pd.DataFrame({"name": ["a", "b"], "age": [1, 2], "secret": ["x", "y"], "ill": ["flu", "cold"]})
    frame.to_parquet(tmp_path / "people.parquet")
    table = Table.from_parquet(tmp_path / "people.parquet", quasi="age", sensitive="ill", identifier="name")
    assert table.columns == ["age", "ill"]
    assert (len(table), table.quasi, table.sensitive, table.decision) == (2, ["age"], ["ill"], None)


def test_files_and_row_groups_are_read_in_order(tmp_path):
    frame = pd.DataFrame({"n": range(100), "t": [f"text {number % 7}" for number in range(100)]})
    frame["c"] = pd.Categorical(frame["t"])
    frame[:60].to_parquet(tmp_path / "a.parquet", row_group_size=11)
    frame[60:].to_parquet(tmp_path / "b.parquet")
    for path in (tmp_path, [tmp_path / "a.parquet", tmp_path / "b.parquet"]):
        table = Table.from_parquet(path, quasi=["n", "t", "c"])
        assert all_codes(table)["n"].tolist() == list(range(100))
        assert all_codes(table)["t"].tolist() == all_codes(table)["c"].tolist() == [number % 7 for number in range(100)]


SOME = {
    "ints": pd.Series([3, 1, 2]),
    "Ints": pd.Series([3, None, 2], dtype="Int64"),
    "floats": pd.Series([0.5, np.nan, -1.0]),
    "bools": pd.Series([True, False, True]),
    "Bools": pd.Series([True, None, False], dtype="boolean"),
    "texts": pd.Series(["b", None, "a"]),
    "category": pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "a"])),
    "ordered": pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "a", "c"], ordered=True)),
    "numbered": pd.Series(pd.Categorical([2, None, 1], categories=range(6), ordered=True)),
    "dates": pd.Series(pd.to_datetime(["2020-01-02", None, "1999-05-05"])),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_parquet_gives_what_pandas_reads(name, tmp_path):
    pd.DataFrame({name: SOME[name]}).to_parquet(tmp_path / "one.parquet")
    table = Table.from_parquet(tmp_path, quasi=[name])
    alone = Table(pd.read_parquet(tmp_path / "one.parquet"), quasi=[name])
    assert table.attributes[name].labels == alone.attributes[name].labels
    assert all_codes(table)[name].tolist() == alone.codes(name).tolist()


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_texts_of_files_that_hold_them_differently(kind, tmp_path):
    """As dictionaries, without any, with none but missing values; the texts of each are other ones."""
    texts = [["b", None, "a", "b"], ["c", "a", None, "c"], ["d", "d", "d", "e"]]
    for number, (cells, dictionary) in enumerate(zip(texts, (True, False, True), strict=True)):
        table = pa.table({"t": pa.array(cells, kind), "n": range(4)})
        pq.write_table(table, tmp_path / f"{number}.parquet", use_dictionary=dictionary, row_group_size=3)
    frame = pd.DataFrame({"t": [*texts[0], *texts[1], *texts[2]], "n": [*range(4)] * 3})
    found = Table.from_parquet(tmp_path, quasi=["t", "n"])
    assert all_codes(found)["t"].tolist() == Table(frame, quasi=["t", "n"]).codes("t").tolist()
    assert len(Table.from_parquet(tmp_path, quasi=["t", "n"], missing="drop")) == 10
    pd.DataFrame({"t": [None, None], "n": [0, 1]}).to_parquet(tmp_path / "3.parquet")
    again = Table.from_parquet(tmp_path, quasi=["t", "n"])
    assert again.attributes["t"].labels == found.attributes["t"].labels == [*"abcde", "missing"]
    assert again.counts("t").tolist() == [2, 2, 2, 3, 1, 4]


# ---- missing values and bad input -------------------------------------------------------------------------------


def test_missing_values():
    first, second = (
        pd.DataFrame({"a": [1.0, np.nan], "b": ["x", "y"]}),
        pd.DataFrame({"a": [2.0, 3.0], "b": [None, "y"]}),
    )
    assert len(Table.from_dask(partitioned(first, second), quasi=["a", "b"])) == 4
    assert len(Table.from_dask(partitioned(first, second), quasi=["a", "b"], missing="drop")) == 2
    assert len(Table.from_dask(partitioned(first, second), quasi=["a"], missing="drop")) == 3
    with pytest.raises(ValueError, match="column 'a' has a missing value; use missing='value'"):
        Table.from_dask(partitioned(first, second), quasi=["a", "b"], missing="error")
    with pytest.raises(ValueError, match="counts rows, and cannot count people by person='a'"):
        Table.from_dask(partitioned(first, second), quasi=["b"], person="a")
    assert len(Table.from_dask(partitioned(first, second), quasi=["b"], person=None)) == 4
    with pytest.raises(ValueError, match="missing='no' is not known"):
        Table.from_dask(partitioned(first, second), quasi=["a", "b"], missing="no")


def test_an_int_column_that_misses_values_in_one_partition_only():
    first, second = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [np.nan, np.nan]})
    table = Table.from_dask(partitioned(first, second), quasi=["a"])
    assert table.attributes["a"].labels == ["1", "2", "missing"]
    assert table.attributes["a"].decode(np.array([0, 2])).isna().tolist() == [False, True]


def test_mixed_types_are_named():
    numbers, words = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": ["1", "2"]})
    with pytest.raises(TypeError, match="column 'a' holds numbers in partition 0 and texts in partition 1; convert it"):
        Table.from_dask(partitioned(numbers, words), quasi=["a"])


def test_files_of_different_types_are_named(tmp_path):
    pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"a": ["1", "2"]}).to_parquet(tmp_path / "2.parquet")
    with pytest.raises(TypeError, match=r"column 'a' is int64 in '1.parquet' and is .*string in '2.parquet'"):
        Table.from_parquet(tmp_path, quasi=["a"])


def test_files_may_differ_in_what_is_not_read_and_in_the_width_of_categories(tmp_path):
    few, many = (pd.Categorical([f"v{number % size:03d}" for number in range(400)]) for size in (100, 300))
    pd.DataFrame({"c": few, "n": None, "other": 1}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"c": many, "n": range(400), "other": "x"}).to_parquet(tmp_path / "2.parquet")
    table = Table.from_parquet(tmp_path, quasi=["c", "n"])
    assert [table.attributes[name].size for name in ("c", "n")] == [300, 401]


def test_ordered_categories_must_agree():
    orders = [["a", "b"], ["b", "a"]]
    parts = [pd.DataFrame({"x": pd.Categorical(["a", "b"], categories=order, ordered=True)}) for order in orders]
    with pytest.raises(TypeError, match="column 'x' has different ordered categories"):
        Table.from_dask(partitioned(*parts), quasi=["x"])


@pytest.mark.slow
def test_bad_input_is_named(tmp_path):
    frame = dd.from_pandas(pd.DataFrame({"a": [1, 2], "b": [1, 2]}), npartitions=1)
    with pytest.raises(KeyError, match="quasi: there is no column 'c'"):
        Table.from_dask(frame, quasi=["c"])
    with pytest.raises(KeyError, match="kinds: there is no column 'c'"):
        Table.from_dask(frame, quasi=["a"], kinds={"c": "nominal"})
    with pytest.raises(ValueError, match="cannot be both quasi and identifier"):
        Table.from_dask(frame, quasi=["a"], identifier=["a"])
    with pytest.raises(ValueError, match="column 'a' occurs more than once"):
        Table.from_dask(dd.concat([frame, frame], axis=1, ignore_unknown_divisions=True), quasi=["a"])
    with pytest.raises(ValueError, match="no column has a role"):
        Table.from_dask(frame)
    with pytest.raises(ValueError, match="region_rows must be at least 1"):
        Table.from_dask(frame, quasi=["a"], region_rows=0)
    with pytest.raises(TypeError, match="from_dask needs a Dask DataFrame, not DataFrame"):
        Table.from_dask(pd.DataFrame({"a": [1]}), quasi=["a"])
    with pytest.raises(FileNotFoundError, match="there is no parquet file at"):
        Table.from_parquet(tmp_path / "nowhere", quasi=["a"])
    with pytest.raises(FileNotFoundError, match="there is no parquet file at"):
        Table.from_parquet(tmp_path, quasi=["a"])
    (tmp_path / "text.parquet").write_text("no parquet")
    with pytest.raises(ValueError, match="does not hold parquet files"):
        Table.from_parquet(tmp_path / "text.parquet", quasi=["a"])
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(ClusterError, match=r"no scheduler answers at 'tcp://127\.0\.0\.1:9'"),
    ):
        Table.from_dask(frame, quasi=["a"], scheduler="tcp://127.0.0.1:9")


def test_whole_numbers_with_missing_values_stay_exact(tmp_path):
    values = [5, None, 2**53 + 1, 2**53, None, 2**53, 5, 2**53 + 1]
    pd.DataFrame({"a": pd.array(values, "Int64")}).to_parquet(tmp_path / "in.parquet")
    found = Table.from_parquet(tmp_path / "in.parquet", quasi=["a"])
    assert found.attributes["a"].labels == ["5", str(2**53), str(2**53 + 1), "missing"]
