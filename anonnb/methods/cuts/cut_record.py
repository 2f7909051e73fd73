"""How TopDown and BottomUp record their steps: the hierarchies with the cut through them, and what each move would do.

Values on the cut are chosen, those that were given up are pruned, those that may still come are open. Called only while
steps are recorded.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import number, pluralize
from anonnb.methods.cuts.cut_state import CutState, Nodes
from anonnb.steps.recording import note
from anonnb.steps.states import Graph

MAX_DRAWN = 60  # values of hierarchies that a person can read


class CutRecord:
    """Records the moves of a cut; ``down`` is the direction."""

    def __init__(self, state: CutState, *, down: bool):
        self._state, self._names, self._down = state, state.names, down
        self._lines: list[tuple] = []
        rows = int(state.sizes.sum())
        where = "at the top of every hierarchy" if down else "at the values themselves"
        note(
            "Begin at the top" if down else "Begin at the values",
            f"The cut starts {where}. {pluralize(rows, 'row')} form {self._classes()}.",
            self.graph,
        )

    def consider(
        self, place: int, node: int, information: float, anonymity: int, score: float, allowed: bool = True
    ) -> None:
        """A move that could be made."""
        bits = round(float(information), 12)  # drops the rounding errors of sums of logarithms
        self._lines.append((self._label(place, node), bits, int(anonymity), float(score), bool(allowed)))

    def consider_all(self, place: int, nodes: np.ndarray, *scores: np.ndarray) -> None:
        """Moves of one column; ``scores`` as in :meth:`consider`."""
        for node, *line in zip(nodes.tolist(), *scores, strict=True):
            self.consider(place, node, *line)

    def tell(self, place: int, node: int, score: float, moved: Sequence[int]) -> None:
        """A move was made: the nodes ``moved`` are on the cut now."""
        frame, label = self._taken(), self._label(place, node)
        line = frame.loc[[label]].iloc[0]
        bits, rows = f"{line['information']:.4f} bits", pluralize(int(line["anonymity"]), "row")
        if self._down:
            title, does = f"Refine {label}", f"removes {bits} of entropy and takes {rows} from the smallest class"
            allowed = pluralize(int(frame["allowed"].sum()), "allowed refinement")
            best = f"Its score, {number(score)}, is the highest of {allowed}"
        else:
            title, does = f"Generalize to {label}", f"adds {bits} of entropy and gives the smallest class {rows} more"
            helps = int((frame["anonymity"] > 0).sum())
            among = f"{helps:,} that enlarge it" if helps else f"{len(frame):,}, none of which enlarges it"
            best = f"Its score, {number(score)}, is the lowest of {among}"
        note(
            title,
            f"It {does}. {best}. Now there are {self._classes()}.",
            lambda: self.graph(place, moved),
            frame,
            [label],
        )

    def tell_end(self) -> None:
        """No move is allowed."""
        frame = self._taken()
        why = (
            "No refinement that is left meets the requirement" if len(frame) else "Every value is as fine as it can be"
        )
        note("Stop", f"{why}.", self.graph, frame if len(frame) else None)

    def _classes(self) -> str:
        classes = pluralize(self._state.n_groups, "class", "classes")
        return f"{classes}, the smallest of {pluralize(self._state.degree, 'row')}"

    def _taken(self) -> pd.DataFrame:
        """Return the moves that were considered, the best first, and a fresh list for the next."""
        names = ["information", "anonymity", "score", "allowed"]
        frame = pd.DataFrame([line[1:] for line in self._lines], columns=names, index=[line[0] for line in self._lines])
        self._lines = []
        if self._down:
            frame["score"] = frame["score"].where(frame["allowed"])
            return frame.sort_values(["allowed", "score"], ascending=False, kind="stable")
        order = np.lexsort((frame["score"], frame["anonymity"] <= 0))
        return frame.iloc[order].drop(columns="allowed")

    def _label(self, place: int, node: int) -> str:
        return f"{self._names[place]}: {self._state.nodes[place].labels[node]}"

    # ---- the picture ------------------------------------------------------------------------------------------

    def graph(self, place: int | None = None, moved: Sequence[int] = ()) -> Graph:
        """The hierarchies with the cut; of large ones what is at or above the cut, or only the column that moved."""
        shown = [self._visible(each, lowest=0) for each in range(len(self._names))]
        if sum(map(len, shown)) > MAX_DRAWN:
            shown = [self._visible(each) for each in range(len(self._names))]
        if sum(map(len, shown)) > MAX_DRAWN:
            shown = [nodes if each == place else nodes[:0] for each, nodes in enumerate(shown)]
        if sum(map(len, shown)) > MAX_DRAWN:
            shown = [self._near(each, moved) if each == place else nodes for each, nodes in enumerate(shown)]
        nodes, texts, edges = {}, {}, []
        for each, visible in enumerate(shown):
            tree, cut = self._state.nodes[each], self._state.cuts[each]
            for node in visible.tolist():
                name = self._names[each], node
                status = "now" if each == place and node in moved else self._status(tree, cut, node)
                nodes[name] = int(tree.level.max() - tree.level[node]), status
                texts[name] = tree.labels[node]
                if tree.parent[node] in visible:
                    edges.append(((self._names[each], int(tree.parent[node])), name))
        return Graph.of(nodes, edges, texts=texts)

    def _visible(self, place: int, lowest: int | None = None) -> np.ndarray:
        """Return the nodes of a hierarchy that have rows, from a level on (by default from the cut)."""
        tree, cut = self._state.nodes[place], self._state.cuts[place]
        start = tree.level[cut] if lowest is None else np.full(len(cut), lowest)
        visible = np.arange(len(tree.ladder))[:, None] >= start
        nodes = np.unique(tree.ladder[visible])
        return nodes[tree.rows[nodes] > 0]

    def _near(self, place: int, moved: Sequence[int]) -> np.ndarray:
        """Some of the moved nodes and what lies above them."""
        tree, nodes = self._state.nodes[place], set()
        for node in list(moved)[: MAX_DRAWN // 2]:
            while node >= 0:
                nodes.add(int(node))
                node = tree.parent[node]
        return np.array(sorted(nodes), dtype=np.int64)

    def _status(self, tree: Nodes, cut: np.ndarray, node: int) -> str:
        if (cut == node).any():
            return "chosen"
        below = (tree.level[cut[(tree.ladder == node).any(axis=0)]] > tree.level[node]).all()
        return "open" if below == self._down else "pruned"
