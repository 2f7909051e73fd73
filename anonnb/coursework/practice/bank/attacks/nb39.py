"""Exercises of notebook 39, reconstruction and membership."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from anonnb.attacks import ReconstructionAttack
from anonnb.attacks.membership.ranking import auc
from anonnb.attacks.reconstruction.cell_tables import CellTables
from anonnb.attacks.reconstruction.certain import certain_rows
from anonnb.attacks.reconstruction.statistics import Statistic, Statistics
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.tables.table import Table


@exercise("39.1")
def ages(numbers: Numbers) -> Exercise:
    median, mean = numbers.one_of([(30, 44), (20, 30), (25, 40), (35, 50)])
    return Exercise(
        f"Three people have whole ages from 0 to 100; the median is {median} and the mean {mean}. How many "
        "combinations of ages fit? The order of the people does not count.",
        hints=[
            "how much do the three ages add up to, and how much is left for the youngest and the oldest?",
            "the youngest is at most the median, the oldest at least the median and at most 100: which ages can the "
            "youngest have?",
        ],
        worked=lambda: _youngest(median, mean),
        expected=lambda: len(_combinations(median, mean)),
    )


def _combinations(median: int, mean: int) -> list[tuple[int, int, int]]:
    """All three ages up to 100 that fit, recounted from the published line."""
    line = Statistics({"age": range(101)}, [Statistic(count=3, median=median, mean=mean)], "age")
    tried = ((low, median, high) for low in range(median + 1) for high in range(median, 101))
    return [found for found in tried if line.fits([(age,) for age in found])]


def _youngest(median: int, mean: int) -> str:
    found = _combinations(median, mean)
    rest = 3 * mean - median
    return (
        f"The ages add up to {3 * mean}, so youngest and oldest add up to {rest}. The oldest is at most 100, so "
        f"the youngest is at least {found[0][0]}, and at most {found[-1][0]}: {len(found)} combinations. One line "
        "leaves so few; overlapping lines leave fewer."
    )


@exercise("39.2")
def area(numbers: Numbers) -> Exercise:
    members, outsiders = numbers.one_of(
        [
            ((0.9, 0.8, 0.4), (0.7, 0.4)),
            ((0.9, 0.6, 0.6, 0.3), (0.6, 0.2)),
            ((0.8, 0.7, 0.5), (0.7, 0.5, 0.1)),
            ((0.7, 0.7, 0.2), (0.7, 0.3)),
        ]
    )
    inside, outside = (", ".join(map(str, scores)) for scores in (members, outsiders))
    pairs = len(members) * len(outsiders)
    return Exercise(
        f"Members score {inside}; outsiders score {outside}. What is the area under the ROC curve? Give four digits.",
        hints=[
            f"it is the chance that a random member scores higher than a random outsider; there are {pairs} pairs",
            "a pair with equal scores counts half",
        ],
        worked=lambda: (
            f"Of {pairs} pairs, {sum(one > two for one in members for two in outsiders)} have the member ahead and "
            f"{sum(one == two for one in members for two in outsiders)} are ties, which count half; divide by {pairs}."
        ),
        expected=lambda: round(auc(np.array(members), np.array(outsiders)), 4),
    )


@exercise("39.3")
def margins(numbers: Numbers) -> Exercise:
    people, certain = numbers.one_of([(8, 4), (9, 5), (10, 6)])
    return Exercise(
        f"{people} people are women or men and smoke or do not. Published are only how many there are, how many women, "
        "and how many smokers; no count of both. There are two or more of women, men, smokers and others. Choose the "
        f"two numbers such that {certain} rows are certain. Answer with a pair (women, smokers).",
        hints=[
            "if six of eight are women and six smoke, how many women smoke at least?",
            "women and smokers overlap in at least women + smokers − people; think also of the smallest number of "
            "women who do not smoke, of men who do, and of men who do not",
        ],
        worked=lambda: _some_margins(people, certain),
        judge=lambda answer: _other_margins(answer, people, certain),
    )


def margins_of(people: int, women: int, smokers: int) -> Statistics:
    """The number of people, of women and of smokers."""
    published = [Statistic({}, people), Statistic({"sex": "f"}, women), Statistic({"smokes": "y"}, smokers)]
    return Statistics({"sex": ("f", "m"), "smokes": ("y", "n")}, published)


def _some_margins(people: int, certain: int) -> str:
    women = smokers = (people + certain) // 2
    return (
        f"({women}, {smokers}): women and smokers overlap in at least {women} + {smokers} − {people} = "
        f"{women + smokers - people} people. Nobody published a count of both, and yet so many rows (f, y) are certain."
    )


def _other_margins(answer: object, people: int, certain: int) -> str:
    try:
        women, smokers = (int(each) for each in answer)
    except (TypeError, ValueError):
        return "the answer is a pair of numbers, such as (4, 5)"
    if min(women, smokers, people - women, people - smokers) < 2:
        return f"({women}, {smokers}) leaves fewer than two women, men, smokers or others"
    found = ReconstructionAttack(solver="highs").run(margins_of(people, women, smokers)).claims
    return "" if found == certain else f"with ({women}, {smokers}) {found} rows are certain"


STARTER = '''
def certain(search):
    """The rows that every table that fits has: a Counter from rows to how often they are certain.

    search() gives some table that fits, as a Counter of rows; there is one. search(rows) gives a table that fits and
    has at least one of these rows less often than the Counter `rows` does, or None if there is no such table. Every
    search takes time: with n people, n + 1 of them are enough.
    """
    raise NotImplementedError
'''
WORKED = """```python
def certain(search):
    shared = search()
    while shared:
        other = search(shared)
        if other is None:
            break
        shared = shared & other
    return shared
```"""


@exercise("39.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `certain`, the core of the reconstruction attack. The check gives it our "
        "search, on twenty random sets of statistics about two to four people, counts the searches and compares with "
        "the attack and with all tables that fit.",
        hints=[
            "what is certain is in every table, so in the first one you find; begin with all of its rows",
            "ask for a table that lacks something of what you have left, and keep what both have: `&` of two Counters "
            "takes the smaller number; stop when there is no such table, or nothing is left",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your function finds the same certain rows as ours in all twenty sets, with no search too many.",
        starter=STARTER,
    )


def _differs(certain: object) -> str:
    if not callable(certain):
        return "the answer is the function certain"
    for number, statistics in enumerate(published_sets(), 1):
        theirs = Counter(certain(CountedSearch(statistics)))
        ours = certain_rows(CellTables(statistics))[0]
        if +theirs != +ours:
            return f"in set {number} {ours.total()} rows are certain, and your function says {theirs.total()}"
    return ""


class CountedSearch:
    """Searches for tables that fit, at most once more than there are people."""

    def __init__(self, statistics: Statistics):
        self._tables, self._left = CellTables(statistics), statistics.people + 1

    def __call__(self, lacking: Counter | None = None) -> Counter | None:
        self._left -= 1
        if self._left < 0:
            raise ValueError("there are more searches than people and one")
        return self._tables.table(None if lacking is None else Counter(lacking))


def published_sets() -> Iterator[Statistics]:
    """Twenty sets of statistics about two to four people with an age from 0 to 4 and a sex."""
    rng = np.random.default_rng(39)
    values = {"age": range(5), "sex": ("f", "m")}
    for number in range(20):
        frame = pd.DataFrame({"age": rng.integers(0, 5, 2 + number % 3), "sex": rng.choice(["f", "m"], 2 + number % 3)})
        filters = [{}, {"sex": "f"}, {"age": range(0, 2)}, {"sex": "m", "age": range(2, 5)}][: 2 + number % 3]
        yield Statistics.of(Table(frame), filters, "age", values=values, fewest=1 + number % 2)


def by_all_tables(statistics: Statistics) -> Counter:
    """What all tables that fit have in common, by trying all: rows as places among the values."""
    kinds, shared = [tuple(cell) for cell in statistics.cells.tolist()], None
    for rows in combinations_with_replacement(kinds, statistics.people):
        if statistics.fits([statistics.named(row) for row in rows]):
            shared = Counter(rows) if shared is None else shared & Counter(rows)
    return Counter() if shared is None else shared
