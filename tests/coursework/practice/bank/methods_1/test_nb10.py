"""Notebook 10: what its exercises expect equals Samarati's own search."""

import numpy as np
import pandas as pd
import pytest

from anonnb.coursework.practice.bank.methods_1 import nb10
from anonnb.methods import Incognito, Samarati
from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.table import Table


@pytest.mark.parametrize("lowest", [0, 1, 5, 6, 7])
def test_the_heights_by_hand_are_those_that_samarati_tries(lowest):
    """One column whose values join only at one level, so that this level is the lowest that passes."""
    path = [f"x{level}" for level in range(7)]
    labels = {
        value: [f"{value}{each}" if level < lowest else each for level, each in enumerate(path, 1)] for value in "pq"
    }
    values = list("pq") * (2 if lowest == 0 else 1)
    table = Table(pd.DataFrame({"v": values}), quasi=["v"]).with_hierarchies(v=Hierarchy.from_dict(labels))
    found = Samarati(k=2).anonymize(table)
    assert found.info["node"] == {"v": lowest}
    tried = nb10.tried_heights(7, lowest)
    assert found.info["heights"] == tried + [lowest] * (lowest not in tried)


@pytest.mark.parametrize(("height", "k"), [(1, 20), (1, 27), (2, 30), (1, 25)])
def test_one_row_fewer_than_the_least_max_sup_is_not_enough(height, k):
    least = min(nb10._rows_out(height, k).values())
    for limit, reached in ((least, True), (least - 1, False)):
        found = Samarati(k=k, max_suppressed=limit).anonymize(nb10._survey())
        assert (sum(found.info["node"].values()) <= height) == reached


@pytest.mark.parametrize("k", [2, 3])
def test_the_worked_table_has_minimal_nodes_at_two_heights(k):
    assert Incognito(k=k).anonymize(nb10.lettered(nb10.crossed(k))).info["minimal"] == [(1, 0), (0, 2)]
    assert nb10._not_two_heights(nb10.crossed(k), k) == ""


@pytest.mark.parametrize("pairs", [[("a1", "a1")] * 3, [("a1", "c")] * 4, [("a1",)], 3, [("a1", "a1")] * 13])
def test_other_tables_are_refused(pairs):
    assert nb10._not_two_heights(pairs, 2)


def test_a_search_that_counts_every_height_is_found_out():
    def scan(heights, class_sizes, k, limit):
        for height in range(sum(heights) + 1):
            nodes = [node for node in np.ndindex(*(top + 1 for top in heights)) if sum(node) == height]
            if found := [node for node in nodes if sum(size for size in class_sizes(node) if size < k) <= limit]:
                return found
        return []

    assert "does not try" in nb10._differs(scan)
