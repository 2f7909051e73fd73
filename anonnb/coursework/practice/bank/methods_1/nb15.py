"""Exercises of notebook 15, top-down and bottom-up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.cuts.nodes import Nodes
from anonnb.methods.cuts.specialization import TopDown
from anonnb.tables.datasets import load
from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.table import Table
from anonnb.utility import classification_metric

Move = tuple[str, str]


@exercise("15.1")
def score_by_hand(numbers: Numbers) -> Exercise:
    yes, no, elsewhere = numbers.one_of([(6, 2, 12), (9, 3, 10), (12, 4, 20), (15, 5, 18)])
    before, after = (min(size, elsewhere) for size in (2 * (yes + no), yes + no))
    return Exercise(
        f"{2 * (yes + no)} rows show the value v, all in one class. Refining it gives two values: {yes} yes and {no} "
        f"no hold the first one, {no} yes and {yes} no the second. The smallest class without v has {elsewhere} rows. "
        "What is Score(v)? Four decimal places.",
        hints=[
            "before, yes and no are equally many, so the entropy is 1 bit; after, both values have the entropy of "
            f"{yes} : {no}",
            "the degree is the size of the smallest class of the whole table, with and without v; AnonyLoss is how "
            "much it drops",
        ],
        worked=lambda: (
            f"The entropy falls from 1 to {1 - _gain(yes, no):.4f} bits, so InfoGain is {_gain(yes, no):.4f}. The "
            f"degree goes from {before} to {after}, so AnonyLoss is {before - after}. The score is "
            f"{_gain(yes, no):.4f} / {before - after + 1} = {_score(yes, no, elsewhere):.4f}."
        ),
        expected=lambda: round(_score(yes, no, elsewhere), 4),
    )


def _gain(yes: int, no: int) -> float:
    shares = np.array([yes, no]) / (yes + no)
    return float(1 + (shares * np.log2(shares)).sum())


def _score(yes: int, no: int, elsewhere: int) -> float:
    size = yes + no
    return _gain(yes, no) / (min(2 * size, elsewhere) - min(size, elsewhere) + 1)


@exercise("15.2")
def largest_k(numbers: Numbers) -> Exercise:
    attribute, value = numbers.one_of([("Hours", "[1,100)"), ("Sex", "any_sex"), ("Marital_status", "been_married")])
    return Exercise(
        f"On the survey's 66 rows, what is the largest k at which top-down still refines {value} of {attribute}?",
        hints=[
            "look at the steps: some refinements come before it, and all of them together make the smallest class",
            "as k grows, a refinement is lost when it would leave a class of fewer than k rows; whatever is lost, the "
            "scores of the others may change the order, but no class grows by a refinement",
        ],
        worked=lambda: (
            f"Up to k = {_largest_k(value)} the classes that refining {value} makes are large enough; at "
            f"k = {_largest_k(value) + 1} one of them is too small."
        ),
        expected=lambda: _largest_k(value),
    )


def _largest_k(value: str) -> int:
    survey = load("survey")
    ks = range(2, len(survey) + 1)
    return max(k for k in ks if value in TopDown(k=k).anonymize(survey).info["trace"]["before"].tolist())


@exercise("15.3")
def misled(numbers: Numbers) -> Exercise:
    k = numbers.one_of([2, 3, 4])
    return Exercise(
        f"Top-down takes the best refinement and does not look ahead. Mislead it with k = {k}: give {4 * k} rows "
        "(x, y, z, class), each of them four short texts, so that x and y alone, as they are, make classes of at least "
        "k rows that all have a single class value, while top-down publishes a table in which some row is not of its "
        "class's majority.",
        hints=[
            "neither x nor y alone should reveal anything about the class: let the class be one value where x and y "
            "agree and another where they differ",
            "let z be the class itself except in one row: it is refined first, and then x and y would each make a "
            "class that is one row too small",
        ],
        worked=lambda: (
            "x and y determine the class together and reveal nothing alone, so z, which is right except in one row, is "
            "refined first. Then x and y are both blocked: "
            + ", ".join(f"({', '.join(row)})" for row in misleading_rows(k))
            + "."
        ),
        judge=lambda rows: _not_misled(rows, k),
        confirmed="x and y alone predict every row, and top-down, which refined z first, does not.",
    )


def misleading_rows(k: int) -> list[tuple[str, str, str, str]]:
    """Rows that mislead top-down: x and y are exclusive-or, z is the class but for one row."""
    rows = [
        (x, y, "same" if x == y else "other", "same" if x == y else "other")
        for x in "ab"
        for y in "ab"
        for _ in range(k)
    ]
    place = next(place for place, row in enumerate(rows) if row[:2] == ("a", "b"))
    rows[place] = ("a", "b", "same", "other")
    return rows


def _not_misled(rows: object, k: int) -> str:
    try:
        frame = pd.DataFrame([tuple(map(str, row)) for row in rows])
    except TypeError:
        return "the answer is a list of rows, such as [('a', 'b', 'c', 'yes')]"
    if frame.shape != (4 * k, 4):
        return f"the answer has {frame.shape[0]} rows of {frame.shape[1]} texts, and {4 * k} rows of 4 are asked for"
    frame.columns = ["x", "y", "z", "class"]
    classes = frame.groupby(["x", "y"])["class"]
    if classes.size().min() < k:
        return f"x and y alone make a class of {classes.size().min()} rows"
    if classes.nunique().max() > 1:
        return "x and y alone leave a class with several class values"
    flat = dict.fromkeys("xyz", Hierarchy.flat())
    table = Table(frame, quasi=list(flat), decision="class", hierarchies=flat)
    wrong = classification_metric(table, TopDown(k=k).anonymize(table))
    return "" if wrong > 0 else "what top-down publishes of it predicts every row"


STARTER = '''
def best_refinement(shown, finer, decision, k):
    """The value to refine next: (column, value), the one with the best Score; None where no refinement is allowed.

    shown: a DataFrame of texts, the quasi-identifiers as the present cut shows them. finer: the same rows, each cell
    one level lower; a value that cannot be refined is the same in both. decision: a Series, the class of every row.
    Refining a value replaces it in all rows that show it. Allowed: every class keeps at least k rows. Ties: any.
    """
    raise NotImplementedError
'''
WORKED = """```python
def best_refinement(shown, finer, decision, k):
    def entropy(labels):
        shares = labels.value_counts(normalize=True)
        return -(shares * np.log2(shares)).sum()

    best, degree = None, shown.value_counts().min()
    for column in shown:
        for value in shown[column].unique():
            rows = shown[column] == value
            children = finer.loc[rows, column]
            after = shown.copy()
            after.loc[rows, column] = children
            smallest = after.value_counts().min()
            if (children == value).all() or smallest < k:
                continue
            parts = sum(len(part) * entropy(part) for _, part in decision[rows].groupby(children))
            gain = entropy(decision[rows]) - parts / rows.sum()
            score = gain / (degree - smallest + 1)
            if best is None or score > best[0] + 1e-12:
                best = score, (column, value)
    return None if best is None else best[1]
```"""


@exercise("15.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `best_refinement`, the core of top-down. The check puts it in place of ours "
        "and refines the survey at four values of k and a part of Adult with it.",
        hints=[
            "try every value of every column: replace it by what stands in finer, count the classes, skip it if one "
            "has fewer than k rows",
            "InfoGain looks only at the rows that show the value: their entropy before, minus the mean entropy of the "
            "rows of each child, weighted by their numbers; AnonyLoss compares the smallest classes of the whole table",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your choice in place of ours, top-down publishes the same five tables.",
        starter=STARTER,
    )


def refined_with(
    best_refinement: Callable[[pd.DataFrame, pd.DataFrame, pd.Series, int], Move | None], table: Table, k: int
) -> pd.DataFrame:
    """Top-down with another choice of the value to refine: the quasi-identifiers it publishes."""
    ladders = {name: _ladder(table, name) for name in table.quasi}
    levels = {name: np.full(len(table), len(ladders[name]) - 1) for name in table.quasi}
    places, decision = np.arange(len(table)), table[table.decision].astype(str).reset_index(drop=True)
    while True:
        shown = pd.DataFrame({name: ladders[name][levels[name], places] for name in table.quasi})
        finer = pd.DataFrame({name: ladders[name][np.maximum(levels[name] - 1, 0), places] for name in table.quasi})
        move = best_refinement(shown.copy(), finer.copy(), decision.copy(), k)
        if move is None:
            return shown
        name, value = move
        rows = (shown[name] == value).to_numpy()
        if not rows.any() or (finer.loc[rows, name] == value).all():
            raise ValueError(f"{value!r} of {name} cannot be refined")
        levels[name][rows] -= 1


def _ladder(table: Table, name: str) -> np.ndarray:
    """The text of every row at every level of a hierarchy, the values first."""
    tree = Nodes(table.attributes[name], table.codes(name))
    return np.array(tree.labels, dtype=object)[tree.ladder[:, table.codes(name)]]


def _differs(best_refinement: object) -> str:
    if not callable(best_refinement):
        return "the answer is the function best_refinement"
    for name, table, k in _tables():
        ours = TopDown(k=k).anonymize(table).frame[table.quasi].astype(str).reset_index(drop=True)
        theirs = refined_with(best_refinement, table, k)
        if not (ours.to_numpy() == theirs.astype(str).to_numpy()).all():
            wrong = [column for column in ours if (ours[column] != theirs[column].astype(str)).any()]
            return f"with k = {k} your choice publishes {name} differently from ours: see {', '.join(wrong)}"
    return ""


def _tables() -> list[tuple[str, Table, int]]:
    survey = load("survey")
    some = load("adult").with_roles(quasi=["sex", "marital-status", "education"]).take(np.arange(600))
    return [*(("the survey", survey, k) for k in (2, 4, 12, 20)), ("600 rows of Adult", some, 10)]
