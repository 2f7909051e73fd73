"""Answers of notebooks 04 to 06: rule induction, imprecise rules, k-anonymous rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.tools import frame_of, random_frame
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.rules.induction.imprecise import imprecise_rules
from anonnb.rules.induction.lers import LERS
from anonnb.rules.induction.mlem2 import mlem2, mlem2_steps
from anonnb.rules.induction.mlem2_record import elementary_pairs
from anonnb.tables.datasets import load
from anonnb.tables.table import Table


def _nominal(frame: pd.DataFrame, decision: str) -> Table:
    return Table(frame.reset_index(drop=True), decision=decision, kinds=dict.fromkeys(frame, "nominal"))


@exercise("04.1")
def first_condition(rows: str) -> Answer:
    frame = pd.DataFrame([row.split() for row in rows.split(", ")], columns=["job", "home", "loan"])
    table, yes = _nominal(frame, "loan"), set(np.flatnonzero(frame["loan"] == "yes").tolist())
    blocks = {str(pair.condition): pair.block for pair in elementary_pairs(table)}
    counts = [f"{name}: {len(block & yes)} of {len(block)}" for name, block in blocks.items()]
    return Answer(
        mlem2_steps(table, "yes").iloc[0]["what"], counts=counts, first=mlem2_steps(table, "yes").iloc[0]["what"]
    )


@exercise("04.2")
def bounds() -> Answer:
    people = {18: "no", 22: "yes", 26: "yes", 34: "yes", 40: "no", 50: "no"}
    table = Table(pd.DataFrame({"age": people.keys(), "buys": people.values()}), decision="buys")

    def expected() -> list[float]:
        [condition] = mlem2(table, "yes")[0].conditions
        return [len(elementary_pairs(table)), condition.lower, condition.upper]

    return Answer(expected)


@exercise("04.3")
def vote() -> Answer:
    def scores() -> dict[str, float]:
        person = pd.DataFrame({"sex": ["male"], "occupation": ["engineer"], "domicile": ["Fukuoka"]})
        voters = LERS().fit(load("decision6"))
        return dict(zip(voters.rules_.classes, voters.scores(person)[0].tolist(), strict=True))

    return Answer(scores)


@judged("04.4")
def no_short_rule(answer: Any) -> str:
    frame = frame_of(answer, "a b class", "[(0, 0, 0), (0, 1, 1)]", rows=4, kind=int)
    if not frame.isin([0, 1]).all(axis=None):
        return "all numbers are 0 or 1"
    if frame.duplicated(["a", "b"]).any():
        return "two rows agree on all attributes"
    if frame["class"].nunique() < 2:
        return "all rows are of one class, so that a rule without conditions would do"
    widest = max(mlem2(Table(frame.astype(str), decision="class")), key=lambda rule: rule.support)
    return f"the rule {widest} covers {widest.support} rows" if widest.support > 1 else ""


@inputs("04.5")
def build_one_rule() -> Iterator[tuple]:
    zoo = load("zoo").frame.drop(columns="animal_name").astype(str).drop_duplicates()
    random = [random_frame(seed, 16, "abcd").drop_duplicates(list("abc")).astype(str) for seed in range(6)]
    for table in (load("decision6"), _nominal(zoo, "type"), *(_nominal(frame, "d") for frame in random)):
        blocks = {str(pair.condition): set(pair.block) for pair in elementary_pairs(table)}
        decisions = table[table.decision].to_numpy()
        for value in dict.fromkeys(decisions):
            concept = set(np.flatnonzero(decisions == value).tolist())
            for uncovered in (concept, set(sorted(concept)[::2]), set(sorted(concept)[-1:])):
                yield blocks, uncovered, concept


TABLE_2 = {
    "I1": ({"sex": "female"}, {"low", "medium"}),
    "I2": ({"occupation": "engineer"}, {"low", "medium"}),
    "I3": ({"sex": "male"}, {"low", "high"}),
    "I4": ({"occupation": "salesman"}, {"low", "high"}),
    "I5": ({"domicile": "Fukuoka"}, {"medium", "high"}),
    "I6": ({"sex": "male", "occupation": "salesman"}, {"medium", "high"}),
}


@exercise("05.2")
def intersection(sex: str, job: str, home: str) -> Answer:
    person = {"sex": sex, "occupation": job, "domicile": home}
    matching = {name: then for name, (parts, then) in TABLE_2.items() if parts.items() <= person.items()}
    left = set.intersection(*matching.values())
    return Answer(
        left,
        matching=list(matching),
        unions="; ".join(" or ".join(sorted(then)) for then in matching.values()),
        left=sorted(left) or "nothing, the rules contradict each other about this person",
    )


Rules = list[tuple[str, set[int]]]


def rules_of(table: Table) -> Callable[[Sequence[Any]], Rules]:
    """MLEM2 for a union of classes: the text of each rule with the rows that support it."""
    known: dict[tuple, Rules] = {}

    def rules_for(union: Sequence[Any]) -> Rules:
        if tuple(union) not in known:
            rules = mlem2(table, list(union))
            rows = [set(np.flatnonzero(matched).tolist()) for matched in rules.matches(table).T]
            known[tuple(union)] = list(zip(map(str, rules), rows, strict=True))
        return [(text, set(rows)) for text, rows in known[tuple(union)]]

    return rules_for


@inputs("05.4")
def build_careful_rules() -> Iterator[tuple]:
    random = Table(random_frame(0, 40, "abcd", 4).astype(str), decision="d")
    tables = {load("decision6"): (1, 2, 3), load("zoo"): (3, 10), load("hayes-roth"): (2, 5, 12), random: (2, 3, 5)}
    for table, ks in tables.items():
        for k in ks:
            yield list(imprecise_rules(table, k).classes), rules_of(table), k


@exercise("06.1")
def largest_k(rules: tuple[tuple[str, int], ...]) -> Answer:
    left, parts, k = set("ABCD"), [], 0
    for classes, k in sorted(rules, key=lambda rule: -rule[1]):
        left &= set(classes)
        parts.append(f"{' or '.join(classes)} [{k}] leaves {' or '.join(sorted(left))}")
        if left == {"B"}:
            break
    lines = "; ".join(f"{' or '.join(classes)} [{support}]" for classes, support in rules)
    return Answer(k, lines=lines, parts="; then ".join(parts), alone=dict(rules).get("B"))


@judged("06.3")
def unions_alone(answer: Any) -> str:
    k = 2
    try:
        width = {len(row) for row in answer}
    except TypeError:
        width = set()
    if len(width) != 1 or not min(width) >= 2 or not 1 <= len(answer) <= 12:
        example = "[(0, 1, 'A'), (1, 1, 'B')]"
        return f"the answer is a list of 1 to 12 tuples of equal length, each ending with its class, such as {example}"
    frame = frame_of(answer, [*(f"a{n}" for n in range(1, min(width))), "class"], "")
    if frame["class"].nunique() < 3:
        return "with two classes there are no unions but the whole table; take at least three"
    table = _nominal(frame, "class")
    explained = int(mlem2(table).filter(min_support=k).explains(table).sum())
    if explained:
        return f"precise rules with {k} supporters explain {explained} of your rows"
    exact = int((imprecise_rules(table, k).left_classes(table).sum(axis=1) == 1).sum())
    return "" if exact == len(table) else f"imprecise rules explain {exact} of your {len(table)} rows exactly"


@inputs("06.4")
def build_classes_left() -> Iterator[tuple]:
    for name in ("decision6", "hayes-roth", "iris", "zoo"):
        table = load(name)
        rules_for = rules_of(table)
        for k in (1, 2, 10):
            supporters = lambda union: [rows for _, rows in rules_for(union)]  # noqa: B023, E731
            yield list(range(len(table))), list(imprecise_rules(table, k).classes), supporters, k
