"""Plain Python versions of the measures, written from the definitions, one class at a time."""

import math
from collections import Counter, defaultdict


def shares(values):
    return {value: count / len(values) for value, count in Counter(values).items()}


def classes_of(table, quasi=None):
    frame = table.frame
    found = defaultdict(list)
    keys = frame[quasi or table.quasi].astype(object).where(frame[quasi or table.quasi].notna(), None)
    for row, key in enumerate(keys.itertuples(index=False, name=None)):
        found[key].append(row)
    return list(found.values())


def entropy(values):
    return -sum(share * math.log(share) for share in shares(values).values())


def recursive(values, l):  # noqa: E741
    counts = sorted(Counter(values).values(), reverse=True)
    rest = sum(counts[l - 1 :])
    return counts[0] / rest if rest else math.inf


def equal_distance(values, everyone):
    q, p = shares(values), shares(everyone)
    return sum(abs(q.get(value, 0) - p[value]) for value in p) / 2


def ordered_distance(values, everyone):
    q, p, order = shares(values), shares(everyone), sorted(set(everyone))
    moved = total = 0.0
    for value in order:
        moved += q.get(value, 0) - p[value]
        total += abs(moved)
    return total / (len(order) - 1) if len(order) > 1 else 0.0


def hierarchical_distance(values, everyone, path):
    """``path(value)`` gives the labels from the value to the root; every path has the same length."""
    q, p = shares(values), shares(everyone)
    height = len(path(everyone[0])) - 1
    extra = {(0, value): q.get(value, 0) - p[value] for value in p}
    up = {(0, value): (1, path(value)[1]) for value in p}
    for level in range(1, height):
        up |= {(level, path(value)[level]): (level + 1, path(value)[level + 1]) for value in p}
    cost = 0.0
    for level in range(1, height + 1):
        children = defaultdict(list)
        for node, parent in up.items():
            if parent[0] == level:
                children[parent].append(extra[node])
        for parent, extras in children.items():
            surplus = sum(value for value in extras if value > 0)
            deficit = -sum(value for value in extras if value < 0)
            cost += level / height * min(surplus, deficit)
            extra[parent] = sum(extras)
    return cost


def gains(values, everyone):
    q, p = shares(values), shares(everyone)
    return {value: (q.get(value, 0) - p[value]) / p[value] for value in p}


def enhanced_holds(values, everyone, beta):
    p = shares(everyone)
    return all(gain <= min(beta, -math.log(p[value])) + 1e-9 for value, gain in gains(values, everyone).items())


def enhanced(values, everyone):
    p, gain = shares(everyone), gains(values, everyone)
    return math.inf if any(gain[value] > -math.log(p[value]) + 1e-9 for value in p) else max(gain.values())


def disclosure(values, everyone):
    q, p = shares(values), shares(everyone)
    return max(abs(math.log(q[value] / p[value])) if value in q else math.inf for value in p)
