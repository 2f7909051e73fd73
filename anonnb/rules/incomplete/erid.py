"""ERID: rules from incomplete tables (Dardzińska and Raś 2003).

A premise is a conjunction of values, its weight in a row the product of their weights; support is the sum of premise
weight × conclusion weight over the rows, confidence that divided by the sum of the premise weights. Premises grow
level by level: one that made a rule for a value is not extended for it, one that is too rare is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.rules.induction.rule import Condition, Rule
from anonnb.steps.recording import listening, note
from anonnb.tables.attribute import Attribute
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.weighted_column import EPSILON

_BLOCK = 8_000_000  # cells of a premises × rows matrix worked on at once

Term = tuple[int, ...]


def erid(
    system: IncompleteTable | Table | Release,
    decision: str | Sequence[str] | None = None,
    min_support: float = 0.05,
    min_confidence: float = 0.8,
    *,
    max_length: int = 3,
    premises: Sequence[str] | None = None,
) -> list[Rule]:
    """Return the rules about one or several attributes, shortest premises first.

    A rule's ``strength`` is its weighted support in rows, its ``support`` the weight of its premise.

    Parameters
    ----------
    system:
        A table, complete or not.
    decision:
        The attributes to conclude; all by default.
    min_support:
        The smallest support, as a share of the rows.
    premises:
        The attributes that premises may use; all others by default.

    Examples
    --------
    >>> import pandas as pd
    >>> s = IncompleteTable.from_frame(pd.DataFrame({"a": ["x", "x | y", "y"], "d": ["1", "1", "2"]}))
    >>> for rule in erid(s, "d", 0.1, 0.6): print(rule, round(rule.confidence, 2), rule.strength)
    if a = x then d = 1 1.0 1.5
    if a = y then d = 2 0.67 1.0
    """
    system = IncompleteTable.of(system)
    for option, share in (("min_support", min_support), ("min_confidence", min_confidence)):
        if isinstance(share, bool) or not 0 < share <= 1:
            raise ValueError(f"{option} must be a share above 0 and at most 1, not {share!r}")
    if isinstance(max_length, bool) or not isinstance(max_length, int) or max_length < 1:
        raise ValueError(f"max_length must be a whole number of at least 1, not {max_length!r}")
    decisions = system.names if decision is None else [decision] if isinstance(decision, str) else list(decision)
    for name in [*decisions, *(premises or ())]:
        system.column(name)
    miner = _Miner(system, min_support * len(system), min_confidence)
    allowed = system.names if premises is None else list(premises)
    return [rule for name in decisions for rule in miner.rules(name, allowed, max_length)]


class _Miner:
    """The frequent values of a system as columns of weights, and the search over their conjunctions."""

    def __init__(self, system: IncompleteTable, min_weight: float, min_confidence: float):
        self.system, self.min_weight, self.min_confidence = system, min_weight - EPSILON, min_confidence - EPSILON
        self.items: list[tuple[str, int]] = []
        tables = []
        for name, column in system.columns.items():
            frequent = np.flatnonzero(column.totals() >= max(self.min_weight, EPSILON))
            self.items += [(name, int(code)) for code in frequent]
            tables.append(column.weight(frequent.tolist()).T)
        self.weights = np.concatenate(tables) if tables else np.zeros((0, len(system)))

    def rules(self, decision: str, allowed: Sequence[str], max_length: int) -> Iterator[Rule]:
        """Return all rules about one attribute."""
        targets = np.array([index for index, (name, _) in enumerate(self.items) if name == decision], dtype=np.int64)
        usable = {name for name in allowed if name != decision}
        terms: list[Term] = [(index,) for index, (name, _) in enumerate(self.items) if name in usable]
        still = np.ones((len(terms), len(targets)), dtype=bool)
        for length in range(1, max_length + 1):
            if not terms or not len(targets):
                return
            premise, both = self._sums(terms, targets)
            frequent = (both >= self.min_weight) & still
            accepted = frequent & (both >= self.min_confidence * premise[:, None])
            if listening():
                self._record_level(length, terms, targets, premise, both, still, accepted)
            for row, column in np.argwhere(accepted):
                yield self._rule(terms[row], targets[column], premise[row], both[row, column])
            still = frequent & ~accepted
            if length < max_length:
                terms, still = self._longer(terms, still)

    def _sums(self, terms: list[Term], targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weight of each premise, and of each premise together with each value."""
        premise, both = np.empty(len(terms)), np.empty((len(terms), len(targets)))
        step = max(_BLOCK // max(self.weights.shape[1], 1), 1)
        indices = np.array(terms)
        for start in range(0, len(terms), step):
            block = slice(start, start + step)
            product = self.weights[indices[block, 0]]
            for column in range(1, indices.shape[1]):
                product = product * self.weights[indices[block, column]]
            premise[block] = product.sum(axis=1)
            both[block] = product @ self.weights[targets].T
        return premise, both

    def _longer(self, terms: list[Term], still: np.ndarray) -> tuple[list[Term], np.ndarray]:
        """Premises with one more value, all of whose subsets are still open for some common conclusion."""
        live = {term: still[row] for row, term in enumerate(terms) if still[row].any()}
        by_start: dict[Term, list[Term]] = {}
        for term in live:
            by_start.setdefault(term[:-1], []).append(term)
        result, flags = [], []
        for family in by_start.values():
            for first, second in combinations(family, 2):
                if self.items[first[-1]][0] == self.items[second[-1]][0]:
                    continue
                longer = (*first, second[-1])
                parts = [longer[:index] + longer[index + 1 :] for index in range(len(longer))]
                if not all(part in live for part in parts):
                    continue
                if (common := np.logical_and.reduce([live[part] for part in parts])).any():
                    result.append(longer)
                    flags.append(common)
        return result, np.array(flags, dtype=bool).reshape(len(result), still.shape[1])

    def _record_level(
        self,
        length: int,
        terms: list[Term],
        targets: np.ndarray,
        premise: np.ndarray,
        both: np.ndarray,
        still: np.ndarray,
        accepted: np.ndarray,
    ) -> None:
        """Note what becomes of all premises of a length: rules, rare ones that are dropped, and those that grow."""
        order = np.argwhere(still)
        order = order[np.argsort(-both[order[:, 0], order[:, 1]], kind="stable")]
        rows, columns = order.T
        frame = pd.DataFrame(
            {
                "support": both[rows, columns].round(4),
                "confidence": (both[rows, columns] / np.maximum(premise[rows], EPSILON)).round(4),
                "what": np.select(
                    [accepted[rows, columns], both[rows, columns] < self.min_weight], ["a rule", "too rare"], "grows"
                ),
            },
            index=pd.Index([str(self._rule(terms[a], targets[b], 0, 0)) for a, b in order], name="premise and value"),
        )
        rules, rare, grow = ((frame["what"] == what).sum() for what in ("a rule", "too rare", "grows"))
        sentence = (
            f"Of {pluralize(len(frame), 'candidate')}, {rules or 'none'} "
            f"{'becomes a rule' if rules <= 1 else 'become rules'}, {rare or 'none'} {'is' if rare <= 1 else 'are'} "
            f"too rare and dropped, and {grow or 'none'} {'takes' if grow <= 1 else 'take'} another value"
        )
        chosen = frame.index[frame["what"] == "a rule"]
        note(f"Premises with {pluralize(length, 'value')}", f"{sentence}.", frame, frame, chosen)

    def _rule(self, term: Term, target: int, premise: float, both: float) -> Rule:
        conditions = tuple(
            Condition(name, values=(_value(self.system.columns[name].attribute, code),))
            for name, code in (self.items[index] for index in term)
        )
        name, code = self.items[target]
        value = _value(self.system.columns[name].attribute, code)
        concept = float(self.weights[target].sum())
        return Rule(conditions, name, (value,), _tidy(premise), _tidy(both), _tidy(concept), len(self.system))


def _value(attribute: Attribute, code: int) -> object:
    """Return the value of a code; None stands for a missing one, as in every condition."""
    return None if code == attribute.missing_code else attribute.domain[code]


def _tidy(weight: float) -> float:
    """Return a weight without rounding noise: sums of products of thirds give 1.9999999999999998 for 2."""
    return round(float(weight), 10)
