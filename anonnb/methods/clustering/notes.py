"""How the clusterings record their steps: which row goes where, and how far it is from there and from elsewhere.

Called only while steps are recorded; rows that are in no cluster yet have the number -1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted, number
from anonnb.methods.naming import row_name
from anonnb.steps.recording import note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

MOST_LISTED = 200  # rows or clusters in a frame, the nearest ones


class OkaNotes:
    """Records OKA's two passes row by row."""

    def __init__(self, table: Table, k: int):
        self._table, self._k = table, k
        self._shown = np.full(len(table), -1, dtype=np.int64)

    def tell_seeds(self, seeds: np.ndarray) -> None:
        """Random rows open the clusters."""
        self._shown[seeds] = np.arange(len(seeds))
        clusters = counted(len(seeds), "cluster")
        note(
            f"Open {clusters}",
            f"A table of {counted(len(self._table), 'row')} gets {clusters} at k = {self._k}; random rows open them.",
            lambda: RowGroups(self._table, self._shown, seeds),
        )

    def tell_join(self, row: int, cluster: int, distance: np.ndarray, members: np.ndarray) -> None:
        """A row joined the nearest cluster and is already among its ``members``."""
        self._shown[row] = cluster
        name = row_name(self._table, row)
        note(
            f"Join {name} to cluster {cluster}",
            lambda: (
                f"Of {counted(len(distance), 'cluster')} the centre of cluster {cluster} is nearest to {name}, at "
                f"distance {number(distance[cluster])}; the centre moves towards it."
            ),
            lambda: RowGroups(self._table, self._shown, [row]),
            lambda: _clusters(distance, members - (np.arange(len(members)) == cluster)),
            [f"cluster {cluster}"],
        )

    def tell_freed(self, rows: np.ndarray) -> None:
        """Clusters over k gave up their farthest rows."""
        self._shown[rows] = -1
        note(
            f"Free {counted(len(rows), 'row')}",
            f"Clusters keep the k = {self._k} rows nearest to their centres and give up the others: "
            f"{counted(len(rows), 'row')}.",
            lambda: RowGroups(self._table, self._shown, rows),
        )

    def tell_move(self, row: int, cluster: int, distance: np.ndarray, members: np.ndarray, short: bool) -> None:
        """A freed row went to the nearest cluster; while some are ``short`` of k rows, only those count."""
        self._shown[row] = cluster
        name, before = row_name(self._table, row), members - (np.arange(len(members)) == cluster)
        open_now = before < self._k if short else np.ones(len(before), dtype=bool)
        clusters = counted(int(open_now.sum()), "cluster")
        among = (
            f"Of {clusters} with fewer than k = {self._k} rows"
            if short
            else f"No cluster has fewer than k = {self._k} rows now; of {clusters}"
        )
        note(
            f"Move {name} to cluster {cluster}",
            lambda: f"{among}, cluster {cluster} is nearest to {name}, at distance {number(distance[cluster])}.",
            lambda: RowGroups(self._table, self._shown, [row]),
            lambda: _clusters(distance, before, open_now),
            [f"cluster {cluster}"],
        )


def _clusters(distance: np.ndarray, members: np.ndarray, which: np.ndarray | None = None) -> pd.DataFrame:
    """Clusters with their rows, the nearest first; only some where they are flagged."""
    places = np.arange(len(distance)) if which is None else np.flatnonzero(which)
    places = places[np.argsort(distance[places], kind="stable")][:MOST_LISTED]
    labels = [f"cluster {place}" for place in places]
    return pd.DataFrame({"distance": distance[places], "rows": members[places]}, index=labels)


class GccgNotes:
    """Records GCCG's centres, what they take, and where the rest goes; ``first`` is the first row of each kind."""

    def __init__(self, table: Table, first: np.ndarray, grades: np.ndarray):
        self._table, self._first, self._grades = table, first, grades

    def tell_centre(self, centre: int, left: np.ndarray, clusters: np.ndarray, cluster: int) -> None:
        """The row with the highest grade of those left is the next centre; ``left`` counts the rows of each kind."""
        name = self._name(centre)

        def graded() -> pd.DataFrame:
            kinds = np.flatnonzero(left)
            kinds = kinds[np.argsort(-self._grades[kinds], kind="stable")][:MOST_LISTED]
            return self._kinds(kinds, {"grade": self._grades[kinds], "rows left": left[kinds]})

        note(
            f"Centre {name}",
            f"Of {counted(int(left.sum()), 'row')} left, {name} has the highest grade, {number(self._grades[centre])}, "
            f"and is the centre of cluster {cluster}.",
            lambda: RowGroups(self._table, clusters, [self._first[centre]]),
            graded,
            [name],
        )

    def tell_taken(
        self,
        centre: int,
        distance: np.ndarray,
        left: np.ndarray,
        taken: Sequence[tuple[int, int]],
        clusters: np.ndarray,
    ) -> None:
        """The centre took its nearest rows (kind, how many); ``left`` is as it was before."""
        name, cluster = self._name(centre), int(clusters.max())

        def near() -> pd.DataFrame:
            kinds = np.flatnonzero(left)
            own = np.where(kinds == centre, -1.0, distance[kinds])  # the centre's own rows lead
            kinds = kinds[np.argsort(own, kind="stable")][:MOST_LISTED]
            return self._kinds(kinds, {"distance": distance[kinds], "rows left": left[kinds]})

        farthest = number(max(distance[kind] for kind, _ in taken))
        rows = np.flatnonzero(clusters == cluster)
        note(
            f"Cluster {cluster} takes {counted(len(rows), 'row')}",
            f"The centre {name} takes the rows nearest to it, {counted(len(rows), 'row')} with itself, up to distance "
            f"{farthest}.",
            lambda: RowGroups(self._table, clusters, rows),
            near,
            [self._name(kind) for kind, _ in taken],
        )

    def tell_rest(self, kind: int, distance: np.ndarray, clusters: np.ndarray, rows: np.ndarray) -> None:
        """Rows that no centre took went to the nearest one."""
        cluster, name = int(distance.argmin()), self._name(kind)
        order = np.argsort(distance, kind="stable")[:MOST_LISTED]
        note(
            f"Put {name} into cluster {cluster}",
            f"No centre took {counted(len(rows), 'row')} like {name}: the centre of cluster {cluster} is nearest, at "
            f"distance {number(distance[cluster])}.",
            lambda: RowGroups(self._table, clusters, rows),
            lambda: pd.DataFrame({"distance": distance[order]}, index=[f"cluster {place}" for place in order]),
            [f"cluster {cluster}"],
        )

    def _name(self, kind: int) -> str:
        return row_name(self._table, self._first[kind])

    def _kinds(self, kinds: np.ndarray, scores: dict[str, np.ndarray]) -> pd.DataFrame:
        return pd.DataFrame(scores, index=[self._name(kind) for kind in kinds])


def tell_equal_rows(table: Table, home: np.ndarray, count: int, good: np.ndarray) -> None:
    """KACA begins with the classes of equal rows."""
    note(
        "Begin with equal rows",
        f"Rows that are equal are {counted(count, 'group')}, of which {int((~good).sum()):,} miss the requirement.",
        lambda: RowGroups(table, home),
    )
