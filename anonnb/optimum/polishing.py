"""Polishing: groups of rows improved by local search on their exact price (NCP), every promise kept.

Rows move to and swap with cheaper groups, and neighbouring groups are rebuilt, as long as the total loss falls. Where
more is required of a group than k rows, every group changes at most once per pass; then all groups are checked at once,
and changes with a group that fails are undone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_ids
from anonnb.core.progress import ticks
from anonnb.optimum._boxes import PricedRows, RowLists, begin, make_boxes
from anonnb.optimum._polish import make_hosts, make_neighbours, move_rows, rebuild
from anonnb.optimum.prices import Prices, refuse_limits
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

Check = Callable[[np.ndarray, int, np.ndarray], np.ndarray]

SMALL = 5_000  # rows up to which the search continues until it finds nothing more
ROUNDS = 20  # at most, of a small table; a larger one has a single round of two and three passes
FEW = 50  # a pass that changes fewer than one in this many groups is the last of its kind in a round
NEAR = 3  # neighbours that a group is rebuilt with
BLOCK = 40_000  # rows that are searched together: past it the time of a pass would grow with the square
PAIRS = 5_000  # groups up to which the least prices between all pairs are kept: 100 MB
MOST = 4  # groups of up to this many times k rows are rebuilt


def polish(table: Table, groups: np.ndarray, k: int, check: Check | None = None) -> tuple[np.ndarray, int]:
    """Improve groups without losing more: rows move, swap and are regrouped as long as the total loss falls.

    Columns count with their weights.

    Parameters
    ----------
    k:
        Every group keeps at least this many rows.
    check:
        ``check(groups, n_groups, rows)`` flags the groups that meet what else is required; groups that do at first
        still do in the end.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 21, 60, 61, 22, 62]}), quasi=["age"])
    >>> polish(table, np.array([0, 0, 0, 1, 1, 1]), 3)[0].tolist()
    [0, 0, 1, 1, 0, 1]
    """
    refuse_limits(table)
    if len(groups) != len(table):
        raise ValueError(f"groups has {len(groups):,} entries for {len(table):,} rows; give one for each row")
    return polished(table, pd.factorize(np.asarray(groups))[0], k, check)  # whatever names the groups have


def polished(table: Table, groups: np.ndarray, k: int, check: Check | None = None) -> tuple[np.ndarray, int]:
    """Polish whatever the limits of columns: for bounds, which cover groups that break them."""
    groups, count = group_ids([groups])
    if k < 2 or count < 2:
        return groups, count
    prices, before = Prices.of(table), groups.copy()
    for rows in _blocks(prices, groups, count):
        block = _Block(prices, rows, groups[rows], k, check)
        block.run()
        groups[rows] = count + block.labels  # numbers that no other block has
        count += len(rows)
    groups, count = group_ids([groups])
    if listening():
        _record_step(table, prices, before, groups)
    return groups, count


def _record_step(table: Table, prices: Prices, before: np.ndarray, after: np.ndarray) -> None:
    loss, less = (prices.costs(groups).sum() * prices.scale for groups in (before, after))
    moved = "Rows move, swap and regroup as long as the loss falls"
    note("Polish the groups", f"{moved}: NCP goes from {loss:.4f} to {less:.4f}.", RowGroups(table, after))


class _Block:
    """Rows that are searched together, in groups of their own."""

    def __init__(self, prices: Prices, rows: np.ndarray, groups: np.ndarray, k: int, check: Check | None):
        self._rows, self._k, self._check = rows, k, check
        sizes = np.where(prices.is_nominal, prices.codes.max(axis=0) // 64 + 1, 0)
        word = np.append(0, np.cumsum(sizes))
        cells = prices.codes[rows], prices.place[rows]
        self._kernel_rows = PricedRows(*cells, prices.is_nominal, prices.step, prices.cap, word)
        self._most = MOST * k
        labels, count = group_ids([groups])
        capacity = max(count, len(rows) // k) + 1
        self._boxes = make_boxes(capacity + (NEAR + 1) * MOST + 2, len(prices.cap), int(word[-1]))
        self._groups = RowLists(
            np.empty(capacity, dtype=np.int64),
            np.empty(len(rows), dtype=np.int64),
            np.empty(len(rows), dtype=np.int64),
            labels,
            np.zeros(capacity, dtype=np.int64),
            np.empty(len(rows), dtype=np.int64),
            np.zeros(len(rows), dtype=bool),
        )
        begin(self._kernel_rows, self._groups, self._boxes)

    @property
    def labels(self) -> np.ndarray:
        return self._groups.label

    def run(self) -> None:
        """Rebuild as long as that finds something, then move rows, and repeat."""
        small = len(self._rows) <= SMALL
        now, last = 0, {self._rebuild: 0, self._move: 0}
        for _ in ticks(range(ROUNDS if small else 1), "rounds of polishing"):
            changes = 0
            for one_pass, passes in zip(last, (ROUNDS, ROUNDS) if small else (2, 3), strict=True):
                for _ in range(passes):
                    now += 1
                    count = self._checked(one_pass, now, last[one_pass])
                    last[one_pass] = now
                    changes += count
                    if count * FEW < len(self._boxes.size):
                        break
            if not changes:
                break

    def _rebuild(self, now: int, since: int) -> int:
        unused = np.flatnonzero(self._boxes.size[: len(self._groups.head)] == 0)
        free = np.zeros(len(self._groups.head) + 1, dtype=np.int64)
        free[0], free[1 : len(unused) + 1] = len(unused), unused[::-1]
        neighbours = make_neighbours(NEAR, self._most)
        state = self._kernel_rows, self._groups, self._boxes
        return rebuild(*state, self._k, now, since, self._check is not None, self._most, free, neighbours)

    def _move(self, now: int, since: int) -> int:
        count = len(self._groups.head)
        prices = np.zeros((count, count) if count <= PAIRS else (0, 0), dtype=np.float32)
        state = self._kernel_rows, self._groups, self._boxes
        return move_rows(*state, self._k, now, since, self._check is not None, prices, make_hosts())

    def _checked(self, one_pass: Callable[[int, int], int], now: int, since: int) -> int:
        """Make one pass, undo its changes where a group fails, and return how many are left."""
        groups, before = self._groups, self.labels.copy()
        groups.change[:] = -1
        changed = one_pass(now, since)
        if self._check is None or not changed:
            return changed
        numbers, count = group_ids([self.labels])
        good = self._check(numbers, count, self._rows)
        failed = np.zeros(changed + 1, dtype=bool)  # the last place is that of rows that were in no change
        failed[groups.change[~good[numbers]]] = True
        failed[-1] = False
        back = failed[groups.change]
        groups.tired[back] = True
        groups.label[:] = group_ids([np.where(back, before, self.labels), back.astype(np.int64)])[0]
        groups.changed[:] = 0
        groups.changed[self.labels[(groups.change >= 0) & ~back]] = now
        begin(self._kernel_rows, groups, self._boxes)
        return changed - int(failed.sum())


def _blocks(prices: Prices, groups: np.ndarray, count: int) -> list[np.ndarray]:
    """Divide the rows into blocks of at most ``BLOCK``, whole groups each, by halving the widest column's order."""
    sizes = np.bincount(groups, minlength=count)
    columns = np.where(prices.is_nominal, prices.codes * prices.step, prices.place).T
    centres = np.stack([np.bincount(groups, column, count) / sizes for column in columns], axis=1)
    stack, blocks = [np.arange(count)], []
    while stack:
        part = stack.pop()
        if sizes[part].sum() <= BLOCK or len(part) < 2:
            wanted = np.zeros(count, dtype=bool)
            wanted[part] = True
            blocks.append(np.flatnonzero(wanted[groups]))
            continue
        widest = int(np.ptp(centres[part], axis=0).argmax())
        part = part[np.argsort(centres[part, widest], kind="stable")]
        stack += [part[: len(part) // 2], part[len(part) // 2 :]]
    return blocks
