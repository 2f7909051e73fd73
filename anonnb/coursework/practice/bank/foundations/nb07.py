"""Exercises of notebook 07, association rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.rules.association.itemsets import Item, mine
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Row = frozenset


@exercise("07.1")
def levels_by_hand(numbers: Numbers) -> Exercise:
    baskets, least = numbers.one_of(
        [
            (("abd", "bce", "abce", "be", "abe"), 2),
            (("acd", "acd", "bcd", "abc", "ad"), 2),
            (("abc", "abc", "bcd", "acd", "abcd", "d"), 3),
        ]
    )
    listed = "; ".join(", ".join(basket) for basket in baskets)
    return Exercise(
        f"{len(baskets)} baskets hold these items: {listed}. A set is frequent when at least {least} baskets have all "
        "of it. How many frequent sets of one item are there, of two items, and so on up to the largest? Answer with a "
        "list.",
        hints=[
            "count the items first, and pair only those that are frequent",
            "of three items only those sets can be frequent all of whose pairs are; count just these",
        ],
        worked=lambda: _levels_in_words(baskets, least),
        expected=lambda: [len(level) for level in _levels(baskets, least)],
    )


def _levels(baskets: Sequence[str], least: int) -> list[list[str]]:
    """The frequent sets of letters, level by level, found by trying all."""
    letters = sorted(set("".join(baskets)))
    every = ["".join(c for n, c in enumerate(letters) if mask >> n & 1) for mask in range(1, 1 << len(letters))]
    frequent = [part for part in every if sum(set(part) <= set(basket) for basket in baskets) >= least]
    longest = max(map(len, frequent))
    return [sorted(part for part in frequent if len(part) == size) for size in range(1, longest + 1)]


def _levels_in_words(baskets: Sequence[str], least: int) -> str:
    parts = [
        f"{len(level)} of size {size}: {', '.join(level)}" for size, level in enumerate(_levels(baskets, least), 1)
    ]
    return f"Frequent are {'; '.join(parts)}. No larger set is: one of its parts is rare."


@exercise("07.2")
def news(numbers: Numbers) -> Exercise:
    rows, left, right, percent = numbers.one_of(
        [(100, 30, 72, 70), (200, 45, 150, 60), (120, 50, 66, 50), (80, 25, 60, 70)]
    )
    return Exercise(
        f"Of {rows} people {left} have A and {right} have B. The rule A → B is to have a confidence of at least "
        f"{percent} % and a lift above 1. How many people must have both, at least?",
        hints=[
            "write both conditions as conditions on f(AB): one with f(A) alone, one with f(A), f(B) and the number of "
            "people",
            "the lift is f(AB) · N / (f(A) · f(B)); exactly 1 is not above 1, and people come in whole numbers",
        ],
        worked=lambda: (
            f"Confidence: f(AB) ≥ {percent} % of {left}, that is at least {ceil(percent * left / 100)}. Lift: f(AB) > "
            f"{left} · {right} / {rows} = {left * right / rows:g}, that is at least {left * right // rows + 1}. Both "
            f"hold from {_least_both(rows, left, right, percent)} on."
        ),
        expected=lambda: _least_both(rows, left, right, percent),
    )


def _least_both(rows: int, left: int, right: int, percent: int) -> int:
    return next(both for both in range(left + 1) if 100 * both >= percent * left and both * rows > left * right)


@exercise("07.3")
def hidden_triple(numbers: Numbers) -> Exercise:
    given = numbers.one_of(
        [(50, 30, 28, 26, 20, 18, 17), (40, 24, 22, 20, 15, 16, 14), (60, 36, 33, 30, 25, 21, 20)],
    )
    n, a, b, c, ab, ac, bc = given
    return Exercise(
        f"Published are the counts of {n} people and of single items and pairs: f(A) = {a}, f(B) = {b}, f(C) = {c}, "
        f"f(AB) = {ab}, f(AC) = {ac}, f(BC) = {bc}. The count of all three is withheld. Between which numbers must it "
        "lie? Answer with a pair (least, most).",
        hints=[
            "write the count of people with A alone, with A and B but not C, and so on, as sums of the given counts "
            "and x = f(ABC); none of them can be negative",
            "with A and neither B nor C: f(A) − f(AB) − f(AC) + x ≥ 0 gives a lower limit; with none of the three "
            "gives an upper one",
        ],
        worked=lambda: _limits_in_words(*given),
        expected=lambda: _limits(*given),
    )


def _limits(n: int, a: int, b: int, c: int, ab: int, ac: int, bc: int) -> tuple[int, int]:
    """The least and the largest f(ABC) for which no group of people is negative."""
    low = max(0, ab + ac - a, ab + bc - b, ac + bc - c)
    return low, min(ab, ac, bc, n - a - b - c + ab + ac + bc)


def _limits_in_words(n: int, a: int, b: int, c: int, ab: int, ac: int, bc: int) -> str:
    low, high = _limits(n, a, b, c, ab, ac, bc)
    return (
        f"A alone: {a} − {ab} − {ac} + x ≥ 0, B alone: {b} − {ab} − {bc} + x ≥ 0, C alone: {c} − {ac} − {bc} + x ≥ 0. "
        f"So x ≥ {low}. A pair has at least as many people as all three, and none of the three: {n} − {a} − {b} − {c} "
        f"+ {ab} + {ac} + {bc} − x ≥ 0. So x ≤ {high}. A count that is withheld is not unknown."
    )


STARTER = '''
def frequent(rows, least):
    """The frequent itemsets, level by level: a dictionary from frozenset of items to the number of rows that have it.

    rows: a list of sets of items. least: a set is frequent when at least so many rows have all of it.
    Leave the empty set out. Count no set of which a part is not frequent: one table has 40 items.
    """
    raise NotImplementedError
'''
WORKED = """```python
def frequent(rows, least):
    found, level = {}, {frozenset([item]) for row in rows for item in row}
    while level:
        counts = {part: sum(part <= row for row in rows) for part in level}
        kept = {part: count for part, count in counts.items() if count >= least}
        found |= kept
        level = set()
        for part in kept:
            for other in kept:
                joined = part | other
                if len(joined) == len(part) + 1 and all(joined - {item} in kept for item in joined):
                    level.add(joined)
    return found
```"""


@exercise("07.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `frequent`, the search by levels. The check compares it with the package on "
        "the survey, hayes-roth, and baskets with 40 items, of which there are more than three billion sets.",
        hints=[
            "begin with the sets of one item; a level is counted, the rare ones go, and the rest is joined",
            "two sets of n items whose union has n + 1 are joined; look whether each part of the union is frequent "
            "before you count it",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="On all three tables your search finds the itemsets of the package, with the same counts.",
        starter=STARTER,
    )


def _differs(frequent: Callable) -> str:
    if not callable(frequent):
        return "the answer is the function frequent"
    for name, table, least in _tables():
        found = mine(table, min_count=least)
        ours = {
            frozenset(found.items[number] for number in row): int(count)
            for sets, counts in zip(found.levels[1:], found.counts[1:], strict=True)
            for row, count in zip(sets.tolist(), counts, strict=True)
        }
        theirs = {frozenset(part): int(count) for part, count in frequent(_rows(table), least).items()}
        if ours != theirs:
            wrong = len({*ours.items()} ^ {*theirs.items()})
            return f"{name}, at least {least} rows: {wrong} sets or counts differ; there should be {len(ours)} sets"
    return ""


def _rows(table: Table) -> list[Row]:
    return [frozenset(Item(name, str(value)) for name, value in row.items()) for row in table.frame.to_dict("records")]


def _tables() -> list[tuple[str, Table, int]]:
    rng = np.random.default_rng(0)
    baskets = pd.DataFrame(rng.choice(["x", "y"], (30, 20)), columns=[f"c{number}" for number in range(20)])
    survey = load("survey").select(["Marital_status", "Sex", "Hours"])
    hayes = load("hayes-roth")
    return [("the survey", survey, 10), ("hayes-roth", hayes.select(hayes.quasi), 12), ("40 items", Table(baskets), 12)]
