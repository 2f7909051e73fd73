"""Exercises of notebook 46, benchmarks."""

from __future__ import annotations

import math

import numpy as np

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments import benchmarks


@exercise("46.1")
def exponent_by_hand(numbers: Numbers) -> Exercise:
    small, large, grown = numbers.one_of([(2, 32, 4), (3, 24, 4), (5, 40, 2), (2, 54, 9)])
    return Exercise(
        f"A job takes {small} seconds on a table and {large} seconds on a table with {grown} times as many rows. Which "
        "exponent b fits seconds = a · rows^b? And how many seconds do you expect for another table that is "
        f"{grown} times as large again? Answer with a list of two numbers.",
        hints=[
            f"the ratio of the times is {large // small}; it is a power of {grown}",
            "b is the logarithm of the ratio of the times over the logarithm of the ratio of the rows",
        ],
        worked=f"b = log({large}/{small}) / log({grown}) = {math.log(large / small, grown):.3f}. The same factor "
        f"again: {large} · {large // small} = {large * large // small} seconds.",
        expected=lambda: [benchmarks.exponent([1, grown], [small, large]), large * large / small],
    )


@exercise("46.2")
def different_combinations(numbers: Numbers) -> Exercise:
    values, rows = numbers.one_of([(1000, 1000), (500, 1000), (2000, 1000)])
    return Exercise(
        f"A table has {values} different rows, equally often. You draw {rows} rows with replacement, and then ten "
        "times as many. By which factor does the number of different rows in the sample grow? Use the expected numbers "
        "and give two digits or more.",
        hints=[
            f"a certain row is missing from a sample of n with probability (1 − 1/{values})^n",
            f"the expected number of different rows is {values} · (1 − (1 − 1/{values})^n); divide the two",
        ],
        worked=lambda: _different_worked(values, rows),
        judge=lambda answer: _not_the_factor(answer, values, rows),
    )


def different(values: int, rows: int) -> float:
    """The expected number of different rows in a sample."""
    return values * (1 - (1 - 1 / values) ** rows)


def _different_worked(values: int, rows: int) -> str:
    few, many = different(values, rows), different(values, 10 * rows)
    return (
        f"{few:.0f} different rows of {rows}, {many:.0f} of {10 * rows}: a factor of {many / few:.2f} for ten times as "
        f"many rows. A method whose time depends on different rows looks like rows^{math.log10(many / few):.2f} there."
    )


def _not_the_factor(answer: object, values: int, rows: int) -> str:
    try:
        given = float(answer)
    except (TypeError, ValueError):
        return "the answer is a number"
    right = different(values, 10 * rows) / different(values, rows)
    return "" if abs(given - right) <= 0.01 * right else f"{given:g} is not within a hundredth of the factor"


@exercise("46.3")
def mean_ratio(numbers: Numbers) -> Exercise:
    word = numbers.one_of(["Rules", "Measure", "Itemsets"])
    return Exercise(
        f"In `compared`, take the lines whose subject begins with {word!r}. A ratio of 10 and one of 1/10 should "
        "cancel out. What is the mean of their ratios in this sense?",
        hints=[
            "the arithmetic mean of 10 and 1/10 is about 5, so it is not the one; think of logarithms",
            "the exponential function of the mean of the logarithms: the geometric mean",
        ],
        worked=f'```python\nratios = compared.loc[compared["subject"].str.startswith({word!r}), "ratio"]\n'
        "float(np.exp(np.log(ratios).mean()))\n```",
        expected=lambda: _geometric(word),
    )


def _geometric(word: str) -> float:
    compared = benchmarks.comparisons(benchmarks.results())
    ratios = compared.loc[compared["subject"].str.startswith(word), "ratio"]
    return float(np.exp(np.log(ratios).mean()))
