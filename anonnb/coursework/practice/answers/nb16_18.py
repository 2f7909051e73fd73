"""Answers of notebooks 16 to 18: k-common patterns, tuple migration, clusters of people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.nb04_06 import TABLE_2
from anonnb.coursework.practice.answers.tools import rows_of, whole_numbers
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods import GCCG, KACA
from anonnb.methods.clustering.clusters import RowDistance
from anonnb.methods.migration.budgets import antecedent_budget, consequent_budget
from anonnb.methods.migration.migration import UM3AR
from anonnb.methods.patterns.choosing import PatternChoice
from anonnb.methods.patterns.pattern_table import PatternTable, compose, rows_held
from anonnb.rules import Condition, Rule, RuleSet
from anonnb.tables.datasets import load
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.table import Table


@judged("16.1")
def needed(answer: Any) -> str:
    rules = {"A": "abc", "B": "abd", "C": "acd", "D": "ab"}

    def left(names: Iterable[str]) -> set[str]:
        return set("abcd").intersection(*(rules[name] for name in names))

    if not isinstance(answer, list | tuple | set) or not all(isinstance(name, str) for name in answer):
        return "the answer is a list of names, such as ['A', 'B', 'C']"
    chosen = {name.strip().upper() for name in answer}
    if strange := sorted(chosen - set(rules)):
        return f"{strange[0]!r} is not one of the rules"
    if left(chosen) != left(rules):
        return f"these rules leave {' or '.join(sorted(left(chosen)))}, and all four leave less"
    spare = [name for name in sorted(chosen) if left(chosen - {name}) == left(chosen)]
    return f"{spare[0]} can be removed, and as much is left" if spare else ""


@exercise("16.2")
def people_held() -> Answer:
    premises = [
        tuple(Condition(name, values=(value,)) for name, value in parts.items()) for parts, _ in TABLE_2.values()
    ]
    ends = [tuple(sorted(classes)) for _, classes in TABLE_2.values()]
    rules = [Rule(premise, "evaluation", end) for premise, end in zip(premises, ends, strict=True)]
    rule_set = RuleSet(rules, "evaluation", ("high", "low", "medium"))
    pattern = compose(load("decision6"), rule_set, [PatternChoice(5, 3, (5, 2))])
    return Answer(int(rows_held(pattern, load("decision6"))[0]))


def _held(pattern: Sequence[set[str]]) -> list[str]:
    """The people of Table 1 whom a pattern holds."""
    frame = load("decision6").frame
    fits = [frame[name].isin(list(values)) for name, values in zip(frame, pattern, strict=True)]
    return frame.index[np.logical_and.reduce(fits)].tolist()


@judged("16.3", form="a list of two patterns, each of them a list of four sets of values")
def two_patterns(answer: Any) -> str:
    held = [set(_held([set(values) for values in pattern])) for pattern in answer]
    if len(held) != 2:
        return f"there are {len(held)} patterns, and two are asked for"
    for number, names in enumerate(held, start=1):
        if len(names) < 3:
            return f"pattern {number} holds {', '.join(sorted(names)) or 'nobody'}, fewer than three people"
    both = held[0] & held[1]
    return "" if both == {"o3"} else f"the people who fit both are: {', '.join(sorted(both)) or 'none'}"


@inputs("16.4")
def build_pattern() -> Iterator[tuple]:
    for name, k in (("decision6", 2), ("zoo", 3), ("zoo", 5)):
        table = load(name)
        info, frame = PatternTable(k=k).anonymize(table).info, table.frame[table.conditions].astype(str)
        for choice in info["choices"]:
            rule = {part.attribute: str(part.values[0]) for part in info["rules"][choice.rule].conditions}
            yield choice.row, rule, frame.reset_index(drop=True), k


@exercise("17.1")
def two_budgets(both: int, left: int, rows: int, support: float, confidence: float) -> Answer:
    spared, slack = 1 - Fraction(str(confidence)), both - Fraction(str(confidence)) * left
    given = (both, left, rows, support, confidence)
    return Answer(
        (antecedent_budget(*given), consequent_budget(*given)),
        swapped=(consequent_budget(*given), antecedent_budget(*given)),
        spared=float(spared),
        slack=float(slack),
        out=float(slack / spared),
        over=float(both - Fraction(str(support)) * rows),
    )


def _groups(sizes: Sequence[int]) -> Table:
    return Table(pd.DataFrame({"group": np.repeat([f"g{n}" for n in range(len(sizes))], sizes)}), quasi=["group"])


def united(sizes: Sequence[int], k: int) -> list[int]:
    """The sizes that U-M3AR leaves of groups of these sizes, without rules, in rising order."""
    return sorted(UM3AR(k=k, min_support=1).anonymize(_groups(sizes)).group_sizes.tolist())


@exercise("17.2")
def by_hand() -> Answer:
    return Answer(united((3, 4, 6, 8, 15), 10))


@inputs("17.5", model=united)
def build_unite() -> Iterator[tuple]:
    rng, adult = np.random.default_rng(17), load("adult", variant="migration")
    small = [(rng.integers(1, 16, rng.integers(3, 9)).tolist(), int(rng.integers(4, 11))) for _ in range(60)]
    yield from (case for case in small if sum(case[0]) >= case[1])
    yield adult.frame.value_counts(adult.quasi).tolist(), 20


PLACES = {"Europe": {"North": ["SE", "NO"], "South": ["IT"]}, "Asia": {"East": ["JP", "CN"]}}


def _people(ages: Any, places: Any) -> Table:
    frame = pd.DataFrame({"age": ages, "place": places})
    return Table(frame, quasi=["age", "place"], hierarchies={"place": Hierarchy.from_nested(PLACES)})


@exercise("18.1")
def distance_by_hand(oldest: int, age: int, place: str) -> Answer:
    levels, node = {"IT": (2, "Europe"), "NO": (1, "North"), "JP": (3, "the top")}[place]
    distance = float(RowDistance(_people((25, age, 20, oldest), ("SE", place, "SE", "CN")))(0, np.array([1]))[0])
    return Answer(distance, levels=levels, node=node, distance=distance, half=distance / 2)


@exercise("18.2")
def what_is_left(ages: tuple[int, ...]) -> Answer:
    groups = GCCG(k=3).steps(Table(pd.DataFrame({"age": ages}), quasi=["age"]))[-2].state.groups
    first, last = ([age for age, group in zip(ages, groups, strict=True) if group == n] for n in (0, 1))
    return Answer((min(last), max(last)), first=first, last=last, low=min(last), high=max(last))


@exercise("18.3")
def neighbours_far_apart(widths: tuple[int, ...], low: int, high: int) -> Answer:
    def judge(answer: Any) -> str:
        ages = sorted(whole_numbers(answer, "(30, 31)"))
        if len(ages) != 2 or ages[1] - ages[0] != 1:
            return f"{' and '.join(map(str, ages))} are not two ages that differ by one year"
        if ages[0] < low or ages[1] > high:
            return f"{ages[0]} and {ages[1]} are not both between {low} and {high}"
        table = Table(pd.DataFrame({"age": ages}), quasi=["age"], hierarchies={"age": Hierarchy.intervals(*widths)})
        cost = float(KACA(k=2).steps(table)[1].candidates["distortion"].iloc[0])
        return "" if cost > 2 - 1e-9 else f"uniting {ages[0]} and {ages[1]} costs {cost:.3f}, which is less than 2"

    return Answer(judge=judge, wall=(low // widths[-1] + 1) * widths[-1])


@inputs("18.5")
def build_clusters() -> Iterator[tuple]:
    adult, rng = load("adult", variant="migration"), np.random.default_rng(0)
    first = adult.frame.drop_duplicates(adult.quasi).index[:250]
    small = [_people(rng.permutation(60)[:17] + 20, rng.choice(["SE", "NO", "IT", "JP", "CN"], 17)) for _ in range(9)]
    for number, table in enumerate((*small, adult.take(adult.index.get_indexer(first)))):
        distance = np.stack([RowDistance(table)(row, np.arange(len(table))) for row in range(len(table))])
        nominal = [name for name in table.quasi if table.attributes[name].kind == "nominal"]
        grade = sum(np.bincount(table.codes(name))[table.codes(name)] for name in nominal)
        yield distance, grade, 2 + number % 3 if len(table) < 20 else 7
