"""Boxes and arrows: draws a graph that was laid out in layers, and says below it what frames and lines mean.

What a node or an edge is shows in the colour of its frame and in its line style, its width, its filling or a mark
before its text, never in the colour alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from anonnb.plots.parts.layers import APART, DrawnEdge, DrawnNode, Layout, laid_out
from anonnb.plots.parts.texts import SMALL, text_size
from anonnb.plots.style import FAINT, GREY, INK, WIDEST, Style, axes, bare, figure_of, finding, readable, tint

_HEAD, _KEY = 0.3, 0.26  # inches: the line of headings above, a line of the key below
_MIN_WIDTH = 4.0  # inches that a picture is wide, so that a title fits above it


@dataclass(frozen=True)
class Look:
    """Style of one kind of node or edge; kinds with a label are explained below the picture.

    Parameters
    ----------
    filled, fill:
        Whether a box is filled, and with which colour if not that of its frame.

    Examples
    --------
    >>> Look("red", label="hidden", mark="✗").width
    1.0
    """

    colour: str = GREY
    line: str = "-"
    width: float = 1.0
    label: str = ""
    mark: str = ""
    filled: bool = False
    fill: str = ""  # the colour of a filled box, where it is not that of its frame


PLAIN = Look()


def draw_graph(
    nodes: Sequence[DrawnNode],
    edges: Sequence[DrawnEdge],
    looks: Mapping[str, Look],
    *,
    headings: Sequence[str] = (),
    down: bool = False,
    arrows: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw a graph in layers, at most seven inches wide.

    Parameters
    ----------
    looks:
        How each status is drawn; those with a label are explained below.
    headings:
        Headings above layers that run from left to right.

    Examples
    --------
    >>> nodes = [DrawnNode("a", "one"), DrawnNode("b", "two")]
    >>> ax = draw_graph(nodes, [DrawnEdge("a", "b")], {"plain": Look()})
    >>> [text.get_text() for text in ax.texts]
    ['one', 'two']
    """
    planned = PlannedGraph(nodes, edges, looks, headings=headings, down=down, arrows=arrows)
    ax = axes(ax, size=(planned.width, planned.height))
    planned.draw(ax)
    return ax


class PlannedGraph:
    """Graph that is laid out but not yet drawn: its size in inches is known, so a page can be made for it."""

    def __init__(
        self,
        nodes: Sequence[DrawnNode],
        edges: Sequence[DrawnEdge],
        looks: Mapping[str, Look],
        *,
        headings: Sequence[str] = (),
        down: bool = False,
        arrows: bool = True,
        widest: float = WIDEST,
    ):
        self.nodes, self.edges, self.looks, self.headings = nodes, edges, looks, headings
        self.down, self.arrows, self._available = down, arrows, widest - 0.2
        marked = [
            DrawnNode(node.key, _marked(node.text, looks.get(node.status, PLAIN)), node.status, node.layer)
            for node in nodes
        ]
        self._made = laid_out(marked, edges, down=down, widest=widest - 0.15)
        self._key = [look for name, look in looks.items() if look.label and _used(name, nodes, edges)]
        needed, below = key_size(self._key, self._available)
        self._head = _HEAD if headings else 0.0
        self.width = max(self._made.width, needed, min(_MIN_WIDTH, widest - 0.15)) + 0.15
        self.height = self._made.height + self._head + below + 0.15

    def draw(self, ax: Axes) -> None:
        """Draw the graph on Axes of its size."""
        bare(ax)
        made, head = self._made, self._head
        width, height = self.width - 0.15, self.height - 0.15
        left = (width - made.width) / 2
        for edge, route in zip(self.edges, made.routes, strict=True):
            points = [(x + left, y + head) for x, y in route]
            draw_edge(ax, points, edge, self.looks.get(edge.status, PLAIN), self.down, self.arrows)
        for node in self.nodes:
            x, y = made.middle[node.key]
            look = self.looks.get(node.status, PLAIN)
            draw_box(ax, (x + left, y + head), made.size[node.key], made.text[node.key], look)
        _headings(ax, self.headings, made, left)
        draw_key(ax, self._key, self._available, head + made.height)
        ax.set(xlim=(-0.02, width + 0.02), ylim=(height + 0.02, -0.02), aspect="equal")


def _marked(text: str, look: Look) -> str:
    return f"{look.mark} {text}" if look.mark else text


def _used(name: str, nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> bool:
    return name in {node.status for node in nodes} | {edge.status for edge in edges}


def draw_box(
    ax: Axes, middle: tuple[float, float], size: tuple[float, float], text: str, look: Look = PLAIN, *, bold: int = 0
) -> None:
    """Draw a box, sized in data units, with its text in the middle; the first ``bold`` lines are bold."""
    x, y = middle[0] - size[0] / 2, middle[1] - size[1] / 2
    shape = f"round,pad=0,rounding_size={min(0.06, size[1] / 4)}"
    face = tint(look.fill or look.colour) if look.filled else "white"
    frame: Style = {"edgecolor": look.colour, "facecolor": face, "linestyle": look.line, "linewidth": look.width}
    ax.add_patch(FancyBboxPatch((x, y), *size, boxstyle=shape, zorder=3, **frame))
    lines = text.split("\n")
    step = SMALL * 1.2 / 72
    common: Style = {"ha": "center", "va": "center_baseline", "fontsize": SMALL, "color": INK, "zorder": 4}
    for part, weight in ((lines[:bold], "bold"), (lines[bold:], "normal")):
        if part:
            first = 0 if weight == "bold" else bold
            baseline = middle[1] + step * (first + (len(part) - 1) / 2 - (len(lines) - 1) / 2)
            ax.text(middle[0], baseline, "\n".join(part), weight=weight, linespacing=1.2, **common)


def draw_edge(
    ax: Axes, route: Sequence[tuple[float, float]], edge: DrawnEdge, look: Look, down: bool = False, arrow: bool = True
) -> None:
    """Draw a line that leaves and enters its boxes straight and bends in between, with its text at the middle."""
    codes, points = [Path.MOVETO], [route[0]]
    for (x0, y0), (x1, y1) in itertools.pairwise(route):
        bends = ((x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2)) if down else (((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1))
        points += [*bends, (x1, y1)]
        codes += [Path.CURVE4] * 3
    style: Style = {"color": look.colour, "linestyle": look.line, "linewidth": look.width, "zorder": 1}
    head = "-|>" if arrow else "-"
    ax.add_patch(
        FancyArrowPatch(path=Path(points, codes), arrowstyle=head, mutation_scale=9, shrinkA=0, shrinkB=0, **style)
    )
    if edge.text:
        x, y = np.mean([route[len(route) // 2 - 1], route[len(route) // 2]], axis=0)
        back = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        ax.text(
            x, y, edge.text, ha="center", va="center", fontsize=SMALL, color=readable(look.colour), bbox=back, zorder=2
        )


def _headings(ax: Axes, headings: Sequence[str], made: Layout, left: float) -> None:
    for text, (start, end) in zip(headings, made.layers, strict=False):
        style: Style = {"ha": "center", "va": "top", "fontsize": SMALL, "color": FAINT, "weight": "bold"}
        ax.text(left + (start + end) / 2, 0.02, text, **style)


# ---- the key ---------------------------------------------------------------------------------------------------------


def key_size(looks: Sequence[Look], width: float) -> tuple[float, float]:
    """Return width and height, in inches, of a key with lines of the given width."""
    positions = _key_positions(looks, width)
    ends = [x + _key_width(look) for look, (x, _) in zip(looks, positions, strict=True)]
    return (max(ends), positions[-1][1] + 0.13) if looks else (0.0, 0.0)


def _key_width(look: Look) -> float:
    return 0.45 + text_size(look.label)[0]


def draw_key(ax: Axes, looks: Sequence[Look], width: float, top: float) -> None:
    """Draw a small box and the label of each style, line by line below ``top``."""
    for look, (x, y) in zip(looks, _key_positions(looks, width), strict=True):
        draw_box(ax, (x + 0.17, top + y), (0.3, 0.17), look.mark, look)
        label = ax.text(x + 0.4, top + y, look.label, ha="left", va="center_baseline", fontsize=SMALL, color=INK)
        label.set_in_layout(False)  # its room is counted already; the least excess would shrink all boxes


def _key_positions(looks: Sequence[Look], width: float) -> list[tuple[float, float]]:
    positions, x, y = [], 0.0, _KEY
    for look in looks:
        needed = _key_width(look) + 2 * APART
        if x and x + needed > width:
            x, y = 0.0, y + _KEY
        positions.append((x, y))
        x += needed
    return positions


def titled(ax: Axes, title: str) -> Axes:
    """Put a finding above a graph; the figure grows by its height, so that boxes keep the size of their texts.

    >>> titled(draw_graph([DrawnNode("a", "one")], [], {}), "One node").get_title()
    'One node'
    """
    finding(ax, title)
    figure = figure_of(ax)
    if len(figure.axes) == 1:
        figure.set_figheight(figure.get_figheight() + 0.12 + 0.17 * (ax.get_title().count("\n") + 1))
    return ax
