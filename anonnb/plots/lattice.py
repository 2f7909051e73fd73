"""Pictures of searches: the lattice with what was checked and pruned, and cuts with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from anonnb.core.wording import short_names
from anonnb.plots.parts.graphs import Look, draw_box
from anonnb.plots.parts.texts import SMALL, clip, lines_within, text_size
from anonnb.plots.style import BLUE, GREEN, GREY, INK, ORANGE, WIDEST, Style, axes, bare, below, finding, ink_on, tint
from anonnb.tables.hierarchies.lattice import Lattice
from anonnb.tables.release import Release

MAX_NODES = 600
_LOOK = {  # by state of a node, and whether it was checked itself: label, colour, marker
    (1, True): ("passes: checked, in this order", GREEN, "o"),
    (1, False): ("pruned: above one that passes", tint(GREEN, 0.35), "o"),
    (2, True): ("fails: checked, in this order", ORANGE, "s"),
    (2, False): ("pruned: below one that fails", tint(ORANGE, 0.35), "s"),
    (0, True): ("checked, not decided", "white", "D"),
    (0, False): ("never looked at", "white", "D"),
}


# ---- the lattice of levels -------------------------------------------------------------------------------------------


def lattice_search(
    release: Release, ax: Axes | None = None, *, names: Mapping[str, str] | None = None, numbers: bool = True
) -> Axes:
    """Draw the lattice behind a full-domain release, with what the search knows about each node and why.

    Full colour and a number: checked, in that order. Pale: pruned, since a check elsewhere decided it. A ring: the
    released node.

    Parameters
    ----------
    release:
        A release of Samarati, Incognito or FullDomain.
    names:
        Short names of columns, ``{"Marital_status": "M"}``; the shortest prefixes by default.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import Samarati
    >>> lattice_search(Samarati(k=4).anonymize(load("survey"))).get_title()
    '6 of 18 nodes were checked, 12 pruned'
    """
    if "state" not in release.info:
        raise ValueError("this release does not come from a lattice; use Samarati, Incognito or FullDomain")
    state = release.info["state"]
    graph = Lattice([size - 1 for size in state.shape])
    if graph.size > MAX_NODES:
        raise ValueError(f"a lattice of {graph.size:,} nodes is too large to read; choose fewer columns")
    positions, short = _positions(graph), _short_names(release.quasi, names or {})
    labels = {node: _node_name(short, node) for node in positions}
    widest = max(len(graph.nodes(height)) for height in range(graph.height + 1))
    label_width = max(text_size(label)[0] for label in labels.values()) + 0.08
    labelled = graph.size <= 60 and label_width * widest <= WIDEST - 0.6
    size = 330 if labelled else min(max(12.0, 24000 / graph.size), 250)
    ax = axes(
        ax, size=(max(1.6 + label_width * widest, 4.6) if labelled else WIDEST, min(1.6 + 0.78 * graph.height, 8.0))
    )
    for node in graph:
        for above in graph.successors(node):
            ax.plot(
                *zip(positions[node], positions[above], strict=True), color=GREY, alpha=0.45, linewidth=0.7, zorder=1
            )
    order = {node: number for number, (node, _) in reversed(list(enumerate(release.info["checked"], 1)))}
    _draw_nodes(ax, positions, state, set(order), tuple(release.info["node"].values()), size)
    if numbers and size >= 120:
        for node in order.keys() & positions.keys():
            ink = ink_on(_LOOK[int(state[node]), True][1])
            ax.text(*positions[node], str(order[node]), ha="center", va="center", fontsize=8, color=ink, zorder=4)
    if labelled:
        for node, (x, y) in positions.items():
            offset: Style = {
                "xytext": (0, -13),
                "textcoords": "offset points",
                "ha": "center",
                "va": "top",
                "zorder": 4,
            }
            back = {"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
            ax.annotate(labels[node], (x, y), fontsize=SMALL, color=INK, bbox=back, **offset)
    return _finish(ax, graph, state, set(order), labelled, _looks(release))


def _looks(release: Release) -> dict:
    """Adapt the legend to Incognito, which knows from fewer columns that a node fails."""
    if "subsets" not in release.info:
        return _LOOK
    label, *look = _LOOK[2, False]
    by_tags = ", or " + label.removeprefix("pruned: ") if getattr(release.method, "require", ()) else ""
    return _LOOK | {(2, False): (f"pruned: fails on fewer columns{by_tags}", *look)}


def _draw_nodes(ax: Axes, positions: dict, state: np.ndarray, checked: set, chosen: tuple, size: float) -> None:
    for (code, seen), (_, color, marker) in _LOOK.items():
        nodes = [node for node in positions if state[node] == code and (node in checked) == seen]
        if nodes:
            xs, ys = zip(*(positions[node] for node in nodes), strict=True)
            edge = INK if seen else GREY
            ax.scatter(
                xs, ys, s=size, c=color, marker=marker, edgecolors=edge, linewidths=1.2 if seen else 0.8, zorder=3
            )
    x, y = positions[chosen]
    ax.scatter(x, y, s=size * 1.7, facecolors="none", edgecolors=INK, linewidths=2.2, zorder=5)


def _finish(ax: Axes, graph: Lattice, state: np.ndarray, checked: set, labelled: bool, looks: dict) -> Axes:
    ax.set_yticks(range(graph.height + 1) if graph.height <= 20 else [0, graph.height])
    ax.set_ylabel("height (sum of levels)")
    ax.set_xticks([])
    ax.grid(False)
    ax.spines["bottom"].set_visible(False)
    ax.margins(0.1 if labelled else 0.04)
    low, high = ax.get_ylim()
    ax.set_ylim(low - (0.45 if labelled else 0.1), high + 0.1)
    nodes = list(graph)
    present = [
        look for (code, seen), look in looks.items() if any(state[n] == code and (n in checked) == seen for n in nodes)
    ]
    handles = [
        Line2D([], [], linestyle="", marker=marker, color=color, markeredgecolor=GREY, markersize=8, label=label)
        for label, color, marker in present
    ]
    ring: Style = {"marker": "o", "markerfacecolor": "none", "color": INK, "markeredgewidth": 2}
    handles.append(Line2D([], [], linestyle="", markersize=11, label="released", **ring))
    looked = len(checked & set(nodes))
    finding(ax, f"{looked:,} of {graph.size:,} nodes were checked, {int((state != 0).sum()) - looked:,} pruned")
    return below(ax, handles=handles)


def _positions(graph: Lattice) -> dict[tuple[int, ...], tuple[float, float]]:
    positions = {}
    for height in range(graph.height + 1):
        nodes = graph.nodes(height)
        # larger levels of the first column to the left, as lattices are usually drawn
        for index, node in enumerate(sorted(nodes, reverse=True)):
            positions[node] = (index - (len(nodes) - 1) / 2, float(height))
    return positions


def _short_names(columns: Sequence[str], given: Mapping[str, str]) -> list[str]:
    return [given.get(column, short) for column, short in zip(columns, short_names(columns), strict=True)]


def _node_name(short: Sequence[str], node: tuple[int, ...]) -> str:
    return clip(f"⟨{','.join(f'{name}{level}' for name, level in zip(short, node, strict=True))}⟩")


# ---- cut points ------------------------------------------------------------------------------------------------------


def intervals(release: Release, ax: Axes | None = None) -> Axes:
    """Draw the intervals that a release by cut points makes of each domain, a column of boxes per attribute.

    Each box has the values it joins and the number of their rows; a cut lies between two boxes. A long domain shows the
    labels of its intervals instead of their values.

    >>> from anonnb import load
    >>> from anonnb.methods import KOptimize
    >>> intervals(KOptimize(k=4).anonymize(load("survey"))).get_title()
    '3 cuts make 6 intervals of 8 values'
    """
    if "intervals" not in release.info:
        raise ValueError("this release is not made of cut points; use KOptimize")
    table, columns = release.table, release.quasi
    side_by_side = min(len(columns), 4)
    width = (WIDEST - 0.2 - 0.15 * (side_by_side - 1)) / side_by_side
    stacks = {name: _interval_texts(release, name, width - 0.2) for name in columns}
    tops, top = [], 0.0
    for start in range(0, len(columns), side_by_side):
        tops += [top] * len(columns[start : start + side_by_side])
        top += max(_stack_height(stacks[name]) for name in columns[start : start + side_by_side]) + 0.3
    ax = bare(axes(ax, size=(WIDEST, top + 0.4)))
    for index, name in enumerate(columns):
        x, y = (index % side_by_side) * (width + 0.15), tops[index]
        ax.text(x, y, clip(name, 40), va="top", fontsize=SMALL, weight="bold", color=INK)
        y += 0.24
        for text in stacks[name]:
            high = text_size(text)[1] + 0.1
            draw_box(ax, (x + width / 2, y + high / 2), (width, high), text, Look(BLUE, filled=True))
            y += high + 0.06
    ax.set(xlim=(-0.03, WIDEST - 0.15), ylim=(top, -0.03), aspect="equal")
    values = sum(table.attributes[name].size for name in columns)
    boxes = sum(map(len, stacks.values()))
    return finding(ax, f"{len(release.info['cuts']):,} cuts make {boxes:,} intervals of {values:,} values")


def _stack_height(texts: Sequence[str]) -> float:
    return 0.24 + sum(text_size(text)[1] + 0.16 for text in texts)


def _interval_texts(release: Release, name: str, inches: float) -> list[str]:
    """Return the text of each box of a column, in the order of the domain."""
    attribute, sets = release.table.attributes[name], release.columns[name].sets
    counts = np.bincount(release.table.codes(name), minlength=attribute.size)
    masks = sorted((sets.mask(number) for number in range(len(sets))), key=lambda mask: int(np.argmax(mask)))
    texts = []
    for mask in masks:
        codes = np.flatnonzero(mask)
        lines = [clip(attribute.labels[code], 40) for code in codes]
        if attribute.size > 20:
            lines = [f"{lines[0]} to {lines[-1]}" if len(lines) > 1 else lines[0]]
        total = f"{int(counts[codes].sum()):,} rows"
        texts.append("\n".join(lines_within(line, inches) for line in (*lines, total)))
    return texts
