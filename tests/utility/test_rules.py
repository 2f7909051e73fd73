"""Lost and new rules as shares of the table's rules."""

import numpy as np
import pandas as pd

from anonnb import Release, Table
from anonnb.tables.value_sets import Column
from anonnb.utility import lost_rules, new_rules

TABLE = Table(pd.DataFrame({"age": [20, 20, 20, 30], "ill": ["flu"] * 4}), quasi=["age"])


def test_a_table_loses_nothing_against_itself():
    assert lost_rules(TABLE, TABLE) == new_rules(TABLE, Release.of(TABLE)) == 0


def test_generalized_values_lose_the_rules_about_them():
    age = TABLE.attributes["age"]
    suppressed = Release(TABLE, {"age": Column.from_spans(age, [0] * 4, [1] * 4)}, np.arange(4))
    assert lost_rules(TABLE, suppressed) == 1  # age=20 <-> ill=flu, both ways
    assert new_rules(TABLE, suppressed) == 0  # a suppressed cell is no item


def test_without_rules_nothing_is_lost_and_new_ones_are_counted():
    before = Table(pd.DataFrame({"a": list("wxyz"), "b": list("pqrs")}))
    after = Table(pd.DataFrame({"a": list("xxxx"), "b": list("pppp")}))
    assert lost_rules(before, after) == 0
    assert new_rules(before, after) == 2
