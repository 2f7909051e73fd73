"""What a migration must not do to the rules: constraints with budgets, and what a row's move costs each of them.

Groups that agree on the items rules are made of share a *profile*; rows that agree on the rest share a *type*. A move's
cost depends on the row's type, home profile and new profile alone, so it is computed once for each such triple.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.errors import Infeasible, Message, advice
from anonnb.methods.migration.budgets import consequent_budget, new_rule_budget, touching
from anonnb.rules.association.counting import MOST_ITEMSETS, count_rules
from anonnb.rules.association.itemsets import Item, Itemsets, item_index, least_count, mine
from anonnb.rules.association.mining import Rules, significant_rules
from anonnb.tables.release import as_release
from anonnb.tables.table import Table

KEEP, AVOID_RULE, AVOID_ITEMSET = 0, 1, 2
MOST_RULES = 200_000  # every move is checked against all of them


@dataclass(frozen=True, eq=False)
class Constraints:
    """Each constraint watches A (``left``) and AB (``both``), numbers of itemsets, and may be charged ``budget`` rows.

    KEEP: a significant rule; charged for a row that loses AB or gains A without B. AVOID_RULE: a rule of a frequent
    itemset whose confidence is too low; charged for a row that gains AB or loses A without B. AVOID_ITEMSET: an itemset
    that is too rare; charged for a row that gains it.
    """

    sets: list[tuple[int, ...]]
    left: np.ndarray
    both: np.ndarray
    kind: np.ndarray
    budget: np.ndarray

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, eq=False)
class Watch:
    """The constraints of a table and the profiles of its groups."""

    constraints: Constraints
    rules: Rules
    profile: np.ndarray  # of each group
    kind_of_row: np.ndarray  # type of each row
    in_profile: np.ndarray  # profiles × sets: whether the set's quasi-identifier items are all there
    in_type: np.ndarray  # types × sets: the same for its other items
    profile_items: np.ndarray  # profiles × quasi-identifiers: the watched item, or -1
    _pairs: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)

    @cached_property
    def nearest(self) -> list[list[int]]:
        """For each profile all profiles, the one with the fewest other items first; ties by number."""
        items = self.profile_items
        return [np.argsort((items != profile).sum(axis=1), kind="stable").tolist() for profile in items]

    def charges(self, row_type: int, home: int, now: int) -> np.ndarray:
        """Return the constraints charged by a row of a type that belongs to profile ``home`` and shows ``now``."""
        c, has = self.constraints, self.in_type[row_type]
        touched = self._touched(home, now)
        left, both, kind = c.left[touched], c.both[touched], c.kind[touched]
        before, after = self.in_profile[home] & has, self.in_profile[now] & has
        both_before, both_after = before[both], after[both]
        only_before, only_after = before[left] & ~both_before, after[left] & ~both_after
        gained = both_after & ~both_before
        charged = np.where(
            kind == KEEP,
            (both_before & ~both_after) | (only_after & ~only_before),
            gained | ((kind == AVOID_RULE) & only_before & ~only_after),
        )
        return touched[charged]

    def _touched(self, home: int, now: int) -> np.ndarray:
        """Return the constraints that a change of profile can charge at all: most watch nothing that changes."""
        if (home, now) not in self._pairs:
            changed = self.in_profile[home] != self.in_profile[now]
            c = self.constraints
            self._pairs[home, now] = np.flatnonzero(changed[c.left] | changed[c.both])
        return self._pairs[home, now]


def watched_itemsets(
    table: Table, min_support: float, min_confidence: float, max_length: int | None, guard: bool
) -> Itemsets:
    """Return the frequent itemsets of a table; raise Infeasible if they make more rules than can be watched."""
    itemsets = mine(table, min_support, keep_failed=guard, most=MOST_ITEMSETS, max_len=max_length)
    rules = count_rules(itemsets, 0 if guard else min_confidence)
    if rules > MOST_RULES:
        raise Infeasible(
            Message(
                f"min_support = {min_support} makes {rules:,} rules to watch, more than {MOST_RULES:,}; "
                "raise min_support",
                advice(", or watch only rules of a few items: ", remedies.parameter("max_length", 3)),
            )
        )
    return itemsets


def watch(
    table: Table,
    found: Itemsets,
    home: np.ndarray,
    first: np.ndarray,
    min_support: float,
    min_confidence: float,
    guard: bool,
) -> Watch:
    """Set up the constraints of itemsets; ``first`` is a row of each group, ``home`` the group of each row."""
    every = touching(significant_rules(found, 0 if guard else min_confidence), table.quasi)
    confident = every.reach(min_confidence)
    constraints = _constraints(found, every, confident, table.quasi, min_support, min_confidence, guard)
    watched = list(found.items)
    if guard:
        # values that could become frequent: those at half the support are part of the profile, and so kept apart
        near = _near_items(table, found, least_count(len(table), min_support))
        constraints = _with_items(constraints, near, len(watched))
        watched += [item for item, _ in near]
    quasi_items, other_items = _items_of_rows(table, watched)
    profile, n_profiles = group_ids(list(quasi_items[:, first] + 1))
    row_type, n_types = _types(other_items, len(table))
    profile_first = first_places(profile, n_profiles)
    profile_items = quasi_items[:, first[profile_first]].T
    type_items = other_items[:, first_places(row_type, n_types)].T
    quasi = {number for number, item in enumerate(watched) if item.attribute in table.quasi}
    return Watch(
        constraints,
        every.take(confident),
        profile,
        row_type,
        _contains(profile_items, [[i for i in s if i in quasi] for s in constraints.sets], len(watched)),
        _contains(type_items, [[i for i in s if i not in quasi] for s in constraints.sets], len(watched)),
        profile_items,
    )


def _constraints(
    itemsets: Itemsets,
    rules: Rules,
    confident: np.ndarray,
    quasi: list[str],
    support: float,
    confidence: float,
    guard: bool,
) -> Constraints:
    numbers: dict[tuple[int, ...], int] = {}
    left, both = [], []
    for a, b in rules.sides():
        left.append(numbers.setdefault(tuple(a), len(numbers)))
        both.append(numbers.setdefault(tuple(sorted(a + b)), len(numbers)))
    counts = (rules.count, rules.antecedent, itemsets.rows, support, confidence)
    kind = np.where(confident, KEEP, AVOID_RULE).tolist()
    budget = np.where(confident, consequent_budget(*counts), new_rule_budget(*counts)).tolist()
    if guard:
        floor = least_count(itemsets.rows, support)
        for sets, count in itemsets.border():
            for items, f_both in zip(sets.tolist(), count.tolist(), strict=True):
                if any(itemsets.items[item].attribute in quasi for item in items):
                    number = numbers.setdefault(tuple(items), len(numbers))
                    left.append(number)
                    both.append(number)
                    kind.append(AVOID_ITEMSET)
                    budget.append(floor - 1 - f_both)
    return Constraints(list(numbers), *(np.array(part, dtype=np.int64) for part in (left, both, kind, budget)))


def _near_items(table: Table, itemsets: Itemsets, floor: int) -> list[tuple[Item, int]]:
    """Quasi-identifier values below the support but at half of it or more, with their counts."""
    frequent, near = set(itemsets.items), []
    for name in table.quasi:
        labels, index = item_index(as_release(table).columns[name])
        count = np.bincount(index[index >= 0], minlength=len(labels))
        candidates = ((Item(name, labels[number]), int(count[number])) for number in np.flatnonzero(2 * count >= floor))
        near += [(item, rows) for item, rows in candidates if item not in frequent]
    return [(item, floor - 1 - rows) for item, rows in near]


def _with_items(constraints: Constraints, near: list[tuple[Item, int]], start: int) -> Constraints:
    """Return the constraints and, for each single item, that it must stay below the support."""
    positions = np.arange(len(constraints.sets), len(constraints.sets) + len(near))
    return Constraints(
        constraints.sets + [(start + index,) for index in range(len(near))],
        np.append(constraints.left, positions),
        np.append(constraints.both, positions),
        np.append(constraints.kind, np.full(len(near), AVOID_ITEMSET)),
        np.append(constraints.budget, np.array([budget for _, budget in near], dtype=np.int64)),
    )


def _items_of_rows(table: Table, watched: list[Item]) -> tuple[np.ndarray, np.ndarray]:
    """Return the watched item of every row (-1: none) for each quasi-identifier, and for each other attribute."""
    number = {item: position for position, item in enumerate(watched)}
    parts: tuple[list, list] = ([], [])
    for name, column in as_release(table).columns.items():
        labels, index = item_index(column)
        numbers = np.array([number.get(Item(name, label), -1) for label in labels] + [-1], dtype=np.int64)
        parts[name not in table.quasi].append(numbers[index])
    quasi, others = (np.array(part, dtype=np.int64).reshape(-1, len(table)) for part in parts)
    return quasi, others


def _types(items: np.ndarray, rows: int) -> tuple[np.ndarray, int]:
    if len(items) == 0:
        return np.zeros(rows, dtype=np.int64), 1
    return group_ids(list(items + 1))


def _contains(rows: np.ndarray, sets: list[list[int]], n_items: int) -> np.ndarray:
    """rows × sets: whether a row's items hold all of a set's."""
    has = np.zeros((len(rows), n_items + 1), dtype=bool)
    np.put_along_axis(has, np.where(rows < 0, n_items, rows), True, axis=1)
    return np.array([has[:, items].all(axis=1) for items in sets], dtype=bool).reshape(-1, len(rows)).T
