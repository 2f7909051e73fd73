"""Secondary suppression on a finished tree: the fewest node counts to hide, by dynamic programming over the tree.

Reading of Ciriani et al. (2008, section 7.2): hidden leaves that no shown node covers form a region whose total
follows from the counts around it. The total must be safe, and so must each part, knowing that no drawn node is empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from anonnb.trees.tree import Node, Tree

SHOWN, GONE = "shown", "gone"  # the states of a node besides: an int, the people a hidden node adds to a region
_Plans = dict  # state -> (number of hidden nodes, how: nested tuples of node numbers)


def nodes_to_hide(root: Node, k: int) -> set[int]:
    """Return the smallest set of nodes to hide, the root always shown; ties: nodes are shown left to right.

    A hidden subtree is not drawn, so it is one part of its region; m parts of c people in all are safe when
    c − (m − 1) ≥ k. A part of c people therefore adds c − 1, and a region is safe from k − 1 on.
    """
    plans: dict[int, _Plans] = {}
    for node in reversed(list(root.walk())):
        plans[node.number] = _plans(node, [plans.pop(child.number) for child in node.children], k)
    return set(_flat(plans[root.number][SHOWN][1]))


def _plans(node: Node, below: list[_Plans], k: int) -> _Plans:
    """Return the cheapest way to reach each state of a node, from those of its children."""
    size = len(node.rows)
    gone = (1 + sum(plan[GONE][0] for plan in below), (node.number, *(plan[GONE][1] for plan in below)))
    plans = {GONE: gone}
    if size >= k:  # with everything below gone, the node is a leaf
        plans[SHOWN] = (gone[0] - 1, gone[1][1:])
    for state, (cost, how) in _combined(node, below, k).items():
        if state is None or state >= k - 1:
            _offer(plans, SHOWN, cost, how)
        if state is not None:
            _offer(plans, state, cost + 1, (node.number, how))
    return plans


def _combined(node: Node, below: list[_Plans], k: int) -> _Plans:
    """Return ways to treat the children together, by how many people their hidden parts add (None: no part)."""
    together: _Plans = {None: (0, ())} if below else {}
    for child, plans in zip(node.children, below, strict=True):
        following: _Plans = {}
        for added, (cost, how) in together.items():
            for state, (more, plan) in plans.items():
                part = {SHOWN: None, GONE: len(child.rows) - 1}.get(state, state)
                total = added if part is None else min(part + (added or 0), k - 1)
                _offer(following, total, cost + more, (how, plan))
        together = _undominated(following)
    return together


def _undominated(plans: _Plans) -> _Plans:
    """Drop plans that hide as many nodes as another and add fewer people: more people are never worse."""
    kept, fewest = {state: plan for state, plan in plans.items() if state is None}, None
    for state in sorted((state for state in plans if state is not None), reverse=True):
        if fewest is None or plans[state][0] < fewest:
            kept[state], fewest = plans[state], plans[state][0]
    return kept


def _offer(plans: _Plans, state: object, cost: int, how: tuple) -> None:
    if state not in plans or cost < plans[state][0]:
        plans[state] = (cost, how)


def _flat(how: tuple | int) -> Iterator[int]:
    stack = [how]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack += part
        else:
            yield part


def drawn(tree: Tree, hidden: set[int]) -> tuple[Tree, set[int]]:
    """Return the tree without subtrees that are hidden throughout, and the hidden nodes that are left.

    Nodes are numbered anew, depth first: gaps in the numbers would reveal nodes that are not drawn.
    """
    seen: dict[int, bool] = {}
    for node in reversed(tree.nodes):
        seen[node.number] = node.number not in hidden or any(seen[child.number] for child in node.children)

    def copy(node: Node, parent: Node | None) -> Node:
        twin = Node(node.number, node.depth, node.rows, node.stats, parent, node.condition)
        if any(seen[child.number] for child in node.children):
            twin.split = node.split
            twin.children = [copy(child, twin) for child in node.children]
        return twin

    nodes = list(copy(tree.root, None).walk())
    left = set()
    for number, node in enumerate(nodes):
        if node.number in hidden:
            left.add(number)
        node.number = number
    return Tree(nodes[0], tree.target, tree.criterion, [node for node in nodes if not node.is_leaf]), left
