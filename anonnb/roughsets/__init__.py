"""Rough sets: what a table's attributes can and cannot tell apart, from Pawlak (1982) to releases of value sets.

``relations`` says which rows are related, ``approximations`` what is then sure, what is possible, and how good that is;
``discernibility`` turns pairs of rows into clauses, ``implicants`` solves them, and ``reduction`` uses both to find
attributes that suffice. ``variable_precision`` requires a majority instead of certainty, ``dominance`` an order without
contradictions; ``dominance_rules`` induces its rules. All take tables and releases, whose cells are value sets;
``releases`` finds what is certain and possible over all tables that a release may stand for. Notebooks 02, 61, 62 and
64 explain them.
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
    "discernibility_function": "discernibility",
    "discernibility_matrix": "discernibility",
    "domlem": "dominance_rules",
    "opened": "relations",
    "roughness": "releases",
    "approximate_reducts": "reduction",
    "core": "reduction",
    "johnson_reduct": "reduction",
    "object_reducts": "reduction",
    "quick_reduct": "reduction",
    "reduct": "reduction",
    "reducts": "reduction",
    "discretize": "discretization.recoding",
    "cut_points": "discretization.recoding",
    "Discretizer": "discretization.discretizer",
}
_MODULES = ["dominance", "fuzzy", "releases", "variable_precision"]
__all__ = [*_HOME, *_MODULES]

__getattr__, __dir__ = lazy_names(__name__, _HOME, _MODULES)
