"""Exercises of notebook 34, linkage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from anonnb.attacks.linkage import LinkageAttack
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Pair = tuple[int, int]


@exercise("34.1")
def right_links(numbers: Numbers) -> Exercise:
    towns, ages = numbers.one_of(
        [
            ("LLLGGGGW", "2 2 4 2 4 4 4 2"),
            ("LLGGGWWW", "2 2 2 4 4 2 4 4"),
            ("LLLLGGWW", "2 4 4 4 2 2 2 2"),
        ]
    )
    names = {"L": "Linz", "G": "Graz", "W": "Wien"}
    people = list(zip([names[town] for town in towns], [f"{age}0s" for age in ages.split()], strict=True))
    said = "; ".join(f"{town}, {age}" for town, age in people)
    return Exercise(
        f"A table of eight people is published without names: {said}. The attacker's list has the same eight people, "
        "with town and age group, and each person is linked to one of the rows that fit, at random. How many of the "
        "eight links are right, on average?",
        hints=[
            "gather the people who read alike; what does a group of s people add, when each of them is linked rightly "
            "with a chance of one in s",
            "s people with a chance of 1/s each: the same for every s. So it is enough to count something",
        ],
        worked=lambda: _classes_add_one(people),
        expected=lambda: len(set(people)),
    )


def _classes_add_one(people: list[tuple[str, str]]) -> str:
    parts = [f"{town}, {age}: {count} · 1/{count}" for (town, age), count in Counter(people).items()]
    return f"{'; '.join(parts)}. Each combination adds one, so {len(parts)} links are right on average."


@exercise("34.2")
def three_attackers(numbers: Numbers) -> Exercise:
    sample, population = numbers.one_of(
        [((2, 3, 5), (8, 3, 20)), ((2, 4, 6), (10, 5, 12)), ((3, 4, 5), (3, 16, 20)), ((2, 2, 4), (4, 8, 5))]
    )
    return Exercise(
        f"A release has three classes of {_listed(sample)} rows. It is a sample of a population in which "
        f"{_listed(population)} people fit these classes, and the boxes do not overlap. What is the highest chance (a) "
        "that a prosecutor, who knows that a person is in the release, picks the person's row, (b) that a journalist, "
        "who picks a row and somebody of the population who fits it, has the right person; and (c) which share of "
        "right links does a marketer expect who links every row to a random person of the population who fits it? "
        "Answer with a list of three numbers.",
        hints=[
            "the prosecutor chooses among the rows of a class, the journalist among the people of the population who "
            "fit it; for the highest chance take the smallest of each",
            "a class of f rows and F people adds f/F right links; divide the sum by the number of rows",
        ],
        worked=lambda: _three_risks(sample, population),
        expected=lambda: [float(risk) for risk in risks(sample, population)],
    )


def _listed(sizes: Sequence[int]) -> str:
    *first, last = map(str, sizes)
    return f"{', '.join(first)} and {last}"


def risks(sample: Sequence[int], population: Sequence[int]) -> tuple[Fraction, Fraction, Fraction]:
    """The risk of prosecutor, journalist and marketer, from the rows of each class and the people who fit it."""
    links = sum(Fraction(rows, people) for rows, people in zip(sample, population, strict=True))
    return Fraction(1, min(sample)), Fraction(1, min(population)), links / sum(sample)


def _three_risks(sample: Sequence[int], population: Sequence[int]) -> str:
    prosecutor, journalist, marketer = risks(sample, population)
    links = " + ".join(f"{rows}/{people}" for rows, people in zip(sample, population, strict=True))
    return (
        f"The smallest class has {min(sample)} rows: {prosecutor}. Fewest people of the population fit a class with "
        f"{min(population)}: {journalist}. The marketer expects {links} right links of {sum(sample)}: {marketer}, "
        f"about {float(marketer):.3f}."
    )


@exercise("34.3")
def pairs_that_hide(numbers: Numbers) -> Exercise:
    ages = numbers.one_of([(21, 25, 34, 38, 47, 59), (19, 22, 30, 41, 45, 60), (24, 28, 35, 43, 50, 66)])
    least = min(links_of_pairs(pairs) for pairs in pairings(ages))
    return Exercise(
        f"Six people are {', '.join(map(str, ages))} years old. Put them in three pairs; of each pair both rows show "
        "the interval from the younger to the older, so the release is 2-anonymous whatever you do. Neighbours in "
        "pairs give 3 right links of 6, on average. Which pairs give the fewest? Answer with a list of three pairs.",
        hints=[
            "candidates are all rows whose interval holds the person's age, from every pair: intervals may overlap",
            "an age in the middle can lie in all three intervals; what must the lower and the upper ends be then",
        ],
        worked=lambda: (
            f"Pair each of the three youngest with one of the three oldest, for instance "
            f"{', '.join(map(str, zip(ages[:3], ages[3:], strict=True)))}. The two in the middle then have 6 "
            f"candidates, their neighbours 4 and the outermost 2: 2 · (1/6 + 1/4 + 1/2) = {least}, about "
            f"{float(least):.2f} right links. The price is width: k says nothing about it."
        ),
        judge=lambda pairs: _not_fewest(pairs, ages, least),
    )


def pairings(ages: Sequence[int]) -> Iterator[list[Pair]]:
    """All ways to put people in pairs.

    >>> len(list(pairings(range(6))))
    15
    """
    if not ages:
        yield []
        return
    first, *rest = ages
    for other in rest:
        for pairs in pairings([age for age in rest if age != other]):
            yield [(first, other), *pairs]


def links_of_pairs(pairs: Sequence[Pair]) -> Fraction:
    """How many links are right on average when both rows of a pair show its interval."""
    ages = [age for pair in pairs for age in pair]
    return sum(Fraction(1, 2 * sum(min(pair) <= age <= max(pair) for pair in pairs)) for age in ages)


def _not_fewest(pairs: object, ages: Sequence[int], least: Fraction) -> str:
    try:
        given = [(int(one), int(other)) for one, other in pairs]
    except (TypeError, ValueError):
        return "the answer is a list of three pairs of ages, such as [(21, 25), (34, 38), (47, 59)]"
    if sorted(age for pair in given for age in pair) != sorted(ages):
        return "every one of the six ages must be in exactly one pair"
    found = links_of_pairs(given)
    return "" if found == least else f"these pairs give {float(found):.2f} right links, and fewer is possible"


STARTER = '''
def link(people, rows, owner):
    """The risks of a release, as a dictionary with the keys marketer, prosecutor and journalist.

    people: a list of dictionaries, what the list says of each person, such as {"age": 38, "sex": "f"}.
    rows: a list of dictionaries with the same keys; a cell is the set of the values that it leaves possible.
    owner: for each row the place of its person in people. A row fits a person when every cell holds the person's value.
    A person's chance is 1 / rows that fit if their own row is among them, else 0. marketer: the mean of all chances.
    prosecutor: the highest. journalist: 1 / people who fit, for the row that the fewest people fit (but some do).
    """
    raise NotImplementedError
'''
WORKED = """```python
def link(people, rows, owner):
    own = {person: row for row, person in enumerate(owner)}
    chances, fitting = [], [0] * len(rows)
    for place, person in enumerate(people):
        found = [
            number
            for number, row in enumerate(rows)
            if all(person[name] in cell for name, cell in row.items())
        ]
        for number in found:
            fitting[number] += 1
        chances.append(1 / len(found) if own.get(place) in found else 0)
    seen = [count for count in fitting if count]
    return {
        "marketer": sum(chances) / len(people),
        "prosecutor": max(chances),
        "journalist": 1 / min(seen) if seen else 0,
    }
```"""


@exercise("34.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `link`, the core of the linkage attack. The check compares your three risks "
        "with ours on the survey, on a part of Adult, and on ten small releases, some with overlapping boxes and some "
        "with rows withheld.",
        hints=[
            "for each person collect the numbers of the rows that fit; that is one loop with a test of all cells",
            "count at the same time how many people each row fits; a person whose row was withheld has chance 0",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="On all twelve releases your risks are those of LinkageAttack.",
        starter=STARTER,
    )


def plain(release: Release) -> tuple[list[dict], list[dict], list[int]]:
    """People, rows and owners of a release in plain Python: what ``link`` gets."""
    table = release.table
    people = table.frame[table.quasi].to_dict("records")
    cells = {name: _cells(release, name) for name in table.quasi}
    rows = [{name: cells[name][place] for name in table.quasi} for place in range(len(release))]
    return people, rows, release.rows.tolist()


def _cells(release: Release, name: str) -> list[set]:
    column = release.columns[name]
    values = np.asarray(column.attribute.domain, dtype=object)
    sets = [set(values[mask]) for mask in column.sets.as_masks()]
    return [sets[place] for place in column.index]


def _differs(link: object) -> str:
    if not callable(link):
        return "the answer is the function link"
    for name, release in releases():
        found = LinkageAttack().run(release)
        ours = {"marketer": found.success, "prosecutor": found.info["prosecutor"]}
        ours["journalist"] = found.info["journalist"]
        theirs = link(*plain(release))
        for risk, value in ours.items():
            if not isinstance(theirs, dict) or risk not in theirs:
                return "the function returns a dictionary with the keys marketer, prosecutor and journalist"
            if abs(theirs[risk] - value) > 1e-9:
                return f"of {name} your {risk} has {theirs[risk]:.4f}, and ours {value:.4f}"
    return ""


def releases() -> Iterator[tuple[str, Release]]:
    """The releases of the check, by name."""
    yield "the survey", Mondrian(k=5).anonymize(load("survey"))
    yield "a part of Adult", Mondrian(k=4).anonymize(load("adult").take(range(60)))
    for number in range(10):
        yield f"small release {number}", _small(np.random.default_rng(number), withheld=number % 2)


def _small(rng: np.random.Generator, withheld: int) -> Release:
    """Seven people in boxes that may overlap, and perhaps one of them is not published."""
    frame = pd.DataFrame({"age": rng.integers(20, 30, 7), "sex": rng.choice(["f", "m"], 7)})
    low, high = (frame["age"] - rng.integers(0, 4, 7)).clip(20), (frame["age"] + rng.integers(0, 4, 7)).clip(upper=29)
    shown = pd.DataFrame({"age": [f"[{a}-{b}]" for a, b in zip(low, high, strict=True)]})
    shown["sex"] = np.where(rng.random(7) < 0.4, "*", frame["sex"])
    kept = range(7 - withheld)
    return Release.from_frame(shown.iloc[list(kept)], like=Table(frame, quasi=["age", "sex"]), rows=kept)
