"""Incognito: every k-anonymous node of the lattice, subset by subset (LeFevre, DeWitt and Ramakrishnan 2005).

A table that is not k-anonymous on some of the columns is not k-anonymous on all of them, suppression included: classes
on fewer columns are larger. Candidates for more columns are joined from the survivors on fewer, then checked from the
bottom up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Function, OneOf
from anonnb.core.parameters.constraints import Text
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import Clock
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.lattice.frequencies import FAILS, PASSES, UNKNOWN, Best, Node, at_or_above
from anonnb.methods.lattice.lattice_view import LatticeView
from anonnb.methods.lattice.losses import FAST, Measure, measure_named
from anonnb.methods.lattice.searching import MOST_NODES, LatticeMethod, Search, something_smaller
from anonnb.privacy.base import Minimality
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class Incognito(LatticeMethod):
    """Find all nodes that pass, the minimal ones among them, and publish the one that loses least.

    Parameters
    ----------
    choose:
        What is minimized among the passing nodes: a measure of :mod:`anonnb.utility` by name, or a function of table
        and release. ``"ncp"``, ``"discernibility"`` and ``"precision"`` are computed from the frequency sets; any other
        measure is computed on the release of every passing node, which takes a while on large lattices.

    Notes
    -----
    ``release.info``: node, suppressed, measure, loss, passing, minimal, subsets (what was checked for which columns),
    checked.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])
    >>> info = Incognito(k=12).anonymize(table).info
    >>> info["passing"], info["minimal"]
    ([(0, 1), (1, 1), (2, 1)], [(0, 1)])

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. All passing and all minimal nodes are found: a node that fails on some of its columns fails on all
        of them, with suppression too (LeFevre et al. 2005).
    tested:
        60 random tables of up to 14 rows and three columns: passing nodes, minimal nodes and the least discernibility
        equal those of a full scan of the lattice. On Adult at k = 10 the node is the one that FullDomain proves.
    heuristic:
        Nothing in the search. Where the subsets of the columns have more than 2,097,152 nodes together, it refuses.
    paper:
        K. LeFevre, D. DeWitt and R. Ramakrishnan, Incognito: efficient full-domain k-anonymity, SIGMOD 2005.
    """

    choose: str | Callable[[Table, Release], float] = parameter(
        OneOf(Text("the name of a measure"), Function()), default="ncp"
    )

    def _check_parameters(self) -> None:
        if isinstance(self.choose, str) and self.choose not in FAST:
            measure_named(self.choose)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        search = Search(table, self)
        work = math.prod(height + 2 for height in search.lattice.heights)
        if work > MOST_NODES:
            search_less = remedies.method("FullDomain", remedies.parameter("time_limit", example=5))
            raise Infeasible(
                Message(
                    f"the subsets of {len(table.quasi)} columns have {work:,} nodes together, more than the "
                    f"{MOST_NODES:,} that Incognito decides",
                    advice("; ", search_less, tail=" finds one good node"),
                    something_smaller("; "),
                )
            )
        subsets = decide_by_subsets(search, progress)
        self._check_models(search)
        checked, passing, minimal = list(search.order), search.passing(), search.minimal()
        best = self._best(search, passing) if passing else None
        if best is None:
            raise search.infeasible(self)
        name = self.choose if isinstance(self.choose, str) else getattr(self.choose, "__name__", "a function")
        facts = {"measure": name, "loss": best.loss, "passing": passing, "minimal": minimal, "subsets": subsets}
        return search.release(best.verdict, self, **facts, checked=checked)

    def minimality(self, release: Release) -> Minimality | None:
        return self._least_loss(release, self.choose if isinstance(self.choose, str) else "")

    def _check_models(self, search: Search) -> None:
        """Check the remaining nodes for what is required beyond k; the subsets decided about k."""
        if self.further_check(search.table) is None:
            return
        search.state[search.state == PASSES] = UNKNOWN
        if search.predictive:
            search.decide(Clock())
        search.settle(search.lattice)

    def _best(self, search: Search, passing: list[Node]) -> Best | None:
        chosen = self.choose
        if isinstance(chosen, str) and chosen in FAST:
            return search.best(FAST[chosen](search.table, search.frequencies, self.k), Clock())
        measure: Measure = measure_named(chosen) if isinstance(chosen, str) else chosen
        best = None
        for node in passing:
            verdict = search.verdict(node)
            loss = float(measure(search.table, search.release(verdict, self)))
            if listening():
                before = None if best is None else (best.verdict.node, best.loss)
                search.view.tell_loss(node, search.state, loss=loss, best=before, among=None)
            if best is None or loss < best.loss:
                best = Best(verdict, loss, loss)
        return best


def decide_by_subsets(search: Search, progress: Progress) -> list[dict]:
    """Tag every node of the lattice by its counts; returns one record per subset of the columns."""
    width = len(search.lattice.heights)
    alive: dict[tuple[int, ...], np.ndarray] = {(): np.ones((), dtype=bool)}
    records = []
    subsets = [columns for size in range(1, width + 1) for columns in combinations(range(width), size)]
    for columns in progress(subsets, desc="subsets"):
        candidates = _joined(alive, columns, search.frequencies.shape)
        passing, checked = _breadth_first(search, columns, candidates)
        alive[columns] = passing
        records.append(
            {
                "columns": tuple(search.frequencies.names[column] for column in columns),
                "candidates": int(candidates.sum()),
                "checked": len(checked),
                "passing": int(passing.sum()),
            }
        )
    search.state[...] = np.where(alive[tuple(range(width))], PASSES, FAILS)
    search.order.extend(checked)
    return records


def _joined(alive: dict[tuple[int, ...], np.ndarray], columns: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
    """Return the nodes over these columns whose projections on one column fewer all survived."""
    candidates = np.ones([shape[column] for column in columns], dtype=bool)
    for axis in range(len(columns)):
        candidates &= np.expand_dims(alive[columns[:axis] + columns[axis + 1 :]], axis)
    return candidates


def _breadth_first(
    search: Search, columns: tuple[int, ...], candidates: np.ndarray
) -> tuple[np.ndarray, list[tuple[Node, bool]]]:
    """Check candidates from the bottom up; a node that passes settles all its generalizations."""
    passing = np.zeros_like(candidates)
    checked = []
    nodes = np.argwhere(candidates)
    notes = SubsetRecord(search, columns, candidates) if listening() else None
    for levels in nodes[np.argsort(nodes.sum(axis=1), kind="stable")].tolist():
        if passing[tuple(levels)]:
            continue
        node = [height + 1 for height in search.lattice.heights]  # one above the top: the column is left out
        for column, level in zip(columns, levels, strict=True):
            node[column] = level
        below = search.counts(tuple(node))[1]
        holds = below <= search.limit
        checked.append((tuple(levels), holds))
        if holds:
            passing[at_or_above(tuple(levels))] = True
        if notes is not None:
            notes.tell(tuple(levels), below, passing)
    return passing, checked


class SubsetRecord:
    """Records the checks on some of the columns: nodes that are no candidates were pruned by fewer columns."""

    def __init__(self, search: Search, places: tuple[int, ...], candidates: np.ndarray):
        names = [search.frequencies.names[index] for index in places]
        self._view, self._limit = LatticeView(names, [search.lattice.heights[index] for index in places]), search.limit
        self._known = np.where(candidates, UNKNOWN, FAILS)
        kept, size = int(candidates.sum()), candidates.size
        every = "both nodes" if size == 2 else f"all {size:,} nodes"
        if len(places) == 1:
            sentence = f"A single column has no smaller part, so {every} may pass."
        elif kept < size:
            has = "contains a part that fails" if size - kept == 1 else "contain a part that fails"
            sentence = f"{pluralize(size - kept, 'node')} {has} on fewer columns. The other {kept:,} may still pass."
        else:
            sentence = f"No part on fewer columns fails, so {every} may pass."
        note(
            f"Candidates on {', '.join(map(str, names))}",
            sentence,
            lambda: self._view.state(self._known),
        )

    def tell(self, node: Node, below: int, passing: np.ndarray) -> None:
        """A node was checked; ``passing`` are the nodes that pass now."""
        before, view = self._known, self._view
        self._known = np.where(passing & (before == UNKNOWN), PASSES, before)
        if below > self._limit:
            self._known[node] = FAILS
        decided = int((self._known != before).sum())
        view.tell_check(
            node, self._known, rows=below, limit=self._limit, decided=decided, among=lambda: _undecided(view, before)
        )


def _undecided(view: LatticeView, known: np.ndarray) -> pd.DataFrame:
    """Return the undecided nodes, in the order in which they are checked."""
    return view.waiting(sorted(map(tuple, np.argwhere(known == UNKNOWN).tolist()), key=sum))
