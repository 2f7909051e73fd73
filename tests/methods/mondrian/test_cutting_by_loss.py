"""Cuts by loss: every cut and its loss beside a plain version that measures both sides, and the cuts that follow."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import Mondrian
from anonnb.methods.mondrian import _cutting_by_loss
from anonnb.methods.mondrian._cutting_by_loss import LossCuts
from anonnb.methods.mondrian.regions import OpenRegions, Regions, Space


@st.composite
def regions_of_tables(draw):
    """A table with many ties, in a few regions of any size."""
    n = draw(st.integers(4, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    values = draw(st.integers(1, 6))
    frame = pd.DataFrame(
        {
            "city": rng.choice(list("abcdef")[:values], n),
            "age": rng.choice([17, 18, 40, 41, 90, 1000][:values], n),
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "same": np.repeat("x", n),
            "sex": rng.choice(list("fm"), n),
        }
    )
    table = Table(frame, quasi=list(frame), weights={"age": 2.5})
    region = rng.integers(draw(st.integers(1, 3)), size=n)
    region = np.unique(region, return_inverse=True)[1]
    space = Space(table)
    state = OpenRegions(space, region)
    return Regions(space, state.cells, state.begin, state.end), draw(st.integers(1, 4))


def width(space: Space, rows: np.ndarray) -> float:
    total = 0.0
    for axis, codes in zip(space.axes, space.codes, strict=True):
        mine = np.unique(codes[rows])
        nominal = (len(mine) - 1) / max(axis.size - 1, 1) * axis.weight
        total += nominal if axis.is_nominal else axis.positions[mine[-1]] - axis.positions[mine[0]]
    return total


def plain_cuts(regions: Regions, k: int) -> dict[tuple[int, int, int], float]:
    """Region, axis and code of every cut that leaves k rows on both sides, with the loss that remains."""
    found = {}
    for number in range(regions.count):
        rows = regions.some(np.array([number])).rows
        for axis, codes in enumerate(regions.space.codes):
            for code in np.unique(codes[rows])[:-1].tolist():
                left, right = rows[codes[rows] <= code], rows[codes[rows] > code]
                if min(len(left), len(right)) >= k:
                    loss = sum(len(side) * width(regions.space, side) for side in (left, right))
                    found[number, axis, code] = loss
    return found


@settings(max_examples=60)
@given(regions_of_tables())
def test_every_cut_has_the_loss_of_its_two_sides(case):
    regions, k = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cutting_by_loss, "LOOKAHEAD", 0)
        cuts = LossCuts(regions.space)
        owner, axis, code, loss = cuts.scored(regions, k)
        best = cuts.best(regions, k)
    expected = plain_cuts(regions, k)
    keys = list(zip(owner.tolist(), axis.tolist(), code.tolist(), strict=True))
    assert sorted(keys) == sorted(expected)
    assert np.allclose(loss, [expected[key] for key in keys], rtol=0, atol=1e-9)
    firsts = {key[0]: key[1:] for key in reversed(keys)}
    chosen = {number: (int(a), int(c)) for number, (a, c) in enumerate(zip(*best, strict=True)) if a >= 0}
    assert chosen == firsts


@st.composite
def halves(draw):
    """A region whose widths are sums of powers of two, so that plain arithmetic gives the same doubles."""
    n, rng = draw(st.integers(4, 24)), np.random.default_rng(draw(st.integers(0, 10_000)))
    domain = pd.DataFrame({"a": range(9), "b": np.arange(9) % 5, "c": np.arange(9) % 3, "d": np.arange(9) % 2})
    rows = pd.DataFrame({name: rng.choice(domain[name].unique(), n) for name in domain}).astype({"c": str, "d": str})
    frame = pd.concat([rows, domain.astype({"c": str, "d": str})])
    state = OpenRegions(space := Space(Table(frame, quasi=list(frame)).take(np.arange(n))))
    return Regions(space, state.cells, state.begin, state.end), draw(st.integers(1, 4))


def loss_of_greedy_cuts(space: Space, rows: np.ndarray, k: int) -> float:
    """Cut where the least loss remains, ties on the first axis and the largest value, as long as k rows remain."""
    options = []
    for axis, codes in enumerate(space.codes):
        for code in np.unique(codes[rows])[:-1].tolist():
            sides = rows[codes[rows] <= code], rows[codes[rows] > code]
            if min(map(len, sides)) >= k:
                options.append((sum(len(side) * width(space, side) for side in sides), axis, -code, sides))
    if not options:
        return len(rows) * width(space, rows)
    return sum(loss_of_greedy_cuts(space, side, k) for side in min(options, key=lambda each: each[:3])[3])


@settings(max_examples=60)
@given(halves())
def test_small_regions_look_at_the_cuts_that_follow(case):
    regions, k = case
    cuts = LossCuts(regions.space).cuts(regions, k, lookahead=len(regions.rows), best=False)
    scored = list(zip(*(each.tolist() for each in cuts), strict=True))
    after = plain_cuts(regions, k)
    assert {(region, axis, code) for region, axis, code, _ in scored} == set(after)
    tried = sorted(after, key=lambda cut: (after[cut], cut[1], -cut[2]))[: _cutting_by_loss.TRIED]
    for _, axis, code, loss in scored:
        expected = after[0, axis, code]
        if (0, axis, code) in tried:
            right = regions.space.codes[axis] > code
            sides = np.flatnonzero(~right), np.flatnonzero(right)
            expected = sum(loss_of_greedy_cuts(regions.space, side, k) for side in sides)
        assert loss == pytest.approx(expected, abs=1e-12)


def test_rows_that_repeat_count_as_often_as_they_occur():
    frame = pd.DataFrame({"age": [20] * 500 + [30] * 500 + [70], "sex": ["f", "m"] * 500 + ["f"]})
    release = Mondrian(k=2, cut="loss").anonymize(Table(frame, quasi=["age", "sex"]))
    assert sorted(release.group_sizes.tolist()) == [250, 250, 250, 251]
