"""Answers of notebooks 26 to 29: differential privacy, republication, measures, households."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.tools import whole_numbers
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods.private.marginals import misfit, one_way
from anonnb.methods.republication.m_invariance import MInvariance
from anonnb.privacy import weighted_risk
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.utility.cells import ncp
from anonnb.utility.classes import discernibility


@inputs("26.5")
def build_tree() -> Iterator[tuple]:
    rng, names = np.random.default_rng(0), ["sex", "race", "marital-status", "education", "occupation", "income"]
    for number in range(20):
        columns = 3 + number % 5
        yield columns, {pair: int(rng.integers(0, 12)) for pair in combinations(range(columns), 2)}
    table = load("adult").take(np.arange(2_000))
    rows, sizes = (
        np.column_stack([table.codes(name) for name in names]),
        [table.attributes[name].size for name in names],
    )
    score = misfit(np.split(one_way(rows, sizes).astype(float), np.cumsum(sizes)[:-1]), len(table), 1)
    yield len(names), {pair: float(score(rows, pair)) for pair in combinations(range(len(names)), 2)}


@exercise("27.1")
def lacking() -> Answer:
    table = Table(pd.DataFrame({"age": range(20, 26), "ill": list("aaabbc")}), quasi=["age"], sensitive=["ill"])
    return Answer(_counterfeits(MInvariance(m=2).resume(table, {row: list("abc") for row in range(6)})))


def _counterfeits(release: Release) -> int:
    secrets: Any = release.secrets
    return int(secrets.counterfeits.sum())


@exercise("27.2")
def with_newcomers() -> Answer:
    stayers, counts = [("a", "ab"), ("a", "ab"), ("b", "ab"), ("c", "cd")], []
    for buckets in product(["", "ab"], repeat=2):  # for each newcomer with b: a bucket, or a new group
        held = {
            name: "".join(ill for ill, bucket in stayers if bucket == name) + "b" * buckets.count(name)
            for name in ("ab", "cd")
        }
        gaps = sum(2 * max(map(ills.count, name)) - len(ills) for name, ills in held.items())
        counts.append(gaps + buckets.count(""))  # nobody is left for those in a new group
    return Answer(min(counts))


@judged("27.3", form="a list of two groupings, such as [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]")
def nobody_leaves(answer: Any) -> str:
    side = 2
    groupings = [[[int(person) for person in group] for group in grouping] for grouping in answer]
    if len(groupings) != 2:
        return f"there are {len(groupings)} groupings, and two are asked for"
    for number, grouping in enumerate(groupings, start=1):
        if sorted(person for group in grouping for person in group) != list(range(1, side * side + 1)):
            return f"grouping {number} does not have everybody once"
        if any(len(group) != side for group in grouping):
            return f"grouping {number} has a group that does not have {side} people"
    for one, other in product(*groupings):
        if len(shared := sorted(set(one) & set(other))) > 1:
            return f"person {shared[0]} shares both groups with {', '.join(map(str, shared[1:]))}"
    return ""


@judged("27.4")
def build_divide(divide: Callable[..., Any]) -> str:

    def cases() -> Iterator[tuple]:
        rng = np.random.default_rng(5)
        for _ in range(20):
            signatures, secrets = {}, {}
            for number in range(int(rng.integers(5, 15))):
                names = rng.permutation(list("abcd"))[: rng.integers(2, 4)].tolist()
                signatures[f"p{number}"], secrets[f"p{number}"] = set(names), str(rng.choice(sorted(names)))
            yield signatures, secrets

    for number, (signatures, secrets) in enumerate(cases(), start=1):
        groups = divide({person: set(names) for person, names in signatures.items()}, dict(secrets))
        pairs = [(group, secret, person) for group in groups for secret, person in group.items() if person is not None]
        if sorted(person for _, _, person in pairs) != sorted(secrets):
            return f"in random table {number} not everybody is in exactly one group"
        for group, secret, person in pairs:
            if secrets[person] != secret:
                return f"in random table {number} {person} is published as {secret}, which is another's"
            if set(group) != signatures[person]:
                return f"in random table {number} {person} gets another set of secrets than before"
        frame = pd.DataFrame({"age": range(len(secrets)), "ill": list(secrets.values())}, index=list(secrets))
        reference = MInvariance(m=2).resume(Table(frame, quasi=["age"], sensitive=["ill"]), signatures)
        used, needed = sum(map(len, groups)) - len(pairs), _counterfeits(reference)
        if used != needed:
            return f"in random table {number} there are {used} counterfeits, and {needed} are enough"
    return ""


def _released(values: Sequence[Any], groups: Sequence[int], **options: Any) -> tuple[Table, Release]:
    """A column and the release that gives each group the values of its members."""
    table, numbers = Table(pd.DataFrame({"x": list(values)}), quasi=["x"], **options), np.asarray(groups)
    column = Column.of_groups(table.attributes["x"], table.codes("x"), numbers, int(numbers.max()) + 1)
    return table, Release(table, {"x": column}, np.arange(len(numbers)))


@exercise("28.1")
def loss_by_hand(ages: tuple[int, ...], groups: tuple[int, ...]) -> Answer:
    pair = _released(ages, groups)
    cells = [[age for age, group in zip(ages, groups, strict=True) if group == each] for each in sorted(set(groups))]
    return Answer(
        (ncp(*pair), discernibility(*pair)),
        ncp=ncp(*pair),
        discernibility=discernibility(*pair),
        shown=" and ".join(f"[{min(cell)}–{max(cell)}] ({len(cell)} times)" for cell in cells),
        widths=" + ".join(f"{len(cell)}·{max(cell) - min(cell)}" for cell in cells),
        squares=" + ".join(f"{len(cell)}²" for cell in cells),
    )


@exercise("28.3")
def far_and_near(own: tuple[int, int]) -> Answer:
    shares = np.array([(value in own) / 2 - 0.2 for value in range(1, 6)])
    equal, ordered = float(np.abs(shares).sum() / 2), float(np.abs(np.cumsum(shares)).sum() / 4)
    running = [f"{total:.1f}".replace("-", "−") for total in np.cumsum(shares).round(9) + 0.0]
    return Answer((equal, ordered), equal=equal, ordered=ordered, running=running)


@exercise("28.4")
def measures_that_disagree(youngest: int, oldest: int) -> Answer:
    def groupings(ages: Sequence[int]) -> Iterator[list[list[int]]]:
        """All ways to put these ages in groups of at least two."""
        if not ages:
            yield []
        for size in range(1, len(ages)):
            for others in combinations(ages[1:], size):
                rest = [age for age in ages[1:] if age not in others]
                yield from ([[ages[0], *others], *groups] for groups in groupings(rest))

    def judge(answer: Any) -> str:
        ages = sorted(whole_numbers(answer, str(list(range(youngest, youngest + 6)))))
        if len(set(ages)) != 6 or len(ages) != 6:
            return f"there are {len(set(ages))} different ages, and six are asked for"
        if (ages[0], ages[-1]) != (youngest, oldest):
            return f"the ages go from {ages[0]} to {ages[-1]}, and {youngest} to {oldest} is asked for"
        costs = [
            (
                sum(len(group) ** 2 for group in groups),
                sum(len(group) * (max(group) - min(group)) for group in groups),
                groups,
            )
            for groups in groupings(ages)
        ]
        both = [
            groups
            for squares, widths, groups in costs
            if squares == min(costs)[0] and widths == min(c[1] for c in costs)
        ]
        return (
            f"the groups {'; '.join(', '.join(map(str, group)) for group in both[0])} have the least of both"
            if both
            else ""
        )

    return Answer(judge=judge, ages=[youngest, youngest + 1, youngest + 2, oldest - 2, oldest - 1, oldest])


@inputs("28.5")
def build_mean_ncp() -> Iterator[tuple]:
    rng = np.random.default_rng(0)
    for kind in ("nominal", "ordinal", "numeric"):
        for size in (1, 2, 6, 11):
            numbers = np.cumsum(rng.integers(1, 9, size)).tolist()
            domain = numbers if kind == "numeric" else [f"v{number:02}" for number in numbers]
            values = [*domain, *(domain[n] for n in rng.integers(0, size, 15))]
            groups = np.unique(rng.integers(0, 5, len(values)), return_inverse=True)[1]
            orders = {"x": domain} if kind == "ordinal" else {}
            column = _released(values, groups.tolist(), orders=orders, kinds={"x": kind})[1].columns["x"]
            yield (
                [{domain[code] for code in np.flatnonzero(column.sets.mask(n))} for n in column.index],
                kind,
                domain,
            )


@exercise("29.2")
def risk_of_one(w: int) -> Answer:
    return Answer(round(float(weighted_risk(np.array([1]), np.array([w]))[0]), 3), naive=round(1 / w, 3))


@exercise("29.3")
def weights_of_a_class(weights: tuple[int, ...]) -> Answer:
    low, high, total = sum(weights[:3]) / 3, sum(weights[3:]) / 4, sum(weights)
    return Answer([low] * 3 + [high] * 4, low=f"{low:g}", high=f"{high:g}", total=total, one_mean=[total / 7] * 7)


@inputs("29.4")
def build_linked_households() -> Iterator[tuple]:
    rng = np.random.default_rng(0)
    for street in range(60):
        homes = [rng.choice(list("wmc"), rng.integers(1, 4)).tolist() for _ in range(rng.integers(6, 20))]
        yield homes, 2 + street % 3
