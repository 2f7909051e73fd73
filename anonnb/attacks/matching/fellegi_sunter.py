"""Record linkage as Fellegi and Sunter (1969) have it: columns agree or not, and EM learns how much that says.

m is the probability that a column agrees with the person's own row, u with any other row. A column that agrees adds
log(m / u), one that does not log((1 - m) / (1 - u)). EM needs counts of patterns of agreement only, so it is written
here: `recordlinkage` keeps a line for each pair (1.4 GB for a twentieth of Adult, and half of it has a hundred times as
many pairs), and `splink` brings a database. Reading: each person has exactly one row, else EM takes any columns
that depend on each other for a match; m and u are learnt from the people behind the release, also for outsiders.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from anonnb.attacks.matching.likely import Fitting, LikelihoodPart, held_logs
from anonnb.tables.matching import Matching, Overlaps

SAMPLE = 1_000  # cases whose patterns of agreement are counted
ROUNDS = 200
CLOSE = 1e-4  # no probability is nearer to 0 or 1


def agreement_rates(matching: Matching, known: Sequence[str]) -> pd.DataFrame:
    """Return m and u of every column, learnt from people who are in the release."""
    rates = learn(*_patterns(matching, _columns(matching, known)))
    return rates.set_axis(pd.Index(known, name="column"))


def agreement_parts(
    matching: Matching, rates: pd.DataFrame, by_value: bool, inexact: Collection[str] = ()
) -> list[LikelihoodPart]:
    """Return what each column adds to the log weights.

    With ``by_value`` agreeing in a rare value says more: u is the share of the release that the cell holds, except in
    ``inexact`` columns.
    """
    parts: list[LikelihoodPart] = []
    for fits, (name, m, u) in zip(_columns(matching, rates.index), rates.itertuples(name=None), strict=True):
        chance = np.full(len(matching.published), np.log(u))
        if by_value and name not in inexact:
            chance = np.maximum(held_logs(matching.published, name), np.log(CLOSE))
        parts.append(Fitting(fits, np.log(m) - chance, float(np.log((1 - m) / (1 - u)))))
    return parts


def _columns(matching: Matching, known: Sequence[str]) -> list[Overlaps]:
    return [matching.only([number]) for number in range(len(known))]


def _patterns(matching: Matching, columns: Sequence[Overlaps]) -> tuple[np.ndarray, np.ndarray]:
    """Count for a sample of the cases the rows by their pattern of agreement (cases × patterns).

    Also returns which columns agree in each pattern (patterns × columns).
    """
    some = np.unique(np.linspace(0, max(matching.n_cases - 1, 0), SAMPLE).astype(np.int64))[: matching.n_cases]
    counts = []
    for case in some[:, None]:
        pattern = np.zeros(len(matching.published), dtype=np.int64)
        for bit, fits in enumerate(columns):
            pattern |= fits.matrix(case)[0].astype(np.int64) << bit
        counts.append(pd.Series(matching.rows_per_kind).groupby(pattern).sum())
    frame = pd.concat([pd.Series(dtype=np.int64), *counts], axis=1).fillna(0.0).T.iloc[1:]
    flags = (frame.columns.to_numpy(dtype=np.int64)[:, None] >> np.arange(len(columns))) & 1
    return frame.to_numpy(dtype=np.float64), flags


def learn(counts: np.ndarray, flags: np.ndarray) -> pd.DataFrame:
    """Learn m and u of each column by EM, if each of the people has exactly one row.

    Parameters
    ----------
    counts:
        For each of some people the number of rows with each pattern of agreement (people × patterns).
    flags:
        Which columns agree in each pattern (patterns × columns).

    Examples
    --------
    >>> learn(np.array([[1, 2, 7], [1, 2, 7], [0, 3, 7]]), np.array([[1, 1], [1, 0], [0, 0]])).round(2)
          m     u
    0  1.00  0.30
    1  0.61  0.07
    """
    u = np.clip(counts.sum(axis=0) @ flags / max(counts.sum(), 1.0), CLOSE, 1 - CLOSE)  # hardly any pair is a match
    m = np.maximum(0.9, u)
    for _ in range(ROUNDS):
        logs = np.where(flags, np.log(m / u), np.log((1 - m) / (1 - u))).sum(axis=1)
        share = counts * np.exp(logs - logs.max(initial=0.0))
        share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)  # of each person one row is theirs
        before, m = m, np.clip(share.sum(axis=0) @ flags / max(len(counts), 1), u, 1 - CLOSE)
        if np.abs(m - before).max(initial=0.0) < 1e-6:
            break
    return pd.DataFrame({"m": m, "u": u})
