"""Rough sets (Pawlak 1982): what a table's attributes can and cannot tell apart.

``approximations`` has the relations, lower and upper approximations and their quality; ``reduction`` the attributes
that suffice. Both take tables and releases: a cell may be a set of possible values. Notebook 02 explains them.
``discretization`` cuts numbers into intervals (notebook 60), ``fuzzy`` lets rows resemble each other by degrees (63).
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "Approximation": "approximations",
    "indiscernibility": "approximations",
    "approximate": "approximations",
    "lower": "approximations",
    "upper": "approximations",
    "boundary": "approximations",
    "positive_region": "approximations",
    "quality": "approximations",
    "core": "reduction",
    "reduct": "reduction",
    "reducts": "reduction",
    "discretize": "discretization.recoding",
    "cut_points": "discretization.recoding",
    "Discretizer": "discretization.discretizer",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME, ["fuzzy"])
