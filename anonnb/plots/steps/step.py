"""The picture of one step: its state, drawn after its kind, with what changed since the step before."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from anonnb.plots import association, trees
from anonnb.plots.parts.texts import POINTS, fitted, text_size
from anonnb.plots.steps.cells import ComparedCells, Rows, compared, rows_of, said_once
from anonnb.plots.steps.drawing import SLACK, SizedDrawing, whole, with_note
from anonnb.plots.steps.graphs import graph_drawing
from anonnb.plots.steps.groups import groups_drawing, linked
from anonnb.plots.steps.tables import table_drawing
from anonnb.plots.style import WIDEST, axes
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.steps.states import Graph, RowGroups
from anonnb.steps.step import Step
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree

MARGIN = 0.08  # inches around a drawing
MOST_ITEMSETS = 16
FEW_ROWS = 16  # of a table or a release that is shown as such; larger ones are points and boxes


def step(
    step: Step,
    previous: Step | None = None,
    ax: Axes | None = None,
    *,
    x: str | None = None,
    y: str | None = None,
    title: bool = True,
    width: float = WIDEST,
) -> Axes:
    """Draw the state of a step; what changed since the previous step is marked.

    A small table, a release, rules and results are drawn as rows of text; larger ones, and groups of rows, as points
    and boxes over two attributes; graphs and trees as boxes in layers; a step without a state by its candidates.

    Parameters
    ----------
    step, previous:
        The step, and the one before it.
    ax:
        Where to draw; by default new Axes of the right size.
    x, y:
        The attributes over which groups are drawn; by default the two with the most even values.
    title:
        Whether to show the step's title.
    width:
        The most inches that new Axes may take.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> import pandas as pd
    >>> import matplotlib.pyplot as plt
    >>> one, two = (Step(f"Age {n}", "It grows.", pd.DataFrame({"age": [n]})) for n in (20, 30))
    >>> [text.get_text() for text in step(two, one).texts]
    ['age', '30', 'Bold on orange: changed since the step before.']
    >>> plt.close("all")
    """
    if ax is not None:
        drawing = drawn(step, previous, ax.get_window_extent().width / ax.figure.dpi, x=x, y=y)
        drawing.on(axes(ax))
        if title:
            ax.set_title(fitted(step.title, drawing.width, POINTS, bold=True), loc="left", fontweight="bold")
        return ax
    drawing = drawn(step, previous, width - 2 * MARGIN, x=x, y=y)
    head = heading(step.title, max(drawing.width, 4.0)) if title else ""
    high = text_size(head, POINTS)[1] + MARGIN if head else 0.0
    wide = max(drawing.width, SLACK * text_size(head, POINTS, bold=True)[0] if head else 0.0)
    ax = axes(size=(wide + 2 * MARGIN, drawing.height + high + 2 * MARGIN))
    ax.figure.set_layout_engine("none")
    place(drawing, ax, MARGIN, MARGIN, head)
    return ax


def heading(words: str, width: float) -> str:
    """A title on lines of at most the given width."""
    return fitted(words, width / SLACK, POINTS, bold=True, most=200)


def place(drawing: SizedDrawing, ax: Axes, left: float, top: float, head: str, sentence: str = "") -> None:
    """Put a drawing with its heading and a sentence on a figure, at a distance in inches from its upper left corner."""
    figure = ax.figure
    wide, high = figure.get_size_inches()
    for words, points, weight in ((head, POINTS, "bold"), (sentence, POINTS - 1, "normal")):
        if words:
            look = {"fontsize": points, "fontweight": weight, "ha": "left", "va": "top", "linespacing": 1.2}
            figure.text(left / wide, 1 - top / high, words, **look)
            top += text_size(words, points)[1] + MARGIN
    drawing.at(ax, left, top)


def drawn(
    step: Step, previous: Step | None, width: float, *, x: str | None = None, y: str | None = None
) -> SizedDrawing:
    """How the state of a step is drawn within a width in inches."""
    state, before = step.state, None if previous is None else previous.state
    if state is None or (isinstance(state, Graph) and not len(state.nodes)):
        return _candidates(step, width)
    if isinstance(state, Graph):
        return graph_drawing(state, before, width)
    if isinstance(state, Tree | MinedTree):
        return _tree(state, before, width)
    if isinstance(state, MinedItemsets) and len(state.frame) <= MOST_ITEMSETS:
        counts = before.counts() if isinstance(before, MinedItemsets) else None
        return whole(lambda ax: association.itemset_lattice(state, ax, before=counts))
    if _as_points(state, x, y):
        return groups_drawing(Release.of(state) if isinstance(state, Table) else state, before, width, x, y)
    return table_drawing(said_once(compared(state, before), step.sentence), width)


def _as_points(state: Any, x: str | None, y: str | None) -> bool:
    """Whether rows are drawn as points: if they are many, groups over two numbers, or attributes are given."""
    if not isinstance(state, RowGroups | Release | Table):
        return False
    table = state if isinstance(state, Table) else state.table
    if not table.quasi or (isinstance(state, Release) and not linked(state)):
        return False
    numbers = [name for name in table.quasi if table.attributes[name].kind == "numeric"]
    plane = isinstance(state, RowGroups) and len(table.quasi) == len(numbers) == 2
    return x is not None or y is not None or plane or len(table) > FEW_ROWS


def _tree(state: Tree | MinedTree, before: object, width: float) -> SizedDrawing:
    tree = state.tree if isinstance(state, MinedTree) else state
    if len(tree.leaves) > trees.MOST_LEAVES:
        return table_drawing(compared(state, before), width)
    drawing = whole(lambda ax: trees.tree(state, ax))
    new = _new_conditions(tree, before)
    return with_note(drawing, f"New since the step before: {'; '.join(new)}.") if new else drawing


def _new_conditions(tree: Tree, before: object) -> list[str]:
    """The conditions of the nodes that a previous tree does not have."""
    before = before.tree if isinstance(before, MinedTree) else before
    if not isinstance(before, Tree):
        return []
    known = {node.number for node in before.nodes}
    return [str(node.condition) for node in tree.nodes if node.number not in known]


def _candidates(step: Step, width: float) -> SizedDrawing:
    """What could be chosen, the chosen ones marked; for a step that has no state."""
    if step.candidates is None:
        return table_drawing(compared(step.sentence), width)
    rows = rows_of(step.candidates)
    found = compared(step.candidates)
    chosen = [key[0] in step.chosen for key in rows.keys]
    marked = Rows(rows.frame, rows.keys, marked=np.array(chosen, dtype=bool))
    return table_drawing(ComparedCells(marked, found.texts, found.changed, found.new), width)
