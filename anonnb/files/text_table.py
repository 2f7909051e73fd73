"""A published file as anyone reads it: cells are texts, and nothing of anonnb says what they mean.

Every distinct text of a column is kept once, and a cell is its number, so that a million rows can be counted in
seconds. CSV is read by Python's own module, Parquet by pyarrow; neither the writer nor the tables of anonnb take part.
"""

from __future__ import annotations

import csv
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from anonnb.core.extras import needs
from anonnb.files.opening import BadFile

_ROWS = 50_000  # read at a time
_LONGEST_CELL = 2**31 - 1  # letters: a cell may list thousands of values


@dataclass(frozen=True, eq=False)
class TextTable:
    """The cells of a file: for each column its distinct texts and the number of the text in every row.

    A cell that Parquet stores as missing has the text None; in CSV it cannot be told from an empty one.
    """

    names: tuple[str, ...]
    rows: int
    numbers: dict[str, np.ndarray]
    texts: dict[str, list[str | None]]

    def counts(self, name: str) -> np.ndarray:
        """Return how many rows have each text of a column."""
        return np.bincount(self.numbers[name], minlength=len(self.texts[name]))


def read_as_text(path: str | os.PathLike, sep: str = ",", encoding: str = "utf-8-sig") -> TextTable:
    """Read the cells of a CSV or Parquet file; its first bytes say which it is.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("zip,ill\\n01234,flu\\n01234,cold\\n")
    >>> table = read_as_text(path)
    >>> table.names, table.rows, table.texts["zip"], table.numbers["ill"].tolist()
    (('zip', 'ill'), 2, ['01234'], [0, 1])
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            is_parquet = file.read(4) == b"PAR1"
        return _from_parquet(path) if is_parquet else _from_csv(path, sep, encoding)
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeError:
        raise BadFile(f"{path} is not written in {encoding}; name its encoding, such as cp1252") from None
    except LookupError:
        raise BadFile(f"there is no encoding {encoding!r}; usual ones are utf-8, cp1252 and utf-16") from None


def _from_csv(path: Path, sep: str, encoding: str) -> TextTable:
    before = csv.field_size_limit(min(_LONGEST_CELL, sys.maxsize))
    try:
        with path.open(encoding=encoding, newline="") as file:
            reader = csv.reader(file, delimiter=sep, strict=True)
            names = tuple(next(reader, ()))
            _check_names(path, names)
            return _numbered(names, _rows(path, reader, len(names)))
    except csv.Error as error:
        raise BadFile(f"{path}, line {reader.line_num}: {error}") from None
    finally:
        csv.field_size_limit(before)


def _check_names(path: Path, names: tuple[str, ...]) -> None:
    if not any(name.strip() for name in names):
        raise BadFile(f"{path} has no header; the first line must name the columns")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise BadFile(f"{path}: the column name {twice!r} occurs more than once; rename one of them")


def _rows(path: Path, reader: Any, width: int) -> Iterator[list[list[str]]]:
    """Yield many rows at a time; an empty line is an empty cell if there is one column, and nothing otherwise."""
    empty = [""] if width == 1 else []
    while rows := list(islice(reader, _ROWS)):
        if set(map(len, rows)) != {width}:
            rows = [row or empty for row in rows if row or empty]
        if set(map(len, rows)) - {width}:
            wrong = next(row for row in rows if len(row) != width)
            raise BadFile(
                f"{path}, before line {reader.line_num + 1}: a row has {len(wrong)} cells, the header {width}"
            )
        yield rows


def _numbered(names: tuple[str, ...], chunks: Iterator[list[list[str]]]) -> TextTable:
    books: list[dict[str, int]] = [{} for _ in names]
    parts: list[list[np.ndarray]] = [[] for _ in names]
    total = 0
    for rows in chunks:
        total += len(rows)
        for book, part, cells in zip(books, parts, zip(*rows, strict=True), strict=True):
            for cell in dict.fromkeys(cells):
                book.setdefault(cell, len(book))
            part.append(np.fromiter(map(book.__getitem__, cells), dtype=np.int32, count=len(cells)))
    none = np.zeros(0, dtype=np.int32)
    numbers = {name: np.concatenate([none, *part]) for name, part in zip(names, parts, strict=True)}
    return TextTable(names, total, numbers, {name: list(book) for name, book in zip(names, books, strict=True)})


def _from_parquet(path: Path) -> TextTable:
    needs("reading Parquet", "parquet", "pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = tuple(file.schema_arrow.names)
            _check_names(path, names)
            columns = {}
            for name in names:  # one at a time: memory holds the numbers, and the cells of one column
                columns[name] = _encoded(file.read([name]).column(0))
            return TextTable(
                names,
                file.metadata.num_rows,
                {name: numbers for name, (numbers, _) in columns.items()},
                {name: texts for name, (_, texts) in columns.items()},
            )
    except pa.ArrowException as error:
        raise BadFile(f"{path} is not a Parquet file of plain columns: {str(error).splitlines()[0]}") from None


def _encoded(column: Any) -> tuple[np.ndarray, list[str | None]]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    array = column.combine_chunks()
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    encoded = array.dictionary_encode(null_encoding="encode")
    return _merged(encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist())


def _merged(numbers: np.ndarray, values: Sequence) -> tuple[np.ndarray, list[str | None]]:
    """Merge values that are written alike into one text."""
    book: dict[str | None, int] = {}
    new_numbers = [book.setdefault(None if value is None else str(value), len(book)) for value in values]
    return np.asarray(new_numbers, dtype=np.int32)[numbers] if new_numbers else numbers.astype(np.int32), list(book)
