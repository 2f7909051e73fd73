"""Figures 5 to 9 of Truong (2023): time, lost rules, class size, new rules and both against k, for all five methods.

``orders`` runs the algorithm as printed, without our guard, over orders that it leaves open. Beyond the paper: the
guarded variant, and a sweep over min_support and min_confidence. Readings: CAVG near 1 is good (the paper says the
opposite); DRP as printed is always 1, so DRP = LRP + NRP.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.parameters.constraints import SEED, Choice
from anonnb.core.parameters.declared import parameter
from anonnb.core.tasks import run_tasks
from anonnb.experiments.results import check_size
from anonnb.experiments.results import stored as stored_table
from anonnb.methods import GCCG, KACA, M3AR, OKA, UM3AR
from anonnb.methods.base import Method
from anonnb.methods.migration.groups import Groups
from anonnb.methods.migration.ledger import Ledger
from anonnb.tables.datasets import load
from anonnb.tables.table import Table
from anonnb.utility import truthfulness

METHODS = ("U-M3AR", "U-M3AR (paper's reading)", "M3AR", "OKA", "KACA", "GCCG")
COMPARISON = ("method", "k", "seconds", "lrp", "cavg", "nrp", "drp", "rows_changed", "truthfulness", "forced")
THRESHOLDS = (
    *("min_support", "min_confidence", "k", "rules", "guards", "seconds", "lrp", "nrp", "cavg"),
    *("dispersed", "forced", "rows_changed"),
)


class MigrationSize(NamedTuple):
    """How much is run: the step between the rows that are used, the values of k, and the thresholds of the sweep."""

    step: int
    ks: tuple[int, ...]
    supports: tuple[float, ...]
    confidences: tuple[float, ...]
    sweep_ks: tuple[int, ...]


SIZES = {
    "quick": MigrationSize(10, (5, 20, 50), (0.3, 0.5, 0.7), (0.5, 0.9), (10,)),
    "full": MigrationSize(1, tuple(range(5, 51, 5)), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), (0.5, 0.7, 0.9), (10, 50)),
}


def method_named(name: str, k: int, seed: int = 0) -> Method:
    """Make one of the methods under comparison.

    Parameters
    ----------
    name:
        Its name in the figures; see ``METHODS``.
    k, seed:
        Given to the method, as far as it takes them.

    Examples
    --------
    >>> method_named("OKA", 5)
    OKA(k=5, require=(), polish=False, seed=0)
    """
    made = {
        "U-M3AR": lambda: UM3AR(k=k),
        "U-M3AR (paper's reading)": lambda: UM3AR(k=k, reading="paper"),
        "M3AR": lambda: M3AR(k=k, seed=seed),
        "OKA": lambda: OKA(k=k, seed=seed),
        "KACA": lambda: KACA(k=k),
        "GCCG": lambda: GCCG(k=k),
    }
    if name not in made:
        raise KeyError(f"there is no method {name!r}; the methods are {', '.join(made)}")
    return made[name]()


@dataclass(frozen=True)
class OpenOrder(UM3AR):
    """U-M3AR as printed, with the partners of a group tried in an order that Figure 3 leaves open."""

    order: str = parameter(Choice(["similar", "random", "dissimilar"]), default="random")
    seed: int = parameter(SEED, default=0)

    def _groups(self, table: Table, kind: type[Ledger], guard: bool) -> Groups:
        groups, rng = super()._groups(table, kind, guard), np.random.default_rng(self.seed)
        if self.order == "dissimilar":
            groups.nearest = [order[::-1] for order in groups.nearest]
        elif self.order == "random":
            groups.nearest = [[order[at] for at in rng.permutation(len(order))] for order in groups.nearest]
        return groups


def orders(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Run the printed algorithm at every k: similar and dissimilar partners first, and random orders (full: eight)."""
    amount = _amount(size)
    tried = [
        ("similar", seed),
        ("dissimilar", seed),
        *(("random", seed + at) for at in range(8 if size == "full" else 2)),
    ]
    tasks = [(order, number, k, amount.step) for order, number in tried for k in amount.ks]
    return run_tasks(_ordered, tasks, ["order", "seed", "k", "lrp", "nrp", "cavg"], **run)


def _ordered(order: str, seed: int, k: int, step: int) -> list[tuple]:
    table = _table(step)
    release = OpenOrder(k=k, reading="paper", order=order, seed=seed).anonymize(table)
    rules, info = release.info["rules"], release.info
    return [(order, seed, k, info["lost_rules"] / rules, info["new_rules"] / rules, len(table) / release.n_groups / k)]


def comparison(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Run all methods on Adult at min_support = min_confidence = 0.5, for each k: what Figures 5 to 9 are drawn from.

    Parameters
    ----------
    size:
        ``"quick"`` for a look, ``"full"`` for the paper's setting.
    run:
        Further options of the runner: ``jobs=`` processes, ``cache_folder=`` for finished parts, ``progress=``.

    Returns
    -------
    pd.DataFrame
        A line per method and k. ``seconds`` is processor time of one run, without compilation.
    """
    amount = _amount(size)
    tasks = [(name, k, amount.step, seed) for k in amount.ks for name in METHODS]
    return run_tasks(_compared, tasks, COMPARISON, **run)


def thresholds(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Run guarded U-M3AR over min_support and min_confidence: the paper's future work."""
    amount = _amount(size)
    tasks = [(s, c, k, amount.step) for k in amount.sweep_ks for s in amount.supports for c in amount.confidences]
    return run_tasks(_swept, tasks, THRESHOLDS, **run)


def stored(name: str) -> pd.DataFrame:
    """Read the committed result of a full run.

    Parameters
    ----------
    name:
        ``"comparison"``, ``"orders"`` or ``"thresholds"``.

    Examples
    --------
    >>> stored("comparison")["method"].nunique()
    6
    """
    return stored_table("migration", name)


TABLES = {"comparison": comparison, "orders": orders, "thresholds": thresholds}


def _amount(size: str) -> MigrationSize:
    check_size(size)
    return SIZES[size]


def _table(step: int) -> Table:
    table = load("adult", variant="migration")
    return table if step == 1 else table.take(np.arange(0, len(table), step))


def _compared(name: str, k: int, step: int, seed: int) -> list[tuple]:
    table, method = _table(step), method_named(name, k, seed)
    method.anonymize(table.take(np.arange(2 * k)))  # compile and load before the clock starts
    release, seconds = _timed(method, table)
    info = release.info
    lost, new = info["lost_rules"] / info["rules"], info["new_rules"] / info["rules"]
    cavg = len(table) / release.n_groups / k
    forced = info.get("forced", 0)
    true = truthfulness(table, release)
    return [(name, k, seconds, lost, cavg, new, lost + new, info["rows_changed"], true, forced)]


def _swept(support: float, confidence: float, k: int, step: int) -> list[tuple]:
    table = _table(step)
    release, seconds = _timed(UM3AR(k=k, min_support=support, min_confidence=confidence), table)
    info, rules = release.info, max(release.info["rules"], 1)
    shares = (info["lost_rules"] / rules, info["new_rules"] / rules, len(table) / release.n_groups / k)
    counts = (info["dispersed"], info["forced"], info["rows_changed"])
    return [(support, confidence, k, info["rules"], info["guards"], seconds, *shares, *counts)]


def _timed(method: Method, table: Table) -> tuple:
    start = time.process_time()
    release = method.anonymize(table)
    return release, time.process_time() - start
