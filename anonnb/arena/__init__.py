"""The arena: every method against every attack on one table, with every measure beside them.

``comparing`` makes the releases, attacks and measures them, and gives one tidy frame; ``entrants`` are those who take
part when none are named. ``standings`` reads the frame: one line per method, and which no other beats. ``documents``
writes the manifest and the officer's page of one release.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "compare": "comparing",
    "table_methods": "entrants",
    "default_methods": "entrants",
    "half_of": "entrants",
    "halves": "entrants",
    "default_attacks": "entrants",
    "left_out": "entrants",
    "summary": "standings",
    "pareto": "standings",
    "worth": "standings",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
