"""What the tests of attacks share."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.tables.value_sets import Column


@pytest.fixture(scope="module")
def clinic():
    """Six people in two published classes: ages 20–29 (flu, flu, flu) and 40–49 (flu, cold, cold)."""
    frame = pd.DataFrame(
        {
            "name": list("abcdef"),
            "age": [21, 22, 29, 41, 45, 49],
            "ill": ["flu", "flu", "flu", "flu", "cold", "cold"],
            "cost": [10, 11, 12, 10, 90, 100],
        }
    )
    table = Table(frame, identifier=["name"], quasi=["age"], sensitive=["ill", "cost"])
    groups = np.array([0, 0, 0, 1, 1, 1])
    column = Column.of_groups(table.attributes["age"], table.codes("age"), groups, 2)
    return table, Release(table, {"age": column}, np.arange(6))
