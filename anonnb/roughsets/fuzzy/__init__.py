"""Fuzzy rough sets (Dubois and Prade 1990): rows resemble each other by degrees, so they belong by degrees.

``relations`` has t-norms and implicators by name and says how much two rows resemble each other, ``approximations``
has the lower and upper approximations with their quality and the attributes that suffice (QuickReduct), ``neighbours``
a classifier. With the similarity ``"equal"`` everything is as in Pawlak. Notebook 63.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.roughsets.fuzzy.approximations import (
        FuzzyApproximation,
        approximate,
        positive_region,
        quality,
        quick_reduct,
    )
    from anonnb.roughsets.fuzzy.neighbours import FRNN
    from anonnb.roughsets.fuzzy.relations import IMPLICATORS, SIMILARITIES, T_NORMS, similarity
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
