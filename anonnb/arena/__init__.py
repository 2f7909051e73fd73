"""The arena: every method against every attack on one table, with every measure beside them.

``comparing`` makes the releases, attacks and measures them, and gives one tidy frame; ``standings`` reads that frame:
one line per method, and who is beaten by whom. ``documents`` attacks one release, for the papers beside it.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "compare": "comparing",
    "table_methods": "comparing",
    "default_methods": "comparing",
    "half_of": "comparing",
    "halves": "comparing",
    "default_attacks": "comparing",
    "summary": "standings",
    "pareto": "standings",
    "worth": "standings",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
