"""How well any k-anonymous grouping can do: lower bounds with certificates, exact optima of small tables, local search.

``prices`` says what a group costs under each measure; ``bounds`` finds prices of rows that no group undercuts, by
nearest rows, by cheapest groups or by column generation (``generation``, whose compiled searches are ``_search``);
``exact`` closes the gap to a whole partition where it can (``closing``, with the cuts of ``rounding_cuts``);
``polishing`` improves the groups of methods. ``utility``, whose ``gap`` compares a release with a bound, and
``methods``, which polish their groups, import from here.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.optimum.bounds import Bound, bound
    from anonnb.optimum.exact import Optimum, best
    from anonnb.optimum.polishing import polish
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
