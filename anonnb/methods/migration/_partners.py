"""The best partner of a group of M3AR, in one pass over the groups that have rows (compiled by numba)."""

from anonnb.core.compiled import compiled


@compiled
def best_partner(selected, groups, alive, state, scores, rows, profile, spare, home, tried):
    """Return the best exchange that was not tried yet, and the rows it moves; -1 if none removes risk.

    Exchanges are numbered: giving to each of all ``groups`` first, then taking from each. What an exchange scores, and
    the rows it moves, depend on the other group's ``state`` alone; of equal scores the first wins. ``spare`` says how
    many rows of the selected group are free to take on each profile, ``home`` how many of each group may take on that
    of the selected one.
    """
    giver, given, taker, taken = -1, -1, -1, -1
    for group in alive:
        there = state[group]
        may = scores[0, there] > given and rows[0, there] <= spare[profile[group]]
        if may and group != selected and group not in tried:
            giver, given = group, scores[0, there]
        may = scores[1, there] > taken and rows[1, there] <= home[group]
        if may and group != selected and groups + group not in tried:
            taker, taken = group, scores[1, there]
    if taken > given:
        return groups + taker, rows[1, state[taker]]
    return giver, rows[0, state[giver]]
