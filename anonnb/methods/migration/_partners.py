"""The best partner of a group of M3AR, in one pass over the groups (compiled by numba)."""

from anonnb.core.compiled import compiled


@compiled
def best_partner(selected, k, size, role, risk, profile, spare, home, tried):
    """The best exchange that was not tried yet, and the rows it moves; -1 where none removes risk.

    Exchanges are numbered: giving to each group first, then taking from each. The best one removes most risk, then
    moves fewest rows, then comes first. ``spare`` says how many rows of the selected group are free to take on each
    profile, ``home`` how many of each group may take on that of the selected one.
    """
    own, groups = size[selected], len(size)
    may_give, may_take = role[selected] <= 0, role[selected] >= 0
    giver, given, gives, taker, taken, takes = -1, 0, 0, -1, 0, 0
    for group in range(groups):
        there = size[group]
        if there == 0 or group == selected:
            continue
        now = risk[there] + risk[own]
        if may_give and role[group] >= 0:
            rows = min(own, k - there) if there < k else own
            gain = now - risk[own - rows] - risk[there + rows]
            better = gain > given or (gain == given and gain > 0 and rows < gives)
            if better and rows <= spare[profile[group]] and group not in tried:
                giver, given, gives = group, gain, rows
        if may_take and role[group] <= 0:
            rows = min(there, k - own) if there < k else min(k - own, there - k)
            gain = now - risk[own + rows] - risk[there - rows]
            better = gain > taken or (gain == taken and gain > 0 and rows < takes)
            if better and rows <= home[group] and groups + group not in tried:
                taker, taken, takes = group, gain, rows
    if taker >= 0 and (taken > given or (taken == given and takes < gives)):
        return groups + taker, takes
    return giver, gives
