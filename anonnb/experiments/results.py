"""The committed results of full runs, and the sizes in which an experiment can be run."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from anonnb.core.shipped import shipped

SIZES = ("quick", "full")
RUNS = "runs.csv"  # when each of the files was computed


def check_size(size: str) -> None:
    """Raise a clear error for an unknown size."""
    if size not in SIZES:
        raise ValueError(f"size={size!r} is not known; use 'quick' or 'full'")


def stored(experiment: str, table: str) -> pd.DataFrame:
    """Read the committed result of a full run.

    Raises
    ------
    FileNotFoundError
        If that result is not committed; the message gives the command that makes it.

    Examples
    --------
    >>> stored("three_routes", "adult")["route"].nunique()
    6
    """
    path = stored_file(f"{experiment}_{table}.csv")
    if not path.exists():
        raise FileNotFoundError(
            f"{path.name} is not there; make it: python -m anonnb.experiments {experiment} {table} --size full"
        )
    return pd.read_csv(path)


def run_date(experiment: str, table: str) -> str:
    """Return the day on which the committed result was computed: a figure that is quoted from it says so.

    >>> run_date("rivals", "standings") >= "2026-11-18"
    True
    """
    return pd.read_csv(stored_file(RUNS), index_col="file").loc[f"{experiment}_{table}.csv", "date"]


def stored_file(name: str) -> Path:
    """Find where the committed file of that name is, if it is there."""
    return shipped("reports/results") / name
