"""Answers of notebooks 19 to 22: safe itemsets, safe trees, a table that keeps its tree, protection against Chase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.tools import frame_of
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods.mining.pruning import pruned
from anonnb.methods.mining.safe_itemsets import supports_of
from anonnb.methods.mining.suppression import nodes_to_hide
from anonnb.methods.tree_preserving.blocks import Boundary, corrected_values
from anonnb.methods.tree_preserving.rebuilding import grow_trees
from anonnb.methods.tree_preserving.tree_preserving import TreePreserving, sanitize
from anonnb.rules.association.channels import Supports, channels
from anonnb.rules.association.itemsets import mine
from anonnb.tables.datasets import load
from anonnb.tables.table import Table
from anonnb.trees.growing import planted
from anonnb.trees.splits import entropy
from anonnb.trees.tree import Tree

Leaf = tuple[int, int]


@exercise("19.5")
def build_small_patterns() -> Answer:
    def mined(table: Table, min_count: int) -> dict[frozenset, int]:
        supports = supports_of(mine(table, min_count=min_count))
        return {supports.set_of(bits): count for bits, count in supports.counts.items()}

    def cases() -> Iterator[tuple]:
        rng = np.random.default_rng(19)
        sets = [part for size in range(5) for part in combinations(range(4), size)]
        for _ in range(30):
            rows = rng.random((60, 4)) < rng.uniform(0.4, 0.9, 4)
            counts = {frozenset("ABCD"[n] for n in part): int(rows[:, part].all(axis=1).sum()) for part in sets}
            yield {part: count for part, count in counts.items() if count >= 8}, int(rng.integers(3, 9))
        survey, adult = load("survey"), load("adult").take(np.arange(1000))
        yield mined(survey.select(survey.quasi), 15), 5
        yield mined(adult.select(["sex", "race", "marital-status", "workclass"]), 100), 20

    def model(counts: Any, k: int) -> dict[tuple, int]:
        return {(each.having, each.whole): each.count for each in channels(Supports(counts), k)}

    return Answer(cases=cases, model=model)


def _one_question(leaves: Sequence[Leaf]) -> Tree:
    """A tree that asks once, with these numbers of Y and N in its leaves."""
    rows = [(f"v{n:02}", answer) for n, leaf in enumerate(leaves) for answer in "Y" * leaf[0] + "N" * leaf[1]]
    return planted(Table(pd.DataFrame(rows, columns=["x", "ill"]), quasi=["x"], decision="ill"), "x")


@exercise("20.1")
def hide_by_hand(sizes: tuple[int, ...], k: int) -> Answer:
    hidden, shown = sorted(size for size in sizes if size < k), sorted(size for size in sizes if size >= k)
    lines, small = [], len(hidden)
    while True:
        limit = sum(hidden) - len(hidden) + 1
        lines.append(f"Hide {' and '.join(map(str, hidden))}: together they have {sum(hidden)} people")
        if not shown:
            lines[-1] = f"Then no leaf is shown, none is drawn, and all {len(sizes)} are hidden."
            break
        if len(hidden) > 1 and limit >= k:
            lines[-1] += f", and each may have up to {limit}, which is not below {k}. That is enough."
            break
        why = "which is its count" if len(hidden) == 1 else f"so each has at most {limit}, and is known to be below {k}"
        lines[-1] += f", {why}; so {shown[0]} is hidden as well."
        hidden = sorted([*hidden, shown.pop(0)])
    count = len(nodes_to_hide(_one_question([(size, 0) for size in sizes]).root, k))
    return Answer(count, lines=" ".join(lines), small=small)


@exercise("20.2")
def merge_by_hand(small: Leaf, other: Leaf) -> Answer:
    sums = [(small[0] + other[0], small[1] + other[1]), small, other]
    merged, first, second = (float(entropy(np.array(leaf, float))) for leaf in sums)
    return Answer(round(merged - first - second, 6), merged=merged, first=first, second=second)


@exercise("20.5")
def build_merge() -> Answer:
    def model(leaves: list[Leaf], k: int) -> list[Leaf]:
        tree = pruned(_one_question(leaves), k)
        yes, no = (list(tree.target.labels).index(answer) for answer in "YN")
        return [(int(leaf.stats[yes]), int(leaf.stats[no])) for leaf in tree.leaves]

    def cases() -> Iterator[tuple]:
        rng = np.random.default_rng(20)
        for _ in range(60):
            leaves = [tuple(rng.integers(0, 9, 2).tolist()) for _ in range(int(rng.integers(2, 7)))]
            yield [leaf for leaf in [*leaves, (3, 4), (5, 1)] if sum(leaf)], int(rng.integers(3, 12))
        shares = pd.crosstab(load("adult")["occupation"], load("adult")["income"]).iloc[:, ::-1].to_numpy() // 10
        yield [tuple(pair.tolist()) for pair in shares if pair.sum()], 150

    return Answer(cases=cases, model=model)


@exercise("21.1")
def one_test(left: tuple[int, ...], right: tuple[int, ...]) -> Answer:
    frame = pd.DataFrame({"age": [*left, *right], "state": ["well"] * 3 + ["ill"] * 3})
    rooms = left[-1] - sum(left) / 3, sum(right) / 3 - right[0]

    def expected() -> list[float]:
        release = TreePreserving(k=3).anonymize(Table(frame, quasi=["age"], decision="state"))
        return sorted(set(release.frame["age"].astype(float)))

    return Answer(expected, rooms=rooms, shift=min(rooms), means=[sum(left) / 3, sum(right) / 3])


@exercise("21.2")
def two_tests(values: tuple[int, ...]) -> Answer:
    moved = corrected_values(np.array(values, float), np.ones(8), [Boundary(1, 2), Boundary(5, 6)])
    blocks = [values[n : n + 2] for n in range(0, 8, 2)]
    return Answer(
        sorted(set(moved.tolist())),
        blocks="; ".join(f"{low} and {high}" for low, high in blocks),
        rooms=[f"{(high - low) / 2:g}" for low, high in blocks],
        moved=[f"{value:g}" for value in sorted(set(moved.tolist()))],
    )


@exercise("21.3")
def unmoved(people: int) -> Answer:
    def judge(answer: Any) -> str:
        frame = frame_of(answer, "age class", "[(20, 'a'), (30, 'b')]", rows=people)
        frame["age"] = pd.to_numeric(frame["age"], errors="coerce").astype(float)
        if frame["age"].nunique() < 5:
            return f"there are {frame['age'].nunique()} different ages, and at least five are asked for"
        table = Table(frame, quasi=["age"], decision="class", kinds={"age": "numeric"})
        trees = grow_trees(table, ["class"], "entropy", 3)
        if len(trees[0].expansions) < 2:
            return "the tree has fewer than three leaves"
        new, old = sanitize(table, trees, 3).frame["age"].astype(float).to_numpy(), frame["age"].to_numpy()
        for node in trees[0].expansions:
            left, right = (old[child.rows] for child in node.children)
            for edge in (left.max(), right.min()):
                if (new[old == edge] != edge).any():
                    return f"the age {edge:g} is beside a test and is published as {new[old == edge][0]:g}"
        return ""

    return Answer(judge=judge, pairs=[(20, "a"), (30, "a"), *[(40, "b")] * (people - 4), (50, "a"), (60, "a")])


@inputs("21.4")
def build_new_values() -> Iterator[tuple]:
    rng = np.random.default_rng(3)
    for _ in range(60):
        sides = rng.permutation(["left", "right"] * 4)[: rng.integers(2, 8)]
        numbers = np.sort(rng.choice(60, 4 * len(sides), replace=False)).astype(float)
        blocks = [part[: rng.integers(1, 5)].tolist() for part in np.split(numbers, len(sides))]
        pairs = [(i, j) for i, j in combinations(range(len(sides)), 2) if (sides[i], sides[j]) == ("left", "right")]
        yield blocks, [pair for pair in pairs if rng.random() < 0.5]


Rules = Sequence[tuple[Sequence[str], str]]


def _follows(visible: Iterable[str], rules: Rules) -> bool:
    """Whether the secret s follows from visible values by certain rules."""
    known = set(visible)
    for _ in rules:
        known |= {end for premise, end in rules if set(premise) <= known}
    return "s" in known


@judged("22.2")
def fewest(answer: Any) -> str:
    rules = [("ab", "s"), ("c", "a"), ("bd", "s"), ("de", "b")]
    if not isinstance(answer, list | tuple | set) or not set(answer) <= set("abcde"):
        return "the answer is a list of cells, such as ['a', 'b']"
    kept = [name for name in "abcde" if name not in answer]
    if _follows(kept, rules):
        return f"s still follows from {', '.join(kept)}"
    fewer = any(not _follows(more, rules) for more in combinations("abcde", len(kept) + 1))
    return f"it can be done with fewer than {len(set(answer))} hidden cells" if fewer else ""


@judged("22.3", form="a list of pairs, such as [('ab', 's')]")
def only_together(answer: Any) -> str:
    rules = [(list(premise), str(end)) for premise, end in answer]
    for premise, end in rules:
        if not 1 <= len(premise) <= 2:
            return f"the rule for {end} has {len(premise)} conditions, and one or two are allowed"
    if not _follows("abc", rules):
        return "s does not follow from a, b, c"
    enough = [few for few in combinations("abc", 2) if _follows(few, rules)]
    return f"s follows from {', '.join(enough[0])} alone" if enough else ""


@inputs("22.4")
def build_closure() -> Iterator[tuple]:
    rules: list[tuple] = []
    printed = "bc>a cf>a c>b:0.6666666667 e>b af>c ac>e eg>c:0.6666666667 ac>s bc>s f>s"
    for text in printed.split():
        premise, _, end = text.partition(">")
        rules.append((list(premise), end[0], float(end.partition(":")[2] or 1)))
    yield {**dict.fromkeys("bcefg", 1.0), "a": 0.6666666667}, rules, 0.2
    rng = np.random.default_rng(4)
    for _ in range(100):
        rules = []
        for _ in range(7):
            *premise, end = rng.permutation(list("abcdex"))[: rng.integers(2, 4)].tolist()
            rules.append((premise, str(rng.choice([end, "s"])), float(rng.choice([1.0, 0.7, 0.5]))))
        yield {name: float(rng.choice([1.0, 0.6])) for name in "abcde"[: rng.integers(1, 6)]}, rules, 0.3
