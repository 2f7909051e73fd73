"""The search that full-domain methods share: one hierarchy level per column, small classes suppressed (Samarati 2001).

A node of the lattice passes when the rows in classes that miss the requirement number at most ``max_suppressed``. For
k-anonymity that number never grows upward, so one check decides whole parts of the lattice (predictive tagging).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Advice, Infeasible, Message, advice
from anonnb.core.parameters.compound import OneOf
from anonnb.core.parameters.constraints import Number, Whole
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import Clock, steps, ticks
from anonnb.methods.base import GroupMethod
from anonnb.methods.lattice.frequencies import (
    FAILS,
    PASSES,
    UNKNOWN,
    Best,
    Frequencies,
    FrequencySet,
    Node,
    Verdict,
    at_or_above,
    at_or_below,
)
from anonnb.methods.lattice.lattice_view import LatticeView
from anonnb.methods.lattice.losses import FAST, Loss
from anonnb.methods.lattice.monotone import is_monotone
from anonnb.methods.promises import whole_table_misses
from anonnb.privacy.base import Minimality
from anonnb.steps.recording import listening
from anonnb.tables.labels import HIDDEN_LABELS
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

MOST_NODES = 2**21
SCALABLE = tuple(remedies.method(name) for name in ("Mondrian", "TopDown", "OKA"))


class Search:
    """The lattice of a table and what is known of its nodes.

    ``state`` is an array over the lattice. Where a requirement is not monotone, only its k-anonymous part is used for
    tagging: ``predictive`` is False, and ``settle`` then checks every node that is left.
    """

    def __init__(self, table: Table, method: LatticeMethod):
        check_lattice_size(table, method)
        self.table, self.k = table, method.k
        self.limit = suppression_limit(method.max_suppressed, len(table))
        self.frequencies = Frequencies(table)
        self.lattice = self.frequencies.lattice
        self.state = np.zeros(self.frequencies.shape, dtype=np.int8)
        self.order: list[tuple[Node, bool]] = []
        self.predictive = all(is_monotone(model, suppressing=self.limit > 0, table=table) for model in method.require)
        self._check = method.further_check(table)

    # ---- one node ---------------------------------------------------------------------------------------------

    def counts(self, node: Node) -> tuple[FrequencySet, int]:
        """Return the frequency set of a node and the rows in its classes below k."""
        frequencies = self.frequencies.at(node)
        return frequencies, int(frequencies.counts[frequencies.counts < self.k].sum())

    def verdict(self, node: Node) -> Verdict:
        """Check a node in full; nothing is tagged."""
        frequencies, below = self.counts(node)
        bad = frequencies.counts < self.k
        if self._check is None or below > self.limit:
            return Verdict(frequencies, bad, below, below <= self.limit)
        groups, n_groups = self.frequencies.classes_of_rows(node)
        frequencies = self.frequencies.in_order_of(groups, n_groups, node)
        bad = ~self._check.kept(groups, n_groups)
        suppressed = int(frequencies.counts[bad].sum())
        return Verdict(frequencies, bad, suppressed, suppressed <= self.limit)

    @cached_property
    def view(self) -> LatticeView:
        """The lattice as steps show it."""
        return LatticeView(self.frequencies.names, self.lattice.heights)

    def check(self, node: Node, among: Callable[[], pd.DataFrame] | None = None) -> Verdict:
        """Check a node and tag all nodes that this decides; ``among`` gives those that could have been checked."""
        before = self.state.copy() if listening() else None
        verdict = self._tagged(node)
        if before is not None:
            decided, rows = int((self.state != before).sum()), verdict.suppressed
            self.view.tell_check(node, self.state, rows=rows, limit=self.limit, decided=decided, among=among)
        return verdict

    def _tagged(self, node: Node) -> Verdict:
        verdict = self.verdict(node)
        self.order.append((node, verdict.passes))
        by_count = int(verdict.found.counts[verdict.found.counts < self.k].sum()) > self.limit
        if by_count or (not verdict.passes and self.predictive):
            self.state[at_or_below(node)] = FAILS
        elif verdict.passes and self.predictive:
            self.state[at_or_above(node)] = PASSES
        else:
            self.state[node] = PASSES if verdict.passes else FAILS
        return verdict

    def passes(self, node: Node) -> bool:
        """Return whether a node passes, by its tag or by a check."""
        if self.state[node] == UNKNOWN:
            self.check(node)
        return bool(self.state[node] == PASSES)

    def look_ahead(self, node: Node) -> None:
        """After a node failed, find the highest failing node of a chain above it: that one fails far more nodes."""
        if self.predictive and (above := self._path(node)[1:]):
            self._bisect(above)

    # ---- many nodes -------------------------------------------------------------------------------------------

    def decide(self, clock: Clock) -> None:
        """Tag every node, by binary search along paths from the bottom up (Kohlmayer et al. 2012).

        Where the requirement is not monotone, nodes that their counts do not refute stay unknown.
        """
        if not self.predictive:
            return self._refute(clock)
        for node in ticks(self.lattice, "nodes"):
            if self.state[node] == UNKNOWN:
                self._bisect(self._path(node))
            if clock.is_up():
                break

    def _refute(self, clock: Clock) -> None:
        """Tag the nodes that have too many rows in classes below k; those that do not stay unknown."""
        enough = np.zeros_like(self.state)

        def test(node: Node) -> bool:
            below = self.counts(node)[1]
            if below > self.limit:
                open_nodes = self.state[at_or_below(node)] == UNKNOWN
                self.state[at_or_below(node)] = FAILS
                if listening():
                    self.view.tell_check(node, self.state, rows=below, limit=self.limit, decided=int(open_nodes.sum()))
                return False
            enough[at_or_above(node)] = 1
            return True

        for node in ticks(self.lattice, "nodes"):
            if self.state[node] == UNKNOWN and not enough[node]:
                self._bisect(self._path(node, enough), test)
            if clock.is_up():
                return

    def _path(self, node: Node, known: np.ndarray | None = None) -> list[Node]:
        """Return a chain of undecided nodes upward, each time by the first column that can still go up."""
        known = self.state if known is None else known
        path = [node]
        while True:
            above = [n for n in self.lattice.successors(path[-1]) if known[n] == UNKNOWN == self.state[n]]
            if not above:
                return path
            path.append(above[0])

    def _bisect(self, path: list[Node], test: Callable[[Node], bool] | None = None) -> None:
        """Find the lowest node of a chain that passes a test; by default a check, which tags."""
        low, high = 0, len(path)
        while low < high:
            middle = (low + high) // 2
            around = partial(self.view.chain, path, low, high) if listening() else None
            if self.check(path[middle], around).passes if test is None else test(path[middle]):
                high = middle
            else:
                low = middle + 1

    def settle(self, nodes: Iterable[Node]) -> None:
        """Check those of the nodes that are still unknown."""
        for node in ticks(nodes, "nodes"):
            self.passes(node)

    def passing(self) -> list[Node]:
        """Return the nodes known to pass, by height and then in order of their levels."""
        nodes = [tuple(int(level) for level in node) for node in np.argwhere(self.state == PASSES)]
        return sorted(nodes, key=lambda node: (sum(node), node))

    def minimal(self) -> list[Node]:
        """Return the passing nodes with no passing node below them (anywhere below, not one step only)."""
        covered = np.zeros_like(self.state, dtype=bool)
        result = []
        for node in self.passing():
            if not covered[node]:
                result.append(node)
                covered[at_or_above(node)] = True
        return result

    # ---- the best node ----------------------------------------------------------------------------------------

    def best(self, loss: Loss, clock: Clock) -> Best | None:
        """Return the passing node of least loss, best-first by lower bounds; None when no node passes.

        Ties go to the node with the lower bound, then to the smaller levels of the first columns; the top loses them.
        """
        best, target, floors, counted = None, np.inf, loss.floors(), steps("nodes")
        pending = self.state != FAILS
        node: Node = self.lattice.top  # always, so that there is an answer to fall back on when time runs out
        while pending.any() and floors[node] < target:
            next(counted)
            if node != self.lattice.top and clock.is_up():
                break
            known, verdict = self.state[node], self._tagged(node)
            cost = loss.of(verdict.found, verdict.bad) if verdict.passes else None
            if listening():
                self._record_loss(verdict, cost, best, floors, pending & (self.state == PASSES) if known else pending)
            pending[node] = False
            pending &= self.state != FAILS
            above = at_or_above(node)
            floors[above] = np.maximum(floors[above], loss.floor(verdict.found))
            if cost is not None and cost < target:
                best, target = Best(verdict, cost), cost if node != self.lattice.top else np.nextafter(cost, np.inf)
            sure = _lowest(floors, pending & (self.state == PASSES), target)
            node = sure if sure is not None else _lowest(floors, pending) or self.lattice.top
        if best is None and pending.any():
            raise Infeasible(
                Message("the time limit ran out before a passing node was found; raise it", something_smaller(", or: "))
            )
        if best is not None:
            rest = float(np.min(floors[pending], initial=np.inf))
            best = Best(best.verdict, best.loss, min(best.loss, rest))
            if listening():
                self.view.tell_end(self.state, best.verdict.node, best.loss, floors, pending)
        return best

    def _record_loss(
        self, verdict: Verdict, cost: float | None, best: Best | None, floors: np.ndarray, among: np.ndarray
    ) -> None:
        node = verdict.node
        self.view.rows[node] = verdict.suppressed
        before = None if best is None else (best.verdict.node, best.loss)
        others = None if node == self.lattice.top else partial(self.view.by_bound, floors, among)
        self.view.tell_loss(node, self.state, loss=cost, best=before, among=others)

    def infeasible(self, method: LatticeMethod) -> Infeasible:
        """Return the error for a lattice without a passing node, with the rows the top would suppress."""
        fewest = self.verdict(self.lattice.top).suppressed
        if missed := method.group_check(self.table).missed_by_all():
            may = "; or raise max_suppressed" if self.limit else ""
            return Infeasible(f"{whole_table_misses(missed)}{may}", best=fewest)
        limited = [name for name in self.table.quasi if name in self.table.limits]
        higher = f"the limits of {', '.join(limited)}" if limited else "add a top level to the hierarchies"
        return Infeasible(
            f"{method}: no node of the lattice passes; the most general one would suppress {fewest} of "
            f"{len(self.table)} rows, {self.limit} are allowed; raise max_suppressed or {higher}",
            best=fewest,
        )

    def release(self, verdict: Verdict, method: LatticeMethod, **info: Any) -> Release:
        """Return the table generalized to a node, without the rows of the classes that miss the requirement."""
        groups, n_groups = self.frequencies.classes_of_rows(verdict.node)
        sizes = np.bincount(groups, minlength=n_groups)
        good = sizes >= self.k if self._check is None else self._check.kept(groups, n_groups)
        rows = np.flatnonzero(good[groups])
        columns = {
            name: Column.generalized(self.table.attributes[name], self.table.codes(name)[rows], level)
            for name, level in zip(self.frequencies.names, verdict.node, strict=True)
        }
        if len(rows) and all(HIDDEN_LABELS.issuperset(column.texts()) for column in columns.values()):
            _warn_of_stars(method, list(columns))
        facts = {
            "node": self.named(verdict.node),
            "suppressed": len(self.table) - len(rows),
            "lattice": self.lattice.size,
            "checked": self.order,
            "state": self.state.copy(),
        }
        return Release(self.table, columns, rows, method=method, info={**facts, **info})

    def named(self, node: Node) -> dict[str, int]:
        """Return a node as levels by column."""
        return dict(zip(self.frequencies.names, node, strict=True))


def _warn_of_stars(method: LatticeMethod, names: list[str]) -> None:
    """Warn of a release of stars: it meets every k, and is easily mistaken for a success."""
    allow = remedies.parameter("max_suppressed", words="a greater max_suppressed", example=0.05)
    help_it = advice("; a smaller k would help, or ", allow, otherwise="; a smaller k would help")
    warnings.warn(
        Message(
            f"{method}: every cell of {', '.join(map(str, names))} is *: no lower levels meet the requirement", help_it
        ),
        stacklevel=4,
    )


SUPPRESSED = OneOf(
    Whole(at_least=0, called="a number of rows (0, 1, 2, …)"),
    Number(at_least=0, below=1, called="a share below 1 (0.05)"),
)


@dataclass(frozen=True)
class LatticeMethod(GroupMethod):
    """Base of the full-domain methods: one hierarchy level for each column, chosen for the whole table.

    Parameters
    ----------
    max_suppressed:
        How many rows may be suppressed, those of classes that miss the requirement: a number of rows, or a share of
        them below 1. At least one row is always published. The default, 5 %, is a choice for data in use, where a few
        unusual rows would otherwise blur all others; the definitions of the papers need an explicit number, often 0.
    """

    uses_hierarchies: ClassVar[bool] = True
    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "levels"
    rows_in_seconds: ClassVar[int] = 1_000_000

    max_suppressed: int | float = parameter(SUPPRESSED, default=0.05)

    def told(self, release: Release) -> list[str]:
        """Name the levels that were chosen, and what they minimize.

        >>> import anonnb
        >>> from anonnb.methods import FullDomain
        >>> for sentence in FullDomain(k=4).anonymize(anonnb.load("survey")).told():
        ...     print(sentence)
        levels (0 is the value itself): Marital_status 1 of 2, Sex 0 of 1, Hours 0 of 2
        minimized: ncp
        """
        info, attributes = release.info, release.table.attributes
        levels = [f"{name} {level} of {attributes[name].levels.height}" for name, level in info["node"].items()]
        return [f"levels (0 is the value itself): {', '.join(levels)}", f"minimized: {info['measure']}"]

    def _one_level_lower_fails(self, release: Release) -> Minimality | None:
        """Return what holds where no node below the chosen one passes; None for a part of a release."""
        if release.n_suppressed != release.info.get("suppressed"):
            return None
        limit = suppression_limit(self.max_suppressed, len(release.table))
        return Minimality("column", self.k, limit - release.n_suppressed)

    def _least_loss(self, release: Release, measure: str) -> Minimality | None:
        """The same where the node of least loss was chosen among all: suppressed rows may make a finer one costlier.

        Finer nodes are checked first and win ties.
        """
        if suppression_limit(self.max_suppressed, len(release.table)) or measure not in FAST:
            return None
        return self._one_level_lower_fails(release)


# ---- requirements -----------------------------------------------------------------------------------------------


def suppression_limit(max_suppressed: int | float, n_rows: int) -> int:
    """Return a number of rows from a number or a share; at least one row must stay.

    >>> suppression_limit(0.05, 1000), suppression_limit(7, 1000), suppression_limit(9, 5)
    (50, 7, 4)
    """
    rows = max_suppressed if isinstance(max_suppressed, int) else max_suppressed * n_rows + 1e-9
    return min(int(rows), n_rows - 1)


def something_smaller(lead: str) -> Advice:
    """Return what to do when a lattice is too large to search."""
    fewer = "give fewer columns or lower hierarchies"
    return advice(lead, *SCALABLE, tail=f" scale to many columns; or {fewer}", otherwise=f"{lead}{fewer}")


def _lowest(floors: np.ndarray, among: np.ndarray, below: float = np.inf) -> Node | None:
    """Return the node of the lowest floor among some, None unless that is less than ``below``."""
    flat = int(np.where(among, floors, np.inf).argmin())
    if not floors.flat[flat] < below or not among.flat[flat]:
        return None
    return tuple(int(level) for level in np.unravel_index(flat, floors.shape))


def check_lattice_size(table: Table, method: GroupMethod) -> None:
    """Refuse a table whose lattice has more nodes than a method can go through."""
    size = math.prod(table.attributes[name].usable.height + 1 for name in table.quasi)
    if size > MOST_NODES:
        raise Infeasible(
            Message(
                f"the lattice of {len(table.quasi)} columns has {size:,} nodes, more than the {MOST_NODES:,} that "
                f"{type(method).__name__} searches",
                something_smaller("; "),
            )
        )
