"""How the cell methods tell their steps: rows that are joined, sets that are picked, parts that are made.

Rows go by their names in the table. Called while somebody listens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted, number
from anonnb.methods.naming import row_name, rows_name
from anonnb.steps.recording import note
from anonnb.steps.states import Graph, RowGroups
from anonnb.tables.table import Table

MOST_DRAWN = 40  # rows whose edges can be drawn
MOST_LISTED = 200  # candidates that are put into a frame, the best ones


def in_parts(table: Table, parts: Iterable[Iterable[int]], marked: Sequence[int] = ()) -> RowGroups:
    """Rows in the parts that there are so far; the others are in none."""
    groups = np.full(len(table), -1, dtype=np.int64)
    for place, rows in enumerate(parts):
        groups[list(rows)] = place
    return RowGroups(table, groups, np.array(sorted(marked), dtype=np.int64))


def tell_groups(table: Table, groups: np.ndarray, n_groups: int, cost: float, parts: int) -> None:
    """What differs inside a group is hidden."""
    alike = f", {counted(parts - n_groups, 'part')} fewer than before, as some read alike or were merged"
    note(
        "Hide what differs",
        f"The rows make {counted(n_groups, 'group')}{alike if parts > n_groups else ''}; cells that differ inside one "
        f"are hidden, at a cost of {number(cost)}.",
        lambda: RowGroups(table, groups),
    )


# ---- Forest -----------------------------------------------------------------------------------------------------


class ForestNotes:
    """Tells how trees grow; it remembers the weight of every edge."""

    def __init__(self, table: Table, k: int):
        self._table, self._k = table, k
        self._weights: dict[tuple[int, int], str] = {}

    def tell(
        self, edge: tuple[int, int], distances: np.ndarray, members: list[int], target: np.ndarray, tree: np.ndarray
    ) -> None:
        """A tree with few ``members`` got an edge to the nearest row outside; ``tree`` numbers those of all rows."""
        table, (row, nearest) = self._table, edge
        self._weights[edge] = number(distances[nearest])
        own, other = row_name(table, row), row_name(table, nearest)

        def near() -> pd.DataFrame:
            away = distances.astype(float)
            away[members] = np.inf
            order = np.argsort(away, kind="stable")[: min(MOST_LISTED, len(away) - len(members))]
            return pd.DataFrame({"distance": away[order]}, index=[row_name(table, each) for each in order])

        note(
            f"Join {own} to {other}",
            f"The tree of {own} has {counted(len(members), 'row')}, fewer than k = {self._k}; {other} is the nearest "
            f"row outside, at distance {self._weights[edge]}.",
            lambda: self._forest(target, tree, edge),
            near,
            [other],
        )

    def _forest(self, target: np.ndarray, tree: np.ndarray, edge: tuple[int, int]) -> Graph | RowGroups:
        """The trees so far: rows that point to rows, or of many rows just the trees they are in."""
        table = self._table
        if len(table) > MOST_DRAWN:
            return RowGroups(table, tree, np.array(edge))
        sizes = np.bincount(tree, minlength=len(tree))
        values = [", ".join(map(str, line)) for line in table.frame[table.quasi].itertuples(index=False)]
        nodes, texts = {}, {}
        for row in range(len(table)):
            depth, above = 0, target[row]
            while above >= 0:
                depth, above = depth + 1, target[above]
            status = "now" if row in edge else "kept" if sizes[tree[row]] >= self._k else "open"
            nodes[row_name(table, row)] = depth, status
            texts[row_name(table, row)] = f"{table.index[row]}\n{values[row]}"
        edges = {(row_name(table, u), row_name(table, v)): weight for (u, v), weight in self._weights.items()}
        return Graph.of(nodes, edges, texts=texts)


def tell_part(table: Table, parts: Sequence[Sequence[int]], row: int, k: int) -> None:
    """The last part was cut off, at a row; groups are numbered from 0, as in the picture."""
    rows = parts[-1]
    note(
        f"Cut off {counted(len(rows), 'row')}",
        f"From the leaves upward {counted(len(rows), 'row')} came together at {row_name(table, row)}, at least k = "
        f"{k}, and become group {len(parts) - 1}.",
        lambda: in_parts(table, parts, rows),
    )


def tell_rest(table: Table, parts: Sequence[Sequence[int]], rest: Sequence[int], part: int) -> None:
    """What was left at a root joined the part beside it."""
    note(
        f"Add {counted(len(rest), 'row')} to group {part}",
        f"Fewer than k rows are left at the root {row_name(table, rest[-1])}: they join group {part}, which touches "
        "them in their tree.",
        lambda: in_parts(table, parts, rest),
    )


# ---- GreedyCover ------------------------------------------------------------------------------------------------


def sets_frame(table: Table, sets: Sequence[Iterable[int]]) -> pd.DataFrame:
    """Sets that may share rows, one line each."""
    names = [rows_name(table, rows).removeprefix("rows ") for rows in sets]
    frame = pd.DataFrame({"rows": names, "size": [len(rows) for rows in sets]}, index=range(1, len(sets) + 1))
    return frame.rename_axis("set")


def tell_pick(table: Table, cover: Sequence[set[int]], left: int, candidates: pd.DataFrame, label: str) -> None:
    """A set was picked for the cover; ``left`` rows are in none yet."""
    line = candidates.loc[[label]].iloc[0]
    note(
        f"Pick {label}",
        f"Its diameter {number(line['diameter'])} over {counted(int(line['new rows']), 'new row')} is "
        f"{number(line['price'])}, and no set has less; rows in no set yet: {left:,}.",
        lambda: sets_frame(table, cover),
        candidates,
        [label],
    )


def tell_shared(table: Table, sets: Sequence[set[int]], row: int, pair: tuple[set[int], set[int]], loser: int) -> None:
    """A row is in two sets: it left one of them (``loser``), or they became one (-1); ``pair`` as it was before."""
    names = [rows_name(table, each) for each in pair]
    who = row_name(table, row)
    if loser < 0:
        title, what = f"Unite two sets at {who}", "neither can lose a row, so they become one set"
    else:
        title, what = f"Take {who} from {names[loser]}", "it leaves the larger one, which keeps enough"
    note(
        title,
        f"Two sets share {who}, {names[0]} and {names[1]}: {what}.",
        lambda: sets_frame(table, sets),
        pd.DataFrame({"size": [len(each) for each in pair]}, index=names),
        names if loser < 0 else [names[loser]],
    )


# ---- Factor -----------------------------------------------------------------------------------------------------


def tell_factor(table: Table, distance: np.ndarray, edges: Sequence[tuple[int, int]], walks: Sequence) -> None:
    """The factor of least weight."""
    ups, downs = np.triu_indices(len(distance), 1)
    order = np.argsort(distance[ups, downs], kind="stable")[:MOST_LISTED]
    pairs = list(zip(ups[order].tolist(), downs[order].tolist(), strict=True))
    frame = pd.DataFrame({"distance": [int(distance[pair]) for pair in pairs]})
    frame["in the factor"] = [pair in edges for pair in pairs]
    frame.index = [_pair(table, pair) for pair in pairs]
    weight = sum(int(distance[pair]) for pair in edges)
    shapes = counted(len(walks), "path or cycle", "paths or cycles")
    layer = {}
    for walk in walks:  # down a path; down and up again around a cycle, so that edges join neighbours
        round_trip = len(walk) > 2 and tuple(sorted((walk[0], walk[-1]))) in edges
        layer |= {row: min(place, len(walk) - place) if round_trip else place for place, row in enumerate(walk)}
    note(
        f"Match {counted(len(edges), 'pair')}",
        f"Of {counted(len(ups), 'pair')} {len(edges):,} are taken, which make {shapes}: they weigh {weight:,} "
        "together, and no other choice weighs less.",
        lambda: Graph.of(
            {row_name(table, row): (layer[row], "kept") for row in range(len(table))},
            {(row_name(table, u), row_name(table, v)): str(int(distance[u, v])) for u, v in edges},
        ),
        frame,
        [_pair(table, pair) for pair in pairs if pair in edges],
    )


def _pair(table: Table, pair: tuple[int, int]) -> str:
    return f"{table.index[pair[0]]}–{table.index[pair[1]]}"


def tell_walk(
    table: Table, walk: Sequence[int], groups: Sequence[Sequence[int]], made: int, turns: Sequence[tuple[int, int]]
) -> None:
    """A path or cycle was cut into ``made`` parts; ``turns`` are the ways to do it: first row and cost."""
    chain = "–".join(str(table.index[row]) for row in walk)
    frame, chosen, why = None, [], ""
    if turns:
        labels = [f"from {row_name(table, row)}" for row, _ in turns]
        frame = pd.DataFrame({"cost": [cost for _, cost in turns]}, index=labels)
        chosen = [frame["cost"].idxmin()]
        why = f", cut {chosen[0]} on, which costs least"
    note(
        f"Cut {chain}" if made > 1 else f"Keep {chain}",
        f"The {counted(len(walk), 'row')} of {chain} become {counted(made, 'part')}{why}.",
        lambda: in_parts(table, groups, walk),
        frame,
        chosen,
    )


# ---- Exact ------------------------------------------------------------------------------------------------------


def tell_optimum(table: Table, found: Sequence[int], totals: dict[int, tuple[float, float]]) -> None:
    """The group of the first row that was left; ``totals``: for each group its cost, and that with the best rest."""
    rows = [[row for row in range(len(table)) if group >> row & 1] for group in found]
    names = {group: rows_name(table, [row for row in range(len(table)) if group >> row & 1]) for group in totals}
    frame = pd.DataFrame.from_dict(totals, orient="index", columns=["cost", "with the best rest"])
    frame.index = [names[group] for group in frame.index]
    label, (cost, total) = names[found[-1]], totals[found[-1]]
    note(
        f"Take {label}",
        f"Of {counted(len(totals), 'group')} with {row_name(table, rows[-1][0])}, the first row left, this one costs "
        f"{number(cost)}, and {number(total)} with the best groups of the other rows: the least.",
        lambda: in_parts(table, rows, rows[-1]),
        frame.sort_values("with the best rest", kind="stable"),
        [label],
    )


# ---- LocalSuppression -------------------------------------------------------------------------------------------


def tell_placed(
    table: Table, parts: np.ndarray, hidden: int, rows: np.ndarray, wishes: pd.DataFrame, made: Sequence[str]
) -> None:
    """Rows were placed in classes that they wished for; ``parts`` is -1 for rows without one."""
    left = counted(int((parts < 0).sum()), "row")
    many = f"of {counted(len(wishes), 'class', 'classes')} {len(made):,} got enough wishes"
    if wishes.loc[list(made), "wishes"].sum() < len(rows):
        many = "no class has enough wishes, so the largest is made"
    note(
        f"Place {counted(len(rows), 'row')} with {counted(hidden, 'star')} each",
        f"With {counted(hidden, 'hidden cell')} each, every row wishes for the largest class it could be in: {many}; "
        f"{left} left without a class.",
        lambda: RowGroups(table, parts, rows),
        wishes,
        list(made),
    )


def tell_regions(table: Table, parts: np.ndarray, rows: np.ndarray) -> None:
    """The rows that no class was found for."""
    note(
        f"Put {counted(len(rows), 'row')} into regions",
        f"No further stars help: Mondrian's regions take what is left, {counted(len(rows), 'row')}.",
        lambda: RowGroups(table, parts, rows),
    )
