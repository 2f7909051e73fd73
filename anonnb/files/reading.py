"""Reading other people's tables.

CSV files come with any delimiter and any encoding, broken or not. Either a clean DataFrame comes out, or one sentence
says what is wrong and where. Codes with leading zeros (ZIP 01234) stay text: a number would lose the zero.
"""

import csv
import io
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice, prefixed
from anonnb.core.extras import needs
from anonnb.files.column_warnings import doubt, offsets, thousands
from anonnb.files.converting import convert
from anonnb.files.excel import is_excel, sheet_rows
from anonnb.files.opening import BadFile, bytes_of

_SEP_LINE = re.compile(r'"?sep=(.)"?[ \t]*(?=\r?\n)', re.IGNORECASE)
DELIMITERS = ("\t", ";", ",", "|")  # of two that fit, the first: [20,30) has a comma in files with semicolons, too
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?")


def read_table_file(
    path: str | os.PathLike,
    sep: str | None = None,
    encoding: str | None = None,
    missing: tuple[str, ...] = MISSING,
    decimal: str = ".",
    dayfirst: bool = False,
    texts: Collection[str] = (),
    sheet: str | None = None,
) -> pd.DataFrame:
    """Read a CSV (or, by its suffix, Parquet or .xlsx) file whose first row names the columns.

    The delimiter is guessed among comma, semicolon, tab and bar; the encoding is UTF-8 (with or without a byte order
    mark), else Windows-1252, which a warning announces. The texts in ``missing`` become missing values. With
    ``decimal=","`` the comma is the decimal mark and points group thousands (1.234,50); with ``dayfirst`` 31.01.2020,
    31/01/2020 and 31-01-2020 are dates, as 2020-01-31 always is, with a time of day (06:00, 06:00:30)
    or without. The columns in ``texts`` stay text. Of an Excel file, ``sheet`` is read, or the one with most cells.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("zip;age\\n01234;30\\n99999;41\\n")
    >>> read_table_file(path).to_dict("list")
    {'zip': ['01234', '99999'], 'age': [30, 41]}
    """
    path = Path(path)
    if not os.path.exists(path):  # unlike path.exists(), no error where a name is too long for the system
        raise BadFile(f"{path}: there is no such file")
    if path.is_dir():
        raise BadFile(f"{path} is a folder, not a table; name a CSV or Parquet file in it")
    return read_table_bytes(bytes_of(path), path, sep, encoding, missing, decimal, dayfirst, texts, sheet)


def read_table_bytes(
    raw: bytes,
    name: str | os.PathLike,
    sep: str | None = None,
    encoding: str | None = None,
    missing: tuple[str, ...] = MISSING,
    decimal: str = ".",
    dayfirst: bool = False,
    texts: Collection[str] = (),
    sheet: str | None = None,
) -> pd.DataFrame:
    """Read a table from the bytes of a file, such as an upload; ``name`` tells its kind and is used in messages.

    >>> read_table_bytes(b"zip;age\\n01234;30\\n", "people.csv").to_dict("list")
    {'zip': ['01234'], 'age': [30]}
    """
    path = Path(name)
    if path.suffix.lower() in (".parquet", ".pq") or (not path.suffix and raw.startswith(b"PAR1")):
        return _read_parquet(raw, path)
    if sep is not None and len(sep) != 1:
        raise BadFile(f"the delimiter is {sep!r}, but it must be one character such as ',' or ';'")
    if decimal not in (".", ","):
        raise BadFile(f"the decimal mark is {decimal!r}, but it must be '.' or ','")
    excel = is_excel(raw, path)
    if sheet is not None and not excel:
        raise BadFile(f"{path} has no sheets, so there is no sheet {sheet!r}; only an Excel file has")
    if excel:
        sheet, rows = sheet_rows(raw, path, decimal, sheet)
        text, sep = _as_csv(rows), ","
    else:
        text, _ = _decode(raw, path, encoding)
    text, sep = _delimited(path, text, sep)
    header = _check_rows(path, text, sep)
    try:
        cells = pd.read_csv(
            io.StringIO(text.lstrip("\r\n"), newline=""),
            sep=sep,
            names=header,
            header=0,
            dtype="str",
            keep_default_na=False,
            skipinitialspace=True,
            skip_blank_lines=len(header) > 1,
        )
    except pd.errors.ParserError as error:
        raise BadFile(f"{path} is no table with the delimiter {sep!r}: {error}") from None
    frame = pd.DataFrame(
        {name: convert(cells[name], missing, decimal, dayfirst, stays=name in texts) for name in header}
    )
    for index, name in enumerate(header):
        line_of = partial(_line_of, path, text, sep, index)
        warning = None if name in texts else _odd(cells[name], frame[name], decimal, dayfirst, line_of)
        if warning:
            warnings.warn(prefixed(f"{path}: ", warning), stacklevel=3)
    if all(re.fullmatch(r"[-+]?\d[\d.,]*", name) for name in header):
        names = "are numbers; if the first row is data, put a row of names before it"
        warnings.warn(f"{path}: the names of the columns ({', '.join(header[:3])} …) {names}", stacklevel=3)
    frame.attrs |= {"sheet": sheet} if excel else {}
    return frame


def _delimited(path: Path, text: str, sep: str | None) -> tuple[str, str]:
    """Return a text without a line that declares its delimiter, and the delimiter: given, declared or guessed."""
    text, declared = _declared(text)
    sep = sep or declared
    guess = _delimiter(text)
    first = text.lstrip().partition("\n")[0]
    if sep is not None and sep not in first and guess in first:
        raise BadFile(f"{path} has no {sep!r} in its first line; its delimiter seems to be {guess!r}")
    return text, sep or guess


def _odd(
    cells: pd.Series, column: pd.Series, decimal: str, dayfirst: bool, line_of: Callable[[str], str]
) -> str | None:
    """Return a warning about what may have been read otherwise than it was meant, if anything."""
    if column.dtype == "str":
        return doubt(column, decimal, dayfirst, line_of)
    grouped = thousands(cells, column) if decimal == "," else None
    return grouped or offsets(cells, column)


def layout(path: str | os.PathLike, sep: str | None = None, encoding: str | None = None) -> tuple[str, str]:
    """Return the delimiter and the encoding with which a CSV file is read.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("zip;age\\n01234;30\\n")
    >>> layout(path)
    (';', 'utf-8')
    """
    return layout_of_bytes(bytes_of(path), path, sep, encoding)


def layout_of_bytes(
    raw: bytes, name: str | os.PathLike, sep: str | None = None, encoding: str | None = None
) -> tuple[str, str]:
    """Return the delimiter and the encoding of the bytes of a CSV file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text, encoding = _decode(raw, Path(name), encoding)
    text, declared = _declared(text)
    return sep or declared or _delimiter(text), encoding


def read_rows(path: str | os.PathLike, sep: str | None = None, encoding: str | None = None) -> list[list[str]]:
    """Return the rows of a CSV file as texts, the header included, without empty lines.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "city.csv"
    >>> _ = path.write_text("Bonn;west\\n\\nUlm;south\\n")
    >>> read_rows(path)
    [['Bonn', 'west'], ['Ulm', 'south']]
    """
    path = Path(path)
    text, _ = _decode(bytes_of(path), path, encoding)
    text, declared = _declared(text)
    sep = sep or declared
    return [row for _, row in _parsed(path, text, sep or _delimiter(text)) if row]


def _read_parquet(raw: bytes, path: Path) -> pd.DataFrame:
    needs("reading Parquet", "parquet", "pyarrow")
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(raw))
        frame = with_exact_integers(pd.read_parquet(io.BytesIO(raw)), file.schema_arrow, file.read)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise BadFile(f"{path} is not a readable Parquet file ({reason}); save it again as Parquet or CSV") from None
    if frame.empty:
        raise BadFile(f"{path} has no rows")
    return frame


def with_exact_integers(frame: pd.DataFrame, schema: Any, columns: Callable[[list[str]], Any]) -> pd.DataFrame:
    """Replace floats that stand for integers with missing values in a Parquet file by pandas' nullable integers.

    ``columns`` returns some columns of the file as a table of Arrow: beyond 2**53 not every integer is a float.
    """
    import pyarrow as pa

    integers = {field.name: str(field.type) for field in schema if pa.types.is_integer(field.type)}
    inexact = [name for name in frame.columns if str(name) in integers and frame[name].dtype == "float64"]
    if not inexact:
        return frame
    table = columns([str(name) for name in inexact])
    for name in inexact:
        dtype = pd.api.types.pandas_dtype(integers[str(name)].replace("i", "I").replace("uI", "UI"))
        frame[name] = table[str(name)].to_pandas(types_mapper=lambda _, dtype=dtype: dtype).array
    return frame


def _decode(raw: bytes, path: Path, encoding: str | None) -> tuple[str, str]:
    """Return the text, and the encoding that it is in."""
    if not raw.strip():
        raise BadFile(f"{path} is empty")
    if raw.startswith((b"PK\x03\x04", b"\xfd7zXZ", b"\x1f\x8b", b"BZh")):
        raise BadFile(f"{path} is a spreadsheet or a compressed file, not a text file; save the table as plain CSV")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) and encoding is None:
        encoding = "utf-16"
    elif b"\0" in raw and encoding is None:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        utf_16 = advice(", or needs ", remedies.option("encoding", "utf-16"))
        raise BadFile(Message(f"{path} has a NUL byte in line {line}: it is no text file", utf_16))
    try:
        return raw.decode(encoding or "utf-8-sig"), encoding or "utf-8"
    except LookupError:
        raise BadFile(f"there is no encoding {encoding!r}; usual ones are utf-8, cp1252 and utf-16") from None
    except UnicodeError:
        if encoding is not None:
            raise BadFile(f"{path} is not written in {encoding}; try another encoding, such as cp1252") from None
    warnings.warn(f"{path} is not UTF-8: read as Windows-1252 (latin-1); check the accents", stacklevel=4)
    try:
        return raw.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"


def _declared(text: str) -> tuple[str, str | None]:
    """Return the text without a first line such as ``sep=;``, which spreadsheets write, and its delimiter.

    >>> _declared("sep=;\\na;b\\n")
    ('\\na;b\\n', ';')
    """
    match = _SEP_LINE.match(text)
    # the end of the line stays: the numbers of the lines in messages are those of the file
    return (text[match.end() :], match[1]) if match else (text, None)


def _as_csv(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _delimiter(text: str) -> str:
    """Return the candidate that gives the same number of fields, above 1, in most first rows; else the comma."""
    sample = text[:65536]
    if len(text) > len(sample):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, best_score = ",", (0.0, 0)
    for candidate in DELIMITERS:
        widths = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=candidate) if row]
        if not widths or widths[0] < 2:
            continue
        # The header decides how many fields a row should have.
        score = (sum(width == widths[0] for width in widths) / len(widths), widths[0])
        if score > best_score:
            best, best_score = candidate, score
    return best


def _check_rows(path: Path, text: str, sep: str) -> list[str]:
    """Return the column names, after a look at every row: pandas would pad short rows in silence."""
    header: list[str] = []
    body = 0
    for line, row in _parsed(path, text, sep, skipinitialspace=True):
        if not header:
            header = _check_header(path, row) if any(field.strip() for field in row) else []
        elif len(row) == len(header) or (len(header) == 1 and not row):
            body += 1
        elif any(field.strip() for field in row):
            raise BadFile(
                f"{path}, line {line}: {len(row)} fields, but the header has {len(header)} "
                f"(delimiter {sep!r}); quote the values that hold the delimiter, or give another one"
            )
    if not body:
        raise BadFile(f"{path} has a header but no rows")
    return header


def _parsed(path: Path, text: str, sep: str, skipinitialspace: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with the number of its last line; report a wrong quote with the line of its row."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sep, strict=True, skipinitialspace=skipinitialspace)
    first = 1
    try:
        for row in reader:
            yield reader.line_num, row
            first = reader.line_num + 1
    except csv.Error as error:
        reason = str(error)
        if "end of data" in reason or "field limit" in reason:
            long = f" (or a value has more than {csv.field_size_limit():,} letters)" * ("field limit" in reason)
            reason = (
                f'a quote (") is opened and never closed{long}; close it, or double it where it belongs to the value'
            )
        elif "expected after" in reason:
            reason = 'text follows a closing quote ("); double the quotes that belong to the value'
        raise BadFile(f"{path}, line {first}: {reason}") from None


def _check_header(path: Path, row: list[str]) -> list[str]:
    header = [name.strip() for name in row]
    if "" in header:
        raise BadFile(f"{path}: column {header.index('') + 1} has no name; give every column one in the first row")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise BadFile(f"{path}: the column name {twice[0]!r} occurs more than once; rename one of them")
    return header


def _line_of(path: Path, text: str, sep: str, index: int, value: str) -> str:
    """Return the line of the first row below the header that has the value in this column."""
    rows = ((line, row) for line, row in _parsed(path, text, sep, skipinitialspace=True) if any(map(str.strip, row)))
    next(rows)
    return next((f"in line {line} " for line, row in rows if row[index].strip() == value), "")
