"""Exercises of notebook 20, safe trees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mining.pruning import pruned
from anonnb.methods.mining.suppression import nodes_to_hide
from anonnb.tables.datasets import load
from anonnb.tables.table import Table
from anonnb.trees.growing import planted
from anonnb.trees.splits import entropy
from anonnb.trees.tree import Tree

Leaf = tuple[int, int]


def _one_question(leaves: list[Leaf]) -> Tree:
    """A tree that asks once, with these numbers of Y and N in its leaves."""
    rows = [
        (f"v{place:02}", answer)
        for place, leaf in enumerate(leaves)
        for answer, n in zip("YN", leaf, strict=True)
        for _ in range(n)
    ]
    table = Table(pd.DataFrame(rows, columns=["x", "ill"]), quasi=["x"], decision="ill")
    return planted(table, "x")


@exercise("20.1")
def hide_by_hand(numbers: Numbers) -> Exercise:
    sizes, k = numbers.one_of([((20, 3, 2), 5), ((25, 12, 3), 5), ((30, 9, 4, 2), 5), ((18, 2, 2, 1), 4)])
    return Exercise(
        f"A box of {sum(sizes)} people has {len(sizes)} leaves below it, with {', '.join(map(str, sizes))} people; k = "
        f"{k}. The upper count is shown. A hidden leaf is drawn without its count, as long as some leaf beside it is "
        "shown, and a leaf is drawn only where somebody is. How many of the leaves must be hidden at least?",
        hints=[
            "the hidden leaves together are the upper count less the shown ones; that difference must be large enough",
            "somebody is in every leaf that is drawn: what is the most that one of the hidden leaves can have?",
        ],
        worked=lambda: _hiding(sizes, k),
        expected=lambda: len(nodes_to_hide(_one_question([(size, 0) for size in sizes]).root, k)),
    )


def _hiding(sizes: tuple[int, ...], k: int) -> str:
    """In words: hide the small ones; if their sum is too small for their number, hide the next."""
    small = sorted(size for size in sizes if size < k)
    rest, lines = sorted(size for size in sizes if size >= k), []
    while rest:
        most = sum(small) - (len(small) - 1)
        together = f"Hide {' and '.join(map(str, small))}: the rest is {sum(small)}"
        if len(small) > 1 and most >= k:
            return " ".join(
                [*lines, f"{together}, and one of them may have {most}, which is at least {k}. That is enough."]
            )
        why = "still known" if len(small) == 1 else f"and none of them can have more than {most}"
        lines.append(f"{together}, {why}.")
        small = sorted([*small, rest.pop(0)])
    return " ".join([*lines, f"Then no leaf is drawn: all {len(sizes)} are hidden."])


@exercise("20.2")
def merge_by_hand(numbers: Numbers) -> Exercise:
    small, other = numbers.one_of([((3, 1), (4, 8)), ((1, 4), (2, 6)), ((0, 3), (2, 8)), ((2, 2), (9, 3))])
    return Exercise(
        f"A leaf with {small[0]} Y and {small[1]} N joins a leaf with {other[0]} Y and {other[1]} N. How many bits "
        "does the merge add? The bits of a leaf are its people times its entropy.",
        hints=[
            "bits of y Y and n N: (y + n)·log₂(y + n) − y·log₂ y − n·log₂ n, where 0·log₂ 0 is 0",
            "take the bits of the merged leaf, and subtract those of the two leaves before",
        ],
        worked=f"{_bits(small, other):.4f} bits after the merge, {_bits(small):.4f} and {_bits(other):.4f} before: "
        f"{_bits(small, other) - _bits(small) - _bits(other):.4f} more. Where both leaves have the same shares it is "
        "0.",
        expected=lambda: round(_bits(small, other) - _bits(small) - _bits(other), 6),
    )


def _bits(*leaves: Leaf) -> float:
    return float(entropy(np.sum(leaves, axis=0).astype(float)))


@exercise("20.3")
def over_the_whole_span(numbers: Numbers) -> Exercise:
    first, second, k = numbers.one_of(
        [((22, 8), (3, 7), 10), ((30, 6), (9, 5), 9), ((14, 40), (5, 11), 15), ((50, 9), (12, 8), 12)]
    )
    people = sum(first) + sum(second)
    return Exercise(
        f"{people} people are not told apart by any public question so far. A **private** question divides them into "
        f"{sum(first)} and {sum(second)}. In the first branch the tree now asks for sex: there are {first[0]} women "
        f"and {first[1]} men in it; in the second branch {second[0]} and {second[1]}. k = {k}. How many people has the "
        "smallest part that counts for k?",
        hints=[
            "whom can an attacker tell apart, who knows everybody's sex but nothing private?",
            "the attacker does not know who is in which branch: count women and men over both",
        ],
        worked=f"The attacker knows the sexes, not the branches: {first[0] + second[0]} women and "
        f"{first[1] + second[1]} men. The smaller part has {min(first[0] + second[0], first[1] + second[1])} people, "
        f"so this is no breach, although a leaf of {min(first)} is drawn.",
        expected=lambda: min(first[0] + second[0], first[1] + second[1]),
    )


@exercise("20.4")
def two_safe_trees(numbers: Numbers) -> Exercise:
    long_hours, men, long_men, k = numbers.one_of(
        [(30, 41, 28, 10), (52, 62, 49, 12), (25, 33, 21, 8), (64, 80, 59, 15)]
    )
    everybody = men + 25
    return Exercise(
        f"Two trees of the same {everybody} people are published, each of them safe for k = {k}. The first asks for "
        f"hours: {long_hours} people work more than 40, {everybody - long_hours} do not. The second asks for sex and "
        f"then, below men, for hours: {everybody - men} women; {men} men, of whom {long_men} work more than 40 and "
        f"{men - long_men} do not. Together the trees reveal a group of fewer than k people. How many are in it?",
        hints=[
            "no count of one tree gives it; look for a group that both trees count in part",
            "the first tree counts everybody who works more than 40 hours, the second only the men among them",
        ],
        worked=f"{long_hours} people work more than 40 hours, {long_men} of them are men: "
        f"{counted(long_hours - long_men, 'woman', 'women')}. That is fewer than {k}, although every count in either "
        "tree is at least k. Publish one tree, or make them safe together.",
        expected=lambda: long_hours - long_men,
    )


STARTER = '''
def merge(leaves, k):
    """The leaves below one question after small ones have been merged: a list of pairs (Y, N).

    leaves: a list of pairs, the numbers of Y and N in each leaf. While there are two leaves or more and one has
    fewer than k people: the first such leaf joins the leaf with which the merge adds the fewest bits (ties: the
    first; round to nine digits before comparing). The merged leaf takes the place of the first of the two.
    Bits of a leaf: people times entropy, (y + n) log2(y + n) − y log2 y − n log2 n, with 0 log2 0 = 0.
    """
    raise NotImplementedError
'''
WORKED = """```python
def merge(leaves, k):
    def bits(y, n):
        return sum(sign * x * np.log2(x) for sign, x in ((1, y + n), (-1, y), (-1, n)) if x)

    def added(a, b):
        return round(bits(a[0] + b[0], a[1] + b[1]) - bits(*a) - bits(*b), 9)

    leaves = [tuple(leaf) for leaf in leaves]
    while len(leaves) > 1 and min(map(sum, leaves)) < k:
        small = next(place for place, leaf in enumerate(leaves) if sum(leaf) < k)
        others = [place for place in range(len(leaves)) if place != small]
        best = min(others, key=lambda place: (added(leaves[small], leaves[place]), place))
        first, second = sorted((small, best))
        leaves[first] = (leaves[first][0] + leaves[second][0], leaves[first][1] + leaves[second][1])
        del leaves[second]
    return leaves
```"""


@exercise("20.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `merge`, the second way to make a tree safe. The check runs it beside ours on "
        "60 questions with random answers and on the occupations of Adult.",
        hints=[
            "write the bits of a leaf first; then what a merge adds is the bits after less the bits before",
            "in a loop: find the first leaf that is too small, then the partner with the least addition, and merge the "
            "two",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your function all questions end with the leaves of ours.",
        starter=STARTER,
    )


def _differs(merge: Callable[[list[Leaf], int], list[Leaf]]) -> str:
    if not callable(merge):
        return "the answer is the function merge"
    for leaves, k in _questions():
        ours, theirs = merged(leaves, k), [tuple(map(int, leaf)) for leaf in merge(list(leaves), k)]
        if theirs != ours:
            return f"of the leaves {leaves} with k = {k} your function makes {theirs}, and ours {ours}"
    return ""


def merged(leaves: list[Leaf], k: int) -> list[Leaf]:
    """The leaves that the package leaves of one question."""
    tree = pruned(_one_question(leaves), k)
    classes = list(tree.target.labels)
    return [tuple(int(leaf.stats[classes.index(answer)]) for answer in "YN") for leaf in tree.leaves]


def _questions() -> list[tuple[list[Leaf], int]]:
    rng = np.random.default_rng(20)
    found = []
    for _ in range(60):
        leaves = [tuple(map(int, rng.integers(0, 9, 2))) for _ in range(int(rng.integers(2, 7)))]
        found.append(([leaf for leaf in [*leaves, (3, 4), (5, 1)] if sum(leaf)], int(rng.integers(3, 12))))
    shares = pd.crosstab(load("adult")["occupation"], load("adult")["income"])
    adult = [tuple(map(int, pair)) for pair in shares.iloc[:, ::-1].to_numpy() // 10 if pair.sum()]
    return [*found, (adult, 150)]
