import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Infeasible, Table, utility
from anonnb.methods.lattice.full_domain import FullDomain
from anonnb.methods.lattice.incognito import Incognito
from anonnb.privacy import LDiversity, TCloseness
from tests.methods.lattice.lattices import minimal, scan, tables


def test_the_chapters_example():
    table = anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])
    info = Incognito(k=12, max_suppressed=0).anonymize(table).info
    married, sex, both = info["subsets"]
    assert (married["checked"], married["passing"]) == (1, 3)  # M0 holds, so M1 and M2 are not checked
    assert (sex["checked"], sex["passing"]) == (2, 1)  # S0 fails alone
    assert (both["candidates"], both["checked"], both["passing"]) == (3, 1, 3)
    assert info["passing"] == [(0, 1), (1, 1), (2, 1)]
    assert info["minimal"] == [(0, 1)]
    assert info["node"] == {"Marital_status": 0, "Sex": 1}


@pytest.mark.slow
@settings(max_examples=60)
@given(tables(), st.integers(1, 6), st.integers(0, 4), st.sampled_from([(), (LDiversity(2),), (TCloseness(0.4),)]))
def test_the_passing_nodes_equal_a_full_scan(table, k, limit, require):
    passing = scan(table, k, limit, require)
    method = Incognito(k=k, max_suppressed=limit, require=require, choose="discernibility")
    if not passing:
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    assert release.info["passing"] == sorted(passing, key=lambda node: (sum(node), node))
    assert set(release.info["minimal"]) == set(minimal(passing))
    costs = [int((sizes**2).sum()) + len(table) * gone for gone, sizes in passing.values()]
    assert release.info["loss"] == min(costs) == utility.discernibility(table, release)


@pytest.mark.parametrize(
    ("measure", "sign"),
    [("average_class_size", 1), ("entropy_loss", 1), ("classification_metric", 1), ("truthfulness", -1)],
)
def test_any_measure_can_choose(measure, sign):
    table = anonnb.load("survey")
    release = Incognito(k=4, max_suppressed=4, choose=measure).anonymize(table)
    assert release.info["loss"] == pytest.approx(sign * getattr(utility, measure)(table, release))
    by_function = Incognito(k=4, max_suppressed=4, choose=lambda t, r: sign * getattr(utility, measure)(t, r))
    assert by_function.anonymize(table).info["node"] == release.info["node"]


def test_adult_has_all_nodes_decided_and_the_same_optimum():
    table = anonnb.load("adult")
    info = Incognito(k=10).anonymize(table).info
    best = FullDomain(k=10).anonymize(table).info
    assert (info["node"], info["loss"]) == (best["node"], best["loss"])
    assert len(info["subsets"]) == 2**8 - 1
    assert len(info["minimal"]) < len(info["passing"])


def test_too_many_subsets_are_refused_with_a_way_out():
    frame = pd.DataFrame({f"c{place}": [0, 1, 1] for place in range(18)})
    table = Table(frame, quasi=list(frame), hierarchies={name: Hierarchy.flat() for name in frame})
    with pytest.raises(Infeasible, match=r"387,420,489 nodes.*FullDomain"):
        Incognito(k=2).anonymize(table)


def test_bad_choices_are_named():
    with pytest.raises(TypeError, match="choose"):
        Incognito(k=2, choose=3)
