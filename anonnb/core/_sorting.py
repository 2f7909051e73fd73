"""The sort of compiled loops."""

from anonnb.core.compiled import inner


@inner
def sort_in_place(keys, first, second):
    """Shell sort: a few lines that compile in a moment, where numba's own sorts take seconds.

    ``first`` and ``second`` move along with the keys unless they are empty.
    """
    gap, count, alone = 1, len(keys), len(first) == 0
    while gap < count // 5:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for start in range(gap, count):
            i, key = start, keys[start]
            if alone:
                while i >= gap and keys[i - gap] > key:
                    keys[i] = keys[i - gap]
                    i -= gap
            else:
                one, other = first[start], second[start]
                while i >= gap and keys[i - gap] > key:
                    keys[i], first[i], second[i] = keys[i - gap], first[i - gap], second[i - gap]
                    i -= gap
                first[i], second[i] = one, other
            keys[i] = key
        gap = gap * 4 // 9
