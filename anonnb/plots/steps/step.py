"""The picture of one step: its state, drawn after its kind, with what changed since the step before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from anonnb.plots import association, trees
from anonnb.plots import rules as rule_plots
from anonnb.plots.parts.texts import POINTS, fitted, text_size
from anonnb.plots.steps.cells import ComparedCells, Rows, compared, rows_of, without_repeated_note
from anonnb.plots.steps.drawing import SLACK, SizedDrawing, whole, with_note
from anonnb.plots.steps.graphs import graph_drawing
from anonnb.plots.steps.groups import groups_drawing, linked
from anonnb.plots.steps.tables import table_drawing
from anonnb.plots.style import WIDEST, Style, axes, figure_of, panels
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.rules.induction.mlem2_record import RuleSearch
from anonnb.steps.states import Graph, RowGroups
from anonnb.steps.step import Step, Steps
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Tree

MARGIN = 0.08  # inches around a drawing
MAX_ITEMSETS = 16
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
    ax:
        Where to draw; by default new Axes of the right size.
    x, y:
        The attributes over which groups are drawn; by default the two with the most even values.

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
    figure_of(ax).set_layout_engine("none")
    put_on_figure(drawing, ax, MARGIN, MARGIN, head)
    return ax


def heading(title: str, width: float) -> str:
    """Wrap a title into lines of at most the given width."""
    return fitted(title, width / SLACK, POINTS, bold=True, most=200)


def put_on_figure(drawing: SizedDrawing, ax: Axes, left: float, top: float, head: str, sentence: str = "") -> None:
    """Put a drawing with its heading and a sentence on a figure, at a distance in inches from its upper left corner."""
    figure = figure_of(ax)
    wide, high = figure.get_size_inches()
    for text, points, weight in ((head, POINTS, "bold"), (sentence, POINTS - 1, "normal")):
        if text:
            style: Style = {"fontsize": points, "fontweight": weight, "ha": "left", "va": "top", "linespacing": 1.2}
            figure.text(left / wide, 1 - top / high, text, **style)
            top += text_size(text, points)[1] + MARGIN
    drawing.at(ax, left, top)


def drawn(
    step: Step, previous: Step | None, width: float, *, x: str | None = None, y: str | None = None
) -> SizedDrawing:
    """Return the drawing of a step's state within a width in inches."""
    state, before = step.state, None if previous is None else previous.state
    if state is None or (isinstance(state, Graph) and not len(state.nodes)):
        return _candidates(step, width)
    if isinstance(state, Graph):
        return graph_drawing(state, before, width)
    if isinstance(state, Tree | MinedTree):
        return _tree(state, before, width)
    if isinstance(state, MinedItemsets) and len(state.frame) <= MAX_ITEMSETS:
        counts = before.counts() if isinstance(before, MinedItemsets) else None
        diagram = whole(lambda ax: association.itemset_lattice(state, ax, k=state.info.get("k"), before=counts))
        scale = width / diagram.width  # a little smaller, the texts still fit their boxes
        return replace(diagram, width=width, height=scale * diagram.height) if 0.85 < scale < 1 else diagram
    if isinstance(state, RuleSearch) and state.plane:
        return SizedDrawing(width, 0.72 * width, lambda ax: rule_plots.rule_search(state, ax), chart=True)
    if _as_points(state, x, y):
        return groups_drawing(Release.of(state) if isinstance(state, Table) else state, before, width, x, y)
    return table_drawing(without_repeated_note(compared(state, before), step.sentence), width)


def _as_points(state: Any, x: str | None, y: str | None) -> bool:
    """Draw rows as points if they are many, groups over two numbers, or attributes are given."""
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
    if tree is None or len(tree.leaves) > trees.MAX_LEAVES:
        return table_drawing(compared(state, before), width)
    drawing = whole(lambda ax: trees.tree(state, ax))
    new = _new_conditions(tree, before)
    return with_note(drawing, f"New since the step before: {'; '.join(new)}.") if new else drawing


def _new_conditions(tree: Tree, before: object) -> list[str]:
    """Return the conditions of the nodes that a previous tree does not have."""
    before = before.tree if isinstance(before, MinedTree) else before
    if not isinstance(before, Tree):
        return []
    known = {node.number for node in before.nodes}
    return [str(node.condition) for node in tree.nodes if node.number not in known]


def _candidates(step: Step, width: float) -> SizedDrawing:
    """Show the candidates, the chosen ones marked, for a step that has no state."""
    if step.candidates is None:
        return table_drawing(compared(step.sentence), width)
    rows = rows_of(step.candidates)
    cells = compared(step.candidates)
    chosen = [label in step.chosen for label, _ in rows.keys]
    marked = Rows(rows.frame, rows.keys, marked=np.array(chosen, dtype=bool))
    return table_drawing(ComparedCells(marked, cells.texts, cells.changed, cells.new), width)


# ---- several steps on one figure -------------------------------------------------------------------------------------


NARROWEST = 2.1  # inches of a frame
_GAP = 0.22


@dataclass(frozen=True)
class StripFrame:
    """One step of the strip: its drawing and the texts above it."""

    drawing: SizedDrawing
    head: str
    sentence: str

    @property
    def height(self) -> float:
        above = sum(text_size(text, points)[1] + MARGIN for text, points in self._texts())
        return above + self.drawing.height

    def _texts(self) -> list[tuple[str, float]]:
        return [(text, points) for text, points in ((self.head, POINTS), (self.sentence, POINTS - 1)) if text]


def filmstrip(
    steps: Sequence[Step], frames: int = 4, *, x: str | None = None, y: str | None = None, sentences: bool = True
) -> Axes:
    """Draw several steps of a run side by side, evenly chosen with the first and the last.

    What is marked in a frame has changed since the step before it in the run, shown or not.

    Parameters
    ----------
    steps:
        What ``method.steps(table)`` gives, or any list of steps.
    sentences:
        Whether the sentence of each step is shown below its title.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes of the first frame; ``ax.figure.axes`` has all of them.

    Examples
    --------
    >>> import pandas as pd
    >>> import matplotlib.pyplot as plt
    >>> run = [Step(f"Step {n}", "One more.", pd.DataFrame({"n": [n]}), number=n) for n in range(1, 8)]
    >>> ax = filmstrip(run, 3)
    >>> [text.get_text() for text in ax.figure.texts][::2]
    ['1 of 7: Step 1', '4 of 7: Step 4', '7 of 7: Step 7']
    >>> plt.close("all")
    """
    if frames < 1:
        raise ValueError(f"frames must be at least 1, not {frames}")
    if not len(steps):
        raise ValueError("there are no steps to show; give what method.steps(table) returns")
    indices = evenly_chosen(len(steps), frames)
    columns, strip = _arranged(steps, indices, x, y, sentences)
    lines = [strip[start : start + columns] for start in range(0, len(strip), columns)]
    heights = [max(frame.height for frame in line) for line in lines]
    frame_width = (WIDEST - 2 * MARGIN - _GAP * (columns - 1)) / columns
    high = sum(heights) + _GAP * (len(lines) - 1) + 2 * MARGIN
    made = panels(len(lines), columns, size=(WIDEST, high))
    figure_of(made[0]).set_layout_engine("none")
    for ax in made[len(strip) :]:
        ax.remove()
    for number, (frame, ax) in enumerate(zip(strip, made, strict=False)):
        line, column = divmod(number, columns)
        top = MARGIN + sum(heights[:line]) + _GAP * line
        put_on_figure(frame.drawing, ax, MARGIN + column * (frame_width + _GAP), top, frame.head, frame.sentence)
    return made[0]


def evenly_chosen(count: int, frames: int) -> list[int]:
    """Choose which of ``count`` steps are shown: evenly, with the first and the last; a single one is the last.

    >>> evenly_chosen(10, 4), evenly_chosen(2, 4), evenly_chosen(5, 1)
    ([0, 3, 6, 9], [0, 1], [4])
    """
    if frames == 1:
        return [count - 1]
    number = min(frames, count)
    return [position * (count - 1) // max(number - 1, 1) for position in range(number)]


def _arranged(
    steps: Sequence[Step], indices: list[int], x: str | None, y: str | None, sentences: bool
) -> tuple[int, list[StripFrame]]:
    """Put as many frames side by side as fit, each as wide as possible."""
    total = steps.total if isinstance(steps, Steps) else len(steps)
    for columns in range(len(indices), 0, -1):
        frame_width = (WIDEST - 2 * MARGIN - _GAP * (columns - 1)) / columns
        balanced = -(-len(indices) // -(-len(indices) // columns)) == columns  # four frames: two lines of two
        if columns > 1 and (frame_width < NARROWEST or not balanced):
            continue
        strip = []
        for number in indices:
            current, before = steps[number], steps[number - 1] if number else None
            head = heading(f"{current.number} of {total:,}: {current.title}", frame_width)
            sentence = fitted(current.sentence, frame_width / SLACK, POINTS - 1, most=400) if sentences else ""
            strip.append(StripFrame(drawn(current, before, frame_width, x=x, y=y), head, sentence))
            if strip[-1].drawing.width > frame_width + 0.01:
                break
        if columns == 1 or all(frame.drawing.width <= frame_width + 0.01 for frame in strip):
            return columns, strip
    raise AssertionError("one column always fits")
