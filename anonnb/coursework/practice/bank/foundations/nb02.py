"""Exercises of notebook 02, rough sets."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.roughsets import approximate, discernibility_matrix, quality, reducts
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

SYMPTOMS = ["headache", "muscle pain", "temperature"]
PATIENTS = {
    "p1": ("no", "yes", "high", "yes"),
    "p2": ("yes", "no", "high", "yes"),
    "p3": ("yes", "yes", "very high", "yes"),
    "p4": ("no", "yes", "normal", "no"),
    "p5": ("yes", "no", "high", "no"),
    "p6": ("no", "yes", "very high", "yes"),
}


def _flu() -> Table:
    return Table(pd.DataFrame(PATIENTS, index=[*SYMPTOMS, "flu"]).T, decision="flu")


@exercise("02.1")
def boundary_by_hand(numbers: Numbers) -> Exercise:
    known, value = numbers.one_of(
        [(["domicile"], "low"), (["occupation"], "medium"), (["sex", "domicile"], "low"), (["domicile"], "medium")]
    )
    six = load("decision6")
    return Exercise(
        f"Which of the six people are in the boundary of *{value}* when only {' and '.join(known)} "
        f"{'is' if len(known) == 1 else 'are'} known? Answer with a list of their names, o1 to o6.",
        hints=[
            f"write down the granules: who has the same {' and '.join(known)}?",
            f"a granule is in the boundary when somebody in it has the evaluation {value} and somebody has not",
        ],
        worked=lambda: (
            f"Surely {value}: {_named(six, known, value, 'lower')}. Possibly: {_named(six, known, value, 'upper')}. "
            f"The boundary is the difference: {_named(six, known, value, 'boundary')}."
        ),
        expected=lambda: six.index[approximate(six, value, known).boundary].tolist(),
    )


def _named(table: Table, known: list[str], value: str, part: str) -> str:
    return ", ".join(table.index[getattr(approximate(table, value, known), part)]) or "nobody"


@exercise("02.2")
def clause_by_hand(numbers: Numbers) -> Exercise:
    dropped = numbers.one_of(["p1", "p4", "p2", "p6"])
    rest = _flu().take([row for row, name in enumerate(PATIENTS) if name != dropped])
    return Exercise(
        f"Take {dropped} out of the table of the six patients. Which sets of symptoms keep the generalized decision of "
        "every patient who is left, and none of whose symptoms can go? Answer with a list of lists.",
        hints=[
            "first write down the generalized decision of each patient who is left; it may be another one than before",
            "then fill the matrix, drop every cell that contains another one, and choose one symptom from each that "
            "stays",
        ],
        worked=lambda: _matrix_in_words(rest),
        judge=lambda answer: _other_sets(answer, rest),
    )


def _matrix_in_words(table: Table) -> str:
    """The pairs that must stay apart, the cells of the matrix that no other cell lies in, and what they give."""
    cells = discernibility_matrix(table)
    names = list(table.index)
    filled = {
        (one, other): frozenset(str(cells.loc[one, other]).split(", "))
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if str(cells.loc[one, other])
    }
    least = {cell for cell in filled.values() if not any(other < cell for other in filled.values())}
    kept = [f"{pair[0]} and {pair[1]}: {', '.join(sorted(cell))}" for pair, cell in filled.items() if cell in least]
    return (
        f"{len(filled)} pairs have different generalized decisions. Cells that contain no other cell: "
        f"{'; '.join(kept)}. One symptom from each: {_sets(reducts(table, keep='decision'))}."
    )


def _sets(found: list[list[str]]) -> str:
    return " and ".join("{" + ", ".join(names) + "}" for names in found)


def _other_sets(answer: object, table: Table) -> str:
    try:
        given = {frozenset(map(str, names)) for names in answer if not isinstance(names, str)}
    except TypeError:
        given = set()
    unknown = {name for names in given for name in names} - set(SYMPTOMS)
    if not given or unknown:
        return f"the answer is a list of lists of symptoms, such as [[{SYMPTOMS[0]!r}], [{SYMPTOMS[1]!r}]]"
    right = {frozenset(names) for names in reducts(table, keep="decision")}
    wrong, missing = given - right, right - given
    if wrong:
        return f"{_sets([sorted(min(wrong, key=sorted))])} is no such set"
    return f"these are right, and {len(missing)} more are to be found" if missing else ""


@exercise("02.3")
def no_attribute_alone(numbers: Numbers) -> Exercise:
    rows = numbers.one_of([4, 6, 8])
    return Exercise(
        f"QuickReduct adds the attribute that raises γ most. Find a table of {rows} rows, each a triple (a, b, d) of "
        "which a and b are conditions and d is the decision, where neither a nor b alone raises γ above 0, and both "
        "together make it 1. Answer with a list of triples.",
        hints=[
            "for γ = 0 with a alone, every value of a must occur with two decisions; the same for b",
            "let d say whether a and b are equal",
        ],
        worked=f"`{_exclusive(rows)}`: d says whether a and b are equal. Neither of them alone says anything about it, "
        "so a greedy choice has nothing to go by.",
        judge=lambda triples: _alone(triples, rows),
    )


def _exclusive(rows: int) -> list[tuple[int, int, str]]:
    four = [(0, 0, "same"), (0, 1, "other"), (1, 0, "other"), (1, 1, "same")]
    return [four[row % 4] for row in range(rows)]


def _alone(triples: object, rows: int) -> str:
    try:
        frame = pd.DataFrame([tuple(map(str, triple)) for triple in triples], columns=["a", "b", "d"])
    except (TypeError, ValueError):
        return 'the answer is a list of triples, such as [(0, 1, "yes"), (1, 1, "no")]'
    if len(frame) != rows:
        return f"there are {len(frame)} rows, and {rows} are asked for"
    table = Table(frame, decision="d")
    for names, wanted in ((["a"], 0.0), (["b"], 0.0), (["a", "b"], 1.0)):
        found = quality(table, names)
        if found != wanted:
            return f"with {' and '.join(names)} γ is {found:.2f}, and {wanted:g} is asked for"
    return ""


STARTER = '''
def approximations(frame, names, decision, value):
    """The lower and the upper approximation of the rows whose decision is the value: a pair of sets of row numbers.

    frame: a DataFrame with the index 0, 1, 2, … names: the attributes that are known. Two rows are in one granule
    when they agree in all of them; with no names, all rows are in one.
    """
    raise NotImplementedError
'''
WORKED = """```python
def approximations(frame, names, decision, value):
    granules = {}
    for row, values in enumerate(frame[names].itertuples(index=False, name=None)):
        granules.setdefault(values, set()).add(row)
    concept = set(frame.index[frame[decision] == value])
    lower, upper = set(), set()
    for granule in granules.values():
        if granule <= concept:
            lower |= granule
        if granule & concept:
            upper |= granule
    return lower, upper
```"""


@exercise("02.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `approximations`, from which γ, reducts and rules follow. The check compares "
        "both sets with ours for every decision class of four tables, with growing sets of attributes.",
        hints=[
            "a dictionary from the known values to the set of row numbers holds the granules",
            "a granule goes into the lower approximation as a whole or not at all; the same holds for the upper one",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Both sets equal ours for every decision class of hayes-roth, zoo, the flu and six people.",
        starter=STARTER,
    )


def _differs(approximations: object) -> str:
    if not callable(approximations):
        return "the answer is the function approximations"
    tables = {"six people": load("decision6"), "the flu": _flu(), "zoo": load("zoo"), "hayes-roth": load("hayes-roth")}
    for name, table in tables.items():
        frame = table.frame.reset_index(drop=True)
        for known in (table.conditions[:count] for count in range(len(table.conditions) + 1)):
            for value in frame[table.decision].unique():
                lower, upper = approximations(frame.copy(), list(known), table.decision, value)
                ours = approximate(table, value, known) if known else None
                right = _whole(frame, table.decision, value) if ours is None else (set(ours.lower), set(ours.upper))
                if (set(lower), set(upper)) != right:
                    return f"{name}, {table.decision} = {value}, {len(known)} attributes known: other sets than ours"
    return ""


def _whole(frame: pd.DataFrame, decision: str, value: object) -> tuple[set, set]:
    """With nothing known all rows are one granule."""
    everybody = set(range(len(frame)))
    return (everybody if np.all(frame[decision] == value) else set()), everybody
