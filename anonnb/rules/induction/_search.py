"""The inner loops of MLEM2, compiled: greedy search for rules over threshold and set conditions.

Idea: the rows of the goal are never counted again from scratch. Each attribute keeps a histogram of the goal rows still
alive, so the best bound of an ordered attribute is always the next one at an end of its histogram, and taking it
removes a run of rows in sorted order. A rule costs rows × attributes in the worst case, however many cuts there are.

A condition is a triple: kind 0, a threshold feature and the least key it allows; or kind 1, a set feature and the
number of a candidate set. ``keys`` and ``index`` hold a row's features side by side; ``sup_ptr`` and ``sup_list`` tell
the candidates that each value set satisfies.
"""

import numpy as np

from anonnb.core.compiled import compiled

GOAL, NEGATIVE = 1, -1  # labels of rows; 0 is neither: it may be covered or not


@compiled
def _satisfies(row, condition, keys, index, sup_ptr, sup_list):
    """Whether a row satisfies one condition."""
    kind, item, value = condition[0], condition[1], condition[2]
    if kind == 0:
        return keys[row, item] >= value
    place = index[row, item]
    for at in range(sup_ptr[place], sup_ptr[place + 1]):  # noqa: SIM110  numba compiles the loop, not any()
        if sup_list[at] == value:
            return True
    return False


@compiled
def _satisfies_all(row, conditions, keys, index, sup_ptr, sup_list):
    for condition in conditions:  # noqa: SIM110
        if not _satisfies(row, condition, keys, index, sup_ptr, sup_list):
            return False
    return True


@compiled
def _count_row(row, step, keys, base, hist, index, sup_ptr, sup_list, count):
    """Add ``step`` for one goal row to the histograms and the candidates' counts."""
    for f in range(keys.shape[1]):
        hist[base[f] + keys[row, f]] += step
    for h in range(index.shape[1]):
        place = index[row, h]
        for at in range(sup_ptr[place], sup_ptr[place + 1]):
            count[sup_list[at]] += step


@compiled
def _best_bound(goals, plan, tops, base, hist, low, following, bound, at_least):
    """The bound with the most goal rows, its gain, its block and its place in the plan."""
    best_gain, best_block, best_place, best_value = 0, 0, -1, -1
    for place in range(len(plan)):
        f = plan[place]
        if f < 0:
            continue
        first, top = base[f], tops[f]
        while low[f] < top and hist[first + low[f]] == 0:
            low[f] += 1
        value, gain = low[f], goals
        if value <= bound[f]:  # the bound is tight already: the next one costs the rows at the end
            gain = goals - hist[first + value]
            following[f] = max(following[f], value + 1)
            while following[f] <= top and hist[first + following[f]] == 0:
                following[f] += 1
            value = following[f]
            if value > top:
                continue
        block = at_least[first + value]
        if gain > best_gain or (gain == best_gain and gain > 0 and block < best_block):
            best_gain, best_block, best_place, best_value = gain, block, place, value
    return best_gain, best_block, best_place, best_value


@compiled
def _best_set(gain, block, place, value, plan, cand_start, count, used, cand_rows, most):
    """The candidate set that beats the given condition, or the condition itself.

    ``most`` holds an upper bound of each feature's counts: counts only fall, so most features need no look.
    """
    for at in range(len(plan)):
        h = -plan[at] - 1
        if h < 0 or most[h] < gain:
            continue
        most[h] = 0
        for c in range(cand_start[h], cand_start[h + 1]):
            if used[c] or count[c] == 0:
                continue
            most[h] = max(most[h], count[c])
            smaller = cand_rows[c] < block or (cand_rows[c] == block and at < place)
            if count[c] > gain or (count[c] == gain and smaller):
                gain, block, place, value = count[c], cand_rows[c], at, c
    return gain, block, place, value


@compiled
def _grow(alive, goals, negatives, label, hist, count, keys, index, sup_ptr, sup_list,
          order, base, starts, tops, plan, at_least, cand_start, cand_rows, cand_index):  # fmt: skip
    """Add the best condition until no negative row is left; the conditions in the order of their last addition."""
    n_thresholds, n_sets = keys.shape[1], index.shape[1]
    low, following = np.zeros(n_thresholds, np.int64), np.zeros(n_thresholds, np.int64)
    bound, used = np.zeros(n_thresholds, np.int64), np.zeros(len(count), np.bool_)
    added = np.full(n_thresholds + len(count), -1, np.int64)  # the step at which each bound or candidate came last
    most = np.full(n_sets, goals, np.int64)
    condition, step = np.zeros(3, np.int64), 0
    while step == 0 or negatives > 0:
        gain, block, place, value = _best_bound(goals, plan, tops, base, hist, low, following, bound, at_least)
        gain, block, place, value = _best_set(gain, block, place, value, plan, cand_start, count, used, cand_rows, most)
        if place < 0:
            return np.empty((0, 3), np.int64)
        item = plan[place]
        if item >= 0:
            leaving = order[item, starts[base[item] + bound[item]] : starts[base[item] + value]]
            bound[item] = value  # a tighter bound takes the place of the older one
            added[item] = step
            condition[0], condition[1], condition[2] = 0, item, value
        else:
            at = cand_index[value]
            for other in range(sup_ptr[at], sup_ptr[at + 1]):  # a wider set says nothing new from now on
                used[sup_list[other]] = True
            leaving = np.flatnonzero(alive)
            added[n_thresholds + value] = step
            condition[0], condition[1], condition[2] = 1, -item - 1, value
        for row in leaving:
            if alive[row] and not _satisfies(row, condition, keys, index, sup_ptr, sup_list):
                alive[row] = False
                if label[row] == NEGATIVE:
                    negatives -= 1
                else:
                    goals -= 1
                    _count_row(row, -1, keys, base, hist, index, sup_ptr, sup_list, count)
        step += 1
    return _in_order(added, bound, n_thresholds, cand_start)


@compiled
def _in_order(added, bound, n_thresholds, cand_start):
    """The conditions that were added, by the step of their last addition."""
    # plain loops here and below: numba takes seconds to compile argsort, searchsorted or an assignment to a slice
    size = np.sum(added >= 0)
    conditions = np.zeros((size, 3), np.int64)
    last = -1
    for c in range(size):
        best = -1
        for place in range(len(added)):
            if added[place] > last and (best < 0 or added[place] < added[best]):
                best = place
        last = added[best]
        if best < n_thresholds:
            conditions[c, 1], conditions[c, 2] = best, bound[best]
        else:
            conditions[c, 0], conditions[c, 2] = 1, best - n_thresholds
            while cand_start[conditions[c, 1] + 1] <= best - n_thresholds:
                conditions[c, 1] += 1
    return conditions


@compiled
def _without_needless(conditions, label, keys, index, sup_ptr, sup_list):
    """Drop, first added first, every condition without which no negative row is covered; one always stays."""
    negatives = np.flatnonzero(label == NEGATIVE)
    size = len(conditions)
    keep = np.ones(size, np.bool_)
    violated = np.zeros(len(negatives), np.int32)
    alone = np.zeros(size, np.int64)  # negative rows that this condition alone keeps out
    for i in range(len(negatives)):
        last = 0
        for c in range(size):
            if not _satisfies(negatives[i], conditions[c], keys, index, sup_ptr, sup_list):
                violated[i] += 1
                last = c
        if violated[i] == 1:
            alone[last] += 1
    left = size
    for c in range(size):
        if alone[c] > 0 or left == 1:
            continue
        keep[c] = False
        left -= 1
        for i in range(len(negatives)):
            if _satisfies(negatives[i], conditions[c], keys, index, sup_ptr, sup_list):
                continue
            violated[i] -= 1
            if violated[i] == 1:
                other = 0
                while not keep[other] or _satisfies(negatives[i], conditions[other], keys, index, sup_ptr, sup_list):
                    other += 1
                alone[other] += 1
    return conditions[keep]


@compiled
def _irredundant(pointers, conditions, label, keys, index, sup_ptr, sup_list):
    """Which rules stay when those that the others make redundant are dropped, first induced first."""
    n_rules = len(pointers) - 1
    goals = np.flatnonzero(label == GOAL)
    times = np.zeros(len(goals), np.int32)
    covered = np.zeros(len(goals), np.bool_)
    keep = np.ones(n_rules, np.bool_)
    for passing in range(2):  # count first, then drop: covering twice costs less than remembering rules × rows
        for rule in range(n_rules):
            own = conditions[pointers[rule] : pointers[rule + 1]]
            needed = False
            for i in range(len(goals)):
                covered[i] = _satisfies_all(goals[i], own, keys, index, sup_ptr, sup_list)
                times[i] += covered[i] and passing == 0
                needed = needed or (covered[i] and times[i] == 1)
            if passing == 1 and not needed:
                keep[rule] = False
                for i in range(len(goals)):
                    times[i] -= covered[i]
    return keep


@compiled
def _flat(rules):
    """All conditions below each other, and where each rule's begin."""
    pointers = np.zeros(len(rules) + 1, np.int64)
    for rule in range(len(rules)):
        pointers[rule + 1] = pointers[rule] + len(rules[rule])
    conditions = np.zeros((pointers[-1], 3), np.int64)
    for rule in range(len(rules)):
        for c in range(len(rules[rule])):
            for part in range(3):
                conditions[pointers[rule] + c, part] = rules[rule][c, part]
    return pointers, conditions


@compiled
def induce(label, keys, index, sup_ptr, sup_list,
           order, base, starts, tops, plan, at_least, cand_start, cand_rows, cand_index):  # fmt: skip
    """Rules that cover every goal row and no negative one: pointers into their conditions, the conditions, and which
    rules the others do not make redundant."""
    hist, count = np.zeros(base[-1], np.int32), np.zeros(len(cand_rows), np.int64)
    uncovered = label == GOAL
    for row in np.flatnonzero(uncovered):
        _count_row(row, 1, keys, base, hist, index, sup_ptr, sup_list, count)
    is_negative = label == NEGATIVE
    n_negative, n_open = np.sum(is_negative), np.sum(uncovered)
    rules = [np.zeros((0, 3), np.int64) for _ in range(0)]  # an empty list of known type
    while n_open > 0:
        found = _grow(uncovered | is_negative, n_open, n_negative, label, hist.copy(), count.copy(), keys, index,
                      sup_ptr, sup_list, order, base, starts, tops, plan, at_least,
                      cand_start, cand_rows, cand_index)  # fmt: skip
        if len(found) == 0:
            break
        found = _without_needless(found, label, keys, index, sup_ptr, sup_list)
        for row in np.flatnonzero(uncovered):
            if _satisfies_all(row, found, keys, index, sup_ptr, sup_list):
                uncovered[row] = False
                n_open -= 1
                _count_row(row, -1, keys, base, hist, index, sup_ptr, sup_list, count)
        rules.append(found)
    pointers, conditions = _flat(rules)
    return pointers, conditions, _irredundant(pointers, conditions, label, keys, index, sup_ptr, sup_list)


@compiled
def coverage(pointers, conditions, rows, correct, keys, index, sup_ptr, sup_list):
    """For each rule how many of the first ``rows`` rows it covers, and how many of them are ``correct``.

    Also, for each row, the largest support among the rules that cover it.
    """
    n_rules = len(pointers) - 1
    support, strength = np.zeros(n_rules, np.int64), np.zeros(n_rules, np.int64)
    best, covered = np.zeros(rows, np.int64), np.empty(rows, np.int64)
    for rule in range(n_rules):
        own = conditions[pointers[rule] : pointers[rule + 1]]
        size = 0
        for row in range(rows):
            if _satisfies_all(row, own, keys, index, sup_ptr, sup_list):
                covered[size] = row
                size += 1
                strength[rule] += correct[row]
        support[rule] = size
        for i in range(size):
            best[covered[i]] = max(best[covered[i]], size)
    return support, strength, best


@compiled
def reach(rows, decisions, n_decisions, offset, cand_of, keys, index, sup_ptr, sup_list):
    """For each row u and decision set e: whether a row with e (at ``offset`` + its number) meets all that u shows."""
    found = np.zeros((rows, n_decisions), np.bool_)
    condition = np.ones(3, np.int64)
    for u in range(rows):
        for v in range(rows):
            if found[u, decisions[v]]:
                continue
            meets = True
            for f in range(keys.shape[1]):
                if keys[offset + v, f] < keys[u, f]:
                    meets = False
                    break
            for h in range(index.shape[1]):
                if not meets:
                    break
                condition[1], condition[2] = h, cand_of[index[u, h]]
                meets = condition[2] < 0 or _satisfies(offset + v, condition, keys, index, sup_ptr, sup_list)
            found[u, decisions[v]] = meets
    return found
