"""Auditing: a lower bound on ε from runs of a method with and without one person (Jagielski, Ullman and Oprea 2020).

If a method is (ε, δ)-differentially private, no event is more than e^ε times as likely with the person as without, save
for δ. Half of the runs choose an event that tells both apart, the others count how often it happens. Clopper and
Pearson's limits of both shares then bound ε from below. Reading: neighbours differ in one row. An event is that a
linear score of the release lies above a threshold; the score reads how many rows have the person's values, in each
column, in each pair of columns and in all of them.

One run does, too (Steinke, Nasr and Jagielski 2023): a coin decides about each row whether it is published, and the
auditor guesses the coins of the rows that speak most clearly. No private method lets more than a share of e^ε/(1 + e^ε)
of the guesses be right, save for chance. Rows are ranked by how much more often their values occur together than their
columns make likely; the highest and the lowest quarter are guessed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np

from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import SECONDS, Number, Whole
from anonnb.core.progress import no_progress, watched_by
from anonnb.core.wording import percent, pluralize
from anonnb.privacy.shadows import shadow_releases
from anonnb.tables.release import Release
from anonnb.tables.table import Table

RIDGE = 1.0  # added to the variances of standardized scores, which are more than the runs


@dataclass(frozen=True)
class EpsilonAudit:
    """What an audit of ε found; ``epsilon_low`` is exceeded by the true ε with probability ``confidence`` at least.

    Parameters
    ----------
    hits, runs:
        How often the event happened in the runs that count, in the world where it is more likely and in the other one,
        and how many runs these were.
    event:
        Whether the event is more likely ``"with"`` or ``"without"`` the person.
    row:
        The label of the person's row.
    asked, seconds:
        How many runs were asked for, with those that chose the event, and how long they took.

    Examples
    --------
    >>> audit = EpsilonAudit(1.2, 0.95, 0.0, (48, 2), (50, 50), "with", "o1", 200, 3.0)
    >>> audit.true_positives, audit.false_positives, round(audit.epsilon, 2)
    (0.96, 0.04, 3.18)
    """

    epsilon_low: float
    confidence: float
    delta: float
    hits: tuple[int, int]
    runs: tuple[int, int]
    event: str
    row: Hashable
    asked: int
    seconds: float

    @property
    def true_positives(self) -> float:
        """The share of runs with the event, in the world where it is more likely."""
        return self.hits[0] / self.runs[0]

    @property
    def false_positives(self) -> float:
        """The same share in the other world."""
        return self.hits[1] / self.runs[1]

    @property
    def epsilon(self) -> float:
        """The logarithm of the ratio of both shares, without any confidence; inf if one of them is 0."""
        above = self.true_positives - self.delta
        if above <= 0:
            return 0.0
        return max(log(above / self.false_positives), 0.0) if self.false_positives else inf

    def __repr__(self) -> str:
        made, confidence = sum(self.runs) * 2, percent(self.confidence, 0)
        first, second = ("with", "without") if self.event == "with" else ("without", "with")
        text = (
            f"ε is at least {self.epsilon_low:.2f} with a confidence of {confidence} (δ = {self.delta:g}): an event "
            f"happened in {self.hits[0]} of {self.runs[0]} runs {first} row {self.row!r} and in {self.hits[1]} of "
            f"{self.runs[1]} runs {second} it ({self.seconds:.0f} s)"
        )
        if made < 0.95 * self.asked:
            seconds = self.seconds / max(made, 1) * self.asked
            text += f"; about {made} of {pluralize(self.asked, 'run')} were made, and all take about {seconds:.0f} s"
        return text


@dataclass(frozen=True)
class OneRunAudit:
    """What an audit of ε by one run found: how many of the guesses about rows were right.

    >>> OneRunAudit(0.67, 0.95, 1e-4, 75, 100, 1000, 3.0)
    ε is at least 0.67 with a confidence of 95 % (δ = 0.0001): 75 of 100 guesses about 1,000 rows are right (3 s)
    """

    epsilon_low: float
    confidence: float
    delta: float
    right: int
    guesses: int
    rows: int
    seconds: float

    def __repr__(self) -> str:
        return (
            f"ε is at least {self.epsilon_low:.2f} with a confidence of {percent(self.confidence, 0)} (δ = "
            f"{self.delta:g}): {self.right} of {pluralize(self.guesses, 'guess', 'guesses')} about "
            f"{pluralize(self.rows, 'row')} are right ({self.seconds:.0f} s)"
        )


def audit_epsilon_once(
    method: Any, table: Table, *, confidence: float = 0.95, delta: float | None = None, seed: int = 0
) -> OneRunAudit:
    """Bound the ε of a method from below by a single run, on about half of the rows of a table.

    The bound is weaker than that of many runs about one row, but it takes one run, and it is about all rows.

    Parameters
    ----------
    method, table:
        The method, and the table from which the rows to publish are drawn.
    confidence, delta:
        The probability that the bound holds, and the δ to allow for; by default that of the method, or 0.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import anonnb
    >>> audit_epsilon_once(SimpleNamespace(anonymize=Release.of), anonnb.load("adult").take(range(800))).epsilon_low > 1
    True
    """
    confidence = Number(above=0, below=1).validate("confidence", confidence)
    delta = float(getattr(method, "delta", 0.0)) if delta is None else delta
    start, inside = time.perf_counter(), np.random.default_rng(seed).random(len(table)) < 0.5
    release = method.anonymize(table.take(np.flatnonzero(inside)))
    order = np.argsort(_clearness(release, table), kind="stable")
    some = len(table) // 4
    right = int((~inside[order[:some]]).sum() + inside[order[len(order) - some :]].sum())
    low = one_run_bound(right, 2 * some, len(table), delta, confidence)
    return OneRunAudit(low, confidence, delta, right, 2 * some, len(table), time.perf_counter() - start)


def one_run_bound(right: int, guesses: int, rows: int, delta: float, confidence: float) -> float:
    """Return a lower bound on ε from how many guesses about rows are right, each of them published by a coin.

    The example is that of Steinke, Nasr and Jagielski (2023, Appendix D).

    >>> round(one_run_bound(75, 100, 1000, 1e-4, 0.95), 3)
    0.673
    """
    from scipy.optimize import brentq
    from scipy.stats import binom

    steps = np.arange(1, right + 1)

    def excess(epsilon: float) -> float:
        share = 1 / (1 + np.exp(-epsilon))
        below = np.cumsum(binom.pmf(right - steps, guesses, share))
        more = 2 * rows * delta * (below / steps).max(initial=0.0)
        return float(binom.sf(right - 1, guesses, share) + more - (1 - confidence))

    return 0.0 if excess(0.0) >= 0 else float(brentq(excess, 0.0, 50.0))


def _clearness(release: Release, table: Table) -> np.ndarray:
    """Return for each row of a table how much more often its values occur together than its columns make likely."""
    together, apart = np.ones((len(table), len(release))), np.zeros(len(table))
    for name in (each for each in release.columns if each in {*release.quasi, *release.sensitive, release.decision}):
        column, attribute = release.columns[name], table.attributes[name]
        codes = attribute.recode_to(column.attribute)
        held = np.array([column.sets.contains(int(code)) if code >= 0 else column.sets.sizes < 0 for code in codes])
        weight = (held / np.maximum(column.sets.sizes, 1))[:, column.index]  # values × published rows
        together *= weight[table.codes(name)]
        apart += np.log(weight.mean(axis=1) + 1 / max(len(release), 1))[table.codes(name)]
    return np.log(together.mean(axis=1) + 1e-12) - apart


def audit_epsilon(
    method: Any,
    table: Table,
    *,
    shadows: int = 200,
    row: Hashable | None = None,
    confidence: float = 0.95,
    delta: float | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Callable[..., Any] | None = None,
) -> EpsilonAudit:
    """Bound the ε of a method from below, by running it with and without one row of a table.

    A bound of 0 does not show that a method is private: another row or another event may tell more, and few runs bound
    little. With n runs no audit shows more than about log(n / 15).

    Parameters
    ----------
    method, table:
        The method, and the table that holds the row.
    shadows:
        How many runs to make, half of them without the row; half of either choose the event, and the others count.
    row:
        The label of the row; by default the row with the rarest values.
    confidence:
        The probability that the bound holds.
    delta:
        The δ to allow for; by default that of the method, or 0.
    time_limit, progress:
        Seconds after which no further run begins, and what shows the progress, such as ``tqdm``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import anonnb
    >>> audit_epsilon(SimpleNamespace(anonymize=Release.of), anonnb.load("survey"), shadows=100).epsilon_low > 1.5
    True
    """
    shadows = Whole(at_least=8).validate("shadows", shadows)
    confidence = Number(above=0, below=1).validate("confidence", confidence)
    Optional(SECONDS).validate("time_limit", time_limit)
    delta = float(getattr(method, "delta", 0.0)) if delta is None else delta
    place = _rarest(table) if row is None else _place_of(table, row)
    worlds = table, table.take(np.delete(np.arange(len(table)), place))
    start, parts = time.perf_counter(), [[], [], [], []]  # type: float, list[list[np.ndarray]]
    with watched_by(progress or no_progress):
        runs = shadow_releases(method, lambda run: worlds[run % 2], shadows, seed=seed, time_limit=time_limit)
        for run, release in runs:
            parts[run % 4].append(_features(release, table, place))
            if run >= sum(map(len, parts)):
                raise ValueError("the method refuses some runs, which may tell as much as a release; give more rows")
    if min(map(len, parts)) < 2:
        raise ValueError("the method refuses the table with the row or the one without it; give more rows")
    score, event = _telling_event(np.array(parts[0]), np.array(parts[1]), delta, confidence)
    hits = [int(score(np.array(part)).sum()) for part in parts[2:]]
    counts = [len(part) for part in parts[2:]]
    first = 0 if event == "with" else 1
    sides = (hits[first], counts[first], hits[1 - first], counts[1 - first])
    low = epsilon_bound(*sides, delta, confidence)
    seconds = time.perf_counter() - start
    label = table.index[[place]].tolist()[0]  # a number of Python's, as people write it
    return EpsilonAudit(low, confidence, delta, sides[::2], sides[1::2], event, label, shadows, seconds)


def epsilon_bound(hits: int, runs: int, other_hits: int, other_runs: int, delta: float, confidence: float) -> float:
    """Return a lower bound on ε from how often an event happened in two worlds, after Clopper and Pearson.

    >>> round(epsilon_bound(50, 50, 0, 50, 0.0, 0.95), 2), epsilon_bound(25, 50, 25, 50, 0.0, 0.95)
    (2.57, 0.0)
    """
    from scipy.special import betaincinv

    error = (1 - confidence) / 2
    low = float(betaincinv(hits, runs - hits + 1, error)) if hits else 0.0
    high = float(betaincinv(other_hits + 1, other_runs - other_hits, 1 - error)) if other_hits < other_runs else 1.0
    return max(log((low - delta) / high), 0.0) if low > delta else 0.0


def _telling_event(
    inside: np.ndarray, outside: np.ndarray, delta: float, confidence: float
) -> tuple[Callable[[np.ndarray], np.ndarray], str]:
    """Choose an event on runs with and without the person, by the bound that it would give; and who it speaks for."""
    centre = (inside.mean(axis=0) + outside.mean(axis=0)) / 2
    rest = np.concatenate([inside - inside.mean(axis=0), outside - outside.mean(axis=0)])
    spread = np.sqrt((rest**2).mean(axis=0) + 1e-12)
    gap, rest = (inside.mean(axis=0) - outside.mean(axis=0)) / spread, rest / spread
    weights = np.linalg.solve(rest.T @ rest / len(rest) + RIDGE * np.eye(len(gap)), gap) / spread
    one, other = ((part - centre) @ weights for part in (inside, outside))
    scores = np.unique(np.concatenate([one, other]))
    best = (-1.0, 0.0, "with")
    for threshold in (scores[1:] + scores[:-1]) / 2:
        above = int((one > threshold).sum()), len(one), int((other > threshold).sum()), len(other)
        below = above[3] - above[2], above[3], above[1] - above[0], above[1]
        best = max(best, (epsilon_bound(*above, delta, confidence), float(threshold), "with"))
        best = max(best, (epsilon_bound(*below, delta, confidence), float(threshold), "without"))
    _, threshold, event = best
    sign = 1.0 if event == "with" else -1.0
    return (lambda part: sign * ((part - centre) @ weights - threshold) > 0), event


def _features(release: Release, table: Table, place: int) -> np.ndarray:
    """Return how many rows of a release have the person's values: all rows, by column, by pair, and in every column."""
    roles = {*release.quasi, *release.sensitive, release.decision}
    shares = []
    for name, column in release.columns.items():
        if name in roles:
            code = int(table.attributes[name].recode_to(column.attribute)[table.codes(name)[place]])
            held = column.sets.contains(code) if code >= 0 else np.zeros(len(column.sets), dtype=bool)
            shares.append((held / np.maximum(column.sets.sizes, 1))[column.index])
    rows = np.column_stack(shares) if shares else np.zeros((len(release), 0))
    pairs = (rows.T @ rows)[np.triu_indices(rows.shape[1], 1)]
    return np.concatenate([[len(rows), rows.prod(axis=1).sum()], rows.sum(axis=0), pairs])


def _rarest(table: Table) -> int:
    """Return the position of the row whose values are rarest, column by column."""
    names = [name for name in table.columns if name not in table.identifiers]
    if not len(table) or not names:
        raise ValueError("the table has no rows or no columns to audit a method with")
    return int(np.argmin(sum(np.log(table.counts(name)[table.codes(name)]) for name in names)))


def _place_of(table: Table, row: Hashable) -> int:
    places = np.flatnonzero(table.index == row)
    if len(places) != 1:
        raise KeyError(f"row {row!r} is in the table {pluralize(len(places), 'time')}; give the label of one row")
    return int(places[0])
