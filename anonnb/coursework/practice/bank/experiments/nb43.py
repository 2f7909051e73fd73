"""Exercises of notebook 43, the experiment of the TPP paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments.verdicts import Sentence


@exercise("43.1")
def classes_and_leaves(numbers: Numbers) -> Exercise:
    married, single = numbers.one_of([((310, 240), (410, 15)), ((520, 130), (35, 290)), ((260, 190), (8, 330))])
    return Exercise(
        f"A tree first asks for the marital status; only married people are asked for the degree. Among the married "
        f"{married[0]} have none and {married[1]} have one, among the others {single[0]} have none and {single[1]} "
        "have one. TPP publishes a table that keeps this tree of three leaves. How many classes does it have, what is "
        "K, and how many rows has the smallest leaf? Answer with a list of three numbers.",
        hints=[
            "every row shows both attributes, also rows that the tree does not ask for the second",
            "classes are combinations of blocks: two of the status times two of the degree; leaves are unions of them",
        ],
        worked=f"Both attributes have two blocks, so there are 2 · 2 = 4 classes, one more than leaves. K is the "
        f"smallest of {married[0]}, {married[1]}, {single[0]} and {single[1]}: {min(*married, *single)}. The leaves "
        f"have {married[0]}, {married[1]} and {single[0]} + {single[1]} = {sum(single)} rows; the smallest has "
        f"{min(*married, sum(single))}.",
        expected=lambda: [4, min(*married, *single), min(*married, sum(single))],
    )


@exercise("43.2")
def falling_k(numbers: Numbers) -> Exercise:
    reached = numbers.one_of([(900, 300, 40, 40, 1, 1), (700, 700, 90, 12, 12, 12), (800, 400, 90, 30, 4, 4)])
    shown = ", ".join(map(str, reached))
    return Exercise(
        f"K for 2, 3, 4, 5, 6 and 8 leaves is {shown}. A paper says: “K decreases as the tree becomes larger.” Count "
        "strictly, from each size to the next. Which verdict does the sentence get? Answer with the word or the words.",
        hints=[
            "six sizes make five comparisons; equal figures do not decrease",
            "all: exact; nine in ten: close; more than half: same shape; else: differs",
        ],
        worked=lambda: _counted(reached),
        expected=lambda: _said(reached).verdict,
    )


def _said(reached: Sequence[int]) -> Sentence:
    return Sentence("", "K decreases.", [later < earlier for earlier, later in pairwise(reached)])


def _counted(reached: Sequence[int]) -> str:
    said = _said(reached)
    return f"K falls in {said.held} steps and stays in the others. The verdict is: {said.verdict}."


@exercise("43.3")
def worse_than_the_mean(numbers: Numbers) -> Exercise:
    training, testing = numbers.one_of([((2, 4, 9), (1, 3, 5)), ((6, 8, 10), (3, 5, 10)), ((1, 2, 3), (2, 4, 9))])
    return Exercise(
        f"A tree of one leaf predicts the mean of its training rows. They have the responses "
        f"{', '.join(map(str, training))}; the test rows have {', '.join(map(str, testing))}. What is R² on the test "
        "rows, 1 − Σ(y − prediction)² / Σ(y − mean of the test rows)²? And can it be above 0 for any other responses? "
        'Answer with a list: the number, then "yes" or "no".',
        hints=[
            "the prediction is one number; which number makes Σ(y − number)² smallest?",
            "the mean of the test rows does, and it stands in the denominator",
        ],
        worked=lambda: _worked_mean(training, testing),
        expected=lambda: [_r_squared(training, testing), "no"],
    )


def _r_squared(training: Sequence[float], testing: Sequence[float]) -> float:
    guess, mean = sum(training) / len(training), sum(testing) / len(testing)
    return 1 - sum((y - guess) ** 2 for y in testing) / sum((y - mean) ** 2 for y in testing)


def _worked_mean(training: Sequence[float], testing: Sequence[float]) -> str:
    guess, mean = sum(training) / len(training), sum(testing) / len(testing)
    return (
        f"The prediction is {guess:g}, the test mean {mean:g}: R² = {_r_squared(training, testing):.4f}. No "
        "constant has a smaller sum of squares than the mean of the test rows itself, so R² of one leaf is at most 0. "
        "That is why R² of small trees on new rows can be negative: the mean of the training rows misses."
    )
