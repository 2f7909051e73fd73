"""Graphs in layers: positions of nodes such that few edges cross, none runs through a box, and every text fits its box.

After Sugiyama, Tagawa and Toda (1981): edges over several layers get a placeholder in each layer between, layers are
sorted by the middle of their neighbours as long as that saves crossings, and nodes then move towards their neighbours
as far as the order and their sizes let them. All lengths are inches; "along" runs from layer to layer.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from anonnb.plots.parts.texts import lines_within, text_size
from anonnb.plots.style import WIDEST

PAD = 0.09  # between a text and its frame
APART, LAYERS_APART, MAX_APART = 0.14, 0.5, 1.1
NARROWEST = 0.7
SWEEPS = 12


@dataclass(frozen=True)
class DrawnNode:
    """Box in a graph, in the style that ``status`` names; ``layer`` fixes its layer.

    Text from data must have gone through ``texts.shown``; its line breaks are kept.

    >>> DrawnNode("a", "one", layer=0).status
    'plain'
    """

    key: Hashable
    text: str
    status: str = "plain"
    layer: int | None = None


@dataclass(frozen=True)
class DrawnEdge:
    """Arrow from node to node, in the style that ``status`` names.

    >>> DrawnEdge("a", "b").text
    ''
    """

    start: Hashable
    end: Hashable
    text: str = ""
    status: str = "plain"


@dataclass
class Layout:
    """Positions: per node the middle and the size of its box, per edge the points it passes through."""

    middle: dict[Hashable, tuple[float, float]] = field(default_factory=dict)
    size: dict[Hashable, tuple[float, float]] = field(default_factory=dict)
    text: dict[Hashable, str] = field(default_factory=dict)
    routes: list[list[tuple[float, float]]] = field(default_factory=list)
    layers: list[tuple[float, float]] = field(default_factory=list)  # where each begins and ends, along
    width: float = 0.0
    height: float = 0.0


def laid_out(
    nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge], *, down: bool = False, widest: float = WIDEST
) -> Layout:
    """Place a graph's nodes and edges, in layers from left to right, or from top to bottom with ``down``.

    Texts are wrapped until the drawing is at most ``widest`` inches wide.

    >>> made = laid_out([DrawnNode("a", "one"), DrawnNode("b", "two")], [DrawnEdge("a", "b")])
    >>> made.middle["a"][0] < made.middle["b"][0], made.middle["a"][1] == made.middle["b"][1]
    (True, True)
    """
    layers, chains = _with_placeholders(nodes, edges)
    layers = _sorted(layers, chains)
    layout = Layout()
    _fit_texts(layout, nodes, layers, down, widest)
    across = _across(layers, chains, layout, down, widest)
    thick = [_thickness(layer, layout, down) for layer in layers]
    gap = LAYERS_APART if down else _gap(thick, widest)
    ends = np.cumsum([0.0, *(each + gap for each in thick)])
    layout.layers = [(float(start), float(end) - gap) for start, end in itertools.pairwise(ends)]
    spot = {}
    for layer, (start, end) in zip(layers, layout.layers, strict=True):
        for key in layer:
            spot[key] = ((start + end) / 2, across[key])
    layout.middle = {node.key: _turned(spot[node.key], down) for node in nodes}
    layout.routes = [_route(chain, spot, layers, layout, down) for chain in chains]
    starts = [across[key] - _breadth(key, layout, down) / 2 for key in across]
    stops = [across[key] + _breadth(key, layout, down) / 2 for key in across]
    _shift(layout, -min(starts), down)
    layout.width, layout.height = _turned((layout.layers[-1][1], max(stops) - min(starts)), down)
    return layout


def _gap(thick: Sequence[float], widest: float) -> float:
    """Divide what is left of the width among the gaps between layers, within limits."""
    left = (widest - sum(thick)) / max(len(thick) - 1, 1)
    return min(max(left, LAYERS_APART), MAX_APART)


def _turned(point: tuple[float, float], down: bool) -> tuple[float, float]:
    """Turn (along, across) into (x, y): along is x, or y with ``down``."""
    return (point[1], point[0]) if down else (point[0], point[1])


def _shift(layout: Layout, by: float, down: bool) -> None:
    dx, dy = _turned((0.0, by), down)
    layout.middle = {key: (x + dx, y + dy) for key, (x, y) in layout.middle.items()}
    layout.routes = [[(x + dx, y + dy) for x, y in route] for route in layout.routes]


# ---- layers and their order ------------------------------------------------------------------------------------------


def _with_placeholders(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> tuple[list[list], list[list]]:
    """Return the nodes by layer, and each edge as a chain of keys with placeholders in the layers between."""
    level = _levels(nodes, edges)
    layers: list[list] = [[] for _ in range(1 + max(level.values()))]
    for node in nodes:
        layers[level[node.key]].append(node.key)
    chains = []
    for number, edge in enumerate(edges):
        first, last = level[edge.start], level[edge.end]
        step = 1 if last >= first else -1
        between = [("placeholder", number, layer) for layer in range(first + step, last, step)]
        for placeholder in between:
            layers[placeholder[2]].append(placeholder)
        chains.append([edge.start, *between, edge.end])
    return layers, chains


def _levels(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> dict[Hashable, int]:
    """Return fixed layers; a node without one comes after all that point to it (n rounds end a cycle)."""
    level = {node.key: node.layer or 0 for node in nodes}
    free = {node.key for node in nodes if node.layer is None}
    for _ in nodes:
        changed = False
        for edge in edges:
            if edge.end in free and level[edge.end] <= level[edge.start] and edge.end != edge.start:
                level[edge.end], changed = level[edge.start] + 1, True
        if not changed:
            break
    used = {number: position for position, number in enumerate(sorted(set(level.values())))}
    return {key: used[number] for key, number in level.items()}


def _sorted(layers: list[list], chains: list[list]) -> list[list]:
    """Sort each layer by the mean of its neighbours, back and forth, as long as that leaves fewer crossings."""
    pairs = [(one, two) for chain in chains for one, two in itertools.pairwise(chain)]
    best, fewest = layers, crossings(layers, pairs)
    now = [list(layer) for layer in layers]
    for sweep in range(SWEEPS):
        if not fewest:
            break
        order = range(1, len(now)) if sweep % 2 == 0 else range(len(now) - 2, -1, -1)
        for number in order:
            before = now[number - 1 if sweep % 2 == 0 else number + 1]
            now[number] = _by_neighbours(now[number], before, pairs)
        count = crossings(now, pairs)
        if count < fewest:
            best, fewest = [list(layer) for layer in now], count
    return best


def _by_neighbours(layer: list, before: list, pairs: list[tuple]) -> list:
    position = {key: number for number, key in enumerate(before)}
    neighbours: dict[Hashable, list[int]] = {key: [] for key in layer}
    for one, two in pairs:
        for key, other in ((one, two), (two, one)):
            if key in neighbours and other in position:
                neighbours[key].append(position[other])
    present = {key: number * len(before) / max(len(layer), 1) for number, key in enumerate(layer)}
    return sorted(layer, key=lambda key: np.mean(neighbours[key]) if neighbours[key] else present[key])


def crossings(layers: Sequence[Sequence], pairs: Sequence[tuple]) -> int:
    """Count the pairs of edges between neighbouring layers that cross.

    >>> crossings([["a", "b"], ["x", "y"]], [("a", "y"), ("b", "x")])
    1
    """
    where = {key: (number, position) for number, layer in enumerate(layers) for position, key in enumerate(layer)}
    count = 0
    by_gap: dict[int, list[tuple[int, int]]] = {}
    for one, two in pairs:
        (first, a), (_last, b) = sorted((where[one], where[two]))
        by_gap.setdefault(first, []).append((a, b))
    for ends in by_gap.values():
        starts, stops = np.array(ends).T
        count += int(((starts[:, None] < starts) & (stops[:, None] > stops)).sum())
    return count


# ---- sizes and places ------------------------------------------------------------------------------------------------


def _fit_texts(layout: Layout, nodes: Sequence[DrawnNode], layers: list[list], down: bool, widest: float) -> None:
    """Wrap every text to the width that its layer leaves it."""
    texts = {node.key: node.text for node in nodes}
    real = [[key for key in layer if key in texts] for layer in layers]
    natural = {key: text_size(text)[0] + 2 * PAD for key, text in texts.items()}
    if down:
        widths: dict[Hashable, float] = {}
        for layer, all_keys in zip(real, layers, strict=True):
            free = widest - APART * (len(all_keys) - 1)
            widths |= dict(zip(layer, shared([natural[key] for key in layer], free), strict=True))
    else:
        thick = [max((natural[key] for key in layer), default=0.0) for layer in real]
        shares = shared(thick, widest - LAYERS_APART * (len(layers) - 1))
        widths = {key: share for layer, share in zip(real, shares, strict=True) for key in layer}
    for key, text in texts.items():
        layout.text[key] = lines_within(text, max(widths[key], NARROWEST) - 2 * PAD)
        width, height = text_size(layout.text[key])
        layout.size[key] = (width + 2 * PAD, height + 1.4 * PAD)


def shared(wanted: Sequence[float], available: float) -> list[float]:
    """Divide a width: small requests are granted, and the others share the rest evenly.

    >>> shared([1.0, 5.0, 5.0], 7.0)
    [1.0, 3.0, 3.0]
    """
    given: dict[int, float] = {}
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for number, index in enumerate(order):
        given[index] = min(wanted[index], (available - sum(given.values())) / (len(order) - number))
    return [given[index] for index in range(len(wanted))]


def _breadth(key: Hashable, layout: Layout, down: bool) -> float:
    return layout.size[key][0 if down else 1] if key in layout.size else 0.05


def _thickness(layer: Sequence, layout: Layout, down: bool) -> float:
    return max((layout.size[key][1 if down else 0] for key in layer if key in layout.size), default=0.1)


def _across(layers: list[list], chains: list[list], layout: Layout, down: bool, widest: float) -> dict[Hashable, float]:
    """Place nodes across: first one after the other, then towards their neighbours on either side, in order."""
    near: dict[Hashable, list] = {key: [] for layer in layers for key in layer}
    for chain in chains:
        for one, two in itertools.pairwise(chain):
            near[one].append(two)
            near[two].append(one)
    apart = APART / 2
    if down:  # what is left of the width goes between the boxes, up to a point
        free = [(widest - sum(_breadth(key, layout, down) for key in layer)) / max(len(layer), 1) for layer in layers]
        apart = min(max(min(free), APART), MAX_APART / 2)
    breadth = {key: _breadth(key, layout, down) + apart for key in near}
    total = max(sum(breadth[key] for key in layer) for layer in layers)
    spot: dict[Hashable, float] = {}
    for layer in layers:
        start = (total - sum(breadth[key] for key in layer)) / 2
        for key in layer:
            spot[key] = start + breadth[key] / 2
            start += breadth[key]
    for turn in range(2 * SWEEPS):
        for layer in layers if turn % 2 == 0 else reversed(layers):
            wanted = [float(np.mean([spot[other] for other in near[key] or [key]])) for key in layer]
            spot |= dict(zip(layer, in_order(wanted, [breadth[key] for key in layer], total), strict=True))
    return spot


def in_order(wanted: Sequence[float], breadth: Sequence[float], total_width: float) -> list[float]:
    """Return the nearest positions that keep order, distances and total width (isotonic regression)."""
    widths = np.asarray(breadth, dtype=float)
    offsets = np.cumsum(widths) - widths / 2
    blocks: list[list[float]] = []  # sum and number of the values that share one position
    for value in np.asarray(wanted) - offsets:
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, number = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += number
    flat = np.repeat([total / number for total, number in blocks], [int(number) for _, number in blocks])
    return (np.clip(flat, 0.0, max(total_width - widths.sum(), 0.0)) + offsets).tolist()


def _route(chain: list, spot: Mapping, layers: list[list], layout: Layout, down: bool) -> list[tuple[float, float]]:
    """Return the points of an edge: out of its first box, straight through the layers between, into its last."""
    number = {key: layer_number for layer_number, layer in enumerate(layers) for key in layer}
    forward = number[chain[-1]] >= number[chain[0]]
    points = []
    for key in chain:
        along, across = spot[key]
        reach = layout.size[key][1 if down else 0] / 2 if key in layout.size else 0.0
        start, end = layout.layers[number[key]]
        if key == chain[0]:
            points.append((along + reach if forward else along - reach, across))
        elif key == chain[-1]:
            points.append((along - reach if forward else along + reach, across))
        else:
            points += [(start, across), (end, across)] if forward else [(end, across), (start, across)]
    return [_turned(point, down) for point in points]
