"""What a worker does with a block: its compiled passes beside a version that takes the rows one by one."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonnb.cluster.counting import BlockLevel, Pairs, added, next_level, sides_counted
from anonnb.methods.mondrian.cutting import Cuts

SIZES = {"a": 3, "b": 300, "c": 70_000}


@st.composite
def levels(draw):
    """A block with columns of one, two and four bytes, the region of each row, and cuts of some regions."""
    n, regions = draw(st.integers(1, 60)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    block = {name: rng.integers(size, size=n).astype(np.min_scalar_type(size - 1)) for name, size in SIZES.items()}
    axis = rng.integers(-1, len(SIZES), regions)
    code = np.array([rng.integers(list(SIZES.values())[one]) if one >= 0 else 0 for one in axis])
    region = rng.integers(regions, size=n).astype(np.uint16)
    if draw(st.booleans()):  # as what came from another worker
        for codes in (region, *block.values()):
            codes.flags.writeable = False
    return block, BlockLevel(region, []), Cuts(axis, code), rng


def lies_right(block, level, cuts, row) -> bool:
    region = level.region[row]
    return bool(cuts.axis[region] >= 0 and block["abc"[cuts.axis[region]]][row] > cuts.code[region])


def counted(keys) -> list[tuple[int, int]]:
    return sorted(Counter(keys).items())


def told(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.keys.tolist(), pairs.rows.tolist(), strict=True))


@given(levels())
def test_rows_move_and_values_are_counted(given):
    block, level, cuts, rng = given
    first = np.cumsum([0, *(1 + (cuts.axis >= 0))])
    rows = range(len(level.region))
    region = [int(first[level.region[row]]) + lies_right(block, level, cuts, row) for row in rows]
    is_open = rng.random(first[-1]) < 0.6
    number = np.where(is_open, np.cumsum(is_open) - 1, -1)
    found = next_level(block, level, list(SIZES), cuts, number, SIZES)
    assert found.region.tolist() == region
    for (name, size), pairs in zip(SIZES.items(), found.counts, strict=True):
        keys = [int(number[region[row]]) * size + int(block[name][row]) for row in rows if number[region[row]] >= 0]
        assert told(pairs) == counted(keys)


@given(levels())
def test_both_sides_of_proposed_cuts_are_counted(given):
    block, level, cuts, _ = given
    rows = [row for row in range(len(level.region)) if cuts.axis[level.region[row]] >= 0]
    found = sides_counted(block, level, list(SIZES), [cuts, Cuts.none(len(cuts.axis))], SIZES)
    for (name, size), pairs, nothing in zip(SIZES.items(), found[:3], found[3:], strict=True):
        sides = [2 * int(level.region[row]) + lies_right(block, level, cuts, row) for row in rows]
        codes = [int(block[name][row]) for row in rows]
        assert told(pairs) == counted(side * size + code for side, code in zip(sides, codes, strict=True))
        assert told(nothing) == []


def test_counts_of_blocks_are_added():
    parts = [[Pairs(np.array([1, 5]), np.array([2, 3]))], [Pairs(np.array([0, 5]), np.array([1, 1]))]]
    assert told(added(parts)[0]) == [(0, 1), (1, 2), (5, 4)]
