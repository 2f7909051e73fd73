"""Answers of notebooks 50 to 64: a table of one's own, and rough sets further."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import numpy as np
import pandas as pd

from anonnb import roughsets
from anonnb.coursework.practice.answers.tools import frame_of
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.publishing.own_table import OwnTable
from anonnb.roughsets import dominance, fuzzy, releases, variable_precision
from anonnb.roughsets.approximations import approximate
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@cache
def _visits() -> Table:
    """The example of notebook 50."""
    return OwnTable.example().table


@exercise("50.1")
def left_out() -> Answer:
    def expected() -> int:
        release = Release.of(_visits().with_roles(quasi=[name for name in _visits().quasi if name != "visited"]))
        assert release.rows is not None
        alone = release.group_people[release.groups] == 1
        return len(set(_visits().people[release.rows[alone]].tolist()))

    return Answer(expected)


@exercise("50.2")
def hidden_by_visits(rows: int, k: int) -> Answer:
    def judge(answer: Any) -> str:
        frame = frame_of(answer, "patient zip diagnosis", '[("p1", "10115", "flu")]', rows=rows)
        classes = frame.groupby("zip")
        if classes.size().min() < k:
            return f"a class has fewer than {k} rows"
        if classes["diagnosis"].nunique().min() < 2:
            return "a class has one diagnosis only"
        alone = classes["patient"].nunique().min() == 1
        return "" if alone else "every class holds several patients, so nobody's diagnoses are certain"

    example = [("p0", "10115", ("flu", "cold")[n % 2]) for n in range(k)]
    return Answer(
        judge=judge, example=example + [(f"p{n}", "10243", ("flu", "cold")[n % 2]) for n in range(1, rows - k + 1)]
    )


@exercise("50.3")
def another_list(k: int) -> Answer:
    people = _visits().frame.assign(patient=_visits().people).drop_duplicates("patient")
    lines = people.groupby(["born", "sex"]).size()
    shown = lines.where(lines >= k, 0).groupby(level="born").sum()
    return Answer(int((people.groupby("born").size() - shown).between(1, k - 1).sum()))


@inputs("50.4")
def build_smallest_class() -> Iterator[tuple]:
    table = _visits()
    for k in (2, 5, 10):
        release = Mondrian(k=k).anonymize(table)
        assert release.rows is not None
        frame, patients = release.frame[list(table.quasi)].astype(object), table.people[release.rows].tolist()
        yield frame.to_csv(index=False), list(table.quasi), patients
        frame.iloc[0, 0] = "another text"
        yield frame.to_csv(index=False), list(table.quasi), patients


@exercise("60.3")
def lost(bins: int) -> Answer:
    iris = load("iris")

    def certain(side: Literal["left", "right"]) -> int:
        """The rows whose class is certain with numpy's edges and a value on an edge in the interval on this side."""
        values = iris.frame[iris.conditions].to_numpy(dtype=float)
        edges = np.linspace(values.min(axis=0), values.max(axis=0), bins + 1)[1:-1]
        codes = [tuple(np.searchsorted(edges[:, n], row[n], side) for n in range(4)) for row in values]
        return int((iris.frame["class"].groupby(pd.Index(codes, tupleize_cols=False)).transform("nunique") == 1).sum())

    exact = len(roughsets.positive_region(roughsets.discretize(iris, "equal_width", bins=bins)))
    return Answer(exact, below=lambda: certain("left"), floats=lambda: certain("right"))


@inputs("60.4")
def build_best_cut() -> Iterator[tuple]:
    iris, rng = load("iris").frame, np.random.default_rng(0)
    for name in iris.columns[:4]:
        yield iris[name].to_numpy(float), iris["class"].to_numpy().astype(str)
    yield np.arange(6.0), np.array(list("abbbba"))  # the cuts 0.5 and 4.5 are equally good
    for n in range(60):
        yield rng.integers(0, 2 + n % 20, 12).astype(float), rng.choice(list("abc"), 12)


CARS = pd.DataFrame(
    [
        ("high", "low", "full", "low", "good"),
        ("low", None, "full", "low", "good"),
        (None, None, "compact", "low", "poor"),
        ("high", None, "full", "high", "good"),
        (None, None, "full", "high", "excellent"),
        ("low", "high", "full", None, "good"),
    ],
    columns=["price", "mileage", "size", "max speed", "car"],
    index=range(1, 7),
)


def _tolerated(car: int) -> set[int]:
    return set(CARS.index[approximate(Table(CARS, decision="car"), rows=[car - 1], relation="tolerance").upper])


@exercise("61.1")
def share_by_hand() -> Answer:
    frame = pd.DataFrame({"cough": ["yes"] * 9, "flu": ["yes"] * 7 + ["no"] * 2})
    return Answer(len(variable_precision.approximate(Table(frame, decision="flu"), "yes", beta=0.75).lower) > 0)


@exercise("61.2")
def related_cars(car: int) -> Answer:
    return Answer(_tolerated(car), cars=sorted(_tolerated(car)))


@exercise("61.3")
def surer() -> Answer:
    return Answer(min(car for car in _tolerated(4) if CARS.loc[car, "car"] != "good"))


@exercise("61.4")
def build_beta_lower() -> Answer:
    table = load("hayes-roth")

    def cases() -> Iterator[tuple]:
        for names in (["age", "marital_status"], list(table.conditions)):
            for beta in (0.6, 0.8, 1.0):
                yield table.frame.reset_index(drop=True), names, "class", 1, beta

    def model(frame: pd.DataFrame, names: list[str], decision: str, value: int, beta: float) -> list[int]:
        return variable_precision.approximate(table, value, names, beta=beta).lower.tolist()

    return Answer(cases=cases, model=model, read=lambda rows: set(map(int, rows)))


GRADES, SUBJECTS = ("bad", "medium", "good"), ["mathematics", "physics", "literature"]
MARKS = ["mmbb", "gmbm", "mgbm", "bmgb", "bbmb", "bmmm", "ggbg", "gmmm", "mmgg", "gmgg"]


def _school(*more: list[str]) -> Table:
    grade_of = {grade[0]: grade for grade in GRADES}
    marks = [[grade_of[mark] for mark in row] for row in MARKS]
    names = [f"x{number}" for number in range(1, 11)] + ["new"] * len(more)
    frame = pd.DataFrame([*marks, *more], columns=[*SUBJECTS, "overall"], index=names)
    return Table(frame, decision="overall", orders=dict.fromkeys(frame, GRADES))


@exercise("62.1")
def who_dominates(pupil: str) -> Answer:
    codes = _school().code_matrix(SUBJECTS)
    pupils = _school().index[(codes >= codes[int(pupil[1:]) - 1]).all(axis=1)]
    return Answer(set(pupils), pupils=list(pupils), others=set(pupils) - {pupil})


@exercise("62.2")
def without_a_subject() -> Answer:
    return Answer(dominance.quality(_school(), ["mathematics", "physics"]))


@judged("62.3")
def dominated_by_a_pair(answer: Any) -> str:
    grades = [str(word).strip().lower() for word in answer] if isinstance(answer, list | tuple) else []
    if len(grades) != 4 or any(word not in GRADES for word in grades):
        return "the answer is a list of four words, each bad, medium or good"
    left = len(dominance.approximate(_school(grades), "medium").lower)
    return f"{left} of the pupils are still surely at least medium" if left else ""


@inputs("62.4")
def build_lowest() -> Iterator[tuple]:
    for table in (_school(), load("car").take(np.arange(0, 1728, 4))):
        criteria = dominance.Criteria.of(table, None, ())
        yield criteria.low.copy(), criteria.worst.copy()


@exercise("63.1")
def sure_by_hand(ages: tuple[int, ...], ill: str) -> Answer:
    table = Table(pd.DataFrame({"age": list(ages), "ill": list(ill)}), decision="ill")
    lines = [f"{age} ({'ill' if each == 'y' else 'well'})" for age, each in zip(ages, ill, strict=True)]
    well = max(age for age, each in zip(ages, ill, strict=True) if each == "n")
    return Answer(float(fuzzy.approximate(table, "y").lower[-1]), lines=lines, well=well)


@inputs("63.4", read=lambda pair: [np.asarray(part, dtype=float).tolist() for part in pair])
def build_lower_and_upper() -> Iterator[tuple]:
    rng = np.random.default_rng(0)
    for _ in range(20):
        table = Table(pd.DataFrame(rng.integers(0, 9, (6, 2)), columns=["x", "y"]))
        yield fuzzy.similarity(table), rng.random(6).round(2)


BOTH = "young or old"


def _patients(ages: list[str]) -> Release:
    like = Table(pd.DataFrame({"age": ["young", "old"], "ill": ["yes", "no"]}), quasi=["age"], decision="ill")
    frame = pd.DataFrame({"age": ages, "ill": ["yes", "yes", "no", "no"][: len(ages)]})
    return Release.from_frame(frame, like=like, hidden="class")


@exercise("64.1")
def step_aside() -> Answer:
    return Answer(set(releases.approximate_worlds(_patients([BOTH, BOTH, "old"]), "yes").possible_lower.tolist()))


@exercise("64.2")
def stars() -> Answer:
    table = load("hayes-roth")
    columns = {each: Column.suppressed(table.attributes[each], len(table)) for each in table.conditions}
    return Answer(list(releases.quality_bounds(Release(table, columns, np.arange(len(table))))))


@judged("64.3")
def make_certain(answer: Any) -> str:
    rows = 3
    if not isinstance(answer, list | tuple):
        return f"the answer is a list of {rows} texts, or an empty one if there is no such release"
    ages = [str(age).strip().lower() for age in answer]
    if not ages:
        return ""
    if len(ages) != rows or any(age not in ("young", "old", BOTH) for age in ages):
        return f"the answer is a list of {rows} texts, each young, old or {BOTH}"
    if BOTH not in ages:
        return f"no cell is {BOTH}"
    certain = releases.approximate_worlds(_patients(ages), "yes").certain_lower.tolist()
    return f"certain are the rows {certain}, and 0 and 1 are asked for"


@exercise("64.4")
def build_certain_lower() -> Answer:
    def cases() -> Iterator[tuple]:
        rng = np.random.default_rng(0)
        for _ in range(60):
            sets = [set(rng.choice(list("xyz"), rng.integers(1, 3), replace=False)) for _ in range(rng.integers(1, 8))]
            yield sets, (rng.random(len(sets)) < 0.6).tolist()

    def model(sets: list[set[str]], inside: list[bool]) -> list[int]:
        table = Table(pd.DataFrame({"a": ["x", "y", "z"]}), quasi=["a"])
        masks = np.array([[value in cell for value in "xyz"] for cell in sets])
        release = Release(table, {"a": Column.from_masks(table.attributes["a"], masks)})
        return releases.approximate_worlds(release, rows=np.flatnonzero(inside)).certain_lower.tolist()

    return Answer(cases=cases, model=model, read=lambda rows: set(map(int, rows)))
