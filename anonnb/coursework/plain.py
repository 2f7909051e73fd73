"""Answers as plain data: what may cross from a student's process to the examiner's, and what may be given at all.

Idea: unpickling runs code, JSON does not. So an answer travels as JSON, and only numbers, texts, truth values, lists,
tuples, sets, dicts, arrays, series and frames arrive, all of the exact built-in types; nothing in them can cheat.
Reading: whatever says the same to a person may be given. A categorical arrives as its values, an interval as its text,
a release as its frame, a fraction as a number, the keys or values of a dict as a list. The checks that students see go
the same way (see checks/answers.py), so that they cannot disagree with the marker's.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from decimal import Decimal
from numbers import Rational
from typing import Any

LARGEST = 20_000_000  # characters of one message


class NotPlain(ValueError):
    """A value that is no plain data; the message says what it is and what would do."""


def dumps(value: Any) -> str:
    """Return one line of JSON for a plain value.

    >>> loads(dumps({"rows": {1, 2}, "share": 0.5}))
    {'rows': {1, 2}, 'share': 0.5}
    """
    try:
        text = json.dumps(encode(value))
    except RecursionError:
        raise NotPlain("the answer is nested too deeply, or contains itself") from None
    if len(text) > LARGEST:
        raise NotPlain(f"the answer takes {len(text):,} characters; at most {LARGEST:,} are taken")
    return text


def loads(text: str) -> Any:
    """Return the value behind a line of JSON; anything odd in it is a NotPlain."""
    try:
        return decode(json.loads(text))
    except NotPlain:
        raise
    except Exception as error:  # pandas and numpy raise whatever they like, and memory has an end
        raise NotPlain(f"the answer cannot be read: {type(error).__name__}") from None


def encode(value: Any) -> Any:
    """Encode scalars as themselves, and everything else as ``[kind, content]``."""
    if value is None or isinstance(value, bool | int | float | str):
        return _scalar(value)
    if isinstance(value, Rational | Decimal):
        return float(value)
    if isinstance(value, list | tuple | set | frozenset):
        kind = next(kind for kind, cls in _COLLECTIONS.items() if isinstance(value, cls))
        return [kind, [encode(item) for item in value]]
    if isinstance(value, Mapping):
        return ["dict", [[encode(key), encode(item)] for key, item in value.items()]]
    if isinstance(value, range | deque | KeysView | ValuesView | ItemsView):
        return ["list", [encode(item) for item in value]]
    return _encode_of_package(value)


_COLLECTIONS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_HAND_IN = "hand in plain data: numbers, texts, lists, sets, dicts, arrays, series or frames"


def _scalar(value: Any) -> Any:
    # a subclass may print itself as it likes; only what it holds is sent
    for cls in (bool, int, float, str):
        if isinstance(value, cls):
            return cls(value) if cls is not str else str.__str__(value)
    return None


def _encode_of_package(value: Any) -> Any:
    kind = type(value).__module__.partition(".")[0]
    if kind in ("numpy", "pandas") and kind in sys.modules:
        return _encode_array(value)
    releases = sys.modules.get("anonnb.tables.release")
    if releases is not None and isinstance(value, releases.Release):
        return encode(value.frame)
    if isinstance(value, Iterator):
        raise NotPlain(f"the answer holds a {type(value).__name__}, which is used up once it is read; use list(…)")
    raise NotPlain(f"the answer holds a {type(value).__name__}; {_HAND_IN}")


def _encode_array(value: Any) -> Any:
    import numpy as np
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        columns = [encode(_values(value.iloc[:, index])) for index in range(value.shape[1])]
        names = encode(list(value.index.names))
        return ["frame", [encode(value.columns.tolist()), encode(value.index.tolist()), columns, names]]
    if isinstance(value, pd.Series):
        return ["series", [encode(_values(value)), encode(value.index.tolist()), encode(value.name)]]
    if isinstance(value, np.ndarray | pd.Index | pd.api.extensions.ExtensionArray):
        return ["array", encode(_values(value))]
    if isinstance(value, np.floating):
        return float(str(value))
    if value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, pd.Timestamp | np.datetime64):
        return ["time", pd.Timestamp(value).isoformat()]
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, pd.Interval | pd.Period):
        return str(value)
    raise NotPlain(f"the answer holds a {type(value).__name__}; {_HAND_IN}")


def _values(array: Any) -> list:
    """List the values of an array; a short float is the number that it prints, 0.1 and not 0.10000000149."""
    import numpy as np

    if array.dtype in (np.float16, np.float32):
        return np.asarray(array).astype(str).astype(float).tolist()
    return array.tolist()


def decode(value: Any) -> Any:
    """Decode what :func:`encode` gave."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    kind, content = value
    if kind not in _DECODERS:
        raise NotPlain(f"the answer holds something of the unknown kind {kind!r}")
    return _DECODERS[kind](content)


def _decode_frame(content: Any) -> Any:
    import pandas as pd

    names, index, columns = decode(content[0]), decode(content[1]), [decode(column) for column in content[2]]
    if len(names) != len(columns) or any(len(column) != len(index) for column in columns):
        raise NotPlain("the answer holds a frame whose columns have different lengths")
    frame = pd.DataFrame(dict(enumerate(columns)), index=pd.Index(index))
    frame.columns = names
    frame.index.names = decode(content[3]) if len(content) > 3 and index else [None] * frame.index.nlevels
    return frame


def _decode_series(content: Any) -> Any:
    import pandas as pd

    return pd.Series(decode(content[0]), index=pd.Index(decode(content[1])), name=decode(content[2]))


def _decode_array(content: Any) -> Any:
    import numpy as np

    values = decode(content)
    try:
        array = np.array(values)
    except ValueError:  # collections of different lengths
        array = np.empty(len(values), dtype=object)
        for index, value in enumerate(values):
            array[index] = value
    if array.dtype.kind == "U":  # numpy turns numbers and missing values among texts into texts
        mixed = np.array(values, dtype=object)
        return array if all(isinstance(value, str) for value in mixed.flat) else mixed
    return array


def _decode_time(content: Any) -> Any:
    import pandas as pd

    return pd.Timestamp(str(content))


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda content: [decode(item) for item in content],
    "tuple": lambda content: tuple(decode(item) for item in content),
    "set": lambda content: {decode(item) for item in content},
    "frozenset": lambda content: frozenset(decode(item) for item in content),
    "dict": lambda content: {decode(key): decode(item) for key, item in content},
    "frame": _decode_frame,
    "series": _decode_series,
    "array": _decode_array,
    "time": _decode_time,
}
