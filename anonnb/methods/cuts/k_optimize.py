"""k-Optimize: the cheapest generalization into intervals of ordered domains, exactly (Bayardo and Agrawal 2005).

A generalization is a set of cut points; the sets form a set-enumeration tree, walked here as include or leave out, cut
by cut. The lower bounds never exceed a true cost, so pruning is exact (the survey calls it heuristic; it is not).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import group_ids
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.core.parameters.compound import Optional
from anonnb.core.parameters.constraints import SECONDS, Choice
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import Clock
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.cuts.cell_counts import CellCounts
from anonnb.methods.cuts.k_optimize_record import EnumerationRecord
from anonnb.methods.lattice.searching import SCALABLE
from anonnb.methods.promises import whole_table_misses
from anonnb.privacy import GroupCheck
from anonnb.steps.recording import listening
from anonnb.tables.release import Release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

COSTS = ("discernibility", "classification")
# Without a time limit, a search over more cuts than this is refused: it might never end.
MOST_CUTS = 64
SECONDS_TO_SEARCH = remedies.parameter("time_limit", example=5, unit="seconds")
# Without a time limit, a search with required models ends after this many nodes: its bounds use k only.
MOST_NODES = 50_000


@register
@dataclass(frozen=True)
class KOptimize(GroupMethod):
    """Find the set of cut points of least cost; classes that miss the requirement are suppressed, which costs too.

    Domains are taken in their order; for nominal columns that is the order of the hierarchy's leaves, or of the texts.

    Parameters
    ----------
    cost:
        ``"discernibility"``: the sum of the squared sizes of the classes that stay, and n for each suppressed row.
        ``"classification"``: the rows that are not of their class's majority decision, and every suppressed row.
    time_limit:
        Seconds after which the best release so far is published; ``info["bound"]`` is then a cost that no
        generalization can go below. None searches until the optimum is proved, with the limits named below.

    Notes
    -----
    The bounds know k only. With ``require`` the best set may cost far more than the bounds say, so little is pruned:
    ten cuts are searched in seconds, twenty may take hours. Such a search without a time limit stops after 50,000 nodes
    (some minutes), warns, and publishes the best it found with ``info["proved"]`` False.

    ``release.info``: cost, bound, proved, visited (nodes of the tree), suppressed, cuts (numbered through all columns
    as in the paper; 1 is the first column's first value) and intervals.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])
    >>> info = KOptimize(k=10).anonymize(table).info
    >>> info["cost"], info["proved"], info["intervals"]["Sex"]
    (1478, True, ['*'])

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Where info["proved"] is True, no set of cut points costs less: the bounds never exceed a true cost
        (Bayardo and Agrawal 2005).
    tested:
        60 random tables of up to 16 rows and three columns: cost and bound equal an exhaustive search over all sets of
        cuts, for both costs, with and without models. 12 random tables of 60 rows and two columns: the same.
    heuristic:
        With time_limit, or with required models after 50,000 nodes, the best found is published with a bound. The order
        of nominal values is taken as given; another order may cost less.
    paper:
        R. Bayardo and R. Agrawal, Data privacy through optimal k-anonymization, ICDE 2005.
    """

    cost: str = parameter(Choice(list(COSTS)), default="discernibility")
    time_limit: float | None = parameter(Optional(SECONDS), default=None)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        if self.cost == "classification" and table.decision is None:
            raise ValueError(
                Message("cost='classification' needs a decision column", advice(": ", remedies.role("decision")))
            )
        cuts = sum(table.attributes[name].size - 1 for name in table.quasi)
        if self.time_limit is None and cuts > MOST_CUTS:
            raise Infeasible(
                Message(
                    f"{len(table.quasi)} columns have {cuts} cut points, too many to prove an optimum in any time",
                    advice("; give ", SECONDS_TO_SEARCH, tail=" for the best found by then"),
                    advice("; ", *SCALABLE, tail=" scale to many columns"),
                )
            )

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        search = CutSearch(table, self)
        for _ in progress(search.steps(Clock(self.time_limit)), desc="sets of cuts"):
            pass
        if search.cuts is None:
            missed = self.group_check(table).missed_by_all()
            if missed:
                raise Infeasible(whole_table_misses(missed))
            raise Infeasible(f"{self}: no generalization into intervals has a class that satisfies the requirement")
        if search.given_up:
            warnings.warn(
                Message(
                    f"{self} stopped after {search.visited:,} nodes: the best found costs {search.best:,}, and none "
                    f"costs less than {search.bound:,}",
                    advice("; give ", SECONDS_TO_SEARCH, tail=" to search longer"),
                ),
                stacklevel=4,
            )
        return generalized(
            table,
            search.cuts,
            self,
            cost=search.best,
            bound=search.bound,
            proved=search.bound >= search.best,
            visited=search.visited,
        )


class CutSearch:
    """Branch and bound over sets of cuts; ``best`` and ``cuts`` are the best so far, ``bound`` a proved lower bound."""

    def __init__(self, table: Table, method: KOptimize):
        self.table, self.k = table, method.k
        self.best, self.visited = int(np.iinfo(np.int64).max), 0
        self.cuts: list[np.ndarray] | None = None
        self.bound, self.given_up = 0, False
        self._nodes = MOST_NODES if method.further_check(table) and method.time_limit is None else None
        self._price = _Discernibility(len(table), self.k) if method.cost == "discernibility" else _Classification()
        self._check = method.further_check(table)
        self._notes = EnumerationRecord(table) if listening() else None

    def steps(self, clock: Clock) -> Iterator[int]:
        """Search until the optimum is proved, the time is up or too many nodes are visited; yields the best so far."""
        table = self.table
        sizes = [table.attributes[name].size for name in table.quasi]
        whole = CellCounts.finest([table.codes(name) for name in table.quasi], sizes, self._price.histogram(table))
        self._seed(whole, clock)
        if self._notes is not None:
            self._notes.tell_seed(self.best, self.cuts, partial(_rows_by_interval, table))
        stack = [(0, whole)]
        while stack and not clock.is_up() and not self.given_up:
            bound, cells = stack.pop()
            if bound < self.best:
                self.visited += 1
                stack.extend(self._branches(cells))
                self.given_up = self.visited == self._nodes and any(left < self.best for left, _ in stack)
                yield self.best
            elif self._notes is not None:
                self._notes.tell_left(cells, bound, self.best)
        self.bound = min([self.best, *(bound for bound, _ in stack)])

    def _branches(self, cells: CellCounts) -> list[tuple[int, CellCounts]]:
        """Return what is left of a node after fixing all cuts that are decided: nothing, or two branches on one cut."""
        reached, bound, into, without = self._fixed(cells)
        tail = [~each for each in reached.head]
        divided = bound < self.best and any(flags.any() for flags in tail)
        branches = self._both(reached, tail, into, without) if divided else []
        if self._notes is not None:
            scores = {"with it": into, "without it": without, "score": _branching_scores(tail, into, without)}
            self._notes.tell_visit(cells, reached, bound, scores, branches, self.best, self.cuts)
        return branches

    def _fixed(self, cells: CellCounts) -> tuple[CellCounts, int, list[np.ndarray], list[np.ndarray]]:
        """Return a node without cuts that can only cost more, with indispensable cuts in its head; and its bounds."""
        self._offer(cells)
        while True:
            bound, into, without = self._bounds(cells)
            tail = [~each for each in cells.head]
            drop = [t & (i >= self.best) for t, i in zip(tail, into, strict=True)]
            force = [t & ~d & (w >= self.best) for t, d, w in zip(tail, drop, without, strict=True)]
            if bound >= self.best or not any(flags.any() for flags in (*drop, *force)):
                return cells, bound, into, without
            if any(flags.any() for flags in force):
                cells = cells.with_head([each | flags for each, flags in zip(cells.head, force, strict=True)])
                self._offer(cells)
            if any(flags.any() for flags in drop):
                cells = cells.without(drop)

    def _both(
        self, cells: CellCounts, tail: Sequence[np.ndarray], into: Sequence[np.ndarray], without: Sequence[np.ndarray]
    ) -> list[tuple[int, CellCounts]]:
        """Branch on the tail cut whose two bounds are highest; the more promising branch is searched first."""
        scores = _branching_scores(tail, into, without)
        column = int(np.argmax([score.max(initial=-1.0) for score in scores]))
        index = int(np.argmax(scores[column]))
        flags = [np.zeros(len(each), dtype=bool) for each in cells.cuts]
        flags[column][index] = True
        with_it = cells.with_head([each | flag for each, flag in zip(cells.head, flags, strict=True)])
        branches = [(int(into[column][index]), with_it), (int(without[column][index]), cells.without(flags))]
        return sorted(branches, key=lambda branch: -branch[0])

    def _bounds(self, cells: CellCounts) -> tuple[int, list[np.ndarray], list[np.ndarray]]:
        """A bound for all sets between head and head plus tail; and the same with each cut included, and left out.

        A row that the head suppresses stays suppressed. Any other row ends in a class that holds its cell and k rows. A
        cut that cannot help (all pieces it makes are below k) gets a bound of infinity for being included.
        """
        ids, count = cells.classes()
        sizes = cells.sizes
        alive = np.bincount(ids, weights=sizes, minlength=count)[ids] >= self.k
        lost, kept = self._price.lost(sizes), self._price.kept(cells.hist)
        bound = int(np.where(alive, kept, lost).sum())
        spare = np.where(alive, lost - kept, 0)
        into, without = [], []
        for column in range(len(cells.cuts)):
            splits = cells.splits(column, ids, count, np.stack([sizes, spare], axis=1))
            small_left, small_right = splits.left[:, 0] < self.k, splits.right[:, 0] < self.k
            more = splits.summed(small_left * splits.left[:, 1] + small_right * splits.right[:, 1])
            useful = splits.summed(~(small_left & small_right) * 1) > 0
            into.append(np.where(useful, bound + more, np.iinfo(np.int64).max))
            cut, lower, upper = cells.merges(column)
            one = alive[lower]
            merged = self._price.kept(cells.hist[lower] + cells.hist[upper]) - kept[lower] - kept[upper]
            rise = np.bincount(cut, weights=merged * one, minlength=len(cells.cuts[column]))
            without.append(bound + np.rint(rise).astype(np.int64))
        return bound, into, without

    def _offer(self, cells: CellCounts) -> None:
        """Keep the generalization that a head stands for, if it is the best so far."""
        classes = cells.head_only()
        sizes = classes.sizes
        good = sizes >= self.k
        cost = int(np.where(good, self._price.kept(classes.hist), self._price.lost(sizes)).sum())
        if cost >= self.best or not good.any():
            return
        if self._check is not None:
            groups, count = _rows_by_interval(self.table, classes.cuts)
            good = self._check.kept(groups, count)
            hist = self._price.histogram(self.table)
            hist = np.stack([np.bincount(groups, weights=h, minlength=count).astype(np.int64) for h in hist.T], axis=1)
            cost = int(np.where(good, self._price.kept(hist), self._price.lost(hist.sum(axis=1))).sum())
        if cost < self.best and good.any():
            self.best, self.cuts = cost, classes.cuts

    # ---- a good start -----------------------------------------------------------------------------------------

    def _seed(self, whole: CellCounts, clock: Clock) -> None:
        """Find a first best: add and remove single cuts as long as that helps, from no cuts and from all."""
        for start in (False, True):
            head = [np.full(len(each), start) for each in whole.cuts]
            self._offer(whole.with_head(head))
            while not clock.is_up():
                moves = [self._gain_of_adding(whole, head), self._gain_of_removing(whole, head)]
                gains = [np.minimum(a, r) for a, r in zip(*moves, strict=True)]
                column = int(np.argmin([gain.min(initial=0) for gain in gains]))
                if gains[column].min(initial=0) >= 0:
                    break
                index = int(np.argmin(gains[column]))
                if self._notes is not None:
                    rows = partial(_rows_by_interval, self.table)
                    self._notes.tell_move(whole, head, gains, column, index, rows)
                head[column][index] ^= True
            self._offer(whole.with_head(head))

    def _gain_of_adding(self, whole: CellCounts, head: list[np.ndarray]) -> list[np.ndarray]:
        cells = whole.with_head(head)
        ids, count = cells.classes()
        changes = []
        for column, each in enumerate(head):
            splits = cells.splits(column, ids, count, cells.hist)
            change = self._true(splits.left) + self._true(splits.right) - self._true(splits.whole)
            changes.append(np.where(each, 0, splits.summed(change)))
        return changes

    def _gain_of_removing(self, whole: CellCounts, head: list[np.ndarray]) -> list[np.ndarray]:
        classes = whole.with_head(head).head_only()
        changes = []
        for column, each in enumerate(head):
            cut, lower, upper = classes.merges(column)
            one, two = classes.hist[lower], classes.hist[upper]
            change = self._true(one + two) - self._true(one) - self._true(two)
            gain = np.zeros(len(each), dtype=np.int64)
            gain[each] = np.rint(np.bincount(cut, weights=change, minlength=int(each.sum())))
            changes.append(gain)
        return changes

    def _true(self, hist: np.ndarray) -> np.ndarray:
        """Return the cost of classes as k-anonymity alone prices them."""
        sizes = hist.sum(axis=1)
        return np.where(sizes >= self.k, self._price.kept(hist), self._price.lost(sizes))


def _branching_scores(
    tail: Sequence[np.ndarray], into: Sequence[np.ndarray], without: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Return for each cut of the tail the lower of its two bounds, ties by the higher one; -1 for other cuts."""
    return [
        np.where(flags, np.minimum(i, w) * 1.0 + 1e-3 * np.maximum(i, w), -1.0)
        for flags, i, w in zip(tail, into, without, strict=True)
    ]


class _Discernibility:
    def __init__(self, n_rows: int, k: int):
        self._n_rows, self._k = n_rows, k

    def histogram(self, table: Table) -> np.ndarray:
        return np.ones((len(table), 1), dtype=np.int64)

    def kept(self, hist: np.ndarray) -> np.ndarray:
        """|E|², or for a part of a class the least its rows can pay: k each."""
        return hist[:, 0] * np.maximum(hist[:, 0], self._k)

    def lost(self, sizes: np.ndarray) -> np.ndarray:
        return sizes * self._n_rows


class _Classification:
    def histogram(self, table: Table) -> np.ndarray:
        decision = required_decision(table)
        return np.eye(table.attributes[decision].size, dtype=np.int64)[table.codes(decision)]

    def kept(self, hist: np.ndarray) -> np.ndarray:
        """Rows outside the majority decision; a part of a class has no more of them than its share of the whole."""
        return hist.sum(axis=1) - hist.max(axis=1)

    def lost(self, sizes: np.ndarray) -> np.ndarray:
        return sizes


# ---- from cuts to a release -------------------------------------------------------------------------------------


def generalized(table: Table, cuts: list[np.ndarray], method: GroupMethod, **info: Any) -> Release:
    """Make the release of a set of cuts; classes that miss the requirement are suppressed.

    Parameters
    ----------
    cuts:
        For each quasi-identifier, the codes at which a further interval starts; none make it one interval.
    method:
        Whose ``k`` and ``require`` every published class must satisfy.
    info:
        What the release's ``info`` is to hold.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 25, 30, 60]}), quasi=["age"])
    >>> generalized(table, [np.array([2])], KOptimize(k=2)).frame["age"].tolist()
    ['[20–25]', '[20–25]', '[30–60]', '[30–60]']
    """
    groups, count = _rows_by_interval(table, cuts)
    rows = np.flatnonzero(GroupCheck(table, method.k, method.require).kept(groups, count)[groups])
    columns, intervals = {}, {}
    for name, each in zip(table.quasi, cuts, strict=True):
        attribute = table.attributes[name]
        interval = np.searchsorted(each, np.arange(attribute.size), side="right")
        sets = ValueSets.from_partition(attribute, interval)
        columns[name], intervals[name] = Column(sets, interval[table.codes(name)[rows]]), list(sets.labels)
    offsets = np.cumsum([0, *(table.attributes[name].size for name in table.quasi)])
    numbers = [int(cut + offset + 1) for each, offset in zip(cuts, offsets, strict=False) for cut in each]
    facts = {"cuts": numbers, "intervals": intervals, "suppressed": len(table) - len(rows)}
    return Release(table, columns, rows, method=method, info={**info, **facts})


def _rows_by_interval(table: Table, cuts: list[np.ndarray]) -> tuple[np.ndarray, int]:
    blocks = [
        np.searchsorted(each, table.codes(name), side="right") for name, each in zip(table.quasi, cuts, strict=True)
    ]
    return group_ids(blocks, [len(each) + 1 for each in cuts])
