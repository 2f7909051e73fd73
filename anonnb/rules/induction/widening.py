"""Imprecise condition values: widen a rule until enough rows support it (the future work of Inuiguchi et al. 2019).

A nominal condition may allow more values, an interval may grow, as long as no row of another class enters. Greedy: the
step that gains most rows, ties by attribute and value order. With two classes, where no proper union of classes exists,
this turns rules with too little support into k-anonymous ones.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.core.progress import ticks
from anonnb.rules.induction.encoding import plain
from anonnb.rules.induction.rule import Condition, Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.rules.induction.satisfying import CodeRanges
from anonnb.tables.table import Table


def widen_rules(rules: RuleSet, table: Table, k: int) -> RuleSet:
    """Return the rules that at least k rows support, and those of the others that can be widened to k without an error.

    ``info["widened"]`` counts the widened rules. Rules that become equal to another are kept once.

    >>> import anonnb
    >>> from anonnb.rules import mlem2
    >>> table = anonnb.load("decision6")
    >>> for rule in widen_rules(mlem2(table), table, 3):
    ...     print(rule, "|", rule.support)
    if sex = male and occupation = salesman then evaluation = high | 3
    """
    kept = [rule for rule in rules if rule.support >= k]
    weak = RuleSet([rule for rule in rules if rule.support < k], rules.decision, rules.classes)
    widening = _Widening(weak, table)
    wider = [widening.widened(number, k) for number in ticks(range(len(weak)), "rules")]
    added = [rule for rule in wider if rule is not None]
    unique = list(dict.fromkeys([*kept, *added]))
    info = {**rules.info, "k": k, "widened": len(unique) - len(kept), "dropped": len(rules) - len(kept) - len(added)}
    return RuleSet(unique, rules.decision, rules.classes, rules.class_counts, info)


class _Widening:
    """Widens rules of one table; a row may enter by a further value of a condition if it misses no other one."""

    def __init__(self, rules: RuleSet, table: Table):
        self._rules, self._table = rules, table
        conditions, self._flat, self._pointers = rules.distinct_conditions
        self._ranges = CodeRanges(conditions, table)
        self._satisfying = self._ranges.rows_as_bits()
        self._by_code = {
            name: group_order(table.codes(name), table.attributes[name].size) for name in self._ranges.names
        }
        self._wrong = cache(self._outside)

    def widened(self, number: int, k: int) -> Rule | None:
        """A rule with further values until k rows support it; None if they would let in a row of another class."""
        rule, own = self._rules[number], self._flat[self._pointers[number] : self._pointers[number + 1]]
        satisfied = np.unpackbits(self._satisfying[own], axis=1, count=len(self._table))
        missed = len(own) - satisfied.sum(axis=0, dtype=np.min_scalar_type(len(own)))  # conditions, for each row
        masks = {part.attribute: self._ranges.mask(index) for part, index in zip(rule.conditions, own, strict=True)}
        while (support := int(np.count_nonzero(missed == 0))) < k:
            step = self._best_step(masks, missed, self._wrong(rule.conclusion))
            if step is None:
                return None
            name, code = step
            missed[self._rows(name, code)] -= 1
            masks[name][code] = True
        conditions = tuple(_condition(part, masks[part.attribute], self._table) for part in rule.conditions)
        return Rule(conditions, rule.decision, rule.conclusion, support, support, rule.concept, rule.rows)

    def _best_step(self, masks: dict[str, np.ndarray], missed: np.ndarray, wrong: np.ndarray) -> tuple[str, int] | None:
        """Return the attribute and the code that let in the most rows, and none of a wrong class."""
        best, best_gain, near = None, 0, np.flatnonzero(missed == 1)
        for name, mask in masks.items():
            attribute = self._table.attributes[name]
            if attribute.kind == "nominal":
                codes = self._table.codes(name)[near]
                counts = np.bincount(codes, minlength=len(mask))
                counts[codes[wrong[near]]] = 0
                counts[mask] = 0
                gains = {int(counts.argmax()): int(counts.max())}
            else:
                near_codes = _neighbours(mask, len(attribute.domain))
                gains = {code: self._gain(name, code, missed, wrong) for code in near_codes}
            for code, gain in gains.items():
                if gain > best_gain:
                    best, best_gain = (name, code), gain
        return best

    def _gain(self, name: str, code: int, missed: np.ndarray, wrong: np.ndarray) -> int:
        """Return the rows that a code lets in; none if one of them has a wrong class."""
        rows = self._rows(name, code)
        rows = rows[missed[rows] == 1]
        return 0 if wrong[rows].any() else len(rows)

    def _rows(self, name: str, code: int) -> np.ndarray:
        order, starts = self._by_code[name]
        return order[starts[code] : starts[code + 1]]

    def _outside(self, conclusion: tuple) -> np.ndarray:
        """Return which rows have a class that a rule does not conclude."""
        decision = self._table.attributes[self._rules.decision]
        return ~np.isin(self._table.codes(decision.name), [decision.code(value) for value in conclusion])


def _neighbours(mask: np.ndarray, known: int) -> list[int]:
    """Return the codes beside an interval, among those that are ``known``; a missing value is in no interval."""
    if mask[known:].any():
        return []
    ends = int(mask.argmax()) - 1, len(mask) - int(mask[::-1].argmax())
    return [code for code in ends if 0 <= code < known]


def _condition(old: Condition, mask: np.ndarray, table: Table) -> Condition:
    attribute = table.attributes[old.attribute]
    if attribute.kind == "numeric":
        allowed = np.flatnonzero(mask[: len(attribute.domain)])
        ends = attribute.numbers if attribute.is_number else attribute.domain  # dates are compared with dates
        lower = None if old.lower is None else min(old.lower, plain(ends[allowed[0]]))
        upper = None if old.upper is None else max(old.upper, plain(ends[allowed[-1]]))
        return Condition(old.attribute, old.values, lower, upper)
    values = tuple(plain(attribute.domain[c]) if c != attribute.missing_code else None for c in np.flatnonzero(mask))
    if attribute.kind == "ordinal":
        return Condition(old.attribute, values, values[0], values[-1])
    return Condition(old.attribute, values)
