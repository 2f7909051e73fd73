"""Exercises of notebook 37, the deFinetti attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import numpy as np
import pandas as pd

from anonnb.attacks import DeFinettiAttack
from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.experiments.definetti import THIRTY, grouped_release, paired_patients
from anonnb.tables.release import Release

Beliefs = list[dict[str, float]]
Deal = Callable[[list[tuple], list[str], Callable[[int, object, str], float]], Beliefs]


@exercise("37.1")
def second_round(numbers: Numbers) -> Exercise:
    alike, mixed, others = numbers.one_of([(6, 4, 5), (4, 8, 5), (8, 6, 4), (3, 9, 6)])
    kinds = [("ss", "cancer flu", alike), ("sn", "cancer flu", mixed), ("nn", "flu cold", others)]
    return Exercise(
        f"{alike} pairs of two smokers and {mixed} mixed pairs have cancer and flu each, {others} pairs of two "
        "non-smokers flu and cold. What is believed in round 2 about the smoker of a mixed pair: with which "
        "probability do they have cancer? Give four digits.",
        hints=[
            "in round 1 everybody has each illness of their pair with probability 0.5; count the expected smokers "
            "among those with cancer and among those with flu",
            "add one for each of the two values, s and n, then compare the weights of the two assignments: "
            "P(s | cancer) · P(n | flu) and P(n | cancer) · P(s | flu)",
        ],
        worked=lambda: _second_round(alike, mixed, others),
        expected=lambda: _belief(paired_patients(kinds), 2, alike),
    )


def _belief(release: Release, number: int, pair: int) -> float:
    """What is believed in a round about the smoker of a pair: cancer, to four digits."""
    found = list(DeFinettiAttack(max_rounds=number).rounds(release))[-1].beliefs
    return round(float(found.loc[("s", pair), "cancer"]), 4)


def _second_round(alike: int, mixed: int, others: int) -> str:
    cancer, flu = alike + mixed, alike + mixed + others
    smokers = alike + mixed / 2
    first, second = (smokers + 1) / (cancer + 2), (smokers + 1) / (flu + 2)
    one, two = first * (1 - second), (1 - first) * second
    return (
        f"Of {cancer} people with cancer, {alike} + {mixed}/2 = {smokers:g} are expected to smoke, so P(s | cancer) = "
        f"({smokers:g} + 1)/({cancer} + 2) = {first:.4f}. Of {flu} with flu as many are, so P(s | flu) = "
        f"{second:.4f}. The two weigh {one:.4f} and {two:.4f}; the share of the first is {one / (one + two):.4f}."
    )


@exercise("37.2")
def assignments(numbers: Numbers) -> Exercise:
    counts = numbers.one_of([(3, 2, 1), (2, 2, 2), (4, 1, 1), (2, 2, 1)])
    flu, cold, cancer = counts
    secrets = ["flu"] * flu + ["cold"] * cold + ["cancer"] * cancer
    return Exercise(
        f"Of the {sum(counts)} people of a group {flu} have flu, {cold} a cold and {cancer} cancer. Two "
        "assignments are different when somebody has another illness in them. How many different ones are there?",
        hints=[
            "first take the illnesses as if all were different: in how many orders can they be dealt out?",
            "exchanging two people who both have flu changes nothing: divide by the orders within each illness",
        ],
        worked=f"There are {sum(counts)}! orders, of which {flu}! · {cold}! · {cancer}! are the same assignment. "
        "Their number grows faster than any power of the group's size; the attack takes all of them into account in "
        "groups of up to six people, and in larger ones it scales a matrix instead.",
        expected=lambda: len(set(permutations(secrets))),
    )


PEOPLE = {
    "four colds": ["s cancer"] * 4 + ["s flu"] * 2 + ["n flu"] * 2 + ["n cold"] * 4,
    "two asthmas": ["s cancer"] * 3 + ["s asthma"] * 2 + ["s flu"] + ["n flu"] * 2 + ["n cold"] * 3 + ["n asthma"],
}


@exercise("37.3")
def pairs_that_teach_nothing(numbers: Numbers) -> Exercise:
    people = PEOPLE[numbers.one_of(list(PEOPLE))]
    listed = ", ".join(f"{number}: {each}" for number, each in enumerate(people))
    return Exercise(
        f"Twelve people smoke (s) or do not (n), and have an illness: {listed}. Make six pairs in which the two "
        "illnesses differ, such that the attack learns nothing: after all rounds nobody is believed to have an illness "
        "with more than 0.5. Answer with a list of pairs of numbers, such as [(0, 6), (1, 7), …].",
        hints=[
            "try the pairs (0, 4), (1, 5), (2, 8), (3, 9), (6, 10), (7, 11) and look at what is believed: which pairs "
            "teach that an illness goes with smoking?",
            "the attacker learns from pairs whose people differ from those of other pairs; can all pairs have the "
            "same kinds of people?",
        ],
        worked=lambda: _one_pairing(people),
        judge=lambda answer: _taught(answer, people),
    )


def _one_pairing(people: Sequence[str]) -> str:
    found = mixed_pairs(people)
    return (
        f"`{found}`: every pair has one smoker and one other. Then each illness is expected to have as many smokers "
        "as others, round after round, although the truth is another. What protects is not the number of different "
        "secrets in a group but that groups are alike in their people."
    )


def mixed_pairs(people: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of a smoker and another person with different illnesses."""
    smokers, others = ([place for place, each in enumerate(people) if each[0] == who] for who in "sn")
    for order in permutations(others):
        pairs = list(zip(smokers, order, strict=True))
        if all(people[one][2:] != people[two][2:] for one, two in pairs):
            return pairs
    raise ValueError("there is no such pairing")


def _taught(answer: object, people: Sequence[str]) -> str:
    try:
        pairs = [(int(one), int(two)) for one, two in answer]
    except (TypeError, ValueError):
        return "the answer is a list of pairs of numbers, such as [(0, 6), (1, 7)]"
    if sorted(place for pair in pairs for place in pair) != list(range(len(people))):
        return "everybody must be in exactly one pair"
    for one, two in pairs:
        if people[one][2:] == people[two][2:]:
            return f"{one} and {two} both have {people[one][2:]}"
    frame = pd.DataFrame([people[place].split() for pair in pairs for place in pair], columns=["smokes", "illness"])
    release = grouped_release(frame, "illness", np.repeat(np.arange(len(pairs)), 2))
    last = list(DeFinettiAttack().rounds(release))[-1].beliefs
    most = last.stack()
    if most.max() > 0.5 + 1e-6:
        who, pair, illness = most.idxmax()
        return f"{who} in the pair {pairs[pair]} is believed to have {illness} with {most.max():.3f}"
    return ""


STARTER = '''
def deal(people, secrets, likelihood):
    """What is believed about each person of a group: a list of dictionaries from secrets to beliefs.

    people: a list of tuples with a value per column. secrets: a list as long as people, some perhaps equal.
    likelihood(column, value, secret) is how likely a value is, given the secret; columns count from 0. An assignment
    gives each person one of the secrets and weighs the product of all likelihoods. The belief that a person has a
    secret is the share of the total weight that falls to assignments in which they do.
    """
    raise NotImplementedError
'''
WORKED = """```python
def deal(people, secrets, likelihood):
    from itertools import permutations

    beliefs, total = [{} for _ in people], 0.0
    for order in permutations(secrets):
        weight = 1.0
        for person, secret in zip(people, order):
            for column, value in enumerate(person):
                weight *= likelihood(column, value, secret)
        total += weight
        for belief, secret in zip(beliefs, order):
            belief[secret] = belief.get(secret, 0.0) + weight
    return [{secret: weight / total for secret, weight in belief.items()} for belief in beliefs]
```"""


@exercise("37.4")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `deal`, the core of the attack. The check deals out secrets with it for five "
        "rounds, in the thirty pairs and in ten random releases, and compares the beliefs with ours.",
        hints=[
            "`itertools.permutations(secrets)` lists the assignments; equal secrets make some of them equal, which "
            "does no harm, as all occur equally often",
            "add an assignment's weight to the total, and for each person to the secret that they have in it; divide "
            "at the end",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your function in place of ours, the beliefs after five rounds are the same in all 11 releases.",
        starter=STARTER,
    )


def _differs(deal: object) -> str:
    if not callable(deal):
        return "the answer is the function deal"
    for name, release in releases():
        ours = list(DeFinettiAttack(max_rounds=5).rounds(release))[-1].beliefs
        theirs = learnt_with(deal, release, 5)
        for (*values, group), line in ours.iterrows():
            for secret, belief in line[line > 0].items():
                other = theirs[group][tuple(values)].get(secret, 0.0)
                if abs(other - belief) > 1e-4:
                    who = ", ".join(map(str, values))
                    return (
                        f"in {name}, group {group}, somebody with {who} has {secret} with {belief:.4f} after five "
                        f"rounds, and with your function {other:.4f}"
                    )
    return ""


def learnt_with(deal: Deal, release: Release, rounds: int) -> list[dict[tuple, dict[str, float]]]:
    """The beliefs in each group after some rounds with another way to deal, by the values of a person."""
    table, secret, group = release.table, release.secrets.column, release.secrets.group
    people = list(table.frame[table.quasi].itertuples(index=False, name=None))
    secrets = table.frame[secret].tolist()
    groups = [np.flatnonzero(group == each).tolist() for each in range(release.secrets.n_groups)]
    sizes = [table.attributes[name].size for name in table.quasi]
    counts: Counter | None = None
    found: list[Beliefs] = []
    for _ in range(rounds):
        likelihood = _likelihood(counts, sizes)
        found = [
            deal([people[row] for row in rows], sorted(secrets[row] for row in rows), likelihood) for rows in groups
        ]
        counts = Counter()
        for rows, beliefs in zip(groups, found, strict=True):
            for row, belief in zip(rows, beliefs, strict=True):
                for name, weight in belief.items():
                    counts[name] += weight
                    for column, value in enumerate(people[row]):
                        counts[column, value, name] += weight
    return [
        {people[row]: belief for row, belief in zip(rows, beliefs, strict=True)}
        for rows, beliefs in zip(groups, found, strict=True)
    ]


def _likelihood(counts: Counter | None, sizes: Sequence[int]) -> Callable[[int, object, str], float]:
    """How likely a value is given a secret, from expected counts and one more of each value."""
    if counts is None:
        return lambda column, value, secret: 1 / sizes[column]
    return lambda column, value, secret: (counts[column, value, secret] + 1) / (counts[secret] + sizes[column])


def releases() -> Iterator[tuple[str, Release]]:
    """The thirty pairs and ten random releases of 24 people in groups of two to four."""
    yield "the thirty pairs", paired_patients(THIRTY)
    rng = np.random.default_rng(37)
    for number in range(10):
        size = 2 + number % 3
        frame = pd.DataFrame(
            {
                "a": rng.choice(list("xyz"), 24),
                "b": rng.choice(list("uv"), 24),
                "secret": rng.choice(["p", "q", "r"], 24),
            }
        )
        yield f"random release {number + 1}", grouped_release(frame, "secret", np.arange(24) // size)
