"""What the sets of a column say in all, with and without the matrix of what each says."""

import numpy as np
import pandas as pd
import pytest

from anonnb.attacks.matching.shares import said_in_all
from anonnb.tables.encoding import encode
from anonnb.tables.value_sets import ValueSets
from anonnb.tables.value_sets.sets import what_sets_say

SIZE = 11


@pytest.mark.parametrize("with_gaps", [0, 25, 50])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("counted", [False, True])
def test_what_many_sets_say_is_what_each_says(monkeypatch, missing, counted, with_gaps):
    values = pd.Series([*range(SIZE - missing), *[None] * missing], name="x", dtype="Int64")
    attribute = encode(values, kind="nominal")[0]
    draw = np.random.default_rng(3)
    flags = draw.random((50, SIZE)) < 0.4
    flags[:, 4] = True
    flags[: 50 - with_gaps] = np.arange(SIZE) < 7
    sets, rows = ValueSets.from_masks(attribute, flags), draw.integers(0, 9, 50)
    plainly = rows @ what_sets_say(sets, counted)
    monkeypatch.setattr("anonnb.attacks.matching.shares.CELLS", 40)
    assert said_in_all(sets, rows, counted) == pytest.approx(plainly)
