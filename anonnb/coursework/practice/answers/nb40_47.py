"""Answers of notebooks 40 to 47: the experiments of the papers, the arena, benchmarks, how far from optimal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from anonnb import optimum, privacy
from anonnb.arena.standings import unbeaten
from anonnb.attacks.linkage import LinkageAttack
from anonnb.coursework.practice.answers.tools import frame_of, rows_of, whole_numbers
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.experiments import benchmarks, inuiguchi, rivals
from anonnb.experiments.imprecise import readings
from anonnb.experiments.ledger import by_order, sentence_verdict, verdict
from anonnb.experiments.results import stored
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@exercise("40.1")
def cells_by_hand(sizes: tuple[int, ...], k: int) -> Answer:
    parts = {size: [len(part) for part in readings.halves(np.arange(size), k)] for size in sizes if size >= k}
    lines = [f"{n} = {' + '.join(map(str, parts[n]))}" if n in parts else f"{n} is left out" for n in sizes]
    return Answer([sum(map(len, parts.values())), sum(size for size in sizes if size < k)], lines="; ".join(lines))


@exercise("40.2")
def verdict_by_hand() -> Answer:
    ours, printed = [0.45, 0.41, 0.48, 0.60, 0.75], [0.31, 0.35, 0.42, 0.50, 0.62]
    frame = pd.DataFrame({"ours": ours, "printed": printed, "method": "M2", "verdict": "differs"})
    return Answer(by_order(frame, ["method"])["verdict"].iloc[0])


@judged("40.3")
def wrong_and_successful(answer: Any) -> str:
    frame = frame_of(answer, "grade label", '[(1, "a"), (2, "b")]', rows=8)
    frame["grade"] = pd.to_numeric(frame["grade"], errors="coerce")
    if set(frame["label"]) != {"a", "b"} or not frame["grade"].between(1, 5).all():
        return "both classes, a and b, must occur, with grades from 1 to 5"
    ends = {label: {grades.min(), grades.max()} for label, grades in frame.groupby("label")["grade"]}
    for grade, labels in frame.groupby("grade")["label"]:
        able = [label for label in "ab" if grade in ends[label]]
        if len(able) == 1 and 0 < (labels == able[0]).mean() < 0.5:
            return ""
    return "from no grade does the attacker infer a class that a few with this grade have and most do not"


@exercise("40.4")
def nearer_figures() -> Answer:
    grid = inuiguchi.stored("readings").query("table == 10 and method == 'M2' and choice in ['', 'partition']")
    apart = grid.merge(inuiguchi.paper(), on=["table", "dataset", "k", "method"])
    apart = apart.assign(gap=(apart["ours"] - apart["paper"]).abs()).pivot(
        index=["dataset", "k"], columns="value", values="gap"
    )
    shuffled, cut = apart[""], apart["widest"]
    return Answer([int((shuffled < cut).sum()), int((cut < shuffled).sum())])


@inputs("40.5")
def build_success_ratio() -> Iterator[tuple]:
    for name, rows, k in (("hayes-roth", 160, 5), ("car", 300, 10)):
        table = load(name)
        table = table.take(np.linspace(0, len(table) - 1, rows).astype(int))
        names = [*table.conditions, str(table.decision)]
        people = table.frame[names].astype(str).to_dict("records")
        releases = dict(readings.anonymized_tables(table, k, np.random.default_rng(0)))
        for kind in ("M1", "M2", "cT1"):
            release = releases[kind]
            assert release is not None
            yield rows_of(release, names, labels=True), people, table.decision


@exercise("41.2")
def sentence_by_hand() -> Answer:
    times = [(4.1, 3.9, 3.6, 3.0, 2.2), (3.2, 3.1, 3.7, 2.4, 2.0), (1.0, 1.2, 1.5, 1.9, 2.5)]
    return Answer(sentence_verdict(sum(a > max(b, c) for a, b, c in zip(*times, strict=True)), 5))


@judged("41.3", form="a list of two lists of sizes")
def high_average(answer: Any) -> str:
    rows, k, goal = 60, 5, 3
    first, second = (whole_numbers(sizes, "[5, 55]") for sizes in answer)
    for name, sizes in (("first", first), ("second", second)):
        if sum(sizes) != rows or min(sizes, default=0) < k:
            return f"the groups of the {name} release must hold {rows} rows together, and at least {k} each"
    averages = [rows / len(sizes) / k for sizes in (first, second)]
    if not averages[0] >= goal > averages[1]:
        return f"the CAVGs are {averages[0]:.2f} and {averages[1]:.2f}; the first must reach {goal}, the second not"
    more = first.count(k) > second.count(k)
    return "" if more else f"in the first release no more people stand in groups of exactly {k} than in the second"


@exercise("43.2")
def falling_k() -> Answer:
    falls = [later < earlier for earlier, later in pairwise((900, 300, 40, 40, 1, 1))]
    return Answer(sentence_verdict(sum(falls), len(falls)))


@exercise("44.2")
def relative_verdict() -> Answer:
    return Answer(verdict(739, (702 + 731 + 650) / 3, count=True))


@exercise("45.2")
def front_by_hand(points: dict[str, tuple[int, int]]) -> Answer:
    kept = dict(zip(points, unbeaten(np.array(list(points.values()))), strict=True))
    front, beaten = [name for name in points if kept[name]], []
    for name in (name for name in points if not kept[name]):
        better = next(one for one in front if all(a <= b for a, b in zip(points[one], points[name], strict=True)))
        beaten.append(f"{name} is beaten by {better}")
    lines = "; ".join(f"{name}: {loss} and {risk}" for name, (loss, risk) in points.items())
    return Answer(set(front), lines=lines, beaten=beaten, front=front)


@exercise("45.3")
def below_without_protection(people: int, k: int) -> Answer:
    def judge(answer: Any) -> str:
        ages = whole_numbers(answer, "[20, 30]")
        if len(ages) != people:
            return f"there are {len(ages)} ages, and {people} are asked for"
        table = Table(pd.DataFrame({"age": ages}), quasi=["age"])
        if privacy.k(Release.of(table)) > 1:
            return "nobody is alone with their age"
        share = LinkageAttack().run(Release.of(table), table).success
        return f"linkage finds {share:.1%} of the people, more than 1/{k}" if share > 1 / k + 1e-9 else ""

    return Answer(judge=judge, ages=[20, *[30] * (people - 1)])


@exercise("45.4")
def surely_beaten() -> Answer:
    points = rivals.risk_and_loss(stored("rivals", "standings"))
    part = points[points["table"] == "adult"]
    highs, lows = (part[[f"risk {end}", f"loss {end}"]].to_numpy() for end in ("high", "low"))
    return Answer(int(sum(not (highs < low).all(axis=1).any() for low in lows)))


@exercise("46.3")
def mean_ratio() -> Answer:
    compared = benchmarks.comparisons(benchmarks.results())
    return Answer(float(np.exp(np.log(compared.loc[compared["subject"].str.startswith("Rules"), "ratio"]).mean())))


def _ages(ages: Sequence[float]) -> Table:
    return Table(pd.DataFrame({"age": list(ages)}), quasi=["age"])


def _in_years(ages: Sequence[float]) -> float:
    """What turns a mean NCP into years, summed over the people."""
    return (max(ages) - min(ages)) * len(ages)


@exercise("47.1")
def prices_by_hand(ages: tuple[int, ...], k: int) -> Answer:
    def prices() -> list[float]:
        bound = optimum.bound(_ages(ages), k, effort="nearest")
        return (np.asarray(bound.prices) * _in_years(ages)).round(6).tolist()

    others, nearest = ("other", "nearest") if k == 2 else ("others", "second nearest")
    return Answer(prices, others=others, nearest=nearest, prices=lambda: [f"{price:g}" for price in prices()])


@judged("47.3", form="a list of numbers, such as [20, 21]")
def weak_bound(answer: Any) -> str:
    people, times = 6, 1.5
    ages = [float(age) for age in answer]
    if len(ages) != people:
        return f"there are {len(ages)} ages, and {people} are asked for"
    if len(set(ages)) < 2:
        return "all ages are the same, so nothing is lost"
    bound, best = optimum.bound(_ages(ages), 2, effort="nearest").value, optimum.best(_ages(ages), 2).value
    if bound <= 0:
        return "the bound is 0, so no number of times says anything; give everyone an age of their own"
    return "" if best >= times * bound - 1e-9 else f"the best grouping costs {best / bound:.2f} times the bound"
