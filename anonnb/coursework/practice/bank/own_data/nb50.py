"""Exercises of notebook 50, a table of one's own; all are about its example, the visits to a practice."""

from __future__ import annotations

import io
from functools import lru_cache

import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.projects.own_table import OwnTable
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@lru_cache
def visits() -> Table:
    """The example of the notebook, as a table."""
    return OwnTable.example().table


@exercise("50.1")
def left_out(numbers: Numbers) -> Exercise:
    column = numbers.one_of(["visited", "zip", "born", "sex"])
    return Exercise(
        f"How many patients of the example stand alone, as the only ones with their values, if `{column}` is not "
        "published? A patient stands alone when some class holds rows of nobody else.",
        hints=[
            "group the rows by the quasi-identifiers that are left, and count the patients in each group, not the rows",
            "collect the patients of the groups that hold a single one; somebody may be in several such groups",
        ],
        worked=lambda: (
            f"`frame.groupby({[name for name in visits().quasi if name != column]}, dropna=False)` and, in each group, "
            f"the number of different patients: {_alone(column)} patients are in a group of their own."
        ),
        expected=lambda: _alone(column),
    )


def _alone(column: str) -> int:
    table = visits()
    kept = table.with_roles(quasi=[name for name in table.quasi if name != column])
    release = Release.of(kept)
    alone = release.group_people[release.groups] == 1
    return len(set(kept.people[release.rows[alone]].tolist()))


@exercise("50.2")
def hidden_by_visits(numbers: Numbers) -> Exercise:
    rows, k = numbers.one_of([(8, 4), (6, 3), (10, 5)])
    return Exercise(
        f"Make up {rows} visits, each a triple (patient, ZIP, diagnosis). Every class of equal ZIPs must have at least "
        f"{k} rows and two different diagnoses; and yet whoever knows one patient's ZIP must learn every diagnosis of "
        "that patient. Answer with a list of triples.",
        hints=[
            "rows hide nobody; what matters is how many patients a class has",
            "let one patient fill a class alone, with two diagnoses",
        ],
        worked=lambda: (
            f"For example {_lonely(rows, k)}: counted in rows the classes pass, but one of them is a single patient's, "
            "and its diagnoses are that patient's. With `person=` the table has k = 1."
        ),
        judge=lambda answer: _not_lonely(answer, rows, k),
        confirmed="Every class passes when rows are counted, and one holds a single patient.",
    )


def _lonely(rows: int, k: int) -> list[tuple[str, str, str]]:
    alone = [("p0", "10115", ("flu", "cold")[number % 2]) for number in range(k)]
    others = [(f"p{number}", "10243", ("flu", "cold")[number % 2]) for number in range(1, rows - k + 1)]
    return alone + others


def _not_lonely(answer: object, rows: int, k: int) -> str:
    try:
        frame = pd.DataFrame([tuple(map(str, visit)) for visit in answer], columns=["patient", "zip", "diagnosis"])
    except (TypeError, ValueError):
        return "the answer is a list of triples (patient, ZIP, diagnosis)"
    if len(frame) != rows:
        return f"{rows} visits are asked for, and there are {len(frame)}"
    classes = frame.groupby("zip")
    if classes.size().min() < k:
        return f"a class has fewer than {k} rows"
    if classes["diagnosis"].nunique().min() < 2:
        return "a class has one diagnosis only"
    if classes["patient"].nunique().min() > 1:
        return "every class holds several patients, so nobody's diagnoses are certain"
    return ""


@exercise("50.3")
def another_list(numbers: Numbers) -> Exercise:
    k = numbers.one_of([20, 15, 12])
    return Exercise(
        "The practice publishes two more tables beside the release: the number of its patients by `born`, and by "
        f"`born` and `sex`. The second leaves out every line with fewer than {k} patients. For how many values "
        f"of `born` do the two tables give away a number between 1 and {k - 1}, by subtraction?",
        hints=[
            "for each value of born, subtract the lines of the second table that are shown from the line of the first",
            "the difference counts the patients in all lines left out together, and may be 0 or large",
        ],
        worked=lambda: (
            "The lines shown in the second table are added up by `born` and subtracted from the first. The difference, "
            f"the patients in the lines left out, lies between 1 and {k - 1} for {_subtracted(k)} values."
        ),
        expected=lambda: _subtracted(k),
    )


def _subtracted(k: int) -> int:
    people = visits().frame.assign(patient=visits().people).drop_duplicates("patient")
    lines = people.groupby(["born", "sex"]).size()
    shown = lines.where(lines >= k, 0).groupby(level="born").sum()
    return int((people.groupby("born").size() - shown).between(1, k - 1).sum())


STARTER = '''
def smallest_class(text, quasi, patients):
    """The number of different patients in the smallest class of a published file.

    text: the content of a CSV file, as published. quasi: the names of its quasi-identifiers. patients: for each row of
    the file, in its order, whose it is. Rows are in one class when their texts in all columns of quasi are equal.
    """
    raise NotImplementedError
'''
WORKED = """```python
def smallest_class(text, quasi, patients):
    import csv
    import io

    classes = {}
    for row, patient in zip(csv.DictReader(io.StringIO(text)), patients):
        key = tuple(row[name] for name in quasi)
        classes.setdefault(key, set()).add(patient)
    return min(len(people) for people in classes.values())
```"""


@exercise("50.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `smallest_class`, the heart of the gate: it reads the published text, knows "
        "nothing of the method, and counts people. The check compares it with the package on three releases of the "
        "example, and on a file with one cell changed.",
        hints=[
            "the csv module reads the text; every cell stays a text, for that is what a recipient compares",
            "keep a set of patients for each combination of texts; the smallest set decides",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your count is that of the package on all four files.",
        starter=STARTER,
    )


def _differs(smallest_class: object) -> str:
    if not callable(smallest_class):
        return "the answer is the function smallest_class"
    for what, text, patients, count in _files():
        theirs = smallest_class(text, list(visits().quasi), list(patients))
        if theirs != count:
            return f"{what}: the smallest class has {count} patients, and your function says {theirs}"
    return ""


@lru_cache
def _files() -> list[tuple[str, str, list[str], int]]:
    """What is published, its text, whose rows they are, and the patients in its smallest class."""
    from anonnb.methods.mondrian.mondrian import Mondrian

    table, files = visits(), []
    for k in (2, 5, 10):
        release = Mondrian(k=k).anonymize(table)
        frame, patients = release.frame[list(table.quasi)], table.people[release.rows].tolist()
        files.append((f"Mondrian with k = {k}", _text(frame), patients, int(release.group_people.min())))
    frame = frame.astype(object)
    frame.iloc[0, 0] = "another text"
    return [*files, ("k = 10 with one cell changed", _text(frame), patients, 1)]


def _text(frame: pd.DataFrame) -> str:
    out = io.StringIO()
    frame.to_csv(out, index=False)
    return out.getvalue()
