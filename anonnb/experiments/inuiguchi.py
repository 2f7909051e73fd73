"""Tables 8 to 12 of Inuiguchi, Ichida and Torra (2019): usefulness and protection of k-common pattern tables.

Each table is a function that returns a tidy frame with our value beside the paper's, in the reading that was chosen
(:mod:`anonnb.experiments.imprecise.readings`). ``low`` and ``high`` hold the 95 % interval in which the mean of another
run of the same size would fall (Student's t): over repetitions of ten folds, or over samples of 15 rows.
``readings`` scores every reading that was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.tasks import run_tasks
from anonnb.experiments.imprecise import readings as reading
from anonnb.experiments.imprecise.samples import FOLDS
from anonnb.experiments.imprecise.samples import folds as folds
from anonnb.experiments.results import check_size
from anonnb.experiments.results import stored as stored_table
from anonnb.tables.release import Release
from anonnb.tables.table import Table

DATASETS = ("car", "hayes-roth", "iris", "zoo")  # in the order of Table 7
SMALL_DATASETS = DATASETS[:3]
ANONYMIZED = reading.ANONYMIZED
EVEN = ("hayes-roth", "zoo")  # readings are chosen on these
PAPER_SAMPLES = 100  # of 15 rows; the paper does not say how many
KEYS = ["table", "dataset", "k", "attack", "method"]
LINE = ["table", "dataset", "k", "draw", "method", "attack", "ours"]
GRID = ["choice", "value", "table", "dataset", "k", "method", "ours"]


class InuiguchiSize(NamedTuple):
    """How much is run: values of k, repetitions of ten folds, samples of 15 rows, samples and folds of the grid."""

    ks: tuple[int, ...]
    repetitions: int
    samples: int
    grid: int


SIZES = {"quick": InuiguchiSize((2, 5, 10), 2, 20, 1), "full": InuiguchiSize((2, 3, 4, 5, 10, 15), 10, 200, 5)}


def paper() -> pd.DataFrame:
    """Return the paper's Tables 8 to 12 in one tidy frame.

    >>> len(paper())
    568
    """
    return pd.read_csv(Path(__file__).with_name("inuiguchi_paper.csv"))


def _amount(size: str) -> InuiguchiSize:
    check_size(size)
    return SIZES[size]


def anonymized_tables(table: Table, k: int) -> Iterator[tuple[str, Release | None]]:
    """Make the six anonymized tables with the Mondrian of LeFevre et al.; None if there is nothing to publish."""
    return reading.anonymized_tables(table, k, np.random.default_rng(0), reading.FIRST)


def table8(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Compute the accuracy of LERS with rules from each table, by ten-fold cross-validation (full: ten times)."""
    amount = _amount(size)
    tasks = [(*task, seed) for task in _folds(DATASETS, (5, 10), amount.repetitions)]
    return _beside_paper(run_tasks(reading.accuracies, tasks, LINE, **run), 8)


def shallow(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Compute the success of the shallow attack, averaged over the training sets: Tables 9 and 10."""
    amount = _amount(size)
    tasks = [(*task, seed) for task in _folds(DATASETS, amount.ks, amount.repetitions)]
    return _beside_paper(run_tasks(reading.shallow_successes, tasks, LINE, **run), 9, 10)


def deep(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Compute the success of the shallow and the deep attack on samples of 15 rows: Tables 11 and 12."""
    amount = _amount(size)
    tasks = [(name, k, draw, seed) for name in SMALL_DATASETS for k in (2, 3, 4) for draw in range(amount.samples)]
    return _beside_paper(run_tasks(reading.deep_successes, tasks, LINE, **run), 11, 12)


def _folds(datasets: Sequence[str], ks: Sequence[int], repetitions: int) -> list[tuple]:
    each = range(repetitions), range(FOLDS)
    return [(name, k, number, fold) for name in datasets for k in ks for number in each[0] for fold in each[1]]


def _beside_paper(found: pd.DataFrame, *numbers: int) -> pd.DataFrame:
    """Average over the draws, with the interval for the mean of another run, and put the printed figures beside it."""
    from scipy.stats import t

    draws = found.groupby([*KEYS, "draw"], sort=False)["ours"].mean().groupby(KEYS, sort=False)
    n = draws.size()
    other = n.where(n.index.get_level_values("table") < 11, PAPER_SAMPLES)  # as many repetitions as we have
    reach = t.ppf(0.975, n - 1) * draws.std() * np.sqrt(1 / n + 1 / other)
    mean = draws.mean()
    ends = {"low": (mean - reach).clip(lower=0), "high": (mean + reach).clip(upper=1), "draws": n}
    both = pd.DataFrame({"ours": mean} | ends).reset_index().merge(paper(), on=KEYS, how="left")
    both = both[both["table"].isin(numbers)].assign(difference=both["ours"] - both["paper"])
    return both[[*KEYS, "ours", "low", "high", "draws", "paper", "difference"]].sort_values("table", kind="stable")


# ---- the grid of readings ------------------------------------------------------------------------------------------


def readings(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Score every reading that differs from the chosen one in one choice: a line per choice, value and printed cell."""
    amount = _amount(size)
    tasks: list[tuple] = [
        ((9, 10), name, k, fold, seed) for name in DATASETS for k in amount.ks for fold in range(amount.grid)
    ]
    small = range(3 * amount.grid)
    tasks += [((11, 12), name, k, draw, seed) for name in SMALL_DATASETS for k in (2, 3, 4) for draw in small]
    found = run_tasks(reading.grid_lines, tasks, GRID, **run)
    tasks = [(name, k, fold, seed) for name in DATASETS for k in (5, 10) for fold in range(2 * amount.grid)]
    found = pd.concat([found, run_tasks(reading.vote_lines, tasks, GRID, **run)], ignore_index=True)
    return found.groupby(GRID[:-1], sort=False)["ours"].mean().reset_index()


def grid(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the distance of every reading to each printed figure, on the even and on the odd data sets.

    >>> sorted(grid(stored("readings"))["side"].unique())
    ['even', 'odd']
    """
    lines = frame.merge(paper().query("attack != 'deep'"), on=["table", "dataset", "k", "method"])
    lines["part"] = lines["method"].map(reading.kind_of)
    lines["side"] = np.where(lines["dataset"].isin(EVEN), "even", "odd")
    lines["apart"] = (lines["ours"] - lines["paper"]).abs()
    base, parts = lines[lines["choice"] == ""], []
    for choice, tried in lines[lines["choice"] != ""].groupby("choice", sort=False):
        usual = base.merge(tried[["table", "dataset", "method"]].drop_duplicates())
        parts += [usual.assign(choice=choice, value=_usual(str(choice))), tried]
    return pd.concat(parts)[["choice", "value", "table", "part", "side", "apart"]]


def by_part(lines: pd.DataFrame) -> pd.DataFrame:
    """Average the distances of :func:`grid` within each part of a table.

    >>> by_part(grid(stored("readings"))).query("choice == 'kinds' and part == 'M2' and table == 9")["value"].tolist()
    ['Table 7', 'nominal']
    """
    means = lines.groupby(["choice", "value", "table", "part", "side"], sort=False)["apart"].mean()
    return means.unstack("side").round(4).reset_index().rename_axis(columns=None)


def choices(lines: pd.DataFrame) -> pd.DataFrame:
    """Average the distances of :func:`grid` over all cells that a choice changes, and judge the choice.

    Returns
    -------
    pd.DataFrame
        A line per choice and value. ``chosen`` marks the value with the least distance on the even data sets, and
        ``confirmed`` whether it has the least on the odd ones, too; ``used`` is the value of our reading.

    Examples
    --------
    >>> found = choices(grid(stored("readings")))
    >>> found.loc[found["chosen"], "confirmed"].mean() > 0.5
    np.True_
    """
    wide = lines.groupby(["choice", "value", "side"], sort=False)["apart"].mean().unstack("side").round(4)
    groups = wide.groupby("choice", sort=False)
    least = {side: groups[side].transform("min") for side in ("even", "odd")}
    wide["chosen"] = wide["even"] <= least["even"]
    wide["confirmed"] = wide["chosen"] & (wide["odd"] <= least["odd"])
    wide["used"] = [_usual(choice) == value for choice, value in wide.index]
    return wide.reset_index().rename_axis(columns=None)


def _usual(choice: str) -> str:
    """Return the value of a choice in our reading."""
    if choice in reading.CHOICES:
        return str(getattr(reading.CHOSEN, choice))
    kind, name = choice.split(": ")
    return str(getattr(reading.CLASSIFIERS["cT1" if kind == "patterns" else kind], name))


# ---- committed results ---------------------------------------------------------------------------------------------


def stored(table: str) -> pd.DataFrame:
    """Read the committed result of a full run.

    Parameters
    ----------
    table:
        ``"table8"``, ``"shallow"``, ``"deep"`` or ``"readings"``.

    Examples
    --------
    >>> {"ours", "paper", "difference"} <= set(stored("table8"))
    True
    """
    frame = stored_table("inuiguchi", table)
    return frame.fillna({"choice": "", "value": ""}) if "choice" in frame else frame


def all_figures() -> pd.DataFrame:
    """Read all 568 committed figures, with the column ``part``: patterns, M1, M2, Ori or k-Ori.

    >>> len(all_figures())
    568
    """
    found = pd.concat([stored(name) for name in ("table8", "shallow", "deep")], ignore_index=True)
    return found.assign(part=found["method"].map(reading.kind_of))


TABLES = {"table8": table8, "shallow": shallow, "deep": deep, "readings": readings}
