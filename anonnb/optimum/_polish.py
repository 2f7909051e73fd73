"""Local search over groups by their exact price, compiled (it needs numba): rows move and swap, neighbours are rebuilt.

Every change lowers the total loss, and no group falls below k rows. A rebuild takes a group with its nearest ones and
forms new groups, each from a far row and the k − 1 rows that widen it least (k-member, Byun et al. 2007). With
``once``, a group changes once per pass, so that a caller can undo the changes that break a further requirement.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.optimum._boxes import cost, empty, fill, link, mark, put, unlink, up_to, wider

TINY = 1e-9  # savings below this are rounding
DOWN = 1 - 1e-6  # more than single precision rounds up
TARGETS = 3  # groups that a row looks at for swaps
STARTS = 4  # rows of a group that a rebuild begins with


class Hosts(NamedTuple):
    """Working space of moves and swaps: the groups where one more row costs least, and what it costs there."""

    group: np.ndarray
    price: np.ndarray


class Neighbours(NamedTuple):
    """Working space of a rebuild: near groups and what each widens a group by, their rows, two divisions of these."""

    near: np.ndarray
    growth: np.ndarray
    pool: np.ndarray
    part: np.ndarray
    kept: np.ndarray


def make_hosts() -> Hosts:
    return Hosts(np.empty(TARGETS, dtype=np.int64), np.empty(TARGETS))


def make_neighbours(near: int, limit: int) -> Neighbours:
    """Return space for a group and ``near`` others of up to ``limit`` rows each."""
    rows = (np.empty(limit * (near + 1), dtype=np.int64) for _ in range(3))
    return Neighbours(np.empty(near, dtype=np.int64), np.empty(near), *rows)


# ---- moves and swaps ------------------------------------------------------------------------------------------------


@inner
def least_price(rows, boxes, home, g):
    """Return what any row of one group costs at least in another, from their boxes: their nearer ends count.

    The terms are those of ``up_to``, each at most as large, so that not even rounding makes the sum larger.
    """
    total = 0.0
    for a in range(len(rows.cap)):
        if rows.is_nominal[a]:
            apart, end = True, rows.word[a + 1]
            for w in range(rows.word[a], end):
                apart = apart and boxes.bits[home, w] & boxes.bits[g, w] == 0
            if apart:
                total += rows.step[a]
        else:
            low, high, cap = boxes.low[g, a], boxes.high[g, a], rows.cap[a]
            least, greatest = boxes.low[home, a], boxes.high[home, a]
            if least > high or greatest < low:
                total += min(max(least - low, high - greatest), cap) - min(high - low, cap)
    return boxes.width[g] + total * (boxes.size[g] + 1)


@inner
def note_least(rows, boxes, g, first, least):
    """Fill in ``least`` between group g and the groups from ``first`` on, rounded down."""
    for other in range(first, len(least)):
        if boxes.size[g] and boxes.size[other]:
            least[g, other] = least_price(rows, boxes, g, other) * DOWN
            least[other, g] = least_price(rows, boxes, other, g) * DOWN


@inner
def cheapest_hosts(rows, groups, boxes, r, now, since, once, least, price, host):
    """Find the groups where one more row costs least, the cheapest first; return how many.

    A row whose group has not changed ``since`` some pass only tries groups that have. This loop takes most of the time:
    it reads few arrays, and drops a group whose ``least`` price is too high, or at the first column that makes it so.
    """
    count, home, limit = 0, groups.label[r], np.inf
    size, width, changed = boxes.size, boxes.width, groups.changed
    old, known = changed[home] < since, len(least) > 0
    for g in range(len(groups.head)):
        if known and least[home, g] >= limit:
            continue
        if width[g] >= limit or size[g] == 0 or g == home or (old and changed[g] < since):
            continue
        if once and changed[g] == now:
            continue
        growth = up_to(rows, boxes.low, boxes.high, boxes.bits, g, r, (limit - width[g]) / (size[g] + 1))
        extra = width[g] + growth * (size[g] + 1)
        if extra < limit:
            position = min(count, TARGETS - 1)
            while position > 0 and price[position - 1] > extra:
                price[position], host[position] = price[position - 1], host[position - 1]
                position -= 1
            price[position], host[position] = extra, g
            count = min(count + 1, TARGETS)
            limit = price[TARGETS - 1] if count == TARGETS else np.inf
    return count


@inner
def best_swap(rows, groups, boxes, r, g, without, spare, best):
    """Return the best row of group g to exchange r for, and the change of the total; -1 if no exchange pays."""
    home, chosen = groups.label[r], -1
    q = groups.head[g]
    while q >= 0:
        width = boxes.width[without] + wider(rows, boxes, without, q)
        change = boxes.size[home] * width - cost(boxes, home)
        if change < best:
            fill(rows, groups, boxes, g, spare, q, r)
            change += cost(boxes, spare) - cost(boxes, g)
            if change < best:
                best, chosen = change, q
        q = groups.after[q]
    return best, chosen


@compiled(makes_arrays=False)
def move_rows(rows, groups, boxes, k, now, since, once, least, hosts):
    """Move or swap each row once where it pays most; return the number of changes.

    The last two boxes, ``least`` (groups × groups, or empty where that is too large) and ``hosts`` are working space.
    """
    for g in range(len(least)):
        note_least(rows, boxes, g, g, least)
    host, price = hosts.group, hosts.price
    without, spare, changes = len(boxes.size) - 2, len(boxes.size) - 1, 0
    for r in range(len(groups.label)):
        home = groups.label[r]
        if boxes.width[home] == 0.0 or groups.tired[r] or (once and groups.changed[home] == now):
            continue
        fill(rows, groups, boxes, home, without, r, -1)
        best, target, other = -TINY, -1, -1
        count = cheapest_hosts(rows, groups, boxes, r, now, since, once, least, price, host)
        if count and boxes.size[home] > k and price[0] + cost(boxes, without) - cost(boxes, home) < best:
            best, target = price[0] + cost(boxes, without) - cost(boxes, home), host[0]
        for i in range(count):
            value, q = best_swap(rows, groups, boxes, r, host[i], without, spare, best)
            if q >= 0:
                best, target, other = value, host[i], q
        if target < 0:
            continue
        unlink(groups, r)
        link(groups, r, target)
        if other >= 0:
            unlink(groups, other)
            link(groups, other, home)
        for g in (home, target):
            fill(rows, groups, boxes, g, g, -1, -1)
            groups.changed[g] = now
            mark(groups, g, changes)
            note_least(rows, boxes, g, 0, least)
        changes += 1
    return changes


# ---- rebuilding neighbours ------------------------------------------------------------------------------------------


@inner
def ones(word):
    """Count the bits that are set."""
    count = 0
    while word:
        word &= word - np.uint64(1)
        count += 1
    return count


@inner
def apart(rows, boxes, a, b, limit):
    """Return how much wider box a becomes with box b; something above ``limit`` as soon as it is."""
    total = 0.0
    for c in range(len(rows.cap)):
        if not rows.is_nominal[c]:
            total += max(boxes.low[a, c] - boxes.low[b, c], 0.0) + max(boxes.high[b, c] - boxes.high[a, c], 0.0)
        else:
            end = rows.word[c + 1]
            for w in range(rows.word[c], end):
                total += rows.step[c] * ones(boxes.bits[b, w] & ~boxes.bits[a, w])
        if total > limit:
            break
    return total


@inner
def nearest(rows, groups, boxes, g, most, now, once, near, width):
    """Find the groups, of up to ``limit`` rows, that widen group g least; return how many."""
    count = 0
    for other in range(len(groups.head)):
        if other == g or boxes.size[other] == 0 or boxes.size[other] > most:
            continue
        if once and groups.changed[other] == now:
            continue
        limit = width[len(near) - 1] if count == len(near) else np.inf
        growth = apart(rows, boxes, g, other, limit)
        if growth < limit:
            position = min(count, len(near) - 1)
            while position > 0 and width[position - 1] > growth:
                width[position], near[position] = width[position - 1], near[position - 1]
                position -= 1
            width[position], near[position] = growth, other
            count = min(count + 1, len(near))
    return count


@inner
def least_or_most(rows, boxes, g, pool, part, n, least):
    """Return the row of the pool without a part that widens a box least, or most, and by how much; ties: the first."""
    chosen, record = -1, 0.0
    for i in range(n):
        if part[i] < 0:
            growth = wider(rows, boxes, g, pool[i])
            if chosen < 0 or (growth < record if least else growth > record):
                chosen, record = i, growth
    return chosen, record


@inner
def k_member(rows, boxes, first, pool, part, n, seed, k, stop):
    """Make groups of k rows from a pool, each begun far from the last; the rest joins where it costs least.

    ``part`` becomes the group of each row, counted from 0; boxes from ``first`` on are working space. Returns the cost
    (infinite as soon as it reaches ``stop``) and the number of groups.
    """
    for i in range(n):
        part[i] = -1
    g, total = 0, 0.0
    for _ in range(n // k):
        empty(boxes, first + g)
        chosen, growth = seed, 0.0
        for _ in range(k):
            part[chosen] = g
            put(rows, boxes, first + g, pool[chosen], growth)
            chosen, growth = least_or_most(rows, boxes, first + g, pool, part, n, True)
        total += cost(boxes, first + g)
        if total >= stop:
            return np.inf, g
        seed = least_or_most(rows, boxes, first + g, pool, part, n, False)[0]
        g += 1
    for i in range(n):
        if part[i] < 0:
            best, chosen, growth = np.inf, -1, 0.0
            for h in range(first, first + g):
                more = wider(rows, boxes, h, pool[i])
                extra = boxes.width[h] + more * (boxes.size[h] + 1)
                if extra < best:
                    best, chosen, growth = extra, h, more
            part[i] = chosen - first
            put(rows, boxes, chosen, pool[i], growth)
            total += best
    return total if total < stop else np.inf, g


@inner
def gather(groups, g, pool, n):
    r = groups.head[g]
    while r >= 0:
        pool[n] = r
        n += 1
        r = groups.after[r]
    return n


@inner
def replace(rows, groups, boxes, own, near, count, pool, part, n, parts, free, now, number):
    """Give the rows of a group and of ``count`` near ones to new groups, whose numbers come from the stack ``free``."""
    for position in range(count + 1):
        g = near[position] if position < count else own
        groups.head[g] = -1
        empty(boxes, g)
        free[0] += 1
        free[free[0]] = g
    for p in range(parts):
        g = free[free[0]]
        free[0] -= 1
        for i in range(n - 1, -1, -1):
            if part[i] == p:
                link(groups, pool[i], g)
        fill(rows, groups, boxes, g, g, -1, -1)
        groups.changed[g] = now
        mark(groups, g, number)


@compiled(makes_arrays=False)
def rebuild(rows, groups, boxes, k, now, since, once, limit, free, neighbours):
    """Rebuild each group once with its nearest one, two nearest, … where that pays.

    ``free`` is a stack of unused group numbers (its height first); boxes after those of the groups, and ``neighbours``,
    are working space. Groups that have not changed ``since`` some pass, nor their neighbours, are skipped. Returns the
    number of changes.
    """
    near, growth, pool, part, kept = neighbours
    capacity, changes = len(groups.head), 0
    for g in range(len(groups.head)):
        if boxes.width[g] == 0.0 or boxes.size[g] > limit or (once and groups.changed[g] == now):
            continue
        if groups.tired[groups.head[g]]:
            continue
        count = nearest(rows, groups, boxes, g, limit, now, once, near, growth)
        size = gather(groups, g, pool, 0)
        n, before, newest = size, cost(boxes, g), groups.changed[g]
        for i in range(count):
            n = gather(groups, near[i], pool, n)
            before += cost(boxes, near[i])
            newest = max(newest, groups.changed[near[i]])
            if newest < since:
                continue
            best, parts = before - TINY, 0
            for s in range(min(size, STARTS)):
                total, made = k_member(rows, boxes, capacity, pool, part, n, s * size // min(size, STARTS), k, best)
                if total < best:
                    best, parts = total, made
                    for position in range(n):
                        kept[position] = part[position]
            if parts:
                replace(rows, groups, boxes, g, near, i + 1, pool, kept, n, parts, free, now, changes)
                changes += 1
                break
    return changes
