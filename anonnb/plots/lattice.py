"""Pictures of full-domain search: the lattice with what was found in it, and the intervals of a set of cut points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from anonnb.core.wording import short_names
from anonnb.plots.style import BLUE, GREEN, GREY, ORANGE, SKY, axes, shown
from anonnb.tables.hierarchy import Lattice
from anonnb.tables.release import Release

MOST_NODES = 600
_LOOK = {  # by state of a node: label, colour, marker
    1: ("passes", GREEN, "o"),
    2: ("fails", ORANGE, "s"),
    0: ("not decided", "white", "o"),
}


def lattice_search(
    release: Release, ax: Axes | None = None, *, names: Mapping[str, str] | None = None, numbers: bool = True
) -> Axes:
    """The lattice behind a full-domain release, the bottom below; nodes are coloured by what the search knows.

    Full colour and a number: checked, in that order. Pale: decided by a check elsewhere. A ring: the released node.
    ``names`` shortens column names in the labels, ``{"Marital_status": "M"}``; the shortest prefixes by default.
    """
    if "state" not in release.info:
        raise ValueError("this release does not come from a lattice; use Samarati, Incognito or FullDomain")
    state = release.info["state"]
    graph = Lattice([size - 1 for size in state.shape])
    if graph.size > MOST_NODES:
        raise ValueError(f"a lattice of {graph.size:,} nodes is too large to read; choose fewer columns")
    places = _places(graph)
    widest = max(len(graph.nodes(height)) for height in range(graph.height + 1))
    labelled = graph.size <= 60
    ax = axes(ax, size=(min(2.5 + 0.85 * widest, 14.0), min(1.2 + 0.95 * graph.height, 9.0)))
    for node in graph:
        for above in graph.successors(node):
            ax.plot(*zip(places[node], places[above], strict=True), color=GREY, alpha=0.35, linewidth=0.6, zorder=1)
    order = {node: number for number, (node, _) in reversed(list(enumerate(release.info["checked"], 1)))}
    size = 420 if labelled else max(14.0, 24000 / graph.size)
    _draw_nodes(ax, places, state, set(order), tuple(release.info["node"].values()), size)
    if numbers and graph.size <= 200:
        for node in order.keys() & places.keys():
            ax.text(*places[node], str(order[node]), ha="center", va="center", fontsize=9 if labelled else 6, zorder=4)
    if labelled:
        short = _short_names(release.quasi, names or {})
        for node, (x, y) in places.items():
            ax.annotate(
                _node_name(short, node), (x, y), (0, -13), textcoords="offset points", ha="center", va="top", fontsize=8
            )
    _finish(ax, graph, state)
    return ax


def _draw_nodes(ax: Axes, places: dict, state: np.ndarray, checked: set, chosen: tuple, size: float) -> None:
    for code, (_, color, marker) in _LOOK.items():
        for seen in (False, True):
            nodes = [node for node in places if state[node] == code and (node in checked) == seen]
            if nodes:
                xs, ys = zip(*(places[node] for node in nodes), strict=True)
                ax.scatter(xs, ys, s=size, c="white", marker=marker, zorder=2)  # hide the edges behind pale nodes
                alpha = 1.0 if seen else 0.35
                ax.scatter(xs, ys, s=size, c=color, marker=marker, alpha=alpha, edgecolors=GREY, zorder=3)
    ax.scatter(*places[chosen], s=size * 1.5, facecolors="none", edgecolors="black", linewidths=2, zorder=5)


def _finish(ax: Axes, graph: Lattice, state: np.ndarray) -> None:
    ax.set_yticks(range(graph.height + 1) if graph.height <= 20 else [0, graph.height])
    ax.set_ylabel("height (sum of levels)")
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    ax.margins(0.12 if graph.size <= 60 else 0.04)
    present = [look for code, look in _LOOK.items() if (state == code).any()]
    handles = [
        Line2D([], [], linestyle="", marker=marker, color=color, markeredgecolor=GREY, markersize=8, label=label)
        for label, color, marker in present
    ]
    handles.append(
        Line2D([], [], linestyle="", marker="o", markerfacecolor="none", color="black", markersize=11, label="released")
    )
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=9)


def _places(graph: Lattice) -> dict[tuple[int, ...], tuple[float, float]]:
    places = {}
    for height in range(graph.height + 1):
        nodes = graph.nodes(height)
        # larger levels of the first column to the left, as lattices are usually drawn
        for place, node in enumerate(sorted(nodes, reverse=True)):
            places[node] = (place - (len(nodes) - 1) / 2, float(height))
    return places


def _short_names(columns: Sequence[str], given: Mapping[str, str]) -> list[str]:
    return [given.get(column, short) for column, short in zip(columns, short_names(columns), strict=True)]


def _node_name(short: Sequence[str], node: tuple[int, ...]) -> str:
    return shown(f"⟨{','.join(f'{name}{level}' for name, level in zip(short, node, strict=True))}⟩")


def intervals(release: Release, ax: Axes | None = None) -> Axes:
    """The intervals a release by cut points made of each domain: a strip per column, the rows of each value as bars."""
    if "intervals" not in release.info:
        raise ValueError("this release is not made of cut points; use KOptimize")
    table, columns = release.table, release.quasi
    ax = axes(ax, size=(8.0, 0.6 + 1.1 * len(columns)))
    for strip, name in enumerate(reversed(columns)):
        attribute, sets = table.attributes[name], release.columns[name].sets
        counts = np.bincount(table.codes(name), minlength=attribute.size)
        heights, width = 0.62 * counts / counts.max(), 1 / attribute.size
        block = np.empty(attribute.size, dtype=int)
        for number in range(len(sets)):
            block[sets.mask(number)] = number
        colors = [BLUE if number % 2 else SKY for number in block]
        left = np.arange(attribute.size) * width
        ax.bar(left, heights, width, strip, align="edge", color=colors, edgecolor="white", linewidth=0.3)
        starts = np.flatnonzero(np.diff(block, prepend=block[0])) * width
        ax.vlines(starts, strip - 0.02, strip + 0.72, color="black", linewidth=1.1)
        if (room := int(85 * width)) >= 8:  # about 85 small letters fit across
            for code, label in enumerate(attribute.labels):
                ax.text((code + 0.5) * width, strip - 0.03, shown(label, room), ha="center", va="top", fontsize=8)
    ax.set_yticks(range(len(columns)), [shown(name) for name in reversed(columns)])
    ax.set_xticks([])
    ax.set_xlim(-0.005, 1.005)
    ax.set_ylim(-0.25, len(columns) - 0.15)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("values in order; bars: rows of each value; black lines: cuts")
    return ax
