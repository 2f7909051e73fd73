"""How far from the best possible: the loss of methods that group rows beside a proved bound, over tables and k.

Each method publishes each table for several k; its NCP stands beside the lower bound of :mod:`anonnb.optimum` on that
of any grouping of the same rows. ``solved`` says that the bound is that of the linear program.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb import optimum, utility
from anonnb.core.errors import Infeasible
from anonnb.core.tasks import run_tasks
from anonnb.experiments.results import check_size
from anonnb.methods import GCCG, KACA, OKA, BottomUp, Forest, Mondrian, TopDown
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

KS = {"quick": (2, 5), "full": (2, 3, 5, 10, 20)}
DATA = {"quick": ("survey", "hayes-roth"), "full": ("survey", "hayes-roth", "iris", "zoo", "gbsg2", "adult")}
ROWS = 1_000  # of a larger table, spread evenly
METHODS: dict[str, Callable] = {
    "Mondrian": Mondrian,
    "Mondrian by loss": partial(Mondrian, cut="loss"),
    "Mondrian, polished": partial(Mondrian, cut="loss", polish=True),
    "OKA": OKA,
    "OKA, polished": partial(OKA, polish=True),
    "GCCG": GCCG,
    "GCCG, polished": partial(GCCG, polish=True),
    "KACA": KACA,
    "Forest": Forest,
    "TopDown": TopDown,
    "BottomUp": BottomUp,
}
COLUMNS = ["table", "rows", "k", "method", "ncp", "bound", "effort", "solved", "gap", "reason"]


def local(size: str = "quick", *, jobs: int = 1, cache_folder: str | Path | None = None, seed: int = 0) -> pd.DataFrame:
    """One line per table, k and method: its NCP, the bound, how that was found, and the gap or why there is none."""
    check_size(size)
    cases = [(name, k) for name in DATA[size] for k in KS[size]]
    return strengthened(run_tasks(one_table, cases, COLUMNS, jobs=jobs, cache_folder=cache_folder))


def strengthened(frame: pd.DataFrame) -> pd.DataFrame:
    """The same lines with the best bound of any k up to theirs: groups of ten rows are groups of at least five, too.

    >>> runs = ((2, 0.2, 0.1), (5, 0.3, 0.05))
    >>> lines = [("a", 9, k, "M", ncp, bound, "groups", True, 0.0, "") for k, ncp, bound in runs]
    >>> strengthened(pd.DataFrame(lines, columns=COLUMNS))[["bound", "solved", "gap"]].round(2).to_numpy().tolist()
    [[0.1, True, 1.0], [0.1, False, 2.0]]
    """
    best = frame.drop_duplicates(["table", "k"]).sort_values("k").set_index(["table", "k"])["bound"]
    best = best.groupby("table").cummax()[pd.MultiIndex.from_frame(frame[["table", "k"]])].to_numpy()
    over, own = frame["ncp"] - best, best <= frame["bound"]
    gap = over / np.where(best > 0, best, np.nan)
    gap = gap.where(best > 0, np.inf).mask(over <= 1e-6 * frame["ncp"], 0.0).where(frame["ncp"].notna())
    return frame.assign(bound=best, gap=gap, solved=frame["solved"] & own)[COLUMNS]


def one_table(name: str, k: int) -> list[tuple]:
    """Return the lines of all methods on one table for one k."""
    table, lines = sample(name), []
    least = optimum.bound(table, k)
    told = least.value, least.effort, least.exact
    for method, make in METHODS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # default hierarchies, and weights that a method does not read
            try:
                found = utility.gap(table, make(k=k).anonymize(table), bound=least)
            except (Infeasible, ValueError) as error:
                lines.append((name, len(table), k, method, np.nan, *told, np.nan, str(error)))
                continue
        lines.append((name, len(table), k, method, found.value, *told, found.gap, ""))
    return lines


def sample(name: str) -> Table:
    """Load a shipped table, cut to rows spread evenly where it has many.

    >>> len(sample("adult")) == ROWS
    True
    """
    table = load(name)
    return table if len(table) <= ROWS else table.take(np.linspace(0, len(table) - 1, ROWS).astype(int))


def won(frame: pd.DataFrame, before: str, after: str) -> pd.DataFrame:
    """Compute what share of one method's distance to the bound another closes, per table and k.

    Parameters
    ----------
    frame:
        A line per table, k and method, with ``ncp`` and ``bound``.

    Returns
    -------
    pd.DataFrame
        A line per table and k in which the first method leaves a distance; ``closed`` is the share.

    Examples
    --------
    >>> lines = [("a", 2, "cut", 0.3, 0.1), ("a", 2, "polished", 0.2, 0.1)]
    >>> frame = pd.DataFrame(lines, columns=["table", "k", "method", "ncp", "bound"])
    >>> won(frame, "cut", "polished")["closed"].round(2).tolist()
    [0.5]
    """
    over = frame.assign(over=frame["ncp"] - frame["bound"]).pivot(index=["table", "k"], columns="method", values="over")
    over = over[over[before] > 1e-9]
    closed = 1 - over[after] / over[before]
    return pd.DataFrame({"before": over[before], "after": over[after], "closed": closed}).reset_index()


TABLES = {"methods": local}
