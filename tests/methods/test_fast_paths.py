"""What is compiled for large tables gives the very groups of the plain code for small ones; ties are frequent here."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Hierarchy, Table, load
from anonnb.methods import GCCG, KACA, M3AR, OKA, Forest
from anonnb.methods.cells import forest
from anonnb.methods.cells._growing import grow_by_buckets
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.clustering import _trie, clustering, distortion
from anonnb.methods.migration import exchanges
from anonnb.privacy import LDiversity

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


@pytest.mark.slow
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


@settings(max_examples=15, deadline=None)
@given(table=tables(), k=st.integers(2, 4))
def test_kaca_publishes_the_same_where_a_model_is_required(table, k):
    """Then groups unite one by one, each through a search of its own."""
    plain, fast = with_and_without(distortion, KACA(k=k, require=[LDiversity(2)]), with_both_secrets(table))
    assert (plain.groups == fast.groups).all()


def with_both_secrets(table):
    frame = table.frame.assign(ill=["no", "flu"] * (len(table) // 2) + ["no"] * (len(table) % 2))
    return Table(frame, quasi=table.quasi, sensitive=["ill"])


@settings(max_examples=25, deadline=None)
@given(table=tables(), k=st.integers(2, 5), seed=st.integers(0, 3), numbers=st.booleans())
def test_oka_finds_the_cluster_that_a_look_at_all_finds(table, k, seed, numbers):
    """While steps are recorded every row looks at every cluster."""
    table = table.with_roles(quasi=["age"], sensitive=["ill"]) if numbers else table
    method = OKA(k=k, seed=seed)
    assert (list(method.steps(table))[-1].state.groups == method.anonymize(table).groups).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 4), st.integers(1, 5), st.integers(0, 10_000))
def test_a_trie_gives_what_is_within_a_limit(things, levels, values, seed):
    """Things come and go, some with new cells; each is found exactly where it is."""
    rng = np.random.default_rng(seed)
    trie = _trie.empty_trie(rng.integers(0, values, (things, levels)))
    search, held = _trie.new_search([values] * levels), set()
    loops = _trie.insert, _trie.remove, _trie.begin, _trie.next_things, _trie.likely_thing
    insert, remove, begin, next_things, likely_thing = (loop.py_func for loop in loops)  # Python cannot call the loops
    for thing in rng.integers(0, things, 3 * things).tolist():
        if thing in held:
            remove(trie, thing)
            trie.cells[thing] = rng.integers(0, values, levels)
        else:
            insert(trie, thing)
        held ^= {thing}
        search.low[:] = rng.integers(0, 3, search.low.shape)
        limit, found = float(rng.integers(0, 2 * levels)), []
        begin(trie, search)
        while (first := next_things(trie, search, limit)) >= 0:
            while first >= 0:
                found.append(first)
                first = trie.following[first]
        sums = search.low[np.arange(levels), trie.cells].sum(axis=1)
        assert sorted(found) == [other for other in sorted(held) if sums[other] <= limit]
        assert (likely_thing(trie, search.low) in held) if held else likely_thing(trie, search.low) == -1


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
