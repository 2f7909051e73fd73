"""The search of SCIKD: the largest sets of cells of an object whose closure does not reach the secret.

Level by level from single cells; a set is considered only when all its parts are unmarked (a superset of a marked set
is marked too, as closures only grow). Sets are bitmasks and all sets of a level are closed at once. Readings: continue
up to the full set, mark at weights ≥ λ, and treat all values of a cell as one unit, since a cell is what can be hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.rules.incomplete.knowledge import Knowledge
from anonnb.rules.induction.rule import Rule
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph
from anonnb.tables.weighted_column import EPSILON

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
    attributes: np.ndarray
    targets: np.ndarray
    threshold: float
    rules: Sequence[int] | np.ndarray | None = None

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
        strongest = closures[:, self.targets].max(axis=1, initial=0.0)
        return Level(sets, closures, strongest >= self.threshold - EPSILON)

    def kept(self) -> np.ndarray:
        """Return the largest unmarked sets, in the order of the attributes (the empty set if all cells are marked)."""
        best = np.zeros(1, dtype=np.int64)
        for level in self.levels():
            if len(level.unmarked):
                best = level.unmarked
        return best

    def hidden(self) -> list[int]:
        """Return the attributes to hide: those outside the largest set whose values rules mention most.

        Ties go to the first set in the order of the attributes, so that later columns are hidden.
        """
        kept, named = self.choices()
        best = int(kept[np.argmax(named)])
        return [number for index, number in enumerate(self.attributes) if not best >> index & 1]

    def choices(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the largest unmarked sets, and how often rules mention the values of each."""
        kept = self.kept()
        mentions = self.knowledge.mentions * (self.weights > 0)
        needed = np.bincount(self.knowledge.owner, weights=mentions, minlength=len(self.knowledge.names))
        inside = (kept[:, None] >> np.arange(len(self.attributes))) & 1 > 0
        return kept, inside @ needed[list(self.attributes)]


def _larger(sets: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Return the sets with one more attribute whose parts are all among the given sets."""
    longer = (sets[:, None] | bits)[bits > sets[:, None]]
    good = np.ones(len(longer), dtype=bool)
    for bit in bits:
        inside = (longer & bit) > 0
        good[inside] &= np.isin(longer[inside] ^ bit, sets)
    return longer[good]


def hide_least(
    knowledge: Knowledge, weights: np.ndarray, targets: np.ndarray, threshold: float
) -> tuple[np.ndarray, int]:
    """Return the fewest cells to hide in each line (lines × attributes), and the number of objects searched.

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
    solution = _solve(knowledge, slim[first], useful[first], targets[leaking[first]], threshold)
    for number in range(min(len(first), MOST_OBJECTS)) if listening() else ():
        goal, used = np.flatnonzero(targets[leaking[first[number]]]), np.flatnonzero(useful[first[number]])
        _record_object(knowledge, slim[first[number]], goal, threshold, used, (number, len(first)))
    hidden[leaking] = solution[object_of]
    return hidden, len(first)


def _record_object(
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
    """Return what to hide in each of the different objects (objects × attributes)."""
    from anonnb.methods.chase_protection._kernels import best_sets

    names = range(len(knowledge.names))
    by_attribute = [(weights[:, knowledge.owner == number] > 0) for number in names]
    wide = np.column_stack([shown.any(axis=1) for shown in by_attribute]).sum(axis=1) > _MOST_CELLS
    needed = np.column_stack([by_attribute[n] @ knowledge.mentions[knowledge.owner == n] for n in names])
    lengths = [len(premise) for premise in knowledge.premises]
    rules = (np.concatenate([[0], np.cumsum(lengths)]), np.concatenate(knowledge.premises), knowledge.concludes)
    hidden = np.zeros((len(weights), len(knowledge.names)), dtype=bool)
    minimum = threshold - EPSILON
    few = np.flatnonzero(~wide)
    parts = (weights[few], useful[few], targets[few], knowledge.owner, *rules, knowledge.confidence, needed[few])
    hidden[few] = ~best_sets(*map(np.ascontiguousarray, parts), minimum)
    # too many sets for a table of all of them: only what is unmarked is kept
    for line in ticks(np.flatnonzero(wide), "objects"):
        attributes = np.unique(knowledge.owner[weights[line] > 0])
        goal, used = np.flatnonzero(targets[line]), np.flatnonzero(useful[line])
        hidden[line, HidingSearch(knowledge, weights[line], attributes, goal, threshold, used).hidden()] = True
    return hidden


def _slice(
    knowledge: Knowledge, full: np.ndarray, targets: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each line the items and the rules through which a secret item can be reached at all."""
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


# ---- steps ------------------------------------------------------------------------------------------------------


MOST_OBJECTS = 12  # objects whose search is recorded; the others are searched in the same way
MOST_SETS = 60  # sets of an object in a picture; more are listed


def tell_rules(rules: Sequence[Rule], frame: pd.DataFrame) -> None:
    """Record what an attacker may know."""
    names = pd.Index([str(rule) for rule in rules], name="rule")
    known = pd.DataFrame({"confidence": [round(rule.confidence, 4) for rule in rules]}, index=names)
    sentence = f"An attacker may know {pluralize(len(rules), 'rule')}, which can lead from visible cells to the secret"
    note("The rules", f"{sentence}.", frame, known)


class ObjectTelling:
    """Records the levels of one object's search; sets of cells are bitmasks over the object's attributes."""

    def __init__(self, knowledge: Knowledge, attributes: np.ndarray, number: int, count: int):
        self._names = [str(knowledge.names[attribute]) for attribute in attributes]
        self._what = f", object {number + 1} of {count}" if count > 1 else ""
        self._looked: dict[int, bool] = {}

    def level(self, sets: np.ndarray, marked: np.ndarray, strongest: np.ndarray, closures: Sequence[str] = ()) -> None:
        """Record the sets of one size: those from which the secret follows are marked and do not grow.

        ``closures`` are what follows from each set, in words, where that is to be shown.
        """
        self._looked |= dict(zip(sets.tolist(), marked.tolist(), strict=True))
        names = pd.Index([self._called(bits) for bits in sets.tolist()], name="visible cells")
        what_follows = {"closure": closures} if len(closures) else {}
        frame = pd.DataFrame({**what_follows, "secret follows with weight": strongest.round(4)}, index=names)
        size = int(sets[0]).bit_count()
        leads = " and from ".join(f"{{{name}}}" for name in names[marked][:3]) + " and others" * int(marked.sum() > 3)
        sentence = f"The secret follows from {leads}; sets that contain one of these need no look"
        if not marked.any():
            sentence = f"The secret follows from none of these {pluralize(len(sets), 'set')}"
        title = f"Sets of {pluralize(size, 'cell')}{self._what}"
        note(title, f"{sentence}.", self._state(), frame, names[~marked].tolist())

    def hidden(self, places: Iterable[int], largest: np.ndarray, named: np.ndarray) -> None:
        """Record what is hidden in the end: all but the set that rules mention most among the largest that may stay."""
        gone = [self._names[index] for index in places]
        stays = ", ".join(name for name in self._names if name not in gone) or "nothing"
        what = ", ".join(gone) or "nothing"
        sets = pd.Index([self._called(bits) or "nothing" for bits in largest.tolist()], name="may stay")
        frame = pd.DataFrame({"mentions in rules": named.astype(np.int64)}, index=sets)
        sentence = f"The largest set that may stay is {stays}. Hide {what}"
        if len(sets) > 1:
            sentence = f"{len(sets)} sets of this size may stay. Rules mention {{{stays}}} most: keep it, hide {what}"
        note(f"Hide {what}{self._what}", f"{sentence}.", self._state(stays), frame, [stays])

    def _called(self, bits: int) -> str:
        return ", ".join(name for index, name in enumerate(self._names) if bits >> index & 1)

    def _state(self, stays: str = "") -> Graph | pd.DataFrame:
        if len(self._looked) > MOST_SETS:
            lines = [(self._called(bits), marked) for bits, marked in self._looked.items()]
            return pd.DataFrame(lines, columns=["visible cells", "secret follows"])
        texts = {bits: self._called(bits) for bits in self._looked}
        status = {bits: "failed" if marked else "kept" for bits, marked in self._looked.items()}
        status |= {bits: "chosen" for bits, text in texts.items() if text == stays}
        nodes = {bits: (bits.bit_count() - 1, each) for bits, each in status.items()}
        places = range(len(self._names))
        pairs = [(bits ^ (1 << place), bits) for bits in nodes for place in places if bits >> place & 1]
        return Graph.of(nodes, [pair for pair in pairs if pair[0] in nodes], texts=texts, down=False)
