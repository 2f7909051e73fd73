"""What all inductions share: concepts over the classes of a table, the compiled search, and the rules made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np

from anonnb.rules.induction.encoding import Features
from anonnb.rules.induction.flattening import (
    AFTER,
    GOAL,
    NEGATIVE,
    OPEN,
    OPEN_ROWS,
    RECORDED,
    SHOWN,
    WORD,
    as_bits,
)
from anonnb.rules.induction.rule import Rule
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

ROOM = 1_000  # rules that the search writes before it hands them over
Concept = tuple[int, ...]  # numbers of classes whose union is to be described


@dataclass
class SearchRecord:
    """What the search for the rules of a concept did: conditions are cells, as in ``flattening``.

    ``taken`` are the conditions that each rule took, in order, ``left`` those that it needs; ``kept`` says which rules
    are not redundant.
    """

    taken: list[list[int]] = field(default_factory=list)
    left: list[list[int]] = field(default_factory=list)
    kept: list[bool] = field(default_factory=list)


class Induction:
    """Rules for one concept after the other, over the same features.

    ``decisions`` (rows × classes) says which classes each row may have or, of a row that stands for several, how many
    of them have each class.
    """

    def __init__(self, features: Features, decision: str, classes: Sequence, decisions: np.ndarray):
        self.features = features
        self.decision = decision
        self.classes = list(classes)
        self.decisions = decisions
        self._lines = np.zeros((AFTER + features.longest + 1, -(-len(features.sorted_rows) // WORD)), np.uint64)

    def rules(
        self, concept: Concept, goal: np.ndarray, negative: np.ndarray, record: SearchRecord | None = None
    ) -> tuple[list[Rule], np.ndarray]:
        """Rules that cover the ``goal`` rows and no ``negative`` one; for each row its best rule's support (0: none).

        ``negative`` may be longer than the table: flags of the rows' overlap copies follow. A ``record`` is filled.
        """
        from anonnb.rules.induction._blocks import coverage, irredundant

        features, rows, sorted_rows = self.features, self.features.rows, self.features.sorted_rows
        if not goal.any():
            return [], np.zeros(rows, dtype=np.int64)
        flags = np.zeros((3, len(sorted_rows)), dtype=np.bool_)
        flags[0, :rows], flags[1, : len(negative)], flags[2, :rows] = goal, negative, True
        flags[1, :rows] &= ~goal
        self._lines[[GOAL, NEGATIVE, SHOWN]] = as_bits(flags[:, sorted_rows])
        ends, conditions = self._induced(record)
        covering, n_bits = (self._lines, *features.search[:3]), self._lines.shape[1] * WORD
        keep = np.ones(len(ends) - 1, np.int64)
        irredundant(ends, conditions, *covering, np.zeros(n_bits, np.int64), keep)
        if record is not None:
            record.kept = (keep > 0).tolist()
        ends, conditions = _kept(ends, conditions, keep > 0)
        support, best = np.zeros((len(ends) - 1, 2), np.int64), np.zeros(n_bits, np.int64)
        shares = np.zeros((2, len(sorted_rows)), np.int64)
        shares[0, :rows], shares[1, :rows] = features.weights, self._right(concept)
        coverage(ends, conditions, *covering, shares[:, sorted_rows], support, best)
        supports = np.empty(len(sorted_rows), dtype=np.int64)
        supports[sorted_rows] = best[: len(supports)]
        conclusion = tuple(self.classes[number] for number in concept)
        size, rows = int(shares[1].sum()), int(features.weights.sum())
        cells, ends = conditions.tolist(), ends.tolist()
        made = [
            Rule(features.rule_conditions(cells[a:b]), self.decision, conclusion, covered, right, size, rows)
            for a, b, (covered, right) in zip(ends[:-1], ends[1:], support.tolist(), strict=True)
        ]
        return made, supports[: features.rows]

    def _right(self, concept: Concept) -> np.ndarray:
        """Return how many of the rows that each row stands for have a class of the concept, surely."""
        wrong = self.decisions[:, outside(concept, len(self.classes))].sum(axis=1)
        return np.maximum(self.features.weights - wrong, 0)  # a row may have several wrong classes

    def met_by(self, sets: np.ndarray) -> np.ndarray:
        """For each row of the table and each set of rows (flags): does a row of the set satisfy all that it does."""
        from anonnb.rules.induction._blocks import meetings

        features = self.features
        kind, ends, conditions = features.tightest()
        lines = np.zeros((AFTER + len(sets), self._lines.shape[1]), np.uint64)
        lines[SHOWN], lines[AFTER:] = ~np.uint64(0), as_bits(sets[:, features.sorted_rows])
        met = np.zeros((len(ends) - 1, len(sets)), np.int64)
        meetings(ends, conditions, lines, *features.search[:3], met)
        return met[kind] > 0

    def _induced(self, record: SearchRecord | None) -> tuple[np.ndarray, np.ndarray]:
        """Return all rules of the goal: where each ends, and their conditions one after the other."""
        from anonnb.rules.induction._search import induce

        search, longest = self.features.search, self.features.longest
        tallies = np.zeros((2, search.asked.shape[1] + 1), np.int32)
        # with a record the search hands over one rule at a time, and has room for every condition there is
        capacity, recorded = (ROOM, 0) if record is None else (2, search.asked.shape[1])
        chosen, state = np.zeros(longest, np.int64), np.zeros(RECORDED + 1 + recorded, np.int64)
        ends, conditions = np.zeros(capacity, np.int64), np.zeros(capacity * 8 + longest, np.int64)
        self._lines[OPEN_ROWS] = self._lines[GOAL]
        sizes: list[np.ndarray] = []
        made: list[np.ndarray] = []
        state[OPEN] = -1
        while state[OPEN]:
            state[RECORDED] = RECORDED + 1
            n_rules = induce(self._lines, *search, *tallies, chosen, state, ends, conditions)
            sizes.append(np.diff(ends[: n_rules + 1]))
            made.append(conditions[: ends[n_rules]].copy())
            if record is not None:
                record.taken.append(state[RECORDED + 1 : state[RECORDED]].tolist())
                record.left += [made[-1].tolist()] * n_rules
        return np.cumsum(np.concatenate([[0], *sizes])), np.concatenate(made)


def outside(concept: Concept, n_classes: int) -> np.ndarray:
    """Return flags of the classes that are not in the concept."""
    flags = np.ones(n_classes, dtype=bool)
    flags[list(concept)] = False
    return flags


def _kept(pointers: np.ndarray, conditions: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the conditions of the rules to keep, with new pointers."""
    sizes, conditions = np.diff(pointers), conditions[: pointers[-1]]
    ends = np.concatenate([[0], np.cumsum(sizes[keep])])
    return ends, conditions[np.repeat(keep, sizes)]


def present_classes(table: Table) -> tuple[list, np.ndarray, np.ndarray]:
    """The classes that occur in the table (in domain order), the class number of every row, and the class counts."""
    decision = required_decision(table)
    if len(table) == 0:
        raise ValueError("the table has no rows; rules cannot be induced from nothing")
    attribute = table.attributes[decision]
    codes, numbers, counts = np.unique(table.codes(decision), return_inverse=True, return_counts=True)
    values = attribute.domain.tolist() + [None] * attribute.missing
    classes = [values[code] for code in codes]
    if len(classes) == 1:
        raise ValueError(
            f"the decision column {table.decision!r} has one class only, {classes[0]!r}; rules need at least two"
        )
    return classes, numbers, counts


def concept_of(wanted: object, classes: Sequence, decision: str) -> Concept:
    """Return the class numbers of a concept given as a class or as a collection of classes."""
    values = list(wanted) if isinstance(wanted, list | tuple | set | frozenset | np.ndarray) else [wanted]
    for value in values:
        if value not in classes:
            raise ValueError(f"concept: {value!r} is not a class of {decision!r}; the classes are {list(classes)}")
    if not values or len(set(values)) == len(classes):
        raise ValueError(f"concept: name at least one class of {decision!r} and not all of them")
    return tuple(sorted(classes.index(value) for value in set(values)))


def unions(n_classes: int, most: int, limit: int) -> list[Concept]:
    """Return every union of 1 to ``most`` classes; refused with the number when there are more than ``limit``."""
    count = sum(comb(n_classes, size) for size in range(1, most + 1))
    if count > limit:
        many = f"{count:,}" if count < 10**15 else f"more than 10^{len(str(count)) - 1}"
        raise ValueError(
            f"{n_classes} classes have {many} unions of up to {most}; more than limit={limit:,}. "
            f"Use a smaller max_classes (2 gives {n_classes + comb(n_classes, 2):,}) or raise limit"
        )
    return [concept for size in range(1, most + 1) for concept in combinations(range(n_classes), size)]
