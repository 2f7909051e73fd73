"""Graphs and trees as boxes in layers; what a node is shows in its colour, its frame and a mark before its text.

Of a graph that is too large to read, the nodes that the step is about are drawn, with their neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from anonnb.plots.parts.graphs import Look, PlannedGraph
from anonnb.plots.parts.layers import APART, NARROWEST, Edge, Node
from anonnb.plots.steps.drawing import Drawing, with_note
from anonnb.plots.style import BLUE, GREEN, GREY, MOST_LETTERS, ORANGE, PURPLE, RED, shown, text_size
from anonnb.steps.states import Graph

MOST_NODES, MOST_LINES = 36, 4
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


def graph_drawing(state: Graph, previous: object, width: float) -> Drawing:
    """The graph in at most so many inches where its widest layer allows that, else from left to right."""
    changed = changed_nodes(state, previous)
    names = _readable(state, changed)
    last = int(state.nodes["layer"].max()) if len(state.nodes) else 0
    nodes = [_node(state, name, name in changed, last) for name in names]
    known = {node.key for node in nodes}
    ends = [edge if state.down else edge[::-1] for edge in state.edges]
    edges = [
        Edge(start, end, shown(text, 40))
        for (start, end), text in zip(ends, state.edges.values(), strict=True)
        if start in known and end in known
    ]
    fits = _least_width(nodes) <= width
    order = nodes if fits or state.down else [replace(node, layer=last - node.layer) for node in nodes]
    turned = edges if fits or state.down else [replace(edge, start=edge.end, end=edge.start) for edge in edges]
    planned = PlannedGraph(order, turned, _looks(), down=fits, arrows=state.down, widest=width)
    drawing = Drawing(planned.width, planned.height, planned.draw)
    if len(nodes) == len(state.nodes):
        return drawing
    return with_note(
        drawing, f"{len(nodes)} of {len(state.nodes):,} nodes: what the step is about, and its neighbours."
    )


def changed_nodes(state: Graph, previous: object) -> set[Hashable]:
    """Nodes that are new, or whose status or text is another than in the previous graph."""
    if not isinstance(previous, Graph):
        return set()
    old = dict(
        zip(previous.nodes.index, zip(previous.nodes["status"], previous.nodes["text"], strict=True), strict=True)
    )
    now = zip(state.nodes.index, zip(state.nodes["status"], state.nodes["text"], strict=True), strict=True)
    return {name for name, look in now if old.get(name) != look}


def _looks() -> dict[str, Look]:
    """A look for each status, and one with a heavier frame and a dot for what changed."""
    heavy = {
        f"{name} {CHANGED}": replace(look, width=3.0, mark=f"{look.mark}●", label=f"{look.label}, changed")
        for name, look in _LOOKS.items()
    }
    return _LOOKS | heavy


def _node(state: Graph, name: Hashable, changed: bool, last: int) -> Node:
    line = state.nodes.loc[[name]].iloc[0]
    layer = int(line["layer"])
    # what a step is about stands out anyway
    status = f"{line['status']} {CHANGED}" if changed and line["status"] != "now" else line["status"]
    return Node(name, _lines(line["text"]), status, layer if state.down else last - layer)


def _lines(text: object) -> str:
    """What stands in a node: algorithms break its lines themselves."""
    lines, room = [], 2 * MOST_LETTERS
    for line in str(text).split("\n")[:MOST_LINES]:
        lines.append(shown(line, max(min(room, MOST_LETTERS), 4)))
        room -= len(lines[-1])
    return "\n".join(lines)


def _readable(state: Graph, changed: set[Hashable]) -> list[Hashable]:
    """The names of the nodes that are drawn: all, or those that matter and their neighbours."""
    names = list(state.nodes.index)
    if len(names) <= MOST_NODES:
        return names
    status = dict(zip(names, state.nodes["status"], strict=True))
    urgent = [name for name in names if status[name] in _URGENT] + [name for name in names if name in changed]
    near: dict[Hashable, list[Hashable]] = {name: [] for name in names}
    for start, end in state.edges:
        near[start].append(end)
        near[end].append(start)
    order = dict.fromkeys(urgent[: MOST_NODES // 2])
    for name in list(order):
        order |= dict.fromkeys(near[name])
    chosen = set(list(order | dict.fromkeys(names))[:MOST_NODES])
    return [name for name in names if name in chosen]


def _least_width(nodes: list[Node]) -> float:
    """The inches of the widest layer if every text stands on as many lines as it has words."""
    layers: dict[int | None, float] = {}
    for node in nodes:
        longest = max((text_size(word)[0] for word in node.text.split()), default=0.0)
        layers[node.layer] = layers.get(node.layer, 0.0) + max(min(longest + 0.3, 1.6), NARROWEST) + APART
    return max(layers.values(), default=0.0)
