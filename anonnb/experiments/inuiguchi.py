"""Tables 8 to 12 of Inuiguchi, Ichida and Torra (2019): usefulness and protection of k-common pattern tables.

Each table is a function that returns a tidy frame with our value beside the paper's. There are two readings of what the
text leaves open. The first: rules from anonymized tables by (r1)–(r3); M1 and M2 are relaxed Mondrian, which halves its
regions, and publish regions; a combination of known values scores the share of its rows. The second is in
:mod:`anonnb.experiments.imprecise.second_reading`. In both, nothing published means no successful attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.attacks.imprecise.cases_result import CasesResult
from anonnb.core.errors import Infeasible
from anonnb.core.tasks import run_tasks
from anonnb.experiments.imprecise import second_reading
from anonnb.experiments.imprecise.samples import FOLDS, folds, sample_of
from anonnb.experiments.results import check_size
from anonnb.experiments.results import stored as stored_table
from anonnb.methods import ClassMondrian, Mondrian, PatternTable
from anonnb.rules import imprecise_rules, mlem2, rules_from_release
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.datasets import load
from anonnb.tables.release import Release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

DATASETS = ("car", "hayes-roth", "iris", "zoo")
SMALL_DATASETS = ("car", "hayes-roth", "iris")
ANONYMIZED = ("cT1", "cT2", "cT3", "cT4", "M1", "M2")
CONSISTENCIES = ("overlap", "inclusion")
SHALLOW_ATTACKS = {
    "conditions": ShallowAttack(known=2, targets="conditions"),
    "conditions, decision known": ShallowAttack(known=2, targets="conditions", knows_decision=True),
    "decision": ShallowAttack(known=2, targets="decision"),
}


class InuiguchiSize(NamedTuple):
    """How much is run: repetitions and folds (Table 8), values of k, training sets (9, 10), samples (11, 12)."""

    repetitions: int
    folds: int
    ks: tuple[int, ...]
    training_sets: int
    samples: int


SIZES = {
    "quick": InuiguchiSize(1, FOLDS, (2, 5, 10), 2, 20),
    "full": InuiguchiSize(10, FOLDS, (2, 3, 4, 5, 10, 15), FOLDS, 100),
}


def paper() -> pd.DataFrame:
    """Return the paper's Tables 8 to 12 in one tidy frame."""
    return pd.read_csv(Path(__file__).with_name("inuiguchi_paper.csv"))


def _amount(size: str) -> InuiguchiSize:
    check_size(size)
    return SIZES[size]


def anonymized_tables(table: Table, k: int) -> Iterator[tuple[str, Release | None]]:
    """Return the six anonymized tables of the paper; None where the method has nothing to publish."""
    rules = imprecise_rules(table, k)
    methods = {name: PatternTable(k=k, variant=name, rules=rules) for name in ANONYMIZED[:4]}
    relaxed = {"k": k, "strict": False, "summary": "region"}
    methods |= {"M1": Mondrian(**relaxed), "M2": ClassMondrian(**relaxed)}
    for name, method in methods.items():
        try:
            yield name, method.anonymize(table)
        except Infeasible:
            yield name, None


# ---- Table 8: usefulness -------------------------------------------------------------------------------------------


def table8(
    size: str = "quick", *, reading: str = "first", consistency: str | None = None, seed: int = 0, **run: Any
) -> pd.DataFrame:
    """Accuracy of LERS with rules induced from each table, by ten-fold cross-validation (full: ten times).

    ``consistency`` ("overlap" or "inclusion") belongs to the first reading; the second has one for each table.
    """
    amount, tasks_of = _amount(size), reading_of(reading)
    if consistency is not None and reading != "first":
        raise ValueError(f"consistency={consistency!r} is for the first reading; leave it out with reading={reading!r}")
    wanted = consistency or tasks_of.rules
    tasks = [
        (dataset, k, repetition, fold, seed)
        for dataset in DATASETS
        for k in (5, 10)
        for repetition in range(amount.repetitions)
        for fold in range(amount.folds)
    ]
    found = run_tasks(tasks_of.accuracies, tasks, ["dataset", "k", "consistency", "method", "right", "rows"], **run)
    found = found[found["consistency"] == wanted]
    sums = found.groupby(["dataset", "k", "method"], sort=False)[["right", "rows"]].sum()
    ours = (sums["right"] / sums["rows"]).rename("ours").reset_index()
    return beside_paper(ours.assign(attack="rules"), 8)


def accuracies(dataset: str, k: int, repetition: int, fold: int, seed: int) -> list[tuple]:
    """Right answers on one test fold: the original, k-anonymous rules, rules from the six tables in both readings."""
    table = load(dataset)
    train, test = folds(dataset, repetition, seed)[fold]
    training, testing = table.take(train), table.take(test)
    original = {"Ori": mlem2(training), "k-Ori": imprecise_rules(training, k)}
    right = {(c, name): _right_answers(rules, testing) for c in CONSISTENCIES for name, rules in original.items()}
    for name, release in anonymized_tables(training, k):
        for consistency in CONSISTENCIES:
            rules = None if release is None else _rules_of(release, consistency)
            right[consistency, name] = _right_answers(rules, testing)
    return [(dataset, k, *key, count, len(testing)) for key, count in right.items()]


def _rules_of(release: Release, consistency: str) -> RuleSet | None:
    column = release.columns[required_decision(release)]
    if len(np.unique(column.index)) < 2:
        return None  # one published decision: no rule can be told apart
    return rules_from_release(release, consistency)


def _right_answers(rules: RuleSet | None, testing: Table) -> int:
    if rules is None or len(rules) == 0:
        return 0
    from anonnb.rules import LERS  # scikit-learn comes with it, and marking starts many processes

    answers = LERS(rules=rules).fit(testing).predict(testing)
    return int((answers == testing[testing.decision].to_numpy()).sum())


# ---- Tables 9 and 10: the shallow attack ---------------------------------------------------------------------------


def table9(
    size: str = "quick", *, reading: str = "first", knows_decision: bool = False, seed: int = 0, **run: Any
) -> pd.DataFrame:
    """Compute the success of the shallow attack on condition attributes, averaged over training sets.

    In the first reading two values are known, and the class besides with ``knows_decision=True``. In the second one
    value is known, and attackers without and with the class are pooled.
    """
    if knows_decision and reading != "first":
        raise ValueError(f"reading={reading!r} pools attackers with and without the class; leave knows_decision out")
    attacked = "conditions, decision known" if knows_decision else "conditions"
    return _shallow_table(9, attacked, size, reading, seed, run)


def table10(size: str = "quick", *, reading: str = "first", seed: int = 0, **run: Any) -> pd.DataFrame:
    """Success of the shallow attack on the decision attribute (two known values), averaged over training sets."""
    return _shallow_table(10, "decision", size, reading, seed, run)


def _shallow_table(number: int, attacked: str, size: str, reading: str, seed: int, run: dict) -> pd.DataFrame:
    amount = _amount(size)
    tasks = [
        (dataset, k, fold, seed) for dataset in DATASETS for k in amount.ks for fold in range(amount.training_sets)
    ]
    found = run_tasks(reading_of(reading).shallow, tasks, ["dataset", "k", "method", "attacked", "ours"], **run)
    found = found[found["attacked"] == attacked]
    ours = found.groupby(["dataset", "k", "method"], sort=False)["ours"].mean().reset_index()
    return beside_paper(ours.assign(attack="shallow"), number)


def shallow_successes(dataset: str, k: int, fold: int, seed: int) -> list[tuple]:
    """Compute the paper's success ratios of the shallow attacks on the six tables made from one training set."""
    training = load(dataset).take(folds(dataset, 0, seed)[fold][0])
    return [
        (dataset, k, name, attacked, _ratio(attack, release, training))
        for name, release in anonymized_tables(training, k)
        for attacked, attack in SHALLOW_ATTACKS.items()
    ]


def _ratio(attack: ShallowAttack, release: Release | None, table: Table) -> float:
    return 0.0 if release is None else cast(CasesResult, attack.run(release, table)).ratio


# ---- Tables 11 and 12: shallow and deep attacks on small samples -----------------------------------------------------


def table11(size: str = "quick", *, reading: str = "first", seed: int = 0, **run: Any) -> pd.DataFrame:
    """Compute the success of the shallow and the deep attack on condition attributes, on samples of 15 rows."""
    return _deep_table(11, "conditions", size, reading, seed, run)


def table12(size: str = "quick", *, reading: str = "first", seed: int = 0, **run: Any) -> pd.DataFrame:
    """Compute the success of the shallow and the deep attack on the decision attribute, on samples of 15 rows."""
    return _deep_table(12, "decision", size, reading, seed, run)


def _deep_table(number: int, targets: str, size: str, reading: str, seed: int, run: dict) -> pd.DataFrame:
    amount = _amount(size)
    tasks = [
        (dataset, k, sample, seed) for dataset in SMALL_DATASETS for k in (2, 3, 4) for sample in range(amount.samples)
    ]
    found = run_tasks(reading_of(reading).deep, tasks, ["dataset", "k", "method", "targets", "attack", "ours"], **run)
    found = found[found["targets"] == targets]
    ours = found.groupby(["dataset", "k", "method", "attack"], sort=False)["ours"].mean().reset_index()
    return beside_paper(ours, number)


def deep_successes(dataset: str, k: int, sample: int, seed: int) -> list[tuple]:
    """Compute success ratios of both attacks on the six tables made from one sample of 15 rows."""
    part = sample_of(load(dataset), sample, seed)
    return [
        (dataset, k, name, targets, label, _ratio(attack(targets=targets), release, part))
        for name, release in anonymized_tables(part, k)
        for targets in ("conditions", "decision")
        for label, attack in (("shallow", ShallowAttack), ("deep", DeepAttack))
    ]


# ---- the two readings ----------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """The tasks of a reading of the text: one test fold, one training set, one small sample."""

    accuracies: Callable[..., list[tuple]]
    shallow: Callable[..., list[tuple]]
    deep: Callable[..., list[tuple]]
    rules: str  # which lines of ``accuracies`` are meant where nothing else is said


READINGS = {
    "first": Reading(accuracies, shallow_successes, deep_successes, "overlap"),
    "second": Reading(
        second_reading.accuracies, second_reading.shallow_successes, second_reading.deep_successes, "second"
    ),
}


def reading_of(name: str) -> Reading:
    """Return the tasks of a reading; a clear error for an unknown one."""
    if name not in READINGS:
        raise ValueError(f"reading={name!r} is not known; use 'first' or 'second'")
    return READINGS[name]


# ---- ours beside theirs --------------------------------------------------------------------------------------------


def beside_paper(ours: pd.DataFrame, number: int) -> pd.DataFrame:
    """Return our values with the paper's in the next column, and the difference."""
    theirs = paper().query("table == @number").drop(columns="table")
    both = ours.merge(theirs, on=["dataset", "k", "method", "attack"], how="left")
    both["difference"] = both["ours"] - both["paper"]
    return both[["dataset", "k", "attack", "method", "ours", "paper", "difference"]]


_PATTERNS = "method in ['cT1', 'cT2', 'cT3', 'cT4']"
# table, which of its lines, and how near they should come
EXPECTED = [
    ("table8", "method == 'Ori'", 0.03),
    ("table8", "method == 'k-Ori' and dataset != 'hayes-roth'", 0.02),
    ("table8", f"dataset == 'iris' and {_PATTERNS}", 0.03),
    ("table8", f"dataset == 'hayes-roth' and k == 5 and {_PATTERNS}", 0.04),
    ("table10", f"dataset == 'car' and {_PATTERNS}", 0.003),
    ("table10", f"dataset == 'hayes-roth' and {_PATTERNS}", 0.025),
    ("table10", "dataset == 'zoo' and method == 'cT1'", 0.03),
    ("table10", "dataset != 'iris' and method == 'M1'", 0.02),
    ("table10", "dataset == 'car' and method == 'M2' and k <= 4", 0.003),
    ("table10", "dataset in ['hayes-roth', 'zoo'] and method == 'M2' and k <= 4", 0.02),
    ("table11", f"dataset == 'car' and {_PATTERNS}", 0.10),
    ("table11", f"dataset == 'iris' and {_PATTERNS}", 0.10),
    ("table12", f"dataset == 'car' and {_PATTERNS}", 0.10),
    ("table12", f"dataset == 'iris' and {_PATTERNS}", 0.10),
]


def agreement(results: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """How near our values come to the paper's where they should: cells, largest distance, and the share within it."""
    lines = []
    for table, query, within in EXPECTED:
        distance = results[table].query(query)["difference"].abs()
        cells = query.replace("and method in ['cT1', 'cT2', 'cT3', 'cT4']", "and patterns").replace("'", "")
        lines.append((table, cells.replace(" == ", " = "), within, distance.max(), (distance <= within).mean()))
    return pd.DataFrame(lines, columns=["table", "lines", "expected within", "largest distance", "share within"])


def stored(table: str) -> pd.DataFrame:
    """Read the committed result of a full run.

    Parameters
    ----------
    table:
        ``"table8"`` to ``"table12"``; in the second reading ``"table8_second"`` and so on.

    Examples
    --------
    >>> {"ours", "paper", "difference"} <= set(stored("table8"))
    True
    """
    return stored_table("inuiguchi", table)


def stored_reading(reading: str) -> dict[str, pd.DataFrame]:
    """Read the five committed tables of a reading, "table8" to "table12".

    >>> sum(len(frame) for frame in stored_reading("second").values())
    568
    """
    reading_of(reading)
    ending = "" if reading == "first" else f"_{reading}"
    return {f"table{number}": stored(f"table{number}{ending}") for number in range(8, 13)}


def all_figures(results: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Put the lines of several tables into one frame, with the columns ``table`` and ``part`` (patterns are one part).

    >>> all_figures(stored_reading("first"))["table"].nunique()
    5
    """
    parts = [frame.assign(table=name.replace("table", "Table ")) for name, frame in results.items()]
    found = pd.concat(parts, ignore_index=True)
    return found.assign(part=found["method"].replace(dict.fromkeys(ANONYMIZED[:4], "patterns")))


TABLES = {
    "table8": table8,
    "table8_inclusion": partial(table8, consistency="inclusion"),
    "table9": table9,
    "table9_decision_known": partial(table9, knows_decision=True),
    "table10": table10,
    "table11": table11,
    "table12": table12,
    "table8_second": partial(table8, reading="second"),
    "table9_second": partial(table9, reading="second"),
    "table10_second": partial(table10, reading="second"),
    "table11_second": partial(table11, reading="second"),
    "table12_second": partial(table12, reading="second"),
}
