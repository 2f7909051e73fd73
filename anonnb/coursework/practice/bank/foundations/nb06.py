"""Exercises of notebook 06, k-anonymous rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.rules.induction.imprecise import imprecise_rules
from anonnb.rules.induction.mlem2 import mlem2
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Supported = tuple[str, int]  # the letters of the classes that a rule leaves, and its supporters


@exercise("06.1")
def largest_k(numbers: Numbers) -> Exercise:
    rules = numbers.one_of(
        [
            (("B", 4), ("AB", 9), ("BC", 7), ("ABC", 30), ("BCD", 21), ("ABD", 12)),
            (("BD", 6), ("ABC", 14), ("BCD", 25), ("AB", 11), ("B", 3), ("ABD", 18)),
            (("BC", 8), ("B", 5), ("ABD", 16), ("ABC", 22), ("BCD", 19), ("BD", 10)),
        ]
    )
    listed = "; ".join(f"{_union(classes)} [{support}]" for classes, support in rules)
    return Exercise(
        f"The classes are A, B, C and D. These rules match one person of class B, with the classes they leave and "
        f"their supporters: {listed}. What is the largest k at which the person is still explained exactly?",
        hints=[
            "only rules with at least k supporters are published; intersect what they leave",
            "begin with the rule of most supporters and add the next ones, until B alone is left; the last one added "
            "decides",
        ],
        worked=lambda: _added_up(rules),
        expected=lambda: max(k for k in range(1, 40) if _left(rules, k) == {"B"}),
    )


def _union(classes: str) -> str:
    return " or ".join(classes)


def _left(rules: Sequence[Supported], k: int) -> set[str]:
    """What the rules with at least k supporters leave; all classes where there are none."""
    return set("ABCD").intersection(*(classes for classes, support in rules if support >= k))


def _added_up(rules: Sequence[Supported]) -> str:
    parts = []
    for classes, support in sorted(rules, key=lambda rule: -rule[1]):
        left = _left(rules, support)
        parts.append(f"{_union(classes)} [{support}] leaves {_union(''.join(sorted(left)))}")
        if left == {"B"}:
            break
    return f"From the most supporters down: {'; then '.join(parts)}. At one k more that rule is gone."


@exercise("06.2")
def subtraction(numbers: Numbers) -> Exercise:
    (whole, part), (wide, narrow) = (
        numbers.one_of([(23, 19), (31, 29), (17, 12), (44, 41)]),
        numbers.one_of([("refused or deferred", "refused"), ("granted or deferred", "granted")]),
    )
    return Exercise(
        f"A bank publishes two rules of MLEM2 with their supports, k = 10: *if owner = no then loan = {wide}* "
        f"[{whole}] and *if owner = no and age = young then loan = {narrow}* [{part}]. How many non-owners are not "
        "young, and which class must at least one of them have? Answer with a pair (number, class).",
        hints=[
            "everybody who satisfies the longer premise satisfies the shorter one, too",
            "why does the second rule ask for the age at all? MLEM2 drops conditions that are not needed",
        ],
        worked=f"{whole} − {part} = {whole - part}: the supporters of the second rule are among those of the first. "
        f"Were all {whole - part} {narrow}, the second rule would be right without *age = young*, and MLEM2 would have "
        "dropped the condition. So one of them is deferred: that is what the first rule leaves besides.",
        expected=lambda: (whole - part, *set(wide.split(" or ")) - {narrow}),
    )


@exercise("06.3")
def unions_alone(numbers: Numbers) -> Exercise:
    k = numbers.one_of([2, 3])
    return Exercise(
        f"Precise rules may explain nobody where imprecise ones explain everybody exactly. Make such a table for k = "
        f"{k}: a list of at most 12 rows, each a tuple of values whose last one is its class.",
        hints=[
            f"with fewer than {k} rows in each class no precise rule has {k} supporters; so make three small classes",
            "each union of two classes needs a condition that just these two satisfy: one attribute for each union",
        ],
        worked=f"Three classes of {k - 1}, and an attribute for each class that is 1 for it and 0 for the others: "
        + ", ".join(str(row) for row in _three_classes(k))
        + ". The condition *attribute = 0* has the two other classes as its supporters, and each row satisfies two "
        "such conditions: their conclusions have its class alone in common.",
        judge=lambda rows: _not_by_unions_alone(rows, k),
        confirmed="The package finds no precise rule with enough supporters, and imprecise ones that leave every row "
        "its class.",
    )


def _three_classes(k: int) -> list[tuple]:
    return [(*(int(each == name) for each in "ABC"), name) for name in "ABC" for _ in range(k - 1)]


def _not_by_unions_alone(rows: object, k: int) -> str:
    try:
        texts = [tuple(map(str, row)) for row in rows]
    except TypeError:
        return "the answer is a list of tuples, such as [(0, 1, 'A'), (1, 1, 'B')]"
    if not 1 <= len(texts) <= 12 or len(set(map(len, texts))) > 1 or len(texts[0]) < 2:
        return "the answer has 1 to 12 rows of equal length, each with at least one value before its class"
    names = [*(f"a{number}" for number in range(1, len(texts[0]))), "class"]
    frame = pd.DataFrame(texts, columns=names)
    if frame["class"].nunique() < 3:
        return "with two classes there are no unions but the whole table; take at least three"
    table = Table(frame, decision="class", kinds=dict.fromkeys(frame, "nominal"))
    explained = int(mlem2(table).filter(min_support=k).explains(table).sum())
    if explained:
        return f"precise rules with {k} supporters explain {explained} of your rows"
    exact = int((imprecise_rules(table, k).left_classes(table).sum(axis=1) == 1).sum())
    return "" if exact == len(table) else f"imprecise rules explain {exact} of your {len(table)} rows exactly"


STARTER = '''
def classes_left(rows, classes, rules_for, k):
    """For each row the set of classes that the k-anonymous rules leave; an empty set where no rule matches it.

    rows: a list of row numbers. classes: a list. rules_for(union) gives, for a tuple of classes in the order of the
    list, the rules that MLEM2 finds: for each of them the set of the rows that support it.
    Ask for all unions of one to len(classes) - 1 classes.
    """
    raise NotImplementedError
'''
WORKED = """```python
def classes_left(rows, classes, rules_for, k):
    from itertools import combinations

    left = {}
    for size in range(1, len(classes)):
        for union in combinations(classes, size):
            for supporters in rules_for(union):
                if len(supporters) < k:
                    continue
                for row in supporters:
                    left[row] = left.get(row, set(classes)) & set(union)
    return {row: left.get(row, set()) for row in rows}
```"""


@exercise("06.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `classes_left`: it asks MLEM2 for the rules of every union, keeps those with "
        "k supporters and intersects what they leave. The check compares it with the package on the six people, "
        "hayes-roth, iris and the zoo, for three k each.",
        hints=[
            "itertools.combinations(classes, size) gives the unions of one size, in the order of the list",
            "begin with all classes for a row when its first rule turns up, and keep what each further rule leaves",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="On four tables and three k each, your function leaves every row the classes that the package "
        "leaves.",
        starter=STARTER,
    )


def _differs(classes_left: Callable) -> str:
    if not callable(classes_left):
        return "the answer is the function classes_left"
    for name in ("decision6", "hayes-roth", "iris", "zoo"):
        table = load(name)
        everything = imprecise_rules(table)
        own = _supporters(everything, table)
        for k in (1, 2, 10):
            flags = everything.filter(min_support=k).left_classes(table)
            expected = [{everything.classes[number] for number in np.flatnonzero(row)} for row in flags]
            found = classes_left(list(range(len(table))), list(everything.classes), own.__getitem__, k)
            wrong = [row for row, classes in enumerate(expected) if set(found.get(row, "?")) != classes]
            if wrong:
                return f"in {name} with k = {k}, {len(wrong)} rows are left other classes, row {wrong[0]} the first"
    return ""


def _supporters(rules: RuleSet, table: Table) -> dict[tuple, list[set[int]]]:
    """For every union of classes with rules the rows that support each of them."""
    found: dict[tuple, list[set[int]]] = defaultdict(list)
    for rule, hit in zip(rules, rules.matches(table).T, strict=True):
        found[rule.conclusion].append(set(np.flatnonzero(hit).tolist()))
    return found
