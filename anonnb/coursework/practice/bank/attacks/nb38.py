"""Exercises of notebook 38, downcoding and singling out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

import pandas as pd

from anonnb.attacks import DowncodingAttack
from anonnb.attacks.children import left_children, most_small
from anonnb.attacks.intervals import wilson
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments.downcoding import clustered_table, places
from anonnb.methods import TopDown

Left = Callable[[int, int, int, int], list[set[int]]]


@exercise("38.1")
def the_only_class(numbers: Numbers) -> Exercise:
    rows, k, spare = numbers.one_of([(5, 4, 3), (7, 5, 4), (6, 4, 2), (8, 5, 4)])
    return Exercise(
        f"A class of {rows} rows is the only one that shows a node with two children, and k = {k}. The method could "
        f"still have suppressed {spare} rows, and did not refine the node. How many of the {rows} cells are certain?",
        hints=[
            f"more than {spare} rows would have been in parts of fewer than {k}; write down in which ways the class "
            "can be divided in two, and strike out those that contradict it",
            "how many rows does the smaller child have at least, in every division that is left? By symmetry the "
            "other one has at least as many",
        ],
        worked=lambda: _divided(rows, k, spare),
        expected=lambda: sum(len(each) == 1 for each in _left(rows, 2, k, spare + 1)),
    )


def _left(rows: int, children: int, k: int, needed: int) -> list[set[int]]:
    """The children that each of the rows, in the order of their children, may have."""
    first, last = left_children(rows, children, k, needed)
    return [set(range(low, high + 1)) for low, high in zip(first.tolist(), last.tolist(), strict=True)]


def _divided(rows: int, k: int, spare: int) -> str:
    ways = [(few, rows - few) for few in range(rows // 2 + 1)]
    small = {way: sum(part for part in way if part < k) for way in ways}
    lines = ", ".join(f"{few} and {more}: {small[few, more]}" for few, more in ways)
    least = min(few for (few, more), count in small.items() if count > spare)
    return (
        f"Rows in parts of fewer than {k}, for each division: {lines}. It must be more than {spare}, so each child has "
        f"at least {least} of the rows: {2 * least} cells are certain."
    )


@exercise("38.2")
def enough_control(numbers: Numbers) -> Exercise:
    n, k = numbers.one_of([(1000, 2), (2000, 5), (500, 2), (3000, 10)])
    return Exercise(
        f"A table of {n:,} people is published, and the attacked class has {k} rows. Nobody of a control of m people "
        "is in its box. The 95 % interval for the weight of the box ends at 3.8415 / (m + 3.8415) then. "
        f"A predicate lets one in {k} of the box through, and counts if its weight is at most 1/(10 n). From how many "
        "people m on does the control prove that?",
        hints=[
            f"the weight of the predicate is that of the box, divided by {k}",
            "put the end of the interval in place of the box's weight, and solve for m",
        ],
        worked=lambda: (
            f"3.8415 / (m + 3.8415) / {k} ≤ 1 / {10 * n} holds from m = 3.8415 · ({10 * n} / {k} − 1) on, which is "
            f"{_people_needed(n, k):,}: {_people_needed(n, k) / n:.0f} times as many as the table has. An empty box in "
            "a small control proves little."
        ),
        judge=lambda answer: _not_enough(answer, n, k),
    )


def _people_needed(n: int, k: int) -> int:
    """The smallest control that proves a weight of at most 1/(10 n) when nobody of it is in the box."""
    guess = ceil(3.8415 * (10 * n / k - 1))
    while wilson(0, guess - 1)[1] / k <= 1 / (10 * n):
        guess -= 1
    return guess


def _not_enough(answer: object, n: int, k: int) -> str:
    if not isinstance(answer, int | float):
        return "the answer is a number of people"
    needed = _people_needed(n, k)
    if abs(answer - needed) <= max(2, needed * 0.001):
        return ""
    weight = wilson(0, max(int(answer), 1))[1] / k
    return f"with {answer:,} people the weight is at most {weight:.3g}, and 1/(10 n) is {1 / (10 * n):.3g}"


@exercise("38.3")
def nothing_follows(numbers: Numbers) -> Exercise:
    k, rows = numbers.one_of([(2, 4), (3, 6)])
    return Exercise(
        f"Give a table of {rows} rows (x, y) with values from a, b, c and d, and the hierarchy of the example by hand, "
        f"such that TopDown with k = {k} generalizes at least one cell to a node below *, and downcoding claims "
        f"nothing. Answer with a list of {rows} pairs, such as [('a', 'a'), ('b', 'd'), …].",
        hints=[
            "a class is downcoded where it alone shows a node, for then it alone is the reason",
            "let two classes show the same node in y; they must differ in x, in such a way that x can be refined",
        ],
        worked=lambda: (
            f"`{shared_node(k)}`: x is published as it is, which makes two classes, and both show ab in y. Either may "
            "be the reason why ab was not refined, so nothing is certain about either."
        ),
        judge=lambda answer: _follows(answer, k, rows),
    )


def shared_node(k: int) -> list[tuple[str, str]]:
    """A table in which two classes show the same node.

    >>> shared_node(2)
    [('a', 'a'), ('a', 'b'), ('c', 'a'), ('c', 'b')]
    """
    return [(x, "b" if place == 1 else "a") for x in "ac" for place in range(k)]


def _follows(answer: object, k: int, rows: int) -> str:
    try:
        pairs = [(str(x), str(y)) for x, y in answer]
    except (TypeError, ValueError):
        return "the answer is a list of pairs, such as [('a', 'a'), ('b', 'd')]"
    if len(pairs) != rows or not {value for pair in pairs for value in pair} <= set("abcd"):
        return f"{rows} pairs with values from a, b, c and d are asked for"
    release = TopDown(k=k).anonymize(places(pairs))
    shown = release.frame[["x", "y"]].astype(str)
    if not shown.isin(["ab", "cd"]).any(axis=None):
        return "TopDown publishes no ab and no cd"
    found = DowncodingAttack().run(release).targets
    for line in found[found["claimed"] > 0].itertuples():
        return f"class {line[2]} shows {line.published} in {line.column} alone, and has {line.claims}"
    return ""


STARTER = '''
def left(rows, children, k, needed):
    """The children that are still possible: a list with a set of child numbers, from 0 on, for each of the rows.

    The rows of a class are divided among the children of its node, in any way that puts at least `needed` rows into
    parts of fewer than k. Think of the rows as sorted by child: first those of child 0, then those of child 1, and so
    on. The first set says which children the first row has in some division, and so on for every row.
    """
    raise NotImplementedError
'''
WORKED = """```python
def left(rows, children, k, needed):
    from itertools import product

    found = [set() for _ in range(rows)]
    for counts in product(range(rows + 1), repeat=children):
        small = sum(count for count in counts if count < k)
        if sum(counts) == rows and small >= needed:
            order = [child for child, count in enumerate(counts) for _ in range(count)]
            for place, child in enumerate(order):
                found[place].add(child)
    return found
```"""


@exercise("38.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `left`, the core of downcoding. The check compares it with ours on 78 small "
        "classes, then refines the releases of three clustered tables with it.",
        hints=[
            "`itertools.product(range(rows + 1), repeat=children)` lists all divisions, and some more whose parts do "
            "not add up to the rows",
            "for a division that is possible write down the rows in order, such as 0, 0, 1, and add each to its set",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your function in place of ours, the same cells of all three tables are refined.",
        starter=STARTER,
    )


def small_classes() -> Iterator[tuple[int, int, int, int]]:
    """Rows, children, k and the rows that must be in small parts."""
    for rows in range(1, 7):
        for children in (2, 3):
            for k in (2, 3):
                yield from ((rows, children, k, needed) for needed in range(most_small(rows, children, k) + 1))


def _differs(left: object) -> str:
    if not callable(left):
        return "the answer is the function left"
    for case in small_classes():
        ours, theirs = _left(*case), left(*case)
        if [set(each) for each in theirs] != ours:
            rows, children, k, needed = case
            return (
                f"{rows} rows, {children} children, k = {k} and {needed} needed: {ours} is possible, and your function "
                f"says {theirs}"
            )
    for seed in range(3):
        found = DowncodingAttack().run(TopDown(k=2).anonymize(clustered_table(32, seed=seed))).targets
        theirs = refined_with(left, found)
        if theirs != found["claimed"].tolist():
            return f"in table {seed + 1} your function refines {sum(theirs)} cells, and ours {found['claimed'].sum()}"
    return ""


def refined_with(left: Left, lines: pd.DataFrame) -> list[int]:
    """How many cells of each class are left with one child at k = 2; whoever shows a node alone is the reason."""
    alone = ~lines.duplicated(["column", "published"], keep=False)
    most = lines["rows"].where(alone, 0)  # for the others nothing follows, whatever their size
    return [
        sum(len(each) == 1 for each in left(rows, children, 2, 1)) if rows else 0
        for rows, children in zip(most.tolist(), lines["children"].tolist(), strict=True)
    ]
