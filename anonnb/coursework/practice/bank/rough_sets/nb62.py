"""Exercises of notebook 62, dominance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.roughsets import dominance
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

GRADES = ("bad", "medium", "good")
MARKS = ["mmbb", "gmbm", "mgbm", "bmgb", "bbmb", "bmmm", "ggbg", "gmmm", "mmgg", "gmgg"]
SUBJECTS = ["mathematics", "physics", "literature"]


def _school() -> Table:
    words = {grade[0]: grade for grade in GRADES}
    frame = pd.DataFrame([[words[mark] for mark in row] for row in MARKS], columns=[*SUBJECTS, "overall"])
    frame.index = [f"x{number}" for number in range(1, 11)]
    return Table(frame, decision="overall", orders=dict.fromkeys(frame, GRADES))


@exercise("62.1")
def who_dominates(numbers: Numbers) -> Exercise:
    pupil = numbers.one_of(["x6", "x1", "x5", "x3"])
    return Exercise(
        f"Which pupils dominate {pupil}? Give their names as a list, such as `['x2', 'x9']`.",
        hints=[
            f"they are at least as good as {pupil} in all three subjects; the overall grade does not matter",
            f"{pupil} dominates itself",
        ],
        worked=lambda: f"{', '.join(sorted(_dominating(pupil)))}: each is at least as good in every subject.",
        expected=lambda: _dominating(pupil),
    )


def _dominating(pupil: str) -> set[str]:
    school = _school()
    codes = school.code_matrix(SUBJECTS)
    row = list(school.index).index(pupil)
    return set(school.index[(codes >= codes[row]).all(axis=1)])


@exercise("62.2")
def without_a_subject(numbers: Numbers) -> Exercise:
    left_out = numbers.one_of(["literature", "physics", "mathematics"])
    kept = [name for name in SUBJECTS if name != left_out]
    return Exercise(
        f"What is the quality γ of the school under dominance when {left_out} is left out?",
        hints=[
            "find the lowest grade of those who dominate a pupil and the highest of those whom the pupil dominates",
            "γ is the share of pupils for whom the two are the same; with fewer subjects it cannot grow",
        ],
        worked=lambda: f"γ = {dominance.quality(_school(), kept):g}: pupils in doubt are {_in_doubt(kept)}.",
        expected=lambda: dominance.quality(_school(), kept),
    )


def _in_doubt(names: list[str]) -> str:
    school = _school()
    return ", ".join(school.index[~dominance.class_bounds(school, names).consistent])


@exercise("62.3")
def dominated_by_a_pair(numbers: Numbers) -> Exercise:
    grade = numbers.one_of(["medium", "good"])
    return Exercise(
        f"Add a pupil to the school so that nobody is surely at least {grade} any more: give the three marks "
        "(mathematics, physics, literature) and the overall grade, as a list of four words.",
        hints=[
            f"a pupil is surely at least {grade} when nobody who dominates them is graded lower",
            "think of somebody who dominates everybody",
        ],
        worked=f"`['good', 'good', 'good', '{GRADES[0]}']` dominates everybody and has the lowest grade.",
        judge=lambda answer: _not_spoiling(answer, grade),
    )


def _not_spoiling(answer: object, grade: str) -> str:
    if not isinstance(answer, list | tuple) or len(answer) != 4 or any(word not in GRADES for word in answer):
        return "the answer is a list of four words, each bad, medium or good"
    frame = _school().frame.astype(str)
    frame.loc["new"] = list(answer)
    table = Table(frame, decision="overall", orders=dict.fromkeys(frame, GRADES))
    left = len(dominance.approximate(table, grade).lower)
    return f"{left} of the pupils are still surely at least {grade}" if left else ""


STARTER = '''
def lowest(marks, grades):
    """For every row the lowest grade among the rows that dominate it.

    marks: an array of numbers, one row per pupil, larger is better; grades: an array with a number per pupil.
    """
    raise NotImplementedError
'''
WORKED = """```python
def lowest(marks, grades):
    found = []
    for own in marks:
        dominating = (marks >= own).all(axis=1)
        found.append(int(grades[dominating].min()))
    return found
```"""


@exercise("62.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "Write $l(x)$, from which the lower approximations of all upward unions follow: the lowest grade among the "
        "rows that dominate each row.",
        hints=[
            "the rows that dominate a row are at least as good in every column: `(marks >= marks[row]).all(axis=1)`",
            "of their grades take the smallest; every row dominates itself, so there is one",
        ],
        worked=WORKED,
        judge=_judged,
        confirmed="It agrees with dominance.class_bounds on the school and on 1,728 cars.",
        starter=STARTER,
    )


def _judged(function: Callable) -> str:
    if not callable(function):
        return "the answer is a function"
    for name, table in (("the school", _school()), ("car", load("car"))):
        criteria = dominance.Criteria.of(table, None, ())
        expected = dominance.bounds_of(criteria).low
        found = function(criteria.low.copy(), criteria.worst.copy())
        if found is None or not np.array_equal(np.asarray(found), expected):
            return f"on {name} other grades come out"
    return ""
