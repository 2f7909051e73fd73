"""The commands around marking: ``collect`` before it, ``manual``, ``grades``, ``statistics`` and ``similar`` after it.

They are commands of ``anonnb coursework``, which adds them; what they do is in ``anonnb.coursework.course``.
"""

from anonnb.cli.course.collecting import collect
from anonnb.cli.course.grading import grades, manual
from anonnb.cli.course.showing import similar, statistics

COMMANDS = (collect, manual, grades, statistics, similar)
