"""The search of SCIKD as a compiled loop: many objects, each with its sets of cells as bitmasks.

Sets are tried from the largest down, so the first size with a set that reveals nothing is the answer. Where a set
reveals the secret, the cells that this took are a conflict: every set that has them all reveals it too, and needs no
closure. The first attribute is the highest bit: of equal sets the largest number comes first.
"""

import numpy as np

from anonnb.core.compiled import compiled

MOST_CONFLICTS = 256  # that are remembered of an object; beyond them closures are computed again


@compiled
def best_sets(weights, useful, targets, owner, starts, premises, concludes, confidence, needed, least):
    """Return which attributes of each object stay: the most cells, then the most needed by rules, then the first.

    ``starts`` and ``premises`` hold the items of the rules' premises one after the other; ``least`` is λ minus the
    tolerance; ``needed`` how many rules name the object's values of each attribute.
    """
    lines, attributes = needed.shape
    kept = np.ones((lines, attributes), dtype=np.bool_)
    bit_of, conflicts = np.zeros(attributes, dtype=np.int64), np.zeros(MOST_CONFLICTS, dtype=np.int64)
    closed, source = np.zeros(len(owner)), np.zeros(len(owner), dtype=np.int64)
    for line in range(lines):
        full = _number_cells(weights[line], owner, bit_of)
        rules = np.flatnonzero(useful[line])
        logic = rules, starts, premises, concludes, confidence
        best = _best_set(
            full, bit_of, weights[line], targets[line], owner, logic, needed[line], least, conflicts, closed, source
        )
        for attribute in range(attributes):
            kept[line, attribute] = bit_of[attribute] == 0 or (best & bit_of[attribute]) > 0
    return kept


@compiled
def _number_cells(weights, owner, bit_of):
    """Give each attribute that an object has a bit, the first one the highest; returns all of them together."""
    bit_of[:] = 0
    for item in range(len(owner)):
        if weights[item] > 0:
            bit_of[owner[item]] = 1
    bit = 1
    for attribute in range(len(bit_of) - 1, -1, -1):
        if bit_of[attribute]:
            bit_of[attribute] = bit
            bit <<= 1
    return bit - 1


@compiled
def _best_set(full, bit_of, weights, targets, owner, logic, needed, minimum, conflicts, closed, source):
    """Return the best of the largest sets that reveal nothing; 0 if every cell reveals something."""
    known, fewest = 0, 0
    while 1 << fewest <= full:
        best, best_score, hidden = -1, -1, (1 << fewest) - 1
        while hidden <= full:
            kept, score = full ^ hidden, 0
            for attribute in range(len(bit_of)):
                if kept & bit_of[attribute]:
                    score += needed[attribute]
            if (score > best_score or (score == best_score and kept > best)) and not _holds_one(kept, conflicts, known):
                conflict = _conflict(kept, bit_of, weights, targets, owner, logic, minimum, closed, source)
                if conflict < 0:
                    best, best_score = kept, score
                elif known < len(conflicts):
                    conflicts[known] = conflict
                    known += 1
            if fewest == 0:
                break
            lowest = hidden & -hidden  # the next number with as many bits
            above = hidden + lowest
            hidden = (((hidden ^ above) >> 2) // lowest) | above
        if best >= 0:
            return best
        fewest += 1
    return 0


@compiled
def _holds_one(cells, conflicts, known):
    """Tell whether a set of cells holds all of some conflict."""
    holds = False
    for number in range(known):
        holds = holds or cells & conflicts[number] == conflicts[number]
    return holds


@compiled
def _conflict(cells, bit_of, weights, targets, owner, logic, minimum, closed, source):
    """Return the visible cells by which the weighted closure reaches a target; -1 if it does not."""
    rules, starts, premises, concludes, confidence = logic
    for item in range(len(owner)):
        bit = cells & bit_of[owner[item]]
        closed[item], source[item] = weights[item] if bit else 0.0, bit
    changed = True
    while changed:
        changed = False
        for rule in rules:
            derived, used = confidence[rule], 0
            for position in range(starts[rule], starts[rule + 1]):
                derived *= closed[premises[position]]
                used |= source[premises[position]]
            item = concludes[rule]
            if derived >= minimum and derived > closed[item] + 1e-9:
                if targets[item]:
                    return used
                closed[item], source[item] = derived, used
                changed = True
    return -1
