"""MLEM2 as in a textbook: sets of rows, every elementary condition in a list. Slow, and what the search must do."""

from anonnb.rules.induction.mlem2_record import elementary_pairs


def textbook_lines(table, goal):
    """What is done for the rows to cover: (number of the rule, step, texts of conditions, covers, block, wrong)."""
    pairs, everything = elementary_pairs(table), frozenset(range(len(table)))
    lines, rules, uncovered = [], [], goal

    def block_of(chosen):
        return everything.intersection(*(pair.block for pair in chosen))

    while uncovered:
        number, chosen, left, block = len(rules) + 1, [], uncovered, everything
        while not chosen or not block <= goal:
            possible = [pair for pair in pairs if left & pair.block and not any(implies(one, pair) for one in chosen)]
            if not possible:
                return lines
            # the first of the best: ties go to the pair that comes earlier
            best = max(possible, key=lambda pair: (len(left & pair.block), -len(pair.block)))
            left, block = left & best.block, block & best.block
            chosen.append(best)
            lines.append((number, "add", {str(best.condition)}, len(left), len(best.block), len(block - goal)))
        for pair in list(chosen):
            others = [other for other in chosen if other is not pair]
            if others and block_of(others) <= goal:
                chosen = others
                lines.append((number, "drop", {str(pair.condition)}, len(block_of(chosen)), len(pair.block), 0))
        block = block_of(chosen)
        lines.append((number, "rule", texts(chosen), len(block & uncovered), len(block), 0))
        rules.append((number, chosen, block))
        uncovered = uncovered - block
    for rule in list(rules):
        others = [other for other in rules if other is not rule]
        if frozenset().union(*(block for _, _, block in others)) >= goal:
            rules = others
            lines.append((rule[0], "redundant", texts(rule[1]), 0, len(rule[2]), 0))
    return lines


def implies(taken, pair):
    """Whether a condition already taken, on the same attribute and side, is as narrow or narrower."""
    same = taken.condition.attribute == pair.condition.attribute and taken.side == pair.side
    return same and taken.block <= pair.block


def texts(pairs):
    parts = {}
    for pair in pairs:
        name = pair.condition.attribute
        parts[name] = pair.condition if name not in parts else parts[name].intersection(pair.condition)
    return set(map(str, parts.values()))
