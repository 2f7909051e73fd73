"""Fuzzy rough sets (Dubois and Prade 1990): rows resemble each other by degrees, so they belong by degrees.

``connectives`` has t-norms and implicators by name, ``relations`` how much two rows resemble each other,
``approximations`` the lower and upper approximations with their quality, ``reduction`` the attributes that suffice
(QuickReduct), ``neighbours`` a classifier. With the similarity ``"equal"`` everything is as in Pawlak. Notebook 63.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "T_NORMS": "connectives",
    "IMPLICATORS": "connectives",
    "SIMILARITIES": "relations",
    "similarity": "relations",
    "FuzzyApproximation": "approximations",
    "approximate": "approximations",
    "positive_region": "approximations",
    "quality": "approximations",
    "quick_reduct": "reduction",
    "FRNN": "neighbours",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
