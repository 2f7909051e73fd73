"""How well any k-anonymous grouping can do: lower bounds with certificates, exact optima of small tables, local search.

``prices`` says what a group costs under each measure; ``bounds`` finds prices of rows that no group undercuts, by
nearest rows, by cheapest groups or by column generation (``generation``, whose compiled searches are ``_search``);
``exact`` closes the gap to a whole partition where it can; ``polishing`` improves the groups of methods. ``utility``,
whose ``gap`` compares a release with a bound, and ``methods``, which polish their groups, import from here.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "Bound": "bounds",
    "Optimum": "exact",
    "best": "exact",
    "bound": "bounds",
    "polish": "polishing",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
