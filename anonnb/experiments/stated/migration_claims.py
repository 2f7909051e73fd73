"""What Truong (2023) states about Figures 5 to 9, counted over the values of k that were run.

Judged is the algorithm as printed, over the orders of partners that Figure 3 leaves open (``migration.orders``); the
guarded variant is ours and earns no verdict. The figures are drawings, so only what the text says can be compared.
Readings: "always" asks at each k; "lowest among the algorithms" holds at a k where it holds against the three others;
"many rules" are one in ten; "outperforms" is about time, LRP and DRP against each of the three others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.experiments import migration
from anonnb.experiments.ledger import bound, figure, sentence
from anonnb.tables.datasets import load

LATE = 30  # up to this k the paper sees no new rules
OKA_FAST = 20  # from this k on OKA is the faster
MANY = 0.1
LITERAL, OTHERS = "U-M3AR (paper's reading)", ("M3AR", "OKA", "GCCG")
ORDERS = "as printed, over ten orders of partners that Figure 3 leaves open"
NEITHER = "NRP counts rules that reach both thresholds, so wherever it is above 0 the sentence contradicts Table V"
MISPRINT = "likely a misprint: one digit differs"


def lines() -> list[dict]:
    """Return the lines of the paper: three inputs, three figures, and the sentences."""
    table, results, orders = (
        load("adult", variant="migration"),
        migration.stored("comparison"),
        migration.stored("orders"),
    )
    runs = orders.groupby(["order", "seed"])
    early, late = (
        orders[test].groupby(["order", "seed"])["nrp"].max() for test in (orders["k"] <= LATE, orders["k"] > LATE)
    )
    lost = runs["lrp"].max()
    size = [
        (len(table), 32169, "rows of Adult"),
        (len(table.columns), 9, "attributes"),
        (len(table.quasi), 6, "quasi-identifiers"),
    ]
    given = [
        figure("IV", name, paper, ours, count=True, part="input", reading=MISPRINT * (ours != paper))
        for ours, paper, name in size
    ]
    return [
        *given,
        figure(
            "IV, Figure 6", "largest LRP of U-M3AR over k", 0, lost.median(), lost.min(), lost.max(), reading=ORDERS
        ),
        figure("IV, Figure 8", f"largest NRP, k ≤ {LATE}", 0, early.median(), early.min(), early.max(), reading=ORDERS),
        bound("IV, Figure 8", f"largest NRP, k > {LATE}", 0.2, late.tolist(), reading=ORDERS),
        *sentences(results, orders),
    ]


def sentences(results: pd.DataFrame, orders: pd.DataFrame) -> list[dict]:
    """Return the line of every sentence of the abstract and of sections IV and V that states a result."""
    time, lost, size, drp = (_wide(results, name) for name in ("seconds", "lrp", "cavg", "drp"))
    middle = orders.assign(drp=orders["lrp"] + orders["nrp"]).groupby("k")[["lrp", "nrp", "drp", "cavg"]].median()
    late = orders[(orders["k"] > LATE) & (orders["nrp"] > 0)]
    better = "the paper calls that better; a class above k only costs detail"
    safe = "with us OKA has; unsafe rows sent to random safe groups, as the text has it, give more, not less"
    wins = [_beats(time[LITERAL], time), _beats(middle["lrp"], lost), _beats(middle["drp"], drp)]
    place, text = "IV, Figure 7", "U-M3AR has a higher average class size (CAVG) than the others"
    return [
        *_about_time(time, "times of one run each"),
        sentence("IV, Figure 6", "OKA and GCCG lose many rules (one in ten)", np.ravel(lost[["OKA", "GCCG"]] >= MANY)),
        sentence(place, text, _beats(-middle["cavg"], -size), reading=better),
        sentence(place, "OKA has a lower CAVG than M3AR and U-M3AR", _lowest(size, "OKA", [LITERAL, "M3AR"])),
        sentence(
            place, "GCCG has the lowest CAVG of all four", _lowest(size, "GCCG", [LITERAL, "M3AR", "OKA"]), reading=safe
        ),
        sentence(
            "IV, Figure 8",
            f"U-M3AR makes some new rules for k > {LATE}",
            middle.loc[middle.index > LATE, "nrp"] > 0,
            reading=f"the median order; {ORDERS}",
        ),
        sentence(
            "IV, Figure 8",
            "the new rules reach neither threshold",
            np.zeros(max(late["k"].nunique(), 1), bool),
            reading=NEITHER,
        ),
        sentence(
            "IV, Figure 9",
            "U-M3AR has a lower DRP than OKA and GCCG",
            _beats(middle["drp"], drp, ["OKA", "GCCG"]),
            reading=f"the median order; {ORDERS}",
        ),
        sentence(
            "abstract, V",
            "U-M3AR outperforms the others (time, LRP, DRP: less than each)",
            np.concatenate(wins),
            reading="the median order; equal is not better, and M3AR loses no rule either",
        ),
    ]


def _about_time(time: pd.DataFrame, one: str) -> list[dict]:
    large, place = time[time.index >= OKA_FAST], "IV, Figure 5"
    slow = "ours serves rows with equal quasi-identifiers together; M3AR is our slowest"
    return [
        sentence(place, "U-M3AR is faster than M3AR", time[LITERAL] < time["M3AR"], reading=one),
        sentence(place, "OKA takes less time as k grows", time["OKA"].diff().iloc[1:] < 0, reading=one),
        sentence(
            place, f"OKA is faster than M3AR and U-M3AR for k ≥ {OKA_FAST}", _lowest(large, "OKA", [LITERAL, "M3AR"])
        ),
        sentence(
            place,
            "GCCG takes longer than all others",
            time["GCCG"] > time[[LITERAL, "M3AR", "OKA"]].max(axis=1),
            reading=slow,
        ),
        sentence(place, "GCCG takes less time as k grows", time["GCCG"].diff().iloc[1:] < 0, reading=one),
    ]


def _wide(results: pd.DataFrame, measure: str) -> pd.DataFrame:
    return results.pivot(index="k", columns="method", values=measure)


def _lowest(frame: pd.DataFrame, name: str, others: Sequence[str]) -> pd.Series:
    """Say at each k whether a method is below all the others."""
    return frame[list(others)].gt(frame[name] + 1e-9, axis=0).all(axis=1)


def _beats(ours: pd.Series, frame: pd.DataFrame, others: Sequence[str] = OTHERS) -> np.ndarray:
    """Say for each other method and k whether we are below it."""
    return np.concatenate([frame[name] - ours > 1e-9 for name in others])
