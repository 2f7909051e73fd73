"""Weights and limits of columns, honoured by every method that generalizes; recounted from the published cells."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Hierarchy, Infeasible, Table, load, methods, utility
from anonnb.methods import GCCG, OKA, Forest, FullDomain, KOptimize, Mondrian, Samarati, TopDown

KEEPING = [cls for cls in methods.all().values() if cls.keeps_limits]
PLACES = Hierarchy.from_nested({"north": {"ab": ["a", "b"], "cd": ["c", "d"]}, "south": {"ef": ["e", "f"]}})


def people(rows: int, seed: int, **options) -> Table:
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": draw.integers(0, 40, rows),
            "place": draw.choice(list("abcdef"), rows),
            "ill": draw.choice(["yes", "no"], rows),
        }
    )
    hierarchies = {"age": Hierarchy.intervals(5, 10, 20), "place": PLACES}
    return Table(frame, quasi=["age", "place"], decision="ill", hierarchies=hierarchies, **options)


def published(method, table: Table):
    """The release, or None where the method says that the limits leave none."""
    try:
        return method.anonymize(table)
    except Infeasible as error:
        if "limit" not in str(error):
            raise
        return None


@settings(max_examples=40)
@given(st.sampled_from(KEEPING), st.integers(2, 4), st.integers(0, 3), st.integers(0, 3), st.integers(0, 99))
def test_no_cell_is_above_its_limit(method, k, age, place, seed):
    table = people(40, seed, limits={"age": age, "place": place})
    release = published(method(k=k), table)
    if release is None:
        return
    shown = release.frame
    assert shown.groupby(["age", "place"]).size().min() >= k
    for name, limit in table.limits.items():
        labels, column = table.attributes[name].levels.maps[limit], release.columns[name]
        for number in np.unique(column.index):
            assert len(np.unique(labels[column.sets.mask(number)])) == 1
        assert column.holds(table.codes(name)[release.rows]).all()


@pytest.mark.parametrize("name", [name for name, cls in methods.all().items() if cls.publishes == "table"])
def test_every_method_keeps_to_the_limits_or_refuses(name):
    table, cls = load("survey").with_limits(Marital_status=1), methods.get(name)
    options = {"k": 2} if "k" in cls.constraints() else {}
    if cls.truthful and not cls.keeps_limits:
        with pytest.raises(
            ValueError, match=r"cannot keep to the limit of column 'Marital_status'|boolean columns only"
        ):
            cls(**options).anonymize(table)
        return
    release = cls(**options).anonymize(table)
    column, top = release.columns["Marital_status"], table.attributes["Marital_status"].levels.maps[1]
    assert all(len(np.unique(top[column.sets.mask(number)])) == 1 for number in np.unique(column.index))


def test_parts_that_are_too_small_are_withheld_and_told():
    frame = pd.DataFrame({"place": list("aaaabbbbe"), "age": range(9)})
    table = Table(frame, quasi=["place", "age"], hierarchies={"place": PLACES}, limits={"place": 1})
    release = Mondrian(k=2).anonymize(table)
    assert release.n_suppressed == 1
    assert "1 of them, with 1 rows, were withheld" in release.info["note"]
    with pytest.raises(Infeasible, match="none of which can be published"):
        Mondrian(k=9).anonymize(table)


def test_means_are_single_values_which_no_limit_forbids():
    table = people(40, 1, limits={"age": 0})
    release = Mondrian(k=4, summary="mean").anonymize(table)
    assert len(release) == 40
    assert (release.columns["age"].sizes == 1).all()


def test_weights_and_limits_travel_with_the_table():
    table = people(30, 0, weights={"age": 3}, limits={"place": 1})
    for other in (
        table.take(np.arange(5)),
        table.select(["age", "place"]),
        table.with_roles(decision=None),
        table.recoded(hierarchies={"age": Hierarchy.intervals(10, 20)}),
        pickle.loads(pickle.dumps(table)),
        people(30, 0).with_weights(age=3).with_limits(place=1),
    ):
        assert (other.weights, other.limits) == ({"age": 3.0}, {"place": 1})
    assert (people(5, 0).weights, people(5, 0).limits) == ({}, {})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"weights": {"age": 0}}, "column 'age' needs a positive number"),
        ({"weights": {"age": True}}, "column 'age' needs a positive number"),
        ({"limits": {"age": 9}}, "column 'age' has levels 0 to 4; 9 is none of them"),
        ({"limits": {"ill": 1}}, "column 'ill' has no hierarchy"),
    ],
)
def test_bad_weights_and_limits(options, said):
    with pytest.raises(ValueError, match=said):
        people(10, 0, **options)
    with pytest.raises(KeyError, match="there is no column 'zip'"):
        people(10, 0, limits={"zip": 1})


def test_ncp_is_the_weighted_mean_of_its_columns():
    plain, heavy = people(60, 2), people(60, 2, weights={"age": 3})
    release = Mondrian(k=5).anonymize(plain)
    each = utility.ncp(plain, release, per="column")
    assert utility.ncp(heavy, release) == pytest.approx((3 * each["age"] + each["place"]) / 4)
    assert utility.ncp(heavy, release, per="row").mean() == pytest.approx(utility.ncp(heavy, release))


@pytest.mark.parametrize(
    "method", [FullDomain(k=5, measure="ncp"), Mondrian(k=5), Mondrian(k=5, cut="loss"), OKA(k=5), GCCG(k=5)]
)
def test_a_heavy_column_keeps_more(method):
    lost = {}
    for name in ("age", "place"):
        table = people(200, 5, weights={name: 20})
        lost[name] = utility.ncp(table, method.anonymize(table), per="column")
    assert lost["age"]["age"] <= lost["place"]["age"]
    assert lost["place"]["place"] <= lost["age"]["place"]
    assert lost["age"].to_dict() != lost["place"].to_dict()


def test_the_optimum_counts_weights():
    table = people(60, 3, weights={"age": 7})
    info = FullDomain(k=4, measure="ncp").anonymize(table).info
    assert info["loss"] == pytest.approx(utility.ncp(table, FullDomain(k=4, measure="ncp").anonymize(table)))
    losses = [
        utility.ncp(table, release)
        for release in (FullDomain(k=4).anonymize(table), Samarati(k=4).anonymize(table), TopDown(k=4).anonymize(table))
    ]
    assert info["loss"] <= min(losses[:2]) + 1e-12


def test_a_method_that_does_not_read_weights_says_so():
    with pytest.warns(UserWarning, match="Forest treats all columns alike"):
        Forest(k=2).anonymize(people(20, 0, weights={"age": 2}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Mondrian(k=2).anonymize(people(20, 0, weights={"age": 2}))
        KOptimize(k=2, time_limit=0.5).anonymize(people(20, 0))
