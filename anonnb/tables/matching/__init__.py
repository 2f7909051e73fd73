"""Which people fit which published row: the one engine behind attacks, population models and pattern tables.

A person fits a row when their value sets overlap in every column; equal people and equal rows are processed once.
``people`` has a table against a release, ``distinct_rows`` the rows of a release; both ask ``overlaps``, which compares
columns of value sets: by joining them (``selections``) or, where that is impossible, by halving (``neighbourhoods``).
"""

from anonnb.tables.matching.distinct_rows import DistinctRows
from anonnb.tables.matching.overlaps import Overlaps
from anonnb.tables.matching.people import Matching, shared_matchings

__all__ = ["DistinctRows", "Matching", "Overlaps", "shared_matchings"]
