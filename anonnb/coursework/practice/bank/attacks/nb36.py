"""Exercises of notebook 36, intersection and minimality."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.privacy.models import AlphaK, LDiversity
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Groups = Sequence[Sequence[int]]
Beliefs = list[dict[str, float]]


@exercise("36.1")
def two_releases(numbers: Numbers) -> Exercise:
    illnesses, first, second = numbers.one_of(
        [
            ("flu cold cold gout flu gout cold flu", [(1, 2, 3), (4, 5, 6), (7, 8)], [(1, 2), (3, 4), (5, 6, 7, 8)]),
            ("cold flu gout gout cold flu flu cold", [(1, 2, 3, 4), (5, 6, 7, 8)], [(1, 2), (3, 4, 5), (6, 7, 8)]),
            ("gout flu flu cold gout cold flu gout", [(1, 2), (3, 4, 5), (6, 7, 8)], [(1, 2, 3), (4, 5), (6, 7, 8)]),
        ]
    )
    has = dict(enumerate(illnesses.split(), 1))
    return Exercise(
        f"Eight people, 1 to 8, have {', '.join(f'{person} {illness}' for person, illness in has.items())}. A first "
        f"release publishes the groups {_told(first)}, a second one {_told(second)}; each shows the illnesses of a "
        "group, not who has which, and the attacker knows who is in which group. Whose illness follows from the two "
        "releases together? Answer with a list of people.",
        hints=[
            "for each person write down the illnesses of the first group and of the second, and keep what is in both",
            "whoever is left with one illness is found out; a group with a single illness is enough by itself",
        ],
        worked=lambda: _intersected(has, first, second),
        expected=lambda: found_by_both(has, first, second),
    )


def _told(groups: Groups) -> str:
    return ", ".join("{" + ", ".join(map(str, group)) + "}" for group in groups)


def left_by_both(has: dict[int, str], first: Groups, second: Groups) -> dict[int, set[str]]:
    """For each person the secrets that occur in the person's groups of both releases."""
    said = [{person: {has[one] for one in group} for group in groups for person in group} for groups in (first, second)]
    return {person: said[0][person] & said[1][person] for person in has}


def found_by_both(has: dict[int, str], first: Groups, second: Groups) -> list[int]:
    """Those for whom one secret is left."""
    return [person for person, left in left_by_both(has, first, second).items() if len(left) == 1]


def _intersected(has: dict[int, str], first: Groups, second: Groups) -> str:
    left = left_by_both(has, first, second)
    told = "; ".join(f"{person}: {' or '.join(sorted(values))}" for person, values in left.items())
    return (
        f"What both releases leave: {told}. So {', '.join(map(str, found_by_both(has, first, second)))} are found out."
    )


@exercise("36.2")
def backwards(numbers: Numbers) -> Exercise:
    forty, sixty, ill = numbers.one_of([(3, 5, 2), (3, 7, 3), (4, 6, 3), (5, 7, 4)])
    return Exercise(
        f"{forty} people are 40 years old and {sixty} are 60. {ill} of the {forty + sixty} have HIV, and all others "
        "have illnesses of their own. A method publishes two classes, one per age, if HIV has a share of at most one "
        f"half in both, and one class of all otherwise. It has published one class. With which probability does "
        "somebody of 40 have HIV, for an attacker who knows the method and takes all tables as equally likely?",
        hints=[
            "how many of the ill can be 40 years old, such that the method does not publish two classes?",
            f"for each such number i there are C({forty}, i) · C({sixty}, {ill} − i) tables; the probability is the "
            f"mean of i over these tables, divided by {forty}",
        ],
        worked=lambda: _weighed(forty, sixty, ill),
        expected=lambda: float(share_at_forty(forty, sixty, ill)),
    )


def tables_that_merge(forty: int, sixty: int, ill: int) -> dict[int, int]:
    """For each number of ill people of 40 that forbids two classes, the number of tables with it."""
    people = range(forty + sixty)
    found: dict[int, int] = {}
    for chosen in combinations(people, ill):
        young = sum(person < forty for person in chosen)
        if 2 * young > forty or 2 * (ill - young) > sixty:
            found[young] = found.get(young, 0) + 1
    return found


def share_at_forty(forty: int, sixty: int, ill: int) -> Fraction:
    """The probability that somebody of 40 is ill, over the tables that forbid two classes."""
    worlds = tables_that_merge(forty, sixty, ill)
    return Fraction(sum(young * count for young, count in worlds.items()), forty * sum(worlds.values()))


def _weighed(forty: int, sixty: int, ill: int) -> str:
    worlds = tables_that_merge(forty, sixty, ill)
    told = ", ".join(f"{count} tables with {young} ill people of 40" for young, count in worlds.items())
    share = share_at_forty(forty, sixty, ill)
    return (
        f"One class is published for {told}. The mean number of ill people of 40 is {share * forty}, so each of the "
        f"{forty} has HIV with probability {share}, about {float(share):.3f}. The class alone says "
        f"{Fraction(ill, forty + sixty)}."
    )


@exercise("36.3")
def everybody(numbers: Numbers) -> Exercise:
    illnesses = numbers.one_of(
        ["flu cold gout flu cold gout", "gout gout flu flu cold cold", "cold flu flu gout cold gout"]
    ).split()
    has = dict(enumerate(illnesses, 1))
    return Exercise(
        f"Six people, 1 to 6, have {', '.join(f'{person} {illness}' for person, illness in has.items())}. Publish them "
        "twice in groups of two, such that each group has two different illnesses and yet the two releases together "
        "reveal everybody's. Answer with two lists of three pairs each, such as ([(1, 2), (3, 4), (5, 6)], [...]).",
        hints=[
            "a person's two partners must have different illnesses, and neither may have the person's own",
            "there are three illnesses, so somebody with flu needs one partner with cold and one with gout: draw the "
            "six people in a circle in which neighbours are partners, and take every other edge",
        ],
        worked=lambda: (
            f"For instance {example(has)}: around a circle in which flu, cold and gout follow each other, the first "
            "release pairs every second edge and the second one the others. Each person has a partner with each of the "
            "two other illnesses, so only the own one is in both groups. Two releases that are 2-anonymous and "
            "2-diverse hide nothing together."
        ),
        judge=lambda releases: _not_everybody(releases, has),
    )


def example(has: dict[int, str]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Two releases in pairs that reveal everybody together."""
    kinds = sorted(set(has.values()))
    ring = [[person for person, illness in has.items() if illness == kind][turn] for turn in range(2) for kind in kinds]
    edges = [(one, ring[(place + 1) % 6]) for place, one in enumerate(ring)]
    return edges[::2], edges[1::2]


def _not_everybody(releases: object, has: dict[int, str]) -> str:
    try:
        first, second = ([tuple(map(int, pair)) for pair in release] for release in releases)
    except (TypeError, ValueError):
        return "the answer is a pair of lists of pairs, such as ([(1, 2), (3, 4), (5, 6)], [(1, 3), (2, 5), (4, 6)])"
    for release in (first, second):
        if sorted(person for pair in release for person in pair) != sorted(has) or {len(pair) for pair in release} != {
            2
        }:
            return "in each release everybody must be in exactly one group of two"
        for one, other in release:
            if has[one] == has[other]:
                return f"the group {one, other} has one illness only, so it reveals both people by itself"
    found = found_by_both(has, first, second)
    hidden = [person for person in has if person not in found]
    return f"the illness of {', '.join(map(str, hidden))} does not follow" if hidden else ""


STARTER = '''
def reason(classes, secrets, publish, published):
    """What an attacker who knows the method believes: for each person a dictionary from secrets to probabilities.

    classes: the class of each person in the release. secrets: the secrets of the classes, listed like the people; who
    of a class has which is unknown. publish: the method, a function from a list of secrets, one per person, to what it
    would publish. Try every way to deal the secrets of each class to its people (each different one once), keep those
    of which publish gives published, and return how often each person has each secret in those that are kept.
    """
    raise NotImplementedError
'''
WORKED = """```python
def reason(classes, secrets, publish, published):
    from itertools import permutations, product

    members = {}
    for person, group in enumerate(classes):
        members.setdefault(group, []).append(person)
    dealt = [sorted(set(permutations([secrets[person] for person in group]))) for group in members.values()]
    kept = []
    for choice in product(*dealt):
        world = list(secrets)
        for group, values in zip(members.values(), choice):
            for person, value in zip(group, values):
                world[person] = value
        if publish(world) == published:
            kept.append(world)
    columns = [[world[person] for world in kept] for person in range(len(classes))]
    return [{value: column.count(value) / len(kept) for value in set(column)} for column in columns]
```"""


@exercise("36.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `reason`, the core of the minimality attack, with all worlds instead of a "
        "sample. The check runs it with Mondrian as the method, on four small tables, two of them with several "
        "classes.",
        hints=[
            "gather the people of each class first; itertools.permutations gives the ways to deal its secrets, and a "
            "set of them drops those that are equal",
            "itertools.product combines the ways of all classes; write each into a list with one secret per person and "
            "call publish",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="On all four tables your beliefs are right.",
        starter=STARTER,
    )


def small_cases() -> Iterator[tuple[str, Table, Mondrian]]:
    """The tables of the check, each with its method."""
    half, two = Mondrian(k=2, require=[AlphaK(0.5, 2)]), Mondrian(k=2, require=[LDiversity(2)])
    yield "six people", _table([40] * 2 + [60] * 4, ["HIV", "HIV", "flu", "flu", "cold", "cold"]), half
    yield "five people", _table([40, 40, 40, 60, 60], ["HIV", "HIV", "flu", "flu", "cold"]), two
    yield "seven people in classes", _table([20, 20, 40, 40, 60, 60, 60], list("abccaba")), two
    yield "six people, secrets ignored", _table([20, 21, 22, 60, 61, 62], list("aabbab")), Mondrian(k=3)


def _table(ages: Sequence[int], illnesses: Sequence[str]) -> Table:
    return Table(pd.DataFrame({"age": ages, "illness": illnesses}), quasi=["age"], sensitive="illness")


def publisher(table: Table, method: Mondrian) -> Callable[[Sequence[str]], list[str]]:
    """The method as a function from secrets to what is published of the ages."""
    ages = table["age"].tolist()
    return lambda secrets: [str(cell) for cell in method.anonymize(_table(ages, list(secrets))).columns["age"].texts()]


def exact_beliefs(table: Table, release: Release, publish: Callable[[Sequence[str]], list[str]]) -> Beliefs:
    """What follows from all tables that give the release, found by dealing all secrets and asking about the classes."""
    secrets, published = table["illness"].tolist(), publish(table["illness"].tolist())
    by_class = [sorted(secrets[place] for place in places) for places in _members(release)]
    worlds = [
        world
        for world in sorted(set(permutations(secrets)))
        if [sorted(world[place] for place in places) for places in _members(release)] == by_class
        and publish(world) == published
    ]
    columns = list(zip(*worlds, strict=True))
    return [{value: column.count(value) / len(worlds) for value in set(column)} for column in columns]


def _members(release: Release) -> list[list[int]]:
    groups = release.groups.tolist()
    return [[place for place, group in enumerate(groups) if group == one] for one in range(release.n_groups)]


def _differs(reason: object) -> str:
    if not callable(reason):
        return "the answer is the function reason"
    for name, table, method in small_cases():
        release, publish = method.anonymize(table), publisher(table, method)
        secrets = table["illness"].tolist()
        theirs = reason(release.groups.tolist(), list(secrets), publish, publish(secrets))
        ours = exact_beliefs(table, release, publish)
        for person, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            for value in sorted(set(one) | set(other)):
                if abs(one.get(value, 0) - other.get(value, 0)) > 1e-9:
                    return (
                        f"of {name}, person {person} has {value} with {one.get(value, 0):.3f} by yours, and with "
                        f"{other.get(value, 0):.3f} by ours"
                    )
    return ""
