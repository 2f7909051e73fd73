"""Graphs in layers: no box upon another, none beyond the width, no edge through a box, as few crossings as found."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.plots.parts.layers import DrawnEdge, DrawnNode, crossings, in_order, laid_out
from anonnb.plots.style import WIDEST


@st.composite
def graphs(draw):
    """Up to four layers of up to five nodes, edges from any layer to a later one."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    words = st.text("abcde ", min_size=1, max_size=25)
    nodes = [
        DrawnNode((layer, place), draw(words).strip() or "x", "", layer)
        for layer, size in enumerate(sizes)
        for place in range(size)
    ]
    pairs = [(one.key, two.key) for one, two in itertools.product(nodes, nodes) if one.layer < two.layer]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=8, unique=True)) if pairs else []
    return nodes, [DrawnEdge(one, two) for one, two in chosen]


def boxes(made):
    return {
        key: (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        for (key, (x, y)), (w, h) in zip(made.middle.items(), made.size.values(), strict=True)
    }


@given(graphs(), st.booleans())
def test_no_box_meets_another_and_all_lie_inside(graph, down):
    made = laid_out(*graph, down=down)
    found = boxes(made)
    for one, two in itertools.combinations(found.values(), 2):
        assert one[2] <= two[0] + 1e-9 or two[2] <= one[0] + 1e-9 or one[3] <= two[1] + 1e-9 or two[3] <= one[1] + 1e-9
    for x0, y0, x1, y1 in found.values():
        assert min(x0, y0) >= -1e-9
        assert x1 <= made.width + 1e-9
        assert y1 <= made.height + 1e-9
    assert made.width <= WIDEST + 1e-9


@given(graphs(), st.booleans())
def test_edges_pass_straight_between_the_boxes_of_other_layers(graph, down):
    made, (_, edges) = laid_out(*graph, down=down), graph
    found = boxes(made)
    for edge, route in zip(edges, made.routes, strict=True):
        points = (
            np.concatenate([np.linspace(one, two, 30) for one, two in itertools.pairwise(route[1:-1])])
            if len(route) > 3
            else []
        )
        for key, (x0, y0, x1, y1) in found.items():
            if key not in (edge.start, edge.end):
                assert not any(x0 < x < x1 and y0 < y < y1 for x, y in points)


def test_a_graph_that_needs_no_crossing_gets_none():
    nodes = [DrawnNode(name, name, "", layer) for layer, names in enumerate(["abc", "xyz"]) for name in names]
    edges = [DrawnEdge("a", "z"), DrawnEdge("b", "y"), DrawnEdge("c", "x")]
    made = laid_out(nodes, edges)
    order = ["a", "b", "c"], ["x", "y", "z"]
    assert crossings(order, [("a", "z"), ("b", "y"), ("c", "x")]) == 3
    heights = [made.middle[edge.start][1] - made.middle[edge.end][1] for edge in edges]
    assert heights == pytest.approx([0, 0, 0])


def test_nodes_without_a_layer_stand_behind_what_points_to_them():
    made = laid_out(
        [DrawnNode("c", "c"), DrawnNode("b", "b"), DrawnNode("a", "a")],
        [DrawnEdge("a", "b"), DrawnEdge("b", "c"), DrawnEdge("a", "c")],
    )
    assert made.middle["a"][0] < made.middle["b"][0] < made.middle["c"][0]


def test_a_circle_ends():
    made = laid_out([DrawnNode("a", "a"), DrawnNode("b", "b")], [DrawnEdge("a", "b"), DrawnEdge("b", "a")])
    assert set(made.middle) == {"a", "b"}


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(0.1, 2)), min_size=1, max_size=8))
def test_places_keep_order_distances_and_room(parts):
    wanted, breadth = zip(*parts, strict=True)
    found = in_order(wanted, breadth, sum(breadth) + 1)
    ends = [(place - wide / 2, place + wide / 2) for place, wide in zip(found, breadth, strict=True)]
    assert all(one[1] <= two[0] + 1e-6 for one, two in itertools.pairwise(ends))
    assert ends[0][0] >= -1e-6
    assert ends[-1][1] <= sum(breadth) + 1 + 1e-6
