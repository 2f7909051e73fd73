"""Exercises of notebook 08, decision trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.tables.datasets import load
from anonnb.tables.table import Table
from anonnb.trees.growing import grow
from anonnb.trees.splits import entropy, gini


@exercise("08.1")
def gini_by_hand(numbers: Numbers) -> Exercise:
    left, right = numbers.one_of([((8, 2), (2, 8)), ((9, 3), (1, 7)), ((12, 4), (0, 4)), ((6, 6), (0, 8))])
    return Exercise(
        f"{sum(left) + sum(right)} people, {left[0] + right[0]} N and {left[1] + right[1]} Y. A question sends "
        f"{left[0]} N and {left[1]} Y to the left, {right[0]} N and {right[1]} Y to the right. By how much does it "
        "lower the mean Gini impurity of a person's group? Answer with a number, three digits after the point.",
        hints=[
            "the Gini impurity of a group with shares p and q is 1 − p² − q²",
            "take the impurity of all people, and subtract that of each side times its share of the people",
        ],
        worked=lambda: _gini_in_words(left, right),
        expected=lambda: round(_gini_gain(left, right), 3),
    )


def _impurity(counts: Sequence[int]) -> float:
    return float(gini(np.array(counts))) / sum(counts)


def _gini_gain(left: Sequence[int], right: Sequence[int]) -> float:
    whole = [sum(pair) for pair in zip(left, right, strict=True)]
    inside = sum(sum(side) * _impurity(side) for side in (left, right)) / sum(whole)
    return _impurity(whole) - inside


def _gini_in_words(left: Sequence[int], right: Sequence[int]) -> str:
    whole, people = [left[0] + right[0], left[1] + right[1]], sum(left) + sum(right)
    return (
        f"All: {_impurity(whole):.4f}; left: {_impurity(left):.4f}; right: {_impurity(right):.4f}. Less "
        f"{sum(left)}/{people} of the left and {sum(right)}/{people} of the right one: {_gini_gain(left, right):.4f}."
    )


@exercise("08.2")
def threshold(numbers: Numbers) -> Exercise:
    ages, classes = numbers.one_of(
        [
            ((20, 24, 26, 30, 38, 44, 50, 56), "NNNYNYYY"),
            ((18, 22, 28, 34, 36, 48, 52, 60), "YNNNNYYY"),
            ((21, 25, 27, 35, 39, 45, 53, 59), "NYNNNYYY"),
        ]
    )
    listed = ", ".join(f"{age} {each}" for age, each in zip(ages, classes, strict=True))
    return Exercise(
        f"Eight people with age and class: {listed}. At which threshold, halfway between two ages, does the question "
        "*age ≤ t* gain most information? If two gain equally, answer with the lower one.",
        hints=[
            "only thresholds between two different classes can be best; that leaves few",
            "count N and Y on both sides of each of them; a side with one class has entropy 0",
        ],
        worked=lambda: _thresholds_in_words(ages, classes),
        expected=lambda: float(_first_test(ages, classes).cut),
    )


def _thresholds_in_words(ages: Sequence[int], classes: str) -> str:
    lines = []
    for place in range(1, len(ages)):
        if classes[place - 1] != classes[place]:
            left, right = (tuple(map(side.count, "NY")) for side in (classes[:place], classes[place:]))
            gain = _bits(tuple(map(classes.count, "NY"))) - sum(
                sum(side) / len(ages) * _bits(side) for side in (left, right)
            )
            middle = (ages[place - 1] + ages[place]) / 2
            lines.append(f"{middle:g}: {left[0]} N, {left[1]} Y | {right[0]} N, {right[1]} Y, gain {gain:.3f}")
    best = _first_test(ages, classes)
    return (
        f"Thresholds between two classes, with both sides: {'; '.join(lines)}. The best question is {best.labels()[0]}."
    )


def _bits(counts: Sequence[int]) -> float:
    return float(entropy(np.array(counts))) / sum(counts)


def _first_test(ages: Sequence[int], classes: str):
    frame = pd.DataFrame({"age": list(ages), "class": list(classes)})
    return grow(Table(frame, decision="class"), max_leaves=2).root.split


@exercise("08.3")
def greed_fails(numbers: Numbers) -> Exercise:
    rare, times = numbers.one_of([("Y", 3), ("N", 3), ("Y", 4), ("N", 4)])
    most = 2 * times
    return Exercise(
        f"In Proposition 08.4 half of the rows are Y. Does greed fail only then? Give at most {most} rows (x, y, "
        f"class), of which exactly one in {times} is {rare} and the others {_other(rare)}, such that x and y together "
        "decide the class and no question about x or y alone gains anything. Answer with a list of tuples.",
        hints=[
            "a question gains nothing when both sides have the same shares of the classes as all rows",
            "a row may occur more than once: which of the four rows of Proposition 08.4 would you repeat?",
        ],
        worked=lambda: _weighted_in_words(rare, times),
        judge=lambda rows: _greed_succeeds(rows, most, rare, times),
        confirmed="No question gains anything, and the tree of the package is a single leaf.",
    )


def _other(rare: str) -> str:
    return "N" if rare == "Y" else "Y"


def _weighted_in_words(rare: str, times: int) -> str:
    rows = [(0, 0, rare), (1, 1, rare), *[(0, 1, _other(rare)), (1, 0, _other(rare))] * (times - 1)]
    return (
        f"`{rows}`: where x and y differ, each row stands {times - 1} times. Whatever x or y is, one row in {times} is "
        f"{rare}, so the first question gains nothing, and greed never asks the second."
    )


def _greed_succeeds(rows: object, most: int, rare: str, times: int) -> str:
    try:
        texts = [(str(x), str(y), str(each)) for x, y, each in rows]
    except (TypeError, ValueError):
        return "the answer is a list of triples, such as [(0, 0, 'N'), (0, 1, 'Y')]"
    if not 2 <= len(texts) <= most:
        return f"there are {len(texts)} rows, and 2 to {most} are asked for"
    frame = pd.DataFrame(texts, columns=["x", "y", "class"])
    if unknown := sorted(set(frame["class"]) - {"N", "Y"}):
        return f"the classes are N and Y, not {unknown[0]!r}"
    few = int((frame["class"] == rare).sum())
    if few * times != len(frame):
        return f"{few} of {len(frame)} rows are {rare}, and one in {times} is asked for"
    if frame.groupby(["x", "y"])["class"].nunique().max() > 1:
        return "two rows agree in x and y but not in the class, so x and y do not decide it"
    kinds = dict.fromkeys(frame, "nominal")
    root = grow(Table(frame, decision="class", kinds=kinds)).root
    return "" if root.is_leaf else f"the question {' | '.join(root.split.labels())} gains {root.split.score:.3f} bits"


STARTER = '''
def best_question(values, classes):
    """The threshold that gains most information, and the gain in bits: (threshold, gain); None where nothing gains.

    values: an array of numbers. classes: an array of labels, as long. The question is: value ≤ threshold?
    Thresholds lie halfway between neighbouring different values; of equal gains (up to 1e-9) take the lower threshold.
    """
    raise NotImplementedError
'''
WORKED = """```python
def best_question(values, classes):
    def bits(part):
        shares = np.unique(part, return_counts=True)[1] / len(part)
        return -(shares * np.log2(shares)).sum()

    best, known = None, np.unique(values)
    for low, high in zip(known[:-1], known[1:]):
        left = values <= low
        inside = left.mean() * bits(classes[left]) + (~left).mean() * bits(classes[~left])
        gain = bits(classes) - inside
        if gain > 1e-9 and (best is None or gain > best[1] + 1e-9):
            best = (low + high) / 2, gain
    return best
```"""


@exercise("08.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `best_question`, the core of growing a tree. The check grows trees with it, "
        "best first, on iris, the survey's hours and four random tables, and compares their leaves with ours.",
        hints=[
            "the entropy of a group is minus the sum of p · log2 p over the shares of the classes that occur",
            "the gain is the entropy of all, less that of each side times its share of the rows",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your question in place of ours, the trees of all six tables have the same leaves.",
        starter=STARTER,
    )


def leaves_with(best_question: Callable, frame: pd.DataFrame, classes: np.ndarray, most: int) -> list[list[int]]:
    """The rows of each leaf of a tree that is grown best-first with another search for questions."""
    found = [(np.arange(len(frame)), *_asked(best_question, frame, classes, np.arange(len(frame))))]
    while len(found) < most:
        gains = [round(gain * len(rows), 7) for rows, _, gain in found]
        place = int(np.argmax(gains))
        if gains[place] <= 0:
            break
        rows, left, _ = found.pop(place)
        parts = (rows[left], rows[~left])
        found += [(part, *_asked(best_question, frame, classes, part)) for part in parts]
    return sorted(sorted(rows.tolist()) for rows, _, _ in found)


def _asked(
    best_question: Callable, frame: pd.DataFrame, classes: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, float]:
    """Who goes left by the best question of all columns, and its gain; nobody and 0 where nothing gains."""
    best = np.zeros(len(rows), dtype=bool), 0.0
    for name in frame:
        values = frame[name].to_numpy(dtype=float)[rows]
        answer = best_question(values.copy(), classes[rows].copy())
        if answer is not None and answer[1] > best[1] + 1e-9:
            best = values <= answer[0], float(answer[1])
    return best


def _differs(best_question: Callable) -> str:
    if not callable(best_question):
        return "the answer is the function best_question"
    for name, frame, most in _tables():
        tree = grow(Table(frame, decision="class"), max_leaves=most)
        ours = sorted(sorted(leaf.rows.tolist()) for leaf in tree.leaves)
        theirs = leaves_with(best_question, frame.drop(columns="class"), frame["class"].to_numpy().astype(str), most)
        if ours != theirs:
            return f"your tree of {name} has other leaves than ours: {len(theirs)}, and ours {len(ours)}"
    return ""


def _tables() -> list[tuple[str, pd.DataFrame, int]]:
    rng = np.random.default_rng(0)
    iris = load("iris").frame.reset_index(drop=True)
    survey = load("survey").frame[["Hours", "Hypertension"]].set_axis(["Hours", "class"], axis=1).reset_index(drop=True)
    found = [("iris", iris, 4), ("the survey's hours", survey.astype({"Hours": float}), 3)]
    for number in range(4):
        frame = pd.DataFrame(rng.normal(size=(40, 3)).round(3), columns=list("abc"))
        noise = rng.normal(size=40)
        found.append((f"random table {number}", frame.assign(**{"class": np.where(frame.a + noise > 0, "Y", "N")}), 5))
    return found
