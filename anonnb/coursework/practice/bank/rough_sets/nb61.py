"""Exercises of notebook 61, variable precision and missing values."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.roughsets import variable_precision
from anonnb.roughsets.approximations import approximate
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

CARS = pd.DataFrame(
    [
        ("high", "low", "full", "low", "good"),
        ("low", None, "full", "low", "good"),
        (None, None, "compact", "low", "poor"),
        ("high", None, "full", "high", "good"),
        (None, None, "full", "high", "excellent"),
        ("low", "high", "full", None, "good"),
    ],
    columns=["price", "mileage", "size", "max speed", "car"],
    index=range(1, 7),
)


def _cars() -> Table:
    return Table(CARS, decision="car")


@exercise("61.1")
def share_by_hand(numbers: Numbers) -> Exercise:
    ill, well, beta = numbers.one_of([(7, 2, 0.75), (5, 2, 0.75), (9, 1, 0.85), (6, 3, 0.7)])
    frame = pd.DataFrame({"cough": ["yes"] * (ill + well), "flu": ["yes"] * ill + ["no"] * well})
    return Exercise(
        f"A granule has {ill} patients with the flu and {well} without. Is it in the β-lower approximation of the flu "
        f"for β = {beta:g}? Answer with True or False.",
        hints=["compare the share of the flu in the granule with β", "the share is the ill ones by all of the granule"],
        worked=f"The share is {ill}/{ill + well} = {ill / (ill + well):.3f}, and β = {beta:g}.",
        expected=lambda: len(variable_precision.approximate(Table(frame, decision="flu"), "yes", beta=beta).lower) > 0,
    )


@exercise("61.2")
def related_cars(numbers: Numbers) -> Exercise:
    car = numbers.one_of([5, 6, 2, 4])
    return Exercise(
        f"Which cars of Kryszkiewicz's table are related to car {car} by tolerance? Give their numbers as a list.",
        hints=[
            "only attributes that are known of both cars can tell them apart",
            f"write down what is known of car {car}, and strike out every car that differs in one of these",
        ],
        worked=lambda: f"Cars {', '.join(map(str, sorted(_tolerated(car))))}: nothing known of both differs.",
        expected=lambda: _tolerated(car),
    )


def _tolerated(car: int) -> set[int]:
    found = approximate(_cars(), rows=[car - 1], relation="tolerance").upper
    return {int(number) for number in CARS.index[found]}


@exercise("61.3")
def surer(numbers: Numbers) -> Exercise:
    car = numbers.one_of([4, 6])
    return Exercise(
        f"Car {car} is in the lower approximation of *good* by similarity but not by tolerance. Which car is related "
        "to it by tolerance only, and spoils it? Give its number.",
        hints=[
            "the car that spoils it is not good",
            "by similarity, everything known of the one must hold for the other: a star of the other does not count",
        ],
        worked=lambda: (
            f"Car {_spoiler(car)}: it may be the same, but not all that is known of car {car} is known of it."
        ),
        expected=lambda: _spoiler(car),
    )


def _spoiler(car: int) -> int:
    return min(each for each in _tolerated(car) if CARS.loc[each, "car"] != "good")


STARTER = '''
def beta_lower(frame, names, decision, value, beta):
    """The positions of the rows whose granule has a share of at least beta of a class.

    frame: a DataFrame with the index 0, 1, 2, …; names: the columns that are known; decision, value: the class.
    """
    raise NotImplementedError
'''
WORKED = """```python
def beta_lower(frame, names, decision, value, beta):
    belongs = frame[decision] == value
    keys = [frame[name] for name in names]
    share = belongs.groupby(keys).transform("mean")
    kept = share >= beta - 1e-9
    return list(frame.index[kept])
```"""


@exercise("61.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "Write the β-lower approximation, and compare it with the package's on `hayes-roth` for several β.",
        hints=[
            "group the flags 'has this class' by the values of the names and take the mean of each group",
            "`series.groupby(keys).transform('mean')` gives every row the share of its granule",
        ],
        worked=WORKED,
        judge=_judged,
        confirmed="It agrees with variable_precision.approximate for three β and two sets of attributes.",
        starter=STARTER,
    )


def _judged(function: Callable) -> str:
    if not callable(function):
        return "the answer is a function"
    table = load("hayes-roth")
    frame = table.frame.reset_index(drop=True)
    for names in (["age", "marital_status"], table.conditions):
        for beta in (0.6, 0.8, 1.0):
            expected = variable_precision.approximate(table, 1, names, beta=beta).lower.tolist()
            found = function(frame, names, "class", 1, beta)
            if found is None or sorted(int(row) for row in found) != expected:
                return f"with {', '.join(names)} and beta = {beta:g} other rows come out; {len(expected)} are right"
    return ""
