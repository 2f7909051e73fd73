"""Value sets: columns whose cells are sets of possible values, the one representation all releases share.

``sets`` has the dictionary of the distinct sets of a column, ``column`` the number of each row's set. Methods make such
columns; attacks, measures and rules read them.
"""

from anonnb.tables.value_sets.column import Column
from anonnb.tables.value_sets.sets import ValueSets

__all__ = ["Column", "ValueSets"]
