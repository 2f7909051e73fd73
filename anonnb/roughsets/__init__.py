"""Rough sets: what a table's attributes can and cannot tell apart, from Pawlak (1982) to releases of value sets.

``relations`` says which rows are related, ``approximations`` what is then sure, what is possible, and how good that is;
``discernibility`` turns pairs of rows into clauses, ``implicants`` solves them, and ``reduction`` uses both to find
attributes that suffice. ``variable_precision`` requires a majority instead of certainty, ``dominance`` an order without
contradictions; ``dominance_rules`` induces its rules. All take tables and releases, whose cells are value sets;
``releases`` finds what is certain and possible over all tables that a release may stand for. Notebooks 02, 61, 62 and
64 explain them.
``discretization`` cuts numbers into intervals (notebook 60), ``fuzzy`` lets rows resemble each other by degrees (63).
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.roughsets import dominance, fuzzy, releases, variable_precision
    from anonnb.roughsets.approximations import (
        Approximation,
        approximate,
        boundary,
        indiscernibility,
        lower,
        positive_region,
        quality,
        upper,
    )
    from anonnb.roughsets.discernibility import discernibility_function, discernibility_matrix
    from anonnb.roughsets.discretization.recoding import Discretizer, cut_points, discretize
    from anonnb.roughsets.dominance_rules import domlem
    from anonnb.roughsets.reduction import approximate_reducts, core, johnson_reduct, quick_reduct, reduct, reducts
    from anonnb.roughsets.relations import opened
    from anonnb.roughsets.releases import roughness
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
