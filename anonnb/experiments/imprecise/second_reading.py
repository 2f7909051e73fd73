"""The experiment of Inuiguchi, Ichida and Torra (2019) read a second time: the open choices that come nearest to it.

M1 and M2 halve shuffled rows, nothing is sorted, and an ordinal cell is the set of its two ends; an attack succeeds
when the value is that of some row with the known values. Each choice was made on a few of the printed figures and
checked on others, except those for Table 8, which were chosen on Table 8 itself: they describe it and explain nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.core.errors import Infeasible
from anonnb.experiments.imprecise.samples import folds, sample_of
from anonnb.methods import PatternTable
from anonnb.rules import RuleSet, imprecise_rules, mlem2, rules_from_release
from anonnb.tables.datasets import load
from anonnb.tables.matching import DistinctRows
from anonnb.tables.release import Release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

PATTERNS = ("cT1", "cT2", "cT3", "cT4")

# ---- the six tables ------------------------------------------------------------------------------------------------


def halves(rows: np.ndarray, k: int) -> list[np.ndarray]:
    """Cut the rows in two by position, and again, as long as both halves keep at least k.

    >>> [part.tolist() for part in halves(np.arange(7), 2)]
    [[0, 1, 2], [3, 4], [5, 6]]
    """
    middle = len(rows) // 2
    return [rows] if middle < k else [*halves(rows[:middle], k), *halves(rows[middle:], k)]


def cells(table: Table, groups: Sequence[np.ndarray]) -> Release:
    """What groups of rows publish: a nominal set, a numeric interval, the two ends of an ordinal one; classes as is.

    >>> from anonnb import load
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
        if attribute.kind == "ordinal":
            ends = np.zeros((len(rows), attribute.size), dtype=bool)
            for end in (column.sets.lo, column.sets.hi):
                ends[np.arange(len(rows)), end[column.index]] = True
            column = Column.from_masks(attribute, ends)
        columns[name] = column
    return Release(table.select([name for name in table.columns if name in columns]), columns, rows)


def anonymized_tables(table: Table, k: int, rng: np.random.Generator) -> Iterator[tuple[str, Release | None]]:
    """Make the six anonymized tables of the paper.

    >>> from anonnb import load
    >>> [name for name, _ in anonymized_tables(load("decision6"), 2, np.random.default_rng(0))]
    ['cT1', 'cT2', 'cT3', 'cT4', 'M1', 'M2']
    """
    rules = imprecise_rules(table, k)
    for name in PATTERNS:
        try:
            yield name, PatternTable(k=k, variant=name, rules=rules, open_ends="table").anonymize(table)
        except Infeasible:
            yield name, None
    order = rng.permutation(len(table))
    classes = table.codes(required_decision(table))[order]
    each = [order[classes == code] for code in np.unique(classes)]
    for name, parts in (("M1", [order]), ("M2", each)):
        groups = [group for part in parts if len(part) >= k for group in halves(part, k)]
        yield name, cells(table, groups) if groups else None


# ---- Table 8 -------------------------------------------------------------------------------------------------------


class Classifier(NamedTuple):
    """How rules come from a published table and how they vote: chosen on Table 8 itself."""

    consistency: str
    most_classes: int | None  # in a conclusion; 1 is step (r1) alone
    least_patterns: int  # that a rule must cover
    partial: bool
    otherwise: int | None  # the class, by its place in the order of classes, of rows that no vote decides; None: none


PATTERN_CLASSIFIER = Classifier("overlap", 1, 1, partial=False, otherwise=None)
CLASSIFIERS = dict.fromkeys(PATTERNS, PATTERN_CLASSIFIER) | {
    "M1": Classifier("inclusion", 1, 1, partial=True, otherwise=-1),
    "M2": Classifier("overlap", None, 2, partial=True, otherwise=0),
}


def accuracies(dataset: str, k: int, repetition: int, fold: int, seed: int) -> list[tuple]:
    """Right answers on one test fold: the original, k-anonymous rules, rules from the six tables."""
    from anonnb.rules import LERS  # scikit-learn comes with it: only where somebody classifies

    table = load(dataset)
    train, test = folds(dataset, repetition, seed)[fold]
    training, testing = table.take(train), table.take(test)
    truth = testing[testing.decision].to_numpy()
    right = {
        name: int((LERS(rules=rules).fit(testing).predict(testing) == truth).sum()) if len(rules) else 0
        for name, rules in {"Ori": mlem2(training), "k-Ori": imprecise_rules(training, k)}.items()
    }
    for name, release in anonymized_tables(training, k, np.random.default_rng([seed, k, repetition, fold])):
        right[name] = int((answers(release, testing, CLASSIFIERS[name]) == truth).sum())
    return [(dataset, k, "second", name, count, len(testing)) for name, count in right.items()]


def answers(release: Release | None, testing: Table, how: Classifier) -> np.ndarray:
    """Return the class that rules from a release give to each row of another table; None where they give none."""
    from anonnb.rules import LERS

    classes = testing.attributes[required_decision(testing)].domain.tolist()
    fallback = None if how.otherwise is None else classes[how.otherwise]
    rules = None if release is None else _rules(release, how)
    if rules is None or not len(rules):
        return np.array([fallback] * len(testing), dtype=object)
    tie = "first" if how.otherwise == 0 else "fail"
    return LERS(rules=rules, partial=how.partial, tie=tie, unclassified=fallback).fit(testing).predict(testing)


def _rules(release: Release, how: Classifier) -> RuleSet | None:
    if how.least_patterns > 1:  # count distinct rows
        first = DistinctRows(release, list(release.columns)).first
        columns = {name: column.take(first) for name, column in release.columns.items()}
        release = Release(release.table, columns, None if release.rows is None else release.rows[first])
    column = release.columns[required_decision(release)]
    if column.sets.as_masks()[np.unique(column.index)].any(axis=0).sum() < 2:
        return None  # one class: no rule can tell it apart
    found = rules_from_release(release, how.consistency, max_classes=how.most_classes)
    return found.filter(min_support=how.least_patterns)


# ---- Tables 9 to 12 ------------------------------------------------------------------------------------------------


def shallow_successes(dataset: str, k: int, fold: int, seed: int) -> list[tuple]:
    """Attack the six tables made from one training set with the shallow attacks.

    Condition values (Table 9) are attacked with one other value, without and with the class, and a combination that no
    row can take is a failure; the class (Table 10) is attacked with two values, and such a combination does not count.

    Returns
    -------
    list[tuple]
        Lines with the data set, k, the anonymized table, what is attacked, and the share of successes.

    Examples
    --------
    >>> len(shallow_successes("iris", 10, fold=0, seed=0))
    12
    """
    training = load(dataset).take(folds(dataset, 0, seed)[fold][0])
    lines = []
    for name, release in anonymized_tables(training, k, np.random.default_rng([seed, k, 0, fold])):
        one = [ShallowAttack(known=1, targets="conditions", knows_decision=knows) for knows in (False, True)]
        two = [ShallowAttack(known=2, targets="decision")]
        lines.append((dataset, k, name, "conditions", success(one, release, training, unmatched=True)))
        lines.append((dataset, k, name, "decision", success(two, release, training)))
    return lines


def deep_successes(dataset: str, k: int, sample: int, seed: int) -> list[tuple]:
    """Success ratios of both attacks on the six tables of one sample; two values are known, one may be the class."""
    part = sample_of(load(dataset), sample, seed)
    lines = []
    for name, release in anonymized_tables(part, k, np.random.default_rng([seed, k, sample])):
        for label, attack in (("shallow", ShallowAttack), ("deep", DeepAttack)):
            conditions = [attack(known=2, targets="conditions")]
            conditions.append(attack(known=1, targets="conditions", knows_decision=True))
            lines.append((dataset, k, name, "conditions", label, success(conditions, release, part)))
            decision = [attack(known=2, targets="decision")]
            lines.append((dataset, k, name, "decision", label, success(decision, release, part)))
    return lines


def success(
    attacks: Iterable[ShallowAttack], release: Release | None, table: Table, *, unmatched: bool = False
) -> float:
    """Compute the share of combinations of known values whose one inferred value some row with them has.

    Parameters
    ----------
    release:
        What was published; None gives 0.
    unmatched:
        Whether combinations that no published row can take count, as failures.

    Examples
    --------
    >>> from anonnb import load
    >>> table = load("decision6")
    >>> success([ShallowAttack(known=["sex", "domicile"], targets="decision")], Release.of(table), table)
    0.8
    """
    if release is None:
        return 0.0
    cases = pd.concat([attack.run(release, table).targets for attack in attacks])
    if not unmatched:
        cases = cases[cases["rows"] > 0]
    return float(((cases["left"] == 1) & (cases["right"] > 0)).mean()) if len(cases) else 0.0
