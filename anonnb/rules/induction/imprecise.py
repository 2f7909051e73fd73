"""Imprecise and k-anonymous rules (Inuiguchi, Hamakawa and Ubukata 2015): rules that conclude unions of classes.

Idea: a union has more rows than a class, so its rules have more support; together, by intersecting their conclusions,
they still determine the class. Reading: MLEM2 for every union of 1..p−1 classes on all rows, then support >= k.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.rules.induction.concepts import Concept, unions
from anonnb.rules.induction.mlem2 import TableInduction
from anonnb.rules.induction.rule import Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.steps.recording import listening, note, silent
from anonnb.tables.table import Table


def imprecise_rules(
    table: Table,
    k: int | None = None,
    *,
    max_classes: int | None = None,
    limit: int = 10_000,
    approximation: str = "lower",
    attributes: Sequence[str] | None = None,
) -> RuleSet:
    """MLEM2 rules for all unions of classes.

    ``info`` holds the price of k: ``dropped`` (rules below k), ``lost`` (rows that only dropped rules covered) and
    ``unexplained`` (rows that no kept rule covers). The number of unions doubles with every class.

    Parameters
    ----------
    k:
        Keep only rules that at least k rows support.
    max_classes:
        The largest union of classes (all but one of the classes by default).

    Examples
    --------
    >>> from anonnb import load
    >>> rules = imprecise_rules(load("decision6"), k=2)
    >>> print(rules)
    if sex = male and occupation = salesman then evaluation = high  [3]
    if sex = male then evaluation = high or low  [4]
    if domicile = Tokyo then evaluation = high or low  [2]
    if sex = male and occupation = salesman then evaluation = high or medium  [3]
    if sex = female then evaluation = low or medium  [2]
    if occupation = engineer then evaluation = low or medium  [2]
    >>> rules.info["dropped"], rules.info["lost"].tolist()
    (4, [])
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
        raise ValueError(f"k={k!r} must be a whole number of at least 1")
    task = TableInduction(table, attributes)
    n_classes = len(task.classes)
    largest = n_classes - 1 if max_classes is None else max_classes
    if not isinstance(largest, int | np.integer) or largest < 1:
        raise ValueError(f"max_classes={max_classes!r} must be a whole number of at least 1")
    rules, supports = [], np.zeros(len(table), dtype=np.int64)
    for concept in ticks(unions(n_classes, min(int(largest), n_classes - 1), limit), "unions of classes"):
        with silent():
            added, best = task.rules_for(concept, approximation)
        rules += added
        if listening():
            _record_union(task, concept, added, k)
        supports = np.maximum(supports, best)
    kept = rules if k is None else [rule for rule in rules if rule.support >= k]
    if k is not None:
        note(
            f"Publish the rules with {pluralize(k, 'supporter')} or more",
            f"{len(kept)} of the {pluralize(len(rules), 'rule')} may be published; the others are held back.",
            lambda: _supports(kept),
        )
    after = supports >= (k or 1)
    info = {"k": k, "dropped": len(rules) - len(kept), "lost": np.flatnonzero((supports > 0) & ~after)}
    return task.ruleset(kept, **info, unexplained=np.flatnonzero(~after))


def _record_union(task: TableInduction, concept: Concept, added: list[Rule], k: int | None) -> None:
    """Note what MLEM2 finds for a union of classes."""
    union = " or ".join(str(task.classes[number]) for number in concept)
    candidates, enough = _supports(added), sum(rule.support >= (k or 1) for rule in added)
    text = f"MLEM2 finds {pluralize(len(added), 'rule')} for {task.decision} = {union}."
    if k is not None and len(added) == 1:
        verdict = "may be published" if enough else "is held back"
        text += f" With {pluralize(int(added[0].support), 'supporter')} it {verdict}."
    elif k is not None:
        rest = f"{len(added) - enough} with fewer than {pluralize(k, 'supporter')} held back"
        text += f" {enough} may be published, {rest}." if enough < len(added) else " All of them may be published."
    chosen = [rule for rule, support in candidates["support"].items() if support >= (k or 1)]
    verdicts = ["publish" if rule.support >= (k or 1) else "refuse" for rule in added]
    state = candidates if k is None else candidates.assign(verdict=verdicts)
    note(f"Rules for {union}", text, state, candidates, chosen)


def _supports(rules: Sequence[Rule]) -> pd.DataFrame:
    """Rules and how many rows each is about."""
    names = pd.Index([str(rule) for rule in rules], name="rule")
    return pd.DataFrame({"support": [rule.support for rule in rules]}, index=names)
