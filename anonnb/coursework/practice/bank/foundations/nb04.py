"""Exercises of notebook 04, rule induction."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.rules.induction.lers import LERS
from anonnb.rules.induction.mlem2 import mlem2, mlem2_steps
from anonnb.rules.induction.textbook_steps import elementary_pairs
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Block = set[int]


def _loans(rows: str) -> Table:
    """A table of job, home and decision from a text such as "clerk rents yes, cook owns no"."""
    cells = [row.split() for row in rows.split(", ")]
    frame = pd.DataFrame(cells, columns=["job", "home", "loan"])
    return Table(frame, decision="loan", kinds=dict.fromkeys(frame, "nominal"))


@exercise("04.1")
def first_condition(numbers: Numbers) -> Exercise:
    rows = numbers.one_of(
        [
            "clerk rents yes, clerk rents yes, clerk owns no, cook rents no, pilot owns yes, pilot rents no",
            "cook owns yes, clerk owns yes, clerk rents yes, clerk rents no, pilot owns no, cook rents no",
            "pilot rents yes, pilot owns yes, cook owns yes, cook rents no, clerk owns no, clerk owns no",
        ]
    )
    table = _loans(rows)
    first = mlem2_steps(table, "yes").iloc[0]
    blocks = {str(pair.condition): pair.block for pair in elementary_pairs(table)}
    yes = set(np.flatnonzero(table["loan"] == "yes").tolist())
    return Exercise(
        f"Six people with job, home and loan: {rows}. MLEM2 looks for rules for *loan = yes*. Which condition does it "
        'take first? Answer with a text such as "job = cook".',
        hints=[
            "write down the block of each of the five conditions, and count its rows with *yes*",
            "of conditions that keep equally many rows with *yes*, the one with fewer rows in all is taken",
        ],
        worked=lambda: (
            "Rows with *yes* and all rows of each block: "
            + ", ".join(f"{name}: {len(block & yes)} of {len(block)}" for name, block in blocks.items())
            + f". MLEM2 takes {first['what']}."
        ),
        expected=lambda: first["what"],
    )


@exercise("04.2")
def bounds(numbers: Numbers) -> Exercise:
    values = numbers.one_of(
        [
            {18: "no", 22: "yes", 26: "yes", 34: "yes", 40: "no", 50: "no"},
            {20: "no", 30: "no", 36: "yes", 44: "yes", 60: "no"},
            {19: "no", 25: "yes", 31: "yes", 33: "no", 47: "no", 51: "no"},
        ]
    )
    table = Table(pd.DataFrame({"age": values.keys(), "buys": values.values()}), decision="buys")
    told = ", ".join(f"{age} {buys}" for age, buys in values.items())
    conditions = len(elementary_pairs(table))
    return Exercise(
        f"Ages, and whether these people buy: {told}. How many elementary conditions has MLEM2 on age, and what are "
        "the lower and the upper bound of its rule for *yes*? Answer with a list of three numbers.",
        hints=[
            "bounds lie halfway between neighbouring ages, and each gives two conditions: at least, at most",
            "the rule needs one bound that keeps out the younger people with *no*, and one that keeps out the older",
        ],
        worked=lambda: (
            f"{len(values)} ages have {len(values) - 1} gaps and {conditions} conditions. The rule is "
            f"{mlem2(table, 'yes')[0].premise}: each bound is the one that keeps out the nearest *no*, for it keeps "
            "all rows with *yes* and has the smallest block of those that do."
        ),
        expected=lambda: [conditions, *_bounds(table)],
    )


def _bounds(table: Table) -> tuple[float, float]:
    [condition] = mlem2(table, "yes")[0].conditions
    return condition.lower, condition.upper


@exercise("04.3")
def vote(numbers: Numbers) -> Exercise:
    sex, job, home = numbers.one_of(
        [("male", "engineer", "Fukuoka"), ("female", "salesman", "Fukuoka"), ("male", "engineer", "Tokyo")]
    )
    person = pd.DataFrame({"sex": [sex], "occupation": [job], "domicile": [home]})
    voters = LERS().fit(load("decision6"))
    return Exercise(
        f"The four rules of the six people vote by LERS about a new person: {sex}, {job}, {home}. What are the scores "
        'of the classes? Answer with a dict such as {"high": 1, "low": 0, "medium": 2}.',
        hints=[
            "does a rule match fully? If not, each counts with the share of its conditions that hold",
            "a rule gives its class share × strength × number of conditions; add up for every class",
        ],
        worked=lambda: (
            "; ".join(
                f"{rule}: {met} of {rule.specificity} conditions hold, strength {rule.strength}"
                for rule, met in zip(voters.rules_, voters.rules_.conditions_met(person)[0], strict=True)
            )
            + f". The scores are {_scores(voters, person)}."
        ),
        expected=lambda: _scores(voters, person),
    )


def _scores(voters: LERS, person: pd.DataFrame) -> dict[str, float]:
    scores = dict(zip(voters.rules_.classes, voters.scores(person)[0], strict=True))
    return {name: float(scores[name]) for name in ("high", "low", "medium")}


@exercise("04.4")
def no_short_rule(numbers: Numbers) -> Exercise:
    attributes = numbers.one_of([2, 3])
    count = 2**attributes
    example = [(*cells, sum(cells) % 2) for cells in product((0, 1), repeat=attributes)]
    shape = ", ".join("abc"[:attributes])
    return Exercise(
        f"Find a table of {count} rows with {attributes} attributes, each 0 or 1, and a class, 0 or 1, in which no two "
        f"rows agree on all attributes and every rule of MLEM2 covers a single row. Answer with a list of {count} "
        f"tuples ({shape}, class).",
        hints=[
            f"{count} different rows are all combinations there are; only the classes are free",
            "a rule with a condition less covers two rows that differ in one attribute: these must be of both classes",
        ],
        worked=f"Whenever one attribute changes, the class must change: it is the parity of the sum. {example} is such "
        "a table. No attribute can be left out, so each rule is a row and publishes it.",
        judge=lambda rows: _not_parity(rows, attributes),
    )


def _not_parity(rows: object, attributes: int) -> str:
    names = [*"abc"[:attributes], "class"]
    try:
        frame = pd.DataFrame([tuple(map(int, row)) for row in rows], columns=names)
    except (TypeError, ValueError):
        return f"the answer is a list of tuples ({', '.join(names)})"
    if len(frame) != 2**attributes or not frame.isin([0, 1]).all(axis=None):
        return f"{2**attributes} rows of zeros and ones are asked for"
    if frame.duplicated(names[:-1]).any():
        return "two rows agree on all attributes"
    if frame["class"].nunique() < 2:
        return "all rows are of one class, so that a rule without conditions would do"
    widest = max(mlem2(Table(frame.astype(str), decision="class")), key=lambda rule: rule.support)
    return f"the rule {widest} covers {widest.support} rows" if widest.support > 1 else ""


STARTER = '''
def one_rule(blocks, uncovered, concept):
    """One rule of MLEM2: the list of its conditions.

    blocks: a dict with the block (a set of rows) of every condition, in the order of attributes and values.
    uncovered: the rows of the concept that no rule covers yet. concept: the rows that the rule may cover.
    At first, the goal is the set of uncovered rows. Take the condition with the most rows of the goal; of these the one
    with the smallest block, of these the first. The goal keeps the rows of that block. Go on until no row outside the
    concept satisfies all conditions. Then, from the first to the last, drop each condition that is not needed for that.
    """
    raise NotImplementedError
'''
WORKED = """```python
def one_rule(blocks, uncovered, concept):
    def rows(names):
        return set.intersection(*(blocks[name] for name in names))

    goal, taken = set(uncovered), []
    while not taken or not rows(taken) <= concept:
        free = [name for name in blocks if name not in taken and blocks[name] & goal]
        best = max(free, key=lambda name: (len(blocks[name] & goal), -len(blocks[name])))
        taken.append(best)
        goal &= blocks[best]
    for name in list(taken):
        others = [other for other in taken if other != name]
        if others and rows(others) <= concept:
            taken = others
    return taken
```"""


@exercise("04.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `one_rule`, the core of MLEM2. The check calls it until every row is covered, "
        "drops rules that the others make redundant, and compares with `mlem2` on the six people, the animals and six "
        "random tables.",
        hints=[
            "`max` with a pair as key, (rows of the goal kept, minus the size of the block), takes the first best",
            "two loops: the first adds conditions until the intersection of their blocks lies in the concept; the "
            "second goes through the conditions taken and tries to do without each",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your rule in place of ours, MLEM2 finds the same rules in all eight tables.",
        starter=STARTER,
    )


def premises_with(one_rule: Callable, table: Table, concept: object) -> set[frozenset[str]]:
    """MLEM2 with another core: the conditions of every rule for a class."""
    blocks = {str(pair.condition): set(pair.block) for pair in elementary_pairs(table)}
    goal = set(np.flatnonzero((table[table.decision] == concept).to_numpy()).tolist())
    found: list[tuple[frozenset[str], Block]] = []
    uncovered = set(goal)
    while uncovered:
        names = list(one_rule({name: set(block) for name, block in blocks.items()}, set(uncovered), set(goal)))
        covered = set.intersection(*(blocks[name] for name in names))
        if not covered & uncovered:
            raise ValueError(f"the rule {' and '.join(names)} covers no uncovered row")
        found.append((frozenset(names), covered))
        uncovered -= covered
    for entry in list(found):
        others = [other for other in found if other is not entry]
        if goal <= set().union(*(block for _, block in others)):
            found = others
    return {names for names, _ in found}


def _differs(one_rule: object) -> str:
    if not callable(one_rule):
        return "the answer is the function one_rule"
    for name, table in _tables():
        for concept in dict.fromkeys(table[table.decision]):
            ours = {frozenset(map(str, rule.conditions)) for rule in mlem2(table, concept)}
            if premises_with(one_rule, table, concept) != ours:
                return f"of {name} your rules for {table.decision} = {concept} are other ones than ours"
    return ""


def _tables() -> list[tuple[str, Table]]:
    zoo = load("zoo").frame.drop(columns="animal_name").astype(str).drop_duplicates()
    tables = [("the six people", load("decision6")), ("the animals", _nominal(zoo, "type"))]
    for number in range(6):
        cells = np.random.default_rng(number).integers(0, 3, (16, 4))
        frame = pd.DataFrame(cells, columns=list("abcd")).drop_duplicates(list("abc")).astype(str)
        tables.append((f"random table {number}", _nominal(frame, "d")))
    return tables


def _nominal(frame: pd.DataFrame, decision: str) -> Table:
    return Table(frame.reset_index(drop=True), decision=decision, kinds=dict.fromkeys(frame, "nominal"))
