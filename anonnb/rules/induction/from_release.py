"""Rules from anonymized tables, steps (r1)–(r3) of Inuiguchi, Ichida and Torra (2019): MLEM2 over value sets.

Idea: a row satisfies a condition when its set lies inside it; precise rules come first, then, for the rows not yet
explained, rules for unions of two classes, and so on. The decisions of rows with the same conditions are intersected,
if they have a common class. The paper leaves open which rows can contradict a rule; there are two readings,
``inclusion`` and ``overlap``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import distinct_rows, first_places, group_ids, group_order
from anonnb.core.errors import Message, advice
from anonnb.rules.induction.concepts import Induction, unions
from anonnb.rules.induction.encoding import attribute_names, features_of
from anonnb.rules.induction.rule import Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.release import Release, as_release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

READINGS = ("inclusion", "overlap")


def rules_from_release(
    release: Release | Table,
    consistency: str = "inclusion",
    *,
    max_classes: int | None = None,
    limit: int = 10_000,
    attributes: Sequence[str] | None = None,
    against: str = "all",
) -> RuleSet:
    """Decision rules of a release, precise ones first, imprecise ones for what those leave unexplained.

    ``support`` counts published rows (patterns). The original table may be given too: it is the release that hides
    nothing, with bounds on values and not between them.

    Parameters
    ----------
    consistency:
        ``"inclusion"``: a rule is wrong when a row inside its conditions may have another class. ``"overlap"``: it is
        also wrong when a row that merely overlaps its conditions has no class of the conclusion.
    max_classes:
        The largest union of classes in a conclusion (all but one of the classes by default).
    against:
        ``"all"``: rules for unions must not contradict any published row; ``"remaining"``: none of those not yet
        explained, as (r3) says literally.

    Returns
    -------
    RuleSet
        The rules; ``info["unexplained"]`` lists the rows that no rule covers.

    Examples
    --------
    >>> from anonnb import load
    >>> print(rules_from_release(load("decision6"))[0])
    if sex = male and occupation = salesman then evaluation = high
    """
    if consistency not in READINGS:
        raise ValueError(f"consistency={consistency!r} is not known; use 'inclusion' or 'overlap'")
    if against not in ("all", "remaining"):
        raise ValueError(f"against={against!r} is not known; use 'all' or 'remaining'")
    task = _ReleaseInduction(as_release(release), attributes, consistency == "overlap")
    n_classes = len(task.classes)
    largest = min(n_classes - 1 if max_classes is None else int(max_classes), n_classes - 1)
    unions(n_classes, largest, limit)  # refuses too many
    rules, open_rows = [], np.ones(task.rows, dtype=bool)
    for size in range(1, largest + 1):
        explained = np.zeros(task.rows, dtype=bool)
        rivals = open_rows if against == "remaining" else np.ones(task.rows, dtype=bool)
        for concept in combinations(range(n_classes), size):
            added, supports = task.rules_for(concept, open_rows, rivals)
            rules += added
            explained |= supports > 0
        open_rows = open_rows & ~explained
        if not open_rows.any():
            break
    unexplained = np.flatnonzero(open_rows[task.row])
    return RuleSet(rules, task.decision, task.classes, task.counts, {"unexplained": unexplained})


class _ReleaseInduction:
    """A release made ready for the search, which sees published rows that read alike once, with their number as weight.

    ``row`` is the distinct row of each published one, ``kind`` the number of its set of classes in ``sets``.
    """

    def __init__(self, release: Release, attributes: Sequence[str] | None, overlap: bool):
        if release.decision is None:
            name_it = advice("; name it with ", remedies.role("decision"))
            raise ValueError(Message("the release has no decision column", name_it))
        if len(release) == 0:
            raise ValueError("the release has no rows; rules cannot be induced from nothing")
        table = release.table
        names = [name for name in attribute_names(table, attributes) if name in release.columns]
        self.decision, self.overlap = release.decision, overlap
        self.classes, flags = _class_flags(release)
        flags = _intersected(release, names, flags)
        self.counts = flags.sum(axis=0)
        first, kind = distinct_rows(np.packbits(flags, axis=1))
        self.sets = flags[first]
        columns = [release.columns[name] for name in names]
        self.row, self.rows = group_ids(
            [*(column.index for column in columns), kind], [*(len(column.sets) for column in columns), len(first)]
        )
        weights, first = np.bincount(self.row), first_places(self.row, self.rows)
        self.kind = kind[first]
        self.features = features_of(release.take(first), names, midpoints=False, overlap=overlap, weights=weights)
        decisions = self.sets[self.kind] * weights[:, None]
        self._search = Induction(self.features, self.decision, self.classes, decisions)
        self._near: dict[tuple, np.ndarray] = {}

    def rules_for(self, concept: tuple, open_rows: np.ndarray, rivals: np.ndarray) -> tuple[list[Rule], np.ndarray]:
        """Rules of one concept for the open rows, contradicted by none of the rivals."""
        within = np.zeros(len(self.classes), dtype=bool)
        within[list(concept)] = True
        goal = ~(self.sets & ~within).any(axis=1)[self.kind] & open_rows
        if not goal.any():
            return [], np.zeros(self.rows, dtype=np.int64)
        outside = (self.sets & ~within).any(axis=1)
        disjoint = ~(self.sets & within).any(axis=1)
        negative = outside[self.kind] & rivals
        goal &= ~self._meets(0, rivals)[:, outside].any(axis=1)
        if self.overlap:
            negative = np.concatenate([negative, disjoint[self.kind] & rivals])
            goal &= ~self._meets(self.rows, rivals)[:, disjoint].any(axis=1)
        return self._search.rules(concept, goal, negative)

    def _meets(self, offset: int, rivals: np.ndarray) -> np.ndarray:
        """For each row, the decision sets of rows inside its value sets (offset 0), or of rows overlapping them."""
        key = (offset, rivals.tobytes())
        if key not in self._near:
            holders = np.zeros((len(self.sets), len(self.features.sorted_rows)), dtype=np.bool_)
            position = offset + np.flatnonzero(rivals)
            holders[self.kind[rivals], position] = True
            self._near[key] = self._search.met_by(holders)
        return self._near[key]


def _class_flags(release: Release) -> tuple[list, np.ndarray]:
    """Return the classes that some row may have, and which ones each row may have (rows × classes)."""
    column = release.columns[required_decision(release)]
    masks = column.sets.as_masks()
    used = masks[np.unique(column.index)].any(axis=0)
    attribute = column.attribute
    values = attribute.domain.tolist() + [None] * attribute.missing
    classes = [value for value, seen in zip(values, used, strict=True) if seen]
    if len(classes) == 1:
        raise ValueError(
            f"the decision column {attribute.name!r} has one class only, {classes[0]!r}; rules need at least two"
        )
    return classes, masks[:, used][column.index]


def _intersected(release: Release, names: Sequence[str], flags: np.ndarray) -> np.ndarray:
    """The intersected decisions of rows with the same conditions; unchanged where they have nothing in common."""
    columns = [release.columns[name] for name in names]
    groups, count = group_ids([column.index for column in columns], [len(column.sets) for column in columns])
    order, starts = group_order(groups, count)
    common = np.logical_and.reduceat(flags[order], starts[:-1], axis=0)[groups]
    return np.where(common.any(axis=1, keepdims=True), common, flags)
