"""Answers of notebooks 30 to 32: the shallow attack, the deep attack, inference from mined results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.trees.disclosure import disclosures

NINE_PATTERNS = """male | salesman | Tokyo or Osaka | low or high
male | salesman | Osaka or Fukuoka | medium or high
male or female | salesman | Tokyo | low or high
male | salesman | Tokyo or Fukuoka | medium or high
female | salesman or engineer | Tokyo or Fukuoka | low or medium
male or female | engineer | Osaka or Fukuoka | low or medium
male or female | salesman or engineer | Fukuoka | medium or high
male | salesman or engineer | Osaka | low or high
male | salesman | Osaka or Fukuoka | low or high"""  # Table 5 of the paper
Rows = list[dict[str, set[str]]]


def nine_patterns() -> Release:
    """The paper's patterns for six people."""
    cells = [line.split(" | ") for line in NINE_PATTERNS.splitlines()]
    six = load("decision6")
    return Release.from_frame(pd.DataFrame(cells, columns=list(six.frame)), like=six)


def _random_rows(rng: np.random.Generator, rows: int, **domains: str) -> Rows:
    return [
        {name: set(rng.choice(list(v), rng.integers(1, 3), replace=False)) for name, v in domains.items()}
        for _ in range(rows)
    ]


def _paper_rows() -> Rows:
    frame = nine_patterns().frame.astype(str)
    return [{name: set(cell.split(" or ")) for name, cell in row.items()} for row in frame.to_dict("records")]


@exercise("30.1")
def intersect_by_hand() -> Answer:
    def inferred() -> str:
        cases = ShallowAttack(known=["domicile"], targets=["sex"]).run(nine_patterns(), load("decision6")).targets
        return str(cases.set_index("known").loc["domicile = Osaka", "inferred"])

    return Answer(inferred)


@judged("30.3", form="a list of sets, such as [{'low', 'high'}]")
def false_inference(answer: Any) -> str:
    truth, values = "low", ("low", "medium", "high")
    sets = [{str(value).strip().lower() for value in each} for each in answer]
    if not sets or not all(each and each <= set(values) for each in sets):
        return "every pattern is a set of low, medium and high"
    if not any(truth in each for each in sets):
        return f"no pattern allows {truth}"
    people = pd.DataFrame({"town": ["Tokyo"] * 3, "evaluation": values})
    table = Table(people, quasi=["town"], sensitive=["evaluation"], decision="evaluation")
    cells = pd.DataFrame({"town": ["Tokyo"] * len(sets), "evaluation": [" or ".join(sorted(each)) for each in sets]})
    attack = ShallowAttack(known=1, targets="decision").run(Release.from_frame(cells, like=table), table)
    inferred = attack.targets["inferred"].iloc[0]
    return "the attack infers nothing" if not inferred else "the attack is right" if inferred == truth else ""


@inputs("30.4")
def build_shallow() -> Iterator[tuple]:
    rng, domains = np.random.default_rng(30), {"town": "TOF", "job": "abc", "sex": "fm", "secret": "lmh"}
    for rows in (_paper_rows(), *(_random_rows(rng, 5, **domains) for _ in range(20))):
        values = {name: sorted(set.union(*(row[name] for row in rows))) for name in rows[0]}
        for one, other in combinations(values, 2):
            for target in [name for name in values if name not in (one, other)]:
                yield from ((rows, {one: a, other: b}, target) for a in values[one] for b in values[other])
        yield rows, {next(iter(values)): "nobody has this"}, list(values)[-1]


Pattern = tuple[str, str]  # towns and values, a letter each


def inferred(patterns: Sequence[Pattern], attack: type[ShallowAttack] = DeepAttack, values: str = "lmh") -> str:
    """What an attack says about the secret of somebody known to be in all of these rows, or nothing."""
    towns = "".join(sorted({town for towns, _ in patterns for town in towns} | set("TOF")))
    size = max(len(towns), len(values))
    people = pd.DataFrame(
        {"job": ["j"] * size, "town": list((towns * size)[:size]), "secret": list((values * size)[:size])}
    )
    table = Table(people, quasi=["job", "town"], sensitive=["secret"], decision="secret")
    cells = [{"job": "j", "town": " or ".join(each), "secret": " or ".join(left)} for each, left in patterns]
    release = Release.from_frame(pd.DataFrame(cells), like=table)
    result = attack(known=["job"], targets=["secret"]).run(release, table.take(np.array([0])))
    return str(result.targets["inferred"].iloc[0])


def smallest_set(patterns: Sequence[Pattern]) -> tuple[tuple[int, ...], str]:
    """The first smallest set of rows that share a town and leave one secret, by trying all; without one, nothing.

    >>> smallest_set([("T", "lh"), ("TF", "lm"), ("F", "mh")])
    ((0, 1), 'l')
    """
    for size in range(1, len(patterns) + 1):
        for chosen in combinations(range(len(patterns)), size):
            towns, left = (set.intersection(*(set(patterns[row][part]) for row in chosen)) for part in (0, 1))
            if towns and len(left) == 1:
                return chosen, left.pop()
    return (), ""


@exercise("31.1")
def deep_by_hand() -> Answer:
    return Answer(lambda: inferred([("O", "mh"), ("TO", "lh"), ("T", "lm"), ("OF", "mh")]))


@exercise("31.2")
def orders() -> Answer:
    rows = [("T", "lh"), ("TF", "lm"), ("F", "mh")]
    return Answer(lambda: {inferred(order) for order in permutations(rows)} - {""})


@judged("31.3", form="a list of pairs, such as [('T', 'ab'), ('TF', 'bc')]")
def deeper(answer: Any) -> str:
    size, secrets = 3, "abcd"
    patterns = [("".join(towns), "".join(left)) for towns, left in answer]
    if not patterns or not all(t and v and set(t) <= set("TOF") and set(v) <= set(secrets) for t, v in patterns):
        return f"every row needs towns of T, O and F and secrets of {', '.join(secrets)}"
    if value := inferred(patterns, ShallowAttack, secrets):
        return f"the shallow attack infers {value}"
    chosen, _ = smallest_set(patterns)
    if not chosen:
        return "no compatible rows leave one secret"
    if len(chosen) != size:
        return f"{len(chosen)} rows are enough: {', '.join(str(row + 1) for row in chosen)}"
    return "" if inferred(patterns, DeepAttack, secrets) else "the deep attack finds something that speaks against it"


@inputs("31.4")
def build_deep() -> Iterator[tuple]:
    rng = np.random.default_rng(31)
    for rows in (_paper_rows(), *(_random_rows(rng, 6, town="TOF", job="abc", secret="lmh") for _ in range(100))):
        target = list(rows[0])[-1]
        for name in rows[0]:
            for value in sorted(set.union(*(row[name] for row in rows))):
                fitting = [row for row in rows if value in row[name]]
                distinct = [row for number, row in enumerate(fitting) if row not in fitting[:number]]
                if name != target and distinct:
                    yield distinct, target


Counts = Mapping[str, tuple[str | None, int | None]]  # the parent and the people of each node; None: no parent, hidden


def _leaks(tree: Counts, k: int) -> list:
    """The small counts that follow from a tree, with our search."""
    number = {name: n for n, name in enumerate(tree)}
    frame = {
        "node": list(number.values()),
        "parent": [-1 if parent is None else number[parent] for parent, _ in tree.values()],
        "attribute": ["" if parent is None else "split" for parent, _ in tree.values()],
        "rows": pd.array([count for _, count in tree.values()], dtype="Int64"),
    }
    return disclosures(pd.DataFrame(frame), k)


@judged("32.3")
def hide_few(answer: Any) -> str:
    tree = {"all": (None, 66), "men": ("all", 55), "women": ("all", 11)}
    tree |= {"women, 35 hours": ("women", 2), "women, 50 hours": ("women", 9)}
    tree |= {"men, married": ("men", 10), "men, divorced": ("men", 19), "men, single": ("men", 26)}
    if not isinstance(answer, list | tuple | set) or not set(answer) <= set(tree):
        return f"the answer is a list of nodes, such as {list(tree)[1:2]}"
    leaks = _leaks({name: (parent, None if name in answer else count) for name, (parent, count) in tree.items()}, 3)
    if leaks:
        names, first = list(tree), leaks[0]
        less = f" minus {', '.join(names[node] for node in first.without)}" if first.without else ""
        return f"{names[first.node]}{less}: {'' if first.exact else 'at most '}{first.count} people"
    return f"it can be done with fewer than {len(set(answer))}" if len(set(answer)) > 2 else ""


@exercise("32.4")
def build_small_groups() -> Answer:
    def cases() -> Iterator[tuple]:
        rng = np.random.default_rng(32)
        for _ in range(60):
            parents = [None, *(int(rng.integers(0, node)) for node in range(1, int(rng.integers(4, 12))))]
            people = [0] * len(parents)
            for node in reversed(range(len(parents))):
                people[node] += 0 if node in parents else int(rng.integers(1, 9))
                if (above := parents[node]) is not None:
                    people[above] += people[node]
            counts = [None if rng.random() < 0.35 else count for count in people]
            names = [None if above is None else f"n{above}" for above in parents]
            yield {f"n{n}": pair for n, pair in enumerate(zip(names, counts, strict=True))}, int(rng.choice([3, 5, 8]))

    def model(tree: Counts, k: int) -> list[tuple[str, int]]:
        return [(list(tree)[leak.node], leak.count) for leak in _leaks(tree, k) if leak.exact]

    return Answer(cases=cases, model=model, read=sorted)
