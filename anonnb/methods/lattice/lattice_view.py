"""How a search of the lattice records its steps: the lattice with what is known of it, and why a node is checked.

A lattice small enough to read is a graph: a node passes (kept), fails by a check of its own (failed) or by one
elsewhere (pruned), or is open. A larger one is counted height by height. Called only while steps are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import number, pluralize, short_names
from anonnb.methods.lattice.frequencies import FAILS, PASSES, UNKNOWN, Node
from anonnb.steps.recording import MOST_CANDIDATES, note
from anonnb.steps.states import Graph
from anonnb.tables.hierarchies.lattice import Lattice

MAX_DRAWN = 60  # nodes of a lattice that a person can read


class LatticeView:
    """A lattice as steps show it. ``rows`` are the rows that each checked node would suppress."""

    def __init__(self, columns: Sequence[str], heights: Sequence[int]):
        self.lattice, self._short = Lattice(heights), short_names(columns)
        self.rows: dict[Node, int] = {}

    def name(self, node: Node) -> str:
        """Return a node as people write it: ⟨M0,S1⟩."""
        return f"⟨{','.join(f'{name}{level}' for name, level in zip(self._short, node, strict=True))}⟩"

    def state(self, known: np.ndarray, now: Sequence[Node] = (), chosen: Node | None = None) -> Graph | pd.DataFrame:
        """Return the lattice with its tags; ``now`` are the nodes that the step is about."""
        if self.lattice.size > MAX_DRAWN:
            return self._by_height(known)
        status = {UNKNOWN: "open", PASSES: "kept", FAILS: "pruned"}
        nodes, texts, edges = {}, {}, []
        for node in self.lattice:
            name = self.name(node)
            word = "failed" if known[node] == FAILS and node in self.rows else status[int(known[node])]
            nodes[name] = sum(node), "chosen" if node == chosen else "now" if node in now and word != "failed" else word
            verdict = {UNKNOWN: "?", PASSES: "passes", FAILS: "fails"}[int(known[node])]
            texts[name] = f"{name}\n{f'{self.rows[node]:,} out: ' if node in self.rows else ''}{verdict}"
            edges += [(name, self.name(above)) for above in self.lattice.successors(node)]
        return Graph.of(nodes, edges, texts=texts, down=False)

    def _by_height(self, known: np.ndarray) -> pd.DataFrame:
        height = np.indices(known.shape).sum(axis=0).ravel()
        tags = {"open": UNKNOWN, "passing": PASSES, "failing": FAILS}
        flat = known.ravel()
        counts = {
            word: np.bincount(height[flat == tag], minlength=self.lattice.height + 1) for word, tag in tags.items()
        }
        checked = np.bincount([sum(node) for node in self.rows], minlength=self.lattice.height + 1)
        index = pd.RangeIndex(self.lattice.height + 1, name="height")
        return pd.DataFrame({**counts, "checked": checked}, index=index)

    # ---- steps ------------------------------------------------------------------------------------------------

    def tell_check(
        self,
        node: Node,
        known: np.ndarray,
        *,
        rows: int,
        limit: int,
        decided: int,
        among: Callable[[], pd.DataFrame] | None = None,
    ) -> None:
        """A node was checked: it would suppress ``rows``, and the check ``decided`` this many nodes."""
        self.rows[node] = rows
        name, passes = self.name(node), rows <= limit
        allowed = f"{'up to' if passes else 'only'} {limit:,}" if limit else "none"
        why, others = f"Every class of {name} meets the requirement", ""
        if rows:
            many = "1 row is" if rows == 1 else f"{rows:,} rows are"
            why = f"At {name}, {many} in classes that do not meet the requirement, and {allowed} may be suppressed"
        if decided > 1:
            many = f"{'does' if decided == 2 else 'do'} {pluralize(decided - 1, 'node')}"
            others = f", and so {many} {'above' if passes else 'below'} it"
        note(
            f"Check {name}",
            f"{why}, so it {'passes' if passes else 'fails'}{others}.",
            lambda: self.state(known, now=[node]),
            among,
            [name] if among else (),
        )

    def tell_loss(
        self,
        node: Node,
        known: np.ndarray,
        *,
        loss: float | None,
        best: tuple[Node, float] | None,
        among: Callable[[], pd.DataFrame] | None,
    ) -> None:
        """The loss of a node was computed (None: it fails); ``best`` is the best before."""
        name, before = self.name(node), None if best is None else f"the {number(best[1])} of {self.name(best[0])}"
        new = loss is not None and (best is None or loss < best[1])
        why = "the search can fall back on the top" if among is None else "no other open node has a lower bound"
        if loss is None:
            result = "It fails"
        elif before is None:
            result = f"It loses {number(loss)}, the first known loss"
        else:
            result = f"It loses {number(loss)}, {'less' if new else 'no less'} than {before}"
        note(
            f"Compute the loss of {name}",
            f"{name} is next because {why}. {result}.",
            lambda: self.state(known, [node], node if new else best and best[0]),
            among,
            [name] if among else (),
        )

    def tell_end(self, known: np.ndarray, best: Node, loss: float, bounds: np.ndarray, among: np.ndarray) -> None:
        """The search is over: ``among`` are the nodes that were never checked, with what they lose at least."""
        left = pluralize(int(among.sum()), "node that may pass was", "nodes that may pass were")
        can = int((bounds[among] < loss).sum())
        many = f"{can:,} of them could still lose less" if can else "none of them can lose less"
        note(
            f"Stop with {self.name(best)}",
            f"The best node loses {number(loss)}. {left} never checked, and {many}.",
            lambda: self.state(known, chosen=best),
            lambda: self.by_bound(bounds, among),
        )

    # ---- what could be looked at ------------------------------------------------------------------------------

    def chain(self, path: Sequence[Node], low: int, high: int) -> pd.DataFrame:
        """Return the undecided part of a chain; the node in its middle is checked."""
        middle = (low + high) // 2
        part = range(max(low, middle - MOST_CANDIDATES // 2), min(high, middle + MOST_CANDIDATES // 2))
        away = {"height": [sum(path[index]) for index in part], "from the middle": [abs(p - middle) for p in part]}
        return pd.DataFrame(away, index=[self.name(path[index]) for index in part])

    def waiting(self, nodes: Sequence[Node]) -> pd.DataFrame:
        """Nodes that wait for a check, the next one first."""
        few = list(nodes)[:MOST_CANDIDATES]
        return pd.DataFrame({"height": [sum(node) for node in few]}, index=[self.name(node) for node in few])

    def by_bound(self, bounds: np.ndarray, among: np.ndarray) -> pd.DataFrame:
        """Return the nodes that may be checked next, with what they lose at least; the lowest first."""
        flat = np.flatnonzero(among)
        first = flat[np.argsort(bounds.ravel()[flat], kind="stable")[:MOST_CANDIDATES]]
        nodes = [tuple(int(level) for level in np.unravel_index(index, bounds.shape)) for index in first]
        frame = pd.DataFrame({"height": [sum(node) for node in nodes], "loses at least": bounds.ravel()[first]})
        return frame.set_axis([self.name(node) for node in nodes])
