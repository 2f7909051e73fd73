"""Rough sets: the paper's example, rows and labels of any kind; test_discernibility has every notion by definition."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load, roughsets
from anonnb.roughsets.relations import Containment
from anonnb.tables.value_sets import Column
from tests.roughsets.definitions import NAMES, random_data


def test_the_approximations_of_the_paper():
    table = load("decision6")
    high = roughsets.approximate(table, "high", ["occupation", "domicile"])
    assert table.index[high.lower].tolist() == ["o1", "o6"]
    assert table.index[high.upper].tolist() == ["o1", "o2", "o3", "o6"]
    assert table.index[high.boundary].tolist() == ["o2", "o3"]
    assert high.accuracy == 2 / 4
    assert high.quality == 2 / 3


@pytest.mark.parametrize("seed", range(1, 40, 2))
def test_without_a_decision_reducts_keep_rows_apart(seed):
    plain = random_data(seed).select(NAMES)
    kinds = roughsets.indiscernibility(plain)[1]
    for chosen in roughsets.reducts(plain):
        assert roughsets.indiscernibility(plain, chosen)[1] == kinds
        assert all(roughsets.indiscernibility(plain, [n for n in chosen if n != name])[1] < kinds for name in chosen)


def test_the_quality_of_hayes_roth_shows_its_contradictions():
    assert roughsets.quality(load("hayes-roth")) == 1 - 33 / 160


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
