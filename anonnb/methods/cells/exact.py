"""Exact: the cheapest cell suppression or cell generalization of a tiny table, to measure the approximations by.

Dynamic programming over sets of rows: the first row that is left goes into one of the groups that hold it. Groups of
2k rows and more split for free, so sizes k to 2k−1 suffice, unless further models are required: then all sizes count.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.card import with_card
from anonnb.core.errors import Infeasible
from anonnb.core.progress import ticks
from anonnb.core.wording import number, pluralize
from anonnb.methods.base import Progress
from anonnb.methods.cells.cell_method import CellMethod, Cells, in_parts, part_numbers
from anonnb.methods.naming import row_name, rows_name
from anonnb.steps.recording import listening, note
from anonnb.tables.table import Table

MOST_ROWS = 16  # 2^16 sets of rows: a second or two
IMPOSSIBLE = np.iinfo(np.int64).max // 4


@with_card
@dataclass(frozen=True)
class Exact(CellMethod):
    """The optimum over all partitions into groups of k rows or more, for tables of up to 16 rows.

    It is not registered among the methods: it exists to compare them with.

    Parameters
    ----------
    generalize:
        Replace cells by labels of the hierarchies instead of suppressing them, as in :class:`~anonnb.methods.Forest`.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}), quasi=["a", "b"])
    >>> Exact(k=2).anonymize(table).info["cost"]
    4.0

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. The cost is the least of all partitions into groups of at least k rows: groups of 2k rows and more
        split without cost, and where models are required all sizes are tried.
    tested:
        12 random tables of 4 to 7 rows for k = 2 and 3, suppressed and generalized, and 20 random tables of 6 rows with
        2-diversity: the cost equals the best of all partitions.
    heuristic:
        Nothing. Tables of more than 16 rows are refused.
    paper:
        A. Meyerson and R. Williams, On the complexity of optimal k-anonymity, PODS 2004 (the problem).
    """

    generalize: bool = False

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        if len(table) > MOST_ROWS:
            raise ValueError(
                f"the exact optimum is for tables of up to {MOST_ROWS} rows; this one has {len(table):,}: use Forest"
            )

    def _cells(self, table: Table) -> Cells:
        return Cells(table, self.generalize)

    def _partition(self, cells: Cells, progress: Progress) -> tuple[np.ndarray, dict]:
        costs = self._set_costs(cells)
        chosen = _cheapest(costs, cells)
        return part_numbers([_rows(group, cells.n_rows) for group in chosen], cells.n_rows), {}

    def _set_costs(self, cells: Cells) -> np.ndarray:
        """Return the cost of every set of rows (bit i: row i) as one group; IMPOSSIBLE where it may not be one."""
        sets = np.arange(1 << cells.n_rows, dtype=np.int64)
        sizes = np.bitwise_count(sets).astype(np.int64)
        lost = np.zeros(len(sets), dtype=np.int64)
        for column, weight in zip(cells.codes, cells.weights, strict=True):
            constant = np.zeros(len(sets), dtype=bool)
            for code in np.unique(column):
                holders = int((1 << np.flatnonzero(column == code)).sum())
                constant |= sets & ~holders == 0
            lost += weight * ~constant
        costs = sizes * lost
        costs[sizes < self.k] = IMPOSSIBLE
        if self.further_check(cells.table) is None:
            costs[sizes > 2 * self.k - 1] = IMPOSSIBLE
            return costs
        member = (sets[:, None] >> np.arange(cells.n_rows)) & 1 == 1
        groups, rows = np.nonzero(member[1:])
        costs[1:][~self.group_check(cells.table)(groups, len(sets) - 1, rows)] = IMPOSSIBLE
        return costs


def ratios(methods: Iterable[CellMethod], tables: Iterable[Table]) -> pd.DataFrame:
    """Divide the cost of methods by the optimum, on tiny tables.

    Tables that can be published without any cost are left out.

    Parameters
    ----------
    methods:
        Cell methods with a proved ``bound``, such as :class:`~anonnb.methods.Forest`.

    Returns
    -------
    pd.DataFrame
        A line per method and table: cost, optimum, their ratio, and the bound on it.

    Examples
    --------
    >>> from anonnb.methods.cells.forest import Forest
    >>> table = Table(pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}), quasi=["a", "b"])
    >>> ratios([Forest(k=2)], [table])
       method  k  cost  optimum  ratio  bound
    0  Forest  2   4.0      4.0    1.0    3.0
    """
    lines = []
    for table, method in itertools.product(tables, methods):
        optimum = Exact(k=method.k, generalize=getattr(method, "generalize", False)).anonymize(table).info["cost"]
        if optimum > 0:
            cost = method.anonymize(table).info["cost"]
            lines.append((type(method).__name__, method.k, cost, optimum, cost / optimum, method.bound))
    return pd.DataFrame(lines, columns=["method", "k", "cost", "optimum", "ratio", "bound"])


def _cheapest(costs: np.ndarray, cells: Cells) -> list[int]:
    """Return the sets of the cheapest partition of all rows into sets of finite cost."""
    n_rows = cells.n_rows
    best = np.full(len(costs), IMPOSSIBLE, dtype=np.int64)
    best[0] = 0
    choice = np.zeros(len(costs), dtype=np.int64)
    usable = np.flatnonzero(costs < IMPOSSIBLE)
    full = len(costs) - 1
    for low in ticks(range(n_rows - 1, -1, -1), "rows"):
        # what is left when the first row is `low`; row 0 is left only at the start
        rest = np.arange(1 << (n_rows - 1 - low)) * (2 << low) + (1 << low) if low else np.array([full])
        for group in usable[usable & -usable == 1 << low]:
            covers = rest[rest & group == group]
            cost = costs[group] + best[covers ^ group]
            better = cost < best[covers]
            best[covers[better]] = cost[better]
            choice[covers[better]] = group
    if best[full] >= IMPOSSIBLE:
        raise Infeasible("no partition of the rows meets the requirement; ask for less")
    parts, left = [], full
    while left:
        parts.append(int(choice[left]))
        if listening():
            first = usable[(usable & -usable == left & -left) & (usable & ~left == 0)]
            first = first[best[left ^ first] < IMPOSSIBLE]
            own, rest = costs[first] / cells.unit, best[left ^ first] / cells.unit
            _record_best(cells.table, parts, dict(zip(first.tolist(), zip(own, own + rest, strict=True), strict=True)))
        left ^= parts[-1]
    return parts


def _rows(group: int, n_rows: int) -> list[int]:
    """Return the rows of a set (bit i: row i)."""
    return [row for row in range(n_rows) if group >> row & 1]


def _record_best(table: Table, groups: Sequence[int], totals: dict[int, tuple[float, float]]) -> None:
    """The group of the first row that was left; ``totals``: for each group its cost, and that with the best rest."""
    rows = [_rows(group, len(table)) for group in groups]
    names = {group: rows_name(table, _rows(group, len(table))) for group in totals}
    frame = pd.DataFrame.from_dict(totals, orient="index", columns=["cost", "with the best rest"])
    frame.index = [names[group] for group in frame.index]
    label, (cost, total) = names[groups[-1]], totals[groups[-1]]
    note(
        f"Take {label}",
        f"{pluralize(len(totals), 'group')} can hold {row_name(table, rows[-1][0])}, the first row left. This one "
        f"costs {number(cost)}; with the best groups of the other rows the total is {number(total)}, the "
        "smallest possible.",
        lambda: in_parts(table, rows, rows[-1]),
        frame.sort_values("with the best rest", kind="stable"),
        [label],
    )
