"""Steps: what an algorithm does, one decision at a time, reported by the algorithm itself.

``recording`` lets code report what it does (``note``) while a recording runs, and ``of`` runs a function and collects
what it reports; ``step`` holds a step and a run of steps; ``states`` describe unfinished work: rows in groups, a graph.
Methods, attacks and inductions call ``note``; ``Method.steps`` and ``Attack.steps`` call ``of``; ``plots.step`` draws
one step and ``widgets.play`` plays them.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "Step": "step",
    "Steps": "step",
    "RowGroups": "states",
    "Graph": "states",
    "listening": "recording",
    "note": "recording",
    "of": "recording",
    "silent": "recording",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
