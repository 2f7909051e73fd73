"""Rules as Chase uses them: single values imply a value, with a confidence and a support; and their weighted closure.

After the SCIKD paper: a derived value weighs as much as its premise (a product) times the rule's confidence,
the highest over all paths counts, and what falls below λ is dropped. Reading: a value at exactly λ is kept; a different
visible value does not stop a derivation, so that hiding more can never reveal more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonnb.rules.induction.rule import Condition, Rule
from anonnb.tables.attribute import Attribute
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.weighted_column import EPSILON


def implies(premise: Mapping, conclusion: Mapping, confidence: float = 1.0, support: float = 1.0) -> Rule:
    """Return a rule written by hand.

    Parameters
    ----------
    confidence:
        The share of rows of the premise for which the rule is right.
    support:
        The weight of the rows that satisfy premise and conclusion.

    Examples
    --------
    >>> rule = implies({"c": "c1"}, {"b": "b1"}, confidence=2 / 3, support=2)
    >>> print(rule, "|", round(rule.confidence, 3), rule.strength)
    if c = c1 then b = b1 | 0.667 2
    """
    if not premise or len(conclusion) != 1:
        raise ValueError("a rule for Chase has a premise and one value in its conclusion: implies({'a': 1}, {'b': 2})")
    if not 0 < confidence <= 1 or support <= 0:
        raise ValueError(f"confidence must lie in (0, 1] and support above 0, not {confidence!r} and {support!r}")
    ((decision, value),) = conclusion.items()
    conditions = tuple(Condition(name, values=(wanted,)) for name, wanted in premise.items())
    return Rule(conditions, decision, (value,), support / confidence, support)


def short_text(rule: Rule) -> str:
    """Return a rule on one line: ``c = c1 → b = b1 (2/3)``; the confidence is shown if it is not 1.

    >>> short_text(implies({"c": "c1", "f": "f1"}, {"a": "a1"}, 0.8))
    'c = c1, f = f1 → a = a1 (0.80)'
    """
    premise = ", ".join(map(str, rule.conditions))
    sure = "" if rule.confidence > 1 - EPSILON else f" ({rule.confidence:.2f})"
    return f"{premise} → {rule.decision} = {rule.conclusion_text}{sure}"


def merged(rules: Iterable[Rule]) -> list[Rule]:
    """Equal rules of several sites become one, their supports added; in order of first appearance."""
    result: dict[tuple, Rule] = {}
    for rule in rules:
        key = (frozenset(rule.conditions), rule.decision, rule.conclusion)
        same = result.get(key)
        if same is not None:
            sums = [getattr(same, part) + getattr(rule, part) for part in ("support", "strength", "concept", "rows")]
            rule = Rule(same.conditions, same.decision, same.conclusion, *sums)
        result[key] = rule
    return list(result.values())


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Rules in terms of numbered items (attribute, value) of one system.

    ``owner`` is the attribute number of each item, ``premises`` the items of each rule's premise, ``concludes`` the
    item of its conclusion. Rules with a value that the system's domains lack in the premise can never apply.
    """

    rules: tuple[Rule, ...]
    names: tuple[str, ...]
    items: tuple[tuple[str, int], ...]
    owner: np.ndarray
    premises: tuple[np.ndarray, ...]
    concludes: np.ndarray
    confidence: np.ndarray
    support: np.ndarray

    @classmethod
    def of(cls, rules: Iterable[Rule], system: IncompleteTable) -> Knowledge:
        """Number the values in the rules; the system must know all values that they conclude."""
        names = tuple(system.names)
        usable, premises, concludes = [], [], []
        numbers: dict[tuple[str, int], int] = {}
        for rule in rules:
            every = [_pair(system, *pair) for pair in _values(rule)]
            pairs = [pair for pair in every if pair is not None]
            if len(pairs) < len(every):
                continue
            indices = [numbers.setdefault(pair, len(numbers)) for pair in pairs]
            usable.append(rule)
            premises.append(np.array(indices[:-1]))
            concludes.append(indices[-1])
        return cls(
            tuple(usable),
            names,
            tuple(numbers),
            np.array([names.index(name) for name, _ in numbers], dtype=np.int64),
            tuple(premises),
            np.array(concludes, dtype=np.int64),
            np.array([rule.confidence for rule in usable]),
            np.array([float(rule.strength) for rule in usable]),
        )

    def __len__(self) -> int:
        return len(self.rules)

    @cached_property
    def mentions(self) -> np.ndarray:
        """In how many rules each item occurs: how much other analyses need it."""
        indices = [index for premise in self.premises for index in premise] + list(self.concludes)
        return np.bincount(np.array(indices, dtype=np.int64), minlength=len(self.items))

    def items_of(self, attribute: int) -> np.ndarray:
        """Return the items of an attribute, by its number."""
        return np.flatnonzero(self.owner == attribute)

    def weights(self, system: IncompleteTable) -> np.ndarray:
        """Return the weight of every item in every row of a system."""
        table = np.zeros((len(system), len(self.items)))
        for number in np.unique(self.owner):
            indices = self.items_of(number)
            table[:, indices] = system.columns[self.names[number]].weight([self.items[index][1] for index in indices])
        return table

    def premise_weights(self, rule: int, weights: np.ndarray) -> np.ndarray:
        """Return the weight of a rule's premise in each row: the product over its items."""
        indices = self.premises[rule]
        product = weights[:, indices[0]].copy()
        for index in indices[1:]:
            product *= weights[:, index]
        return product

    def all_premise_weights(self, weights: np.ndarray) -> np.ndarray:
        """Return the weight of every rule's premise in each row: rules × rows."""
        by_item, products = np.ascontiguousarray(weights.T), np.empty((len(self), len(weights)))
        for premise, product in zip(self.premises, products, strict=True):
            np.copyto(product, by_item[premise[0]])
            for index in premise[1:]:
                product *= by_item[index]
        return products

    def closure(
        self, weights: np.ndarray, threshold: float, chosen: Sequence[int] | np.ndarray | None = None
    ) -> np.ndarray:
        """The weighted transitive closure of each row (items as columns), by the chosen rules (all by default)."""
        closed = weights.copy()
        chosen = range(len(self)) if chosen is None else chosen
        changed = True
        while changed:  # confidences are at most 1, so no cycle raises a weight: this ends
            changed = False
            for rule in chosen:
                derived = self.premise_weights(rule, closed) * self.confidence[rule]
                target = closed[:, self.concludes[rule]]
                better = (derived > target + EPSILON) & (derived >= threshold - EPSILON)
                if better.any():
                    target[better] = derived[better]
                    changed = True
        return closed


def ready(system: IncompleteTable, rules: Iterable[Rule], threshold: float) -> IncompleteTable:
    """Return the system as one of type λ whose domains hold every value that the rules conclude."""
    system = system.of_type(threshold)
    concluded: dict[str, list] = {}
    for rule in rules:
        _values(rule)
        concluded.setdefault(rule.decision, []).append(rule.conclusion[0])
    columns = {}
    for name, values in concluded.items():
        column = system.column(name)
        new = [value for value in dict.fromkeys(values) if _code(column.attribute, value) is None]
        if new:
            columns[name] = column.extended(new)
    return system.with_columns(columns) if columns else system


def _values(rule: Rule) -> list[tuple[str, object]]:
    """Return the premise's (attribute, value) pairs, then the conclusion's."""
    single = [part.values for part in rule.conditions if part.values is not None and len(part.values) == 1]
    if len(single) < len(rule.conditions) or not rule.conditions or len(rule.conclusion) != 1:
        raise ValueError(f"Chase uses rules of single values only, not '{rule}'; mine them with erid()")
    pairs = [(part.attribute, value) for part, (value,) in zip(rule.conditions, single, strict=True)]
    return [*pairs, (rule.decision, rule.conclusion[0])]


def _pair(system: IncompleteTable, name: str, value: object) -> tuple[str, int] | None:
    if name not in system.columns:
        return None
    code = _code(system.columns[name].attribute, value)
    return None if code is None else (name, code)


def _code(attribute: Attribute, value: object) -> int | None:
    try:
        return attribute.code(value)
    except ValueError:
        return None
