"""Exercises of notebook 03, k-anonymity and friends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.privacy import measures
from anonnb.privacy.base import Model
from anonnb.privacy.models import BetaLikeness, LDiversity, TCloseness
from anonnb.tables.datasets import load
from anonnb.tables.table import Table

Classes = dict[str, str]


def _table(classes: Classes) -> Table:
    """Rows of classes whose secrets are listed in a text each."""
    rows = [(name, secret) for name, secrets in classes.items() for secret in secrets.split()]
    return Table(pd.DataFrame(rows, columns=["class", "secret"]), quasi=["class"], sensitive="secret")


def _told(classes: Classes) -> str:
    return "; ".join(f"{name}: {', '.join(secrets.split())}" for name, secrets in classes.items())


@exercise("03.1")
def three_measures(numbers: Numbers) -> Exercise:
    classes = numbers.one_of(
        [
            {"A": "flu flu cold cold", "B": "flu flu flu cold", "C": "flu ulcer"},
            {"A": "flu cold cold", "B": "flu flu ulcer ulcer ulcer", "C": "cold flu"},
            {"A": "ulcer ulcer flu", "B": "cold flu flu flu", "C": "flu cold cold ulcer ulcer"},
        ]
    )
    table = _table(classes)
    return Exercise(
        f"Three classes and the illnesses of their people. {_told(classes)}. What are k, distinct l and t, where all "
        "illnesses are equally far apart? Answer with a triple.",
        hints=[
            "k and l are the smallest over the classes; for t write down the shares of each illness in the whole table",
            "the distance of a class is the sum of what its shares have risen, an illness that is missing rises by "
            "nothing; t is the largest of the three distances",
        ],
        worked=lambda: _distances(table),
        expected=lambda: (measures.k(table), measures.l(table), measures.t(table, "equal")),
    )


def _distances(table: Table) -> str:
    counts = pd.crosstab(table["class"], table["secret"])
    shares, whole = counts.div(counts.sum(axis=1), axis=0), counts.sum() / len(table)
    far = (shares - whole).clip(lower=0).sum(axis=1)
    return (
        f"The shares in the table are {', '.join(f'{name} {share:.3f}' for name, share in whole.items())}. The "
        f"distances are {', '.join(f'{name} {distance:.3f}' for name, distance in far.items())}; so k = "
        f"{measures.k(table)}, l = {measures.l(table)}, t = {far.max():.3f}."
    )


@exercise("03.2")
def rise_and_fall(numbers: Numbers) -> Exercise:
    ill, people, share = numbers.one_of([(9, 10, 0.5), (19, 20, 0.6), (4, 5, 0.4), (14, 15, 0.5)])
    rises = {"ill": (ill / people) / share, "healthy": (1 - ill / people) / (1 - share)}
    largest = max(rises, key=lambda value: abs(np.log(rises[value])))
    return Exercise(
        f"Of a whole table {share:.0%} are ill, of a class {ill} of {people} people. The others are healthy. What are "
        "β (basic) and δ of this class? Answer with a pair.",
        hints=[
            "β looks at the secret whose share rises: by how much, as a part of what it was?",
            "δ is the larger of two logarithms, one for *ill* and one for *healthy*: take both as positive numbers",
        ],
        worked=f"β = ({ill}/{people} − {share:g}) / {share:g} = {rises['ill'] - 1:.4f}. The logarithms are "
        + ", ".join(f"{abs(np.log(ratio)):.4f} for {value}" for value, ratio in rises.items())
        + f"; δ is that of {largest}, whose share falls.",
        expected=lambda: (rises["ill"] - 1, abs(np.log(rises[largest]))),
    )


@exercise("03.3")
def people_not_rows(numbers: Numbers) -> Exercise:
    visits = numbers.one_of(
        [
            "Ann flu, Ann cold, Ben flu, Ben flu, Cem flu, Cem ulcer",
            "Ann ulcer, Ben ulcer, Ben cold, Ben flu, Cem ulcer, Dan ulcer, Dan cold",
            "Ann cold, Ann flu, Ben cold, Cem cold, Cem ulcer, Cem cold",
        ]
    )
    rows = [tuple(visit.split()) for visit in visits.split(", ")]
    frame = pd.DataFrame(rows, columns=["patient", "illness"]).assign(zip="1010")
    by_row = Table(frame.drop(columns="patient"), quasi=["zip"], sensitive="illness")
    by_person = Table(frame, quasi=["zip"], sensitive="illness", person="patient")
    shared = frame.groupby("illness")["patient"].nunique().idxmax()
    return Exercise(
        f"A class of visits to a doctor: {visits}. What are k and distinct l if rows are counted, and what if people "
        "are? Answer with a list of four numbers: k and l of rows, k and l of people.",
        hints=[
            "count the visits, then the patients",
            "an attacker wants to know what somebody surely has: is there an illness that all of them have?",
        ],
        worked=f"There are {len(frame)} visits with {measures.l(by_row)} illnesses, of {by_person.n_people} people. "
        f"All of them had {shared}, so whoever knows that somebody is in the class knows this: l of people is 1.",
        expected=lambda: [measures.k(by_row), measures.l(by_row), measures.k(by_person), measures.l(by_person)],
    )


@exercise("03.4")
def smallest_useful_t(numbers: Numbers) -> Exercise:
    shares = numbers.one_of([(70, 20, 10), (55, 30, 15), (62, 28, 10), (45, 35, 20)])
    return Exercise(
        f"Three secrets occur in {shares[0]} %, {shares[1]} % and {shares[2]} % of a table, all equally far apart. "
        "From which t on does t-closeness allow a class in which everybody has the same secret? Answer with a number "
        "between 0 and 1.",
        hints=[
            "how far is a class with a single secret from the table? It depends on the secret",
            "in such a class one share rises to 1; choose the secret for which that is the shortest way",
        ],
        worked=f"A class with one secret of share p is 1 − p away. For the most frequent one that is 1 − "
        f"{shares[0] / 100:g} = {1 - shares[0] / 100:g}. Below it every class has at least two secrets; from it on "
        "t-closeness no longer implies 2-diversity.",
        expected=lambda: 1 - shares[0] / 100,
    )


STARTER = '''
def fits(secrets, whole, least, t, beta):
    """Whether a group of people may become a class of the release.

    secrets: a list with the secret of each person of the group. whole: a dict with the share of each secret in the
    table. Three things are asked: at least `least` different secrets; a distance from the whole table of at most t, all
    secrets being equally far apart; no share rises by more than beta times what it is in the table. Compare with a
    tolerance of 1e-9.
    """
    raise NotImplementedError
'''
WORKED = """```python
def fits(secrets, whole, least, t, beta):
    if len(set(secrets)) < least:
        return False
    distance = 0.0
    for secret, p in whole.items():
        q = secrets.count(secret) / len(secrets)
        if q - p > beta * p + 1e-9:
            return False
        distance += abs(q - p) / 2
    return distance <= t + 1e-9
```"""


@exercise("03.5")
def build(numbers: Numbers) -> Exercise:
    return Exercise(
        "**Build it yourself.** Complete `fits`, which says whether a group may be published. The check hands it to "
        "Mondrian in place of our three models and cuts the survey and parts of Adult with it.",
        hints=[
            "the share of a secret in the group is its count by the number of people; it is 0 for a secret of the "
            "table that nobody in the group has",
            "the distance is half the sum of all |q − p|; β asks for (q − p) / p of every secret, and only of rises",
        ],
        worked=WORKED,
        judge=_differs,
        confirmed="With your test in place of ours, Mondrian makes the same regions of all six tables.",
        starter=STARTER,
    )


@dataclass(frozen=True)
class ReadersModel(Model):
    """A privacy model that asks a reader's function about the secrets of every group."""

    fits: Callable

    def checker(self, table: Table):
        secrets = table[table.sensitive[0]].astype(str).to_numpy()
        whole = pd.Series(secrets).value_counts(normalize=True).to_dict()

        def check(groups: np.ndarray, n_groups: int, rows: np.ndarray) -> np.ndarray:
            own = secrets[rows]
            return np.array([bool(self.fits(own[groups == group].tolist(), dict(whole))) for group in range(n_groups)])

        return check


def _differs(fits: object) -> str:
    if not callable(fits):
        return "the answer is the function fits"
    for name, table, l, t, beta in _tables():  # noqa: E741
        ours = Mondrian(k=2, require=[LDiversity(l), TCloseness(t, "equal"), BetaLikeness(beta)]).anonymize(table)
        theirs = Mondrian(k=2, require=[ReadersModel(partial(fits, least=l, t=t, beta=beta))]).anonymize(table)
        if ours.groups.tolist() != theirs.groups.tolist():
            return (
                f"with l = {l}, t = {t} and β = {beta} Mondrian makes {theirs.n_groups} regions of {name} with your "
                f"test, and {ours.n_groups} other ones with ours"
            )
    return ""


def _tables() -> list[tuple[str, Table, int, float, float]]:
    survey, adult = load("survey"), load("adult").take(np.arange(300))
    jobs = adult.with_roles(quasi=["age", "sex"], sensitive=["occupation"], decision=None)
    incomes = adult.with_roles(quasi=["age", "education"], sensitive=["income"])
    return [
        ("the survey", survey, 2, 1.0, 9.0),
        ("the survey", survey, 1, 0.3, 9.0),
        ("the survey", survey, 1, 1.0, 0.5),
        ("300 occupations", jobs, 4, 0.5, 9.0),
        ("300 occupations", jobs, 2, 0.6, 3.0),
        ("300 incomes", incomes, 1, 0.25, 1.0),
    ]
