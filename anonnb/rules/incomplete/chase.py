"""Chase: unknown cells filled in by rules (Dardzińska and Raś 2005), local or distributed.

For each incomplete cell the rules that apply vote with premise weight × confidence × support; votes are scaled to 1,
values below λ are dropped, and the cell changes if it becomes more complete; this repeats until nothing changes.
Readings: all cells of a round see the same table; only values that a cell leaves possible get votes.
``normalize=False`` instead keeps the weight of the strongest chain (premise weight × confidence), as in the closure of
the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows
from anonnb.core.wording import pluralize
from anonnb.rules.incomplete.erid import erid
from anonnb.rules.incomplete.knowledge import Knowledge, merged, ready, short_text
from anonnb.rules.induction.rule import Rule
from anonnb.steps.recording import listening, note
from anonnb.tables.incomplete_table import IncompleteTable, check_threshold
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.weighted_column import EPSILON, WeightedColumn, spread

_MOST_ROUNDS = 1000  # cells grow more complete each round; a table that still changes then is a bug


def chase(
    system: IncompleteTable | Table | Release,
    rules: Iterable[Rule],
    threshold: float = 0.2,
    *,
    normalize: bool = True,
) -> ChaseResult:
    """Fill in incomplete cells by rules until nothing changes.

    Parameters
    ----------
    rules:
        Rules with single values, as :func:`erid` finds them.
    threshold:
        λ: values with less weight are dropped.
    normalize:
        Whether votes are scaled to 1; otherwise a value keeps the weight of its strongest chain.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb.rules.incomplete.knowledge import implies
    >>> s = IncompleteTable.from_frame(pd.DataFrame({"b": ["b1", None], "c": ["c1", "c1"], "d": ["d2", None]}))
    >>> rules = [implies({"c": "c1"}, {"b": "b1"}, 2 / 3), implies({"b": "b1", "c": "c1"}, {"d": "d1"})]
    >>> found = chase(s, rules)
    >>> found.system.frame.loc[1].tolist(), [step.round for step in found.chain(1, "d")]
    (['b1', 'c1', 'd1'], [1, 2])
    """
    rules = tuple(rules)
    check_threshold(threshold)
    before = ready(IncompleteTable.of(system), rules, threshold)
    knowledge = Knowledge.of(rules, before)
    start = ChaseState.of(before, knowledge)
    result = ChaseResult(before, knowledge, start, *run(knowledge, start, threshold, normalize))
    for number in range(result.rounds) if listening() else ():
        _record_round(result, number)
    return result


def _record_round(result: ChaseResult, number: int) -> None:
    """Note which rules set cells in a round, with how much, and the table after it."""
    used, after, start = result.fired[number], result.after(number), result.start
    rows = np.bincount(start.line, minlength=len(used))
    fired = np.flatnonzero(used.any(axis=0))
    knowledge = result.knowledge
    premise = np.column_stack([knowledge.premise_weights(rule, result.history[number]) for rule in fired.tolist()])
    candidates = pd.DataFrame(
        {
            "cells": [int(rows[used[:, rule]].sum()) for rule in fired],
            "largest premise weight": [float(premise[used[:, rule], index].max()) for index, rule in enumerate(fired)],
            "confidence": knowledge.confidence[fired],
        },
        index=pd.Index([short_text(knowledge.rules[rule]) for rule in fired], name="rule"),
    )
    owners = knowledge.owner[knowledge.concludes]
    cells = sum(int(rows[used[:, owners == name].any(axis=1)].sum()) for name in np.unique(owners[fired]))
    upto = ChaseResult(result.before, knowledge, start, after, result.fired[: number + 1], result.history[: number + 1])
    sentence = f"By {pluralize(len(fired), 'rule')} whose premises hold so far, Chase sets {pluralize(cells, 'cell')}"
    note(f"Round {number + 1}", f"{sentence}.", lambda: upto.system.frame, candidates, candidates.index)


def knowledge_base(
    system: IncompleteTable | Table | Release,
    sites: Sequence[IncompleteTable | Table | Release] = (),
    min_support: float = 0.05,
    min_confidence: float = 0.8,
    *,
    max_length: int = 3,
) -> list[Rule]:
    """Return the rules for distributed Chase: hidden attributes are learnt from the sites, the others locally.

    Equal rules of several sites become one rule with the sum of their supports. Without sites this is local Chase.

    Parameters
    ----------
    sites:
        Tables of others that know the hidden attributes.
    min_support, min_confidence, max_length:
        As for :func:`erid`.

    Examples
    --------
    >>> import pandas as pd
    >>> own = IncompleteTable.from_frame(pd.DataFrame({"a": ["x", "x", "y"], "b": ["p", "p", "q"]}))
    >>> [str(rule) for rule in knowledge_base(own, min_confidence=1)]
    ['if b = p then a = x', 'if b = q then a = y', 'if a = x then b = p', 'if a = y then b = q']
    """
    system = IncompleteTable.of(system)
    hidden = [name for name, column in system.columns.items() if column.unknown.all()]
    visible = [name for name in system.names if name not in hidden]
    settings = (min_support, min_confidence)
    remote: list[Rule] = []
    for site in map(IncompleteTable.of, sites):
        wanted = [name for name in hidden if name in site.columns]
        premises = [name for name in visible if name in site.columns]
        if wanted and premises:
            remote += erid(site, wanted, *settings, max_length=max_length, premises=premises)
    return merged(remote) + erid(system, visible, *settings, max_length=max_length, premises=visible)


@dataclass(frozen=True, eq=False)
class ChaseState:
    """A system as Chase sees it, one line per distinct row: item weights, and how complete each cell is."""

    weights: np.ndarray  # rows × items
    cards: np.ndarray  # rows × attributes
    spreads: np.ndarray
    unknown: np.ndarray
    line: np.ndarray  # the line of each row of the system
    sizes: np.ndarray  # values of each attribute

    @classmethod
    def of(cls, system: IncompleteTable, knowledge: Knowledge) -> ChaseState:
        """Return the lines of a system."""
        columns = list(system.columns.values())

        def stacked(part: str) -> np.ndarray:
            return np.column_stack([getattr(column, part) for column in columns])

        sizes = np.array([column.attribute.size for column in columns])
        weights = knowledge.weights(system)
        cards, spreads, unknown = stacked("cards"), stacked("spreads"), stacked("unknown")
        return cls(weights, cards, spreads, unknown, np.arange(len(system)), sizes).compressed()

    def compressed(self) -> ChaseState:
        """Rows that look alike to the rules become one line."""
        first, line = distinct_rows(np.column_stack([self.weights, self.cards, self.spreads, self.unknown]))
        weights, cards, spreads, unknown = (
            part[first] for part in (self.weights, self.cards, self.spreads, self.unknown)
        )
        return ChaseState(weights, cards, spreads, unknown, line[self.line], self.sizes)

    def hide(self, hidden: np.ndarray, owner: np.ndarray, rows: np.ndarray) -> ChaseState:
        """Some rows after the cells marked in a mask (rows of the system × attributes) became unknown."""
        hidden, line = hidden[rows], self.line[rows]
        weights = np.where(hidden[:, owner], 0, self.weights[line])
        cards, spreads = np.where(hidden, self.sizes + 1, self.cards[line]), np.where(hidden, 0, self.spreads[line])
        unknown = self.unknown[line] | hidden
        return ChaseState(weights, cards, spreads, unknown, np.arange(len(rows)), self.sizes).compressed()


@dataclass(frozen=True)
class ChainLink:
    """One link of a chain: in some round, a rule set a value because its premise had a weight."""

    round: int
    rule: Rule
    premise: float
    weight: float

    def __str__(self) -> str:
        return f"round {self.round}: {short_text(self.rule)}"


def run(
    knowledge: Knowledge, start: ChaseState, threshold: float, normalize: bool
) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """The item weights at the end, which rules set a cell in each round (lines × rules), and the weights before it.

    A line in which nothing changed in a round is at rest, and no longer looked at.
    """
    weights, cards, spreads = start.weights.copy(), start.cards.copy(), start.spreads.copy()
    # a single known value never changes; a partly known cell keeps to its own values
    possible = start.unknown[:, knowledge.owner] | ((start.weights > 0) & (start.cards[:, knowledge.owner] > 1))
    fired: list[np.ndarray] = []
    history: list[np.ndarray] = []
    concluded, moving = knowledge.owner[knowledge.concludes], np.arange(len(weights))
    while True:
        if len(fired) > _MOST_ROUNDS:
            raise RuntimeError("Chase does not come to rest; please report this table and its rules")
        premise = knowledge.all_premise_weights(weights[moving])
        votes = _votes(knowledge, premise, start.weights[moving], possible[moving], normalize)
        used, changed, after = np.zeros((len(weights), len(knowledge)), dtype=bool), np.zeros(len(moving), bool), None
        for attribute in np.unique(concluded):
            indices, size = knowledge.items_of(attribute), start.sizes[attribute]
            cell = _settled(votes[indices].T.copy(), threshold, normalize)
            card = (cell > 0).sum(axis=1)
            selected = np.flatnonzero((card > 0) & (card <= cards[moving, attribute]))
            lines, cell, card = moving[selected], cell[selected], card[selected]
            unevenness = spread(np.column_stack([cell, np.zeros((len(cell), size - len(indices)))]))
            better = (card < cards[lines, attribute]) | (unevenness > spreads[lines, attribute] + EPSILON)
            if not better.any():
                continue
            after = weights.copy() if after is None else after
            lines, selected = lines[better], selected[better]
            after[np.ix_(lines, indices)] = cell[better]
            cards[lines, attribute], spreads[lines, attribute] = card[better], unevenness[better]
            rules = np.flatnonzero(concluded == attribute)
            shown = after[np.ix_(lines, knowledge.concludes[rules])] > 0
            used[np.ix_(lines, rules)] = (premise[np.ix_(rules, selected)].T > 0) & shown
            changed[selected] = True
        if after is None:
            return weights, fired, history
        fired.append(used)
        history.append(weights)
        weights, moving = after, moving[changed]


def _votes(
    knowledge: Knowledge, premise: np.ndarray, first: np.ndarray, possible: np.ndarray, normalize: bool
) -> np.ndarray:
    """Return what the rules say for each item of each line (items × lines); ``premise`` is rules × lines."""
    votes = np.zeros(first.T.shape)
    for rule, item in enumerate(knowledge.concludes):
        weight = premise[rule] * knowledge.confidence[rule]
        if normalize:
            votes[item] += weight * knowledge.support[rule]
        else:
            np.maximum(votes[item], weight, out=votes[item])
    votes *= possible.T
    return votes if normalize else np.where(votes > 0, np.maximum(votes, first.T), 0)


def _settled(votes: np.ndarray, threshold: float, normalize: bool) -> np.ndarray:
    """The weights of a cell from its votes: scaled to 1 (if ``normalize``), values below λ dropped, scaled again."""
    if normalize:
        votes = _scaled(votes)
    kept = np.where(votes >= threshold - EPSILON, votes, 0)
    return _scaled(kept) if normalize else kept


def _scaled(weights: np.ndarray) -> np.ndarray:
    total = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


@dataclass(frozen=True, eq=False)
class ChaseResult:
    """The result of Chase: the table ``before``, the ``system`` after it, and the rules behind every change."""

    before: IncompleteTable
    knowledge: Knowledge
    start: ChaseState
    final: np.ndarray
    fired: list[np.ndarray]
    history: list[np.ndarray]

    @property
    def rounds(self) -> int:
        """Rounds in which something changed."""
        return len(self.fired)

    def after(self, number: int) -> np.ndarray:
        """Return the item weights after a round, counted from 0."""
        return self.history[number + 1] if number + 1 < self.rounds else self.final

    @property
    def system(self) -> IncompleteTable:
        """The table after Chase."""
        columns = {}
        changed = self.changed_cells()
        for number in np.flatnonzero(changed.any(axis=0)).tolist():
            column = self.before.columns[self.knowledge.names[number]]
            weights = column.weight(range(column.attribute.size))
            rows, indices = changed[self.start.line, number], self.knowledge.items_of(number)
            weights[rows] = 0
            codes = [self.knowledge.items[index][1] for index in indices]
            weights[np.ix_(rows, codes)] = self.final[self.start.line[rows]][:, indices]
            columns[self.knowledge.names[number]] = WeightedColumn.from_weights(column.attribute, weights)
        return self.before.with_columns(columns)

    def changed_cells(self) -> np.ndarray:
        """Return which cells of which lines changed (lines × attributes)."""
        changed = np.zeros(self.start.cards.shape, dtype=bool)
        owners = self.knowledge.owner[self.knowledge.concludes]
        for used in self.fired:
            for rule in np.flatnonzero(used.any(axis=0)):
                changed[:, owners[rule]] |= used[:, rule]
        return changed

    def revealed(self, name: str) -> np.ndarray:
        """Return the rows whose cell was unknown and is now at least partly known."""
        self.before.column(name)
        number = self.knowledge.names.index(name)
        return np.flatnonzero((self.changed_cells()[:, number] & self.start.unknown[:, number])[self.start.line])

    def chain(self, row: int, name: str) -> list[ChainLink]:
        """Return the rules that led to a cell, in the order in which they were used (empty when it did not change)."""
        return self.line_chain(int(self.start.line[row]), self.knowledge.names.index(name))

    def line_chain(self, line: int, attribute: int) -> list[ChainLink]:
        """As :meth:`chain`, for a line and an attribute number."""
        know, owners = self.knowledge, self.knowledge.owner[self.knowledge.concludes]
        steps: dict[tuple[int, int], ChainLink] = {}
        stack = [(attribute, self.rounds)]
        while stack:
            wanted, until = stack.pop()
            # the last time the cell changed is what its value rests on
            for number in range(until - 1, -1, -1):
                rules = np.flatnonzero(self.fired[number][line] & (owners == wanted))
                if not len(rules):
                    continue
                after = self.after(number)
                for rule in rules.tolist():
                    if (number, rule) not in steps:
                        premise = float(np.prod(self.history[number][line, know.premises[rule]]))
                        weight = float(after[line, know.concludes[rule]])
                        steps[number, rule] = ChainLink(number + 1, know.rules[rule], premise, weight)
                        stack += [(int(know.owner[item]), number) for item in know.premises[rule]]
                break
        return [steps[key] for key in sorted(steps)]

    def sources(self, line: int, attribute: int) -> list[int]:
        """Return the visible cells (attribute numbers) that a line's chain to an attribute rests on."""
        index = {name: number for number, name in enumerate(self.knowledge.names)}
        used = {index[part.attribute] for step in self.line_chain(line, attribute) for part in step.rule.conditions}
        return sorted(number for number in used if not self.start.unknown[line, number])
