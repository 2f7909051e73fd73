"""Exercises of notebook 64, rough sets of releases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.roughsets import releases
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

BOTH = "young or old"


def _patients(ages: Sequence[str]) -> Release:
    ill = ["yes", "yes", "no", "no"][: len(ages)]
    like = Table(pd.DataFrame({"age": ["young", "old"], "ill": ["yes", "no"]}), quasi=["age"], decision="ill")
    return Release.from_frame(pd.DataFrame({"age": ages, "ill": ill}), like=like, hidden="class")


@exercise("64.1")
def step_aside(numbers: Numbers) -> Exercise:
    ages = numbers.one_of([(BOTH, BOTH, "old"), (BOTH, "old", BOTH), ("young", BOTH, BOTH)])
    return Exercise(
        f"Three patients; the first two are ill. Their published ages are *{ages[0]}*, *{ages[1]}* and *{ages[2]}*. "
        "Which rows (0, 1, 2) are possibly in the lower approximation of the ill ones? Answer with a list.",
        hints=[
            "look for a world in which nobody who is well has the same age",
            "a patient whose age is blurred can step aside, and so can the one who is well if theirs is blurred",
        ],
        worked=lambda: f"Rows {_possible(ages)}: each has a world in which no one who is well has its age.",
        expected=lambda: set(_possible(ages)),
    )


def _possible(ages: Sequence[str]) -> list[int]:
    return releases.approximate_worlds(_patients(ages), "yes").possible_lower.tolist()


@exercise("64.2")
def stars(numbers: Numbers) -> Exercise:
    name = numbers.one_of(["hayes-roth", "car", "zoo"])
    return Exercise(
        f"Every condition attribute of a release of `{name}` is a star in every row; the class is published. Which "
        "share of rows has a class that is certain, and which share is possibly in the positive region? Answer with a "
        "list of two numbers.",
        hints=[
            "for the lower bound think of the world in which all rows are alike",
            "for the upper bound think of one row at a time: can it have values that nobody else has to have?",
        ],
        worked=lambda: (
            f"{_star_bounds(name)}: all rows may be alike, so nothing is certain; and as no row is exact, each may "
            "have values that no other row has to share."
        ),
        expected=lambda: _star_bounds(name),
    )


def _star_bounds(name: str) -> list[float]:
    table = load(name)
    columns = {each: Column.suppressed(table.attributes[each], len(table)) for each in table.conditions}
    return list(releases.quality_bounds(Release(table, columns, np.arange(len(table)))))


@exercise("64.3")
def make_certain(numbers: Numbers) -> Exercise:
    rows = numbers.one_of([3, 4])
    return Exercise(
        f"Publish ages for {rows} patients of whom the first two are ill and the others well, such that at least one "
        f"cell is *{BOTH}* and yet both ill patients are certainly in the lower approximation of the ill ones. Answer "
        f"with a list of {rows} texts, each *young*, *old* or *{BOTH}*, "
        "or with an empty list if there is no such release.",
        hints=[
            "no set of an ill patient may meet a set of one who is well",
            f"whom does a patient meet who is *{BOTH}*?",
        ],
        worked="It cannot be done with two ages: a blurred cell meets every other set, so one of the ill meets one of "
        "the well. The right answer is `[]`.",
        judge=lambda answer: _not_impossible(answer, rows),
    )


def _not_impossible(answer: object, rows: int) -> str:
    if not isinstance(answer, list | tuple):
        return f"the answer is a list of {rows} texts, or an empty one if there is no such release"
    if not len(answer):
        return ""
    if len(answer) != rows or any(age not in ("young", "old", BOTH) for age in answer):
        return f"the answer is a list of {rows} texts, each young, old or {BOTH}"
    if BOTH not in answer:
        return f"no cell is {BOTH}"
    certain = releases.approximate_worlds(_patients(list(answer)), "yes").certain_lower.tolist()
    return f"certain are the rows {certain}, and 0 and 1 are asked for"


STARTER = '''
def certain_lower(sets, inside):
    """The positions of the rows that are certainly in the lower approximation, for a single attribute.

    sets: a list of Python sets, the possible values of each row; inside: a list of flags, whether it is in the concept.
    """
    raise NotImplementedError
'''
WORKED = """```python
def certain_lower(sets, inside):
    found = []
    for row, own in enumerate(sets):
        near = [flag for other, flag in zip(sets, inside) if own & other]
        if all(near):
            found.append(row)
    return found
```"""


@exercise("64.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "Write the certain lower approximation for one attribute: the rows that no row outside the concept can equal.",
        hints=[
            "two rows can be equal when their sets meet: `one & other` is not empty",
            "a row meets itself, so a row outside the concept is never certain",
        ],
        worked=WORKED,
        judge=_judged,
        confirmed="It agrees with releases.approximate_worlds on 50 random releases.",
        starter=STARTER,
    )


def _judged(function: Callable) -> str:
    if not callable(function):
        return "the answer is a function"
    rng = np.random.default_rng(0)
    for _ in range(50):
        count = int(rng.integers(1, 8))
        masks = rng.random((count, 3)) < 0.4
        masks[np.arange(count), rng.integers(0, 3, count)] = True
        inside = rng.random(count) < 0.6
        table = Table(pd.DataFrame({"a": ["x", "y", "z"]}), quasi=["a"])
        release = Release(table, {"a": Column.from_masks(table.attributes["a"], masks)})
        expected = releases.approximate_worlds(release, rows=np.flatnonzero(inside)).certain_lower.tolist()
        sets = [{value for value, flag in zip("xyz", mask, strict=True) if flag} for mask in masks]
        found = function(sets, inside.tolist())
        if found is None or [int(row) for row in found] != expected:
            return f"for the sets {sets} and the flags {inside.tolist()} other rows come out"
    return ""
