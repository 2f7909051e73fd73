"""Exercises of notebook 26, differential privacy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping

import numpy as np

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.private.marginals import Edge, misfit, one_way, spanning_tree
from anonnb.tables.datasets import load


@exercise("26.1")
def randomized_response(numbers: Numbers) -> Exercise:
    factor, said = numbers.one_of([(3, 40), (4, 35), (3, 30), (9, 26)])
    p = factor / (1 + factor)
    share = (said / 100 - (1 - p)) / (2 * p - 1)
    return Exercise(
        f"In randomized response with ε = ln {factor}, {said} % of all people say yes. Which share of the people, from "
        "0 to 1, do you estimate should have said yes?",
        hints=[
            "everybody is honest with probability p = e^ε/(1 + e^ε); what is e^ε here?",
            "yes is said by p of those who should and by 1 − p of the others; solve for their share",
        ],
        worked=f"p = {factor}/{1 + factor} = {p:g}. If a share x should say yes, p x + (1 − p)(1 − x) do: "
        f"{said / 100:g} = {1 - p:g} + {2 * p - 1:g} x, so x = {share:.3f}.",
        expected=lambda: share,
    )


@exercise("26.2")
def deviation(numbers: Numbers) -> Exercise:
    tables, rho = numbers.one_of([(8, 0.01), (6, 0.03), (5, 0.1), (12, 0.02)])
    return Exercise(
        f"The counts of {tables} columns are published with Gaussian noise, all together for ρ = {rho}. A row is "
        "counted once in each column. Which standard deviation does the noise need?",
        hints=[
            f"a row that comes or goes changes {tables} counts by 1 each: how far is that in Euclid's distance?",
            "ρ = Δ²/(2σ²), with that distance for Δ; solve for σ",
        ],
        worked=f"Δ² = {tables}, so σ = √({tables}/(2 · {rho})) = {math.sqrt(tables / (2 * rho)):.2f}.",
        expected=lambda: math.sqrt(tables / (2 * rho)),
    )


@exercise("26.3")
def advantage(numbers: Numbers) -> Exercise:
    answers, factor = numbers.one_of([(2, 2), (3, 2), (2, 3), (4, 2)])
    whole = factor**answers
    return Exercise(
        f"A hospital publishes {answers} noisy counts, each with ε = ln {factor} and δ = 0. An attacker uses all of "
        "them to tell whether you are a patient. By how much can the share of true positives exceed that of false "
        "positives at most?",
        hints=[
            "first find the ε of all counts together; logarithms add up, so what they are logarithms of multiply",
            "Proposition 26.7 needs e^ε of the whole, not ε",
        ],
        worked=f"Together ε = {answers} ln {factor} = ln {whole}, so e^ε = {whole}. At most ({whole} − 1)/({whole} "
        f"+ 1) = {(whole - 1) / (whole + 1):.3f}. One count alone allows {(factor - 1) / (factor + 1):.3f}.",
        expected=lambda: (whole - 1) / (whole + 1),
    )


@exercise("26.4")
def uniform_noise(numbers: Numbers) -> Exercise:
    count, reach = numbers.one_of([(100, 3), (250, 5), (40, 10), (75, 4)])
    return Exercise(
        f"Somebody adds uniform noise instead: a whole number from −{reach} to {reach}, each equally likely. {count} "
        "patients smoke, not counting you. Name a published count that proves that you are a patient who smokes.",
        hints=[
            "which published counts are possible without you, and which with you",
            "a count that can come from one of two neighbouring tables only has an infinite ratio: no ε allows that",
        ],
        worked=f"Without you the published count is at most {count} + {reach} = {count + reach}; with you it can be "
        f"{count + reach + 1}. Noise must reach everywhere, or there is no ε at all.",
        expected=lambda: count + 1 + reach,
    )


STARTER = '''
def tree(columns, score):
    """The edges of a tree over the columns 0, 1, …, columns - 1: a list of pairs (a, b) with a < b.

    score: for each pair (a, b) with a < b a number, in a dict. In each round take, of all pairs that join two parts
    of the tree, the one with the highest score (ties: the first pair in the order (0, 1), (0, 2), …, (1, 2), …).
    """
    raise NotImplementedError
'''
WORKED = """```python
def tree(columns, score):
    part = list(range(columns))
    edges = []
    while len(edges) < columns - 1:
        joining = [pair for pair in sorted(score) if part[pair[0]] != part[pair[1]]]
        best = max(joining, key=lambda pair: score[pair])
        edges.append(best)
        kept, gone = part[best[0]], part[best[1]]
        part = [kept if each == gone else each for each in part]
    return edges
```"""


@exercise("26.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `tree`, which chooses the pairs of columns that PrivateMarginals counts, here "
        "without noise. The check compares it with ours on random scores and on six columns of Adult.",
        hints=[
            "give each column the number of its part; a pair joins two parts if the numbers differ",
            "after a pair is taken, all columns of one part get the number of the other",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Without noise our method would count the same pairs, in the same order, in all eight cases.",
        starter=STARTER,
    )


def _differs(tree: Callable[[int, Mapping[Edge, float]], list[Edge]]) -> str:
    if not callable(tree):
        return "the answer is the function tree"
    for name, columns, score in _cases():
        theirs = [tuple(map(int, edge)) for edge in tree(columns, dict(score))]
        ours = spanning_tree(columns, _highest, lambda _, edge, score=score: score[edge])
        if len(theirs) != len(ours):
            return f"of {name} it gives {len(theirs)} pairs, and a tree over {columns} columns has {len(ours)}"
        if theirs != ours:
            place = next(place for place, (mine, our) in enumerate(zip(theirs, ours, strict=True), 1) if mine != our)
            return f"of {name} pair {place} is another than ours"
    return ""


def _highest(scores: Callable[[np.ndarray | None], np.ndarray]) -> int:
    """The choice without noise."""
    return int(np.argmax(scores(None)))


def _cases() -> list[tuple[str, int, dict[Edge, float]]]:
    rng, made = np.random.default_rng(0), []
    for number in range(7):
        columns = 3 + number % 5
        pairs = itertools.combinations(range(columns), 2)
        made.append((f"random scores {number}", columns, {pair: int(rng.integers(0, 12)) for pair in pairs}))
    table = load("adult").take(np.arange(2_000))
    names = ["sex", "race", "marital-status", "education", "occupation", "income"]
    rows, sizes = (
        np.column_stack([table.codes(name) for name in names]),
        [table.attributes[name].size for name in names],
    )
    margins = np.split(one_way(rows, sizes).astype(float), np.cumsum(sizes)[:-1])
    score = misfit(margins, len(table), 1)
    scores = {pair: score(rows, pair) for pair in itertools.combinations(range(len(names)), 2)}
    return [*made, ("six columns of Adult", len(names), scores)]
