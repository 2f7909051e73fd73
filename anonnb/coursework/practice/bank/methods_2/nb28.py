"""Exercises of notebook 28, measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.utility.cells import ncp
from anonnb.utility.classes import discernibility

Groups = tuple[tuple[int, ...], ...]


def released(ages: Sequence[int], groups: Sequence[int]) -> tuple[Table, Release]:
    """Ages and the release that gives each group its interval."""
    table, groups = Table(pd.DataFrame({"age": list(ages)}), quasi=["age"]), np.asarray(groups)
    column = Column.of_groups(table.attributes["age"], table.codes("age"), groups, int(groups.max()) + 1)
    return table, Release(table, {"age": column}, np.arange(len(groups)))


@exercise("28.1")
def loss_by_hand(numbers: Numbers) -> Exercise:
    ages, groups = numbers.one_of(
        [
            ((20, 24, 30, 40, 55, 60), (0, 0, 1, 1, 1, 1)),
            ((10, 20, 25, 30, 40, 50), (0, 0, 0, 1, 1, 1)),
            ((30, 32, 36, 50, 65, 70), (0, 0, 0, 0, 1, 1)),
        ]
    )
    cells = [[age for age, group in zip(ages, groups, strict=True) if group == each] for each in sorted(set(groups))]
    shown = " and ".join(f"[{min(cell)}–{max(cell)}] ({len(cell)} times)" for cell in cells)
    return Exercise(
        f"Six people are {', '.join(map(str, ages))} years old. Published are {shown}. What are the mean NCP of a cell "
        "and the discernibility? Answer with a pair.",
        hints=[
            f"a cell costs its width divided by {max(ages) - min(ages)}, the range of all ages; every person has one",
            "for the discernibility only the sizes of the classes count, squared",
        ],
        worked=lambda: "NCP {:.4g}, discernibility {}: {} and {}.".format(
            *_both(ages, groups),
            f"({' + '.join(f'{len(cell)}·{max(cell) - min(cell)}' for cell in cells)}) / (6·{max(ages) - min(ages)})",
            " + ".join(f"{len(cell)}²" for cell in cells),
        ),
        expected=lambda: _both(ages, groups),
    )


def _both(ages: Sequence[int], groups: Sequence[int]) -> tuple[float, int]:
    pair = released(ages, groups)
    return ncp(*pair), discernibility(*pair)


@exercise("28.2")
def loss_that_is_a_risk(numbers: Numbers) -> Exercise:
    rows, k, size = numbers.one_of([(600, 5, 1.5), (1200, 10, 2.0), (900, 4, 2.25), (500, 2, 1.25)])
    return Exercise(
        f"Of a release of {rows} rows only this is known: k = {k}, and the average class size is {size:g} in multiples "
        "of k. An attacker knows everybody's quasi-identifiers and links each person to a row of their class, at "
        "random. What share of all people is linked rightly, on average?",
        hints=[
            "how many classes does the release have?",
            "in each class one person is linked rightly on average, whatever its size",
        ],
        worked=f"A class has {size * k:g} rows on average, so there are {rows / (size * k):g} classes, and in each one "
        f"person is linked rightly on average: {rows / (size * k):g}/{rows} = {1 / (size * k):.4g}. The number of rows "
        "does not matter: the average class size, a measure of loss, is this risk turned over.",
        expected=lambda: 1 / (size * k),
    )


@exercise("28.3")
def far_and_near(numbers: Numbers) -> Exercise:
    own = numbers.one_of([(1, 2), (1, 3), (2, 5), (1, 5)])
    values = (1, 2, 3, 4, 5)
    return Exercise(
        "In a table each of the grades 1, 2, 3, 4, 5 is as frequent as the others. A class has the grades "
        f"{own[0]} and {own[1]}, one person each. How far is it from the table by the equal distance, and how far by "
        "the ordered distance? Answer with a pair.",
        hints=[
            "equal: half the sum of the differences of shares, whichever grades they are",
            "ordered: add up the absolute differences of the cumulative shares, and divide by 4, one less than the "
            "number of grades",
        ],
        worked=lambda: (
            "Equal: two shares rise by 1/2 − 1/5 and three fall by 1/5, so half the sum is "
            f"{_distances(own, values)[0]:.4g}. Ordered: the running sums of the differences are "
            f"{_running(own, values)}; their absolute values, divided by 4, sum to {_distances(own, values)[1]:.4g}. "
            "The equal distance is the same for any two grades; the ordered one knows which of them are alike."
        ),
        expected=lambda: _distances(own, values),
    )


def _running(own: tuple[int, int], values: Sequence[int]) -> str:
    shares = np.array([(value in own) / 2 for value in values]) - 1 / len(values)
    return ", ".join(f"{total:.1f}".replace("-", "−") for total in np.cumsum(shares).round(9) + 0.0)


def _distances(own: tuple[int, int], values: Sequence[int]) -> tuple[float, float]:
    """How far a class of two people is from a table in which all values are equally frequent."""
    shares = np.array([(value in own) / 2 for value in values]) - 1 / len(values)
    return float(np.abs(shares).sum() / 2), float(np.abs(np.cumsum(shares)).sum() / (len(values) - 1))


@exercise("28.4")
def measures_that_disagree(numbers: Numbers) -> Exercise:
    youngest, oldest = numbers.one_of([(20, 62), (18, 80), (30, 65)])
    return Exercise(
        f"Find six different ages from {youngest} to {oldest}, both of which occur, for which the two measures cannot "
        "agree: of all ways to put the six people in groups of at least two, none has both the least discernibility "
        "and the least NCP. Answer with a list of ages.",
        hints=[
            "three pairs have the least discernibility: 4 + 4 + 4; the least NCP must be that of another grouping",
            "three people near each other, and three others far away: what does the pair in the middle cost?",
        ],
        worked=f"`{[youngest, youngest + 1, youngest + 2, oldest - 2, oldest - 1, oldest]}`: in three pairs somebody "
        f"of {youngest + 2} shares an interval with somebody of {oldest - 2}, in two groups of three nobody does.",
        judge=lambda ages: _agree(ages, youngest, oldest),
    )


def _agree(ages: object, youngest: int, oldest: int) -> str:
    try:
        ages = sorted(int(age) for age in ages)
    except (TypeError, ValueError):
        return f"the answer is a list of six numbers, such as {list(range(youngest, youngest + 6))}"
    if len(set(ages)) != 6 or len(ages) != 6:
        return f"there are {len(set(ages))} different ages, and six are asked for"
    if (ages[0], ages[-1]) != (youngest, oldest):
        return f"the ages go from {ages[0]} to {ages[-1]}, and {youngest} to {oldest} is asked for"
    found = {groups: (sum(len(group) ** 2 for group in groups), _lost(ages, groups)) for groups in groupings(range(6))}
    least = [min(pair[which] for pair in found.values()) for which in (0, 1)]
    both = [groups for groups, pair in found.items() if list(pair) == least]
    if not both:
        return ""
    shown = "; ".join(", ".join(str(ages[place]) for place in group) for group in both[0])
    return f"the groups {shown} have the least of both"


def _lost(ages: Sequence[int], groups: Groups) -> int:
    """The widths of all cells, summed: NCP up to a factor."""
    return sum(len(group) * (max(ages[n] for n in group) - min(ages[n] for n in group)) for group in groups)


def groupings(places: Sequence[int]) -> Iterator[Groups]:
    """All ways to put these places in groups of at least two."""
    first, *others = places
    for chosen in range(1, 2 ** len(others)):
        group = (first, *(place for bit, place in enumerate(others) if chosen >> bit & 1))
        rest = [place for bit, place in enumerate(others) if not chosen >> bit & 1]
        if not rest:
            yield (group,)
        elif len(rest) > 1:
            yield from ((group, *groups) for groups in groupings(rest))


STARTER = '''
def mean_ncp(cells, kind, domain):
    """The mean NCP of the cells of one column.

    cells: for each row the set of values that its cell allows. kind: "nominal", "ordinal" or "numeric". domain: all
    values of the column, in their order. A single value costs 0. Otherwise a numeric cell costs (largest − smallest) /
    range of the domain, an ordinal one (rank of the last − rank of the first) / (values − 1), a nominal one
    (number of its values − 1) / (values − 1).
    """
    raise NotImplementedError
'''
WORKED = """```python
def mean_ncp(cells, kind, domain):
    rank = {value: number for number, value in enumerate(domain)}
    costs = []
    for cell in cells:
        if kind == "nominal":
            cost = (len(cell) - 1) / max(len(domain) - 1, 1)
        elif kind == "ordinal":
            ranks = [rank[value] for value in cell]
            cost = (max(ranks) - min(ranks)) / max(len(domain) - 1, 1)
        else:
            cost = (max(cell) - min(cell)) / ((max(domain) - min(domain)) or 1)
        costs.append(cost)
    return sum(costs) / len(costs)
```"""


@exercise("28.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `mean_ncp`, the measure of loss that most notebooks use. The check compares "
        "it with `utility.ncp` on twelve random releases, four of each kind of column.",
        hints=[
            "the three kinds differ only in what the width of a cell is, and what the width of the domain",
            "the numeric width is measured in years, say, the ordinal one in ranks, and the nominal one in values",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your measure equals ours on twelve releases.",
        starter=STARTER,
    )


def _differs(mean_ncp: object) -> str:
    if not callable(mean_ncp):
        return "the answer is the function mean_ncp"
    rng = np.random.default_rng(0)
    for kind in ("nominal", "ordinal", "numeric"):
        for size in (1, 2, 6, 11):
            domain = np.cumsum(rng.integers(1, 9, size)).tolist()
            domain = domain if kind == "numeric" else [f"v{number:02}" for number in domain]
            values = [*domain, *(domain[place] for place in rng.integers(0, size, 15))]
            groups = rng.integers(0, 5, len(values))
            groups = np.unique(groups, return_inverse=True)[1]
            orders = {"x": domain} if kind == "ordinal" else {}
            table = Table(pd.DataFrame({"x": values}), quasi=["x"], orders=orders, kinds={"x": kind})
            column = Column.of_groups(table.attributes["x"], table.codes("x"), groups, int(groups.max()) + 1)
            ours = ncp(table, Release(table, {"x": column}, np.arange(len(values))))
            sets = [{domain[code] for code in np.flatnonzero(column.sets.mask(place))} for place in column.index]
            theirs = mean_ncp(sets, kind, list(domain))
            if not np.isclose(theirs, ours):
                return f"{kind} column of {size} values: your measure gives {theirs:.4f}, ours {ours:.4f}"
    return ""
