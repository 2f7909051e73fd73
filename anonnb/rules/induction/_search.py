"""The inner loops of MLEM2, compiled: greedy search for rules over threshold and set conditions.

Idea: nothing is recounted. One tally holds, for every key of every ordered attribute and every candidate set, how many
goal rows are alive there; a row that leaves is taken from its cells. So the best bound of an ordered attribute is
always the next one at an end of its cells, and taking it removes consecutive rows in sorted order.

What bounds it from below: a rule starts from all rows not yet covered, and greedy choice prefers a bound that loses
one row to any other, so on an attribute with a value per row a rule removes its rows nearly one by one. As long as each
rule begins anew, identical rules therefore cost rules × rows left × attributes, and rules grow with the rows: on Adult
a rule of the first class has 6,900 steps that remove 8,000 rows. All else, from needless conditions to coverage, is
rules × rows ÷ 64. Rows are different rows here: those that read alike are one, with a weight.

A condition is a number, its cell in the tally. ``flattening`` says what the arrays hold and names their columns.
"""

import numpy as np

from anonnb.core.bits import lowest, ones
from anonnb.core.compiled import compiled, inner
from anonnb.rules.induction._blocks import cover, drop_needless, narrow
from anonnb.rules.induction.flattening import (
    ALIVE,
    AT_LEAST,
    BOUND,
    FEATURE,
    FIRST,
    GOAL,
    GOALS,
    GONE,
    LAST,
    LOSS,
    LOW,
    MOST,
    NEGATIVE,
    NEGATIVES,
    NEXT,
    OPEN,
    OPEN_ROWS,
    PLACE,
    RECORDED,
    SET,
    SIZE,
    UPTO,
    USED,
)


@inner
def _count(row, step, tally, cells):
    """Add ``step`` in the cells of a row."""
    for part in range(cells.shape[1] - 1):
        tally[cells[row, part]] += step


@inner
def _count_others(row, step, tally, index, sup):
    """Add ``step`` for the candidates that a row's sets satisfy beside the first."""
    for h in range(index.shape[1]):
        position = index[row, h]
        for other in range(sup[position] + 1, sup[position + 1]):
            tally[sup[other]] += step


@inner
def _count_all(rows, line, step, tally, cells, index, sup):
    """Add ``step`` times its weight in the cells of each row of a set, and return the sum of the weights."""
    total = np.int64(0)
    for w in range(rows.shape[1]):
        word = rows[line, w]
        while word:
            row = (w << 6) + lowest(word)
            weight = np.int64(cells[row, cells.shape[1] - 1])
            _count(row, step * weight, tally, cells)
            if index.shape[1]:
                _count_others(row, step * weight, tally, index, sup)
            total += weight
            word &= word - np.uint64(1)
    return total


@inner
def _best_bound(bounds, asked, tally, state):
    """Return the next bound that loses the fewest goal rows (-1: none); what it loses is in ``state``."""
    best, best_loss, best_block = -1, state[GOALS], 0
    for f in range(len(bounds)):
        cell, loss = bounds[f, LOW], 0
        while tally[cell] == 0:
            cell += 1
        bounds[f, LOW] = cell
        if cell <= bounds[f, BOUND]:  # the bound is tight already: the next one costs the rows at the end
            loss = tally[cell]
            cell += 1
            if cell < bounds[f, NEXT]:
                cell = bounds[f, NEXT]
            while cell <= bounds[f, LAST] and tally[cell] == 0:
                cell += 1
            bounds[f, NEXT] = cell
            if cell > bounds[f, LAST]:
                continue
        if loss < best_loss or (loss == best_loss and asked[AT_LEAST, cell] < best_block):
            best, best_loss, best_block = cell, loss, asked[AT_LEAST, cell]
    state[LOSS] = best_loss
    return best


@inner
def _write(condition, replaces, chosen, asked, state):
    """Write a condition behind the others; a tighter bound takes the place of the older one of its attribute.

    What is taken is recorded as long as there is room for a record.
    """
    if state[RECORDED] < len(state):
        state[state[RECORDED]] = condition
        state[RECORDED] += 1
    c = size = state[SIZE]
    while replaces and c > 0:
        c -= 1
        if asked[FEATURE, chosen[c]] == asked[FEATURE, condition]:
            size -= 1
            for later in range(c, size):
                chosen[later] = chosen[later + 1]
            break
    chosen[size] = condition
    state[SIZE] = size + 1


@inner
def _shave(rows, listed, asked, bounds, cells, index, sup, tally, chosen, state, peak, sure):
    """Take one bound after the other until a set may be better or no negative row is left; the bound it stopped at.

    Sets keep at most ``peak`` goal rows; ``sure``: none of them is better than the first bound.
    """
    while True:
        cell = _best_bound(bounds, asked, tally, state)
        if cell < 0 or (state[GOALS] - state[LOSS] <= peak and not sure):
            return cell
        f, goals, negatives = asked[FEATURE, cell], state[GOALS], state[NEGATIVES]
        for at in range(asked[UPTO, bounds[f, BOUND]], asked[UPTO, cell]):
            row = np.int64(listed[at])  # one type of row number: every kernel compiles once
            w, bit = row >> 6, np.uint64(1) << np.uint64(row & 63)
            if rows[ALIVE, w] & bit == 0:
                continue
            rows[ALIVE, w] ^= bit
            if rows[GOAL, w] & bit == 0:
                negatives -= 1
                continue
            weight = np.int64(cells[row, cells.shape[1] - 1])
            goals -= weight
            _count(row, -weight, tally, cells)
            if index.shape[1]:
                _count_others(row, -weight, tally, index, sup)
        bounds[f, BOUND], state[GOALS], state[NEGATIVES] = cell, goals, negatives
        _write(cell, True, chosen, asked, state)
        sure = False
        if negatives == 0:
            return cell


@inner
def _best_set(bound, bounds, sets, asked, tally, state):
    """Return the candidate set that beats a bound (-1: no bound); -1 if none does.

    ``MOST`` is an upper limit of each feature's counts: counts only fall, so most features need no look.
    """
    best, gain, block, place = -1, state[GOALS] - state[LOSS], 0, -1
    if bound >= 0:
        block, place = asked[AT_LEAST, bound], bounds[asked[FEATURE, bound], PLACE]
    for h in range(len(sets)):
        if sets[h, MOST] < gain:
            continue
        largest = 0
        for cell in range(sets[h, FIRST], sets[h, LAST]):
            count = tally[cell]
            if count == 0 or asked[USED, cell]:
                continue
            if count > largest:
                largest = count
            inside = asked[AT_LEAST, cell]
            smaller = inside < block or (inside == block and sets[h, PLACE] < place)
            if count > gain or (count == gain and smaller):
                best, gain, block, place = cell, count, inside, sets[h, PLACE]
        sets[h, MOST] = largest
    return best


@inner
def _take_set(condition, rows, words, listed, asked, cells, index, sup, tally, chosen, state):
    """Remove the rows outside a candidate set; a set that holds it says nothing new from now on."""
    for at in range(sup[asked[SET, condition]], sup[asked[SET, condition] + 1]):
        asked[USED, sup[at]] = 1
    for w in range(rows.shape[1]):
        rows[GONE, w] = rows[ALIVE, w]
    narrow(rows, ALIVE, condition, words, listed, asked)
    for w in range(rows.shape[1]):
        rows[GONE, w] &= ~rows[ALIVE, w]
        state[NEGATIVES] -= ones(rows[GONE, w] & ~rows[GOAL, w])
        rows[GONE, w] &= rows[GOAL, w]
    state[GOALS] -= _count_all(rows, GONE, -1, tally, cells, index, sup)
    _write(condition, False, chosen, asked, state)


@inner
def _begin(rows, asked, bounds, sets, open_tally, tally, state):
    """All rows not yet covered are alive, and all negative ones; no condition is taken."""
    state[GOALS], state[SIZE], state[NEGATIVES] = state[OPEN], 0, 0
    for w in range(rows.shape[1]):
        rows[ALIVE, w] = rows[OPEN_ROWS, w] | rows[NEGATIVE, w]
        state[NEGATIVES] += ones(rows[NEGATIVE, w])
    for cell in range(len(tally)):
        tally[cell] = open_tally[cell]
    for f in range(len(bounds)):
        bounds[f, LOW] = bounds[f, NEXT] = bounds[f, BOUND] = bounds[f, FIRST]
    for h in range(len(sets)):
        sets[h, MOST] = state[GOALS]
        for cell in range(sets[h, FIRST], sets[h, LAST]):
            asked[USED, cell] = 0


@inner
def _grow(rows, words, listed, asked, bounds, sets, cells, index, sup, open_tally, tally, chosen, state):
    """Add the best condition until no negative row is left; False if that is impossible."""
    _begin(rows, asked, bounds, sets, open_tally, tally, state)
    sure, peak = False, state[GOALS]  # no set has more goal rows: bounds that keep more need no look at them
    while state[SIZE] == 0 or state[NEGATIVES] > 0:
        bound = _shave(rows, listed, asked, bounds, cells, index, sup, tally, chosen, state, peak, sure)
        if state[SIZE] > 0 and state[NEGATIVES] == 0:
            break
        best = _best_set(bound, bounds, sets, asked, tally, state)
        if best < 0 and bound < 0:
            return False
        if best >= 0:
            _take_set(best, rows, words, listed, asked, cells, index, sup, tally, chosen, state)
        sure, peak = best < 0, 0
        for h in range(len(sets)):
            if sets[h, MOST] > peak:
                peak = sets[h, MOST]
    return True


@compiled(makes_arrays=False)
def induce(rows, words, listed, asked, bounds, sets, cells, index, sup, open_tally, tally,
           found, state, ends, conditions):  # fmt: skip
    """Rules that cover open goal rows and no negative one, until there is no room for a further one; their number.

    Rule r has the conditions from ``ends[r]`` on. Goal rows are left while ``state[OPEN]`` is not 0; below 0 it asks to
    begin, above 0 to go on.
    """
    if state[OPEN] < 0:
        state[OPEN] = _count_all(rows, OPEN_ROWS, 1, open_tally, cells, index, sup)
    n_rules = 0
    while state[OPEN] > 0 and n_rules + 1 < len(ends) and ends[n_rules] + len(found) <= len(conditions):
        if not _grow(rows, words, listed, asked, bounds, sets, cells, index, sup, open_tally, tally, found, state):
            state[OPEN] = 0
            break
        size = drop_needless(found, state[SIZE], rows, words, listed, asked)
        cover(rows, GONE, OPEN_ROWS, found, 0, size, words, listed, asked)
        state[OPEN] -= _count_all(rows, GONE, -1, open_tally, cells, index, sup)
        for w in range(rows.shape[1]):
            rows[OPEN_ROWS, w] ^= rows[GONE, w]
        for c in range(size):
            conditions[ends[n_rules] + c] = found[c]
        ends[n_rules + 1] = ends[n_rules] + size
        n_rules += 1
    return n_rules
