"""Attackers written plainly, with Python sets and loops, to compare the fast ones with."""

import itertools

import numpy as np


def cells(release, name):
    """The set of value texts of every published cell."""
    column = release.columns[name]
    labels = column.attribute.labels
    return [frozenset(np.array(labels, dtype=object)[column.sets.mask(number)]) for number in column.index]


def attempts(release, table, known, targets):
    """Every (known columns, values, target, people's true values) of the attack."""
    conditions, decision = table.quasi, table.decision
    everything = {"conditions": conditions, "decision": [decision], "all": [*conditions, decision]}[targets]
    truth = {name: [table.attributes[name].labels[code] for code in table.codes(name)] for name in table.columns}
    for columns in itertools.combinations(conditions, known):
        combinations = {}
        for row in range(len(table)):
            combinations.setdefault(tuple(truth[name][row] for name in columns), []).append(row)
        for target in everything:
            if target not in columns:
                for values, people in combinations.items():
                    yield columns, values, target, [truth[target][row] for row in people]


def matching(sets, columns, values, rows):
    return [row for row in range(rows) if all(v in sets[name][row] for name, v in zip(columns, values, strict=True))]


def shallow(sets, columns, values, target, rows):
    """The one value that all matching rows share, or None."""
    chosen = matching(sets, columns, values, rows)
    if not chosen:
        return None
    common = frozenset.intersection(*(sets[target][row] for row in chosen))
    return next(iter(common)) if len(common) == 1 else None


def deep(sets, conditions, columns, values, target, rows):
    """Steps (d0) to (d5), by trying every subset in order of size and then of row numbers."""
    chosen = _distinct(sets, matching(sets, columns, values, rows))
    sets = {name: sets[name] for name in {*conditions, target}}
    found = _smallest(sets, chosen, target)
    if found is None:
        return None
    group, value = found
    others = [name for name in sets if name != target]
    against = [row for row in chosen if value not in sets[target][row]]
    for row in against:
        if all(_common(sets, name, [*group, row]) for name in others):
            return None
    return None if _smallest(sets, against, target) else value


def _distinct(sets, rows):
    seen = {}
    for row in rows:
        seen.setdefault(tuple(sets[name][row] for name in sets), row)
    return list(seen.values())


def _common(sets, name, rows):
    return frozenset.intersection(*(sets[name][row] for row in rows))


def _smallest(sets, rows, target):
    for size in range(1, len(rows) + 1):
        for group in itertools.combinations(rows, size):
            common = {name: _common(sets, name, group) for name in sets}
            if all(common.values()) and len(common[target]) == 1:
                return group, next(iter(common[target]))
    return None
