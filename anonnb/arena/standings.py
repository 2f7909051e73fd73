"""Reading the frame of the arena: one line per method, and which methods no other beats."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from anonnb.tables.attribute import some


def summary(frame: pd.DataFrame, names: Sequence[str] | None = None) -> pd.DataFrame:
    """One line per method and k, one column per figure: the frame of :func:`compare` as a person reads it.

    Methods that made no release have no line; the frame tells their reasons.
    """
    unknown = [name for name in names or () if name not in set(frame["name"])]
    if unknown:
        raise KeyError(f"the frame has no figure {unknown[0]!r}; it has {some(list(dict.fromkeys(frame['name'])), 40)}")
    wanted = frame if names is None else frame[frame["name"].isin(names)]
    wide = wanted.pivot_table(index=["method", "k", "seed"], columns="name", values="value", sort=False, dropna=False)
    return wide[[name for name in dict.fromkeys(wanted["name"]) if name in wide]].dropna(how="all")


def pareto(frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack") -> pd.DataFrame:
    """Methods with both figures, and whether another is at least as good in both and better in one."""
    both = summary(frame, [loss, risk]).dropna().reset_index()
    points = both[[loss, risk]].to_numpy().round(12)  # what differs only by rounding is equal
    beaten = [bool(((points <= p).all(axis=1) & (points < p).any(axis=1)).any()) for p in points]
    return both.assign(front=[not flag for flag in beaten])
