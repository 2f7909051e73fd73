"""Exercises of notebook 21, a table that keeps its tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.tree_preserving.blocks import Boundary, block_of_each, corrected_values
from anonnb.methods.tree_preserving.rebuilding import differences, grow_trees
from anonnb.methods.tree_preserving.tree_preserving import TreePreserving, sanitize
from anonnb.tables.table import Table
from anonnb.trees.tree import Tree

Test = tuple[int, int]
Blocks = list[list[float]]


@exercise("21.1")
def one_test(numbers: Numbers) -> Exercise:
    left, right = numbers.one_of(
        [((19, 22, 25), (31, 40, 46)), ((30, 36, 42), (50, 52, 54)), ((18, 26, 31), (40, 41, 48))]
    )
    return Exercise(
        f"Three people of the ages {_words(left)} are well and three of the ages {_words(right)} are ill. Which two "
        "ages does TPP publish for a tree with one test, with a pencil? Answer with a list, the younger first.",
        hints=[
            "compute the mean of both blocks, and how far each block's inner edge is from it",
            "both edges move by the smaller of the two distances, the left one down and the right one up",
        ],
        worked=lambda: _one_test_words(left, right),
        expected=lambda: _published(left, right),
    )


def _words(values: Sequence[int]) -> str:
    return f"{', '.join(map(str, values[:-1]))} and {values[-1]}"


def _published(left: Sequence[int], right: Sequence[int]) -> list[float]:
    frame = pd.DataFrame({"age": [*left, *right], "state": ["well"] * 3 + ["ill"] * 3})
    release = TreePreserving(k=3).anonymize(Table(frame, quasi=["age"], decision="state"))
    return sorted(set(release.frame["age"].astype(float)))


def _one_test_words(left: Sequence[int], right: Sequence[int]) -> str:
    rooms = left[-1] - sum(left) / 3, sum(right) / 3 - right[0]
    shift = min(rooms)
    return (
        f"The means are {sum(left) / 3:g} and {sum(right) / 3:g}, so the edges {left[-1]} and {right[0]} have the "
        f"rooms {rooms[0]:g} and {rooms[1]:g}. Both move by {shift:g}: [{left[-1] - shift:g}, {right[0] + shift:g}]. "
        f"Halfway between them is {(left[-1] + right[0]) / 2:g}, as before."
    )


@exercise("21.2")
def two_tests(numbers: Numbers) -> Exercise:
    values = numbers.one_of(
        [(1, 5, 8, 10, 13, 15, 20, 30), (2, 4, 10, 14, 16, 20, 25, 35), (0, 6, 10, 12, 15, 21, 24, 30)]
    )
    tests = [(values[1] + values[2]) / 2, (values[5] + values[6]) / 2]
    return Exercise(
        f"Eight rows have A = {_words(values)}, each once. The root of a tree tests A ≤ {tests[0]:g} and its right "
        f"child A ≤ {tests[1]:g}. Which different values of A does the corrected step 3 publish? Answer with a list in "
        "ascending order.",
        hints=[
            "the block between the tests has an edge on both sides: halve it first, two rows each",
            "now there are four blocks and two pairs of them; each pair moves by its own smaller room",
        ],
        worked=lambda: _two_tests_words(values),
        expected=lambda: sorted(set(_moved(values))),
    )


def _moved(values: Sequence[int]) -> list[float]:
    return corrected_values(np.array(values, float), np.ones(8), [Boundary(1, 2), Boundary(5, 6)]).tolist()


def _two_tests_words(values: Sequence[int]) -> str:
    parts = [values[place : place + 2] for place in range(0, 8, 2)]
    rooms = ", ".join(f"{(part[1] - part[0]) / 2:g}" for part in parts)
    found = ", ".join(f"{value:g}" for value in sorted(set(_moved(values))))
    return (
        f"The blocks are {'; '.join(_words(part) for part in parts)}, and their rooms {rooms}. The first two blocks "
        f"move by the smaller of their rooms, and so do the last two: [{found}]."
    )


@exercise("21.3")
def unmoved(numbers: Numbers) -> Exercise:
    people = numbers.one_of([7, 8, 9])
    return Exercise(
        f"The numbers beside a test, $v_1$ and $v_2$, are values of real people. Give {people} people with at least "
        "five different ages and one of the classes 'a' and 'b' each, such that TPP with three leaves publishes the "
        "numbers beside both of its tests as they are. Answer with a list of pairs (age, class).",
        hints=[
            "a chain moves by the smallest room in it; which block has no room at all?",
            "a block of a single age between two tests belongs to both, and ties everything into one chain",
        ],
        worked=lambda: (
            f"`{unmoved_people(people)}`: both tests have the single age 40 beside them. Its block has room "
            "0 and ties all blocks into one chain, so nothing moves: 30, 40 and 50 are published, and they are true."
        ),
        judge=lambda answer: _moves(answer, people),
    )


def unmoved_people(people: int) -> list[tuple[int, str]]:
    """People of whom TPP publishes true ages.

    >>> unmoved_people(7)
    [(20, 'a'), (30, 'a'), (40, 'b'), (40, 'b'), (40, 'b'), (50, 'a'), (60, 'a')]
    """
    return [(20, "a"), (30, "a"), *[(40, "b")] * (people - 4), (50, "a"), (60, "a")]


def _moves(answer: object, people: int) -> str:
    try:
        frame = pd.DataFrame([(float(age), str(group)) for age, group in answer], columns=["age", "class"])
    except (TypeError, ValueError):
        return "the answer is a list of pairs, such as [(20, 'a'), (30, 'b')]"
    if len(frame) != people:
        return f"there are {len(frame)} pairs, and {people} are asked for"
    if frame["age"].nunique() < 5:
        return f"there are {frame['age'].nunique()} different ages, and at least five are asked for"
    table = Table(frame, quasi=["age"], decision="class", kinds={"age": "numeric"})
    trees = grow_trees(table, ["class"], "entropy", 3)
    if len(trees[0].expansions) < 2:
        return "the tree has fewer than three leaves"
    new = sanitize(table, trees, 3).frame["age"].astype(float).to_numpy()
    old = frame["age"].to_numpy()
    for left, right in _edges(trees[0], old):
        for edge in (left, right):
            if (new[old == edge] != edge).any():
                return f"the age {edge:g} is beside a test and is published as {new[old == edge][0]:g}"
    return ""


def _edges(tree: Tree, values: np.ndarray) -> list[tuple[float, float]]:
    """The largest value on the left and the smallest on the right of each test."""
    sides = [[values[child.rows] for child in node.children] for node in tree.expansions]
    return [(float(left.max()), float(right.min())) for left, right in sides]


STARTER = '''
def new_values(blocks, tests):
    """The number that each block is published as: a list.

    blocks: a list of lists of numbers, one number per row; the blocks are in ascending order.
    tests: a list of pairs (i, j): a test lies right of block i and left of block j. Its edges are the largest number
    of block i and the smallest of block j. The room of a block is the distance from its edge to its mean.
    Blocks that share tests, directly or over others, form a chain. All edges of a chain move toward the means of their
    blocks by the smallest room in the chain. A block without a test becomes its mean.
    """
    raise NotImplementedError
'''
WORKED = """```python
def new_values(blocks, tests):
    means = [sum(block) / len(block) for block in blocks]
    room = {}
    for left, right in tests:
        room[left] = min(room.get(left, np.inf), max(blocks[left]) - means[left])
        room[right] = min(room.get(right, np.inf), means[right] - min(blocks[right]))
    for _ in blocks:  # the smallest room spreads along the chain
        for left, right in tests:
            room[left] = room[right] = min(room[left], room[right])
    values = list(means)
    for left, right in tests:
        values[left] = max(blocks[left]) - room[left]
        values[right] = min(blocks[right]) + room[right]
    return values
```"""


@exercise("21.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `new_values`, the core of the corrected step 3. The check puts it in place of "
        "ours: it recodes the eight people of the second counterexample and twenty random tables, and grows their "
        "trees again.",
        hints=[
            "compute the room of every block that a test touches first; a block may lie beside two tests",
            "then let the two blocks of each test take the smaller of their rooms, until nothing changes any more",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your values in place of ours, all 21 trees grow again.",
        starter=STARTER,
    )


def _differs(new_values: Callable[[Blocks, list[Test]], list[float]]) -> str:
    if not callable(new_values):
        return "the answer is the function new_values"
    for name, frame in _tables():
        table = Table(frame, quasi=["A", "B"], decision="y", kinds={"A": "numeric"})
        [tree] = grow_trees(table, ["y"], "entropy", 4)
        blocks, tests, ours = _tied(tree, table)
        if not tests:
            continue
        theirs = [float(value) for value in new_values([list(block) for block in blocks], list(tests))]
        if len(theirs) != len(blocks):
            return f"{name} has {len(blocks)} blocks, and your list has {len(theirs)} numbers"
        wrong = [place for place, value in enumerate(theirs) if abs(value - ours[place]) > 1 / 32]
        if wrong:
            shown = ", ".join(f"{value:g}" for value in blocks[wrong[0]])
            return f"in {name} the block {shown} becomes {theirs[wrong[0]]:g}, and ours {ours[wrong[0]]:.4g}"
        new = {value: published for block, published in zip(blocks, theirs, strict=True) for value in block}
        recoded = Table(frame.assign(A=frame["A"].map(new)), quasi=["A", "B"], decision="y", kinds={"A": "numeric"})
        if not differences(tree, grow_trees(recoded, ["y"], "entropy", 4)[0]).empty:
            return f"another tree grows from {name} with your values"
    return ""


def _tied(tree: Tree, table: Table) -> tuple[Blocks, list[Test], list[float]]:
    """The blocks of A, which of them lie beside a test, and what we publish for each."""
    codes = table.codes("A")
    parts = [[codes[child.rows] for child in n.children] for n in tree.expansions if n.split.attribute.name == "A"]
    boundaries = [Boundary(int(left.max()), int(right.min())) for left, right in parts]
    if not boundaries:
        return [], [], []
    numbers, counts = np.unique(table["A"].to_numpy(float), return_counts=True)
    block = block_of_each(counts, boundaries)
    rows = [np.repeat(numbers[block == number], counts[block == number]).tolist() for number in range(block.max() + 1)]
    tests = sorted({(int(block[b.left]), int(block[b.right])) for b in boundaries})
    moved = corrected_values(numbers, counts, boundaries)
    return rows, tests, [float(moved[block == number][0]) for number in range(len(rows))]


def _tables() -> Iterator[tuple[str, pd.DataFrame]]:
    yield "the table of eight people", shared_block()
    rng = np.random.default_rng(3)
    for number in range(20):
        frame = pd.DataFrame({"A": rng.integers(0, 14, 14).astype(float), "B": rng.choice(list("pq"), 14)})
        frame["y"] = [f"{b}{int(a + rng.integers(0, 4) > 7)}" for a, b in zip(frame["A"], frame["B"], strict=True)]
        yield f"random table {number + 1}", frame


def shared_block() -> pd.DataFrame:
    """Eight people whose tree has two tests that share a block; the printed steps lose it."""
    return pd.DataFrame({"A": [1.0, 5, 12, 13, 5, 7, 8, 9], "B": list("ppppqqqq"), "y": list("aabbcddd")})
