"""How KOptimize records its search: single cuts for a first best, then the tree of sets of cuts with its bounds.

A node of the tree is a set of cuts, the head. It is kept when it was divided, pruned when no set below it can cost less
than the best, and chosen when it is the best. Its branches add a cut (+3) or leave it out (−3). Called only while steps
are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from anonnb.methods.cuts.cell_counts import CellCounts
from anonnb.steps.recording import note
from anonnb.steps.states import Graph, RowGroups
from anonnb.tables.table import Table

MAX_DRAWN = 36  # nodes of the tree that a person can read
NEVER = np.iinfo(np.int64).max

Flags = Sequence[np.ndarray]  # per column, per cut


class EnumerationRecord:
    """The part of the tree that the search has reached, and what is recorded of it."""

    def __init__(self, table: Table):
        self._table = table
        sizes = [table.attributes[name].size for name in table.quasi]
        self._offsets = np.cumsum([0, *sizes[:-1]])
        self._nodes: dict[int, tuple[int, str, str]] = {}  # layer, text, status
        self._parents: dict[int, tuple[int, str]] = {}
        self._waiting: dict[int, int] = {}  # the node of cells that wait to be visited, by their identity
        self._best, self._chosen = NEVER, -1

    # ---- a first best -----------------------------------------------------------------------------------------

    def tell_move(
        self, cells: CellCounts, head: Flags, changes: Flags, column: int, place: int, rows: Callable
    ) -> None:
        """A single cut is about to be added or removed; ``changes`` are what each move does to the cost."""
        label, taken = self._label(column, int(cells.cuts[column][place])), bool(head[column][place])
        verb = "Take away" if taken else "Add"
        saved = -int(changes[column][place])
        frame = self._by_cut(
            cells.cuts, [np.ones(len(change), dtype=bool) for change in changes], {"change of cost": changes}
        )
        after = [each.copy() for each in head]
        after[column][place] ^= True
        note(
            f"{verb} {label}",
            f"This saves {saved:,}; no other single cut, added or taken away, saves more.",
            lambda: RowGroups(self._table, rows([each[on] for each, on in zip(cells.cuts, after, strict=True)])[0]),
            frame.sort_values("change of cost", kind="stable"),
            [label],
        )

    def tell_seed(self, best: int, cuts: Sequence[np.ndarray] | None, rows: Callable) -> None:
        """The search through the tree begins with the best that single moves found."""
        self._best = best
        if cuts is not None:
            note(
                f"Begin with {self._set(cuts)}",
                f"Single moves lead to {self._set(cuts)}, which costs {best:,}; the tree may hold something cheaper.",
                lambda: RowGroups(self._table, rows(cuts)[0]),
            )

    # ---- the tree ---------------------------------------------------------------------------------------------

    def tell_visit(
        self,
        begun: CellCounts,
        reached: CellCounts,
        bound: int,
        scores: Mapping[str, Flags],
        branches: Sequence[tuple[int, CellCounts]],
        best: int,
        cuts: Sequence[np.ndarray] | None,
    ) -> None:
        """A node was visited: what was decided about its tail, and the branches that are left."""
        number = self._number(begun)
        better, self._best = best < self._best, best
        if better:
            self._chosen = number
        head, status = self._head(reached), "kept" if branches else "pruned"
        layer, text, _ = self._nodes[number]
        if better:
            text = f"{self._set(cuts or ())}\n= {best:,}"
        elif self._head(begun) != head:  # what the node said before the visit stays readable
            text += f"\nthen {head}\n≥ {bound:,}"
        elif not text.endswith(f"≥ {bound:,}"):
            text += f"\n{'then ' if '≥' in text else ''}≥ {bound:,}"
        self._nodes[number] = layer, text, status
        cut = self._divided(reached, branches)
        for lower_bound, cells in branches:
            edge_label = f"+{cut}" if self._head(cells) != head else f"−{cut}"
            self._add(cells, number, edge_label, f"{self._head(cells)}\n≥ {lower_bound:,}")
        frame, label = None, []
        if branches:
            frame = self._by_cut(reached.cuts, [~each for each in reached.head], scores)
            frame = frame.sort_values("score", ascending=False, kind="stable")
            label = [name for name in frame.index if name.startswith(f"{cut}: ")]
        note(
            f"Visit {self._head(begun)}",
            f"{'A better set is found, which' if better else 'The best set so far'} costs {best:,}. "
            f"{self._decided(begun, reached)}. {self._outcome(branches, bound, best, cut)}.",
            lambda: self.graph(number),
            frame,
            label,
        )

    def tell_left(self, cells: CellCounts, bound: int, best: int) -> None:
        """A node is dropped without a visit: since it was made, something as cheap was found."""
        number = self._number(cells)
        layer, text, _ = self._nodes[number]
        self._nodes[number] = layer, text, "pruned"
        note(
            f"Leave {self._head(cells)}",
            f"Nothing in this branch costs less than {bound:,}, and the best set costs {best:,}, so it needs no visit.",
            lambda: self.graph(number),
        )

    def graph(self, now: int) -> Graph:
        """The tree; of a large one the paths to the node and to the best, and the latest branches beside them."""
        shown = self._way(now) | self._way(self._chosen)
        while len(shown) < min(MAX_DRAWN, len(self._nodes)):
            beside = [each for each, (parent, _) in self._parents.items() if parent in shown and each not in shown]
            shown |= set(beside[len(shown) - MAX_DRAWN :])
        nodes = {}
        for number in sorted(shown):
            layer, _, status = self._nodes[number]
            nodes[number] = layer, "now" if number == now else "chosen" if number == self._chosen else status
        edges = {
            (parent, number): label
            for number, (parent, label) in self._parents.items()
            if number in shown and parent in shown
        }
        return Graph.of(nodes, edges, texts={number: self._nodes[number][1] for number in shown})

    def _way(self, number: int) -> set[int]:
        path = set()
        while number >= 0:
            path.add(number)
            number = self._parents.get(number, (-1, ""))[0]
        return path

    def _number(self, cells: CellCounts) -> int:
        if id(cells) not in self._waiting:
            self._add(cells, -1, "", self._head(cells))
        return self._waiting.pop(id(cells))

    def _add(self, cells: CellCounts, parent: int, label: str, text: str) -> None:
        number = len(self._nodes)
        self._waiting[id(cells)] = number
        self._nodes[number] = self._nodes[parent][0] + 1 if parent >= 0 else 0, text, "open"
        if parent >= 0:
            self._parents[number] = parent, label

    # ---- words ------------------------------------------------------------------------------------------------

    def _decided(self, begun: CellCounts, reached: CellCounts) -> str:
        dropped = self._numbers(begun.cuts) - self._numbers(reached.cuts)
        forced = self._numbers(self._on(reached)) - self._numbers(self._on(begun))
        parts = [
            f"{_cuts(dropped)} cannot pay" if dropped else "",
            f"{_cuts(forced)} cannot be left out" if forced else "",
        ]
        return ", and ".join(part for part in parts if part) or "No single cut is settled"

    def _outcome(self, branches: Sequence, bound: int, best: int, cut: int) -> str:
        if branches:
            return f"What is left may cost as little as {bound:,}, so try it with cut {cut} (+) and without it (−)"
        return f"What is left costs at least {bound:,}, so this branch is closed" if bound >= best else "No cut is left"

    def _divided(self, reached: CellCounts, branches: Sequence[tuple[int, CellCounts]]) -> int:
        for _, cells in branches:
            added = self._numbers(self._on(cells)) - self._numbers(self._on(reached))
            if added:
                return min(added)
        return -1

    def _on(self, cells: CellCounts) -> list[np.ndarray]:
        return [each[head] for each, head in zip(cells.cuts, cells.head, strict=True)]

    def _head(self, cells: CellCounts) -> str:
        return self._set(self._on(cells))

    def _set(self, cuts: Sequence[np.ndarray]) -> str:
        return f"{{{_listed(self._numbers(cuts))}}}"

    def _numbers(self, cuts: Sequence[np.ndarray]) -> set[int]:
        """Cuts as the paper numbers them: through all columns, 1 is the first value of the first."""
        return {int(cut + offset + 1) for each, offset in zip(cuts, self._offsets, strict=True) for cut in each}

    def _label(self, column: int, code: int) -> str:
        name = self._table.quasi[column]
        return f"{code + self._offsets[column] + 1}: {name} before {self._table.attributes[name].labels[code]}"

    def _by_cut(self, cuts: Sequence[np.ndarray], which: Flags, scores: Mapping[str, Flags]) -> pd.DataFrame:
        labels = [
            self._label(column, int(code))
            for column, (each, on) in enumerate(zip(cuts, which, strict=True))
            for code in each[on]
        ]
        values = {
            name: np.concatenate([each[on] for each, on in zip(parts, which, strict=True)]).astype(float)
            for name, parts in scores.items()
        }
        frame = pd.DataFrame(values, index=labels)
        return frame.where(frame < NEVER, np.inf)


def _cuts(numbers: set[int]) -> str:
    *first, last = map(str, sorted(numbers))
    return f"Cuts {', '.join(first)} and {last}" if first else f"Cut {last}"


def _listed(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
