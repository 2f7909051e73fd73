"""Exercises of notebook 27, republication."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.republication.m_invariance import MInvariance
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Groups = Sequence[Sequence[int]]


def _resumed(stayers: Sequence[tuple[str, str]], newcomers: str = "") -> Release:
    """The next release of people with (secret, letters of their signature), and of newcomers with these secrets."""
    secrets = [secret for secret, _ in stayers] + list(newcomers)
    frame = pd.DataFrame({"age": range(20, 20 + len(secrets)), "ill": secrets})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    return MInvariance(m=2).resume(table, {row: list(letters) for row, (_, letters) in enumerate(stayers)})


def _fakes(release: Release) -> int:
    return int(release.secrets.counterfeits.sum())


@exercise("27.1")
def lacking(numbers: Numbers) -> Exercise:
    secrets = numbers.one_of(["aaabbc", "abbbcc", "aabccc", "aaaabc"])
    stayers = [(secret, "abc") for secret in secrets]
    return Exercise(
        f"Six people stay, and nobody joins. All were published with the illnesses a, b and c. They have "
        f"{', '.join(secrets[:-1])} and {secrets[-1]}. How many counterfeits does the next release need?",
        hints=[
            "every group needs one row of each illness of its signature",
            "there are as many groups as the most frequent illness has people; count the places, and the people",
        ],
        worked=lambda: _lacking_words(secrets),
        expected=lambda: _fakes(_resumed(stayers)),
    )


def _lacking_words(secrets: str) -> str:
    most = max(secrets.count(letter) for letter in "abc")
    return (
        f"The most frequent illness has {most} people, so there are {most} groups with three places each: {3 * most} "
        f"places for 6 people, which leaves {3 * most - 6} to counterfeits."
    )


@exercise("27.2")
def with_newcomers(numbers: Numbers) -> Exercise:
    stayers, newcomers = numbers.one_of(
        [
            ([("a", "ab"), ("a", "ab"), ("b", "ab"), ("c", "cd")], "bb"),
            ([("a", "ab"), ("c", "cd"), ("c", "cd")], "bda"),
            ([("a", "ab"), ("b", "ab"), ("c", "ac"), ("c", "ac")], "aab"),
        ]
    )
    there = "; ".join(f"{secret} (published with {' and '.join(letters)})" for secret, letters in stayers)
    return Exercise(
        f"People who stay have these illnesses: {there}. {len(newcomers)} newcomers have {', '.join(newcomers)}. A "
        "newcomer may fill a gap in any group, and newcomers who are left form groups of two different illnesses. How "
        "many counterfeits are needed at least?",
        hints=[
            "put those who stay into buckets by their signature, and count which illnesses each bucket lacks",
            "a newcomer who fills a gap takes the bucket's signature; those who are left must pair up or get a "
            "counterfeit each",
        ],
        worked=lambda: _newcomers_words(stayers, newcomers),
        expected=lambda: fewest_counterfeits(stayers, newcomers)[0],
    )


def fewest_counterfeits(stayers: Sequence[tuple[str, str]], newcomers: str) -> tuple[int, dict[int, str]]:
    """By trying all: the fewest counterfeits, and which newcomers join which bucket; the others make groups of two.

    >>> fewest_counterfeits([("a", "ab")], "b"), fewest_counterfeits([("a", "ab")], "c")
    ((0, {0: 'ab'}), (2, {}))
    """
    names = sorted({letters for _, letters in stayers})
    found = []
    for places in product(["", *names], repeat=len(newcomers)):
        joined = list(zip(newcomers, places, strict=True))
        if any(place and secret not in place for secret, place in joined):
            continue
        held = {name: "".join(secret for secret, place in [*stayers, *joined] if place == name) for name in names}
        gaps = sum(len(name) * max(map(secrets.count, name)) - len(secrets) for name, secrets in held.items())
        left = "".join(secret for secret, place in joined if not place)
        most = max(map(left.count, left), default=0)
        lonely = max(2 * most - len(left), 0)  # three different secrets may share a group
        found.append((gaps + lonely, {number: place for number, place in enumerate(places) if place}))
    return min(found, key=lambda each: each[0])


def _newcomers_words(stayers: Sequence[tuple[str, str]], newcomers: str) -> str:
    names = sorted({letters for _, letters in stayers})
    held = {name: ", ".join(secret for secret, letters in stayers if letters == name) for name in names}
    gaps = "; ".join(f"{' and '.join(name)} holds {secrets}" for name, secrets in held.items())
    count, joined = fewest_counterfeits(stayers, newcomers)
    moves = "; ".join(
        f"a newcomer with {newcomers[number]} joins {' and '.join(name)}" for number, name in joined.items()
    )
    how = moves or "nobody joins a bucket"
    return f"The buckets: {gaps}. One of the best ways: {how}. It takes {counted(count, 'counterfeit')}."


@exercise("27.3")
def nobody_leaves(numbers: Numbers) -> Exercise:
    side = numbers.one_of([2, 3])
    people = side * side
    return Exercise(
        f"{people} people, numbered from 1 to {people}, have {people} different illnesses. Nobody leaves and nobody "
        f"joins. Publish them twice, each time in groups of {side}, such that each release by itself leaves {side} "
        "illnesses for everybody, and both together leave one. Answer with a list of two groupings, each a list of "
        "lists of numbers.",
        hints=[
            "two people who share a group in both releases cannot be told apart",
            f"arrange the numbers in a square with {side} rows and {side} columns",
        ],
        worked=lambda: (
            f"`{square(side)}`: the rows of a square, then its columns. A row and a column share one person. "
            "So even a table that does not change must not be grouped anew."
        ),
        judge=lambda answer: _not_found_out(answer, side),
    )


def square(side: int) -> list[list[list[int]]]:
    """The rows of a square of numbers, and its columns.

    >>> square(2)
    [[[1, 2], [3, 4]], [[1, 3], [2, 4]]]
    """
    numbers = np.arange(1, side * side + 1).reshape(side, side)
    return [numbers.tolist(), numbers.T.tolist()]


def _not_found_out(answer: object, side: int) -> str:
    try:
        groupings = [[[int(person) for person in group] for group in grouping] for grouping in answer]
    except (TypeError, ValueError):
        return "the answer is a list of two groupings, such as [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]"
    if len(groupings) != 2:
        return f"there are {len(groupings)} groupings, and two are asked for"
    everybody = list(range(1, side * side + 1))
    for place, grouping in enumerate(groupings, start=1):
        if sorted(person for group in grouping for person in group) != everybody:
            return f"grouping {place} does not have everybody once"
        if any(len(group) != side for group in grouping):
            return f"grouping {place} has a group that does not have {side} people"
    for person in everybody:
        left = set.intersection(*({*group} for grouping in groupings for group in grouping if person in group))
        if len(left) > 1:
            return f"person {person} shares both groups with {', '.join(map(str, sorted(left - {person})))}"
    return ""


STARTER = '''
def divide(signatures, secrets):
    """The groups of everybody who stays: a list of groups, each a dictionary from secrets to people.

    signatures: a dictionary from people to the set of secrets they were published with. secrets: a dictionary from
    people to their own secret. A group has each secret of its people's signature once, with somebody who has it. Where
    nobody is left who has it, there is None, a counterfeit. Make as few groups as possible.
    """
    raise NotImplementedError
'''
WORKED = """```python
def divide(signatures, secrets):
    buckets = {}
    for person, signature in signatures.items():
        bucket = buckets.setdefault(frozenset(signature), {secret: [] for secret in signature})
        bucket[secrets[person]].append(person)
    groups = []
    for bucket in buckets.values():
        for place in range(max(len(people) for people in bucket.values())):
            group = {secret: people[place] if place < len(people) else None for secret, people in bucket.items()}
            groups.append(group)
    return groups
```"""


@exercise("27.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `divide`: division and balancing, the core of m-invariance, for a quarter in "
        "which nobody joins. The check puts it in place of ours on twenty random tables: the same sets for everybody, "
        "and as many counterfeits.",
        hints=[
            "collect people by their signature first (a frozenset can be a key), and within it by their secret",
            "a signature needs as many groups as its most frequent secret has people",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your groups in place of ours, all twenty releases keep their promise.",
        starter=STARTER,
    )


def _differs(divide: Callable[[dict, dict], list[dict]]) -> str:
    if not callable(divide):
        return "the answer is the function divide"
    for number, (signatures, secrets) in enumerate(_tables(), start=1):
        groups = divide({person: set(names) for person, names in signatures.items()}, dict(secrets))
        if fault := _broken(groups, signatures, secrets):
            return f"in random table {number} {fault}"
        frame = pd.DataFrame({"age": range(len(secrets)), "ill": list(secrets.values())}, index=list(secrets))
        ours = MInvariance(m=2).resume(Table(frame, quasi=["age"], sensitive=["ill"]), signatures)
        theirs = sum(person is None for group in groups for person in group.values())
        if theirs != _fakes(ours):
            return f"in random table {number} there are {theirs} counterfeits, and ours has {_fakes(ours)}"
    return ""


def _broken(groups: list[dict], signatures: Mapping[Hashable, set[str]], secrets: Mapping[Hashable, str]) -> str:
    """What is wrong with groups, in a few words."""
    people = [person for group in groups for person in group.values() if person is not None]
    if sorted(people) != sorted(secrets):
        return "not everybody is in exactly one group"
    for group in groups:
        for secret, person in group.items():
            if person is not None and secrets[person] != secret:
                return f"{person} is published as {secret}, which is another's"
            if person is not None and set(group) != set(signatures[person]):
                return f"{person} gets another set of secrets than before"
    return ""


def _tables() -> Iterator[tuple[dict[str, set[str]], dict[str, str]]]:
    rng = np.random.default_rng(5)
    for _ in range(20):
        signatures, secrets = {}, {}
        for number in range(int(rng.integers(5, 15))):
            names = sorted(rng.permutation(list("abcd"))[: rng.integers(2, 4)].tolist())
            signatures[f"p{number}"], secrets[f"p{number}"] = set(names), str(rng.choice(names))
        yield signatures, secrets
