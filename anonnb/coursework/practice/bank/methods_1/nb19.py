"""Exercises of notebook 19, safe itemsets."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mining.safe_itemsets import supports_of
from anonnb.rules.association.channels import Supports, channels, maximal_channels
from anonnb.rules.association.itemsets import mine
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Counts = dict[frozenset, int]


@exercise("19.1")
def pattern_by_hand(numbers: Numbers) -> Exercise:
    everybody, a, b, c, ab, ac, bc, abc = numbers.one_of(
        [
            (80, 50, 45, 40, 30, 25, 20, 15),
            (90, 60, 40, 45, 25, 30, 22, 14),
            (120, 70, 64, 50, 41, 32, 27, 19),
            (100, 58, 49, 37, 30, 21, 18, 11),
        ]
    )
    return Exercise(
        f"Of {everybody} people {a} have A, {b} have B, {c} have C, {ab} have A and B, {ac} have A and C, {bc} have B "
        f"and C, and {abc} have all three. How many have C and neither A nor B?",
        hints=[
            "start from all who have C, and take away those who have A as well and those who have B as well",
            "whoever has all three was taken away twice",
        ],
        worked=f"f(C, ABC) = {c} − {ac} − {bc} + {abc} = {c - ac - bc + abc}.",
        expected=lambda: c - ac - bc + abc,
    )


@exercise("19.2")
def add_by_hand(numbers: Numbers) -> Exercise:
    both, only_b, only_c, neither, k = numbers.one_of(
        [(30, 7, 4, 20, 5), (41, 3, 12, 6, 8), (25, 6, 2, 3, 7), (50, 9, 8, 4, 10)]
    )
    counts = {"": both + only_b + only_c + neither, "B": both + only_b, "C": both + only_c, "BC": both}
    return Exercise(
        f"Published are: everybody {counts['']}, B {counts['B']}, C {counts['C']}, {{B, C}} {counts['BC']}; k = {k}. "
        "Run the additive way with a pencil. What are the counts of everybody, of B and of C afterwards? Answer with a "
        "list of three numbers.",
        hints=[
            "three patterns follow: B without C, C without B, and neither; which of them has 1 to k − 1 people?",
            "a channel that begins at B adds k to B and to everybody; one that begins at everybody adds k to it alone",
        ],
        worked=f"B without C: {only_b}; C without B: {only_c}; neither: {neither}. Each of these that lies between 1 "
        f"and {k - 1} adds {k} to everybody, the first also to B, the second also to C: "
        f"{', '.join(map(str, _added(counts, k)))}.",
        expected=lambda: _added(counts, k),
    )


def _added(counts: dict[str, int], k: int) -> list[int]:
    """The counts of everybody, B and C after the additive way."""
    added = {frozenset(name): count for name, count in counts.items()}
    for channel in maximal_channels(Supports(added), k):
        for part in added:
            if part <= channel.having:
                added[part] += k
    return [added[frozenset(name)] for name in ("", "B", "C")]


@exercise("19.3")
def what_a_gap_reveals(numbers: Numbers) -> Exercise:
    everybody, b, c = numbers.one_of([(66, 55, 52), (100, 80, 45), (90, 70, 60), (50, 41, 38)])
    return Exercise(
        f"{everybody} people, {b} of them have B and {c} have C; the count of {{B, C}} is withheld. Between which two "
        "numbers does it lie nevertheless? Answer with a pair (least, most).",
        hints=[
            "the two groups cannot share more people than the smaller one has",
            f"they share the fewest people when everybody has B or C; then the two counts add up to {everybody} and "
            "those who have both",
        ],
        worked=f"At most min({b}, {c}) = {min(b, c)}. At least {b} + {c} − {everybody} = {b + c - everybody}, for "
        "otherwise B or C would need more people than there are. A withheld count is not unknown: where the two ends "
        "are close, they reveal a small count. Only the strategy `sure` rules that out.",
        expected=lambda: (max(0, b + c - everybody), min(b, c)),
    )


@exercise("19.4")
def who_was_invented(numbers: Numbers) -> Exercise:
    people, k, with_sex, without = numbers.one_of([(66, 3, 3, 2), (100, 5, 4, 3), (250, 10, 2, 6), (80, 4, 6, 1)])
    males = people // 2 + k * (with_sex // 2)
    females = people - people // 2 + k * (with_sex - with_sex // 2)
    total = people + k * (with_sex + without)
    return Exercise(
        f"After the additive way with k = {k} these counts are published: everybody {total}, male {males}, female "
        f"{females}. A reader knows k, and that the table has {people} people, each of them male or female. How many "
        "additions were made, and how many of them have a sex? Answer with a pair.",
        hints=[
            "every addition raises the count of everybody by k",
            "an addition without a sex raises everybody, and neither male nor female",
        ],
        worked=f"All additions: ({total} − {people}) / {k} = {with_sex + without}. Without a sex: ({total} − {males} − "
        f"{females}) / {k} = {without}. So {with_sex} have one. Added people show, for they lack what everybody has.",
        expected=lambda: (with_sex + without, with_sex),
    )


STARTER = '''
def small_patterns(counts, k):
    """The inference channels: {(I, J): f(I, J)} for all pairs I ⊂ J with 0 < f(I, J) < k.

    counts: a dictionary from itemsets (frozensets, the empty one included) to numbers of people; with an itemset
    it holds all subsets. f(I, J) counts the people with all of I and nothing of J∖I: the sum of the counts of all
    X with I ⊆ X ⊆ J, with a minus where X has an odd number of items more than I.
    """
    raise NotImplementedError
'''
WORKED = """```python
def small_patterns(counts, k):
    from itertools import combinations

    def parts(items):
        return [frozenset(part) for size in range(len(items) + 1) for part in combinations(items, size)]

    found = {}
    for whole in counts:
        for inner in parts(whole):
            number = sum((-1) ** len(more) * counts[inner | more] for more in parts(whole - inner))
            if inner != whole and 0 < number < k:
                found[inner, whole] = number
    return found
```"""


@exercise("19.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `small_patterns`, which finds all inference channels. The check compares it "
        "with ours on 30 random tables, on the survey and on a part of Adult, and adds people until it finds none.",
        hints=[
            "write a helper that lists all subsets of an itemset; then loop over every J and every I among its parts",
            "every X between I and J is I with a part of J∖I; the sign depends on how many items that part has",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your channels are ours on all tables, and adding people where you find one closes all of them.",
        starter=STARTER,
    )


def _differs(small_patterns: Callable[[Counts, int], dict]) -> str:
    if not callable(small_patterns):
        return "the answer is the function small_patterns"
    for name, counts, k in _published():
        ours = {(each.having, each.whole): each.count for each in channels(Supports(counts), k)}
        theirs = dict(small_patterns(dict(counts), k))
        if theirs != ours:
            return f"in {name} with k = {k} your function finds {len(theirs)} channels, and there are {len(ours)}"
        if small_patterns(closed(small_patterns, counts, k), k):
            return f"in {name} with k = {k} channels are left after people were added for each that you found"
    return ""


def closed(small_patterns: Callable[[Counts, int], dict], counts: Counts, k: int) -> Counts:
    """The additive way: for every channel found, k more for each part of I."""
    added = dict(counts)
    for inner, _ in small_patterns(dict(counts), k):
        for size in range(len(inner) + 1):
            for part in combinations(inner, size):
                added[frozenset(part)] += k
    return added


def _published() -> list[tuple[str, Counts, int]]:
    rng = np.random.default_rng(19)
    tables = []
    for number in range(30):
        rows = rng.random((60, 4)) < rng.uniform(0.4, 0.9, 4)
        tables.append((f"random table {number}", _counts(rows, least=8), int(rng.integers(3, 9))))
    adult, survey = load("adult"), load("survey")
    part = adult.take(range(1000)).select(["sex", "race", "marital-status", "workclass"])
    return [
        *tables,
        ("the survey", _mined(survey.select(survey.quasi), 15), 5),
        ("a part of Adult", _mined(part, 100), 20),
    ]


def _counts(rows: np.ndarray, least: int) -> Counts:
    """The counts of all sets of columns that at least so many rows have."""
    columns = range(rows.shape[1])
    sets = [frozenset(part) for size in range(len(columns) + 1) for part in combinations(columns, size)]
    counts = {part: int(rows[:, sorted(part)].all(axis=1).sum()) for part in sets}
    return {frozenset("ABCD"[column] for column in part): count for part, count in counts.items() if count >= least}


def _mined(table: Table, least: int) -> Counts:
    found = supports_of(mine(table, min_count=least))
    return {found.set_of(bits): count for bits, count in found.counts.items()}
