"""Exercises of notebook 30, the shallow attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd

from anonnb.attacks import ShallowAttack
from anonnb.coursework.practice.bank.attacks.nb31 import nine_patterns
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Row = dict[str, set[str]]


def paper() -> tuple[Release, Table]:
    """The paper's nine patterns and its six people."""
    six = load("decision6")
    return Release.from_frame(nine_patterns(), like=six), six


@exercise("30.1")
def intersect_by_hand(numbers: Numbers) -> Exercise:
    known, target = numbers.one_of(
        [
            ({"domicile": "Osaka"}, "sex"),
            ({"sex": "male", "domicile": "Tokyo"}, "evaluation"),
            ({"occupation": "engineer", "domicile": "Osaka"}, "evaluation"),
            ({"sex": "female", "occupation": "engineer"}, "domicile"),
        ]
    )
    facts = " and ".join(f"{name} = {value}" for name, value in known.items())
    return Exercise(
        f"The nine patterns of the notebook again. The attacker knows {facts}. What does the shallow attack infer "
        f"about the {target}, with a pencil? Answer with a value, in quotation marks.",
        hints=[
            f"first mark the patterns that allow {facts}; a pattern that says *male or female* allows both",
            f"then strike out every {target} that one of the marked patterns does not allow",
        ],
        worked=lambda: _explained(known, target),
        expected=lambda: _inferred(known, target),
    )


def _case(known: Mapping[str, str], target: str):
    return ShallowAttack().case(paper()[0], known, target)


def _inferred(known: Mapping[str, str], target: str) -> str:
    release, six = paper()
    found = ShallowAttack(known=list(known), targets=[target]).run(release, six).targets
    text = " and ".join(f"{name} = {value}" for name, value in known.items())
    return str(found.set_index("known").loc[text, "inferred"])


def _explained(known: Mapping[str, str], target: str) -> str:
    case = _case(known, target)
    said = "; ".join(f"pt{row + 1}: {words}" for row, words in zip(case.selected, case.says, strict=True))
    return f"These patterns fit, and say about the {target}: {said}. All of them allow {_inferred(known, target)} only."


@exercise("30.2")
def one_more_row(numbers: Numbers) -> Exercise:
    values = numbers.one_of([5, 6, 8])
    return Exercise(
        f"A secret has {values} values. Each published row that fits what an attacker knows allows a set of exactly "
        f"{values - 1} of them. How many *different* sets must these rows show at least, so that the shallow attack "
        "infers a secret?",
        hints=[
            "each of these sets leaves out one value",
            "the intersection holds the values that no row leaves out; one has to be left",
        ],
        worked=f"A row leaves out one value. One of {values} stays in the intersection once the other {values - 1} "
        f"have been left out, so {values - 1} different sets are needed. Wide sets protect only while few meet.",
        expected=lambda: values - 1,
    )


@exercise("30.3")
def false_inference(numbers: Numbers) -> Exercise:
    truth = numbers.one_of(["low", "medium", "high"])
    return Exercise(
        "Three people live in Tokyo and are evaluated low, medium and high. Publish **patterns**: each allows Tokyo "
        "and a set of evaluations, and one of them at least allows the evaluation of the person evaluated "
        f"{truth}. Choose them such that the shallow attack, knowing Tokyo, infers a single evaluation and is wrong "
        "about this person. Answer with a list of sets of evaluations, such as [{'low', 'high'}].",
        hints=[
            "the attack intersects the sets of different people as if they were about one",
            f"take a set that allows {truth} and another value, and a second set that shares only the other value",
        ],
        worked=lambda: (
            f"`{_two_sets(truth)}`: the first is true of the person evaluated {truth}. Their intersection is "
            "a single value, and it is another one. Where the target is published as a set, a claim may be false."
        ),
        judge=lambda answer: _not_false(answer, truth),
    )


VALUES = ("low", "medium", "high")


def _two_sets(truth: str) -> list[list[str]]:
    other, third = (value for value in VALUES if value != truth)
    return [[truth, other], [other, third]]


def _not_false(answer: object, truth: str) -> str:
    try:
        sets = [sorted(map(str, each)) for each in answer]
    except TypeError:
        return "the answer is a list of sets, such as [{'low', 'high'}]"
    if not sets or not all(each and set(each) <= set(VALUES) for each in sets):
        return "every pattern is a set of low, medium and high"
    if not any(truth in each for each in sets):
        return f"no pattern allows {truth}"
    people = pd.DataFrame({"town": ["Tokyo"] * 3, "evaluation": VALUES})
    table = Table(people, quasi=["town"], sensitive=["evaluation"], decision="evaluation")
    cells = pd.DataFrame({"town": ["Tokyo"] * len(sets), "evaluation": [" or ".join(each) for each in sets]})
    release = Release.from_frame(cells, like=table)
    said = ShallowAttack(known=1, targets="decision").run(release, table).targets["inferred"].iloc[0]
    if not said:
        return "the attack infers nothing"
    return "the attack is right" if said == truth else ""


STARTER = '''
def shallow(rows, known, target):
    """What the shallow attack infers: a value of the target, or None.

    rows: a list of dictionaries from attributes to the set of values that a published row allows.
    known: a dictionary from attributes to the person's values. target: the attribute that is attacked.
    Keep the rows that allow all known values, intersect what they allow for the target, and return the value if a
    single one is left. Without rows there is nothing to infer.
    """
    raise NotImplementedError
'''
WORKED = """```python
def shallow(rows, known, target):
    left = None
    for row in rows:
        fits = all(value in row[name] for name, value in known.items())
        if not fits:
            continue
        left = set(row[target]) if left is None else left & row[target]
    if left is not None and len(left) == 1:
        return next(iter(left))
    return None
```"""


@exercise("30.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `shallow`. The check runs it on every pair of known values and every target "
        "of the paper's nine patterns and of twenty random releases, and compares every inferred value with ours.",
        hints=[
            "a row fits if each known value is in the row's set for that attribute",
            "start the intersection with the first row that fits, and not with an empty set",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your function infers the same in every case of all 21 releases.",
        starter=STARTER,
    )


def _differs(shallow: Callable[[list[Row], dict[str, str], str], str | None]) -> str:
    if not callable(shallow):
        return "the answer is the function shallow"
    for name, release, table in releases():
        rows = sets_of(release)
        for line in ShallowAttack(known=2).run(release, table).targets.itertuples():
            known = dict(fact.split(" = ") for fact in line.known.split(" and "))
            theirs = shallow([{key: set(said) for key, said in row.items()} for row in rows], known, line.target)
            if (theirs or "") != line.inferred:
                return (
                    f"in {name}, knowing {line.known}, yours says {theirs} about {line.target}, and ours "
                    f"{line.inferred or None}"
                )
    return ""


def sets_of(release: Release) -> list[Row]:
    """The published rows as sets of labels."""
    frame = release.frame.astype(str)
    return [
        {name: set(cell.split(" or ")) for name, cell in zip(frame, cells, strict=True)}
        for cells in frame.itertuples(index=False)
    ]


def releases() -> Iterator[tuple[str, Release, Table]]:
    """The paper's release, and random sets over small tables; some known values fit no row."""
    yield "the paper's patterns", *paper()
    rng = np.random.default_rng(30)
    domains = {"town": list("TOF"), "job": list("abc"), "sex": list("fm"), "secret": list("lmh")}
    for number in range(20):
        people = pd.DataFrame({name: rng.choice(values, 10) for name, values in domains.items()})
        for name, values in domains.items():
            people.loc[: len(values) - 1, name] = values
        table = Table(people, quasi=["town", "job", "sex"], sensitive=["secret"], decision="secret")
        cells = {
            name: [" or ".join(sorted(rng.choice(values, rng.integers(1, 3), replace=False))) for _ in range(5)]
            for name, values in domains.items()
        }
        yield f"random release {number + 1}", Release.from_frame(pd.DataFrame(cells), like=table), table
