"""States are plain data that says what is wrong with it."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table
from anonnb.steps import Graph, RowGroups


def test_rows_in_no_group_keep_their_values():
    table = Table(pd.DataFrame({"age": [1, 2, 3, 4]}), quasi=["age"])
    groups = RowGroups(table, [1, -1, 1, -1])
    assert groups.release.frame["age"].tolist() == ["[1–3]", "2", "[1–3]", "4"]
    with pytest.raises(ValueError, match="3 rows, and the table has 4"):
        RowGroups(table, [0, 0, 0])


def test_a_state_is_a_copy():
    table, numbers = Table(pd.DataFrame({"age": [1, 2]}), quasi=["age"]), np.zeros(2, dtype=np.int64)
    groups = RowGroups(table, numbers)
    numbers[0] = 5
    assert groups.groups.tolist() == [0, 0]


def test_a_graph_names_what_is_wrong():
    with pytest.raises(ValueError, match="'done'; choose from open"):
        Graph.of({"a": (0, "done")})
    with pytest.raises(ValueError, match="'b', which is no node"):
        Graph.of({"a": (0, "open")}, [("a", "b")])
