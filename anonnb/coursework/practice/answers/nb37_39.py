"""Answers of notebooks 37 to 39: deFinetti, downcoding and singling out, reconstruction and membership."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks import DeFinettiAttack, DowncodingAttack, ReconstructionAttack
from anonnb.attacks.children import left_children, most_small
from anonnb.attacks.intervals import wilson
from anonnb.attacks.reconstruction.cell_tables import CellTables
from anonnb.attacks.reconstruction.certain import certain_rows
from anonnb.attacks.reconstruction.statistics import Statistic, Statistics
from anonnb.coursework.checks.comparing import read_number
from anonnb.coursework.checks.words import wrong
from anonnb.coursework.practice.answers.tools import frame_of, whole_numbers
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.experiments.definetti import grouped_release, paired_patients
from anonnb.experiments.downcoding import places
from anonnb.methods import TopDown
from anonnb.tables.table import Table


@exercise("37.1")
def second_round(alike: int, mixed: int, others: int) -> Answer:
    release = paired_patients([("ss", "cancer flu", alike), ("sn", "cancer flu", mixed), ("nn", "flu cold", others)])
    cancer, flu, smokers = alike + mixed, alike + mixed + others, alike + mixed / 2
    first, second = (smokers + 1) / (cancer + 2), (smokers + 1) / (flu + 2)

    def expected() -> float:
        beliefs = list(DeFinettiAttack(max_rounds=2).rounds(release))[-1].beliefs
        return round(float(beliefs.loc[("s", alike), "cancer"]), 4)

    one, two = first * (1 - second), (1 - first) * second
    return Answer(expected, cancer=cancer, flu=flu, smokers=smokers, first=first, second=second, one=one, two=two)


@judged("37.3")
def pairs_that_teach_nothing(answer: Any) -> str:
    people = ["s cancer"] * 4 + ["s flu"] * 2 + ["n flu"] * 2 + ["n cold"] * 4
    pairs = [tuple(row) for row in frame_of(answer, "xy", "[(0, 6), (1, 7)]", kind=int).to_numpy()]
    if sorted(person for pair in pairs for person in pair) != list(range(len(people))):
        return "everybody must be in exactly one pair"
    for one, two in pairs:
        if people[one][2:] == people[two][2:]:
            return f"{one} and {two} both have {people[one][2:]}"
    frame = pd.DataFrame([people[n].split() for pair in pairs for n in pair], columns=["smokes", "illness"])
    release = grouped_release(frame, "illness", np.repeat(np.arange(len(pairs)), 2))
    beliefs = list(DeFinettiAttack().rounds(release))[-1].beliefs.stack()
    if beliefs.max() > 0.5 + 1e-6:
        who, number, illness = beliefs.idxmax()
        pair = tuple(map(int, pairs[number]))
        return f"{who} in the pair {pair} is believed to have {illness} with {beliefs.max():.3f}"
    return ""


@inputs("37.4")
def build_deal() -> Iterator[tuple]:
    for seed in range(60):
        rng, size = np.random.default_rng(seed), 2 + seed % 4
        people = list(zip(rng.choice(list("xyz"), size), rng.choice(list("uv"), size), strict=True))
        table = {(n, v, s): float(rng.uniform(0.1, 1)) for n, vs in enumerate(("xyz", "uv")) for v in vs for s in "pqr"}
        yield people, rng.choice(list("pqr"), size).tolist(), lambda *key, table=table: table[key]


def _left(rows: int, children: int, k: int, needed: int) -> list[set[int]]:
    """The children that each of the rows, in the order of their children, may have."""
    first, last = left_children(rows, children, k, needed)
    return [set(range(low, high + 1)) for low, high in zip(first.tolist(), last.tolist(), strict=True)]


@exercise("38.1")
def the_only_class(rows: int, k: int, spare: int) -> Answer:
    small = {few: sum(part for part in (few, rows - few) if part < k) for few in range(rows // 2 + 1)}
    return Answer(
        sum(len(each) == 1 for each in _left(rows, 2, k, spare + 1)),
        ways=[f"{few} and {rows - few}: {count}" for few, count in small.items()],
        least=min(few for few, count in small.items() if count > spare),
    )


@exercise("38.2")
def enough_control(n: int, k: int) -> Answer:
    needed = ceil(3.8415 * (10 * n / k - 1))
    while wilson(0, needed - 1)[1] / k <= 1 / (10 * n):
        needed -= 1

    def judge(answer: Any) -> str:
        people = read_number(answer)
        if people is None:
            return "the answer is a number of people"
        if abs(people - needed) <= max(2, needed * 0.001):
            return ""
        weight = wilson(0, max(int(people), 1))[1] / k
        return f"with {people:,} people the weight is at most {weight:.3g}, and 1/(10 n) is {1 / (10 * n):.3g}"

    return Answer(judge=judge, needed=needed)


@exercise("38.3")
def nothing_follows(k: int, rows: int) -> Answer:
    def judge(answer: Any) -> str:
        frame = frame_of(answer, "xy", "[('a', 'a'), ('b', 'd')]", rows=rows)
        if not frame.isin(list("abcd")).all(axis=None):
            return "the values are a, b, c and d"
        release = TopDown(k=k).anonymize(places([(x, y) for x, y in frame.to_numpy()]))
        if not release.frame[["x", "y"]].astype(str).isin(["ab", "cd"]).any(axis=None):
            return "TopDown publishes no ab and no cd"
        claims = DowncodingAttack().run(release).targets.query("claimed > 0")
        if claims.empty:
            return ""
        line = claims.iloc[0]
        return f"class {line.iloc[1]} shows {line['published']} in {line['column']} alone, and has {line['claims']}"

    return Answer(judge=judge, pairs=[(x, "b" if n == 1 else "a") for x in "ac" for n in range(k)])


@inputs("38.4", model=_left)
def build_left() -> Iterator[tuple]:
    for rows in range(1, 7):
        for children, k in ((2, 2), (2, 3), (3, 2), (3, 3)):
            yield from ((rows, children, k, needed) for needed in range(most_small(rows, children, k) + 1))


@exercise("39.3")
def margins(people: int, certain: int) -> Answer:
    def judge(answer: Any) -> str:
        numbers = whole_numbers(answer, "(4, 5)")
        if len(numbers) != 2:
            wrong("the answer is a pair of numbers, such as (4, 5)")
        women, smokers = numbers
        if min(women, smokers, people - women, people - smokers) < 2:
            return f"({women}, {smokers}) leaves fewer than two women, men, smokers or others"
        lines = [Statistic({}, people), Statistic({"sex": "f"}, women), Statistic({"smokes": "y"}, smokers)]
        published = Statistics({"sex": ("f", "m"), "smokes": ("y", "n")}, lines)
        rows = ReconstructionAttack(solver="highs").run(published).claims
        return "" if rows == certain else f"with ({women}, {smokers}) {rows} rows are certain"

    return Answer(judge=judge, women=(people + certain) // 2)


@judged("39.4")
def build_certain(certain: Callable[..., Any]) -> str:
    rng, values = np.random.default_rng(39), {"age": range(5), "sex": ("f", "m")}
    filters: list[dict[str, Any]] = [{}, {"sex": "f"}, {"age": range(0, 2)}, {"sex": "m", "age": range(2, 5)}]
    for number in range(20):
        size = 2 + number % 3
        frame = pd.DataFrame({"age": rng.integers(0, 5, size), "sex": rng.choice(["f", "m"], size)})
        statistics = Statistics.of(Table(frame), filters[:size], "age", values=values, fewest=1 + number % 2)
        tables, searches = CellTables(statistics), list[None]()

        def search(lacking: Any = None) -> Any:
            searches.append(None)  # noqa: B023
            return tables.table(None if lacking is None else Counter(lacking))  # noqa: B023

        answer, expected = Counter(certain(search)), certain_rows(tables)[0]
        if +answer != +expected:
            return f"in set {number + 1} {expected.total()} rows are certain, and your function says {answer.total()}"
        if len(searches) > statistics.people + 1:
            return f"in set {number + 1} you search {len(searches)} times, and {statistics.people + 1} are enough"
    return ""
