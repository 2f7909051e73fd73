"""What the rows that can take known values have in common, for many cases: rows as bits, compiled by numba.

A value selects a bitset of rows, a case intersects those of its values word by word. The selected rows are visited one
by one until they contradict each other, which in most cases takes a few of them.
"""

import numpy as np

from anonnb.core.bits import ones
from anonnb.core.compiled import compiled, inner

ALL = ~np.uint64(0)


@inner
def selected_word(bits, cells, case, word):
    """64 rows: those that can take all values of a case; ``cells`` has the places of its values in ``bits``."""
    chosen = ALL
    for place in cells[case]:
        chosen &= bits[place, word]
    return chosen


@compiled(makes_arrays=False)
def count_rows(bits, cells, rows):
    """Add to ``rows`` the number of rows that each case selects."""
    for case in range(len(cells)):
        for word in range(bits.shape[1]):
            rows[case] += ones(selected_word(bits, cells, case, word))


@compiled(makes_arrays=False)
def meet_runs(bits, cells, lo, hi, left, first):
    """How many values the selected rows share and the first of them, when every row allows a run of codes.

    ``left`` and ``first`` are zero before.
    """
    none = np.iinfo(np.int64).max
    for case in range(len(cells)):
        low, high = np.int64(0), none
        for word in range(bits.shape[1]):
            chosen = selected_word(bits, cells, case, word)
            while chosen and low <= high:
                lowest = chosen & (ALL - chosen + np.uint64(1))
                row = 64 * word + ones(lowest - np.uint64(1))
                low, high = max(low, lo[row]), min(high, hi[row])
                chosen ^= lowest
            if low > high:
                break
        if low <= high < none:
            left[case], first[case] = high - low + 1, low


@compiled(makes_arrays=False)
def meet_sets(bits, cells, number, sets, common, left, first):
    """The same when rows allow any sets: row r the codes whose bits are set in ``sets[number[r]]``.

    ``common`` is room for a set.
    """
    for case in range(len(cells)):
        for part in range(len(common)):
            common[part] = ALL
        alive, some = True, False
        for word in range(bits.shape[1]):
            chosen = selected_word(bits, cells, case, word)
            while chosen and alive:
                lowest = chosen & (ALL - chosen + np.uint64(1))
                mine = sets[number[64 * word + ones(lowest - np.uint64(1))]]
                alive, some = False, True
                for part in range(len(common)):
                    common[part] &= mine[part]
                    alive |= common[part] != 0
                chosen ^= lowest
            if not alive:
                break
        if some and alive:
            for part in range(len(common) - 1, -1, -1):
                left[case] += ones(common[part])
                if common[part]:
                    lowest = common[part] & (ALL - common[part] + np.uint64(1))
                    first[case] = 64 * part + ones(lowest - np.uint64(1))
