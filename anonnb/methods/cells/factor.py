"""Factor: cell suppression of boolean tables for k = 2 and 3 by matching (Aggarwal et al. 2005; Ciriani et al. §3).

k = 2: a minimum-weight [1,2]-factor (every row has one or two edges), trimmed to edges and pairs of adjacent edges.
k = 3: a minimum-weight 2-factor (disjoint cycles); cycles of more than five rows are cut into runs of three and four.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.constraints import POSITIVE
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.cells.cell_method import MAX_LISTED, CellMethod, Cells, in_parts, part_numbers
from anonnb.methods.naming import row_name
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class Factor(CellMethod):
    """Suppress at most 1.5 times (k = 2) or twice (k = 3) as many cells as needed, on boolean columns only.

    Parameters
    ----------
    limit:
        The largest number of rows; larger tables are refused, since the matching runs on a graph with n² vertices for n
        rows.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 0, 1]}), quasi=["a", "b"])
    >>> Factor(k=2).anonymize(table).frame.values.tolist()
    [[0, '0'], [0, '0'], [1, '*'], [1, '*']]

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Without further models at most 1.5 times (k = 2) or twice (k = 3) as many cells are suppressed as
        needed, on boolean columns (Aggarwal et al. 2005); other columns and other k are refused.
    tested:
        100 random boolean tables of 2 to 9 rows for k = 2, and as many of 3 to 10 rows for k = 3: within that ratio of
        the optimum of Exact. 6 random graphs of 4 or 5 rows for each k: no factor weighs less, by trying all.
    heuristic:
        Groups that miss a required model are merged where that costs least, and then no bound holds. Past limit rows it
        refuses.
    paper:
        G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas and A. Zhu, Approximation algorithms
        for k-anonymity, Journal of Privacy Technology, 2005.
    """

    rows_in_minutes: ClassVar[float] = 10_000
    most_values: ClassVar[float] = 2
    order_matters: ClassVar[bool] = True

    limit: int = parameter(POSITIVE, default=40)

    @property
    def bound(self) -> float:
        """The cost is at most this many times the least possible."""
        return {2: 1.5, 3: 2.0}[self.k]

    @property
    def _other(self) -> remedies.Remedy:
        return remedies.method("Forest", k=self.k)

    def _check_parameters(self) -> None:
        if self.k not in (2, 3):
            raise ValueError(Message(f"Factor knows k = 2 and k = 3 only, not {self.k}", advice("; use ", self._other)))

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        for name in table.quasi:
            values = len(np.unique(table.codes(name)))
            if values > 2:
                raise ValueError(
                    Message(
                        f"column {name!r} has {values} values, but Factor's bound holds for boolean columns only; "
                        "recode it to two values",
                        advice(" or use ", self._other),
                    )
                )
        if len(table) > self.limit:
            raise ValueError(
                Message(
                    f"Factor matches on a graph of {len(table) ** 2:,} vertices; the table has more rows than "
                    f"limit={self.limit}",
                    advice(": use ", self._other),
                )
            )

    def _partition(self, cells: Cells, progress: Progress) -> tuple[np.ndarray, dict]:
        distance = cells.distance_matrix()
        edges = factor(distance, exactly_two=self.k == 3)
        weight = int(sum(distance[u, v] for u, v in edges))
        groups, walks = [], _walks(edges, cells.n_rows)
        if listening():
            _record_factor(cells.table, distance, edges, walks)
        for walk in walks:
            made = _pairs(walk) if self.k == 2 else _runs(walk, cells)
            groups += made
            if listening():
                turns = [(runs[0][0], _cost(runs, cells)) for runs in _turns(walk)] if self.k == 3 else []
                _record_walk(cells.table, walk, groups, len(made), turns)
        return part_numbers(groups, cells.n_rows), {"weight": weight}


def factor(distance: np.ndarray, exactly_two: bool) -> list[tuple[int, int]]:
    """Return the edges of a spanning graph of least weight in which every vertex has two edges (or one or two).

    The gadget: a vertex becomes two copies and an edge two ends. An unused edge matches its two ends with each other;
    a used one matches each end with a copy of its vertex. Second copies may also match each other at no cost, unless
    two edges are wanted: then a perfect matching of least weight is the factor.
    """
    import networkx as nx

    n_rows = len(distance)
    graph = nx.Graph()
    for u, v in ticks(itertools.combinations(range(n_rows), 2), "pairs"):
        graph.add_edge((u, v, u), (u, v, v), weight=0)
        for end, copy in itertools.product((u, v), (1, 2)):
            graph.add_edge((u, v, end), (end, copy), weight=int(distance[u, v]))
        if not exactly_two:
            graph.add_edge((u, 2), (v, 2), weight=0)
    chosen = set()
    for one, other in nx.min_weight_matching(graph):
        end, copy = (one, other) if len(one) == 3 else (other, one)
        if len(end) == 3 and len(copy) == 2:
            chosen.add(end[:2])
    return sorted(chosen)


def _walks(edges: list[tuple[int, int]], n_rows: int) -> list[list[int]]:
    """Return the paths (from an end) and cycles (from their first vertex) of a graph of degrees one and two."""
    near: list[list[int]] = [[] for _ in range(n_rows)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    seen = np.zeros(n_rows, dtype=bool)
    walks = []
    for start in sorted(range(n_rows), key=lambda row: (len(near[row]), row)):
        walk = []
        following: int | None = start
        while following is not None and not seen[following]:
            seen[following] = True
            walk.append(following)
            following = next((row for row in near[following] if not seen[row]), None)
        if walk:
            walks.append(walk)
    return walks


def _pairs(walk: list[int]) -> list[list[int]]:
    """Return a path or cycle in pairs, the last with three rows where the number is odd.

    In a factor of least weight only edges without weight can be dropped so, and the cost stays within the bound.
    """
    last = len(walk) - len(walk) % 2 - 2
    return [walk[index : index + 2] for index in range(0, last, 2)] + [walk[last:]]


def _runs(cycle: list[int], cells: Cells) -> list[list[int]]:
    """A cycle of more than five rows in runs of three and four, cut where it costs least; shorter ones stay whole."""
    return min(_turns(cycle), key=lambda runs: _cost(runs, cells)) if len(cycle) > 5 else [cycle]


def _turns(cycle: list[int]) -> list[list[list[int]]]:
    """Return all ways to cut a cycle of more than five rows into runs of three and four, from each of its rows on."""
    length = len(cycle)
    if length <= 5:
        return []
    lengths = [4] * (length % 3) + [3] * (length // 3 - length % 3)
    ends = np.cumsum([0, *lengths])
    turned = [cycle[shift:] + cycle[:shift] for shift in range(length)]
    return [[rows[begin:end] for begin, end in itertools.pairwise(ends)] for rows in turned]


def _cost(runs: list[list[int]], cells: Cells) -> int:
    """Return the cells that differ inside runs, all rows of a run counted."""
    return sum(len(run) * int((cells.codes[:, run] != cells.codes[:, run[:1]]).any(axis=1).sum()) for run in runs)


# ---- the steps ------------------------------------------------------------------------------------------------------


def _record_factor(table: Table, distance: np.ndarray, edges: Sequence[tuple[int, int]], walks: Sequence) -> None:
    ups, downs = np.triu_indices(len(distance), 1)
    order = np.argsort(distance[ups, downs], kind="stable")[:MAX_LISTED]
    pairs = list(zip(ups[order].tolist(), downs[order].tolist(), strict=True))
    frame = pd.DataFrame({"distance": [int(distance[pair]) for pair in pairs]})
    frame["in the factor"] = [pair in edges for pair in pairs]
    frame.index = [_pair(table, pair) for pair in pairs]
    weight = sum(int(distance[pair]) for pair in edges)
    shapes = pluralize(len(walks), "path or cycle", "paths or cycles")
    layer: dict[int, int] = {}
    for walk in walks:  # down a path; down and up again around a cycle, so that edges join neighbours
        round_trip = len(walk) > 2 and tuple(sorted((walk[0], walk[-1]))) in edges
        layer |= {row: min(index, len(walk) - index) if round_trip else index for index, row in enumerate(walk)}
    note(
        f"Match {pluralize(len(edges), 'pair')}",
        f"The {pluralize(len(edges), 'chosen pair')}, out of {len(ups):,}, form {shapes}. Their total weight is "
        f"{weight:,}, and no other choice weighs less.",
        lambda: Graph.of(
            {row_name(table, row): (layer[row], "kept") for row in range(len(table))},
            {(row_name(table, u), row_name(table, v)): str(int(distance[u, v])) for u, v in edges},
        ),
        frame,
        [_pair(table, pair) for pair in pairs if pair in edges],
    )


def _pair(table: Table, pair: tuple[int, int]) -> str:
    return f"{table.index[pair[0]]}–{table.index[pair[1]]}"


def _record_walk(
    table: Table, walk: Sequence[int], groups: Sequence[Sequence[int]], made: int, turns: Sequence[tuple[int, int]]
) -> None:
    """A path or cycle was cut into ``made`` parts; ``turns`` are the ways to do it: first row and cost."""
    chain = "–".join(str(table.index[row]) for row in walk)
    frame, chosen, why = None, [], ""
    if turns:
        labels = [f"from {row_name(table, row)}" for row, _ in turns]
        frame = pd.DataFrame({"cost": [cost for _, cost in turns]}, index=labels)
        chosen = [frame["cost"].idxmin()]
        why = f"; cutting {chosen[0]} on costs least"
    note(
        f"Cut {chain}" if made > 1 else f"Keep {chain}",
        f"The {pluralize(len(walk), 'row')} of {chain} form {pluralize(made, 'part')}{why}.",
        lambda: in_parts(table, groups, walk),
        frame,
        chosen,
    )
