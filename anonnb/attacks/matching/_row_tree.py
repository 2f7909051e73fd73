"""Kernels of the search for nearest rows: a k-d tree of rows, halved by whichever column divides them best.

Importing this module loads numba. A row is a line of numbers: first the codes of columns that differ by 0 or 1
(``plain`` of them), then numbers as shares of their range. Numbers count by how much they differ, 1 at most, or with
``squares`` by the square of that, as Euclid has it. Distances are added in the order of a plain comparison, and a part
of the tree is left out only if no row in it can be as near: rounding is monotone, so that what is found is the same to
the last bit.
"""

import numpy as np

from anonnb.core.compiled import compiled, inner

LEAF = 16  # rows that are compared one by one
SAMPLE = 32  # rows of a node that tell where to divide it
FEW_VALUES = 1 / 8  # how much columns with few values are preferred: more makes uneven trees
NO_CHILD = -1
NO_ROW = -1


@inner
def sort_few(numbers):
    """Sort a handful of numbers in place: numba's own sort takes seconds to compile."""
    for place in range(1, len(numbers)):
        number, before = numbers[place], place - 1
        while before >= 0 and numbers[before] > number:
            numbers[before + 1] = numbers[before]
            before -= 1
        numbers[before + 1] = number


@inner
def division(points, plain, order, first, last, low, high):
    """The column and the number that divide rows best: those below the number, and the others; no column: -1."""
    width = min(last - first, SAMPLE)
    sample = np.empty(width)
    best, column, number = 0.0, -1, 0.0
    for at in range(points.shape[1]):
        room = min(high[at] - low[at], 1.0)
        if room <= 0:
            continue
        for place in range(width):
            sample[place] = points[order[first + place * (last - first) // width], at]
        sort_few(sample)
        middle = width // 2  # goes to where a new number begins: down, or up where all before are equal
        while middle > 0 and sample[middle - 1] == sample[width // 2]:
            middle -= 1
        while middle < width and sample[middle] == sample[0]:
            middle += 1
        score = room * (min(middle, width - middle) + 0.5)  # also where the sample happens to hold one value
        if at < plain:  # of columns that divide alike the one with few values: whoever has another is soon left out
            score /= (high[at] - low[at]) ** FEW_VALUES
        if score > best:
            best, column = score, at
            number = sample[middle] if middle < width else (low[at] + high[at]) / 2
    return column, number


@compiled
def grown(points, plain, most):
    """A tree of at most so many nodes: the order of the rows, and for each node its rows, its children and its box."""
    order = np.arange(len(points))
    spans, children = np.zeros((most, 2), dtype=np.int64), np.full(most, NO_CHILD)
    boxes = np.zeros((most, 2, points.shape[1]))
    low, high = boxes[:, 0], boxes[:, 1]
    spans[0, 1], node, count = len(points), 0, 1
    while node < count:
        first, last = spans[node, 0], spans[node, 1]
        for at in range(points.shape[1]):
            low[node, at], high[node, at] = np.inf, -np.inf
        for place in range(first, last):
            for at in range(points.shape[1]):
                low[node, at] = min(low[node, at], points[order[place], at])
                high[node, at] = max(high[node, at], points[order[place], at])
        if last - first > LEAF and count + 2 <= most:
            column, number = division(points, plain, order, first, last, low[node], high[node])
            below, above = first, last
            while column >= 0 and below < above:
                if points[order[below], column] < number:
                    below += 1
                else:
                    above -= 1
                    order[below], order[above] = order[above], order[below]
            if first < below < last:
                children[node] = count
                spans[count, 0], spans[count, 1] = first, below
                spans[count + 1, 0], spans[count + 1, 1] = below, last
                count += 2
        node += 1
    return order, spans[:count].copy(), children[:count].copy(), boxes[:count].copy()


@inner
def counted(gap, squares):
    """What a difference between two numbers adds to a distance."""
    return gap * gap if squares else min(gap, 1.0)


@inner
def box_distance(person, box, plain, squares, most):
    """What every row of a box is away from a person at least; or anything above ``most``, as soon as it is."""
    low, high, away = box[0], box[1], 0.0
    for at in range(plain):
        away += person[at] < low[at] or person[at] > high[at]
        if away > most:
            return away
    for at in range(plain, len(person)):
        away += counted(max(low[at] - person[at], person[at] - high[at], 0.0), squares)
    return away


@inner
def row_distance(person, row, plain, squares):
    """How far a row is from a person."""
    away = 0.0
    for at in range(plain):
        away += person[at] != row[at]
    for at in range(plain, len(person)):
        away += counted(abs(row[at] - person[at]), squares)
    return away


@inner
def within(person, rows, plain, squares, tree, own, stack, bounds, most, out, found):
    """Look for rows that are at most so far away; with no room in ``out``, for the nearest one instead.

    A person's ``own`` row is passed over. Returns the rows written down (one more than there is room for: given up),
    the least distance, the comparisons.
    """
    order, spans, children, boxes = tree
    only_best, steps, waiting = len(out) == 0, 0, 1
    stack[0], bounds[0] = 0, 0.0
    while waiting:
        waiting -= 1
        node = stack[waiting]
        if bounds[waiting] > most or (only_best and bounds[waiting] == most):
            continue
        if children[node] != NO_CHILD:
            near, far = children[node], children[node] + 1
            to_near = box_distance(person, boxes[near], plain, squares, most)
            to_far = box_distance(person, boxes[far], plain, squares, most)
            steps += 2
            if to_far < to_near:
                near, far, to_near, to_far = far, near, to_far, to_near
            if to_far <= most:
                stack[waiting], bounds[waiting] = far, to_far
                waiting += 1
            if to_near <= most:  # on top: the nearer one comes first
                stack[waiting], bounds[waiting] = near, to_near
                waiting += 1
            continue
        steps += spans[node, 1] - spans[node, 0]
        for place in range(spans[node, 0], spans[node, 1]):
            if order[place] == own:
                continue
            away = row_distance(person, rows[place], plain, squares)
            if only_best:
                most = min(most, away)
            elif away <= most:
                if found == len(out):
                    return found + 1, most, steps
                out[found] = order[place]
                found += 1
    return found, most, steps


@compiled
def nearest(people, start, rows, plain, tree, tie, near, counts):
    """Write down the nearest rows of people from a place on, in any order, as many people as there is room for.

    Returns how many people are done and the comparisons; ``counts`` gets the number of rows of each person.
    """
    waiting = len(tree[1]) + 1  # nodes at most
    stack, bounds, nothing = np.empty(waiting, dtype=np.int64), np.empty(waiting), np.empty(0, dtype=np.int64)
    found, steps = 0, 0
    for done in range(start, len(people)):
        _, best, first = within(people[done], rows, plain, False, tree, NO_ROW, stack, bounds, np.inf, nothing, 0)
        more, _, second = within(people[done], rows, plain, False, tree, NO_ROW, stack, bounds, best + tie, near, found)
        if more > len(near):
            return done - start, steps
        counts[done] = more - found
        found, steps = more, steps + first + second
    return len(people) - start, steps


@compiled
def least_squares(people, rows, plain, tree, own, least):
    """Write down how far the nearest row is from each person, squared; a person's ``own`` row does not count."""
    waiting = len(tree[1]) + 1  # nodes at most
    stack, bounds, nothing = np.empty(waiting, dtype=np.int64), np.empty(waiting), np.empty(0, dtype=np.int64)
    for person in range(len(people)):
        _, least[person], _ = within(
            people[person], rows, plain, True, tree, own[person], stack, bounds, np.inf, nothing, 0
        )
