"""Cuts of large regions by loss: every cut and its loss beside a version that measures both sides of each by itself."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, load
from anonnb.methods import Mondrian
from anonnb.methods.mondrian import _cutting_by_loss
from anonnb.methods.mondrian._cutting_by_loss import LossCuts, cuts_of_regions
from anonnb.methods.mondrian.regions import Regions, Space


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
    return Regions(Space(table), np.arange(n), region, int(region.max()) + 1), draw(st.integers(1, 4))


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
        rows = np.flatnonzero(regions.region == number)
        for axis, codes in enumerate(regions.space.codes):
            for code in np.unique(codes[rows])[:-1].tolist():
                left, right = rows[codes[rows] <= code], rows[codes[rows] > code]
                if min(len(left), len(right)) >= k:
                    loss = sum(len(side) * width(regions.space, side) for side in (left, right))
                    found[number, axis, code] = loss
    return found


@settings(max_examples=60, deadline=None)
@given(regions_of_tables())
def test_every_cut_has_the_loss_of_its_two_sides(case):
    regions, k = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cutting_by_loss, "LOOKAHEAD", 0)  # so that all regions are large ones
        cuts = LossCuts(regions.space)
        owner, axis, code, loss = cuts._scored(regions, k)
        best = cuts.best(regions, k)
    expected = plain_cuts(regions, k)
    keys = list(zip(owner.tolist(), axis.tolist(), code.tolist(), strict=True))
    assert sorted(keys) == sorted(expected)
    assert np.allclose(loss, [expected[key] for key in keys], rtol=0, atol=1e-9)
    firsts = {key[0]: key[1:] for key in reversed(keys)}
    chosen = {number: (int(a), int(c)) for number, (a, c) in enumerate(zip(*best, strict=True)) if a >= 0}
    assert chosen == firsts


def test_sweeps_by_values_and_by_rows_agree_where_no_cut_can_follow():
    table = load("gbsg2")
    cuts, k, starts = LossCuts(Space(table)), 250, np.array([0, len(table)])  # no side holds twice k rows
    by_value = cuts_of_regions(cuts.grid, cuts.large, cuts.kind, starts, k, 0, False)
    by_row = cuts_of_regions(cuts.grid, cuts.large, cuts.kind, starts, k, len(table), False)
    assert len(by_value[0]) > 10
    assert all((one == other).all() for one, other in zip(by_value[:3], by_row[:3], strict=True))
    assert np.allclose(by_value[3], by_row[3], rtol=0, atol=1e-9)


def test_rows_that_repeat_count_as_often_as_they_occur():
    frame = pd.DataFrame({"age": [20] * 500 + [30] * 500 + [70], "sex": ["f", "m"] * 500 + ["f"]})
    release = Mondrian(k=2, cut="loss").anonymize(Table(frame, quasi=["age", "sex"]))
    assert sorted(release.group_sizes.tolist()) == [250, 250, 250, 251]
