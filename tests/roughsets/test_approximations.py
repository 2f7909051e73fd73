"""Rough sets: the paper's example, and every notion against its definition on random small tables and releases."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, load, roughsets

NAMES = ["a", "b", "c"]


@st.composite
def tables(draw):
    rows = draw(st.integers(1, 10))
    domains = {"a": ["x", "y"], "b": [1, 2, 3], "c": ["u", "v", None], "d": ["p", "q", "r"]}
    frame = pd.DataFrame(
        {name: [draw(st.sampled_from(values)) for _ in range(rows)] for name, values in domains.items()}
    )
    return Table(frame, decision="d")


@st.composite
def releases(draw):
    rows = draw(st.integers(1, 8))
    like = Table(
        pd.DataFrame({"a": list("xyzx"), "b": [1, 2, 3, 4], "d": list("pqrp")}), quasi=["a", "b"], decision="d"
    )
    spans = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda ends: f"[{min(ends)}-{max(ends)}]")
    cells = {
        "a": st.sampled_from(["x", "y", "z", "x|z", "y|z", "*"]),
        "b": spans,
        "d": st.sampled_from(["p", "q", "r", "p|q", "p|r"]),
    }
    return Release.from_frame(
        pd.DataFrame({name: [draw(values) for _ in range(rows)] for name, values in cells.items()}), like=like
    )


def sets_of(data):
    release = data if isinstance(data, Release) else Release.of(data)
    return {
        name: [frozenset(np.flatnonzero(mask).tolist()) for mask in column.sets.as_masks()[column.index]]
        for name, column in release.columns.items()
    }


def relatives(cells, row, names, relation):
    def related(one, other):
        return one == other if relation == "equal" else bool(one & other)

    return [r for r in range(len(cells["d"])) if all(related(cells[n][row], cells[n][r]) for n in names)]


def positive(cells, names, relation):
    rows = range(len(cells["d"]))
    unions = [frozenset().union(*(cells["d"][r] for r in relatives(cells, row, names, relation))) for row in rows]
    return {row for row in rows if len(unions[row]) == 1}


def test_the_approximations_of_the_paper():
    table = load("decision6")
    high = roughsets.approximate(table, "high", ["occupation", "domicile"])
    assert table.index[high.lower].tolist() == ["o1", "o6"]
    assert table.index[high.upper].tolist() == ["o1", "o2", "o3", "o6"]
    assert table.index[high.boundary].tolist() == ["o2", "o3"]
    assert high.accuracy == 2 / 4
    assert high.quality == 2 / 3


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["equal", "overlap"])
@given(data=st.one_of(tables(), releases()), size=st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_approximations_by_definition(relation, data, size):
    cells = sets_of(data)
    names = [name for name in cells if name != "d"][:size]
    attribute = (data if isinstance(data, Table) else data.table).attributes["d"]
    wanted = [attribute.domain[0]]
    rows = range(len(data))
    sure = {r for r in rows if cells["d"][r] <= {0}}
    possible = {r for r in rows if cells["d"][r] & {0}}
    found = roughsets.approximate(data, wanted, names, relation=relation)
    near = [set(relatives(cells, r, names, relation)) for r in rows]
    assert set(found.lower.tolist()) == {r for r in rows if near[r] <= sure}
    assert set(found.upper.tolist()) == {r for r in rows if near[r] & possible}
    assert set(found.lower.tolist()) <= set(found.upper.tolist())
    assert set(roughsets.positive_region(data, names, relation=relation).tolist()) == positive(cells, names, relation)


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["equal", "overlap"])
@given(data=st.one_of(tables(), releases()))
@settings(deadline=None, max_examples=60)
def test_core_and_reducts_by_definition(relation, data):
    cells = sets_of(data)
    names = [name for name in cells if name != "d"]
    whole = positive(cells, names, relation)
    enough = [
        set(chosen)
        for size in range(len(names) + 1)
        for chosen in combinations(names, size)
        if positive(cells, chosen, relation) == whole
    ]
    expected = [chosen for chosen in enough if not any(other < chosen for other in enough)]
    found = roughsets.reducts(data, relation=relation)
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    assert set(roughsets.reduct(data, relation=relation)) in expected
    assert set(roughsets.core(data, relation=relation)) == set(names).intersection(*expected)


@given(table=tables())
@settings(deadline=None, max_examples=40)
def test_without_a_decision_reducts_keep_rows_apart(table):
    plain = table.select(NAMES)
    kinds = roughsets.indiscernibility(plain)[1]
    for chosen in roughsets.reducts(plain):
        assert roughsets.indiscernibility(plain, chosen)[1] == kinds
        assert all(roughsets.indiscernibility(plain, [n for n in chosen if n != name])[1] < kinds for name in chosen)


def test_any_set_of_rows_can_be_approximated():
    found = roughsets.approximate(load("decision6"), attributes=["occupation"], rows=[3, 4, 0])
    assert found.lower.tolist() == [3, 4]
    assert found.upper.tolist() == list(range(6))
    assert found.quality == 2 / 3


def test_shortcuts_agree():
    table, names = load("zoo"), ["legs", "tail"]
    whole = roughsets.approximate(table, 1, names)
    assert roughsets.lower(table, 1, names).tolist() == whole.lower.tolist()
    assert roughsets.upper(table, 1, names).tolist() == whole.upper.tolist()
    assert roughsets.boundary(table, 1, names).tolist() == whole.boundary.tolist()


def test_the_quality_of_hayes_roth_shows_its_contradictions():
    assert roughsets.quality(load("hayes-roth")) == 1 - 33 / 160


def test_equal_sets_are_equal_whatever_their_labels():
    table = load("survey")
    frame = pd.DataFrame({name: ["*", "*"] for name in table.quasi} | {"Hypertension": ["Yes", "No"]})
    values = list(table.attributes["Hypertension"].domain)
    frame["Hypertension"] = values
    frame["Sex"] = ["*", "|".join(map(str, table.attributes["Sex"].domain))]
    release = Release.from_frame(frame, like=table)
    assert roughsets.indiscernibility(release)[1] == 1


@pytest.mark.parametrize(
    ("act", "error", "words"),
    [
        (lambda t: roughsets.approximate(t, "great"), ValueError, "no value 'great'"),
        (lambda t: roughsets.approximate(t), ValueError, "either a concept"),
        (lambda t: roughsets.approximate(t, rows=[6]), ValueError, "6 is not a row"),
        (lambda t: roughsets.approximate(t, "high", ["wealth"]), KeyError, "no column 'wealth'"),
        (lambda t: roughsets.quality(t, ["evaluation"]), ValueError, "is the decision"),
        (lambda t: roughsets.quality(t, relation="near"), ValueError, "'equal', 'overlap', 'inside'"),
        (lambda t: roughsets.approximate(t.select(["sex"]), "high"), ValueError, "no decision column"),
        (lambda t: roughsets.reducts(t, max_rows=3), ValueError, "use reduct for one"),
    ],
)
def test_bad_input_is_named(act, error, words):
    with pytest.raises(error, match=words):
        act(load("decision6"))


def test_too_many_partial_reducts_are_refused():
    """Twelve pairs of attributes, one of each needed: 2¹² reducts."""
    eye = np.eye(12, dtype=int)
    frame = pd.DataFrame(
        {f"a{i}": np.append(eye[i], 0) for i in range(12)} | {f"b{i}": np.append(eye[i], 0) for i in range(12)}
    )
    frame["d"] = [1] * 12 + [0]
    table = Table(frame, decision="d")
    assert len(roughsets.reducts(table)) == 2**12
    with pytest.raises(ValueError, match="limit=1,000"):
        roughsets.reducts(table, limit=1000)
    assert len(roughsets.reduct(table)) == 12
