"""Exercises of notebook 05, imprecise rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import ceil

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.rules.induction.imprecise import imprecise_rules
from anonnb.rules.induction.mlem2 import mlem2
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

TABLE_2 = {
    "I1": ({"sex": "female"}, {"low", "medium"}),
    "I2": ({"occupation": "engineer"}, {"low", "medium"}),
    "I3": ({"sex": "male"}, {"low", "high"}),
    "I4": ({"occupation": "salesman"}, {"low", "high"}),
    "I5": ({"domicile": "Fukuoka"}, {"medium", "high"}),
    "I6": ({"sex": "male", "occupation": "salesman"}, {"medium", "high"}),
}


@exercise("05.1")
def unions(numbers: Numbers) -> Exercise:
    classes = numbers.one_of([5, 6, 8, 9])
    return Exercise(
        f"A table has {classes} decision classes. For how many unions of 1, 2, … classes, all but one at most, does "
        "`imprecise_rules` call MLEM2, and how many of these unions hold a given class? Answer with a pair.",
        hints=[
            "every class is in a union or not; two of the subsets are no concept: which?",
            "with the given class in it, each of the others is still free; one of these unions is all classes",
        ],
        worked=f"There are 2^{classes} subsets without the empty one and the whole: {2**classes - 2}. With a given "
        f"class 2^{classes - 1} are left, without the whole {2 ** (classes - 1) - 1}.",
        expected=lambda: (2**classes - 2, 2 ** (classes - 1) - 1),
    )


@exercise("05.2")
def intersection(numbers: Numbers) -> Exercise:
    sex, job, home = numbers.one_of(
        [("male", "engineer", "Tokyo"), ("female", "salesman", "Osaka"), ("male", "engineer", "Fukuoka")]
    )
    person = {"sex": sex, "occupation": job, "domicile": home}
    matching = {name: then for name, (parts, then) in TABLE_2.items() if parts.items() <= person.items()}
    left = set.intersection(*matching.values())
    return Exercise(
        f"A new person is {sex}, {job}, from {home}. Which evaluations do the rules I1 to I6 leave? Answer with a set "
        'of texts such as {"low", "high"}.',
        hints=[
            "first find the rules all of whose conditions hold",
            "an evaluation is left if every one of these rules leaves it; nothing may be left as well",
        ],
        worked=f"{', '.join(matching)} match; they leave "
        + "; ".join(" or ".join(sorted(then)) for then in matching.values())
        + f". In common: {', '.join(sorted(left)) or 'nothing, the rules contradict each other about this person'}.",
        expected=lambda: left,
    )


@exercise("05.3")
def fewest(numbers: Numbers) -> Exercise:
    classes, least = numbers.one_of([(7, 4), (9, 6), (10, 7), (8, 6)])
    return Exercise(
        f"There are {classes} classes, and to be careful only rules are published that leave at least {least} of them. "
        "How many rules at least must match a person before one class is left? Answer with a number.",
        hints=[
            "turn it round: how many classes does a rule exclude at most, and how many must be excluded?",
            "the same class need not be excluded twice; round up",
        ],
        worked=f"A rule excludes at most {classes - least} classes, and {classes - 1} must go: {classes - 1} / "
        f"{classes - least}, rounded up, is {ceil((classes - 1) / (classes - least))}. So it takes a few rules only, "
        "however imprecise each of them is.",
        expected=lambda: ceil((classes - 1) / (classes - least)),
    )


STARTER = '''
def careful_rules(classes, rules_for, k):
    """All rules for unions of classes that at least k rows support, and the rows that are lost by that.

    classes: a list. rules_for(union): the rules of MLEM2 for a tuple of classes, each a pair (text, set of rows).
    Ask for the unions of one class, of two, and so on to all but one, each in the order of classes; keep the rules
    that at least k rows support. Return the list of their texts, and the set of rows that only other rules cover.
    """
    raise NotImplementedError
'''
WORKED = """```python
def careful_rules(classes, rules_for, k):
    from itertools import combinations

    kept, covered, everybody = [], set(), set()
    for size in range(1, len(classes)):
        for union in combinations(classes, size):
            for text, rows in rules_for(union):
                everybody |= rows
                if len(rows) >= k:
                    kept.append(text)
                    covered |= rows
    return kept, everybody - covered
```"""


@exercise("05.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `careful_rules`, the induction of k-anonymous rules. The check calls it with "
        "MLEM2 on the six people, the animals, hayes-roth and a random table, for several k.",
        hints=[
            "`itertools.combinations(classes, size)` gives the unions of a size in the order of classes",
            "collect all rows that any rule covers, and all that a kept rule covers: the lost ones are the difference",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your loop in place of ours, the rules and the lost rows are the same in all eleven cases.",
        starter=STARTER,
    )


def rules_of(table: Table) -> Callable[[Collection], list[tuple[str, set[int]]]]:
    """MLEM2 for a union of classes, as the exercise wants it."""

    def rules_for(union: Collection) -> list[tuple[str, set[int]]]:
        found = mlem2(table, list(union))
        rows = found.matches(table).T
        return [(str(rule), set(np.flatnonzero(own).tolist())) for rule, own in zip(found, rows, strict=True)]

    return rules_for


def _differs(careful_rules: object) -> str:
    if not callable(careful_rules):
        return "the answer is the function careful_rules"
    for name, table, k in _cases():
        ours = imprecise_rules(table, k)
        texts, lost = careful_rules(list(ours.classes), rules_of(table), k)
        if list(texts) != [str(rule) for rule in ours]:
            return f"of {name} with k = {k} you keep {len(texts)} rules, and other ones than our {len(ours)}"
        if {int(row) for row in lost} != set(ours.info["lost"].tolist()):
            return f"of {name} with k = {k} you lose {len(lost)} rows, and other ones than our {len(ours.info['lost'])}"
    return ""


def _cases() -> list[tuple[str, Table, int]]:
    rng = np.random.default_rng(0)
    random = Table(pd.DataFrame(rng.integers(0, 4, (40, 4)), columns=list("abcd")).astype(str), decision="d")
    tables = {
        "the six people": (load("decision6"), (1, 2, 3)),
        "the animals": (load("zoo"), (3, 10)),
        "hayes-roth": (load("hayes-roth"), (2, 5, 12)),
        "a random table": (random, (2, 3, 5)),
    }
    return [(name, table, k) for name, (table, ks) in tables.items() for k in ks]
