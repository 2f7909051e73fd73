"""DOMLEM (Greco, Matarazzo, Słowiński and Stefanowski 2001): rules such as "maths at least good → class at least good".

Idea: cover each approximation greedily by conditions on single criteria; a rule holds when all rows that fit it lie in
the approximation. Reading: certain rules come from lower approximations, possible ones from upper ones, approximate
ones ("between … and …") from rows whose class is contradicted, for each interval of classes that occurs. From a release
only certain rules are induced: a row supports them when its cells surely fit, and no row that may fit refutes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.roughsets.dominance import Criteria, bounds_of
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

KINDS = ("certain", "possible", "approximate")
UP, DOWN = 1, -1  # a condition requires at least, or at most, a value on the scale where larger is better


@dataclass(frozen=True, order=True)
class DominanceCondition:
    """Criterion (by its position) and the value that must be reached from above or below."""

    place: int
    direction: int
    value: int

    def text(self, criteria: Criteria) -> str:
        sign = self.direction * int(criteria.signs[self.place])
        label = criteria.attributes[self.place].labels[abs(self.value)]
        return f"{criteria.names[self.place]} {'≥' if sign == UP else '≤'} {label}"

    def fits(self, criteria: Criteria) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows surely fit, and which possibly do."""
        low, high = criteria.low[:, self.place], criteria.high[:, self.place]
        if self.direction == UP:
            return low >= self.value, high >= self.value
        return high <= self.value, low <= self.value

    def implies(self, other: DominanceCondition) -> bool:
        """Tell whether every row that fits this condition fits the other."""
        same = (self.place, self.direction) == (other.place, other.direction)
        return same and self.direction * self.value >= other.direction * other.value


@dataclass(frozen=True, eq=False)
class DominanceRule:
    """If all conditions hold, the class is from ``low`` to ``high`` (codes of the decision).

    ``rows`` are those that surely fit; ``kind`` is certain, possible or approximate.
    """

    kind: str
    conditions: tuple[DominanceCondition, ...]
    low: int
    high: int
    rows: np.ndarray = field(repr=False)
    criteria: Criteria = field(repr=False)

    @property
    def premise(self) -> str:
        return " and ".join(condition.text(self.criteria) for condition in self.conditions) or "always"

    @property
    def conclusion(self) -> str:
        attribute, names = self.criteria.decision, self.criteria.decision.labels
        if self.kind == "approximate":
            return f"{attribute.name} between {names[self.low]} and {names[self.high]}"
        return (
            f"{attribute.name} at least {names[self.low]}"
            if self.low
            else f"{attribute.name} at most {names[self.high]}"
        )

    def __str__(self) -> str:
        hedge = "possibly " if self.kind == "possible" else ""
        return f"{self.premise} → {hedge}{self.conclusion}"

    def outdone_by(self, other: DominanceRule) -> bool:
        """Tell whether another rule of the same kind requires no more and concludes no less."""
        if self.kind != other.kind or not self.low <= other.low <= other.high <= self.high:
            return False
        return all(any(part.implies(condition) for part in self.conditions) for condition in other.conditions)


class DominanceRules(Sequence[DominanceRule]):
    """Induced rules, in order."""

    def __init__(self, rules: Sequence[DominanceRule], criteria: Criteria):
        self._rules, self._criteria = tuple(rules), criteria

    def __len__(self) -> int:
        return len(self._rules)

    def __getitem__(self, index):
        return self._rules[index]

    def __iter__(self) -> Iterator[DominanceRule]:
        return iter(self._rules)

    @property
    def frame(self) -> pd.DataFrame:
        """A row per rule: kind, premise, conclusion, and how many rows surely fit."""
        lines = [(rule.kind, rule.premise, rule.conclusion, len(rule.rows)) for rule in self]
        return pd.DataFrame(lines, columns=["kind", "premise", "conclusion", "support"])

    def predict(self, data: Table | Release) -> pd.DataFrame:
        """Return what the certain rules say about each row: its class at least and at most; a blank means no limit.

        Rules may contradict each other about rows from which they were not induced: then "at least" exceeds "at most".
        """
        criteria, cost = (
            self._criteria,
            [n for n, s in zip(self._criteria.names, self._criteria.signs, strict=True) if s < 0],
        )
        rows = Criteria.of(data, criteria.names, cost)
        for codes, other in zip(criteria.attributes, rows.attributes, strict=True):
            if codes.labels != other.labels:
                raise ValueError(
                    f"column {codes.name!r} has other values than the table of the rules; "
                    "take both from one table, or declare its domain"
                )
        low, high = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), len(criteria.decision.domain) - 1)
        for rule in self:
            if rule.kind == "certain":
                fits = _fits(rule.conditions, rows)[0]
                low[fits], high[fits] = np.maximum(low[fits], rule.low), np.minimum(high[fits], rule.high)
        labels = np.array(criteria.decision.labels, dtype=object)
        return pd.DataFrame({"at least": labels[low], "at most": labels[high]}, index=rows_index(data))

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "no rules"


def rows_index(data: Table | Release) -> pd.Index:
    if isinstance(data, Table):
        return data.index
    return pd.RangeIndex(len(data)) if data.rows is None else data.table.index[data.rows]


def domlem(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    cost: Sequence[str] = (),
    kinds: Sequence[str] = ("certain", "approximate"),
) -> DominanceRules:
    """Induce a small set of rules that covers every approximation of every union of classes.

    The strongest unions come first. Of rules that conclude the same or less under the same or narrower conditions, only
    the best is kept.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"maths": [1, 2, 3], "physics": [3, 1, 2], "grade": [1, 2, 2]})
    >>> domlem(Table(frame, decision="grade"))
    maths ≥ 2 → grade at least 2
    maths ≤ 1 → grade at most 1
    """
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise ValueError(f"kinds: {unknown[0]!r} is not known; use certain, possible, approximate")
    criteria = Criteria.of(data, attributes, cost)
    if not criteria.exact:
        kinds = [kind for kind in kinds if kind == "certain"]
    rules: list[DominanceRule] = []
    for target in _targets(criteria, kinds):
        rules += _covering(criteria, target)
    kept = [rule for index, rule in enumerate(rules) if not _is_outdone(rule, index, rules)]
    return DominanceRules(kept, criteria)


def _is_outdone(rule: DominanceRule, index: int, rules: Sequence[DominanceRule]) -> bool:
    others = ((number, other) for number, other in enumerate(rules) if number != index)
    # of two rules that outdo each other, and so say the same, the first is kept
    return any(rule.outdone_by(other) and (number < index or not other.outdone_by(rule)) for number, other in others)


# ---- what must be covered -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Target:
    """Rows to be covered by rules of one kind and conclusion, and the directions that conditions may have.

    ``allowed`` are the rows that may fit such a rule; the others would refute it.
    """

    kind: str
    low: int
    high: int
    rows: np.ndarray
    allowed: np.ndarray
    directions: tuple[int, ...]


def _targets(criteria: Criteria, kinds: Sequence[str]) -> Iterator[_Target]:
    bounds, last = bounds_of(criteria), len(criteria.decision.domain) - 1
    for kind in (kind for kind in KINDS[:2] if kind in kinds):
        above, below = (bounds.low, bounds.high) if kind == "certain" else (bounds.high, bounds.low)
        for code in range(last, 0, -1):
            rows = above >= code
            yield _Target(kind, code, last, rows, criteria.worst >= code if kind == "certain" else rows, (UP,))
        for code in range(last):
            rows = below <= code
            yield _Target(kind, 0, code, rows, criteria.best <= code if kind == "certain" else rows, (DOWN,))
    if "approximate" in kinds:
        doubtful = np.unique(np.column_stack([bounds.low, bounds.high])[~bounds.consistent], axis=0)
        for low, high in sorted(doubtful.tolist(), key=lambda ends: (ends[1] - ends[0], ends)):
            rows = ~bounds.consistent & (bounds.low >= low) & (bounds.high <= high)
            yield _Target("approximate", low, high, rows, rows, (UP, DOWN))


# ---- covering one approximation -----------------------------------------------------------------------------------


def _covering(criteria: Criteria, target: _Target) -> list[DominanceRule]:
    """Return rules that together surely fit every row of the target, none of them redundant."""
    rules: list[DominanceRule] = []
    left = target.rows.copy()
    while left.any():
        conditions = _shortened(criteria, target, _grown(criteria, target, left))
        fits = _fits(conditions, criteria)[0]
        rule = DominanceRule(
            target.kind, tuple(sorted(conditions)), target.low, target.high, np.flatnonzero(fits), criteria
        )
        left &= ~fits
        rules.append(rule)
        if listening():
            recorded = f"It fits {pluralize(len(rule.rows), 'row')}; {left.sum()} are still to be covered."
            note(f"Rule {rule}", recorded, DominanceRules(rules, criteria).frame)
    for rule in sorted(rules, key=lambda rule: len(rule.rows)):
        others = [other for other in rules if other is not rule]
        covered = np.zeros(len(criteria), dtype=bool)
        for other in others:
            covered[other.rows] = True
        if not (target.rows & ~covered).any():
            rules = others
    return rules


def _grown(criteria: Criteria, target: _Target, left: np.ndarray) -> list[DominanceCondition]:
    """Add conditions, the best one first, until no row that would refute the rule can fit all of them."""
    conditions: list[DominanceCondition] = []
    sure = possible = np.ones(len(criteria), dtype=bool)
    while not conditions or (possible & ~target.allowed).any():
        candidates = _candidates(criteria, target, left & sure, possible)
        best = max(candidates, key=lambda line: line[1:3])
        _record_step(criteria, target, candidates, best[0])
        conditions.append(best[0])
        fits, may_fit = best[0].fits(criteria)
        sure, possible = sure & fits, possible & may_fit
    return conditions


def _candidates(criteria: Criteria, target: _Target, wanted: np.ndarray, possible: np.ndarray) -> list[tuple]:
    """Return each condition that excludes a row: its share of wanted rows, their number, and how many may fit."""
    candidates = []
    for index in range(len(criteria.names)):
        for direction in target.directions:
            ends = (criteria.low, criteria.high)[::direction]
            codes, reach = (direction * end[:, index] for end in ends)
            values = np.unique(codes[wanted])
            inside = _at_least(codes[wanted], values)
            fitting = _at_least(reach[possible], values)
            useful = (
                fitting < possible.sum() if (possible & ~target.allowed).any() else np.ones(len(values), dtype=bool)
            )
            for value, good, all_of_them in zip(values[useful], inside[useful], fitting[useful], strict=True):
                condition = DominanceCondition(index, direction, int(direction * value))
                candidates.append((condition, good / all_of_them, int(good), int(all_of_them)))
    return candidates


def _at_least(numbers: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Count the numbers that reach each value."""
    return len(numbers) - np.searchsorted(np.sort(numbers), values, "left")


def _shortened(criteria: Criteria, target: _Target, conditions: list[DominanceCondition]) -> list[DominanceCondition]:
    """Return the conditions needed to exclude all rows that would refute the rule; earlier ones are dropped first."""
    for condition in conditions.copy():
        rest = [other for other in conditions if other != condition]
        if not (_fits(rest, criteria)[1] & ~target.allowed).any():
            conditions = rest
    return conditions


def _fits(conditions: Sequence[DominanceCondition], criteria: Criteria) -> tuple[np.ndarray, np.ndarray]:
    sure = possible = np.ones(len(criteria), dtype=bool)
    for condition in conditions:
        fits, may_fit = condition.fits(criteria)
        sure, possible = sure & fits, possible & may_fit
    return sure, possible


def _record_step(criteria: Criteria, target: _Target, candidates: list[tuple], chosen: DominanceCondition) -> None:
    if not listening():
        return
    names = [line[0].text(criteria) for line in candidates]
    scores = pd.DataFrame([line[1:] for line in candidates], columns=["share", "to cover", "fit"], index=names)
    text = chosen.text(criteria)
    share, good, fitting = scores.loc[text]
    note(
        f"Take {text}",
        f"It fits {pluralize(int(fitting), 'row')}, of which {int(good)} must still be covered: "
        f"a share of {share:.2f}, the largest.",
        candidates=scores.round(3),
        chosen=[text],
    )
