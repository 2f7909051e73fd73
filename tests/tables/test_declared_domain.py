"""Declared domains: what people may write, and that it stays with a column."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Hierarchy, Table
from anonnb.tables import datasets
from anonnb.tables.declared_domain import DeclaredDomain

FRAME = pd.DataFrame({"age": [20, 44, 44], "sex": ["f", "m", "f"], "risk": ["low", "high", "low"]})


def test_values_edges_and_whole_numbers():
    table = Table(
        FRAME, domains={"age": [0, 18, 65, 120], "sex": ["f", "m", None]}, orders={"risk": ["low", "mid", "high"]}
    )
    assert table.attributes["age"].declared == DeclaredDomain(edges=(0, 18, 65, 120))
    assert table.attributes["sex"].declared == DeclaredDomain(values=("f", "m"), missing=True)
    assert table.attributes["risk"].declared.values == ("low", "mid", "high"), "an order declares"
    ages = Table(FRAME, domains={"age": range(18, 91)}).attributes["age"]
    assert len(ages.declared.values) == 73
    assert Table(FRAME, domains={"age": "18..90"}).attributes["age"].declared == ages.declared
    assert ages.labels == ["20", "44"], "the column itself has the values that occur"


def test_categories_are_not_declared_as_pandas_takes_them_from_the_data():
    table = Table(FRAME.assign(risk=FRAME["risk"].astype("category").cat.as_ordered()))
    assert table.attributes["risk"].kind == "ordinal"
    assert table.attributes["risk"].declared is None


def test_parts_and_recoded_tables_keep_it():
    table = Table(FRAME, domains={"age": [0, 18, 65, 120], "risk": ["low", "high"]})
    for other in (table.take([0]), table.select(["age"]), table.with_hierarchies(age=Hierarchy.intervals(10))):
        assert other.attributes["age"].declared.edges == (0, 18, 65, 120)
    assert table.recoded(kinds={"age": "nominal"}).attributes["age"].declared is None
    assert table.recoded(domains={"age": [0, 99]}).attributes["age"].declared.edges == (0, 99)
    ordinal = table.recoded(orders={"risk": ["low", "mid", "high"]})
    assert ordinal.attributes["risk"].declared.values == ("low", "mid", "high")
    again = ordinal.with_hierarchies(risk=Hierarchy.flat())
    assert again.attributes["risk"].declared.values == ("low", "mid", "high")


@pytest.mark.parametrize(
    ("domains", "words"),
    [
        ({"sex": ["f"]}, "column 'sex' holds 'm', which its domain lacks"),
        ({"age": [0, 30]}, "column 'age' holds '44', which its domain lacks"),
        ({"age": range(18, 30)}, "column 'age' holds '44'"),
        ({"age": [0]}, "two or more rising"),
        ({"age": [30, 0]}, "two or more rising"),
        ({"age": [0, np.inf]}, "two or more rising"),
        ({"age": ["young", "old"]}, "make it nominal to list values"),
        ({"sex": []}, "'sex' has no value"),
        ({"sex": ["f", "m", "f"]}, "'f' twice"),
        ({"sex": "fm"}, "needs a list of values"),
        ({"height": [1, 2]}, "height"),
    ],
)
def test_what_is_no_domain_is_refused_in_a_sentence(domains, words):
    with pytest.raises((ValueError, TypeError, KeyError), match=words):
        Table(FRAME, domains=domains)


def test_dates_have_no_edges():
    with pytest.raises(ValueError, match="'day' holds dates"):
        Table(pd.DataFrame({"day": pd.to_datetime(["2020-01-01"])}), domains={"day": [2000, 2030]})


@pytest.mark.parametrize("name", datasets.names())
def test_every_column_with_a_role_of_a_shipped_table_has_a_domain(name):
    table = datasets.load(name)
    for column in {*table.quasi, *table.sensitive, table.decision} - {None}:
        attribute = table.attributes[column]
        listed = attribute.hierarchy is not None and attribute.hierarchy.values is not None
        assert attribute.declared is not None or listed, column
