"""Parameters: what methods, attacks and models may be given, declared once.

``declared`` has the mixin of their dataclasses and the declaration of a field, ``constraints`` what a single value may
be, ``compound`` what several may be; ``described`` shows inherited ones in docstrings. The command line reads values by
the same constraints, and ``anonnb list`` shows them.
"""

from anonnb.core.parameters.declared import Parameters, parameter

__all__ = ["Parameters", "parameter"]
