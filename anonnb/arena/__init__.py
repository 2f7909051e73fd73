"""The arena: every method against every attack on one table, with every measure beside them.

``comparing`` makes the releases, attacks and measures them, over several draws of the people, and gives one tidy frame;
``entrants`` are those who take part when none are named. ``standings`` reads the frame: one line per method, which no
other beats, which three to look at first. ``draws`` is the short way for one attack: several draws, and their spread.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.arena.comparing import compare
    from anonnb.arena.draws import over_draws, spread, spread_text
    from anonnb.arena.entrants import default_attacks, default_methods, half_of, halves, left_out, table_methods
    from anonnb.arena.standings import headlines, pareto, shortlist, summary
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
