"""Reading the frame of the arena: one line per method, and which methods no other beats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.tables.attribute import preview


def worth(frame: pd.DataFrame) -> str:
    """Name the column to show of attacks: the excess where there was a control, else the advantage over the baseline.

    The frame has the ends of their interval too, such as ``excess low`` and ``excess high``.

    Returns
    -------
    str
        ``"excess"`` or ``"advantage"``; ``"value"`` where neither is known.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> frame = compare(anonnb.load("survey"), ["Mondrian", "Samarati"], ["LinkageAttack"], ["NCP"], k=4)
    >>> worth(frame)
    'advantage'
    """
    known = [name for name in ("excess", "advantage") if name in frame and frame[name].notna().any()]
    return known[0] if known else "value"


def summary(frame: pd.DataFrame, names: Sequence[str] | None = None, *, attacks: str = "value") -> pd.DataFrame:
    """Turn the frame of :func:`compare` into one line per method and k, with one column per figure.

    Methods that made no release have no line; the frame gives their reasons.

    Parameters
    ----------
    frame:
        A frame of :func:`compare`.
    names:
        The measures and attacks to show; None: all of them.
    attacks:
        The column to show of attacks: the ``value``, which is their success, or ``excess``, ``control``, ``baseline``
        and so on.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> frame = compare(anonnb.load("survey"), ["Mondrian", "Samarati"], ["LinkageAttack"], ["NCP"], k=4)
    >>> summary(frame, ["NCP"]).round(3).reset_index()[["method", "NCP"]].to_numpy().tolist()
    [['original', 0.0], ['Mondrian', 0.115], ['Samarati', 0.333]]
    """
    unknown = [name for name in names or () if name not in set(frame["name"])]
    if unknown:
        raise KeyError(
            f"the frame has no figure {unknown[0]!r}; it has {preview(list(dict.fromkeys(frame['name'])), 40)}"
        )
    wanted = frame if names is None else frame[frame["name"].isin(names)]
    if attacks != "value":
        shown = wanted["value"].where(wanted["kind"] != "attack", wanted[attacks].astype(float))
        wanted = wanted.assign(value=shown)
    wide = wanted.pivot_table(index=["method", "k", "seed"], columns="name", values="value", sort=False, dropna=False)
    return wide[[name for name in dict.fromkeys(wanted["name"]) if name in wide]].dropna(how="all")


def pareto(frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack") -> pd.DataFrame:
    """List the methods that have both figures, and whether any other beats them.

    Parameters
    ----------
    frame:
        A frame of :func:`compare`.
    loss:
        A measure, of which less is better.
    risk:
        An attack or a measure, of which less is better. Of an attack its :func:`worth` is compared.

    Returns
    -------
    pd.DataFrame
        A line per method: both figures, for attacks ``low`` and ``high``, the ends of the interval, and ``front``:
        whether no other is at least as good in both and better in one.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> frame = compare(anonnb.load("survey"), ["Mondrian", "Samarati"], ["LinkageAttack"], ["NCP"], k=4)
    >>> pareto(frame)[["method", "front"]].to_numpy().tolist()
    [['original', True], ['Mondrian', True], ['Samarati', False]]
    """
    shown = worth(frame)
    both = summary(frame, [loss, risk], attacks=shown).dropna().reset_index()
    for end in ("low", "high") if shown != "value" else ():
        ends = summary(frame, [loss, risk], attacks=f"{shown} {end}")[risk]
        both[end] = ends.reindex(pd.MultiIndex.from_frame(both[["method", "k", "seed"]])).to_numpy()
    points = both[[loss, risk]].to_numpy().round(12)  # what differs only by rounding is equal
    return both.assign(front=unbeaten(points))


def unbeaten(points: np.ndarray) -> list[bool]:
    """Flag each line that no other beats: as small in every column, and smaller in one.

    >>> unbeaten(np.array([[1, 3], [2, 2], [2, 3]]))
    [True, True, False]
    """
    return [not ((points <= p).all(axis=1) & (points < p).any(axis=1)).any() for p in points]
