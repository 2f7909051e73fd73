"""Exercises of notebook 32, inference from mined results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.trees.disclosure import disclosures

Counts = dict[str, tuple[str | None, int | None]]  # the parent and the people of each node; None: no parent, hidden


@exercise("32.1")
def from_two_rules(numbers: Numbers) -> Exercise:
    people, with_b, with_c, with_both = numbers.one_of([(50, 40, 45, 38), (80, 72, 60, 55), (40, 34, 30, 26)])
    return Exercise(
        f"Published are two rules, A → B with support {with_b} and confidence {with_b / people:g}, and A → C with "
        f"support {with_c} and confidence {with_c / people:g}, and that {with_both} people have A, B and C. How many "
        "people have A, but neither B nor C?",
        hints=[
            "the support counts the people with both sides; divided by the confidence it gives those with A",
            "take away those with B and those with C; whoever has both was taken away twice",
        ],
        worked=f"A has {with_b} / {with_b / people:g} = {people} people. Of them {people} − {with_b} − {with_c} + "
        f"{with_both} = {people - with_b - with_c + with_both} have neither B nor C.",
        expected=lambda: people - with_b - with_c + with_both,
    )


@exercise("32.2")
def rounded(numbers: Numbers) -> Exercise:
    support, confidence = numbers.one_of([(190, 0.9), (240, 0.8), (330, 0.75)])
    return Exercise(
        f"A rule A → B is published with support {support} and confidence {confidence:.2f}, rounded to two "
        "digits. How many whole numbers are possible for the people with A?",
        hints=[
            f"the confidence lies between {confidence - 0.005:.3f} and {confidence + 0.005:.3f}; divide the support by "
            "both ends",
            "count the whole numbers between the two quotients, and check the ends by rounding",
        ],
        worked=lambda: (
            f"{support} / {confidence + 0.005:.3f} = {support / (confidence + 0.005):.2f} and {support} / "
            f"{confidence - 0.005:.3f} = {support / (confidence - 0.005):.2f}: the numbers "
            f"{left_sides(support, confidence)[0]} to {left_sides(support, confidence)[-1]}. With a support of 19 "
            "there is one number only: rounding protects where counts are large, and those need it least."
        ),
        expected=lambda: len(left_sides(support, confidence)),
    )


def left_sides(support: int, confidence: float) -> list[int]:
    """The numbers of people with the left side of a rule that give its confidence, rounded to two digits.

    >>> left_sides(19, 0.9)
    [21]
    """
    return [people for people in range(support, 20 * support) if round(support / people, 2) == confidence]


TREES: list[dict[str, tuple[str | None, int]]] = [
    {
        **{"all": (None, 66), "men": ("all", 55), "women": ("all", 11)},
        **{"women, 35 hours": ("women", 2), "women, 50 hours": ("women", 9)},
        **{"men, married": ("men", 10), "men, divorced": ("men", 19), "men, single": ("men", 26)},
    },
    {
        **{"all": (None, 80), "old": ("all", 50), "young": ("all", 30)},
        **{"old, north": ("old", 4), "old, south": ("old", 46), "young, north": ("young", 12)},
        **{"young, south": ("young", 15), "young, west": ("young", 3)},
    },
]


@exercise("32.3")
def hide_few(numbers: Numbers) -> Exercise:
    tree = numbers.one_of(TREES)
    k = numbers.one_of([3, 5])
    smallest = min(count for _, count in tree.values())
    k = max(k, smallest + 1)
    told = "; ".join(f"{name}: {count}" for name, (_, count) in tree.items())
    return Exercise(
        f"A tree is published with all its counts: {told}. Hide as few counts as possible, so that no count from 1 to "
        f"{k - 1} can be read or computed. (A hidden node is still drawn, so everyone knows that at least one "
        "person is there.) Answer with a list of the nodes whose counts are hidden.",
        hints=[
            "hide the small count; can the reader get it back from the count above and its siblings?",
            "then hide a sibling too, and check what the parent less its shown children leaves: at least k people, and "
            f"no hidden part that is sure to have fewer than {k}",
        ],
        worked=lambda: _fewest(tree, k),
        judge=lambda answer: _not_fewest(answer, tree, k),
    )


def leaks(tree: Mapping[str, tuple[str | None, int | None]], k: int) -> list:
    """The small counts that follow from a tree, with our search."""
    return disclosures(framed(tree), k)


def framed(tree: Mapping[str, tuple[str | None, int | None]]) -> pd.DataFrame:
    """A tree as the frame that is published."""
    places = {name: place for place, name in enumerate(tree)}
    return pd.DataFrame(
        {
            "node": list(places.values()),
            "parent": [-1 if parent is None else places[parent] for parent, _ in tree.values()],
            "attribute": ["" if parent is None else "split" for parent, _ in tree.values()],
            "rows": pd.array([count for _, count in tree.values()], dtype="Int64"),
        }
    )


def _hidden(tree: Mapping[str, tuple[str | None, int]], names) -> Counts:
    return {name: (parent, None if name in names else count) for name, (parent, count) in tree.items()}


def fewest_hidden(tree: Mapping[str, tuple[str | None, int]], k: int) -> list[tuple[str, ...]]:
    """The smallest sets of nodes whose counts must be hidden, by trying all."""
    for size in range(len(tree) + 1):
        safe = [names for names in combinations(tree, size) if not leaks(_hidden(tree, names), k)]
        if safe:
            return safe
    return []


def _fewest(tree: Mapping[str, tuple[str | None, int]], k: int) -> str:
    ways = fewest_hidden(tree, k)
    return (
        f"{len(ways[0])} counts must go, for example {list(ways[0])}; there are {len(ways)} ways. Hiding the small "
        "count alone does not help: the count above less its other parts gives it back."
    )


def _not_fewest(answer: object, tree: Mapping[str, tuple[str | None, int]], k: int) -> str:
    if not isinstance(answer, list | tuple | set) or not set(answer) <= set(tree):
        return f"the answer is a list of nodes, such as {list(tree)[1:2]}"
    found = leaks(_hidden(tree, set(answer)), k)
    if found:
        names, first = list(tree), found[0]
        less = f" less {', '.join(names[node] for node in first.without)}" if first.without else ""
        return f"{names[first.node]}{less}: {'' if first.exact else 'at most '}{first.count} people"
    few = len(fewest_hidden(tree, k)[0])
    return f"it can be done with fewer than {len(set(answer))}" if len(set(answer)) > few else ""


STARTER = '''
def small_groups(tree, k):
    """The small groups that a published tree reveals: a list of pairs (node, people), in any order.

    tree: a dictionary from each node to (its parent, its count); the root's parent and a hidden count are None.
    For each node with a count: the node itself, if it has 1 to k - 1 people; and the node less its topmost shown
    descendants, if it has such and 1 to k - 1 people are left. Topmost shown: walk down from the node, and stop at
    each node with a count; go on below a node whose count is hidden.
    """
    raise NotImplementedError
'''
WORKED = """```python
def small_groups(tree, k):
    children = {}
    for node, (parent, count) in tree.items():
        children.setdefault(parent, []).append(node)

    def shown_below(node):
        found = []
        for child in children.get(node, []):
            found += [child] if tree[child][1] is not None else shown_below(child)
        return found

    groups = []
    for node, (parent, count) in tree.items():
        if count is None:
            continue
        if 0 < count < k:
            groups.append((node, count))
        shown = shown_below(node)
        left = count - sum(tree[other][1] for other in shown)
        if shown and 0 < left < k:
            groups.append((node, left))
    return groups
```"""


@exercise("32.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `small_groups`, the attack on a tree. The check compares it with ours on the "
        "chapter's tree and on forty random trees with hidden counts.",
        hints=[
            "first collect the children of every node; then a function that calls itself finds the topmost shown nodes",
            "a shown node may give two groups: itself, and what its shown descendants leave of it",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your attack finds the same groups in all 41 trees.",
        starter=STARTER,
    )


def _differs(small_groups: Callable[[Counts, int], list[tuple[str, int]]]) -> str:
    if not callable(small_groups):
        return "the answer is the function small_groups"
    for name, tree, k in trees():
        names = list(tree)
        ours = sorted((names[case.node], case.count) for case in leaks(tree, k) if case.exact)
        theirs = sorted((node, int(people)) for node, people in small_groups(dict(tree), k))
        if ours != theirs:
            return f"in {name} with k = {k} yours finds {theirs}, and ours {ours}"
    return ""


def trees() -> Iterator[tuple[str, Counts, int]]:
    """The chapter's tree, and random trees some of whose counts are hidden."""
    yield "the chapter's tree", _hidden(TREES[0], {"women, 35 hours"}), 3
    rng = np.random.default_rng(32)
    for number in range(40):
        parents = [None, *(int(rng.integers(0, node)) for node in range(1, int(rng.integers(4, 12))))]
        people = [0] * len(parents)
        for node in reversed(range(len(parents))):
            if node not in parents:
                people[node] = int(rng.integers(1, 9))
            if parents[node] is not None:
                people[parents[node]] += people[node]
        hidden = rng.random(len(parents)) < 0.35
        tree = {
            f"n{node}": (None if above is None else f"n{above}", None if hidden[node] else people[node])
            for node, above in enumerate(parents)
        }
        yield f"random tree {number + 1}", tree, int(rng.choice([3, 5, 8]))
