"""Exercises of notebook 45, the arena."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb import privacy
from anonnb.arena.standings import unbeaten
from anonnb.attacks.linkage import LinkageAttack
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments import rivals
from anonnb.experiments.results import stored
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Points = dict[str, tuple[int, int]]


@exercise("45.1")
def excess_by_hand(numbers: Numbers) -> Exercise:
    right, control, guess = numbers.one_of([(30, 20, 24), (36, 30, 35), (28, 10, 20), (33, 25, 30)])
    return Exercise(
        f"40 people are published and 40 others are the control. An attack is right about {right} of the first and "
        f"about {control} of the second. A guess without the release is right about {guess} of the 40 published ones. "
        "What are the excess and the advantage of the attack? Answer with a list of two numbers.",
        hints=[
            "both divide what is gained by what was left to gain; they differ in what they gain over",
            f"the excess: of the 40 people {40 - control} were left over the control; the advantage asks the same "
            "of the guess",
        ],
        worked=f"Excess: ({right} − {control}) / (40 − {control}) = {_gain(right, control):.4f}. Advantage: ({right} − "
        f"{guess}) / (40 − {guess}) = {_gain(right, guess):.4f}.",
        expected=lambda: [_gain(right, control), _gain(right, guess)],
    )


def _gain(right: int, without: int) -> float:
    return (right - without) / (40 - without)


@exercise("45.2")
def front_by_hand(numbers: Numbers) -> Exercise:
    points: Points = numbers.one_of(
        [
            {"A": (0, 90), "B": (10, 40), "C": (12, 40), "D": (30, 12), "E": (35, 9), "F": (40, 12), "G": (90, 0)},
            {"A": (0, 80), "B": (8, 80), "C": (15, 35), "D": (20, 30), "E": (20, 33), "F": (60, 5), "G": (70, 6)},
            {"A": (5, 60), "B": (9, 55), "C": (9, 50), "D": (25, 50), "E": (40, 20), "F": (50, 22), "G": (80, 1)},
        ]
    )
    said = "; ".join(f"{name}: {loss} and {risk}" for name, (loss, risk) in points.items())
    return Exercise(
        f"Seven releases with their loss and their risk, both in percent: {said}. Which of them are on the Pareto "
        "front? Answer with a list of letters in alphabetical order.",
        hints=[
            "go from the smallest loss to the largest and keep in mind the least risk so far",
            "a release that ties in one figure and is worse in the other is beaten, too",
        ],
        worked=lambda: _fronted(points),
        expected=lambda: _front(points),
    )


def _front(points: Points) -> list[str]:
    kept = unbeaten(np.array(list(points.values())))
    return [name for name, stays in zip(points, kept, strict=True) if stays]


def _fronted(points: Points) -> str:
    front, lines = _front(points), []
    for name, (loss, risk) in points.items():
        if name not in front:
            better = next(one for one in front if points[one][0] <= loss and points[one][1] <= risk)
            lines.append(f"{name} is beaten by {better}")
    return f"{', '.join(lines)}. The front is {', '.join(front)}."


@exercise("45.3")
def below_without_protection(numbers: Numbers) -> Exercise:
    people, k = numbers.one_of([(20, 5), (18, 4), (30, 6)])
    return Exercise(
        f"Give the ages of {people} people such that publishing them unchanged lets linkage find at most one person in "
        f"{k}, although somebody's age is theirs alone. Answer with a list of {people} whole numbers.",
        hints=[
            "linkage finds one person of each class, so count the different ages",
            f"at most {people // k} different ages are allowed, and one of them may belong to one person",
        ],
        worked=f"One person of 20 and {people - 1} people of 30: two classes, so linkage finds 2 of {people}, "
        f"which is below 1/{k}. The person of 20 is found for certain: a mean over all people does not see them, and "
        "the k that is reached, 1, does.",
        judge=lambda ages: _not_hidden(ages, people, k),
    )


def _not_hidden(ages: object, people: int, k: int) -> str:
    try:
        found = [int(age) for age in ages]
    except (TypeError, ValueError):
        return "the answer is a list of whole numbers, such as [20, 30]"
    if len(found) != people:
        return f"there are {len(found)} ages, and {people} are asked for"
    table = Table(pd.DataFrame({"age": found}), quasi=["age"])
    release = Release.of(table)
    if privacy.k(release) > 1:
        return "nobody is alone with their age"
    share = LinkageAttack().run(release, table).success
    return f"linkage finds {share:.1%} of the people, more than 1/{k}" if share > 1 / k + 1e-9 else ""


@exercise("45.4")
def surely_beaten(numbers: Numbers) -> Exercise:
    table = numbers.one_of(["adult", "iris", "hayes-roth"])
    return Exercise(
        f"Means are uncertain. Call a method on `{table}` surely beaten if another method's intervals lie below its "
        "own in both figures: the upper ends of the other's risk and loss are below the lower ends of this one's. How "
        "many lines of `points` for this table, the original included, are not surely beaten?",
        hints=[
            "compare the columns `risk high` and `loss high` of every line with `risk low` and `loss low` of this one",
            "one loop over the lines and a comparison with the whole frame is enough; the front of the means is a part "
            "of what remains",
        ],
        worked=f'```python\npart = points[points["table"] == {table!r}]\n'
        'sum(\n    not ((part["risk high"] < line["risk low"]) & (part["loss high"] < line["loss low"])).any()\n'
        "    for _, line in part.iterrows()\n)\n```",
        expected=lambda: _not_surely_beaten(table),
    )


def _not_surely_beaten(table: str) -> int:
    points = rivals.risk_and_loss(stored("rivals", "standings"))
    part = points[points["table"] == table]
    highs, lows = (part[[f"risk {end}", f"loss {end}"]].to_numpy() for end in ("high", "low"))
    return sum(not (highs < low).all(axis=1).any() for low in lows)


def hidden_ages(people: int) -> Sequence[int]:
    """One right answer of 45.3."""
    return [20, *[30] * (people - 1)]
