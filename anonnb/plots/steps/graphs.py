"""Graphs and trees as boxes in layers; what a node is shows in its colour, its frame and a mark before its text.

Of a graph that is too large to read, the nodes that the step is about are drawn, with their neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from anonnb.plots.parts.graphs import Look, PlannedGraph
from anonnb.plots.parts.layers import APART, LAYERS_APART, NARROWEST, PAD, DrawnEdge, DrawnNode
from anonnb.plots.parts.texts import MOST_LETTERS, shown, text_size
from anonnb.plots.steps.drawing import SizedDrawing, with_note
from anonnb.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, WIDEST
from anonnb.steps.states import Graph

MOST_NODES = (36, 24, 16, 10, 6)  # the first that leaves every word whole
FEW_NODES = 7  # of a tree with words at its branches; in larger trees they are in the boxes
MOST_LINES = 4
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
    """The graph with its layers below each other if that breaks no word, otherwise side by side; wider if necessary."""
    changed = changed_nodes(state, previous)
    for most in MOST_NODES:
        nodes, edges = _parts(state, changed, most)
        below, beside = _least_widths(nodes)
        if min(below, beside) <= _FULL:
            break
    fits = below <= max(width, beside)
    if not fits and not state.down:  # the bottom of a lattice is at the left then
        last = max(node.layer for node in nodes)
        nodes = [replace(node, layer=last - node.layer) for node in nodes]
        edges = [replace(edge, start=edge.end, end=edge.start) for edge in edges]
    room = min(max(width, below if fits else beside), _FULL)
    planned = PlannedGraph(nodes, edges, _looks(), down=fits, arrows=state.down, widest=room)
    drawing = SizedDrawing(planned.width, planned.height, planned.draw)
    if len(nodes) == len(state.nodes):
        return drawing
    said = f"{len(nodes)} of {len(state.nodes):,} nodes: what the step is about, its neighbours, and the first others."
    return with_note(drawing, said)


def _parts(state: Graph, changed: set[Hashable], most: int) -> tuple[list[DrawnNode], list[DrawnEdge]]:
    """At most ``most`` nodes, those that matter, and the edges between them; layer 0 is drawn at the top."""
    names = _readable(state, changed, most)
    ends = {edge if state.down else edge[::-1]: text for edge, text in state.edges.items()}
    known = set(names)
    ends = {(start, end): text for (start, end), text in ends.items() if start in known and end in known}
    # where branches lie close to each other, there is no room for words between them
    inside = state.down and len(names) > FEW_NODES and len({end for _, end in ends}) == len(ends)
    before = {end: f"{text}\n" for (_, end), text in ends.items() if text} if inside else {}
    last = int(state.nodes["layer"].max())
    nodes = [_node(state, name, name in changed, last, before.get(name, "")) for name in names]
    return nodes, [DrawnEdge(*pair, "" if inside else shown(text, 40)) for pair, text in ends.items()]


def changed_nodes(state: Graph, previous: object) -> set[Hashable]:
    """Nodes that are new, or whose status or text differs from the previous graph."""
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


def _node(state: Graph, name: Hashable, changed: bool, last: int, before: str) -> DrawnNode:
    line = state.nodes.loc[[name]].iloc[0]
    layer = int(line["layer"])
    # what a step is about stands out anyway
    status = f"{line['status']} {CHANGED}" if changed and line["status"] != "now" else line["status"]
    return DrawnNode(name, _lines(f"{before}{line['text']}"), status, layer if state.down else last - layer)


def _lines(text: object) -> str:
    """The text of a node, with the line breaks of the algorithm."""
    lines, room = [], 2 * MOST_LETTERS
    for line in str(text).split("\n")[:MOST_LINES]:
        lines.append(shown(line, max(min(room, MOST_LETTERS), 4)))
        room -= len(lines[-1])
    return "\n".join(lines)


def _readable(state: Graph, changed: set[Hashable], most: int) -> list[Hashable]:
    """The names of the nodes that are drawn: all, or those that matter and their neighbours."""
    names = list(state.nodes.index)
    if len(names) <= most:
        return names
    status = dict(zip(names, state.nodes["status"], strict=True))
    urgent = [name for name in names if status[name] in _URGENT] + [name for name in names if name in changed]
    near: dict[Hashable, list[Hashable]] = {name: [] for name in names}
    for start, end in state.edges:
        near[start].append(end)
        near[end].append(start)
    order = dict.fromkeys(urgent[: most // 2])
    for name in list(order):
        order |= dict.fromkeys(near[name])
    chosen = set(list(order | dict.fromkeys(names))[:most])
    return [name for name in names if name in chosen]


def _least_widths(nodes: list[DrawnNode]) -> tuple[float, float]:
    """The inches without which words are broken, with layers below each other and with layers side by side."""
    layers: dict[int | None, list[float]] = {}
    for node in nodes:
        mark = 0.2 if _looks()[node.status].mark else 0.0
        longest = max((text_size(word)[0] for word in node.text.split()), default=0.0)
        layers.setdefault(node.layer, []).append(max(min(longest, 1.4) + mark + 2 * PAD, NARROWEST))
    below = max((sum(wide) + APART * (len(wide) - 1) for wide in layers.values()), default=0.0)
    beside = sum(map(max, layers.values())) + LAYERS_APART * (len(layers) - 1)
    return below + 0.2, beside + 0.2
