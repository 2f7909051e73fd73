"""Imprecise condition values: widen a rule until enough rows support it (the future work of Inuiguchi et al. 2019).

A nominal condition may allow more values, an interval may grow, as long as no row of another class enters. Greedy: the
step that gains most rows, ties by attribute and value order. With two classes, where no proper union of classes exists,
this turns rules with too little support into k-anonymous ones.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.progress import ticks
from anonnb.rules.induction.rule import Condition, Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.table import Attribute, Table


def widen_rules(rules: RuleSet, table: Table, k: int) -> RuleSet:
    """The rules that at least k rows support, and those of the others that can be widened to k without an error.

    ``info["widened"]`` counts the widened rules. Rules that become equal to another are kept once.

    >>> import anonnb
    >>> from anonnb.rules import mlem2
    >>> table = anonnb.load("decision6")
    >>> for rule in widen_rules(mlem2(table), table, 3):
    ...     print(rule, "|", rule.support)
    if sex = male and occupation = salesman then evaluation = high | 3
    """
    kept = [rule for rule in rules if rule.support >= k]
    codes = {name: table.codes(name) for name in table.conditions}
    found = []
    for rule in ticks(rules, "rules"):
        if rule.support < k:
            wider = _widen(rule, table, codes, k)
            if wider is not None:
                found.append(wider)
    unique = list(dict.fromkeys([*kept, *found]))
    info = {**rules.info, "k": k, "widened": len(unique) - len(kept), "dropped": len(rules) - len(kept) - len(found)}
    return RuleSet(unique, rules.decision, rules.classes, rules.class_counts, info)


def condition_mask(condition: Condition, table: Table) -> np.ndarray:
    """Which codes of its attribute a condition allows."""
    attribute = table.attributes[condition.attribute]
    mask = np.zeros(attribute.size, dtype=bool)
    mask[len(attribute.domain) :] = condition.allows(None)
    if condition.values is None and attribute.kind == "numeric":  # its domain is sorted
        ends = [(condition.lower, "left", 0), (condition.upper, "right", len(attribute.domain))]
        low, high = (end if bound is None else attribute.domain.searchsorted(bound, side) for bound, side, end in ends)
        mask[low:high] = True
        return mask
    mask[: len(attribute.domain)] = [condition.allows(value) for value in attribute.domain]
    return mask


def _widen(rule: Rule, table: Table, codes: dict[str, np.ndarray], k: int) -> Rule | None:
    decision = table.attributes[rule.decision]
    wrong = ~np.isin(table.codes(rule.decision), [decision.code(value) for value in rule.conclusion])
    masks = {part.attribute: condition_mask(part, table) for part in rule.conditions}
    met = {name: mask[codes[name]] for name, mask in masks.items()}
    support = int(np.all(list(met.values()), axis=0).sum())
    while support < k:
        best = None
        for name, mask in masks.items():
            others = np.all(
                [flag for other, flag in met.items() if other != name] or [np.ones(len(table), bool)], axis=0
            )
            free = codes[name][others & ~met[name]]
            bad = np.bincount(codes[name][others & ~met[name] & wrong], minlength=len(mask)) > 0
            gain = np.bincount(free, minlength=len(mask))
            for code in _next_codes(mask, table.attributes[name]):
                if not bad[code] and gain[code] > (best[0] if best else 0):
                    best = (int(gain[code]), name, code)
        if best is None:
            return None
        masks[best[1]][best[2]] = True
        met[best[1]] = masks[best[1]][codes[best[1]]]
        support += best[0]
    conditions = tuple(_condition(part, masks[part.attribute], table) for part in rule.conditions)
    return Rule(conditions, rule.decision, rule.conclusion, support, support, rule.concept, rule.rows)


def _next_codes(mask: np.ndarray, attribute: Attribute) -> list[int]:
    """Codes that may be added next: any for nominal attributes, the neighbours of the interval for ordered ones."""
    if attribute.kind == "nominal":
        return np.flatnonzero(~mask).tolist()
    known = len(attribute.domain)
    if mask[known:].any():
        return []  # a missing value is in no interval
    inside = np.flatnonzero(mask)
    return [code for code in (int(inside[0]) - 1, int(inside[-1]) + 1) if 0 <= code < known]


def _condition(old: Condition, mask: np.ndarray, table: Table) -> Condition:
    attribute = table.attributes[old.attribute]
    if attribute.kind == "numeric":
        inside = attribute.numbers[mask]
        lower = None if old.lower is None else min(old.lower, float(np.nanmin(inside)))
        upper = None if old.upper is None else max(old.upper, float(np.nanmax(inside)))
        return Condition(old.attribute, old.values, lower, upper)
    values = tuple(attribute.domain[code] if code != attribute.missing_code else None for code in np.flatnonzero(mask))
    if attribute.kind == "ordinal":
        return Condition(old.attribute, values, values[0], values[-1])
    return Condition(old.attribute, values)
