import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table, load
from anonnb.methods import ClassMondrian, Mondrian


def test_every_region_has_one_decision_and_k_rows():
    table = load("car").with_roles(quasi=load("car").conditions)
    release = ClassMondrian(k=5).anonymize(table)
    decision = table.codes(table.decision)[release.rows]
    sizes = pd.Series(decision).groupby([release.groups, decision]).size()
    assert sizes.min() >= 5
    assert len(release) == len(table)


def test_equals_mondrian_run_on_each_class():
    table = load("survey")
    release = ClassMondrian(k=4).anonymize(table)
    for value in "YN":
        rows = np.flatnonzero((table["Hypertension"] == value).to_numpy())
        alone = Mondrian(k=4).anonymize(table.take(rows))
        together = release.frame.iloc[rows]
        for name in table.quasi:
            assert together[name].astype(str).tolist() == alone.frame[name].astype(str).tolist()


def test_relaxed_regions_equal_mondrian_run_on_each_class():
    table = load("hayes-roth")
    release = ClassMondrian(k=4, strict=False, summary="region").anonymize(table)
    decision = table.codes(table.decision)
    for value in np.unique(decision):
        rows = np.flatnonzero(decision == value)
        alone = Mondrian(k=4, strict=False, summary="region").anonymize(table.take(rows))
        for name in table.quasi:
            assert release.frame.iloc[rows][name].astype(str).tolist() == alone.frame[name].astype(str).tolist()


def test_small_classes_are_not_published():
    frame = pd.DataFrame({"x": range(7), "d": list("aaabbbc")})
    table = Table(frame, quasi="x", decision="d")
    release = ClassMondrian(k=2).anonymize(table)
    assert release.suppressed.tolist() == [6]
    assert release.frame["x"].tolist() == ["[0–2]"] * 3 + ["[3–5]"] * 3
    assert ClassMondrian(k=3, summary="mean").anonymize(table).frame["x"].tolist() == [1.0] * 3 + [4.0] * 3
    with pytest.raises(Infeasible, match="no class of 'd' can be published"):
        ClassMondrian(k=4).anonymize(table)


def test_needs_a_decision():
    table = Table(pd.DataFrame({"x": [1, 2]}), quasi="x")
    with pytest.raises(ValueError, match="needs a decision column"):
        ClassMondrian(k=2).anonymize(table)
    with pytest.raises(ValueError, match="summary='none' is not known"):
        ClassMondrian(k=2, summary="none")
