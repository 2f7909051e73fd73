"""Exercises of notebook 40, the experiment of the imprecise-rules paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from anonnb.attacks.imprecise.shallow import ShallowAttack
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments import inuiguchi
from anonnb.experiments.imprecise import second_reading as second
from anonnb.experiments.verdicts import rank_correlation, verdict
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Cell = dict[str, set]


@exercise("40.1")
def cells_by_hand(numbers: Numbers) -> Exercise:
    sizes, k = numbers.one_of([((41, 20, 13, 8, 4), 5), ((38, 22, 12, 9, 3), 4), ((45, 27, 14, 6, 5), 6)])
    shown = ", ".join(map(str, sizes))
    return Exercise(
        f"A table has five classes of {shown} rows. M2 halves each class, and the halves again, while both halves keep "
        f"at least k = {k} rows; of an odd number the second half gets one more. A class below k is not published. How "
        "many cells does it publish, and how many rows does it leave out? Answer with a list of two numbers.",
        hints=[
            f"a part of fewer than {2 * k} rows cannot be halved",
            "write the sizes of the parts below each class, round by round, and count those that stay",
        ],
        worked=lambda: _halved(sizes, k),
        expected=lambda: _published(sizes, k),
    )


def _published(sizes: Sequence[int], k: int) -> list[int]:
    cells = sum(len(second.halves(np.arange(size), k)) for size in sizes if size >= k)
    return [cells, sum(size for size in sizes if size < k)]


def _halved(sizes: Sequence[int], k: int) -> str:
    lines = []
    for size in sizes:
        parts = " + ".join(str(len(part)) for part in second.halves(np.arange(size), k))
        lines.append(f"{size} = {parts}" if size >= k else f"{size} is left out")
    cells, left_out = _published(sizes, k)
    return f"{'; '.join(lines)}. That is {cells} cells, and {left_out} rows are left out."


@exercise("40.2")
def verdict_by_hand(numbers: Numbers) -> Exercise:
    paper = (0.31, 0.35, 0.42, 0.50, 0.62)
    ours = numbers.one_of(
        [(0.45, 0.41, 0.48, 0.60, 0.75), (0.55, 0.36, 0.30, 0.52, 0.47), (0.36, 0.28, 0.52, 0.55, 0.69)]
    )
    return Exercise(
        f"The paper prints {', '.join(map(str, paper))}, and we get {', '.join(map(str, ours))}. Which verdict does "
        "Definition 40.3 give on the five together? Answer with the word or the words.",
        hints=[
            "first the distances: how many of the five are at most 0.03? Nine in ten would be needed",
            "then the ranks: with five figures Spearman's correlation is 1 − Σd² / 20, where d is the difference "
            "between the two ranks of a figure",
        ],
        worked=lambda: _ranked(ours, paper),
        expected=lambda: verdict(ours, paper),
    )


def _ranked(ours: Sequence[float], paper: Sequence[float]) -> str:
    near = sum(abs(one - other) <= 0.03 + 1e-9 for one, other in zip(ours, paper, strict=True))
    ranks = pd.Series(ours).rank().astype(int).tolist()
    found = rank_correlation(pd.Series(ours), pd.Series(paper))
    return (
        f"{near} of 5 are near, too few to be close. Our ranks are {', '.join(map(str, ranks))}, the paper's 1 to 5: "
        f"the correlation is {found:g}, so the verdict is: {verdict(ours, paper)}."
    )


@exercise("40.3")
def wrong_and_successful(numbers: Numbers) -> Exercise:
    people, top = numbers.one_of([(8, 5), (9, 6), (10, 5)])
    return Exercise(
        f"An attack can count as a success and be wrong about most people. Give {people} people with a grade from 1 to "
        f"{top} and a class, a or b. Each class is one cell, and it publishes the two ends of its grades. There must "
        "be a grade from which the attacker infers a class that fewer than half of the people with this grade have, "
        'but at least one has. Answer with a list of pairs such as (3, "a").',
        hints=[
            "a cell cannot take a grade that lies between its ends, although people in it have that grade",
            "put many people of class a between the ends of their cell, at a grade that is an end for class b",
        ],
        worked=lambda: _worked_people(people, top),
        judge=lambda answer: _not_misled(answer, people, top),
    )


def misled_people(people: int, top: int) -> list[tuple[int, str]]:
    """One right answer: class a has the ends 1 and top and many at grade 2, which is an end of class b."""
    return [(1, "a"), (top, "a"), *[(2, "a")] * (people - 4), (2, "b"), (3, "b")]


def _worked_people(people: int, top: int) -> str:
    found = misled_people(people, top)
    return (
        f"{found}. The cell of a publishes 1 or {top}, that of b publishes 2 or 3. Only the second can take the grade "
        f"2, so the attacker infers b. One person with grade 2 has class b, {people - 4} have class a. The paper's "
        "ratio, as we read it, counts this as a success: some row with the known value has the inferred class."
    )


def _not_misled(answer: object, people: int, top: int) -> str:
    try:
        pairs = [(int(grade), str(label)) for grade, label in answer]
    except (TypeError, ValueError):
        return 'the answer is a list of pairs, such as [(1, "a"), (2, "b")]'
    if len(pairs) != people:
        return f"there are {len(pairs)} people, and {people} are asked for"
    if {label for _, label in pairs} != {"a", "b"} or not all(1 <= grade <= top for grade, _ in pairs):
        return f"both classes, a and b, must occur, with grades from 1 to {top}"
    grades = {label: [grade for grade, other in pairs if other == label] for label in "ab"}
    ends = {label: {min(own), max(own)} for label, own in grades.items()}
    for grade in {grade for grade, _ in pairs}:
        able = [label for label in "ab" if grade in ends[label]]
        if len(able) == 1:
            own = grades[able[0]].count(grade)
            if 0 < own < (own + grades["ab".replace(able[0], "")].count(grade)) / 2:
                return ""
    return "from no grade does the attacker infer a class that a few with this grade have and most do not"


@exercise("40.4")
def nearer_figures(numbers: Numbers) -> Exercise:
    table = numbers.one_of(["table10", "table9", "table12"])
    return Exercise(
        f"For how many figures of cT1 … cT4 in `{table}` does the second reading come nearer to the printed figure "
        "than the first, and for how many does the first come nearer? `first` and `second` hold both readings. Answer "
        "with a list of two numbers.",
        hints=[
            "the lines of both frames are in the same order; the distance is the absolute value of the difference",
            "compare the two columns of distances for lines whose method begins with cT; ties count for neither",
        ],
        worked=f"```python\nboth = [frame[{table!r}] for frame in (first, second)]\n"
        'old, new = [frame[frame["method"].str.startswith("cT")]["difference"].abs() for frame in both]\n'
        "[int((new < old).sum()), int((old < new).sum())]\n```",
        expected=lambda: _nearer(table),
    )


def _nearer(table: str) -> list[int]:
    frames = [inuiguchi.stored(name) for name in (table, f"{table}_second")]
    old, new = (frame[frame["method"].str.startswith("cT")]["difference"].abs() for frame in frames)
    return [int((new < old).sum()), int((old < new).sum())]


STARTER = '''
def success_ratio(cells, people, decision):
    """The share of combinations of two known values from which the class is inferred.

    cells: a list of dictionaries, one per published row: for each attribute the set of its possible values.
    people: a list of dictionaries, one per person: for each attribute a value. decision: the name of the class.
    For each pair of other attributes and each combination of two values that a person has: select the cells that can
    take both values. If there is none, the combination does not count. Intersect the classes of the selected cells:
    a success is a single class that at least one person with these two values has.
    """
    raise NotImplementedError
'''
WORKED = """```python
def success_ratio(cells, people, decision):
    names = [name for name in people[0] if name != decision]
    counted = successes = 0
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            for one, two in {(person[first], person[second]) for person in people}:
                selected = [cell for cell in cells if one in cell[first] and two in cell[second]]
                if not selected:
                    continue
                left = set.intersection(*(set(cell[decision]) for cell in selected))
                true = {p[decision] for p in people if (p[first], p[second]) == (one, two)}
                counted += 1
                successes += len(left) == 1 and left <= true
    return successes / counted
```"""


@exercise("40.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `success_ratio`, the shallow attack on the class as the second reading counts "
        "it. The check runs it instead of ours on M1, M2 and patterns of hayes-roth and of 300 cars.",
        hints=[
            "a set comprehension over the people gives each combination of two values once",
            "intersect the class sets of the selected cells; compare with the classes of those who have both values",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your ratios equal those of the package for all six releases.",
        starter=STARTER,
    )


def plain_cells(release: Release) -> list[Cell]:
    """A release as a reader of the exercise gets it: a dictionary of value sets per published row."""
    columns = {
        name: [
            {column.attribute.labels[code] for code in np.flatnonzero(column.sets.mask(number))}
            for number in column.index
        ]
        for name, column in release.columns.items()
    }
    return [dict(zip(columns, sets, strict=True)) for sets in zip(*columns.values(), strict=True)]


def plain_people(table: Table) -> list[dict[str, str]]:
    """The rows of a table as dictionaries of labels."""
    names = [*table.conditions, table.decision]
    labels = {name: [table.attributes[name].labels[code] for code in table.codes(name)] for name in names}
    return [dict(zip(names, values, strict=True)) for values in zip(*labels.values(), strict=True)]


def _differs(success_ratio: Callable) -> str:
    if not callable(success_ratio):
        return "the answer is the function success_ratio"
    attack = [ShallowAttack(known=2, targets="decision")]
    for name, rows, k in (("hayes-roth", 160, 5), ("car", 300, 10)):
        table = load(name)
        table = table.take(np.linspace(0, len(table) - 1, rows).astype(int))
        made = dict(second.anonymized_tables(table, k, np.random.default_rng(0)))
        for kind in ("M1", "M2", "cT1"):
            theirs = success_ratio(plain_cells(made[kind]), plain_people(table), table.decision)
            ours = second.success(attack, made[kind], table)
            if not isinstance(theirs, int | float) or abs(theirs - ours) > 1e-9:
                return f"for {kind} of {name}, k = {k}, your ratio is {theirs}, and ours is {ours:.4f}"
    return ""
