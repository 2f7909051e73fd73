"""The steps of private marginals: what was asked, for how much of the budget, and what was answered with noise.

Steps are made from the answers alone, never from the rows: they show nothing that the release does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.methods.private.cells import CountedCells
from anonnb.methods.private.measuring import Answers
from anonnb.steps.recording import note
from anonnb.steps.states import Graph


def tell_answers(found: Answers, names: Sequence[str], cells: Sequence[CountedCells]) -> None:
    """Note the noisy counts of the columns, the pairs that were chosen, and their counts."""
    spent = pd.DataFrame({"ρ": found.budget}).rename_axis("question")
    _note_columns(found, names, cells, spent)
    for number in range(1, len(found.tables) + 1):
        _note_pair(found, names, number)
    if found.tables:
        sentence = (
            f"Noise of standard deviation {found.noise['pairs']:.4g} is added to the counts of "
            f"{counted(len(found.tables), 'pair')}, for ρ = {found.budget['pairs']:.4g}; all counts are made to agree"
        )
        note("Count the pairs", f"{sentence}.", _margins(found, names, cells), spent, ["pairs"])


def _note_columns(found: Answers, names: Sequence[str], cells: Sequence[CountedCells], spent: pd.DataFrame) -> None:
    sentence = (
        f"Noise of standard deviation {found.noise['columns']:.4g} is added to the counts of "
        f"{counted(len(names), 'column')}, for ρ = {found.budget['columns']:.4g} of {found.spent:.4g}"
    )
    note("Count the columns", f"{sentence}.", _margins(found, names, cells), spent, ["columns"])


def _note_pair(found: Answers, names: Sequence[str], number: int) -> None:
    edges = list(found.tables)[:number]
    first, second = (names[place] for place in edges[-1])
    paid = f" for a share of ρ = {found.budget['tree']:.4g}" if "tree" in found.budget else ""
    sentence = f"A noisy choice{paid} prefers pairs of columns that the counts so far describe badly"
    joined = {end for edge in edges for end in edge}
    nodes = {name: (_depth(place, edges), "kept" if place in joined else "open") for place, name in enumerate(names)}
    graph = Graph.of(nodes, [(names[one], names[two]) for one, two in edges])
    note(f"Choose the pair {first} and {second}", f"{sentence}.", graph)


def _depth(place: int, edges: Sequence[tuple[int, int]]) -> int:
    """How many pairs lead from the first column to this one; 0 where none does yet."""
    reached, depth = {0}, 0
    while place not in reached:
        further = {end for edge in edges for end in edge if set(edge) & reached}
        if further <= reached:
            return 0
        reached, depth = reached | further, depth + 1
    return depth


def _margins(found: Answers, names: Sequence[str], cells: Sequence[CountedCells]) -> pd.DataFrame:
    """The noisy counts of every column, as they are used."""
    parts = [
        pd.DataFrame({"column": name, "cell": each.sets.labels, "count": np.round(margin, 1)})
        for name, each, margin in zip(names, cells, found.margins, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)
