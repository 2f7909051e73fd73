"""The tables that the benchmarks share. Imported in the measured process, so that the parent stays small."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb import Table, load


def adult(rows: int | None = None, **options) -> Table:
    """Adult, or its first rows."""
    table = load("adult", **options)
    return table if rows is None or rows >= len(table) else table.take(np.arange(rows))


def resampled(rows: int) -> Table:
    """Adult drawn with replacement, with noise on age, so that a large table still has many distinct rows."""
    table = load("adult")
    rng = np.random.default_rng(0)
    frame = table.frame.iloc[rng.integers(len(table), size=rows)][[*table.quasi, table.decision]].reset_index(drop=True)
    frame["age"] = (frame["age"] + rng.integers(-3, 4, size=rows)).clip(17, 90)
    hierarchies = {name: table.attributes[name].hierarchy for name in table.quasi}
    return Table(frame, quasi=table.quasi, sensitive=[table.decision], decision=table.decision, hierarchies=hierarchies)


def census(rows: int) -> pd.DataFrame:
    """A frame like a census, not yet a table: eight quasi-identifiers of all kinds and a sensitive column."""
    rng = np.random.default_rng(0)

    def names(stem: str, count: int) -> np.ndarray:
        return np.array([f"{stem}-{number}" for number in range(count)], dtype=object)[rng.integers(0, count, rows)]

    return pd.DataFrame(
        {
            "age": rng.integers(17, 91, rows),
            "sex": names("sex", 2),
            "race": names("race", 5),
            "marital": names("marital", 7),
            "education": pd.Categorical.from_codes(rng.integers(0, 16, rows), list("abcdefghijklmnop"), ordered=True),
            "country": names("country", 41),
            "hours": rng.normal(40, 10, rows).round(1),
            "occupation": names("occupation", 14),
            "income": names("income", 2),
        }
    )


def census_table(rows: int) -> Table:
    """The census as a table."""
    frame = census(rows)
    return Table(frame, quasi=list(frame)[:8], sensitive="income")
