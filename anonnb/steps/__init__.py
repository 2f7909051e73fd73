"""Steps: what an algorithm does, one decision at a time, reported by the algorithm itself.

``recording`` lets code report what it does (``note``) while a recording runs, and ``of`` runs a function and collects
what it reports; ``step`` holds a step and a run of steps; ``states`` describe unfinished work: rows in groups, a graph.
Methods, attacks and inductions call ``note``; ``Method.steps`` and ``Attack.steps`` call ``of``; ``plots.step`` draws
one step and ``widgets.play`` plays them.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.steps.recording import listening, note, of, silent
    from anonnb.steps.states import Graph, RowGroups
    from anonnb.steps.step import Step, Steps
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
