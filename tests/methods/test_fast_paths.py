"""What is compiled for large tables gives the very groups of the plain code for small ones; ties are frequent here."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Hierarchy, Table, load
from anonnb.methods import GCCG, KACA, M3AR, Forest
from anonnb.methods.cells import forest
from anonnb.methods.cells._growing import grow_by_buckets
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.clustering import clustering, distortion
from anonnb.methods.migration import exchanges

PLACES = {"Ulm": ["south", "*"], "Augsburg": ["south", "*"], "Kiel": ["north", "*"], "Bremen": ["north", "*"]}


@st.composite
def tables(draw):
    """Few values, so that many distances are equal; a number, an order, a hierarchy and plain categories."""
    n, seed = draw(st.integers(12, 90)), draw(st.integers(0, 10_000))
    rng, few = np.random.default_rng(seed), draw(st.integers(2, 5))
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 20 + 3 * few, n),
            "place": rng.choice(list(PLACES), n),
            "job": rng.choice(list("abcde")[:few], n),
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "ill": rng.choice(["no", "flu"], n),
        }
    )
    weights = {"job": 0.3} if draw(st.booleans()) else None
    hierarchies = {"place": Hierarchy.from_dict(PLACES)}
    quasi = ["age", "place", "job", "size"]
    return Table(frame, quasi=quasi, sensitive=["ill"], hierarchies=hierarchies, weights=weights)


def with_and_without(module, method, table):
    """The release of the plain code, and that of the compiled one."""
    plain = method.anonymize(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PLAIN", 0)
        return plain, method.anonymize(table)


@pytest.mark.parametrize(
    ("module", "cls"),
    [(forest, Forest), (clustering, GCCG), (distortion, KACA), (exchanges, M3AR)],
    ids=["Forest", "GCCG", "KACA", "M3AR"],
)
@settings(max_examples=30, deadline=None)
@given(table=tables(), k=st.integers(2, 5))
def test_the_compiled_code_publishes_the_same(module, cls, table, k):
    plain, fast = with_and_without(module, cls(k=k), table)
    assert (plain.groups == fast.groups).all()
    pd.testing.assert_frame_equal(plain.frame, fast.frame)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), st.integers(1, 14), st.integers(1, 4), st.integers(2, 6), st.integers(0, 10_000))
def test_trees_grow_alike_by_buckets_and_by_all_distances(n, columns, values, k, seed):
    """Also where rows have no near one, or columns are too many for buckets."""
    cells = np.random.default_rng(seed).integers(0, values, (n, columns))
    table = Table(pd.DataFrame(cells, columns=[f"c{number}" for number in range(columns)]).astype(str))
    held = Cells(table.with_roles(quasi=list(table.columns)))
    k = min(k, n)
    target, weight = forest.grow(held, k)
    fast, found = grow_by_buckets(held.codes, k)
    assert fast.tolist() == target.tolist()
    assert found == weight


def test_a_row_without_a_near_one_is_compared_with_all():
    codes = np.array([[0, 0, 1, 2], [0, 0, 1, 2], [0, 0, 1, 2], [0, 0, 1, 2]])
    target, weight = grow_by_buckets(codes, 2)
    assert target.tolist() == [1, -1, 0, 0]
    assert weight == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "method"),
    [(clustering, GCCG(k=3)), (distortion, KACA(k=5)), (exchanges, M3AR(k=3))],
    ids=["GCCG", "KACA", "M3AR"],
)
def test_real_rows_too(module, method):
    plain, fast = with_and_without(module, method, load("adult").take(range(1_500)))
    assert (plain.groups == fast.groups).all()
