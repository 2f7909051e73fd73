"""Random frames and columns that several test modules share."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

TRICKY = [
    "a",
    "b",
    "a or b",
    "a|b",
    "c-d",
    "–",
    "x;y",
    '"q"',
    "{a",
    "or",
    " a",
    "",
    "*b",
    "=cmd()",
    "<script>",
    "[1–2]",
]

_texts = st.one_of(st.none(), st.sampled_from(TRICKY))
_dates = st.one_of(st.none(), st.datetimes(pd.Timestamp("1999-01-01"), pd.Timestamp("2030-01-01")))


def _mostly(values, missing):
    return st.one_of(values, st.just(missing))


COLUMNS = {
    "ints": lambda n: _lists(st.integers(-50, 50), n).map(lambda v: pd.Series(v, dtype="int64")),
    "Ints": lambda n: _lists(_mostly(st.integers(-9, 9), None), n).map(lambda v: pd.Series(v, dtype="Int64")),
    "floats": lambda n: _lists(_mostly(st.floats(-1e6, 1e6), np.nan), n).map(lambda v: pd.Series(v, dtype="float64")),
    "bools": lambda n: _lists(st.booleans(), n).map(lambda v: pd.Series(v, dtype="bool")),
    "Bools": lambda n: _lists(_mostly(st.booleans(), None), n).map(lambda v: pd.Series(v, dtype="boolean")),
    "texts": lambda n: _lists(_texts, n).map(lambda v: pd.Series(v, dtype="str")),
    "category": lambda n: _lists(_texts, n).map(lambda v: pd.Series(pd.Categorical(v, categories=TRICKY[::-1]))),
    "ordered": lambda n: _lists(_texts, n).map(
        lambda v: pd.Series(pd.Categorical(v, categories=TRICKY[::-1], ordered=True))
    ),
    "numbered": lambda n: _lists(_mostly(st.integers(0, 5), None), n).map(
        lambda v: pd.Series(pd.Categorical(v, categories=range(6), ordered=True))
    ),
    "dates": lambda n: _lists(_dates, n).map(lambda v: pd.Series(v, dtype="datetime64[us]")),
    "zoned": lambda n: _lists(_dates, n).map(
        lambda v: pd.Series(v, dtype="datetime64[us]").dt.tz_localize(
            "Europe/Berlin", ambiguous="NaT", nonexistent="NaT"
        )
    ),
    "spans": lambda n: _lists(st.integers(-9, 9), n).map(lambda v: pd.Series(pd.to_timedelta(v, unit="h"))),
    "mixed": lambda n: _lists(st.one_of(st.integers(0, 3), st.sampled_from(["1", "z", np.nan])), n).map(
        lambda v: pd.Series(v, dtype=object)
    ),
}


def _lists(values, n):
    return st.lists(values, min_size=n, max_size=n)


@st.composite
def frames(draw, columns=tuple(COLUMNS), min_rows=1, max_rows=12):
    """A frame with some of the columns above and an index of its own."""
    n = draw(st.integers(min_rows, max_rows))
    frame = pd.DataFrame({name: draw(COLUMNS[name](n)) for name in columns})
    return frame.set_axis([f"row {number}" for number in range(n)], axis=0)
