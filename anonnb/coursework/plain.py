"""Answers as plain data: what may cross from a student's process to the examiner's.

Idea: unpickling runs code, JSON does not. So an answer travels as JSON, and only numbers, texts, truth values, lists,
tuples, sets, dicts, arrays, series and frames arrive, all of the exact built-in types; nothing in them can cheat. A
categorical arrives as its values.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

LARGEST = 20_000_000  # characters of one message


class NotPlain(ValueError):
    """A value that is no plain data; the message says what it is and what would do."""


def dumps(value: Any) -> str:
    """One line of JSON for a plain value.

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
    """The value behind a line of JSON; anything odd in it is a NotPlain."""
    try:
        return decode(json.loads(text))
    except NotPlain:
        raise
    except Exception as error:  # pandas and numpy raise whatever they like, and memory has an end
        raise NotPlain(f"the answer cannot be read: {type(error).__name__}") from None


def encode(value: Any) -> Any:
    """Scalars as themselves, everything else as ``[kind, content]``."""
    if value is None or isinstance(value, bool | int | float | str):
        return _scalar(value)
    if isinstance(value, list | tuple | set | frozenset):
        kind = next(kind for kind, cls in _COLLECTIONS.items() if isinstance(value, cls))
        return [kind, [encode(item) for item in value]]
    if isinstance(value, dict):
        return ["dict", [[encode(key), encode(item)] for key, item in value.items()]]
    kind = type(value).__module__.partition(".")[0]
    if kind in ("numpy", "pandas") and kind in sys.modules:
        return _encode_array(value)
    raise NotPlain(
        f"the answer holds a {type(value).__name__}; hand in plain data: numbers, texts, lists, sets, dicts, "
        "arrays or frames (a release as release.frame)"
    )


_COLLECTIONS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def _scalar(value: Any) -> Any:
    # a subclass may print itself as it likes; only what it holds is sent
    for cls in (bool, int, float, str):
        if isinstance(value, cls):
            return cls(value) if cls is not str else str.__str__(value)
    return None


def _encode_array(value: Any) -> Any:
    import numpy as np
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        columns = [encode(value.iloc[:, place].tolist()) for place in range(value.shape[1])]
        return ["frame", [encode(value.columns.tolist()), encode(value.index.tolist()), columns]]
    if isinstance(value, pd.Series):
        return ["series", [encode(value.tolist()), encode(value.index.tolist()), encode(value.name)]]
    if isinstance(value, np.ndarray | pd.Index | pd.Categorical):
        return ["array", encode(value.tolist())]
    if isinstance(value, np.generic):
        return encode(value.item())
    if value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, pd.Timestamp):
        return ["time", value.isoformat()]
    raise NotPlain(f"the answer holds a {type(value).__name__}; hand in numbers, texts, arrays, series or frames")


def decode(value: Any) -> Any:
    """The inverse of :func:`encode`."""
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
    return frame


def _decode_series(content: Any) -> Any:
    import pandas as pd

    return pd.Series(decode(content[0]), index=pd.Index(decode(content[1])), name=decode(content[2]))


def _decode_array(content: Any) -> Any:
    import numpy as np

    values = decode(content)
    array = np.array(values)
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
