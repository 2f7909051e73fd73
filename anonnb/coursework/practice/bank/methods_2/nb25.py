"""Exercises of notebook 25, perturbation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.perturbation.pram import solved_counts
from anonnb.methods.perturbation.rank_swapping import partners as our_partners
from anonnb.tables.datasets import load

MOVED = 0.3  # of all values, at least


@exercise("25.1")
def estimate(numbers: Numbers) -> Exercise:
    yes, no, seen = numbers.one_of([(0.7, 0.9, 30), (0.8, 0.9, 38), (0.9, 0.7, 42), (0.6, 0.9, 25)])
    return Exercise(
        f"A matrix keeps *yes* with probability {yes} and *no* with probability {no}. {seen} of 100 published answers "
        "say *yes*. How many people do you estimate to have said *yes*?",
        hints=[
            "of y people who said yes and 100 − y who did not, how many published answers say yes on average?",
            f"{seen} = {yes} y + {1 - no:.1f} (100 − y)",
        ],
        worked=f"{seen} = {yes} y + {1 - no:.1f} (100 − y), so y = ({seen} − {100 * (1 - no):.0f}) / "
        f"{yes + no - 1:.1f} = {(seen - 100 * (1 - no)) / (yes + no - 1):.2f}.",
        expected=lambda: float(solved_counts([100 - seen, seen], [[no, 1 - no], [1 - yes, yes]])[1]),
    )


@exercise("25.2")
def posterior(numbers: Numbers) -> Exercise:
    share, yes, no, times = numbers.one_of(
        [(0.1, 0.8, 0.9, 2), (0.2, 0.7, 0.8, 3), (0.05, 0.9, 0.9, 2), (0.1, 0.7, 0.9, 2)]
    )
    factor = yes / (1 - no)
    return Exercise(
        f"A share of {share} of all people are ill. PRAM keeps *ill* with probability {yes} and *healthy* with "
        f"probability {no}. The table is published {times} times, drawn anew each time, and somebody's cell says *ill* "
        "every time. With which probability is this person ill?",
        hints=[
            "each published ill multiplies the odds of ill against healthy by the same factor (Proposition 25.4)",
            "begin with the odds of the population, multiply, and turn odds o into a probability o/(1 + o)",
        ],
        worked=f"The odds begin at {share}/{1 - share:g}. Each published *ill* multiplies them by {yes}/{1 - no:.1f} = "
        f"{factor:g}, {times} times: {share / (1 - share) * factor**times:.3f}. As a probability this is "
        f"{_probability(share, factor, times):.3f}; after one release it is {_probability(share, factor, 1):.3f}.",
        expected=lambda: _probability(share, factor, times),
    )


def _probability(share: float, factor: float, times: int) -> float:
    odds = share / (1 - share) * factor**times
    return odds / (1 + odds)


@exercise("25.3")
def weakened(numbers: Numbers) -> Exercise:
    seen, amount = numbers.one_of([(0.64, 0.5), (0.5, 0.7), (0.48, 1.0), (0.7, 0.3)])
    return Exercise(
        f"Two columns were published with independent noise of {amount} standard deviations each, which the publisher "
        f"says. Their published correlation is {seen}. What do you estimate the true correlation to be?",
        hints=[
            "noise leaves the covariance as it is, in expectation; what happens to the two variances?",
            "a correlation is the covariance by the root of both variances, which have grown by the same factor",
        ],
        worked=f"Each variance grew by 1 + {amount}² = {1 + amount**2:g}, the covariance did not. So the correlation "
        f"shrank by that factor, and the true one is about {seen} · {1 + amount**2:g} = {seen * (1 + amount**2):.3f}.",
        expected=lambda: seen * (1 + amount**2),
    )


@exercise("25.4")
def invariant(numbers: Numbers) -> Exercise:
    counts = numbers.one_of([(60, 30, 10), (50, 40, 10), (40, 40, 20), (45, 40, 15)])
    first, middle, last = counts
    example = [
        [1 - MOVED, MOVED, 0.0],
        [MOVED * first / middle, 1 - MOVED * (first + last) / middle, MOVED * last / middle],
        [0.0, MOVED, 1 - MOVED],
    ]
    return Exercise(
        f"Three values have the counts {first}, {middle} and {last}. Find a matrix for PRAM, as a list of three rows, "
        "that is invariant for these counts, never turns the first value into the third or the third into the first, "
        f"and changes each value with a probability of at least {MOVED}.",
        hints=[
            "think of people who move: as many must leave a value as arrive, on average",
            "let as many move from the first value to the second as back; that fixes two probabilities by each other; "
            "the same for the second and the third",
        ],
        worked=f"Let {MOVED * first:g} people move from the first value to the second and as many back, and "
        f"{MOVED * last:g} from the third to the second and as many back: "
        f"{[[round(share, 4) for share in row] for row in example]}. Every value loses as many as it gains.",
        judge=lambda matrix: _not_invariant(matrix, np.array(counts, dtype=float)),
    )


def _not_invariant(matrix: object, counts: np.ndarray) -> str:
    try:
        given = np.array(matrix, dtype=float)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.shape != (3, 3):
        return "the answer is a list of three rows of three numbers"
    if (given < 0).any() or not np.allclose(given.sum(axis=1), 1, atol=1e-3):
        return "every row must sum to 1, without negative numbers"
    if given[0, 2] > 1e-9 or given[2, 0] > 1e-9:
        return "the first value can become the third, or the third the first"
    if (given.diagonal() > 1 - MOVED + 1e-3).any():
        return f"some value stays with a probability above {1 - MOVED:g}"
    after = given.T @ counts
    told = ", ".join(f"{count:.1f}" for count in after)
    return "" if np.allclose(after, counts, atol=0.1) else f"the expected counts become {told}"


STARTER = '''
def partners(rows, reach, chance):
    """For every rank the rank that it exchanges with; a rank without a partner is its own. A list of whole numbers.

    rows: how many ranks there are, 0, 1, …, rows - 1. chance: a number from 0 to 1 (without 1) for each rank.
    From the first rank on: a rank without a partner looks at the free ranks among the next `reach` ones, in their
    order; of n free ones it takes that at place int(chance[rank] * n).
    """
    raise NotImplementedError
'''
WORKED = """```python
def partners(rows, reach, chance):
    found = [None] * rows
    for rank in range(rows):
        if found[rank] is not None:
            continue
        free = [other for other in range(rank + 1, min(rank + 1 + reach, rows)) if found[other] is None]
        other = free[int(chance[rank] * len(free))] if free else rank
        found[rank], found[other] = other, rank
    return found
```"""


@exercise("25.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `partners`, the core of rank swapping. The check puts it in place of ours, on "
        "ten small cases and on the 1,080 incomes of Census, with the same chances.",
        hints=[
            "keep a list with None for ranks without a partner, and go through the ranks once",
            "when a rank takes a partner, both of them have one; a rank with nobody free is its own partner",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your partners in place of ours, the same values trade places in all eleven cases.",
        starter=STARTER,
    )


class _Chances:
    """Stands for a generator of random numbers, with the numbers that the reader's function gets."""

    def __init__(self, numbers: np.ndarray):
        self._numbers = numbers

    def random(self, size: int) -> np.ndarray:
        return self._numbers[:size]


def _differs(partners: Callable[[int, int, np.ndarray], list[int]]) -> str:
    if not callable(partners):
        return "the answer is the function partners"
    incomes = np.sort(load("census").frame["AGI"].to_numpy())
    cases = [(np.arange(rows), 1 + rows % 4) for rows in range(1, 11)] + [(incomes, 108)]
    for values, reach in cases:
        chance = np.random.default_rng(len(values)).random(len(values))
        ours = our_partners(len(values), reach, _Chances(chance))
        theirs = np.asarray(partners(len(values), reach, chance.copy()))
        if theirs.shape != ours.shape or theirs.dtype.kind not in "iu":
            return f"with {len(values)} rows it must give {len(values)} whole numbers"
        if (values[theirs] != values[ours]).any():
            return f"with {len(values)} rows and a reach of {reach} other values trade places than with ours"
    return ""
