"""Exercises of notebook 63, fuzzy rough sets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.roughsets import fuzzy
from anonnb.roughsets.fuzzy.connectives import IMPLICATORS, T_NORMS
from anonnb.tables.table import Table


def _people(ages: tuple[int, ...], ill: str) -> Table:
    classes = ["yes" if letter == "y" else "no" for letter in ill]
    return Table(pd.DataFrame({"age": list(ages), "ill": classes}), decision="ill")


@exercise("63.1")
def sure_by_hand(numbers: Numbers) -> Exercise:
    ages, ill = numbers.one_of([((20, 40, 50, 60), "nyny"), ((10, 20, 40, 50), "nnyy"), ((30, 40, 60, 70), "ynyy")])
    table = _people(ages, ill)
    words = ", ".join(f"{age} ({'ill' if letter == 'y' else 'well'})" for age, letter in zip(ages, ill, strict=True))
    return Exercise(
        f"Four people are {words} years old. Ages resemble each other by 1 − distance / range, and the implicator is "
        f"that of Kleene and Dienes. How far is the last person, who is {ages[-1]}, surely ill?",
        hints=[
            "only people who are well can make it less sure: for each of them take 1 − similarity",
            "the nearest person who is well decides; the range is the largest age minus the smallest",
        ],
        worked=lambda: (
            f"The range is {ages[-1] - ages[0]} years, and the nearest person who is well is "
            f"{ages[-1] - _nearest_well(ages, ill)} years younger: the degree is {_sure(table):g}."
        ),
        expected=lambda: _sure(table),
    )


def _nearest_well(ages: tuple[int, ...], ill: str) -> int:
    return max(age for age, letter in zip(ages, ill, strict=True) if letter == "n")


def _sure(table: Table) -> float:
    return float(fuzzy.approximate(table, "yes").lower[-1])


@exercise("63.2")
def joined(numbers: Numbers) -> Exercise:
    first, second = numbers.one_of([(0.9, 0.5), (0.8, 0.6), (0.7, 0.7), (0.6, 0.5)])
    return Exercise(
        f"Two people resemble each other by {first} in age and by {second} in weight. How much do they resemble each "
        "other in both, by the minimum, by the product and by the t-norm of Łukasiewicz? Answer with a list of three "
        "numbers.",
        hints=[
            "the t-norm of Łukasiewicz is max(a + b − 1, 0)",
            "the three numbers fall from left to right: no t-norm is above the minimum",
        ],
        worked=lambda: (
            f"min is {min(first, second)}, the product {first * second:.2f}, and {first} + {second} − 1 = "
            f"{first + second - 1:.1f}."
        ),
        expected=lambda: [
            round(float(T_NORMS[name](np.array(first), np.array(second))), 6)
            for name in ("minimum", "product", "lukasiewicz")
        ],
    )


@exercise("63.3")
def doubtful(numbers: Numbers) -> Exercise:
    near, member = numbers.one_of([(0.8, 0.5), (0.9, 0.6), (0.7, 0.4), (0.6, 0.2)])
    names = ("kleene_dienes", "lukasiewicz", "goedel")
    return Exercise(
        f"A row resembles x by {near} and belongs to a fuzzy set by {member}. How far does this row let x belong to "
        "the lower approximation, with the implicators of Kleene and Dienes, of Łukasiewicz and of Gödel? Answer with "
        "a list of three numbers.",
        hints=[
            "Kleene and Dienes: max(1 − a, b); Łukasiewicz: min(1 − a + b, 1)",
            "Gödel: 1 where a ≤ b, and b otherwise",
        ],
        worked=lambda: (
            f"max(1 − {near}, {member}), 1 − {near} + {member}, and {member}, since {near} is larger: "
            f"{', '.join(f'{_implied(name, near, member):g}' for name in names)}."
        ),
        expected=lambda: [_implied(name, near, member) for name in names],
    )


def _implied(name: str, near: float, member: float) -> float:
    return round(float(IMPLICATORS[name](np.array(near), np.array(member))), 6)


STARTER = '''
def lower_and_upper(near, member):
    """Lower and upper approximation of a fuzzy set, as two arrays.

    near: how much every two rows resemble each other, a square array of degrees. member: the degree to which each row
    belongs to the set. Use the implicator of Kleene and Dienes, max(1 - a, b), and the t-norm minimum.
    """
    raise NotImplementedError
'''
WORKED = """```python
def lower_and_upper(near, member):
    near, member = np.asarray(near), np.asarray(member)
    implied = np.maximum(1 - near, member[None, :])
    both = np.minimum(near, member[None, :])
    return implied.min(axis=1), both.max(axis=1)
```"""


@exercise("63.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `lower_and_upper`, the definition itself. The check compares it with ours on "
        "twenty fuzzy sets over tables of chance.",
        hints=[
            "row x of the result looks at row x of near and at member, element by element",
            "the lower approximation is the smallest implication of a row, the upper the largest conjunction",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your approximations equal ours for all twenty fuzzy sets.",
        starter=STARTER,
    )


def _differs(lower_and_upper: object) -> str:
    if not callable(lower_and_upper):
        return "the answer is the function lower_and_upper"
    rng = np.random.default_rng(0)
    for number in range(20):
        table = Table(pd.DataFrame(rng.integers(0, 9, (6, 2)), columns=["x", "y"]))
        member = rng.random(6).round(2)
        ours = fuzzy.approximate(table, membership=member)
        theirs = lower_and_upper(fuzzy.similarity(table), member)
        for name, right, answer in zip(("lower", "upper"), (ours.lower, ours.upper), theirs, strict=True):
            if not np.allclose(right, np.asarray(answer, dtype=float)):
                return f"the {name} approximation of fuzzy set {number + 1} differs from ours"
    return ""
