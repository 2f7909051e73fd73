"""Reading partitions: each becomes codes into its own distinct values at once, so that no text stays in memory.

Only columns with a role are read. Parquet files are read by row groups, some hundred thousand rows at a time, and texts
as dictionaries, whatever the files are like.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from anonnb.files.reading import with_exact_integers
from anonnb.tables.encoding import factorize

BLOCK_ROWS = 500_000  # rows read at a time, unless a row group has more


@dataclass(frozen=True, eq=False)
class Raw:
    """One partition as read: the distinct known values of every column, and a code into them for every row.

    The code after the last value stands for a missing value.
    """

    rows: int
    values: dict[str, pd.Series]
    codes: dict[str, np.ndarray]

    def notes(self) -> Notes:
        """Return what must be the same in all partitions, or can be said of all only together."""
        missing = [name for name, codes in self.codes.items() if (codes == len(self.values[name])).any()]
        return Notes(self.rows, {name: family(values) for name, values in self.values.items()}, missing)

    @classmethod
    def of(cls, rows: int, columns: Mapping[str, tuple[pd.Series, np.ndarray]], drop_missing: bool) -> Raw:
        """Make it of the values and codes of all columns, without rows that miss a value if asked to drop them."""
        if drop_missing:
            known = np.ones(rows, dtype=bool)
            for values, codes in columns.values():
                known &= codes != len(values)
            rows = int(known.sum())
            columns = {name: _used(values, codes[known]) for name, (values, codes) in columns.items()}
        values_of = {name: values for name, (values, _) in columns.items()}
        return cls(rows, values_of, {name: codes for name, (_, codes) in columns.items()})


@dataclass(frozen=True)
class Notes:
    """Rows of a partition, the family of values in each column (None: no known value), columns with missing values."""

    rows: int
    families: dict[str, str | None]
    missing: list[str]


def raw(frame: pd.DataFrame, names: Sequence[str], drop_missing: bool) -> Raw:
    """Encode a partition with these columns."""
    return Raw.of(len(frame), {name: _coded(frame[name]) for name in names}, drop_missing)


def _coded(series: pd.Series) -> tuple[pd.Series, np.ndarray]:
    codes, domain = factorize(series)
    values = pd.Series(domain, dtype=domain.dtype, name=series.name)
    if isinstance(series.dtype, pd.CategoricalDtype):
        values = pd.Series(pd.Categorical(domain, dtype=series.dtype), name=series.name)
    codes = np.where(codes < 0, len(domain), codes)
    return values, codes.astype(np.min_scalar_type(len(domain)))


def _used(values: pd.Series, codes: np.ndarray) -> tuple[pd.Series, np.ndarray]:
    """Return the values that occur, and codes into these; the code after the last stands for a missing value."""
    used = np.bincount(codes, minlength=len(values) + 1)[:-1] > 0
    new_codes = np.append(np.cumsum(used) - 1, used.sum()).astype(np.min_scalar_type(int(used.sum())))
    return values[used].reset_index(drop=True), new_codes[codes]


def family(values: pd.Series) -> str | None:
    """Return in a word what kind of values these are, for messages; None if there are none."""
    if len(values) == 0:
        return None
    dtype, types = values.dtype, pd.api.types
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    if types.is_bool_dtype(dtype):
        return "truth values"
    if types.is_numeric_dtype(dtype):
        return "numbers"
    if types.is_datetime64_any_dtype(dtype):
        return "dates" if getattr(dtype, "tz", None) is None else "dates with a time zone"
    if types.is_timedelta64_dtype(dtype):
        return "time spans"
    inferred = pd.api.types.infer_dtype(np.asarray(values, dtype=object), skipna=True)
    return "texts" if inferred == "string" else f"{inferred} objects"


# ---- parquet ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Piece:
    """Some row groups of parquet files, to be read as one partition; the schema has the columns that are wanted.

    ``texts`` are those of them that hold texts in the files; they are dictionaries in the schema to save memory.
    """

    fragments: tuple[ds.ParquetFileFragment, ...]
    schema: pa.Schema
    texts: list[str]

    @property
    def label(self) -> str:
        return Path(self.fragments[0].path).name

    def read(self, drop_missing: bool) -> Raw:
        """Read it; texts stay dictionaries, as most files have them, and the other columns go through pandas."""
        names = self.schema.names
        table = pa.concat_tables(fragment.to_table(schema=self.schema, columns=names) for fragment in self.fragments)
        texts = {name: _coded_text(table[name], name) for name in names if name in self.texts}
        others = table.drop_columns(list(texts)).to_pandas(ignore_metadata=True)
        others = with_exact_integers(others, self.schema, table.select)
        coded = {name: texts[name] if name in texts else _coded(others[name]) for name in names}
        result = Raw.of(table.num_rows, coded, drop_missing)
        del table, others
        pa.default_memory_pool().release_unused()  # Arrow would keep what it read the file with for the next one
        return result


def _coded_text(column: pa.ChunkedArray, name: str) -> tuple[pd.Series, np.ndarray]:
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = pa.chunked_array(column.unify_dictionaries().chunks, column.type).combine_chunks()
    values = column.dictionary.to_pandas().rename(name)
    return _used(values, column.indices.fill_null(len(values)).to_numpy())


class Files:
    """Parquet files: one, several, or all in a folder, in the order of their names."""

    def __init__(self, path: str | os.PathLike | Sequence):
        try:
            source = _full(path) if isinstance(path, str | os.PathLike) else [_full(one) for one in path]
            dataset = ds.dataset(source, format="parquet", partitioning="hive")
            self.fragments = sorted(dataset.get_fragments(), key=lambda fragment: fragment.path)
            self.schemas = [fragment.physical_schema for fragment in self.fragments]
        except FileNotFoundError as error:
            raise FileNotFoundError(f"there is no parquet file at {str(path)!r}") from error
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise ValueError(f"{str(path)!r} does not hold parquet files: {str(error).splitlines()[0]}") from error
        if not self.fragments:
            raise FileNotFoundError(f"there is no parquet file at {str(path)!r}")
        self.schema = dataset.schema

    def pieces(self, names: Sequence[str], block_rows: int = BLOCK_ROWS) -> list[Piece]:
        """Return pieces of about ``block_rows`` rows with the named columns, which must have one type in all files."""
        schema = pa.schema([(name, self._type(name)) for name in names])
        texts = [field.name for field in schema if _is_text(field.type)]
        as_dictionaries = [name for name in texts if all(_has_text(file, name) for file in self.schemas)]
        for name in as_dictionaries:
            kind = pa.dictionary(pa.int32(), schema.field(name).type)
            schema = schema.set(schema.get_field_index(name), pa.field(name, kind))
        form = ds.ParquetFileFormat(dictionary_columns=as_dictionaries)
        files = [form.make_fragment(one.path, one.filesystem, one.partition_expression) for one in self.fragments]
        return [Piece(tuple(group), schema, texts) for group in _packed(files, block_rows)]

    def _type(self, name: str) -> pa.DataType:
        """Return the type of a column; a file whose column holds nothing but missing values fits all."""
        if name not in self.schemas[0].names:  # it is in the names of the folders
            return self.schema.field(name).type
        first = None
        for number, schema in enumerate(self.schemas):
            data_type = _wide(schema.field(name).type) if name in schema.names else None
            if data_type == pa.null():
                continue
            first = first or (data_type, number)
            if data_type != first[0]:
                files = [Path(self.fragments[index].path).name for index in (first[1], number)]
                kind = f"is {data_type}" if data_type is not None else "is missing"
                raise TypeError(
                    f"column {name!r} is {first[0]} in {files[0]!r} and {kind} in {files[1]!r}; "
                    "write the files with the same columns and types"
                )
        return pa.null() if first is None else first[0]


def _full(path: str | os.PathLike) -> str:
    """Return a path that means the same to workers with another current folder; addresses such as s3://… stay."""
    return str(path) if "://" in str(path) else os.path.abspath(path)


def _wide(kind: pa.DataType) -> pa.DataType:
    """Return a type wide enough for all files: each has as many codes of categories as it needs."""
    return pa.dictionary(pa.int32(), kind.value_type, kind.ordered) if pa.types.is_dictionary(kind) else kind


def _packed(fragments: list[ds.ParquetFileFragment], block_rows: int) -> Iterator[list[ds.ParquetFileFragment]]:
    group: list[ds.ParquetFileFragment] = []
    rows = 0
    for fragment in fragments:
        for part in fragment.split_by_row_group():
            count = sum(row_group.num_rows for row_group in part.row_groups)
            if group and rows + count > block_rows:
                yield group
                group, rows = [], 0
            group.append(part)
            rows += count
    if group:
        yield group


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _has_text(schema: pa.Schema, name: str) -> bool:
    return name in schema.names and _is_text(schema.field(name).type)
