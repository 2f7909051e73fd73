"""Exercises of notebook 00, the first tour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.attacks.secrets.homogeneity import HomogeneityAttack
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.privacy.measures import k as smallest_class
from anonnb.privacy.risks import risk
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@exercise("00.1")
def alike_by_hand(numbers: Numbers) -> Exercise:
    people = numbers.one_of(
        [
            ("34 F", "34 F", "34 M", "41 M", "41 M", "41 M", "52 F", "58 M"),
            ("20 M", "20 M", "20 F", "35 F", "47 M", "47 M", "47 M", "60 F"),
            ("19 F", "28 M", "28 M", "28 F", "44 F", "44 F", "44 F", "51 M"),
        ]
    )
    return Exercise(
        f"Eight people, by age and sex: {', '.join(people)}. Somebody who knows the age and the sex of a person in the "
        "table picks one of the rows that fit, at random. What is the chance of picking the right row, averaged over "
        "the eight people?",
        hints=[
            "a person in a class of three rows is picked with the chance 1/3; write the chance beside each person",
            "add up the eight chances class by class: what do the members of one class sum to, whatever its size?",
        ],
        worked=lambda: (
            f"The members of a class of n rows have the chance 1/n each, so every class adds 1. There are "
            f"{len(set(people))} classes: {len(set(people))}/8 = {len(set(people)) / 8:g}."
        ),
        expected=lambda: risk(_by_age_and_sex(people)).prosecutor_average,
    )


def _by_age_and_sex(people: Sequence[str]) -> Table:
    ages, sexes = zip(*(person.split() for person in people), strict=True)
    return Table(pd.DataFrame({"age": list(map(int, ages)), "sex": sexes}), quasi=["age", "sex"])


@exercise("00.2")
def yardstick(numbers: Numbers) -> Exercise:
    success, control, baseline = numbers.one_of([(70, 60, 75), (64, 52, 80), (58, 44, 65), (82, 76, 70)])
    return Exercise(
        f"An attack is right about {success} % of the people in a release. The same attack is right about {control} % "
        f"of people who are not in it, and guessing the commonest value is right about {baseline} %. What is the "
        "excess? Answer with a share between 0 and 1.",
        hints=[
            "what the attack gets right about people outside is known about the population; only the rest is due to "
            "being in the release",
            f"of 100 people {control} are lost in any case; how many of the others does the release give away?",
        ],
        worked=f"({success} − {control}) / (100 − {control}) = {(success - control) / (100 - control):g}. The "
        "baseline does not enter: it says what a guess is worth, the control what the attack is worth without the "
        "person's row.",
        expected=lambda: (success - control) / (100 - control),
    )


@exercise("00.3")
def anonymous_and_disclosed(numbers: Numbers) -> Exercise:
    k = numbers.one_of([3, 4, 5])
    people = 3 * k
    return Exercise(
        f"Is k-anonymity enough? Find {people} people, each a pair (what is published about the person, secret), such "
        f'as ("30–39", "flu"), so that every class has at least {k} of them, the table has at least three different '
        f"secrets, and anyone who knows a person's class learns the secret of exactly {k} people for certain. Answer "
        "with a list of pairs.",
        hints=[
            "a class gives a secret away when all its members have it",
            f"make one class of {k} people with one secret; the others must be mixed, and they must hold the other "
            "secrets",
        ],
        worked=lambda: f"`{[('a', 'flu')] * k + [('b', 'cold'), ('b', 'cancer')] * k}`: class a gives the flu away.",
        judge=lambda pairs: _not_disclosed(pairs, people, k),
    )


def _not_disclosed(pairs: object, people: int, k: int) -> str:
    try:
        frame = pd.DataFrame([(str(shown), str(secret)) for shown, secret in pairs], columns=["shown", "secret"])
    except (TypeError, ValueError):
        return 'the answer is a list of pairs, such as [("30–39", "flu"), ("40–49", "cold")]'
    if len(frame) != people:
        return f"there are {len(frame)} people, and {people} are asked for"
    found = smallest_class(Table(frame, quasi=["shown"]))
    if found < k:
        return f"the smallest class has {found} people, fewer than {k}"
    if frame["secret"].nunique() < 3:
        return "the table has fewer than three different secrets"
    given_away = int((frame.groupby("shown")["secret"].transform("nunique") == 1).sum())
    return "" if given_away == k else f"the secret of {given_away} people is given away, and {k} are asked for"


STARTER = '''
def attack(published, people):
    """How many people the attacker makes a claim about, and how many claims are right: a pair.

    published: a list of rows (cells, secret); cells is a dictionary from column to the set of values that the cell
    allows. people: a list of pairs (facts, secret); facts is a dictionary from column to the person's value.
    A row may be a person's when each of its cells allows the person's value. If all rows that may be the person's have
    one secret, the attacker claims it. Otherwise, and if no row fits, the attacker is silent.
    """
    raise NotImplementedError
'''
WORKED = """```python
def attack(published, people):
    claims = right = 0
    for facts, secret in people:
        left = {
            other
            for cells, other in published
            if all(value in cells[column] for column, value in facts.items())
        }
        if len(left) == 1:
            claims += 1
            right += secret in left
    return claims, right
```"""


@exercise("00.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `attack`, which decides what everything else in this course is measured by. "
        "The check attacks five releases with it, people in them and people outside, and compares with the package.",
        hints=[
            "for one person collect the secrets of all rows that fit in a set; its size decides",
            "a person outside the release may fit rows of other people: then a claim can be wrong",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="Your attack claims as much as ours about five releases, inside and outside, and is right as often.",
        starter=STARTER,
    )


def _differs(attack: object) -> str:
    if not callable(attack):
        return "the answer is the function attack"
    quasi = ["age", "sex", "education"]
    adult = load("adult").select([*quasi, "income"]).with_roles(quasi=quasi, sensitive=["income"], decision="income")
    inside, outside = adult.take(np.arange(150)), adult.take(np.arange(150, 300))
    for k in (1, 2, 3, 5, 10):
        release = Mondrian(k=k).anonymize(inside) if k > 1 else Release.of(inside)
        for people, where in ((inside, "in the release"), (outside, "outside")):
            found = HomogeneityAttack(column="income").run(release, people)
            ours, yours = (int(found.claims), int(found.right)), tuple(attack(_rows(release), _people(people)))
            if ours != yours:
                return f"with k = {k} and people {where} your attack makes {yours} claims and right ones, ours {ours}"
    return ""


def _rows(release: Release) -> list[tuple[dict[str, set], str]]:
    """The published rows as dictionaries of sets, with their income."""
    cells = {
        name: [set(np.flatnonzero(column.sets.mask(number)).tolist()) for number in range(len(column.sets))]
        for name, column in release.columns.items()
    }
    secrets = release.frame["income"].tolist()
    return [
        ({name: set(cells[name][release.columns[name].index[row]]) for name in release.quasi}, secrets[row])
        for row in range(len(release))
    ]


def _people(people: Table) -> list[tuple[dict[str, int], str]]:
    codes = {name: people.codes(name).tolist() for name in people.quasi}
    return [
        ({name: codes[name][row] for name in codes}, secret) for row, secret in enumerate(people["income"].tolist())
    ]
