"""The life around marking: what comes in from a learning platform, points that people give, late work, final grades.

``intake`` sorts what was handed in into the folders that marking reads, with ``archives`` and ``roster`` below it;
``late``, ``manual`` and ``grades`` make the final table from marks; ``statistics`` tells how the class did. Everything
that students wrote stays text: nothing here runs a cell.
"""
