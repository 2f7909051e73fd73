"""The search of SCIKD: the largest sets of cells of an object whose closure does not reach the secret.

Level by level from single cells; a set is considered only when all its parts are unmarked (a superset of a marked set
is marked too, as closures only grow). Sets are bitmasks and all sets of a level are closed at once. Readings: continue
up to the full set, mark at weights ≥ λ, and treat all values of a cell as one unit, since a cell is what can be hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.core.progress import ticks
from anonnb.methods.chase_protection.notes import MOST_OBJECTS, ObjectTelling
from anonnb.rules.incomplete.knowledge import Knowledge
from anonnb.steps.recording import listening
from anonnb.tables.incomplete.weighted_column import EPSILON

_MOST_CELLS = 20  # cells of an object up to which all its sets are tabulated


@dataclass(frozen=True, eq=False)
class Level:
    """The sets of one size that were considered: bitmasks over the attributes, their closures, and which are marked."""

    sets: np.ndarray
    closures: np.ndarray
    marked: np.ndarray

    @property
    def unmarked(self) -> np.ndarray:
        return self.sets[~self.marked]


@dataclass(frozen=True, eq=False)
class HidingSearch:
    """One object: its item weights, the attributes that may be hidden, the secret items, λ and the rules to use."""

    knowledge: Knowledge
    weights: np.ndarray
    attributes: Sequence[int]
    targets: np.ndarray
    threshold: float
    rules: Sequence[int] | None = None

    def levels(self) -> Iterator[Level]:
        """Level after level, up to the full set or until all sets are marked."""
        bits = np.left_shift(np.int64(1), np.arange(len(self.attributes), dtype=np.int64))
        sets = bits
        while len(sets):
            level = self._marked(sets, bits)
            yield level
            sets = _larger(level.unmarked, bits)

    def _marked(self, sets: np.ndarray, bits: np.ndarray) -> Level:
        shown = np.zeros((len(sets), len(self.knowledge.names)), dtype=bool)
        shown[:, self.attributes] = (sets[:, None] & bits) > 0
        visible = self.weights * shown[:, self.knowledge.owner]
        closures = self.knowledge.closure(visible, self.threshold, self.rules)
        return Level(sets, closures, (closures[:, self.targets] >= self.threshold - EPSILON).any(axis=1))

    def kept(self) -> np.ndarray:
        """The largest unmarked sets, in the order of the attributes (the empty set when all cells are marked)."""
        best = np.zeros(1, dtype=np.int64)
        for level in self.levels():
            if len(level.unmarked):
                best = level.unmarked
        return best

    def hidden(self) -> list[int]:
        """The attributes to hide: of the largest sets, the one that leaves out the values named in the fewest rules.

        Ties go to the first set in the order of the attributes, so that later columns are hidden.
        """
        kept, named = self.choices()
        best = int(kept[np.argmax(named)])
        return [number for place, number in enumerate(self.attributes) if not best >> place & 1]

    def choices(self) -> tuple[np.ndarray, np.ndarray]:
        """The largest unmarked sets, and how often rules name the values of each."""
        kept = self.kept()
        mentions = self.knowledge.mentions * (self.weights > 0)
        needed = np.bincount(self.knowledge.owner, weights=mentions, minlength=len(self.knowledge.names))
        inside = (kept[:, None] >> np.arange(len(self.attributes))) & 1 > 0
        return kept, inside @ needed[list(self.attributes)]


def _larger(sets: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Sets with one attribute more, all of whose parts are among the given sets."""
    longer = (sets[:, None] | bits)[bits > sets[:, None]]
    good = np.ones(len(longer), dtype=bool)
    for bit in bits:
        inside = (longer & bit) > 0
        good[inside] &= np.isin(longer[inside] ^ bit, sets)
    return longer[good]


def hide_least(
    knowledge: Knowledge, weights: np.ndarray, targets: np.ndarray, threshold: float
) -> tuple[np.ndarray, int]:
    """The fewest cells to hide in each line (lines × attributes), and how many different objects were searched.

    ``targets`` marks the secret items of each line. Only rules that lead to the secret matter, so objects are alike
    when they agree on the values in those.
    """
    hidden = np.zeros((len(weights), len(knowledge.names)), dtype=bool)
    full = knowledge.closure(weights, threshold)
    leaking = np.flatnonzero(((full >= threshold - EPSILON) & targets).any(axis=1))
    if not len(leaking):
        return hidden, 0
    needed, useful = _slice(knowledge, full[leaking], targets[leaking], threshold)
    slim = weights[leaking] * needed
    first, object_of = distinct_rows(np.column_stack([slim, useful, targets[leaking]]).astype(float))
    found = _solve(knowledge, slim[first], useful[first], targets[leaking[first]], threshold)
    for number in range(min(len(first), MOST_OBJECTS)) if listening() else ():
        goal, used = np.flatnonzero(targets[leaking[first[number]]]), np.flatnonzero(useful[first[number]])
        _tell_object(knowledge, slim[first[number]], goal, threshold, used, (number, len(first)))
    hidden[leaking] = found[object_of]
    return hidden, len(first)


def _tell_object(
    knowledge: Knowledge,
    weights: np.ndarray,
    goal: np.ndarray,
    threshold: float,
    used: np.ndarray,
    place: tuple[int, int],
) -> None:
    """Record the search on one object, level by level, in plain Python; the compiled one finds the same."""
    attributes = np.unique(knowledge.owner[weights > 0])
    search = HidingSearch(knowledge, weights, attributes, goal, threshold, used)
    tell = ObjectTelling(knowledge, attributes, *place)
    for level in search.levels():
        tell.level(level.sets, level.marked, level.closures[:, goal].max(axis=1, initial=0.0))
    tell.hidden(np.flatnonzero(np.isin(attributes, search.hidden())).tolist(), *search.choices())


def _solve(
    knowledge: Knowledge, weights: np.ndarray, useful: np.ndarray, targets: np.ndarray, threshold: float
) -> np.ndarray:
    """What to hide in each of the different objects (objects × attributes)."""
    from anonnb.methods.chase_protection._kernels import best_sets

    names = range(len(knowledge.names))
    by_attribute = [(weights[:, knowledge.owner == number] > 0) for number in names]
    wide = np.column_stack([shown.any(axis=1) for shown in by_attribute]).sum(axis=1) > _MOST_CELLS
    needed = np.column_stack([by_attribute[n] @ knowledge.mentions[knowledge.owner == n] for n in names])
    lengths = [len(premise) for premise in knowledge.premises]
    rules = (np.concatenate([[0], np.cumsum(lengths)]), np.concatenate(knowledge.premises), knowledge.concludes)
    hidden = np.zeros((len(weights), len(knowledge.names)), dtype=bool)
    least = threshold - EPSILON
    few = np.flatnonzero(~wide)
    parts = (weights[few], useful[few], targets[few], knowledge.owner, *rules, knowledge.confidence, needed[few])
    hidden[few] = ~best_sets(*map(np.ascontiguousarray, parts), least)
    # too many sets for a table of all of them: only what is unmarked is kept
    for line in ticks(np.flatnonzero(wide), "objects"):
        attributes = np.unique(knowledge.owner[weights[line] > 0])
        goal, used = np.flatnonzero(targets[line]), np.flatnonzero(useful[line])
        hidden[line, HidingSearch(knowledge, weights[line], attributes, goal, threshold, used).hidden()] = True
    return hidden


def _slice(
    knowledge: Knowledge, full: np.ndarray, targets: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """For each line the items and the rules through which a secret item can be reached at all."""
    needed, useful = targets.copy(), np.zeros((len(full), len(knowledge)), dtype=bool)
    applies = [
        knowledge.premise_weights(rule, full) * knowledge.confidence[rule] >= threshold - EPSILON
        for rule in range(len(knowledge))
    ]
    changed = True
    while changed:
        changed = False
        for rule, can in enumerate(applies):
            new = can & needed[:, knowledge.concludes[rule]] & ~useful[:, rule]
            if new.any():
                useful[new, rule] = True
                needed[np.ix_(new, knowledge.premises[rule])] = True
                changed = True
    return needed, useful
