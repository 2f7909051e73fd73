"""Intersection: two releases of the same people, by hand."""

import numpy as np

from anonnb import Release
from anonnb.attacks import IntersectionAttack
from anonnb.tables.value_sets import Column


def test_intersection_by_hand(clinic):
    table, release = clinic
    groups = np.array([0, 0, 0, 0, 1, 1])  # the other release puts 41 with the young: flu only; 45 and 49: cold only
    column = Column.of_groups(table.attributes["age"], table.codes("age"), groups, 2)
    other = Release(table, {"age": column}, np.arange(6))
    both = IntersectionAttack(other=other).run(release, table)
    assert (both.info["alone"], both.success) == (0.5, 1.0)
    assert IntersectionAttack().run(release, table).success == 0.5
