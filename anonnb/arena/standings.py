"""Reading the frame of the arena: one line per method, and which methods no other beats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.tables.attribute import some


def worth(frame: pd.DataFrame) -> str:
    """What is shown of attacks: their excess where there was a control, else their advantage over the baseline.

    Both stand in the frame with the ends of their interval, as ``excess low`` and ``excess high``, say.
    """
    known = [name for name in ("excess", "advantage") if name in frame and frame[name].notna().any()]
    return known[0] if known else "value"


def summary(frame: pd.DataFrame, names: Sequence[str] | None = None, *, attacks: str = "value") -> pd.DataFrame:
    """One line per method and k, one column per figure: the frame of :func:`compare` as a person reads it.

    ``attacks`` names the column that is shown of attacks: the ``value``, which is their success, or ``excess``,
    ``control``, ``baseline`` and so on. Methods that made no release have no line; the frame tells their reasons.
    """
    unknown = [name for name in names or () if name not in set(frame["name"])]
    if unknown:
        raise KeyError(f"the frame has no figure {unknown[0]!r}; it has {some(list(dict.fromkeys(frame['name'])), 40)}")
    wanted = frame if names is None else frame[frame["name"].isin(names)]
    if attacks != "value":
        shown = wanted["value"].where(wanted["kind"] != "attack", wanted[attacks].astype(float))
        wanted = wanted.assign(value=shown)
    wide = wanted.pivot_table(index=["method", "k", "seed"], columns="name", values="value", sort=False, dropna=False)
    return wide[[name for name in dict.fromkeys(wanted["name"]) if name in wide]].dropna(how="all")


def pareto(frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack") -> pd.DataFrame:
    """Methods with both figures, and whether another is at least as good in both and better in one.

    The risk of an attack is its :func:`worth`; ``low`` and ``high`` are the ends of its interval.
    """
    shown = worth(frame)
    both = summary(frame, [loss, risk], attacks=shown).dropna().reset_index()
    for end in ("low", "high") if shown != "value" else ():
        ends = summary(frame, [loss, risk], attacks=f"{shown} {end}")[risk]
        both[end] = ends.reindex(pd.MultiIndex.from_frame(both[["method", "k", "seed"]])).to_numpy()
    points = both[[loss, risk]].to_numpy().round(12)  # what differs only by rounding is equal
    return both.assign(front=unbeaten(points))


def unbeaten(points: np.ndarray) -> list[bool]:
    """For each line whether no other is at least as good (as small) in every column and better in one.

    >>> unbeaten(np.array([[1, 3], [2, 2], [2, 3]]))
    [True, True, False]
    """
    return [not ((points <= p).all(axis=1) & (points < p).any(axis=1)).any() for p in points]
