"""Exercises of notebook 01, decision tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.privacy.measures import k as smallest_class
from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

GRADES = ["low", "mid", "high"]
PUBLISHED = {
    "A": ("Osaka or Tokyo", "[low–mid]", "[31–38]"),
    "B": ("Nara or Osaka", "[mid–high]", "[35–52]"),
    "C": ("*", "mid", "[30–40]"),
    "D": ("Tokyo", "*", "[36–60]"),
    "E": ("Osaka", "*", "*"),
}


@exercise("01.1")
def who_fits(numbers: Numbers) -> Exercise:
    city, grade, age = numbers.one_of(
        [("Osaka", "mid", 36), ("Tokyo", "mid", 38), ("Osaka", "high", 44), ("Tokyo", "low", 37), ("Nara", "mid", 40)]
    )
    lines = "; ".join(f"{name}: {', '.join(cells)}".replace("*", r"\*") for name, cells in PUBLISHED.items())
    return Exercise(
        f"Five published rows, by city, grade (low, mid, high, in this order) and age. {lines}. Which of them could "
        f"belong to somebody in {city} with the grade {grade} who is {age}? Answer with a list of letters.",
        hints=[
            "a row could be the person's when every one of its cells allows the person's value",
            r"\* allows every value, and an interval allows both of its ends",
        ],
        worked=lambda: _cell_by_cell(city, grade, age),
        expected=lambda: _fitting(city, grade, age),
    )


def _fitting(city: str, grade: str, age: int) -> list[str]:
    """The letters of the published rows that the person could be in."""
    return [name for name, against in _refused(city, grade, age).items() if not against]


def _cell_by_cell(city: str, grade: str, age: int) -> str:
    told = [
        f"{name} {'fits' if not against else 'does not fit, by ' + ' and '.join(against)}"
        for name, against in _refused(city, grade, age).items()
    ]
    return f"{'; '.join(told)}. Left are {', '.join(_fitting(city, grade, age))}."


def _refused(city: str, grade: str, age: int) -> dict[str, list[str]]:
    """For every published row the columns whose cell does not allow the person's value."""
    people = {"city": ["Nara", "Osaka", "Tokyo"] * 11, "grade": GRADES * 11, "age": range(29, 62)}
    like = Table(pd.DataFrame(people), quasi=["city", "grade", "age"], orders={"grade": GRADES})
    frame = pd.DataFrame(PUBLISHED.values(), columns=like.quasi)
    release = Release.from_frame(frame, like, hidden="class")
    facts = {"city": city, "grade": grade, "age": age}
    fits = [release.columns[name].can_take(like.attributes[name].code(value)) for name, value in facts.items()]
    return {
        name: [column for column, fit in zip(facts, fits, strict=True) if not fit[row]]
        for row, name in enumerate(PUBLISHED)
    }


@exercise("01.2")
def level_for_k(numbers: Numbers) -> Exercise:
    codes, k = numbers.one_of(
        [
            (("90210", "90211", "90213", "90401", "90402", "90405", "91101", "91102"), 3),
            (("10115", "10117", "10119", "10243", "10245", "10247", "10995", "10997"), 3),
            (("75001", "75002", "75003", "75011", "75012", "75116", "75117", "75118"), 3),
            (("53113", "53115", "53119", "53121", "53225", "53227", "53229", "53332"), 4),
        ]
    )
    return Exercise(
        f"Eight people have the postcodes {', '.join(codes)}. A hierarchy masks one digit per level, from the right. "
        f"What is the lowest level on which every label stands for at least {k} people?",
        hints=[
            "on level 1 the last digit is masked; write the eight labels down and count equal ones",
            "one label with too few people is enough to go on to the next level",
        ],
        worked=lambda: "; ".join(_counted(codes, level) for level in range(1, _lowest(codes, k) + 1)) + ".",
        expected=lambda: _lowest(codes, k),
    )


def _labels(codes: Sequence[str], level: int) -> Counter:
    hierarchy = Hierarchy.mask(5)
    return Counter(hierarchy.generalize(code, level) for code in codes)


def _lowest(codes: Sequence[str], k: int) -> int:
    return next(level for level in range(6) if min(_labels(codes, level).values()) >= k)


def _counted(codes: Sequence[str], level: int) -> str:
    return f"level {level}: " + ", ".join(f"`{label}` {count}" for label, count in _labels(codes, level).items())


@exercise("01.3")
def rows_and_people(numbers: Numbers) -> Exercise:
    visits = numbers.one_of(
        [
            ("30–39 p1", "30–39 p1", "30–39 p2", "40–49 p3", "40–49 p4", "40–49 p5"),
            ("30–39 p1", "30–39 p2", "40–49 p3", "40–49 p3", "40–49 p3", "30–39 p4"),
            ("20–29 p1", "20–29 p1", "20–29 p1", "20–29 p2", "50–59 p3", "50–59 p4", "50–59 p5", "50–59 p5"),
        ]
    )
    return Exercise(
        f"A hospital publishes visits, by age, and not the patient: {', '.join(visits)} (p1, p2, … are patients). "
        "What is k when rows are counted, and what when people are? Answer with a pair.",
        hints=[
            "the smallest class decides in both counts, and it may be another class",
            "in a class a patient with several visits is several rows, and one person",
        ],
        worked=lambda: (
            "By rows {}, by people {}: an attacker who looks for a person in a class chooses among people, "
            "so only the second number says how well they are hidden.".format(*_both(visits))
        ),
        expected=lambda: _both(visits),
    )


def _both(visits: Sequence[str]) -> tuple[int, int]:
    frame = pd.DataFrame([visit.split() for visit in visits], columns=["age", "patient"])
    by_rows = Table(frame[["age"]], quasi=["age"])
    return smallest_class(by_rows), smallest_class(Table(frame, quasi=["age"], person="patient"))


STARTER = '''
def published_cells(values, groups, kind, domain):
    """For each row the set of values that its published cell allows; a list of sets.

    values: the value of each row. groups: the number of the group that each row is in. kind: "nominal", "ordinal" or
    "numeric". domain: all values of the column, in their order. A nominal cell allows the values that the members of
    its group have. An ordinal or numeric one allows every value of the domain from the first to the last that a
    member has.
    """
    raise NotImplementedError
'''
WORKED = """```python
def published_cells(values, groups, kind, domain):
    place = {value: number for number, value in enumerate(domain)}
    cells = {}
    for group in set(groups):
        places = [place[value] for value, own in zip(values, groups) if own == group]
        if kind == "nominal":
            allowed = places
        else:
            allowed = range(min(places), max(places) + 1)
        cells[group] = {domain[number] for number in allowed}
    return [cells[group] for group in groups]
```"""


@exercise("01.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `published_cells`: the one representation that all releases share. The check "
        "compares it with the package on nine random columns, three of each kind.",
        hints=[
            "first find for each group where its members' values stand in the domain",
            "a nominal cell allows those places, another one every place between the first and the last",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your cells allow the same values as ours in all nine columns.",
        starter=STARTER,
    )


def _differs(published_cells: object) -> str:
    if not callable(published_cells):
        return "the answer is the function published_cells"
    rng = np.random.default_rng(0)
    for kind in ("nominal", "ordinal", "numeric"):
        for size in (4, 7, 12):
            domain = list(range(10, 10 + 3 * size, 3)) if kind == "numeric" else [f"v{n:02}" for n in range(size)]
            values = [*domain, *(domain[n] for n in rng.integers(0, size, 20))]
            groups = np.append(np.arange(size) % 6, rng.integers(0, 6, 20))
            orders = {"x": domain} if kind == "ordinal" else {}
            table = Table(pd.DataFrame({"x": values}), quasi=["x"], orders=orders, kinds={"x": kind})
            cells = Column.of_groups(table.attributes["x"], table.codes("x"), groups, int(groups.max()) + 1)
            theirs = [set(cell) for cell in published_cells(list(values), groups.tolist(), kind, list(domain))]
            ours = [{domain[code] for code in np.flatnonzero(cells.sets.mask(number))} for number in cells.index]
            if theirs != ours:
                row = next((n for n, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), len(theirs))
                return f"{kind} column of {size} values: row {row} has another cell than ours"
    return ""
