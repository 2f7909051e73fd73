"""Every method on every kind of column, dates and times with and without a zone included."""

import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table, methods
from tests.series import series

ROWS = 30
START = pd.Timestamp("2021-03-27 23:30")


def _days(rng) -> pd.Series:
    return pd.Series(START.normalize() + pd.to_timedelta(rng.integers(0, 12, ROWS), "D"))


def _moments(rng) -> pd.Series:
    return pd.Series(START + pd.to_timedelta(rng.integers(0, 200, ROWS), "min"))


def _holes(rng, column: pd.Series) -> pd.Series:
    return column.mask(rng.random(ROWS) < 0.2)


KINDS = {
    "whole numbers": lambda rng: pd.Series(rng.integers(0, 9, ROWS)),
    "whole numbers, some missing": lambda rng: _holes(rng, pd.Series(rng.integers(0, 9, ROWS)).astype("Int64")),
    "numbers": lambda rng: pd.Series(rng.integers(0, 9, ROWS) / 7),
    "numbers, some missing": lambda rng: _holes(rng, pd.Series(rng.integers(0, 9, ROWS) / 7)),
    "texts": lambda rng: pd.Series(rng.choice(list("abcd"), ROWS)),
    "texts, some missing": lambda rng: _holes(rng, pd.Series(rng.choice(list("abcd"), ROWS))),
    "flags": lambda rng: pd.Series(rng.random(ROWS) < 0.5),
    "ordered": lambda rng: pd.Series(pd.Categorical(rng.choice(list("SML"), ROWS), list("SML"), ordered=True)),
    "days": _days,
    "days, some missing": lambda rng: _holes(rng, _days(rng)),
    "moments": _moments,
    "moments in a zone": lambda rng: _moments(rng).dt.tz_localize("UTC").dt.tz_convert("Europe/Rome"),
    "moments in a zone, some missing": lambda rng: _holes(rng, _moments(rng).dt.tz_localize("UTC")),
    "spans": lambda rng: pd.Series(pd.to_timedelta(rng.integers(0, 9, ROWS), "h")),
    "days of Arrow": lambda rng: _holes(rng, _days(rng).astype("date32[pyarrow]")),
    "moments of Arrow": lambda rng: _moments(rng).dt.tz_localize("UTC").astype("timestamp[us, tz=UTC][pyarrow]"),
    "whole numbers of Arrow": lambda rng: pd.Series(2**53 + rng.integers(0, 9, ROWS)).astype("int64[pyarrow]"),
}


def tables(kind: str, seeds: range):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(
            {
                "column": KINDS[kind](rng),
                "city": rng.choice(["Rome", "Bari", "Bern"], ROWS),
                "ill": rng.choice(["flu", "cold", "gout"], ROWS),
                "pay": rng.choice(["low", "high"], ROWS),
            }
        )
        yield Table(frame, quasi=["column", "city"], sensitive="ill", decision="pay")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(methods.all()))
def test_any_kind_of_column_is_published_or_refused_in_a_sentence(name):
    cls = methods.get(name)
    options = {"k": 3} if "k" in cls.__dataclass_fields__ else {}
    options |= {"time_limit": 0.2} if "time_limit" in cls.__dataclass_fields__ else {}
    for kind in KINDS:
        for table in tables(kind, series(8)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    release = cls(**options).anonymize(table)
                except Infeasible:
                    continue
                except ValueError as error:
                    if "column" not in str(error):  # a refusal names what the method cannot take
                        raise
                    continue
                assert release.published().shape[1] >= 1, kind
