"""The inner loops of MLEM2, compiled: greedy search for rules over threshold and set conditions.

Idea: nothing is recounted. One tally holds, for every key of every ordered attribute and every candidate set, how many
goal rows are alive there; a row that leaves is taken from its cells. So the best bound of an ordered attribute is
always the next one at an end of its cells, and taking it removes consecutive rows in sorted order.

What bounds it from below: a rule starts from all rows not yet covered, and greedy choice prefers a bound that loses
one row to any other, so on an attribute with a value per row a rule removes its rows nearly one by one. Identical
rules therefore cost rules × rows left × attributes, and rules grow with the rows: on Adult a rule of the first class
has 6,900 steps that remove 8,000 rows. All else, from needless conditions to coverage, is rules × rows ÷ 64.

A condition is a triple: kind 0, a threshold feature and the least key it allows; or kind 1, a set feature and the
number of a candidate set. ``flattening`` says what the arrays hold.
"""

import numpy as np

from anonnb.core.bits import lowest, ones
from anonnb.core.compiled import compiled
from anonnb.rules.induction._blocks import cover, drop_needless, narrow


@compiled
def _count(row, step, tally, cells):
    """Add ``step`` in the cells of a row."""
    for part in range(cells.shape[1]):
        tally[cells[row, part]] += step


@compiled
def _count_others(row, step, tally, n_cells, index, sup_ptr, sup_list):
    """Add ``step`` for the candidates that a row's sets satisfy beside the first."""
    for h in range(index.shape[1]):
        place = index[row, h]
        for at in range(sup_ptr[place] + 1, sup_ptr[place + 1]):
            tally[n_cells + sup_list[at]] += step


@compiled
def _count_all(bits, step, tally, cells, n_cells, matching):
    """Add ``step`` in the cells of each of the rows, and return their number."""
    _, index, sup_ptr, sup_list, many = matching
    found = 0
    for w in range(len(bits)):
        word = bits[w]
        while word:
            row = (w << 6) + lowest(word)
            _count(row, step, tally, cells)
            if many:
                _count_others(row, step, tally, n_cells, index, sup_ptr, sup_list)
            found += 1
            word &= word - np.uint64(1)
    return found


@compiled
def _best_bound(goals, tally, low, following, bound, tops, at_least):
    """The threshold feature whose next bound loses the fewest goal rows (-1: none), what it loses, and its cell."""
    best, best_loss, best_block, best_cell = -1, goals, 0, -1
    for f in range(len(low)):
        cell, loss = low[f], 0
        while tally[cell] == 0:
            cell += 1
        low[f] = cell
        if cell <= bound[f]:  # the bound is tight already: the next one costs the rows at the end
            loss = tally[cell]
            cell = max(following[f], cell + 1)
            while cell <= tops[f] and tally[cell] == 0:
                cell += 1
            following[f] = cell
            if cell > tops[f]:
                continue
        if loss < best_loss or (loss == best_loss and at_least[cell] < best_block):
            best, best_loss, best_block, best_cell = f, loss, at_least[cell], cell
    return best, best_loss, best_cell


@compiled
def _shave(goals, negatives, step, alive, goal, tally, cells, order, starts, n_cells, matching,
           low, following, bound, tops, at_least, added, peak, sure):  # fmt: skip
    """Take one bound after the other until a set may be better or no negative row is left; then what is left.

    Sets keep at most ``peak`` goal rows; ``sure``: none of them is better than the first bound.
    """
    _, index, sup_ptr, sup_list, many = matching
    while True:
        f, loss, cell = _best_bound(goals, tally, low, following, bound, tops, at_least)
        if f < 0 or (goals - loss <= peak and not sure):
            return goals, negatives, step, f, loss, cell
        for at in range(starts[bound[f]], starts[cell]):
            row = np.int64(order[f, at])  # one type of row number: every kernel compiles once
            w, bit = row >> 6, np.uint64(1) << np.uint64(row & 63)
            if alive[w] & bit == 0:
                continue
            alive[w] ^= bit
            if goal[w] & bit == 0:
                negatives -= 1
                continue
            goals -= 1
            _count(row, -1, tally, cells)
            if many:
                _count_others(row, -1, tally, n_cells, index, sup_ptr, sup_list)
        bound[f] = cell  # a tighter bound takes the place of the older one
        added[f] = step
        step, sure = step + 1, False
        if negatives == 0:
            return goals, negatives, step, f, loss, cell


@compiled
def _best_set(gain, block, place, tally, n_cells, used, most, choices):
    """The set feature and the candidate that beat the given gain, block and place; -1 if none does.

    ``most`` holds an upper bound of each feature's counts: counts only fall, so most features need no look.
    """
    _, _, _, _, set_place, cand_start, cand_rows, _ = choices
    best, best_value = -1, -1
    for h in range(len(set_place)):
        if most[h] < gain:
            continue
        most[h] = 0
        for c in range(cand_start[h], cand_start[h + 1]):
            count = tally[n_cells + c]
            if used[c] or count == 0:
                continue
            most[h] = max(most[h], count)
            smaller = cand_rows[c] < block or (cand_rows[c] == block and set_place[h] < place)
            if count > gain or (count == gain and smaller):
                best, best_value, gain, block, place = h, c, count, cand_rows[c], set_place[h]
    return best, best_value


@compiled
def _leave_set(item, value, alive, goal, gone, spare, tally, cells, n_cells, matching, blocks):
    """Remove the rows outside a candidate set; how many goal rows and how many others that were alive."""
    others = 0
    for w in range(len(alive)):
        gone[w] = alive[w]
    narrow(alive, 1, item, value, spare, blocks)
    for w in range(len(alive)):
        gone[w] &= ~alive[w]
        others += ones(gone[w] & ~goal[w])
        gone[w] &= goal[w]
    return _count_all(gone, -1, tally, cells, n_cells, matching), others


@compiled
def _begin(goals, base, room):
    low, following, bound, most, added, used, _, _ = room
    for f in range(len(low)):
        low[f] = following[f] = bound[f] = base[f]
    for h in range(len(most)):
        most[h] = goals
    for part in range(len(added)):
        added[part] = -1
    for c in range(len(used)):
        used[c] = False


@compiled
def _grow(alive, goals, negatives, goal, tally, found, room, matching, blocks, choices):
    """Add the best condition until no negative row is left; how many conditions stand in ``found`` (0: impossible)."""
    order, starts, base = blocks[0], blocks[1], blocks[2]
    cells, tops, at_least, bound_place, _, cand_start, _, cand_index = choices
    low, following, bound, most, added, used, gone, spare = room
    n_thresholds, n_cells, step = len(tops), base[-1], 0
    _begin(goals, base, room)
    sure, peak = False, goals  # no set has more goal rows than the peak: bounds that keep more need no look at them
    while step == 0 or negatives > 0:
        goals, negatives, step, f, loss, cell = _shave(
            goals, negatives, step, alive, goal, tally, cells, order, starts, n_cells, matching,
            low, following, bound, tops, at_least, added, peak, sure)  # fmt: skip
        if step > 0 and negatives == 0:
            break
        block, place = (at_least[cell], bound_place[f]) if f >= 0 else (0, -1)
        h, value = _best_set(goals - loss, block, place, tally, n_cells, used, most, choices)
        if h < 0 and f < 0:
            return 0
        if h >= 0:
            mark_wider(used, cand_index[value], matching)
            left = _leave_set(h, value, alive, goal, gone, spare, tally, cells, n_cells, matching, blocks)
            goals, negatives = goals - left[0], negatives - left[1]
            added[n_thresholds + value] = step
            step += 1
        sure, peak = h < 0, 0
        for limit in most:
            peak = max(peak, limit)
    return _in_order(added, bound, base, cand_start, found)


@compiled
def mark_wider(used, place, matching):
    """A set that holds a chosen one says nothing new from now on."""
    _, _, sup_ptr, sup_list, _ = matching
    for at in range(sup_ptr[place], sup_ptr[place + 1]):
        used[sup_list[at]] = True


@compiled
def _in_order(added, bound, base, cand_start, found):
    """Write the conditions that were added by the step of their last addition; how many there are."""
    n_thresholds, size, last = len(bound), 0, -1
    while True:
        best = -1
        for place in range(len(added)):
            if added[place] > last and (best < 0 or added[place] < added[best]):
                best = place
        if best < 0:
            return size
        last = added[best]
        if best < n_thresholds:
            found[size, 0], found[size, 1], found[size, 2] = 0, best, bound[best] - base[best]
        else:
            h = 0
            while cand_start[h + 1] <= best - n_thresholds:
                h += 1
            found[size, 0], found[size, 1], found[size, 2] = 1, h, best - n_thresholds
        size += 1


@compiled
def _longer(array, size):
    """The array with room for ``size`` lines and as many more."""
    if size <= len(array):
        return array
    longer = np.zeros((2 * size, array.shape[1]), np.int64)
    for line in range(len(array)):
        for part in range(array.shape[1]):
            longer[line, part] = array[line, part]
    return longer


@compiled
def induce(goal, negative, matching, blocks, choices):
    """Rules that cover every goal row and no negative one: where each ends, and their conditions below each other."""
    cells, tops, cand_rows, n_cells, words = choices[0], choices[1], choices[6], blocks[2][-1], len(goal)
    tally, current = np.zeros(n_cells + len(cand_rows) + 1, np.int32), np.zeros(n_cells + len(cand_rows) + 1, np.int32)
    open_rows, alive, gone, spare = (np.zeros(words, np.uint64), np.zeros(words, np.uint64),
                                     np.zeros(words, np.uint64), np.zeros(words, np.uint64))  # fmt: skip
    room = (np.zeros(len(tops), np.int64), np.zeros(len(tops), np.int64), np.zeros(len(tops), np.int64),
            np.zeros(len(choices[4]), np.int64), np.zeros(len(tops) + len(cand_rows), np.int64),
            np.zeros(len(cand_rows), np.bool_), gone, spare)  # fmt: skip
    n_open, n_negative = _count_all(goal, 1, tally, cells, n_cells, matching), 0
    for w in range(words):
        open_rows[w] = goal[w]
        n_negative += ones(negative[w])
    found = np.zeros((len(tops) + len(cand_rows), 3), np.int64)
    ends, conditions, n_rules = np.zeros((16, 1), np.int64), np.zeros((64, 3), np.int64), 0
    while n_open > 0:
        for cell in range(len(tally)):
            current[cell] = tally[cell]
        for w in range(words):
            alive[w] = open_rows[w] | negative[w]
        size = _grow(alive, n_open, n_negative, goal, current, found, room, matching, blocks, choices)
        if size == 0:
            break
        size = drop_needless(found, size, negative, spare, blocks)
        cover(gone, open_rows, found, 0, size, spare, blocks)
        n_open -= _count_all(gone, -1, tally, cells, n_cells, matching)
        for w in range(words):
            open_rows[w] ^= gone[w]
        ends = _longer(ends, n_rules + 2)
        ends[n_rules + 1, 0] = ends[n_rules, 0] + size
        conditions = _longer(conditions, ends[n_rules + 1, 0])
        for c in range(size):
            for part in range(3):
                conditions[ends[n_rules, 0] + c, part] = found[c, part]
        n_rules += 1
    return ends[: n_rules + 1, 0].copy(), conditions
