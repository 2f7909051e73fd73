"""Practice: the exercises of the notebooks, which ask, check, give hints and show worked solutions.

``texts`` reads questions, hints and solutions from notebooks/exercises, ``answers`` computes what is expected, a module
for a few notebooks; ``exercise`` brings the two together by name ("13.2": the second of notebook 13), ``asking`` has
what a reader calls: ``ask``, ``check``, ``solution``, ``vary``. ``own_numbers`` has the data of one student in an
assignment.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.coursework.practice.asking import ask, check, solution, vary
    from anonnb.coursework.practice.exercise import Answer, Exercise, exercise, find, names
    from anonnb.coursework.practice.own_numbers import personal
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
