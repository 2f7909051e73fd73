"""Exercises of notebook 13, Mondrian."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Cut = tuple[str, float]


def _one_column(values) -> Table:
    return Table(pd.DataFrame({"age": list(values)}), quasi=["age"])


@exercise("13.1")
def regions_by_hand(numbers: Numbers) -> Exercise:
    ages = numbers.one_of(
        [
            (18, 19, 19, 23, 31, 31, 31, 40, 62),
            (20, 20, 24, 25, 25, 25, 33, 47, 48),
            (19, 21, 21, 21, 28, 30, 44, 44, 59),
        ]
    )
    return Exercise(
        f"Nine people are {', '.join(map(str, ages))} years old, and age is all that is known of them. Cut strictly at "
        "the median with k = 2, with a pencil. How many people does each region have, from the youngest to the oldest? "
        "Answer with a list.",
        hints=[
            "the median of nine people is the fifth one's age; everyone of that age goes left",
            "where the left or the right side would keep fewer than two people, take the allowed cut nearest to the "
            "median; a region is done when there is none",
        ],
        worked=lambda: _played(ages),
        expected=lambda: np.bincount(Mondrian(k=2).anonymize(_one_column(ages)).groups).tolist(),
    )


def _played(ages: tuple[int, ...]) -> str:
    steps = Mondrian(k=2).steps(_one_column(ages))
    release = steps.result
    cuts = [
        f"{step.title}: {step.sentence.partition(', at least')[0]}" for step in steps if step.title.startswith("Cut")
    ]
    regions = [
        [age for age, group in zip(ages, release.groups, strict=True) if group == each]
        for each in range(release.n_groups)
    ]
    listed = "; ".join(", ".join(map(str, region)) for region in regions)
    return f"{'. '.join(cuts)}. No other cut leaves two people on both sides. The regions are {listed}."


@exercise("13.2")
def halves(numbers: Numbers) -> Exercise:
    people, k = numbers.one_of([(100, 6), (90, 5), (200, 11), (150, 9)])
    return Exercise(
        f"{people} people have {people} different ages. Relaxed Mondrian halves regions while both halves keep at "
        f"least k = {k} people; of an odd number, the upper half gets one more. How many people has the largest "
        "region?",
        hints=[
            "a region of at least 2k people is halved; write down the sizes of the halves, round by round",
            "only two sizes occur in a round, and they differ by one; go on until both are below 2k",
        ],
        worked=lambda: _halving(people, k),
        expected=lambda: int(Mondrian(k=k, strict=False).anonymize(_one_column(range(people))).group_sizes.max()),
    )


def _halving(people: int, k: int) -> str:
    sizes, rounds = {people}, []
    while max(sizes) >= 2 * k:
        sizes = {half for size in sizes for half in ((size // 2, size - size // 2) if size >= 2 * k else (size,))}
        rounds.append(" or ".join(map(str, sorted(sizes))))
    return f"Regions have {people} people, then {', then '.join(rounds)}. The largest has {max(sizes)}."


@exercise("13.3")
def uncut(numbers: Numbers) -> Exercise:
    k = numbers.one_of([2, 3])
    people = 4 * (k - 1) + 1
    return Exercise(
        f"A region of {people} people, all different, on two attributes, that strict Mondrian with k = {k} cannot cut: "
        f"give one, as a list of {people} pairs (x, y) of numbers.",
        hints=[
            f"a cut of x is allowed when at least {k} people lie on both sides; so fewer than {k} may lie on each side "
            "of one value of x that all others share",
            "the same must hold for y, with other people: think of a cross",
        ],
        worked=f"A cross: one person at (0, 0), and on each of the four arms {k - 1}, so that fewer than k lie on each "
        "side of the middle on both axes: "
        + ", ".join(
            f"({sign * step * (axis == 0)}, {sign * step * (axis == 1)})"
            for axis in (0, 1)
            for sign in (-1, 1)
            for step in range(1, k)
        )
        + ". One person more, different from all, could always be cut off: the bound is 2d(k − 1) + m with m = 1.",
        judge=lambda points: _not_uncut(points, people, k),
    )


def _not_uncut(points: object, people: int, k: int) -> str:
    try:
        frame = pd.DataFrame([(float(x), float(y)) for x, y in points], columns=["x", "y"])
    except (TypeError, ValueError):
        return "the answer is a list of pairs of numbers, such as [(0, 0), (1, 0)]"
    if len(frame) != people:
        return f"there are {len(frame)} pairs, and {people} are asked for"
    if frame.duplicated().any():
        return f"{tuple(frame[frame.duplicated()].iloc[0])} occurs twice, and all people must be different"
    found = Mondrian(k=k).anonymize(Table(frame, quasi=["x", "y"])).n_groups
    return f"Mondrian cuts it into {found} regions" if found > 1 else ""


STARTER = '''
def best_cut(region, spread, k):
    """Where to cut a region: (column, value), where rows up to that value go left; None where no cut is allowed.

    region: a DataFrame of numbers, one row per person. spread: the range of each column in the whole table.
    A column's width is its range in the region divided by its spread. Take the widest column that has an allowed
    cut (ties: the first column). On it take the median value, or the allowed cut that splits the rows most evenly
    (ties: the smaller value). Allowed: at least k rows on both sides.
    """
    raise NotImplementedError
'''
WORKED = """```python
def best_cut(region, spread, k):
    width = (region.max() - region.min()) / spread
    for column in width.sort_values(ascending=False, kind="stable").index:
        values = np.sort(region[column].to_numpy())
        size = len(values)
        median = values[(size - 1) // 2]
        best = None
        for value in np.unique(values):
            left = int((values <= value).sum())
            if k <= left <= size - k:
                key = 1 if value == median else -abs(2 * left - size)
                if best is None or key > best[0]:
                    best = key, value
        if best is not None:
            return column, best[1]
    return None
```"""


@exercise("13.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `best_cut`, the core of Mondrian. The check puts it in place of ours and cuts "
        "six small tables, the survey's hours and a part of Adult with it.",
        hints=[
            "sort the columns by their width, the widest first, and return from the first one that has an allowed cut",
            "for each value count the rows up to it: that is the left side; the median is the smallest value whose "
            "left side has at least half of the rows",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your cut in place of ours, Mondrian makes the same regions of all eight tables.",
        starter=STARTER,
    )


def regions_with(best_cut: Callable[[pd.DataFrame, pd.Series, int], Cut | None], frame: pd.DataFrame, k: int) -> list:
    """Mondrian with another cut: the rows of every region."""
    spread = (frame.max() - frame.min()).replace(0, 1)
    done, waiting = [], [frame]
    while waiting:
        region = waiting.pop()
        cut = best_cut(region.copy(), spread, k)
        if cut is None:
            done.append(region.index.tolist())
            continue
        column, value = cut
        left = region[column] <= value
        if left.sum() < k or (~left).sum() < k:
            raise ValueError(f"the cut of {column} after {value} leaves fewer than {k} rows on one side")
        waiting += [region[left], region[~left]]
    return sorted(map(sorted, done))


def _differs(best_cut: object) -> str:
    if not callable(best_cut):
        return "the answer is the function best_cut"
    for name, frame, k in _tables():
        release = Mondrian(k=k).anonymize(Table(frame, quasi=list(frame)))
        ours = sorted(np.flatnonzero(release.groups == group).tolist() for group in range(release.n_groups))
        theirs = regions_with(best_cut, frame, k)
        if ours != theirs:
            return f"with k = {k} your cut makes other regions of {name} than ours: {len(theirs)}, and ours {len(ours)}"
    return ""


def _tables() -> list[tuple[str, pd.DataFrame, int]]:
    rng = np.random.default_rng(0)
    small = [
        (f"small table {n}", pd.DataFrame(rng.integers(0, 6, (14, 2)), columns=["x", "y"]), 2 + n % 2) for n in range(6)
    ]
    adult = load("adult").frame[["age", "hours-per-week", "education-num"]].iloc[:300].reset_index(drop=True)
    survey = load("survey").frame[["Hours"]].astype(float).reset_index(drop=True)
    return [*small, ("the survey's hours", survey, 10), ("300 rows of Adult", adult, 7)]
