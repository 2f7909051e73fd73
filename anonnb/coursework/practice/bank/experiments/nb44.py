"""Exercises of notebook 44, the experiment of the SCIKD paper."""

from __future__ import annotations

import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments.verdicts import COUNTS, verdict
from anonnb.methods.chase_protection.chase_protection import search_object
from anonnb.rules import implies
from anonnb.tables.incomplete_table import IncompleteTable


@exercise("44.1")
def chain_by_hand(numbers: Numbers) -> Exercise:
    first, second, start, threshold = numbers.one_of(
        [(0.8, 0.5, 0.75, 0.25), (0.9, 0.4, 0.5, 0.2), (0.75, 0.8, 0.4, 0.25)]
    )
    weight = start * first * second
    return Exercise(
        f"An object shows a1 with weight {start:g} (and another value of a with the rest). Two rules: a1 → b1 with "
        f"confidence {first:g}, and b1 → s1 with confidence {second:g}. The secret is s, λ = {threshold:g}. With which "
        'weight does the closure of a1 derive s1, and may a stay? Answer with a list: the weight, then "stays" or '
        '"hidden".',
        hints=[
            "along a chain the weight of the start is multiplied by the confidence of each rule",
            "the value must go if the secret is derived with λ or more; check that no step before falls below λ",
        ],
        worked=f"b1 gets {start:g} · {first:g} = {start * first:g}, s1 gets {start * first:g} · {second:g} = "
        f"{weight:g}, which is {'λ or more, so a is hidden' if weight >= threshold else 'below λ, so a stays'}.",
        expected=lambda: [weight, _fate(first, second, start, threshold)],
    )


def _fate(first: float, second: float, start: float, threshold: float) -> str:
    """What SCIKD itself does with the one cell."""
    cells = {"a": f"a1 {start:g} | a2 {1 - start:g}", "b": None, "s": None}
    system = IncompleteTable.from_frame(pd.DataFrame([cells], index=["x"]))
    rules = [implies({"a": "a1"}, {"b": "b1"}, first), implies({"b": "b1"}, {"s": "s1"}, second)]
    return "hidden" if "a" in search_object(system, rules, "s", threshold=threshold).hidden else "stays"


@exercise("44.2")
def relative_verdict(numbers: Numbers) -> Exercise:
    ours, paper = numbers.one_of([((702, 731, 650), 739), ((701, 760, 735), 739), ((770, 745, 783), 739)])
    mean = sum(ours) / len(ours)
    return Exercise(
        f"Three draws hide {ours[0]}, {ours[1]} and {ours[2]} cells; the paper prints {paper}. Which verdict does the "
        "mean of the three get by Definition 44.3? Answer with the word.",
        hints=["the mean first; then its distance to the printed count", f"5 % of {paper} is {0.05 * paper:g}"],
        worked=f"The mean is {mean:.1f}, {abs(mean - paper):.1f} from {paper}; 5 % of {paper} are {0.05 * paper:.1f}. "
        f"The verdict is: {verdict(mean, paper, COUNTS)}.",
        expected=lambda: verdict(mean, paper, COUNTS),
    )


@exercise("44.3")
def holes_tell(numbers: Numbers) -> Exercise:
    holes, low_holes, low_rest = numbers.one_of([(300, 285, 455), (400, 388, 372), (250, 240, 510)])
    rest, low = 1000 - holes, low_holes + low_rest
    return Exercise(
        f"Of 1,000 people {holes} have hidden cells, and {low_holes} of these have a low income; of the other {rest} "
        f"{low_rest} have. An attacker guesses the commoner income separately for rows with and without hidden cells. "
        "Give three shares as a list: the success of this attack, the baseline (one guess for everybody), and the "
        "share of high incomes among people without hidden cells. Then ask yourself what the first two do not show.",
        hints=[
            "which income is the commoner one in each of the two groups?",
            "if the guess is the same in both groups, so is the success; the probabilities are not",
        ],
        worked=f"Low is the commoner income in both groups, so both attackers say low about everybody and are right "
        f"about {low_holes} + {low_rest} = {low}: {low / 1000:g} and {low / 1000:g}. But {rest - low_rest} of {rest} "
        f"without hidden cells have a high income: {(rest - low_rest) / rest:.4f}, against {1 - low / 1000:g} of all. "
        "Success counts guesses; it does not see that beliefs moved.",
        expected=lambda: [
            _commoner(holes, low_holes, rest, low_rest),
            max(low, 1000 - low) / 1000,
            1 - low_rest / rest,
        ],
    )


def _commoner(holes: int, low_holes: int, rest: int, low_rest: int) -> float:
    return (max(low_holes, holes - low_holes) + max(low_rest, rest - low_rest)) / 1000
