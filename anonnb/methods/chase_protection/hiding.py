"""Which cells to hide: the fewest that keep each object's closure from the secret, then those that Chase asks for.

Chase itself is run on what would be published, and one more cell is hidden in each row that leaks, until none does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows
from anonnb.core.progress import steps
from anonnb.methods.chase_protection.scikd import hide_least
from anonnb.rules.incomplete.chase import ChaseResult, ChaseState, run
from anonnb.rules.incomplete.knowledge import Knowledge, ready
from anonnb.rules.induction.rule import Rule
from anonnb.steps.recording import note
from anonnb.tables.incomplete_table import IncompleteTable


@dataclass(frozen=True)
class Together:
    """Rows of one class hide these columns together, so that they still read alike."""

    groups: np.ndarray
    n_groups: int
    names: tuple[str, ...]

    def spread(self, cells: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Hide in each class what any of its rows hides, in the columns that must stay alike."""
        columns = [names.index(name) for name in self.names]
        union = np.zeros((self.n_groups, len(columns)), dtype=bool)
        np.logical_or.at(union, self.groups, cells[:, columns])
        cells = cells.copy()
        cells[:, columns] = union[self.groups]
        return cells


@dataclass(frozen=True, eq=False)
class Hiding:
    """Which cells to hide besides the secret (rows × attributes): ``cells``.

    ``extra`` are those of them that only the run of Chase asked for.
    """

    names: tuple[str, ...]
    cells: np.ndarray
    extra: np.ndarray
    objects: int
    seconds: float

    def summary(self) -> dict:
        """Return what the release's ``info`` says about it."""
        counts = {"cells": self.cells.sum(axis=0), "extra": self.extra.sum(axis=0)}
        return {
            "cells": int(self.cells.sum()),
            "extra": int(self.extra.sum()),
            "objects": self.objects,
            "seconds_per_object": self.seconds / max(self.objects, 1),
            "attributes": pd.DataFrame(counts, index=list(self.names)),
        }


def protect(
    system: IncompleteTable,
    rules: Iterable[Rule],
    secret: Sequence[str],
    threshold: float = 0.2,
    *,
    against: str = "every",
    together: Together | None = None,
) -> Hiding:
    """Find the cells of an incomplete table to hide, so that neither closure nor Chase reaches the secret columns.

    The secret columns are not hidden in ``system`` yet; the rows of ``together`` hide the same cells.

    >>> from anonnb.rules import implies
    >>> from anonnb import Table
    >>> table = Table(pd.DataFrame({"job": ["judge", "cook"], "pay": ["high", "low"]}))
    >>> system = IncompleteTable.of(table)
    >>> rules = [implies({"job": "judge"}, {"pay": "high"})]
    >>> protect(system, rules, ["pay"]).cells.tolist()
    [[True, False], [False, False]]
    """
    start = time.perf_counter()
    rules = tuple(rules)
    secret = [secret] if isinstance(secret, str) else list(secret)
    system = ready(system, rules, threshold)
    knowledge = Knowledge.of(rules, system)
    names = list(knowledge.names)
    secret_places = [names.index(name) for name in secret]
    of_secret = np.isin(knowledge.owner, secret_places)
    weights = knowledge.weights(system)
    targets = np.broadcast_to(of_secret, weights.shape) & (True if against == "every" else weights > 0)
    visible = np.where(of_secret, 0, weights)
    first, line = distinct_rows(np.column_stack([visible, targets]))
    hidden, objects = hide_least(knowledge, visible[first], targets[first], threshold)
    cells = hidden[line]
    cells = cells if together is None else together.spread(cells, names)
    sure = _verified(knowledge, system.hide(secret), cells, targets, threshold, together)
    note(
        "Run Chase",
        f"Chase is run on what would be published; it asks for {int((sure & ~cells).sum()):,} cells in addition to the "
        f"{int(cells.sum()):,} that the closures need.",
        lambda: pd.DataFrame({"cells hidden": sure.sum(axis=0)}, index=names),
    )
    return Hiding(knowledge.names, sure, sure & ~cells, objects, time.perf_counter() - start)


def _verified(
    knowledge: Knowledge,
    system: IncompleteTable,
    cells: np.ndarray,
    targets: np.ndarray,
    threshold: float,
    together: Together | None,
) -> np.ndarray:
    """Run Chase, with and without scaled votes, and hide one more cell in each row that leaks, until none does.

    A row that did not leak is looked at again only when it hides more than it did then.
    """
    start, counted = ChaseState.of(system, knowledge), steps("rounds of Chase")
    every = np.ones(len(cells), dtype=bool)
    open_rows = {True: every, False: every.copy()}
    while any(rows.any() for rows in open_rows.values()):
        next(counted)
        for normalize in (True, False):
            rows, open_rows[normalize] = np.flatnonzero(open_rows[normalize]), np.zeros(len(cells), dtype=bool)
            state = start.hide(cells, knowledge.owner, rows)
            result = ChaseResult(system, knowledge, state, *run(knowledge, state, threshold, normalize))
            leaks = (result.final[state.line] > 0) & targets[rows]
            leaking = np.flatnonzero(leaks.any(axis=1))
            before, cells = cells, cells.copy()
            _, indices = np.unique(state.line[leaking], return_index=True)
            for first in leaking[indices]:
                alike = leaking[state.line[leaking] == state.line[first]]
                cells[rows[alike], _weak_link(result, int(state.line[first]), leaks[first])] = True
            cells = cells if together is None else together.spread(cells, list(knowledge.names))
            changed = (cells != before).any(axis=1)
            open_rows = {mode: mask | changed for mode, mask in open_rows.items()}
    return cells


def _weak_link(result: ChaseResult, line: int, leaking: np.ndarray) -> int:
    """Choose among the visible cells behind a leak the one whose values the fewest rules name; ties: the last."""
    knowledge = result.knowledge
    sources = sorted({s for a in np.unique(knowledge.owner[leaking]) for s in result.sources(line, int(a))})
    mentions = knowledge.mentions * (result.start.weights[line] > 0)
    return min(reversed(sources), key=lambda number: mentions[knowledge.owner == number].sum())
