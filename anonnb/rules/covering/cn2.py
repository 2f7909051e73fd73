"""CN2 (Clark and Niblett 1989; Clark and Boswell 1991): rules that are good rather than certain.

Idea: a beam search for the conjunction whose rows are mostly of one class, so that noise does no harm. As a list
(1989), the rows that a rule covers are removed and the next rule is learnt from the rest; the first rule that matches
decides. As a set (1991), each class has its rules, and those that match add up their class counts. Reading chosen:
ties between conjunctions go to the one that covers more rows, then the shorter, then the first; a rule must score
better than all remaining rows together, or there is none; the last rule predicts the most frequent class of the rows
that no rule of the list covers, or of the whole table if none is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.rules.covering.columns import coded_columns
from anonnb.rules.covering.conjunctions import BeamSearch, CoveringConjunction, Score, conditions_of
from anonnb.rules.induction.concepts import present_classes
from anonnb.rules.induction.encoding import attribute_names
from anonnb.rules.induction.rule import Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

EVALUATIONS = ("laplace", "entropy")


def cn2(
    table: Table,
    *,
    ordered: bool = True,
    evaluation: str = "laplace",
    beam: int = 5,
    significance: float = 1.0,
    min_support: int = 1,
    max_conditions: int | None = None,
    attributes: Sequence[str] | None = None,
) -> RuleSet:
    """Decision rules of a table by CN2, the default rule last.

    ``info["distributions"]`` has the class counts of every rule: for a list, those of the rows that earlier rules left.

    Parameters
    ----------
    ordered:
        A decision list (the first rule that matches decides), or rules for each class that vote together.
    evaluation:
        ``"laplace"`` ((right + 1) / (covered + classes), 1991) or ``"entropy"`` (1989, for lists only).
    beam:
        How many conjunctions are kept at each length.
    significance:
        The level, such as 0.05, at which the classes that a rule covers must differ from those of all rows by the
        likelihood ratio. 1: no test.
    min_support, max_conditions:
        The fewest rows that a rule may cover, and the most attributes in its conditions.

    Examples
    --------
    >>> from anonnb import load
    >>> print(cn2(load("iris"), significance=0.05))
    if petal_length ≤ 2.45 then class = Iris-setosa  [50]
    if 4.85 ≤ petal_length and 1.75 ≤ petal_width then class = Iris-virginica  [43]
    if petal_length ≤ 4.75 and petal_width ≤ 1.65 then class = Iris-versicolor  [94]
    if anything then class = Iris-virginica  [150]
    """
    _check(ordered, evaluation, beam, significance, min_support, max_conditions)
    names = attribute_names(table, attributes)
    classes, class_of, counts = present_classes(table)
    limit = len(names) if max_conditions is None else int(max_conditions)
    options = (int(beam), float(significance), int(min_support), limit)
    task = _Cover(table, coded_columns(table, names), classes, class_of, options)
    induced = list(task.listed(evaluation) if ordered else task.by_class())
    left = np.bincount(class_of[task.covered_by < 0], minlength=len(classes)) if ordered else counts
    left = left if left.any() else counts
    rules = [*(task.rule(one, number) for one, number in induced), task.default(int(np.argmax(left)))]
    distributions = np.array([*(one.counts for one, _ in induced), left])
    info = {"ordered": ordered, "distributions": distributions}
    return RuleSet(rules, task.decision, classes, counts, info)


def _check(
    ordered: bool, evaluation: str, beam: int, significance: float, min_support: int, max_conditions: int | None
) -> None:
    if evaluation not in EVALUATIONS:
        raise ValueError(f"evaluation={evaluation!r} is not known; use 'laplace' or 'entropy'")
    if evaluation == "entropy" and not ordered:
        raise ValueError("evaluation='entropy' looks at all classes at once; use it with ordered=True, or 'laplace'")
    for name, value in {"beam": beam, "min_support": min_support, "max_conditions": max_conditions}.items():
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and value is not None and value >= 1) and not (name == "max_conditions" and value is None):
            raise ValueError(f"{name}={value!r} is not possible; give a whole number of at least 1")
    if not isinstance(significance, int | float | np.number) or not 0 < significance <= 1:
        raise ValueError(f"significance={significance!r} is not possible; give a number above 0 and at most 1")


class _Cover:
    """Rules one after the other, until no good one is left."""

    def __init__(self, table: Table, columns: list, classes: list, class_of: np.ndarray, options: tuple):
        self.table, self.columns, self.classes, self.class_of, self.options = table, columns, classes, class_of, options
        self.decision = required_decision(table)
        self.covered_by = np.full(len(table), -1)
        self.made = 0

    def listed(self, evaluation: str) -> Iterator[tuple[CoveringConjunction, int]]:
        """Yield a decision list: conjunctions with the number of the class they predict."""
        n_classes = len(self.classes)
        score, limit = _laplace(n_classes) if evaluation == "laplace" else _entropy()
        search = BeamSearch(self.columns, self.class_of, n_classes, score, limit, *self.options)
        rows = np.arange(len(self.table))
        while len(rows):
            whole = np.bincount(self.class_of[rows], minlength=n_classes)
            best, seen = search.best(rows)
            if best is None or best.score <= float(score(whole)):
                return
            number = int(best.counts.argmax())
            self._taken(search, best, seen, number, len(rows))
            yield best, number
            rows = np.setdiff1d(rows, best.rows, assume_unique=True)

    def by_class(self) -> Iterator[tuple[CoveringConjunction, int]]:
        """Rules for each class; of the rows that a rule covers, only those of its class are removed."""
        n_classes = len(self.classes)
        for number in range(n_classes):
            score, limit = _laplace(n_classes, number)
            search = BeamSearch(self.columns, self.class_of, n_classes, score, limit, *self.options)
            rows = np.arange(len(self.table))
            while (self.class_of[rows] == number).any():
                whole = np.bincount(self.class_of[rows], minlength=n_classes)
                best, seen = search.best(rows)
                if best is None or best.score <= float(score(whole)):
                    break
                self._taken(search, best, seen, number, len(rows))
                yield best, number
                covered = best.rows[self.class_of[best.rows] == number]
                rows = np.setdiff1d(rows, covered, assume_unique=True)

    def rule(self, one: CoveringConjunction, number: int) -> Rule:
        """A rule whose support and strength are counted over the whole table, whatever was left when it was learnt."""
        fits = np.ones(len(self.table), dtype=bool)
        for index, low, high in one.conditions:
            codes = self.columns[index].codes
            fits &= (codes >= low) & (codes <= high)
        right = self.class_of == number
        conditions = conditions_of(one, self.columns)
        counts = (int(fits.sum()), int((fits & right).sum()), int(right.sum()), len(self.table))
        return Rule(conditions, self.decision, (self.classes[number],), *counts)

    def default(self, number: int) -> Rule:
        """Return the rule without conditions."""
        right = int((self.class_of == number).sum())
        return Rule((), self.decision, (self.classes[number],), len(self.table), right, right, len(self.table))

    def _taken(self, search: BeamSearch, best: CoveringConjunction, seen: list, number: int, rows: int) -> None:
        self.covered_by[best.rows[self.covered_by[best.rows] < 0]] = self.made
        self.made += 1
        if listening():
            self._record_step(search, best, seen, number, rows)

    def _record_step(self, search: BeamSearch, best: CoveringConjunction, seen: list, number: int, rows: int) -> None:
        texts = [" and ".join(map(str, search.conditions(one))) for one in [best, *seen]]
        looked = dict(zip(texts, [best, *seen], strict=True))
        candidates = pd.DataFrame(
            [(one.score, int(one.counts.sum())) for one in looked.values()],
            columns=["score", "rows"],
            index=pd.Index(list(looked), name="conjunction"),
        )
        right = int(best.counts[number])
        note(
            f"Rule {self.made} for {self.classes[number]}",
            f"If {texts[0]} then {self.classes[number]}: it covers {int(best.counts.sum())} of "
            f"{pluralize(rows, 'row')}, {right} of them correctly, and no conjunction that was examined scores higher.",
            RowGroups(self.table, self.covered_by, best.rows),
            candidates,
            [texts[0]],
        )


def _laplace(n_classes: int, number: int | None = None) -> tuple[Score, Score]:
    """Laplace's estimate for a class, or for the most frequent one; and the highest that a refinement can reach."""

    def right(counts: np.ndarray) -> np.ndarray:
        return counts.max(axis=-1) if number is None else counts[..., number]

    def score(counts: np.ndarray) -> np.ndarray:
        estimate = (right(counts) + 1) / (counts.sum(axis=-1) + n_classes)
        return np.where(right(counts) > 0, estimate, 0.0)  # a rule that is never right does not count

    def limit(counts: np.ndarray) -> np.ndarray:
        return (right(counts) + 1) / (right(counts) + n_classes)

    return score, limit


def _entropy():
    """Minus the entropy of the classes; any refinement could be pure."""

    def score(counts: np.ndarray) -> np.ndarray:
        shares = counts / counts.sum(axis=-1, keepdims=True)
        return (shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=-1)

    def limit(counts: np.ndarray) -> np.ndarray:
        return np.zeros(counts.shape[:-1])

    return score, limit
