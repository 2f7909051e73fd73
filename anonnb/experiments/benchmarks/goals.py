"""The targets of ``targets.csv`` beside what a run measured: met, missed, or not measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from anonnb.experiments.benchmarks.fits import exponents

FASTER_THAN = "× "  # a unit that begins so is a ratio: our seconds ÷ those of the fastest call of that library


def targets(frame: pd.DataFrame) -> pd.DataFrame:
    """List the targets: what was measured before, what is wanted at most, what a run measured, and the verdict.

    Parameters
    ----------
    frame:
        Records of a run, as :func:`anonnb.experiments.benchmarks.results` gives them.

    Returns
    -------
    pd.DataFrame
        A line per target, with the columns work, before, wanted, measured and verdict: "met", "missed" or "not
        measured".

    Examples
    --------
    >>> line = {"section": "limits", "subject": "MLEM2", "data": "Adult", "who": "anonnb", "seconds": 4.0, "unit": "s"}
    >>> found = targets(pd.DataFrame([line | {"at_least": False}]))
    >>> found.loc[0, ["wanted", "verdict"]].tolist()
    ['≤ 5 s', 'met']
    """
    wanted = pd.read_csv(Path(__file__).with_name("targets.csv"))
    measured = [_measured(frame, target) for _, target in wanted.iterrows()]
    return pd.DataFrame(
        {
            "work": wanted["work"],
            "before": wanted["before"],
            "wanted": [f"≤ {most:g} {unit}" for most, unit in zip(wanted["most"], wanted["unit"], strict=True)],
            "measured": measured,
            "verdict": [_verdict(value, most) for value, most in zip(measured, wanted["most"], strict=True)],
        }
    )


def _verdict(measured: float, most: float) -> str:
    return "not measured" if np.isnan(measured) else "met" if measured <= most else "missed"


def _measured(frame: pd.DataFrame, target: pd.Series) -> float:
    """What a run says about a target; NaN if it says nothing. A bound that was reached counts as missed."""
    part = frame[(frame["subject"] == target["subject"]) & (frame["data"] == target["data"])]
    if target["unit"] == "exponent":
        found = exponents(part)["exponent"] if len(part) else []
        return float(found.iloc[0]) if len(found) else np.nan
    ours = part[(part["who"] == target["who"]) & ~part["section"].isin(["profile", "scaling", "estimates"])]
    if ours.empty:
        return np.nan
    if target["unit"].startswith(FASTER_THAN):
        library = target["unit"].removeprefix(FASTER_THAN)
        theirs = part[part["who"].str.startswith(library)]["seconds"].min()
        return float(ours["seconds"].min() / theirs)
    if target["unit"] == "s":
        stopped = ours["at_least"].astype(bool)
        return float(ours["seconds"].min()) if not stopped.all() else np.inf
    if target["unit"] == "MB":
        return float(ours["peak_mb"].min())
    return float(ours.loc[ours["quality_name"] == target["unit"], "quality"].min())
