"""What Inuiguchi, Ichida and Torra (2019) leave open, choice by choice, as readings that run.

A :class:`Reading` has a value for every choice; ``CHOICES`` lists the values that were tried, first the one that comes
nearest to the printed figures of hayes-roth and zoo, the second and fourth data sets of Table 7. Car and iris check it.
Nothing published means no successful attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.core.errors import Infeasible
from anonnb.experiments.imprecise.samples import folds, sample_of
from anonnb.methods import ClassMondrian, Mondrian, PatternTable
from anonnb.rules import RuleSet, imprecise_rules, mlem2, rules_from_release
from anonnb.tables.datasets import load
from anonnb.tables.matching import DistinctRows
from anonnb.tables.release import Release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

PATTERNS, MONDRIANS = ("cT1", "cT2", "cT3", "cT4"), ("M1", "M2")
ANONYMIZED = (*PATTERNS, *MONDRIANS)
# every choice: the values that were tried, the tables it changes, and the methods
CHOICES = {
    "partition": ("shuffled", "Mondrian", "widest", "most distinct", "in turn", "first attribute"),
    "cells": ("ends", "interval", "half-open", "open", "median", "mode"),
    "small_classes": ("dropped", "kept", "dropped below 2k"),
    "open_ends": ("table", "supporters"),
    "s5b": ("example", "printed", "with (s6)"),
    "companions": ("k with the row", "k others"),
    "ties": ("first", "last"),
    "kinds": ("Table 7", "nominal"),
    "pattern_score": ("share", "some"),
    "small_score": ("some", "share"),
    "mondrian_score": ("some", "share"),
    "unmatched9": ("failures", "left out"),
    "unmatched": ("left out", "failures"),
    "known9": ("one, the class or not", "two", "two and the class"),
    "known11": ("C and d", "C"),
}
AFFECTS = {
    **dict.fromkeys(("partition", "cells", "small_classes", "mondrian_score"), MONDRIANS),
    **dict.fromkeys(("open_ends", "s5b", "companions", "ties", "pattern_score", "small_score"), PATTERNS),
}
ONLY_IN = {"unmatched9": (9,), "known9": (9,), "known11": (11,), "unmatched": (10, 11, 12)}
ONLY_IN |= {"pattern_score": (9, 10), "small_score": (11, 12)}


class Reading(NamedTuple):
    """A value of every choice; the defaults are the reading that the even data sets choose."""

    partition: str = "shuffled"
    cells: str = "ends"
    small_classes: str = "dropped"
    open_ends: str = "table"
    s5b: str = "example"
    companions: str = "k with the row"
    ties: str = "first"
    kinds: str = "Table 7"
    pattern_score: str = "share"  # Tables 9 and 10
    small_score: str = "some"  # Tables 11 and 12
    mondrian_score: str = "some"
    unmatched9: str = "failures"
    unmatched: str = "left out"
    known9: str = "one, the class or not"
    known11: str = "C and d"


CHOSEN = Reading()
# the first reading of this project: Mondrian as LeFevre et al. describe it, two known values, the share of rows
FIRST = Reading(
    *("Mondrian", "interval", "dropped", "supporters", "example", "k with the row", "first", "Table 7"),
    *("share", "share", "share", "failures", "failures", "two", "C"),
)


def kind_of(method: str) -> str:
    """Return "patterns" for one of the four pattern tables, and any other name as it is.

    >>> kind_of("cT2"), kind_of("M1")
    ('patterns', 'M1')
    """
    return "patterns" if method in PATTERNS else method


Order = Callable[[np.ndarray, int], np.ndarray]  # rows and depth: the rows, sorted

# ---- the six tables ------------------------------------------------------------------------------------------------


def halves(rows: np.ndarray, k: int, order: Order | None = None, depth: int = 0) -> list[np.ndarray]:
    """Cut the rows in two by position, and again, as long as both halves keep at least k; ``order`` sorts them first.

    >>> [part.tolist() for part in halves(np.arange(7), 2)]
    [[0, 1, 2], [3, 4], [5, 6]]
    """
    middle = len(rows) // 2
    if middle < k:
        return [rows]
    rows = rows if order is None else order(rows, depth)
    return [part for half in (rows[:middle], rows[middle:]) for part in halves(half, k, order, depth + 1)]


def sorting(table: Table, partition: str) -> Order | None:
    """Return how rows are sorted before they are halved: by the attribute that the partition selects, or not at all."""
    if partition == "shuffled":
        return None
    codes = np.column_stack([table.codes(name) for name in table.conditions])
    sizes = np.array([table.attributes[name].size for name in table.conditions])
    selects: dict[str, Callable[[np.ndarray, int], int]] = {
        "widest": lambda rows, depth: int((np.ptp(codes[rows], axis=0) / sizes).argmax()),
        "most distinct": lambda rows, depth: int(np.argmax([len(np.unique(part)) for part in codes[rows].T])),
        "in turn": lambda rows, depth: depth % codes.shape[1],
        "first attribute": lambda rows, depth: 0,
    }
    return lambda rows, depth: rows[np.argsort(codes[rows, selects[partition](rows, depth)], kind="stable")]


def cells(table: Table, groups: Sequence[np.ndarray], how: str = "ends") -> Release:
    """Publish groups of rows: a nominal set, a numeric interval, the two ends of an ordinal one; classes as they are.

    >>> made = cells(load("car"), [np.array([0, 500, 1700])])
    >>> made.frame["buying"].tolist(), made.frame["class"].tolist()
    (['low or vhigh', 'low or vhigh', 'low or vhigh'], ['unacc', 'unacc', 'vgood'])
    """
    rows = np.concatenate(groups)
    group = np.repeat(np.arange(len(groups)), [len(part) for part in groups])
    decision = required_decision(table)
    columns = {decision: Column.original(table.attributes[decision], table.codes(decision)[rows])}
    for name in table.conditions:
        attribute, codes = table.attributes[name], table.codes(name)[rows]
        column = Column.of_groups(attribute, codes, group, len(groups))
        if (
            how == "mode"
            or (attribute.kind != "nominal" and how not in ("interval", "ends"))
            or (how == "ends" and attribute.kind == "ordinal")
        ):
            masks = np.array([_cell(codes[group == number], attribute.size, how) for number in range(len(groups))])
            column = Column.from_masks(attribute, masks[group])
        columns[name] = column
    return Release(table.select([name for name in table.columns if name in columns]), columns, rows)


def _cell(codes: np.ndarray, size: int, how: str) -> np.ndarray:
    low, high, place = codes.min(), codes.max(), np.arange(size)
    if how == "ends":
        return (place == low) | (place == high)
    if how == "median":
        return place == np.sort(codes)[(len(codes) - 1) // 2]
    if how == "mode":
        return place == np.bincount(codes).argmax()
    inside = (place > low) & (place < high if how == "open" else place <= high)
    return inside if inside.any() else (place >= low) & (place <= high)


def anonymized_tables(
    table: Table, k: int, rng: np.random.Generator, reading: Reading = CHOSEN, names: Sequence[str] = ANONYMIZED
) -> Iterator[tuple[str, Release | None]]:
    """Make the anonymized tables of the paper; None where there is nothing to publish.

    >>> [name for name, _ in anonymized_tables(load("decision6"), 2, np.random.default_rng(0))]
    ['cT1', 'cT2', 'cT3', 'cT4', 'M1', 'M2']
    """
    patterns = [name for name in names if name in PATTERNS]
    backwards = table.take(np.arange(len(table))[::-1]) if reading.ties == "last" else table
    rules = imprecise_rules(backwards, k) if patterns else None
    for name in patterns:
        printed = reading.s5b == "printed" or (reading.s5b == "with (s6)" and name in ("cT2", "cT4"))
        options = {"printed": printed, "with_row": reading.companions == "k with the row"}
        method = PatternTable(k=k, variant=name, rules=rules, open_ends=reading.open_ends, **options)
        yield name, _made(method, backwards)
    if reading.partition == "Mondrian":
        made = {"M1": Mondrian, "M2": ClassMondrian}
        yield from (
            (name, _made(made[name](k=k, strict=False, summary="region"), table)) for name in names[len(patterns) :]
        )
        return
    order = rng.permutation(len(table))
    classes = table.codes(required_decision(table))[order]
    each, sort = [order[classes == code] for code in np.unique(classes)], sorting(table, reading.partition)
    smallest = {"dropped": k, "kept": 1, "dropped below 2k": 2 * k}[reading.small_classes]
    for name in names[len(patterns) :]:
        parts = [order] if name == "M1" else [part for part in each if len(part) >= smallest]
        groups = [group for part in parts if len(part) for group in halves(part, k, sort)]
        yield name, cells(table, groups, reading.cells) if groups else None


def _made(method: PatternTable | Mondrian | ClassMondrian, table: Table) -> Release | None:
    try:
        return method.anonymize(table)
    except Infeasible:
        return None


def read_table(table: Table, reading: Reading) -> Table:
    """Return the table with the kinds of attribute that a reading has."""
    if reading.kinds == "Table 7":
        return table
    kinds = {name: "nominal" for name in table.conditions if table.attributes[name].kind == "ordinal"}
    if not kinds:
        return table
    return Table(table.frame, quasi=table.quasi, sensitive=table.sensitive, decision=table.decision, kinds=kinds)


# ---- Tables 9 to 12 ------------------------------------------------------------------------------------------------


KNOWN: dict[str, tuple[tuple[int, bool], ...]] = {  # how many condition values, and whether the class besides
    "one, the class or not": ((1, False), (1, True)),
    "two": ((2, False),),
    "two and the class": ((2, True),),
    "C and d": ((2, False), (1, True)),
    "C": ((2, False),),
}


def success(
    release: Release | None,
    table: Table,
    number: int,
    name: str,
    reading: Reading = CHOSEN,
    attack: type[ShallowAttack] = ShallowAttack,
) -> float:
    """Compute the success ratio that Table 9, 10, 11 or 12 prints for an anonymized table, in a reading.

    >>> table = load("decision6")
    >>> round(success(Release.of(table), table, 10, "M1"), 3)
    0.857
    """
    if release is None:
        return 0.0
    known = {9: KNOWN[reading.known9], 11: KNOWN[reading.known11]}.get(number, KNOWN["two"])
    targets = "conditions" if number in (9, 11) else "decision"
    attacks = [attack(known=many, targets=targets, knows_decision=knows) for many, knows in known]
    return ratio([each.run(release, table).targets for each in attacks], number, name, reading)


def ratio(cases: Sequence[pd.DataFrame], number: int, name: str, reading: Reading = CHOSEN) -> float:
    """Count the successes among combinations of known values, as a reading has it."""
    frame = pd.concat(cases)
    if (reading.unmatched9 if number == 9 else reading.unmatched) == "left out":
        frame = frame[frame["rows"] > 0]
    score = reading.pattern_score if number < 11 else reading.small_score
    share = (score if name in PATTERNS else reading.mondrian_score) == "share"
    scores = frame["score"] if share else (frame["left"] == 1) & (frame["right"] > 0)
    return float(scores.mean()) if len(frame) else 0.0


def shallow_successes(
    dataset: str, k: int, repetition: int, fold: int, seed: int, reading: Reading = CHOSEN
) -> list[tuple]:
    """Attack the six tables made from one training set: lines for Tables 9 and 10.

    >>> len(shallow_successes("iris", 10, 0, fold=0, seed=0))
    12
    """
    training = read_table(load(dataset).take(folds(dataset, repetition, seed)[fold][0]), reading)
    rng = np.random.default_rng([seed, k, repetition, fold])
    return [
        (number, dataset, k, repetition, name, "shallow", success(release, training, number, name, reading))
        for name, release in anonymized_tables(training, k, rng, reading)
        for number in (9, 10)
    ]


def deep_successes(dataset: str, k: int, sample: int, seed: int, reading: Reading = CHOSEN) -> list[tuple]:
    """Attack the six tables made from one sample of 15 rows: lines for Tables 11 and 12, both attacks."""
    part = read_table(sample_of(load(dataset), sample, seed), reading)
    return [
        (number, dataset, k, sample, name, label, success(release, part, number, name, reading, attack))
        for name, release in anonymized_tables(part, k, np.random.default_rng([seed, k, sample]), reading)
        for label, attack in (("shallow", ShallowAttack), ("deep", DeepAttack))
        for number in (11, 12)
    ]


# ---- the grid ------------------------------------------------------------------------------------------------------


def variants() -> list[tuple[str, str]]:
    """List the readings that differ from the chosen one in one choice; ("", "") is the chosen one itself.

    >>> ("partition", "widest") in variants(), len(variants())
    (True, 27)
    """
    return [("", ""), *((choice, value) for choice, values in CHOICES.items() for value in values[1:])]


def grid_lines(numbers: tuple[int, int], dataset: str, k: int, draw: int, seed: int) -> list[tuple]:
    """Score every variant on one training set (Tables 9 and 10) or one sample (11 and 12), with the shallow attack."""
    whole = load(dataset)
    part = whole.take(folds(dataset, 0, seed)[draw][0]) if 9 in numbers else sample_of(whole, draw, seed)
    releases: dict[tuple, list] = {}
    cases: dict[tuple, pd.DataFrame] = {}
    lines = []
    for choice, value in variants():
        reading = CHOSEN._replace(**{choice: value}) if choice else CHOSEN
        used = [number for number in numbers if number in ONLY_IN.get(choice, numbers)]
        if not used or (choice == "kinds" and whole.attributes[whole.conditions[0]].kind != "ordinal"):
            continue
        names = AFFECTS.get(choice, ANONYMIZED)
        table, made = read_table(part, reading), reading[:8]
        if (made, names) not in releases:
            rng = np.random.default_rng([seed, k, draw])
            every = releases.get((made, ANONYMIZED))
            tables = every or list(anonymized_tables(table, k, rng, reading, names))
            releases[made, names] = [(name, release) for name, release in tables if name in names]
        for number in used:
            known = {9: KNOWN[reading.known9], 11: KNOWN[reading.known11]}.get(number, KNOWN["two"])
            targets = "conditions" if number in (9, 11) else "decision"
            for name, release in releases[made, names]:
                keys = [(made, name, many, knows, targets) for many, knows in known]
                for key in keys:
                    if release is not None and key not in cases:
                        attack = ShallowAttack(known=key[2], targets=targets, knows_decision=key[3])
                        cases[key] = attack.run(release, table).targets[["rows", "left", "right", "score"]]
                scored = 0.0 if release is None else ratio([cases[key] for key in keys], number, name, reading)
                lines.append((choice, value, number, dataset, k, name, scored))
    return lines


# ---- Table 8 -------------------------------------------------------------------------------------------------------


class Classifier(NamedTuple):
    """How rules come from a published table and how they vote."""

    consistency: str = "overlap"
    classes: str = "one"  # in a conclusion: one, step (r1) alone, or unions of classes
    patterns: int = 1  # that a rule must cover
    partial: bool = False
    otherwise: str = "none"  # the class of rows that no vote decides: none, the first, the last, the rarest


# what was tried for the tables of each kind, on Table 8 itself
VOTES: dict[str, tuple[Any, ...]] = {
    "consistency": ("overlap", "inclusion"),
    "classes": ("one", "unions"),
    "patterns": (1, 2),
    "partial": (False, True),
    "otherwise": ("none", "first", "last", "rarest"),
}
CLASSIFIERS = dict.fromkeys(PATTERNS, Classifier(otherwise="first")) | {
    "M1": Classifier("inclusion", partial=True, otherwise="rarest"),
    "M2": Classifier("overlap", "unions", 2, partial=True, otherwise="first"),
}


def accuracies(dataset: str, k: int, repetition: int, fold: int, seed: int) -> list[tuple]:
    """Count right answers on one test fold: the original, k-anonymous rules, rules from the six tables."""
    from anonnb.rules import LERS  # scikit-learn comes with it: only where somebody classifies

    training, testing, truth, releases = _divided(dataset, k, repetition, fold, seed)
    right = {
        name: int((LERS(rules=rules).fit(testing).predict(testing) == truth).sum()) if len(rules) else 0
        for name, rules in {"Ori": mlem2(training), "k-Ori": imprecise_rules(training, k)}.items()
    }
    for name, release in releases:
        right[name] = int((answers(release, training, testing, CLASSIFIERS[name]) == truth).sum())
    return [(8, dataset, k, repetition, name, "rules", count / len(testing)) for name, count in right.items()]


def vote_lines(dataset: str, k: int, fold: int, seed: int) -> list[tuple]:
    """Score, on one test fold, every classifier that differs in one choice from the one of each table."""
    training, testing, truth, releases = _divided(dataset, k, 0, fold, seed)
    lines = []
    for name, release in releases:
        how = CLASSIFIERS[name]
        tried: list[tuple[str, tuple[Any, ...]]] = [("", ("",)), *VOTES.items()]
        for choice, values in tried:
            for value in values:
                if choice and getattr(how, choice) == value:
                    continue
                found = answers(release, training, testing, how._replace(**{choice: value}) if choice else how)
                label = f"{kind_of(name)}: {choice}" if choice else ""
                lines.append((label, str(value), 8, dataset, k, name, float((found == truth).mean())))
    return lines


def _divided(dataset: str, k: int, repetition: int, fold: int, seed: int) -> tuple:
    table = load(dataset)
    train, test = folds(dataset, repetition, seed)[fold]
    training, testing = table.take(train), table.take(test)
    releases = anonymized_tables(training, k, np.random.default_rng([seed, k, repetition, fold]))
    return training, testing, testing[testing.decision].to_numpy(), releases


def answers(release: Release | None, training: Table, testing: Table, how: Classifier) -> np.ndarray:
    """Return the class that rules from a release give to each row of another table; None where they give none."""
    from anonnb.rules import LERS

    name = required_decision(testing)
    classes = testing.attributes[name].domain.tolist()
    counts = np.bincount(np.concatenate([training.codes(name), testing.codes(name)]), minlength=len(classes))
    rarest = len(classes) - 1 - int(counts[::-1].argmin())  # of the whole table; the last of equally rare ones
    fallback = {"none": None, "first": classes[0], "last": classes[-1], "rarest": classes[rarest]}[how.otherwise]
    rules = None if release is None else _rules(release, how)
    if rules is None or not len(rules):
        return np.array([fallback] * len(testing), dtype=object)
    tie = "first" if how.otherwise == "first" else "fail"
    return LERS(rules=rules, partial=how.partial, tie=tie, unclassified=fallback).fit(testing).predict(testing)


def _rules(release: Release, how: Classifier) -> RuleSet | None:
    if how.patterns > 1:  # count distinct rows
        first = DistinctRows(release, list(release.columns)).first
        columns = {name: column.take(first) for name, column in release.columns.items()}
        release = Release(release.table, columns, None if release.rows is None else release.rows[first])
    column = release.columns[required_decision(release)]
    if column.sets.as_masks()[np.unique(column.index)].any(axis=0).sum() < 2:
        return None  # one class: no rule can tell it apart
    found = rules_from_release(release, how.consistency, max_classes=1 if how.classes == "one" else None)
    return found.filter(min_support=how.patterns)
