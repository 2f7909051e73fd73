"""Exercises of notebook 47, how far methods are from the best possible."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from anonnb import optimum
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.tables.table import Table


def _ages(ages: Sequence[float]) -> Table:
    return Table(pd.DataFrame({"age": list(ages)}), quasi=["age"])


def _in_years(ages: Sequence[float]) -> float:
    """What turns a mean NCP into years, summed over the people."""
    return (max(ages) - min(ages)) * len(ages)


@exercise("47.1")
def prices_by_hand(numbers: Numbers) -> Exercise:
    ages, k = numbers.one_of([((30, 31, 33, 40), 2), ((20, 22, 23, 29, 41), 3), ((50, 54, 55, 61, 70), 3)])
    return Exercise(
        f"People are {', '.join(map(str, ages))} years old, and k = {k}. Which price, in years, does the bound from "
        "nearest rows give to each of them? Answer with a list.",
        hints=[
            f"each person needs {k - 1} other{'s' * (k > 2)} in the group; how wide is it at least?",
            f"the distance to the {'second ' * (k > 2)}nearest other person, on whichever side",
        ],
        worked=lambda: f"The prices are {', '.join(f'{price:g}' for price in _prices(ages, k))}.",
        expected=lambda: _prices(ages, k),
    )


def _prices(ages: Sequence[float], k: int) -> list[float]:
    bound = optimum.bound(_ages(ages), k, effort="nearest")
    return [round(float(price), 6) for price in bound.prices * _in_years(ages)]


@exercise("47.2")
def best_by_hand(numbers: Numbers) -> Exercise:
    ages = numbers.one_of([(20, 21, 22, 30, 31, 33, 34), (18, 20, 21, 25, 26, 40, 41), (30, 31, 35, 36, 37, 50, 52)])
    return Exercise(
        f"Seven people are {', '.join(map(str, ages))} years old. A group costs its width in years times its people. "
        "What does the best grouping into groups of at least k = 3 cost?",
        hints=[
            "with one column the best groups are neighbours in the order of age; how many groups can there be?",
            "two groups at most: the first three and the others, or the first four and the others",
        ],
        worked=lambda: _splits(ages),
        expected=lambda: round(optimum.best(_ages(ages), 3).value * _in_years(ages), 6),
    )


def _splits(ages: Sequence[int]) -> str:
    costs = {cut: cut * (ages[cut - 1] - ages[0]) + (7 - cut) * (ages[-1] - ages[cut]) for cut in (3, 4)}
    said = "; ".join(f"{cut} and {7 - cut} people cost {cost}" for cut, cost in costs.items())
    return f"{said}; all seven together cost {7 * (ages[-1] - ages[0])}. The best costs {min(costs.values())}."


@exercise("47.3")
def weak_bound(numbers: Numbers) -> Exercise:
    people, times = numbers.one_of([(6, 1.5), (6, 1.8), (9, 1.6)])
    return Exercise(
        f"A large gap need not be the method's fault. Give the ages of {people} people such that with k = 2 even the "
        f"best grouping costs at least {times:g} times the bound from nearest rows. Answer with a list.",
        hints=[
            "each person has somebody near, and yet they cannot all be in pairs",
            "think of three people in a row at equal distances, far from all others",
        ],
        worked=f"Threes: {three_by_three(people)}. Each person has a neighbour at one year, so the prices add up to "
        f"{people}. Three people in a row cannot be paired, so each three is two years wide: {2 * people} in all.",
        judge=lambda ages: _not_weak(ages, people, times),
    )


def three_by_three(people: int) -> list[int]:
    """One right answer of 47.3."""
    return [100 * (number // 3) + number % 3 for number in range(people)]


def _not_weak(ages: object, people: int, times: float) -> str:
    try:
        given = [float(age) for age in ages]
    except (TypeError, ValueError):
        return "the answer is a list of numbers, such as [20, 21]"
    if len(given) != people:
        return f"there are {len(given)} ages, and {people} are asked for"
    if len(set(given)) < 2:
        return "all ages are the same, so nothing is lost"
    bound = optimum.bound(_ages(given), 2, effort="nearest").value
    best = optimum.best(_ages(given), 2).value
    if bound <= 0:
        return "the bound is 0, so no number of times says anything; give everyone an age of their own"
    return "" if best >= times * bound - 1e-9 else f"the best grouping costs {best / bound:.2f} times the bound"
