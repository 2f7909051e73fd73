"""Practice: the exercises of the notebooks, which ask, check, give hints and show worked solutions.

``exercise`` says what an exercise is and finds one by its name ("13.2": the second of notebook 13); ``asking`` has what
a reader calls: ``ask``, ``check``, ``solution``, ``vary``; ``bank`` holds the exercises, a module per notebook, so that
no answer stands in a notebook. ``own_numbers`` has the data of one student in an assignment.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "Exercise": "exercise",
    "exercise": "exercise",
    "find": "exercise",
    "names": "exercise",
    "personal": "own_numbers",
    "ask": "asking",
    "check": "asking",
    "solution": "asking",
    "vary": "asking",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
