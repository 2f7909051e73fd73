import itertools
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Infeasible, Table, privacy, utility
from anonnb.methods.lattice import frequencies as _frequencies
from anonnb.methods.lattice.frequencies import Frequencies
from anonnb.methods.lattice.full_domain import FullDomain
from anonnb.methods.lattice.incognito import Incognito
from anonnb.methods.lattice.monotone import is_monotone
from anonnb.methods.lattice.samarati import Samarati
from anonnb.methods.lattice.searching import suppression_limit
from anonnb.privacy import AlphaK, KAnonymity, LDiversity, Model, TCloseness
from tests.methods.lattice.lattices import release_of, scan, tables

REQUIREMENTS = [(), (LDiversity(2),), (LDiversity(1.5, "entropy"),), (TCloseness(0.4),), (AlphaK(0.7, 2),)]
MEASURES = {
    "discernibility": lambda table, release: utility.discernibility(table, release, k=1),
    "ncp": utility.ncp,
    "precision": lambda table, release: 1 - utility.precision(table, release),
}


@settings(max_examples=25)
@given(tables())
def test_rolled_up_counts_equal_counted_rows(table):
    frequencies = Frequencies(table)
    nodes = list(frequencies.lattice)
    for node in [*nodes[::-1], *nodes]:  # downward first: every source has to be made on the way
        groups, n_groups = frequencies.classes_of_rows(node)
        assert sorted(frequencies.at(node).counts) == sorted(np.bincount(groups, minlength=n_groups))


def test_long_keys_give_the_same_counts(monkeypatch):
    table = anonnb.load("survey")
    plain = [sorted(Frequencies(table).at(node).counts) for node in Frequencies(table).lattice]
    monkeypatch.setattr(_frequencies, "KEY_ROOM", 4)  # a key per column
    split = Frequencies(table)
    assert split.finest.keys.shape[0] == 3
    assert [sorted(split.at(node).counts) for node in split.lattice] == plain


def test_a_small_cache_gives_the_same_counts(monkeypatch):
    table = anonnb.load("survey")
    plain = [sorted(Frequencies(table).at(node).counts) for node in Frequencies(table).lattice]
    monkeypatch.setattr(_frequencies, "CACHED_TUPLES", 1)
    tight = Frequencies(table)
    assert [sorted(tight.at(node).counts) for node in tight.lattice] == plain


@pytest.mark.slow
@settings(max_examples=60)
@given(tables(), st.integers(1, 6), st.integers(0, 5), st.sampled_from(REQUIREMENTS), st.sampled_from(list(MEASURES)))
def test_best_node_equals_a_full_scan(table, k, limit, require, measure):
    # what is withheld changes what relative models compare with, which the scan by hand does not follow
    assume(limit == 0 or not any(getattr(model, "relative", False) for model in require))
    method = FullDomain(k=k, max_suppressed=limit, require=require, measure=measure)
    passing = scan(table, k, limit, require)
    if not passing:
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    info = release.info
    assert tuple(info["node"].values()) in passing
    assert info["proved"]
    assert info["suppressed"] == release.n_suppressed <= limit
    assert info["loss"] == pytest.approx(MEASURES[measure](table, release))
    costs = [MEASURES[measure](table, release_of(table, node, k, require)) for node in passing]
    assert info["loss"] == pytest.approx(min(costs))


def test_adult_optimum_without_suppression_is_the_cheapest_minimal_node():
    table = anonnb.load("adult")
    release = FullDomain(k=10, max_suppressed=0).anonymize(table)
    assert release.info["proved"]
    assert release.info["lattice"] == 15360
    assert privacy.k(release) >= 10
    assert len(release.info["checked"]) < 500  # predictive tagging: the rest of the lattice is never counted


def test_by_default_a_user_of_arx_finds_what_they_expect():
    """Adult at k = 5: least NCP and 5 % suppressed; neither alone does it."""
    table = anonnb.load("adult")
    strict, usual = {"max_suppressed": 0}, FullDomain(k=5)
    losses = [
        round(utility.ncp(table, method.anonymize(table)), 3)
        for method in (usual, replace(usual, **strict), replace(usual, measure="discernibility"))
    ]
    assert losses == [0.243, 0.639, 0.662]
    assert FullDomain(k=5).anonymize(table).n_suppressed <= len(table) / 20


@pytest.mark.slow
def test_a_time_limit_gives_an_honest_bound():
    table = anonnb.load("adult")
    exact = FullDomain(k=10, max_suppressed=0.02).anonymize(table).info
    for limit in (1e-6, 0.05):
        release = FullDomain(k=10, max_suppressed=0.02, time_limit=limit).anonymize(table)
        assert release.info["bound"] <= exact["loss"] <= release.info["loss"]
        assert release.info["proved"] == (release.info["bound"] == release.info["loss"])
        assert privacy.k(release) >= 10


def test_too_many_columns_are_refused_with_a_way_out():
    frame = pd.DataFrame({f"c{place}": [0, 1, 1] for place in range(60)})
    table = Table(frame, quasi=list(frame), hierarchies={name: Hierarchy.flat() for name in frame})
    with pytest.raises(Infeasible, match=r"1,152,921,504,606,846,976 nodes.*Mondrian"):
        FullDomain(k=2).anonymize(table)


def test_default_hierarchies_are_announced():
    table = Table(pd.DataFrame({"a": list("ppqqqr")}), quasi=["a"])
    with pytest.warns(UserWarning, match="column 'a' has no hierarchy"):
        FullDomain(k=3).anonymize(table)


@pytest.mark.parametrize("method", [FullDomain(k=2), Incognito(k=2), Samarati(k=2)], ids=str)
def test_what_costs_nothing_stays(method):
    """A constant loses nothing at the top, and is shown as it is all the same."""
    table = Table(pd.DataFrame({"a": ["x"] * 4, "b": ["y"] * 4}), quasi=["a", "b"])
    assert set(method.anonymize(table).info["node"].values()) == {0}


def test_a_top_that_is_not_one_label_can_be_infeasible():
    bound = Hierarchy.from_dict({"p": "P", "q": "P", "r": "R"})
    table = Table(pd.DataFrame({"a": list("ppqqqr")}), quasi=["a"], hierarchies={"a": bound})
    with pytest.raises(Infeasible, match="suppress 1 of 6 rows, 0 are allowed") as caught:
        FullDomain(k=2).anonymize(table)
    assert caught.value.best == 1
    assert FullDomain(k=2, max_suppressed=1).anonymize(table).n_suppressed == 1


class Fickle(Model):
    """Not monotone at all: only classes of an even number of rows are good."""

    def checker(self, table):
        return lambda groups, n_groups, rows: np.bincount(groups, minlength=n_groups) % 2 == 0


@pytest.mark.slow
@settings(max_examples=60)
@given(tables(), st.integers(1, 4), st.integers(0, 4))
def test_a_model_that_is_not_monotone_is_not_used_for_tagging(table, k, limit):
    passing = scan(table, k, limit, (Fickle(),))
    method = FullDomain(k=k, max_suppressed=limit, require=[Fickle()], measure="discernibility")
    if not passing:
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    costs = [int((sizes**2).sum()) + len(table) * gone for gone, sizes in passing.values()]
    assert release.info["loss"] == min(costs)
    assert (release.group_sizes % 2 == 0).all()


MODELS = [
    KAnonymity(3),
    LDiversity(2),
    LDiversity(1.5, "entropy"),
    LDiversity(2, "recursive", c=2),
    LDiversity(1.5, "frequency"),
    TCloseness(0.3),
    TCloseness(0.3, "ordered"),
    AlphaK(0.6, 2),
    privacy.DeltaDisclosure(1.0),
    privacy.BetaLikeness(0.5),
    privacy.BetaLikeness(0.5, "enhanced"),
]


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(max_examples=12)
@given(table=tables(max_rows=12), suppressing=st.booleans())
def test_models_called_monotone_are(model, table, suppressing):
    """The rows that miss a monotone model never grow upward (with suppression), passing stays passing (without)."""
    if not is_monotone(model, suppressing=suppressing):
        return
    gone = {node: gone for node, (gone, _) in scan(table, 1, len(table) if suppressing else 0, (model,)).items()}
    with_top = {node: gone.get(node, len(table)) for node in _all_nodes(table)}
    for node, other in itertools.product(with_top, repeat=2):
        if all(a <= b for a, b in zip(node, other, strict=True)):
            assert with_top[other] <= with_top[node]


def _all_nodes(table):
    return itertools.product(*(range(table.attributes[name].levels.height + 1) for name in table.quasi))


@pytest.mark.parametrize("bad", [-1, 1.0, 1.5, -0.1, float("nan")])
def test_bad_limits(bad):
    with pytest.raises(ValueError, match="max_suppressed must be"):
        FullDomain(k=2, max_suppressed=bad)


def test_a_share_is_rounded_down_but_not_below_itself():
    assert suppression_limit(0.1, 30) == 3
    assert suppression_limit(0.29, 100) == 29
    assert suppression_limit(0, 10) == 0


def test_two_calls_share_nothing():
    table = anonnb.load("survey")
    first = FullDomain(k=4).anonymize(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        second = FullDomain(k=4).anonymize(table)
    assert first.info["checked"] == second.info["checked"]
    assert first.info["checked"] is not second.info["checked"]
    pd.testing.assert_frame_equal(first.frame, second.frame)


# ---- what people read beside what was minimized -----------------------------------------------------------------


def test_a_release_names_its_levels_and_what_was_minimized():
    table = anonnb.load("survey")
    for method, minimized in [
        (FullDomain(k=4, measure="discernibility"), "discernibility"),
        (Incognito(k=4), "ncp"),
        (Incognito(k=4, choose=lambda table, release: release.n_suppressed), "<lambda>"),
        (Samarati(k=4, prefer="relative"), "the sum of levels, then by relative"),
    ]:
        release = method.anonymize(table)
        levels, what = release.told()
        assert what.startswith(f"minimized: {minimized}")
        for name, level in release.info["node"].items():
            assert f"{name} {level} of {table.attributes[name].levels.height}" in levels
