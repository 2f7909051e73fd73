"""Graphs and trees as boxes in layers; what a node is shows in its colour, its frame and a mark before its text.

Of a graph that is too large to read, the nodes that the step is about are drawn, with their neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from anonnb.plots.parts.graphs import Look, PlannedGraph
from anonnb.plots.parts.layers import APART, LAYERS_APART, NARROWEST, PAD, DrawnEdge, DrawnNode
from anonnb.plots.parts.texts import MAX_LETTERS, clip, text_size
from anonnb.plots.steps.drawing import SizedDrawing, with_note
from anonnb.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, WIDEST
from anonnb.steps.states import Graph

MAX_NODES = (36, 24, 16, 10, 6)  # the first that leaves every word whole
FEW_NODES = 7  # of a tree with words at its branches; in larger trees they are in the boxes
MAX_LINES = 4
_FULL = WIDEST - 0.16
_LOOKS = {
    "open": Look(GREY, label="open"),
    "now": Look(ORANGE, width=2.2, label="looked at now", mark="▸", filled=True),
    "chosen": Look(GREEN, width=2.2, label="chosen", mark="✓", filled=True),
    "kept": Look(BLUE, label="kept", filled=True),
    "pruned": Look(PURPLE, "--", label="pruned", mark="–"),
    "failed": Look(RED, ":", 1.6, label="fails", mark="×"),
}
CHANGED = "changed"  # after a status: another than in the step before
_URGENT = ("now", "chosen")


def graph_drawing(state: Graph, previous: object, width: float) -> SizedDrawing:
    """Lay a graph out downwards if that breaks no word, otherwise to the right; widen it if necessary."""
    changed = changed_nodes(state, previous)
    for limit in MAX_NODES:
        nodes, edges = _parts(state, changed, limit)
        below, beside = _minimal_widths(nodes)
        if min(below, beside) <= _FULL:
            break
    fits = below <= max(width, beside)
    if not fits and not state.down:  # the bottom of a lattice is at the left then
        last = max(node.layer or 0 for node in nodes)
        nodes = [replace(node, layer=last - (node.layer or 0)) for node in nodes]
        edges = [replace(edge, start=edge.end, end=edge.start) for edge in edges]
    available = min(max(width, below if fits else beside), _FULL)
    planned = PlannedGraph(nodes, edges, _looks(), down=fits, arrows=state.down, widest=available)
    drawing = SizedDrawing(planned.width, planned.height, planned.draw)
    if len(nodes) == len(state.nodes):
        return drawing
    note = f"{len(nodes)} of {len(state.nodes):,} nodes: what the step is about, its neighbours, and the first others."
    return with_note(drawing, note)


def _parts(state: Graph, changed: set[Hashable], limit: int) -> tuple[list[DrawnNode], list[DrawnEdge]]:
    """Return at most ``limit`` nodes, those that matter, and the edges between them; layer 0 is at the top."""
    names = _readable(state, changed, limit)
    known = set(names)
    ends = {
        (start, end) if state.down else (end, start): text
        for (start, end), text in state.edges.items()
        if start in known and end in known
    }
    # where branches lie close to each other, there is no room for words between them
    inside = state.down and len(names) > FEW_NODES and len({end for _, end in ends}) == len(ends)
    before = {end: f"{text}\n" for (_, end), text in ends.items() if text} if inside else {}
    last = int(state.nodes["layer"].max())
    nodes = [_node(state, name, name in changed, last, before.get(name, "")) for name in names]
    return nodes, [DrawnEdge(start, end, "" if inside else clip(text, 40)) for (start, end), text in ends.items()]


def changed_nodes(state: Graph, previous: object) -> set[Hashable]:
    """Return the nodes that are new or differ from the previous graph; of those it looked at, only the text counts."""
    if not isinstance(previous, Graph) or previous.nodes.index.intersection(state.nodes.index).empty:
        return set()
    old = dict(
        zip(previous.nodes.index, zip(previous.nodes["status"], previous.nodes["text"], strict=True), strict=True)
    )
    now = zip(state.nodes.index, zip(state.nodes["status"], state.nodes["text"], strict=True), strict=True)
    return {name for name, (status, text) in now if old.get(name) not in ((status, text), ("now", text))}


def _looks() -> dict[str, Look]:
    """Return a style for each status, and one with a heavier frame and a dot for what changed."""
    heavy = {
        f"{name} {CHANGED}": replace(look, width=3.0, mark=f"{look.mark}●", label=f"{look.label}, changed")
        for name, look in _LOOKS.items()
    }
    return _LOOKS | heavy


def _node(state: Graph, name: Hashable, changed: bool, last: int, before: str) -> DrawnNode:
    line = state.nodes.loc[[name]].iloc[0]
    layer = int(line["layer"])
    # what a step is about stands out anyway
    status = f"{line['status']} {CHANGED}" if changed and line["status"] != "now" else line["status"]
    return DrawnNode(name, _lines(f"{before}{line['text']}"), status, layer if state.down else last - layer)


def _lines(text: object) -> str:
    """Return the text of a node, with the line breaks of the algorithm."""
    lines, letters = [], 2 * MAX_LETTERS
    for line in str(text).split("\n")[:MAX_LINES]:
        lines.append(clip(line, max(min(letters, MAX_LETTERS), 4)))
        letters -= len(lines[-1])
    return "\n".join(lines)


def _readable(state: Graph, changed: set[Hashable], limit: int) -> list[Hashable]:
    """Return the names of the nodes to draw: all, or those that matter and their neighbours."""
    names = list(state.nodes.index)
    if len(names) <= limit:
        return names
    status = dict(zip(names, state.nodes["status"], strict=True))
    urgent = [name for name in names if status[name] in _URGENT] + [name for name in names if name in changed]
    near: dict[Hashable, list[Hashable]] = {name: [] for name in names}
    for start, end in state.edges:
        near[start].append(end)
        near[end].append(start)
    order = dict.fromkeys(urgent[: limit // 2])
    for name in list(order):
        order |= dict.fromkeys(near[name])
    chosen = set(list(order | dict.fromkeys(names))[:limit])
    return [name for name in names if name in chosen]


def _minimal_widths(nodes: list[DrawnNode]) -> tuple[float, float]:
    """Return the widths below which words are broken, for layers downwards and for layers to the right."""
    layers: dict[int | None, list[float]] = {}
    for node in nodes:
        mark = 0.2 if _looks()[node.status].mark else 0.0
        longest = max((text_size(word)[0] for word in node.text.split()), default=0.0)
        layers.setdefault(node.layer, []).append(max(min(longest, 1.4) + mark + 2 * PAD, NARROWEST))
    below = max((sum(wide) + APART * (len(wide) - 1) for wide in layers.values()), default=0.0)
    beside = sum(map(max, layers.values())) + LAYERS_APART * (len(layers) - 1)
    return below + 0.2, beside + 0.2
