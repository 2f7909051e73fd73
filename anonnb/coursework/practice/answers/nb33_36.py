"""Answers of notebooks 33 to 36: Chase, linkage, homogeneity and its kin, intersection and minimality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import log
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.checks.words import wrong
from anonnb.coursework.practice.answers.tools import people_of, rows_of, whole_numbers
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.privacy.models import AlphaK, LDiversity
from anonnb.rules import chase, implies
from anonnb.tables.datasets import load
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.release import Release
from anonnb.tables.table import Table

RuleOf = tuple[str, str, float, float]  # premise, conclusion, confidence, support; "a1 b1" are values of a and of b


def _chased(row: dict[str, str | None], rules: Sequence[RuleOf], threshold: float) -> Any:
    made = [implies({value[0]: value for value in p.split()}, {end[0]: end}, c, s) for p, end, c, s in rules]
    return chase(IncompleteTable.from_frame(pd.DataFrame([row], index=["x"])), made, threshold)


@exercise("33.2")
def rounds() -> Answer:
    row = {**dict.fromkeys("bdefs"), "a": "a1", "c": "c1"}
    rules = [("a1", "b1"), ("b1 c1", "d1"), ("d1", "e1"), ("b1 e1", "s1"), ("f1", "s1")]
    return Answer(_chased(row, [(premise, end, 1.0, 1.0) for premise, end in rules], 0.2).chain(0, "s")[-1].round)


@exercise("33.3")
def silenced(threshold: float) -> Answer:
    def judge(answer: Any) -> str:
        try:
            added = [("a1", str(value), float(sure), float(support)) for value, sure, support in answer]
        except (TypeError, ValueError):
            wrong("the answer is a list of triples, such as [('s2', 0.5, 4)]")
        for _, value, sure, support in added:
            if not value.startswith("s") or not 0 < sure <= 1 or support <= 0:
                return (
                    f"the rule for {value} needs a value of s, a confidence above 0, at most 1, and a support above 0"
                )
        column = _chased({"a": "a1", "s": None}, [("a1", "s1", 1.0, 10.0), *added], threshold).system.columns["s"]
        weights = column.set_weights()[column.column.index[0]] if column.attribute.size else ()
        values = [label for label, weight in zip(column.attribute.labels, weights, strict=True) if weight > 0]
        return f"Chase fills in {' or '.join(values)}" if values else ""

    return Answer(judge=judge, crowd=[(f"s{number}", 1.0, 10) for number in range(2, int(1 / threshold + 1e-9) + 2)])


@inputs("33.4")
def build_settle() -> Iterator[tuple]:
    rng = np.random.default_rng(33)
    cells = [{}, {"s1": 1.0}, {"s1": 0.6, "s2": 0.4}, {"s1": 0.5, "s2": 0.25, "s3": 0.25}, {"s1": 0.5, "s2": 0.5}]
    for _ in range(400):
        votes = {f"s{n}": float(rng.choice([1, 2, 3, 4.5, 9, 20])) for n in rng.permutation(4)[: rng.integers(0, 5)]}
        yield cells[rng.integers(5)], votes, float(rng.choice([0.2, 0.25, 0.4]))


@exercise("34.1")
def right_links(towns: str, ages: str) -> Answer:
    names = {"L": "Linz", "G": "Graz", "W": "Wien"}
    people = [f"{names[town]}, {age}0s" for town, age in zip(towns, ages.split(), strict=True)]
    parts = [f"{person}: {count} · 1/{count}" for person, count in Counter(people).items()]
    return Answer(
        len(parts), people="; ".join(people), parts="; ".join(parts), alone=list(Counter(people).values()).count(1)
    )


@judged("34.3", form="a list of three pairs of ages, such as [(21, 25), (34, 38), (47, 59)]")
def pairs_that_hide(answer: Any) -> str:
    ages = (21, 25, 34, 38, 47, 59)

    def pairings(ages: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
        if not ages:
            yield []
        for other in ages[1:]:
            rest = [age for age in ages[1:] if age != other]
            yield from ([(ages[0], other), *pairs] for pairs in pairings(rest))

    def links(pairs: Sequence[tuple[int, int]]) -> Fraction:
        """How many links are right on average when both rows of a pair show its interval."""
        fitting = [sum(min(pair) <= age <= max(pair) for pair in pairs) for age in ages]
        return sum((Fraction(1, 2 * count) for count in fitting), Fraction(0))

    fewest = min(map(links, pairings(ages)))
    pairs = [(int(one), int(other)) for one, other in answer]
    if sorted(age for pair in pairs for age in pair) != sorted(ages):
        return "every one of the six ages must be in exactly one pair"
    return (
        ""
        if links(pairs) == fewest
        else f"these pairs give {float(links(pairs)):.2f} right links, and fewer is possible"
    )


@exercise("34.4")
def build_link() -> Answer:
    def small(seed: int) -> Release:
        """Seven people in boxes that may overlap, and perhaps one of them is not published."""
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"age": rng.integers(20, 30, 7), "sex": rng.choice(["f", "m"], 7)})
        low, high = (
            (frame["age"] - rng.integers(0, 4, 7)).clip(20),
            (frame["age"] + rng.integers(0, 4, 7)).clip(upper=29),
        )
        shown = pd.DataFrame({"age": [f"[{a}-{b}]" for a, b in zip(low, high, strict=True)]})
        shown["sex"] = np.where(rng.random(7) < 0.4, "*", frame["sex"])
        kept = np.arange(7 - seed % 2)
        return Release.from_frame(shown.iloc[kept], like=Table(frame, quasi=["age", "sex"]), rows=kept)

    def cases() -> Iterator[tuple]:
        adult = Mondrian(k=4).anonymize(load("adult").take(np.arange(60)))
        for release in (Mondrian(k=5).anonymize(load("survey")), adult, *map(small, range(10))):
            assert release.rows is not None
            yield people_of(release.table), rows_of(release), release.rows.tolist()

    return Answer(cases=cases)


@exercise("35.1")
def found_out(ruled_out: str, classes: list[list[str]]) -> Answer:
    others = [[illness for illness in rows if illness != ruled_out] for rows in classes]
    learnt = [len(rows) if len(set(rows)) == 1 else 0 for rows in others]
    ill = sum(rows.count(ruled_out) for rows in classes)
    return Answer(
        sum(learnt) + ill,
        lines="; ".join(map(", ".join, classes)),
        learnt="; ".join(f"{', '.join(rows)}: {count}" for rows, count in zip(classes, learnt, strict=True)),
        without=sum(learnt),
        ill=ill,
        uniform=sum(len(rows) for rows in classes if len(set(rows)) == 1),
    )


@exercise("35.2")
def earth_mover(salaries: tuple[int, ...], chosen: tuple[int, ...]) -> Answer:
    shares = [Fraction(chosen.count(value), len(chosen)) - Fraction(1, len(salaries)) for value in salaries]
    sums = [sum(shares[: number + 1], Fraction(0)) for number in range(len(salaries))]
    distance = sum(map(abs, sums)) / (len(salaries) - 1)
    return Answer(
        float(distance), sums=sums, total=sum(map(abs, sums)), distance=distance, equal=float(sum(map(abs, shares)) / 2)
    )


def _entropy(counts: Sequence[int]) -> float:
    return sum(count / sum(counts) * log(sum(counts) / count) for count in counts if count)


@exercise("35.3")
def entropy_is_not_enough(share: float) -> Answer:
    def judge(answer: Any) -> str:
        counts = whole_numbers(answer, "[5, 5]")
        if not counts or min(counts) < 0 or not sum(counts):
            return "the counts are whole numbers, none below 0, and not all of them 0"
        if max(counts) < share * sum(counts) - 1e-12:
            return f"the commonest illness has a share of {max(counts) / sum(counts):.3f} only"
        bits = _entropy(counts)
        return "" if bits >= log(2) - 1e-12 else f"the entropy is {bits:.3f}, below log 2 = {log(2):.3f}"

    others = next(n for n in range(1, 999) if _entropy([-int(-share * n // (1 - share))] + [1] * n) >= log(2))
    common = -int(-share * others // (1 - share))
    counts = [common] + [1] * others
    return Answer(judge=judge, common=common, others=others, counts=counts, entropy=_entropy(counts))


@inputs("35.4")
def build_infer() -> Iterator[tuple]:
    adult = load("adult").take(np.arange(150)).with_roles(sensitive=["income"])
    for k in (2, 4, 8):
        for release in (Mondrian(k=k, strict=k < 8).anonymize(adult), Mondrian(k=k).anonymize(load("survey"))):
            rows, secrets = rows_of(release), [str(text) for text in release.columns[release.sensitive[0]].texts()]
            for person in people_of(release.table)[::20]:
                yield person, rows, secrets, [], 0.7
                yield person, rows, secrets, [secrets[0]], 0.9


Groups = Sequence[Sequence[int]]


def _left_by_both(has: dict[int, str], *releases: Groups) -> dict[int, set[str]]:
    """For each person the secrets that occur in the person's groups of all releases."""
    left = {person: set(has.values()) for person in has}
    for group in (group for groups in releases for group in groups):
        for person in group:
            left[person] &= {has[one] for one in group}
    return left


def _left_by_all_tables(has: dict[int, str], *releases: Groups) -> dict[int, set[str]]:
    """For each person the secrets in the tables that give every group of all releases its secrets."""
    groups = [(group, sorted(has[one] for one in group)) for release in releases for group in release]
    tables = (dict(zip(has, secrets, strict=True)) for secrets in product(set(has.values()), repeat=len(has)))
    fitting = [table for table in tables if all(sorted(table[one] for one in group) == own for group, own in groups)]
    return {person: {table[person] for table in fitting} for person in has}


def _spelt(groups: Groups) -> str:
    return ", ".join("{" + ", ".join(map(str, group)) + "}" for group in groups)


@exercise("36.1")
def two_releases(illnesses: str, first: Groups, second: Groups) -> Answer:
    has = dict(enumerate(illnesses.split(), 1))
    left = _left_by_both(has, first, second)
    people = [person for person, values in left.items() if len(values) == 1]
    return Answer(
        set(people),
        lines=[f"{person} {illness}" for person, illness in has.items()],
        people=people,
        one=_spelt(first),
        other=_spelt(second),
        left="; ".join(f"{person}: {' or '.join(sorted(values))}" for person, values in left.items()),
    )


@exercise("36.2")
def backwards(forty: int, sixty: int, ill: int) -> Answer:
    young = (sum(person < forty for person in chosen) for chosen in combinations(range(forty + sixty), ill))
    worlds = Counter(count for count in young if 2 * count > forty or 2 * (ill - count) > sixty)
    share = Fraction(sum(count * number for count, number in worlds.items()), forty * worlds.total())
    tables = [f"{number} tables with {count} ill people of 40" for count, number in worlds.items()]
    return Answer(float(share), tables=tables, share=share, prior=Fraction(ill, forty + sixty), about=float(share))


@judged("36.3", form="a pair of lists of pairs, such as ([(1, 2), (3, 4), (5, 6)], [(1, 3), (2, 5), (4, 6)])")
def everybody(answer: Any) -> str:
    has = dict(enumerate(["flu", "cold", "gout"] * 2, 1))
    first, second = ([(int(one), int(other)) for one, other in release] for release in answer)
    for release in (first, second):
        if sorted(person for pair in release for person in pair) != sorted(has):
            return "in each release everybody must be in exactly one group of two"
        for one, other in release:
            if has[one] == has[other]:
                return f"the group {one, other} has one illness only, so it reveals both people by itself"
    hidden = [str(person) for person, left in _left_by_all_tables(has, first, second).items() if len(left) > 1]
    return f"the illness of {', '.join(hidden)} does not follow" if hidden else ""


@exercise("36.4")
def build_reason() -> Answer:
    def table(ages: Sequence[int], illnesses: Sequence[str]) -> Table:
        return Table(pd.DataFrame({"age": ages, "illness": illnesses}), quasi=["age"], sensitive="illness")

    def publisher(ages: Sequence[int], method: Mondrian) -> Callable[[Sequence[str]], list[str]]:
        return lambda secrets: [
            str(cell) for cell in method.anonymize(table(ages, list(secrets))).columns["age"].texts()
        ]

    def cases() -> Iterator[tuple]:
        half, two = Mondrian(k=2, require=(AlphaK(0.5, 2),)), Mondrian(k=2, require=(LDiversity(2),))
        for ages, secrets, method in (
            ([40] * 2 + [60] * 4, ["HIV", "HIV", "flu", "flu", "cold", "cold"], half),
            ([40, 40, 40, 60, 60], ["HIV", "HIV", "flu", "flu", "cold"], two),
            ([20, 20, 40, 40, 60, 60, 60], list("abccaba"), two),
            ([20, 21, 22, 60, 61, 62], list("aabbab"), Mondrian(k=3)),
        ):
            publish = publisher(ages, method)
            yield method.anonymize(table(ages, secrets)).groups.tolist(), secrets, publish, publish(secrets)

    return Answer(cases=cases)
