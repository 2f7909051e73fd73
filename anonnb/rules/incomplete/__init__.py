"""Rules and reasoning for tables with unknown or weighted cells: ERID, knowledge bases and the Chase algorithm.

``erid`` learns rules level by level, ``knowledge`` prepares them for reasoning, ``chase`` fills cells until nothing
changes. Notebooks 09, 22 and 33.
"""
