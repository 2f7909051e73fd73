"""Exercises of notebook 18, clusters of people."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.clustering.clustering import GCCG, KACA
from anonnb.methods.clustering.clusters import RowDistance, cluster_release
from anonnb.tables.datasets import load
from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.table import Table

PLACES = {"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP", "CN"]}}


def _people(ages: tuple[int, ...], places: tuple[str, ...]) -> Table:
    return Table(
        pd.DataFrame({"age": ages, "place": places}),
        quasi=["age", "place"],
        hierarchies={"place": Hierarchy.from_nested(PLACES)},
    )


@exercise("18.1")
def distance_by_hand(numbers: Numbers) -> Exercise:
    oldest, age, place = numbers.one_of([(70, 45, "IT"), (60, 35, "NO"), (80, 35, "IT"), (60, 40, "JP")])
    common = {"IT": (2, "Europe"), "NO": (1, "North"), "JP": (3, "the top")}[place]
    return Exercise(
        f"In another table ages run from 20 to {oldest}, and places have the hierarchy of this notebook. How far are "
        f"(25, SE) and ({age}, {place}) apart for OKA and GCCG?",
        hints=[
            "the distance of two rows is the sum of the distances of their ages and of their places",
            "ages: the difference by the range of the column; places: how many levels up the two meet, of three",
        ],
        worked=f"The ages are {age - 25}/{oldest - 20} apart. The places meet at {common[1]}, {common[0]} of 3 levels "
        f"up: {common[0]}/3. Together {(age - 25) / (oldest - 20) + common[0] / 3:.4f}.",
        expected=lambda: _apart((25, age, 20, oldest), ("SE", place, "SE", "CN")),
    )


def _apart(ages: tuple[int, ...], places: tuple[str, ...]) -> float:
    """The distance of the first two people."""
    return float(RowDistance(_people(ages, places))(0, np.array([1]))[0])


@exercise("18.2")
def what_is_left(numbers: Numbers) -> Exercise:
    ages = numbers.one_of([(20, 30, 31, 31, 32, 45), (18, 40, 43, 43, 45, 60), (25, 33, 34, 34, 36, 70)])
    return Exercise(
        f"Six people are {', '.join(map(str, ages))} years old, and age is the only quasi-identifier. Run GCCG with "
        "k = 3; a person's grade is how many people have the same age. Which interval does the **last** cluster "
        "publish? Answer with a pair (youngest, oldest).",
        hints=[
            "two people have the highest grade; with whom do they form the first cluster?",
            "the first cluster takes whoever is nearest; everybody else is in the last one, on either side of it",
        ],
        worked=lambda: _two_clusters(ages),
        expected=lambda: _last_interval(ages),
    )


def _clusters_of_ages(ages: tuple[int, ...]) -> list[list[int]]:
    table = Table(pd.DataFrame({"age": ages}), quasi=["age"])
    groups = GCCG(k=3).steps(table)[-2].state.groups
    return [[age for age, group in zip(ages, groups, strict=True) if group == each] for each in range(2)]


def _last_interval(ages: tuple[int, ...]) -> tuple[int, int]:
    last = _clusters_of_ages(ages)[1]
    return min(last), max(last)


def _two_clusters(ages: tuple[int, ...]) -> str:
    first, last = (", ".join(map(str, cluster)) for cluster in _clusters_of_ages(ages))
    low, high = _last_interval(ages)
    return (
        f"The centre is the first person with the age that occurs twice. Its cluster is {first}; left are {last}. "
        f"They publish [{low}–{high}], which holds the whole first cluster: GCCG's intervals may overlap."
    )


@exercise("18.3")
def neighbours_far_apart(numbers: Numbers) -> Exercise:
    widths, low, high = numbers.one_of(
        [((5, 10, 20, 40), 20, 70), ((10, 30, 60), 20, 80), ((5, 25, 50), 20, 80), ((10, 20, 40), 50, 100)]
    )
    ladder = ", ".join(map(str, widths))
    return Exercise(
        f"An age has intervals of {ladder} years above it, which begin at 0, and then \\*. Name two ages between {low} "
        f"and {high} that differ by one year and that KACA cannot unite for less than 2, the most that two people with "
        "one attribute can cost. Answer with a pair.",
        hints=[
            "the cost of a union depends on where in the hierarchy the two ages meet, not on their difference",
            "where do two neighbouring ages have no interval in common, not even the widest?",
        ],
        worked=f"{_wall(widths, low) - 1} and {_wall(widths, low)}: even the intervals of {widths[-1]} years part "
        "between them, so they meet at \\* only, and both pay 1.",
        judge=lambda answer: _not_far_apart(answer, widths, low, high),
    )


def _wall(widths: tuple[int, ...], low: int) -> int:
    return (low // widths[-1] + 1) * widths[-1]


def _not_far_apart(answer: object, widths: tuple[int, ...], low: int, high: int) -> str:
    try:
        younger, older = sorted(int(age) for age in answer)
    except (TypeError, ValueError):
        return "the answer is a pair of ages, such as (30, 31)"
    if older - younger != 1:
        return f"{younger} and {older} do not differ by one year"
    if younger < low or older > high:
        return f"{younger} and {older} are not both between {low} and {high}"
    table = Table(
        pd.DataFrame({"age": [younger, older]}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(*widths)}
    )
    union = KACA(k=2).steps(table)[1]
    cost = float(union.candidates["distortion"].iloc[0])
    return "" if cost > 2 - 1e-9 else f"uniting {younger} and {older} costs {cost:.3f}, which is less than 2"


@exercise("18.4")
def largest_cluster(numbers: Numbers) -> Exercise:
    rows, k = numbers.one_of([(6034, 10), (1000, 7), (302, 10), (2500, 12)])
    return Exercise(
        f"A table has {rows:,} rows and k = {k}. How many rows can the largest cluster of OKA have at most, whatever "
        "the data and the seeds?",
        hints=[
            "how many clusters are there, and how many rows are left when each has k?",
            "all rows that are left may be nearest to one and the same cluster",
        ],
        worked=f"There are {rows // k} clusters. When each has {k} rows, {rows - rows // k * k} are left, and one "
        f"cluster may get all of them: {k} + {rows % k} = {k + rows % k}.",
        expected=lambda: k + rows % k,
    )


STARTER = '''
def clusters(distance, grade, k):
    """GCCG: the number of the cluster of every row, in the order in which the clusters are made.

    distance: an array, rows × rows. grade: an array, a number per row. There are n // k clusters for n rows.
    A cluster: of the rows left, the one with the highest grade (ties: the first) is its centre and takes the
    k rows nearest to it, itself included (ties: the first). Rows that no centre took join the nearest centre.
    """
    raise NotImplementedError
'''
WORKED = """```python
def clusters(distance, grade, k):
    rows = len(grade)
    found = np.full(rows, -1)
    centres = []
    for number in range(rows // k):
        left = np.flatnonzero(found < 0)
        centre = left[np.argmax(grade[left])]
        order = np.argsort(distance[centre, left], kind="stable")
        found[left[order[:k]]] = number
        centres.append(centre)
    for row in np.flatnonzero(found < 0):
        found[row] = np.argmin(distance[row, centres])
    return found
```"""


@exercise("18.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `clusters`, all of GCCG but for distances and grades. The check gives it "
        "those of six small tables and of a part of Adult, in which no two people are equal, and compares what would "
        "be published.",
        hints=[
            "keep an array with -1 for rows that are in no cluster; `np.flatnonzero(found < 0)` are those left",
            "`np.argmax` takes the first of equals, and `np.argsort(…, kind='stable')` keeps their order",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your clusters in place of ours, GCCG publishes the same of all seven tables.",
        starter=STARTER,
    )


def _differs(clusters: Callable[[np.ndarray, np.ndarray, int], np.ndarray]) -> str:
    if not callable(clusters):
        return "the answer is the function clusters"
    for name, table, k in _tables():
        everyone, distance = np.arange(len(table)), RowDistance(table)
        nominal = [column for column in table.quasi if table.attributes[column].kind == "nominal"]
        grade = sum(np.bincount(table.codes(column))[table.codes(column)] for column in nominal)
        found = clusters(np.stack([distance(row, everyone) for row in everyone]), grade, k)
        found = np.asarray(found)
        if found.shape != (len(table),) or found.min() < 0:
            return f"of {name} not every row gets the number of a cluster"
        ours = GCCG(k=k).anonymize(table)
        theirs = cluster_release(GCCG(k=k), table, found)
        different = (ours.frame.astype(str) != theirs.frame.astype(str)).any(axis=1).sum()
        if different:
            return f"with k = {k} your clusters publish {different} of {len(table)} rows of {name} otherwise than ours"
    return ""


def _tables() -> list[tuple[str, Table, int]]:
    rng = np.random.default_rng(0)
    made = []
    for number in range(6):
        ages, places = rng.permutation(60)[:17] + 20, rng.choice(["SE", "NO", "IT", "JP", "CN"], 17)
        made.append((f"small table {number}", _people(tuple(ages), tuple(places)), 2 + number % 3))
    adult = load("adult", variant="migration")
    first = adult.frame.drop_duplicates(adult.quasi).index[:250]
    return [*made, ("250 rows of Adult", adult.take(adult.index.get_indexer(first)), 7)]
