"""Exercises of notebook 41, the experiment of the tuple-migration paper."""

from __future__ import annotations

from collections.abc import Sequence

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments.verdicts import Sentence


@exercise("41.1")
def measures_by_hand(numbers: Numbers) -> Exercise:
    rules, after, kept, rows, groups, k = numbers.one_of(
        [(40, 43, 34, 600, 40, 10), (50, 48, 35, 480, 30, 8), (80, 92, 68, 900, 60, 5)]
    )
    return Exercise(
        f"A table has {rules} significant rules. Its release has {after}, of which {kept} are among the {rules}. Its "
        f"{rows} rows stand in {groups} groups; k = {k}. Give LRP, NRP and CAVG as a list of three numbers.",
        hints=[
            "lost are the rules of the table that the release has no more; new are those of the release that the "
            "table did not have",
            f"both are divided by {rules}, the number of the table's rules; CAVG is the mean group size over k",
        ],
        worked=f"LRP = ({rules} − {kept}) / {rules} = {(rules - kept) / rules:g}, NRP = ({after} − {kept}) / {rules} = "
        f"{(after - kept) / rules:g}, CAVG = {rows} / {groups} / {k} = {rows / groups / k:g}.",
        expected=lambda: [(rules - kept) / rules, (after - kept) / rules, rows / groups / k],
    )


@exercise("41.2")
def sentence_by_hand(numbers: Numbers) -> Exercise:
    first, second, third = numbers.one_of(
        [
            ((4.1, 3.9, 3.6, 3.0, 2.2), (3.2, 3.1, 3.7, 2.4, 2.0), (1.0, 1.2, 1.5, 1.9, 2.5)),
            ((2.6, 2.4, 2.2, 2.0, 1.7), (2.9, 2.1, 2.3, 1.5, 1.8), (0.8, 1.1, 1.3, 1.6, 1.5)),
            ((5.0, 4.4, 3.1, 2.5, 2.1), (4.6, 4.1, 3.3, 2.7, 2.4), (1.1, 1.6, 2.0, 2.4, 2.3)),
        ]
    )
    shown = "; ".join(
        f"{name}: {', '.join(f'{value:.1f}' for value in times)}"
        for name, times in zip("ABC", (first, second, third), strict=True)
    )
    return Exercise(
        f"Seconds of three methods at k = 5, 10, 15, 20, 25. {shown}. A paper says: “A always takes the longest.” "
        "Which verdict does Definition 41.4 give? Answer with the word or the words.",
        hints=[
            "the sentence makes five comparisons, one at each k: is A above both others?",
            "count the k at which it holds; more than half is needed for the same shape, nine in ten for close",
        ],
        worked=lambda: _counted(first, second, third),
        expected=lambda: Sentence("", "A takes the longest.", _longest(first, second, third)).verdict,
    )


def _longest(first: Sequence[float], *others: Sequence[float]) -> list[bool]:
    return [own > max(rest) for own, *rest in zip(first, *others, strict=True)]


def _counted(first: Sequence[float], *others: Sequence[float]) -> str:
    said = Sentence("", "A takes the longest.", _longest(first, *others))
    at = [str(5 * (place + 1)) for place, held in enumerate(said.ours) if held]
    return f"A is above both others at k = {', '.join(at)}: {said.held}. The verdict is: {said.verdict}."


@exercise("41.3")
def high_average(numbers: Numbers) -> Exercise:
    rows, k, goal = numbers.one_of([(60, 5, 3), (48, 4, 3), (72, 6, 3)])
    return Exercise(
        f"One average does not describe a release. Give the sizes of the groups of two {k}-anonymous releases of "
        f"{rows} rows as a list of two lists. The first has a CAVG of at least {goal}, the second below {goal}. Yet "
        f"in the first more people stand in groups of exactly {k}, the smallest that are allowed, than in the second.",
        hints=[
            f"CAVG depends on the number of groups only: at least {goal} means at most {rows // (k * goal)} groups",
            f"put many rows into one large group and leave the others at exactly {k}; let the second release have "
            f"more groups, none of them with exactly {k} rows",
        ],
        worked=lambda: _worked_sizes(rows, k, goal),
        judge=lambda answer: _not_refuted(answer, rows, k, goal),
    )


def refuting_sizes(rows: int, k: int, goal: int) -> list[list[int]]:
    """One right answer: few groups, all but one as small as allowed; and more groups, all a little larger."""
    few = rows // (k * goal)
    many = few + 1
    even = [rows // many + (place < rows % many) for place in range(many)]
    return [[k] * (few - 1) + [rows - k * (few - 1)], even]


def _worked_sizes(rows: int, k: int, goal: int) -> str:
    first, second = refuting_sizes(rows, k, goal)
    values = [rows / len(sizes) / k for sizes in (first, second)]
    return (
        f"{first} has a CAVG of {values[0]:g}, and {first.count(k) * k} of {rows} people stand in a group of {k}. "
        f"{second} has a CAVG of {values[1]:.2f}, and nobody does. The average says only how many groups there are."
    )


def _not_refuted(answer: object, rows: int, k: int, goal: int) -> str:
    try:
        first, second = ([int(size) for size in sizes] for sizes in answer)
    except (TypeError, ValueError):
        return "the answer is a list of two lists of sizes"
    for name, sizes in (("first", first), ("second", second)):
        if sum(sizes) != rows or min(sizes, default=0) < k:
            return f"the groups of the {name} release must hold {rows} rows together, and at least {k} each"
    averages = [rows / len(sizes) / k for sizes in (first, second)]
    if not averages[0] >= goal > averages[1]:
        return f"the CAVGs are {averages[0]:.2f} and {averages[1]:.2f}; the first must reach {goal}, the second not"
    if first.count(k) <= second.count(k):
        return f"in the first release no more people stand in groups of exactly {k} than in the second"
    return ""
