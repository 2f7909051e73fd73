"""Which rows are related: sets that lie inside each other."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table
from anonnb.roughsets.relations import Containment
from anonnb.tables.value_sets import Column


@pytest.mark.parametrize("seed", range(5))
def test_a_set_lies_inside_another_as_python_has_it(seed):
    """Runs and sets with gaps, either inside the other; a second question is answered like the first."""
    rng = np.random.default_rng(seed)
    table = Table(pd.DataFrame({"a": list("uvwxyz")}))
    masks = rng.random((30, 6)) < rng.choice([0.3, 0.6, 0.9], (30, 1))
    masks[np.arange(30), rng.integers(0, 6, 30)] = True
    column, sets = Column.from_masks(table.attributes["a"], masks), [set(np.flatnonzero(mask)) for mask in masks]
    found = Containment(column)
    inner, outer = (part.ravel() for part in np.indices((30, 30)))
    expected = [sets[one] <= sets[other] for one, other in zip(inner, outer, strict=True)]
    assert found.pairs(inner, outer).tolist() == expected
    assert found.pairs(inner[:50], outer[:50]).tolist() == expected[:50]
    assert 30 < sum(expected) < 900
