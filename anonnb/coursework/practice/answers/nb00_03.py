"""Answers of notebooks 00 to 03: the first tour, decision tables, rough sets, k-anonymity and friends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.tools import frame_of, people_of, rows_of
from anonnb.coursework.practice.exercise import Answer, exercise, inputs
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.privacy import measures
from anonnb.roughsets import approximate, quality, reducts
from anonnb.tables.datasets import load
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@exercise("00.3")
def anonymous_and_disclosed(k: int) -> Answer:
    def judge(answer: Any) -> str:
        example = '[("30–39", "flu"), ("40–49", "cold")]'
        frame = frame_of(answer, "shown secret", example, rows=3 * k)
        smallest = measures.k(Table(frame, quasi=["shown"]))
        if smallest < k:
            return f"the smallest class has {smallest} people, fewer than {k}"
        if frame["secret"].nunique() < 3:
            return "the table has fewer than three different secrets"
        given_away = int((frame.groupby("shown")["secret"].transform("nunique") == 1).sum())
        return "" if given_away == k else f"the secret of {given_away} people is given away, and {k} are asked for"

    return Answer(judge=judge, people=3 * k, pairs=[("a", "flu")] * k + [("b", "cold"), ("b", "cancer")] * k)


@inputs("00.4")
def build_attack() -> Iterator[tuple]:
    quasi = ["age", "sex", "education"]
    adult = load("adult").select([*quasi, "income"]).with_roles(quasi=quasi, sensitive=["income"], decision=None)
    inside, outside = adult.take(np.arange(150)), adult.take(np.arange(150, 300))
    for k in (1, 2, 3, 5, 10):
        release = Mondrian(k=k).anonymize(inside) if k > 1 else Release.of(inside)
        published = list(zip(rows_of(release), release.frame["income"], strict=True))
        for people in (inside, outside):
            yield published, list(zip(people_of(people), people["income"], strict=True))


PUBLISHED = {
    "A": ("Osaka or Tokyo", "[low–mid]", "[31–38]"),
    "B": ("Nara or Osaka", "[mid–high]", "[35–52]"),
    "C": ("*", "mid", "[30–40]"),
    "D": ("Tokyo", "*", "[36–60]"),
    "E": ("Osaka", "*", "*"),
}


@exercise("01.1")
def who_fits(city: str, grade: str, age: int) -> Answer:
    grades, facts = ["low", "mid", "high"], {"city": city, "grade": grade, "age": age}
    people = {"city": ["Nara", "Osaka", "Tokyo"] * 11, "grade": grades * 11, "age": range(29, 62)}
    like = Table(pd.DataFrame(people), quasi=list(facts), orders={"grade": grades})
    release = Release.from_frame(pd.DataFrame(PUBLISHED.values(), columns=list(facts)), like, hidden="class")
    fits = {name: release.columns[name].can_take(like.attributes[name].code(value)) for name, value in facts.items()}
    against = {name: [column for column in facts if not fits[column][row]] for row, name in enumerate(PUBLISHED)}
    return Answer(
        {name for name, columns in against.items() if not columns},
        lines="; ".join(f"{name}: {', '.join(cells)}".replace("*", r"\*") for name, cells in PUBLISHED.items()),
        cells="; ".join(
            f"{name} {'does not fit, by ' + ' and '.join(columns) if columns else 'fits'}"
            for name, columns in against.items()
        ),
        fitting=[name for name, columns in against.items() if not columns],
    )


@exercise("01.2")
def level_for_k(codes: tuple[str, ...], k: int) -> Answer:
    labels = [Counter(Hierarchy.mask(5).generalize(code, level) for code in codes) for level in range(6)]
    lowest = next(level for level in range(6) if min(labels[level].values()) >= k)
    levels = [
        f"level {level}: " + ", ".join(f"`{label}` {count}" for label, count in labels[level].items())
        for level in range(1, lowest + 1)
    ]
    return Answer(lowest, levels="; ".join(levels))


@exercise("01.3")
def rows_and_people(visits: tuple[str, ...]) -> Answer:
    frame = pd.DataFrame([visit.split() for visit in visits], columns=["age", "patient"])
    rows = measures.k(Table(frame[["age"]], quasi=["age"]))
    people = measures.k(Table(frame, quasi=["age"], person="patient"))
    return Answer((rows, people), rows=rows, people=people, swapped=(people, rows))


@inputs("01.4")
def build_published_cells() -> Iterator[tuple]:
    rng = np.random.default_rng(0)
    for kind in ("nominal", "ordinal", "numeric"):
        for size in (4, 7, 12):
            domain = list(range(10, 10 + 3 * size, 3)) if kind == "numeric" else [f"v{n:02}" for n in range(size)]
            values = [*domain, *(domain[n] for n in rng.integers(0, size, 20))]
            groups = [*(n % 6 for n in range(size)), *rng.integers(0, 6, 20).tolist()]
            yield values, groups, kind, domain


@exercise("02.1")
def boundary_by_hand(known: list[str], value: str) -> Answer:
    six = load("decision6")
    parts = {part: six.index[getattr(approximate(six, value, known), part)] for part in ("lower", "upper", "boundary")}
    texts: dict[str, Any] = {part: ", ".join(people) or "nobody" for part, people in parts.items()}
    verb = "is" if len(known) == 1 else "are"
    return Answer(set(parts["boundary"]), attributes=" and ".join(known), verb=verb, **texts)


SYMPTOMS = ["headache", "muscle pain", "temperature"]
PATIENTS = {
    "p1": ("no", "yes", "high", "yes"),
    "p2": ("yes", "no", "high", "yes"),
    "p3": ("yes", "yes", "very high", "yes"),
    "p4": ("no", "yes", "normal", "no"),
    "p5": ("yes", "no", "high", "no"),
    "p6": ("no", "yes", "very high", "yes"),
}


def _flu(dropped: str = "") -> Table:
    patients = {name: cells for name, cells in PATIENTS.items() if name != dropped}
    return Table(pd.DataFrame(patients, index=[*SYMPTOMS, "flu"]).T, decision="flu")


@exercise("02.2")
def clause_by_hand() -> Answer:
    return Answer(set(map(frozenset, reducts(_flu("p1"), keep="decision"))))


@exercise("02.3")
def no_attribute_alone(rows: int) -> Answer:
    def judge(answer: Any) -> str:
        table = Table(frame_of(answer, "abd", '[(0, 1, "yes"), (1, 1, "no")]', rows=rows), decision="d")
        for names, wanted in (("a", 0.0), ("b", 0.0), ("ab", 1.0)):
            gamma = quality(table, list(names))
            if gamma != wanted:
                return f"with {' and '.join(names)} γ is {gamma:.2f}, and {wanted:g} is asked for"
        return ""

    four = [(0, 0, "same"), (0, 1, "other"), (1, 0, "other"), (1, 1, "same")]
    return Answer(judge=judge, triples=[four[row % 4] for row in range(rows)])


@inputs("02.4")
def build_approximations() -> Iterator[tuple]:
    for table in (load("decision6"), _flu(), load("zoo"), load("hayes-roth")):
        frame = table.frame.reset_index(drop=True)
        for count in range(len(table.conditions) + 1):
            for value in frame[table.decision].unique():
                yield frame, list(table.conditions[:count]), table.decision, value


@exercise("03.1")
def three_measures(classes: dict[str, str]) -> Answer:
    rows = [(name, secret) for name, secrets in classes.items() for secret in secrets.split()]
    table = Table(pd.DataFrame(rows, columns=["class", "secret"]), quasi=["class"], sensitive="secret")
    counts = pd.crosstab(table["class"], table["secret"])
    whole = counts.sum() / len(table)
    distances = (counts.div(counts.sum(axis=1), axis=0) - whole).clip(lower=0).sum(axis=1)
    k, l, t = measures.k(table), measures.l(table), measures.t(table, "equal")  # noqa: E741
    return Answer(
        (k, l, t),
        k=k,
        l=l,
        t=t,
        lines="; ".join(f"{name}: {', '.join(secrets.split())}" for name, secrets in classes.items()),
        shares=[f"{name} {share:.3f}" for name, share in whole.items()],
        distances=[f"{name} {distance:.3f}" for name, distance in distances.items()],
    )


@exercise("03.2")
def rise_and_fall(ill: int, people: int, share: float) -> Answer:
    ratios = {"ill": ill / people / share, "healthy": (1 - ill / people) / (1 - share)}
    logs = {value: abs(float(np.log(ratio))) for value, ratio in ratios.items()}
    largest = max(logs, key=lambda value: logs[value])
    texts = [f"{log:.4f} for {value}" for value, log in logs.items()]
    return Answer((ratios["ill"] - 1, logs[largest]), beta=ratios["ill"] - 1, logs=texts, largest=largest)


@exercise("03.3")
def people_not_rows(visits: str) -> Answer:
    frame = pd.DataFrame([visit.split() for visit in visits.split(", ")], columns=["patient", "illness"])
    frame = frame.assign(zip="1010")
    by_row = Table(frame.drop(columns="patient"), quasi=["zip"], sensitive="illness")
    by_person = Table(frame, quasi=["zip"], sensitive="illness", person="patient")
    four = [measure(table) for table in (by_row, by_person) for measure in (measures.k, measures.l)]
    shared = frame.groupby("illness")["patient"].nunique().idxmax()
    return Answer(four, rows=four[0], illnesses=four[1], people=four[2], l=four[3], shared=shared)


@inputs("03.5")
def build_fits() -> Iterator[tuple]:
    rng, whole = np.random.default_rng(0), {"flu": 0.5, "cold": 0.3, "gout": 0.15, "ulcer": 0.05}
    for number in range(300):
        secrets = rng.choice(list(whole), 1 + number % 12, p=list(whole.values())).tolist()
        yield (
            secrets,
            whole,
            1 + number % 4,
            (0.2, 0.35, 0.5, 1.0)[number // 4 % 4],
            (0.5, 1.0, 3.0, 9.0)[number % 4],
        )
    yield ["flu"] * 5 + ["cold"] * 3 + ["gout", "ulcer"], whole, 4, 0.05, 1.0
    yield ["flu"] * 10, whole, 1, 0.5, 1.0
