"""Hierarchies with a single root, as trees over an attribute's codes need them.

A hierarchy may end in several labels, and a missing value may stay apart on every level: ``*`` then tops them all.
"""

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchy import SUPPRESSED, Levels


def rooted(attribute: Attribute) -> Levels:
    """The levels of an attribute, with a level ``*`` added when the top has more than one label.

    >>> import pandas as pd
    >>> from anonnb import Hierarchy, Table
    >>> table = Table(pd.DataFrame({"age": [3, 8, 14]}), hierarchies={"age": Hierarchy.intervals(10, top=False)})
    >>> rooted(table.attributes["age"]).labels
    [['3', '8', '14'], ['[0,10)', '[10,20)'], ['*']]
    """
    levels = attribute.levels
    if len(levels.labels[-1]) == 1:
        return levels
    root = np.zeros((1, levels.maps.shape[1]), dtype=levels.maps.dtype)
    return Levels(np.vstack([levels.maps, root]), [*levels.labels, [SUPPRESSED]])
