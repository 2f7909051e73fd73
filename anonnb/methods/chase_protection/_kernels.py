"""The level-wise search of SCIKD as a compiled loop: many objects, each with all its sets of cells as bitmasks.

A set's parts are smaller numbers than the set, so counting upward visits parts first; a set with a marked part is
marked without a closure. The first attribute is the highest bit: of equal sets the largest number comes first.
"""

import numpy as np

from anonnb.core.compiled import compiled


@compiled
def best_sets(weights, useful, targets, owner, starts, premises, concludes, confidence, needed, least):
    """For each object which attributes stay: most cells, then most needed by rules, then first in order.

    ``starts`` and ``premises`` hold the items of the rules' premises one after the other; ``least`` is λ less the
    tolerance; ``needed`` how many rules name the object's values of each attribute.
    """
    kept = np.ones((len(weights), needed.shape[1]), dtype=np.bool_)
    for line in range(len(weights)):
        shown = np.zeros(needed.shape[1], dtype=np.bool_)
        for item in range(len(owner)):
            if weights[line, item] > 0:
                shown[owner[item]] = True
        attributes = np.flatnonzero(shown)
        rules = np.flatnonzero(useful[line])
        count = len(attributes)
        bit_of = np.zeros(needed.shape[1], dtype=np.int64)
        for place in range(count):
            bit_of[attributes[place]] = 1 << (count - 1 - place)
        marked = np.zeros(1 << count, dtype=np.bool_)
        best, best_size, best_score = 0, 0, 0
        for mask in range(1, 1 << count):
            size, score, bad = 0, 0, False
            for place in range(count):
                bit = bit_of[attributes[place]]
                if mask & bit:
                    size += 1
                    score += needed[line, attributes[place]]
                    bad = bad or marked[mask ^ bit]
            if not bad:
                visible = np.zeros(len(owner))
                for item in range(len(owner)):
                    if mask & bit_of[owner[item]]:
                        visible[item] = weights[line, item]
                bad = _reaches(visible, rules, targets[line], starts, premises, concludes, confidence, least)
            marked[mask] = bad
            if not bad and (size, score, mask) > (best_size, best_score, best):
                best, best_size, best_score = mask, size, score
        for attribute in attributes:
            kept[line, attribute] = (best & bit_of[attribute]) > 0
    return kept


@compiled
def _reaches(closed, rules, targets, starts, premises, concludes, confidence, least):
    """Whether the weighted closure of some visible values holds a target."""
    changed = True
    while changed:
        changed = False
        for rule in rules:
            derived = confidence[rule]
            for place in range(starts[rule], starts[rule + 1]):
                derived *= closed[premises[place]]
            item = concludes[rule]
            if derived >= least and derived > closed[item] + 1e-9:
                if targets[item]:
                    return True
                closed[item] = derived
                changed = True
    return False
